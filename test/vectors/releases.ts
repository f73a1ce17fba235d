/**
 * The lines of `FAMILY.jsonl` that hold at an older release too.
 *
 * `FAMILY@R.jsonl` has only what release R answers otherwise; every other line of `FAMILY.jsonl` holds for R as well, but
 * for those it lists as `unanswered`. Where only items of a list differ, its line has just those items, and the others
 * hold. The differences stand in the order of the lines they belong to.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Request } from './answer.js'
import type { VectorFile, VectorLine } from './file.js'

/** Lines of the newest release's file that hold for `older`, without the items that differ there. */
export function linesThatHold(newest: VectorFile, older: VectorFile): VectorLine[] {
  const held = new Map(newest.lines.map((line) => [line.line, line]))
  for (const line of older.unanswered) held.delete(line)
  let from = 0
  for (const difference of older.lines) {
    const found = newest.lines.findIndex((line, i) => i >= from && isPartOf(difference.request, line.request))
    if (found === -1) continue
    from = found + 1
    const rest = withoutItems(newest.lines[found]!, difference.request)
    if (rest === undefined) held.delete(newest.lines[found]!.line)
    else held.set(rest.line, rest)
  }
  return [...held.values()]
}

/** True if `part` is the whole request, or lacks nothing of it but items of one list. */
function isPartOf(part: Request, whole: Request): boolean {
  const fields = unequalFields(part, whole)
  if (fields.length === 0) return true
  return fields.length === 1 && isSubsequence(part[fields[0]!], whole[fields[0]!])
}

function unequalFields(a: Request, b: Request): string[] {
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return fields.filter((field) => !isDeepStrictEqual(a[field], b[field]))
}

function isSubsequence(part: unknown, whole: unknown): boolean {
  if (!Array.isArray(part) || !Array.isArray(whole)) return false
  let taken = 0
  for (const item of whole) if (taken < part.length && isDeepStrictEqual(item, part[taken])) taken += 1
  return taken === part.length
}

/** The line without the items of `difference`, or `undefined` where the whole line differs. */
function withoutItems(line: VectorLine, difference: Request): VectorLine | undefined {
  const [field] = unequalFields(line.request, difference)
  if (field === undefined || !('ok' in line.expected)) return undefined
  const items = line.request[field] as readonly unknown[]
  const answers = line.expected.ok as readonly unknown[]
  const other = new Set((difference[field] as readonly unknown[]).map((item) => JSON.stringify(item)))
  const kept = items.map((_, i) => i).filter((i) => !other.has(JSON.stringify(items[i])))
  const request = { ...line.request, [field]: kept.map((i) => items[i]) }
  return { ...line, request, expected: { ok: kept.map((i) => answers[i]) } }
}
