/**
 * The sizes of the planner's table, whole: `node build/test/test/planner/sizes.js [--fallback] [SIZE]...`, a size by its place
 * in the table, all of them where none is named.
 *
 * Each plan is judged by the proof (proof.ts), planned again, and asked of the facade in two orders; the fallback plans the
 * two smallest, or with `--fallback` all, and must give the same. A line a size; exit code 1 where anything was wrong.
 */
import { CLUSTERS, problemOf } from '../../bench/clusters.js'
import { ENGINES } from '../engines.js'
import { judgedSize } from './one-size.js'

/** So many of the smallest sizes are planned on every engine. */
const ON_EVERY_ENGINE = 2

function judge(size: number, engines: typeof ENGINES): void {
  const began = performance.now()
  const { planned, wrong } = judgedSize(problemOf(CLUSTERS[size]!), engines, size + 1)
  const seconds = Math.round((performance.now() - began) / 1000)
  const { moves, bound } = planned
  const verdict = wrong.length === 0 ? 'rules, levels and bound proved, again nothing, in any order the same' : 'WRONG'
  console.log(
    `${CLUSTERS[size]!.name}, on ${engines.join(' and ')}: ${moves} moves, bound ${bound}: ${verdict} (${seconds} s)`,
  )
  for (const sentence of wrong) console.error(sentence)
  if (wrong.length > 0) process.exitCode = 1
}

const args = process.argv.slice(2)
const chosen = args.filter((word) => word !== '--fallback').map((word) => Number(word) - 1)
for (const size of chosen.length > 0 ? chosen : CLUSTERS.keys()) {
  judge(size, size < ON_EVERY_ENGINE || args.includes('--fallback') ? ENGINES : ENGINES.slice(0, 1))
}
