/** Runs the compiled command line in a process of its own, as a shell does. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const MAIN = fileURLToPath(new URL('../src/cli/main.js', import.meta.url))

/** What a process left. */
export interface Ended {
  readonly code: number | null
  readonly out: Buffer
  /** Lines of standard error. */
  readonly err: readonly string[]
}

/** What it is given beside its words. */
export interface Given {
  /** Standard input: bytes, or blocks as they come. Default: nothing, at its end. */
  readonly input?: string | Uint8Array | Iterable<string | Uint8Array>
  readonly engine?: string
  readonly env?: Readonly<Record<string, string>>
  readonly node?: readonly string[]
  readonly stdio?: SpawnOptions['stdio']
}

/** Starts `topic-placement` with these words. */
export function start(words: readonly string[], { engine, env, node = [], stdio = 'pipe' }: Given = {}): ChildProcess {
  const engineOf = engine === undefined ? {} : { TOPIC_PLACEMENT_ENGINE: engine }
  return spawn(process.execPath, [...node, MAIN, ...words], { stdio, env: { ...process.env, ...engineOf, ...env } })
}

/** Runs it to its end. */
export async function run(words: readonly string[], given: Given = {}): Promise<Ended> {
  const child = start(words, given)
  const ended = end(child)
  await feed(child, given.input ?? '')
  return ended
}

/** The answer as text; whatever was said goes with a failure. */
export async function answer(words: readonly string[], given: Given = {}): Promise<string> {
  const { code, out, err } = await run(words, given)
  if (code !== 0) throw new Error(`exit code ${code}: ${err.join('\n')}`)
  return out.toString()
}

/** Waits for a process, whatever it writes. */
export async function end(child: ChildProcess): Promise<Ended> {
  const [out, err] = await Promise.all([all(child.stdout), all(child.stderr), closed(child)])
  return { code: child.exitCode, out, err: err.toString().split('\n').slice(0, -1) }
}

function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('close', () => resolve()))
}

async function all(stream: NodeJS.ReadableStream | null): Promise<Buffer> {
  const blocks: Buffer[] = []
  if (stream !== null) for await (const block of stream) blocks.push(block as Buffer)
  return Buffer.concat(blocks)
}

async function feed({ stdin }: ChildProcess, input: NonNullable<Given['input']>): Promise<void> {
  if (stdin === null) return
  // A process that refuses its input closes the pipe: its exit code tells.
  stdin.on('error', () => {})
  const blocks = typeof input === 'string' || input instanceof Uint8Array ? [input] : input
  for (const block of blocks) {
    if (stdin.destroyed) return
    if (!stdin.write(block)) await drained(stdin)
  }
  stdin.end()
}

/** Waits for room in a pipe, or for its end. */
export function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.once('drain', done).once('close', done)
  })
}

/** A folder that is gone when the work is done. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'topic-placement-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
