/** Names of a group's topics and members, their Java orders and hash codes: what the engine needs of them in numbers. */
import { engine } from '../engine/index.js'
import { codedError, shown } from '../errors.js'

/** Names with their indices; a name that is there twice is refused. */
export class NameIndex {
  readonly names: string[] = []
  readonly #indices = new Map<string, number>()

  /** Adds a name that must be new. */
  add(name: unknown, where: string): number {
    if (typeof name !== 'string') {
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a string, got ${shown(name)}`)
    }
    if (this.#indices.has(name)) {
      const first = this.#indices.get(name)!
      throw codedError(
        'ERR_PLACEMENT_DUPLICATE',
        `${where}: expected each once, got ${shown(name)} as at index ${first}`,
        {
          index: this.names.length,
        },
      )
    }
    this.#indices.set(name, this.names.length)
    return this.names.push(name) - 1
  }

  /** The index of a name, -1 for one that is not there. */
  indexOf(name: string): number {
    return this.#indices.get(name) ?? -1
  }

  /** The index of a name, which is added if it is not there. */
  indexOrAdd(name: unknown, where: string): number {
    const index = typeof name === 'string' ? this.#indices.get(name) : undefined
    return index ?? this.add(name, where)
  }
}

/**
 * Refuses what is no string, or there twice; returns the hash codes, by which it finds out.
 *
 * A table of the hash codes is a tenth of the cost of a map of the names.
 */
export function checkNames(names: readonly unknown[], where: string): Int32Array {
  for (let i = 0; i < names.length; i++) {
    if (typeof names[i] === 'string') continue
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}[${i}]: expected a string, got ${shown(names[i])}`, {
      index: i,
    })
  }
  const hashCodes = hashCodesOf(names as readonly string[])
  const twice = firstTwice(names as readonly string[], hashCodes)
  if (twice === undefined) return hashCodes
  const [index, first] = twice
  throw codedError(
    'ERR_PLACEMENT_DUPLICATE',
    `${where}[${index}]: expected each once, got ${shown(names[index])} as at index ${first}`,
    { index },
  )
}

/** The first name that is there before, and where. */
function firstTwice(names: readonly string[], hashCodes: Int32Array): readonly [number, number] | undefined {
  const mask = 2 ** (33 - Math.clz32(names.length)) - 1
  const table = new Int32Array(mask + 1).fill(-1)
  for (let i = 0; i < names.length; i++) {
    // Java's hash codes of numbered names lie close together: a multiplication by the golden ratio spreads them.
    let at = (Math.imul(hashCodes[i]!, 0x9e3779b1) >>> 7) & mask
    for (; table[at] !== -1; at = (at + 1) & mask) {
      const other = table[at]!
      if (hashCodes[other] === hashCodes[i] && names[other] === names[i]) return [i, other]
    }
    table[at] = i
  }
  return undefined
}

/** `String.hashCode` of each. */
export function hashCodesOf(names: readonly string[]): Int32Array {
  const hashCodes = new Int32Array(names.length)
  engine().hashStrings('java-string', names, hashCodes)
  return hashCodes
}

/** Indices in the order of `String.compareTo`, which is that of UTF-16 units. */
export function orderOf(names: readonly string[]): Uint32Array {
  const order = Uint32Array.from(names, (_, i) => i)
  if (isAscending(names)) return order
  return order.sort((a, b) => (names[a]! < names[b]! ? -1 : 1))
}

function isAscending(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) if (names[i]! < names[i - 1]!) return false
  return true
}

/** Members as `MemberInfo` orders: static ones by instance id, equal ones as given, then dynamic ones by id. */
export function memberInfoOrder(
  memberOrder: Uint32Array,
  instanceIds: readonly (string | null)[] | undefined,
): Uint32Array {
  if (instanceIds === undefined || instanceIds.every((id) => id === null)) return memberOrder
  const isStatic = (member: number) => instanceIds[member] !== null
  const statics = instanceIds.map((_, member) => member).filter(isStatic)
  statics.sort((a, b) => {
    const [left, right] = [instanceIds[a]!, instanceIds[b]!]
    return left === right ? a - b : left < right ? -1 : 1
  })
  return Uint32Array.from([...statics, ...Array.from(memberOrder).filter((member) => !isStatic(member))])
}
