/** The write sets of a million entries, against filling an array of the same length. */
import { pulsar } from '../../src/index.js'
import { type Effort, race } from '../race.js'
import type { CaseResult, Row } from '../row.js'

const SIZES = [
  { ensembleSize: 2, writeQuorum: 2, ackQuorum: 2 },
  { ensembleSize: 5, writeQuorum: 3, ackQuorum: 2 },
]

function fillCase(quorums: Required<pulsar.LedgerQuorums>, effort: Effort): CaseResult {
  const { ensembleSize, writeQuorum } = quorums as { ensembleSize: number; writeQuorum: number }
  const count = effort.items
  const byHand = Int32Array.from({ length: count * writeQuorum }, (_, i) => {
    return (Math.floor(i / writeQuorum) + (i % writeQuorum)) % ensembleSize
  })
  const [ours, theirs] = [new Int32Array(byHand.length), new Int32Array(byHand.length)]
  const contestants = [
    { name: 'topic-placement', run: () => pulsar.ledger.writeSets({ first: 0, count }, quorums, ours) },
    { name: 'Int32Array.fill', run: () => theirs.fill(7), expected: new Int32Array(byHand.length).fill(7) },
  ]
  return {
    case: `ensemble ${ensembleSize}, write quorum ${writeQuorum}`,
    unit: 'entry',
    items: count,
    race: race(contestants, byHand, effort),
  }
}

export const LEDGER_ROWS: readonly Row[] = [
  {
    name: 'ledger',
    work: '1M entries → write sets, against filling the result array',
    goal: '≥ 0.33 × (issue 9: within 3 × its time)',
    run: (effort) => SIZES.map((quorums) => fillCase(quorums, effort)),
  },
]
