import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import type { CanonicalNames } from '../src/engine/contract.js'
import { isCodedError } from '../src/errors.js'
import { canonicalNames } from '../src/fallback/pulsar/topic-name.js'
import { TopicName } from '../src/pulsar/topic-name.js'
import { type Packed, PULSAR_VERSIONS, type PulsarVersion } from '../src/types.js'
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

function outcome(found: CanonicalNames): string[] | { refused: number } {
  return 'refused' in found ? found : unpack(found)
}

const ENGINES: Record<string, (column: Packed, version: PulsarVersion) => CanonicalNames> = { fallback: canonicalNames }

function check(t: ExecutionContext, names: readonly string[], version: PulsarVersion): void {
  const expected = oneByOne(names, version)
  for (const [engine, canonical] of Object.entries(ENGINES)) {
    t.deepEqual(outcome(canonical(pack(names), version)), expected, `${engine}, ${version}: ${JSON.stringify(names)}`)
  }
}

for (const version of RELEASES) {
  test(`the names of the jars' vectors come out as in Pulsar ${version}`, (t) => {
    const answers = jarAnswers(version)
    t.true(answers.size > 200)
    for (const [name, answer] of answers) {
      for (const [engine, canonical] of Object.entries(ENGINES)) {
        const found = outcome(canonical(pack([name]), version))
        t.deepEqual(found, answer === null ? { refused: 0 } : [packable(answer)], `${engine}: ${JSON.stringify(name)}`)
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
