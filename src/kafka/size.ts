/**
 * What topics ask of brokers: descriptors, map areas, disk, network, and how close the limits are; per broker, rack and
 * cluster, and after the loss of any one broker or rack.
 *
 * Every figure carries its formula, every limit its source. Integers, in bytes and seconds; what is not given is not computed,
 * and said.
 */
import { checkInteger, checkName, codedError, shown } from '../errors.js'
import { Cluster } from './cluster.js'
import { Sizing } from './sizing.js'
import { DESCRIPTOR_MODELS } from './sizing-formulas.js'
import { SIZE_CLASSES } from './sizing-limits.js'
import type { SizedTopic, SizingOptions, SizingReport } from './sizing-types.js'

/**
 * Sizes a cluster, or a list of topics.
 *
 * @param what a cluster, or topics with their numbers of partitions
 * @returns figures with formulas and limits
 * Cost: linear in the replicas, and in brokers squared for the losses.
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_NAME
 * @example
 * ```ts
 * kafka.size([{ name: 'orders', partitions: 12 }], { replicationFactor: 3, brokers: 3 }).cluster.figures
 * ```
 */
export function size(what: Cluster | readonly SizedTopic[], options: SizingOptions = {}): SizingReport {
  checkOptions(options)
  const cluster = what instanceof Cluster ? what : dealt(what, options)
  const sizing = new Sizing(cluster, options, what instanceof Cluster || options.brokers !== undefined)
  return sizing.report()
}

const BYTES = [0, Number.MAX_SAFE_INTEGER] as const
const POSITIVE = [1, Number.MAX_SAFE_INTEGER] as const
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  brokers: [1, 100_000],
  replicationFactor: [1, 0x7fff],
  rate: BYTES,
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
  const named = ['descriptorModel', 'sizeClass', 'waves']
  for (const [name, value] of Object.entries(options)) {
    checkName(name, 'options, a field', [...Object.keys(RANGES), ...named])
    if (value !== undefined && Object.hasOwn(RANGES, name)) checkInteger(value, name, RANGES[name]!)
  }
  const { descriptorModel, sizeClass } = options
  if (descriptorModel !== undefined) checkName(descriptorModel, 'descriptorModel', Object.keys(DESCRIPTOR_MODELS))
  if (sizeClass !== undefined) checkName(sizeClass, 'sizeClass', Object.keys(SIZE_CLASSES))
}

/** Topics dealt to brokers in turn, partition after partition. */
function dealt(topics: readonly SizedTopic[], { brokers = 1, replicationFactor = 1 }: SizingOptions): Cluster {
  if (!Array.isArray(topics)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `topics: expected a cluster or an array, got ${shown(topics)}`)
  }
  let next = 0
  const placed = topics.map(({ name, partitions, replicationFactor: own = replicationFactor }: SizedTopic, i) => {
    checkInteger(partitions, `topics[${i}].partitions`, [1, 10_000_000])
    checkInteger(own, `topics[${i}].replicationFactor`, [1, 0x7fff])
    const factor = Math.min(own, brokers)
    const lists = Array.from({ length: partitions }, () => {
      const first = next++
      return Array.from({ length: factor }, (_, j) => (first + j) % brokers)
    })
    return { name, partitions: lists }
  })
  return Cluster.from({ brokers: Array.from({ length: brokers }, (_, id) => ({ id })), topics: placed })
}
