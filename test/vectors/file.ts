/**
 * Reads a file of golden vectors: `{ provenance }` on the first line, then one request and its answer a line.
 *
 * `FAMILY.jsonl` holds the answers of the newest release, `FAMILY@R.jsonl` those of an older one. Kafka's files tell their
 * release as `provenance.kafka`, Pulsar's as `provenance.release`.
 */
import { readFileSync } from 'node:fs'
import { codedError } from '../../src/errors.js'
import type { Request } from './answer.js'
import type { Expected } from './compare.js'

export interface VectorLine {
  readonly path: string
  /** Counted from 1, the header's. */
  readonly line: number
  readonly name: string | undefined
  readonly request: Request
  readonly expected: Expected
}

export interface VectorFile {
  readonly path: string
  readonly system: 'kafka' | 'pulsar'
  readonly family: string
  /** `major.minor` of the original. */
  readonly release: string
  /** Lines of `FAMILY.jsonl` that this older release has no answer to. */
  readonly unanswered: readonly number[]
  readonly lines: readonly VectorLine[]
}

type Json = Record<string, unknown>

/** Reads a whole file. Errors: `ERR_PLACEMENT_INPUT`, with the file and the line. */
export function readVectors(path: string): VectorFile {
  const [header = '', ...rows] = textOf(path).replace(/\n$/, '').split('\n')
  const provenance = provenanceOf(path, header)
  return { path, ...provenance, lines: rows.map((row, i) => lineOf(path, i + 2, row)) }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw codedError('ERR_PLACEMENT_INPUT', `${path}: cannot be read (${(cause as Error).message})`, { cause })
  }
}

function provenanceOf(path: string, header: string): Omit<VectorFile, 'path' | 'lines'> {
  const { provenance } = objectOf(path, 1, header)
  const about = provenance as Json | null | undefined
  const version = about?.['kafka'] ?? about?.['release']
  const family = about?.['family']
  const release = typeof version === 'string' ? /^\d+\.\d+/.exec(version)?.[0] : undefined
  if (typeof family !== 'string' || release === undefined) {
    throw broken(path, 1, 'expected {"provenance":{"family":…,"kafka" or "release":"major.minor…"}}', header)
  }
  const system = about?.['kafka'] === undefined ? 'pulsar' : 'kafka'
  return { system, family, release, unanswered: (about?.['unanswered'] ?? []) as number[] }
}

function lineOf(path: string, line: number, text: string): VectorLine {
  const vector = objectOf(path, line, text)
  const request = vector['request'] as Request | null | undefined
  const held = ['ok', 'error', 'sha256'].filter((key) => Object.hasOwn(vector, key))
  if (typeof request?.op !== 'string' || held.length !== 1) {
    throw broken(path, line, 'expected {"request":{"op":…},…} with one of "ok", "error" and "sha256"', text)
  }
  const expected = { [held[0]!]: vector[held[0]!] } as unknown as Expected
  return { path, line, name: vector['name'] as string | undefined, request, expected }
}

function objectOf(path: string, line: number, text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  } catch {
    // Told below, with the place.
  }
  throw broken(path, line, 'expected a JSON object', text)
}

function broken(path: string, line: number, expected: string, text: string): Error {
  const got = text.length > 80 ? `${text.slice(0, 77)}...` : text
  return codedError('ERR_PLACEMENT_INPUT', `${path}:${line}: ${expected}, got ${got === '' ? 'an empty line' : got}`)
}
