/**
 * The settings by which a scalable topic splits, merges and rebuckets its segments by itself, and the broker's defaults.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.broker.ServiceConfiguration and
 * org.apache.pulsar.broker.service.scalable.AutoScaleConfig. Bytes are counted in decimal megabytes.
 */
import { checkInteger, codedError, shown } from '../errors.js'

/** Settings of broker.conf, under their names; those left out have the broker's defaults. */
export interface AutoScaleConfig {
  readonly scalableTopicAutoScaleEnabled: boolean
  readonly scalableTopicMinSegments: number
  readonly scalableTopicMaxSegments: number
  readonly scalableTopicMaxDagDepth: number
  readonly scalableTopicEntryBucketMaxPerSegment: number
  readonly scalableTopicSplitCooldownSeconds: number
  readonly scalableTopicRebucketCooldownSeconds: number
  readonly scalableTopicMergeCooldownSeconds: number
  readonly scalableTopicMergeWindowSeconds: number
  readonly scalableTopicSplitVsRebucketMinMsgRateInThreshold: number
  readonly scalableTopicSplitMsgRateInThreshold: number
  readonly scalableTopicSplitBytesRateInThreshold: number
  readonly scalableTopicSplitMsgRateOutThreshold: number
  readonly scalableTopicSplitBytesRateOutThreshold: number
  readonly scalableTopicMergeMsgRateInThreshold: number
  readonly scalableTopicMergeBytesRateInThreshold: number
  readonly scalableTopicMergeMsgRateOutThreshold: number
  readonly scalableTopicMergeBytesRateOutThreshold: number
}

/** The broker's defaults. */
export const AUTO_SCALE_DEFAULTS: AutoScaleConfig = Object.freeze({
  scalableTopicAutoScaleEnabled: true,
  scalableTopicMinSegments: 1,
  scalableTopicMaxSegments: 64,
  scalableTopicMaxDagDepth: 10,
  scalableTopicEntryBucketMaxPerSegment: 1024,
  scalableTopicSplitCooldownSeconds: 60,
  scalableTopicRebucketCooldownSeconds: 60,
  scalableTopicMergeCooldownSeconds: 300,
  scalableTopicMergeWindowSeconds: 300,
  scalableTopicSplitVsRebucketMinMsgRateInThreshold: 1000,
  scalableTopicSplitMsgRateInThreshold: 10_000,
  scalableTopicSplitBytesRateInThreshold: 50_000_000,
  scalableTopicSplitMsgRateOutThreshold: 50_000,
  scalableTopicSplitBytesRateOutThreshold: 250_000_000,
  scalableTopicMergeMsgRateInThreshold: 1000,
  scalableTopicMergeBytesRateInThreshold: 5_000_000,
  scalableTopicMergeMsgRateOutThreshold: 5000,
  scalableTopicMergeBytesRateOutThreshold: 25_000_000,
})

const COUNT = [0, 2 ** 31 - 1] as const

/**
 * The settings with those given laid over the defaults. A limit that loads are divided by is above 0.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_UNKNOWN_NAME
 */
export function checkedConfig(given: Partial<AutoScaleConfig> = {}): AutoScaleConfig {
  const config: AutoScaleConfig = { ...AUTO_SCALE_DEFAULTS, ...given }
  for (const [name, value] of Object.entries(config)) {
    if (!Object.hasOwn(AUTO_SCALE_DEFAULTS, name)) throw unknownSetting(name)
    if (name === 'scalableTopicAutoScaleEnabled') continue
    if (/Threshold$/.test(name)) checkRate(value, `config.${name}`)
    else checkInteger(value, `config.${name}`, [/Segments?$/.test(name) ? 1 : 0, COUNT[1]])
    if (/TopicSplit(Msg|Bytes)/.test(name) && value === 0) {
      throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `config.${name}: expected a number above 0, got 0`)
    }
  }
  return config
}

function unknownSetting(name: string): Error {
  return codedError('ERR_PLACEMENT_UNKNOWN_NAME', `config: expected settings of scalable topics, got ${shown(name)}`)
}

/** Refuses everything but a number from 0 on. */
export function checkRate(value: unknown, name: string): void {
  if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return
  const code = typeof value === 'number' ? 'ERR_PLACEMENT_ARGUMENT_RANGE' : 'ERR_PLACEMENT_ARGUMENT_TYPE'
  throw codedError(code, `${name}: expected a number from 0 on, got ${shown(value)}`)
}
