/** Questions to the Pulsar jars about the modular load manager's pipeline: who may have a bundle, and may it be unloaded. */
import type { Chance } from '../chance.js'
import { type Draw, type Question, whole } from '../question.js'

const GROUPS = ['g', 'G', 'h', '']
const DOMAINS = ['east', 'west', 'north']

const bundleName = (namespace: string, i: number): string => {
  const hex = (n: number) => `0x${n.toString(16).padStart(8, '0')}`
  return `${namespace}/${hex(i * 0x1000000)}_${hex((i + 1) * 0x1000000)}`
}

export const candidates: Draw = (chance): Question => {
  const names = chance.times(chance.between(1, 9), (i) => `b${i}:8080`)
  const namespaces = ['t/a', 't/b', 'u/a', ...(chance.odds(0.1) ? ['pulsar/system'] : [])]
  const bundles = namespaces.flatMap((name) => chance.times(chance.between(1, 8), (i) => bundleName(name, i)))
  // The first brokers have more, so that counts differ.
  const owned = bundles.filter(() => chance.odds(0.8))
  const most = chance.between(1, names.length)
  return whole({
    op: 'bundle-candidates',
    brokers: Object.fromEntries(names.map((name) => [name, { cpu: cpu(chance), topics: chance.between(0, 12) }])),
    owned: Object.fromEntries(owned.map((bundle) => [bundle, names[chance.between(0, most - 1)]!])),
    bundles: chance.shuffled(bundles).slice(0, 12),
    config: config(chance),
    ...(chance.odds(0.5) ? { isolation: isolation(chance, names.length) } : {}),
    ...(chance.odds(0.6) ? { groups: Object.fromEntries(namespaces.map((name) => [name, chance.pick(GROUPS)])) } : {}),
    ...(chance.odds(0.6) ? { domains: domains(chance, names) } : {}),
  })
}

const cpu = (chance: Chance): number => (chance.odds(0.2) ? chance.between(80, 100) : chance.between(0, 84))

function config(chance: Chance): object {
  return {
    loadBalancerBrokerMaxTopics: chance.pick([50_000, 50_000, 6, 2]),
    loadBalancerDistributeBundlesEvenlyEnabled: chance.odds(0.5),
    failureDomainsEnabled: chance.odds(0.7),
  }
}

function domains(chance: Chance, names: readonly string[]): object {
  return Object.fromEntries(names.filter(() => chance.odds(0.8)).map((name) => [name, chance.pick(DOMAINS)]))
}

/** Policies that leave a broker for every namespace: the first broker is primary of none, and secondary always. */
function isolation(chance: Chance, brokers: number): object[] {
  const host = () => `b${chance.between(Math.min(1, brokers - 1), brokers - 1)}`
  const primaries = () => (brokers === 1 ? ['none'] : chance.times(chance.between(1, 3), host))
  return chance.times(chance.between(1, 2), (i) => ({
    name: `p${i}`,
    namespaces: [chance.pick(['t/.*', 't/a', 'u/.*', '.*/a'])],
    primary: primaries(),
    secondary: ['b0', ...chance.times(chance.between(0, 2), host)],
    minLimit: brokers === 1 ? 1 : chance.between(1, 4),
  }))
}
