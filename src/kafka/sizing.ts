/** The figures of a sizing: of each broker and rack, of the cluster, and after losses. */
import type { Cluster } from './cluster.js'
import { figure, withLimit } from './sizing-figures.js'
import {
  brokersByDisk,
  DESCRIPTOR_MODELS,
  type DescriptorModel,
  groupRecordBytes,
  MAPS_A_SEGMENT,
  minutesUntilDescriptorsRunOut,
  partitionsWithinMaps,
  retainedBytes,
  segmentsOf,
  segmentsWithin,
} from './sizing-formulas.js'
import { DESCRIPTORS, GROUP_RECORD, MAP_AREAS, REPLICAS, SIZE_CLASSES, type SizingLimit } from './sizing-limits.js'
import { type BrokerLoads, brokerLoads, loadsAfterLoss, type PartitionLoad } from './sizing-loads.js'
import { moveTimeFigure, throttleStringFigure } from './sizing-moves.js'
import type { Figure, SizedPart, SizingOptions, SizingReport } from './sizing-types.js'

export class Sizing {
  readonly #cluster: Cluster
  readonly #options: SizingOptions
  readonly #hasBrokers: boolean
  readonly #notComputed: string[] = []
  readonly #model: DescriptorModel
  readonly #rate: number | undefined

  constructor(cluster: Cluster, options: SizingOptions, hasBrokers: boolean) {
    this.#cluster = cluster
    this.#options = options
    this.#hasBrokers = hasBrokers
    this.#model = options.descriptorModel ?? 'mapped'
    this.#rate = options.rate === undefined ? undefined : options.rate / Math.max(1, cluster.length)
  }

  report(): SizingReport {
    const loads = brokerLoads(this.#cluster, (row) => this.#loadOf(row))
    const brokers = this.#hasBrokers
      ? this.#cluster.brokers.map(({ id }, at) => ({ name: `broker ${id}`, figures: this.#figures(loads, [at], true) }))
      : []
    if (!this.#hasBrokers) this.#notComputed.push('figures of each broker: they take the number of brokers')
    const racks = this.#racks()
    return {
      cluster: { name: 'cluster', figures: this.#clusterFigures(loads) },
      brokers,
      racks: racks.map(([name, members]) => ({ name: `rack ${name}`, figures: this.#figures(loads, members, false) })),
      afterBrokerLoss: this.#worst(
        loads,
        this.#cluster.brokers.map(({ id }, at) => [`broker ${id}`, [at]]),
      ),
      afterRackLoss: this.#worst(
        loads,
        racks.map(([name, members]) => [`rack ${name}`, members]),
      ),
      notComputed: [...new Set(this.#notComputed)],
    }
  }

  #racks(): [name: string, brokers: number[]][] {
    const racks = new Map<string, number[]>()
    for (const [at, { rack }] of this.#cluster.brokers.entries()) {
      if (rack !== null) racks.set(rack, [...(racks.get(rack) ?? []), at])
    }
    return [...racks].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  #loadOf(row: number): PartitionLoad {
    const bytes = this.#bytesOf(row)
    const { segmentBytes } = this.#options
    const segments = segmentBytes === undefined || bytes === undefined ? 1 : segmentsOf(bytes, segmentBytes)
    return { rate: this.#rate ?? 0, bytes: bytes ?? 0, segments }
  }

  /** Those that are known, else what the retention keeps. */
  #bytesOf(row: number): number | undefined {
    if (this.#cluster.bytes !== null) return this.#cluster.bytes[row]!
    const { retentionSeconds, retentionBytes } = this.#options
    if (this.#rate === undefined || retentionSeconds === undefined) return retentionBytes
    return retainedBytes(this.#rate, retentionSeconds, retentionBytes)
  }

  /** Of one broker, or of several together, which have no limits of their own. */
  #figures(loads: BrokerLoads, members: readonly number[], isBroker: boolean): Figure[] {
    const sum = (column: Float64Array) => members.reduce((total, at) => total + column[at]!, 0)
    const {
      connections = 0,
      descriptorLimit = DESCRIPTORS.limit,
      mapLimit = MAP_AREAS.limit,
      sizeClass,
    } = this.#options
    const [replicas, segments] = [sum(loads.replicas), sum(loads.segments)]
    const files = DESCRIPTOR_MODELS[this.#model]
    const most = sizeClass === undefined ? REPLICAS : SIZE_CLASSES[sizeClass]!
    const limited = (figure: Figure, limit: SizingLimit) => (isBroker ? withLimit(figure, limit) : figure)
    const figures = [
      limited(figure('replicas', replicas, '', 'replicas that lie here'), most),
      figure('leaders', sum(loads.leaders), '', 'partitions whose first replica lies here'),
    ]
    if (this.#knowsSegments()) {
      const held = segments * files + connections
      const maps = segments * MAPS_A_SEGMENT
      figures.push(
        figure('segments', segments, '', 'Σ max(1, ⌈retained bytes / segment bytes⌉)'),
        limited(
          figure(
            'descriptors',
            held,
            '',
            `${segments} segments × ${files} (${this.#model}) + ${connections} connections`,
          ),
          { ...DESCRIPTORS, limit: descriptorLimit },
        ),
        limited(figure('map areas', maps, '', `${segments} segments × ${MAPS_A_SEGMENT}`), {
          ...MAP_AREAS,
          limit: mapLimit,
        }),
      )
    }
    return [
      ...figures,
      ...this.#diskFigures(sum(loads.bytes), members, isBroker),
      ...this.#networkFigures(loads, members),
    ]
  }

  #knowsSegments(): boolean {
    const known = this.#options.segmentBytes !== undefined && this.#cluster.length > 0 && this.#bytesOf(0) !== undefined
    if (!known)
      this.#missing('segments, descriptors and map areas', 'segment bytes, and retention with a rate or in bytes')
    return known
  }

  #diskFigures(bytes: number, members: readonly number[], isBroker: boolean): Figure[] {
    if (this.#cluster.length === 0 || this.#bytesOf(0) === undefined) {
      this.#missing('disk', 'retention with a rate, or in bytes')
      return []
    }
    const used = figure('disk', Math.ceil(bytes), 'bytes', 'Σ min(rate × retention time, retention bytes)')
    const { disk, fillPercent = 70 } = this.#options
    const limit =
      disk === undefined ? this.#cluster.brokers[members[0]!]?.capacity : Math.floor((disk * fillPercent) / 100)
    if (!isBroker || limit === undefined || limit === null) return [used]
    const source = disk === undefined ? "the broker's capacity" : `${fillPercent} % of a disk of ${disk} bytes`
    return [withLimit(used, { limit, source })]
  }

  #networkFigures(loads: BrokerLoads, members: readonly number[]): Figure[] {
    if (this.#rate === undefined) {
      this.#missing('network', 'a rate')
      return []
    }
    const { consumers = 0 } = this.#options
    const into = members.reduce((total, at) => total + loads.networkIn(at), 0)
    const out = members.reduce((total, at) => total + loads.networkOut(at, consumers), 0)
    return [
      figure('network in', Math.ceil(into), 'bytes/s', 'rate of its leaders + rate of its followers'),
      figure(
        'network out',
        Math.ceil(out),
        'bytes/s',
        `(rf − 1) × rate of its leaders + ${consumers} consumers × rate`,
      ),
    ]
  }

  #missing(what: string, needed: string): void {
    this.#notComputed.push(`${what}: it takes ${needed}`)
  }

  #clusterFigures(loads: BrokerLoads): Figure[] {
    const all = Array.from(this.#cluster.brokers.keys())
    return [
      figure('topics', this.#cluster.topicNames.length, '', 'topics'),
      figure('partitions', this.#cluster.length, '', 'Σ partitions'),
      ...this.#figures(loads, all, false),
      ...this.#descriptorFigures(),
      ...this.#brokersByDisk(),
      ...this.#groupFigures(),
      ...this.#moveFigures(),
    ]
  }

  /** Of one broker that takes the whole rate. */
  #descriptorFigures(): Figure[] {
    const { segmentBytes, rate, descriptorLimit = DESCRIPTORS.limit, mapLimit = MAP_AREAS.limit } = this.#options
    const files = DESCRIPTOR_MODELS[this.#model]
    const maps = partitionsWithinMaps(mapLimit)
    const fit = figure('one-segment partitions within the map areas', maps, '', `⌊${mapLimit} / ${MAPS_A_SEGMENT}⌋`)
    const within = segmentsWithin(descriptorLimit, this.#model)
    const segments = figure(
      'segments within the descriptors',
      within,
      '',
      `⌊${descriptorLimit} / ${files} (${this.#model})⌋`,
    )
    if (segmentBytes === undefined || rate === undefined || rate === 0) {
      this.#missing('time until descriptors run out', 'segment bytes and a rate')
      return [segments, fit]
    }
    const minutes = minutesUntilDescriptorsRunOut(descriptorLimit, this.#model, segmentBytes, rate)
    const formula = `⌊${within} segments × ${segmentBytes} bytes / ${rate} bytes/s / 60⌋`
    return [segments, figure('time until descriptors run out', minutes, 'minutes', formula), fit]
  }

  #brokersByDisk(): Figure[] {
    const { rate, retentionSeconds, disk, fillPercent = 70, replicationFactor } = this.#options
    if (rate === undefined || retentionSeconds === undefined || disk === undefined || replicationFactor === undefined) {
      this.#missing('brokers by disk', 'a rate, a retention time, a replication factor and a disk')
      return []
    }
    const brokers = brokersByDisk(rate, replicationFactor, retentionSeconds, (disk * fillPercent) / 100)
    const formula = `⌈${rate} bytes/s × ${replicationFactor} × ${retentionSeconds} s / ${disk} bytes / ${fillPercent} %⌉`
    return [figure('brokers by disk', brokers, '', formula)]
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
    groups: readonly (readonly [name: string, members: readonly number[]])[],
  ): SizedPart | null {
    if (!this.#hasBrokers || groups.length < 2) return null
    const worst = new Map<string, [Figure, string]>()
    let at = 0
    for (const loads of loadsAfterLoss(
      this.#cluster,
      base,
      (row) => this.#loadOf(row),
      groups.map(([, members]) => members),
    )) {
      const [lost, members] = groups[at++]!
      for (const { name, figures } of this.#left(loads, members)) {
        for (const one of figures) {
          const before = worst.get(one.quantity)
          if (before === undefined || before[0].value < one.value)
            worst.set(one.quantity, [one, `${name} without ${lost}`])
        }
      }
    }
    const figures = [...worst.values()].map(([one, where]) => ({ ...one, formula: `${one.formula}; ${where}` }))
    return { name: `the worst broker after the loss of one ${groups[0]![0].split(' ')[0]}`, figures }
  }

  #left(loads: BrokerLoads, lost: readonly number[]): SizedPart[] {
    return this.#cluster.brokers.flatMap(({ id }, at) =>
      lost.includes(at) ? [] : [{ name: `broker ${id}`, figures: this.#figures(loads, [at], true) }],
    )
  }
}
