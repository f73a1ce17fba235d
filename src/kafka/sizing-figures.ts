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
