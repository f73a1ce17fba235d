/**
 * The first difference between the answer that a vector holds and the one that came.
 *
 * Errors are compared by Java's class, and by its text unless the class is the JDK's own: that text is the Java machine's
 * and no contract. Large answers are held as a SHA-256 of their canonical JSON.
 */
import { createHash } from 'node:crypto'
import type { Answer, Refusal } from './answer.js'

/** What a vector holds. */
export type Expected = Answer | { readonly sha256: string }

/** Where two answers part: a path such as `ok.hashes[3]`, and both values there; `undefined` is nothing at all. */
export interface Difference {
  readonly at: string
  readonly expected: unknown
  readonly got: unknown
}

/** Classes whose text the Java machine writes. */
const JDK_CLASSES = [
  'java.lang.ArithmeticException',
  'java.lang.ArrayIndexOutOfBoundsException',
  'java.lang.ClassCastException',
  'java.lang.IndexOutOfBoundsException',
  'java.lang.NegativeArraySizeException',
  'java.lang.NullPointerException',
  'java.lang.NumberFormatException',
  'java.lang.StringIndexOutOfBoundsException',
  'java.util.NoSuchElementException',
]

/** The first difference, or `undefined` where the answer is the expected one. */
export function firstDifference(expected: Expected, got: Answer): Difference | undefined {
  if (!('sha256' in expected)) return differenceAt('', expected, got)
  if ('error' in got) return { at: '', expected, got }
  const sha256 = createHash('sha256').update(canonicalJson(got.ok)).digest('hex')
  return expected.sha256 === sha256 ? undefined : { at: 'sha256', expected: expected.sha256, got: sha256 }
}

function differenceAt(at: string, expected: unknown, got: unknown): Difference | undefined {
  if (ArrayBuffer.isView(got)) return differenceAt(at, expected, Array.from(got as unknown as ArrayLike<unknown>))
  if (isRefused(expected) && isRefused(got)) return refusalDifference(at, expected.error, got.error)
  const whole = isRefused(expected) || isRefused(got) || !isObject(expected) || !isObject(got)
  if (whole || Array.isArray(expected) !== Array.isArray(got)) {
    return Object.is(expected, got) ? undefined : { at, expected, got }
  }
  return itemDifference(at, expected, got)
}

/** Objects and arrays alike: a field that one side lacks is `undefined` there. */
function itemDifference(at: string, expected: object, got: object): Difference | undefined {
  for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    const difference = differenceAt(stepInto(at, key, expected), fieldOf(expected, key), fieldOf(got, key))
    if (difference !== undefined) return difference
  }
  return undefined
}

function refusalDifference(at: string, expected: Refusal, got: Refusal): Difference | undefined {
  if (expected.type !== got.type) return { at, expected, got }
  const noContract = expected.message === null || JDK_CLASSES.includes(expected.type)
  return noContract || expected.message === got.message ? undefined : { at, expected, got }
}

function stepInto(at: string, key: string, parent: object): string {
  if (Array.isArray(parent)) return `${at}[${key}]`
  return at === '' ? key : `${at}.${key}`
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Own fields alone: a name such as `constructor` is a member id like any other. */
const fieldOf = (object: object, key: string): unknown =>
  Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined

function isRefused(value: unknown): value is { error: Refusal } {
  if (!isObject(value) || Object.keys(value).join() !== 'error') return false
  const error = fieldOf(value, 'error')
  return isObject(error) && typeof fieldOf(error, 'type') === 'string'
}

/** JSON as the vectors' digest takes it: keys sorted by code point, no blanks, ASCII. */
export function canonicalJson(value: unknown): string {
  if (ArrayBuffer.isView(value)) return canonicalJson(Array.from(value as unknown as ArrayLike<unknown>))
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return ascii(JSON.stringify(value))
  const keys = Object.keys(value)
    .filter((key) => fieldOf(value, key) !== undefined)
    .sort(byCodePoint)
  return `{${keys.map((key) => `${ascii(JSON.stringify(key))}:${canonicalJson(fieldOf(value, key))}`).join(',')}}`
}

/** JavaScript's own order is by UTF-16 unit, which puts a surrogate pair before U+E000. */
function byCodePoint(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** JSON with every character outside printable ASCII as an escape; DEL too, as Python writes it. */
export const ascii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
