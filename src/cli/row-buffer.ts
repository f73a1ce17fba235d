/**
 * Bytes of output, a block at a time: keys are copied as bytes and numbers are written as digits, with no string a line. The
 * memory is reused from block to block.
 */

/** Up to here a loop copies a key faster than a view and a `set`. */
const SHORT = 64

const HEX = '0123456789abcdef'
const HEX_DIGITS = Uint8Array.from(HEX, (digit) => digit.charCodeAt(0))
const ZERO = 0x30
const MINUS = 0x2d
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** What JSON writes for each byte below 0x20, a quote and a backslash. */
const ESCAPES: ReadonlyMap<number, Uint8Array> = new Map(
  [...Array(0x20).keys(), QUOTE, BACKSLASH].map((byte) => [
    byte,
    Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)),
  ]),
)

export class RowBuffer {
  #bytes = new Uint8Array(1 << 20)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** What was written: a view that holds until the next write after `clear`. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  /** Makes room, so that the calls up to so many bytes need no check. Called once a row. */
  reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.#length + bytes, this.#bytes.length * 2))
    grown.set(this.view())
    this.#bytes = grown
  }

  byte(value: number): void {
    this.#bytes[this.#length++] = value
  }

  /** `[from, to)` of some bytes, as they are. */
  copy(values: Uint8Array, from = 0, to = values.length): void {
    const [bytes, at] = [this.#bytes, this.#length]
    if (to - from < SHORT) for (let i = from; i < to; i++) bytes[at + i - from] = values[i]!
    else bytes.set(values.subarray(from, to), at)
    this.#length += to - from
  }

  /** The same inside a JSON string, UTF-8 given; six bytes of room each. */
  escaped(values: Uint8Array, from: number, to: number): void {
    const bytes = this.#bytes
    let at = this.#length
    for (let i = from; i < to; i++) {
      const byte = values[i]!
      if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) bytes[at++] = byte
      else for (const escaped of ESCAPES.get(byte)!) bytes[at++] = escaped
    }
    this.#length = at
  }

  /** Text of any kind; makes its own room. */
  text(text: string): void {
    const bytes = Buffer.from(text)
    this.reserve(bytes.length)
    this.copy(bytes)
  }

  /** An integer in decimal digits: eleven bytes of room for 32 bits. */
  decimal(value: number): void {
    let rest = value
    if (rest < 0) {
      this.byte(MINUS)
      rest = -rest
    }
    let digits = 1
    for (let bound = 10; bound <= rest; bound *= 10) digits++
    const [bytes, at] = [this.#bytes, this.#length]
    for (let i = at + digits - 1; i >= at; i--) {
      const tenth = Math.floor(rest / 10)
      bytes[i] = ZERO + rest - tenth * 10
      rest = tenth
    }
    this.#length = at + digits
  }

  /** 32 bits as `0x` and eight hex digits: ten bytes of room. */
  hex(value: number): void {
    const [bytes, at] = [this.#bytes, this.#length]
    bytes[at] = ZERO
    bytes[at + 1] = 0x78
    for (let i = 0; i < 8; i++) bytes[at + 2 + i] = HEX_DIGITS[(value >>> (28 - 4 * i)) & 15]!
    this.#length = at + 10
  }
}
