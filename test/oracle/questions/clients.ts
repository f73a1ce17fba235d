/**
 * Questions to the other clients: keys as text and as bytes, the empty one, and none, on any number of partitions.
 *
 * A key is `{ text }`, `{ bytes }` (hexadecimal) or `null`. The answer is a partition for each, or `~` where the original
 * draws it.
 */
import { type Chance, javaBytes } from '../chance.js'
import { type Draw, listOf } from '../question.js'

export type ClientKey = { readonly text: string } | { readonly bytes: string } | null

export interface ClientRequest {
  readonly op: 'clientPartitions'
  readonly partitioner: string
  readonly numPartitions: number
  readonly keys: readonly ClientKey[]
}

const KEYS_A_LINE = 40

/** Their FNV-1a is -2^31 (the first), and their CRC-32 or murmur2 crossed clients in bug reports. */
const KNOWN_KEYS = [
  '1468509572224',
  'TT0124',
  'wu',
  '100:48069',
  'thing\u00e4\u00f6\u00fc\u00c4\u00d6\u00dc',
  '30142322.022108_2000',
]

/** Draws for one of these partitioners; `most` partitions where the original walks a list of them. */
export function ofPartitioners(names: readonly string[], most = 0x7fffffff): Draw {
  return (chance) => {
    const partitioner = chance.pick(names)
    const keys = chance.times(KEYS_A_LINE, () => clientKey(chance))
    return listOf({ op: 'clientPartitions', partitioner, numPartitions: chance.partitions(most), keys }, 'keys')
  }
}

function clientKey(chance: Chance): ClientKey {
  const style = chance.between(0, 19)
  if (style === 0) return null
  if (style === 1) return chance.pick([{ text: '' }, { bytes: '' }])
  if (style === 2) return { text: chance.pick(KNOWN_KEYS) }
  return style < 12 ? { text: chance.text() } : { bytes: chance.bytes().toString('hex') }
}

/** The bytes that a client hashes. */
export function bytesOf(key: ClientKey): Buffer | null {
  if (key === null) return null
  return 'text' in key ? javaBytes(key.text) : Buffer.from(key.bytes, 'hex')
}
