/** The quickstart's answer as text for a person: counts first, the worst next, at most 100 columns. */
import type { pulsar } from 'topic-placement'
import type { KeyPlacement, Spread, TopicPlacement } from './placement.js'

/** A whole number: `1,000,000`. */
export function count(items: number): string {
  return items.toLocaleString('en-US')
}

/** A number with two decimals. */
export function decimal(number: number): string {
  return number.toLocaleString('en-US', { maximumFractionDigits: 2, minimumFractionDigits: 2 })
}

/** `1 topic`, `2 topics`. */
function plural(items: number, one: string): string {
  return `${count(items)} ${one}${items === 1 ? '' : 's'}`
}

const LABEL = 42
const FIGURE = 11

function row(label: string, figures: readonly string[]): string {
  return `  ${label.padEnd(LABEL)}${figures.map((figure) => figure.padStart(FIGURE)).join('')}`
}

const HEAD = row('', ['places', 'min', 'mean', 'max', 'worst/mean'])

function spreadRow(label: string, { places, min, mean, max, worstOverMean }: Spread): string {
  return row(label, [count(places), count(min), decimal(mean), count(max), decimal(worstOverMean)])
}

/** Where the topics went. */
export function topicReport(placement: TopicPlacement, source: string): string {
  const { topics, namespaces, bundlesPerNamespace, brokers, perBundle, largest, emptyBundles, fullest } = placement
  const width = Math.max(...fullest.map((bundle) => count(bundle.topics).length))
  return [
    `Pulsar: ${plural(topics, 'topic')} (${source})`,
    `in ${plural(namespaces, 'namespace')} of ${plural(bundlesPerNamespace, 'bundle')} each`,
    HEAD,
    spreadRow('topics per bundle, all namespaces', perBundle),
    spreadRow('topics per bundle, the largest namespace', largest.perBundle),
    spreadRow('topics per broker, bundles dealt evenly', placement.dealtEvenly),
    spreadRow('topics per broker, re-packed by load', placement.repacked),
    `  ${plural(brokers, 'broker')} assumed, bundles dealt evenly; re-packed by load: ${verdict(placement)}`,
    `  the largest namespace: ${largest.name} (${plural(largest.topics, 'topic')})`,
    `  ${emptyBundles === 1 ? '1 bundle holds' : `${count(emptyBundles)} bundles hold`} no topic; the fullest:`,
    ...fullest.map(({ bundle, topics: load }) => `    ${count(load).padStart(width)}  ${bundle}`),
  ].join('\n')
}

function verdict({ dealtEvenly, repacked }: TopicPlacement): string {
  const [before, after] = [dealtEvenly, repacked].map(({ worstOverMean }) => decimal(worstOverMean))
  return before === after ? `no better than ${before}` : `worst/mean from ${before} to ${after}`
}

/** Rows of the table of collisions; the rest is in the JSON document. */
const MOST_ROWS = 10

/** What the number of bundles does to numbered names. */
export function aliasingReport(rows: readonly pulsar.SuffixAliasing[], bundles: number): string {
  const of = plural(bundles, 'bundle')
  if (rows.length === 0)
    return `Suffix collisions with ${of}: none; numbered topics reach as many as random hashes would`
  const worst = [...rows].sort((a, b) => lost(b) - lost(a) || b.families * b.partitions - a.families * a.partitions)
  const hidden = worst.length - MOST_ROWS
  return [
    `Suffix collisions with ${of}: topics that differ only in the number at their end share bundles,`,
    'and which numbers collide does not depend on the name before them (CRC-32 is linear)',
    row('', ['reached', 'possible', 'lost', 'if random', 'apart at']),
    ...worst.slice(0, MOST_ROWS).map(aliasingRow),
    ...(hidden > 0 ? [`  and ${plural(hidden, 'size')} more (--json lists all)`] : []),
    '  lost: mean share of the possible bundles that stays empty; if random: what random hashes would',
    '  reach; apart at: the number of bundles that gives each topic of a family its own',
  ].join('\n')
}

/** The share of the possible bundles that a family leaves empty. */
function lost({ mean, possible }: pulsar.SuffixAliasing): number {
  return 1 - mean / possible
}

function aliasingRow(aliasing: pulsar.SuffixAliasing): string {
  const { kind, families, partitions, fewest, most, possible, expected, separatedBy } = aliasing
  const what =
    kind === 'partitions'
      ? `${plural(families, 'topic')} of ${plural(partitions, 'partition')}`
      : `${plural(families, 'run')} of ${plural(partitions, 'numbered topic')}`
  const reached = fewest === most ? count(most) : `${fewest} to ${most}`
  return row(`${what} ${families === 1 ? 'reaches' : 'reach'}`, [
    reached,
    count(possible),
    `${Math.round(lost(aliasing) * 100)} %`,
    decimal(expected),
    separatedBy === null ? '> 65,536' : count(separatedBy),
  ])
}

/** Where the record keys went. */
export function keyReport({ keys, perPartition, heaviest }: KeyPlacement, source: string): string {
  const width = Math.max(...heaviest.map(({ records }) => count(records).length))
  return [
    `Kafka: ${plural(keys, 'record')} (keys: ${source})`,
    `in ${plural(perPartition.places, 'partition')}, as the Java producer places them (murmur2)`,
    HEAD,
    spreadRow('records per partition', perPartition),
    '  the keys with most records:',
    ...heaviest.map(
      ({ key, records, partition }) => `    ${count(records).padStart(width)}  ${key} → partition ${partition}`,
    ),
  ].join('\n')
}
