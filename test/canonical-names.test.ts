import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import type { Engine } from '../src/engine/contract.js'
import { engine } from '../src/engine/index.js'
import { isCodedError } from '../src/errors.js'
import { TopicName } from '../src/pulsar/topic-name.js'
import { type Packed, PULSAR_VERSIONS, type PulsarVersion } from '../src/types.js'
import { ENGINES, onEngine } from './engines.js'
import { readVectors } from './vectors/file.js'
import { linesThatHold } from './vectors/releases.js'

const RELEASES = PULSAR_VERSIONS
const SEED = 20261130

/** Pieces that meet the rules at their edges: slashes, domains in odd letters, blanks of Java, digits of other scripts. */
const PIECES = [
  ...[
    'a',
    'b',
    't-1',
    'public',
    'default',
    'x.y',
    '-=:.',
    '_',
    '/',
    '/',
    '/',
    '//',
    '://',
    'persistent://',
    'non-persistent://',
  ],
  ...[
    'Persistent://',
    'NON-PERSISTENT://',
    'per\u017fistent://',
    'top\u0131c://',
    'top\u0130c://',
    'topic://',
    'segment://',
    'persistent',
  ],
  ...[
    '-partition-0',
    ' ',
    '\t',
    '\u00a0',
    '\u1680',
    '\u2003',
    '\u2007',
    '\u2029',
    '\u3000',
    '\u0000',
    '\u001c',
    '\u001b',
    '\u0085',
  ],
  ...['é', '주', '😀', '%', '~', '+', '?', '\n', '\u007f', '\ud800', '\udc00'],
  ...[
    '0000-7fff-3',
    '0-7FFF-3',
    '7fff-0-1',
    '0000-ffff-9223372036854775807',
    '0-1-9223372036854775808',
    '0001-0002-03-',
  ],
  ...['\uff41-\uff26-\u0663', '+1-2-+3', '10000-10001-1', '80000000-1-1', '-1-2-3', '1-2', '0000-0000-0'],
]

const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }).map((pieces) => pieces.join(''))
const domain = fc.constantFrom('', 'persistent://', 'non-persistent://', 'topic://', 'segment://', 'Persistent://')
const entity = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'my-tenant', 'ns_1', '-=:.') },
  fc.constantFrom('', ' ', 'é', 'a b'),
)
const descriptor = fc.constantFrom(...PIECES.filter((piece) => /^[^/]*-[^/]*-[^/]*$/.test(piece)))
const shaped = fc
  .record({
    domain,
    entities: fc.array(entity, { minLength: 1, maxLength: 4 }),
    local: soup,
    end: fc.option(descriptor),
  })
  .map((name) => `${name.domain}${name.entities.join('/')}/${name.local}${name.end === null ? '' : `/${name.end}`}`)
const plain = fc.stringMatching(/^(non-)?persistent:\/\/[-\w.]{1,9}\/[-\w.]{1,9}\/[!-.0-~]{1,12}$/)
const anyName = fc.oneof(plain, shaped, soup)
/** Names that every release takes, and that most of them write otherwise. */
const taken = fc.constantFrom('t', 'orders-partition-3', 'a/b/c', 'PERSISTENT://a/b/주', 'Non-Persistent://t/n/ x', 'é')

const columns = fc.array(fc.oneof({ weight: 30, arbitrary: plain }, { weight: 20, arbitrary: taken }, anyName), {
  maxLength: 40,
})

/** A lone surrogate is `?` once it is packed. */
const packable = (text: string) => text.replace(/[\ud800-\udfff]/gu, '?')

/** UTF-8, from an offset that is not 0. */
function pack(names: readonly string[]): Packed {
  const encoded = names.map((name) => Buffer.from(packable(name)))
  const offsets = new Uint32Array(names.length + 1)
  offsets[0] = 5
  encoded.forEach((bytes, i) => {
    offsets[i + 1] = offsets[i]! + bytes.length
  })
  return {
    values: Buffer.concat([Buffer.from('/////'), ...encoded, Buffer.from('////')]),
    offsets,
    length: names.length,
  }
}

function unpack({ values, offsets }: { values: Uint8Array; offsets: Uint32Array }): string[] {
  return Array.from({ length: offsets.length - 1 }, (_, i) =>
    Buffer.from(values.subarray(offsets[i], offsets[i + 1])).toString(),
  )
}

/** What the jar makes of each name of the vectors: its full text, or `null` where `TopicName.isValid` is false. */
function jarAnswers(version: PulsarVersion): Map<string, string | null> {
  const newest = readVectors('test/vectors/pulsar/topic-name.jsonl')
  const older = version === '5.0' ? undefined : readVectors(`test/vectors/pulsar/topic-name@${version}.jsonl`)
  const lines = older === undefined ? newest.lines : [...older.lines, ...linesThatHold(newest, older)]
  const answers = new Map<string, string | null>()
  for (const { request, expected } of lines) {
    if (!('ok' in expected) || !Array.isArray(request['names'])) continue
    for (const [i, name] of (request['names'] as (string | null)[]).entries()) {
      const item = (expected.ok as { ok?: unknown }[])[i]!
      if (name !== null && request.op === 'topic-name' && item.ok) answers.set(name, (item.ok as { name: string }).name)
      if (name !== null && request.op === 'topic-name-valid' && item.ok === false) answers.set(name, null)
    }
  }
  return answers
}

/** The twin: one name after the other, as `TopicName` has it. */
function oneByOne(names: readonly string[], version: PulsarVersion): string[] | { refused: number } {
  const texts: string[] = []
  for (const [i, name] of names.entries()) {
    try {
      texts.push(
        TopicName.get(name, { version })
          .toString()
          .replace(/[\ud800-\udfff]/gu, '?'),
      )
    } catch (error) {
      if (!isCodedError(error)) throw error
      return { refused: i }
    }
  }
  return texts
}

function answerOf(
  name: Engine['name'],
  names: readonly string[],
  version: PulsarVersion,
): string[] | { refused: number } {
  const found = onEngine(name, () => engine().canonicalNames(pack(names), version))
  return 'refused' in found ? found : unpack(found)
}

function check(t: ExecutionContext, names: readonly string[], version: PulsarVersion): void {
  const expected = oneByOne(names, version)
  for (const engine of ENGINES) {
    t.deepEqual(answerOf(engine, names, version), expected, `${engine}, ${version}: ${JSON.stringify(names)}`)
  }
}

for (const version of RELEASES) {
  test(`the names of the jars' vectors come out as in Pulsar ${version}`, (t) => {
    const answers = jarAnswers(version)
    t.true(answers.size > 200)
    for (const [name, answer] of answers) {
      for (const engine of ENGINES) {
        t.deepEqual(
          answerOf(engine, [name], version),
          answer === null ? { refused: 0 } : [packable(answer)],
          `${engine}: ${JSON.stringify(name)}`,
        )
      }
    }
  })

  test(`each name alone is taken and written, or refused, as TopicName of ${version} does`, (t) => {
    fc.assert(
      fc.property(anyName, (name) => check(t, [name], version)),
      { seed: SEED, numRuns: 5000 },
    )
  })

  test(`a column of names comes out in order, or with the first name that ${version} refuses`, (t) => {
    fc.assert(
      fc.property(columns, (names) => check(t, names, version)),
      { seed: SEED, numRuns: 1000 },
    )
  })
}

test('a set of canonical names is not copied', (t) => {
  const names = [
    'persistent://a/b/c',
    'non-persistent://a/b/c',
    'persistent://a/b/주',
    'persistent://a/b/ c',
    'persistent://a/b/%',
  ]
  const column = pack(names)
  for (const version of RELEASES) {
    for (const name of ENGINES) {
      const found = onEngine(name, () => engine().canonicalNames(column, version))
      t.true('values' in found && found.values === column.values, `${name}, ${version}`)
      t.true('values' in found && found.offsets.buffer === column.offsets.buffer, `${name}, ${version}`)
    }
  }
})

test('signed offsets, and more of them than names, are taken', (t) => {
  const { values, offsets } = pack(['persistent://a/b/c', 't', 'persistent://a/b/d'])
  for (const name of ENGINES) {
    const found = onEngine(name, () =>
      engine().canonicalNames({ values, offsets: Int32Array.from(offsets), length: 2 }, '5.0'),
    )
    t.deepEqual('refused' in found || unpack(found), ['persistent://a/b/c', 'persistent://public/default/t'])
  }
})

test('no names at all are no names', (t) => {
  for (const name of ENGINES) {
    const found = onEngine(name, () => engine().canonicalNames(pack([]), '5.0'))
    t.deepEqual('refused' in found || unpack(found), [])
  }
})

test('bytes that are no UTF-8 stay as they are, and are refused where ASCII is asked for', (t) => {
  const name = (text: string) => Buffer.from(text, 'latin1')
  const rows: [Buffer, string | null][] = [
    [name('\xff\xfe'), 'persistent://public/default/\xff\xfe'],
    [name('a/b/\xe2\x80'), 'persistent://a/b/\xe2\x80'],
    [name('persistent://a/b/\xc3'), 'persistent://a/b/\xc3'],
    [name('topic://a/b/\xed\xa0\x80/c'), 'topic://a/b/\xed\xa0\x80/c'],
    [name('segment://a/b/\xff/0-1-2'), 'segment://a/b/\xff/0000-0001-2'],
    [name('segment://a/b/c/0-1-\xff'), null],
    [name('a\xff/b/c'), null],
    [name('per\xc5istent://a/b/c'), null],
    [name('\xe0\x80\xa0'), 'persistent://public/default/\xe0\x80\xa0'],
  ]
  for (const [bytes, text] of rows) {
    for (const engineName of ENGINES) {
      const column = { values: bytes, offsets: Uint32Array.of(0, bytes.length), length: 1 }
      const found = onEngine(engineName, () => engine().canonicalNames(column, '5.0'))
      const got =
        'refused' in found
          ? null
          : Buffer.from(found.values.subarray(found.offsets[0], found.offsets[1])).toString('latin1')
      t.is(got, text, `${engineName}: ${bytes.toString('latin1')}`)
    }
  }
})
