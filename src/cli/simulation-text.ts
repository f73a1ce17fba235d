/** A run of a load manager for people: what came of it, a bar of load for each broker, and a line a step in which something moves. */
import type { pulsar } from '../index.js'
import { totalsOf } from '../pulsar/simulation/totals.js'
import { counted, moreLine, WORST } from './group-table.js'
import { cut } from './partition-ranges.js'
import { grouped } from './progress.js'

type Simulation = pulsar.LoadSimulation

/** Most columns of a line. */
const WIDTH = 100
/** Columns of the bar of a broker at 100 percent. */
const BAR = 40
/** Moves that a step shows without `--all`. */
const MOVES = 3

export function simulationText(answer: Simulation, all: boolean): string {
  const lines = [
    ...headOf(answer),
    '',
    ...brokerLines(answer, all),
    ...stepLines(answer, all),
    ...bouncingLines(answer, all),
  ]
  return `${lines.map((line) => (all ? line : cut(line, WIDTH))).join('\n')}\n`
}

function headOf(answer: Simulation): string[] {
  const { brokers, bundles, steps, thrash, settings } = answer
  const minutes = settings.loadBalancerSheddingIntervalMinutes
  const size = `${counted(brokers.length, 'broker')}, ${counted(bundles.length, 'bundle')}`
  const { moves, unloads, rounds } = totalsOf(answer)
  return [
    `${size}, ${counted(steps, 'step')} of ${counted(minutes, 'minute')}`,
    `${counted(moves, 'move')}, ${grouped(unloads)} of them unloads of the leader in ${counted(rounds, 'step')}; ${quietText(answer)}`,
    ...(thrash === null ? [] : thrashLines(thrash).flatMap((line) => wrapped(line, '    '))),
  ]
}

function quietText({ quietFrom, isSettled, thrash, steps }: Simulation): string {
  if (thrash !== null) return 'never quiet'
  if (quietFrom === null) return `not quiet after step ${steps}: give it more --steps`
  if (quietFrom === 1) return 'quiet from the beginning'
  return `quiet from step ${quietFrom}${isSettled ? '' : ', too short a time to be sure: give it more --steps'}`
}

function thrashLines({ kind, message, causes }: pulsar.Thrash): string[] {
  const told = causes.map(({ setting, value, moves, message: what }) => {
    return `  ${setting}=${shownValue(value)} (${counted(moves, 'move')}): ${what}`
  })
  return [`thrash, ${kind}: ${message}`, ...told]
}

/** A class by the end of its name, as everywhere else. */
const shownValue = (value: unknown): string => String(value).replace(/^org\.apache\.pulsar\.[\w.]*\./, '')

/** Lines of the width, broken at blanks. */
function wrapped(text: string, indent: string): string[] {
  if (text.length <= WIDTH) return [text]
  const at = text.lastIndexOf(' ', WIDTH)
  if (at <= indent.length) return [text]
  return [text.slice(0, at), ...wrapped(indent + text.slice(at + 1), indent)]
}

function brokerLines(answer: Simulation, all: boolean): string[] {
  const { brokers, steps } = answer
  const [first, last] = [answer.usageAt(1), answer.usageAt(steps)]
  const there = [...brokers.keys()].filter((i) => !Number.isNaN(last[i]!) || !Number.isNaN(first[i]!))
  const order = there.sort((a, b) => (last[b] || 0) - (last[a] || 0) || a - b)
  const shown = all ? order : order.slice(0, WORST)
  const width = Math.max(6, ...shown.map((i) => brokers[i]!.length))
  const counts = new Map<string | null, number>()
  for (const owner of answer.ownersAt(steps).values()) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  const rows = shown.map((i) => {
    const count = String(counts.get(brokers[i]!) ?? 0).padStart(7)
    return `${brokers[i]!.padEnd(width)} ${percent(first[i]!)} ${percent(last[i]!)} ${count}  ${barOf(last[i]!)}`.trimEnd()
  })
  const title = `${'broker'.padEnd(width)}  step 1 ${`step ${steps}`.padStart(7)} bundles  load at the end, in percent`
  return [title, ...rows, ...moreLine(order.length - shown.length), '']
}

const percent = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(1)).padStart(7)

const barOf = (value: number): string => '#'.repeat(Math.round((Math.min(100, value || 0) * BAR) / 100))

function stepLines(answer: Simulation, all: boolean): string[] {
  const steps = [...new Set(answer.moves.step)]
  if (steps.length === 0) return ['nothing moves']
  const shown = all ? steps : steps.slice(0, WORST)
  const lines = shown.flatMap((step) => {
    const moves = answer.movesAt(step)
    return [stepLine(answer, step, moves.length), ...moveLines(moves, all)]
  })
  const more = steps.length - shown.length
  return [...lines, ...(more > 0 ? [`${grouped(more)} more steps with moves: --all, or --json`] : [])]
}

function stepLine({ loads, unloads }: Simulation, step: number, moves: number): string {
  const load = `max ${loads.max[step - 1]!.toFixed(1)} %, mean ${loads.mean[step - 1]!.toFixed(1)} %`
  return `step ${step}: ${counted(moves, 'move')}, ${counted(unloads[step - 1]!, 'unload')}; before it ${load}`
}

function moveLines(moves: readonly pulsar.LoadMove[], all: boolean): string[] {
  const shown = all ? moves : moves.slice(0, MOVES)
  const lines = shown.flatMap(({ bundle, from, to, reason }, i) => {
    const isSaid = shown[i - 1]?.reason === reason
    return [`  ${bundle} ${from ?? '-'} → ${to ?? 'nowhere'}`, ...(isSaid ? [] : [`    ${reason}`])]
  })
  return [...lines, ...(moves.length > shown.length ? [`  ${grouped(moves.length - shown.length)} more`] : [])]
}

function bouncingLines({ bouncing }: Simulation, all: boolean): string[] {
  if (bouncing.length === 0) return []
  const shown = all ? bouncing : bouncing.slice(0, WORST)
  const lines = shown.map(
    ({ bundle, times, brokers }) => `  ${bundle} ${counted(times, 'time')}: ${brokers.join(', ')}`,
  )
  return [
    '',
    `${counted(bouncing.length, 'bundle')} came back to a broker that had shed it:`,
    ...lines,
    ...moreLine(bouncing.length - shown.length),
  ]
}
