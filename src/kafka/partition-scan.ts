/**
 * The quick way through the partitions of a large file: an item of the usual form, whole in one block of ASCII, is read into
 * integers without a token or an object made for it. What is of any other form, right or wrong, is left to the JSON reader and
 * the checks, which say what is wrong: so this one need not say anything.
 *
 * The usual forms: `[1,2,3]` · `{"partition":0,"replicas":[1,2,3],"bytes":5}` in any order, of a snapshot ·
 * `{"topic":"t","partition":0,"replicas":[1,2],"log_dirs":["any","any"]}` in any order, of a reassignment.
 */

const [QUOTE, COMMA, COLON, BACKSLASH, ZERO, NINE, SPACE] = [0x22, 0x2c, 0x3a, 0x5c, 0x30, 0x39, 0x20]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const MOST = 0x7fffffff

/** The fields that an item may have, each with its bit. */
const [PARTITION, REPLICAS, BYTES, TOPIC, LOG_DIRS] = [1, 2, 4, 8, 16]

/** Longest replica list of the usual form. */
const MOST_REPLICAS = 1 << 10

/** Every method takes a place of the text and gives the one behind what it read, -1 where that is of no usual form. */
export class PartitionScan {
  /** Of the item read last: its number, -1 of a bare list. */
  partition = -1
  readonly replicas = new Int32Array(MOST_REPLICAS)
  count = 0
  /** -1 where none are given. */
  bytes = -1
  /** Of a reassignment. */
  topic = ''
  #topicBytes = new Uint8Array(0)
  #fields = 0
  #dirs = 0
  #number = 0

  /** An item of a snapshot's `partitions`, for `JsonReader.skipItem`. */
  readonly ofSnapshot = (block: Uint8Array, at: number): number => {
    this.partition = -1
    this.bytes = -1
    if (block[at] === OPEN_LIST) return this.#replicas(block, at)
    const end = this.#object(block, at)
    return (this.#fields & ~BYTES) === (PARTITION | REPLICAS) ? end : -1
  }

  /** An item of a reassignment's `partitions`. */
  readonly ofReassignment = (block: Uint8Array, at: number): number => {
    this.bytes = -1
    const end = this.#object(block, at)
    if ((this.#fields & ~LOG_DIRS) !== (PARTITION | REPLICAS | TOPIC)) return -1
    return (this.#fields & LOG_DIRS) === 0 || this.#dirs === this.count ? end : -1
  }

  #object(block: Uint8Array, start: number): number {
    this.#fields = 0
    if (block[start] !== OPEN_OBJECT) return -1
    for (let at = start + 1; ; ) {
      at = afterBlanks(block, at)
      const field = fieldAt(block, at)
      if (field === 0 || (this.#fields & field) !== 0) return -1
      this.#fields |= field
      at = this.#value(block, afterBlanks(block, afterName(block, at, field)), field)
      if (at < 0) return -1
      at = afterBlanks(block, at)
      const code = block[at]
      at++
      if (code === CLOSE_OBJECT) return at
      if (code !== COMMA) return -1
    }
  }

  #value(block: Uint8Array, at: number, field: number): number {
    if (field === REPLICAS) return this.#replicas(block, at)
    if (field === TOPIC) return this.#topic(block, at)
    if (field === LOG_DIRS) return this.#logDirs(block, at)
    const end = this.#integer(block, at)
    if (field === BYTES) this.bytes = this.#number
    else this.partition = this.#number
    return field === BYTES || this.#number <= MOST ? end : -1
  }

  /** A list of one id or more. */
  #replicas(block: Uint8Array, start: number): number {
    if (block[start] !== OPEN_LIST) return -1
    const { replicas } = this
    let at = start + 1
    for (let count = 0; count < MOST_REPLICAS; at++) {
      at = this.#integer(block, afterBlanks(block, at))
      if (at < 0 || this.#number > MOST) return -1
      replicas[count++] = this.#number
      at = afterBlanks(block, at)
      const code = block[at]
      if (code === COMMA) continue
      this.count = count
      return code === CLOSE_LIST ? at + 1 : -1
    }
    return -1
  }

  /** Digits of an integer that a double holds. */
  #integer(block: Uint8Array, start: number): number {
    let [at, value] = [start, 0]
    // Neither holds at the end of the block, where the code is no number.
    for (let code = block[at]!; code >= ZERO && code <= NINE; code = block[++at]!) {
      value = value * 10 + (code - ZERO)
    }
    this.#number = value
    const digits = at - start
    return digits === 0 || digits > 15 || (digits > 1 && block[start] === ZERO) ? -1 : at
  }

  #topic(block: Uint8Array, start: number): number {
    const from = start + 1
    if (block[start] !== QUOTE) return -1
    const end = stringEnd(block, from)
    if (end < 0) return -1
    // Partitions of a topic come together nearly always.
    const name = block.subarray(from, end)
    if (isSame(name, this.#topicBytes)) return end + 1
    this.#topicBytes = name.slice()
    this.topic = String.fromCharCode(...name)
    return end + 1
  }

  #logDirs(block: Uint8Array, start: number): number {
    if (block[start] !== OPEN_LIST) return -1
    let at = start + 1
    for (this.#dirs = 1; ; this.#dirs++, at++) {
      at = afterBlanks(block, at)
      if (block[at] !== QUOTE) return -1
      at = stringEnd(block, at + 1)
      if (at < 0) return -1
      at = afterBlanks(block, at + 1)
      const code = block[at]
      if (code !== COMMA) return code === CLOSE_LIST ? at + 1 : -1
    }
  }
}

const BYTES_OF = (name: string): Uint8Array => Uint8Array.from(name, (letter) => letter.charCodeAt(0))

/** The fields by their bits: their names in quotes. */
const NAMES = new Map([
  [PARTITION, BYTES_OF('"partition"')],
  [REPLICAS, BYTES_OF('"replicas"')],
  [BYTES, BYTES_OF('"bytes"')],
  [TOPIC, BYTES_OF('"topic"')],
  [LOG_DIRS, BYTES_OF('"log_dirs"')],
])

/** The bit of a field by its first letter's code. */
const BITS = new Uint8Array(256)
for (const [bit, name] of NAMES) BITS[name[1]!] = bit

/** The names by their bits. */
const NAME_AT = Array.from({ length: LOG_DIRS + 1 }, (_, bit) => NAMES.get(bit) ?? BYTES_OF(''))

/** The bit of the field whose name stands here, with a colon behind it; 0 for any other. */
function fieldAt(block: Uint8Array, at: number): number {
  const field = BITS[block[at + 1] ?? 0]!
  const name = NAME_AT[field]!
  for (let i = 0; i < name.length; i++) if (block[at + i] !== name[i]) return 0
  return block[afterBlanks(block, at + name.length)] === COLON ? field : 0
}

/** Behind the colon of a field that was found. */
const afterName = (block: Uint8Array, at: number, field: number): number =>
  afterBlanks(block, at + NAME_AT[field]!.length) + 1

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}

/** Where the string that begins here ends, if it holds nothing but itself. */
function stringEnd(block: Uint8Array, from: number): number {
  for (let at = from; ; at++) {
    const code = block[at]!
    if (code === QUOTE) return at
    if (!(code >= SPACE) || code === BACKSLASH) return -1
  }
}

/** The first place from `from` that holds no blank. */
function afterBlanks(block: Uint8Array, from: number): number {
  let at = from
  for (let code = block[at]!; code === SPACE || code === 0x0a || code === 0x0d || code === 0x09; ) {
    code = block[++at]!
  }
  return at
}
