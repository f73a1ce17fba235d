package topicplacement.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Columns of numbers and names, as JSON holds them. */
final class Columns {
  private Columns() {}

  static int[] numbers(JsonNode array) {
    int[] numbers = new int[array.size()];
    for (int i = 0; i < numbers.length; i++) numbers[i] = array.get(i).intValue();
    return numbers;
  }

  static List<String> names(JsonNode array) {
    List<String> names = new ArrayList<>(array.size());
    array.forEach(name -> names.add(name.textValue()));
    return names;
  }

  /** Where each topic's partitions begin, and behind them the end. */
  static int[] starts(int[] counts) {
    int[] starts = new int[counts.length + 1];
    for (int i = 0; i < counts.length; i++) starts[i + 1] = starts[i] + counts[i];
    return starts;
  }

  /** Where each list begins, and behind them the end; then all lists. */
  static int[] lists(List<List<Integer>> lists) {
    int[] columns = new int[lists.size() + 1 + lists.stream().mapToInt(List::size).sum()];
    int end = 0;
    for (int i = 0; i < lists.size(); i++) {
      for (int item : lists.get(i)) columns[lists.size() + 1 + end++] = item;
      columns[i + 1] = end;
    }
    return columns;
  }
}
