/**
 * The order in which a java.util.concurrent.ConcurrentHashMap of strings is walked: that of the brokers in a load report,
 * which decides where the cap on splits is met first.
 *
 * Source: OpenJDK 17, java.util.concurrent.ConcurrentHashMap, new ConcurrentHashMap() filled one by one.
 * What differs from the obvious: a bin is walked from its oldest entry, but a growing table turns the entries of a bin round,
 * all but the run at its end that stays together. Bins of eight entries or more, which become trees, are not turned into
 * them: names collide so only by intent.
 */
import { HASHES } from '../fallback/hash/index.js'

const FIRST_SIZE = 16

interface Entry {
  readonly key: string
  readonly hash: number
}

/** The keys, each once, in the order of the map's iterators. */
export function concurrentMapOrder(keys: Iterable<string>): string[] {
  let bins: Entry[][] = Array.from({ length: FIRST_SIZE }, () => [])
  let size = 0
  for (const key of keys) {
    const entry = { key, hash: spread(HASHES['java-string'].ofString(key)) }
    const bin = bins[entry.hash & (bins.length - 1)]!
    if (bin.some((other) => other.key === key)) continue
    bin.push(entry)
    size++
    while (size >= bins.length - (bins.length >>> 2)) bins = doubled(bins)
  }
  return bins.flat().map(({ key }) => key)
}

const spread = (hash: number): number => (hash ^ (hash >>> 16)) & 0x7fffffff

function doubled(bins: readonly Entry[][]): Entry[][] {
  const halves = [0, bins.length].map((bit) => bins.map((bin) => moved(bin, bins.length, bit)))
  return halves.flat()
}

/** The entries of a bin that go to one of its two halves. */
function moved(bin: readonly Entry[], width: number, bit: number): Entry[] {
  let run = bin.length - 1
  while (run > 0 && ((bin[run - 1]!.hash ^ bin[run]!.hash) & width) === 0) run--
  const belongs = ({ hash }: Entry) => (hash & width) === bit
  const before = bin.slice(0, Math.max(run, 0)).filter(belongs).reverse()
  return [...before, ...bin.slice(Math.max(run, 0)).filter(belongs)]
}
