/**
 * A reassignment in whatever form it comes: the file, or the whole of what `--generate` prints, of which the proposal counts.
 */
import { checkText } from '../errors.js'
import { parseReassignment, type ReassignmentEntry } from './reassignment-json.js'
import type { KafkaVersionOption } from './version.js'

const PROPOSED = 'Proposed partition reassignment configuration'
const CURRENT = 'Current partition replica assignment'

/** A reassignment that was found in a text. */
export interface FoundReassignment {
  readonly entries: ReassignmentEntry[]
  /** The text is what `--generate` prints, and the proposal was taken of it. */
  readonly isPrinted: boolean
}

/**
 * Reads a reassignment file, or what `--generate` prints.
 *
 * @throws ERR_PLACEMENT_REASSIGNMENT
 * @example kafka.reassignment.find('{"partitions":[]}') // { entries: [], isPrinted: false }
 */
export function findReassignment(text: string, options: KafkaVersionOption = {}): FoundReassignment {
  checkText(text, 'text')
  const isPrinted = text.trimStart().startsWith(CURRENT) && text.includes(`\n${PROPOSED}`)
  if (!isPrinted) return { entries: parseReassignment(text, options), isPrinted }
  const proposal = text.slice(text.indexOf(`\n${PROPOSED}`) + PROPOSED.length + 1)
  return { entries: parseReassignment(proposal.trim(), options), isPrinted }
}
