package topicplacement.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.admin.AdminUtils;
import org.apache.kafka.admin.BrokerMetadata;

/** The alternating placer, which left Kafka in 4.1, asked for one topic: brokers {@code racks[i]} of id {@code i}, partitions, replicas, a seed. */
final class Alternating implements Turns.Work {
  private final List<BrokerMetadata> brokers;
  private final int partitions;
  private final int replicationFactor;
  private final long seed;
  private final Random random;

  public static void main(String[] args) throws Exception {
    Turns.serve(Alternating::new);
  }

  private Alternating(JsonNode question) throws Exception {
    List<String> racks = Columns.names(question.get("racks"));
    brokers = IntStream.range(0, racks.size()).mapToObj(id -> new BrokerMetadata(id, Optional.of(racks.get(id)))).toList();
    partitions = question.get("partitions").intValue();
    replicationFactor = question.get("replicationFactor").intValue();
    seed = question.get("seed").longValue();
    random = itsOwn();
  }

  // The class draws from one static source.
  private static Random itsOwn() throws Exception {
    Field source = AdminUtils.class.getDeclaredField("RAND");
    source.setAccessible(true);
    return (Random) source.get(null);
  }

  @Override
  public Object assign() {
    random.setSeed(seed);
    return AdminUtils.assignReplicasToBrokers(brokers, partitions, replicationFactor);
  }

  @Override
  @SuppressWarnings("unchecked")
  public int[] columns(Object answer) {
    return Columns.lists(IntStream.range(0, partitions).mapToObj(((Map<Integer, List<Integer>>) answer)::get).toList());
  }
}
