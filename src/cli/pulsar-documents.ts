/** The documents that `--json` prints for `pulsar`, and the lines of `--jsonl`. Keys are stable; more may be added. */
import type { Note, PulsarVersion, pulsar } from '../index.js'
import type { RowInput, RowsDocument, SpreadDocument } from './documents.js'

/** A line of `pulsar bundle-range --jsonl`. */
export type BundleRangeRow = RowInput & {
  /** `0x%08x_0x%08x` */
  readonly range: string
}

/** `pulsar bundle-range --json` */
export interface BundleRangeDocument extends RowsDocument<BundleRangeRow> {
  readonly question: 'pulsar bundle-range'
  readonly version: PulsarVersion
  /** Number of bundles. */
  readonly bundles: number
}

/** `pulsar bundles` without topics, with and without `--json`: Pulsar's BundlesData. */
export interface BundlesDocument {
  /** N + 1 numbers such as `0x80000000`. */
  readonly boundaries: readonly string[]
  readonly numBundles: number
}

/** `pulsar bundles --json TOPICS`; with `--jsonl` its bundles, one a line. */
export interface BundlesSummaryDocument extends SpreadDocument {
  readonly question: 'pulsar bundles'
  readonly version: PulsarVersion
  readonly numBundles: number
  /** Topics in all. */
  readonly topics: number
  readonly bundles: readonly { readonly range: string; readonly topics: number }[]
}

/** A line of `pulsar route --jsonl`. */
export type RouteRow = RowInput & { readonly partition: number }

/** `pulsar route --json` */
export interface RouteDocument extends RowsDocument<RouteRow> {
  readonly question: 'pulsar route'
  readonly client: string
  readonly scheme: string
  readonly char: string
  readonly numPartitions: number
}

/** `pulsar route --disagreements --json`; with `--jsonl` its rows, one a line. */
export interface DisagreementsDocument {
  readonly question: 'pulsar route --disagreements'
  readonly scheme: string
  readonly numPartitions: number
  /** Keys in all. */
  readonly keys: number
  readonly rows: readonly {
    readonly key: string
    /** Of the key in the input, from 0. */
    readonly index: number
    readonly java: number
    readonly cppSigned: number
    readonly cppUnsigned: number
    /** `null` where the Go client takes the key for none. */
    readonly go: number | null
  }[]
}

/** A line of `pulsar key-shared KEYS --jsonl`. */
export type KeySharedRow = RowInput & {
  /** `null` where no one has the key. */
  readonly consumer: string | null
  /** Where it was before `--join` and `--leave`, if that is another one. */
  readonly before?: string | null
}

/** `pulsar key-shared KEYS --json` */
export interface KeySharedDocument extends RowsDocument<KeySharedRow> {
  readonly question: 'pulsar key-shared'
  readonly version: PulsarVersion
  readonly selector: string
}

/** `pulsar key-shared --json` without keys; with `--jsonl` its consumers, one a line. */
export interface KeySharedSharesDocument {
  readonly question: 'pulsar key-shared'
  readonly version: PulsarVersion
  readonly selector: string
  /** Part of all hashes that `--join` and `--leave` move. */
  readonly moved: number
  /** In the order of joining, with the part of all hashes that each has, and had before. */
  readonly consumers: readonly { readonly consumer: string; readonly share: number; readonly before: number }[]
}

/** `pulsar failover --json`; with `--jsonl` its answers, one a line. */
export interface FailoverDocument {
  readonly question: 'pulsar failover'
  readonly version: PulsarVersion
  readonly consistentHashing: boolean
  readonly answers: readonly { readonly input: string; readonly consumer: string }[]
}

/** A line of `pulsar segments KEYS --jsonl`. */
export type SegmentKeyRow = RowInput & {
  /** The segment's id. */
  readonly segment: number
}

/** `pulsar segments KEYS --json` */
export interface SegmentKeysDocument extends RowsDocument<SegmentKeyRow> {
  readonly question: 'pulsar segments'
  readonly topic: string
}

/** `pulsar segments --json` without keys; with `--jsonl` its segments, one a line. */
export interface SegmentsDocument {
  readonly question: 'pulsar segments'
  readonly topic: string
  readonly epoch: number
  readonly segments: readonly {
    readonly id: number
    /** `0000-7fff` */
    readonly range: string
    readonly active: boolean
    readonly buckets: number
    readonly parents: readonly number[]
    readonly children: readonly number[]
    readonly topic: string
  }[]
}

/** `pulsar split-bundle --json`. `pulsar advise --json` prints `pulsar.BundleAdvice`, with its question. */
export interface SplitBundleDocument {
  readonly question: 'pulsar split-bundle'
  readonly version: PulsarVersion
  readonly algorithm: string
  /** Range of the bundle that is split. */
  readonly bundle: string
  /** Where it is cut; empty where nothing is split. */
  readonly boundaries: readonly string[]
  readonly children: readonly { readonly range: string; readonly topics: number }[]
  /** Topics in all. */
  readonly topics: number
  /** Topics that have another bundle after it. */
  readonly moved: number
  /** Ranges of the bundles that are unloaded. */
  readonly unloaded: readonly string[]
  /** The layout after. */
  readonly layout: BundlesDocument
  readonly notes: readonly Note[]
}

/** `pulsar retry-flow --json`; with `--jsonl` its attempts, one a line. */
export interface RetryFlowDocument extends pulsar.RetryFlow {
  readonly question: 'pulsar retry-flow'
  readonly version: PulsarVersion
}

/** `pulsar dedup --json`; with `--jsonl` its steps, one a line. Sequence ids beyond 2^53 are texts. */
export interface DeduplicationDocument extends pulsar.DeduplicationResult {
  readonly question: 'pulsar dedup'
  readonly version: PulsarVersion
}

/** `pulsar delayed --json`; with `--jsonl` its steps, one a line. */
export interface DelayedDocument extends pulsar.DelayedResult {
  readonly question: 'pulsar delayed'
  readonly version: PulsarVersion
}

/** `pulsar ledger --json`; with `--jsonl` its entries, one a line. */
export interface LedgerPlacementDocument extends pulsar.LedgerQuorums {
  readonly question: 'pulsar ledger'
  readonly version: PulsarVersion
  readonly entries: readonly {
    readonly entry: number
    /** Indexes into the ensemble. */
    readonly writeSet: readonly number[]
  }[]
}

/** `pulsar ledger --lost --json`; with `--jsonl` its ledgers, one a line. */
export interface LedgerLossDocument {
  readonly question: 'pulsar ledger --lost'
  readonly version: PulsarVersion
  readonly lost: readonly string[]
  readonly ledgers: readonly (Omit<pulsar.LedgerLoss, 'ensembles'> & {
    /** Those with a loss; entries counted. */
    readonly ensembles: readonly {
      readonly first: number
      readonly last: number
      readonly lost: readonly string[]
      readonly unreadable: number
      readonly underReplicated: number
    }[]
  })[]
}

/** `pulsar ledger --racks --json`; with `--jsonl` its ensembles, one a line. */
export interface LedgerAdherenceDocument {
  readonly question: 'pulsar ledger --racks'
  readonly version: PulsarVersion
  readonly ensembles: readonly (pulsar.EnsembleVerdict & {
    readonly ledgerId: number | bigint
    readonly firstEntry: number
  })[]
}

/** `pulsar simulate --json`; with `--jsonl` its moves, one a line. */
export interface SimulateDocument
  extends Pick<
    pulsar.LoadSimulation,
    | ('version' | 'loadManager' | 'shedder' | 'placement' | 'seed' | 'steps' | 'settings' | 'brokers' | 'bundles')
    | ('quietFrom' | 'isSettled' | 'thrash' | 'bouncing' | 'notes')
  > {
  readonly question: 'pulsar simulate'
  /** In percent, a figure a step. */
  readonly loads: Readonly<Record<'max' | 'mean' | 'std', readonly number[]>>
  /** Bundles that the leader unloaded, a figure a step. */
  readonly unloads: readonly number[]
  /** Of each broker at the end, in percent; `null` where it is not there. */
  readonly usage: readonly (number | null)[]
  /** Bundle to broker at the end; `null` for none. */
  readonly owners: Readonly<Record<string, string | null>>
  readonly moves: readonly pulsar.LoadMove[]
}

/** `pulsar compare --json`; with `--jsonl` its rows, one a line. */
export interface CompareDocument {
  readonly question: 'pulsar compare'
  readonly steps: number
  readonly seed: number
  readonly rows: readonly pulsar.LoadComparisonRow[]
}

/** One way of placing in a rolling restart. */
export interface RestartRunDocument extends Omit<pulsar.RestartRun, 'timesMoved' | 'columns' | 'loadsAfter'> {
  /** In order of time. */
  readonly moveList: readonly {
    /** The broker that restarts. */
    readonly from: string
    readonly bundle: string
    readonly to: string
  }[]
}

/** `pulsar rolling-restart --json`; with `--jsonl` the planned moves, one a line. */
export interface RollingRestartDocument
  extends Pick<pulsar.RollingRestart, 'order' | 'loadManager' | 'placement' | 'fewest' | 'fewestInAnyOrder'> {
  readonly question: 'pulsar rolling-restart'
  readonly version: PulsarVersion
  readonly bundles: number
  readonly byStrategy: RestartRunDocument
  readonly planned: RestartRunDocument
}
