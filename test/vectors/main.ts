/**
 * `npm run vectors -- FILE…`: replays golden vectors on every engine that is there; without a file, those of `test/vectors`.
 *
 * Prints the first differences, the counts of each file and what was skipped, and closes with
 * `N passed, N failed, N skipped`. Exits 1 on any failure, 2 on wrong usage or a file that cannot be read as vectors.
 */
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codedError, isCodedError } from '../../src/errors.js'
import { DOORS, missingEngine } from '../engines.js'
import { type Replay, replayFile } from './replay.js'
import { closingLine, countsOf, failureText, skippedText } from './report.js'

/** How many differences are printed whole: more hide the first, which mostly explains the rest. */
const SHOWN = 10

/** The golden vectors of this form in the repository, seen from the compiled file. */
export const VECTORS: readonly string[] = ['kafka', 'pulsar'].map((system) =>
  fileURLToPath(new URL(`../../../../test/vectors/${system}`, import.meta.url)),
)

/** All vector files below a folder, in a fixed order. */
export function vectorFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name))
}

/** npm runs scripts at the top level; a relative path is meant from where the caller stands. */
function filesOf(args: readonly string[]): string[] {
  const options = args.filter((arg) => arg.startsWith('-'))
  if (options.length > 0)
    throw codedError('ERR_PLACEMENT_USAGE', `expected npm run vectors -- FILE…, got ${options[0]}`)
  const paths = args.map((arg) => resolve(process.env['INIT_CWD'] ?? '.', arg))
  const files = (paths.length > 0 ? paths : VECTORS).flatMap((path) => (isFolder(path) ? vectorFiles(path) : [path]))
  if (files.length === 0) throw codedError('ERR_PLACEMENT_INPUT', `${paths.join(', ')}: no *.jsonl file`)
  return files
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

function run(args: readonly string[]): number {
  const missing = missingEngine()
  if (missing !== null) console.log(missing)
  const replays = filesOf(args).map((path) => {
    const replay = replayFile(path, DOORS)
    console.log(countsOf(replay))
    return replay
  })
  printFailures(replays)
  for (const line of skippedText(replays)) console.log(line)
  console.log(closingLine(replays))
  return replays.some((replay) => replay.failures.length > 0) ? 1 : 0
}

function printFailures(replays: readonly Replay[]): void {
  const failures = replays.flatMap((replay) => replay.failures)
  for (const failure of failures.slice(0, SHOWN)) console.log(failureText(failure))
  if (failures.length > SHOWN) console.log(`… and ${failures.length - SHOWN} more differences`)
}

function main(): void {
  try {
    process.exitCode = run(process.argv.slice(2))
  } catch (error) {
    if (!isCodedError(error)) throw error
    console.error(`${error.code}: ${error.message}`)
    process.exitCode = 2
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
