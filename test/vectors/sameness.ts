/** Where an answer differs from the expected one, beside what makes no difference to whoever is answered. */
import type { Answer } from './answer.js'
import { type Difference, type Expected, firstDifference } from './compare.js'
import { withoutNothing } from './kafka-server-ops.js'

/** What of an `ok` counts, by op. */
const WHAT_COUNTS: Readonly<Record<string, (ok: unknown) => unknown>> = { serverAssign: withoutNothing }

/** The first difference between two answers to `op`, or `undefined` where there is none. */
export function differenceOf(op: string, expected: Expected, got: Answer): Difference | undefined {
  const counts = Object.hasOwn(WHAT_COUNTS, op) ? WHAT_COUNTS[op] : undefined
  if (counts === undefined || !('ok' in expected) || !('ok' in got)) return firstDifference(expected, got)
  return firstDifference({ ok: counts(expected.ok) }, { ok: counts(got.ok) })
}
