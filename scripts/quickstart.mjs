#!/usr/bin/env node
/**
 * `npm run quickstart [-- FILE] [options]`: sets everything up and places a million topics and a million keys. The TypeScript
 * engine answers as soon as it compiles; where Rust is there, the addon is built and answers the same question.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { buildAddon, CommandFailed, compile, HOW_TO_GET_RUST, hasRust, install, root, say, step } from './steps.mjs'

const USAGE = `usage: npm run quickstart -- [FILE] [options]

Places topics into Pulsar bundles and record keys into Kafka partitions, and shows how even that is.

  FILE             topic names, one a line (default: a million names made from the seed)
  --bundles N      bundles of each namespace (default: 32, as Pulsar 5.0)
  --brokers N      brokers that share the bundles (default: 16)
  --partitions N   partitions of the Kafka topic (default: 48)
  --topics N       names to make (default: 1000000)
  --keys N         record keys to make (default: 1000000)
  --seed N         another sample (default: 42)
  --json           one JSON document instead of text`

/** Answers with one engine in a process of its own; what it sends is the answer as data. */
function answer(engine, args) {
  return new Promise((resolve, reject) => {
    const child = fork(join(root, 'build/examples/quickstart/main.js'), args, {
      cwd: process.env.INIT_CWD ?? process.cwd(),
      env: { ...process.env, TOPIC_PLACEMENT_ENGINE: engine },
    })
    let sent
    child.on('message', (message) => {
      sent = message
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 && sent ? resolve(sent) : reject(Object.assign(new Error(), { code }))))
  })
}

function ratioLines(fallback, native) {
  return native.speeds.map(({ what, seconds }, i) => `  ${what.padEnd(42)}${(fallback.speeds[i].seconds / seconds).toFixed(1).padStart(9)} ×`)
}

async function main(args) {
  await step('install', install)
  await step('compile', async (show) => {
    await compile(show)
    await compile(show, 'examples')
  })
  const first = await answer('fallback', args)
  const { engine: fallback, digest, ...figures } = first
  const engines = [fallback]
  if (hasRust()) {
    await step('build the addon', buildAddon)
    await step('copy it', (show) => compile(show, 'addon'))
    const second = await answer('native', [...args, '--compare'])
    if (second.digest !== digest) throw new CommandFailed('the two engines differ: please report it')
    engines.push(second.engine)
    if (!args.includes('--json')) {
      console.log(['The same answers; native against fallback:', ...ratioLines(fallback, second.engine)].join('\n'))
    }
  } else say(HOW_TO_GET_RUST)
  if (args.includes('--json')) console.log(JSON.stringify({ ...figures, engines }, null, 2))
}

const args = process.argv.slice(2)
if (args.includes('--help') || args.includes('-h')) {
  console.log(USAGE)
} else {
  try {
    await main(args)
  } catch (error) {
    if (error.message) say(error.message)
    process.exitCode = error.code === 2 ? 2 : 1
  }
}
