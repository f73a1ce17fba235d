/** The keys that come most often, for people and for programs. */
import { isUtf8 } from 'node:buffer'
import type { HeavyKeyDocument } from './documents.js'
import { alignedRows, share } from './fill.js'
import type { HeavyKey, HeavyKeys } from './heavy-keys.js'
import { grouped } from './progress.js'

/** Keys told in a table, and in a document. */
const SHOWN = 10
const LISTED = 100

/** Characters of a key that a table has room for. */
const WIDTH = 44

/** For the row of a partition: its most frequent key, where one came twice. */
export function remarks(heavy: HeavyKeys): (partition: number) => string {
  const heaviest = new Map<number, HeavyKey>()
  for (const key of heavy.keys()) if (!heaviest.has(key.partition)) heaviest.set(key.partition, key)
  return (partition) => {
    const key = heaviest.get(partition)
    return key === undefined ? '' : `${shownKey(key)} (${grouped(key.atLeast)})`
  }
}

/** A table of the ten most frequent keys, and how far the counts can be trusted. */
export function heavyTable(heavy: HeavyKeys, total: number): string {
  const keys = heavy.keys().slice(0, SHOWN)
  if (keys.length === 0)
    return `No key comes more than ${heavy.tooLow === 0 ? 'once' : `${grouped(heavy.tooLow + 1)} times`}.\n`
  const rows = keys.map((key) => [
    grouped(key.atLeast),
    share(key.atLeast, total),
    String(key.partition),
    shownKey(key),
  ])
  const trust =
    heavy.tooLow === 0
      ? 'exact counts'
      : `up to ${grouped(heavy.tooLow)} too low; a key without a counter comes so often at most`
  return `Heaviest keys (${trust})\n${alignedRows([['keys', 'of all', 'partition', 'key'], ...rows]).join('\n')}\n`
}

/** The hundred most frequent keys. */
export function heavyDocument(heavy: HeavyKeys): HeavyKeyDocument[] {
  return heavy
    .keys()
    .slice(0, LISTED)
    .map(({ key, bytes, partition, atLeast }) => ({
      ...(isUtf8(key) ? { input: Buffer.from(key).toString() } : { inputBase64: Buffer.from(key).toString('base64') }),
      bytes,
      partition,
      atLeast,
      atMost: atLeast + heavy.tooLow,
    }))
}

/** One line of text, cut where it is long; what is no UTF-8 in hex. */
function shownKey({ key, bytes }: HeavyKey): string {
  const text = isUtf8(key) ? JSON.stringify(Buffer.from(key).toString()) : `0x${Buffer.from(key).toString('hex')}`
  return text.length > WIDTH || bytes > key.length ? `${text.slice(0, WIDTH - 1)}…` : text
}
