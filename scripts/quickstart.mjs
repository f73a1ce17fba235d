#!/usr/bin/env node
/**
 * `npm run quickstart [-- FILE] [options]`: sets everything up and places a million topics and a million keys. The TypeScript
 * engine answers as soon as it compiles; where Rust is there, the addon is built and answers the same question.
 *
 * The answer is worked out in a process of its own for each engine, which reports its steps here: so the clock on the
 * terminal moves while that process is busy.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { Refused, readOptions, USAGE } from './quickstart-options.mjs'
import { buildAddon, compile, compileFirst, HOW_TO_GET_RUST, hasRust, install, installCompiler } from './set-up.mjs'
import { CommandFailed, root, say, step } from './steps.mjs'

/** The steps of another process: begun and ended by its messages. */
function remoteStep() {
  let settle = {}
  let running = Promise.resolve()
  return {
    begin: (name) => {
      running = step(name, () => new Promise((resolve, reject) => (settle = { resolve, reject })))
      running.catch(() => {})
    },
    end: () => {
      settle.resolve?.('')
      return running
    },
    /** Whatever was going on has failed. */
    fail: (error) => settle.reject?.(error),
  }
}

/** The answer of one engine, its steps and texts shown as they come. */
async function answer(engine, question) {
  const child = fork(join(root, 'build/examples/quickstart/main.js'), [JSON.stringify(question)], {
    env: { ...process.env, TOPIC_PLACEMENT_ENGINE: engine },
  })
  const { begin, end, fail } = remoteStep()
  let result = new CommandFailed(`the ${engine} engine gave no answer`)
  const on = {
    begin,
    end,
    text: (text) => question.json || console.log(text),
    refused: (message) => (result = new Refused(...message)),
    answer: (data) => (result = data),
  }
  let told = Promise.resolve()
  child.on('message', ([kind, content]) => (told = told.then(() => on[kind](content))))
  await new Promise((resolve) => child.on('close', resolve))
  await told
  if (!(result instanceof Error)) return result
  fail(result)
  throw result
}

async function main(options) {
  await step('install the compiler', installCompiler)
  await step('compile', compileFirst)
  const first = await answer('fallback', options)
  const answers = [first]
  if (hasRust()) {
    await step('install the development tools', install)
    await step('build the addon', buildAddon)
    await compile(() => {}, 'addon')
    answers.push(await answer('native', { ...options, against: first }))
  } else say(`\nNo Rust here, so the TypeScript engine answers alone;\n${HOW_TO_GET_RUST} and run this again.`)
  if (!options.json) return
  const { figures } = first
  console.log(JSON.stringify({ ...figures, engines: answers.map(({ engine }) => engine) }, null, 2))
}

/** npm runs scripts in the package's folder and tells where the user is; that of another script is none of ours. */
const folder = process.env.npm_lifecycle_event === 'quickstart' ? process.env.INIT_CWD : process.cwd()

try {
  const options = readOptions(process.argv.slice(2), folder ?? process.cwd())
  if (options.help) console.log(USAGE)
  else await main(options)
} catch (error) {
  if (error instanceof Refused) say(`quickstart: ${error.message}${error.usage ? `\n\n${USAGE}` : ''}`)
  else say(error instanceof CommandFailed ? error.message : String(error.stack))
  process.exitCode = error instanceof Refused ? 2 : 1
}
