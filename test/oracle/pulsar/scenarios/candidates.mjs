// candidates: who may have a bundle in the modular load manager, filter by filter, and whether it may be unloaded.

import { hex } from './bundles.mjs'

const bundleName = (namespace, i) => `${namespace}/${hex(i * 2 ** 24)}_${hex((i + 1) * 2 ** 24)}`

export function candidates(random) {
  return [...edges(), ...random.times(120, () => drawn(random))]
}

/** One filter at a time. */
function edges() {
  const brokers = Object.fromEntries(['b0', 'b1', 'b2', 'b3'].map((name, i) => [`${name}:8080`, { cpu: 10 * i, topics: 2 * i }]))
  const a = [0, 1, 2, 3, 4].map((i) => bundleName('t/a', i))
  const owned = { [a[0]]: 'b0:8080', [a[1]]: 'b0:8080', [a[2]]: 'b1:8080', [a[3]]: 'b2:8080', [bundleName('t/b', 0)]: 'b3:8080' }
  const ask = (more, config = {}) => ({ op: 'bundle-candidates', brokers, owned, bundles: a, config: { loadBalancerDistributeBundlesEvenlyEnabled: false, ...config }, ...more })
  const group = { 't/a': 'g', 't/b': 'G' }
  const domains = { 'b0:8080': 'x', 'b1:8080': 'x', 'b2:8080': 'y' }
  const policy = (more) => ({ isolation: [{ name: 'p', namespaces: ['t/a'], primary: ['b[12]'], secondary: ['b3'], ...more }] })
  return [
    ask({}), ask({}, { loadBalancerDistributeBundlesEvenlyEnabled: true }), ...[6, 5, 4, 1, 0, -1].map((most) => ask({}, { loadBalancerBrokerMaxTopics: most })),
    ask({ groups: group }), ask({ groups: { 't/a': 'g' } }), ask({ groups: { 't/a': ' ', 't/b': 'g' } }), ask({ groups: group, domains }), ask({ groups: group, domains }, { failureDomainsEnabled: true }), ask({ groups: group }, { failureDomainsEnabled: true }),
    ...[0, 1, 2, 3, 4].map((minLimit) => ask(policy({ minLimit }))), ask(policy({ primary: ['b'], secondary: ['b3.*'] })), ask(policy({ namespaces: ['t/b'] })), ask(policy({ namespaces: ['t'] })),
    ask({ brokers: Object.fromEntries(Object.keys(brokers).map((name) => [name, { cpu: 90 }])) }), ask({ brokers: { ...brokers, 'b0:8080': { cpu: 86 } } }), ask({ brokers: { ...brokers, 'b0:8080': { cpu: 85 } } }),
    ask({ brokers: { 'b0:8080': {} }, owned: { [a[0]]: 'b0:8080' } }), ask({ bundles: [bundleName('pulsar/system', 1)], owned: { [bundleName('pulsar/system', 0)]: 'b0:8080' } }),
  ]
}

function drawn(random) {
  const names = random.times(random.int(2, 7), (i) => `b${i}:8080`)
  const namespaces = ['t/a', 't/b', 'u/a']
  const bundles = namespaces.flatMap((name) => random.times(random.int(1, 6), (i) => bundleName(name, i)))
  const host = () => `b${random.int(1, names.length - 1)}`
  const isolation = random.times(random.int(0, 2), (i) => ({
    name: `p${i}`, namespaces: [random.pick(['t/.*', 't/a', 'u/.*'])], primary: random.times(random.int(1, 3), host), secondary: ['b0', host()], minLimit: random.int(1, 3),
  }))
  return {
    op: 'bundle-candidates', isolation, bundles: random.shuffled(bundles).slice(0, 8),
    brokers: Object.fromEntries(names.map((name) => [name, { cpu: random.int(0, 100), topics: random.int(0, 9) }])),
    owned: Object.fromEntries(bundles.filter(() => random.chance(0.8)).map((bundle) => [bundle, random.pick(names)])),
    groups: random.chance(0.6) ? Object.fromEntries(namespaces.map((name) => [name, random.pick(['g', 'G', 'h', ''])])) : {},
    domains: Object.fromEntries(names.filter(() => random.chance(0.8)).map((name) => [name, random.pick(['east', 'west'])])),
    config: { loadBalancerBrokerMaxTopics: random.pick([50000, 5]), loadBalancerDistributeBundlesEvenlyEnabled: random.chance(0.5), failureDomainsEnabled: random.chance(0.6) },
  }
}
