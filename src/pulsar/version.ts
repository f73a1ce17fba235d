/** Which release of Pulsar answers, for every room that differs by release: the choice, its default, the comparison. */
import { checkName } from '../errors.js'
import { PULSAR_VERSIONS, type PulsarVersion } from '../types.js'

/** The release whose answer is wanted; the newest one where none is named. */
export interface PulsarVersionOption {
  readonly version?: PulsarVersion | undefined
}

/**
 * The release of the options.
 *
 * @throws ERR_PLACEMENT_UNKNOWN_VERSION, with the list of those known
 */
export function pulsarVersion(options: PulsarVersionOption = {}): PulsarVersion {
  const version = options.version ?? PULSAR_VERSIONS[PULSAR_VERSIONS.length - 1]!
  return checkName(version, 'version', PULSAR_VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION')
}

/** Whether `version` is `first` or newer. */
export function isSince(version: PulsarVersion, first: PulsarVersion): boolean {
  return PULSAR_VERSIONS.indexOf(version) >= PULSAR_VERSIONS.indexOf(first)
}
