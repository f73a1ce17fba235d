/**
 * Plain topic names: those that every release of Pulsar takes and leaves as they are, which is seen at a glance.
 *
 * A domain in lower case, tenant, namespace, and a local name without a slash that ends with a visible ASCII character, and so
 * is not blank. The core takes one at its beginning too (`all_plain` of native/core/src/pulsar/topic_name.rs): both are in a
 * hurry, neither takes a name that is not canonical, and what they leave is looked at closely.
 */

const PERSISTENT = 'persistent://'
const NON_PERSISTENT = 'non-persistent://'

const PLAIN = /^(?:non-)?persistent:\/\/[-=:.\w]+\/[-=:.\w]+\/[^/]*[!-.0-~]$/

/** Whether a name is plain, and of the namespace (`tenant/namespace`) unless that is `null`. */
export function isPlain(topic: string, namespace: string | null): boolean {
  if (!PLAIN.test(topic)) return false
  if (namespace === null) return true
  const from = topic.startsWith(PERSISTENT) ? PERSISTENT.length : NON_PERSISTENT.length
  return topic.startsWith(namespace, from) && topic[from + namespace.length] === '/'
}
