/**
 * Key_Shared by ranges that are halved: who joins takes the lower half of the largest one.
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.service.HashRangeAutoSplitStickyKeyConsumerSelector.
 * What differs from the obvious: of ranges of one size the lowest is halved; when a consumer leaves, the next one above takes
 * its hashes, and for the last range the next one below; the last range is reported to end one hash late. A hash beyond the
 * range, given as it is, has the last consumer (5.0), no answer (4.2: the broker throws) or that of its remainder (before).
 */
import { checkInteger } from '../errors.js'
import {
  addRange,
  consumerRefused,
  INT,
  illegalSetting,
  type KeyHashRange,
  type KeySharedConsumer,
  KeySharedSelector,
  originalFails,
} from './key-shared.js'
import type { HashSpace, Run } from './key-shared-assignment.js'
import { isSince, type PulsarVersionOption } from './version.js'

/** What the selector is set to. */
export interface KeySharedAutoSplitOptions extends PulsarVersionOption {
  /** Hashes there are: a power of two from 2 on. The broker's is 65536. Default: 65536. */
  readonly rangeSize?: number | undefined
}

/**
 * The consumers of a Key_Shared subscription with `subscriptionKeySharedUseConsistentHashing` off.
 *
 * ```
 * const split = new pulsar.KeySharedAutoSplit()
 * for (const name of ['c1', 'c2', 'c3']) split.join({ name })
 * split.ranges().get(2) // → [[0, 16384]]
 * ```
 */
export class KeySharedAutoSplit extends KeySharedSelector {
  protected readonly space: HashSpace
  readonly #size: number
  /** Upper ends, ascending, and their consumers. */
  #entries: (readonly [end: number, consumer: number])[] = []

  /** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE with what Java throws, ERR_PLACEMENT_UNKNOWN_VERSION */
  constructor({ rangeSize = 65536, ...options }: KeySharedAutoSplitOptions = {}) {
    super(options)
    checkInteger(rangeSize, 'rangeSize', INT)
    const message = `rangeSize: expected a power of two from 2 on, got ${rangeSize}`
    if (rangeSize < 2) throw illegalSetting(message, 'range size must greater than 2')
    if ((rangeSize & (rangeSize - 1)) !== 0) throw illegalSetting(message, 'range size must be nth power with 2')
    this.#size = rangeSize
    this.space = { size: rangeSize, start: 0, zeroIsOne: isSince(this.version, '4.2') }
  }

  /**
   * A consumer joins.
   *
   * @returns its number
   * @throws ERR_PLACEMENT_CONSUMER when the largest range is a single hash; the consumer counts as joined, without hashes
   */
  join(consumer: KeySharedConsumer): number {
    this.checkName(consumer)
    const number = this.joined(consumer.name)
    if (this.#entries.length === 0) this.#entries = [[this.#size, number]]
    else this.#halve(number)
    return number
  }

  #halve(number: number): void {
    const [at, width] = this.#largest()
    if (width <= 1) {
      const message = `consumer: expected at most ${this.#entries.length} on ${this.#size} hashes, got one more`
      throw consumerRefused(
        message,
        `No more range can assigned to new consumer, assigned consumers ${this.#entries.length}`,
      )
    }
    const end = this.#entries[at]![0]
    this.#entries.splice(at, 0, [end - (width >> 1), number])
  }

  /** Place and width of the largest range, the lowest of equals. */
  #largest(): readonly [at: number, width: number] {
    let best: readonly [number, number] = [0, 0]
    this.#entries.forEach(([end], i) => {
      const width = end - (this.#entries[i - 1]?.[0] ?? 0)
      if (width > best[1]) best = [i, width]
    })
    return best
  }

  protected remove(consumer: number): boolean {
    const at = this.#entries.findIndex(([, owner]) => owner === consumer)
    if (at < 0) return false
    const isLast = at === this.#entries.length - 1
    if (isLast && at > 0) this.#entries.splice(at - 1, 2, [this.#size, this.#entries[at - 1]![1]])
    else this.#entries.splice(at, 1)
    return true
  }

  protected override slotOf(hash: number): number {
    if (!isSince(this.version, '4.2')) return hash % this.#size
    if (this.version === '4.2' && hash > this.#size && this.#entries.length > 0) {
      throw originalFails(`hash ${hash} on ${this.#size} hashes`, 'java.lang.NullPointerException', null)
    }
    return hash
  }

  protected runs(): Run[] {
    if (this.#entries.length === 0) return [{ start: INT[0], members: [] }]
    return this.#entries.map(([, consumer], i) => {
      return { start: i === 0 ? INT[0] : this.#entries[i - 1]![0] + 1, members: [consumer] }
    })
  }

  ranges(): ReadonlyMap<number, readonly KeyHashRange[]> {
    const ranges = new Map<number, KeyHashRange[]>()
    this.#entries.forEach(([end, consumer], i) => {
      addRange(ranges, consumer, [i === 0 ? 0 : this.#entries[i - 1]![0] + 1, end])
    })
    return ranges
  }
}
