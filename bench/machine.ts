/** Where and with what the figures were made: the head of every record. */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { engine } from '../src/index.js'

/** The root of the repository, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly platform: string
  readonly engine: string
  /** The arm of the processor that the engine uses. */
  readonly arm: string
  readonly node: string
  readonly v8: string
  /** `rustc --version` and the first line of `g++ --version`, or why there is none. */
  readonly rustc: string
  readonly gxx: string
}

export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform}-${process.arch} ${release()}`,
    engine: `${engine.name} (${engine.reason})`,
    arm: engine.cpu,
    node: process.version,
    v8: process.versions.v8,
    rustc: versionOf('rustc'),
    gxx: versionOf('g++'),
  }
}

/** What changes while a bench runs: kept with every row. */
export interface Moment {
  readonly at: string
  /** The commit, with `+` when files differ from it. */
  readonly commit: string
  /** Load average of the last minute: above the number of measured threads, one, the machine was shared. */
  readonly load: number
}

export function moment(): Moment {
  const dirty = output('git', ['status', '--porcelain', '--untracked-files=no']) !== ''
  return {
    at: new Date().toISOString(),
    commit: `${output('git', ['rev-parse', '--short', 'HEAD']) || 'unknown'}${dirty ? '+' : ''}`,
    load: Math.round(loadavg()[0]! * 100) / 100,
  }
}

function versionOf(program: string): string {
  return output(program, ['--version']).split('\n')[0] || 'none'
}

function output(program: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}
