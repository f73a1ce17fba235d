package topicplacement.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The turns of a peer that lives in the Java machine: {@code bench/peers/jars.ts} starts it and writes a line a turn, and
 * waits for the one line that answers it, so that the two never run at once.
 *
 * <ul>
 *   <li>{@code group FILE}: the group to assign, columns as JSON; answers {@code ready}
 *   <li>{@code answer FILE}: assigns once and writes the answer as 32-bit numbers, little-endian; answers {@code written}
 *   <li>{@code slice MILLISECONDS CLOCK}: assigns for so long, once at least; answers the best and the median, in nanoseconds
 * </ul>
 */
final class Turns {
  /** A group, ready. */
  interface Work {
    /** What is timed. */
    Object assign() throws Exception;

    /** Where each member's partitions begin, then all partitions, counted over all topics. */
    int[] columns(Object answer);
  }

  /** Makes a group ready. */
  interface Peer {
    Work prepare(JsonNode group) throws Exception;
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Peer peer;
  private Work work;

  private Turns(Peer peer) {
    this.peer = peer;
  }

  static void serve(Peer peer) throws Exception {
    Turns turns = new Turns(peer);
    PrintStream answers = System.out;
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) answers.println(turns.take(line.split(" ")));
  }

  private String take(String[] words) throws Exception {
    switch (words[0]) {
      case "group":
        work = peer.prepare(JSON.readTree(new File(words[1])));
        return "ready";
      case "answer":
        write(work.columns(work.assign()), Path.of(words[1]));
        return "written";
      case "slice":
        return slice(1e6 * Double.parseDouble(words[1]), words[2].equals("processor") ? PROCESS::getProcessCpuTime : System::nanoTime);
      default:
        throw new IllegalArgumentException("unknown turn " + words[0]);
    }
  }

  private String slice(double nanoseconds, LongSupplier clock) throws Exception {
    List<Long> samples = new ArrayList<>();
    long began = System.nanoTime();
    do {
      long start = clock.getAsLong();
      work.assign();
      samples.add(clock.getAsLong() - start);
    } while (System.nanoTime() - began < nanoseconds);
    Collections.sort(samples);
    return samples.get(0) + " " + samples.get(samples.size() / 2);
  }

  private static void write(int[] numbers, Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(numbers);
    Files.write(file, bytes.array());
  }
}
