#!/usr/bin/env node
/** The program `topic-placement`: reads the command line, answers, and ends with the exit code that shared tools expect. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { engine } from '../index.js'
import { COMMANDS } from './commands.js'
import { errorText, exitCodeOf } from './exit.js'
import { readRequest } from './grammar.js'
import { helpOf } from './help.js'
import { type Destination, openOutput, ReaderClosed } from './output.js'
import { Session } from './session.js'

/** 128 and the number of the signal, as shells count. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

async function main(words: readonly string[]): Promise<number> {
  let destination: Destination | undefined
  onSignal(() => destination?.abandon())
  try {
    const request = readRequest(words, COMMANDS)
    destination = await openOutput(request.ask === 'answer' ? request.args.text('output') : undefined)
    let exitCode: 0 | 1 = 0
    if (request.ask === 'answer') {
      const session = new Session(request.args, destination)
      await request.command.run(session)
      exitCode = session.exitCode
    } else {
      const text = request.ask === 'help' ? helpOf(request.path, COMMANDS) : versionText()
      await destination.write(Buffer.from(text))
    }
    await destination.finish()
    return exitCode
  } catch (error) {
    destination?.abandon()
    if (error instanceof ReaderClosed) return 0
    process.stderr.write(errorText(error))
    return exitCodeOf(error)
  }
}

function onSignal(abandon: () => void): void {
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.once(signal, () => {
      abandon()
      process.exit(code)
    })
  }
}

function versionText(): string {
  return `topic-placement ${version()}, engine ${engine.name} (${engine.reason}), CPU arm ${engine.cpu}\n`
}

/** The version of the package that this file belongs to. */
function version(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')).version
  }
}

// Standard error may be a closed pipe too: that is no reason to fail.
process.stderr.on('error', () => {})
process.exit(await main(process.argv.slice(2)))
