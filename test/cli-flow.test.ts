/** The command line's questions about message flow and ledgers: ledger, retry-flow, dedup, delayed. */
import test from 'ava'
import type { DeduplicationDocument, LedgerLossDocument, RetryFlowDocument } from '../src/cli/pulsar-documents.js'
import { answer, type Given, run } from './cli-process.js'

const words = (line: string): string[] => line.split(' ')

/** Both outputs as texts. */
async function outputs(line: string, given?: Given): Promise<{ out: string; err: string; code: number | null }> {
  const { out, err, code } = await run(words(line), given)
  return { out: out.toString(), err: err.join('\n'), code }
}

test('pulsar ledger tells the bookies of each entry', async (t) => {
  t.is(await answer(words('pulsar ledger --bookkeeper-ensemble 3 --first 4 --last 6')), '4\t1,2\n5\t2,0\n6\t0,1\n')
})

test('pulsar ledger --lost tells what two lost bookies cost, worst first', async (t) => {
  const question = words('pulsar ledger --lost bookie-1:3181,bookie-2:3181 examples/ledgers.jsonl')
  const text = await answer(question)
  t.true(text.startsWith('1 of 3 ledgers lose entries: 1,667 cannot be read\n'), text)
  t.regex(text, /\n +101 +1,667 +3,333 +yes +yes\n +102 +0 +533 +no +yes\n$/)
  const { ledgers } = JSON.parse(await answer([...question, '--json'])) as LedgerLossDocument
  t.deepEqual(
    ledgers.map(({ ledgerId, unreadable, unwritable }) => [ledgerId, unreadable, unwritable]),
    [
      [101, 1667, false],
      [102, 0, true],
      [103, 0, false],
    ],
  )
})

test('pulsar ledger --racks names the windows that break the policy', async (t) => {
  const { out, err } = await outputs('pulsar ledger --racks examples/racks.json examples/ledgers.jsonl')
  t.regex(out, /^1 of 4 ensembles keep the policy\n/)
  t.regex(out, /101 {11}0 {7}FAIL {2}bookie-3:3181, bookie-1:3181: 1 of 2 racks\n/)
  t.regex(err, /NOTE_LEDGER_ODD_ENSEMBLE/)
})

test('pulsar retry-flow tells topic, bundle and time of each attempt', async (t) => {
  const question = words(
    'pulsar retry-flow --subscription billing --max-redeliver-count 1 --delays 10000 --bundles 64 orders',
  )
  const text = await answer(question)
  t.deepEqual(text.split('\n').slice(4), [
    'attempt 1: 10 s later, on persistent://public/default/orders-billing-RETRY, bundle 0x80000000_0x84000000',
    'attempt 2: at once, on persistent://public/default/orders-billing-DLQ, bundle 0x28000000_0x2c000000, the dead-letter topic',
    '',
  ])
  const { attempts, version } = JSON.parse(await answer([...question, '--json'])) as RetryFlowDocument
  t.deepEqual([version, attempts[1]!.properties['RECONSUMETIMES']], ['5.0', '2'])
})

test('pulsar dedup gives a verdict a publish, and names the line of a note', async (t) => {
  const { out, err } = await outputs('pulsar dedup examples/publishes.jsonl')
  t.regex(out, /^3 NotDup, 3 Dup, 0 Unknown\n/)
  t.regex(err, /examples\/publishes\.jsonl:7: NOTE_DEDUP_LOST_CHUNK/)
  const json = await answer(words('pulsar dedup --json examples/publishes.jsonl'))
  const { state } = JSON.parse(json) as DeduplicationDocument
  t.deepEqual(state.pushed, { p: 9, q: '9007199254740993' as never })
})

test('pulsar delayed tells when messages are due, and that the timer is lost', async (t) => {
  const { out, err } = await outputs('pulsar delayed examples/delayed.jsonl')
  t.regex(out, /\n +7 +at +1 +- {2}woken at 5632; nothing due\n/)
  t.regex(err, /NOTE_DELAYED_NEVER_WOKEN: 1 held back, due at 6043/)
})

const REFUSED: readonly [title: string, line: string, input: string, text: RegExp][] = [
  ['an event that is no JSON', 'pulsar dedup', '{"persisted":0}\nx\n', /standard input:2: expected one JSON object/],
  ['an event that is a list', 'pulsar delayed', '\n[1]\n', /standard input:2: expected a JSON object/],
  ['no event', 'pulsar delayed', '\n', /standard input: expected a JSON object a line, got none/],
  [
    'a confirmation of nothing',
    'pulsar dedup',
    '\n{"persisted":3}\n',
    /standard input:2: persisted: expected the number/,
  ],
  [
    'a position of one number',
    'pulsar delayed',
    '{"add":{"position":[1],"deliverAt":3}}',
    /standard input:1: add\.position/,
  ],
  ['bytes that are no UTF-8', 'pulsar dedup', '\udc80', /expected one JSON object/],
  ['a release that is not known here', 'pulsar dedup --version 3.0', '{}', /4\.2 or newer/],
  ['quorums that do not descend', 'pulsar ledger --bookkeeper-ensemble 1', '', /1, 2, 2/],
  ['ledgers without a question', 'pulsar ledger examples/ledgers.jsonl', '', /one of --lost and --racks/],
  ['a bookie that nobody has', 'pulsar ledger --lost b9 examples/ledgers.jsonl', '', /"b9"/],
  [
    'racks that are no JSON',
    'pulsar ledger --racks examples/keys.txt examples/ledgers.jsonl',
    '',
    /keys\.txt: expected a JSON object/,
  ],
  ['a subscription with a slash', 'pulsar retry-flow --subscription a/b orders', '', /V1 topic names/],
  ['no subscription', 'pulsar retry-flow orders', '', /--subscription is missing/],
  [
    'delays in two ways',
    'pulsar retry-flow --subscription s --delays 1 --multiplier 2 orders',
    '',
    /--delays: expected it alone/,
  ],
  [
    'a delay that is no number',
    'pulsar retry-flow --subscription s --delays 10s orders',
    '',
    /--delays: expected a number/,
  ],
]

for (const [title, line, input, text] of REFUSED) {
  test(`refused: ${title}`, async (t) => {
    const { out, err, code } = await outputs(line, { input })
    t.is(out, '')
    t.regex(err, text)
    t.true(code === 2 || code === 1, `exit ${code}`)
  })
}
