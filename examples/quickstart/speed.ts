/** How fast an engine answers, and how it compares with another. */
import { engine } from 'topic-placement'
import { decimal } from './report.js'

/** The best of a few runs of one question. */
export interface Speed {
  readonly what: string
  readonly items: number
  readonly seconds: number
}

export interface EngineSpeed {
  readonly name: string
  readonly cpu: string
  readonly reason: string
  readonly node: string
  readonly speeds: readonly Speed[]
  /** Questions of so few items that no speed was measured. */
  readonly unmeasured: readonly string[]
}

/** A call with fewer items is over before the clock has moved enough. */
const FEWEST = 10_000

type Row = readonly [what: string, items: number, work: () => unknown]

/**
 * Each question of enough items once to warm up and three times to measure: the best is what the machine's other work
 * disturbed least.
 */
export function measure(rows: readonly Row[]): EngineSpeed {
  const enough = rows.filter(([, items]) => items >= FEWEST)
  const speeds = enough.map(([what, items, work]) => {
    work()
    return { what, items, seconds: Math.min(...[1, 2, 3].map(() => secondsOf(work))) }
  })
  const unmeasured = rows.filter(([, items]) => items < FEWEST).map(([what]) => what)
  const { name, cpu, reason } = engine
  return { name, cpu, reason, node: process.versions.node, speeds, unmeasured }
}

function secondsOf(work: () => unknown): number {
  const began = performance.now()
  work()
  return (performance.now() - began) / 1000
}

/** An engine as people know it, and the arm it runs on. */
function title({ name, cpu }: EngineSpeed): string {
  return name === 'native' ? `Rust addon, ${cpu}` : 'TypeScript'
}

/** Items a second by one engine. */
export function speedReport(measured: EngineSpeed): string {
  const rows = measured.speeds.map((speed) => `  ${speed.what.padEnd(36)}${rate(speed).padStart(18)}${each(speed)}`)
  const few = measured.unmeasured.map((what) => `  ${what.padEnd(36)}${'too few to measure'.padStart(18)}`)
  return [`Engine: ${measured.name} (${title(measured)}), Node.js ${measured.node}`, ...rows, ...few].join('\n')
}

/** Items a second by two engines, and how many times faster the second is. */
export function ratioReport(first: EngineSpeed, second: EngineSpeed): string {
  const names = [first, second].map(({ name }) => name.padStart(18)).join('')
  const rows = second.speeds.map((speed, i) => ratioRow(first.speeds[i]!, speed))
  return [
    `\nEngines: ${[first, second].map((one) => `${one.name} (${title(one)})`).join(' and ')} give the same answers`,
    `  ${''.padEnd(36)}${names}${'ratio'.padStart(10)}`,
    ...rows,
  ].join('\n')
}

function ratioRow(first: Speed, second: Speed): string {
  const ratio = `${(first.seconds / second.seconds).toFixed(1)} ×`
  return `  ${second.what.padEnd(36)}${rate(first).padStart(18)}${rate(second).padStart(18)}${ratio.padStart(10)}`
}

function rate({ items, seconds }: Speed): string {
  return `${decimal(items / seconds / 1e6)} million/s`
}

function each({ items, seconds }: Speed): string {
  return `${Math.round((seconds / items) * 1e9).toLocaleString('en-US')} ns each`.padStart(18)
}
