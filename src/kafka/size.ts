/**
 * What topics ask of brokers: descriptors, map areas, disk, network, and how close the limits are; per broker, rack and
 * cluster, and after the loss of any one broker or rack.
 *
 * Every figure carries its formula, every limit its source. Integers, in bytes and seconds; what is not given is not computed,
 * and said.
 */
import { checkInteger, checkList, checkName, codedError, shown } from '../errors.js'
import { Cluster } from './cluster.js'
import { ClusterBuilder } from './cluster-builder.js'
import { checkFields } from './cluster-checks.js'
import { checkEntryList } from './reassignment-checks.js'
import { Sizing } from './sizing.js'
import { DESCRIPTOR_MODELS } from './sizing-formulas.js'
import { SIZE_CLASSES } from './sizing-limits.js'
import type { SizedTopic, SizingOptions, SizingReport } from './sizing-types.js'

/**
 * Sizes a cluster, or a list of topics.
 *
 * @param what a cluster, or topics with their numbers of partitions
 * @returns figures with formulas and limits
 * Cost: linear in the replicas, and in brokers squared for the losses: a million partitions on 1,000 brokers take a second.
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_NAME
 * @example
 * ```ts
 * kafka.size([{ name: 'orders', partitions: 12 }], { replicationFactor: 3, brokers: 3 }).cluster.figures
 * ```
 */
export function size(what: Cluster | readonly SizedTopic[], options: SizingOptions = {}): SizingReport {
  checkOptions(options)
  if (what instanceof Cluster && options.brokers !== undefined) {
    const message = `brokers: expected with a list of topics alone, since a cluster has its own, got ${options.brokers}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
  }
  const cluster = what instanceof Cluster ? what : dealt(what, options)
  const sizing = new Sizing(cluster, options, what instanceof Cluster || options.brokers !== undefined)
  return sizing.report()
}

const BYTES = [0, Number.MAX_SAFE_INTEGER] as const
const POSITIVE = [1, Number.MAX_SAFE_INTEGER] as const
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  brokers: [1, 10_000],
  replicationFactor: [1, 0x7fff],
  retentionSeconds: BYTES,
  retentionBytes: BYTES,
  segmentBytes: POSITIVE,
  connections: BYTES,
  consumers: BYTES,
  disk: POSITIVE,
  fillPercent: [1, 100],
  descriptorLimit: POSITIVE,
  mapLimit: POSITIVE,
  groupMembers: POSITIVE,
  throttle: POSITIVE,
}

function checkOptions(options: SizingOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `options: expected an object, got ${shown(options)}`)
  }
  const named = ['rate', 'descriptorModel', 'sizeClass', 'waves']
  for (const [name, value] of Object.entries(options)) {
    checkName(name, 'options, a field', [...Object.keys(RANGES), ...named])
    if (name === 'rate') checkRate(value)
    else if (value !== undefined && Object.hasOwn(RANGES, name)) checkInteger(value, name, RANGES[name]!)
  }
  const { descriptorModel, sizeClass, waves } = options
  if (waves !== undefined) {
    checkList(waves, 'waves')
    for (const [i, wave] of waves.entries()) checkEntryList(wave, `waves[${i}]`)
  }
  if (descriptorModel !== undefined) checkName(descriptorModel, 'descriptorModel', Object.keys(DESCRIPTOR_MODELS))
  if (sizeClass !== undefined) checkName(sizeClass, 'sizeClass', Object.keys(SIZE_CLASSES))
}

/** A quotient need be no integer. */
function checkRate(rate: unknown): void {
  if (rate === undefined) return
  if (typeof rate !== 'number') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `rate: expected a number, got ${shown(rate)}`)
  }
  if (rate >= 0 && rate <= Number.MAX_SAFE_INTEGER) return
  const message = `rate: expected a number in [0, ${Number.MAX_SAFE_INTEGER}], got ${rate}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
}

/** Topics dealt to brokers in turn, partition after partition; of brokers unknown, to as many as the replicas of one take. */
function dealt(topics: readonly SizedTopic[], { brokers: wanted, replicationFactor = 1 }: SizingOptions): Cluster {
  checkList(topics, 'topics')
  const sized = topics.map((topic, i) => checkedTopic(topic, `topics[${i}]`, replicationFactor))
  const most = sized.reduce((factor, topic) => Math.max(factor, topic.replicationFactor), 1)
  const brokers = wanted ?? most
  const above = sized.findIndex((topic) => topic.replicationFactor > brokers)
  if (above >= 0) {
    const factor = sized[above]!.replicationFactor
    const message = `topics[${above}].replicationFactor: expected at most the number of brokers, ${brokers}, got ${factor}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message, { index: above })
  }
  const builder = new ClusterBuilder()
  for (let id = 0; id < brokers; id++) builder.addBroker({ id })
  // No object a partition: there may be millions.
  const row = { partition: 0, replicas: new Int32Array(most), count: 0, bytes: -1 }
  let first = 0
  for (const { name, partitions, replicationFactor: factor } of sized) {
    const topic = builder.openTopic()
    builder.nameTopic(topic, { name })
    row.count = factor
    for (row.partition = 0; row.partition < partitions; row.partition++, first++) {
      for (let j = 0; j < factor; j++) row.replicas[j] = (first + j) % brokers
      builder.addRow(topic, row)
    }
  }
  return new Cluster(builder.build())
}

function checkedTopic(
  topic: SizedTopic,
  where: string,
  factor: number,
): Required<SizedTopic> & { replicationFactor: number } {
  checkFields(topic, where, ['name', 'partitions', 'replicationFactor'])
  const { name, partitions, replicationFactor = factor } = topic
  if (typeof name !== 'string' || name === '') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}.name: expected a topic's name, got ${shown(name)}`)
  }
  checkInteger(partitions, `${where}.partitions`, [1, 10_000_000])
  checkInteger(replicationFactor, `${where}.replicationFactor`, [1, 0x7fff])
  return { name, partitions, replicationFactor }
}
