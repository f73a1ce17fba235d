/**
 * Questions to kafka-reassign-partitions: files that are right, spoilt in one place or many, arguments, proposals, throttles,
 * and whole runs against a cluster on paper.
 */
import type { Chance } from '../chance.js'
import { type Draw, type Question, whole } from '../question.js'
import { drawBrokers } from './replicas.js'

/** Alike in `String.hashCode`, and in the order of UTF-16 other than of code points. */
const TOPICS = [
  ...['a', 'b', 'AaAa', 'AaBB', 'BBAa', 'BBBB', '\uffee', '\u{1f600}', 'é', 'x-1', 'x'],
  // Names that JavaScript's objects put first, or take for their own; a dot.
  ...['10', '9', '-', '__proto__', 'constructor', 'a.b'],
]

const ONES = (count: number) => '1'.repeat(count)

/** What files are spoilt with. */
const SPOILS = [
  ...'{}[]",:\\/ \n\r\t-+.0189eEtruefalsnNI\u0001\u007f\u00e9\ud800$#\'',
  'true',
  'null',
  'Infinity',
  'NaN',
  '\\u12',
  '1.5',
  '-0',
  '//',
  '\ufeff',
  '2147483648',
  '1e400',
  '"log_dirs":["/d"],',
  '"__proto__":1,',
  '{"version":2}',
  ...[999, 1000, 1001].flatMap((count) => [ONES(count), `1.${ONES(count)}`, `0.${ONES(count)}`, `0e${ONES(count)}`]),
  '['.repeat(1001),
  `"${'n'.repeat(50_001)}":0,`,
]

/** The releases up to 4.0 draw from a source that cannot be set in the tool. */
export const reassignment: Draw = (chance, release) => {
  const kinds = [file, file, format, throttles, run, run, run]
  return chance.pick(release === '4.0' ? kinds : [...kinds, propose, generate])(chance)
}

function file(chance: Chance): Question {
  const op = chance.pick([
    'parseReassignment',
    'parseReassignment',
    'parseExecuteArgs',
    'parseTopicsToMove',
    'parseGenerateArgs',
  ])
  const isTopics = op === 'parseTopicsToMove' || op === 'parseGenerateArgs'
  const json = spoilt(chance, isTopics ? topicsJson(chance) : reassignmentJson(chance, 12))
  return whole(op === 'parseGenerateArgs' ? { op, json, brokers: brokerList(chance) } : { op, json })
}

function topicsJson(chance: Chance): string {
  const topics = chance.times(chance.between(0, 4), () => ({ topic: chance.pick(TOPICS) }))
  return JSON.stringify(chance.odds(0.5) ? { version: 1, topics } : { topics })
}

interface Partition {
  readonly topic: string
  readonly partition: number
  readonly replicas: number[]
}

function partition(chance: Chance, brokers: number): Partition & { log_dirs?: string[] } {
  const replicas = chance.times(chance.pick([1, 2, 2, 3, 0]), () => chance.between(0, brokers))
  const entry = { topic: chance.pick(TOPICS), partition: chance.between(0, 3), replicas }
  if (!chance.odds(0.3)) return entry
  const dirs = chance.odds(0.9) ? replicas.length : replicas.length + 1
  return { ...entry, log_dirs: chance.times(dirs, () => chance.pick(['any', '/x', '/y'])) }
}

function reassignmentJson(chance: Chance, brokers: number): string {
  const partitions = chance.times(chance.between(0, 4), () => partition(chance, brokers))
  return JSON.stringify({ version: 1, partitions }, null, chance.pick([0, 0, 1]))
}

/** Half of the files stay as they are. */
function spoilt(chance: Chance, json: string): string {
  let text = json
  for (let times = chance.pick([0, 0, 0, 1, 1, 3]); times > 0; times--) {
    const at = chance.between(0, text.length)
    const style = chance.between(0, 9)
    const to = style < 4 ? at + chance.pick([1, 1, 2, 5]) : style < 8 ? at : text.length
    text = text.slice(0, at) + (style < 4 ? '' : style < 8 ? chance.pick(SPOILS) : '') + text.slice(to)
  }
  return text
}

function brokerList(chance: Chance): string {
  const pieces = chance.times(chance.between(0, 5), () => String(chance.between(0, 40)))
  const odd = ['', ' 1', '+1', '01', 'a', '-1', '٣', '2147483647', '2147483648', '0.5', ',']
  return (chance.odds(0.7) ? pieces : chance.shuffled([...pieces, chance.pick(odd)])).join(',')
}

function format(chance: Chance): Question {
  const partitions = chance.times(chance.between(0, 5), (i) => {
    const topic = chance.odds(0.5) ? chance.pick(TOPICS) : chance.text(chance.between(0, 5), 'mixed')
    const replicas = chance.times(chance.between(0, 3), (k) => k * 5 + chance.between(0, 4))
    return chance.odds(0.5)
      ? [topic, i, replicas]
      : [topic, i, replicas, replicas.map(() => chance.pick([null, 'any', '/"d\t']))]
  })
  return whole({ op: 'formatReassignment', partitions })
}

/** Rows of several topics, each partition once. */
function rows(chance: Chance, most: number): [string, number, number[]][] {
  const topics = chance.shuffled(TOPICS).slice(0, chance.between(1, 5))
  return topics.flatMap((topic) =>
    chance.shuffled(chance.times(chance.between(1, most), (i) => i)).map((number): [string, number, number[]] => {
      return [topic, number, distinct(chance, chance.between(1, 3), 12)]
    }),
  )
}

const distinct = (chance: Chance, count: number, brokers: number): number[] =>
  chance.shuffled(chance.times(brokers, (i) => i)).slice(0, count)

function propose(chance: Chance): Question {
  const brokers = drawBrokers(chance, 9, chance.pick(['none', 'all']))
  return whole({ op: 'proposeReassignment', current: rows(chance, 6), brokers, seed: chance.uint32() })
}

function throttles(chance: Chance): Question {
  const current = rows(chance, 12)
  const some = current.filter(() => chance.odds(0.4))
  const proposed = some.map(([topic, number]) => [topic, number, distinct(chance, chance.between(1, 3), 12)])
  const moving = current.filter(() => chance.odds(0.2))
  const reassigning = moving.map(([topic, number, replicas]) => {
    return {
      topic,
      partition: number,
      replicas: [...replicas, 20],
      adding: [20],
      removing: chance.odds(0.5) ? [replicas[0]!] : [],
    }
  })
  const unknown = chance.odds(0.05) ? [['z', 0, [1]]] : []
  return whole({ op: 'throttles', current, proposed: [...proposed, ...unknown], reassigning })
}

interface Cluster {
  readonly brokers: readonly object[]
  readonly topics: readonly { readonly name: string; readonly partitions: number[][] }[]
}

function cluster(chance: Chance, brokers: readonly object[]): Cluster {
  const names = chance.shuffled(TOPICS).slice(0, chance.between(1, 4))
  const topics = names.map((name) => ({
    name,
    partitions: chance.times(chance.between(1, 4), () => distinct(chance, chance.between(1, 3), 6)),
  }))
  return { brokers, topics }
}

function generate(chance: Chance): Question {
  const brokers = drawBrokers(chance, 6, chance.pick(['none', 'all', 'all', 'some']))
  const { topics } = cluster(chance, brokers)
  const asked = topics.filter(() => chance.odds(0.8)).map(({ name }) => ({ topic: name }))
  if (chance.odds(0.05)) asked.push({ topic: chance.pick(TOPICS) })
  const list = chance.odds(0.1)
    ? brokerList(chance)
    : brokers
        .map(({ id }) => id)
        .filter(() => chance.odds(0.9))
        .join(',')
  return whole({
    op: 'reassignmentTool',
    action: 'generate',
    cluster: { brokers, topics, ...extras(chance, topics) },
    json: JSON.stringify({ topics: asked }),
    brokers: list,
    seed: chance.uint32(),
    disableRackAware: chance.odds(0.2),
  })
}

/** What may be known of the partitions beside their replicas. */
function extras(chance: Chance, topics: Cluster['topics']): object {
  const all = topics.flatMap(({ name, partitions }) =>
    partitions.map((replicas, i) => ({ topic: name, partition: i, replicas })),
  )
  const some = (odds: number) => all.filter(() => chance.odds(odds))
  const reassigning = chance.odds(0.4) ? some(0.3).map((entry) => moving(chance, entry)) : []
  const logDirs = chance.odds(0.5)
    ? some(0.8).flatMap((entry) => entry.replicas.map((broker) => logDir(chance, entry, broker)))
    : []
  const refused = chance.odds(0.1)
    ? some(0.3).map(({ topic, partition: number }) => ({ topic, partition: number, message: 'not this' }))
    : []
  return { reassigning, logDirs, refused }
}

function moving(chance: Chance, { replicas, ...entry }: Partition) {
  const [adding, removing] = [chance.odds(0.7) ? [9] : [], chance.odds(0.5) ? replicas.slice(0, 1) : []]
  return { ...entry, replicas: [...replicas, ...adding], adding, removing }
}

function logDir(chance: Chance, { topic, partition: number }: Partition, broker: number) {
  const dirs = ['/x', '/y', '/z']
  const future = chance.odds(0.3) ? { future: chance.pick(dirs) } : {}
  return chance.odds(0.1)
    ? { topic, partition: number, broker }
    : { topic, partition: number, broker, current: chance.pick(dirs), ...future }
}

function run(chance: Chance): Question {
  const brokers = chance.times(chance.between(4, 7), (id) => ({ id }))
  const { topics } = cluster(chance, chance.shuffled(brokers))
  const action = chance.pick(['execute', 'execute', 'verify', 'verify', 'cancel', 'list'])
  const base = { op: 'reassignmentTool', action, cluster: { brokers, topics, ...extras(chance, topics) } }
  if (action === 'list') return whole(base)
  const json = chance.odds(0.1) ? reassignmentJson(chance, 6) : plausibleJson(chance, topics)
  if (action !== 'execute') return whole({ ...base, json, preserveThrottles: chance.odds(0.2) })
  const throttle = chance.odds(0.5) ? { throttle: chance.pick([0, 1, 1000, 2 ** 40]) } : {}
  const logDirThrottle = chance.odds(0.3) ? { logDirThrottle: chance.pick([0, 500]) } : {}
  return whole({ ...base, json, additional: chance.odds(0.5), ...throttle, ...logDirThrottle })
}

/** Mostly partitions that are there, on brokers that are there. */
function plausibleJson(chance: Chance, topics: Cluster['topics']): string {
  const partitions = topics.flatMap(({ name, partitions: lists }) =>
    lists.flatMap((replicas, i) => {
      if (chance.odds(0.4)) return []
      const wanted = chance.odds(0.3) ? replicas : distinct(chance, chance.between(1, 3), chance.odds(0.97) ? 4 : 9)
      const dirs = chance.odds(0.3) ? { log_dirs: wanted.map(() => chance.pick(['any', '/x', '/y'])) } : {}
      return [{ topic: name, partition: chance.odds(0.97) ? i : i + 4, replicas: wanted, ...dirs }]
    }),
  )
  return JSON.stringify({ version: 1, partitions: chance.shuffled(partitions) })
}
