/**
 * Ids of topics: the Uuids by which the broker-side assignors know and order them.
 *
 * For `kafka.assign` of consumer and share groups. A topic that is not among those given has no name that the broker could
 * look up, but may be spoken of by its id, as the broker holds ids of topics that were deleted.
 */
import { codedError, shown } from '../errors.js'
import { compareUuids, uuidHash, uuidWords } from './java-hash.js'

/** Ids of numbered topics, in words; `undefined` for a topic that has none. */
export class TopicIds {
  readonly #words: (Int32Array | undefined)[] = []
  readonly #seen = new Map<string, number>()

  /** Adds the id of the next topic of the metadata. Errors: ERR_PLACEMENT_ARGUMENT_TYPE, _ARGUMENT_RANGE, _DUPLICATE. */
  add(id: unknown, where: string): void {
    if (typeof id !== 'string') {
      const expected = 'a Uuid, which the assignors of consumer and share groups order topics by'
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected ${expected}, got ${shown(id)}`)
    }
    const first = this.#seen.get(id)
    if (first !== undefined) {
      const message = `${where}: expected each once, got ${shown(id)} as at index ${first}`
      throw codedError('ERR_PLACEMENT_DUPLICATE', message, { index: this.#words.length })
    }
    this.#seen.set(id, this.#words.length)
    this.#words.push(uuidWords(id, where))
  }

  /** Adds a topic that is not in the metadata and is known by what a member calls it. */
  addUnknown(name: string): void {
    this.#words.push(isUuid(name) && !this.#seen.has(name) ? uuidWords(name, 'topic') : undefined)
  }

  /** False for a topic that has no id: the broker cannot speak of it. */
  has(topic: number): boolean {
    return this.#words[topic] !== undefined
  }

  /** `Uuid.hashCode` of each. */
  hashCodes(): Int32Array {
    return Int32Array.from(this.#words, (words) => (words === undefined ? 0 : uuidHash(words)))
  }

  /** Topics as `Uuid.compareTo` orders; those without an id come last. */
  order(): Uint32Array {
    const words = this.#words
    return Uint32Array.from(words, (_, i) => i).sort((a, b) => {
      const [left, right] = [words[a], words[b]]
      if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
      return compareUuids(left, right)
    })
  }
}

/** True for 22 characters of base64url that hold 16 bytes and nothing else. */
export function isUuid(name: string): boolean {
  return /^[\w-]{21}[AQgw]$/.test(name)
}
