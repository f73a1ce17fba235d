/**
 * Whether equal keys of several topics lie in equal partitions, so that a join, or a group that `range` assigns, lines up.
 *
 * For whoever joins topics (Kafka Streams asks for it), or reads several in one `range` group. Topics line up if they have
 * as many partitions, and if their producers hash alike: partitioners are compared by what they do with a key, not by name,
 * so `kafka` and `librdkafka-murmur2-random` line up. Records without a key never do.
 */
import { checkInteger, checkList, checkName, codedError, shown } from '../errors.js'
import { NameIndex } from './group-names.js'
import { PARTITIONER_NAMES, type PartitionerName, partitioners } from './partitioners.js'

/** A topic, and who writes to it. */
export interface PartitionedTopic {
  readonly name: string
  readonly partitions: number
  /** The partitioner of its producers. Default: `kafka`. */
  readonly partitioner?: PartitionerName
}

/** Topics that line up. */
export interface CoPartitionedTopics {
  readonly partitions: number
  /** Names of the partitioners: all place a key alike. */
  readonly partitioners: readonly PartitionerName[]
  readonly topics: readonly string[]
}

/** A topic that does not line up with the first set. */
export interface CoPartitionDifference {
  readonly topic: string
  /** Each that differs: the count, how a key is placed, or only how an empty key is. */
  readonly differs: readonly ('partitions' | 'partitioner' | 'empty keys')[]
  /** The same in words. */
  readonly message: string
}

export interface CoPartitioning {
  /** True where all topics line up. */
  readonly coPartitioned: boolean
  /** Sets of topics that line up, the largest first; of two alike the one that is named first. */
  readonly sets: readonly CoPartitionedTopics[]
  /** Every topic outside the first set, as given. */
  readonly differences: readonly CoPartitionDifference[]
}

const MOST = 0x7fffffff

/**
 * Which of these topics line up, and what differs where they do not.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_NUM_PARTITIONS, ERR_PLACEMENT_UNKNOWN_NAME, ERR_PLACEMENT_DUPLICATE
 * @example
 * kafka.coPartitioned([{ name: 'orders', partitions: 12 }, { name: 'payments', partitions: 6 }]).coPartitioned // false
 */
export function coPartitioned(topics: readonly PartitionedTopic[]): CoPartitioning {
  checkList(topics, 'topics')
  const names = new NameIndex()
  const checked = topics.map((topic, i) => checkTopic(names, topic, `topics[${i}]`))
  const sets = setsOf(checked)
  const [first] = sets
  const differences = first === undefined ? [] : checked.flatMap((topic) => differenceOf(topic, first))
  return { coPartitioned: sets.length <= 1, sets, differences }
}

function checkTopic(names: NameIndex, topic: PartitionedTopic, where: string): Required<PartitionedTopic> {
  if (typeof topic !== 'object' || topic === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a topic, got ${shown(topic)}`)
  }
  const { name, partitions, partitioner = 'kafka' } = topic
  names.add(name, `${where}.name`)
  checkInteger(partitions, `${where}.partitions`, [1, MOST], 'ERR_PLACEMENT_NUM_PARTITIONS')
  return { name, partitions, partitioner: checkName(partitioner, `${where}.partitioner`, PARTITIONER_NAMES) }
}

function setsOf(topics: readonly Required<PartitionedTopic>[]): CoPartitionedTopics[] {
  const sets = new Map<string, { partitions: number; partitioners: PartitionerName[]; topics: string[] }>()
  for (const { name, partitions, partitioner } of topics) {
    const { hash, reduction, emptyKey } = partitioners[partitioner]
    const key = [partitions, hash, reduction, emptyKey].join()
    const set = sets.get(key) ?? { partitions, partitioners: [], topics: [] }
    set.topics.push(name)
    if (!set.partitioners.includes(partitioner)) set.partitioners.push(partitioner)
    sets.set(key, set)
  }
  return [...sets.values()].sort((a, b) => b.topics.length - a.topics.length)
}

function differenceOf(topic: Required<PartitionedTopic>, first: CoPartitionedTopics): CoPartitionDifference[] {
  const [mine, theirs] = [partitioners[topic.partitioner], partitioners[first.partitioners[0]!]]
  const differs: CoPartitionDifference['differs'][number][] = []
  const words: string[] = []
  if (topic.partitions !== first.partitions) {
    differs.push('partitions')
    words.push(`${topic.partitions} partitions, not ${first.partitions}`)
  }
  if (mine.hash !== theirs.hash || mine.reduction !== theirs.reduction) {
    differs.push('partitioner')
    words.push(`keys placed by ${topic.partitioner}, not ${first.partitioners[0]}`)
  } else if (mine.emptyKey !== theirs.emptyKey) {
    differs.push('empty keys')
    words.push(`empty keys ${mine.emptyKey === 'draws' ? 'drawn' : 'hashed'} by ${topic.partitioner}`)
  }
  const message = `${topic.name} does not line up with ${first.topics[0]}: ${words.join('; ')}`
  return differs.length === 0 ? [] : [{ topic: topic.name, differs, message }]
}
