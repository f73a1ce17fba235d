/**
 * The points of a Key_Shared ring, in the three ways that releases keep them.
 *
 * Source: as key-shared-ring.ts.
 * What differs from the obvious, for two consumers whose points meet: 2.10 keeps both, sorted by name, and lets the key's
 * hash choose; its points are hashed from the name and a number without anything between, so `c1` + `11` meets `c11` + `1`.
 * 3.0 lets the newcomer take the point over, and when that one leaves the point goes with it. Since 4.0 the newcomer waits
 * behind the owner. The last two number consumers of one name, the least free number first.
 */
import { HASH_OF_KEY } from '../single-key.js'
import type { PulsarVersion } from '../types.js'
import type { HashSpace } from './key-shared-assignment.js'
import { isSince } from './version.js'

export interface RingPoints {
  add(consumer: number, name: string): void
  /** False where the consumer is not there. */
  remove(consumer: number, name: string): boolean
  /** Ascending, with the consumers that a key may go to. */
  sorted(): readonly (readonly [point: number, members: readonly number[]])[]
}

/** The points of a release's ring. */
export function ringPoints(version: PulsarVersion, points: number, { size, start }: HashSpace): RingPoints {
  if (isSince(version, '4.2')) return new QueuedPoints(points, (text) => (masked(text) % size) + start)
  return version === '3.0' ? new OverwrittenPoints(points) : new SharedPoints(points)
}

const masked = (text: string): number => HASH_OF_KEY.murmur3(text) & 0x7fffffff

/** 2.10, and 3.0 up to 3.0.2. */
class SharedPoints implements RingPoints {
  readonly #count: number
  readonly #owners = new Map<number, { consumer: number; name: string }[]>()
  readonly #present = new Set<number>()

  constructor(count: number) {
    this.#count = count
  }

  add(consumer: number, name: string): void {
    this.#present.add(consumer)
    for (let i = 0; i < this.#count; i++) {
      const point = masked(name + i)
      const owners = this.#owners.get(point) ?? []
      if (owners.some((owner) => owner.consumer === consumer)) continue
      owners.push({ consumer, name })
      owners.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      this.#owners.set(point, owners)
    }
  }

  remove(consumer: number, name: string): boolean {
    for (let i = 0; i < this.#count; i++) {
      const point = masked(name + i)
      const left = (this.#owners.get(point) ?? []).filter((owner) => owner.consumer !== consumer)
      if (left.length === 0) this.#owners.delete(point)
      else this.#owners.set(point, left)
    }
    return this.#present.delete(consumer)
  }

  sorted(): (readonly [number, readonly number[]])[] {
    return ascending(this.#owners, (owners) => owners.map(({ consumer }) => consumer))
  }
}

/** 3.0.7. A consumer whose points are all taken over counts as gone: its number among those of its name is free again. */
class OverwrittenPoints implements RingPoints {
  readonly #count: number
  readonly #owners = new Map<number, number>()
  readonly #indexes = new NameIndexes()

  constructor(count: number) {
    this.#count = count
  }

  add(consumer: number, name: string): void {
    for (let i = 0; i < this.#count; i++) {
      const index = this.#indexes.hold(consumer, name)
      const point = masked(pointKey(name, index, i))
      const before = this.#owners.get(point)
      this.#owners.set(point, consumer)
      if (before !== undefined) this.#indexes.release(before)
    }
  }

  remove(consumer: number, name: string): boolean {
    const index = this.#indexes.of(consumer)
    if (index === undefined) return false
    for (let i = 0; i < this.#count; i++) {
      const point = masked(pointKey(name, index, i))
      if (this.#owners.get(point) !== consumer) continue
      this.#owners.delete(point)
      this.#indexes.release(consumer)
    }
    return true
  }

  sorted(): (readonly [number, readonly number[]])[] {
    return ascending(this.#owners, (consumer) => [consumer])
  }
}

/** Since 4.0. */
class QueuedPoints implements RingPoints {
  readonly #count: number
  readonly #pointOf: (key: string) => number
  /** The owner first, behind it those that wait. */
  readonly #queues = new Map<number, number[]>()
  readonly #indexes = new NameIndexes()

  constructor(count: number, pointOf: (key: string) => number) {
    this.#count = count
    this.#pointOf = pointOf
  }

  add(consumer: number, name: string): void {
    for (let i = 0; i < this.#count; i++) {
      const index = this.#indexes.hold(consumer, name)
      const point = this.#pointOf(pointKey(name, index, i))
      const queue = this.#queues.get(point)
      if (queue === undefined) this.#queues.set(point, [consumer])
      else queue.push(consumer)
    }
  }

  remove(consumer: number, name: string): boolean {
    const index = this.#indexes.of(consumer)
    if (index === undefined) return false
    for (let i = 0; i < this.#count; i++) {
      const point = this.#pointOf(pointKey(name, index, i))
      const left = (this.#queues.get(point) ?? []).filter((waiting) => waiting !== consumer)
      if (left.length === 0) this.#queues.delete(point)
      else this.#queues.set(point, left)
      this.#indexes.release(consumer)
    }
    return true
  }

  sorted(): (readonly [number, readonly number[]])[] {
    return ascending(this.#queues, ([owner]) => [owner!])
  }
}

const pointKey = (name: string, index: number, point: number): string => `${name}\u0000${index}\u0000${point}`

function ascending<T>(owners: ReadonlyMap<number, T>, membersOf: (owner: T) => number[]): [number, number[]][] {
  return [...owners].map(([point, owner]): [number, number[]] => [point, membersOf(owner)]).sort((a, b) => a[0] - b[0])
}

/** Numbers consumers of one name, the least free number first; one is held while its consumer holds points. */
class NameIndexes {
  readonly #taken = new Map<string, Set<number>>()
  readonly #entries = new Map<number, { readonly name: string; readonly index: number; points: number }>()

  /** The consumer's number, held once more. */
  hold(consumer: number, name: string): number {
    const entry = this.#entries.get(consumer) ?? { name, index: this.#allocate(name), points: 0 }
    entry.points++
    this.#entries.set(consumer, entry)
    return entry.index
  }

  release(consumer: number): void {
    const entry = this.#entries.get(consumer)!
    if (--entry.points > 0) return
    this.#taken.get(entry.name)!.delete(entry.index)
    this.#entries.delete(consumer)
  }

  of(consumer: number): number | undefined {
    return this.#entries.get(consumer)?.index
  }

  #allocate(name: string): number {
    const taken = this.#taken.get(name) ?? new Set()
    let index = 0
    while (taken.has(index)) index++
    this.#taken.set(name, taken.add(index))
    return index
  }
}
