/**
 * A batch planner: a file of topic names in, a file of `name<TAB>bundle` out, in blocks, so that memory does not grow with
 * the file. The answer is written beside its place and renamed at the end: whole or not at all.
 *
 *     node build/examples/batch-planner.js examples/topics.txt bundles.tsv [BUNDLES]        (npm test builds it)
 */
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { engine, isCodedError, pulsar, TopicSet } from 'topic-placement'

const NEWLINE = 0x0a

/** Cuts a stream into blocks that end where a line ends. */
async function* blocksOfLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const block of stream) {
    const end = block.lastIndexOf(NEWLINE) + 1
    if (end > 0) yield Buffer.concat([...rest, block.subarray(0, end)])
    rest = end > 0 ? [block.subarray(end)] : [...rest, block]
  }
  const last = Buffer.concat(rest)
  if (last.length > 0) yield last
}

/** One call for a block: a call for each line would cost more than the answer. */
function placeBlock(block: Buffer, bundles: pulsar.NamespaceBundles): { topics: TopicSet; indices: Uint32Array } {
  const topics = TopicSet.fromLines(block)
  return { topics, indices: bundles.indexOf(topics) }
}

/** Writes the bundle of each name, and gives the number of topics in each bundle. */
async function plan(input: string, output: string, bundles: pulsar.NamespaceBundles): Promise<Uint32Array> {
  const loads = new Uint32Array(bundles.length)
  const ranges = Array.from(loads, (_, index) => bundles.range(index))
  const file = await open(output, 'w')
  let lines = 0
  try {
    for await (const block of blocksOfLines(createReadStream(input, { highWaterMark: 1 << 20 }))) {
      const { topics, indices } = placeBlock(block, bundles)
      const answers = Array.from(topics, (name, i) => `${name}\t${ranges[indices[i]!]}\n`)
      for (const index of indices) loads[index]!++
      await file.write(answers.join(''))
      lines += topics.length
    }
  } catch (error) {
    if (!isCodedError(error) || error.index === undefined) throw error
    throw new Error(`${input}:${lines + error.index + 1}: ${error.message}`, { cause: error })
  } finally {
    await file.close()
  }
  return loads
}

const [, , input, output, count = '32'] = process.argv
if (input === undefined || output === undefined) throw new Error('expected two files: topic names, and where to write')
const unfinished = `${output}.${process.pid}.unfinished`
try {
  const loads = await plan(input, unfinished, pulsar.NamespaceBundles.even(Number(count)))
  await rename(unfinished, output)
  const topics = loads.reduce((sum, load) => sum + load, 0)
  const taken = loads.filter((load) => load > 0).length
  console.log(`${topics} topics in ${taken} of ${loads.length} bundles, at most ${Math.max(...loads)} in one`)
  console.log(`written to ${output} by the ${engine.name} engine (${engine.cpu})`)
} finally {
  await rm(unfinished, { force: true })
}
