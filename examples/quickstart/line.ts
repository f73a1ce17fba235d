/**
 * A line of text, written piece by piece into bytes and read as one flat string.
 *
 * V8 keeps `a + b` and `${a}${b}` as a rope over its pieces, and the first reader pays for joining them: 0.4 µs a name,
 * which would be counted as placement. Names from a file or a network client are flat. Written here they are flat too, and
 * are made in a third of the time.
 */
export class Line {
  readonly #bytes = Buffer.alloc(1024)
  #length = 0
  #encoding: 'latin1' | 'utf8' = 'latin1'

  /** Bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** Goes back to an earlier length; 0 for a new line. */
  cut(length: number): this {
    this.#length = length
    if (length === 0) this.#encoding = 'latin1'
    return this
  }

  text(piece: string): this {
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i)
      if (unit > 0x7f) return this.#beyondAscii(piece.slice(i))
      this.#bytes[this.#length++] = unit
    }
    return this
  }

  #beyondAscii(piece: string): this {
    this.#encoding = 'utf8'
    this.#length += this.#bytes.write(piece, this.#length)
    return this
  }

  /** A number in [0, 2^32) as decimal digits. */
  decimal(number: number): this {
    let digits = 1
    for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) digits++
    for (let at = this.#length + digits - 1, rest = number; at >= this.#length; at--) {
      this.#bytes[at] = 0x30 + (rest % 10)
      rest = Math.floor(rest / 10)
    }
    this.#length += digits
    return this
  }

  /** The low `4 * digits` bits of a number as lower-case hex digits. */
  hex(number: number, digits: number): this {
    for (let shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
      const digit = (number >>> shift) & 15
      this.#bytes[this.#length++] = digit + (digit < 10 ? 0x30 : 0x57)
    }
    return this
  }

  toString(): string {
    return this.#bytes.toString(this.#encoding, 0, this.#length)
  }
}
