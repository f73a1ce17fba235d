/** What speaks against a number of bundles, in sentences with figures. */
import type { BundleCandidate } from './advise.js'

/** What a number of bundles is measured by. */
export interface Wishes {
  readonly peakToMean: number
  readonly coordinators: number | null
}

/** Families that reach less than this share of what random names would are told; a little less is chance. */
const CROWDED = 0.9

/** Each objection once; empty where there is none. */
export function objections(facts: Omit<BundleCandidate, 'against'>, wishes: Wishes): string[] {
  return [
    ...againstSpread(facts, wishes),
    ...againstCrowds(facts),
    ...againstSplits(facts),
    ...againstSystem(facts, wishes),
  ]
}

function againstSpread({ packed }: Omit<BundleCandidate, 'against'>, { peakToMean }: Wishes): string[] {
  if (packed.peakToMean <= peakToMean) return []
  const idle = packed.idle === 0 ? '' : `, ${packed.idle} brokers idle`
  return [`the fullest broker has ${packed.peakToMean.toFixed(2)} times the mean, however bundles are packed${idle}`]
}

function againstCrowds({ crowded, bundles }: Omit<BundleCandidate, 'against'>): string[] {
  const [worst] = crowded.filter(({ mean, expected }) => mean < CROWDED * expected)
  if (worst === undefined) return []
  const { kind, partitions, mean, expected } = worst
  const what = kind === 'partitions' ? `topics of ${partitions} partitions` : `runs of ${partitions} numbered topics`
  return [`${what} reach ${rounded(mean)} of ${bundles} bundles, where random names would reach ${rounded(expected)}`]
}

function againstSplits({ overLimit, hopeless }: Omit<BundleCandidate, 'against'>): string[] {
  const split = overLimit - Math.min(overLimit, hopeless)
  return split === 0
    ? []
    : [`${split} ${split === 1 ? 'bundle is' : 'bundles are'} over a limit and would be split at once`]
}

function againstSystem({ coordinators, bundles }: Omit<BundleCandidate, 'against'>, wishes: Wishes): string[] {
  if (coordinators === null || wishes.coordinators === null || coordinators >= wishes.coordinators) return []
  return [`${wishes.coordinators} transaction coordinators lie on ${coordinators} of ${bundles} bundles`]
}

const rounded = (value: number): string => String(Math.round(value * 10) / 10)
