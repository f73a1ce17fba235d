/**
 * Questions to the broker-side assignors: small groups where every tie and defect comes up often.
 *
 * A past is drawn as the answer to a group that has changed since, or as a plausible split of the partitions, then spoiled:
 * partitions of others, of topics that are gone or given up, numbers beyond the count. Ids collide on purpose, in their
 * buckets and in all of their hash codes; so do the numbers of partitions.
 */
import { Buffer } from 'node:buffer'
import { answerOf } from '../../vectors/answer.js'
import { kafkaServerOps } from '../../vectors/kafka-server-ops.js'
import type { Chance } from '../chance.js'
import { type Draw, whole } from '../question.js'

type Flat = (string | number)[]
type ServerRequest = Parameters<typeof kafkaServerOps.serverAssign>[0]
type Topic = ServerRequest['topics'][number]
type Member = ServerRequest['members'][number]
type Assignor = ServerRequest['assignor']

export const uniform: Draw = (chance) => whole(stateful(chance, 'uniform'))
export const serverRange: Draw = (chance) => whole(requestOf(chance, 'range', group(chance, 'range')))
export const share: Draw = (chance) => whole(stateful(chance, 'simple'))

interface Group {
  readonly topics: readonly Topic[]
  readonly members: readonly Member[]
  readonly type: ServerRequest['type']
}

function requestOf(chance: Chance, assignor: Assignor, { topics, members, type }: Group) {
  const order = chance.odds(0.4) ? { order: chance.pick(['java', 'given'] as const) } : {}
  return { op: 'serverAssign', assignor, type, topics, members, ...order }
}

function stateful(chance: Chance, assignor: Assignor) {
  const now = group(chance, assignor)
  const past = chance.pick(['none', 'answer', 'answer', 'split', 'split', 'split'])
  if (past === 'none') return requestOf(chance, assignor, now)
  const held = past === 'answer' ? answered(chance, assignor, now) : split(chance, assignor, now)
  return requestOf(chance, assignor, { ...now, members: spoiled(chance, now, held) })
}

function group(chance: Chance, assignor: Assignor): Group {
  const count = chance.pick([1, 1, 2, 2, 3, 3, 4, 6, 10, chance.odds(0.1) ? 40 : 14])
  const ids = topicIds(chance, count, assignor === 'simple' ? FEW_ALIKE : count)
  const few = chance.odds(0.3)
  const limited = assignor === 'simple' && chance.odds(0.2)
  const topics = ids.map((id): Topic => {
    const partitions = few ? chance.between(0, 3) : chance.pick([0, 1, 1, 2, 3, 4, 5, 7, 12, chance.between(0, 40)])
    if (!limited || chance.odds(0.1)) return { id, partitions }
    const all = Array.from({ length: partitions + chance.between(0, 1) }, (_, i) => i)
    return { id, partitions, assignable: chance.shuffled(all).slice(0, chance.between(0, all.length)) }
  })
  const equal = chance.odds(0.5)
  const told = chance.odds(0.93) ? equal : !equal
  return {
    topics: chance.shuffled(topics).filter(() => !chance.odds(0.01)),
    members: someMembers(chance, ids, equal),
    type: told ? 'homogeneous' : 'heterogeneous',
  }
}

/** Keys of one hash code in a full bucket are ordered by where they lie in memory, in Java: `simple` has such keys. */
const FEW_ALIKE = 3

/** Uuids: at random, or no more than `alike` with words of small numbers, of one hash code, or of one bucket. */
function topicIds(chance: Chance, count: number, alike: number): string[] {
  const style = chance.pick(['random', 'random', 'small', 'alike', 'bucket'])
  const hash = chance.uint32()
  const ids = chance.times(style === 'random' ? count : Math.min(count, alike), () => {
    if (style === 'small') return uuid(chance.times(4, () => chance.between(0, 3)))
    const words = chance.times(4, () => chance.uint32())
    if (style === 'alike') words[3] = (words[0]! ^ words[1]! ^ words[2]! ^ hash) >>> 0
    if (style === 'bucket') words[3] = (words[0]! ^ words[1]! ^ words[2]! ^ (chance.between(0, 5) << 6)) >>> 0
    return uuid(words)
  })
  return [...new Set(ids)]
}

function uuid(words: readonly number[]): string {
  const bytes = Buffer.alloc(16)
  for (const [i, word] of words.entries()) bytes.writeUInt32BE(word, 4 * i)
  return bytes.toString('base64url')
}

function someMembers(chance: Chance, ids: readonly string[], equal: boolean): Member[] {
  const count = chance.pick([0, 1, 2, 2, 3, 3, 4, 5, 6, 8, 13, chance.between(1, 60)])
  const style = equal ? 'equal' : chance.pick(['nested', 'random', 'random', 'odd', 'buckets'])
  const instances = chance.pick(['none', 'none', 'some', 'twins'])
  const names = chance.shuffled(Array.from({ length: count + 20 }, (_, i) => `m${i}`)).slice(0, count)
  return names.map((id, i): Member => {
    const topics = [...subscription(chance, style, ids, i)]
    if (chance.odds(0.004)) topics.splice(chance.between(0, topics.length), 0, ...topicIds(chance, 2, 2))
    const twin = instances === 'twins' ? chance.pick(['i0', 'i1']) : `i${chance.between(0, 99)}`
    return {
      id,
      topics: [...new Set(topics)],
      ...(instances !== 'none' && chance.odds(0.6) && { instanceId: twin }),
      ...(chance.odds(0.05) && { rack: 'r' }),
    }
  })
}

function subscription(chance: Chance, style: string, ids: readonly string[], i: number): readonly string[] {
  if (!['equal', 'nested', 'buckets'].includes(style) && chance.odds(0.03)) return []
  if (style === 'nested') return ids.slice(0, i % (ids.length + 1))
  if (style === 'buckets') return ids.filter((_, topic) => topic % 3 === i % 3)
  const topics = chance.odds(0.5) ? ids : chance.shuffled(ids)
  if (style === 'random') return topics.slice(0, chance.between(0, topics.length))
  return style === 'odd' && i === 0 ? topics.slice(1) : topics
}

type Held = ReadonlyMap<string, readonly (readonly [topic: string, partition: number])[]>

/** What the assignor said to the group as it was: with fewer or more members, and other counts of partitions. */
function answered(chance: Chance, assignor: Assignor, now: Group): Held {
  const kept = now.members.filter(() => !chance.odds(0.2))
  const gone = chance.times(
    chance.between(0, 2),
    (i): Member => ({ id: `gone${i}`, topics: now.members[0]?.topics ?? [] }),
  )
  const topics = now.topics.map((topic) => ({
    ...topic,
    partitions: Math.max(0, topic.partitions - chance.pick([0, 0, 1, 3])),
  }))
  const before = { assignor, type: now.type, topics, members: chance.shuffled([...kept, ...gone]) }
  const answer = answerOf(() => kafkaServerOps.serverAssign(before, '4.4'))
  if (answer === undefined || 'error' in answer) return new Map()
  const { assignment } = answer.ok as { readonly assignment: Readonly<Record<string, Flat>> }
  return new Map(Object.entries(assignment).map(([id, flat]) => [id, pairs(flat)]))
}

function pairs(flat: Flat): [string, number][] {
  let topic = ''
  return flat.flatMap((item): [string, number][] => {
    if (typeof item === 'number') return [[topic, item]]
    topic = item
    return []
  })
}

/** Partitions among some of the members; in a share group to several at once. */
function split(chance: Chance, assignor: Assignor, { topics, members }: Group): Held {
  if (members.length === 0) return new Map()
  const held = new Map<string, [string, number][]>(members.map(({ id }) => [id, []]))
  const owners = chance.shuffled(members).slice(0, chance.between(1, members.length))
  const sharing = assignor === 'simple' ? chance.pick([1, 2, 3, members.length]) : 1
  const [loose, even] = [chance.odds(0.2), chance.odds(0.5)]
  for (const { id, partitions } of topics) {
    const may = owners.filter((member) => loose || member.topics.includes(id))
    if (may.length === 0) continue
    for (const partition of chance.shuffled(Array.from({ length: partitions }, (_, i) => i))) {
      if (chance.odds(0.1)) continue
      const first = even ? partition : chance.between(0, may.length - 1)
      const holders = Math.min(may.length, chance.between(1, sharing))
      for (let i = 0; i < holders; i++) held.get(may[(first + i) % may.length]!.id)!.push([id, partition])
    }
  }
  return held
}

function spoiled(chance: Chance, { topics, members }: Group, held: Held): Member[] {
  const spoil = chance.pick(['none', 'none', 'none', 'none', 'twice', 'beyond', 'gone', 'repeats'])
  const gone = topicIds(chance, chance.pick([1, 2, 12]), 2)
  return members.map((member) => {
    const mine = [...(held.get(member.id) ?? [])]
    if (spoil === 'twice' && chance.odds(0.3))
      mine.push(...(chance.pick([...held.values(), []]) ?? []).filter(() => chance.odds(0.5)))
    if (spoil === 'beyond' && chance.odds(0.2) && topics.length > 0) {
      const { id, partitions } = chance.pick(topics)
      mine.push([id, chance.pick([partitions, partitions + 1, partitions + 16, 64, 1024, 0x7fffffff, -1])])
    }
    if (spoil === 'gone' && chance.odds(0.5))
      mine.push(...gone.map((id): [string, number] => [id, chance.between(0, 40)]))
    if (spoil === 'repeats' && mine.length > 0) mine.push(...chance.shuffled(mine).slice(0, 2))
    const order = chance.odds(0.5) ? mine : chance.shuffled(mine)
    return { ...member, previous: order.flatMap((pair) => [...pair]) }
  })
}
