/** The figures of a sizing: of each broker and rack, of the cluster, and after losses. */
import type { Cluster } from './cluster.js'
import { figure, numberText, withLimit } from './sizing-figures.js'
import {
  brokersByDisk,
  DESCRIPTOR_MODELS,
  groupRecordBytes,
  MAPS_A_SEGMENT,
  minutesUntilDescriptorsRunOut,
  partitionsWithinMaps,
  retainedBytes,
  segmentsOf,
  segmentsWithin,
} from './sizing-formulas.js'
import { DESCRIPTORS, GROUP_RECORD, MAP_AREAS } from './sizing-limits.js'
import { type BrokerLoads, brokerLoads, type PartitionLoad } from './sizing-loads.js'
import { moveTimeFigure, throttleStringFigure } from './sizing-moves.js'
import { PartFigures } from './sizing-part.js'
import type { Figure, SizedPart, SizingOptions, SizingReport } from './sizing-types.js'
import { type WorstOf, worstAfterLoss } from './sizing-worst.js'

/** The comparison that a quantity follows. */
const WORST_BY: Readonly<Record<string, WorstOf>> = {
  replicas: 'replicas',
  leaders: 'leaders',
  segments: 'segments',
  descriptors: 'segments',
  'map areas': 'segments',
  disk: 'bytes',
  'network in': 'networkIn',
  'network out': 'networkOut',
}

export class Sizing {
  readonly #cluster: Cluster
  readonly #options: SizingOptions
  readonly #hasBrokers: boolean
  readonly #notComputed: string[] = []
  /** Bytes a second of each partition. */
  readonly #rate: number | undefined
  /** Of each partition, where the cluster does not tell them one by one. */
  readonly #bytes: number | undefined
  readonly #parts: PartFigures

  constructor(cluster: Cluster, options: SizingOptions, hasBrokers: boolean) {
    this.#cluster = cluster
    this.#options = options
    this.#hasBrokers = hasBrokers
    this.#rate = options.rate === undefined ? undefined : options.rate / Math.max(1, cluster.length)
    const { retentionSeconds, retentionBytes } = options
    this.#bytes =
      this.#rate === undefined || retentionSeconds === undefined
        ? retentionBytes
        : retainedBytes(this.#rate, retentionSeconds, retentionBytes)
    const bytesFormula = this.#bytesFormula()
    const hasSegments = options.segmentBytes !== undefined && bytesFormula !== null
    const hasRate = this.#rate !== undefined
    this.#parts = new PartFigures(options, { hasRate, bytesFormula, hasSegments })
    if (!hasSegments)
      this.#missing('segments, descriptors and map areas', 'segment bytes, and retention with a rate or in bytes')
    if (bytesFormula === null) this.#missing('disk', 'retention with a rate, or in bytes')
    if (!hasRate) this.#missing('network', 'a rate')
  }

  /** How the bytes of a replica come about; `null` where they are not known. */
  #bytesFormula(): string | null {
    const { bytes, length } = this.#cluster
    const { retentionSeconds, retentionBytes } = this.#options
    if (length === 0) return null
    if (bytes !== null) return 'bytes that the cluster tells'
    if (this.#rate === undefined || retentionSeconds === undefined)
      return retentionBytes === undefined ? null : `${retentionBytes} bytes`
    const written = `${numberText(this.#rate)} bytes/s × ${retentionSeconds} s`
    return retentionBytes === undefined ? written : `min(${written}, ${retentionBytes} bytes)`
  }

  report(): SizingReport {
    const cluster = this.#cluster
    const loads = brokerLoads(cluster, this.#loadOf)
    const brokers = this.#hasBrokers
      ? cluster.brokers.map((broker, at) => ({
          name: `broker ${broker.id}`,
          figures: this.#parts.of(loads.sumsOf([at]), broker),
        }))
      : []
    if (!this.#hasBrokers) this.#notComputed.push('figures of each broker: they take the number of brokers')
    const racks = this.#racks()
    const ofRacks = racks.map(([, members]) => members)
    return {
      cluster: { name: 'cluster', figures: this.#clusterFigures(loads) },
      brokers,
      racks: racks.map(([name, members]) => ({
        name: `rack ${name}`,
        figures: this.#parts.of(loads.sumsOf(members), null),
      })),
      afterBrokerLoss: this.#worst(
        loads,
        'broker',
        cluster.brokers.map((_, at) => [at]),
        cluster.brokers.map(({ id }) => id),
      ),
      afterRackLoss: this.#worst(
        loads,
        'rack',
        ofRacks,
        racks.map(([name]) => name),
      ),
      notComputed: this.#notComputed,
    }
  }

  #racks(): [name: string, brokers: number[]][] {
    const racks = new Map<string, number[]>()
    for (const [at, { rack }] of this.#cluster.brokers.entries()) {
      if (rack === null) continue
      const members = racks.get(rack)
      if (members === undefined) racks.set(rack, [at])
      else members.push(at)
    }
    return [...racks].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  readonly #loadOf = (row: number): PartitionLoad => {
    const bytes = this.#bytesOf(row)
    const { segmentBytes } = this.#options
    const segments = segmentBytes === undefined || bytes === undefined ? 1 : segmentsOf(bytes, segmentBytes)
    return { rate: this.#rate ?? 0, bytes: bytes ?? 0, segments }
  }

  #bytesOf(row: number): number | undefined {
    return this.#cluster.bytes?.[row] ?? this.#bytes
  }

  #missing(what: string, needed: string): void {
    this.#notComputed.push(`${what}: it takes ${needed}`)
  }

  #clusterFigures(loads: BrokerLoads): Figure[] {
    const sums = loads.sumsOf([...this.#cluster.brokers.keys()])
    return [
      figure('topics', this.#cluster.topicNames.length, '', 'topics'),
      figure('partitions', this.#cluster.length, '', 'Σ partitions'),
      ...this.#parts.of(this.#hasBrokers ? sums : { ...sums, brokers: 1 }, null),
      ...this.#descriptorFigures(),
      ...this.#brokersByDisk(),
      ...this.#groupFigures(),
      ...this.#moveFigures(),
    ]
  }

  /** Of one broker that takes the whole rate. */
  #descriptorFigures(): Figure[] {
    const { segmentBytes, rate, descriptorModel = 'mapped' } = this.#options
    const { descriptorLimit = DESCRIPTORS.limit, mapLimit = MAP_AREAS.limit } = this.#options
    const files = DESCRIPTOR_MODELS[descriptorModel]
    const maps = partitionsWithinMaps(mapLimit)
    const fit = figure('one-segment partitions within the map areas', maps, '', `⌊${mapLimit} / ${MAPS_A_SEGMENT}⌋`)
    const within = segmentsWithin(descriptorLimit, descriptorModel)
    const ratio = `⌊${descriptorLimit} / ${files} (${descriptorModel})⌋`
    const segments = figure('segments within the descriptors', within, '', ratio)
    if (segmentBytes === undefined || rate === undefined || rate === 0) {
      this.#missing('time until descriptors run out', 'segment bytes and a rate')
      return [segments, fit]
    }
    const minutes = minutesUntilDescriptorsRunOut(descriptorLimit, descriptorModel, segmentBytes, rate)
    const formula = `⌊${within} segments × ${segmentBytes} bytes / ${numberText(rate)} bytes/s / 60⌋`
    return [segments, figure('time until descriptors run out', minutes, 'minutes', formula), fit]
  }

  #brokersByDisk(): Figure[] {
    const { rate, retentionSeconds, disk, fillPercent = 70, replicationFactor } = this.#options
    if (rate === undefined || retentionSeconds === undefined || disk === undefined || replicationFactor === undefined) {
      this.#missing('brokers by disk', 'a rate, a retention time, a replication factor and a disk')
      return []
    }
    const brokers = brokersByDisk(rate, replicationFactor, retentionSeconds, (disk * fillPercent) / 100)
    const written = `${numberText(rate)} bytes/s × ${replicationFactor} × ${retentionSeconds} s`
    return [figure('brokers by disk', brokers, '', `⌈${written} / ${disk} bytes / ${fillPercent} %⌉`)]
  }

  #groupFigures(): Figure[] {
    const { groupMembers } = this.#options
    if (groupMembers === undefined) {
      this.#missing('group metadata record', 'the members of a group')
      return []
    }
    const names = this.#cluster.topicNames.reduce((bytes, name) => bytes + Buffer.byteLength(name), 0)
    const each = Math.ceil(this.#cluster.length / groupMembers)
    const formula = `${groupMembers} members × (${names} bytes of names + 4 × ${each} partitions) + ${names}`
    const bytes = groupRecordBytes(groupMembers, names, each)
    return [withLimit(figure('group metadata record', bytes, 'bytes', formula), GROUP_RECORD)]
  }

  #moveFigures(): Figure[] {
    const { waves, throttle } = this.#options
    if (waves === undefined) {
      this.#missing('moves', 'a reassignment')
      return []
    }
    const strings = throttleStringFigure(this.#cluster, waves)
    if (throttle === undefined || this.#cluster.length === 0 || this.#bytesOf(0) === undefined) {
      this.#missing('move time', 'a throttle, and the bytes of partitions')
      return [strings]
    }
    return [strings, moveTimeFigure(this.#cluster, { waves, throttle, bytesOf: (row) => this.#bytesOf(row) ?? 0 })]
  }

  /** Over all losses, of each figure the broker that is worst off. */
  #worst(
    base: BrokerLoads,
    kind: 'broker' | 'rack',
    groups: readonly (readonly number[])[],
    names: readonly (string | number)[],
  ): SizedPart | null {
    if (!this.#hasBrokers || groups.length < 2) return null
    const cluster = this.#cluster
    const { consumers = 0 } = this.#options
    const worst = worstAfterLoss({ cluster, base, loadOf: this.#loadOf, consumers }, groups)
    const figures = Object.entries(WORST_BY).flatMap(([quantity, by]) => {
      const at = worst.get(by)
      if (at === undefined) return []
      const broker = cluster.brokers[at.broker]!
      const where = `broker ${broker.id} without ${kind} ${names[at.group]}`
      return this.#parts
        .of(at.sums, broker)
        .filter((one) => one.quantity === quantity)
        .map((one) => ({ ...one, formula: `${one.formula}; ${where}` }))
    })
    return { name: `the worst broker after the loss of one ${kind}`, figures }
  }
}
