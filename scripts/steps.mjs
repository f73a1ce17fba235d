/**
 * Steps of a long command: each says that it began, shows that it lives, and how it ended. Plain node: modules, for this
 * runs before anything is installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const started = performance.now()
const tty = process.stderr.isTTY === true

/** Silence that a reader of a log should not have to bear, in ms. */
const HEARTBEAT = 15_000

/** A line on standard error. */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

function clock() {
  const seconds = (performance.now() - started) / 1000
  return `${seconds.toFixed(1).padStart(6)} s`
}

/**
 * Runs `work` as a step: a line when it begins, a sign of life while it goes on, a line with its time when it ends.
 * `work` gets a function that shows what is being done, and gives a note for the closing line.
 */
export async function step(name, work) {
  const began = performance.now()
  let doing = ''
  let shown = began
  const line = () =>
    `${clock()}  … ${name}${doing === '' ? '' : `: ${doing}`}`.slice(0, (process.stderr.columns ?? 100) - 1)
  if (tty) process.stderr.write(line())
  else say(line())
  const beat = setInterval(
    () => {
      if (tty) process.stderr.write(`\r\x1b[K${line()}`)
      else if (performance.now() - shown > HEARTBEAT) {
        shown = performance.now()
        say(`${line()} (${Math.round((shown - began) / 1000)} s)`)
      }
    },
    tty ? 120 : 1000,
  )
  try {
    const note = await work((what) => {
      doing = what
    })
    clear()
    say(`${clock()}  ✓ ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)${note ? `: ${note}` : ''}`)
  } catch (error) {
    clear()
    say(`${clock()}  ✗ ${name}`)
    throw error
  } finally {
    clearInterval(beat)
  }
}

function clear() {
  if (tty) process.stderr.write('\r\x1b[K')
}

/** A command that ended badly; its output is the message. */
export class CommandFailed extends Error {}

/** Runs a command quietly, its last line shown as progress. Gives its output; throws it when the command fails. */
export function run(command, args, { show = () => {}, env = {}, cwd = root, mayFail = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const take = (data) => {
      output += data
      const last = String(data).trim().split('\n').at(-1).trim()
      if (last !== '') show(last)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0 || mayFail) resolve({ output, code })
      else reject(new CommandFailed(`${command} ${args.join(' ')} ended with ${code}:\n${output}`))
    })
  })
}

/** True where Rust's cargo can be started. */
export function hasRust() {
  return spawnSync('cargo', ['--version'], { stdio: 'ignore' }).status === 0
}

/** One line that says how to get Rust. */
export const HOW_TO_GET_RUST =
  'no Rust here, so the TypeScript engine answers; for the native one install rustup (or rustc and cargo 1.88 or newer) and run this again'

/** Installs the development dependencies as the lock file says, where that has not been done yet. */
export async function install(show) {
  const [lock, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((file) => join(root, file))
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return 'already there'
  await run('npm', ['ci', '--no-audit', '--no-fund'], { show })
  return 'npm ci'
}

/** Compiles to `dist`, or with `test` to `build/test`. */
export async function compile(show, ...what) {
  await run(process.execPath, [join(root, 'scripts/build.mjs'), ...what], { show })
}

/** Builds the addon into `src/binding`. */
export async function buildAddon(show) {
  await run('npm', ['run', 'build:native'], { show })
}
