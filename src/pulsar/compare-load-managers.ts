/** The same cluster and loads under several load managers, shedders or settings, side by side, for whoever chooses one of them. */
import { codedError, shown } from '../errors.js'
import type { LoadManager } from './bundle-split.js'
import { simulate } from './simulation/run.js'
import { type MoveTotals, totalsOf } from './simulation/totals.js'
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
export interface LoadComparisonRow extends MoveTotals {
  readonly name: string
  readonly loadManager: LoadManager
  readonly shedder: ShedderName
  readonly placement: PlacementName
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

/**
 * Runs the same cluster and loads once for each of `runs`.
 *
 * @returns a row a run, in the order of `runs`, and the whole answers
 * @throws as `simulate`; ERR_PLACEMENT_ARGUMENT_TYPE for no runs
 * @example pulsar.compareLoadManagers({ brokers, bundles, loads, runs: { now: { version: '4.2' },
 *   uneven: { version: '4.2', settings: { loadBalancerDistributeBundlesEvenlyEnabled: false } } } }).rows
 */
export function compareLoadManagers({ runs, ...question }: LoadComparisonQuestion): LoadComparison {
  if (typeof runs !== 'object' || runs === null || Object.keys(runs).length === 0) {
    const message = `runs: expected the choices of one run or more, by name, got ${shown(runs)}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
  }
  const simulations = Object.fromEntries(
    Object.entries(runs).map(([name, choice]) => [name, simulate({ ...question, ...choice })]),
  )
  return { rows: Object.entries(simulations).map(([name, simulation]) => rowOf(name, simulation)), simulations }
}

function rowOf(name: string, simulation: LoadSimulation): LoadComparisonRow {
  const { loadManager, shedder, placement, loads, bouncing, quietFrom, thrash } = simulation
  const worst = loads.max.reduce((most, usage) => Math.max(most, usage), 0)
  return {
    name,
    loadManager,
    shedder,
    placement,
    ...totalsOf(simulation),
    bouncing: bouncing.length,
    quietFrom,
    thrash: thrash?.kind ?? null,
    worst,
    worstStep: loads.max.indexOf(worst) + 1,
    meanMax: meanOf(loads.max),
    meanStd: meanOf(loads.std),
    lastStd: loads.std[loads.std.length - 1]!,
  }
}

const meanOf = (column: Float64Array): number => column.reduce((sum, value) => sum + value, 0) / column.length
