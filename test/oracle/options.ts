/** The options of `npm run oracle`. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { checkInteger, checkName, codedError } from '../../src/errors.js'
import { PULSAR_VERSIONS, type PulsarVersion } from '../../src/types.js'

export interface Options {
  /** Empty for all. */
  readonly families: readonly string[]
  readonly count: number
  readonly seed: number
  readonly releases: readonly PulsarVersion[]
}

const DEFAULT_COUNT = 10_000
const NEWEST = PULSAR_VERSIONS.at(-1)!

export const USAGE = `npm run oracle -- [--family NAME]... [--count N] [--seed S] [--release R]...

  --family NAME   only this family, such as kafka/group or clients/sarama; may be repeated
  --count N       questions of each system, dealt over its families (${DEFAULT_COUNT})
  --seed S        draws the questions of an earlier run again; a fresh one otherwise
  --release R     answers as this Pulsar release, one of ${PULSAR_VERSIONS.join(', ')} (${NEWEST}); may be repeated`

/** Reads the options; `known` are the families. Errors: `ERR_PLACEMENT_USAGE`, `…_UNKNOWN_NAME`, `…_ARGUMENT_RANGE`. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { family = [], count, seed, release = [NEWEST] } = valuesOf(args)
  return {
    families: family.map((name) => checkName(name, '--family', known)),
    count: integer(count, '--count', [1, 1_000_000_000]) ?? DEFAULT_COUNT,
    seed: integer(seed, '--seed', [0, 0xffffffff]) ?? randomInt(0x100000000),
    releases: release.map((name) => checkName(name, '--release', PULSAR_VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION')),
  }
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const
  const texts = { type: 'string', multiple: true } as const
  try {
    return parseArgs({ args: [...args], options: { family: texts, count: text, seed: text, release: texts } }).values
  } catch (cause) {
    throw codedError('ERR_PLACEMENT_USAGE', (cause as Error).message, { cause })
  }
}

function integer(value: string | undefined, name: string, range: readonly [number, number]): number | undefined {
  return value === undefined ? undefined : checkInteger(value.trim() === '' ? Number.NaN : Number(value), name, range)
}
