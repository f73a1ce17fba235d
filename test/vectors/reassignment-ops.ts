/** The ops of kafka-reassign-partitions, put to the public API: files, proposals, throttles, whole runs. */
import { reassignment } from '../../src/kafka/index.js'
import type { Ops } from './answer.js'

interface Json {
  readonly json: string
}

type Row = readonly [
  topic: string,
  partition: number,
  replicas: readonly number[],
  logDirs?: readonly (string | null)[],
]

export const REASSIGNMENT_OPS = {
  parseTopicsToMove: ({ json }: Json) => ({ topics: reassignment.parseTopicsToMove(json) }),
  parseReassignment: ({ json }: Json) => parsed(reassignment.parse(json)),
  formatReassignment: ({ partitions }: { readonly partitions: readonly Row[] }) => ({
    json: reassignment.format(partitions.map(entryOf)),
  }),
} satisfies Ops

function entryOf([topic, partition, replicas, logDirs]: Row): reassignment.ReassignmentEntry {
  return { topic, partition, replicas, ...(logDirs && { logDirs: logDirs.map((dir) => dir ?? 'any') }) }
}

/** Log directories are those that are named, sorted. */
function parsed(entries: readonly reassignment.ReassignmentEntry[]) {
  const dirs = new Map<string, [string, number, number, string]>()
  for (const { topic, partition, replicas, logDirs = [] } of entries) {
    logDirs.forEach((dir, i) => {
      if (dir !== 'any')
        dirs.set(JSON.stringify([topic, partition, replicas[i]]), [topic, partition, replicas[i]!, dir])
    })
  }
  const logDirs = [...dirs.values()].sort(([a, p, b], [c, q, d]) => (a === c ? p - q || b - d : a < c ? -1 : 1))
  return { partitions: entries.map(({ topic, partition, replicas }) => [topic, partition, replicas]), logDirs }
}
