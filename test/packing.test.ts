/** The road of strings into bytes: groups and their limits, and what Java writes for lone surrogates, against a naive twin. */
import test, { type ExecutionContext } from 'ava'
import { seeded } from '../bench/corpora.js'
import { ofBytes } from '../bench/peers/murmur2.js'
import { hash, TopicSet } from '../src/index.js'
import { GROUP, GROUP_UNITS } from '../src/packing.js'
import { ENGINES, onEngine } from './engines.js'

const SEED = 20260102

/** One character after the other: a pair is one, a lone surrogate is `?`. */
function naiveJavaBytes(text: string): Buffer {
  const characters = Array.from(text, (character) => (/^[\ud800-\udfff]$/.test(character) ? '?' : character))
  return Buffer.from(characters.join(''))
}

function check(t: ExecutionContext, what: string, strings: readonly string[]): void {
  const bytes = strings.map(naiveJavaBytes)
  const expected = Int32Array.from(bytes, ofBytes)
  for (const name of ENGINES) {
    onEngine(name, () => {
      const set = TopicSet.from(strings)
      t.is(
        bytes.findIndex((key, i) => !key.equals(set.bytesAt(i))),
        -1,
        `${what}, ${name}: packed bytes`,
      )
      t.is(
        strings.findIndex((key, i) => set.at(i) !== key),
        -1,
        `${what}, ${name}: read back`,
      )
      t.deepEqual(hash.murmur2(strings), expected, `${what}, ${name}: strings`)
      t.deepEqual(hash.murmur2(set), expected, `${what}, ${name}: packed`)
    })
  }
}

/** ASCII names, enough for a call of four groups and another one, some of them replaced. */
function names(replace: (index: number) => string | undefined): string[] {
  return Array.from({ length: 5 * GROUP + 7 }, (_, i) => replace(i) ?? `name-${i}`)
}

test('one odd string among ASCII ones, wherever in its group it stands', (t) => {
  const odd = ['é', 'ł', '東京', '🚚', '\ud83d', '\ude9a', '\ufffd', 'x\ud800', '\udc00x', '\ufffd\ud800', '']
  for (const text of odd) {
    for (const at of [0, 1, GROUP - 1, GROUP, 5 * GROUP + 6]) {
      check(
        t,
        `${JSON.stringify(text)} at ${at}`,
        names((i) => (i === at ? text : undefined)),
      )
    }
  }
})

test('two lone surrogates that meet in the joint of two strings stay two', (t) => {
  for (const at of [3, GROUP - 1]) {
    check(
      t,
      `at ${at}`,
      names((i) => (i === at ? 'a\ud83d' : i === at + 1 ? '\ude9ab' : undefined)),
    )
  }
})

test('strings about as long as a group may be, alone and with neighbours', (t) => {
  for (const units of [GROUP_UNITS - 1, GROUP_UNITS, GROUP_UNITS + 1, 3 * GROUP_UNITS]) {
    const long = 'k'.repeat(units)
    check(t, `${units} units`, [long])
    check(t, `${units} units, neighbours`, [
      'a',
      long,
      'b',
      `${long.slice(1)}ł`,
      '\ud800',
      `${long.slice(1)}\ud800`,
      'c',
    ])
  }
})

test('a group is full by its units before it is by its strings', (t) => {
  check(
    t,
    '100 units each',
    names((i) => `${i}-`.padEnd(100, 'abcdefg')),
  )
  check(
    t,
    '100 wide units each',
    names((i) => `${i}-`.padEnd(100, 'ключ')),
  )
})

test(`random strings of all kinds (seed ${SEED})`, (t) => {
  const random = seeded(SEED)
  const pieces = ['a', 'bc', 'é', 'ł', '東', '🚚', '\ud83d', '\ude9a', '\ufffd']
  for (const share of [0.001, 0.1, 0.9]) {
    const piece = (): string => (random() < share ? pieces[Math.floor(random() * pieces.length)]! : 'topic')
    const strings = Array.from({ length: 5000 }, () =>
      Array.from({ length: Math.floor(random() * 12) }, piece).join(''),
    )
    check(t, `${share} odd`, strings)
  }
})
