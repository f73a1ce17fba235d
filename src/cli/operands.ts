/** The words behind the options: one file, or names told from a file by looking, which is said. */
import { statSync } from 'node:fs'
import { codedError, shown } from '../errors.js'
import { type Encoding, type Input, openInput, wordInput } from './batches.js'
import type { Arguments } from './grammar.js'
import type { Session } from './session.js'

/** The one file that a command reads; `undefined` where none is given. */
export function fileOperand(args: Arguments): string | undefined {
  const [path, ...more] = args.operands
  if (more.length > 0) throw args.wrong(`expected one FILE, got also ${more.map(shown).join(', ')}`)
  return path
}

/**
 * Names from the command line, or where the only word is `-`, a file or nothing, from there.
 *
 * @param what the names are: `topic`, `group id`
 */
export function namesOrFile(session: Session, what: string, encoding: Encoding): Input {
  const { operands } = session.args
  const [word] = operands
  if (operands.length > 1) return wordInput(operands)
  if (word === undefined || word === '-' || isFile(word, what)) {
    if (word !== undefined && word !== '-') session.note(`${word} is a file: one ${what} a line is read from it`)
    return openInput(session, word, encoding)
  }
  if (/^[^:]*\.\w{1,5}$/.test(word)) session.note(`no file ${shown(word)}: taken as a ${what}`)
  return wordInput(operands)
}

function isFile(word: string, what: string): boolean {
  const stats = statSync(word, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return stats !== undefined
  const message = `${word}: expected a ${what} or a file, got a folder; a ${what} of that name can come through "-"`
  throw codedError('ERR_PLACEMENT_INPUT', message)
}
