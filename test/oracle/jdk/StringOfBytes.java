import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * What the JDK makes of bytes that are mostly no UTF-8: the units of {@code new String(bytes, UTF_8)}, its hash code, and
 * the two CRCs of the bytes. One JSON line a case, after a provenance line. No build, no jar:
 *
 *     java StringOfBytes.java COUNT SEED > ../../vectors/jdk/string-of-bytes.ndjson
 */
public final class StringOfBytes {
  /** Bytes where the rules change: ends of continuation and lead ranges, overlong forms, surrogates, above U+10FFFF. */
  private static final int[] EDGES = {
    0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0,
    0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xff
  };

  public static void main(String[] args) {
    int count = Integer.parseInt(args[0]);
    long seed = Long.parseLong(args[1]);
    System.out.printf(
        "{\"provenance\":{\"family\":\"string-of-bytes\",\"java\":\"%s\",\"command\":\"java StringOfBytes.java %d %d\",\"seed\":%d}}%n",
        System.getProperty("java.version"), count, seed, seed);
    Random random = new Random(seed);
    for (int i = 0; i < count; i++) print(bytes(random, i % 2 == 0));
  }

  private static byte[] bytes(Random random, boolean edges) {
    byte[] bytes = new byte[random.nextInt(edges ? 9 : 40)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (edges || random.nextInt(3) == 0 ? EDGES[random.nextInt(EDGES.length)] : random.nextInt(256));
    }
    return bytes;
  }

  private static void print(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    StringBuilder units = new StringBuilder();
    for (int i = 0; i < text.length(); i++) units.append(String.format("%04x", (int) text.charAt(i)));
    CRC32 crc32 = new CRC32();
    CRC32C crc32c = new CRC32C();
    crc32.update(bytes);
    crc32c.update(bytes);
    System.out.printf(
        "{\"bytes\":\"%s\",\"units\":\"%s\",\"hash\":%d,\"crc32\":%d,\"crc32c\":%d}%n",
        HexFormat.of().formatHex(bytes), units, text.hashCode(), crc32.getValue(), crc32c.getValue());
  }
}
