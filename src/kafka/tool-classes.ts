/**
 * The classes of the reassignment tool's exceptions: they moved from `org.apache.kafka.server.common` to
 * `org.apache.kafka.tools` with Kafka 4.1.
 */
import { type CodedError, codedError, isCodedError } from '../errors.js'
import type { KafkaVersion } from '../types.js'
import { isSince, type KafkaVersionOption, kafkaVersion } from './version.js'

const NOW = 'org.apache.kafka.tools.Admin'
const BEFORE = 'org.apache.kafka.server.common.Admin'

/** Asks; what is thrown has the class that it has in that release. */
export function asThrown<T>(options: KafkaVersionOption, ask: () => T): T {
  const version = kafkaVersion(options)
  try {
    return ask()
  } catch (error) {
    throw isCodedError(error) ? thrownBy(version, error) : error
  }
}

/** The error of that release. */
export function thrownBy(version: KafkaVersion, error: CodedError): CodedError {
  const { code, message, javaClass, cause, name: _, stack: __, ...rest } = error
  if (isSince(version, '4.1') || javaClass?.startsWith(NOW) !== true) return error
  return codedError(code, message, { ...rest, cause, javaClass: BEFORE + javaClass.slice(NOW.length) })
}
