/**
 * The quick way through the partitions of a large `kafka-topics --describe`: a line of the usual form, of the topic that was
 * announced last, whole in one block of ASCII, is read into integers without a string made for it. All other lines are left to
 * describe-text.ts, which says what is wrong with them.
 *
 * The usual form: `\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3`, then whatever says nothing of replicas that
 * join or leave.
 */
const [TAB, LINE_FEED, COMMA, ZERO, NINE, CAPITAL_A, CAPITAL_R] = [0x09, 0x0a, 0x2c, 0x30, 0x39, 0x41, 0x52]
const MOST = 0x7fffffff

/** Longest replica list of the usual form. */
const MOST_REPLICAS = 1 << 10

const LEADER = Buffer.from('\tLeader: ')
const REPLICAS = Buffer.from('\tReplicas: ')

export class DescribeScan {
  /** Of the line read last. */
  partition = 0
  readonly replicas = new Int32Array(MOST_REPLICAS)
  count = 0
  /** Unknown here. */
  readonly bytes = -1
  /** What lines of the topic begin with. */
  #start: Uint8Array = Buffer.from('')
  #number = 0

  /** From here on, lines are to be of this topic. */
  announce(topic: string): void {
    this.#start = Buffer.from(`\tTopic: ${topic}\tPartition: `)
  }

  /** The place behind the line that begins here; -1 where it is of another form: then nothing has happened. */
  line(block: Uint8Array, start: number): number {
    let at = this.#integer(block, behind(block, start, this.#start))
    this.partition = this.#number
    at = behind(block, at, LEADER)
    while (at >= 0 && block[at] !== TAB && at < block.length) at++
    at = this.#ids(block, behind(block, at, REPLICAS))
    return at < 0 || block[at] !== TAB ? -1 : lineEnd(block, at)
  }

  #ids(block: Uint8Array, start: number): number {
    let at = start
    for (this.count = 0; this.count < MOST_REPLICAS; at++) {
      at = this.#integer(block, at)
      if (at < 0) return -1
      this.replicas[this.count++] = this.#number
      if (block[at] !== COMMA) return at
    }
    return -1
  }

  #integer(block: Uint8Array, start: number): number {
    if (start < 0) return -1
    let [at, value] = [start, 0]
    for (let code = block[at]!; code >= ZERO && code <= NINE; code = block[++at]!) value = value * 10 + (code - ZERO)
    this.#number = value
    return at === start || at - start > 10 || value > MOST ? -1 : at
  }
}

/** The place behind these bytes, if they stand here; else -1. */
function behind(block: Uint8Array, start: number, bytes: Uint8Array): number {
  if (start < 0) return -1
  for (let i = 0; i < bytes.length; i++) if (block[start + i] !== bytes[i]) return -1
  return start + bytes.length
}

/** The place behind the line, unless a field begins as `Adding Replicas` and `Removing Replicas` do. */
function lineEnd(block: Uint8Array, start: number): number {
  for (let at = start; at < block.length; at++) {
    const code = block[at]
    if (code === LINE_FEED) return at + 1
    if (code === TAB && (block[at + 1] === CAPITAL_A || block[at + 1] === CAPITAL_R)) return -1
  }
  return -1
}
