/** What the searches of one plan may take: counted, not timed, so that the same question has the same answer everywhere. */
import { codedError } from '../errors.js'

/** Looks at replicas and brokers; 30 brokers with 100,000 replicas come within it, leaders or topics first. */
const MOST = 5e8

export class PlanWork {
  #left: number

  constructor(most = MOST) {
    this.#left = most
  }

  /** Looks that it still may take. */
  get left(): number {
    return this.#left
  }

  /**
   * A plan that came within the limit comes within it again from its own lists, whose search was the last part of it.
   *
   * @throws ERR_PLACEMENT_ARGUMENT_RANGE
   */
  spend(looks: number): void {
    this.#left -= looks
    if (this.#left >= 0) return
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_RANGE',
      'objectives: expected counts and moves first, in either order, for a cluster of this size: other orders take too long',
    )
  }
}
