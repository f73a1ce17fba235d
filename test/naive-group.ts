/**
 * A group and its rebalances as one would write them down from the definitions: sets of names, one member at a time.
 *
 * The twin of src/kafka/rebalance-*.ts for tests. It asks `kafka.assign` with objects, which the vectors prove; everything
 * else is its own: rounds, who owns what, and fewest moves by trying every state.
 */
import { kafka } from '../src/index.js'

/** `topic-partition` by member. */
export type Owned = Map<string, Set<string>>

export interface NaiveMember {
  readonly id: string
  readonly topics: readonly string[]
  readonly generation: number
}

interface NaiveRound {
  readonly revoked: Record<string, string[]>
  readonly gained: Record<string, string[]>
  readonly withheld: Record<string, string[]>
}

/** What an event did. */
export interface NaiveStep {
  readonly rounds: readonly NaiveRound[]
  readonly moves: number
  /** Names of the partitions that stop. */
  readonly stopped: readonly string[]
  readonly nobodys: ReadonlyMap<string, number>
}

const named = ({ topic, partition }: kafka.TopicPartition): string => `${topic}-${partition}`
const parted = (name: string): kafka.TopicPartition => {
  const at = name.lastIndexOf('-')
  return { topic: name.slice(0, at), partition: Number(name.slice(at + 1)) }
}

/** Uuids of the topics of consumer groups: any will do. */
export const ID_OF = (topic: string): string => `${topic.padEnd(21, 'x')}A`

type Asked = Pick<kafka.AssignQuestion, 'groupType' | 'assignor'>

export class NaiveGroup {
  readonly #asked: Asked
  members: NaiveMember[]
  topics: Map<string, number>
  owned: Owned = new Map()
  #generation = 0
  #maxGeneration = -1

  constructor(asked: Asked, members: NaiveMember[], topics: Map<string, number>) {
    this.#asked = asked
    this.members = members
    this.topics = topics
    for (const { id } of members) this.owned.set(id, new Set())
    this.#settle()
  }

  /** Lets something happen to members, topics or owned partitions, and runs to rest if the members hear of it. */
  after(change: () => boolean): NaiveStep {
    const before = new Map([...this.owned].map(([id, own]) => [id, new Set(own)]))
    const { rounds, during } = change() ? this.#settle() : { rounds: [], during: [] }
    const wanted = this.#wanted()
    const held = (owned: Owned) => new Set([...owned.values()].flatMap((own) => [...own]))
    const nobodys = new Map(wanted.map((one) => [one, during.filter((owned) => !held(owned).has(one)).length]))
    const holder = (owned: Owned, one: string) => [...owned].find(([, own]) => own.has(one))?.[0]
    const moves = wanted.filter((one) => {
      const [had, has] = [holder(before, one), holder(this.owned, one)]
      return had !== undefined && has !== undefined && had !== has
    })
    const stopped = [...held(before)].filter((one) => (nobodys.get(one) ?? 0) > 0)
    return { rounds, moves: moves.length, stopped: stopped.sort(), nobodys }
  }

  /** True where somebody subscribes to the topic. */
  isSubscribed(topic: string): boolean {
    return this.members.some(({ topics }) => topics.includes(topic))
  }

  #wanted(): string[] {
    return [...this.topics].flatMap(([topic, count]) =>
      this.isSubscribed(topic) ? Array.from({ length: count }, (_, i) => `${topic}-${i}`) : [],
    )
  }

  #ask(claims: Owned): kafka.Assignment {
    const members = this.members.map(({ id, topics, generation }) => {
      const ownedPartitions = [...claims.get(id)!].map(parted)
      const userData = kafka.protocol.encodeStickyUserData({ ownedPartitions, generationId: generation })
      return {
        id,
        topics,
        ownedPartitions,
        generationId: generation,
        ...(this.#asked.assignor === 'sticky' && generation >= 0 ? { userData } : {}),
      }
    })
    const topics = [...this.topics].map(([name, partitions]) => ({ name, partitions, id: ID_OF(name) }))
    const maxGeneration = this.#maxGeneration
    const answer = kafka.assign({ ...this.#asked, topics, members, maxGeneration })
    this.#maxGeneration = answer.maxGeneration ?? -1
    this.#generation += 1
    this.members = this.members.map((member) => ({ ...member, generation: this.#generation }))
    return answer
  }

  #settle(): { readonly rounds: NaiveRound[]; readonly during: Owned[] } {
    const rounds: NaiveRound[] = []
    const during: Owned[] = []
    if (this.members.length === 0) return { rounds, during }
    if (this.#asked.groupType === 'consumer') return this.#reconcile()
    const cooperative = this.#asked.assignor === 'cooperative-sticky'
    for (let again = true; again; ) {
      const before = new Map(this.members.map(({ id }) => [id, this.owned.get(id) ?? new Set<string>()]))
      const claims = cooperative ? this.#subscribed(before) : before
      const answer = this.#ask(claims)
      const running = cooperative ? claims : new Map(this.members.map(({ id }) => [id, new Set<string>()]))
      during.push(running)
      const after = new Map(this.members.map(({ id }) => [id, new Set(answer.partitionsOf(id).map(named))]))
      rounds.push({
        revoked: without(before, cooperative ? after : new Map()),
        gained: without(after, running),
        withheld: lists(
          new Map(this.members.map(({ id }) => [id, new Set(answer.withheld.partitionsOf(id).map(named))])),
        ),
      })
      again = cooperative && [...claims].some(([id, own]) => [...own].some((one) => !after.get(id)!.has(one)))
      this.owned = after
    }
    return { rounds, during }
  }

  /** KIP-848: a member gives up first, then takes what is free. */
  #reconcile(): { readonly rounds: NaiveRound[]; readonly during: Owned[] } {
    const rounds: NaiveRound[] = []
    const during: Owned[] = []
    const ids = this.members.map(({ id }) => id)
    this.owned = new Map(ids.map((id) => [id, this.owned.get(id) ?? new Set<string>()]))
    const answer = this.#ask(this.owned)
    const target = new Map(ids.map((id) => [id, new Set(answer.partitionsOf(id).map(named))]))
    for (;;) {
      const before = this.owned
      const somebodys = new Set([...before.values()].flatMap((own) => [...own]))
      const after: Owned = new Map()
      for (const id of ids) {
        const [own, wanted] = [before.get(id)!, target.get(id)!]
        const kept = [...own].filter((one) => wanted.has(one))
        const free = [...wanted].filter((one) => !somebodys.has(one))
        after.set(id, new Set(kept.length < own.size ? kept : [...kept, ...free]))
      }
      const rest = { ...without(target, before), ...without(before, target) }
      if (Object.keys(rest).length === 0) break
      during.push(before)
      rounds.push({
        revoked: without(before, after),
        gained: without(after, before),
        withheld: without(target, after),
      })
      this.owned = after
    }
    // The next question tells of the target in its own order.
    this.owned = target
    return { rounds, during }
  }

  #subscribed(owned: Owned): Owned {
    return new Map(
      this.members.map(({ id, topics }) => [
        id,
        new Set([...owned.get(id)!].filter((one) => topics.includes(parted(one).topic))),
      ]),
    )
  }
}

function without(some: Owned, others: Owned): Record<string, string[]> {
  return lists(
    new Map([...some].map(([id, own]) => [id, new Set([...own].filter((one) => !others.get(id)?.has(one)))])),
  )
}

function lists(owned: Owned): Record<string, string[]> {
  return Object.fromEntries([...owned].filter(([, own]) => own.size > 0).map(([id, own]) => [id, [...own].sort()]))
}

/** The same of an answer's lists. */
export function shownLists(all: kafka.PartitionLists): Record<string, string[]> {
  return Object.fromEntries(
    all.names.memberIds
      .map((id) => [id, all.partitionsOf(id).map(named).sort()] as const)
      .filter(([, own]) => own.length > 0),
  )
}

/** A partition, by the place of the member that had it (-1 for nobody or one that left) and of those that may have it. */
export interface Placeable {
  readonly had: number | 'nobody' | 'gone'
  readonly may: readonly number[]
}

/** Every state, tried: the fewest moves into one whose sorted loads are nowhere above the answer's, summed from the fullest. */
export function fewestByTrying(partitions: readonly Placeable[], answer: readonly number[]): number {
  const bound = prefixSums(answer)
  const loads = new Array<number>(answer.length).fill(0)
  let best = Number.POSITIVE_INFINITY
  const place = (i: number, moves: number): void => {
    if (moves >= best) return
    if (i === partitions.length) {
      if (prefixSums(loads).every((sum, k) => sum <= bound[k]!)) best = moves
      return
    }
    const { had, may } = partitions[i]!
    for (const member of may) {
      loads[member]! += 1
      place(i + 1, moves + (had === 'nobody' || had === member ? 0 : 1))
      loads[member]! -= 1
    }
  }
  place(0, 0)
  return best
}

function prefixSums(loads: readonly number[]): number[] {
  let sum = 0
  return loads.toSorted((a, b) => b - a).map((load) => (sum += load))
}
