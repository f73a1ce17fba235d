#!/usr/bin/env node
/**
 * `npm test`: sets up, builds and runs everything that a clone can check: lints, Rust tests, the ava suite on both engines,
 * the golden vectors, the packed tarball. Without Rust its part is skipped and said. The last line sums up.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildAddon,
  CommandFailed,
  compile,
  HOW_TO_GET_RUST,
  hasRust,
  install,
  root,
  run,
  say,
  step,
} from './steps.mjs'

const total = { passed: 0, failed: 0, skipped: 0 }
const rust = hasRust()

/** Adds to the total and gives the note for the step's line. */
function count(counts) {
  for (const key of Object.keys(total)) total[key] += counts[key]
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
}

/** A check that passes or fails as a whole. */
async function check(name, work) {
  await step(name, async (show) => {
    await work(show)
    return count({ passed: 1, failed: 0, skipped: 0 })
  })
}

async function rustOnly(name, work) {
  if (rust) return await step(name, work)
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

/** The closing line of our own runners. */
function closingCounts(output) {
  const [, passed, failed, skipped] = /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(output) ?? []
  if (passed === undefined) throw new CommandFailed(`no closing line:\n${output}`)
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}

/** Runs a suite to its end even when tests fail: they are counted and their output is shown. */
async function suite(command, args, counts, show) {
  const { output, code } = await run(command, args, { show, mayFail: true })
  const found = counts(output)
  if (code !== 0 && found.failed === 0) throw new CommandFailed(output)
  if (found.failed > 0) say(`\n${output}`)
  return count(found)
}

/** The addon of an earlier build would hide that this machine cannot build one. */
function removeAddon() {
  for (const file of readdirSync(join(root, 'src/binding'))) {
    if (file.endsWith('.node')) rmSync(join(root, 'src/binding', file))
  }
}

async function main() {
  await step('install', install)
  await check('lint TypeScript', (show) => run('npx', ['biome', 'ci', '--error-on-warnings', '.'], { show }))
  if (!rust) {
    say(`          - ${HOW_TO_GET_RUST}`)
    removeAddon()
  }
  const clippy = (show, ...args) => run('cargo', ['clippy', ...args, '--', '-D', 'warnings'], { show })
  await rustOnly('lint Rust', async (show) => {
    await run('cargo', ['fmt', '--all', '--check'], { show })
    // The binding has no tests, and its functions look unused to a test build.
    await clippy(show, '--workspace', '--lib')
    await clippy(show, '-p', 'topic-placement-core', '--all-targets')
    return count({ passed: 1, failed: 0, skipped: 0 })
  })
  await rustOnly('Rust tests', (show) => suite('cargo', ['test', '--workspace', '--release'], cargoCounts, show))
  await rustOnly('build the addon', buildAddon)
  await check('compile', async (show) => {
    await compile(show)
    await compile(show, 'test')
  })
  await step('ava', (show) => suite('npx', ['ava', '--tap'], tapCounts, show))
  await step('vectors', (show) => suite(process.execPath, ['build/test/test/vectors/main.js'], closingCounts, show))
}

try {
  await main()
} catch (error) {
  total.failed++
  say(error instanceof CommandFailed ? error.message : String(error.stack))
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed === 0 ? 0 : 1
