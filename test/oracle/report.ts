/** What a run of the oracle prints: counts by family, differences, and the closing line. */
import { ascii } from '../vectors/compare.js'
import type { Failure, Round, Tally } from './round.js'

export interface Total {
  passed: number
  failed: number
  skipped: number
}

/** Longest request or value printed: of a list, the item that differs is printed apart. */
const MOST_CHARACTERS = 400

export function addRound(total: Total, round: Round): void {
  for (const tally of round.tallies.values()) {
    for (const passed of tally.passed.values()) total.passed += passed
    total.failed += tally.failed
    total.skipped += tally.skipped
  }
}

export function addSkipped(total: Total, questions: number): void {
  total.skipped += questions
}

export function closingLine({ passed, failed, skipped }: Total): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

/** One line a family: what was asked and what came of it. */
export function tallyText(family: string, release: string, tally: Tally): string {
  const engines = [...tally.passed].map(([engine, count]) => `${count} passed on ${engine}`)
  const failed = tally.failed > 0 ? [`${tally.failed} FAILED`] : []
  const ops = [...tally.unanswered].map(([op, count]) => `${op} ${count}`).join(', ')
  const skipped = tally.skipped > 0 ? [`${tally.skipped} skipped, no answer to: ${ops}`] : []
  return `${family} as ${release}: ${tally.asked} questions, ${[...engines, ...failed, ...skipped].join(', ')}`
}

/** One difference: what was asked, which item of it, expected and got. */
export function failureText({ family, release, engine, request, item, at, expected, got }: Failure): string {
  return [
    '',
    `${family} on ${engine}, as ${release}`,
    `  request   ${shown(item < 0 ? request : onlyItem(request, item))}`,
    `  at        ${at === '' ? 'the answer' : at}${item < 0 ? '' : ` of item ${item}`}`,
    `  expected  ${shown(expected)}`,
    `  got       ${shown(got)}`,
  ].join('\n')
}

/** The request with the one item of its longest list: as it stands, it can be asked again. */
function onlyItem(request: Failure['request'], item: number): object {
  const lists = Object.entries(request).filter(([, value]) => Array.isArray(value) && value.length > item)
  const [field] = lists.sort(([, a], [, b]) => (b as unknown[]).length - (a as unknown[]).length)[0] ?? []
  return field === undefined ? request : { ...request, [field]: [(request[field] as unknown[])[item]] }
}

function shown(value: unknown): string {
  const json = ascii(JSON.stringify(value) ?? 'nothing')
  return json.length <= MOST_CHARACTERS ? json : `${json.slice(0, MOST_CHARACTERS)}… (${json.length} characters)`
}
