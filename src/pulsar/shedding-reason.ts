/**
 * Why a leader sheds from a broker: which threshold was met, and with which figures. Kept as numbers, told in words when asked for.
 */
import type { LoadSettings } from './load-settings.js'

type SettingName = keyof LoadSettings

interface ReasonKind {
  /** The settings whose thresholds were met. */
  readonly settings: readonly SettingName[]
  /** What follows the broker's name. */
  readonly text: (figures: readonly number[]) => string
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
const plain = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1))

/** By kind, in the order of their numbers in a column. Figures are parts of 1 where the text has percent. */
export const REASON_KINDS = {
  /** usage, mean, threshold */
  'above-mean': {
    settings: ['loadBalancerBrokerThresholdShedderPercentage'],
    text: ([usage, mean, threshold]) => `at ${percent(usage!)} >= mean ${percent(mean!)} + ${percent(threshold!)}`,
  },
  /** usage, mean, threshold, usage of the emptiest */
  'idle-broker': {
    settings: ['lowerBoundarySheddingEnabled', 'loadBalancerBrokerThresholdShedderPercentage'],
    text: ([usage, mean, threshold, least]) =>
      `at ${percent(usage!)} is the fullest, and one at ${percent(least!)} < mean ${percent(mean!)} - ${percent(threshold!)}`,
  },
  /** usage, threshold */
  overloaded: {
    settings: ['loadBalancerBrokerOverloadedThresholdPercentage'],
    text: ([usage, threshold]) => `at ${percent(usage!)} >= ${percent(threshold!)}`,
  },
  /** most, least, limit in percent */
  'message-gap': {
    settings: ['loadBalancerMsgRateDifferenceShedderThreshold', 'maxUnloadPercentage'],
    text: ([most, least, limit]) =>
      `at ${plain(most!)} messages/s is ${plain(((most! - least!) * 100) / least!)} % above the least, ${plain(least!)} > ${plain(limit!)} %`,
  },
  /** most, least, limit */
  'byte-gap': {
    settings: ['loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold', 'maxUnloadPercentage'],
    text: ([most, least, limit]) =>
      `at ${plain(most!)} bytes/s is ${plain(most! / least!)} times the least, ${plain(least!)} > ${plain(limit!)}`,
  },
  /** score, score of the emptiest, threshold, all in percent; cycles */
  'pair-apart': {
    settings: ['loadBalancerAvgShedderLowThreshold', 'loadBalancerAvgShedderHitCountLowThreshold'],
    text: ([most, least, threshold, hits]) =>
      `at ${most!.toFixed(1)} % is paired with one at ${least!.toFixed(1)} %: >= ${plain(threshold!)} apart in ${hits} cycles`,
  },
  'pair-far-apart': {
    settings: ['loadBalancerAvgShedderHighThreshold', 'loadBalancerAvgShedderHitCountHighThreshold'],
    text: ([most, least, threshold, hits]) =>
      `at ${most!.toFixed(1)} % is paired with one at ${least!.toFixed(1)} %: >= ${plain(threshold!)} apart in ${hits} cycles`,
  },
  /** load, load of the emptiest, deviation, target */
  'wide-spread': {
    settings: ['loadBalancerBrokerLoadTargetStd', 'loadBalancerSheddingConditionHitCountThreshold'],
    text: ([most, least, std, target]) =>
      `at ${percent(most!)}, the emptiest at ${percent(least!)}: deviation ${std!.toFixed(3)} > ${target!.toFixed(3)}`,
  },
  /** load, load of the emptiest, mean, part of it */
  underloaded: {
    settings: ['loadBalancerBrokerLoadTargetStd', 'loadBalancerSheddingConditionHitCountThreshold'],
    text: ([most, least, mean, part]) =>
      `at ${percent(most!)}, the emptiest at ${percent(least!)} has less than ${part!.toFixed(3)} of mean ${percent(mean!)} or of its bytes/s`,
  },
  /** load, threshold, mean, target */
  'above-limit': {
    settings: ['loadBalancerBrokerOverloadedThresholdPercentage', 'loadBalancerBrokerLoadTargetStd'],
    text: ([load, limit, mean, target]) =>
      `at ${percent(load!)} > ${percent(limit!)} and > mean ${percent(mean!)} + ${target!.toFixed(3)}`,
  },
} as const satisfies Record<string, ReasonKind>

export type ReasonName = keyof typeof REASON_KINDS

/** Why one broker sheds. */
export interface SheddingReason {
  readonly kind: ReasonName
  readonly figures: readonly number[]
}
