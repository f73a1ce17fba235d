/**
 * The quickstart's answer, by the engine that `TOPIC_PLACEMENT_ENGINE` names. `scripts/quickstart.mjs` starts this once for
 * each engine and gives the question as JSON.
 */
import { createHash } from 'node:crypto'
import { kafka, pulsar, TopicSet } from 'topic-placement'
import { step, tell } from './parent.js'
import { type KeyPlacement, placeKeys, placeTopics, type TopicPlacement } from './placement.js'
import { aliasingReport, count, keyReport, topicReport } from './report.js'
import { sampleKeys, sampleTopics } from './sample.js'
import { type EngineSpeed, measure, ratioReport, speedReport } from './speed.js'

interface Question {
  readonly bundles: number
  readonly brokers: number
  readonly partitions: number
  readonly topics: number
  readonly keys: number
  readonly seed: number
  /** A file of topic names, and how the user called it; `null` for the sample. */
  readonly file: string | null
  readonly source: string | null
  /** The first engine's answer, which this one must equal and is measured against. */
  readonly against?: Answer
}

interface Answer {
  /** Of where every topic and key went. */
  readonly digest: string
  readonly figures: unknown
  readonly engine: EngineSpeed
}

interface Workload {
  readonly names: readonly string[]
  readonly topics: TopicSet
  readonly keys: readonly string[]
}

async function load({ topics: topicCount, keys: keyCount, seed, file, source }: Question): Promise<Workload> {
  const made =
    file === null ? await step(`make ${count(topicCount)} topic names`, () => sampleTopics(topicCount, seed)) : null
  const topics =
    made === null
      ? await step(`read ${source}`, () => TopicSet.fromFile(file!, { name: source! }))
      : await step('pack the topic names', () => TopicSet.from(made))
  const keys = await step(`make ${count(keyCount)} record keys`, () => sampleKeys(keyCount, seed))
  return { names: made ?? [...topics], topics, keys }
}

async function answer(question: Question): Promise<Answer> {
  const { brokers, partitions, against } = question
  const { names, topics, keys } = await load(question)
  const bundles = pulsar.NamespaceBundles.even(question.bundles)
  const placed = await step(`place ${count(topics.length)} topics`, () => placeTopics(topics, bundles, brokers))
  const keyed = await step(`place ${count(keys.length)} keys`, () => placeKeys(keys, partitions))
  const digest = digestOf(placed.indices, keyed.partitions)
  if (against !== undefined && against.digest !== digest) throw new Error('the engines differ: please report it')
  const figures = against?.figures ?? (await firstFigures(question, topics, [placed, keyed]))
  const engine = await step('measure, best of 3 after a warm-up', () =>
    measure([
      ['topics → bundles, from strings', topics.length, () => bundles.indexOf(names)],
      ['topics → bundles, packed once', topics.length, () => bundles.indexOf(topics)],
      ['keys → partitions, from strings', keys.length, () => kafka.partitionsForKeys(keys, partitions)],
    ]),
  )
  return { digest, figures, engine }
}

/** What a planner reads, told as text before anything is measured; and the same as data. */
async function firstFigures(
  { source, seed, bundles }: Question,
  topics: TopicSet,
  [placed, keyed]: readonly [TopicPlacement, KeyPlacement],
): Promise<unknown> {
  const layout = pulsar.NamespaceBundles.even(bundles)
  const aliasing = await step('look for colliding suffixes', () => pulsar.suffixAliasing(topics, layout))
  const sample = `sample, seed ${seed}`
  const parts = [topicReport(placed, source ?? sample), aliasingReport(aliasing, bundles), keyReport(keyed, sample)]
  await tell('text', `\n${parts.join('\n\n')}\n`)
  const { indices, ...topicFigures } = placed
  const { partitions, ...keyFigures } = keyed
  return { source: source ?? sample, pulsar: topicFigures, suffixAliasing: aliasing, kafka: keyFigures }
}

function digestOf(...arrays: readonly (Uint32Array | Int32Array)[]): string {
  const hash = createHash('sha256')
  for (const array of arrays) hash.update(array)
  return hash.digest('hex')
}

/** A name that Pulsar refuses, told with its line. */
function refusal(error: Error, { source }: Question): string {
  const { index } = error as { index?: number }
  return source === null || index === undefined
    ? error.message
    : error.message.replace(/^topics\[\d+\]/, `${source}:${index + 1}`)
}

const question = JSON.parse(process.argv[2]!) as Question
try {
  const found = await answer(question)
  await tell(
    'text',
    question.against === undefined ? speedReport(found.engine) : ratioReport(question.against.engine, found.engine),
  )
  await tell('answer', found)
} catch (error) {
  if (!(error instanceof Error && 'code' in error)) throw error
  await tell('refused', [error.code, refusal(error, question)])
}
process.disconnect()
