/**
 * The arrows of the house, read from the imports: core ← binding ← engine ← facade ← command line, and nothing back.
 *
 * Also what keeps the house in order: where `unsafe` lives, what the core may not know, what the package may not bring,
 * the top level, and that no test file is missed.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Files below a folder, as paths from the top level with `/`. */
function filesBelow(folder: string, ending: RegExp): string[] {
  if (!existsSync(join(ROOT, folder))) return []
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => ending.test(name)).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
}

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const IMPORT =
  /^(?:import|export)\s+(?<type>type\s)?(?:[^'"`;]*?\sfrom\s+)?['"](?<path>[^'"]+)['"]|require\(['"](?<required>[^'"]+)['"]\)|import\(['"](?<dynamic>[^'"]+)['"]\)/gm

function importsOf(from: string): Import[] {
  return [...textOf(from).matchAll(IMPORT)].map(({ groups }) => {
    const path = (groups!['path'] ?? groups!['required'] ?? groups!['dynamic'])!
    return { from, to: targetOf(from, path), typeOnly: groups!['type'] !== undefined }
  })
}

/** The source behind a relative import; a package's name as it stands. */
function targetOf(from: string, path: string): string {
  if (!path.startsWith('.')) return path
  const stem = posix.join(dirname(from), path)
  const sources = [stem.replace(/\.js$/, '.ts'), stem.replace(/\.cjs$/, '.cts'), stem]
  return sources.find((source) => existsSync(join(ROOT, source))) ?? stem
}

const SOURCES = filesBelow('src', /\.c?ts$/).filter((path) => !path.startsWith('src/binding/'))
const IMPORTS = SOURCES.flatMap(importsOf)

type Layer = 'ground' | 'fallback' | 'binding' | 'engine' | 'facade' | 'cli'

/** What each layer may import beside itself. The ground is what has no system of its own: types, errors, packing. */
const MAY_IMPORT: Readonly<Record<Layer, readonly Layer[]>> = {
  ground: [],
  fallback: ['ground'],
  binding: [],
  engine: ['ground', 'fallback', 'binding'],
  facade: ['ground', 'fallback', 'engine'],
  cli: ['ground', 'facade', 'engine'],
}

const GROUND = ['src/types.ts', 'src/errors.ts', 'src/packing.ts', 'src/turns.ts']

function layerOf(path: string): Layer {
  if (GROUND.includes(path)) return 'ground'
  const room = /^src\/(fallback|binding|engine|cli)\//.exec(path)?.[1]
  return (room ?? 'facade') as Layer
}

/** Sentences about imports that break a rule; none is right. */
const broken = (imports: readonly Import[]): string[] => imports.map(({ from, to }) => `${from} imports ${to}`)

const isOurs = ({ to }: Import): boolean => to.startsWith('src/')

test('each layer imports only what lies below it', (t) => {
  const wrong = IMPORTS.filter(isOurs).filter(({ from, to, typeOnly }) => {
    const [here, there] = [layerOf(from), layerOf(to)]
    const contract = typeOnly && /^src\/engine\/([a-z]+-)?contract\.ts$/.test(to)
    return here !== there && !contract && !MAY_IMPORT[here].includes(there)
  })
  t.deepEqual(broken(wrong), [])
})

test('the reading of imports sees them: engine, fallback and facade are joined', (t) => {
  const arrows = new Set(IMPORTS.filter(isOurs).map(({ from, to }) => `${layerOf(from)} → ${layerOf(to)}`))
  for (const arrow of ['fallback → ground', 'engine → fallback', 'engine → binding', 'facade → engine']) {
    t.true(arrows.has(arrow), arrow)
  }
})

test('every import of ours leads to a file', (t) => {
  const binding = /^src\/binding\/binding\.(cjs|d\.cts)$/
  const lost = IMPORTS.filter(isOurs).filter(({ to }) => !existsSync(join(ROOT, to)) && !binding.test(to))
  t.deepEqual(broken(lost), [])
})

test('no two source files import each other in a ring, but for types', (t) => {
  const below = new Map<string, string[]>()
  for (const { from, to, typeOnly } of IMPORTS) if (!typeOnly) below.set(from, [...(below.get(from) ?? []), to])
  const rings = SOURCES.filter((start) => reachable(below, start).has(start))
  t.deepEqual(rings, [])
})

function reachable(below: ReadonlyMap<string, readonly string[]>, start: string): Set<string> {
  const seen = new Set<string>()
  const open = [...(below.get(start) ?? [])]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    open.push(...(below.get(at) ?? []))
  }
  return seen
}

test('the sources import no package: there is no runtime dependency', (t) => {
  const foreign = IMPORTS.filter((one) => !isOurs(one) && !one.to.startsWith('node:'))
  t.deepEqual(broken(foreign), [])
})

test('import.meta is used by the command line alone: the rest is compiled to CommonJS too', (t) => {
  const users = SOURCES.filter((path) => layerOf(path) !== 'cli' && /\bimport\.meta\b/.test(textOf(path)))
  t.deepEqual(users, [])
})

test('the fallback has no clock, no randomness, no logging, no environment and no input or output', (t) => {
  const impure = /\bDate\b|Math\.random|\bperformance\.|\bconsole\.|\bprocess\.|from 'node:(?!buffer')/
  const found = filesBelow('src/fallback', /\.ts$/).filter((path) => impure.test(codeOf(path)))
  t.deepEqual(found, [])
})

/** A source without its comments. */
const codeOf = (path: string): string => textOf(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

test('unsafe Rust lives in the lanes and the binding alone', (t) => {
  const rust = filesBelow('native', /\.rs$/).filter((path) => !/\/(target|corpus|artifacts)\//.test(path))
  const users = rust.filter((path) => /\bunsafe\b(?!_)/.test(codeOf(path)))
  // The test of the arms asks the system for pages that nobody may read: a read past the end is a crash there.
  const elsewhere = users.filter((path) => !/^native\/(core\/src\/lanes\/|core\/tests\/arms\.rs|binding\/)/.test(path))
  t.true(users.length > 0, 'the search finds the uses there are')
  t.deepEqual(elsewhere, [])
})

test('the core forbids unsafe code at its door', (t) => {
  t.regex(textOf('native/core/src/lib.rs') + textOf('Cargo.toml'), /(deny|forbid)\(unsafe_code\)|unsafe_code = /)
})

test('the core knows no N-API, no files, no clock and no randomness', (t) => {
  const dependencies = /\[dependencies\]([\s\S]*?)(\n\[|$)/.exec(textOf('native/core/Cargo.toml'))?.[1] ?? ''
  t.notRegex(dependencies, /napi|rand/)
  const foreign = /\bnapi\b|std::(fs|net|io|env|process)\b|SystemTime|Instant\b/
  t.deepEqual(
    filesBelow('native/core/src', /\.rs$/).filter((path) => foreign.test(codeOf(path))),
    [],
  )
})

test('each room of the core has its twin in the fallback, under the same name', (t) => {
  for (const family of ['hash', 'kafka', 'pulsar']) {
    const rooms = [...textOf(`native/core/src/${family}/mod.rs`).matchAll(/^pub mod (\w+);/gm)].map(([, name]) => name!)
    t.true(rooms.length > 0, family)
    for (const room of rooms) {
      const twin = `src/fallback/${family}/${room.replaceAll('_', '-')}.ts`
      t.true(existsSync(join(ROOT, twin)), twin)
      t.regex(textOf(twin), new RegExp(`Twin of[\\s*]+native/core/src/${family}/${room}\\.rs`), twin)
    }
  }
})

test('each twin that the fallback names is there', (t) => {
  const named = filesBelow('src/fallback', /\.ts$/).flatMap(
    (path) => textOf(path).match(/native\/core\/src\/[\w/]+\.rs/g) ?? [],
  )
  t.deepEqual(
    named.filter((path) => !existsSync(join(ROOT, path))),
    [],
  )
})

test('the package brings no dependency and runs nothing when it is installed', (t) => {
  const manifest = JSON.parse(textOf('package.json')) as Record<string, Record<string, string> | undefined>
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies']) {
    t.is(manifest[kind], undefined, kind)
  }
  const atInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish']
  t.deepEqual(
    Object.keys(manifest['scripts'] ?? {}).filter((name) => atInstall.includes(name)),
    [],
  )
})

test('development dependencies are pinned', (t) => {
  const { devDependencies } = JSON.parse(textOf('package.json')) as { devDependencies: Record<string, string> }
  t.deepEqual(
    Object.entries(devDependencies).filter(([, version]) => !/^(npm:@[\w/-]+@)?\d+\.\d+\.\d+$/.test(version)),
    [],
  )
})

const TOP_LEVEL = [
  ...['native', 'src', 'bench', 'test', 'npm', 'examples', 'docs', 'scripts', '.ci'],
  ...['Cargo.toml', 'Cargo.lock', 'build.rs', 'package.json', 'package-lock.json'],
  ...['tsconfig.json', 'tsconfig.cjs.json', 'tsconfig.test.json'],
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE'],
  ...['biome.json', 'rustfmt.toml', '.gitignore', '.editorconfig'],
]

test('the top level holds what it should, and nothing else', (t) => {
  if (!existsSync(join(ROOT, '.git'))) {
    t.pass('a source archive has nothing to ask git for')
    return
  }
  const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n')
  const names = new Set(tracked.filter((path) => path !== '').map((path) => path.split('/')[0]!))
  t.deepEqual(
    [...names].filter((name) => !TOP_LEVEL.includes(name)),
    [],
  )
})

test('every test file is compiled and found by the runner, and no compiled one has lost its source', (t) => {
  const sources = filesBelow('test', /\.test\.ts$/).map((path) => path.replace(/\.ts$/, '.js'))
  const compiled = filesBelow('build/test/test', /\.test\.js$/).map((path) => path.replace('build/test/', ''))
  t.true(sources.length > 0)
  t.deepEqual(compiled.sort(), sources.sort())
  const { ava } = JSON.parse(textOf('package.json')) as { ava: { files: string[] } }
  t.deepEqual(ava.files, ['build/test/test/**/*.test.js'])
})

test('whatever uses the test runner is named *.test.ts, so that the glob finds it', (t) => {
  const users = filesBelow('test', /\.[cm]?[jt]s$/).filter((path) => /from 'ava'/.test(textOf(path)))
  t.deepEqual(
    users.filter((path) => !path.endsWith('.test.ts')),
    [],
  )
})
