/**
 * How long a client waits before it asks for a message again: `MultiplierRedeliveryBackoff`.
 *
 * Source: Apache Pulsar 4.2.4, 5.0.1, org.apache.pulsar.client.impl.MultiplierRedeliveryBackoff.
 * What differs from the obvious: the first redelivery, count 1, is multiplied already: 10, 20, 40 s for counts 0, 1, 2.
 */
import { checkInteger, codedError, shown } from '../errors.js'

/** A back-off by the builder's names and defaults. */
export interface RedeliveryBackoff {
  /** Milliseconds. Default: 10,000. */
  readonly minDelayMs?: number | undefined
  /** Milliseconds, not below `minDelayMs`. Default: 600,000. */
  readonly maxDelayMs?: number | undefined
  /** Above 1. Default: 2. */
  readonly multiplier?: number | undefined
}

const INT = [-(2 ** 31), 2 ** 31 - 1] as const
const LONG = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const

/**
 * The delay by redelivery count.
 *
 * @returns a function of the count, an int32, to milliseconds
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, with Java's text where the builder refuses
 * @example pulsar.redeliveryBackoff({ minDelayMs: 1000, maxDelayMs: 60000 })(3) // 8000
 */
export function redeliveryBackoff(backoff: RedeliveryBackoff = {}): (redeliveryCount: number) => number {
  const { minDelayMs: least, maxDelayMs: most, multiplier } = checkBackoff(backoff)
  const last = Math.trunc(Math.log(most / least) / Math.log(multiplier)) + 1
  return (redeliveryCount) => {
    checkInteger(redeliveryCount, 'redeliveryCount', INT)
    if (redeliveryCount <= 0 || least === 0) return least
    return redeliveryCount > last ? most : Math.min(Math.trunc(least * multiplier ** redeliveryCount), most)
  }
}

function checkBackoff({ minDelayMs = 10_000, maxDelayMs = 600_000, multiplier = 2 }: RedeliveryBackoff) {
  checkInteger(minDelayMs, 'minDelayMs', LONG)
  checkInteger(maxDelayMs, 'maxDelayMs', LONG)
  if (typeof multiplier !== 'number' || Number.isNaN(multiplier)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `multiplier: expected a number above 1, got ${shown(multiplier)}`)
  }
  if (minDelayMs < 0) throw refused(`minDelayMs: expected 0 or more, got ${minDelayMs}`, 'min delay time must be >= 0')
  if (maxDelayMs < minDelayMs) {
    const message = `maxDelayMs: expected minDelayMs ${minDelayMs} or more, got ${maxDelayMs}`
    throw refused(message, 'maxDelayMs must be >= minDelayMs')
  }
  if (multiplier <= 1) throw refused(`multiplier: expected more than 1, got ${multiplier}`, 'multiplier must be > 1')
  return { minDelayMs, maxDelayMs, multiplier }
}

function refused(message: string, javaMessage: string): Error {
  const javaClass = 'java.lang.IllegalArgumentException'
  return codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message, { javaClass, javaMessage })
}
