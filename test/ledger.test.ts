/** Ledgers: where entries lie, what a lost bookie costs, which ensembles keep the placement policy. */
import test from 'ava'
import { isCodedError, pulsar } from '../src/index.js'
import { below, generator } from './random.js'

const { ledger } = pulsar
const SIZES = { ensembleSize: 5, writeQuorum: 3, ackQuorum: 2 }

test('a column of write sets is the write set of each entry', (t) => {
  const next = generator(20261201)
  const between = (low: number, high: number) => low + below(next, high - low + 1)
  for (let round = 0; round < 300; round++) {
    const ensembleSize = between(1, 9)
    const writeQuorum = between(1, ensembleSize)
    const quorums = { ensembleSize, writeQuorum, ackQuorum: 1 }
    const first = between(0, 1) === 0 ? between(0, 20) : 2 ** 53 - 60 + between(0, 9)
    const rows = ledger.writeSets({ first, count: 12 }, quorums)
    const each = Array.from({ length: 12 }, (_, i) => ledger.placeEntry(BigInt(first) + BigInt(i), quorums).writeSet)
    t.deepEqual(Array.from(rows), each.flat(), JSON.stringify({ first, quorums }))
  }
})

test('a column is written where the caller says, and refused where it is too short', (t) => {
  const into = new Int32Array(6)
  t.is(ledger.writeSets({ first: 4, count: 2 }, SIZES, into), into)
  t.deepEqual(Array.from(into), [4, 0, 1, 0, 1, 2])
  t.throws(() => ledger.writeSets({ first: 4, count: 3 }, SIZES, into), { code: 'ERR_PLACEMENT_OUTPUT' })
})

test('what a loss makes unreadable, short of copies and unwritable is what the write sets say', (t) => {
  const next = generator(7)
  const between = (low: number, high: number) => low + below(next, high - low + 1)
  for (let round = 0; round < 500; round++) {
    const ensembleSize = between(1, 7)
    const writeQuorum = between(1, ensembleSize)
    const quorums = { ensembleSize, writeQuorum, ackQuorum: between(1, writeQuorum) }
    const lost = Array.from({ length: ensembleSize }, (_, i) => i).filter(() => between(0, 2) === 0)
    const range = { first: between(0, 9), last: between(9, 30) }
    const got = ledger.loss(lost, range, quorums)
    const told: Record<'unreadable' | 'underReplicated' | 'unwritable', number[]> = {
      unreadable: [],
      underReplicated: [],
      unwritable: [],
    }
    for (let entry = range.first; entry <= range.last; entry++) {
      const gone = ledger.placeEntry(entry, quorums).writeSet.filter((bookie) => lost.includes(bookie)).length
      if (gone === writeQuorum) told.unreadable.push(entry)
      else if (gone > 0) told.underReplicated.push(entry)
      if (writeQuorum - gone < quorums.ackQuorum) told.unwritable.push(entry)
    }
    for (const [fate, entries] of Object.entries(told) as [keyof typeof told, number[]][]) {
      t.deepEqual(Array.from(got[fate].entries()), entries, `${fate} of ${JSON.stringify({ lost, range, quorums })}`)
      t.is(got[fate].count, entries.length)
    }
  }
})

test('a list of ledgers tells which of them a lost bookie hurts', (t) => {
  const ensembles = [
    { firstEntry: 0, bookies: ['b1', 'b2'] },
    { firstEntry: 10, bookies: ['b3', 'b2'] },
  ]
  const ledgers = [
    { ledgerId: 7, ensembles, lastEntryId: 14, open: true },
    { ledgerId: 8, ensembles: [{ firstEntry: 0, bookies: ['b4', 'b5'] }], lastEntryId: 3 },
  ]
  const [hurt, whole] = ledger.ledgersLoss(ledgers, ['b1', 'b2'])
  t.deepEqual([hurt!.unreadable, hurt!.underReplicated, hurt!.unwritable, hurt!.recoverable], [10, 5, true, true])
  t.deepEqual(
    hurt!.ensembles.map(({ first, last, lost }) => [first, last, lost]),
    [
      [0, 9, ['b1', 'b2']],
      [10, 14, ['b2']],
    ],
  )
  t.deepEqual([whole!.unreadable, whole!.underReplicated, whole!.ensembles.length], [0, 0, 0])
})

test('the traps are named: two racks and an odd ensemble, the region-aware yes, the cast to int', (t) => {
  const bookies = { b1: '/a', b2: '/b', b3: '/a' }
  const odd = ledger.ensembleAdherence(['b1', 'b2', 'b3'], { bookies })
  t.deepEqual(
    [odd.adherence, odd.reason, odd.notes.map(({ code }) => code)],
    ['FAIL', 'b3, b1: 1 of 2 racks', ['NOTE_LEDGER_ODD_ENSEMBLE']],
  )
  const region = ledger.ensembleAdherence([], { policy: 'region', bookies })
  t.deepEqual(
    [region.adherence, region.notes.map(({ code }) => code)],
    ['MEETS_STRICT', ['NOTE_LEDGER_REGION_UNCHECKED']],
  )
  const far = ledger.placeEntry(2 ** 31, { ensembleSize: 5, writeQuorum: 3 })
  t.deepEqual([far.writeSet, far.hasEntry, far.notes[0]!.code], [[3, 4, 0], [], 'NOTE_LEDGER_HAS_ENTRY'])
  t.deepEqual(ledger.placeEntry(2 ** 31 - 3, { ensembleSize: 5, writeQuorum: 3 }).notes, [])
})

test('a seed chooses one of the ensembles that can be chosen, the same one again', (t) => {
  const bookies = { b1: '/a', b2: '/a', b3: '/b', b4: '/b' }
  const question = { bookies, ensembleSize: 4, enforceMinNumRacksPerWriteQuorum: true }
  const possible = ledger.possibleEnsembles(question).map((ensemble) => ensemble.bookies.join())
  t.is(possible.length, 8)
  const drawn = new Set<string>()
  for (let seed = 0; seed < 200; seed++) {
    const chosen = ledger.chooseEnsemble(question, seed)
    t.deepEqual(chosen, ledger.chooseEnsemble(question, seed))
    t.is(chosen.adherence, 'MEETS_STRICT')
    drawn.add(chosen.bookies.join())
  }
  t.deepEqual([...drawn].sort(), possible.sort())
})

const REFUSED: readonly [title: string, ask: () => unknown, code: string, text: RegExp][] = [
  [
    'an ensemble smaller than the write quorum',
    () => ledger.placeEntry(0, { ensembleSize: 2, writeQuorum: 3 }),
    'ERR_PLACEMENT_QUORUM',
    /2, 3, 2/,
  ],
  [
    'an ack quorum above the write quorum',
    () => ledger.writeSets({ first: 0, count: 1 }, { ensembleSize: 3, writeQuorum: 2, ackQuorum: 3 }),
    'ERR_PLACEMENT_QUORUM',
    /3, 2, 3/,
  ],
  ['a negative entry', () => ledger.placeEntry(-1), 'ERR_PLACEMENT_ARGUMENT_RANGE', /entry/],
  ['an entry beyond a long', () => ledger.placeEntry(2n ** 63n), 'ERR_PLACEMENT_ARGUMENT_RANGE', /2\^63/],
  ['an entry that is no integer', () => ledger.placeEntry('4' as never), 'ERR_PLACEMENT_ARGUMENT_TYPE', /entry/],
  [
    'more write sets than a column holds',
    () => ledger.writeSets({ first: 0, count: 2 ** 31 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /count/,
  ],
  [
    'a bookie beyond the ensemble',
    () => ledger.entriesOfBookie(2, { first: 0, last: 3 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /bookie 2/,
  ],
  ['a range that is reversed', () => ledger.loss([0], { first: 5, last: 1 }), 'ERR_PLACEMENT_ARGUMENT_RANGE', /last/],
  [
    'a lost bookie beyond the ensemble',
    () => ledger.loss([2], { first: 0, last: 1 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /lost\[0\]/,
  ],
  [
    'an acknowledgement of a bookie beyond',
    () => new ledger.AckSet().complete(2),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /bookie/,
  ],
  [
    'a bookie twice in an ensemble',
    () =>
      ledger.ledgersLoss([{ ledgerId: 1, lastEntryId: 0, ensembles: [{ firstEntry: 0, bookies: ['a', 'a'] }] }], []),
    'ERR_PLACEMENT_DUPLICATE',
    /bookies\[1\]/,
  ],
  [
    'a lost bookie that is unknown',
    () =>
      ledger.ledgersLoss([{ ledgerId: 1, lastEntryId: 0, ensembles: [{ firstEntry: 0, bookies: ['a', 'b'] }] }], ['c']),
    'ERR_PLACEMENT_UNKNOWN_NAME',
    /"c"/,
  ],
  [
    'an ensemble of another size',
    () => ledger.ledgersLoss([{ ledgerId: 1, lastEntryId: 0, ensembles: [{ firstEntry: 0, bookies: ['a'] }] }], []),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /expected 2 bookies/,
  ],
  [
    'a rack without a slash',
    () => ledger.ensembleAdherence(['a'], { bookies: { a: 'r1' } }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /"r1"/,
  ],
  [
    'a policy misspelt',
    () => ledger.ensembleAdherence(['a'], { bookies: {}, policy: 'racks' as never }),
    'ERR_PLACEMENT_UNKNOWN_NAME',
    /did you mean rack/,
  ],
  [
    'fewer zones desired than needed',
    () => ledger.ensembleAdherence([], { bookies: {}, policy: 'zone', minNumZonesPerWriteQuorum: 4 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /minNumZones/,
  ],
  [
    'too few bookies for an ensemble',
    () => ledger.chooseEnsemble({ bookies: { a: '/r', b: '/s' }, ensembleSize: 3 }, 1),
    'ERR_PLACEMENT_NO_ENSEMBLE',
    /2 bookies in 2 racks/,
  ],
  [
    'an excluded bookie that is unknown',
    () => ledger.possibleEnsembles({ bookies: { a: '/r' }, exclude: ['z'] }),
    'ERR_PLACEMENT_UNKNOWN_NAME',
    /"z"/,
  ],
]

for (const [title, ask, code, text] of REFUSED) {
  test(`refused: ${title}`, (t) => {
    const error = t.throws(ask)
    t.true(isCodedError(error))
    t.is((error as { code?: string }).code, code)
    t.regex(error!.message, text)
  })
}
