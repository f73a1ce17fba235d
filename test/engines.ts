/** The engines that this process can have, each put to work for the length of one question. For every test that runs on both. */
import { availableEngines, engineInfo, useEngine } from '../src/engine/index.js'
import type { EngineDoor } from './vectors/replay.js'

type EngineName = ReturnType<typeof availableEngines>[number]

/** All engines there are: `native` first, where the addon loads. */
export const ENGINES: readonly EngineName[] = availableEngines()

/** Asks on one engine, and lets the process choose anew afterwards. `ask` must be done when it returns. */
export function onEngine<T>(name: EngineName, ask: () => T): T {
  useEngine(name)
  try {
    return ask()
  } finally {
    useEngine(null)
  }
}

/** The same for a question that takes a while; no other test may run beside it. */
export async function onEngineAsync<T>(name: EngineName, ask: () => Promise<T>): Promise<T> {
  useEngine(name)
  try {
    return await ask()
  } finally {
    useEngine(null)
  }
}

/** The engines as the replay of vectors takes them. */
export const DOORS: readonly EngineDoor[] = ENGINES.map((name) => ({ name, run: (ask) => onEngine(name, ask) }))

/** One line where an engine is missing, or `null`. */
export function missingEngine(): string | null {
  return ENGINES.includes('native')
    ? null
    : `native engine: not here, so only fallback is counted (${engineInfo.reason})`
}
