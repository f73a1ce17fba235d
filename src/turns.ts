/**
 * Long work in parts, for code that runs both at once and in turns of the event loop: a generator that yields between parts.
 *
 * For the TypeScript twins of what the addon does on a thread of its own, so that one loop answers both ways.
 */
import { setImmediate } from 'node:timers/promises'

/** Work that yields after each part and returns its answer. */
export type Parts<T> = Generator<void, T, void>

/** All parts, one after another, whatever they yield. */
export function atOnce<T>(parts: Generator<unknown, T, void>): T {
  for (;;) {
    const { done, value } = parts.next()
    if (done === true) return value
  }
}

/** A part a turn. Rejects with `signal.reason` where the signal fires between two. */
export async function inTurns<T>(parts: Parts<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    await setImmediate()
    signal?.throwIfAborted()
    const { done, value } = parts.next()
    if (done === true) return value
  }
}
