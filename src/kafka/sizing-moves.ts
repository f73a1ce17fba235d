/** What a reassignment in waves asks for: throttle strings that fit into a setting, and time. */
import type { Cluster } from './cluster.js'
import { movesIn, rollbackOf } from './reassignment-diff.js'
import type { ReassignmentEntry } from './reassignment-json.js'
import { figure, withLimit } from './sizing-figures.js'
import { moveMinutes } from './sizing-formulas.js'
import { THROTTLE_STRING } from './sizing-limits.js'
import type { Figure } from './sizing-types.js'
import { type PartitionMove, proposedMoves, throttlesOf } from './throttles.js'

type Waves = readonly (readonly ReassignmentEntry[])[]

/** The longest throttle setting of any topic in any wave. */
export function throttleStringFigure(cluster: Cluster, waves: Waves): Figure {
  const strings = waves.flatMap((_, at) => {
    const { leader, follower } = throttlesOf(movesOf(cluster, waves, at))
    return [...Object.values(leader), ...Object.values(follower)]
  })
  const longest = strings.reduce((most, { length }) => Math.max(most, length), 0)
  return withLimit(
    figure('throttle string', longest, 'bytes', 'the longest of a topic: Σ len("p:b") + commas'),
    THROTTLE_STRING,
  )
}

/** Wave by wave, the time that the broker takes into which most bytes go. */
export function moveTimeFigure(
  cluster: Cluster,
  { waves, throttle, bytesOf }: { readonly waves: Waves; readonly throttle: number; bytesOf(row: number): number },
): Figure {
  const busiest = waves.map((_, at) => bytesIntoBusiest(cluster, movesOf(cluster, waves, at), bytesOf))
  const minutes = busiest.reduce((sum, bytes) => sum + moveMinutes(bytes, throttle), 0)
  const over = waves.length === 1 ? '' : `Σ over ${waves.length} waves `
  const formula = `${over}⌈bytes into the busiest broker / ${throttle} bytes/s / 60⌉: ${busiest.join(', ')} bytes`
  return figure('move time', minutes, 'minutes', formula)
}

/** What is under way goes on beside the first wave; the others begin when it is done. */
function movesOf(cluster: Cluster, waves: Waves, at: number): PartitionMove[] {
  const wave = waves[at]!
  if (at === 0) return movesIn(cluster, wave)
  const current = rollbackOf(cluster, wave).map((entry) => {
    const removing = cluster.moving.get(cluster.rowOf(entry.topic, entry.partition))?.removing ?? []
    return { ...entry, replicas: entry.replicas.filter((id) => !removing.includes(id)) }
  })
  return proposedMoves({ current, proposed: wave })
}

function bytesIntoBusiest(cluster: Cluster, moves: readonly PartitionMove[], bytesOf: (row: number) => number): number {
  const into = new Map<number, number>()
  for (const { topic, partition, destinations } of moves) {
    const row = cluster.rowOf(topic, partition)
    const bytes = row < 0 ? 0 : bytesOf(row)
    for (const broker of destinations) into.set(broker, (into.get(broker) ?? 0) + bytes)
  }
  let most = 0
  for (const bytes of into.values()) most = Math.max(most, bytes)
  return most
}
