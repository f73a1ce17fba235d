/**
 * Where an answer goes: standard output, or a file that is there whole or not at all (a temporary file beside it, renamed
 * when the answer is complete and on the disk).
 */
import { randomUUID } from 'node:crypto'
import { constants, rmSync, type Stats } from 'node:fs'
import { type FileHandle, open, readlink, realpath, rename, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { codedError } from '../errors.js'

export interface Destination {
  /** Writes all the bytes; they may be reused when the promise settles. */
  write(bytes: Uint8Array): Promise<void>
  /** Everything is written: makes it visible. */
  finish(): Promise<void>
  /** Leaves nothing behind. Synchronous, for a signal. */
  abandon(): void
}

/** The reader of a pipe has what it wants. */
export class ReaderClosed extends Error {}

/** Opens the destination at once, so that hours of work do not end at a folder that nobody may write. */
export async function openOutput(path: string | undefined): Promise<Destination> {
  if (path === undefined) return standardOutput()
  if (path === '') throw codedError('ERR_PLACEMENT_USAGE', '--output: expected the name of a file, got ""')
  try {
    return await fileOutput(path)
  } catch (error) {
    throw writeError(path, error)
  }
}

function standardOutput(): Destination {
  // Errors come to the callback of each write; the event must have a listener besides.
  process.stdout.on('error', () => {})
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error ? reject(writeError('standard output', error)) : resolve()))
      }),
    finish: async () => {},
    abandon: () => {},
  }
}

async function fileOutput(path: string): Promise<Destination> {
  const target = await targetOf(path)
  const existing = await stat(target).catch(() => null)
  if (existing?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  // A device or a pipe cannot be replaced by a file: it is written as it stands.
  if (existing !== null && !existing.isFile()) return openedOutput(path, await open(target, constants.O_WRONLY))
  return replacingOutput(path, target, existing)
}

/** Where a path leads, also by a link to a file that is not there yet: the link stays. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const link = await readlink(path).catch(() => null)
  return link === null ? path : targetOf(resolve(await realpath(dirname(path)), link))
}

async function replacingOutput(path: string, target: string, existing: Stats | null): Promise<Destination> {
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`)
  const handle = await open(temporary, 'wx', existing === null ? 0o666 : existing.mode & 0o777)
  const { write, finish } = openedOutput(path, handle)
  let left = true
  return {
    write,
    finish: async () => {
      try {
        await handle.sync()
        await finish()
        await rename(temporary, target)
      } catch (error) {
        throw writeError(path, error)
      }
      left = false
    },
    abandon: () => {
      if (left) rmSync(temporary, { force: true })
      left = false
    },
  }
}

function openedOutput(path: string, handle: FileHandle): Destination {
  return {
    write: async (bytes) => {
      try {
        for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
      } catch (error) {
        throw writeError(path, error)
      }
    },
    finish: () => handle.close(),
    abandon: () => {},
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file is larger than allowed',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'a read-only file system',
  ENOENT: 'no such folder',
  ENOTDIR: 'no such folder',
  EISDIR: 'a folder',
  ELOOP: 'links that lead in a circle',
}

function writeError(path: string, cause: unknown): Error {
  const code = String((cause as NodeJS.ErrnoException).code)
  if (code === 'EPIPE') return new ReaderClosed()
  const reason = REASONS[code] === undefined ? '' : ` (${REASONS[code]})`
  return codedError('ERR_PLACEMENT_WRITE', `${path}: expected to write the answer, got ${code}${reason}`, { cause })
}
