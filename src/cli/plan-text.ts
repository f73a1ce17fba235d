/** A plan for people: moves and the bound first, then racks and brokers before and after, the ten that change most. */
import type { kafka } from '../index.js'

const MOST = 10

export function planText(plan: kafka.ReassignmentPlan, movesOfBalance: number | null): string {
  const lines = [...headOf(plan, movesOfBalance), ...racksOf(plan), ...brokersOf(plan), ...changesOf(plan)]
  return `${lines.join('\n')}\n`
}

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function headOf(plan: kafka.ReassignmentPlan, movesOfBalance: number | null): string[] {
  if (plan.changedRows.length === 0) return ['nothing to move']
  const { changedRows, leaderGap } = plan
  return [
    proofOf(plan),
    `${many(changedRows.length, 'partition')} change${changedRows.length === 1 ? 's' : ''}; leaders' squares ${leaderGap.before} → ${leaderGap.after} (least ${leaderGap.least})`,
    ...(movesOfBalance === null ? [] : [`--mode balance would move ${many(movesOfBalance, 'replica')}`]),
    `fingerprint ${plan.fingerprint}`,
  ]
}

/** Moves and their bound; where bytes are known, bytes and theirs. */
function proofOf({ moves, bound, movedBytes, bytesBound, isProved }: kafka.ReassignmentPlan): string {
  const moved = `${many(moves, 'replica')} move${moves === 1 ? 's' : ''}`
  if (movedBytes === null || bytesBound === null) {
    return `${moved}; the bound is ${bound}: ${isProved ? 'no plan moves fewer' : gapOf(moves - bound, 'move')}`
  }
  const proof = isProved ? 'no plan copies fewer' : gapOf(movedBytes - bytesBound, 'byte')
  return `${moved}, ${movedBytes} bytes; the bound is ${bytesBound} bytes: ${proof}`
}

const gapOf = (gap: number, what: string): string =>
  gap === 0 ? 'not proved, since capacities were kept' : `${many(gap, what)} above the bound`

type Cells = readonly (string | number)[]

/** Text to the left, numbers to the right. */
function tableOf(heads: readonly string[], rows: readonly Cells[]): string[] {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => String(row[i]).length)))
  const line = (cells: Cells): string =>
    cells
      .map((cell, i) =>
        typeof rows[0]?.[i] === 'number' ? String(cell).padStart(widths[i]!) : String(cell).padEnd(widths[i]!),
      )
      .join('  ')
      .trimEnd()
  return ['', line(heads), ...rows.map(line)]
}

const HEADS = ['replicas', 'after', 'leaders', 'after', 'in', 'out']

const figuresOf = (share: kafka.Share): number[] => [
  share.before,
  share.after,
  share.leadersBefore,
  share.leadersAfter,
  share.incoming,
  share.outgoing,
]

function racksOf(plan: kafka.ReassignmentPlan): string[] {
  const shares = plan.rackShares()
  if (shares.length === 0) return []
  const heads = ['rack', 'brokers', ...HEADS]
  const rows = shares.slice(0, MOST).map((share) => [share.rack.slice(0, 24), share.brokers, ...figuresOf(share)])
  return [...tableOf(heads, rows), ...restOf(shares.length, 'rack')]
}

function brokersOf(plan: kafka.ReassignmentPlan): string[] {
  const shares = plan.brokerShares()
  const busiest = shares.toSorted((a, b) => b.incoming + b.outgoing - a.incoming - a.outgoing || a.id - b.id)
  const rows = busiest.slice(0, MOST).map((share) => [share.id, ...figuresOf(share), share.isIn ? '' : 'out'])
  return [...tableOf(['broker', ...HEADS, ''], rows), ...restOf(shares.length, 'broker')]
}

function changesOf(plan: kafka.ReassignmentPlan): string[] {
  const rows = [...plan.changedRows.subarray(0, MOST)].map((row) => {
    const { topic, partition, before, replicas } = plan.change(row)
    return [`${topic}-${partition}`.slice(0, 48), before.join(), `→ ${replicas.join()}`]
  })
  if (rows.length === 0) return []
  return [...tableOf(['partition', 'now', ''], rows), ...restOf(plan.changedRows.length, 'partition')]
}

function restOf(count: number, what: string): string[] {
  return count > MOST ? [`${many(count - MOST, `more ${what}`)} (--json has all)`] : []
}
