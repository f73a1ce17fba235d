/** What the quickstart computes: topics into bundles and onto brokers, keys into partitions, and how even all that is. */
import { type Key, kafka, type pulsar, type TopicSet } from 'topic-placement'

/** How evenly a number of things lies over a number of places. */
export interface Spread {
  readonly places: number
  readonly min: number
  readonly mean: number
  readonly max: number
  /** The fullest place against the mean: 1 is perfectly even. */
  readonly worstOverMean: number
}

export function spreadOf(counts: ArrayLike<number>): Spread {
  let [min, max, sum] = [Number.POSITIVE_INFINITY, 0, 0]
  for (let i = 0; i < counts.length; i++) {
    min = Math.min(min, counts[i]!)
    max = Math.max(max, counts[i]!)
    sum += counts[i]!
  }
  const mean = sum / counts.length
  return { places: counts.length, min, mean, max, worstOverMean: max / mean }
}

/** A bundle of a namespace, and how many topics it holds. */
export interface BundleLoad {
  readonly bundle: string
  readonly topics: number
}

/** The namespace with most topics: how even its bundles are shows the hash, not the tenants' sizes. */
export interface LargestNamespace {
  readonly name: string
  readonly topics: number
  readonly perBundle: Spread
}

export interface TopicPlacement {
  readonly topics: number
  readonly namespaces: number
  readonly bundlesPerNamespace: number
  /** Over the bundles of all namespaces, empty ones too. */
  readonly perBundle: Spread
  readonly emptyBundles: number
  readonly largest: LargestNamespace
  readonly fullest: readonly BundleLoad[]
  readonly brokers: number
  /** Bundle i of each namespace on broker i modulo the number of brokers: equal counts of bundles. */
  readonly dealtEvenly: Spread
  /** The fullest bundle first, each to the broker with the fewest topics so far. */
  readonly repacked: Spread
  /** The index of each topic's bundle: the answer itself. */
  readonly indices: Uint32Array
}

/** Places topics; every namespace has a layout of `bundles` bundles of its own, equal for all as in Pulsar. */
export function placeTopics(topics: TopicSet, bundles: pulsar.NamespaceBundles, brokers: number): TopicPlacement {
  const indices = bundles.indexOf(topics)
  const { ids, names } = namespacesOf(topics.canonical())
  const n = bundles.length
  const loads = new Uint32Array(names.length * n)
  for (let i = 0; i < indices.length; i++) loads[ids[i]! * n + indices[i]!]!++
  const byLoad = heaviestFirst(loads)
  return {
    topics: topics.length,
    namespaces: names.length,
    bundlesPerNamespace: n,
    perBundle: spreadOf(loads),
    emptyBundles: loads.length - byLoad.length,
    largest: largestOf(names, loads, n),
    fullest: byLoad.slice(0, 5).map((at) => ({
      bundle: `${names[Math.floor(at / n)]}/${bundles.range(at % n)}`,
      topics: loads[at]!,
    })),
    brokers,
    dealtEvenly: spreadOf(dealt(loads, brokers)),
    repacked: spreadOf(packed(loads, byLoad, brokers)),
    indices,
  }
}

/** The bundles that hold topics; equal ones in the order of their namespaces. */
function heaviestFirst(loads: Uint32Array): number[] {
  const taken: number[] = []
  for (let at = 0; at < loads.length; at++) if (loads[at]! > 0) taken.push(at)
  return taken.sort((a, b) => loads[b]! - loads[a]! || a - b)
}

function largestOf(names: readonly string[], loads: Uint32Array, n: number): LargestNamespace {
  const topics = names.map((_, i) => loads.subarray(i * n, (i + 1) * n).reduce((sum, load) => sum + load, 0))
  const i = topics.indexOf(topics.reduce((most, sum) => Math.max(most, sum), 0))
  return { name: names[i]!, topics: topics[i]!, perBundle: spreadOf(loads.subarray(i * n, (i + 1) * n)) }
}

/** A number for the namespace of each topic, from canonical names. */
function namespacesOf(topics: TopicSet): { ids: Uint32Array; names: string[] } {
  const numbers = new Map<string, number>()
  const ids = new Uint32Array(topics.length)
  let i = 0
  for (const name of topics) {
    const from = name.indexOf('://') + 3
    const namespace = name.slice(from, name.indexOf('/', name.indexOf('/', from) + 1))
    const id = numbers.get(namespace) ?? numbers.size
    numbers.set(namespace, id)
    ids[i++] = id
  }
  return { ids, names: [...numbers.keys()] }
}

function dealt(loads: Uint32Array, brokers: number): Uint32Array {
  const topics = new Uint32Array(brokers)
  loads.forEach((load, bundle) => {
    topics[bundle % brokers]! += load
  })
  return topics
}

function packed(loads: Uint32Array, byLoad: readonly number[], brokers: number): Uint32Array {
  const topics = new Uint32Array(brokers)
  for (const bundle of byLoad) {
    let least = 0
    for (let broker = 1; broker < brokers; broker++) if (topics[broker]! < topics[least]!) least = broker
    topics[least]! += loads[bundle]!
  }
  return topics
}

export interface KeyPlacement {
  readonly keys: number
  readonly perPartition: Spread
  /** The keys with most records, and where they go. */
  readonly heaviest: readonly { readonly key: string; readonly records: number; readonly partition: number }[]
  readonly partitions: Int32Array
}

/** Places record keys as the Java producer does. */
export function placeKeys(keys: readonly string[], numPartitions: number): KeyPlacement {
  const partitions = kafka.partitionsForKeys(keys, numPartitions)
  const counts = new Uint32Array(numPartitions)
  for (const partition of partitions) counts[partition]!++
  const records = new Map<Key, number>()
  for (const key of keys) records.set(key, (records.get(key) ?? 0) + 1)
  const heaviest = [...records].sort((a, b) => b[1] - a[1]).slice(0, 3) as [string, number][]
  return {
    keys: keys.length,
    perPartition: spreadOf(counts),
    heaviest: heaviest.map(([key, n]) => ({ key, records: n, partition: kafka.partitionForKey(key, numPartitions) })),
    partitions,
  }
}
