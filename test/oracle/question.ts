/** What the oracle's families are made of. */
import type { Request } from '../vectors/answer.js'
import type { Chance } from './chance.js'

/** A request that is one question, or a list of `items` questions whose answers come item by item. */
export interface Question {
  readonly request: Request
  readonly items: number
}

/** Draws questions of one family, as release `release` of the judge's system understands them. */
export type Draw = (chance: Chance, release: string) => Question

/** The question of a request that takes the list `field`. */
export function listOf(request: Request, field: string): Question {
  return { request, items: (request[field] as readonly unknown[]).length }
}

/** The question of a request whose answer is one whole. */
export const whole = (request: Request): Question => ({ request, items: 1 })
