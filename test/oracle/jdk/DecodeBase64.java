import java.util.Base64;
import java.util.HexFormat;
import java.util.Random;

/**
 * What the JDK's strict decoder makes of texts that are mostly no Base64: bytes, or its refusal. One JSON line a case, after
 * a provenance line. No build, no jar:
 *
 *     java DecodeBase64.java COUNT SEED > ../../vectors/jdk/base64.ndjson
 */
public final class DecodeBase64 {
  /** Digits, padding, and what is neither: of the URL alphabet, of Latin-1, and beyond it. */
  private static final String UNITS = "ABCDab09+/==== ?-_\u00e9\u4e3b";

  private static final String[] EDGES = {
    "", "=", "A", "A=", "A==", "=A", "==", "AA", "AA=", "AA==", "AA===", "AA=A", "AA==A", "AAA", "AAA=", "AAA==", "AAA=A", "AAAA", "AAAA=",
    "AAAA==", "AAAAA", "AAAAAA", "AB", "AAB", "\ud83d\ude00AA", "\ud83dA"
  };

  public static void main(String[] args) {
    int count = Integer.parseInt(args[0]);
    long seed = Long.parseLong(args[1]);
    System.out.printf(
        "{\"provenance\":{\"family\":\"base64\",\"java\":\"%s\",\"command\":\"java DecodeBase64.java %d %d\",\"seed\":%d}}%n",
        System.getProperty("java.version"), count, seed, seed);
    for (String edge : EDGES) print(edge);
    Random random = new Random(seed);
    for (int i = EDGES.length; i < count; i++) print(text(random));
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(12); left > 0; left--) {
      text.append(UNITS.charAt(random.nextInt(random.nextInt(3) > 0 ? 12 : UNITS.length())));
    }
    return text.toString();
  }

  private static void print(String text) {
    StringBuilder units = new StringBuilder();
    for (char unit : text.toCharArray()) units.append(String.format("%04x", (int) unit));
    System.out.printf("{\"units\":\"%s\",%s}%n", units, answer(text));
  }

  private static String answer(String text) {
    try {
      return "\"bytes\":\"" + HexFormat.of().formatHex(Base64.getDecoder().decode(text)) + "\"";
    } catch (IllegalArgumentException refused) {
      return "\"refused\":\"" + refused.getMessage() + "\"";
    }
  }
}
