/**
 * The road of many strings: batches and what ends them, lists that are not strings alone, and names that are not plain, each
 * against the answers one by one. The caller's array stays as it was where there is no answer.
 */
import test, { type ExecutionContext } from 'ava'
import { hash, type Key, kafka, pulsar } from '../src/index.js'
import { GROUP_UNITS } from '../src/packing.js'
import { HASH_NAMES } from '../src/types.js'
import { ENGINES, onEngine } from './engines.js'
import { refusalOf } from './refusal.js'

/** More than two batches of the native engine. */
const MANY = 2500

/** Places in and at the ends of batches, and near the end of a short list. */
const PLACES = [0, 1, 7, 1023, 1024, MANY - 1]

function onEach(ask: (engine: string) => void): void {
  for (const name of ENGINES) onEngine(name, () => ask(name))
}

/** Plain names of some namespaces; at the places given, the odd one. */
function names(count: number, odd?: { readonly name: string; readonly at: number }): string[] {
  return Array.from({ length: count }, (_, i) =>
    i === odd?.at ? odd.name : `persistent://t/ns-${(i * i) % 3}/topic-${i}`,
  )
}

test('lists of every short length are hashed and placed as key by key', (t) => {
  onEach((engine) => {
    for (let count = 0; count <= 40; count++) {
      const keys = Array.from({ length: count }, (_, i) => ['order-', 'заказ-', '\ud800-'][i % 3]!.repeat(i % 5) + i)
      for (const name of HASH_NAMES) {
        const one = (key: string): number => hash.of(name, key) as number
        t.deepEqual(Array.from(hash.of(name, keys) as Int32Array), keys.map(one), `${engine}, ${name}, ${count} keys`)
      }
      t.deepEqual(
        [...kafka.partitionsForKeys(keys, 12)],
        keys.map((key) => kafka.partitionForKey(key, 12)),
      )
    }
  })
})

test('texts of one byte a unit, of two, and of two that one would do for are hashed as one by one', (t) => {
  const narrow = Array.from({ length: MANY }, (_, i) => `größe-${i}`)
  // Cut out of a text with others, V8 keeps two bytes a unit.
  const cut = narrow.map((key) => `${key}-größer-als-das-ł`.slice(0, key.length + 11))
  const turning = narrow.map((key, i) => (i % 1500 === 1400 ? `${key}ł\ud800` : key))
  onEach((engine) => {
    for (const [i, keys] of [narrow, cut, turning].entries()) {
      for (const name of HASH_NAMES) {
        const expected = keys.map((key) => hash.of(name, key) as number)
        t.deepEqual(Array.from(hash.of(name, keys) as Int32Array), expected, `${engine}, ${name}, list ${i}`)
      }
    }
  })
})

test('texts that fill a batch by their length are hashed as one by one', (t) => {
  const long = 'k'.repeat(GROUP_UNITS - 1)
  const lists = [
    [long],
    [long, 'x'],
    [long, 'xy'],
    ['a', long, 'b'],
    [`${long}${long}`, 'a'],
    ['a', `${long}ł\ud800`, 'b', long],
  ]
  onEach((engine) => {
    for (const [i, list] of lists.entries()) {
      const keys = [...list, ...names(20)]
      for (const name of HASH_NAMES) {
        const expected = keys.map((key) => hash.of(name, key) as number)
        t.deepEqual(Array.from(hash.of(name, keys) as Int32Array), expected, `${engine}, ${name}, list ${i}`)
      }
    }
  })
})

/** Asks with an array of the caller's that is longer than the keys. */
function refusedWhole(t: ExecutionContext, what: string, ask: (out: Uint32Array) => unknown, count: number): string {
  const out = new Uint32Array(count + 3).fill(99)
  const refusal = refusalOf(() => ask(out))
  t.true(
    out.every((word) => word === 99),
    `${what}: nothing is written`,
  )
  return refusal
}

test('an item that is neither text nor bytes is told with its index, wherever it stands', (t) => {
  onEach((engine) => {
    for (const count of [MANY, 9]) {
      for (const at of PLACES.filter((place) => place < count)) {
        for (const item of [7, undefined, {}, Symbol('s')]) {
          const keys: unknown[] = names(count)
          keys[at] = item
          const what = `${engine}, ${String(item)} at ${at} of ${count}`
          const refusal = refusedWhole(t, what, (out) => hash.crc32(keys as Key[], { out }), count)
          t.true(refusal.includes('ERR_PLACEMENT_KEY_TYPE') && refusal.includes(`keys[${at}]`), `${what}: ${refusal}`)
        }
      }
    }
  })
})

test('a hole is told as any other item is', (t) => {
  onEach((engine) => {
    const keys = names(MANY)
    delete keys[2000]
    const refusal = refusalOf(() => kafka.partitionsForKeys(keys, 12))
    t.true(refusal.includes('ERR_PLACEMENT_KEY_TYPE') && refusal.includes('keys[2000]'), `${engine}: ${refusal}`)
  })
})

test('bytes and missing keys among text are answered as one by one', (t) => {
  onEach((engine) => {
    for (const at of PLACES) {
      const keys: Key[] = names(MANY)
      keys[at] = Buffer.from('bytes')
      const expected = keys.map((key) => kafka.partitionForKey(key, 12))
      t.deepEqual([...kafka.partitionsForKeys(keys, 12)], expected, `${engine}, bytes at ${at}`)
      const records: (Key | null)[] = keys.slice()
      records[at] = null
      const drawn = kafka.partitionsForKeys(records, 12, { randoms: [7] })
      t.deepEqual([...drawn], expected.with(at, 7), `${engine}, a missing key at ${at}`)
    }
  })
})

test('an array that answers otherwise when it is read again is answered as it was read', (t) => {
  onEach((engine) => {
    const keys: Key[] = names(MANY)
    let reads = 0
    Object.defineProperty(keys, 1500, { get: () => `read-${reads++}` })
    const out = hash.murmur2(keys)
    t.true(
      [0, 1, 2].some((read) => out[1500] === hash.murmur2(`read-${read}`)),
      engine,
    )
    t.deepEqual(out.subarray(1501), hash.murmur2(names(MANY)).subarray(1501), engine)
  })
})

test('an array whose reading asks the library itself is answered right', (t) => {
  onEach((engine) => {
    const keys: Key[] = names(MANY)
    for (const at of [5, 1500]) {
      Object.defineProperty(keys, at, { get: () => `${hash.murmur2(['an inner', 'list', ...names(1100)]).length}` })
    }
    t.deepEqual(hash.murmur2(keys), hash.murmur2(names(MANY).with(5, '1102').with(1500, '1102')), engine)
  })
})

/** What stands between plain names, and what each release makes of it is for `indexOf` of a single name to say. */
const ODD_NAMES = [
  'topic',
  't/ns-0/topic',
  'persistent://t/ns-0/a/b',
  'persistent://t/ns-0/топик',
  'persistent://t/ns-0/\ud800',
  'persistent://t/ns-0/\u3000x',
  'PERSISTENT://t/ns-0/x',
  'topic://t/ns-0/x',
  'persistent://t/ns-0/',
  'persistent://t/ns-0',
  '',
]

test('a name that is not plain is answered or refused as alone, wherever it stands', (t) => {
  const bundles = pulsar.NamespaceBundles.even(64)
  onEach((engine) => {
    for (const name of ODD_NAMES) {
      for (const at of PLACES) {
        const topics = names(MANY, { name, at })
        const what = `${engine}, ${JSON.stringify(name)} at ${at}`
        const alone = refusalOf(() => bundles.indexOf(name))
        if (alone.startsWith('no error')) {
          const expected = Uint32Array.from(topics, (topic) => bundles.indexOf(topic))
          t.deepEqual(bundles.indexOf(topics), expected, what)
          continue
        }
        const refusal = refusedWhole(t, what, (out) => bundles.indexOf(topics, { out }), MANY)
        t.true(refusal.includes('ERR_PLACEMENT_TOPIC_NAME') && refusal.includes(`topics[${at}]`), `${what}: ${refusal}`)
      }
    }
  })
})

test('a topic of another namespace is refused, wherever it stands', (t) => {
  const bundles = pulsar.NamespaceBundles.even(64, { namespace: 't/ns-0' })
  onEach((engine) => {
    for (const count of [MANY, 8]) {
      const own = Array.from({ length: count }, (_, i) => `${i % 2 === 0 ? '' : 'non-'}persistent://t/ns-0/topic-${i}`)
      t.deepEqual(
        bundles.indexOf(own),
        Uint32Array.from(own, (topic) => bundles.indexOf(topic)),
      )
      for (const at of PLACES.filter((place) => place < count)) {
        for (const name of ['persistent://t/ns-1/x', 'persistent://t/ns-00/x', 'persistent://tt/ns-0/x', 'x']) {
          const topics = own.with(at, name)
          const what = `${engine}, ${name} at ${at} of ${count}`
          const refusal = refusedWhole(t, what, (out) => bundles.indexOf(topics, { out }), count)
          t.true(
            refusal.includes('ERR_PLACEMENT_NAMESPACE') && refusal.includes(`topics[${at}]`),
            `${what}: ${refusal}`,
          )
        }
      }
    }
  })
})
