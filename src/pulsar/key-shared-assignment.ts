/**
 * Who holds which hashes of a Key_Shared subscription at one moment: a value that stays as it is when consumers come and go.
 *
 * For the selectors of key-shared.ts, which make one whenever they are asked, and for whoever compares two of them: what
 * moves when a consumer joins or leaves. Source: Apache Pulsar 2.10.5 to 5.0.1, the selectors of
 * org.apache.pulsar.broker.service.
 */
import { answerAll, isKeys, type Keys, type ThreadOptions, threadsOf } from '../bulk.js'
import { type AsyncOptions, answerAllAsync } from '../bulk-async.js'
import type { KeyLayout, KeyTable } from '../engine/contract.js'
import { engine } from '../engine/index.js'
import { codedError } from '../errors.js'
import { type FallbackKeyTable, keyTable } from '../fallback/pulsar/key-shared.js'
import { HASH_OF_KEY } from '../single-key.js'
import type { Key } from '../types.js'

/** How a key's hash becomes one that the selector knows: `murmur3 & 0x7fffffff`, `% size`, `+ start`; a 0 counts as 1 where 0 is not used. */
export interface HashSpace {
  /** Hashes there are; 2^31 where no remainder is taken. */
  readonly size: number
  readonly start: 0 | 1
  /** 0 means "no hash" to the broker since 4.0. */
  readonly zeroIsOne: boolean
}

/** Hashes from `start` up to the next run's, and the consumers that share them: by the remainder, one mostly, or none. */
export interface Run {
  readonly start: number
  readonly members: readonly number[]
}

/** Hashes `[start, end]`, both included, that change hands. */
export interface MovedRange {
  readonly start: number
  readonly end: number
  /** Numbers of the consumers that had them; one mostly, none where no consumer had. */
  readonly from: readonly number[]
  readonly to: readonly number[]
  /** Hashes among them that change: all, unless several consumers share a range (2.10). */
  readonly hashes: number
}

/** What changes between two moments. */
export interface KeySharedMoves {
  readonly ranges: readonly MovedRange[]
  /** Part of all hashes that change hands, in [0, 1]. */
  readonly share: number
}

/** A consumer's part of all hashes. */
export interface ConsumerShare {
  readonly consumer: number
  readonly hashes: number
  /** In [0, 1]; ideal is one divided by the number of consumers. */
  readonly share: number
}

/** Where consumers' numbers go, and by how many threads they are found. */
export interface IntoConsumers extends ThreadOptions {
  /** As long as the keys, or longer. Default: a new array. */
  readonly out?: Int32Array | undefined
}

export class KeySharedAssignment {
  readonly space: HashSpace
  readonly #runs: readonly Run[]
  #layout: KeyLayout | undefined
  #single: FallbackKeyTable | undefined
  #bulk: KeyTable | undefined

  /** @param runs ascend, the first one begins at or below `space.start`; what is beyond the space is cut */
  constructor(space: HashSpace, runs: readonly Run[]) {
    this.space = space
    this.#runs = cut(space, runs)
  }

  /** The hash that the selector knows a key by: in `[start, start + size)`. @throws ERR_PLACEMENT_KEY_TYPE */
  hashOf(key: Key): number {
    const { size, start, zeroIsOne } = this.space
    const hash = ((HASH_OF_KEY.murmur3(key) & 0x7fffffff) % size) + start
    return hash === 0 && zeroIsOne ? 1 : hash
  }

  /**
   * The consumer of a key, or of each of many.
   *
   * @param key the sticky key: text (as its UTF-8) or bytes; see `pulsar.stickyKey`
   * @returns the consumer's number, `null` where no one has the key's hash; of many keys -1 there
   *
   * Cost: one key about 60 ns, a million packed ones 5 to 10 ns each.
   * @throws ERR_PLACEMENT_KEY_TYPE, ERR_PLACEMENT_COLUMN, ERR_PLACEMENT_OUTPUT, ERR_PLACEMENT_ARGUMENT_TYPE
   */
  select(key: Key): number | null
  select(keys: Keys, into?: IntoConsumers): Int32Array
  select(keys: Key | Keys, { out, ...options }: IntoConsumers = {}): number | null | Int32Array {
    if (!isKeys(keys)) return numberOf(this.#table.one(HASH_OF_KEY.murmur3(keys)))
    const threads = threadsOf(options)
    return answerAll(
      keys,
      { type: Int32Array, given: out },
      {
        packed: (column, part) => this.#engineTable.ofPacked(column, part, threads),
        strings: (strings, part) => this.#engineTable.ofStrings(strings, part),
      },
    )
  }

  /** The async twin of {@link select} for many keys. @throws as `select`, by rejecting; a signal that fires rejects with its reason */
  async selectAsync(keys: Keys, { out, ...options }: IntoConsumers & AsyncOptions = {}): Promise<Int32Array> {
    const table = this.#engineTable
    const threads = threadsOf(options)
    return await answerAllAsync(
      keys,
      { type: Int32Array, given: out },
      {
        packed: (column, part) => table.ofPackedAsync(column, part, threads),
      },
      options,
    )
  }

  /** The part of all hashes that each consumer has, in the order of their numbers; consumers without any are not there. */
  shares(): ConsumerShare[] {
    const hashes = new Map<number, number>()
    for (const { members, from, to } of this.#spans()) {
      members.forEach((consumer, i) => {
        hashes.set(consumer, (hashes.get(consumer) ?? 0) + residues(from, to, { modulus: members.length, residue: i }))
      })
    }
    const all = [...hashes].map(([consumer, some]) => ({ consumer, hashes: some, share: some / this.space.size }))
    return all.filter((one) => one.hashes > 0).sort((a, b) => a.consumer - b.consumer)
  }

  /**
   * What changes hands between this moment and another of the same selector.
   *
   * @returns the ranges in ascending order; neighbours that move alike are one
   * @throws ERR_PLACEMENT_ARGUMENT_RANGE for an assignment over other hashes
   */
  movesTo(after: KeySharedAssignment): KeySharedMoves {
    if (after.space.size !== this.space.size || after.space.start !== this.space.start) throw otherSpace(this, after)
    const ranges: MovedRange[] = []
    const edges = [...new Set([...this.#runs, ...after.#runs].map((run) => run.start))].sort((a, b) => a - b)
    const [mine, theirs] = [cursor(this.#runs), cursor(after.#runs)]
    edges.forEach((from, i) => {
      const to = (edges[i + 1] ?? this.space.size) - 1
      const moved = movedRange({ from, to }, mine(from), theirs(from))
      if (moved !== null) append(ranges, moved, this.space.start)
    })
    return { ranges, share: ranges.reduce((sum, { hashes }) => sum + hashes, 0) / this.space.size }
  }

  /** Indices of the keys whose consumer is another one then. @throws as {@link select} and {@link movesTo} */
  movedKeys(after: KeySharedAssignment, keys: Keys): Uint32Array {
    if (after.space.size !== this.space.size || after.space.start !== this.space.start) throw otherSpace(this, after)
    const [before, then] = [this.select(keys), after.select(keys)]
    const moved = new Uint32Array(before.length)
    let count = 0
    for (let i = 0; i < before.length; i++) if (before[i] !== then[i]) moved[count++] = i
    return moved.slice(0, count)
  }

  get #table(): FallbackKeyTable {
    this.#single ??= keyTable(this.#keyLayout)
    return this.#single
  }

  get #engineTable(): KeyTable {
    this.#bulk ??= engine().keyTable(this.#keyLayout)
    return this.#bulk
  }

  get #keyLayout(): KeyLayout {
    this.#layout ??= layoutOf(this.space, this.#runs)
    return this.#layout
  }

  #spans(): { members: readonly number[]; from: number; to: number }[] {
    return this.#runs.map(({ start, members }, i) => {
      return { members, from: start, to: (this.#runs[i + 1]?.start ?? this.space.size) - 1 }
    })
  }
}

const numberOf = (consumer: number): number | null => (consumer < 0 ? null : consumer)

/** The runs over slots `[0, size)`, alike neighbours joined; the slot of hash 0 goes where hash 1 goes, if it counts as 1. */
function cut({ size, start, zeroIsOne }: HashSpace, runs: readonly Run[]): Run[] {
  const slots: Run[] = []
  const add = (at: number, members: readonly number[]): void => {
    if (slots.length > 0 && sameMembers(slots[slots.length - 1]!.members, members)) return
    slots.push({ start: at, members })
  }
  const first = runs.findLastIndex((run) => run.start <= start + (zeroIsOne ? 1 : 0))
  if (first < 0) slots.push({ start: 0, members: [] })
  else add(0, runs[first]!.members)
  for (const run of runs.slice(first + 1)) if (run.start - start < size) add(run.start - start, run.members)
  return slots
}

function sameMembers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((member, i) => member === b[i])
}

function layoutOf({ size }: HashSpace, runs: readonly Run[]): KeyLayout {
  const firsts = new Uint32Array(runs.length + 1)
  runs.forEach(({ members }, i) => {
    firsts[i + 1] = firsts[i]! + members.length
  })
  return {
    modulus: size === 2 ** 31 ? 0 : size,
    starts: Uint32Array.from(runs, (run) => run.start),
    firsts,
    members: Uint32Array.from(runs.flatMap((run) => run.members)),
  }
}

/** Integers in `[from, to]` with that remainder. */
function residues(from: number, to: number, { modulus, residue }: { modulus: number; residue: number }): number {
  const upTo = (limit: number) => Math.floor((limit - residue) / modulus) + 1
  return upTo(to) - upTo(from - 1)
}

/** The members at each of ascending slots. */
function cursor(runs: readonly Run[]): (slot: number) => readonly number[] {
  let at = 0
  return (slot) => {
    while (at + 1 < runs.length && runs[at + 1]!.start <= slot) at++
    return runs[at]!.members
  }
}

interface Span {
  readonly from: number
  readonly to: number
}

function movedRange({ from, to }: Span, had: readonly number[], have: readonly number[]): MovedRange | null {
  if (sameMembers(had, have)) return null
  const period = Math.max(1, had.length) * Math.max(1, have.length)
  let hashes = 0
  for (let residue = 0; residue < period; residue++) {
    if (had[residue % had.length] === have[residue % have.length]) continue
    hashes += residues(from, to, { modulus: period, residue })
  }
  return hashes === 0 ? null : { start: from, end: to, from: had, to: have, hashes }
}

/** Joined with the range before where that moves alike. */
function append(ranges: MovedRange[], moved: MovedRange, start: number): void {
  const last = ranges[ranges.length - 1]
  const next = { ...moved, start: moved.start + start, end: moved.end + start }
  const joins = last?.end === next.start - 1 && sameMembers(last.from, next.from) && sameMembers(last.to, next.to)
  if (!joins) ranges.push(next)
  else ranges[ranges.length - 1] = { ...last, end: next.end, hashes: last.hashes + next.hashes }
}

function otherSpace(before: KeySharedAssignment, after: KeySharedAssignment): Error {
  const shown = ({ space: { start, size } }: KeySharedAssignment) => `[${start}, ${start + size - 1}]`
  const message = `after: expected an assignment over the hashes ${shown(before)}, got one over ${shown(after)}`
  return codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
}
