/**
 * A plan in pieces: each a reassignment file with its way back, and the throttle strings that Kafka keeps in the topics.
 *
 * Partitions go by topic and number into the first wave that has room. The throttle strings are those that
 * kafka-reassign-partitions sets: `leader.replication.throttled.replicas` names who holds a partition, also of one that gets
 * another order alone, `follower…` who receives; both are short strings for Kafka, at most 32,767 bytes (KAFKA-17993).
 */
import { checkInteger, codedError } from '../errors.js'
import { checkFields } from './cluster-checks.js'
import type { PlannedChange, ReassignmentDocument, ReassignmentPlan } from './reassignment-plan.js'

export interface WaveLimits {
  /** Replicas that one broker sends away or receives in a wave. Default: no limit. */
  readonly maxReplicasPerBroker?: number
  /** Bytes that are copied in a wave; the cluster must tell bytes. Default: no limit. */
  readonly maxBytes?: number
  /** Bytes of a topic's throttle string. Default: 32767. */
  readonly maxThrottleBytes?: number
}

/** A topic's throttle strings: `partition:broker`, comma-separated, in the order of text. */
export interface TopicThrottle {
  readonly topic: string
  readonly leader: string
  readonly follower: string
}

export interface Wave {
  readonly reassignment: ReassignmentDocument
  /** The state before this wave. */
  readonly rollback: ReassignmentDocument
  readonly throttles: readonly TopicThrottle[]
  readonly moves: number
  /** `null` where the cluster does not tell bytes. */
  readonly bytes: number | null
}

const MOST = Number.MAX_SAFE_INTEGER

/** @throws ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_INFEASIBLE where one partition alone is over a limit */
export function wavesOf(plan: ReassignmentPlan, limits: WaveLimits): Wave[] {
  checkFields(limits, 'limits', ['maxReplicasPerBroker', 'maxBytes', 'maxThrottleBytes'])
  const { maxReplicasPerBroker = MOST, maxBytes = MOST, maxThrottleBytes = 32_767 } = limits
  checkInteger(maxReplicasPerBroker, 'maxReplicasPerBroker', [1, MOST])
  checkInteger(maxBytes, 'maxBytes', [1, MOST])
  checkInteger(maxThrottleBytes, 'maxThrottleBytes', [1, 32_767])
  const { bytes } = plan.question.cluster
  if (maxBytes !== MOST && bytes === null) {
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_RANGE',
      'maxBytes: expected with a cluster that tells bytes of its partitions',
    )
  }
  const waves: OpenWave[] = []
  let firstOpen = 0
  for (const row of plan.changedRows) {
    const piece = pieceOf(plan, row)
    let at = firstOpen
    while (at < waves.length && !waves[at]!.takes(piece)) at += 1
    if (at === waves.length) waves.push(opened(piece, [maxReplicasPerBroker, maxBytes, maxThrottleBytes]))
    // Nothing was put into an old wave for long: it is full for all that matters, and not asked again.
    if (at - firstOpen > LOOK_BACK) firstOpen += 1
  }
  return waves.map((wave) => wave.closed(bytes !== null))
}

const LOOK_BACK = 16

type Limits = readonly [replicas: number, bytes: number, throttle: number]

/** A change, the bytes that it copies, and what it puts into its topic's throttle strings. */
interface Piece {
  readonly change: PlannedChange
  readonly copied: number
  readonly throttle: Entries
}

function pieceOf(plan: ReassignmentPlan, row: number): Piece {
  const { cluster } = plan.question
  const change = plan.change(row)
  const copied = change.adding.length * (cluster.bytes?.[row] ?? 0)
  const joining = cluster.moving.get(row)?.adding
  // Of a partition that moves already, those that join send nothing yet.
  const sources = joining === undefined ? change.before : cluster.replicasOf(row).filter((id) => !joining.includes(id))
  return { change, copied, throttle: throttleOf(change, sources) }
}

/** Who sends: all that hold the partition now, whatever its change is; who receives: those that do not. */
function throttleOf({ partition, replicas }: PlannedChange, sources: readonly number[]): Entries {
  const entries = (ids: readonly number[]): string[] => [...new Set(ids)].map((id) => `${partition}:${id}`)
  return { leader: entries(sources), follower: entries(replicas.filter((id) => !sources.includes(id))) }
}

function opened(piece: Piece, limits: Limits): OpenWave {
  const wave = new OpenWave(limits)
  if (wave.takes(piece)) return wave
  const [, mostBytes, mostThrottle] = limits
  const { copied, throttle } = piece
  const [name, most, needed] =
    copied > mostBytes
      ? ['maxBytes', mostBytes, copied]
      : ['maxThrottleBytes', mostThrottle, new Throttle().bytesWith(throttle)]
  const { topic, partition } = piece.change
  const message = `${name}: expected room for each partition, ${topic}-${partition} alone takes ${needed} bytes, got ${most}`
  throw codedError('ERR_PLACEMENT_INFEASIBLE', message)
}

class OpenWave {
  readonly #limits: Limits
  readonly #changes: PlannedChange[] = []
  readonly #perBroker = new Map<number, number>()
  readonly #throttles = new Map<string, Throttle>()
  #bytes = 0
  #moves = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Takes a change if it fits. */
  takes({ change, copied, throttle }: Piece): boolean {
    const { adding, removing, topic } = change
    const moving = adding.length === 0 ? [] : [...adding, ...removing]
    const known = this.#throttles.get(topic) ?? new Throttle()
    const fits =
      moving.every((id) => (this.#perBroker.get(id) ?? 0) < this.#limits[0]) &&
      this.#bytes + copied <= this.#limits[1] &&
      known.bytesWith(throttle) <= this.#limits[2]
    if (!fits) return false
    for (const id of moving) this.#perBroker.set(id, (this.#perBroker.get(id) ?? 0) + 1)
    this.#changes.push(change)
    this.#bytes += copied
    this.#moves += adding.length
    known.add(throttle)
    this.#throttles.set(topic, known)
    return true
  }

  closed(hasBytes: boolean): Wave {
    const listed = (of: (change: PlannedChange) => readonly number[]): ReassignmentDocument => ({
      version: 1,
      partitions: this.#changes.map((change) => ({
        topic: change.topic,
        partition: change.partition,
        replicas: of(change),
      })),
    })
    return {
      reassignment: listed(({ replicas }) => replicas),
      rollback: listed(({ before }) => before),
      throttles: [...this.#throttles].map(([topic, throttle]) => ({ topic, ...throttle.strings() })),
      moves: this.#moves,
      bytes: hasBytes ? this.#bytes : null,
    }
  }
}

/** Entries of a topic's two throttle strings. */
interface Entries {
  readonly leader: readonly string[]
  readonly follower: readonly string[]
}

class Throttle {
  readonly #leader: string[] = []
  readonly #follower: string[] = []
  #bytes: readonly [leader: number, follower: number] = [0, 0]

  /** Bytes of the longer string, once these are in it. */
  bytesWith({ leader, follower }: Entries): number {
    return Math.max(this.#bytes[0] + bytesOf(leader), this.#bytes[1] + bytesOf(follower)) - 1
  }

  add({ leader, follower }: Entries): void {
    this.#leader.push(...leader)
    this.#follower.push(...follower)
    this.#bytes = [this.#bytes[0] + bytesOf(leader), this.#bytes[1] + bytesOf(follower)]
  }

  strings(): { leader: string; follower: string } {
    return { leader: this.#leader.sort().join(), follower: this.#follower.sort().join() }
  }
}

/** With a comma after each. */
const bytesOf = (entries: readonly string[]): number => entries.reduce((total, entry) => total + entry.length + 1, 0)
