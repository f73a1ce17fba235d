/**
 * Kafka's own jars as peers: a program of `jars/` in a Java machine of its own, which waits while ours runs and the other
 * way round. The jars are those that `test/oracle/setup.sh` fetches.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from '../machine.js'
import type { Distant, Slice } from '../race.js'

/** The programs, classes of `jars/`, and the release that each is put to: the alternating placer left Kafka in 4.1. */
const VERSIONS = {
  ClientAssignors: '4.4.0',
  ServerAssignors: '4.4.0',
  Striped: '4.4.0',
  Alternating: '4.0.0',
  Generate: '4.4.0',
} as const
const SOURCES = `${ROOT}bench/peers/jars`
const CLASSES = `${ROOT}build/bench-peers`

/** As much as a million partitions need as objects; the rest is the Java machine's own choice, as in a consumer. */
const OPTIONS = ['-Xmx4g']

/** The program a group is put to. */
export type JarProgram = keyof typeof VERSIONS

const jarsOf = (program: JarProgram): string => `${ROOT}test/oracle/kafka/target/${VERSIONS[program]}/lib`

/** Lists of partitions, as the jars give them. */
export interface JarAnswer {
  readonly offsets: Int32Array
  readonly values: Int32Array
}

/** The jars with one group, ready to be timed. */
export interface JarPeer extends Distant {
  readonly answer: () => Promise<JarAnswer>
  readonly stop: () => void
}

/** What is missing on this machine to ask the jars; `undefined` where they can be asked. */
export function jarsMissing(program: JarProgram): string | undefined {
  if (spawnSync('javac', ['-version']).error !== undefined) return 'javac: apt-get install openjdk-17-jdk-headless'
  return existsSync(jarsOf(program)) ? undefined : 'the Kafka jars: test/oracle/setup.sh'
}

/**
 * Starts the program with a group: the columns of the public API, typed arrays as lists.
 *
 * @throws Error with what the program said last, where it stops
 */
export async function startJars(program: JarProgram, group: object): Promise<JarPeer> {
  const classes = compiled(program)
  const folder = mkdtempSync(join(tmpdir(), 'bench-jars-'))
  const main = `topicplacement.bench.${program}`
  const java = spawn('java', [...OPTIONS, '-cp', `${classes}:${jarsOf(program)}/*`, main])
  const turn = turnsOf(java, program)
  const stop = (): void => {
    java.stdin.end()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    writeFileSync(join(folder, 'group'), JSON.stringify(group, plainLists))
    await turn(`group ${join(folder, 'group')}`)
  } catch (error) {
    stop()
    throw error
  }
  return {
    name: `kafka ${VERSIONS[program]}`,
    slice: async (effort) => sliceOf(await turn(`slice ${effort.sliceMs} ${effort.clock}`)),
    answer: async () => {
      await turn(`answer ${join(folder, 'answer')}`)
      return answerOf(readFileSync(join(folder, 'answer')))
    },
    stop,
  }
}

/** What every program needs beside itself. */
const SHARED = ['Columns', 'Turns']

/** A folder of its classes. */
function compiled(program: JarProgram): string {
  const classes = join(CLASSES, program)
  const sources = [program, ...SHARED].map((name) => join(SOURCES, `${name}.java`))
  const { status, stderr } = spawnSync('javac', ['-d', classes, '-cp', `${jarsOf(program)}/*`, ...sources], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`javac: ${stderr}`)
  return classes
}

const MOST_COMPLAINT = 2000

/** A function that writes one line and gives the line that answers it. */
function turnsOf(java: ChildProcessWithoutNullStreams, program: string): (line: string) => Promise<string> {
  let complaint = ''
  java.stderr.setEncoding('utf8').on('data', (more: string) => {
    complaint = (complaint + more).slice(-MOST_COMPLAINT)
  })
  java.stdin.on('error', () => {})
  const lines = createInterface({ input: java.stdout })[Symbol.asyncIterator]()
  return async (line) => {
    java.stdin.write(`${line}\n`)
    const { value, done } = await lines.next()
    if (done !== true) return value
    throw new Error(`${program} stopped at "${line}": ${complaint.trim() || 'it said nothing'}`)
  }
}

function plainLists(_: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) ? Array.from(value as Int32Array) : value
}

function sliceOf(line: string): Slice {
  const [best, median] = line.split(' ').map((nanoseconds) => Number(nanoseconds) / 1e6)
  return { best: best!, median: median! }
}

/** Offsets from 0 on, as many as their last one says where the values begin. */
function answerOf({ buffer, byteOffset, byteLength }: Buffer): JarAnswer {
  const columns = new Int32Array(buffer, byteOffset, byteLength / 4)
  let members = 0
  while (members + 1 + columns[members]! < columns.length) members += 1
  return { offsets: columns.subarray(0, members + 1), values: columns.subarray(members + 1) }
}
