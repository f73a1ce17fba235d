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
  const { moves, bound, changedRows, movedBytes, isProved, leaderGap } = plan
  const proof = isProved ? 'no plan moves fewer' : `${many(moves - bound, 'move')} above the bound`
  const bytes = movedBytes === null ? '' : `, ${movedBytes} bytes`
  return [
    `${many(moves, 'replica')} move${moves === 1 ? 's' : ''}${bytes}; the bound is ${bound}: ${proof}`,
    `${many(changedRows.length, 'partition')} change${changedRows.length === 1 ? 's' : ''}; leaders' squares ${leaderGap.before} → ${leaderGap.after} (least ${leaderGap.least})`,
    ...(movesOfBalance === null ? [] : [`--mode balance would move ${many(movesOfBalance, 'replica')}`]),
    `fingerprint ${plan.fingerprint}`,
  ]
}

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
