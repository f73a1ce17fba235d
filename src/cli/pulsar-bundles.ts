/** `pulsar bundles`: a layout as `pulsar-admin namespaces bundles` prints it, or with topics how full its bundles get. */
import type { pulsar } from '../index.js'
import { INPUT_OPTIONS, type Input, openInput, placed } from './batches.js'
import { Fill, fillTable, MOST_PLACES } from './fill.js'
import type { Command } from './grammar.js'
import { fileOperand } from './operands.js'
import type { BundlesSummaryDocument } from './pulsar-documents.js'
import { LAYOUT_OPTIONS, layoutOf } from './pulsar-layout.js'
import { RowBuffer } from './row-buffer.js'
import { OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

export const PULSAR_BUNDLES: Command = {
  path: ['pulsar', 'bundles'],
  summary: 'the bundles of a namespace, or with topics how full each gets',
  operands: '[TOPICS | -]',
  details: [
    '',
    'Without topics: the layout as "pulsar-admin namespaces bundles" prints it. With a file of topics,',
    'one a line: topics per bundle.',
  ],
  options: [
    ...LAYOUT_OPTIONS,
    { name: 'all', help: 'with topics: every bundle, not the ten fullest' },
    ...INPUT_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar bundles --bundles 8',
    'topic-placement pulsar bundles --bundles 8 --all examples/topics.txt',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const path = fileOperand(args)
  if (path === undefined) {
    for (const name of ['all', 'format', 'column', 'jsonl']) {
      if (args.flag(name)) throw args.wrong(`--${name}: expected topics with it, got none`)
    }
    return writeLayout(session, layoutOf(session))
  }
  const input = openInput(session, path, 'utf8')
  const bundles = layoutOf(session)
  if (bundles.length > MOST_PLACES)
    throw args.wrong(`expected at most ${MOST_PLACES} bundles with topics, got ${bundles.length}`)
  await writeFill(session, input, bundles)
}

/** Written in blocks: a layout can have millions of boundaries. */
const WRITE_BYTES = 1 << 20
const QUOTE = 0x22
const BETWEEN = Buffer.from(', ')

/** Source: Jackson's DefaultPrettyPrinter, which pulsar-admin prints with; seen with the mapper of Pulsar 5.0.1. */
async function writeLayout({ destination }: Session, { boundaries, length }: pulsar.NamespaceBundles): Promise<void> {
  const rows = new RowBuffer()
  rows.text('{\n  "boundaries" : [ ')
  for (let i = 0; i <= length; i++) {
    rows.reserve(32)
    if (i > 0) rows.copy(BETWEEN)
    rows.byte(QUOTE)
    rows.hex(boundaries[i]!)
    rows.byte(QUOTE)
    if (rows.length < WRITE_BYTES) continue
    await destination.write(rows.view())
    rows.clear()
  }
  rows.text(` ],\n  "numBundles" : ${length}\n}\n`)
  await destination.write(rows.view())
}

async function writeFill(session: Session, input: Input, bundles: pulsar.NamespaceBundles): Promise<void> {
  const fill = new Fill(bundles.length)
  await session.each(input, (batch) => fill.add(placed(batch, () => bundles.indexOf(batch.keys))))
  const format = rowFormat(session.args)
  if (format === 'json') return session.write(`${JSON.stringify(documentOf(fill, bundles))}\n`)
  if (format === 'jsonl')
    return session.write(
      rowsOf(fill, bundles)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    )
  const table = fillTable(fill, {
    what: 'topics',
    places: 'bundles',
    place: 'bundle',
    all: session.args.flag('all'),
    label: (bundle) => bundles.range(bundle),
  })
  await session.write(table)
}

function rowsOf(fill: Fill, bundles: pulsar.NamespaceBundles): BundlesSummaryDocument['bundles'] {
  return Array.from(fill.counts, (topics, bundle) => ({ range: bundles.range(bundle), topics }))
}

function documentOf(fill: Fill, bundles: pulsar.NamespaceBundles): BundlesSummaryDocument {
  const { total: topics, ...spread } = fill.spread()
  const { version, length: numBundles } = bundles
  return { question: 'pulsar bundles', version, numBundles, topics, ...spread, bundles: rowsOf(fill, bundles) }
}
