/** Broker ids on the command line: lists of them, and what a list has to do with the cluster. */
import { codedError, shown } from '../errors.js'
import type { Cluster } from '../kafka/cluster.js'
import { checkOnce } from '../kafka/cluster-checks.js'
import type { Arguments } from './grammar.js'

const MOST = 0x7fffffff

/** The ids of an option, each once; `undefined` where it is not given. @throws ERR_PLACEMENT_USAGE, ERR_PLACEMENT_DUPLICATE */
export function idsOf(args: Arguments, name: string): number[] | undefined {
  const ids = args
    .text(name)
    ?.split(',')
    .map((text) => idOf(args, name, text))
  if (ids !== undefined) checkOnce(ids, `--${name}`)
  return ids
}

/** @throws ERR_PLACEMENT_USAGE */
export function idOf(args: Arguments, name: string, text: string): number {
  if (/^[0-9]{1,10}$/.test(text) && Number(text) <= MOST) return Number(text)
  throw args.wrong(`--${name}: expected broker ids in [0, ${MOST}] such as 0,1,2, got ${shown(text)}`)
}

/** A snapshot names its brokers: a list adds none to it. @throws ERR_PLACEMENT_UNKNOWN_NAME */
export function checkListed({ brokers }: Cluster, list: readonly number[]): void {
  const known = new Set(brokers.filter(({ listed }) => listed).map(({ id }) => id))
  const unknown = list.find((id) => !known.has(id))
  if (unknown === undefined) return
  const expected = '--broker-list: expected brokers of the snapshot, which names its own'
  throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', `${expected}, got ${unknown}`)
}

/** `brokers 0 and 1`, `broker 3`. */
export function brokersText(ids: readonly number[]): string {
  const most = 10
  const shown = ids.slice(0, most).map(String)
  if (ids.length > most) shown.push(`${ids.length - most} more`)
  const last = shown.pop()!
  return `broker${ids.length === 1 ? '' : 's'} ${shown.length === 0 ? last : `${shown.join(', ')} and ${last}`}`
}
