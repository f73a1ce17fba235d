/** The C++ peer of bench/addon: built by g++ when first asked for, from headers that npm brought; nothing is downloaded. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ROOT } from '../machine.js'

const require = createRequire(import.meta.url)
const SOURCE = `${ROOT}bench/addon/peer.cc`
const FOLDER = `${ROOT}build/bench`
const BUILT = `${FOLDER}/peer.node`
/** The compiler's answer and ours: what the file was built with, since another Node.js may bring other headers. */
const BUILT_WITH = `${FOLDER}/peer.txt`

export interface CppPeer {
  partitions(keys: readonly string[], numPartitions: number, out: Int32Array): void
}

/** The peer, or why there is none. */
export function cppPeer(): CppPeer | string {
  const include = includeFolders()
  if (typeof include === 'string') return include
  const options = ['-O3', '-std=c++17', '-fPIC', '-shared', '-DNAPI_VERSION=9', '-DNAPI_CPP_EXCEPTIONS', ...include]
  if (!isFresh(options)) {
    mkdirSync(FOLDER, { recursive: true })
    const { status, error, stderr } = spawnSync('g++', [...options, SOURCE, '-o', BUILT], { encoding: 'utf8' })
    if (error !== undefined) return `no g++ (${error.message})`
    if (status !== 0) return `g++ failed: ${stderr.split('\n')[0]}`
    writeFileSync(BUILT_WITH, options.join('\n'))
  }
  return require(BUILT) as CppPeer
}

function includeFolders(): string[] | string {
  try {
    const headers = (require('node-api-headers') as { include_dir: string }).include_dir
    const wrapper = (require('node-addon-api') as { include_dir: string }).include_dir
    return [`-I${headers}`, `-I${wrapper}`]
  } catch {
    return 'no node-addon-api (npm install brings it)'
  }
}

function isFresh(options: readonly string[]): boolean {
  if (!existsSync(BUILT) || !existsSync(BUILT_WITH)) return false
  if (statSync(BUILT).mtimeMs < statSync(SOURCE).mtimeMs) return false
  return readFileSync(BUILT_WITH, 'utf8') === options.join('\n')
}
