/** The documents that `--json` prints for replicas: placed, planned, reassigned, sized. Keys are stable; more may be added. */
import type { KafkaVersion, kafka } from '../index.js'

/** `kafka reassign plan --json` */
export interface KafkaReassignPlanDocument extends kafka.PlanDocument {
  readonly question: 'kafka reassign plan'
  /** Where brokers are drained by repair: moves of the mode balance; else `null`. */
  readonly movesOfBalance: number | null
}

/** `kafka reassign waves --json` */
export interface KafkaReassignWavesDocument extends Pick<kafka.PlanDocument, 'moves' | 'bound' | 'fingerprint'> {
  readonly question: 'kafka reassign waves'
  readonly waves: readonly kafka.Wave[]
}

/** `kafka reassign explain --json` */
export interface KafkaReassignExplainDocument extends kafka.Explanation {
  readonly question: 'kafka reassign explain'
}

/** `kafka place --json` */
export interface PlaceDocument {
  readonly question: 'kafka place'
  readonly version: KafkaVersion
  readonly placer: kafka.Placer
  readonly seed: number
  readonly firstPartition: number
  /** Broker ids of each partition, the preferred leader first. */
  readonly replicas: readonly (readonly number[])[]
}

/** A reassignment as the tool writes it. */
export interface ReassignmentDocument {
  readonly version: 1
  readonly partitions: readonly {
    readonly topic: string
    readonly partition: number
    readonly replicas: readonly number[]
    readonly log_dirs: readonly string[]
  }[]
}

/** `kafka reassign generate --json` */
export interface GenerateDocument {
  readonly question: 'kafka reassign generate'
  readonly version: KafkaVersion
  readonly seed: number
  /** Replicas in all, and those that come to another broker. */
  readonly replicas: number
  readonly moves: number
  readonly current: ReassignmentDocument
  readonly proposed: ReassignmentDocument
}

/** `kafka reassign validate --json` */
export interface ValidateDocument {
  readonly question: 'kafka reassign validate'
  readonly valid: boolean
  readonly partitions: number
  readonly problems: readonly kafka.reassignment.ReassignmentProblem[]
}

/** `kafka reassign diff --json` */
export interface DiffDocument extends kafka.reassignment.ReassignmentDiff {
  readonly question: 'kafka reassign diff'
  /** Among the partitions of the reassignment. */
  readonly brokers: readonly {
    readonly broker: number
    readonly before: number
    readonly after: number
    readonly leadersBefore: number
    readonly leadersAfter: number
  }[]
}

/** `kafka size --json` */
export interface SizeDocument extends kafka.SizingReport {
  readonly question: 'kafka size'
}

/** `kafka reassign diff --throttles --json` */
export interface DiffThrottlesDocument {
  readonly question: 'kafka reassign diff --throttles'
  /** `leader.replication.throttled.replicas` and `follower…` of each topic. */
  readonly topics: readonly kafka.TopicThrottle[]
  /** The brokers that get the rates. */
  readonly brokers: readonly number[]
}

/** `kafka reassign diff --verify --json` */
export interface VerifyDocument {
  readonly question: 'kafka reassign diff --verify'
  /** Partitions that are where the reassignment wants them. */
  readonly completed: number
  /** What the tool says, a line each. */
  readonly lines: readonly string[]
}
