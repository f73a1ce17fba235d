/**
 * Which publishes a topic takes for duplicates, and what it remembers of each producer.
 *
 * Source: Apache Pulsar 4.2.4, 5.0.1, org.apache.pulsar.broker.service.persistent.MessageDeduplication.
 * Two marks a producer: pushed (accepted, perhaps not stored yet) and persisted. What differs from the obvious: a batch is
 * judged by its first sequence id alone; a confirmation out of order lowers the persisted mark; recovery does not tell chunks
 * apart; a replicated message is judged by the replicator's sequence id and stored under the original's.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import type { Note } from '../notes.js'
import {
  checkMessage,
  type DeduplicatedMessage,
  highestOf,
  isMiddleChunk,
  type Marks,
  marksOf,
  type SequenceMarks,
  sequenceOf,
  sourcePosition,
} from './deduplicated-message.js'
import { flowVersion, type PulsarVersionOption } from './version.js'

/** `NotDup` is stored, `Dup` is answered and dropped, `Unknown` is refused, and the producer tries again. */
export type DuplicateVerdict = 'NotDup' | 'Dup' | 'Unknown'

/** What a topic remembers. */
export interface DeduplicationState {
  readonly pushed: SequenceMarks
  readonly persisted: SequenceMarks
  /** Confirmations since the last snapshot. Default: 0. */
  readonly sinceSnapshot?: number | undefined
}

/** What happens to the topic, in order. */
export type DeduplicationEvent =
  | { readonly publish: DeduplicatedMessage }
  /** The n-th publish of this script (from 0) lies in the ledger, at a position. */
  | { readonly persisted: number; readonly position?: string | undefined }
  /** A write failed: what is pushed is forgotten down to what is persisted. */
  | { readonly writeFailed: true }
  /** The topic moves or the broker restarts: the cursor's snapshot, then the entries after it. */
  | { readonly restart: Recovery }

/** What recovery finds. */
export interface Recovery {
  readonly snapshot?: SequenceMarks | undefined
  readonly replay?: readonly DeduplicatedMessage[] | undefined
  /** Position of the last entry replayed, for the snapshot that a long replay makes. */
  readonly position?: string | undefined
}

/** Settings by broker.conf's names. */
export interface DeduplicationOptions extends PulsarVersionOption {
  /** Whether the topic deduplicates. Default: true. */
  readonly brokerDeduplicationEnabled?: boolean | undefined
  /** Confirmations between two snapshots. Default: 1000. */
  readonly brokerDeduplicationEntriesInterval?: number | undefined
  /** Producers of a snapshot; of more, Pulsar keeps whichever its map names first, this one those heard first. Default: 10000. */
  readonly brokerDeduplicationMaxNumberOfProducers?: number | undefined
  /** What replicators' producer names begin with. Default: `pulsar.repl`. */
  readonly replicatorPrefix?: string | undefined
}

/** After one event. */
export interface DeduplicationStep {
  /** Of a publish. */
  readonly verdict?: DuplicateVerdict
  readonly pushed: SequenceMarks
  readonly persisted: SequenceMarks
}

/** What the cursor is told. */
export interface DeduplicationSnapshot {
  readonly position: string | null
  readonly sequences: SequenceMarks
}

export interface DeduplicationResult {
  readonly steps: readonly DeduplicationStep[]
  /** For the next call. */
  readonly state: Required<DeduplicationState>
  readonly snapshots: readonly DeduplicationSnapshot[]
  readonly notes: readonly Note[]
}

interface Settings {
  readonly enabled: boolean
  readonly interval: number
  readonly maxProducers: number
  readonly replicatorPrefix: string
}

/** A publish and what judging it made of it. */
interface Published {
  readonly message: DeduplicatedMessage
  /** False for a chunk that is not the last one and was judged as such. */
  readonly remembered: boolean
}

const INT_MAX = 2 ** 31 - 1

/**
 * The verdict on each publish of a script, and the marks after each event.
 *
 * ```
 * const { steps } = pulsar.deduplicate({}, [
 *   { publish: { producerName: 'p', sequenceId: 4, highestSequenceId: 9 } },
 *   { persisted: 0 },
 *   { publish: { producerName: 'p', sequenceId: 9 } },
 * ])
 * steps[2].verdict // → 'Dup'
 * ```
 *
 * @param state what the topic remembers; `{}` for a new one
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_VERSION,
 *   ERR_PLACEMENT_UNSUPPORTED (before 4.2), ERR_PLACEMENT_ORIGINAL_FAILS (a source position beyond a long)
 */
export function deduplicate(
  state: Partial<DeduplicationState>,
  events: readonly DeduplicationEvent[],
  options: DeduplicationOptions = {},
): DeduplicationResult {
  flowVersion(options, 'message deduplication')
  if (!Array.isArray(events)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `events: expected a list, got ${shown(events)}`)
  }
  const topic = new Topic(state, settingsOf(options))
  const steps = events.map((event, i) => topic.step(event, `events[${i}]`))
  return { steps, state: topic.state, snapshots: topic.snapshots, notes: topic.notes }
}

function settingsOf(options: DeduplicationOptions): Settings {
  const { brokerDeduplicationEnabled: enabled = true, replicatorPrefix = 'pulsar.repl' } = options
  if (typeof enabled !== 'boolean' || typeof replicatorPrefix !== 'string') {
    const [name, value] =
      typeof enabled === 'boolean'
        ? ['replicatorPrefix: expected a string', replicatorPrefix]
        : ['brokerDeduplicationEnabled: expected true or false', enabled]
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}, got ${shown(value)}`)
  }
  const interval = options.brokerDeduplicationEntriesInterval ?? 1000
  const maxProducers = options.brokerDeduplicationMaxNumberOfProducers ?? 10_000
  return {
    enabled,
    interval: checkInteger(interval, 'brokerDeduplicationEntriesInterval', [1, INT_MAX]),
    maxProducers: checkInteger(maxProducers, 'brokerDeduplicationMaxNumberOfProducers', [0, INT_MAX]),
    replicatorPrefix,
  }
}

/** The topic's memory, as events change it. */
class Topic {
  readonly snapshots: DeduplicationSnapshot[] = []
  readonly notes: Note[] = []
  readonly #settings: Settings
  readonly #published: Published[] = []
  /** Producers whose mark recovery took from a chunk that is not the last one, and that mark. */
  readonly #chunkMarks: Marks = new Map()
  #pushed: Marks
  #persisted: Marks
  #sinceSnapshot: number

  constructor(state: Partial<DeduplicationState>, settings: Settings) {
    this.#settings = settings
    this.#pushed = marksOf(state.pushed, 'state.pushed')
    this.#persisted = marksOf(state.persisted, 'state.persisted')
    this.#sinceSnapshot = checkInteger(state.sinceSnapshot ?? 0, 'state.sinceSnapshot', [0, INT_MAX])
  }

  get state(): Required<DeduplicationState> {
    return { ...this.#marks(), sinceSnapshot: this.#sinceSnapshot }
  }

  step(event: DeduplicationEvent, where: string): DeduplicationStep {
    if (typeof event !== 'object' || event === null) throw noEvent(event, where)
    if ('publish' in event) {
      const verdict = this.#publish(event.publish, `${where}.publish`)
      return { verdict, ...this.#marks() }
    }
    if ('persisted' in event) this.#confirm(event.persisted, event.position ?? null, where)
    else if ('writeFailed' in event) this.#forget()
    else if ('restart' in event) this.#recover(event.restart, `${where}.restart`)
    else throw noEvent(event, where)
    return this.#marks()
  }

  #marks(): { pushed: SequenceMarks; persisted: SequenceMarks } {
    return { pushed: sequencesOf(this.#pushed), persisted: sequencesOf(this.#persisted) }
  }

  #publish(message: DeduplicatedMessage, where: string): DuplicateVerdict {
    checkMessage(message, where)
    const isJudged = this.#settings.enabled && message.marker !== true
    const middle = isJudged && isMiddleChunk(message) && !(this.#isRemote(message) && message.byPosition === true)
    const verdict = !isJudged || middle ? 'NotDup' : this.#judge(message, where)
    this.#published.push({ message, remembered: !middle })
    return verdict
  }

  #isRemote({ producerName }: DeduplicatedMessage): boolean {
    return producerName.startsWith(this.#settings.replicatorPrefix)
  }

  #judge(message: DeduplicatedMessage, where: string): DuplicateVerdict {
    if (!this.#isRemote(message)) return this.#judgeSequence(message.producerName, message, where)
    if (message.byPosition === true) return this.#judgePosition(message, where)
    return this.#judgeSequence((message.original ?? message).producerName, message, where)
  }

  #judgeSequence(producer: string, message: DeduplicatedMessage, where: string): DuplicateVerdict {
    const sequence = sequenceOf(message.sequenceId)
    const pushed = this.#pushed.get(producer)
    if (pushed === undefined || sequence > pushed) {
      this.#pushed.set(producer, highestOf(message))
      return 'NotDup'
    }
    this.#tellLosses(producer, message, where)
    const persisted = this.#persisted.get(producer)
    return persisted !== undefined && sequence <= persisted ? 'Dup' : 'Unknown'
  }

  /** Messages that are new and yet refused. */
  #tellLosses(producer: string, message: DeduplicatedMessage, where: string): void {
    const pushed = this.#pushed.get(producer)!
    if (message.chunk !== undefined && this.#chunkMarks.get(producer) === sequenceOf(message.sequenceId)) {
      const text = `producer ${shown(producer)}, sequence id ${message.sequenceId}: the last chunk is refused, since recovery took an earlier chunk for the whole message; it can never be completed`
      this.notes.push({ code: 'NOTE_DEDUP_LOST_CHUNK', message: text, where })
    } else if (highestOf(message) > pushed) {
      const text = `producer ${shown(producer)}: sequence ids ${message.sequenceId} to ${highestOf(message)} are refused as one, though those after ${pushed} are new`
      this.notes.push({ code: 'NOTE_DEDUP_BATCH_REFUSED', message: text, where })
    }
  }

  #judgePosition(message: DeduplicatedMessage, where: string): DuplicateVerdict {
    const position = sourcePosition(message, where)
    if (position === null) return 'Unknown'
    const { producerName } = message
    if (isBeyond(position, positionIn(this.#pushed, producerName))) {
      putPosition(this.#pushed, producerName, position)
      return 'NotDup'
    }
    const persisted = positionIn(this.#persisted, producerName)
    return persisted !== null && !isBeyond(position, persisted) ? 'Dup' : 'Unknown'
  }

  #confirm(number: number, position: string | null, where: string): void {
    const published = this.#published[number]
    if (published === undefined) {
      const expected = `expected the number of one of the ${this.#published.length} publishes before it`
      throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${where}.persisted: ${expected}, got ${shown(number)}`)
    }
    const { message, remembered } = published
    if (!this.#settings.enabled || message.marker === true) return
    const place = this.#isRemote(message) && message.byPosition === true ? sourcePosition(message, where) : null
    if (place !== null) putPosition(this.#persisted, message.producerName, place)
    else if (remembered) this.#remember(message, where)
    this.#count(position)
  }

  #remember(message: DeduplicatedMessage, where: string): void {
    const isOriginal = this.#isRemote(message) && message.byPosition !== true && message.original !== undefined
    const stored = isOriginal ? message.original! : message
    const [before, highest] = [this.#persisted.get(stored.producerName), highestOf(stored)]
    if (before !== undefined && highest < before) {
      const text = `producer ${shown(stored.producerName)}: a confirmation out of order lowers the persisted mark from ${before} to ${highest}`
      this.notes.push({ code: 'NOTE_DEDUP_MARK_LOWERED', message: text, where })
    }
    this.#persisted.set(stored.producerName, highest)
  }

  #count(position: string | null): void {
    this.#sinceSnapshot++
    if (this.#sinceSnapshot < this.#settings.interval) return
    this.#sinceSnapshot = 0
    this.#snapshot(position)
  }

  #snapshot(position: string | null): void {
    const kept = [...this.#persisted].slice(0, this.#settings.maxProducers)
    this.snapshots.push({ position, sequences: sequencesOf(new Map(kept)) })
  }

  #forget(): void {
    if (this.#settings.enabled) this.#pushed = new Map(this.#persisted)
  }

  #recover({ snapshot, replay = [], position }: Recovery, where: string): void {
    if (!this.#settings.enabled) return
    this.#pushed = marksOf(snapshot, `${where}.snapshot`)
    this.#persisted = new Map(this.#pushed)
    this.#chunkMarks.clear()
    for (const [i, message] of replay.entries()) this.#replay(message, `${where}.replay[${i}]`)
    if (replay.length === 0) return
    // The count is kept, so that the next confirmation makes a snapshot again.
    this.#sinceSnapshot = replay.length
    if (replay.length >= this.#settings.interval) this.#snapshot(position ?? null)
  }

  #replay(message: DeduplicatedMessage, where: string): void {
    checkMessage(message, where)
    const { producerName } = message
    const highest = highestOf(message)
    this.#pushed.set(producerName, highest)
    this.#persisted.set(producerName, highest)
    if (isMiddleChunk(message)) this.#chunkMarks.set(producerName, highest)
    else this.#chunkMarks.delete(producerName)
  }
}

type Pair = readonly [bigint, bigint]

/** The source position that is remembered of a replicator; `null` for none. */
function positionIn(marks: Marks, producer: string): Pair | null {
  const pair = [marks.get(`${producer}_LID`), marks.get(`${producer}_EID`)] as const
  return pair[0] === undefined || pair[1] === undefined ? null : (pair as Pair)
}

function putPosition(marks: Marks, producer: string, [ledger, entry]: Pair): void {
  marks.set(`${producer}_LID`, ledger)
  marks.set(`${producer}_EID`, entry)
}

const isBeyond = ([ledger, entry]: Pair, last: Pair | null): boolean =>
  last === null || ledger > last[0] || (ledger === last[0] && entry > last[1])

/** As numbers where they are exact, in the order of the producers' names. */
function sequencesOf(marks: Marks): SequenceMarks {
  const sorted = [...marks].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([producer, mark]) => [producer, exact(mark)]))
}

const exact = (mark: bigint): number | bigint => (Number.isSafeInteger(Number(mark)) ? Number(mark) : mark)

function noEvent(event: unknown, where: string): Error {
  const expected = 'expected { publish }, { persisted }, { writeFailed } or { restart }'
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: ${expected}, got ${shown(event)}`)
}
