/** The figures of one broker, or of several together: each with its formula, and a broker's with its limits. */
import { figure, numberText, roundedUp, withLimit } from './sizing-figures.js'
import { DESCRIPTOR_MODELS, MAPS_A_SEGMENT } from './sizing-formulas.js'
import { DESCRIPTORS, given, MAP_AREAS, REPLICAS, SIZE_CLASSES, type SizingLimit } from './sizing-limits.js'
import type { LoadSums } from './sizing-loads.js'
import type { Figure, SizingOptions } from './sizing-types.js'

/** What is known of the partitions. */
export interface Known {
  readonly hasRate: boolean
  /** How the bytes of a replica come about; `null` where they are not known. */
  readonly bytesFormula: string | null
  readonly hasSegments: boolean
}

/** A broker, with the bytes that it may hold by the cluster. */
export interface OneBroker {
  readonly capacity: number | null
}

export class PartFigures {
  readonly #options: SizingOptions
  readonly #known: Known

  constructor(options: SizingOptions, known: Known) {
    this.#options = options
    this.#known = known
  }

  /** @param broker where it is one broker alone, which has limits; else `null` */
  of(sums: LoadSums, broker: OneBroker | null): Figure[] {
    const { sizeClass } = this.#options
    const most = sizeClass === undefined ? REPLICAS : SIZE_CLASSES[sizeClass]!
    return [
      limited(figure('replicas', sums.replicas, '', 'replicas that lie here'), broker, most),
      figure('leaders', sums.leaders, '', 'partitions whose first replica lies here'),
      ...(this.#known.hasSegments ? this.#segments(sums, broker) : []),
      ...(this.#known.bytesFormula === null ? [] : [this.#disk(sums, broker, this.#known.bytesFormula)]),
      ...(this.#known.hasRate ? this.#network(sums) : []),
    ]
  }

  #segments({ segments, brokers }: LoadSums, broker: OneBroker | null): Figure[] {
    const { connections = 0, descriptorModel = 'mapped', descriptorLimit, mapLimit, segmentBytes } = this.#options
    const files = DESCRIPTOR_MODELS[descriptorModel]
    const each = `⌈${this.#known.bytesFormula} / ${segmentBytes} bytes⌉`
    const connected = brokers === 1 ? `${connections} connections` : `${brokers} brokers × ${connections} connections`
    const open = `${segments} segments × ${files} (${descriptorModel}) + ${connected}`
    const descriptors = figure('descriptors', segments * files + brokers * connections, '', open)
    const maps = figure('map areas', segments * MAPS_A_SEGMENT, '', `${segments} segments × ${MAPS_A_SEGMENT}`)
    return [
      figure('segments', segments, '', `Σ over replicas, max(1, ${each})`),
      limited(descriptors, broker, given(DESCRIPTORS, descriptorLimit, 'descriptorLimit')),
      limited(maps, broker, given(MAP_AREAS, mapLimit, 'mapLimit')),
    ]
  }

  #disk({ bytes }: LoadSums, broker: OneBroker | null, formula: string): Figure {
    const used = figure('disk', roundedUp(bytes), 'bytes', `Σ over replicas, ${formula}`)
    const { disk, fillPercent = 70 } = this.#options
    if (broker === null) return used
    if (disk !== undefined) {
      const source = `${fillPercent} % of a disk of ${disk} bytes`
      return withLimit(used, { limit: Math.floor((disk * fillPercent) / 100), source })
    }
    return broker.capacity === null
      ? used
      : withLimit(used, { limit: broker.capacity, source: "the broker's capacity" })
  }

  #network({ leaderRate, followerRate, replicationOut }: LoadSums): Figure[] {
    const { consumers = 0 } = this.#options
    const [led, followed, copied] = [leaderRate, followerRate, replicationOut].map(numberText)
    return [
      figure(
        'network in',
        roundedUp(leaderRate + followerRate),
        'bytes/s',
        `${led} as leader + ${followed} as follower`,
      ),
      figure(
        'network out',
        roundedUp(replicationOut + consumers * leaderRate),
        'bytes/s',
        `${copied}, which is (rf − 1) × rate of each partition it leads, + ${consumers} consumers × ${led}`,
      ),
    ]
  }
}

const limited = (figure: Figure, broker: OneBroker | null, limit: SizingLimit): Figure =>
  broker === null ? figure : withLimit(figure, limit)
