/** The generated loader and its types, as committed, are what the binding's sources give today. Needs Rust. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { inFolder } from './cli-process.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const hasRust = spawnSync('cargo', ['--version'], { stdio: 'ignore' }).status === 0
const withRust = hasRust ? test : test.skip

withRust('binding.cjs and binding.d.cts are what napi generates from the sources', async (t) => {
  t.timeout(300_000, 'a cold build of the addon')
  await inFolder(async (folder) => {
    const napi = join(ROOT, 'node_modules/.bin/napi')
    const generated = ['--js', 'binding.cjs', '--dts', 'binding.d.cts']
    execFileSync(napi, ['build', '--platform', '--release', '--output-dir', folder, ...generated], {
      cwd: ROOT,
      stdio: 'pipe',
    })
    for (const file of ['binding.cjs', 'binding.d.cts']) {
      const [now, committed] = [folder, join(ROOT, 'src/binding')].map((at) => readFileSync(join(at, file), 'utf8'))
      t.is(now, committed!, `${file}: run "npm run build:native" and commit what it writes`)
    }
  })
})
