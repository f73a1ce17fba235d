/** The same cluster and loads under several load managers, shedders or settings, side by side: the shapes. */
import type { LoadManager } from './bundle-split.js'
import type {
  LoadManagerChoice,
  LoadSimulation,
  LoadSimulationQuestion,
  PlacementName,
  ShedderName,
  Thrash,
} from './simulation-types.js'

/** The same cluster and load under several managers. */
export interface LoadComparisonQuestion extends Omit<LoadSimulationQuestion, keyof LoadManagerChoice> {
  /** What each run differs in, by its name; at least one. */
  readonly runs: Readonly<Record<string, LoadManagerChoice & { readonly seed?: number | undefined }>>
}

/** One run, for a table. Loads are usages in percent. */
export interface LoadComparisonRow {
  readonly name: string
  readonly loadManager: LoadManager
  readonly shedder: ShedderName
  readonly placement: PlacementName
  /** Bundles that changed their owner, by any cause but the first placement. */
  readonly moves: number
  /** Those of them that the leader unloaded. */
  readonly unloads: number
  /** Steps in which it unloaded something. */
  readonly rounds: number
  /** Bundles that bounced. */
  readonly bouncing: number
  readonly quietFrom: number | null
  readonly thrash: Thrash['kind'] | null
  /** The largest usage of a broker in any step, and the step. */
  readonly worst: number
  readonly worstStep: number
  /** The fullest broker's usage, averaged over the steps. */
  readonly meanMax: number
  /** Standard deviation of the brokers' usages, averaged over the steps, and in the last one. */
  readonly meanStd: number
  readonly lastStd: number
}

/** The rows in the order of `runs`, and the whole answer of each. */
export interface LoadComparison {
  readonly rows: readonly LoadComparisonRow[]
  readonly simulations: Readonly<Record<string, LoadSimulation>>
}
