/** The results for people: a block a row, a line a contestant. */
import type { PeerTiming, Quartiles, Timing } from './race.js'
import type { CaseResult, Row } from './row.js'

const NAME_WIDTH = 34

/** The lines of one row. */
export function rowText({ name, work, goal }: Row, cases: readonly CaseResult[]): string {
  const head = [`row ${name}: ${work}`, `  goal: ${goal}`]
  return [...head, ...cases.flatMap(caseLines), ''].join('\n')
}

function caseLines({ case: title, unit, items, race, figures, skipped }: CaseResult): string[] {
  if (skipped !== undefined) return [`  ${title}: skipped, ${skipped}`]
  const head = `  ${title} (${items.toLocaleString('en')} ${PLURALS[unit] ?? `${unit}s`}, ns a ${unit})`
  if (figures !== undefined) return [head, ...figureLines(figures)]
  const { ours, peers } = race!
  if (ours.rounds === undefined) return peers.map((peer) => briefLine(title, ours, peer))
  return [head, timingLine(ours), ...peers.map(peerLine)]
}

const PLURALS: Readonly<Record<string, string>> = { hash: 'hashes' }

/** A case of the Rust bench, which tells the best of all rounds alone. */
function briefLine(title: string, ours: Timing, peer: PeerTiming): string {
  const theirs = `${peer.name} ${figure(peer.best)}`
  return `  ${title.padEnd(NAME_WIDTH + 6)}${figure(ours.best).padStart(7)}  ${theirs.padEnd(26)}${figure(peer.ratio).padStart(6)} ×`
}

function timingLine({ name, best, rounds }: Timing): string {
  const spread = rounds === undefined ? '' : `  median ${figure(rounds[1])} (${range(rounds)})`
  return `    ${name.padEnd(NAME_WIDTH)}${figure(best).padStart(9)}${spread}`
}

function peerLine(peer: PeerTiming): string {
  const { ratio, ratioRounds } = peer
  const rounds = ratioRounds === undefined ? '' : ` (${range(ratioRounds)})`
  return `${timingLine(peer).padEnd(84)}  ${figure(ratio)} ×${rounds}`
}

function range([q1, , q3]: Quartiles): string {
  return `${figure(q1)} to ${figure(q3)}`
}

function figureLines(figures: Readonly<Record<string, number>>): string[] {
  const cells = Object.entries(figures).map(([name, value]) => `${name} ${figure(value)}`)
  const lines: string[] = []
  for (const cell of cells) {
    const last = lines.length - 1
    if (last >= 0 && lines[last]!.length + cell.length < 96) lines[last] += ` · ${cell}`
    else lines.push(`    ${cell}`)
  }
  return lines
}

/** Three digits that mean something. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return 'never'
  if (Number.isInteger(value)) return value.toLocaleString('en')
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(value < 1 ? 2 : 3)
}
