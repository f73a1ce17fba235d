/**
 * A judge: an original that answers requests, as a program that reads lines and writes lines.
 *
 * Questions and answers stream: memory does not grow with their number.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { Answer, Request } from '../vectors/answer.js'
import type { Question } from './question.js'

/** The programs, seen from the compiled file. */
const HERE = fileURLToPath(new URL('../../../../test/oracle/', import.meta.url))

/** How much of what a program complains is kept. */
const MOST_COMPLAINT = 2000

export interface Answered {
  readonly question: Question
  readonly expected: Answer
}

export interface Judge {
  /** What is missing on this machine, and how to get it; `undefined` where the judge can be asked. */
  readonly missing: () => string | undefined
  /** The answers, in the order of the questions. Rejects where the judge stops early. */
  readonly ask: (questions: Iterable<Question>) => AsyncIterable<Answered>
}

/** How a program is started and spoken to. */
export interface Program {
  /** Path below `test/oracle`, then its arguments. */
  readonly command: readonly [path: string, ...args: string[]]
  readonly missing: () => string | undefined
  readonly write: (request: Request) => string
  readonly read: (line: string) => Answer
}

export function programJudge(program: Program): Judge {
  return { missing: program.missing, ask: (questions) => askProgram(program, questions) }
}

/** A judge inside this process. */
export function functionJudge(answer: (request: Request) => Answer): Judge {
  async function* ask(questions: Iterable<Question>): AsyncIterable<Answered> {
    for (const question of questions) yield { question, expected: answer(question.request) }
  }
  return { missing: () => undefined, ask }
}

async function* askProgram(program: Program, questions: Iterable<Question>): AsyncIterable<Answered> {
  const [path, ...args] = program.command
  const child = spawn(HERE + path, args)
  const stopped = once(child, 'close')
  // Awaited below; one that cannot be started fails earlier than that.
  stopped.catch(() => {})
  const complaint = complaintOf(child)
  const waiting: Question[] = []
  const fed = feed(child.stdin, linesOf(program, questions, waiting))
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      yield { question: waiting.shift()!, expected: program.read(line) }
    }
    await Promise.all([fed, stopped])
  } finally {
    child.kill()
  }
  if (waiting.length > 0 || child.exitCode !== 0) throw new Error(`${path} stopped (${child.exitCode}): ${complaint()}`)
}

/** Writes as fast as the program reads; one that stopped reading shows by its missing answers. */
async function feed(input: Writable, lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(lines), input).catch(() => {})
}

function* linesOf(program: Program, questions: Iterable<Question>, waiting: Question[]): Iterable<string> {
  for (const question of questions) {
    waiting.push(question)
    yield `${program.write(question.request)}\n`
  }
}

function complaintOf(child: ChildProcessWithoutNullStreams): () => string {
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-MOST_COMPLAINT)
  })
  return () => text.trim() || 'it said nothing'
}

/** True if the command can be started and ends well. */
export function runs(command: string, args: readonly string[], input = ''): boolean {
  return spawnSync(command, args, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0
}
