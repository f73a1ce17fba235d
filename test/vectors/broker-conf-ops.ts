/** Settings read from a broker.conf. */
import { readBrokerConf } from '../../src/pulsar/broker-conf.js'
import { type LoadSettings, loadSettings } from '../../src/pulsar/load-settings.js'
import type { PulsarVersion } from '../../src/types.js'
import type { Ops } from './answer.js'

/** What a release lacks, and the jar leaves out of its answer. */
const ABSENT_BEFORE_4_2: readonly string[] = ['loadBalancerSheddingExcludedNamespaces']

interface Question {
  readonly text: string
  readonly names: readonly (keyof LoadSettings)[]
}

export const BROKER_CONF_OPS = {
  'broker-conf': ({ text, names }: Question, version: PulsarVersion) => {
    const settings = loadSettings(readBrokerConf(text, { version }).settings, { version })
    const known = names.filter((name) => version !== '3.0' || !ABSENT_BEFORE_4_2.includes(name))
    return { values: Object.fromEntries(known.map((name) => [name, settings[name]])) }
  },
} satisfies Ops
