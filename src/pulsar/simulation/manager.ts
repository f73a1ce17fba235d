/** What a run asks of a load manager in each step, after brokers reported. */
import type { SheddingReason } from '../shedding-reason.js'
import { isSince } from '../version.js'
import type { CheckedQuestion } from './check.js'
import { type Cluster, NOBODY } from './cluster.js'

/** Pulsar's own; each manager treats its bundles in a way of its own. */
export const SYSTEM_NAMESPACE = 'pulsar/system'

/** Namespaces that are not shed, since 4.2; by number. */
export function excludedOf({ namespaces }: Cluster, { settings, version }: CheckedQuestion): boolean[] {
  const excluded = new Set(isSince(version, '4.2') ? settings.loadBalancerSheddingExcludedNamespaces : [])
  return namespaces.map((name) => excluded.has(name))
}

/** Where a bundle goes. */
export interface Pick {
  /** `NOBODY` where no broker may have it. */
  readonly broker: number
  /** Bits of `PARTS` that the choice had. */
  readonly parts: number
}

export const NOWHERE: Pick = { broker: NOBODY, parts: 0 }

/** One unload by the leader. */
export interface Unload {
  readonly bundle: number
  readonly from: number
  readonly to: number
  readonly reason: SheddingReason
  readonly isSwap: boolean
  readonly parts: number
}

export interface Manager {
  /** Takes the reports of a step in. */
  report(step: number): void
  /** A look-up of a bundle that nobody owns. */
  place(bundle: number): Pick
  /** What the leader unloads now, one after the other: each is done before the next is asked for. */
  shed(step: number): Iterable<Unload>
  /** A bundle changed its owner. */
  moved(bundle: number, from: number, to: number): void
  /** A broker is gone. */
  forget(broker: number): void
}
