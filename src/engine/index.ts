/**
 * The choice of the engine: native where the addon loads, else the fallback; `TOPIC_PLACEMENT_ENGINE=native|fallback`
 * forces one. Chosen at the first question, so that importing the library never throws.
 */
import { codedError, shown } from '../errors.js'
import type { CpuArm, Engine } from './contract.js'
import { fallbackEngine } from './fallback.js'
// An import and no `require`: bundlers see the one, and would leave the other to fail where they put their bundle.
import loaded from './load.cjs'
import { nativeEngine } from './native.js'

type EngineName = Engine['name']

let chosen: Engine | undefined

/** The engine that answers. */
export function engine(): Engine {
  chosen ??= choose(process.env['TOPIC_PLACEMENT_ENGINE'])
  return chosen
}

/** Which engines can be had in this process: `fallback` always, `native` where the addon loads. */
export function availableEngines(): readonly EngineName[] {
  return loaded.binding === null ? ['fallback'] : ['native', 'fallback']
}

/** For tests and benches: takes this engine from now on, or with `null` chooses anew. No part of the public API. */
export function useEngine(name: EngineName | null): void {
  chosen = name === null ? undefined : choose(name)
}

function choose(forced: string | undefined): Engine {
  if (forced !== undefined && forced !== 'native' && forced !== 'fallback') {
    throw codedError(
      'ERR_PLACEMENT_ENGINE',
      `TOPIC_PLACEMENT_ENGINE: expected native or fallback, got ${shown(forced)}`,
    )
  }
  if (forced === 'fallback') return fallbackEngine('TOPIC_PLACEMENT_ENGINE=fallback')
  if (loaded.binding !== null) return nativeEngine(loaded.binding, forced === undefined ? 'the addon loaded' : 'forced')
  const reason = `no addon: ${reasonsOf(loaded.error)}`
  if (forced === undefined) return fallbackEngine(reason)
  throw codedError(
    'ERR_PLACEMENT_ENGINE',
    `TOPIC_PLACEMENT_ENGINE=native, but there is ${reason}; build it with "npm run build:native" or unset the variable`,
    { cause: loaded.error },
  )
}

/**
 * The loader's own text blames npm; what really happened stands in the chain of causes. Its try at a WebAssembly build, of
 * which there is none, tells nobody anything.
 */
function reasonsOf(error: Error | null): string {
  const reasons: string[] = []
  for (let at: unknown = error?.cause ?? error; at instanceof Error; at = at.cause) {
    const line = at.message.split('\n')[0]!
    if (!reasons.includes(line) && !line.includes('wasi')) reasons.push(line)
  }
  return reasons.join('; ')
}

/** What answers in this process, readable: `engine.name`, `engine.reason`, `engine.cpu`. */
export const engineInfo = {
  /** `native` or `fallback`. */
  get name(): EngineName {
    return engine().name
  },
  /** Why this one, in a line. */
  get reason(): string {
    return engine().reason
  },
  /** The processor arm in use; `javascript` for the fallback. */
  get cpu(): CpuArm {
    return engine().cpu
  },
}
