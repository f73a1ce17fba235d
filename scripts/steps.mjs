/**
 * Steps of a long command: each shows that it lives, and how it ended. Plain node: modules, for this
 * runs before anything is installed.
 */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const started = performance.now()
const tty = process.stderr.isTTY === true

/** Between two signs of life, in ms: on a terminal the clock moves; in a log short steps have their closing line alone. */
const HEARTBEATS = tty ? [0, 120] : [2_000, 15_000]

/** A line on standard error. */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

function clock() {
  const seconds = (performance.now() - started) / 1000
  return `${seconds.toFixed(1).padStart(6)} s`
}

function clear() {
  if (tty) process.stderr.write('\r\x1b[K')
}

/**
 * Runs `work` as a step: signs of life while it goes on, a line with its time when it ends.
 * `work` gets a function that shows what is being done, and gives a note for the closing line.
 */
export async function step(name, work) {
  const began = performance.now()
  const took = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
  let doing = ''
  const show = () => {
    const line = `${clock()}  … ${name}${doing === '' ? '' : `: ${doing}`}`
    if (tty) process.stderr.write(`\r\x1b[K${line.slice(0, (process.stderr.columns || 100) - 1)}`)
    else say(line.slice(0, 100))
  }
  const [first, next] = HEARTBEATS
  let beat = setTimeout(() => {
    show()
    beat = setInterval(show, next)
  }, first)
  try {
    const note = await work((what) => {
      doing = what
    })
    clear()
    say(`${clock()}  ✓ ${name} (${took()})${note ? `: ${note}` : ''}`)
  } catch (error) {
    clear()
    say(`${clock()}  ✗ ${name} (${took()})`)
    throw error
  } finally {
    clearTimeout(beat)
  }
}

/** A command that ended badly; its output is the message. */
export class CommandFailed extends Error {}

/** Runs a command quietly, its last line shown as progress. Gives its output; throws it when the command fails. */
export function run(command, args, { show = () => {}, env = {}, cwd = root, mayFail = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const take = (text) => {
      output += text
      const last = text.trim().split('\n').at(-1).trim()
      if (last !== '') show(last)
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0 || mayFail) resolve({ output, code })
      else reject(new CommandFailed(`${command} ${args.join(' ')} ended with ${code ?? signal}:\n${output}`))
    })
  })
}
