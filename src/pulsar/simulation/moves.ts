/** The moves of a run as they happen, and what had a part in each. */
import type { SheddingReason } from '../shedding-reason.js'
import { MOVE_CAUSES, type MoveCause, type MoveColumns } from '../simulation-types.js'

/** What had a part in a move beside the shedder's thresholds, as bits. */
export const PARTS = {
  /** Brokers with less usage than the chosen one were no candidates, since they have more bundles of the namespace. */
  evenly: 1,
  /** The chosen broker is at the mean of all or above. */
  hot: 2,
  /** The broker that sheds is below the threshold now, and above it on average over time. */
  lag: 4,
} as const

export interface Move {
  readonly step: number
  readonly bundle: number
  readonly from: number
  readonly to: number
  readonly cause: MoveCause
  /** Why the leader shed; `restarts` or `died` of the broker that left; `null` for a look-up. */
  readonly reason: SheddingReason | 'died' | 'restarts' | null
  /** Bits of {@link PARTS}. */
  readonly parts: number
}

export class MoveLog {
  readonly #step: number[] = []
  readonly #bundle: number[] = []
  readonly #from: number[] = []
  readonly #to: number[] = []
  readonly #cause: number[] = []
  readonly #parts: number[] = []
  readonly #reasons: Move['reason'][] = []

  add({ step, bundle, from, to, cause, reason, parts }: Move): void {
    this.#step.push(step)
    this.#bundle.push(bundle)
    this.#from.push(from)
    this.#to.push(to)
    this.#cause.push(MOVE_CAUSES.indexOf(cause))
    this.#parts.push(parts)
    this.#reasons.push(reason)
  }

  get length(): number {
    return this.#step.length
  }

  at(index: number): Move {
    return {
      step: this.#step[index]!,
      bundle: this.#bundle[index]!,
      from: this.#from[index]!,
      to: this.#to[index]!,
      cause: MOVE_CAUSES[this.#cause[index]!]!,
      reason: this.#reasons[index]!,
      parts: this.#parts[index]!,
    }
  }

  columns(): MoveColumns {
    return {
      length: this.length,
      step: Int32Array.from(this.#step),
      bundle: Int32Array.from(this.#bundle),
      from: Int32Array.from(this.#from),
      to: Int32Array.from(this.#to),
      cause: Uint8Array.from(this.#cause),
    }
  }
}
