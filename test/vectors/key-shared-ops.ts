/**
 * The ops of Key_Shared, put to the public API. Keys are selected one by one, as the broker does, and all at once by the
 * engine; where the two differ, both are shown, which equals no vector.
 */
import {
  KeySharedAutoSplit,
  KeySharedEntryBucket,
  KeySharedRing,
  type KeySharedSelector,
  KeySharedSticky,
} from '../../src/pulsar/index.js'
import type { PulsarVersion } from '../../src/types.js'
import { type Answer, answerOf, type Ops } from './answer.js'

type Range = readonly [number, number]

interface Setting {
  readonly selector: 'consistent-hashing' | 'auto-split' | 'exclusive' | 'entry-bucket'
  readonly points?: number
  readonly rangeMax?: number
  readonly rangeSize?: number
  readonly buckets?: readonly Range[]
}

type Step =
  | { readonly add: string; readonly id?: number; readonly ranges?: readonly Range[] }
  | { readonly remove: number }

interface Question extends Setting {
  readonly steps: readonly Step[]
  readonly keys?: readonly string[]
  readonly hashes?: readonly number[]
  readonly report?: 'final' | 'all' | 'none'
}

export const KEY_SHARED_OPS = {
  'sticky-key-hash': ({ keys, ...setting }: Setting & { keys: readonly string[] }, version: PulsarVersion) => {
    const { selector } = selectorOf(setting, version)
    return { hashes: keys.map((key) => selector.hashOf(key)) }
  },
  'key-shared': (question: Question, version: PulsarVersion) => {
    // These constructors came with 4.0; the older jars have no answer either.
    if (question.rangeMax !== undefined && (version === '2.10' || version === '3.0')) return undefined
    const { selector, add } = selectorOf(question, version)
    const last = question.steps.length - 1
    return {
      steps: question.steps.map((step, i) => {
        const answer = answerOf(() => ('add' in step ? add(step) : selector.leave(step.remove)))
        const wanted = question.report !== 'none' && (i === last || question.report === 'all')
        const refused = answer !== undefined && 'error' in answer ? answer : {}
        return { ...refused, selected: selected(selector, question), ...(wanted ? { ranges: rangesOf(selector) } : {}) }
      }),
    }
  },
} satisfies Ops

interface Joinable {
  readonly selector: KeySharedSelector
  readonly add: (consumer: Exclude<Step, { remove: number }>) => number
}

function selectorOf({ selector, points, rangeMax, rangeSize, buckets }: Setting, version: PulsarVersion): Joinable {
  if (selector === 'consistent-hashing') {
    const ring = new KeySharedRing({ points, rangeMax, version })
    return { selector: ring, add: ({ add }) => ring.join({ name: add }) }
  }
  if (selector === 'auto-split') {
    const split = new KeySharedAutoSplit({ rangeSize, version })
    return { selector: split, add: ({ add }) => split.join({ name: add }) }
  }
  if (selector === 'exclusive') {
    const sticky = new KeySharedSticky({ rangeSize, version })
    return { selector: sticky, add: ({ add, ranges }) => sticky.addConsumer({ name: add, ranges: ranges! }) }
  }
  const bucket = new KeySharedEntryBucket({ buckets: buckets!, version })
  return { selector: bucket, add: ({ add, id }) => bucket.join({ name: add, id }) }
}

function selected(selector: KeySharedSelector, { keys = [], hashes = [] }: Question): unknown[] {
  const bulk = selector.select(keys)
  const byKey = keys.map((key, i) => {
    const one = selector.select(key)
    return (one ?? -1) === bulk[i] ? one : { one, bulk: bulk[i] }
  })
  return [...byKey, ...hashes.map((hash) => selectedByHash(selector, hash))]
}

/** The consumer's number, `null`, or the class of what the broker throws. */
function selectedByHash(selector: KeySharedSelector, hash: number): unknown {
  const answer = answerOf(() => ({ consumer: selector.selectHash(hash) })) as Answer
  return 'error' in answer ? answer.error.type : (answer.ok as { consumer: number | null }).consumer
}

function rangesOf(selector: KeySharedSelector): Record<string, unknown> {
  return Object.fromEntries([...selector.ranges()].map(([consumer, ranges]) => [String(consumer), ranges]))
}
