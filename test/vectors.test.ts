/** The golden vectors of `test/vectors`, replayed on every engine; and the replay itself, which must see what is wrong. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Engine } from '../src/engine/contract.js'
import { engine } from '../src/engine/index.js'
import { DOORS, ENGINES, onEngine } from './engines.js'
import { refusalOf } from './refusal.js'
import { canonicalJson, type Expected, firstDifference } from './vectors/compare.js'
import { readVectors } from './vectors/file.js'
import { VECTORS, vectorFiles } from './vectors/main.js'
import { OPS, TYPESCRIPT_ONLY } from './vectors/ops.js'
import { linesThatHold } from './vectors/releases.js'
import { replayFile, replayRequest } from './vectors/replay.js'
import { closingLine, failureText } from './vectors/report.js'

const FILES = VECTORS.flatMap(vectorFiles)

for (const path of FILES) {
  for (const door of DOORS) {
    test(`${door.name}: ${basename(dirname(path))} ${basename(path)}`, (t) => {
      const replay = replayFile(path, [door])
      t.deepEqual(replay.failures.slice(0, 3).map(failureText), [])
      t.deepEqual([...replay.skipped], [], 'every op of a family that is due is answered')
    })
  }
}

test('the families that are due are all here, at every release that answers otherwise', (t) => {
  const due = [
    'kafka/murmur2',
    'kafka/partitioner',
    'kafka/group',
    'kafka/map-order',
    'kafka/range',
    'kafka/round-robin',
    'kafka/sticky',
    'kafka/cooperative-sticky',
    'pulsar/crc32',
    'pulsar/murmur3',
    'pulsar/java-string-hash',
  ]
  const releases = ['', '@4.2', '@3.0', '@2.10']
  const byRelease = [
    'pulsar/topic-name',
    'pulsar/bundles',
    'pulsar/split',
    'pulsar/key-shared',
    'pulsar/scalable',
  ].flatMap((family) => releases.map((release) => family + release))
  byRelease.push(
    ...['pulsar/routing', 'pulsar/failover', 'pulsar/split-decision'].flatMap((family) =>
      releases.filter((release) => release !== '@4.2').map((release) => family + release),
    ),
  )
  const here = FILES.map((path) => `${basename(dirname(path))}/${basename(path, '.jsonl')}`)
  for (const family of [...due, ...byRelease]) t.true(here.includes(family), family)
})

/** Answers of a file of two lines, one of them the given. */
function replayed(t: import('ava').ExecutionContext, ...lines: readonly object[]): ReturnType<typeof replayFile> {
  const folder = mkdtempSync(join(tmpdir(), 'topic-placement-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'murmur2.jsonl')
  const header = { provenance: { family: 'murmur2', kafka: '4.4.0' } }
  writeFileSync(path, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return replayFile(path, DOORS)
}

const RIGHT = { request: { op: 'murmur2', keys: ['21', 'foobar'] }, ok: { hashes: [-973932308, -790332482] } }

test('a right line passes once an engine', (t) => {
  t.is(closingLine([replayed(t, RIGHT)]), `${ENGINES.length} passed, 0 failed, 0 skipped`)
})

test('a wrong line fails once an engine, and is told with its place, request, expected and got', (t) => {
  const wrong = { ...RIGHT, ok: { hashes: [-973932308, 1] } }
  const replay = replayed(t, RIGHT, wrong)
  t.is(closingLine([replay]), `${ENGINES.length} passed, ${ENGINES.length} failed, 0 skipped`)
  const text = failureText(replay.failures[0]!)
  t.regex(text, /murmur2\.jsonl:3 on (native|fallback), as 4\.4\n/)
  t.true(
    text.includes(
      '  request   {"op":"murmur2","keys":["21","foobar"]}\n  at        ok.hashes[1]\n  expected  1\n  got       -790332482',
    ),
  )
})

test('an answer where an error is held, and an error where an answer is held, fail', (t) => {
  const error = { type: 'java.lang.ArithmeticException', message: '/ by zero' }
  t.is(replayed(t, { request: RIGHT.request, error }).failures.length, ENGINES.length)
  const zero = { request: { op: 'partitionForKey', keys: ['a'], numPartitions: 0 }, ok: { partitions: [0] } }
  t.is(replayed(t, zero).failures.length, ENGINES.length)
})

test('what the product does not answer is skipped by op, once, and never passes', (t) => {
  const unknown = { request: { op: 'toString' }, ok: {} }
  const replay = replayed(t, RIGHT, unknown, unknown)
  t.is(closingLine([replay]), `${ENGINES.length} passed, 0 failed, 2 skipped`)
  t.deepEqual([...replay.skipped], [['toString', 2]])
  t.is(replayRequest('murmur2', { op: 'no such op' }, '4.4'), undefined)
})

test('a large answer is held as the digest of its canonical JSON', (t) => {
  // SHA-256 of {"hashes":[-973932308,-790332482]}, by sha256sum.
  const sha256 = '77c01dd95c74bafacdaff8b15934732f3407c3c9a0584b55a34bc377e6457e3c'
  t.is(closingLine([replayed(t, { request: RIGHT.request, sha256 })]), `${ENGINES.length} passed, 0 failed, 0 skipped`)
  const other = replayed(t, { request: { op: 'murmur2', keys: ['21'] }, sha256 })
  t.is(other.failures[0]!.at, 'sha256')
})

test('canonical JSON sorts by code point, has no blanks, and is ASCII', (t) => {
  const value = { '\uffff': 1, '\u{1f600}': 2, '\x7f': [true, null, 'é\n"'], a: { c: 1, b: [] }, left: undefined }
  t.is(
    canonicalJson(value),
    String.raw`{"a":{"b":[],"c":1},"\u007f":[true,null,"\u00e9\n\""],"\uffff":1,"\ud83d\ude00":2}`,
  )
})

const COMPARED: readonly [claim: string, expected: unknown, got: unknown, at: string | undefined][] = [
  ['equal answers', { a: [1, { b: null }] }, { a: [1, { b: null }] }, undefined],
  ['typed arrays are lists', { a: [1, 2] }, { a: Int32Array.of(1, 2) }, undefined],
  ['the order of fields is no matter', { a: 1, b: 2 }, { b: 2, a: 1 }, undefined],
  ['another number', { a: [1, 2] }, { a: [1, 3] }, 'ok.a[1]'],
  ['a shorter list', [1, 2], [1], 'ok[1]'],
  ['a longer list', [1], [1, 2], 'ok[1]'],
  ['a list where an object is held', {}, [], 'ok'],
  ['null where a number is held', [0], [null], 'ok[0]'],
  ['nothing where null is held', { a: null }, {}, 'ok.a'],
  ['a field too many', {}, { a: 1 }, 'ok.a'],
  ['a field named like a method', {}, { constructor: 1 }, 'ok.constructor'],
  ['minus zero', [0], [-0], 'ok[0]'],
  ['text where a number is held', [1], ['1'], 'ok[0]'],
]

for (const [claim, expected, got, at] of COMPARED) {
  test(`compared: ${claim}`, (t) => t.is(firstDifference({ ok: expected }, { ok: got })?.at, at))
}

const refused = (type: string, message: string | null): Expected & { error: object } => ({ error: { type, message } })

const REFUSALS: readonly [claim: string, expected: Expected, got: ReturnType<typeof refused>, same: boolean][] = [
  ['class and text', refused('a.B', 'x'), refused('a.B', 'x'), true],
  ['another text', refused('a.B', 'x'), refused('a.B', 'y'), false],
  ['another class', refused('a.B', 'x'), refused('a.C', 'x'), false],
  ['no text held', refused('a.B', null), refused('a.B', 'y'), true],
  ['no text got', refused('a.B', 'x'), refused('a.B', null), false],
  [
    "the text of a class of the JDK's own",
    refused('java.lang.NumberFormatException', 'x'),
    refused('java.lang.NumberFormatException', 'y'),
    true,
  ],
  [
    "the class of the JDK's own",
    refused('java.lang.NumberFormatException', 'x'),
    refused('java.lang.ArithmeticException', 'x'),
    false,
  ],
  [
    "IllegalArgumentException's text is the thrower's",
    refused('java.lang.IllegalArgumentException', 'x'),
    refused('java.lang.IllegalArgumentException', 'y'),
    false,
  ],
]

for (const [claim, expected, got, same] of REFUSALS) {
  test(`errors compared: ${claim}`, (t) => {
    t.is(firstDifference(expected, got as never) === undefined, same)
    t.is(firstDifference({ ok: [expected] }, { ok: [got] }) === undefined, same, 'in a list too')
  })
}

const HEADER = '{"provenance":{"family":"murmur2","kafka":"4.4.0"}}'

const BROKEN: readonly [claim: string, text: string, refusal: string][] = [
  ['an empty file', '', ':1: expected a JSON object, got an empty line'],
  ['no provenance', '{}\n', ':1: expected {"provenance":{"family":…,"kafka" or "release":"major.minor…"}}, got {}'],
  ['a broken line', `${HEADER}\n{"request":\n`, ':2: expected a JSON object, got {"request":'],
  ['an empty line', `${HEADER}\n\n{}\n`, ':2: expected a JSON object, got an empty line'],
  [
    'no answer',
    `${HEADER}\n{"request":{"op":"a"}}\n`,
    ':2: expected {"request":{"op":…},…} with one of "ok", "error" and "sha256", got {"request":{"op":"a"}}',
  ],
  [
    'no op',
    `${HEADER}\n{"request":{},"ok":1}\n`,
    ':2: expected {"request":{"op":…},…} with one of "ok", "error" and "sha256", got {"request":{},"ok":1}',
  ],
]

for (const [claim, text, refusal] of BROKEN) {
  test(`a file with ${claim} is refused with its place`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'topic-placement-'))
    t.teardown(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'broken.jsonl')
    writeFileSync(path, text)
    t.is(
      refusalOf(() => readVectors(path)),
      `RangeError ERR_PLACEMENT_INPUT: ${path}${refusal}`,
    )
  })
}

test('a file that is not there is refused', (t) => {
  t.regex(
    refusalOf(() => readVectors('/no/such/file.jsonl')),
    /^RangeError ERR_PLACEMENT_INPUT: \/no\/such\/file\.jsonl: cannot be read/,
  )
})

for (const path of FILES.filter((file) => file.includes('@'))) {
  test(`${basename(path)} and what holds of the newest release are together all that is answered`, (t) => {
    const [older, newest] = [readVectors(path), readVectors(path.replace(/@.*/, '.jsonl'))]
    const items = (lines: readonly { expected: Expected }[]): number =>
      lines.reduce(
        (sum, { expected }) => sum + ('ok' in expected && Array.isArray(expected.ok) ? expected.ok.length : 1),
        0,
      )
    const answered = newest.lines.filter(({ line }) => !older.unanswered.includes(line))
    t.is(items(older.lines) + items(linesThatHold(newest, older)), items(answered))
  })
}

const MAIN = fileURLToPath(new URL('./vectors/main.js', import.meta.url))

/** Exit code and what is printed. */
function run(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

test('npm run vectors: exits 0 with the counts, 1 on a difference, 2 on wrong usage or a file of another form', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'topic-placement-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = (name: string, line: string): string => {
    const path = join(folder, name)
    writeFileSync(path, `${HEADER}\n${line}\n`)
    return path
  }
  const right = run(file('right.jsonl', JSON.stringify(RIGHT)))
  t.is(right.code, 0, right.err)
  t.true(right.out.endsWith(`\n${ENGINES.length} passed, 0 failed, 0 skipped\n`), right.out)
  const wrong = run(file('wrong.jsonl', JSON.stringify({ ...RIGHT, ok: {} })))
  t.is(wrong.code, 1)
  t.true(wrong.out.endsWith(`\n0 passed, ${ENGINES.length} failed, 0 skipped\n`), wrong.out)
  const skipped = run(file('skipped.jsonl', JSON.stringify({ request: { op: 'no-such-op' }, ok: {} })))
  t.is(skipped.code, 0)
  t.regex(
    skipped.out,
    /\nskipped: kafka murmur2 as 4\.4, not answered yet: no-such-op 1\n0 passed, 0 failed, 1 skipped\n$/,
  )
  const broken = run(file('broken.jsonl', '{"request":'))
  t.is(broken.code, 2)
  // Where no addon is, the output begins with that.
  t.notRegex(broken.out, /\d+ passed/)
  t.regex(broken.err, /^ERR_PLACEMENT_INPUT: .*broken\.jsonl:2: expected a JSON object, got \{"request":\n$/)
  t.is(run('--all').err, 'ERR_PLACEMENT_USAGE: expected npm run vectors -- FILE…, got --all\n')
  t.is(run(join(folder, 'none.jsonl')).code, 2)
})

/** How often an engine is asked; one long key that an adapter hashes to sum up an answer is no question of the op. */
function counting(name: (typeof ENGINES)[number], ask: () => void): number {
  let asked = 0
  onEngine(name, () => {
    const real = engine()
    for (const method of Object.keys(real) as (keyof Engine)[]) {
      const original = real[method]
      if (typeof original !== 'function' || method === 'hashBytes') continue
      Object.assign(real, {
        [method]: (...args: unknown[]) => {
          asked += 1
          return (original as (...args: unknown[]) => unknown)(...args)
        },
      })
    }
    ask()
  })
  return asked
}

test('an op is checked on each engine if it asks one, and once if it asks none', (t) => {
  const asked = new Map(Object.keys(OPS).map((op) => [op, 0]))
  for (const path of FILES) {
    const file = readVectors(path)
    for (const { request } of file.lines) {
      const count = counting(ENGINES[0]!, () => replayRequest(file.family, request, file.release))
      asked.set(request.op, asked.get(request.op)! + count)
    }
  }
  const without = [...asked].filter(([, count]) => count === 0).map(([op]) => op)
  t.deepEqual(without.sort(), [...TYPESCRIPT_ONLY].sort())
})
