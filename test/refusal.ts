/** What a call says when it refuses, in one line that a test can pin. */
import { isCodedError } from '../src/errors.js'

/** `Class CODE: message`, with the index where there is one; a call that answers, or throws something else, is told as such. */
export function refusalOf(ask: () => unknown): string {
  try {
    return `no error, but ${JSON.stringify(ask())}`
  } catch (error) {
    return lineOf(error)
  }
}

/** The same of a promise. */
export async function refusalOfAsync(ask: () => Promise<unknown>): Promise<string> {
  try {
    return `no error, but ${JSON.stringify(await ask())}`
  } catch (error) {
    return lineOf(error)
  }
}

function lineOf(error: unknown): string {
  if (!isCodedError(error)) return `not coded: ${error}`
  const index = error.index === undefined ? '' : ` [index ${error.index}]`
  return `${error.name} ${error.code}: ${error.message}${index}`
}
