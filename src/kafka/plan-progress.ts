/** How far a plan is, over all its parts: it only grows, and is whole only at the end. */
import type { PlanWatch } from '../engine/plan-contract.js'

/** What the whole work counts as. */
const PARTS = 1000

export class PlanProgress {
  readonly #onProgress: PlanWatch['onProgress']
  readonly #stop: AbortController
  #told = -1
  /** Where the part under way begins and ends, in parts. */
  #from = 0
  #to = 0

  constructor(onProgress: PlanWatch['onProgress'], stop: AbortController) {
    this.#onProgress = onProgress
    this.#stop = stop
  }

  /** Stops the work: at the caller's wish, or with what the caller's function has thrown. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** The part before is done; the next takes that share of what is left, in `(0, 1]`. */
  begin(share: number): void {
    this.#from = this.#to
    this.#to += (PARTS - this.#to) * share
    this.tell(0)
  }

  /** So much of the part under way is done, in `[0, 1]`. What is not more than before is not told. */
  tell(fraction: number): void {
    this.#say(Math.min(PARTS - 1, Math.floor(this.#from + (this.#to - this.#from) * fraction)))
  }

  end(): void {
    this.#say(PARTS)
    this.signal.throwIfAborted()
  }

  #say(done: number): void {
    if (done <= this.#told || this.signal.aborted) return
    this.#told = done
    try {
      this.#onProgress?.(done, PARTS)
    } catch (error) {
      this.#stop.abort(error)
    }
  }
}
