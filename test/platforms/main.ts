/**
 * `node main.js [COMMAND…]`: both engines on another machine give the answers of the fallback here. COMMAND starts a Node.js
 * of that machine (`qemu-aarch64-static /path/to/node`); without it the Node.js at hand is asked.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

interface Answers {
  readonly engine: string
  readonly cpu: string
  readonly arch: string
  readonly digests: Readonly<Record<string, string>>
}

function ask(command: readonly string[], engine: string): Answers {
  const program = command[0]!
  const args = [...command.slice(1), fileURLToPath(new URL('./answers.js', import.meta.url))]
  const env = { ...process.env, TOPIC_PLACEMENT_ENGINE: engine }
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8' })
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stderr}`)
  return JSON.parse(stdout) as Answers
}

const command = process.argv.length > 2 ? process.argv.slice(2) : [process.execPath]
const expected = ask([process.execPath], 'fallback')
let [passed, failed] = [0, 0]
for (const engine of ['native', 'fallback']) {
  const { arch, cpu, digests } = ask(command, engine)
  for (const [question, digest] of Object.entries(expected.digests)) {
    if (digests[question] === digest) passed++
    else {
      failed++
      console.log(`${question}: ${engine} (${cpu}) on ${arch} differs from the fallback on ${expected.arch}`)
    }
  }
  console.log(`${engine} (${cpu}) on ${arch}: ${Object.keys(digests).length} questions of 10,000 keys each`)
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`)
process.exitCode = failed === 0 ? 0 : 1
