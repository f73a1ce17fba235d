/**
 * Questions to the client-side assignors: small groups where every tie, clash and defect comes up often.
 *
 * A past is drawn as a plausible split of the partitions, then spoiled: claims of others' partitions, equal and other
 * generations, topics that are gone, numbers beyond the count, repeats. Hash codes collide on purpose.
 */
import { Buffer } from 'node:buffer'
import { protocol, type TopicPartition } from '../../../src/kafka/index.js'
import { topicPartitionHash } from '../../../src/kafka/java-hash.js'
import type { Chance } from '../chance.js'
import { type Draw, whole } from '../question.js'

type Flat = (string | number)[]

interface Topic {
  readonly name: string
  readonly partitions: number
  readonly ids?: number[]
  readonly racks?: (string | null)[][]
}

interface Member {
  readonly id: string
  readonly topics: readonly string[]
  readonly instanceId?: string
  readonly rack?: string
  readonly owned?: Flat
  readonly generation?: number
  readonly userData?: string
}

const RACKS = ['a', 'b', 'c']
/** Alike in `String.hashCode`, 16 of them. */
const COLLIDING = Array.from({ length: 16 }, (_, i) =>
  [8, 4, 2, 1].map((bit) => ((i & bit) === 0 ? 'Aa' : 'BB')).join(''),
)

/** The assignors that keep nothing. */
export const range: Draw = (chance) => stateless(chance, 'range')
export const roundRobin: Draw = (chance) => stateless(chance, 'roundrobin')

function stateless(chance: Chance, assignor: string) {
  const { topics, members } = group(chance)
  return whole({ op: 'assign', assignor, topics, members })
}

export const sticky: Draw = (chance) => whole(stateful(chance, 'sticky'))
export const cooperativeSticky: Draw = (chance) => whole(stateful(chance, 'cooperative-sticky'))

function stateful(chance: Chance, assignor: string) {
  const style = chance.between(0, 19)
  if (style === 0 && assignor === 'cooperative-sticky') return converge(chance)
  if (style > 2) return { op: 'assign', assignor, ...withPast(chance, assignor, group(chance)) }
  const first = group(chance)
  const rounds = chance.times(chance.between(2, 3), () =>
    withPast(chance, assignor, chance.odds(0.5) ? first : group(chance)),
  )
  return { op: 'assignRounds', assignor, rounds }
}

function converge(chance: Chance) {
  const assignor = 'cooperative-sticky'
  return { op: 'converge', assignor, generation: 1, ...withPast(chance, assignor, group(chance)) }
}

interface Group {
  readonly topics: Topic[]
  readonly members: Member[]
}

function group(chance: Chance): Group {
  const names = someNames(chance, 't', chance.pick([1, 1, 2, 2, 3, 3, 4, 6]))
  const racks = chance.odds(0.35) ? chance.pick(['spread', 'spread', 'one', 'holes']) : null
  const gaps = chance.odds(0.15)
  const topics = names.filter(() => !chance.odds(0.06)).map((name) => topic(chance, name, racks, gaps))
  return { topics: chance.shuffled(topics), members: members(chance, names, racks !== null) }
}

function someNames(chance: Chance, prefix: string, count: number): string[] {
  const style = chance.between(0, 5)
  if (style === 0) return chance.shuffled(COLLIDING).slice(0, count)
  if (style === 1) {
    return [...new Set(chance.times(count, () => chance.text(chance.between(1, 3), 'mixed').replaceAll('\0', '_')))]
  }
  return chance
    .shuffled(Array.from({ length: count + chance.between(0, 20) }, (_, i) => `${prefix}${i}`))
    .slice(0, count)
}

function topic(chance: Chance, name: string, racks: string | null, gaps: boolean): Topic {
  const partitions = chance.pick([0, 1, 1, 2, 3, 4, 5, 6, 8, 12, chance.between(0, 30), chance.odds(0.05) ? 200 : 7])
  const ids = gaps && chance.odds(0.6) ? { ids: gappy(chance, partitions) } : {}
  const near =
    racks === null || chance.odds(0.1) ? {} : { racks: chance.times(partitions, () => replicas(chance, racks)) }
  return { name, partitions, ...ids, ...near }
}

function gappy(chance: Chance, partitions: number): number[] {
  const all = Array.from({ length: chance.odds(0.5) ? partitions : partitions * 2 + 1 }, (_, i) => i)
  const ids = chance.shuffled(all).slice(0, partitions)
  return chance.odds(0.5) ? ids : ids.sort((a, b) => a - b)
}

function replicas(chance: Chance, style: string): (string | null)[] {
  if (style === 'one') return [chance.pick(RACKS)]
  const racks = chance.shuffled(RACKS).slice(0, chance.between(0, 3))
  return racks.map((rack) => (style === 'holes' && chance.odds(0.3) ? null : rack))
}

function members(chance: Chance, names: readonly string[], racks: boolean): Member[] {
  const count = chance.pick([1, 2, 2, 3, 3, 4, 5, 6, 8, 13, chance.between(1, 30)])
  const subscriptions = chance.pick(['equal', 'equal', 'equal', 'nested', 'random', 'random', 'odd'])
  const near = racks ? chance.pick(['all', 'some', 'none']) : chance.odds(0.05) ? 'some' : 'none'
  const instances = chance.pick(['none', 'none', 'some', 'twins'])
  return someNames(chance, 'm', count).map((id, i) => {
    const topics = subscription(chance, subscriptions, names, i)
    const rack =
      near === 'all' || (near === 'some' && chance.odds(0.6)) ? { rack: chance.pick([...RACKS, 'z', '']) } : {}
    const instance = instances !== 'none' && chance.odds(0.6)
    const instanceId = instances === 'twins' ? chance.pick(['i0', 'i1']) : `i${chance.between(0, 99)}`
    return { id, topics, ...rack, ...(instance ? { instanceId } : {}) }
  })
}

function subscription(chance: Chance, style: string, names: readonly string[], i: number): string[] {
  let topics = chance.shuffled(names)
  if (style === 'nested') topics = names.slice(0, i % (names.length + 1))
  if (style === 'random') topics = topics.slice(0, chance.between(0, names.length))
  if (style === 'odd' && i === 0) topics = topics.slice(1)
  if (chance.odds(0.03)) return []
  if (chance.odds(0.03)) topics = [...topics, ...topics.slice(0, 1)]
  return chance.odds(0.03) ? [...topics, 'no-metadata'] : topics
}

/** Everybody owns something of what it could, or of anything; then the claims are spoiled. */
function withPast(chance: Chance, assignor: string, { topics, members }: Group): Group {
  if (chance.odds(0.15) || members.length === 0) return { topics, members }
  const owners = chance.shuffled(members).slice(0, chance.between(1, members.length))
  const held = new Map<string, TopicPartition[]>(members.map(({ id }) => [id, []]))
  const loose = chance.odds(0.3)
  const even = chance.odds(0.5)
  const partitions = topics.flatMap(({ name, partitions, ids }) =>
    Array.from({ length: partitions }, (_, i) => ({ topic: name, partition: ids?.[i] ?? i })),
  )
  for (const [i, one] of chance.shuffled(partitions).entries()) {
    const may = owners.filter((member) => loose || member.topics.includes(one.topic))
    if (may.length > 0 && !chance.odds(0.1)) held.get((even ? may[i % may.length]! : chance.pick(may)).id)!.push(one)
  }
  if (chance.odds(0.3)) gatherByHash(held)
  const spoil = chance.pick(['none', 'none', 'claims', 'claims', 'stale', 'gone', 'beyond'])
  const generation = chance.pick([0, 1, 5, 5, 41])
  const spoiled = members.map((member) => spoiledMember(chance, { assignor, spoil, generation, topics }, member, held))
  return { topics, members: spoiled }
}

/** Lists in the order of the partitions' hash codes. */
function gatherByHash(held: Map<string, TopicPartition[]>): void {
  const hash = ({ topic, partition }: TopicPartition) => topicPartitionHash(topic, partition)
  for (const list of held.values()) list.sort((a, b) => hash(a) - hash(b))
}

interface Spoil {
  readonly assignor: string
  readonly spoil: string
  readonly generation: number
  readonly topics: readonly Topic[]
}

function spoiledMember(
  chance: Chance,
  { assignor, spoil, generation, topics }: Spoil,
  member: Member,
  held: ReadonlyMap<string, TopicPartition[]>,
): Member {
  let owned = [...held.get(member.id)!]
  let mine: number | null = generation
  if (spoil === 'claims' && chance.odds(0.6)) {
    const other = chance.pick([...held.values()])
    owned = [...owned, ...other.filter(() => chance.odds(0.6))]
    mine = Math.max(-1, generation + chance.pick([0, 0, 0, -1, 1]))
  }
  if (spoil === 'stale' && chance.odds(0.5)) mine = chance.pick([null, -1, Math.max(-1, generation - 1), 0])
  if (spoil === 'gone' && chance.odds(0.5))
    owned.splice(chance.between(0, owned.length), 0, { topic: 'gone', partition: 0 })
  if (spoil === 'beyond' && chance.odds(0.4) && topics.length > 0) {
    const { name, partitions } = chance.pick(topics)
    // Numbers 2^31 apart are sorted as Java does where fewer than 32 are kept.
    const few = topics.reduce((sum, one) => sum + one.partitions, 0) < 16
    const partition = chance.odds(few ? 0.2 : 0)
      ? chance.pick([-1, 0x7fffffff, -0x80000000])
      : partitions + chance.between(0, 3)
    owned.splice(chance.between(0, owned.length), 0, { topic: name, partition })
  }
  if (owned.length === 0 && chance.odds(0.4)) return member
  return told(chance, assignor, member, owned, mine)
}

/** As the member's own assignor tells it, now and then by an older version of the protocol. */
function told(
  chance: Chance,
  assignor: string,
  member: Member,
  owned: readonly TopicPartition[],
  generation: number | null,
): Member {
  const field = generation === null ? {} : { generation }
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  if (assignor === 'cooperative-sticky') {
    if (!chance.odds(0.1)) return { ...member, owned: flat(owned), ...field }
    const bytes = protocol.encodeCooperativeUserData(generation ?? -1)
    return { ...member, owned: flat(owned), userData: base64(chance.odds(0.2) ? bytes.subarray(0, 2) : bytes) }
  }
  const bytes = protocol.encodeStickyUserData({
    ownedPartitions: owned,
    generationId: chance.odds(0.1) ? null : generation,
  })
  const data = chance.odds(0.03) ? bytes.subarray(0, chance.between(0, bytes.length)) : bytes
  const old = chance.odds(0.12)
  return { ...member, ...(old ? {} : { owned: flat(owned), ...field }), userData: base64(data) }
}

function flat(partitions: readonly TopicPartition[]): Flat {
  return partitions.flatMap(({ topic, partition }) => [topic, partition])
}

/** Orders of hash maps: enough of one hash code for trees, and tables that grow. */
export const mapOrder: Draw = (chance) => {
  const copy = chance.odds(0.3) ? { copy: true } : {}
  const initialCapacity = chance.odds(0.1) ? { initialCapacity: chance.pick([0, 1, 2, 3, 16, 17, 64, 100]) } : {}
  const count = chance.pick([chance.between(0, 14), chance.between(0, 60), chance.between(40, 300)])
  if (chance.odds(0.3)) {
    const stride = chance.pick([1, 16, 32, 64, 1024, 65536])
    const values = chance.times(count, () => (chance.between(0, 400) * stride) | 0)
    return whole({ op: 'javaMapOrder', kind: 'int', values, ...copy, ...initialCapacity })
  }
  const colliding = chance.shuffled(COLLIDING.flatMap((a) => COLLIDING.map((b) => a + b)))
  const values = chance.times(count, (i) =>
    chance.odds(0.6) ? colliding[i % 256]! : chance.text(chance.between(1, 6)),
  )
  return whole({ op: 'javaMapOrder', values, ...copy, ...initialCapacity })
}
