/** `pulsar bundle-range`: the range of the bundle that holds each topic, as `pulsar-admin topics bundle-range` prints it. */
import type { pulsar } from '../index.js'
import { type Batch, INPUT_OPTIONS, placed } from './batches.js'
import type { Command } from './grammar.js'
import { namesOrFile } from './operands.js'
import type { BundleRangeDocument } from './pulsar-documents.js'
import { LAYOUT_OPTIONS, layoutOf } from './pulsar-layout.js'
import { type Answers, OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

export const PULSAR_BUNDLE_RANGE: Command = {
  path: ['pulsar', 'bundle-range'],
  summary: 'the bundle of each topic, as "pulsar-admin topics bundle-range" prints it',
  operands: 'TOPIC… | FILE | -',
  details: [
    '',
    'A short name is completed as Pulsar does: t is persistent://public/default/t. Each partition of a',
    'topic has a bundle of its own: ask for t-partition-0. A word that names a file is read as one, which',
    'is said.',
  ],
  options: [...LAYOUT_OPTIONS, ...INPUT_OPTIONS, ...OUTPUT_OPTIONS],
  examples: [
    'topic-placement pulsar bundle-range --bundles 64 persistent://public/default/my-topic',
    'topic-placement pulsar bundle-range --boundaries examples/boundaries.json examples/topics.txt',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const input = namesOrFile(session, 'topic', 'utf8')
  const bundles = layoutOf(session)
  const { version, length } = bundles
  const document: Omit<BundleRangeDocument, 'answers' | 'count'> = {
    question: 'pulsar bundle-range',
    version,
    bundles: length,
  }
  await session.answerRows(input, document, (batch) => rangesOf(batch, bundles))
}

const FIELD = Buffer.from('"range":"')
const UNDERSCORE = 0x5f
const QUOTE = 0x22

function rangesOf(batch: Batch, bundles: pulsar.NamespaceBundles): Answers {
  const indices = placed(batch, () => bundles.indexOf(batch.keys))
  const { boundaries } = bundles
  const text: Answers['text'] = (rows, index) => {
    const bundle = indices[index]!
    rows.hex(boundaries[bundle]!)
    rows.byte(UNDERSCORE)
    rows.hex(boundaries[bundle + 1]!)
  }
  const json: Answers['json'] = (rows, index) => {
    rows.copy(FIELD)
    text(rows, index)
    rows.byte(QUOTE)
  }
  return { text, json }
}
