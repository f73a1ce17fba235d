/** Candidates of the modular load manager, asked of the manager that a simulation runs. */
import { JavaRandom } from '../../src/fallback/kafka/java-random.js'
import type { LoadSettings } from '../../src/pulsar/load-settings.js'
import { checkQuestion } from '../../src/pulsar/simulation/check.js'
import { Cluster } from '../../src/pulsar/simulation/cluster.js'
import { ModularManager } from '../../src/pulsar/simulation/modular.js'
import type { IsolationPolicy } from '../../src/pulsar/simulation-types.js'
import type { PulsarVersion } from '../../src/types.js'
import type { Ops } from './answer.js'

interface Question {
  readonly brokers: Readonly<Record<string, { readonly cpu?: number; readonly topics?: number }>>
  readonly owned: Readonly<Record<string, string>>
  readonly isolation?: readonly IsolationPolicy[]
  readonly groups?: Readonly<Record<string, string>>
  readonly domains?: Readonly<Record<string, string>>
  readonly config?: Partial<LoadSettings>
  readonly bundles: readonly string[]
}

/** A bundle in a namespace of its own that brings a broker its topics. */
const ballast = (i: number): string => `ballast/n${i}/0x00000000_0xffffffff`

function clusterOf({ brokers, owned, bundles, ...question }: Question, version: PulsarVersion) {
  const names = Object.keys(brokers)
  const all = [...new Set([...Object.keys(owned), ...bundles])]
  const domains: Record<string, string[]> = {}
  for (const [broker, domain] of Object.entries(question.domains ?? {})) {
    domains[domain] ??= []
    domains[domain].push(broker)
  }
  const checked = checkQuestion({
    brokers: names.map((name) => ({ name, base: { cpu: brokers[name]!.cpu } })),
    bundles: [
      ...all.map((name) => ({ name, owner: owned[name] })),
      ...names.map((owner, i) => ({ name: ballast(i), owner })),
    ],
    loads: {
      ...Object.fromEntries(all.map((name) => [name, {}])),
      ...Object.fromEntries(names.map((name, i) => [ballast(i), { topics: brokers[name]!.topics }])),
    },
    policies: { isolation: question.isolation, antiAffinityGroups: question.groups, failureDomains: domains },
    settings: question.config,
    version,
  })
  const cluster = new Cluster(checked)
  cluster.takeReports(1)
  return { cluster, checked }
}

export const CANDIDATES_OPS = {
  'bundle-candidates': (question: Question, version: PulsarVersion) => {
    const { cluster, checked } = clusterOf(question, version)
    let asked: string[][] = []
    const placer = {
      pick: (candidates: readonly number[]) => {
        const sorted = [...candidates].sort((a, b) => a - b)
        asked.push(sorted.map((broker) => cluster.brokerNames[broker]!))
        return sorted[0]!
      },
      forget: () => {},
    }
    const manager = new ModularManager(cluster, checked, new JavaRandom({ state: 0 }), placer)
    return question.bundles.map((name) => {
      manager.report(1)
      asked = []
      const bundle = cluster.bundleNames.indexOf(name)
      const owner = question.owned[name]
      const mayUnload = owner !== undefined && manager.mayUnload(bundle, cluster.brokerNames.indexOf(owner))
      // Counted from now on, until the next report.
      manager.place(bundle)
      return owner === undefined ? { candidates: asked } : { candidates: asked, mayUnload }
    })
  },
} satisfies Ops
