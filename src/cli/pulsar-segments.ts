/** `pulsar segments`: the segments of a scalable topic (5.0) after splits and merges, or the segment of each key. */
import { codedError, shown } from '../errors.js'
import { pulsar } from '../index.js'
import { type Batch, INPUT_OPTIONS, openInput } from './batches.js'
import { writeWord } from './consumer-file.js'
import { alignedRows } from './fill.js'
import type { Command } from './grammar.js'
import { fileOperand } from './operands.js'
import type { SegmentKeysDocument, SegmentsDocument } from './pulsar-documents.js'
import { type Answers, OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

export const PULSAR_SEGMENTS: Command = {
  path: ['pulsar', 'segments'],
  summary: 'the segments of a scalable topic, or with keys the segment of each',
  operands: '[KEYS | -]',
  details: [
    '',
    'Steps are done in their order, by the ids of segments: split-segment:0, merge-segments:1:2,',
    'rebucket:3:8 (to 8 buckets), prune:0. A new segment has the next id.',
  ],
  options: [
    { name: 'segments', value: 'N', help: 'segments that the topic begins with (default 1)' },
    { name: 'topic', value: 'NAME', help: 'its name (default topic://public/default/topic)' },
    { name: 'budget', value: 'N', help: 'scalableTopicEntryBucketBudget (default 4)' },
    { name: 'steps', value: 'STEPS', help: 'what is done to them, with commas between' },
    ...INPUT_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar segments --segments 2 --steps split-segment:0,merge-segments:3:1',
    'topic-placement pulsar segments --segments 4 examples/keys.txt',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const count = args.integer('segments', [1, 65536], 'ERR_PLACEMENT_SEGMENT') ?? 1
  const budget = args.integer('budget', [0, 0x7fffffff], 'ERR_PLACEMENT_ARGUMENT_RANGE')
  const topic = args.text('topic') ?? 'topic://public/default/topic'
  const steps = args.text('steps')?.split(',') ?? []
  const layout = steps.reduce(done, pulsar.SegmentLayout.initial(count, { budget }))
  const path = fileOperand(args)
  const { active } = layout
  session.noteAnswer(`as Pulsar 5.0: ${active.length} active segments, epoch ${layout.epoch}`)
  if (path === undefined) return described(session, layout, topic)
  const input = openInput(session, path, 'utf8')
  const document: Omit<SegmentKeysDocument, 'answers' | 'count'> = { question: 'pulsar segments', topic }
  const topics = new Map(active.map(({ id }) => [id, layout.topicOf(id, topic)]))
  await session.answerRows(input, document, (batch) => segmentsOf(batch, active, topics))
}

const STEPS: Readonly<
  Record<string, (layout: pulsar.SegmentLayout, numbers: readonly number[]) => pulsar.SegmentLayout>
> = {
  'split-segment 1': (layout, [id]) => layout.split(id!),
  'merge-segments 2': (layout, [first, second]) => layout.merge(first!, second!),
  'rebucket 2': (layout, [id, buckets]) => layout.rebucket(id!, buckets!),
  'prune 1': (layout, [id]) => layout.prune(id!),
}

function done(layout: pulsar.SegmentLayout, step: string): pulsar.SegmentLayout {
  const [what, ...words] = step.split(':')
  const apply = STEPS[`${what} ${words.length}`]
  if (apply !== undefined && words.every((word) => /^[0-9]{1,9}$/.test(word))) return apply(layout, words.map(Number))
  const expected = 'split-segment:ID, merge-segments:ID:ID, rebucket:ID:N or prune:ID'
  throw codedError('ERR_PLACEMENT_USAGE', `--steps: expected ${expected}, got ${shown(step)}`)
}

async function described(session: Session, layout: pulsar.SegmentLayout, topic: string): Promise<void> {
  const { args } = session
  for (const name of ['format', 'column'])
    if (args.flag(name)) throw args.wrong(`--${name}: expected KEYS with it, got none`)
  const segments = layout.segments.map((segment) => ({
    id: segment.id,
    range: segment.range.toHex(),
    active: segment.isActive,
    buckets: pulsar.bucketCountOf(segment),
    parents: segment.parents,
    children: segment.children,
    topic: layout.topicOf(segment.id, topic),
  }))
  const document: SegmentsDocument = { question: 'pulsar segments', topic, epoch: layout.epoch, segments }
  const format = rowFormat(args)
  if (format === 'json') return session.write(`${JSON.stringify(document)}\n`)
  if (format === 'jsonl') return session.write(segments.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const rows = segments.map(({ id, range, active, buckets, topic: name }) => {
    return [`${id}`, range, active ? 'active' : 'sealed', `${buckets}`, name]
  })
  await session.write(`${alignedRows([['id', 'range', 'state', 'buckets', 'topic'], ...rows]).join('\n')}\n`)
}

const FIELD = Buffer.from('"segment":')

function segmentsOf(batch: Batch, active: readonly pulsar.Segment[], topics: ReadonlyMap<number, string>): Answers {
  const ids = Array.from(batch.keys, (key) => pulsar.segmentOfKey(key, active))
  const names = new Map([...topics].map(([id, topic]) => [id, Buffer.from(topic)]))
  return {
    text: (rows, index) => writeWord(rows, names.get(ids[index]!)!),
    json: (rows, index) => {
      rows.copy(FIELD)
      rows.decimal(ids[index]!)
    },
  }
}
