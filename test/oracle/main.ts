/**
 * `npm run oracle`: fresh random questions to the originals and to both engines, compared answer by answer.
 *
 * The answers' differences and counts go to standard output, progress to standard error. The last line is
 * `N passed, N failed, N skipped`. Exits 1 on any failure, 2 on wrong usage.
 */
import { fileURLToPath } from 'node:url'
import { isCodedError } from '../../src/errors.js'
import { PULSAR_VERSIONS } from '../../src/types.js'
import { DOORS, missingEngine } from '../engines.js'
import { TYPESCRIPT_ONLY } from '../vectors/ops.js'
import type { EngineDoor } from '../vectors/replay.js'
import { type Options, readOptions, USAGE } from './options.js'
import { product } from './product.js'
import { progressOf } from './progress.js'
import { addRound, addSkipped, closingLine, failureText, type Total, tallyText } from './report.js'
import { askSystem } from './round.js'
import { type System, systems } from './systems.js'

async function run(options: Options): Promise<number> {
  console.log(`seed ${options.seed} (again: npm run oracle -- --seed ${options.seed} --count ${options.count})`)
  const missing = missingEngine()
  if (missing !== null) console.log(missing)
  const total: Total = { passed: 0, failed: 0, skipped: 0 }
  for (const system of chosen(options)) await askOne(system, options, total)
  console.log(closingLine(total))
  return total.failed > 0 ? 1 : 0
}

/** What TypeScript alone answers is asked once. */
const doorsOf = (op: string): readonly EngineDoor[] => (TYPESCRIPT_ONLY.includes(op) ? [ONCE] : DOORS)
const ONCE: EngineDoor = { name: 'typescript', run: (ask) => ask() }

/** The systems with the families asked for; those with none are left out. */
function chosen({ families, releases }: Options): System[] {
  const wanted = (name: string) => families.length === 0 || families.includes(name)
  return systems(releases)
    .map((system) => ({
      ...system,
      families: Object.fromEntries(Object.entries(system.families).filter(([name]) => wanted(name))),
    }))
    .filter((system) => Object.keys(system.families).length > 0)
}

async function askOne(system: System, options: Options, total: Total): Promise<void> {
  const missing = system.judge.missing()
  if (missing !== undefined) {
    console.log(`${system.name} as ${system.release}: skipped, for want of ${missing}`)
    return addSkipped(total, options.count)
  }
  const progress = progressOf(`${system.name} as ${system.release}`, options.count)
  try {
    const round = await askSystem(system, { ...options, doors: doorsOf, product, progress: progress.at })
    progress.done()
    for (const [family, tally] of round.tallies) console.log(tallyText(family, system.release, tally))
    for (const failure of round.failures) console.log(failureText(failure))
    addRound(total, round)
  } catch (error) {
    progress.done()
    console.log(`${system.name} as ${system.release}: FAILED, the judge gave no answer: ${(error as Error).message}`)
    total.failed += 1
  }
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return console.log(USAGE)
  try {
    const known = systems(PULSAR_VERSIONS).flatMap((system) => Object.keys(system.families))
    process.exitCode = await run(readOptions(args, [...new Set(known)]))
  } catch (error) {
    if (!isCodedError(error)) throw error
    console.error(`${error.code}: ${error.message}\n\n${USAGE}`)
    process.exitCode = 2
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
