/** What the commands of a fresh clone set up, each part only where it is missing. */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { root, run } from './steps.mjs'

/** Runs npm: the one that runs this script, where one does; elsewhere that of the PATH. */
export function npm(args, options) {
  const self = process.env.npm_execpath ?? ''
  return self.endsWith('npm-cli.js') ? run(process.execPath, [self, ...args], options) : run('npm', args, options)
}

/** Runs a program of the development dependencies, without npx's own start. */
export function tool(name, args, options) {
  const [, program = name] = name.split(' ')
  const home = join(root, 'node_modules', name.split(' ')[0])
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const file = typeof bin === 'string' ? bin : bin[program]
  return run(process.execPath, [join(home, file), ...args], options)
}

/** Installs the development dependencies as the lock file says. */
export async function install(show) {
  const [lock, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((file) => join(root, file))
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return 'already there'
  await npm(['ci', '--no-audit', '--no-fund'], { show })
  return 'npm ci'
}

/**
 * Installs the compiler alone, in a folder of its own, as the lock file says: a tenth of the time that all the development
 * dependencies take, and all that the first answer needs.
 */
export async function installCompiler(show) {
  const folder = join(root, 'build/compiler')
  const found = ['node_modules', 'build/compiler/node_modules'].some((at) => existsSync(join(root, at, 'typescript')))
  if (found) return 'already there'
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const wanted = ['typescript', '@types/node', 'undici-types']
  const locked = wanted.map((name) => [`node_modules/${name}`, packages[`node_modules/${name}`]])
  const dependencies = Object.fromEntries(wanted.map((name, i) => [name, locked[i][1].version]))
  const manifest = { name: 'compiler', private: true, dependencies }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const lock = { name: 'compiler', lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(locked) } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  await npm(['ci', '--no-audit', '--no-fund'], { show, cwd: folder })
  return `typescript ${dependencies.typescript}`
}

/** Compiles what `scripts/build.mjs` calls `what`. */
export async function compile(show, what = 'published') {
  await run(process.execPath, [join(root, 'scripts/build.mjs'), what], { show })
}

/** Compiles what the first answer needs, unless all of it is newer than the sources. */
export async function compileFirst(show) {
  const built = ['dist/esm/index.js', 'build/examples/quickstart/main.js'].map((file) => join(root, file))
  const age = Math.min(...built.map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0)))
  const sources = ['src', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => join(root, folder, file)),
  )
  if (sources.every((file) => !/\.c?ts$/.test(file) || statSync(file).mtimeMs < age)) return 'already there'
  await compile(show, 'first')
}

/** True where Rust's cargo can be started. */
export function hasRust() {
  return spawnSync('cargo', ['--version'], { stdio: 'ignore' }).status === 0
}

/** How to get Rust. */
export const HOW_TO_GET_RUST = 'for the native one install Rust 1.89 or newer'

/**
 * Builds the addon and puts it into `src/binding`. The loader is generated elsewhere: the committed one is changed by
 * `npm run build:native` alone, and a test compares the two.
 */
export async function buildAddon(show) {
  const folder = join(root, 'build/addon')
  const generated = ['--js', 'binding.cjs', '--dts', 'binding.d.cts']
  await tool('@napi-rs/cli napi', ['build', '--platform', '--release', '--output-dir', folder, ...generated], { show })
  removeAddon()
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.node')) copyFileSync(join(folder, file), join(root, 'src/binding', file))
  }
}

/** Removes the addon of an earlier build. A process that has it open keeps it: a file is never written over. */
export function removeAddon() {
  for (const file of readdirSync(join(root, 'src/binding'))) {
    if (file.endsWith('.node')) rmSync(join(root, 'src/binding', file))
  }
}
