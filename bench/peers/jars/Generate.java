package topicplacement.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.metadata.placement.UsableBroker;
import org.apache.kafka.tools.reassign.ReassignPartitionsCommand;

/**
 * The proposal of {@code kafka-reassign-partitions --generate} for a whole cluster, as objects: {@code topicOf} and
 * {@code offsets} of each partition, {@code replicas}; {@code brokers} that may hold some, and {@code rackOf} all.
 */
final class Generate implements Turns.Work {
  private final Map<TopicPartition, List<Integer>> current = new HashMap<>();
  private final List<TopicPartition> partitions = new ArrayList<>();
  private final List<UsableBroker> brokers = new ArrayList<>();
  private final Method calculate;

  public static void main(String[] args) throws Exception {
    Turns.serve(Generate::new);
  }

  private Generate(JsonNode question) throws Exception {
    int[] topicOf = Columns.numbers(question.get("topicOf"));
    int[] offsets = Columns.numbers(question.get("offsets"));
    int[] replicas = Columns.numbers(question.get("replicas"));
    for (int p = 0, number = 0; p < topicOf.length; p++) {
      number = p > 0 && topicOf[p] == topicOf[p - 1] ? number + 1 : 0;
      List<Integer> list = new ArrayList<>();
      for (int i = offsets[p]; i < offsets[p + 1]; i++) list.add(replicas[i]);
      partitions.add(new TopicPartition("topic-" + topicOf[p], number));
      current.put(partitions.get(p), list);
    }
    int[] rackOf = Columns.numbers(question.get("rackOf"));
    for (int id : Columns.numbers(question.get("brokers"))) brokers.add(new UsableBroker(id, Optional.of("r" + rackOf[id]), false));
    calculate = ReassignPartitionsCommand.class.getDeclaredMethod("calculateAssignment", Map.class, List.class);
    calculate.setAccessible(true);
  }

  @Override
  public Object assign() throws Exception {
    return calculate.invoke(null, current, brokers);
  }

  @Override
  @SuppressWarnings("unchecked")
  public int[] columns(Object answer) {
    return Columns.lists(partitions.stream().map(((Map<TopicPartition, List<Integer>>) answer)::get).toList());
  }
}
