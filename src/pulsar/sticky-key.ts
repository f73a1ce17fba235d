/**
 * The key by which Key_Shared tells messages apart, as the broker reads it from a message's metadata.
 *
 * Source: Apache Pulsar 4.2.4 and 5.0.1, org.apache.pulsar.common.protocol.Commands.resolveStickyKey; 2.10.5 and 3.0.7,
 * Commands.peekStickyKey.
 * What differs from the obvious: the ordering key comes first, also when it is empty; a key given as bytes is decoded from
 * its Base64, although the producer chose the partition by the Base64 text; since 4.0 a message without a key goes by its
 * producer and number, before all such messages went to one consumer.
 */
import { isBytes } from '../bytes.js'
import { checkInteger, checkText } from '../errors.js'
import { encodeJava } from '../packing.js'
import type { Key } from '../types.js'
import { decodeBase64 } from './java-base64.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** What a message's metadata says. */
export interface StickyKeyMessage {
  readonly orderingKey?: Key | null | undefined
  /** The partition key as it stands in the metadata: text, or with `base64` the Base64 of bytes. */
  readonly key?: string | null | undefined
  /** The key was given as bytes. Default: false. */
  readonly base64?: boolean | undefined
  readonly producerName?: string | null | undefined
  /** A safe integer; a negative one counts. */
  readonly sequenceId?: number | null | undefined
}

const NO_KEY = 'NONE_KEY'

/**
 * The bytes that Key_Shared hashes for a message.
 *
 * @returns a new array; that of `NONE_KEY` where the message tells nothing
 * @throws ERR_PLACEMENT_ARGUMENT_RANGE (a key that is no Base64, with what Java throws), ERR_PLACEMENT_ARGUMENT_TYPE,
 *   ERR_PLACEMENT_UNKNOWN_VERSION
 * @example pulsar.stickyKey({ producerName: 'p', sequenceId: 7 }) // the bytes of 'p-7'
 */
export function stickyKey(message: StickyKeyMessage, options?: PulsarVersionOption): Uint8Array {
  const version = pulsarVersion(options)
  const { orderingKey = null, key = null, base64 = false, producerName = null, sequenceId = null } = message
  if (orderingKey !== null) return bytesOf(orderingKey, 'orderingKey')
  if (key !== null) return base64 ? decodeBase64(checkText(key, 'key'), 'key') : encodeJava(checkText(key, 'key'))
  if (!isSince(version, '4.2') || producerName === null || sequenceId === null) return encodeJava(NO_KEY)
  checkInteger(sequenceId, 'sequenceId', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
  return encodeJava(`${checkText(producerName, 'producerName')}-${sequenceId}`)
}

function bytesOf(key: Key, name: string): Uint8Array {
  return isBytes(key) ? key.slice() : encodeJava(checkText(key, name))
}
