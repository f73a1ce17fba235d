/**
 * `hashCode()` of the keys that Kafka puts into hash maps, beside strings: topic partitions and Uuids.
 *
 * For the orders of those maps. Sources: Apache Kafka 4.4.0, org.apache.kafka.common.TopicPartition and
 * org.apache.kafka.common.Uuid.
 */
import { codedError, shown } from '../errors.js'
import { ofString } from '../fallback/hash/java-string.js'

/** `TopicPartition.hashCode`, signed. */
export function topicPartitionHash(topic: string, partition: number): number {
  return (Math.imul(31, 31 + partition) + ofString(topic)) | 0
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** What each character of base64url stands for; -1 for no such character. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code)))

/** A Uuid as Kafka writes it, 22 characters of base64url, as its four 32-bit words, the highest first. */
export function uuidWords(uuid: string, where: string): Int32Array {
  const words = new Int32Array(4)
  let bad = uuid.length === 22 ? 0 : -1
  for (let i = 0; i < 22; i++) {
    const value = VALUES[uuid.charCodeAt(i)] ?? -1
    bad |= value
    const word = (6 * i) >> 5
    const over = ((6 * i) & 31) - 26
    // Six bits that lie over the end of a word are cut in two; those over the last one must be zeros.
    words[word]! |= over > 0 ? value >> over : value << -over
    if (over > 0 && word < 3) words[word + 1]! |= value << (32 - over)
    else if (over > 0) bad |= value & (2 ** over - 1) ? -1 : 0
  }
  if (bad >= 0) return words
  throw codedError(
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    `${where}: expected a Uuid as Kafka writes it (22 characters of base64url), got ${shown(uuid)}`,
  )
}

/** `Uuid.hashCode`, signed: both halves of both longs, all by exclusive or. */
export function uuidHash(words: Int32Array): number {
  return words[0]! ^ words[1]! ^ words[2]! ^ words[3]!
}

/** `Uuid.compareTo`: as two signed longs, the high one first. */
export function compareUuids(a: Int32Array, b: Int32Array): number {
  const [highA, lowA, highB, lowB] = [a[0]!, a[2]!, b[0]!, b[2]!]
  if (highA !== highB) return highA < highB ? -1 : 1
  if (a[1] !== b[1]) return a[1]! >>> 0 < b[1]! >>> 0 ? -1 : 1
  if (lowA !== lowB) return lowA < lowB ? -1 : 1
  return (a[3]! >>> 0) - (b[3]! >>> 0)
}
