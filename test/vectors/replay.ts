/**
 * Replays golden vectors against the product, on each engine.
 *
 * One line on one engine is one check; what is TypeScript only runs once. A request that the product does not answer is
 * skipped, once, and never passes. A file of an older release also replays what holds there of the newest release's file
 * beside it (see `releases.ts`).
 */
import { existsSync } from 'node:fs'
import { KAFKA_VERSIONS, PULSAR_VERSIONS } from '../../src/types.js'
import { type Answer, answerOf, type Request } from './answer.js'
import type { Difference } from './compare.js'
import { readVectors, type VectorFile, type VectorLine } from './file.js'
import { OPS, TYPESCRIPT_ONLY } from './ops.js'
import { linesThatHold } from './releases.js'
import { differenceOf } from './sameness.js'

/** An engine that can be put to work for a while. */
export interface EngineDoor {
  readonly name: string
  readonly run: <T>(ask: () => T) => T
}

export interface Failure extends Difference {
  readonly vector: VectorLine
  readonly release: string
  /** `typescript` for what asks no engine. */
  readonly engine: string
}

/** For what asks no engine: whichever is in force stays so. */
const NO_ENGINE: EngineDoor = { name: 'typescript', run: (ask) => ask() }

/** What came of one file. */
export interface Replay {
  readonly file: VectorFile
  /** Checks passed by engine, `typescript` among them. */
  readonly passed: Map<string, number>
  readonly failures: Failure[]
  /** Lines skipped by op. */
  readonly skipped: Map<string, number>
}

/**
 * The product's answer to one request of the vectors' or the oracle's form, on the engine in force; `undefined` for an op
 * that the product does not answer. No op name is used in two families for two questions.
 */
export function replayRequest(_family: string, request: Request, release: string): Answer | undefined {
  const op = Object.hasOwn(OPS, request.op) ? OPS[request.op] : undefined
  return op === undefined ? undefined : answerOf(() => op(request as never, release as never))
}

/** Reads a file and replays every line that holds for its release. Errors: `ERR_PLACEMENT_INPUT`. */
export function replayFile(path: string, engines: readonly EngineDoor[]): Replay {
  const file = readVectors(path)
  const replay: Replay = { file, passed: new Map(), failures: [], skipped: new Map() }
  for (const vector of [...file.lines, ...linesOfNewest(file)]) replayLine(replay, vector, engines)
  return replay
}

function linesOfNewest(file: VectorFile): readonly VectorLine[] {
  const path = file.path.replace(/@[^@/\\]+\.jsonl$/, '.jsonl')
  return path === file.path || !existsSync(path) ? [] : linesThatHold(readVectors(path), file)
}

function replayLine(replay: Replay, vector: VectorLine, engines: readonly EngineDoor[]): void {
  const { file, passed, failures, skipped } = replay
  const doors = TYPESCRIPT_ONLY.includes(vector.request.op) ? [NO_ENGINE] : engines
  for (const door of doors) {
    const outcome = checkOn(door, file, vector)
    if (outcome === 'skipped') {
      add(skipped, vector.request.op)
      return
    }
    if (outcome === undefined) add(passed, door.name)
    else failures.push({ ...outcome, vector, release: file.release, engine: door.name })
  }
}

function checkOn(door: EngineDoor, file: VectorFile, vector: VectorLine): Difference | 'skipped' | undefined {
  if (!isKnownRelease(file)) return 'skipped'
  const answer = door.run(() => replayRequest(file.family, vector.request, file.release))
  return answer === undefined ? 'skipped' : differenceOf(vector.request.op, vector.expected, answer)
}

const isKnownRelease = ({ system, release }: VectorFile): boolean =>
  ((system === 'kafka' ? KAFKA_VERSIONS : PULSAR_VERSIONS) as readonly string[]).includes(release)

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
