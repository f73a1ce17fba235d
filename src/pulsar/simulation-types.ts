/**
 * What a run of Pulsar's load managers is asked with, and what it answers: the shapes alone. `docs/load-managers.md` has the model.
 *
 * A step is one shedding interval (`loadBalancerSheddingIntervalMinutes`, 1 minute unless set otherwise). Steps are counted from 1.
 */
import type { Note } from '../notes.js'
import type { PulsarVersion } from '../types.js'
import type { BrokerUsage } from './broker-load.js'
import type { LoadManager } from './bundle-split.js'
import type { LoadSettings } from './load-settings.js'
import type { PulsarVersionOption } from './version.js'

/** Shedders by the names of their classes; `TransferShedder` is the extensible manager's, the others are the modular one's. */
export const SHEDDERS = [
  'ThresholdShedder',
  'OverloadShedder',
  'UniformLoadShedder',
  'AvgShedder',
  'TransferShedder',
] as const
export type ShedderName = (typeof SHEDDERS)[number]

/** Placement strategies by the names of their classes; the extensible manager has `LeastResourceUsageWithWeight` alone. */
export const PLACEMENTS = [
  'LeastLongTermMessageRate',
  'LeastResourceUsageWithWeight',
  'RoundRobinBrokerSelector',
  'AvgShedder',
] as const
export type PlacementName = (typeof PLACEMENTS)[number]

/** What a broker has; its usage in percent is `base` and 100 times its bundles' load over the limit. */
export interface BrokerLimits {
  /** Percent of one core, as a load report has it: 800 for eight cores. Default: 100, so that loads are percent of the broker. */
  readonly cpu?: number | undefined
  /** MiB, as a load report has it. Default: 100, so that loads are percent. */
  readonly directMemory?: number | undefined
  /** Bytes a second in. Default: no limit, so that the usage is that of `base`. */
  readonly bandwidthIn?: number | undefined
  /** Bytes a second out. Default: no limit. */
  readonly bandwidthOut?: number | undefined
}

/** A broker of the cluster. */
export interface SimulatedBroker {
  /** Its id, `host:port` as a load report has it; isolation policies are matched with what stands before the last colon. */
  readonly name: string
  readonly limits?: BrokerLimits | undefined
  /** What it uses without any bundle, in percent of its limits: each in `[0, 100]`. Default: 0. */
  readonly base?: BrokerUsage | undefined
}

/** A bundle of the cluster. */
export interface SimulatedBundle {
  /** Its key, `tenant/namespace/0x00000000_0x40000000`. */
  readonly name: string
  /** The broker that owns it before step 1. Default: none; it is placed in step 1, as a look-up would. */
  readonly owner?: string | undefined
}

/** A number that holds in every step, or one a step from step 1 on; the last one lasts. */
export type LoadValue = number | ArrayLike<number>

/**
 * What a bundle brings to its broker. All numbers are finite and 0 or more; what is missing is 0. All series of a bundle are of
 * one length, 1 at least, and have no gaps.
 */
export interface BundleLoad {
  /** Messages a second. */
  readonly msgRateIn?: LoadValue | undefined
  readonly msgRateOut?: LoadValue | undefined
  /** Bytes a second. */
  readonly msgThroughputIn?: LoadValue | undefined
  readonly msgThroughputOut?: LoadValue | undefined
  /** In the unit of the brokers' limit: percent of one core, or of a broker where no limit is given. */
  readonly cpu?: LoadValue | undefined
  /** In the unit of the brokers' limit: MiB, or percent where no limit is given. */
  readonly directMemory?: LoadValue | undefined
  /** Number of topics, for `loadBalancerBrokerMaxTopics`. */
  readonly topics?: LoadValue | undefined
}

/** What happens at the beginning of a step, before brokers report. Events of one step are taken in the order given. */
export type LoadEvent =
  /** A broker comes, with no bundles. */
  | { readonly step: number; readonly join: SimulatedBroker }
  /** A broker dies: its bundles are looked up again in this step. */
  | { readonly step: number; readonly leave: string }
  /** A broker goes and is back, with no bundles, after `downFor` steps. Default: 1. */
  | { readonly step: number; readonly restart: string; readonly downFor?: number | undefined }
  /** A bundle's load is another one from this step on; a series begins with this step. */
  | { readonly step: number; readonly load: string; readonly becomes: BundleLoad }

/** As `pulsar-admin ns-isolation-policy set` gives it. */
export interface IsolationPolicy {
  readonly name: string
  /** Regular expressions that a whole namespace matches, such as `tenant/.*`. */
  readonly namespaces: readonly string[]
  /** Regular expressions that a whole host name matches. */
  readonly primary: readonly string[]
  readonly secondary?: readonly string[] | undefined
  /** Secondary brokers join where fewer primary ones are there (`min_limit`). Default: 1. */
  readonly minLimit?: number | undefined
  /** `usage_threshold`, in percent. Default: 100. The releases known here read it and do not look at it when they place a bundle. */
  readonly usageThreshold?: number | undefined
}

/** What keeps bundles off brokers. */
export interface PlacementPolicies {
  /** In the order of the cluster's map; the first that matches a namespace is its own. Default: none. */
  readonly isolation?: readonly IsolationPolicy[] | undefined
  /** Anti-affinity group of each namespace that has one. Default: none. */
  readonly antiAffinityGroups?: Readonly<Record<string, string>> | undefined
  /** Brokers of each failure domain; looked at where `failureDomainsEnabled`. Default: none. */
  readonly failureDomains?: Readonly<Record<string, readonly string[]>> | undefined
}

/** Which manager runs, and how: what `compareLoadManagers` varies. */
export interface LoadManagerChoice extends PulsarVersionOption {
  /** Default: what `settings.loadManagerClassName` says, else `modular`, as Pulsar's. */
  readonly loadManager?: LoadManager | undefined
  /** Default: what the settings say, else the release's (`AvgShedder` in 5.0, `ThresholdShedder` before). */
  readonly shedder?: ShedderName | undefined
  /** Default: what the settings say, else the release's (`AvgShedder` in 5.0, `LeastLongTermMessageRate` before). */
  readonly placement?: PlacementName | undefined
  /** Settings by broker.conf's names. Default: those of the release. */
  readonly settings?: Partial<LoadSettings> | undefined
}

/** A cluster, its load, and how long to look at it. */
export interface LoadSimulationQuestion extends LoadManagerChoice {
  readonly brokers: readonly SimulatedBroker[]
  /** Bundles, or their keys where none has an owner yet. */
  readonly bundles: readonly (SimulatedBundle | string)[]
  /** The load of each bundle, by its key: every bundle has one. */
  readonly loads: Readonly<Record<string, BundleLoad>>
  readonly policies?: PlacementPolicies | undefined
  readonly events?: readonly LoadEvent[] | undefined
  /** Steps to walk, in `[1, 1,000,000]`. Default: 240, four hours of the default interval. */
  readonly steps?: number | undefined
  /** What Java draws without a seed is drawn from `new java.util.Random(seed)`: an integer. Default: 0. */
  readonly seed?: number | undefined
}

/**
 * Why a bundle moved. `placed`: it had no owner, and was looked up · `shed`: the leader unloaded it · `swapped`: the extensible
 * leader gave it back for a bigger one · `left`: its broker died or went for a restart, and it had to be looked up ·
 * `nowhere`: as `left`, and no broker may have it.
 */
export type MoveCause = 'placed' | 'shed' | 'swapped' | 'left' | 'nowhere'

/** One bundle that changes its owner. */
export interface LoadMove {
  readonly step: number
  readonly bundle: string
  /** `null` where it had none. */
  readonly from: string | null
  /** `null` where no broker may have it. */
  readonly to: string | null
  readonly cause: MoveCause
  /** With figures: `b3 at 71.2 % >= mean 45.0 % + 10.0 %`. */
  readonly reason: string
  /** The settings whose thresholds were met; none where nothing was shed. */
  readonly settings: readonly (keyof LoadSettings)[]
}

/** All moves as columns, in order of time. */
export interface MoveColumns {
  readonly length: number
  readonly step: Int32Array
  /** Index in `bundles`. */
  readonly bundle: Int32Array
  /** Index in `brokers`, -1 for none. */
  readonly from: Int32Array
  readonly to: Int32Array
  /** Index in `MOVE_CAUSES`. */
  readonly cause: Uint8Array
}

export const MOVE_CAUSES: readonly MoveCause[] = ['placed', 'shed', 'swapped', 'left', 'nowhere']

/** A bundle that came back to the broker that had shed it: A to B to A. */
export interface BouncingBundle {
  readonly bundle: string
  /** How often it came back. */
  readonly times: number
  /** The brokers between which it went, each once, in the order in which it met them. */
  readonly brokers: readonly string[]
}

/** A setting, and in how many of the moves that never end it had a part. */
export interface ThrashCause {
  readonly setting: keyof LoadSettings
  readonly value: LoadSettings[keyof LoadSettings]
  readonly moves: number
  /** What it did, in words. */
  readonly message: string
}

/** Moves that do not end although nothing changes any more. */
export interface Thrash {
  /**
   * `cycle`: the owners of all bundles are, again and again, what they were · `bouncing`: bundles come back, and no state
   * repeats · `wandering`: bundles go on and on, and none comes back.
   */
  readonly kind: 'cycle' | 'bouncing' | 'wandering'
  /** Step since which loads, brokers and policies are the same. */
  readonly since: number
  /** Steps after which the owners repeat, for a cycle; else `null`. */
  readonly period: number | null
  /** Moves by shedding from `since` on. */
  readonly moves: number
  /** Steps from `since` on in which something was shed. */
  readonly rounds: number
  /** Brokers that shed or got a bundle in it, sorted. */
  readonly brokers: readonly string[]
  /** Settings that had a part: what placement did, then the thresholds that were met, each with the greatest part first. */
  readonly causes: readonly ThrashCause[]
  readonly message: string
}

/** Usage of the brokers that are there, a figure a step, in percent: weighted maximum of the resources, as the shedders look at it. */
export interface LoadColumns {
  readonly max: Float64Array
  readonly mean: Float64Array
  /** Standard deviation, of all of them. */
  readonly std: Float64Array
}

/** What came of it. Columns have an item a step, step 1 first. */
export interface LoadSimulation {
  readonly version: PulsarVersion
  readonly loadManager: LoadManager
  readonly shedder: ShedderName
  readonly placement: PlacementName
  readonly seed: number
  readonly steps: number
  /** Every setting, those of the release and those given. */
  readonly settings: LoadSettings
  /** Names of all brokers that were ever there, sorted; columns have their indices. */
  readonly brokers: readonly string[]
  /** Names of all bundles, sorted. */
  readonly bundles: readonly string[]
  readonly loads: LoadColumns
  readonly moves: MoveColumns
  /** Moves of each step, by cause `shed` and `swapped`: what clients feel as an unload. */
  readonly unloads: Int32Array
  /** The first step from which nothing moves to the end; `null` where something moves in the last one, or thrash is found. */
  readonly quietFrom: number | null
  /** Whether the quiet lasted long enough that grace periods and hit counts can bring nothing more under the last load. */
  readonly isSettled: boolean
  /** Bundles that came back to a broker that shed them, the most often first. */
  readonly bouncing: readonly BouncingBundle[]
  readonly thrash: Thrash | null
  readonly notes: readonly Note[]
  /** Who owns what after a step, 0 for the beginning: bundle to broker, `null` for none. @throws ERR_PLACEMENT_ARGUMENT_RANGE */
  ownersAt(step: number): ReadonlyMap<string, string | null>
  /** As {@link ownersAt}, the bundles of one broker, sorted. @throws ERR_PLACEMENT_UNKNOWN_NAME */
  bundlesOf(broker: string, step: number): readonly string[]
  /** Usage in percent of each broker of `brokers` as it reports in a step, from 1; NaN where it is not there. */
  usageAt(step: number): Float64Array
  /** The moves of a step, 0 for none: all of them without one. */
  movesAt(step?: number): readonly LoadMove[]
  /** One move by its index in {@link moves}. */
  moveAt(index: number): LoadMove
}
