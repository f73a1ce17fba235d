/**
 * Who subscribes to what, turned around: the members of each topic, and the topics that take part.
 *
 * For the client-side assignors. Twin of native/core/src/kafka/subscriptions.rs.
 * A topic takes part if it has partitions and a subscriber; a member that names a topic twice counts twice.
 */
import type { AssignProblem } from '../../engine/assign-contract.js'

type Lists = Pick<AssignProblem, 'listOffsets' | 'listTopics' | 'listOf'>

/** Topics of one member, as it gave them. */
export function topicsOf({ listOffsets, listTopics, listOf }: Lists, member: number): Uint32Array {
  const list = listOf[member]!
  return listTopics.subarray(listOffsets[list]!, listOffsets[list + 1]!)
}

/** Which topics have partitions and a subscriber: 1 for each that has. */
export function activeTopics({ starts, listTopics, listOffsets, listOf }: AssignProblem): Uint8Array {
  const active = new Uint8Array(starts.length - 1)
  const seen = new Uint8Array(listOffsets.length - 1)
  for (const list of listOf) {
    if (seen[list] === 1) continue
    seen[list] = 1
    for (const topic of listTopics.subarray(listOffsets[list]!, listOffsets[list + 1]!)) {
      if (starts[topic] !== starts[topic + 1]) active[topic] = 1
    }
  }
  return active
}

/** Topics in the order in which the members' lists name them first. */
export function namedTopics({ starts, listOf, listOffsets, listTopics }: AssignProblem): Uint32Array {
  const topics = new Uint32Array(starts.length - 1)
  const named = new Uint8Array(starts.length - 1)
  let length = 0
  for (const list of new Set(listOf)) {
    for (let i = listOffsets[list]!; i < listOffsets[list + 1]!; i++) {
      const topic = listTopics[i]!
      if (named[topic] === 0) topics[length++] = topic
      named[topic] = 1
    }
  }
  return topics.subarray(0, length)
}

/**
 * Topics sorted into classes of equal subscribers: `classOf` a topic (topics that do not take part are in none, -1), and
 * the members of each class in the order of `members`, repeats kept.
 */
export interface SubscriberClasses {
  readonly classOf: Int32Array
  readonly members: readonly Uint32Array[]
}

/**
 * Subscribers of each topic; topics named by the same lists, equally often, share one class.
 *
 * Cost: the lists, each once, and the classes' members.
 */
export function subscriberClasses(problem: AssignProblem, order: Uint32Array): SubscriberClasses {
  const { listOf } = problem
  const tree = new ClassTree(problem)
  const byList: number[][] = []
  const place = new Uint32Array(listOf.length)
  order.forEach((member, i) => {
    const list = listOf[member]!
    place[member] = i
    byList[list] ??= []
    byList[list].push(member)
  })
  for (const list of new Set(listOf)) tree.refine(list)
  const { classOf, lists } = tree.classes()
  const members = lists.map((some) => {
    const of = Uint32Array.from(some.flatMap((list) => byList[list]!))
    return some.length === 1 ? of : of.sort((a, b) => place[a]! - place[b]!)
  })
  return { classOf, members }
}

/** Classes of topics, refined list by list: a list splits each class into what it names, and how often, and the rest. */
class ClassTree {
  readonly #problem: AssignProblem
  readonly #classOf: Int32Array
  readonly #active: Uint8Array
  /** How often the list in hand names each topic; all 0 between lists. */
  readonly #times: Uint32Array
  /** The class that each came from, the list that split it off, and how often that names its topics. */
  readonly #parent: number[] = []
  readonly #list: number[] = []
  readonly #count: number[] = []

  constructor(problem: AssignProblem) {
    const topics = problem.starts.length - 1
    this.#problem = problem
    this.#classOf = new Int32Array(topics).fill(-1)
    this.#active = activeTopics(problem)
    this.#times = new Uint32Array(topics)
  }

  refine(list: number): void {
    const { listOffsets, listTopics } = this.#problem
    const named = listTopics.subarray(listOffsets[list]!, listOffsets[list + 1]!)
    let most = 0
    for (const topic of named) {
      this.#times[topic]! += 1
      most = Math.max(most, this.#times[topic]!)
    }
    const split = new Map<number, number>()
    for (const topic of named) {
      const count = this.#times[topic]!
      this.#times[topic] = 0
      if (count === 0 || this.#active[topic] === 0) continue
      const from = this.#classOf[topic]!
      const key = (from + 1) * (most + 1) + count
      let to = split.get(key)
      if (to === undefined) {
        to = this.#add(from, list, count)
        split.set(key, to)
      }
      this.#classOf[topic] = to
    }
  }

  #add(from: number, list: number, count: number): number {
    this.#parent.push(from)
    this.#list.push(list)
    return this.#count.push(count) - 1
  }

  /** The classes that are left, numbered anew, and the lists that name each, as often as they do. */
  classes(): { readonly classOf: Int32Array; readonly lists: readonly (readonly number[])[] } {
    const numbers = new Map<number, number>()
    const lists: number[][] = []
    const classOf = this.#classOf.map((old) => {
      if (old === -1) return -1
      let number = numbers.get(old)
      if (number === undefined) {
        number = lists.push(this.#listsOf(old)) - 1
        numbers.set(old, number)
      }
      return number
    })
    return { classOf, lists }
  }

  #listsOf(last: number): number[] {
    const lists: number[] = []
    for (let at = last; at !== -1; at = this.#parent[at]!) {
      for (let i = 0; i < this.#count[at]!; i++) lists.push(this.#list[at]!)
    }
    return lists
  }
}
