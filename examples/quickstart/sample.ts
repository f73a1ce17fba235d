/**
 * The sample of the quickstart: topic names of a multi-tenant Pulsar cluster, and keys of Kafka records, made on the spot
 * from a seed. Equal seeds give equal samples on every machine.
 *
 * What makes it realistic is what makes placement hard: a few tenants own most topics; topics come in families
 * (`-partition-0` ..., numbered devices); consumers leave `-RETRY` and `-DLQ` topics; names are not all ASCII; a few keys
 * carry many records.
 */

/** Numbers in `[0, below)`, from a seed: xorshift32. */
type Draw = (below: number) => number

function drawFrom(seed: number): Draw {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b) | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Small numbers often, large ones seldom: the least of two draws. */
function leaning(draw: Draw, below: number): number {
  return Math.min(draw(below), draw(below))
}

const TENANTS = ['acme', 'acme-eu', 'payments', 'logistics', 'iot', 'fleet', 'search', 'billing', 'media', 'bank-01']
const STAGES = ['prod', 'staging', 'eu-west', 'us-east', 'events', 'commands', 'audit', 'cdc', 'metrics', 'default']
const NOUNS = ['orders', 'payments', 'invoices', 'clicks', 'positions', 'telemetry', 'alerts', 'users', 'sessions', 'stock']
const OTHER_NOUNS = ['주문', '注文', 'заказы', 'größen', 'événements', 'παραγγελίες', 'طلبات', '設備🚚']
const EVENTS = ['created', 'updated', 'deleted', 'v1', 'v2', 'raw', 'enriched', 'snapshot']
const SUBSCRIPTIONS = ['billing', 'search-indexer', 'fraud', 'warehouse']
const PARTITION_COUNTS = [3, 4, 6, 8, 8, 10, 12, 16, 16, 32, 64, 100]

/** So many topic names, of about 40 tenants. */
export function sampleTopics(count: number, seed: number): string[] {
  const draw = drawFrom(seed)
  const names: string[] = []
  for (let number = 0; names.length < count; number++) addFamily(names, draw, number)
  names.length = count
  return names
}

/** One topic as users make it: with its partitions, and what its consumers leave beside it. */
function addFamily(names: string[], draw: Draw, number: number): void {
  const topic = topicName(draw, number)
  const kind = draw(100)
  if (kind < 45) {
    names.push(topic)
  } else {
    const partitions = PARTITION_COUNTS[leaning(draw, PARTITION_COUNTS.length)]!
    for (let p = 0; p < partitions; p++) names.push(`${topic}-partition-${p}`)
  }
  if (kind % 5 === 0) {
    const subscription = SUBSCRIPTIONS[draw(SUBSCRIPTIONS.length)]!
    names.push(`${topic}-${subscription}-RETRY`, `${topic}-${subscription}-DLQ`)
  }
}

function topicName(draw: Draw, number: number): string {
  const domain = draw(33) === 0 ? 'non-persistent' : 'persistent'
  const region = leaning(draw, 4)
  const tenant = `${TENANTS[leaning(draw, TENANTS.length)]!}${region === 0 ? '' : `-${region}`}`
  const namespace = STAGES[leaning(draw, STAGES.length)]!
  const nouns = draw(20) === 0 ? OTHER_NOUNS : NOUNS
  return `${domain}://${tenant}/${namespace}/${nouns[draw(nouns.length)]!}.${EVENTS[draw(EVENTS.length)]!}-${number}`
}

/** So many record keys: ids of several makes, and one record in ten under one of a hundred busy keys. */
export function sampleKeys(count: number, seed: number): string[] {
  const draw = drawFrom(seed ^ 0x5f3759df)
  return Array.from({ length: count }, () => recordKey(draw))
}

function recordKey(draw: Draw): string {
  switch (draw(10)) {
    case 0:
      return `tenant-${leaning(draw, 100)}`
    case 1:
    case 2:
    case 3:
      return `order-${draw(5_000_000)}`
    case 4:
    case 5:
      return `${hex(draw)}-${hex(draw).slice(4)}-4${hex(draw).slice(5)}-a${hex(draw).slice(5)}-${hex(draw)}${hex(draw).slice(4)}`
    case 6:
    case 7:
      return String(draw(0xffffffff))
    case 8:
      return `{"id":${draw(1_000_000)},"type":"${EVENTS[draw(EVENTS.length)]!}"}`
    default:
      return `${OTHER_NOUNS[draw(OTHER_NOUNS.length)]!}/${draw(100_000)}`
  }
}

function hex(draw: Draw): string {
  return draw(0xffffffff).toString(16).padStart(8, '0')
}
