package topicplacement.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.placement.ClusterDescriber;
import org.apache.kafka.metadata.placement.PartitionAssignment;
import org.apache.kafka.metadata.placement.PlacementSpec;
import org.apache.kafka.metadata.placement.StripedReplicaPlacer;
import org.apache.kafka.metadata.placement.UsableBroker;

/** The controller's striped placer, asked for one topic: brokers {@code racks[i]} of id {@code i}, partitions, replicas, a seed. */
final class Striped implements Turns.Work {
  private final List<UsableBroker> brokers;
  private final PlacementSpec spec;
  private final long seed;

  public static void main(String[] args) throws Exception {
    Turns.serve(Striped::new);
  }

  private Striped(JsonNode question) {
    List<String> racks = Columns.names(question.get("racks"));
    brokers = IntStream.range(0, racks.size()).mapToObj(id -> new UsableBroker(id, Optional.of(racks.get(id)), false)).toList();
    spec = new PlacementSpec(0, question.get("partitions").intValue(), (short) question.get("replicationFactor").intValue());
    seed = question.get("seed").longValue();
  }

  @Override
  public Object assign() {
    return new StripedReplicaPlacer(new Random(seed)).place(spec, new Described()).assignments();
  }

  @Override
  @SuppressWarnings("unchecked")
  public int[] columns(Object answer) {
    return Columns.lists(((List<PartitionAssignment>) answer).stream().map(PartitionAssignment::replicas).toList());
  }

  private final class Described implements ClusterDescriber {
    @Override
    public Iterator<UsableBroker> usableBrokers() {
      return brokers.iterator();
    }

    @Override
    public Uuid defaultDir(int broker) {
      return Uuid.ZERO_UUID;
    }
  }
}
