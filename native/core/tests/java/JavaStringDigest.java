import java.nio.charset.StandardCharsets;

/**
 * The judge of `tests/hashes.rs`: hashCode of five million random byte strings, decoded by Java, as one number.
 *
 * Run: java JavaStringDigest.java. Printed by Java 17.0.15: the constant in `hashes.rs`.
 * Half of the bytes come from those that begin, continue, cut off or spoil a sequence of UTF-8.
 */
public class JavaStringDigest {
  static final int[] TELLING = {
    0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
    0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xff, 0x80, 0xa0, 0xed, 0xf0, 0xf4
  };

  static long state = 0x9e3779b97f4a7c15L;

  static long next() {
    state ^= state << 13;
    state ^= state >>> 7;
    state ^= state << 17;
    return state;
  }

  public static void main(String[] arguments) {
    long digest = 0;
    for (int i = 0; i < 5_000_000; i++) {
      byte[] key = new byte[(int) ((next() >>> 11) % 24)];
      for (int j = 0; j < key.length; j++) {
        long random = next() >>> 11;
        key[j] = (byte) ((random & 1) == 0 ? random >>> 8 : TELLING[(int) ((random >>> 8) & 31)]);
      }
      digest = digest * 0x100000001b3L + (new String(key, StandardCharsets.UTF_8).hashCode() & 0xffffffffL);
    }
    System.out.printf("0x%016x%n", digest);
  }
}
