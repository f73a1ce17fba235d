/** A row of the performance table: what it measures, and what it found. */
import type { Effort, Race } from './race.js'

/** One line of a row: the same work on one corpus. */
export interface CaseResult {
  readonly case: string
  /** What a figure is of: `key`, `hash`, `call`. */
  readonly unit: string
  readonly items: number
  readonly race?: Race
  /** Figures that are no race: percentiles, counts. */
  readonly figures?: Readonly<Record<string, number>>
  /** Why there is nothing: what is missing on this machine. */
  readonly skipped?: string
}

export interface Row {
  readonly name: string
  readonly work: string
  /** The ratio that issue 5 asks for, in words. */
  readonly goal: string
  readonly run: (effort: Effort) => CaseResult[] | Promise<CaseResult[]>
}
