/** `pulsar key-shared`: the consumer of each key of a Key_Shared subscription, or each consumer's part, and who joins or leaves. */
import { codedError, shown } from '../errors.js'
import { type PulsarVersion, pulsar } from '../index.js'
import { type Batch, INPUT_OPTIONS, openInput, placed } from './batches.js'
import { atLine, type ConsumerLine, consumerLines, consumersOption, integerOf, writeWord } from './consumer-file.js'
import { alignedRows } from './fill.js'
import type { Command } from './grammar.js'
import { fileOperand } from './operands.js'
import type { KeySharedDocument, KeySharedSharesDocument } from './pulsar-documents.js'
import { type Answers, OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

const VERSIONS: readonly PulsarVersion[] = ['2.10', '3.0', '4.2', '5.0']
const SELECTORS = ['consistent-hashing', 'auto-split', 'sticky'] as const
type SelectorName = (typeof SELECTORS)[number]

export const PULSAR_KEY_SHARED: Command = {
  path: ['pulsar', 'key-shared'],
  summary: 'the consumer that gets each key of a Key_Shared subscription',
  operands: '[KEYS | -]',
  details: [
    '',
    'Without keys: the part of all hashes that each consumer has. With --join or --leave: what each has',
    'then, and what moves. Ranges of sticky consumers stand behind a tab: c1<TAB>0-99,400-65535.',
  ],
  options: [
    consumersOption(''),
    { name: 'selector', value: 'NAME', help: `${SELECTORS.join(', ')} (default ${SELECTORS[0]})` },
    { name: 'points', value: 'N', help: 'consistent-hashing: points of a consumer (default 100)' },
    { name: 'join', value: 'NAME', help: 'a consumer that joins after the others' },
    { name: 'leave', value: 'NAME', help: 'a consumer that leaves: the first of that name' },
    { name: 'version', value: 'RELEASE', help: `${VERSIONS.join(', ')} (default ${VERSIONS.at(-1)})` },
    ...INPUT_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar key-shared --consumers examples/consumers.txt examples/keys.txt',
    'topic-placement pulsar key-shared --consumers examples/consumers.txt --leave c3',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const version = args.choice('version', VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION') ?? VERSIONS.at(-1)!
  const name = args.choice('selector', SELECTORS) ?? SELECTORS[0]
  if (args.flag('points') && name !== 'consistent-hashing')
    throw args.wrong('--points: expected --selector consistent-hashing')
  if (args.flag('join') && name === 'sticky') throw args.wrong('--join: expected another selector than sticky')
  const { selector, join } = madeOf(session, name, version)
  const before = selector.assignment
  changed(session, selector, join)
  const path = fileOperand(args)
  const question = { version, selector: name }
  if (path === undefined) return shares(session, { question, selector, before })
  const input = openInput(session, path, 'utf8')
  session.noteAnswer(`as Pulsar ${version}: ${name}, ${selector.shares().length} consumers with hashes`)
  const document: Omit<KeySharedDocument, 'answers' | 'count'> = { question: 'pulsar key-shared', ...question }
  await session.answerRows(input, document, (batch) => consumersOf(batch, selector, before))
}

interface Made {
  readonly selector: pulsar.KeySharedSelector
  readonly join: (name: string) => void
}

function madeOf(session: Session, name: SelectorName, version: PulsarVersion): Made {
  const lines = consumerLines(session)
  if (name === 'sticky') {
    const sticky = new pulsar.KeySharedSticky({ version })
    for (const line of lines) atLine(line, () => sticky.join({ name: line.name, ranges: rangesOf(line) }))
    return { selector: sticky, join: () => {} }
  }
  const points = session.args.integer('points', [0, 1_000_000], 'ERR_PLACEMENT_ARGUMENT_RANGE')
  const selector =
    name === 'auto-split' ? new pulsar.KeySharedAutoSplit({ version }) : new pulsar.KeySharedRing({ version, points })
  for (const line of lines) atLine(line, () => selector.join({ name: line.name }))
  return { selector, join: (joining) => selector.join({ name: joining }) }
}

function rangesOf(line: ConsumerLine): pulsar.KeyHashRange[] {
  return (line.more ?? '').split(',').map((text) => {
    const [start, end, ...more] = text.split('-')
    if (end === undefined || more.length > 0) {
      throw codedError(
        'ERR_PLACEMENT_INPUT',
        `expected ranges such as 0-99,400-65535 behind a tab, got ${shown(line.more ?? '')}`,
      )
    }
    return [integerOf(line, start!, 'the start of a range'), integerOf(line, end, 'the end of a range')]
  })
}

function changed({ args }: Session, selector: pulsar.KeySharedSelector, join: Made['join']): void {
  const [joining, leaving] = [args.text('join'), args.text('leave')]
  if (leaving !== undefined) {
    const names = selector.names
    const number = names.indexOf(leaving)
    if (number < 0)
      throw codedError('ERR_PLACEMENT_CONSUMER', `--leave: expected one of the consumers, got ${shown(leaving)}`)
    selector.leave(number)
  }
  if (joining !== undefined) join(joining)
}

const NO_ONE = Buffer.from('-')
const NULL = Buffer.from('null')

/** The consumer of each key, and where it was before if that is another. */
function consumersOf(batch: Batch, selector: pulsar.KeySharedSelector, before: pulsar.KeySharedAssignment): Answers {
  const [had, have] = placed(batch, () => [before.select(batch.keys), selector.select(batch.keys)])
  const names = selector.names
  const [texts, quoted] = [
    names.map((name) => Buffer.from(name)),
    names.map((name) => Buffer.from(JSON.stringify(name))),
  ]
  return {
    text: (rows, index) => {
      const [from, to] = [had[index]!, have[index]!]
      if (from !== to) {
        writeWord(rows, texts[from] ?? NO_ONE)
        writeWord(rows, ARROW)
      }
      writeWord(rows, texts[to] ?? NO_ONE)
    },
    json: (rows, index) => {
      const [from, to] = [had[index]!, have[index]!]
      writeWord(rows, CONSUMER)
      writeWord(rows, quoted[to] ?? NULL)
      if (from === to) return
      writeWord(rows, BEFORE)
      writeWord(rows, quoted[from] ?? NULL)
    },
  }
}

const ARROW = Buffer.from(' -> ')
const CONSUMER = Buffer.from('"consumer":')
const BEFORE = Buffer.from(',"before":')

interface Moment {
  readonly question: { readonly version: PulsarVersion; readonly selector: SelectorName }
  readonly selector: pulsar.KeySharedSelector
  readonly before: pulsar.KeySharedAssignment
}

async function shares(session: Session, { question, selector, before }: Moment): Promise<void> {
  const { args } = session
  for (const name of ['format', 'column'])
    if (args.flag(name)) throw args.wrong(`--${name}: expected KEYS with it, got none`)
  session.noteAnswer(`as Pulsar ${question.version}: ${question.selector}`)
  const [was, is] = [sharesBy(before), sharesBy(selector.assignment)]
  const consumers = selector.names.map((name, consumer) => {
    return { consumer: name, share: is.get(consumer) ?? 0, before: was.get(consumer) ?? 0 }
  })
  const { share: moved } = before.movesTo(selector.assignment)
  const document: KeySharedSharesDocument = { question: 'pulsar key-shared', ...question, moved, consumers }
  const format = rowFormat(args)
  if (format === 'json') return session.write(`${JSON.stringify(document)}\n`)
  if (format === 'jsonl') return session.write(consumers.map((row) => `${JSON.stringify(row)}\n`).join(''))
  await session.write(table(document))
}

const sharesBy = (assignment: pulsar.KeySharedAssignment): Map<number, number> =>
  new Map(assignment.shares().map(({ consumer, share }) => [consumer, share]))

function table({ consumers, moved }: KeySharedSharesDocument): string {
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`
  const rows = consumers.map(({ consumer, share, before }) => [percent(before), percent(share), consumer])
  const head = `${consumers.length} consumers, ${percent(moved)} of all hashes move`
  return `${[head, '', ...alignedRows([['before', 'after', 'consumer'], ...rows])].join('\n')}\n`
}
