/**
 * The one table of error codes, and the three classes that carry them.
 *
 * `TypeError` for a wrong type, `RangeError` for a wrong value, `PlacementError` for a valid question that has no answer.
 * `docs/errors.md` lists the same table; a test compares the two.
 */

/** Every code this library throws: the class it comes on, and what it means. */
export const ERROR_CODES = {
  ERR_PLACEMENT_ARGUMENT_TYPE: ['TypeError', 'an argument has the wrong type'],
  ERR_PLACEMENT_ARGUMENT_RANGE: ['RangeError', 'a number lies outside its range'],
  ERR_PLACEMENT_KEY_TYPE: ['TypeError', 'a key is neither a string nor bytes'],
  ERR_PLACEMENT_KEY_MISSING: ['PlacementError', 'the partitioner draws for this key and no random number was given'],
  ERR_PLACEMENT_NUM_PARTITIONS: ['RangeError', 'the number of partitions is no integer in [1, 2147483647]'],
  ERR_PLACEMENT_COLUMN: ['RangeError', 'the offsets of a column do not ascend inside its bytes'],
  ERR_PLACEMENT_OUTPUT: ['RangeError', "the caller's result array is too short or lies over the input"],
  ERR_PLACEMENT_DUPLICATE: ['RangeError', 'a member, a topic or a partition is given twice'],
  ERR_PLACEMENT_UNKNOWN_NAME: ['RangeError', 'no hash, partitioner or other named choice of that name'],
  ERR_PLACEMENT_UNKNOWN_VERSION: ['RangeError', 'no release of that number is known'],
  ERR_PLACEMENT_UNSUPPORTED: ['PlacementError', 'the original of that release has no answer to this question'],
  ERR_PLACEMENT_TOPIC_NAME: ['RangeError', 'Pulsar refuses the topic name'],
  ERR_PLACEMENT_NAMESPACE: ['RangeError', 'Pulsar refuses the namespace, or the topic belongs to another one'],
  ERR_PLACEMENT_BUNDLE_COUNT: ['RangeError', 'the number of bundles is no integer in [1, 2147483647]'],
  ERR_PLACEMENT_BOUNDARIES: [
    'RangeError',
    'boundaries do not ascend, do not cover the hash range, or are no 32-bit numbers',
  ],
  ERR_PLACEMENT_BUNDLE_RANGE: ['RangeError', 'the bundle range cannot be read, or is no bundle of the layout'],
  ERR_PLACEMENT_SPLIT: ['RangeError', 'Pulsar refuses to split the bundle, or to cut it there'],
  ERR_PLACEMENT_BUNDLES_DATA: ['RangeError', 'the BundlesData document cannot be read'],
  ERR_PLACEMENT_CONSUMER: ['RangeError', 'Pulsar refuses the consumer: its hash ranges, or that it joins or leaves'],
  ERR_PLACEMENT_SEGMENT: ['RangeError', 'Pulsar refuses the segment of a scalable topic, or what is done to it'],
  ERR_PLACEMENT_REPLICATION_FACTOR: ['PlacementError', 'Kafka cannot place so many replicas on these brokers'],
  ERR_PLACEMENT_INFEASIBLE: [
    'PlacementError',
    'no plan keeps the rules; the message says which change would allow one',
  ],
  ERR_PLACEMENT_REASSIGNMENT: ['RangeError', 'Kafka refuses the reassignment, or the file that holds it'],
  ERR_PLACEMENT_QUORUM: ['RangeError', "a ledger's ensemble, write quorum and ack quorum do not descend"],
  ERR_PLACEMENT_NO_ENSEMBLE: ['PlacementError', 'BookKeeper finds no ensemble for a new ledger'],
  ERR_PLACEMENT_ORIGINAL_FAILS: ['PlacementError', 'the original throws here, by a defect of its own'],
  ERR_PLACEMENT_ENGINE: ['PlacementError', 'the engine asked for does not exist or cannot be loaded'],
  ERR_PLACEMENT_CPU: ['RangeError', 'TOPIC_PLACEMENT_CPU names no arm that this processor can run'],
  ERR_PLACEMENT_INPUT: ['RangeError', 'a file or stream cannot be read as what it should hold'],
  ERR_PLACEMENT_WRITE: ['RangeError', 'the answer cannot be written where it should go'],
  ERR_PLACEMENT_USAGE: ['RangeError', 'the command line is wrong'],
  ERR_PLACEMENT_INTERNAL: ['PlacementError', 'a fault of this library: please report it'],
} as const satisfies Record<string, readonly ['TypeError' | 'RangeError' | 'PlacementError', string]>

/** One of the codes of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES

/** What an error carries beside its message. */
export interface ErrorDetails {
  /** Index of the offending item in the input given, where there is one. */
  readonly index?: number
  /** Class of the exception that the Java original throws for the same input. */
  readonly javaClass?: string
  /** Its message; `null` where the original's has none. */
  readonly javaMessage?: string | null
  readonly cause?: unknown
}

/** An `Error` of this library: a stable `code`, and where known an `index` and what Java says. */
export type CodedError = Error & ErrorDetails & { readonly code: ErrorCode }

/** A valid question that has no answer. */
export class PlacementError extends Error {
  override readonly name = 'PlacementError'
}

const CLASSES = { TypeError, RangeError, PlacementError }

/** Makes the error of a code. The message says what was expected, what came and where. */
export function codedError(code: ErrorCode, message: string, details: ErrorDetails = {}): CodedError {
  const { cause, ...fields } = details
  const error = new CLASSES[ERROR_CODES[code][0]](message, cause === undefined ? undefined : { cause })
  return Object.assign(error, { code }, fields)
}

/** True for an error that this library threw. */
export function isCodedError(error: unknown): error is CodedError {
  return error instanceof Error && 'code' in error && Object.hasOwn(ERROR_CODES, String(error.code))
}

/** Shows a value that came where another was expected, short enough for one line. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  return `${/^([aeio]|u(?!int))/i.test(nameOf(value)) ? 'an' : 'a'} ${nameOf(value)}`
}

function nameOf(value: object): string {
  return Object.getPrototypeOf(value)?.constructor?.name ?? 'object'
}

/** Refuses everything but an integer in `[least, most]`. */
export function checkInteger(
  value: unknown,
  name: string,
  [least, most]: readonly [number, number],
  code: ErrorCode = 'ERR_PLACEMENT_ARGUMENT_RANGE',
): number {
  if (typeof value !== 'number') throw wrongType(name, 'an integer', value)
  if (!Number.isInteger(value) || value < least || value > most) {
    throw codedError(code, `${name}: expected an integer in [${least}, ${most}], got ${value}`)
  }
  return value
}

/** Refuses everything but a string. */
export function checkText(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  throw wrongType(name, 'a string', value)
}

/** Refuses everything but an array. */
export function checkList(value: unknown, name: string): void {
  if (!Array.isArray(value)) throw wrongType(name, 'an array', value)
}

/** Refuses everything but an object, arrays too. */
export function checkObject(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(name, 'an object', value)
}

function wrongType(name: string, expected: string, value: unknown): CodedError {
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected ${expected}, got ${shown(value)}`)
}

/** Refuses everything but one of `names`, and tells the nearest right spelling. */
export function checkName<T extends string>(
  value: unknown,
  what: string,
  names: readonly T[],
  code: ErrorCode = 'ERR_PLACEMENT_UNKNOWN_NAME',
): T {
  const name = checkText(value, what)
  if ((names as readonly string[]).includes(name)) return name as T
  const near = nearest(name, names)
  const hint = near === null ? '' : ` (did you mean ${near}?)`
  throw codedError(code, `${what}: expected one of ${names.join(', ')}, got ${shown(name)}${hint}`)
}

/** The name at an edit distance of at most a third of its length, and of `most`; or `null`. */
export function nearest(
  value: string,
  names: readonly string[],
  most: number = Number.POSITIVE_INFINITY,
): string | null {
  let best: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const name of names) {
    const distance = editDistance(value.slice(0, 100).toLowerCase(), name.toLowerCase())
    const allowed = Math.min(most, Math.max(1, Math.floor(name.length / 3)))
    if (distance < least && distance <= allowed) [best, least] = [name, distance]
  }
  return best
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
