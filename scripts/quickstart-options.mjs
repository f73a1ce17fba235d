/** What `npm run quickstart` is asked: its options read and checked before anything is installed. */
import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export const USAGE = `Usage: npm run quickstart -- [FILE] [options]

Places topics into Pulsar bundles and record keys into Kafka partitions, and shows how evenly they lie.

  FILE             topic names, one a line (default: a sample made from the seed)
  --bundles N      bundles of each namespace (default 32, as Pulsar 5.0 has)
  --brokers N      brokers that share the bundles (default 16)
  --partitions N   partitions of the Kafka topic (default 48)
  --topics N       topic names in the sample (default 1000000)
  --keys N         record keys in the sample (default 1000000)
  --seed N         for another sample (default 42)
  --json           one JSON document on standard output instead of text
  --help           this text

Examples:
  npm run quickstart -- examples/topics.txt --bundles 64 --brokers 6
  npm run quickstart -- --topics 100000 --seed 7`

/** Default and greatest value; the least is 1. More would not fit the memory of one process. */
const NUMBERS = {
  bundles: [32, 65_536],
  brokers: [16, 1_000],
  partitions: [48, 1_000_000],
  topics: [1_000_000, 5_000_000],
  keys: [1_000_000, 5_000_000],
  seed: [42, 0xffffffff],
}

const OPTIONS = {
  ...Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: 'string' }])),
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
}

/** Wrong usage or a file that cannot be read; exit code 2. */
export class Refused extends Error {
  constructor(code, message) {
    super(`${message} [${code}]`)
    this.usage = code === 'ERR_PLACEMENT_USAGE'
  }
}

const wrongUsage = (message) => new Refused('ERR_PLACEMENT_USAGE', message)

/** The options of a command line, complete; `file` is absolute, `null` for the sample. */
export function readOptions(args, folder) {
  const { values, positionals, tokens } = parseArgs({
    args,
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  for (const token of tokens) if (token.kind === 'option') checkOption(token)
  if (positionals.length > 1) throw wrongUsage(`expected one FILE, got ${positionals.join(', ')}`)
  const numbers = Object.entries(NUMBERS).map(([name, limits]) => [name, integer(name, values[name], limits)])
  const [given] = positionals
  return {
    ...Object.fromEntries(numbers),
    file: given === undefined || values.help === true ? null : readableFile(given, folder),
    source: given ?? null,
    json: values.json === true,
    help: values.help === true,
  }
}

function checkOption({ name, rawName, value }) {
  if (!Object.hasOwn(OPTIONS, name)) {
    const near = nearest(name, Object.keys(OPTIONS))
    throw wrongUsage(`unknown option ${rawName}${near === null ? '' : `, did you mean --${near}?`}`)
  }
  const takesValue = OPTIONS[name].type === 'string'
  if (takesValue && value === undefined) throw wrongUsage(`${rawName}: expected a number after it`)
  if (!takesValue && value !== undefined) throw wrongUsage(`${rawName}: expected no value, got ${value}`)
}

function integer(name, text, [byDefault, most]) {
  if (text === undefined) return byDefault
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number <= most) return number
  throw wrongUsage(`--${name}: expected an integer in [1, ${most}], got ${text}`)
}

/** Refused here already: nobody waits for an installation to learn of a wrong path. */
function readableFile(given, folder) {
  const path = resolve(folder, given)
  try {
    accessSync(path, constants.R_OK)
  } catch (error) {
    throw new Refused('ERR_PLACEMENT_INPUT', `${given}: expected a readable file, got ${error.code}`)
  }
  const status = statSync(path)
  if (status.isDirectory()) throw new Refused('ERR_PLACEMENT_INPUT', `${given}: expected a readable file, got EISDIR`)
  if (status.isFile() && status.size === 0) {
    throw new Refused('ERR_PLACEMENT_INPUT', `${given}: expected topic names, one a line, got an empty file`)
  }
  return path
}

/** The name that takes the fewest changes, at most a third of its letters; or `null`. As `nearest` of src/errors.ts. */
function nearest(value, names) {
  const [best] = names.map((name) => [changes(value, name), name]).sort(([a], [b]) => a - b)
  return best[0] <= Math.max(1, Math.floor(best[1].length / 3)) ? best[1] : null
}

/** Letters to change, insert or drop until `a` is `b`; row by row of the usual table. */
function changes(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const letter of a) {
    const next = [row[0] + 1]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j - 1] + (letter === b[j - 1] ? 0 : 1), row[j] + 1, next[j - 1] + 1))
    }
    row = next
  }
  return row.at(-1)
}
