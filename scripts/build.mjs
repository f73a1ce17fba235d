#!/usr/bin/env node
/**
 * Compiles the TypeScript, by what the first argument names:
 *
 * - nothing: `dist/esm` and `dist/cjs`, what is published;
 * - `test`: sources, tests and benches to `build/test`;
 * - `examples`: those to `build/examples`; they use `dist`;
 * - `first`: `dist/esm` and the examples without a look at the types, which is npm test's, for an answer soon;
 * - `addon`: nothing, the addon is copied alone.
 *
 * The generated loader is copied beside each build, with the addon where that has been built.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Where the development dependencies are, or before those the compiler alone. */
const modules = ['node_modules', 'build/compiler/node_modules'].find((folder) =>
  existsSync(join(root, folder, 'typescript')),
)

function tsc(project, ...options) {
  if (modules === undefined) throw new Error('no compiler here: run "npm ci", or "npm test", which does')
  const args = [join(root, modules, 'typescript/bin/tsc'), '-p', join(root, project), ...options]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

function copyBinding(folder) {
  const to = join(root, folder, 'binding')
  mkdirSync(to, { recursive: true })
  for (const file of readdirSync(to)) if (file.endsWith('.node')) rmSync(join(to, file))
  for (const file of readdirSync(join(root, 'src/binding'))) {
    if (/\.(cjs|cts|node)$/.test(file)) cpSync(join(root, 'src/binding', file), join(to, file))
  }
}

const builds = {
  published() {
    rmSync(join(root, 'dist'), { recursive: true, force: true })
    tsc('tsconfig.json')
    tsc('tsconfig.cjs.json')
    writeFileSync(join(root, 'dist/cjs/package.json'), '{"type":"commonjs"}\n')
    builds.addon()
    const program = join(root, 'dist/esm/cli/main.js')
    if (existsSync(program)) chmodSync(program, 0o755)
  },
  test() {
    tsc('tsconfig.test.json')
    copyBinding('build/test/src')
  },
  examples() {
    tsc('examples/tsconfig.json')
  },
  first() {
    const options = ['--noCheck', '--typeRoots', join(root, modules ?? '', '@types')]
    tsc('tsconfig.json', ...options)
    tsc('examples/tsconfig.json', ...options)
    copyBinding('dist/esm')
  },
  addon() {
    copyBinding('dist/esm')
    copyBinding('dist/cjs')
  },
}

const what = process.argv[2] ?? 'published'
if (!Object.hasOwn(builds, what)) throw new Error(`expected one of ${Object.keys(builds).join(', ')}, got ${what}`)
builds[what]()
