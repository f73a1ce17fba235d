import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks kafka-clients how it writes subscriptions and assignments: the golden lines of test/vectors/clients/consumer-protocol.ndjson.
 *
 * Run with: java -cp 'target/4.4.0/lib/*' ConsumerProtocolBytes.java > ../../vectors/clients/consumer-protocol.ndjson
 */
public final class ConsumerProtocolBytes {
  public static void main(String[] args) {
    List<TopicPartition> none = List.of();
    List<TopicPartition> some = partitions("b", 3, "a", 1, "b", 0, "a", 10, "a", 2);
    for (short version = 0; version <= 3; version++) {
      subscription(version, List.of("b", "a"), "", some, 7, "rack-1");
      subscription(version, List.of(), null, none, -1, null);
      subscription(version, List.of("\u00e9\ud83d\ude00", "\ufffe"), "AAECAw==", partitions("\u00e9\ud83d\ude00", 2147483647), 0, null);
      assignment(version, some, null);
      assignment(version, none, "AAECAw==");
    }
  }

  private static List<TopicPartition> partitions(Object... flat) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (int i = 0; i < flat.length; i += 2) partitions.add(new TopicPartition((String) flat[i], (Integer) flat[i + 1]));
    return partitions;
  }

  private static void subscription(short version, List<String> topics, String data, List<TopicPartition> owned, int generation, String rack) {
    Subscription subscription = new Subscription(topics, bytes(data), owned, generation, Optional.ofNullable(rack));
    String bytes = base64(ConsumerProtocol.serializeSubscription(subscription, version));
    System.out.printf("{\"kind\":\"subscription\",\"version\":%d,\"topics\":%s,\"userData\":%s,\"owned\":%s,\"generation\":%d,\"rack\":%s,\"base64\":\"%s\"}%n",
        version, names(topics), quoted(data), flat(owned), generation, quoted(rack), bytes);
  }

  private static void assignment(short version, List<TopicPartition> partitions, String data) {
    String bytes = base64(ConsumerProtocol.serializeAssignment(new Assignment(partitions, bytes(data)), version));
    System.out.printf("{\"kind\":\"assignment\",\"version\":%d,\"partitions\":%s,\"userData\":%s,\"base64\":\"%s\"}%n",
        version, flat(partitions), quoted(data), bytes);
  }

  private static ByteBuffer bytes(String base64) {
    return base64 == null ? null : ByteBuffer.wrap(Base64.getDecoder().decode(base64));
  }

  private static String base64(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static String quoted(String text) {
    if (text == null) return "null";
    StringBuilder quoted = new StringBuilder("\"");
    for (char unit : text.toCharArray()) quoted.append(unit < 0x80 ? String.valueOf(unit) : String.format("\\u%04x", (int) unit));
    return quoted.append('"').toString();
  }

  private static String names(List<String> names) {
    return "[" + String.join(",", names.stream().map(ConsumerProtocolBytes::quoted).toList()) + "]";
  }

  private static String flat(List<TopicPartition> partitions) {
    List<String> items = new ArrayList<>();
    for (TopicPartition one : partitions) items.add(quoted(one.topic()) + "," + one.partition());
    return "[" + String.join(",", items) + "]";
  }
}
