/** The addon itself, for races of its arms and of one native call. */

import type { Engine } from '../../src/engine/contract.js'
import { nativeEngine } from '../../src/engine/native.js'

import loaded = require('../../src/engine/load.cjs')

/** The native engine whatever answers in this process, or `null` where there is no addon. */
export function native(): Engine | null {
  return loaded.binding === null ? null : nativeEngine(loaded.binding, 'a bench')
}

/** The name of the plain arm, or `null` where there is no addon. */
export function scalarArm(): string | null {
  return loaded.binding === null ? null : 'scalar'
}

/** The same question on another arm; the arm before comes back after each call. About 1 µs a call. */
export function onArm<T>(arm: string, ask: () => T): () => T {
  const binding = loaded.binding!
  const best = binding.availableArms()[0]!
  return () => {
    binding.useArm(arm)
    try {
      return ask()
    } finally {
      binding.useArm(best)
    }
  }
}
