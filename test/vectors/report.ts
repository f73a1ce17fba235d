/** What a replay of vectors prints: counts, differences and what was skipped, as lines for people. */
import { relative } from 'node:path'
import { ascii } from './compare.js'
import type { Failure, Replay } from './replay.js'

/** Longest request or value printed; the whole of it stands in the file that the first line names. */
const MOST_CHARACTERS = 400

/** One line a file: what it is and what came of it. */
export function countsOf(replay: Replay): string {
  const engines = [...replay.passed].map(([engine, count]) => `${count} passed on ${engine}`)
  const failed = replay.failures.length > 0 ? [`${replay.failures.length} FAILED`] : []
  const skipped = sum(replay.skipped.values())
  const counts = [...engines, ...failed, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(', ')
  const { system, release } = replay.file
  const original = system === 'kafka' ? 'Kafka' : 'Pulsar'
  return `${shownPath(replay.file.path)}  as ${original} ${release}: ${counts || 'this release answers nothing here'}`
}

/** One difference: where it stands, what was asked, expected and got. */
export function failureText({ vector, release, engine, at, expected, got }: Failure): string {
  const place = `${shownPath(vector.path)}:${vector.line}`
  return [
    '',
    `${place} on ${engine}, as ${release}${vector.name === undefined ? '' : `: ${vector.name}`}`,
    `  request   ${shownJson(vector.request)}`,
    `  at        ${at === '' ? 'the answer' : at}`,
    `  expected  ${shownJson(expected)}`,
    `  got       ${shownJson(got)}`,
  ].join('\n')
}

/** What the product does not answer, a line a family. */
export function skippedText(replays: readonly Replay[]): string[] {
  const families = replays.filter((replay) => replay.skipped.size > 0)
  return families.map(({ file, skipped }) => {
    const ops = [...skipped].map(([op, count]) => `${op} ${count}`).join(', ')
    return `skipped: ${file.system} ${file.family} as ${file.release}, not answered yet: ${ops}`
  })
}

/** The last line of every run. */
export function closingLine(replays: readonly Replay[]): string {
  const passed = sum(replays.flatMap((replay) => [...replay.passed.values()]))
  const failed = sum(replays.map((replay) => replay.failures.length))
  const skipped = sum(replays.flatMap((replay) => [...replay.skipped.values()]))
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

/** As seen from here; a path that leads out of this folder is shown whole. */
function shownPath(path: string): string {
  const below = relative(process.cwd(), path)
  return below.startsWith('..') ? path : below
}

function shownJson(value: unknown): string {
  const json = ascii(JSON.stringify(value) ?? 'nothing')
  return json.length <= MOST_CHARACTERS ? json : `${json.slice(0, MOST_CHARACTERS)}… (${json.length} characters)`
}

function sum(counts: Iterable<number>): number {
  let total = 0
  for (const count of counts) total += count
  return total
}
