package topicplacement.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * The assignors of kafka-clients, asked as the leader of a group asks them: the cluster's metadata and all subscriptions are
 * there as objects. A group is what {@code kafka.assign} takes in columns, and {@code assignor}.
 */
final class ClientAssignors implements Turns.Work {
  private final String assignor;
  private final List<String> topics;
  private final int[] starts;
  private final List<String> members;
  private final Cluster cluster;
  private final GroupSubscription group;

  public static void main(String[] args) throws Exception {
    Turns.serve(ClientAssignors::new);
  }

  private ClientAssignors(JsonNode question) {
    assignor = question.get("assignor").textValue();
    topics = Columns.names(question.at("/topics/names"));
    starts = Columns.starts(Columns.numbers(question.at("/topics/partitions")));
    members = Columns.names(question.at("/members/ids"));
    cluster = cluster(question.at("/members/racks"));
    group = group(question.get("members"));
  }

  /** A new assignor each time: one that lives on remembers the highest generation, which is the same here. */
  @Override
  public Map<String, Assignment> assign() {
    ConsumerPartitionAssignor fresh = assignor.equals("range") ? new RangeAssignor() : new CooperativeStickyAssignor();
    return fresh.assign(cluster, group).groupAssignment();
  }

  @Override
  @SuppressWarnings("unchecked")
  public int[] columns(Object answer) {
    Map<String, Integer> topicIndex = new HashMap<>();
    topics.forEach(topic -> topicIndex.put(topic, topicIndex.size()));
    List<List<TopicPartition>> lists = members.stream().map(((Map<String, Assignment>) answer)::get).map(Assignment::partitions).toList();
    int[] columns = new int[members.size() + 1 + lists.stream().mapToInt(List::size).sum()];
    int at = members.size() + 1;
    for (int member = 0; member < members.size(); member++) {
      for (TopicPartition one : lists.get(member)) columns[at++] = starts[topicIndex.get(one.topic())] + one.partition();
      columns[member + 1] = columns[member] + lists.get(member).size();
    }
    return columns;
  }

  /** One broker a rack is enough: the assignors read a replica's rack and nothing else. */
  private Cluster cluster(JsonNode racks) {
    List<Node> nodes = new ArrayList<>();
    for (int rack = 0; rack < racks.path("count").asInt(); rack++) nodes.add(new Node(rack, "host", 9092, "rack-" + rack));
    int[] setOf = Columns.numbers(racks.path("setOf"));
    Node[][] sets = sets(racks, nodes);
    Node[] none = {};
    List<PartitionInfo> partitions = new ArrayList<>();
    for (int topic = 0; topic < topics.size(); topic++) {
      for (int slot = starts[topic]; slot < starts[topic + 1]; slot++) {
        Node[] replicas = setOf.length == 0 ? none : sets[setOf[slot]];
        Node leader = replicas.length == 0 ? Node.noNode() : replicas[0];
        partitions.add(new PartitionInfo(topics.get(topic), slot - starts[topic], leader, replicas, replicas));
      }
    }
    return new Cluster("cluster", nodes, partitions, Collections.emptySet(), Collections.emptySet());
  }

  private static Node[][] sets(JsonNode racks, List<Node> nodes) {
    int[] offsets = Columns.numbers(racks.path("setOffsets"));
    int[] values = Columns.numbers(racks.path("setRacks"));
    Node[][] sets = new Node[Math.max(0, offsets.length - 1)][];
    for (int set = 0; set < sets.length; set++) {
      sets[set] = Arrays.stream(values, offsets[set], offsets[set + 1]).mapToObj(nodes::get).toArray(Node[]::new);
    }
    return sets;
  }

  // A LinkedHashMap, so that the assignor walks the members in the order given.
  private GroupSubscription group(JsonNode columns) {
    List<List<String>> lists = subscriptions(columns.path("subscriptions"));
    int[] listOf = Columns.numbers(columns.at("/subscriptions/listOf"));
    int[] offsets = Columns.numbers(columns.at("/owned/offsets"));
    int[] owned = Columns.numbers(columns.at("/owned/values"));
    int[] generations = Columns.numbers(columns.path("generations"));
    int[] racks = Columns.numbers(columns.at("/racks/ofMember"));
    Map<String, Subscription> group = new LinkedHashMap<>();
    for (int member = 0; member < members.size(); member++) {
      List<String> named = lists.get(listOf.length == 0 ? 0 : listOf[member]);
      List<TopicPartition> mine = offsets.length == 0 ? List.of() : partitions(owned, offsets[member], offsets[member + 1]);
      Optional<String> rack = racks.length == 0 || racks[member] < 0 ? Optional.empty() : Optional.of("rack-" + racks[member]);
      int generation = generations.length == 0 ? -1 : generations[member];
      group.put(members.get(member), new Subscription(named, null, mine, generation, rack));
    }
    return new GroupSubscription(group);
  }

  private List<List<String>> subscriptions(JsonNode columns) {
    if (columns.isMissingNode()) return List.of(topics);
    int[] offsets = Columns.numbers(columns.get("offsets"));
    int[] named = Columns.numbers(columns.get("topics"));
    List<List<String>> lists = new ArrayList<>();
    for (int list = 0; list + 1 < offsets.length; list++) {
      List<String> names = new ArrayList<>();
      for (int i = offsets[list]; i < offsets[list + 1]; i++) names.add(topics.get(named[i]));
      lists.add(names);
    }
    return lists;
  }

  private List<TopicPartition> partitions(int[] slots, int from, int to) {
    List<TopicPartition> partitions = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      int found = Arrays.binarySearch(starts, slots[i]);
      int topic = found >= 0 ? found : -found - 2;
      // A topic without partitions begins where the next one does.
      while (starts[topic + 1] == starts[topic]) topic++;
      partitions.add(new TopicPartition(topics.get(topic), slots[i] - starts[topic]));
    }
    return partitions;
  }
}
