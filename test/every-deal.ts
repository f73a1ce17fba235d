/**
 * Every way to deal the partitions of a small group, and the best of them: an independent twin of `balanced`.
 *
 * For the tests of `balanced`, which docs/assignors.md defines. Written from the definition: it deals partition by
 * partition, keeps what spreads each topic, and remembers for each outcome of loads the cheapest way there.
 */
import type { kafka } from '../src/index.js'
import { below } from './random.js'

export interface SmallGroup {
  readonly topics: readonly kafka.GroupTopic[]
  readonly members: readonly kafka.GroupMember[]
}

/** How good a deal is; least is best, the first one that differs decides. */
export interface Merit {
  /** Twelve times the sum of load * load / weight: whole numbers for weights up to 4. */
  readonly balance: number
  /** Partitions whose owner is another one afterwards, or was none before. */
  readonly moves: number
  /** Partitions on a member in a rack without a replica, where both are known. */
  readonly far: number
}

const MANY = 1000

const weightOf = ({ weight = 1 }: { readonly weight?: number | undefined }): number => weight
const balanceOf = (loads: readonly number[], members: readonly kafka.GroupMember[]): number =>
  loads.reduce((sum, load, i) => sum + (12 * load * load) / weightOf(members[i]!), 0)

export function compareMerits(a: Merit, b: Merit): number {
  return a.balance - b.balance || a.moves - b.moves || a.far - b.far
}

/** Who owns each partition (`topic-number`), as an index of the members: the one claim of the highest generation. */
export function naiveOwners({ members }: SmallGroup): ReadonlyMap<string, number> {
  const claims = new Map<string, Map<number, number>>()
  members.forEach(({ ownedPartitions = [], generationId = -1 }, i) => {
    for (const { topic, partition } of ownedPartitions) {
      const key = `${topic}-${partition}`
      claims.set(key, (claims.get(key) ?? new Map<number, number>()).set(i, generationId))
    }
  })
  const owners = new Map<string, number>()
  for (const [key, byMember] of claims) {
    const highest = Math.max(...byMember.values())
    const holders = [...byMember].filter(([, generation]) => generation === highest)
    if (holders.length === 1) owners.set(key, holders[0]![0])
  }
  return owners
}

const subscribersOf = ({ members }: SmallGroup, topic: string): number[] =>
  members.flatMap(({ topics }, i) => (topics.includes(topic) ? [i] : []))

/** True if each subscriber has its share of the topic, rounded down or up. */
function isSpread(group: SmallGroup, topic: kafka.GroupTopic, counts: readonly number[]): boolean {
  const subscribers = subscribersOf(group, topic.name)
  const all = subscribers.reduce((sum, i) => sum + weightOf(group.members[i]!), 0)
  return subscribers.every((i) => {
    const share = topic.partitions * weightOf(group.members[i]!)
    return Math.abs(counts[i]! * all - share) < all
  })
}

const isFar = (member: kafka.GroupMember, racks: readonly (string | null)[] | undefined): boolean =>
  member.rack !== undefined && (racks ?? []).some((rack) => rack !== null) && !racks!.includes(member.rack)

/** Every outcome of one topic: how many each member gets, and the cheapest way there. */
function outcomesOf(group: SmallGroup, topic: kafka.GroupTopic, owners: ReadonlyMap<string, number>) {
  const subscribers = subscribersOf(group, topic.name)
  const outcomes = new Map<string, { readonly counts: readonly number[]; readonly cost: number }>()
  const counts = group.members.map(() => 0)
  const deal = (at: number, cost: number): void => {
    if (at === topic.partitions) {
      const known = outcomes.get(counts.join())
      if (isSpread(group, topic, counts) && (known === undefined || known.cost > cost)) {
        outcomes.set(counts.join(), { counts: [...counts], cost })
      }
      return
    }
    const number = topic.ids?.[at] ?? at
    for (const i of subscribers) {
      counts[i]! += 1
      const isMove = owners.get(`${topic.name}-${number}`) !== i
      deal(at + 1, cost + (isMove ? MANY : 0) + (isFar(group.members[i]!, topic.racks?.[at]) ? 1 : 0))
      counts[i]! -= 1
    }
  }
  deal(0, 0)
  return [...outcomes.values()]
}

/** The best deal of some topics, on top of the loads there are. */
export function bestDeal(group: SmallGroup, topics: readonly kafka.GroupTopic[], loads: readonly number[]): Merit {
  const owners = naiveOwners(group)
  let ways = new Map([[loads.join(), { loads, cost: 0 }]])
  for (const topic of topics) {
    if (topic.partitions === 0 || subscribersOf(group, topic.name).length === 0) continue
    const outcomes = outcomesOf(group, topic, owners)
    const next: typeof ways = new Map()
    for (const way of ways.values()) {
      for (const { counts, cost } of outcomes) {
        const sums = way.loads.map((load, i) => load + counts[i]! * weightOf(topic))
        const known = next.get(sums.join())
        if (known === undefined || known.cost > way.cost + cost)
          next.set(sums.join(), { loads: sums, cost: way.cost + cost })
      }
    }
    ways = next
  }
  const merits = [...ways.values()].map((way) => ({
    balance: balanceOf(way.loads, group.members),
    moves: Math.floor(way.cost / MANY),
    far: way.cost % MANY,
  }))
  return merits.reduce((best, one) => (compareMerits(one, best) < 0 ? one : best))
}

/** How many partitions of a topic each member has. */
export const countsOf = (lists: kafka.PartitionLists, topic: string): number[] =>
  lists.names.memberIds.map((id) => lists.partitionsOf(id).filter((one) => one.topic === topic).length)

/** The merit of the deal of some topics, on top of the loads there are. */
export function meritOf(
  group: SmallGroup,
  lists: kafka.PartitionLists,
  topics: readonly kafka.GroupTopic[],
  loads: readonly number[],
): Merit {
  const owners = naiveOwners(group)
  const sums = [...loads]
  let [moves, far] = [0, 0]
  const byName = new Map(topics.map((topic) => [topic.name, topic]))
  group.members.forEach((member, i) => {
    for (const { topic: name, partition } of lists.partitionsOf(member.id)) {
      const topic = byName.get(name)
      if (topic === undefined) continue
      sums[i]! += weightOf(topic)
      if (owners.get(`${name}-${partition}`) !== i) moves += 1
      if (isFar(member, topic.racks?.[topic.ids?.indexOf(partition) ?? partition])) far += 1
    }
  })
  return { balance: balanceOf(sums, group.members), moves, far }
}

/**
 * What is wrong with the racks, or `null`: a member keeps far partitions and lets near ones go, or fewer of those that change
 * hands could be far, with each member getting as many of the topic.
 */
export function rackFaultOf(group: SmallGroup, lists: kafka.PartitionLists): string | null {
  const owners = naiveOwners(group)
  for (const topic of group.topics) {
    const moved: {
      readonly to: number
      readonly from: number | undefined
      readonly racks: readonly (string | null)[]
    }[] = []
    const keepsFar = new Set<number>()
    for (const { member, topic: name, partition } of lists) {
      if (name !== topic.name) continue
      const to = group.members.findIndex(({ id }) => id === member)
      const from = owners.get(`${name}-${partition}`)
      const racks = topic.racks![topic.ids?.indexOf(partition) ?? partition]!
      if (from !== to) moved.push({ to, from, racks })
      else if (isFar(group.members[to]!, racks)) keepsFar.add(to)
    }
    const wrong = moved.find(({ from, racks }) => keepsFar.has(from!) && !isFar(group.members[from!]!, racks))
    if (wrong !== undefined) return `${topic.name}: a near one is let go, a far one kept`
    const far = (order: readonly number[]) =>
      moved.filter(({ racks }, i) => isFar(group.members[order[i]!]!, racks)).length
    const to = moved.map((one) => one.to)
    const best = Math.min(...permutations(to).map(far))
    if (best < far(to)) return `${topic.name}: ${far(to)} far, ${best} would do`
  }
  return null
}

function permutations(list: readonly number[]): readonly (readonly number[])[] {
  if (list.length === 0) return [[]]
  const firsts = [...new Set(list)]
  return firsts.flatMap((first) => {
    const rest = list.toSpliced(list.indexOf(first), 1)
    return permutations(rest).map((others) => [first, ...others])
  })
}

/** What is wrong with the deal whatever its merit, or `null`: each partition once, to a subscriber, each topic spread. */
export function faultOf(group: SmallGroup, lists: kafka.PartitionLists): string | null {
  const given = new Map<string, string>()
  for (const { member, topic, partition } of lists) {
    const key = `${topic}-${partition}`
    if (given.has(key)) return `${key} is given twice`
    given.set(key, member)
    if (!group.members.find(({ id }) => id === member)!.topics.includes(topic))
      return `${member} does not subscribe to ${topic}`
  }
  let count = 0
  for (const topic of group.topics) {
    if (subscribersOf(group, topic.name).length === 0) continue
    count += topic.partitions
    for (let i = 0; i < topic.partitions; i++) {
      if (!given.has(`${topic.name}-${topic.ids?.[i] ?? i}`))
        return `${topic.name}-${topic.ids?.[i] ?? i} is given to nobody`
    }
    if (!isSpread(group, topic, countsOf(lists, topic.name))) return `${topic.name} is not spread`
  }
  return count === given.size ? null : 'a partition that does not exist is given'
}

/** What random groups have beside equal and unequal subscriptions, stale and double claims, and gaps in the numbers. */
export interface Spice {
  readonly racks: boolean
  readonly memberWeights: boolean
  readonly topicWeights: boolean
}

/** A random group of at most `most` members, topics and partitions of each. */
export function randomGroup(next: () => number, { racks, memberWeights, topicWeights }: Spice, most = 5): SmallGroup {
  const size = 1 + below(next, most)
  const rackNames = ['r0', 'r1', 'r2'].slice(0, 1 + below(next, 3))
  const topics = Array.from({ length: 1 + below(next, most) }, (_, i): kafka.GroupTopic => {
    const partitions = below(next, most + 1)
    return {
      name: `t${(i * 7) % 100}`,
      partitions,
      ...(below(next, 6) === 0 && { ids: Array.from({ length: partitions }, (_, j) => 2 * j + below(next, 2)) }),
      ...(racks && { racks: Array.from({ length: partitions }, () => rackNames.filter(() => below(next, 2) === 0)) }),
      ...(topicWeights && { weight: [1, 1, 2, 5][below(next, 4)]! }),
    }
  })
  const equal = below(next, 2) === 0
  const members = Array.from({ length: size }, (_, i) => ({
    id: `m${(i * 7) % 100}`,
    topics: topics.map(({ name }) => name).filter(() => equal || below(next, 3) > 0),
    ownedPartitions: [] as kafka.TopicPartition[],
    generationId: below(next, 3) - 1,
    ...(memberWeights && { weight: 1 + below(next, 4) }),
    ...(racks && below(next, 5) > 0 && { rack: rackNames[below(next, rackNames.length)]! }),
  }))
  const hoarders = below(next, 3) === 0 ? 1 : size
  for (const { name, partitions, ids } of topics) {
    for (let i = 0; i < partitions; i++) {
      const claim = { topic: name, partition: ids?.[i] ?? i }
      if (below(next, 5) > 0) members[below(next, hoarders)]!.ownedPartitions.push(claim)
      if (below(next, 12) === 0) members[below(next, size)]!.ownedPartitions.push(claim)
    }
  }
  return { topics, members }
}
