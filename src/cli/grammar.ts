/**
 * The grammar of the command line: `topic-placement <system> <question> [options] [operands]`.
 *
 * Strict where `node:util`'s `parseArgs` is not: a value may begin with `-` (a negative number must reach the check that
 * refuses it by its name), an option given twice is an error but where it says otherwise, and an unknown word is told its nearest right spelling.
 */
import { codedError, type ErrorCode, nearest, shown } from '../errors.js'
import type { Session } from './session.js'

/** An option of a command. */
export interface Option {
  readonly name: string
  /** What stands for its value in the help; an option without one takes none. */
  readonly value?: string
  readonly help: string
  /** It may be given more than once. Default: false. */
  readonly repeats?: boolean
}

/** A command that answers a question. */
export interface Command {
  /** Its words: `['kafka', 'partition']`. */
  readonly path: readonly string[]
  /** What it answers, in a line. */
  readonly summary: string
  /** Its operands, as the help shows them. */
  readonly operands: string
  /** More for the help, in lines of 100 columns at most. */
  readonly details: readonly string[]
  readonly options: readonly Option[]
  /** Two that run as they stand in the project's folder. */
  readonly examples: readonly [string, string]
  run(session: Session): Promise<void>
}

/** What the words of a command line ask for. */
export type Request =
  | { readonly ask: 'version' }
  | { readonly ask: 'help'; readonly path: readonly string[] }
  | { readonly ask: 'answer'; readonly command: Command; readonly args: Arguments }

/** Reads the words of a command line. @throws ERR_PLACEMENT_USAGE */
export function readRequest(words: readonly string[], commands: readonly Command[]): Request {
  const path: string[] = []
  for (const word of words) {
    if (word === '--help' || word === '-h') return { ask: 'help', path }
    if (word === '--version' && path.length === 0) return { ask: 'version' }
    if (word.startsWith('-'))
      throw usage(path, `expected ${nextWords(path, commands).join(' or ')}, got ${shown(word)}`)
    path.push(knownWord(word, path, commands))
    const command = commands.find((one) => one.path.join(' ') === path.join(' '))
    if (command !== undefined) return readCommand(command, words.slice(path.length))
  }
  throw usage(path, `expected ${nextWords(path, commands).join(' or ')}, got nothing`)
}

function readCommand(command: Command, words: readonly string[]): Request {
  const args = new Arguments(command, words)
  if (args.flag('help')) return { ask: 'help', path: command.path }
  if (command.operands === '' && args.operands.length > 0)
    throw args.wrong(`expected options alone, got ${args.operands.map(shown).join(', ')}`)
  return { ask: 'answer', command, args }
}

/** The words that may follow these. */
function nextWords(path: readonly string[], commands: readonly Command[]): string[] {
  const under = commands.filter((one) => path.every((word, i) => one.path[i] === word))
  return [...new Set(under.map((one) => one.path[path.length]!))]
}

function knownWord(word: string, path: readonly string[], commands: readonly Command[]): string {
  const known = nextWords(path, commands)
  if (known.includes(word)) return word
  throw usage(path, `unknown command ${shown(word)}: expected ${known.join(' or ')}${spelling(nearest(word, known))}`)
}

function usage(path: readonly string[], message: string): Error {
  const command = ['topic-placement', ...path].join(' ')
  return codedError('ERR_PLACEMENT_USAGE', `${message}; see "${command} --help"`)
}

/** ` (did you mean …?)`, or nothing. */
export function spelling(near: string | null): string {
  return near === null ? '' : ` (did you mean ${near}?)`
}

const HELP: Option = { name: 'help', help: 'this text' }

/** The options and operands that a command was given. */
export class Arguments {
  readonly operands: readonly string[]
  readonly #command: Command
  readonly #given = new Map<string, string[]>()

  constructor(command: Command, words: readonly string[]) {
    this.#command = command
    const operands: string[] = []
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!
      if (word === '--') {
        operands.push(...words.slice(at + 1))
        break
      }
      if (word === '-' || !word.startsWith('-')) operands.push(word)
      else at += this.#take(word === '-h' ? '--help' : word, words[at + 1])
    }
    this.operands = operands
  }

  /** Takes an option; returns how many words more than its own it used. */
  #take(word: string, next: string | undefined): number {
    const equals = word.indexOf('=')
    const name = equals < 0 ? word : word.slice(0, equals)
    const option = this.#option(name)
    if (this.#given.has(option.name) && option.repeats !== true) throw this.wrong(`${name} is given twice`)
    if (option.value === undefined) {
      if (equals >= 0) throw this.wrong(`${name} takes no value, got ${shown(word.slice(equals + 1))}`)
      this.#given.set(option.name, [''])
      return 0
    }
    if (equals < 0 && (next === undefined || this.#isOption(next)))
      throw this.wrong(`${name}: expected ${option.value}`)
    this.#given.set(option.name, [...this.texts(option.name), equals < 0 ? next! : word.slice(equals + 1)])
    return equals < 0 ? 1 : 0
  }

  #option(name: string): Option {
    const options = [...this.#command.options, HELP]
    const found = options.find((option) => `--${option.name}` === name)
    if (found !== undefined) return found
    const near = nearest(
      name,
      options.map((option) => `--${option.name}`),
    )
    throw this.wrong(`unknown option ${shown(name)}${spelling(near)}`)
  }

  /** A word that is an option cannot be a value that was forgotten. */
  #isOption(word: string): boolean {
    return [...this.#command.options, HELP].some(({ name }) => word === `--${name}` || word.startsWith(`--${name}=`))
  }

  /** The error of a wrong command line. */
  wrong(message: string): Error {
    return usage(this.#command.path, message)
  }

  /** Names of the options that were given, in their order. */
  get names(): readonly string[] {
    return [...this.#given.keys()]
  }

  flag(name: string): boolean {
    return this.#given.has(name)
  }

  text(name: string): string | undefined {
    return this.#given.get(name)?.[0]
  }

  /** All values of an option that repeats, in their order. */
  texts(name: string): readonly string[] {
    return this.#given.get(name) ?? []
  }

  /** One of `names`, or `undefined` where the option is not given. */
  choice<T extends string>(name: string, names: readonly T[], code: ErrorCode = 'ERR_PLACEMENT_USAGE'): T | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : this.oneOf(name, text, names, code)
  }

  /** A word of an option's value, which is one of `names`. */
  oneOf<T extends string>(name: string, word: string, names: readonly T[], code: ErrorCode = 'ERR_PLACEMENT_USAGE'): T {
    if ((names as readonly string[]).includes(word)) return word as T
    const expected = `--${name}: expected one of ${names.join(', ')}, got ${shown(word)}`
    throw codedError(code, expected + spelling(nearest(word, names)))
  }

  /** An integer in decimal digits, or `undefined` where the option is not given. */
  integer(name: string, [least, most]: readonly [number, number], code: ErrorCode): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw codedError(code, `--${name}: expected an integer in [${least}, ${most}], got ${shown(text)}`)
  }

  /** The value, where the command cannot do without it. */
  required<T>(name: string, value: T | undefined): T {
    if (value !== undefined) return value
    throw this.wrong(`--${name} is missing`)
  }

  /** At most one of these options. */
  apart(...names: readonly string[]): void {
    const given = names.filter((name) => this.flag(name)).map((name) => `--${name}`)
    if (given.length > 1) throw this.wrong(`expected one of ${given.join(' and ')}, got both`)
  }
}
