/** Names of Kafka's topics: rows N02 and N05 of the field's cases, and a million names in one pass. */
import test from 'ava'
import { checkTopicNames, topicNameRefusal } from '../src/kafka/index.js'

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
