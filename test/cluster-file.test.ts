/** A cluster read from each kind of file, and from rubbish. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { readCluster } from '../src/cli/cluster-file.js'
import type { Session } from '../src/cli/session.js'
import { inFolder } from './cli-process.js'
import { refusalOfAsync } from './refusal.js'

/** Reads a text as a file, and tells what is said on standard error. */
async function read(text: string | Uint8Array, brokers?: readonly number[]) {
  const said: string[] = []
  const session = { note: (line: string) => void said.push(line) } as unknown as Session
  return inFolder(async (folder) => {
    const path = join(folder, 'cluster')
    writeFileSync(path, text)
    const cluster = await readCluster(session, path, brokers)
    return { cluster, said: said.map((line) => line.replace(path, 'cluster')) }
  })
}

const refusal = async (text: string | Uint8Array) =>
  (await refusalOfAsync(() => read(text))).replace(/: \/\S+\/cluster/, ': cluster')

const DESCRIPTION = `Topic: b	TopicId: AAAA	PartitionCount: 1	ReplicationFactor: 2	Configs: cleanup.policy=compact,min.insync.replicas=2
	Topic: b	Partition: 0	Leader: none	Replicas: 5,3	Isr: 	Elr: N/A	LastKnownElr: N/A
Topic:a	PartitionCount:2	ReplicationFactor:1	Configs:
	Topic: a	Partition: 0	Leader: 3	Replicas: 3	Isr: 3
	Topic: a	Partition: 1	Leader: 4	Replicas: 4,3	Isr: 4	Adding Replicas: 4	Removing Replicas: 3
`

test('a snapshot is told from the rest, and gives its own brokers', async (t) => {
  const snapshot = {
    brokers: [
      { id: 1, rack: 'a', weight: 0.5, capacity: 10_000_000_000 },
      { id: 2, state: 'fenced' },
    ],
    topics: [
      { name: 't', minInsyncReplicas: 1, partitions: [{ partition: 0, replicas: [2, 1], bytes: 5_000_000_000 }] },
    ],
  }
  const { cluster, said } = await read(`\ufeff\n${JSON.stringify(snapshot)}\n`, [9])
  t.deepEqual(cluster.toJSON() as unknown, snapshot)
  t.deepEqual(said, ['cluster: byte order mark left out', 'cluster: a snapshot'])
})

test('what kafka-topics --describe prints, with a move under way', async (t) => {
  const { cluster, said } = await read(DESCRIPTION)
  t.deepEqual(cluster.toJSON() as unknown, {
    brokers: [{ id: 3 }, { id: 4 }, { id: 5 }],
    topics: [
      {
        name: 'a',
        partitions: [
          { partition: 0, replicas: [3] },
          { partition: 1, replicas: [4, 3], adding: [4], removing: [3] },
        ],
      },
      { name: 'b', minInsyncReplicas: 2, partitions: [{ partition: 0, replicas: [5, 3] }] },
    ],
  })
  t.deepEqual(said, [
    'cluster: the text of kafka-topics --describe',
    'cluster: no list of brokers: those of the replicas are taken',
  ])
  t.deepEqual(
    (await read(DESCRIPTION, [7, 3])).cluster.brokers.map(({ id }) => id),
    [3, 4, 5, 7],
  )
  t.deepEqual((await read(DESCRIPTION.replaceAll('\n', '\r\n'))).cluster, cluster)
})

const REASSIGNMENT = '{"version":1,"partitions":[{"topic":"a","partition":3,"replicas":[1,2],"log_dirs":["any","/d"]}]}'

test('a reassignment may hold a part of the partitions; of the whole output of --generate the current one is taken', async (t) => {
  const { cluster, said } = await read(REASSIGNMENT, [1, 2, 3])
  t.deepEqual([cluster.rowOf('a', 3), cluster.brokers.length], [0, 3])
  t.deepEqual(said, ['cluster: a reassignment; its replicas are taken for the present ones'])
  const printed = `Current partition replica assignment\n${REASSIGNMENT}\n\nProposed partition reassignment configuration\n{"version":1,"partitions":[]}\n`
  const whole = await read(printed, [1, 2, 3])
  t.deepEqual(whole.cluster, cluster)
  t.is(whole.said[0], 'cluster: what --generate prints; the current assignment is taken')
})

test('of a reassignment fields of others are passed over, wherever they stand, and what follows it', async (t) => {
  const text =
    '{"note":{"by":["x"]},"partitions":[{"topic":"a","partition":0,"replicas":[1,2],"x":1}],"more":2}} and more'
  const { cluster } = await read(text, [])
  t.deepEqual(cluster.replicasOf(0), [1, 2])
})

const REFUSED: readonly [name: string, text: string | Uint8Array, said: string][] = [
  [
    'a character that the file cuts',
    Buffer.from('{"brokers":[],"topics":[{"name":"é').subarray(0, -1),
    'ERR_PLACEMENT_INPUT: cluster: expected UTF-8, got the end of the text inside a character, behind byte 34',
  ],
  [
    'a list that is a number',
    '{"brokers":[],"topics":5}',
    'ERR_PLACEMENT_INPUT: cluster: topics: expected an array, got 5',
  ],
  [
    'text behind a snapshot',
    '{"brokers":[],\n"topics":[]}\n{"brokers":[],"topics":[]}',
    "ERR_PLACEMENT_INPUT: cluster: line 3, column 1: Unexpected character ('{' (code 123)): expected nothing behind the document",
  ],
  [
    'a field twice',
    '{"brokers":[],"topics":[],"brokers":[]}',
    'ERR_PLACEMENT_INPUT: cluster: "brokers": expected it once, got it twice',
  ],
  [
    'a weight beyond all numbers',
    '{"brokers":[{"id":0,"weight":1e400}],"topics":[]}',
    'ERR_PLACEMENT_INPUT: cluster: brokers[0].weight: expected a number above 0, got Infinity',
  ],
  [
    'a broker that joins twice',
    '{"brokers":[],"topics":[{"name":"t","partitions":[{"partition":0,"replicas":[0,1],"adding":[1,1]}]}]}',
    'ERR_PLACEMENT_INPUT: cluster: topics[0].partitions[0].adding: expected each broker once, got 1 twice',
  ],
  [
    'a broker that joins and leaves',
    '{"brokers":[],"topics":[{"name":"t","partitions":[{"partition":0,"replicas":[0,1],"adding":[1],"removing":[1]}]}]}',
    'ERR_PLACEMENT_INPUT: cluster: topics[0].partitions[0].removing: expected brokers that are not adding too, got 1',
  ],
  [
    'a partition that all brokers leave',
    '{"brokers":[],"topics":[{"name":"t","partitions":[{"partition":0,"replicas":[0,1],"removing":[1,0]}]}]}',
    'ERR_PLACEMENT_INPUT: cluster: topics[0].partitions[0].removing: expected a replica or more that stays, got all of 0,1',
  ],
  [
    'nothing',
    '',
    'ERR_PLACEMENT_INPUT: cluster: expected a snapshot (JSON), the text of kafka-topics --describe, or a reassignment (JSON), got nothing',
  ],
  [
    'blanks',
    ' \n',
    'ERR_PLACEMENT_INPUT: cluster: expected a snapshot (JSON), the text of kafka-topics --describe, or a reassignment (JSON), got nothing',
  ],
  [
    'another text',
    'hello',
    'ERR_PLACEMENT_INPUT: cluster: expected a snapshot (JSON), the text of kafka-topics --describe, or a reassignment (JSON), got another text',
  ],
  [
    'bytes that are no UTF-8',
    Buffer.from([0x7b, 0xff]),
    'ERR_PLACEMENT_INPUT: cluster: expected UTF-8, got byte 0xff at byte 2',
  ],
  [
    'broken JSON',
    '{"brokers":[\n{"id":1},,',
    "ERR_PLACEMENT_INPUT: cluster: line 2, column 10: Unexpected character (',' (code 44)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
  ],
  [
    'a JSON cut short',
    '{"brokers":[',
    'ERR_PLACEMENT_INPUT: cluster: line 1, column 13: Unexpected end-of-input: expected close marker for Array of line 1, column 12',
  ],
  [
    'topics to move',
    '{"version":1,"topics":[{"topic":"a"}]}',
    'ERR_PLACEMENT_INPUT: cluster: topics[0], a field: expected one of name, partitions, minInsyncReplicas, got "topic"',
  ],
  ['no brokers', '{"topics":[]}', 'ERR_PLACEMENT_INPUT: cluster: expected the field brokers of a snapshot, got none'],
  [
    'an unknown field',
    '{"broker":[]}',
    'ERR_PLACEMENT_INPUT: cluster: expected the fields brokers and topics of a snapshot, or partitions of a reassignment, got "broker"',
  ],
  ['a list that is none', '{"brokers":{}}', 'ERR_PLACEMENT_INPUT: cluster: brokers: expected an array, got an object'],
  [
    'both kinds',
    '{"brokers":[],"partitions":[]}',
    'ERR_PLACEMENT_INPUT: cluster: expected a snapshot or a reassignment, got partitions beside topics or brokers',
  ],
  [
    'a partition missing in the middle',
    '{"brokers":[],"topics":[{"name":"t","partitions":[{"partition":1,"replicas":[1]}]}]}',
    'ERR_PLACEMENT_INPUT: cluster: topic "t": partition 0 is missing before partition 1',
  ],
  ['a version to come', '{"version":2,"partitions":[]}', 'ERR_PLACEMENT_INPUT: cluster: version: expected 1, got 2'],
  [
    'a broker below zero',
    '{"partitions":[{"topic":"a","partition":0,"replicas":[-1]}]}',
    'ERR_PLACEMENT_INPUT: cluster: partitions[0].replicas[0]: expected an integer in [0, 2147483647], got -1',
  ],
  [
    'a partition twice',
    '{"partitions":[{"topic":"a","partition":0,"replicas":[1]},{"topic":"a","partition":0,"replicas":[1]}]}',
    'ERR_PLACEMENT_INPUT: cluster: topic "a": partition 0 is given twice',
  ],
  [
    'a description with another line',
    `${DESCRIPTION}hello`,
    'ERR_PLACEMENT_INPUT: cluster:6: expected a line of kafka-topics --describe, got "hello"',
  ],
  [
    'a description cut short',
    DESCRIPTION.split('\n').slice(0, 4).join('\n'),
    'ERR_PLACEMENT_INPUT: cluster:4: topic "a": expected 2 partitions (PartitionCount), got 1; is the text cut, or a selection?',
  ],
  [
    'a description of a broker that is none',
    DESCRIPTION.replace('5,3', '5,x'),
    'ERR_PLACEMENT_INPUT: cluster:2: Replicas: expected an integer in [0, 2147483647], got "x"',
  ],
  [
    'a description without replicas',
    DESCRIPTION.replace('5,3', ''),
    'ERR_PLACEMENT_INPUT: cluster:2: Replicas: expected one broker or more, got none',
  ],
  [
    'a description in disorder',
    DESCRIPTION.replace('\tTopic: b', '\tTopic: c'),
    'ERR_PLACEMENT_INPUT: cluster:2: expected a partition of topic "b", got "c"',
  ],
]

for (const [name, text, said] of REFUSED) {
  test(`refused: ${name}`, async (t) => t.is((await refusal(text)).replace(/^\w+ /, ''), said))
}
