/**
 * Where the placers' draws come from: a `java.util.Random`, fresh or gone on with, or numbers of the caller's own.
 *
 * Source: OpenJDK 17, java.util.Random, whose 48 bits of state a seed sets.
 */
import type { RandomSource } from '../engine/placement-contract.js'
import { checkInteger, codedError, shown } from '../errors.js'

/**
 * `seed`: `new Random(seed)` · `state`: its 48 bits, to go on where an answer ended · `numbers`: what each `nextInt()` gives,
 * signed or not, for a source of one's own.
 */
export type Draws =
  | { readonly seed: number | bigint }
  | { readonly state: number }
  | { readonly numbers: ArrayLike<number> }

const MULTIPLIER = 0x5deece66dn
const STATES = 2 ** 48
const KINDS = 'expected { seed }, { state } or { numbers }'

/** The draws as an engine takes them. @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
export function randomSource(random: Draws | undefined): RandomSource {
  if (typeof random !== 'object' || random === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `random: ${KINDS}, got ${shown(random)}`)
  }
  if ('seed' in random) return { state: stateOf(random.seed) }
  if ('state' in random) return { state: checkInteger(random.state, 'random.state', [0, STATES - 1]) }
  if ('numbers' in random) return { numbers: numbersOf(random.numbers) }
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `random: ${KINDS}, got ${shown(random)}`)
}

/** The draws that follow, from the state or the count that an engine gave back. */
export function drawsAfter(source: RandomSource, position: number): Draws {
  return 'numbers' in source ? { numbers: source.numbers.subarray(position) } : { state: position }
}

function stateOf(seed: number | bigint): number {
  const long = typeof seed === 'bigint' ? seed : BigInt(checkInteger(seed, 'random.seed', SAFE))
  if (BigInt.asIntN(64, long) !== long) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `random.seed: expected a Java long, got ${long}n`)
  }
  return Number(BigInt.asUintN(48, long ^ MULTIPLIER))
}

const SAFE = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const

function numbersOf(numbers: ArrayLike<number>): Int32Array {
  if (numbers instanceof Int32Array) return numbers
  if (!Array.isArray(numbers)) {
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_TYPE',
      `random.numbers: expected an array or an Int32Array, got ${shown(numbers)}`,
    )
  }
  return Int32Array.from(
    numbers,
    (number, i) => checkInteger(number, `random.numbers[${i}]`, [-0x80000000, 0xffffffff]) | 0,
  )
}
