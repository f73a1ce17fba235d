/** What the moves of a run come to. */
import type { LoadSimulation } from '../simulation-types.js'

export interface MoveTotals {
  /** Bundles that changed their owner, by any cause but the first placement. */
  readonly moves: number
  /** Those of them that the leader unloaded. */
  readonly unloads: number
  /** Steps in which it unloaded something. */
  readonly rounds: number
}

export function totalsOf({ moves, unloads }: Pick<LoadSimulation, 'moves' | 'unloads'>): MoveTotals {
  return {
    // The cause `placed` is 0.
    moves: moves.cause.reduce((count, cause) => count + Math.min(1, cause), 0),
    unloads: unloads.reduce((sum, count) => sum + count, 0),
    rounds: unloads.reduce((count, one) => count + Math.min(1, one), 0),
  }
}
