package topicplacement.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import topicplacement.oracle.Oracle.Op;

/** Names of topics: why one is refused, and which earlier one it collides with. */
public final class TopicNameFamily implements Oracle.Family {
  @Override
  public void addTo(Map<String, Op> ops) {
    ops.put("topicNames", request -> topicNames(Wire.strings(request.get("names"))));
  }

  /** {@code reasons}: null for a legal name; {@code firsts}: the first legal name before it that collides, -1 for none. */
  private static Map<String, Object> topicNames(List<String> names) {
    List<String> reasons = new ArrayList<>();
    List<Integer> firsts = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String reason = reason(name);
      reasons.add(reason);
      Integer first = reason == null ? seen.putIfAbsent(Topic.unifyCollisionChars(name), i) : null;
      boolean collides = first != null && !names.get(first).equals(name) && Topic.hasCollision(names.get(first), name);
      firsts.add(collides ? first : -1);
    }
    Map<String, Object> answer = new HashMap<>();
    answer.put("reasons", reasons);
    answer.put("firsts", firsts);
    return answer;
  }

  private static String reason(String name) {
    try {
      Topic.validate(name);
      return null;
    } catch (InvalidTopicException refused) {
      return refused.getMessage();
    }
  }
}
