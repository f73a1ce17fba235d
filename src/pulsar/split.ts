/**
 * Where a bundle is cut: the four algorithms of Pulsar, defects included, and beside each a corrected one of ours.
 *
 * Source: Apache Pulsar 5.0.1, 4.2.4, 3.0.7 and 2.10.5 (which has the first two alone), the classes
 * org.apache.pulsar.common.naming.*BundleSplitAlgorithm and
 * org.apache.pulsar.broker.namespace.NamespaceService.getSplitBoundary.
 * What differs from the obvious: the last bundle ends with 0xffffffff, and so is cut one hash below its middle; topics of
 * one hash stand in the way of the cut by count; the cut by traffic adds 1, and may give no boundary or many; before 5.0 it
 * can be asked for only where it is the broker's default.
 */
import { engine } from '../engine/index.js'
import { checkInteger, checkList, checkName, codedError, shown } from '../errors.js'
import type { PulsarVersion } from '../types.js'
import { correctedBoundaries } from './corrected-split.js'
import { defaults, type SplitDefaults } from './defaults.js'
import { flowsOf, type TopicRates } from './topic-rates.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** Pulsar's algorithms, in its own order. */
export const PULSAR_SPLIT_ALGORITHMS = [
  'range_equally_divide',
  'topic_count_equally_divide',
  'specified_positions_divide',
  'flow_or_qps_equally_divide',
] as const
export type PulsarSplitAlgorithm = (typeof PULSAR_SPLIT_ALGORITHMS)[number]

/** Ours: what each of Pulsar's sets out to do, without its defects. */
export const CORRECTED_SPLIT_ALGORITHMS = [
  'range_equally_divide_corrected',
  'topic_count_equally_divide_corrected',
  'specified_positions_divide_corrected',
  'flow_or_qps_equally_divide_corrected',
] as const
export type CorrectedSplitAlgorithm = (typeof CORRECTED_SPLIT_ALGORITHMS)[number]

export type SplitAlgorithm = PulsarSplitAlgorithm | CorrectedSplitAlgorithm

/** All names that a split takes. */
export const SPLIT_ALGORITHMS: readonly SplitAlgorithm[] = [...PULSAR_SPLIT_ALGORITHMS, ...CORRECTED_SPLIT_ALGORITHMS]

/** Settings of the broker, under broker.conf's names; what is not given is the release's default. */
export type SplitConfig = { readonly [K in keyof SplitDefaults]?: SplitDefaults[K] | undefined }

/** What a boundary is computed from. */
export interface SplitQuestion extends PulsarVersionOption {
  /** The bundle's ends; a NamespaceBundle has them. */
  readonly range: { readonly lower: number; readonly upper: number }
  /** Default: `defaultNamespaceBundleSplitAlgorithm` of the settings. */
  readonly algorithm?: SplitAlgorithm | undefined
  /** CRC-32 of the full name of each topic in the bundle. Default: none are known, which is as none. */
  readonly hashes?: Uint32Array | undefined
  /** For `specified_positions_divide`. */
  readonly positions?: readonly number[] | null | undefined
  /** For `flow_or_qps_equally_divide`: the traffic of each topic. */
  readonly rates?: TopicRates | undefined
  readonly config?: SplitConfig | undefined
}

/**
 * The boundaries at which a bundle would be cut, ascending.
 *
 * @returns `null`, or an empty array, where nothing is split, as the original has it; a boundary may lie on an end of the
 *   bundle or twice among them: {@link NamespaceBundles.splitBundles} then refuses it as the broker does
 * @throws ERR_PLACEMENT_SPLIT without positions; ERR_PLACEMENT_ORIGINAL_FAILS for the traffic before 5.0 where another
 *   algorithm is the default; ERR_PLACEMENT_UNSUPPORTED for an algorithm that the release lacks;
 *   ERR_PLACEMENT_UNKNOWN_NAME, ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (of rates with index)
 * @example pulsar.splitBoundaries({ range: { lower: 0, upper: 0xffffffff } }) // → [2147483647]
 */
export function splitBoundaries(question: SplitQuestion): number[] | null {
  const asked = checkedQuestion(question)
  const { algorithm, range, hashes } = asked
  if (isCorrected(algorithm)) return correctedBoundaries(algorithm, asked)
  if (algorithm === 'range_equally_divide') return [range.lower + Math.floor((range.upper - range.lower) / 2)]
  if (algorithm === 'topic_count_equally_divide') return hashes.length < 2 ? null : [engine().middleHash(hashes)]
  return algorithm === 'specified_positions_divide' ? specified(asked) : byTraffic(asked)
}

/** A question with nothing left open. */
export interface CheckedSplit {
  readonly algorithm: SplitAlgorithm
  readonly range: SplitQuestion['range']
  readonly hashes: Uint32Array
  readonly positions: readonly number[]
  readonly rates: TopicRates
  readonly settings: SplitDefaults
  readonly version: PulsarVersion
}

function checkedQuestion(question: SplitQuestion): CheckedSplit {
  const version = pulsarVersion(question)
  const settings = splitSettings(question.config, version)
  const algorithm =
    question.algorithm === undefined
      ? splitAlgorithm(null, question)
      : checkName(question.algorithm, 'algorithm', SPLIT_ALGORITHMS)
  checkReleased(algorithm, version)
  const { hashes = NO_HASHES, rates = {}, range } = question
  if (!(hashes instanceof Uint32Array)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `hashes: expected a Uint32Array, got ${shown(hashes)}`)
  }
  return { algorithm, range, hashes, positions: checkPositions(question.positions), rates, settings, version }
}

const NO_HASHES = new Uint32Array(0)

const isCorrected = (name: SplitAlgorithm): name is CorrectedSplitAlgorithm =>
  (CORRECTED_SPLIT_ALGORITHMS as readonly string[]).includes(name)

function checkReleased(algorithm: SplitAlgorithm, version: PulsarVersion): void {
  if (isCorrected(algorithm) || algorithmsOf(version).includes(algorithm)) return
  const message = `algorithm: expected one of ${algorithmsOf(version).join(', ')} as Pulsar ${version}, got ${algorithm}`
  throw codedError('ERR_PLACEMENT_UNSUPPORTED', message)
}

/** The last two came with 2.11 and 3.0. */
const algorithmsOf = (version: PulsarVersion): readonly PulsarSplitAlgorithm[] =>
  isSince(version, '3.0') ? PULSAR_SPLIT_ALGORITHMS : PULSAR_SPLIT_ALGORITHMS.slice(0, 2)

function checkPositions(positions: readonly number[] | null | undefined): readonly number[] {
  if (positions === undefined || positions === null) return []
  checkList(positions, 'positions')
  return Array.from(positions, (position, i) =>
    checkInteger(position, `positions[${i}]`, [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]),
  )
}

/** Positions outside the bundle are left out, those on its ends too; those given twice stay. */
function specified({ range, hashes, positions }: CheckedSplit): number[] | null {
  if (positions.length === 0) throw noPositions()
  if (hashes.length < 2) return null
  const inside = positions.filter((position) => position > range.lower && position < range.upper)
  return inside.length === 0 ? null : inside.sort((a, b) => a - b)
}

function noPositions(): Error {
  return codedError('ERR_PLACEMENT_SPLIT', 'positions: expected one or more for specified_positions_divide, got none', {
    javaClass: 'java.lang.IllegalArgumentException',
    javaMessage: "SplitBoundaries can't be empty",
  })
}

function byTraffic({ hashes, rates, settings, version }: CheckedSplit): number[] | null {
  if (settings.defaultNamespaceBundleSplitAlgorithm !== 'flow_or_qps_equally_divide' && !isSince(version, '5.0')) {
    throw wrongOptions(version, settings)
  }
  if (hashes.length < 2) return null
  const found = engine().flowBoundaries(flowsOf(hashes, rates), flowLimitsOf(settings))
  return found === null ? null : [...found]
}

/** The broker's limits on the traffic of a bundle. They are 64-bit here, unlike those that decide whether to split. */
export function flowLimitsOf(settings: SplitDefaults) {
  return {
    maxMsgRate: settings.loadBalancerNamespaceBundleMaxMsgRate,
    maxThroughput: settings.loadBalancerNamespaceBundleMaxBandwidthMbytes * 1024 * 1024,
    share: 1 + (settings.flowOrQpsDifferenceThresholdPercentage ?? 0) / 100,
  }
}

const OPTION = 'org.apache.pulsar.common.naming.BundleSplitOption'
const FLOW_OPTION = 'org.apache.pulsar.common.naming.FlowOrQpsEquallyDivideBundleSplitOption'

/** Before 5.0 the broker prepares the options of its default algorithm, whichever was asked for. */
function wrongOptions(version: PulsarVersion, { defaultNamespaceBundleSplitAlgorithm: given }: SplitDefaults): Error {
  const expected = `expected flow_or_qps_equally_divide as defaultNamespaceBundleSplitAlgorithm, got ${given}`
  const message = `algorithm: ${expected}: the broker of Pulsar ${version} fails to split by traffic`
  return codedError('ERR_PLACEMENT_ORIGINAL_FAILS', message, {
    javaClass: 'java.lang.ClassCastException',
    javaMessage: `class ${OPTION} cannot be cast to class ${FLOW_OPTION} (${OPTION} and ${FLOW_OPTION} are in unnamed module of loader 'app')`,
  })
}

/** What the broker makes of a name. */
export interface SplitAlgorithmOptions extends PulsarVersionOption {
  readonly config?: SplitConfig | undefined
}

/**
 * The algorithm that the broker takes for a name: the one of that very name, else its default, else `range_equally_divide`.
 *
 * The admin API refuses an unknown name before that; the load managers do not.
 *
 * @example pulsar.splitAlgorithm('RANGE_EQUALLY_DIVIDE') // → 'range_equally_divide'
 */
export function splitAlgorithm(
  name: string | null | undefined,
  options: SplitAlgorithmOptions = {},
): PulsarSplitAlgorithm {
  const version = pulsarVersion(options)
  const { defaultNamespaceBundleSplitAlgorithm } = splitSettings(options.config, version)
  const known: readonly (string | null | undefined)[] = algorithmsOf(version)
  const found = [name, defaultNamespaceBundleSplitAlgorithm].find((one) => known.includes(one))
  return (found as PulsarSplitAlgorithm | undefined) ?? 'range_equally_divide'
}

/** Settings that are 32-bit integers in the broker. */
const INTEGERS = [
  'loadBalancerNamespaceMaximumBundles',
  'loadBalancerNamespaceBundleMaxTopics',
  'loadBalancerNamespaceBundleMaxSessions',
  'loadBalancerNamespaceBundleMaxMsgRate',
  'loadBalancerNamespaceBundleMaxBandwidthMbytes',
  'loadBalancerBrokerMaxTopics',
  'loadBalancerNamespaceBundleSplitConditionHitCountThreshold',
  'loadBalancerMaxNumberOfBundlesToSplitPerCycle',
  'flowOrQpsDifferenceThresholdPercentage',
] as const satisfies (keyof SplitDefaults)[]

const INT: readonly [number, number] = [-(2 ** 31), 2 ** 31 - 1]

/** The release's defaults with what is given over them. Errors: ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_ARGUMENT_TYPE. */
export function splitSettings(config: SplitConfig = {}, version?: PulsarVersion): SplitDefaults {
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
  for (const name of INTEGERS) if (name in given) checkInteger(given[name], `config.${name}`, INT)
  return { ...defaults({ version }).split, ...given }
}
