/** Clusters from files of any size: the quick way and the slow one read alike, wherever the blocks are cut. */
import test from 'ava'
import { clusterFrom } from '../src/cli/cluster-file.js'
import type { Source } from '../src/cli/input.js'
import type { Session } from '../src/cli/session.js'
import { isCodedError } from '../src/errors.js'
import { Cluster } from '../src/kafka/cluster.js'
import type { ClusterSnapshot } from '../src/kafka/index.js'
import { Chance } from './oracle/chance.js'

const session = { note: () => {} } as unknown as Session

async function* blocksOf(parts: Iterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

const from = (parts: Iterable<Uint8Array | string>, brokers: readonly number[] = []): Promise<Cluster> => {
  const source: Source = { name: 'cluster', size: null, blocks: blocksOf(parts) }
  return clusterFrom(session, source, brokers)
}

function* cut(text: string, length: () => number): Generator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    const end = at + length()
    yield bytes.subarray(at, end)
    at = end
  }
}

/** What is read, or what is said of it. */
async function outcome(parts: Iterable<Uint8Array | string>): Promise<unknown> {
  try {
    return (await from(parts)).toJSON()
  } catch (error) {
    if (!isCodedError(error)) throw error
    return `${error.code}: ${error.message}`
  }
}

function snapshotOf(chance: Chance): ClusterSnapshot {
  const withBytes = chance.odds(0.5)
  const ids = () => chance.times(chance.between(1, 4), () => chance.pick([0, 7, 1002, 2_147_483_647]))
  const bytes = () => (withBytes ? { bytes: chance.pick([0, 5, 2 ** 31, 2 ** 32 + 7, 2 ** 53 - 1]) } : {})
  return {
    brokers: [{ id: 0, rack: chance.pick(['a', 'é', '\u{1f600}']) }, { id: 7 }, { id: 2_147_483_647 }],
    topics: chance.times(chance.between(0, 4), (t) => ({
      name: `topic-${t}`,
      partitions: chance.times(chance.between(0, 4), (partition) => {
        const replicas = ids()
        if (!withBytes && chance.odds(0.4)) return replicas
        const moving = chance.odds(0.1) ? { adding: [replicas[0]!] } : {}
        return { ...(chance.odds(0.5) ? { partition, replicas } : { replicas, partition }), ...bytes(), ...moving }
      }),
    })),
  }
}

const BLANKS = [' ', '\n', '\r\n', '\t', '\r', '']

/** The same document with other blanks. */
const spread = (json: string, chance: Chance): string =>
  json.replaceAll(/[,:[\]{}]/g, (mark) => chance.pick(BLANKS) + mark + chance.pick(BLANKS))

test('a snapshot is read as its objects are, in whatever blanks and blocks it comes', async (t) => {
  const chance = new Chance(20261201)
  for (let i = 0; i < 300; i++) {
    const snapshot = snapshotOf(chance)
    const text = spread(JSON.stringify(snapshot), chance)
    const expected = Cluster.from(snapshot)
    t.deepEqual(await from([text]), expected, text)
    t.deepEqual(await from(cut(text, () => chance.between(1, 60))), expected, text)
  }
})

test('a reassignment is read alike, with and without its directories', async (t) => {
  const chance = new Chance(7)
  for (let i = 0; i < 200; i++) {
    const partitions = chance.times(chance.between(0, 6), (partition) => {
      const replicas = chance.times(chance.between(1, 3), (k) => k + partition)
      const entry = { topic: chance.pick(['a', 'b"', 'é', 'long-topic-name']), partition, replicas }
      return chance.odds(0.5) ? entry : { log_dirs: replicas.map(() => 'any'), ...entry }
    })
    const text = spread(JSON.stringify({ version: 1, partitions }), chance)
    const cluster = await from([text], [1])
    const rows = partitions.map(
      ({ topic, partition, replicas }) => [cluster.rowOf(topic, partition), replicas] as const,
    )
    t.true(
      rows.every(([row, replicas]) => row >= 0 && cluster.replicasOf(row).join() === replicas.join()),
      text,
    )
    t.deepEqual(
      await from(
        cut(text, () => chance.between(1, 60)),
        [1],
      ),
      cluster,
      text,
    )
  }
})

test('of spoilt files the quick way and the slow one say the same, with the same place', async (t) => {
  const chance = new Chance(3)
  const refused = new Set<string>()
  for (let i = 0; i < 600; i++) {
    const text = spread(JSON.stringify(snapshotOf(chance)), chance)
    const at = chance.between(0, text.length)
    const put = chance.pick([
      '',
      '{',
      ']',
      '"',
      ',',
      '-',
      '01',
      '1.5',
      'x',
      '\\',
      '"bytes":',
      '[[',
      '99999999999',
      'null',
    ])
    const spoilt = text.slice(0, at) + put + text.slice(at + chance.pick([0, 1, 1, 5]))
    const slow = await outcome(cut(spoilt, () => 1))
    // The first two characters tell what the file is.
    if (!spoilt.trimStart().startsWith('{')) continue
    t.deepEqual(await outcome([spoilt]), slow, spoilt)
    if (typeof slow === 'string') refused.add(slow.replaceAll(/\d+/g, 'N'))
  }
  t.true(refused.size > 25, `${refused.size}`)
})

const LISTS = 400_000

/** A snapshot of 24 MB or more, a topic at a time. */
function* large(last: string): Generator<string> {
  yield '{"brokers":[{"id":1,"rack":"a"},{"id":2,"rack":"b"},{"id":3}],\n"topics":[\n'
  for (let topic = 0; topic < LISTS / 400; topic++) {
    const lists = Array.from(
      { length: 400 },
      (_, p) => `{"partition":${p},"replicas":[1,2,3],"bytes":${p + 1}00000000}`,
    )
    yield `${topic === 0 ? '' : ',\n'}{"name":"topic-${topic}","partitions":[${lists.join()}]}`
  }
  yield last
}

test('a large file is read bit by bit: its end is asked for when its beginning is long let go', async (t) => {
  const cluster = await from(large(']}'))
  t.is(cluster.length, LISTS)
  t.deepEqual(cluster.replicasOf(cluster.rowOf('topic-999', 399)), [1, 2, 3])
  t.is(cluster.bytes![cluster.rowOf('topic-7', 399)], 40_000_000_000)
  t.is(
    await outcome(large(',\n{"name":"x","partitions":[[5,]]}]}')),
    "ERR_PLACEMENT_INPUT: cluster: line 1003, column 30: Unexpected character (']' (code 93)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
  )
  t.is(
    await outcome(large(',\n{"name":"x","partitions":[')),
    'ERR_PLACEMENT_INPUT: cluster: line 1003, column 27: Unexpected end-of-input: expected close marker for Array of line 1003, column 26',
  )
})

test('an item that has no end is told, not kept', async (t) => {
  const blank = Buffer.alloc(1 << 20, ' ')
  const endless = Array.from({ length: 64 }, () => blank)
  t.is(
    await outcome(['{"brokers":[', ...endless]),
    'ERR_PLACEMENT_INPUT: cluster: expected items of up to 4 MiB, got a longer one behind byte 8388619',
  )
})

test('fields of a topic come in any order, its partitions once', async (t) => {
  const cluster = await from([
    '{"topics":[{"partitions":[[1]],"minInsyncReplicas":2,"name":"t"}],"brokers":[{"id":1}]}',
  ])
  t.deepEqual(cluster.toJSON().topics, [
    { name: 't', minInsyncReplicas: 2, partitions: [{ partition: 0, replicas: [1] }] },
  ])
  t.is(
    await outcome(['{"topics":[{"name":"t","partitions":[[1]],"partitions":[]}],"brokers":[]}']),
    'ERR_PLACEMENT_INPUT: cluster: topics[0]: partitions: expected it once, got it twice',
  )
  t.is(
    await outcome(['{"topics":[{"partitions":[[1]]}],"brokers":[]}']),
    'ERR_PLACEMENT_INPUT: cluster: topics[0].name: expected a string, got undefined',
  )
})

function describeOf(chance: Chance): string {
  const topics = chance.times(chance.between(0, 4), (t) => {
    const partitions = chance.times(chance.between(0, 5), (p) => {
      const ids = chance.times(chance.between(1, 4), () => chance.pick([0, 7, 1002, 2_147_483_647])).join()
      const extra = chance.pick([
        '',
        '',
        '\tElr: \tLastKnownElr: ',
        '\tElr: N/A',
        `\tAdding Replicas: ${ids}\tRemoving Replicas: `,
      ])
      const leader = chance.pick(['none', '7', ids.split(',')[0]])
      return `\tTopic: topic-${t}\tPartition: ${p}\tLeader: ${leader}\tReplicas: ${ids}\tIsr: ${ids}${extra}\n`
    })
    const head = `Topic: topic-${t}\tTopicId: ${chance.pick(['AA', 'é'])}\tPartitionCount: ${partitions.length}\tReplicationFactor: 1\tConfigs: `
    return `${head}${chance.pick(['', 'min.insync.replicas=2'])}\n${partitions.join('')}`
  })
  return topics.join(chance.pick(['', '\n']))
}

test('what kafka-topics --describe prints is read alike by the quick way and the slow one, good or spoilt', async (t) => {
  const chance = new Chance(5)
  const kinds = new Set<string>()
  // Behind a first block, which goes the slow way.
  const first = 'Topic: first\tPartitionCount: 1\tConfigs: \n\tTopic: first\tPartition: 0\tReplicas: 1\tIsr: 1\n'
  for (let i = 0; i < 600; i++) {
    const text = describeOf(chance)
    const at = chance.between(0, text.length)
    const put = chance.pick(['', '\t', '\n', ',', '-', '9', '99999999999', 'x', 'Replicas: ', ' ', '\r\n'])
    const spoilt = chance.odds(0.4) ? text : text.slice(0, at) + put + text.slice(at + chance.pick([0, 1, 1, 5]))
    const slow = await outcome([first + spoilt])
    t.deepEqual(await outcome([first, spoilt]), slow, spoilt)
    t.deepEqual(await outcome([first, ...cut(spoilt, () => chance.between(1, 60))]), slow, spoilt)
    kinds.add(typeof slow === 'string' ? slow.replaceAll(/\d+|"[^"]*"/g, 'N') : 'read')
  }
  t.true(kinds.has('read') && kinds.size > 8, [...kinds].join('\n'))
})
