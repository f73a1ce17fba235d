import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;

/**
 * Asks the Java machine how a HashMap is walked that computeIfAbsent filled: the golden lines of
 * test/vectors/jdk/hash-map-compute.txt.
 *
 * Run with: java HashMapComputeOrder.java > ../../vectors/jdk/hash-map-compute.txt
 * A line is an initial capacity, a script and, behind "=", the keys as they are walked. "+h" asks for a new key with the hash
 * code h; keys are numbered from 0 in that order. "?k" asks for key k, which is there. Equal hash codes are compared by the
 * keys' numbers.
 */
public final class HashMapComputeOrder {
  private record Key(int number, int hash) implements Comparable<Key> {
    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && key.number == number;
    }

    @Override
    public int compareTo(Key other) {
      return Integer.compare(number, other.number);
    }
  }

  public static void main(String[] args) {
    Random random = new Random(20261201);
    for (int i = 0; i < 300; i++) System.out.println(line(random));
  }

  private static String line(Random random) {
    int capacity = new int[] {1, 2, 16, 64, 200}[random.nextInt(5)];
    HashMap<Key, Integer> map = new HashMap<>(capacity);
    List<Key> there = new ArrayList<>();
    StringBuilder script = new StringBuilder().append(capacity).append(' ');
    int stride = new int[] {1, 16, 64, 256, 1024, 0x10000, 0}[random.nextInt(7)];
    int steps = 5 + random.nextInt(random.nextBoolean() ? 30 : 150);
    for (int step = 0; step < steps; step++) {
      if (!there.isEmpty() && random.nextInt(8) == 0) {
        Key known = there.get(random.nextInt(there.size()));
        map.computeIfAbsent(known, key -> key.number);
        script.append('?').append(known.number).append(' ');
        continue;
      }
      int hash = stride == 0 ? random.nextInt() : random.nextInt(random.nextBoolean() ? 40 : 400) * stride + 7;
      Key key = new Key(there.size(), hash);
      map.computeIfAbsent(key, one -> one.number);
      there.add(key);
      script.append('+').append(hash).append(' ');
    }
    script.append('=');
    for (Key key : map.keySet()) script.append(' ').append(key.number);
    return script.toString();
  }
}
