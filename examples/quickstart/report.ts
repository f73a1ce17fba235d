/** The quickstart's answer as text for a person: counts first, the worst next, at most 100 columns. */
import type { pulsar } from 'topic-placement'
import type { KeyPlacement, Spread, TopicPlacement } from './placement.js'

const count = new Intl.NumberFormat('en-US')
const decimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, minimumFractionDigits: 2 })

function spreadRow(label: string, { places, min, mean, max, worstOverMean }: Spread): string {
  const figures = [count.format(places), count.format(min), decimal.format(mean), count.format(max)]
  return `  ${label.padEnd(42)}${figures.map((figure) => figure.padStart(11)).join('')}${decimal.format(worstOverMean).padStart(11)}`
}

const HEAD = `  ${''.padEnd(42)}${['places', 'min', 'mean', 'max', 'worst/mean'].map((name) => name.padStart(11)).join('')}`

/** Where the topics went. */
export function topicReport(placement: TopicPlacement, source: string): string {
  const { topics, namespaces, bundlesPerNamespace: n, brokers, perBundle, fullest } = placement
  return [
    `Pulsar: ${count.format(topics)} topics (${source}) in ${count.format(namespaces)} namespaces, ${n} bundles each`,
    HEAD,
    spreadRow('topics per bundle', perBundle),
    spreadRow(`topics per broker, bundles dealt evenly`, placement.dealtEvenly),
    spreadRow(`topics per broker, re-packed by load`, placement.repacked),
    `  ${brokers} brokers assumed (--brokers), bundles dealt evenly; re-packed by load: ${verdict(placement)}`,
    `  ${count.format(placement.emptyBundles)} bundles hold no topic; the fullest:`,
    ...fullest.map(({ bundle, topics: load }) => `    ${count.format(load).padStart(8)}  ${bundle}`),
  ].join('\n')
}

function verdict({ dealtEvenly, repacked }: TopicPlacement): string {
  const [before, after] = [dealtEvenly, repacked].map(({ worstOverMean }) => decimal.format(worstOverMean))
  return before === after ? `no better than ${before}` : `worst/mean from ${before} to ${after}`
}

/** What the number of bundles does to numbered names. */
export function aliasingReport(rows: readonly pulsar.SuffixAliasing[], bundles: number): string {
  if (rows.length === 0) return `Suffix collisions: none; numbered names spread over ${bundles} bundles as widely as random ones, or more`
  return [
    `Suffix collisions: CRC-32 is linear, so names that differ in a digit share bundles whatever they are called`,
    ...rows.map(aliasingRow),
  ].join('\n')
}

function aliasingRow(row: pulsar.SuffixAliasing): string {
  const reached = row.fewest === row.most ? `${row.most}` : `${row.fewest} to ${row.most}`
  const fix = row.separatedBy === null ? '' : `; ${row.separatedBy} bundles separate them`
  const what = row.kind === 'partitions' ? `topics of ${row.partitions} partitions` : `runs of ${row.partitions} numbers`
  return `  ${count.format(row.families).padStart(8)} ${what} reach ${reached} of ${row.possible} bundles${fix}`
}

/** Where the record keys went. */
export function keyReport({ keys, perPartition, heaviest }: KeyPlacement): string {
  return [
    `Kafka: ${count.format(keys)} records (sample keys) in ${perPartition.places} partitions, as the Java producer (murmur2)`,
    HEAD,
    spreadRow('records per partition', perPartition),
    `  the heaviest keys: ${heaviest.map(({ key, records, partition }) => `${key} (${count.format(records)} records → ${partition})`).join(', ')}`,
  ].join('\n')
}

/** Nanoseconds an item, and items a second. */
export interface Speed {
  readonly what: string
  readonly items: number
  readonly seconds: number
}

export function speedReport(title: string, speeds: readonly Speed[]): string {
  return [title, ...speeds.map(speedRow)].join('\n')
}

function speedRow({ what, items, seconds }: Speed): string {
  const rate = `${decimal.format(items / seconds / 1e6)} million/s`
  return `  ${what.padEnd(42)}${rate.padStart(18)}${`${decimal.format((seconds / items) * 1e9)} ns each`.padStart(18)}`
}
