/**
 * A plan in pieces: each a reassignment file with its way back, and the throttle strings that Kafka keeps in the topics.
 *
 * Partitions go by topic and number into the first wave that has room. The throttle strings are those that
 * kafka-reassign-partitions sets: `leader.replication.throttled.replicas` names who holds a partition, also of one that gets
 * another order alone, `follower…` who receives; both are short strings for Kafka, at most 32,767 bytes (KAFKA-17993).
 *
 * A wave begins when the one before it is done. Reassignments under way in the cluster go on beside the first wave: the tool,
 * which takes it with `--additional` alone, slows them too, and their replicas are in flight. What does not fit beside them
 * waits for a later wave; where nothing fits, all waves begin when they are done.
 */
import { checkInteger, codedError } from '../errors.js'
import { checkFields } from './cluster-checks.js'
import type { PlannedChange, ReassignmentDocument, ReassignmentPlan } from './reassignment-plan.js'

export interface WaveLimits {
  /** Replicas that one broker sends away or receives in a wave, beside the first one those under way. Default: no limit. */
  readonly maxReplicasPerBroker?: number
  /** Bytes that a wave copies, those under way not counted; the cluster must tell bytes. Default: no limit. */
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
  /** By topic, in Java's order of strings; in the first wave with the reassignments under way. */
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
  const allowed: Limits = [maxReplicasPerBroker, maxBytes, maxThrottleBytes]
  const waves = besideUnderWay(plan, allowed)
  let firstOpen = 0
  for (const row of plan.changedRows) {
    const piece = pieceOf(plan, row)
    let at = firstOpen
    while (at < waves.length && !waves[at]!.takes(piece)) at += 1
    if (at === waves.length) waves.push(opened(piece, allowed))
    // Nothing was put into an old wave for long: it is full for all that matters, and not asked again.
    if (at - firstOpen > LOOK_BACK) firstOpen += 1
  }
  return waves.filter(({ isEmpty }) => !isEmpty).map((wave) => wave.closed(bytes !== null))
}

const LOOK_BACK = 16

type Limits = readonly [replicas: number, bytes: number, throttle: number]

/** Entries of a topic's two throttle strings. */
interface Entries {
  readonly leader: readonly string[]
  readonly follower: readonly string[]
}

/** What a partition that moves asks of the cluster. */
interface Load {
  readonly topic: string
  /** Who sends it away or receives it: none where nothing is copied. */
  readonly brokers: readonly number[]
  readonly throttle: Entries
}

/** A change, and the bytes that it copies. */
interface Piece {
  readonly row: number
  readonly change: PlannedChange
  readonly copied: number
  readonly load: Load
  /** In the first wave: of a partition that moves already, those that join send nothing yet. */
  readonly loadBeside: Load
}

function pieceOf(plan: ReassignmentPlan, row: number): Piece {
  const change = plan.change(row)
  const { topic, partition, before, replicas, adding } = change
  const copied = adding.length * (plan.question.cluster.bytes?.[row] ?? 0)
  const load = loadOf({ topic, partition, sources: before, replicas })
  const isMoving = plan.question.cluster.moving.has(row)
  const loadBeside = isMoving ? loadOf({ topic, partition, sources: holdersNow(plan, row), replicas }) : load
  return { row, change, copied, load, loadBeside }
}

/** Who has the data of a partition that moves: all but those that join. */
function holdersNow({ question: { cluster } }: ReassignmentPlan, row: number): number[] {
  const { adding } = cluster.moving.get(row)!
  return cluster.replicasOf(row).filter((id) => !adding.includes(id))
}

interface Way {
  readonly topic: string
  readonly partition: number
  readonly sources: readonly number[]
  readonly replicas: readonly number[]
}

/** Who sends: all that hold the partition now, whatever its change is; who receives: those that do not. */
function loadOf({ topic, partition, sources, replicas }: Way): Load {
  const [holders, coming] = [[...new Set(sources)], replicas.filter((id) => !sources.includes(id))]
  const going = holders.filter((id) => !replicas.includes(id))
  const entries = (ids: readonly number[]): string[] => ids.map((id) => `${partition}:${id}`)
  const throttle = { leader: entries(holders), follower: entries(coming) }
  return { topic, brokers: coming.length === 0 ? [] : [...coming, ...going], throttle }
}

/** The first wave, where reassignments are under way and their own throttle strings are not too long already. */
function besideUnderWay(plan: ReassignmentPlan, limits: Limits): OpenWave[] {
  const { cluster } = plan.question
  if (cluster.moving.size === 0) return []
  const loads = new Map<number, Load>()
  for (const row of cluster.moving.keys()) {
    const { topic, partition, before } = plan.change(row)
    loads.set(row, loadOf({ topic, partition, sources: holdersNow(plan, row), replicas: before }))
  }
  const wave = new OpenWave(limits, loads)
  return wave.isThrottleTooLong ? [] : [wave]
}

function opened(piece: Piece, limits: Limits): OpenWave {
  const wave = new OpenWave(limits)
  if (wave.takes(piece)) return wave
  const [, mostBytes, mostThrottle] = limits
  const { copied, load } = piece
  const [name, most, needed] =
    copied > mostBytes
      ? ['maxBytes', mostBytes, copied]
      : ['maxThrottleBytes', mostThrottle, new Throttle().bytesWith(load.throttle)]
  const { topic, partition } = piece.change
  const message = `${name}: expected room for each partition, ${topic}-${partition} alone takes ${needed} bytes, got ${most}`
  throw codedError('ERR_PLACEMENT_INFEASIBLE', message)
}

class OpenWave {
  readonly #limits: Limits
  readonly #changes: PlannedChange[] = []
  readonly #perBroker = new Map<number, number>()
  readonly #throttles = new Map<string, Throttle>()
  /** Of the first wave: partitions that move already, by row, but those that it moves elsewhere. */
  readonly #underWay: Map<number, Load> | null
  #bytes = 0
  #moves = 0

  constructor(limits: Limits, underWay: Map<number, Load> | null = null) {
    this.#limits = limits
    this.#underWay = underWay
    for (const load of underWay?.values() ?? []) this.#put(load)
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0
  }

  get isThrottleTooLong(): boolean {
    return [...this.#throttles.values()].some(({ bytes }) => bytes > this.#limits[2])
  }

  /** Takes a change if it fits. */
  takes({ row, change, copied, load, loadBeside }: Piece): boolean {
    const replaced = this.#underWay?.get(row)
    const asked = this.#underWay === null ? load : loadBeside
    if (replaced !== undefined) this.#takeAway(replaced)
    if (!this.#hasRoom(asked, copied)) {
      if (replaced !== undefined) this.#put(replaced)
      return false
    }
    this.#underWay?.delete(row)
    this.#put(asked)
    this.#changes.push(change)
    this.#bytes += copied
    this.#moves += change.adding.length
    return true
  }

  #hasRoom({ topic, brokers, throttle }: Load, copied: number): boolean {
    const [mostReplicas, mostBytes, mostThrottle] = this.#limits
    return (
      brokers.every((id) => (this.#perBroker.get(id) ?? 0) < mostReplicas) &&
      this.#bytes + copied <= mostBytes &&
      (this.#throttles.get(topic) ?? new Throttle()).bytesWith(throttle) <= mostThrottle
    )
  }

  #put({ topic, brokers, throttle }: Load): void {
    for (const id of brokers) this.#perBroker.set(id, (this.#perBroker.get(id) ?? 0) + 1)
    const known = this.#throttles.get(topic) ?? new Throttle()
    known.add(throttle)
    this.#throttles.set(topic, known)
  }

  #takeAway({ topic, brokers, throttle }: Load): void {
    for (const id of brokers) this.#perBroker.set(id, this.#perBroker.get(id)! - 1)
    this.#throttles.get(topic)!.remove(throttle)
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
      throttles: [...this.#throttles]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([topic, throttle]) => ({ topic, ...throttle.strings() })),
      moves: this.#moves,
      bytes: hasBytes ? this.#bytes : null,
    }
  }
}

class Throttle {
  #leader: string[] = []
  #follower: string[] = []
  #bytes: readonly [leader: number, follower: number] = [0, 0]

  /** Of the longer string. */
  get bytes(): number {
    return Math.max(0, ...this.#bytes) - 1
  }

  /** Bytes of the longer string, once these are in it. */
  bytesWith({ leader, follower }: Entries): number {
    return Math.max(this.#bytes[0] + bytesOf(leader), this.#bytes[1] + bytesOf(follower)) - 1
  }

  add({ leader, follower }: Entries): void {
    this.#leader.push(...leader)
    this.#follower.push(...follower)
    this.#bytes = [this.#bytes[0] + bytesOf(leader), this.#bytes[1] + bytesOf(follower)]
  }

  remove({ leader, follower }: Entries): void {
    this.#leader = this.#leader.filter((entry) => !leader.includes(entry))
    this.#follower = this.#follower.filter((entry) => !follower.includes(entry))
    this.#bytes = [this.#bytes[0] - bytesOf(leader), this.#bytes[1] - bytesOf(follower)]
  }

  strings(): { leader: string; follower: string } {
    return { leader: this.#leader.sort().join(), follower: this.#follower.sort().join() }
  }
}

/** With a comma after each. */
const bytesOf = (entries: readonly string[]): number => entries.reduce((total, entry) => total + entry.length + 1, 0)
