/** How the program ends: what an error prints, and its exit code. */
import { type CodedError, type ErrorCode, isCodedError, PlacementError } from '../index.js'

/** The answer is no, or the original has none. */
const NO_ANSWER = 1
/** Wrong usage or bad input. */
const REFUSED = 2

/** `PlacementError`s that tell nothing about the question. */
const NOT_THE_QUESTION: readonly ErrorCode[] = ['ERR_PLACEMENT_ENGINE', 'ERR_PLACEMENT_INTERNAL']

export function exitCodeOf(error: unknown): number {
  if (!isCodedError(error)) return REFUSED
  return error instanceof PlacementError && !NOT_THE_QUESTION.includes(error.code) ? NO_ANSWER : REFUSED
}

/** One line for people; the whole of what nobody foresaw. */
export function errorText(error: unknown): string {
  if (isCodedError(error)) return `topic-placement: ${(error as CodedError).message} [${error.code}]\n`
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `topic-placement: [ERR_PLACEMENT_INTERNAL] a fault of this program, please report it: ${text}\n`
}
