#!/usr/bin/env node
/**
 * `npm test`: sets up, builds and runs everything that a clone can check: lints, Rust tests, the ava suite on both engines,
 * the golden vectors, the packed tarball. Without Rust its part is skipped and said. The last line sums up.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildAddon, compile, HOW_TO_GET_RUST, hasRust, install, npm, removeAddon, tool } from './set-up.mjs'
import { CommandFailed, root, run, say, step } from './steps.mjs'

const total = { passed: 0, failed: 0, skipped: 0 }
const rust = hasRust()

/** Adds to the total and gives the note for the step's line. */
function count(counts) {
  for (const key of Object.keys(total)) total[key] += counts[key]
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
}

const one = { passed: 1, failed: 0, skipped: 0 }

/** A step whose failure is counted and shown; what follows runs all the same. */
async function check(name, work) {
  try {
    await step(name, async (show) => count((await work(show)) ?? one))
  } catch (error) {
    total.failed++
    say(error instanceof CommandFailed ? error.message : String(error.stack))
  }
}

async function rustOnly(name, work) {
  if (rust) return await check(name, work)
  total.skipped++
  say(`          - ${name}: skipped, no cargo`)
}

/** Sums the lines of all test binaries; that none ran is a failure, not a success. */
function cargoCounts(output) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const [, passed, failed, ignored] of output.matchAll(/(\d+) passed; (\d+) failed; (\d+) ignored/g)) {
    counts.passed += Number(passed)
    counts.failed += Number(failed)
    counts.skipped += Number(ignored)
  }
  if (counts.passed === 0) throw new CommandFailed(`cargo test found no test:\n${output}`)
  return counts
}

/** The figures that end a TAP report. */
function tapCounts(output) {
  const figure = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  return { passed: figure('pass'), failed: figure('fail'), skipped: figure('skip') }
}

/** What a TAP report tells of the tests that failed. */
function tapFailures(output) {
  return output
    .split(/^(?=(?:not )?ok \d+ )/m)
    .filter((test) => test.startsWith('not ok'))
    .join('')
}

/** The closing line of our own runners. */
function closingCounts(output) {
  const [, passed, failed, skipped] = /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(output) ?? []
  if (passed === undefined) throw new CommandFailed(`no closing line:\n${output}`)
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}

/** Counts what a suite ran to its end; what failed is shown. */
function counted({ output, code }, counts, failures = (text) => text) {
  const found = counts(output)
  if (code !== 0 && found.failed === 0) throw new CommandFailed(output)
  if (found.failed > 0) say(`\n${failures(output)}`)
  return found
}

/** A warning of publint or arethetypeswrong is a failure; both read the package as npm packs it. */
async function checkPackage(show) {
  const folder = join(root, 'build/package')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder], { show })
  const [tarball] = readdirSync(folder)
  await tool('publint', ['run', join(folder, tarball), '--strict'], { show })
  await tool('@arethetypeswrong/cli attw', [join(folder, tarball), '--profile', 'node16'], { show })
}

async function rustPart() {
  await rustOnly('lint Rust', async (show) => {
    const clippy = (...args) => run('cargo', ['clippy', ...args, '--', '-D', 'warnings'], { show })
    await run('cargo', ['fmt', '--all', '--check'], { show })
    // The binding has no tests, and its functions look unused to a test build.
    await clippy('--workspace', '--lib')
    await clippy('-p', 'topic-placement-core', '--all-targets')
  })
  await rustOnly('Rust tests', async (show) =>
    counted(await run('cargo', ['test', '--workspace'], { show, mayFail: true }), cargoCounts),
  )
  await rustOnly('build the addon', buildAddon)
}

async function main() {
  await step('install', install)
  await check('lint TypeScript', async (show) => {
    await tool('@biomejs/biome biome', ['ci', '--error-on-warnings', '.'], { show })
  })
  // The addon of an earlier build would hide that this machine cannot build one.
  removeAddon()
  if (!rust) say(`          - no Rust here: the TypeScript engine is tested alone; ${HOW_TO_GET_RUST}`)
  await rustPart()
  await step('compile', async (show) => {
    for (const what of ['published', 'examples', 'test']) await compile(show, what)
  })
  await check('the package for ESM, CommonJS and types', checkPackage)
  await check('ava', async (show) =>
    counted(await tool('ava', ['--tap'], { show, mayFail: true }), tapCounts, tapFailures),
  )
  const replay = join(root, 'build/test/test/vectors/main.js')
  await check('vectors', async (show) =>
    counted(await run(process.execPath, [replay], { show, mayFail: true }), closingCounts),
  )
}

try {
  await main()
} catch (error) {
  total.failed++
  say(error instanceof CommandFailed ? error.message : String(error.stack))
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed === 0 ? 0 : 1
