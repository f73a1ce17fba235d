/** Clusters for the tests of load managers: bundles of one namespace, hot ones on the first brokers, cold ones on the others. */
import type { pulsar } from '../src/index.js'

export const MEGABYTE = 1 << 20

const hex = (n: number): string => `0x${n.toString(16).padStart(8, '0')}`

/** The key of the `i`-th of 256 bundles. */
export const bundleKey = (i: number, namespace = 'acme/orders'): string =>
  `${namespace}/${hex(i * 2 ** 24)}_${hex(Math.min((i + 1) * 2 ** 24, 0xffffffff))}`

export interface Side {
  readonly brokers: number
  /** Loads of the bundles of each of them. */
  readonly loads: readonly pulsar.BundleLoad[]
}

/** Brokers `broker-0:8080`, …, each with as many bundles as its side has loads. */
export function clusterOf(sides: readonly Side[]) {
  const brokers: pulsar.SimulatedBroker[] = []
  const bundles: pulsar.SimulatedBundle[] = []
  const loads: Record<string, pulsar.BundleLoad> = {}
  for (const side of sides) {
    for (let i = 0; i < side.brokers; i++) {
      const owner = `broker-${brokers.length}:8080`
      brokers.push({ name: owner })
      for (const load of side.loads) {
        const name = bundleKey(bundles.length)
        bundles.push({ name, owner })
        loads[name] = load
      }
    }
  }
  return { brokers, bundles, loads }
}

export const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

const hot = (i: number) => {
  return {
    cpu: 5,
    msgRateIn: 400,
    msgRateOut: 800,
    msgThroughputIn: 8 * MEGABYTE + i * 1000,
    msgThroughputOut: 16 * MEGABYTE,
  }
}
const cold = () => ({ cpu: 0.5, msgRateIn: 10, msgThroughputIn: 10_000 })

/** As apache/pulsar#16059 tells it: brokers with lower load but more bundles are no candidates. */
export const endless = () =>
  clusterOf([
    { brokers: 8, loads: times(10, hot) },
    { brokers: 12, loads: times(11, cold) },
  ])

/** As apache/pulsar#8492 tells it: eight brokers, eight bundles with far more bytes out than the others, four on each of two. */
export function twoBrokers() {
  const outgoing = (i: number) => ({ msgRateOut: 900, msgThroughputOut: 15e6 + i * 1000 })
  const little = () => ({ msgRateIn: 20, msgThroughputIn: 2e5, msgThroughputOut: 2e5 })
  const cluster = clusterOf([
    { brokers: 2, loads: [...times(4, outgoing), ...times(2, little)] },
    { brokers: 6, loads: times(8, little) },
  ])
  const limits = { bandwidthIn: 125e6, bandwidthOut: 125e6 }
  return { ...cluster, brokers: cluster.brokers.map((broker) => ({ ...broker, limits })) }
}
