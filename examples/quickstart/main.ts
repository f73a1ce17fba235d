/**
 * The quickstart's answer, by the engine that `TOPIC_PLACEMENT_ENGINE` names; `scripts/quickstart.mjs` starts it once for each.
 * With `--compare` only the speeds are shown: the parent compares the answers by their digests.
 */
import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { engine, kafka, pulsar, TopicSet } from 'topic-placement'
import { placeKeys, placeTopics } from './placement.js'
import { aliasingReport, keyReport, type Speed, speedReport, topicReport } from './report.js'
import { sampleKeys, sampleTopics } from './sample.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    brokers: { type: 'string', default: '16' },
    bundles: { type: 'string', default: String(pulsar.defaults().bundles.namespace) },
    partitions: { type: 'string', default: '48' },
    topics: { type: 'string', default: '1000000' },
    keys: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '42' },
    json: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
  },
})

function integer(name: keyof typeof values, most: number): number {
  const text = String(values[name])
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number <= most) return number
  throw Object.assign(new RangeError(`--${name}: expected an integer in [1, ${most}], got ${text}`), {
    code: 'ERR_PLACEMENT_USAGE',
  })
}

/** A line on standard error before and after: nobody looks at a silent terminal. */
async function timed<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  const began = performance.now()
  process.stderr.write(`          … ${what}`)
  const result = await work()
  process.stderr.write(`: ${((performance.now() - began) / 1000).toFixed(2)} s\n`)
  return result
}

/** The best of a few runs, in seconds. */
function best(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3; run++) {
    const began = performance.now()
    work()
    least = Math.min(least, (performance.now() - began) / 1000)
  }
  return least
}

function digest(...arrays: readonly (Uint32Array | Int32Array)[]): string {
  const hash = createHash('sha256')
  for (const array of arrays) hash.update(array)
  return hash.digest('hex')
}

async function main(): Promise<void> {
  const [file] = positionals
  const [bundleCount, brokers] = [integer('bundles', 1 << 20), integer('brokers', 100_000)]
  const [partitions, seed] = [integer('partitions', 1_000_000), integer('seed', 0xffffffff)]
  const names = file === undefined ? await timed('topic names from the seed', () => sampleTopics(integer('topics', 20_000_000), seed)) : null
  const keys = await timed('record keys from the seed', () => sampleKeys(integer('keys', 20_000_000), seed))
  const topics = await timed(`pack the topic names${file === undefined ? '' : ` of ${file}`}`, () =>
    names === null ? TopicSet.fromFile(file!) : TopicSet.from(names),
  )
  const bundles = pulsar.NamespaceBundles.even(bundleCount)
  const placed = await timed(`place ${topics.length} topics`, () => placeTopics(topics, bundles, brokers))
  const keyed = await timed(`place ${keys.length} keys`, () => placeKeys(keys, partitions))
  const aliasing = pulsar.suffixAliasing(topics, bundles)
  const given = names ?? [...topics]
  const speeds: Speed[] = await timed('measure', () => [
    { what: 'topics → bundles, from strings', items: given.length, seconds: best(() => bundles.indexOf(given)) },
    { what: 'topics → bundles, packed once', items: given.length, seconds: best(() => bundles.indexOf(topics)) },
    { what: 'keys → partitions, from strings', items: keys.length, seconds: best(() => kafka.partitionsForKeys(keys, partitions)) },
  ])
  const { indices, ...topicFigures } = placed
  const { partitions: partitionOfKey, ...keyFigures } = keyed
  if (!values.compare && !values.json) {
    const source = file ?? `sample, seed ${seed}`
    const parts = [topicReport(placed, source), aliasingReport(aliasing, bundleCount), keyReport(keyed)]
    process.stdout.write(`\n${parts.join('\n\n')}\n\n`)
  }
  if (!values.json) process.stdout.write(`${speedReport(`Engine ${engine.name} (${engine.cpu}): ${engine.reason}`, speeds)}\n`)
  process.send?.({
    digest: digest(indices, partitionOfKey),
    engine: { name: engine.name, cpu: engine.cpu, reason: engine.reason, speeds },
    pulsar: topicFigures,
    suffixAliasing: aliasing,
    kafka: keyFigures,
  })
}

try {
  await main()
} catch (error) {
  if (!(error instanceof Error && 'code' in error)) throw error
  process.stderr.write(`\nquickstart: ${error.message}\n`)
  process.exitCode = 2
}
