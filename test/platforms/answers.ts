/**
 * Digests of the answers to 10,000 seeded keys, by question: what one machine computes, to be compared with another's.
 * Prints one JSON document. `TOPIC_PLACEMENT_ENGINE` names the engine.
 */
import { createHash } from 'node:crypto'
import { engine, hash, kafka, pulsar, TopicSet } from '../../src/index.js'
import type { HashName } from '../../src/types.js'

/** Numbers in `[0, below)`: xorshift32 with a fixed seed, so that every machine asks the same. */
let state = 0x2545f491
function draw(below: number): number {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % below
}

/** Bytes of length 0 to 300, every value; every fourth key is text, some of it not ASCII, some with lone surrogates. */
function key(index: number): Uint8Array | string {
  const length = draw(301)
  if (index % 4 > 0) return Uint8Array.from({ length }, () => draw(256))
  const most = [0x7f, 0x7ff, 0xffff][draw(3)]!
  return String.fromCharCode(...Array.from({ length }, () => draw(most + 1)))
}

const keys = Array.from({ length: 10_000 }, (_, index) => key(index))
const topics = keys.map((_, index) => `persistent://t-${draw(9)}/ns/${'x'.repeat(draw(90))}주제-${index}`)
const set = TopicSet.from(topics)
const uneven = Uint32Array.from(new Set([0, 0xffffffff, ...Array.from({ length: 999 }, () => draw(0xffffffff))])).sort()

const answers: Record<string, Int32Array | Uint32Array> = {
  ...Object.fromEntries(hash.names.map((name: HashName) => [`hash ${name}`, hash.of(name, keys)])),
  ...Object.fromEntries(hash.names.map((name: HashName) => [`hash ${name} of a set`, set.hash(name)])),
  'partitions by kafka': kafka.partitionsForKeys(keys, 12),
  'partitions by librdkafka': kafka.partitionsForKeys(keys, 1023, { partitioner: 'librdkafka-consistent' }),
  'partitions by sarama': kafka.partitionsForKeys(keys, 64, { partitioner: 'sarama-hash' }),
  '64 bundles': pulsar.NamespaceBundles.even(64).indexOf(set),
  '57 bundles': pulsar.NamespaceBundles.even(57).indexOf(topics),
  'uneven bundles': pulsar.NamespaceBundles.fromBoundaries(uneven).indexOf(set),
}

const digests = Object.entries(answers).map(([name, array]) => [name, createHash('sha256').update(array).digest('hex')])
console.log(
  JSON.stringify({ engine: engine.name, cpu: engine.cpu, arch: process.arch, digests: Object.fromEntries(digests) }),
)
