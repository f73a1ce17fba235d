/** How full each place is: partitions with their keys, bundles with their topics. */
import { grouped } from './progress.js'

/** Counts of the places, and what a planner reads first. */
export interface Spread {
  readonly total: number
  readonly min: number
  readonly mean: number
  readonly max: number
  /** Largest count over the mean; `null` where there is nothing. */
  readonly worstToMean: number | null
}

/** More places than this are refused: no cluster comes near, and each of them is a row. */
export const MOST_PLACES = 1 << 20

export class Fill {
  readonly counts: Float64Array

  constructor(places: number) {
    this.counts = new Float64Array(places)
  }

  add(indices: Int32Array | Uint32Array): void {
    const { counts } = this
    for (let i = 0; i < indices.length; i++) counts[indices[i]!]!++
  }

  spread(): Spread {
    const { counts } = this
    let [total, min, max] = [0, Number.POSITIVE_INFINITY, 0]
    for (const count of counts) {
      total += count
      min = Math.min(min, count)
      max = Math.max(max, count)
    }
    const mean = total / counts.length
    return { total, min, mean, max, worstToMean: total === 0 ? null : max / mean }
  }

  /** The places from the fullest on, the lower number first of two alike. */
  fullest(most: number): number[] {
    const { counts } = this
    const bound = Float64Array.from(counts).sort().at(-most) ?? 0
    const places: number[] = []
    counts.forEach((count, place) => {
      if (count > bound) places.push(place)
    })
    for (let place = 0; places.length < most && place < counts.length; place++) {
      if (counts[place] === bound) places.push(place)
    }
    return places.sort((a, b) => counts[b]! - counts[a]! || a - b)
  }
}

/** Words for a table of places. */
export interface FillWords {
  /** What is counted: `keys`. */
  readonly what: string
  /** Where it lies: `partitions by kafka`. */
  readonly places: string
  /** Head of the first column. */
  readonly place: string
  /** Every place in order, not the ten fullest. */
  readonly all: boolean
  label(place: number): string
  /** What is said of a place at the end of its row. */
  remark?(place: number): string
}

const WORST = 10

/** A table for people, 100 columns at most: counts first, the ten fullest next, and how to get the rest. */
export function fillTable(fill: Fill, words: FillWords): string {
  const { length } = fill.counts
  const places = words.all ? Array.from({ length }, (_, place) => place) : fill.fullest(Math.min(WORST, length))
  const { total } = fill.spread()
  const rows = places.map((place) => {
    const count = fill.counts[place]!
    return [words.label(place), grouped(count), share(count, total), words.remark?.(place) ?? '']
  })
  const head = [words.place, words.what, 'of all', words.remark === undefined ? '' : 'heaviest key']
  const lines = [spreadLine(fill, words), '', ...alignedRows([head, ...rows])]
  const more = length - places.length
  if (more > 0) lines.push(`${grouped(more)} more: --all, or --json`)
  return `${lines.join('\n')}\n`
}

function spreadLine(fill: Fill, { what, places }: FillWords): string {
  const { total, min, mean, max, worstToMean } = fill.spread()
  const worst = worstToMean === null ? '-' : worstToMean.toFixed(3)
  const counts = `min ${grouped(min)}, mean ${tenths(mean)}, max ${grouped(max)}, worst/mean ${worst}`
  return `${grouped(total)} ${what} on ${grouped(fill.counts.length)} ${places}\n${counts}`
}

function tenths(value: number): string {
  const [whole, tenth] = value.toFixed(1).split('.')
  return `${grouped(Number(whole))}.${tenth}`
}

/** `12.3 %` */
export function share(count: number, total: number): string {
  return total === 0 ? '-' : `${((100 * count) / total).toFixed(1)} %`
}

/** Numbers to the right; the last column as it is. */
export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  )
}
