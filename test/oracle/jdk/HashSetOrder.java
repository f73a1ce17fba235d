import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;

/**
 * Asks the Java machine how a HashSet is walked while keys come and go: the golden lines of test/vectors/jdk/hash-set.txt.
 *
 * Run with: java HashSetOrder.java > ../../vectors/jdk/hash-set.txt
 * A line is a script and, behind "=", the keys as they are walked. "+h" adds a key with the hash code h; keys are numbered
 * from 0 in the order in which they are added. "-k" removes key k. Equal hash codes are compared by the keys' numbers.
 */
public final class HashSetOrder {
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
    HashSet<Key> set = new HashSet<>();
    List<Key> there = new ArrayList<>();
    StringBuilder script = new StringBuilder();
    int stride = new int[] {1, 16, 64, 256, 1024, 0x10000, 0}[random.nextInt(7)];
    int steps = 5 + random.nextInt(random.nextBoolean() ? 30 : 150);
    int added = 0;
    double leaving = random.nextDouble() * 0.5;
    for (int step = 0; step < steps; step++) {
      if (!there.isEmpty() && random.nextDouble() < leaving) {
        Key gone = there.remove(random.nextInt(there.size()));
        set.remove(gone);
        script.append('-').append(gone.number).append(' ');
        continue;
      }
      int hash = stride == 0 ? random.nextInt() : random.nextInt(random.nextBoolean() ? 40 : 400) * stride + 7;
      Key key = new Key(added++, hash);
      set.add(key);
      there.add(key);
      script.append('+').append(hash).append(' ');
    }
    script.append('=');
    for (Key key : set) script.append(' ').append(key.number);
    return script.toString();
  }
}
