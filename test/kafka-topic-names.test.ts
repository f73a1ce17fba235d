/** Names of Kafka's topics: rows N02 and N05 of the field's cases, and a million names in one pass. */
import { Utf8, vectorFromArray } from 'apache-arrow'
import test from 'ava'
import { type Packed, TopicSet } from '../src/index.js'
import { checkTopicNames, checkTopicNamesAsync, topicNameRefusal } from '../src/kafka/index.js'
import { answer, run } from './cli-process.js'
import { DOORS } from './engines.js'
import { Chance } from './oracle/chance.js'

test('N05: 249 characters are the limit; empty, . and .. are refused by name', (t) => {
  t.deepEqual(
    [248, 249, 250, 255].map((length) => topicNameRefusal('a'.repeat(length)) === null),
    [true, true, false, false],
  )
  t.is(
    topicNameRefusal('a'.repeat(250)),
    `the length of '${'a'.repeat(250)}' is longer than the max allowed length 249`,
  )
  t.is(topicNameRefusal(''), 'the empty string is not allowed')
  t.is(topicNameRefusal('.'), "'.' is not allowed")
  t.is(topicNameRefusal('..'), "'..' is not allowed")
  t.is(topicNameRefusal('...'), null)
  t.is(topicNameRefusal('é'), "'é' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'")
  t.not(topicNameRefusal('a\n'), null)
})

test('N02: foo.bar and foo_bar collide, among a million names in one pass', (t) => {
  const names = Array.from({ length: 1_000_000 }, (_, i) => `tenant.${i}_x`)
  names[10] = 'foo.bar'
  names[999_999] = 'foo_bar'
  const { illegal, collisions } = checkTopicNames(names)
  t.deepEqual(illegal, [])
  t.deepEqual(collisions, [{ first: 'foo.bar', firstIndex: 10, name: 'foo_bar', index: 999_999 }])
})

test('a name given twice is no collision, a third spelling is one', (t) => {
  t.deepEqual(
    checkTopicNames(['a.b', 'a.b', 'a_b', 'a-b']).collisions.map(({ index }) => index),
    [2],
  )
})

test('a name that is refused collides with none: no cluster has it', (t) => {
  const { illegal, collisions } = checkTopicNames([
    'a .b',
    'a _b',
    '.',
    '_',
    `${'x'.repeat(249)}.`,
    `${'x'.repeat(249)}_`,
  ])
  t.deepEqual(
    illegal.map(({ index }) => index),
    [0, 1, 2, 4, 5],
  )
  t.deepEqual(collisions, [])
})

/** Names of few letters, so that they collide. */
const drawn = (chance: Chance) =>
  chance.times(2000, () =>
    chance.times(chance.between(0, 4) * chance.pick([1, 3]), () => chance.pick([...'ab._.-é'])).join(''),
  )

/** Every pair, as the definition says. */
function naive(names: readonly string[]) {
  const firsts = names.map((name, i) => {
    if (topicNameRefusal(name) !== null) return -1
    const alike = (other: string) =>
      topicNameRefusal(other) === null && other.replaceAll('.', '_') === name.replaceAll('.', '_')
    const first = names.findIndex(alike)
    return first < i && names[first] !== name ? first : -1
  })
  return firsts.flatMap((first, index) => (first < 0 ? [] : [[first, index]]))
}

test('both engines find what comparing every pair finds, in one chunk or many', (t) => {
  const names = drawn(new Chance(77))
  const expected = naive(names)
  const illegal = names.flatMap((name, index) => (topicNameRefusal(name) === null ? [] : [index]))
  t.true(expected.length > 100 && illegal.length > 100)
  const { values, offsets, length } = TopicSet.from(names).chunks[0]!
  const chunks: Packed[] = [0, 700, 700, 1999].map((from, i, all) => {
    const to = all[i + 1] ?? length
    return { values, offsets: offsets.subarray(from, to + 1), length: to - from }
  })
  for (const door of DOORS) {
    for (const given of [names, { values, offsets, length }, { chunks }]) {
      const found = door.run(() => checkTopicNames(given))
      t.deepEqual(
        found.collisions.map(({ firstIndex, index }) => [firstIndex, index]),
        expected,
      )
      t.deepEqual(
        found.illegal.map(({ index }) => index),
        illegal,
      )
      t.true(found.illegal.every(({ name, reason }) => reason === topicNameRefusal(name)))
    }
  }
})

test('names come as other bulk questions take them: Arrow, bytes, any iterable, a TopicSet; else a coded error', (t) => {
  const [one, other] = ['a.b', 'a_b']
  const vector = vectorFromArray([one, other], new Utf8())
  const bytes = [one, other].map((name) => new TextEncoder().encode(name))
  for (const given of [vector, new Set([one, other]), bytes, TopicSet.from([one, other])]) {
    t.is(checkTopicNames(given).collisions.length, 1)
  }
  t.throws(() => checkTopicNames(['a', 7 as never]), { code: 'ERR_PLACEMENT_KEY_TYPE' })
  t.throws(() => checkTopicNames({ values: bytes[0]!, offsets: Uint32Array.of(0, 9), length: 1 }), {
    code: 'ERR_PLACEMENT_COLUMN',
  })
  t.deepEqual(checkTopicNames([]), { illegal: [], collisions: [] })
})

test('a lone surrogate is refused, and shown as it was given', (t) => {
  for (const door of DOORS) {
    t.like(door.run(() => checkTopicNames(['a', 'b\ud800'])).illegal, [{ index: 1, name: 'b\ud800' }])
  }
})

test('the async twin gives the same, and stops at its signal', async (t) => {
  const names = drawn(new Chance(78))
  for (const door of DOORS) {
    t.deepEqual(await door.run(() => checkTopicNamesAsync(names)), checkTopicNames(names))
    await t.throwsAsync(
      door.run(() => checkTopicNamesAsync(names, { signal: AbortSignal.abort(new Error('enough')) })),
      { message: 'enough' },
    )
  }
  await t.throwsAsync(checkTopicNamesAsync([], { signal: 1 as never }), { code: 'ERR_PLACEMENT_ARGUMENT_TYPE' })
})

test('on the command line: exit code 1 and the places, counts first; 0 where all is well', async (t) => {
  t.is(await answer(['kafka', 'topic-names', 'a', 'b.c']), '2 names: 0 refused, 0 collide\n')
  const bad = await run(['kafka', 'topic-names', '-'], { input: 'a.b\na b\na_b\n' })
  t.is(bad.code, 1)
  t.is(
    bad.out.toString(),
    `3 names: 1 refused, 1 collides

Refused
  standard input:2  'a b' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'

Colliding
  standard input:3  a_b with a.b (standard input:1)
`,
  )
  const json = await run(['kafka', 'topic-names', '--json', '-'], { input: 'a.b\na_b\n' })
  t.like(JSON.parse(json.out.toString()), {
    question: 'kafka topic-names',
    names: 2,
    legal: false,
    collisions: [{ first: 'a.b', firstIndex: 0, name: 'a_b', index: 1, where: 'standard input:2' }],
  })
})
