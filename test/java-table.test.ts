/** The table of a HashMap against the Java machine's own: scripts of keys that come and go, and where each stands then. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { javaMapOrder as orderOf } from '../src/fallback/kafka/java-map.js'
import { JavaTable, tableSizeFor } from '../src/fallback/kafka/java-table.js'
import { kafka } from '../src/index.js'
import { ENGINES, onEngine } from './engines.js'
import { refusalOf } from './refusal.js'

const golden = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../../test/vectors/jdk/${file}`, import.meta.url)), 'utf8')
/** Made by test/oracle/jdk/HashSetOrder.java on Java 17. */
const SCRIPTS = golden('hash-set.txt')
/** Made by test/oracle/jdk/HashMapComputeOrder.java on Java 17. */
const COMPUTED = golden('hash-map-compute.txt')

test('keys that come and go stand where the HashSet of Java has them', (t) => {
  const lines = SCRIPTS.trimEnd().split('\n')
  t.is(lines.length, 300)
  for (const [i, line] of lines.entries()) {
    const [script, walked] = line.split('=').map((part) => part.split(' ').filter((word) => word !== ''))
    const table = new JavaTable((a, b) => a - b)
    for (const step of script!) {
      if (step.startsWith('+')) table.add(Number(step.slice(1)))
      else table.remove(Number(step.slice(1)))
    }
    t.deepEqual([...table.order()], walked!.map(Number), `line ${i + 1}`)
    t.is(table.first(), Number(walked![0] ?? -1), `line ${i + 1}`)
  }
})

test('keys that are computed stand where the HashMap of Java has them', (t) => {
  const lines = COMPUTED.trimEnd().split('\n')
  t.is(lines.length, 300)
  for (const [i, line] of lines.entries()) {
    const [script, walked] = line.split('=').map((part) => part.split(' ').filter((word) => word !== ''))
    const [capacity, ...steps] = script!
    const table = new JavaTable((a, b) => a - b, tableSizeFor(Number(capacity)))
    for (const step of steps) {
      if (step.startsWith('+')) table.compute(Number(step.slice(1)))
      else table.touch()
    }
    t.deepEqual([...table.order()], walked!.map(Number), `line ${i + 1}`)
  }
})

test('an initial capacity becomes the next power of two, 1 at least', (t) => {
  t.deepEqual([0, 1, 2, 3, 16, 17, 2 ** 30].map(tableSizeFor), [1, 1, 2, 4, 16, 32, 2 ** 30])
})

test('where ranks decide and are not known, there is no order', (t) => {
  const alike = new Int32Array(12).fill(5)
  const ranks = Uint32Array.from(alike, (_, i) => i)
  t.is(orderOf(alike, null, 16), null)
  t.is(orderOf(alike, ranks, 16)?.length, 12)
  t.deepEqual([...orderOf(alike.subarray(0, 8), null, 16)!], [0, 1, 2, 3, 4, 5, 6, 7])
})

for (const engine of ENGINES) {
  test(`${engine}: javaMapOrder refuses what is no list of strings, and what is no Uuid`, (t) => {
    onEngine(engine, () => {
      const wrong = (value: unknown) => value as string[]
      t.is(
        refusalOf(() => kafka.javaMapOrder(wrong('a'))),
        'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: ids: expected an array of strings, got "a"',
      )
      t.is(
        refusalOf(() => kafka.javaMapOrder(wrong(['a', 7]))),
        'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: ids[1]: expected a string, got 7 [index 1]',
      )
      t.is(
        refusalOf(() => kafka.javaUuidMapOrder(['AAAAAAAAAAAAAAAAAAAAAg', 'x'])),
        'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: uuids[1]: expected a Uuid as Kafka writes it (22 characters of base64url), got "x"',
      )
      t.regex(
        refusalOf(() => kafka.javaMapOrder([], { initialCapacity: -1 })),
        /^RangeError ERR_PLACEMENT_ARGUMENT_RANGE: initialCapacity:/,
      )
      t.deepEqual(kafka.javaMapOrder([]), [])
    })
  })
}
