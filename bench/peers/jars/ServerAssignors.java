package topicplacement.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.PartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.RangeAssignor;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;

/**
 * The assignors of the group coordinator, asked as it asks them: subscriptions, what members hold, and who holds what are
 * there as hash maps. A group is what {@code kafka.assign} takes in columns, and {@code assignor}.
 */
final class ServerAssignors implements Turns.Work {
  private final PartitionAssignor assignor;
  private final List<Uuid> topics;
  private final int[] starts;
  private final List<String> members;
  private final SubscribedTopicDescriber describer;
  private final GroupSpec group;

  public static void main(String[] args) throws Exception {
    Turns.serve(ServerAssignors::new);
  }

  private ServerAssignors(JsonNode question) {
    assignor = question.get("assignor").textValue().equals("range") ? new RangeAssignor() : new UniformAssignor();
    topics = Columns.names(question.at("/topics/ids")).stream().map(Uuid::fromString).toList();
    starts = Columns.starts(Columns.numbers(question.at("/topics/partitions")));
    members = Columns.names(question.at("/members/ids"));
    describer = new Topics(topics, starts);
    group = group(question.get("members"));
  }

  @Override
  public GroupAssignment assign() {
    return assignor.assign(group, describer);
  }

  /** Kafka's answer is a map of sets: each member's partitions ascend. */
  @Override
  public int[] columns(Object answer) {
    Map<Uuid, Integer> first = new HashMap<>();
    for (int topic = 0; topic < topics.size(); topic++) first.put(topics.get(topic), starts[topic]);
    int[][] lists = new int[members.size()][];
    for (int member = 0; member < lists.length; member++) {
      MemberAssignment mine = ((GroupAssignment) answer).members().get(members.get(member));
      lists[member] = mine.partitions().entrySet().stream()
          .flatMapToInt(topic -> topic.getValue().stream().mapToInt(partition -> first.get(topic.getKey()) + partition))
          .sorted()
          .toArray();
    }
    int[] columns = new int[members.size() + 1 + Arrays.stream(lists).mapToInt(list -> list.length).sum()];
    for (int member = 0; member < lists.length; member++) {
      System.arraycopy(lists[member], 0, columns, members.size() + 1 + columns[member], lists[member].length);
      columns[member + 1] = columns[member] + lists[member].length;
    }
    return columns;
  }

  // A LinkedHashMap, so that the assignor walks the members in the order given.
  private GroupSpec group(JsonNode columns) {
    List<Set<Uuid>> lists = subscriptions(columns.path("subscriptions"));
    int[] listOf = Columns.numbers(columns.at("/subscriptions/listOf"));
    int[] offsets = Columns.numbers(columns.at("/owned/offsets"));
    int[] owned = Columns.numbers(columns.at("/owned/values"));
    Map<String, MemberSubscriptionAndAssignmentImpl> group = new LinkedHashMap<>();
    Map<Uuid, Map<Integer, String>> holders = new HashMap<>();
    for (int member = 0; member < members.size(); member++) {
      Map<Uuid, Set<Integer>> held = offsets.length == 0 ? Map.of() : held(owned, offsets[member], offsets[member + 1]);
      String id = members.get(member);
      held.forEach((topic, partitions) -> partitions.forEach(partition ->
          holders.computeIfAbsent(topic, key -> new HashMap<>()).put(partition, id)));
      Set<Uuid> named = lists.get(listOf.length == 0 ? 0 : listOf[member]);
      group.put(id, new MemberSubscriptionAndAssignmentImpl(Optional.empty(), Optional.empty(), named, new Assignment(held)));
    }
    SubscriptionType type = lists.size() == 1 ? SubscriptionType.HOMOGENEOUS : SubscriptionType.HETEROGENEOUS;
    return new GroupSpecImpl(group, type, holders);
  }

  private List<Set<Uuid>> subscriptions(JsonNode columns) {
    if (columns.isMissingNode()) return List.of(new LinkedHashSet<>(topics));
    int[] offsets = Columns.numbers(columns.get("offsets"));
    int[] named = Columns.numbers(columns.get("topics"));
    return IntStream.range(0, offsets.length - 1)
        .<Set<Uuid>>mapToObj(list -> {
          Set<Uuid> ids = new LinkedHashSet<>();
          for (int i = offsets[list]; i < offsets[list + 1]; i++) ids.add(topics.get(named[i]));
          return ids;
        })
        .toList();
  }

  /** As the coordinator reads it from its record. */
  private Map<Uuid, Set<Integer>> held(int[] slots, int from, int to) {
    Map<Uuid, List<Integer>> record = new LinkedHashMap<>();
    for (int i = from; i < to; i++) {
      int found = Arrays.binarySearch(starts, slots[i]);
      int topic = found >= 0 ? found : -found - 2;
      record.computeIfAbsent(topics.get(topic), key -> new ArrayList<>()).add(slots[i] - starts[topic]);
    }
    Map<Uuid, Set<Integer>> held = new HashMap<>();
    record.forEach((topic, partitions) -> held.put(topic, new HashSet<>(partitions)));
    return held;
  }

  private static final class Topics implements SubscribedTopicDescriber {
    private final Map<Uuid, Integer> partitions = new HashMap<>();

    Topics(List<Uuid> topics, int[] starts) {
      for (int topic = 0; topic < topics.size(); topic++) partitions.put(topics.get(topic), starts[topic + 1] - starts[topic]);
    }

    @Override
    public int numPartitions(Uuid topic) {
      return partitions.getOrDefault(topic, -1);
    }

    @Override
    public Set<String> racksForPartition(Uuid topic, int partition) {
      return Set.of();
    }
  }
}
