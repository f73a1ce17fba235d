/** Cases that need no Node.js: the core's own bench (native/core/benches/packed.rs), one JSON line a case. */
import { spawnSync } from 'node:child_process'
import { ROOT } from '../machine.js'
import { EFFORTS, type Effort } from '../race.js'
import type { CaseResult } from '../row.js'

/** A line of the core's bench; nanoseconds an item, the best of all rounds. */
interface Line {
  readonly row: string
  readonly case: string
  readonly ns: number
  readonly peer: string
  readonly peerNs: number
  readonly ratio: number
  readonly items: number
}

/** Cases of that row, or one that says what is missing. */
export function rustCases(row: string, { items }: Effort): CaseResult[] {
  const bench = ['bench', '-q', '-p', 'topic-placement-core', '--bench', 'packed', '--', '--json', '--row', row]
  const quick = items < EFFORTS.normal.items ? ['--quick'] : []
  const { status, error, stdout, stderr } = spawnSync('cargo', [...bench, ...quick], { cwd: ROOT, encoding: 'utf8' })
  if (error !== undefined) return [skipped('no cargo')]
  if (status !== 0) throw new Error(`cargo bench, row ${row}: ${stderr.trim().split('\n').slice(-5).join('\n')}`)
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  if (lines.length === 0) throw new Error(`cargo bench, row ${row}: expected a JSON line a case, got none`)
  return lines.map((line) => caseOf(JSON.parse(line) as Line))
}

function caseOf(line: Line): CaseResult {
  return {
    case: `Rust, ${line.case}`,
    unit: line.row === '8' ? 'hash' : 'key',
    items: line.items,
    race: {
      ours: { name: 'topic-placement-core', best: line.ns },
      peers: [{ name: line.peer, best: line.peerNs, ratio: line.ratio }],
    },
  }
}

function skipped(why: string): CaseResult {
  return { case: 'Rust', unit: 'key', items: 0, skipped: why }
}
