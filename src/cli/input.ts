/** Where keys and names come from: a file, standard input, or the command line itself. */
import { constants, createReadStream, openSync, readdirSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { basename, dirname } from 'node:path'
import { codedError, nearest } from '../errors.js'
import { spelling } from './grammar.js'

/** Bytes in blocks. */
export interface Source {
  /** For messages. */
  readonly name: string
  /** Bytes in all, or `null` where nobody knows before the end. */
  readonly size: number | null
  /** True where a person types. */
  readonly isTerminal?: boolean
  readonly blocks: AsyncIterable<Uint8Array>
}

/** Bytes a read: large enough that a call a block costs nothing, small enough for the second cache. */
const BLOCK = 1 << 20

/** Opens a file, or standard input for `-` and nothing. @throws ERR_PLACEMENT_INPUT */
export function openSource(path: string | undefined): Source {
  if (path === undefined || path === '-') {
    const { stdin } = process
    return { name: 'standard input', size: null, isTerminal: stdin.isTTY, blocks: reading('standard input', stdin) }
  }
  const stats = statOf(path)
  const stream = stats.isFIFO() ? pipeStream(path) : createReadStream(path, { highWaterMark: BLOCK })
  return { name: path, size: stats.isFile() ? stats.size : null, blocks: reading(path, stream) }
}

/** A file's read would wait for the writer in a thread that nothing can interrupt, and an interrupted program with it. */
function pipeStream(path: string): AsyncIterable<Uint8Array> {
  try {
    return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false })
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

function statOf(path: string) {
  let stats: ReturnType<typeof statSync>
  try {
    stats = statSync(path)
  } catch (cause) {
    throw unreadable(path, cause)
  }
  if (stats.isDirectory()) throw unreadable(path, { code: 'EISDIR' })
  return stats
}

async function* reading(name: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (cause) {
    throw unreadable(name, cause)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'a folder',
  EACCES: 'no permission to read it',
  ENOTDIR: 'no such folder',
}

/** The error of a file that cannot be read. */
export function unreadable(path: string, cause: unknown): Error {
  const code = String((cause as NodeJS.ErrnoException).code)
  const reason = REASONS[code] ?? code
  const near = code === 'ENOENT' ? spelling(neighbour(path)) : ''
  return codedError('ERR_PLACEMENT_INPUT', `${path}: expected a readable file, got ${reason}${near}`, { cause })
}

/** The file of the same folder whose name is nearest. */
function neighbour(path: string): string | null {
  try {
    const near = nearest(basename(path), readdirSync(dirname(path)))
    return near === null ? null : path.slice(0, path.length - basename(path).length) + near
  } catch {
    return null
  }
}
