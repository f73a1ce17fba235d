/** Which release of Pulsar answers, for every room that differs by release: the choice, its default, the comparison. */
import { checkName, codedError } from '../errors.js'
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

/**
 * The release of the options, for what is known of 4.2 and newer alone.
 *
 * @throws ERR_PLACEMENT_UNKNOWN_VERSION; ERR_PLACEMENT_UNSUPPORTED before 4.2
 */
export function flowVersion(options: PulsarVersionOption | undefined, what: string): PulsarVersion {
  const version = pulsarVersion(options)
  if (isSince(version, '4.2')) return version
  const message = `version: expected 4.2 or newer for ${what}, got ${version}: what that release answers is not known`
  throw codedError('ERR_PLACEMENT_UNSUPPORTED', message)
}
