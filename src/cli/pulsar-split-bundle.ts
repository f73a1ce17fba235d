/** `pulsar split-bundle`: what `pulsar-admin namespaces split-bundle` would do: the cut, the layout after, what moves. */
import { shown } from '../errors.js'
import type { pulsar } from '../index.js'
import { INPUT_OPTIONS, openInput } from './batches.js'
import type { Command } from './grammar.js'
import { fileOperand } from './operands.js'
import type { SplitBundleDocument } from './pulsar-documents.js'
import { LAYOUT_OPTIONS, layoutOf } from './pulsar-layout.js'
import { STATS_OPTION, statsOf } from './pulsar-stats.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'
import { wholeSet } from './whole-set.js'

const TYPES = ['LARGEST', 'HOT'] as const
const MANAGERS = ['modular', 'extensible'] as const

export const PULSAR_SPLIT_BUNDLE: Command = {
  path: ['pulsar', 'split-bundle'],
  summary: 'where a bundle is cut, the layout after it, and what moves',
  operands: '[TOPICS | -]',
  details: [
    '',
    'As "pulsar-admin namespaces split-bundle", which prints nothing: also where no boundary is found and',
    "nothing is split. TOPICS are the namespace's topics, one a line.",
  ],
  options: [
    { name: 'bundle', value: 'RANGE', help: 'the bundle: 0x00000000_0x08000000' },
    { name: 'bundle-type', value: 'TYPE', help: 'or the one with most topics (LARGEST) or most traffic (HOT)' },
    {
      name: 'split-algorithm-name',
      value: 'NAME',
      help: "in Pulsar's words (default: the broker's); NAME_corrected: ours",
    },
    {
      name: 'default-algorithm',
      value: 'NAME',
      help: 'of the broker (default range_equally_divide)',
    },
    { name: 'split-boundaries', value: 'B,…', help: 'where specified_positions_divide cuts' },
    { name: 'unload', help: 'unload the parts afterwards' },
    { name: 'load-manager', value: 'NAME', help: `for HOT: ${MANAGERS.join(' or ')} (default modular)` },
    STATS_OPTION,
    ...LAYOUT_OPTIONS,
    ...INPUT_OPTIONS,
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement pulsar split-bundle --bundles 32 --bundle 0x00000000_0x08000000',
    'topic-placement pulsar split-bundle --bundles 4 --bundle-type LARGEST examples/topics.txt',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const [range, path] = [rangeOf(session), fileOperand(args)]
  const positions = positionsOf(session)
  const input = path === undefined ? null : openInput(session, path, 'utf8')
  const bundles = layoutOf(session)
  const { topics, placed } = await wholeSet(session, input)
  const { split } = await placed(() => ({
    split: bundles.split(range, {
      // Its spelling is refused as the admin API refuses it.
      algorithm: args.text('split-algorithm-name') as pulsar.SplitAlgorithm | undefined,
      topics,
      rates: statsOf(session, topics, bundles.version),
      positions,
      parts: args.flag('unload') ? 'unloaded' : 'kept',
      loadManager: args.choice('load-manager', MANAGERS),
      config: { defaultNamespaceBundleSplitAlgorithm: args.text('default-algorithm') },
    }),
  }))
  const document = documentOf(split, topics.length)
  await session.write(args.flag('json') ? `${JSON.stringify(document)}\n` : textOf(document))
}

function rangeOf({ args }: Session): string {
  args.apart('bundle', 'bundle-type')
  return args.required('bundle', args.text('bundle') ?? args.choice('bundle-type', TYPES))
}

function positionsOf({ args }: Session): number[] | undefined {
  return args
    .text('split-boundaries')
    ?.split(',')
    .map((text) => {
      const position = /^(0x[0-9a-f]+|[0-9]+)$/i.test(text) ? Number(text) : Number.NaN
      if (Number.isSafeInteger(position)) return position
      throw args.wrong(`--split-boundaries: expected numbers such as 0x04000000, got ${shown(text)}`)
    })
}

function documentOf(split: pulsar.BundleSplit, topics: number): SplitBundleDocument {
  return {
    question: 'pulsar split-bundle',
    version: split.bundles.version,
    algorithm: split.algorithm,
    bundle: split.parent.range,
    boundaries: split.boundaries.map((boundary) => `0x${boundary.toString(16).padStart(8, '0')}`),
    children: split.children.map(({ range }, i) => ({ range, topics: split.counts[i]! })),
    topics,
    moved: split.moved.length,
    unloaded: split.unloaded.map(({ range }) => range),
    layout: split.bundles.toData(),
    notes: split.notes,
  }
}

function textOf({ bundle, algorithm, boundaries, children, ...rest }: SplitBundleDocument): string {
  const { moved, topics, unloaded, layout, notes } = rest
  const said = notes.map(({ code, message }) => `note: ${message} [${code}]`)
  if (boundaries.length === 0)
    return `${[`${bundle} is not split: ${algorithm} finds no boundary`, ...said].join('\n')}\n`
  const width = Math.max(6, ...children.map((child) => String(child.topics).length))
  const lines = [
    `${bundle} is split at ${boundaries.join(', ')} by ${algorithm}`,
    '',
    `${'topics'.padStart(width)}  bundle`,
    ...children.map((child) => `${String(child.topics).padStart(width)}  ${child.range}`),
    '',
    `${moved} of ${topics} topics change bundle; ${unloaded.length === 0 ? 'none is unloaded: their broker keeps them' : 'all of them are unloaded'}`,
    `${layout.numBundles} bundles after it (--json has them)`,
    ...said,
  ]
  return `${lines.join('\n')}\n`
}
