#!/usr/bin/env node
/**
 * Compiles the TypeScript: `dist/esm` and `dist/cjs` (default), with `test` the sources, tests and benches to `build/test`,
 * with `examples` those to `build/examples` (they use `dist`). The generated loader is copied beside each, with the addon
 * where it has been built; `addon` copies alone.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

function tsc(project) {
  const args = [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, project)]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

function copyBinding(folder) {
  const to = join(root, folder, 'binding')
  mkdirSync(to, { recursive: true })
  for (const file of readdirSync(join(root, 'src/binding'))) {
    if (/\.(cjs|cts|node)$/.test(file)) cpSync(join(root, 'src/binding', file), join(to, file))
  }
}

const [, , what] = process.argv
if (what === 'examples') {
  tsc('examples/tsconfig.json')
} else if (what === 'addon') {
  copyBinding('dist/esm')
  copyBinding('dist/cjs')
} else if (what === 'test') {
  tsc('tsconfig.test.json')
  copyBinding('build/test/src')
} else {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  tsc('tsconfig.json')
  tsc('tsconfig.cjs.json')
  writeFileSync(join(root, 'dist/cjs/package.json'), '{"type":"commonjs"}\n')
  copyBinding('dist/esm')
  copyBinding('dist/cjs')
  if (existsSync(join(root, 'dist/esm/cli/main.js'))) chmodSync(join(root, 'dist/esm/cli/main.js'), 0o755)
}
