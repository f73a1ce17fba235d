/** The help text of each level: what there is, the options, and two examples that run as they stand. */
import type { Command, Option } from './grammar.js'

const PROGRAM = 'topic-placement'

const INTRODUCTION = [
  'Where does this go? Kafka partitions and Pulsar bundles, offline, exactly as the original answers.',
  'Each line of the input is a key or a name; each answer is a line "input<TAB>answer".',
]

const ENDING = [
  `"${PROGRAM} … --help" tells the options of a command, "${PROGRAM} --version" the engine.`,
  'Exit codes: 0 answered, 1 the question has no answer, 2 wrong usage or bad input, 130 interrupted.',
]

/** The help for the words of a path: a command's, or what is under it. */
export function helpOf(path: readonly string[], commands: readonly Command[]): string {
  const command = commands.find((one) => one.path.join(' ') === path.join(' '))
  const text = command === undefined ? levelHelp(path, commands) : commandHelp(command)
  return `${text.join('\n')}\n`
}

function levelHelp(path: readonly string[], commands: readonly Command[]): string[] {
  const under = commands.filter((one) => path.every((word, i) => one.path[i] === word))
  const rows = under.map((one) => [one.path.join(' '), one.summary] as const)
  return [
    ...(path.length === 0 ? [...INTRODUCTION, ''] : []),
    `Usage: ${[PROGRAM, ...path].join(' ')} ${path.length === 0 ? '<system> <question>' : '<question>'} [options] [FILE | -]`,
    '',
    ...table(rows),
    '',
    'Examples:',
    ...[under[0]!, under.at(-1)!].map((one, i) => `  ${one.examples[i]}`),
    '',
    ...ENDING,
  ]
}

function commandHelp({ path, operands, summary, details, options, examples }: Command): string[] {
  const rows = [...options, { name: 'help', help: 'this text' }].map(optionRow)
  return [
    `Usage: ${[PROGRAM, ...path].join(' ')} [options] ${operands}`.trimEnd(),
    '',
    `Prints ${summary}.`,
    ...details,
    '',
    'Options:',
    ...table(rows),
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
  ]
}

function optionRow({ name, value, help }: Option): readonly [string, string] {
  return [value === undefined ? `--${name}` : `--${name} ${value}`, help]
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
