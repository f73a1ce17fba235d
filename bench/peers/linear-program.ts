/**
 * The fewest moves to a level cluster as a linear program, for a solver that knows nothing of ours: a variable a partition and
 * broker, 1 where a replica lies; what is new costs 1.
 *
 * For equal racks of as many as there are replicas of a partition, and loads that come out even: then each partition has one
 * replica a rack, each broker the mean, and the program, being a flow, has its optimum in integers.
 */

/** Replicas of partition `p`: `replicas[3 * p] …`, one a rack, as many as there are racks. */
export interface EvenCluster {
  readonly rackOf: Uint32Array
  readonly racks: number
  readonly replicas: Uint32Array
}

/** The program in CPLEX's LP format. */
export function linearProgram({ rackOf, racks, replicas }: EvenCluster): string {
  const partitions = replicas.length / racks
  const brokers = Array.from(rackOf.keys())
  const mean = replicas.length / rackOf.length
  const name = (p: number, b: number): string => `x${p}_${b}`
  const costs: string[] = []
  const rows: string[] = []
  for (let p = 0; p < partitions; p++) {
    const held = replicas.subarray(racks * p, racks * (p + 1))
    costs.push(...brokers.filter((b) => !held.includes(b)).map((b) => name(p, b)))
    for (let rack = 0; rack < racks; rack++) {
      const members = brokers.filter((b) => rackOf[b] === rack).map((b) => name(p, b))
      rows.push(`r${p}_${rack}: ${members.join(' + ')} = 1`)
    }
  }
  for (const b of brokers) {
    rows.push(`b${b}: ${Array.from({ length: partitions }, (_, p) => name(p, b)).join(' + ')} = ${mean}`)
  }
  return `Minimize\n obj: ${costs.join('\n + ')}\nSubject To\n${rows.join('\n')}\nEnd\n`
}
