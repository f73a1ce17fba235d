/**
 * The order in which Java walks a `HashMap`: of member ids, as the leader of a group is handed its members, and of Uuids.
 *
 * For whoever asks `kafka.assign` what a live group will do: members count in the order given, and in a group they come out
 * of a HashMap. Source: OpenJDK 17, java.util.HashMap.
 */
import { engine } from '../engine/index.js'
import { checkInteger, codedError, shown } from '../errors.js'
import { tableSizeFor } from '../fallback/kafka/java-table.js'
import { compareUuids, uuidHash, uuidWords } from './java-hash.js'

/** How the map or set came to be. */
export interface JavaMapOptions {
  /** `new HashMap<>(initialCapacity)`. Default: 16, Java's own. */
  readonly initialCapacity?: number
  /** `new HashSet<>(values)`, which sizes its table for all of them first. Default: false. */
  readonly copy?: boolean
}

const MOST_BUCKETS = 2 ** 30

/** Keys with what Java computes of them: the hash codes, and their order, which is asked for where it decides. */
export interface JavaKeys {
  readonly hashCodes: Int32Array
  readonly compare: (a: number, b: number) => number
}

/**
 * Strings in the order of a `HashMap` that they were put into one after the other; a repeat stays where it came first.
 *
 * Where it matters: `range` walks topics so; the sticky assignors break ties between members by the order of the group's
 * map; `kafka.assign` takes members in the order given.
 *
 * @param ids strings, in the order in which they are put
 * @returns each once
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (initialCapacity)
 * @example kafka.javaMapOrder(['consumer-0', 'consumer-1']) // ['consumer-1', 'consumer-0']
 */
export function javaMapOrder(ids: readonly string[], options: JavaMapOptions = {}): string[] {
  const keys = distinctStrings(ids, 'ids')
  const hashCodes = new Int32Array(keys.length)
  engine().hashStrings('java-string', keys, hashCodes)
  const compare = (a: number, b: number) => (keys[a]! < keys[b]! ? -1 : 1)
  return Array.from(orderOfKeys({ hashCodes, compare }, tableSizeOf(ids.length, options)), (i) => keys[i]!)
}

/**
 * The same of Uuids as Kafka writes them, 22 characters of base64url: the order of a map of topic ids.
 *
 * @example kafka.javaUuidMapOrder(['AAAAAAAAAAAAAAAAAAAAAg', 'AAAAAAAAAAEAAAAAAAAAAA']) // the second first
 */
export function javaUuidMapOrder(uuids: readonly string[], options: JavaMapOptions = {}): string[] {
  const keys = distinctStrings(uuids, 'uuids')
  const words = keys.map((key, i) => uuidWords(key, `uuids[${i}]`))
  const hashCodes = Int32Array.from(words, uuidHash)
  const compare = (a: number, b: number) => compareUuids(words[a]!, words[b]!)
  return Array.from(orderOfKeys({ hashCodes, compare }, tableSizeOf(uuids.length, options)), (i) => keys[i]!)
}

function distinctStrings(values: readonly string[], name: string): string[] {
  if (!Array.isArray(values)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected an array of strings, got ${shown(values)}`)
  }
  values.forEach((value: unknown, index) => {
    if (typeof value === 'string') return
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}[${index}]: expected a string, got ${shown(value)}`, {
      index,
    })
  })
  return [...new Set(values)]
}

/** Buckets of the first table; `size` counts repeats, as the collection does that is copied. */
export function tableSizeOf(size: number, { initialCapacity, copy = false }: JavaMapOptions): number {
  if (copy) return tableSizeFor(Math.max(Math.trunc(Math.fround(size / 0.75)) + 1, 16))
  return initialCapacity === undefined
    ? 16
    : tableSizeFor(checkInteger(initialCapacity, 'initialCapacity', [0, MOST_BUCKETS]))
}

/** Positions of distinct keys in the order of a map. */
export function orderOfKeys({ hashCodes, compare }: JavaKeys, tableSize: number): Uint32Array {
  const order = engine().javaMapOrder(hashCodes, null, tableSize)
  return order ?? engine().javaMapOrder(hashCodes, ranksBy(hashCodes.length, compare), tableSize)!
}

function ranksBy(length: number, compare: (a: number, b: number) => number): Uint32Array {
  const sorted = Array.from({ length }, (_, i) => i).sort(compare)
  const ranks = new Uint32Array(length)
  sorted.forEach((key, i) => {
    ranks[key] = i
  })
  return ranks
}
