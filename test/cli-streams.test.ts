/** The command line on streams: constant memory, answers before the end, closed pipes, full disks, signals, whole files. */
import { mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import test from 'ava'
import { answer, drained, end, inFolder, run, start } from './cli-process.js'
import { ENGINES } from './engines.js'

/**
 * Tells on standard error how much memory the process has had at most, in KiB. Not `resourceUsage().maxRSS`: that one begins
 * with what the parent had when it made the process.
 */
const TELL_MEMORY = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync } from 'node:fs'
  const most = () => /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
  process.on('exit', () => process.stderr.write('most memory ' + most() + '\\n'))`,
)}`

/** Lines of some 55 bytes, in blocks of a thousand, made when they are asked for. */
function* lines(count: number, line: (i: number) => string): Generator<string> {
  for (let i = 0; i < count; i += 1000) {
    yield Array.from({ length: Math.min(1000, count - i) }, (_, j) => line(i + j)).join('')
  }
}

const topic = (i: number) => `persistent://tenant-${i % 97}/ns-${i % 13}/orders-${i}-partition-${i % 8}\n`

/** Command line, the lines it is given, and how many. */
const LONG: readonly [words: string, line: (i: number) => string, count: number][] = [
  ['kafka partition --partitions 12', topic, 2_000_000],
  ['kafka partition --partitions 12 --summary', topic, 1_000_000],
  ['pulsar bundle-range --bundles 64 -', topic, 500_000],
  ['pulsar bundles --bundles 64 -', topic, 500_000],
  ['kafka group --json -', (i) => `group-${i}\n`, 500_000],
  ['hash --algorithm crc32 --format csv --column 2', (i) => `${i},"a ""quoted"" key ${i} of a record",x\n`, 500_000],
  ['hash --algorithm murmur3 --format jsonl --jsonl', (i) => `"key ${i} that is a JSON string in a line"\n`, 500_000],
]

/** Ten times the input may take so much more: a collector that runs later, not a block that is kept. */
const MORE_KIB = 80 * 1024

/** Memory at the end, and lines answered. */
async function memoryOf(words: string, input: Iterable<string>): Promise<number> {
  const child = start([...words.split(' ')], { node: ['--import', TELL_MEMORY], stdio: ['pipe', 'ignore', 'pipe'] })
  const ended = end(child)
  for (const block of input) {
    if (!child.stdin!.write(block)) await drained(child.stdin!)
  }
  child.stdin!.end()
  const { code, err } = await ended
  if (code !== 0) throw new Error(err.join('\n'))
  return Number(/^most memory (\d+)$/.exec(err.at(-1)!)![1])
}

test.serial('memory does not grow with the input', async (t) => {
  t.timeout(300_000)
  for (const [words, line, count] of LONG) {
    const few = await memoryOf(words, lines(count / 10, line))
    const many = await memoryOf(words, lines(count, line))
    t.true(many < few + MORE_KIB, `${words}: ${few} KiB for ${count / 10} lines, ${many} KiB for ${count}`)
  }
})

for (const engine of ENGINES) {
  test.serial(`on ${engine}: two hundred thousand lines are answered one by one, in order`, async (t) => {
    const keys = [...lines(200_000, topic)].join('').trimEnd().split('\n')
    const { code, out } = await run(['hash', '--algorithm', 'crc32'], { engine, input: lines(200_000, topic) })
    t.is(code, 0)
    const expected = keys.map((key) => `${key}\t${crc32(key)}\n`).join('')
    t.true(out.equals(Buffer.from(expected)))
  })

  test.serial(`on ${engine}: a line of 10 MB is a key like any other, in every format`, async (t) => {
    const key = 'long'.repeat(2_500_000)
    const expected = `${crc32(key)}`
    for (const [format, input] of [
      ['lines', `a\n${key}\nb`],
      ['csv', `a\n"${key}"\nb`],
      ['jsonl', `"a"\n"${key}"\n"b"`],
    ] as const) {
      const text = await answer(['hash', '--algorithm', 'crc32', '--format', format], { engine, input })
      const rows = text.split('\n').map((row) => row.slice(row.lastIndexOf('\t') + 1))
      t.deepEqual(rows, ['3904355907', expected, '1908338681', ''], format)
    }
  })
}

test('a line is answered when it has come, not when the input ends', async (t) => {
  const child = start(['kafka', 'partition', '--partitions', '12'])
  child.stdin!.write('100:48069\n')
  const [first] = await new Promise<Buffer[]>((resolve) => child.stdout!.once('data', (block) => resolve([block])))
  t.is(first!.toString(), '100:48069\t9\n')
  child.stdin!.end()
  t.is((await end(child)).code, 0)
})

test('a pipe closed by its reader ends the program quietly', async (t) => {
  const child = start(['hash', '--algorithm', 'crc32'], { stdio: 'pipe' })
  child.stdin!.on('error', () => {})
  child.stdout!.once('data', () => child.stdout!.destroy())
  const closed = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const said: Buffer[] = []
  child.stderr!.on('data', (block) => said.push(block))
  for (const block of lines(1_000_000, topic)) {
    if (child.exitCode !== null || child.stdin!.destroyed) break
    if (!child.stdin!.write(block)) await drained(child.stdin!)
  }
  t.is(await closed, 0)
  t.is(Buffer.concat(said).toString().split('\n').length, 2)
})

test('a full disk is an error with a code', async (t) => {
  const full = openSync('/dev/full', 'w')
  const child = start(['hash', '--algorithm', 'crc32', 'examples/keys.txt'], { stdio: ['ignore', full, 'pipe'] })
  const { code, err } = await end(child)
  t.is(code, 2)
  t.is(
    err.at(-1),
    'topic-placement: standard output: expected to write the answer, got ENOSPC (no space left on the device) [ERR_PLACEMENT_WRITE]',
  )
  const device = await run(['hash', '--algorithm', 'crc32', '--output', '/dev/full', 'examples/keys.txt'])
  t.is(device.code, 2)
  t.regex(device.err.at(-1)!, /^topic-placement: \/dev\/full: .*ENOSPC.* \[ERR_PLACEMENT_WRITE\]$/)
})

test('an output file is there whole or not at all, and a failure leaves the old one', async (t) => {
  await inFolder(async (folder) => {
    const file = join(folder, 'answer.tsv')
    const words = ['hash', '--algorithm', 'crc32', '--format', 'jsonl', '--output', file]
    t.is((await run(words, { input: '"a"\n' })).out.length, 0)
    t.is(readFileSync(file, 'utf8'), '"a"\t3904355907\n')
    const bad = function* () {
      yield* lines(50_000, (i) => `"${i}"\n`)
      yield 'no JSON\n'
    }
    const { code, err } = await run(words, { input: bad() })
    t.is(code, 2)
    t.regex(err.at(-1)!, /^topic-placement: standard input:50001: /)
    t.is(readFileSync(file, 'utf8'), '"a"\t3904355907\n')
    t.deepEqual(readdirSync(folder), ['answer.tsv'])
  })
})

test('an output file behind a symbolic link is replaced where it lies', async (t) => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'there'))
    writeFileSync(join(folder, 'there/answer'), 'old')
    symlinkSync('there/answer', join(folder, 'link'))
    await answer(['hash', '--algorithm', 'crc32', '--output', join(folder, 'link')], { input: 'a' })
    t.is(readFileSync(join(folder, 'there/answer'), 'utf8'), 'a\t3904355907\n')
    t.deepEqual(readdirSync(join(folder, 'there')), ['answer'])
  })
})

test('a symbolic link to a file that is not there yet stays, and leads to the answer', async (t) => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'there'))
    symlinkSync('second', join(folder, 'first'))
    symlinkSync('there/answer', join(folder, 'second'))
    symlinkSync('circle', join(folder, 'circle'))
    await answer(['hash', '--algorithm', 'crc32', '--output', join(folder, 'first')], { input: 'a' })
    t.is(readFileSync(join(folder, 'there/answer'), 'utf8'), 'a\t3904355907\n')
    t.is(readlinkSync(join(folder, 'second')), 'there/answer')
    const { code, err } = await run(['hash', '--algorithm', 'crc32', '--output', join(folder, 'circle')], {
      input: 'a',
    })
    t.is(code, 2)
    t.regex(err.at(-1)!, /got ELOOP \(links that lead in a circle\)/)
    t.deepEqual(readdirSync(folder).toSorted(), ['circle', 'first', 'second', 'there'])
  })
})

test('an interrupted program ends with 130 and leaves nothing behind', async (t) => {
  await inFolder(async (folder) => {
    const child = start(['hash', '--algorithm', 'crc32', '--output', join(folder, 'answer')])
    child.stdin!.on('error', () => {})
    child.stdin!.write('a\n')
    const ended = end(child)
    while (readdirSync(folder).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGINT')
    t.is((await ended).code, 130)
    t.deepEqual(readdirSync(folder), [])
  })
})
