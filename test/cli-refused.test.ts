/** What the command line cannot answer: each is one line that says what was expected, what came and where, and an exit code. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { type Ended, inFolder, run } from './cli-process.js'

/** Command line, standard input, and what the last line on standard error says; the answer is empty. */
type Refusal = readonly [words: string, input: string | Uint8Array, message: string, code?: number]

const REFUSED: readonly Refusal[] = [
  ['', '', 'expected hash or kafka or pulsar, got nothing; see "topic-placement --help" [ERR_PLACEMENT_USAGE]'],
  [
    'kafka',
    '',
    'expected partition or group or assign or rebalance or compare-assignors or place or reassign or size or topic-names, got nothing; see "topic-placement kafka --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'kafka partitoin',
    '',
    'unknown command "partitoin": expected partition or group or assign or rebalance or compare-assignors or place or reassign or size or topic-names (did you mean partition?); see "topic-placement kafka --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'kafka topics',
    '',
    'unknown command "topics": expected partition or group or assign or rebalance or compare-assignors or place or reassign or size or topic-names; see "topic-placement kafka --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    '--json hash',
    '',
    'expected hash or kafka or pulsar, got "--json"; see "topic-placement --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'kafka partition',
    'a',
    '--partitions is missing; see "topic-placement kafka partition --help" [ERR_PLACEMENT_USAGE]',
  ],
  ...['0', '-1', '2.5', 'NaN', '2147483648', '0x10', '1e3', ' 7', ''].map(
    (n): Refusal => [
      `kafka partition --partitions=${n}`,
      'a',
      `--partitions: expected an integer in [1, 2147483647], got "${n}" [ERR_PLACEMENT_NUM_PARTITIONS]`,
    ],
  ),
  [
    'kafka group --partitions -1 g',
    '',
    '--partitions: expected an integer in [1, 2147483647], got "-1" [ERR_PLACEMENT_NUM_PARTITIONS]',
  ],
  ...['0', '-1', '4294967296'].map(
    (n): Refusal => [
      `pulsar bundles --bundles ${n}`,
      '',
      `--bundles: expected an integer in [1, 2147483647], got "${n}" [ERR_PLACEMENT_BUNDLE_COUNT]`,
    ],
  ),
  [
    'kafka partition --partitions --summary',
    '',
    '--partitions: expected N; see "topic-placement kafka partition --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'kafka partition --partitions 3 --sumary',
    '',
    'unknown option "--sumary" (did you mean --summary?); see "topic-placement kafka partition --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'kafka partition --partitions 3 --partitions 4',
    '',
    '--partitions is given twice; see "topic-placement kafka partition --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'kafka partition --partitions 3 --summary=yes',
    '',
    '--summary takes no value, got "yes"; see "topic-placement kafka partition --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'kafka partition --partitions 3 --json --jsonl',
    'a',
    'expected one of --json and --jsonl, got both; see "topic-placement kafka partition --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'kafka partition --partitions 3 --all',
    'a',
    '--all: expected --summary with it; see "topic-placement kafka partition --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'kafka partition --partitions 3 --partitioner librdkafka-murmur',
    'a',
    `--partitioner: expected one of kafka, librdkafka-consistent, librdkafka-consistent-random, librdkafka-murmur2, librdkafka-murmur2-random, librdkafka-fnv1a, librdkafka-fnv1a-random, sarama-hash, sarama-reference, kafka-go-hash, kafka-go-reference, kafka-go-crc32, kafka-go-murmur2, platformatic, pulsar-java-string, pulsar-murmur3, pulsar-go-java-string, got "librdkafka-murmur" (did you mean librdkafka-murmur2?) [ERR_PLACEMENT_UNKNOWN_NAME]`,
  ],
  [
    'kafka partition --partitions 3 --partitioner librdkafka-consistent-random',
    'a\n\nb\n',
    'standard input:2: expected a key, got an empty one, for which librdkafka-consistent-random draws the partition: it has no answer [ERR_PLACEMENT_KEY_MISSING]',
    1,
  ],
  [
    'hash --algorithm murmur',
    'a',
    '--algorithm: expected one of murmur2, murmur3, crc32, crc32c, fnv1a, java-string, got "murmur" (did you mean murmur2?) [ERR_PLACEMENT_UNKNOWN_NAME]',
  ],
  [
    'hash --algorithm crc32 --column 1',
    'a',
    '--column: expected --format csv or jsonl with it; see "topic-placement hash --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'hash --algorithm crc32 a b',
    '',
    'expected one FILE, got also "b"; see "topic-placement hash --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'hash --algorithm crc32 examples/key.txt',
    '',
    'examples/key.txt: expected a readable file, got no such file (did you mean examples/keys.txt?) [ERR_PLACEMENT_INPUT]',
  ],
  ['hash --algorithm crc32 examples', '', 'examples: expected a readable file, got a folder [ERR_PLACEMENT_INPUT]'],
  [
    'hash --algorithm crc32 /proc/self/mem',
    '',
    '/proc/self/mem: expected a readable file, got EIO [ERR_PLACEMENT_INPUT]',
  ],
  [
    'pulsar bundle-range examples',
    '',
    'examples: expected a topic or a file, got a folder; a topic of that name can come through "-" [ERR_PLACEMENT_INPUT]',
  ],
  [
    'pulsar bundle-range --version 4.1 t',
    '',
    '--version: expected one of 2.10, 3.0, 4.2, 5.0, got "4.1" (did you mean 4.2?) [ERR_PLACEMENT_UNKNOWN_VERSION]',
  ],
  [
    'pulsar bundle-range --bundles 4 --boundaries examples/boundaries.json t',
    '',
    'expected one of --bundles and --boundaries, got both; see "topic-placement pulsar bundle-range --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'pulsar bundles --jsonl',
    '',
    '--jsonl: expected topics with it, got none; see "topic-placement pulsar bundles --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    'pulsar bundle-range',
    Buffer.from('good\nbad-\xff\nmore\n', 'latin1'),
    'standard input:2: expected UTF-8, got byte 0xff at column 5 [ERR_PLACEMENT_INPUT]',
  ],
  [
    'hash --algorithm crc32 --format jsonl',
    '"a"\n"b"\n7\n',
    'standard input:3: expected a JSON string, got "7" [ERR_PLACEMENT_INPUT]',
  ],
  [
    'hash --algorithm crc32 --format jsonl',
    '"a"\n\n',
    'standard input:2: expected one JSON value a line, got "" [ERR_PLACEMENT_INPUT]',
  ],
  [
    'hash --algorithm crc32 --format jsonl --column key',
    '{"kye":"a"}\n',
    'standard input:1: expected a JSON object with the field "key", got "{\\"kye\\":\\"a\\"}" [ERR_PLACEMENT_INPUT]',
  ],
  [
    'hash --algorithm crc32 --format csv --column key',
    'id,kye\n1,2\n',
    'standard input:1: expected a column "key", got "id", "kye" [ERR_PLACEMENT_INPUT]',
  ],
  [
    'hash --algorithm crc32 --format csv --column 2',
    'a,b\n"c\nd",e\nf\n',
    'standard input:4: expected 2 columns or more, got 1 [ERR_PLACEMENT_INPUT]',
  ],
  [
    'hash --algorithm crc32 --format csv',
    'a\n"b\nc\n',
    'standard input:2: expected a closing quote, got the end of the input [ERR_PLACEMENT_INPUT]',
  ],
  [
    'hash --algorithm crc32 --format csv',
    'a\n"b"c\n',
    'standard input:2: expected a comma or the end of the line after a closing quote [ERR_PLACEMENT_INPUT]',
  ],
  [
    'hash --algorithm crc32 --output /no/such/folder/file',
    'a',
    '/no/such/folder/file: expected to write the answer, got ENOENT (no such folder) [ERR_PLACEMENT_WRITE]',
  ],
  [
    'hash --algorithm crc32 --output examples',
    'a',
    'examples: expected to write the answer, got EISDIR (a folder) [ERR_PLACEMENT_WRITE]',
  ],
]

function refusalOf({ code, out, err }: Ended): unknown {
  return { code, out: out.toString(), err: err.at(-1) }
}

test('what cannot be answered is refused with one line, its code, and nothing on standard output', async (t) => {
  for (const [words, input, message, code = 2] of REFUSED) {
    const ended = await run(words === '' ? [] : wordsOf(words), { input })
    t.deepEqual(refusalOf(ended), { code, out: '', err: `topic-placement: ${message}` }, words)
  }
})

/** Cut at blanks; `--name=` keeps a blank and an empty value. */
function wordsOf(line: string): string[] {
  const at = line.indexOf('=')
  if (at < 0 || !line.includes('--partitions=')) return line.split(' ')
  const blank = line.lastIndexOf(' ', at)
  return [...line.slice(0, blank).split(' '), line.slice(blank + 1)]
}

const WRONG_BOUNDARIES: readonly [json: string, pattern: RegExp][] = [
  ['', /BundlesData: expected a JSON object, got nothing \[ERR_PLACEMENT_BUNDLES_DATA\]$/],
  ['{"boundaries":["0x0"', /line: 1, column: \d+.* \[ERR_PLACEMENT_BUNDLES_DATA\]$/],
  [
    '{"boundaries":["0x00000000","0x80000000","0x40000000","0xffffffff"]}',
    /boundaries\[2\]: .* \[ERR_PLACEMENT_BOUNDARIES\]$/,
  ],
  [
    '{"boundaries":["0x00000000","0x80000000","0x80000000","0xffffffff"]}',
    /boundaries\[2\]: .* \[ERR_PLACEMENT_BOUNDARIES\]$/,
  ],
  ['{"boundaries":["0x00000000","0x80000000"]}', /boundaries\[1\]: .* \[ERR_PLACEMENT_BOUNDARIES\]$/],
  ['{"boundaries":["0x00000000","0x100000000"]}', /boundaries\[1\]: .* \[ERR_PLACEMENT_BOUNDARIES\]$/],
  ['{"boundaries":["0x10","0xffffffff"]}', /boundaries\[0\]: .* \[ERR_PLACEMENT_BOUNDARIES\]$/],
  ['{"boundaries":["0x0","zero"]}', /boundaries\[1\]: .* \[ERR_PLACEMENT_BOUNDARIES\]$/],
]

test('a file of boundaries that is no layout is refused with its place', async (t) => {
  await inFolder(async (folder) => {
    const file = join(folder, 'layout.json')
    for (const [json, pattern] of WRONG_BOUNDARIES) {
      writeFileSync(file, json)
      const { code, out, err } = await run(['pulsar', 'bundle-range', '--boundaries', file, 'my-topic'])
      t.deepEqual([code, out.length], [2, 0], json)
      t.regex(err.at(-1)!, pattern)
    }
  })
})

test('an engine that does not exist is bad input, not an answer', async (t) => {
  const { code, err } = await run(['hash', '--algorithm', 'crc32'], { engine: 'rust', input: 'a' })
  t.is(code, 2)
  t.is(
    err[0],
    'topic-placement: TOPIC_PLACEMENT_ENGINE: expected native or fallback, got "rust" [ERR_PLACEMENT_ENGINE]',
  )
})
