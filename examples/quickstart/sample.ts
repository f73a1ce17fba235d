/**
 * The sample of the quickstart: topic names of a multi-tenant Pulsar cluster, and keys of Kafka records, made on the spot
 * from a seed. Equal seeds give equal samples on every machine.
 *
 * What makes it realistic is what makes placement hard: a few tenants own most topics; topics come in families
 * (`-partition-0` ..., numbered devices); consumers leave `-RETRY` and `-DLQ` topics; names are not all ASCII; a few keys
 * carry many records.
 */
import { Line } from './line.js'

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
const NOUNS = ['orders', 'payments', 'invoices', 'clicks', 'positions', 'telemetry', 'alerts', 'users', 'sessions']
const OTHER_NOUNS = ['주문', '注文', 'заказы', 'größen', 'événements', 'παραγγελίες', 'طلبات', '設備🚚']
const EVENTS = ['created', 'updated', 'deleted', 'v1', 'v2', 'raw', 'enriched', 'snapshot']
const SUBSCRIPTIONS = ['billing', 'search-indexer', 'fraud', 'warehouse']
const PARTITION_COUNTS = [3, 4, 6, 8, 8, 10, 12, 16, 16, 32, 64, 100]
const DEVICE_COUNTS = [10, 20, 50, 100]

/** So many topic names, of about 40 tenants. */
export function sampleTopics(count: number, seed: number): string[] {
  const draw = drawFrom(seed)
  const line = new Line()
  const names: string[] = []
  for (let number = 0; names.length < count; number++) {
    writeTopic(line.cut(0), draw, number)
    addFamily(names, line, draw)
  }
  names.length = count
  return names
}

function writeTopic(line: Line, draw: Draw, number: number): void {
  line.text(draw(33) === 0 ? 'non-persistent://' : 'persistent://').text(TENANTS[leaning(draw, TENANTS.length)]!)
  const region = leaning(draw, 4)
  if (region > 0) line.text('-').decimal(region)
  line.text('/').text(STAGES[leaning(draw, STAGES.length)]!).text('/')
  const nouns = draw(20) === 0 ? OTHER_NOUNS : NOUNS
  line.text(nouns[draw(nouns.length)]!).text('.').text(EVENTS[draw(EVENTS.length)]!).text('-').decimal(number)
}

/** One topic as users make it: alone, with its partitions, or for each device; and what its consumers leave beside it. */
function addFamily(names: string[], line: Line, draw: Draw): void {
  const kind = draw(100)
  if (kind < 44) names.push(line.toString())
  else if (kind < 46) addNumbered(names, line, '-device-', DEVICE_COUNTS[draw(DEVICE_COUNTS.length)]!)
  else addNumbered(names, line, '-partition-', PARTITION_COUNTS[leaning(draw, PARTITION_COUNTS.length)]!)
  if (kind % 5 > 0) return
  line.text('-').text(SUBSCRIPTIONS[draw(SUBSCRIPTIONS.length)]!)
  const subscription = line.length
  names.push(line.text('-RETRY').toString(), line.cut(subscription).text('-DLQ').toString())
}

/** Pushes `count` numbered names and leaves the line as it was. */
function addNumbered(names: string[], line: Line, mark: string, count: number): void {
  const topic = line.length
  line.text(mark)
  const numbered = line.length
  for (let i = 0; i < count; i++) names.push(line.cut(numbered).decimal(i).toString())
  line.cut(topic)
}

/** So many record keys: ids of several makes, and one record in ten under one of a hundred busy keys. */
export function sampleKeys(count: number, seed: number): string[] {
  const draw = drawFrom(seed ^ 0x5f3759df)
  const line = new Line()
  return Array.from({ length: count }, () => writeKey(line.cut(0), draw).toString())
}

function writeKey(line: Line, draw: Draw): Line {
  switch (draw(10)) {
    case 0:
      return line.text('tenant-').decimal(leaning(draw, 100))
    case 1:
    case 2:
    case 3:
      return line.text('order-').decimal(draw(5_000_000))
    case 4:
    case 5:
      return writeUuid(line, draw)
    case 6:
    case 7:
      return line.decimal(draw(0xffffffff))
    case 8:
      return line
        .text('{"id":')
        .decimal(draw(1_000_000))
        .text(',"type":"')
        .text(EVENTS[draw(EVENTS.length)]!)
        .text('"}')
    default:
      return line.text(OTHER_NOUNS[draw(OTHER_NOUNS.length)]!).text('/').decimal(draw(100_000))
  }
}

function writeUuid(line: Line, draw: Draw): Line {
  line.hex(draw(0xffffffff), 8).text('-').hex(draw(0xffffffff), 4).text('-4').hex(draw(0xffffffff), 3)
  return line.text('-a').hex(draw(0xffffffff), 3).text('-').hex(draw(0xffffffff), 8).hex(draw(0xffffffff), 4)
}
