/** What the functions of `kafka.reassignment` are given, looked at once: texts, entries, clusters, and a state on paper. */
import { checkInteger, checkList, checkName, checkObject, checkText, codedError, shown } from '../errors.js'
import { Cluster } from './cluster.js'
import type { ReassignmentEntry } from './reassignment-json.js'
import type { ToolState } from './tool-state.js'

/** The file's numbers are Java's ints. */
const INT = [-0x80000000, 0x7fffffff] as const

/** @throws ERR_PLACEMENT_ARGUMENT_TYPE */
export function checkCluster(cluster: unknown): void {
  if (!(cluster instanceof Cluster))
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `cluster: expected a Cluster, got ${shown(cluster)}`)
}

/** Cost: linear in the replicas. @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
export function checkEntryList(entries: readonly ReassignmentEntry[], what: string): void {
  checkList(entries, what)
  for (let i = 0; i < entries.length; i++) checkEntry(entries[i]!, what, i)
}

/** An entry; what is wrong is told by `what[i]`. */
export function checkEntry(entry: ReassignmentEntry, what: string, i: number): void {
  if (isPlain(entry)) return
  const where = `${what}[${i}]`
  checkObject(entry, where)
  const { topic, partition, replicas, logDirs } = entry
  checkText(topic, `${where}.topic`)
  checkInteger(partition, `${where}.partition`, INT)
  checkList(replicas, `${where}.replicas`)
  for (const [j, id] of replicas.entries()) checkInteger(id, `${where}.replicas[${j}]`, INT)
  if (logDirs === undefined) return
  checkList(logDirs, `${where}.logDirs`)
  for (const [j, dir] of logDirs.entries()) checkText(dir, `${where}.logDirs[${j}]`)
}

/** The quick look at what is right nearly always: no text is made for it. */
function isPlain(entry: ReassignmentEntry | null): boolean {
  if (typeof entry?.topic !== 'string' || (entry.partition | 0) !== entry.partition) return false
  const { replicas, logDirs } = entry
  if (!Array.isArray(replicas) || logDirs !== undefined) return false
  for (let j = 0; j < replicas.length; j++) if ((replicas[j] | 0) !== replicas[j]) return false
  return true
}

const ACTIONS = ['generate', 'execute', 'verify', 'cancel', 'list'] as const

/** The action of the tool. @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_UNKNOWN_NAME */
export function checkAction(action: { readonly action: (typeof ACTIONS)[number] }): void {
  checkObject(action, 'action')
  checkName(action.action, 'action.action', ACTIONS)
}

/** The cluster on paper; items as far as they are looked at by name. @throws ERR_PLACEMENT_ARGUMENT_TYPE */
export function checkState(state: ToolState): void {
  checkObject(state, 'state')
  checkItems(state.brokers, 'state.brokers')
  checkItems(state.topics, 'state.topics')
  for (const [i, { name, partitions }] of state.topics.entries()) {
    checkText(name, `state.topics[${i}].name`)
    checkList(partitions, `state.topics[${i}].partitions`)
  }
  for (const field of ['reassigning', 'logDirs', 'refused'] as const) {
    if (state[field] !== undefined) checkItems(state[field], `state.${field}`)
  }
  for (const [i, { replicas }] of (state.reassigning ?? []).entries()) {
    checkList(replicas, `state.reassigning[${i}].replicas`)
  }
}

function checkItems(list: readonly object[], what: string): void {
  checkList(list, what)
  for (let i = 0; i < list.length; i++) checkObject(list[i], `${what}[${i}]`)
}
