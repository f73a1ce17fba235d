/**
 * A gateway: one record at a time, its key placed by one call, under a number of partitions that changes while records flow.
 * Prints what a call costs and what the change moved.
 *
 *     node build/examples/gateway.js [RECORDS]        (npm test builds it; default 1,000,000)
 *
 * Kafka moves no record when a topic grows: keys that go elsewhere from then on have records in two partitions.
 */
import { createHistogram } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { engine, kafka } from 'topic-placement'

/** What the cluster says of the topic; a client's metadata refresh would write it. */
const topic = { name: 'orders', partitions: 12 }

/** The gateway's whole work for a record: the partition that the Java producer would choose. */
function route(key: string): number {
  return kafka.partitionForKey(key, topic.partitions)
}

/** Records that come at once, before the event loop turns. */
const BURST = 1_000

const latency = createHistogram()

async function serve(records: number): Promise<void> {
  for (let record = 0; record < records; record += BURST) {
    for (let i = record; i < Math.min(record + BURST, records); i++) {
      const key = `order-${i % 100_000}`
      const began = process.hrtime.bigint()
      route(key)
      // A histogram holds no zero, and the clock may not have moved.
      latency.record(process.hrtime.bigint() - began || 1n)
    }
    await setImmediate()
  }
}

const records = Number(process.argv[2] ?? 1_000_000)
const watched = ['order-42', 'order-43', 'order-44']
const before = watched.map(route)
await serve(Math.ceil(records / 2))
topic.partitions = 24
await serve(Math.floor(records / 2))

const nanoseconds = (p: number) => `${latency.percentile(p)} ns`
console.log(`${latency.count} records of topic ${topic.name} routed, engine ${engine.name} (${engine.cpu})`)
console.log(
  `a call with the clock's own cost: p50 ${nanoseconds(50)}, p99.9 ${nanoseconds(99.9)}, worst ${latency.max} ns`,
)
watched.forEach((key, i) => {
  console.log(`${key}: partition ${before[i]} of 12, partition ${route(key)} of ${topic.partitions}`)
})
