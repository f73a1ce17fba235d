/** What the commands about Pulsar's message flow and ledgers share: the release they answer as. */
import { pulsar } from '../index.js'
import { PULSAR_VERSIONS, type PulsarVersion } from '../types.js'
import type { Arguments, Option } from './grammar.js'

export const FLOW_VERSION_OPTION: Option = {
  name: 'version',
  value: 'RELEASE',
  help: `4.2 or 5.0 (default ${PULSAR_VERSIONS.at(-1)}); of older ones nothing is known here`,
}

/** @throws ERR_PLACEMENT_UNKNOWN_VERSION; ERR_PLACEMENT_UNSUPPORTED before 4.2 */
export function flowVersionOf(args: Arguments): PulsarVersion {
  const version = args.choice('version', PULSAR_VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION') ?? PULSAR_VERSIONS.at(-1)!
  // Asked of the library, which knows what it answers.
  pulsar.delayed([], { version })
  return version
}
