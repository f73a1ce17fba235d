/**
 * What an answer looks like, and how a table of ops is asked for one.
 *
 * For the vectors' runner and the oracle. Both speak the oracle's form: `{ ok }`, or `{ error: { type, message } }` with
 * the class of Java's exception and its text.
 */
import { isCodedError } from '../../src/errors.js'

/** Java's exception; `message` is `null` where it has no text, or none that is a contract. */
export interface Refusal {
  readonly type: string
  readonly message: string | null
}

export type Answer = { readonly ok: unknown } | { readonly error: Refusal }

/** A request in the oracle's form: an op and what it takes. */
export type Request = Readonly<Record<string, unknown>> & { readonly op: string }

/**
 * Ops by name: each gives the `ok` of its request, throws our coded error, or gives `undefined` for what the product does
 * not answer. `never` lets each op name the fields it takes.
 */
export type Ops = Readonly<Record<string, (request: never, release: never) => unknown>>

/**
 * Asks one op: its value as `ok`, what it throws as Java's error, `undefined` where it has no answer.
 *
 * An error of ours that names no Java class keeps its own code as the type, so that it equals nothing of Java's. Anything
 * else that is thrown is a fault of the product, and shown as one.
 */
export function answerOf(ask: () => unknown): Answer | undefined {
  try {
    const ok = ask()
    return ok === undefined ? undefined : { ok }
  } catch (error) {
    return { error: refusalOf(error) }
  }
}

/** Asks an op of a list item by item, so that one refused item does not hide the others. */
export function answersOf<T>(items: readonly T[], ask: (item: T, index: number) => unknown): (Answer | undefined)[] {
  return items.map((item, index) => answerOf(() => ask(item, index)))
}

function refusalOf(error: unknown): Refusal {
  if (!isCodedError(error)) return { type: 'no coded error', message: String(error) }
  if (error.javaClass === undefined) return { type: error.code, message: error.message }
  return { type: error.javaClass, message: error.javaMessage ?? null }
}

/** A list that the native engine's addon answers: it leaves shorter ones to JavaScript. */
const MANY = 32

/** Answers for a list of keys, asked as part of one that is long enough for every engine to answer by its own means. */
export function asMany<K>(keys: readonly K[], ask: (keys: readonly K[]) => ArrayLike<number>): number[] {
  if (keys.length === 0 || keys.length >= MANY) return Array.from(ask(keys))
  return Array.from(ask(Array.from({ length: MANY }, (_, i) => keys[i % keys.length]!))).slice(0, keys.length)
}
