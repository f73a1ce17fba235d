/** Figures: a number with its unit and its formula, and with a limit where there is one. */
import type { SizingLimit } from './sizing-limits.js'
import type { Figure } from './sizing-types.js'

/** @param formula with the numbers put in */
export function figure(quantity: string, value: number, unit: string, formula: string): Figure {
  return { quantity, value, unit, formula }
}

/** A number in a formula: three decimals at most. */
export const numberText = (value: number): string => String(Math.round(value * 1000) / 1000)

export function withLimit(figure: Figure, { limit, source }: SizingLimit): Figure {
  return { ...figure, limit, source, isWithin: figure.value <= limit }
}

/** What floating point may add to an integer, or take off it: of small ones this, of large ones a part of them. */
const EPSILON = 1e-9
const RELATIVE = 1e-13

/** The next integer, or the one that floating point has missed. */
export function roundedUp(value: number): number {
  const nearest = Math.round(value)
  return Math.abs(value - nearest) <= Math.max(EPSILON, value * RELATIVE) ? nearest : Math.ceil(value)
}
