/** Tables of a group for people: members and what they have, rounds and what they move. */
import type { kafka } from '../index.js'
import { alignedRows, share } from './fill.js'
import { cut, partitionRanges } from './partition-ranges.js'
import { grouped } from './progress.js'

/** Rows that a table shows without `--all`. */
export const WORST = 10

/** Most columns of a line. */
const WIDTH = 100

/** `1 member`, `2 members`. */
export const counted = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`

/** `min 3, mean 3.3, max 4, worst/mean 1.200` */
export function balanceLine({ least, most, mean }: Pick<kafka.GroupBalance, 'least' | 'most' | 'mean'>): string {
  const worst = mean === 0 ? '-' : (most / mean).toFixed(3)
  return `min ${grouped(least)}, mean ${mean.toFixed(1)}, max ${grouped(most)}, worst/mean ${worst}`
}

/** What is said of topics: how many lie evenly, and the worst. */
export function spreadLine({ topics, even, worst }: kafka.GroupSpread): string {
  const head = `${grouped(even)} of ${counted(topics, 'topic')} as even as can be`
  if (worst === null || worst.most - worst.least <= 1) return head
  return cut(
    `${head}; worst: ${worst.topic}, ${worst.least} to ${worst.most} on ${worst.subscribers} subscribers`,
    WIDTH,
  )
}

/** Members with most partitions, and how to get the rest. */
export function memberTable(lists: kafka.PartitionLists, all: boolean): string[] {
  const { memberIds } = lists.names
  const total = lists.values.length
  const order = Array.from(memberIds.keys())
  const loadOf = (i: number) => lists.offsets[i + 1]! - lists.offsets[i]!
  const places = all ? order : order.sort((a, b) => loadOf(b) - loadOf(a) || a - b).slice(0, WORST)
  const rows = places.map((i) => [
    grouped(loadOf(i)),
    share(loadOf(i), total),
    memberIds[i]!,
    partitionRanges(lists.partitionsOf(memberIds[i]!)),
  ])
  const head = ['partitions', 'of all', 'member', 'has']
  return [...leftAligned([head, ...rows], all), ...moreLine(memberIds.length - places.length)]
}

/** The third column to the left; the last cut to the width, unless all is asked for. */
function leftAligned(rows: readonly string[][], all: boolean): string[] {
  const width = Math.max(...rows.map(([, , member]) => member!.length))
  const lines = alignedRows(
    rows.map(([count, part, member, has]) => [count!, part!, `${member!.padEnd(width)}  ${has}`]),
  )
  return lines.map((line) => (all ? line : cut(line, WIDTH)).trimEnd())
}

/** How to get rows that are not shown. */
export function moreLine(more: number): string[] {
  return more > 0 ? [`${grouped(more)} more: --all, or --json`] : []
}

/** One line for each member that has something in a list, the most first: `app-1 gains orders 0-3`. */
export function listLines(lists: kafka.PartitionLists, verb: string, all: boolean): string[] {
  const some = lists.names.memberIds.filter((_, i) => lists.offsets[i] !== lists.offsets[i + 1])
  const order = some.toSorted((a, b) => lists.countOf(b) - lists.countOf(a))
  const shown = all ? order : order.slice(0, WORST)
  const lines = shown.map((id) => `     ${id} ${verb} ${partitionRanges(lists.partitionsOf(id))}`)
  const more = moreLine(some.length - shown.length).map((line) => `     ${line}`)
  return [...lines.map((line) => (all ? line : cut(line, WIDTH))), ...more]
}
