/**
 * A gateway's loop stays compiled: text beyond ASCII, Buffers, long keys and changing numbers of partitions take nothing back of
 * what V8 has optimised, once it has met them.
 */
import { spawnSync } from 'node:child_process'
import test from 'ava'

const INDEX = new URL('../src/index.js', import.meta.url).href

/** First ASCII alone, then everything, then everything again, now and then and in turns. */
const PROGRAM = `
const { hash, kafka } = await import(process.argv[1])
const ascii = Array.from({ length: 64 }, (_, i) => 'order-' + i * 7919)
const others = ['заказ-7', 'zürich', '東京-1', '\\ud800', '🚚'.repeat(30), Buffer.from('bytes'), 'k'.repeat(1024), Buffer.alloc(1024), '']
const asks = [hash.murmur2, hash.murmur3, hash.crc32, (key) => kafka.partitionForKey(key, 12)]
let sum = 0
function ask(key) {
  for (let i = 0; i < asks.length; i++) sum = (sum + asks[i](key)) | 0
}
function loop(rounds, every) {
  for (let i = 0; i < rounds; i++) ask(every > 0 && i % every === 0 ? others[(i / every) % others.length] : ascii[i & 63])
}
loop(300_000, 0)
loop(300_000, 2)
loop(300_000, 9)
console.log('settled')
loop(400_000, 100)
loop(100_000, 1)
loop(400_000, 0)
console.log('done', sum)
`

test('keys beyond ASCII deoptimise nothing that has met one before', (t) => {
  const options = ['--trace-deopt', '--input-type=module', '-e', PROGRAM, INDEX]
  const { stdout, stderr, status } = spawnSync(process.execPath, options, { encoding: 'utf8' })
  t.is(status, 0, stderr)
  const [before, after] = stdout.split('settled\n')
  t.regex(after!, /done -?\d+\n$/)
  t.regex(before!, /bailout|deoptimizing/, 'the trace tells of what is taken back')
  const ours = after!
    .split('\n')
    .filter(
      (line) =>
        /deoptimizing/.test(line) &&
        /ofString|ofBytes|ofWhole|writeUnits|writeText|hashUtf8|partitionForKey|murmur|crc32/.test(line),
    )
  t.deepEqual(ours, [])
})
