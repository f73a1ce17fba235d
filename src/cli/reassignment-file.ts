/** Files of kafka-reassign-partitions on the command line: read whole, and named in what is said of them. */
import { codedError, isCodedError } from '../errors.js'
import { kafka } from '../index.js'
import type { Option } from './grammar.js'
import { openSource } from './input.js'
import type { Session } from './session.js'
import { TextBlocks } from './text-blocks.js'

export const REASSIGNMENT_OPTION: Option = {
  name: 'reassignment-json-file',
  value: 'FILE',
  help: 'the reassignment; what --generate prints will do',
}

export const KAFKA_VERSION_OPTION: Option = {
  name: 'version',
  value: 'RELEASE',
  help: '3.9, 4.0, 4.1, 4.2, 4.3 or 4.4 (default 4.4)',
}

const VERSIONS = ['3.9', '4.0', '4.1', '4.2', '4.3', '4.4'] as const

/** The release that answers. */
export function kafkaRelease({ args }: Session): (typeof VERSIONS)[number] {
  return args.choice('version', VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION') ?? '4.4'
}

/** The text of a file of Kafka's tools, with its byte order mark, which they refuse. @throws ERR_PLACEMENT_INPUT */
export async function readToolFile(path: string): Promise<string> {
  const blocks = await TextBlocks.read(openSource(path))
  const text = blocks.whole()
  return blocks.hasMark ? `\ufeff${text}` : text
}

/** Asks about a file; an error of the library names it. */
export function about<T>(path: string, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (!isCodedError(error)) throw error
    const { javaClass, javaMessage = null } = error
    const details = javaClass === undefined ? {} : { javaClass, javaMessage }
    throw codedError(error.code, `${path}: ${error.message}`, { ...details, cause: error })
  }
}

/** The reassignment of a file: the proposal, where the file is what `--generate` prints, which is said. */
export async function readReassignment(
  session: Session,
  path: string,
): Promise<kafka.reassignment.ReassignmentEntry[]> {
  const text = await readToolFile(path)
  const { entries, isPrinted } = about(path, () => kafka.reassignment.find(text))
  if (isPrinted) session.note(`${path}: what --generate prints; the proposed reassignment is taken`)
  return entries
}
