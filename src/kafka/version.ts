/** Which release of Kafka answers, for every room that differs by release: the choice, its default, the comparison. */
import { checkName, codedError, shown } from '../errors.js'
import { KAFKA_VERSIONS, type KafkaVersion } from '../types.js'

/** The release whose answer is wanted; the newest one where none is named. */
export interface KafkaVersionOption {
  readonly version?: KafkaVersion | undefined
}

/** The release of the options. @throws ERR_PLACEMENT_UNKNOWN_VERSION, with the list of those known */
export function kafkaVersion(options: KafkaVersionOption = {}): KafkaVersion {
  if (typeof options !== 'object' || options === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `options: expected an object, got ${shown(options)}`)
  }
  const { version = KAFKA_VERSIONS.at(-1)! } = options
  return checkName(version, 'version', KAFKA_VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION')
}

/** Whether `version` is `first` or newer. */
export function isSince(version: KafkaVersion, first: KafkaVersion): boolean {
  return KAFKA_VERSIONS.indexOf(version) >= KAFKA_VERSIONS.indexOf(first)
}
