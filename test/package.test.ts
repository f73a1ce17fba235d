/**
 * What users install: the package as npm packs it, in an empty project without a network; alone, and with the package of
 * this platform's addon. `npm run build` must have been there before.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { type BuildOptions, buildSync } from 'esbuild'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'topic-placement-package-'))
test.after.always(() => rmSync(work, { recursive: true, force: true }))

/** The addon as this machine's build has it; `undefined` without Rust. */
const addon = readdirSync(join(ROOT, 'src/binding')).find((file) => file.endsWith('.node'))
/** `linux-x64-gnu` of `topic-placement.linux-x64-gnu.node`. */
const platform = addon?.split('.')[1]

interface Packed {
  readonly path: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly string[]
}

function npm(folder: string, args: readonly string[]): string {
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function pack(folder: string): Packed {
  const [report] = JSON.parse(npm(folder, ['pack', '--json', '--ignore-scripts', '--pack-destination', work]))
  const { filename, size, unpackedSize, files } = report
  return { path: join(work, filename), size, unpackedSize, files: files.map(({ path }: { path: string }) => path) }
}

/** The platform's package as a release makes it: what is committed below `npm`, and the addon. */
function packPlatform(): Packed {
  const folder = join(work, platform!)
  cpSync(join(ROOT, 'npm', platform!), folder, { recursive: true })
  copyFileSync(join(ROOT, 'src/binding', addon!), join(folder, addon!))
  return pack(folder)
}

/** An empty project with these packages in it. */
function project(name: string, ...packages: readonly Packed[]): string {
  const folder = join(work, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  npm(folder, ['install', '--offline', '--no-audit', '--no-fund', ...packages.map(({ path }) => path)])
  return folder
}

function node(folder: string, file: string, script: string): string {
  writeFileSync(join(folder, file), script)
  return execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8', env: environment() }).trim()
}

/** No engine forced: the package chooses as it does at a user's. */
function environment(): NodeJS.ProcessEnv {
  const { TOPIC_PLACEMENT_ENGINE: _engine, TOPIC_PLACEMENT_CPU: _cpu, ...rest } = process.env
  return rest
}

function logSize(t: ExecutionContext, { path, size, unpackedSize, files }: Packed): void {
  const kilobytes = [size, unpackedSize].map((bytes) => `${Math.round(bytes / 1024)} kB`)
  t.log(`${path.slice(work.length + 1)}: ${files.length} files, ${kilobytes[0]} packed, ${kilobytes[1]} installed`)
}

const main = pack(ROOT)
const alone = project('alone', main)

/** A key and its partition, from a bug report, as the vectors have it; and a layout of one bundle. */
const KEY = '354afe16-939a-4ea8-8e17-8bb0840b6886'
const ASK = `console.log(kafka.partitionForKey('${KEY}', 10), pulsar.NamespaceBundles.even(1).bundleOf('t'))`
const ANSWER = '4 0x00000000_0xffffffff'

test('the package holds the two builds and what npm wants, and no addon, test or source', (t) => {
  logSize(t, main)
  const unexpected = main.files.filter(
    (path) =>
      !/^dist\/(esm|cjs)\/.*\.(c?js|d\.c?ts|json)$|^(README\.md|LICENSE|CHANGELOG\.md|package\.json)$/.test(path),
  )
  t.deepEqual(unexpected, [])
  for (const path of ['LICENSE', 'README.md', 'dist/cjs/package.json', 'dist/esm/cli/main.js']) {
    t.true(main.files.includes(path), path)
  }
})

test('the package brings no dependency and runs no script when it is installed', (t) => {
  t.deepEqual(
    readdirSync(join(alone, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['topic-placement'],
  )
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  t.deepEqual(
    Object.keys(scripts).filter((name) => /install|prepare|prepublish/.test(name)),
    [],
  )
})

test('the package is required', (t) => {
  t.is(node(alone, 'ask.cjs', `const { kafka, pulsar } = require('topic-placement')\n${ASK}`), ANSWER)
})

test('the package is imported', (t) => {
  t.is(node(alone, 'ask.mjs', `import { kafka, pulsar } from 'topic-placement'\n${ASK}`), ANSWER)
})

test('the package brings the command line', (t) => {
  const command = join(alone, 'node_modules/.bin/topic-placement')
  const options = { input: `${KEY}\n`, encoding: 'utf8', env: environment() } as const
  t.is(execFileSync(command, ['kafka', 'partition', '--partitions', '10'], options), `${KEY}\t4\n`)
})

test("the package's types hold for ES modules, for CommonJS and for bundlers", (t) => {
  const script = [
    "import { TopicSet, type Packed, engine, hash, isCodedError, kafka, pulsar } from 'topic-placement'",
    "const partition: number = kafka.partitionForKey('a', 12)",
    "const partitions: Int32Array = kafka.partitionsForKeys(['a'], 12, { partitioner: 'sarama-hash' })",
    "const hashes: Uint32Array = hash.crc32(TopicSet.from(['a']))",
    'const packed: readonly Packed[] = TopicSet.from(["a"]).chunks',
    "const bundle: string = pulsar.NamespaceBundles.even(4).bundleOf('a')",
    '// @ts-expect-error a number is no key',
    'kafka.partitionForKey(1, 12)',
    'export const all = [partition, partitions, hashes, packed, bundle, engine.name, isCodedError(bundle)]',
  ].join('\n')
  for (const file of ['types.mts', 'types.cts', 'types.ts']) writeFileSync(join(alone, file), script)
  const strict = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2023', '--types', 'node']
  const typeRoots = ['--typeRoots', join(ROOT, 'node_modules/@types')]
  const tsc = (...args: readonly string[]) =>
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args, ...strict, ...typeRoots], {
      cwd: alone,
      encoding: 'utf8',
    })
  t.is(tsc('--module', 'node16', '--moduleResolution', 'node16', 'types.mts', 'types.cts'), '')
  t.is(tsc('--module', 'esnext', '--moduleResolution', 'bundler', 'types.ts'), '')
})

const TELL = 'console.log(JSON.stringify([engine.name, engine.reason]))'

test("without the platform's package the TypeScript engine answers, and says why", (t) => {
  const [name, reason] = JSON.parse(node(alone, 'engine.cjs', `const { engine } = require('topic-placement')\n${TELL}`))
  t.is(name, 'fallback')
  t.regex(reason, /^no addon: .*Cannot find module '@topic-placement\/binding-/)
})

const withPlatform = platform === undefined ? test.skip : test

withPlatform("with the platform's package the native engine answers, required and imported", (t) => {
  const addonPackage = packPlatform()
  logSize(t, addonPackage)
  t.deepEqual(addonPackage.files.toSorted(), ['README.md', 'package.json', addon!])
  const folder = project('with-platform', main, addonPackage)
  const required = node(folder, 'engine.cjs', `const { engine } = require('topic-placement')\n${TELL}`)
  const imported = node(folder, 'engine.mjs', `import { engine } from 'topic-placement'\n${TELL}`)
  t.deepEqual(JSON.parse(required), ['native', 'the addon loaded'])
  t.is(imported, required)
  t.is(node(folder, 'ask.mjs', `import { kafka, pulsar } from 'topic-placement'\n${ASK}`), ANSWER)
})

const onLinux = process.platform === 'linux' ? withPlatform : test.skip

onLinux(
  'a musl Linux, for which no addon is built, takes no other one: the TypeScript engine answers and names it',
  (t) => {
    const folder = project('musl', main, packPlatform())
    // What the loader looks at first, as Alpine has it.
    const ldd =
      "const fs = require('node:fs'), read = fs.readFileSync\nfs.readFileSync = (file, ...rest) => file === '/usr/bin/ldd' ? 'musl libc' : read(file, ...rest)"
    const [name, reason] = JSON.parse(
      node(folder, 'musl.cjs', `${ldd}\nconst { engine } = require('topic-placement')\n${TELL}`),
    )
    t.is(name, 'fallback')
    t.regex(reason, /^no addon: .*Cannot find module '@topic-placement\/binding-linux-\w+-musl'/)
  },
)

/** The project's question in one file, by esbuild, alone in a folder: no `node_modules` beside it. */
function bundled(folder: string, name: string, options: BuildOptions): readonly [engine: string, reason: string] {
  writeFileSync(join(folder, 'entry.mjs'), `import { engine, kafka, pulsar } from 'topic-placement'\n${TELL}\n${ASK}`)
  const format = options.format ?? 'cjs'
  const outfile = options.outfile ?? join(work, 'bundles', name, `ask.${format === 'esm' ? 'mjs' : 'cjs'}`)
  const common = { bundle: true, platform: 'node', format, logLevel: 'silent', absWorkingDir: folder } as const
  buildSync({ ...common, entryPoints: ['entry.mjs'], ...options, outfile })
  const output = execFileSync(process.execPath, [outfile], { encoding: 'utf8', env: environment() })
  const [told, answer] = output.trim().split('\n')
  if (answer !== ANSWER) throw new Error(`${name}: expected ${ANSWER}, got ${answer}`)
  return JSON.parse(told!)
}

test('a bundle without an addon answers by the TypeScript engine, and says what was not found', (t) => {
  const [engine, reason] = bundled(alone, 'alone', {})
  t.is(engine, 'fallback')
  t.regex(reason, /^no addon: .*Cannot find module '@topic-placement\/binding-/)
})

test('a bundle of ES modules, where nothing can be required, answers by the TypeScript engine and says so', (t) => {
  const [engine, reason] = bundled(alone, 'esm', { format: 'esm' })
  t.is(engine, 'fallback')
  t.regex(reason, /^no addon: .*Dynamic require of "fs" is not supported/)
})

withPlatform(
  'a bundler that knows no addon refuses it, and each way to take it ends in an engine and its reason',
  (t) => {
    const folder = project('bundled', main, packPlatform())
    const refused = t.throws(() => bundled(folder, 'refused', {}))
    t.regex(refused!.message, /No loader is configured for "\.node" files/)
    const native = ['native', 'the addon loaded']
    t.deepEqual(bundled(folder, 'copied', { loader: { '.node': 'copy' } }), native)
    const external = { external: ['@topic-placement/*'] }
    t.deepEqual(bundled(folder, 'beside', { ...external, outfile: join(folder, 'bundle.cjs') }), native)
    t.like(bundled(folder, 'elsewhere', external), ['fallback'])
    const put = 'no addon: a bundler has put'
    t.deepEqual(bundled(folder, 'empty', { loader: { '.node': 'empty' } }), [
      'fallback',
      `${put} something else in its place`,
    ])
    const [engine, reason] = bundled(folder, 'path', { loader: { '.node': 'file' } })
    t.is(engine, 'fallback')
    t.regex(reason, /^no addon: a bundler has put \.\/topic-placement\.[\w-]+\.node in its place$/)
  },
)

test('the packages of the platforms have the version and the licence of the main one', (t) => {
  const ours = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const name of readdirSync(join(ROOT, 'npm'))) {
    const theirs = JSON.parse(readFileSync(join(ROOT, 'npm', name, 'package.json'), 'utf8'))
    t.is(theirs.name, `${ours.napi.packageName}-${name}`)
    for (const field of ['version', 'license', 'engines']) t.deepEqual(theirs[field], ours[field], `${name}: ${field}`)
    t.is(theirs.scripts, undefined)
  }
})
