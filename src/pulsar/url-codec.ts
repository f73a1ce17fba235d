/**
 * Local names of topics in paths, as org.apache.pulsar.common.util.Codec writes and reads them: Java's form encoding.
 *
 * Source: OpenJDK 17, java.net.URLEncoder and URLDecoder over UTF-8.
 * What differs from `encodeURIComponent`: a space is `+`; `!`, `'`, `(`, `)` and `~` are escaped; a lone surrogate is `%3F`.
 * What differs from `decodeURIComponent`: malformed UTF-8 becomes U+FFFD, and an escape is read by `Integer.parseInt`, which
 * takes a sign and the digits of every script.
 */
import { codedError } from '../errors.js'
import { decodeJava } from '../fallback/hash/java-string.js'
import { digitOf } from '../fallback/pulsar/java-text.js'
import { withoutLoneSurrogates } from '../packing.js'

/** What `encodeURIComponent` leaves as it is and Java does not. */
const ESCAPED_BY_JAVA = /[!'()~]/g

/** `Codec.encode`: the name as one segment of a path. */
export function encodeName(name: string): string {
  return encodeURIComponent(withoutLoneSurrogates(name))
    .replaceAll('%20', '+')
    .replace(ESCAPED_BY_JAVA, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/**
 * `Codec.decode`: the name that a segment of a path encodes.
 *
 * @throws ERR_PLACEMENT_TOPIC_NAME for a broken escape
 */
export function decodeName(encoded: string): string {
  const spaced = encoded.replaceAll('+', ' ')
  // The runs of escapes are found in the given text: a `+` inside an escape is a sign, not a space.
  let text = ''
  for (let i = 0; i < encoded.length; ) {
    if (encoded[i] !== '%') {
      text += spaced[i++]
      continue
    }
    const end = endOfEscapes(encoded, i)
    text += decodeJava(escapedBytes(encoded, i, end))
    if (encoded[end] === '%') throw broken(encoded, 'URLDecoder: Incomplete trailing escape (%) pattern')
    i = end
  }
  return text
}

function endOfEscapes(encoded: string, from: number): number {
  let i = from
  while (i + 2 < encoded.length && encoded[i] === '%') i += 3
  return i
}

function escapedBytes(encoded: string, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array((to - from) / 3)
  for (let i = 0; i < bytes.length; i++) bytes[i] = escapedByte(encoded, from + 3 * i + 1)
  return bytes
}

/** `Integer.parseInt(encoded, at, at + 2, 16)`, of which a negative number is refused. */
function escapedByte(encoded: string, at: number): number {
  const sign = encoded[at]
  const high = sign === '+' || sign === '-' ? 0 : digitOf(encoded.charCodeAt(at), 16)
  const low = digitOf(encoded.charCodeAt(at + 1), 16)
  if (high < 0 || low < 0) {
    throw illegal(encoded, `Error at index ${high < 0 ? 0 : 1} in: "${encoded.slice(at, at + 2)}"`)
  }
  if (sign === '-' && low > 0) throw illegal(encoded, 'negative value')
  return 16 * high + low
}

function illegal(encoded: string, why: string): Error {
  return broken(encoded, `URLDecoder: Illegal hex characters in escape (%) pattern - ${why}`)
}

function broken(encoded: string, javaMessage: string): Error {
  const message = `encoded name: expected % before two hexadecimal digits each time, got ${JSON.stringify(encoded)}; Java says: ${javaMessage}`
  return codedError('ERR_PLACEMENT_TOPIC_NAME', message, {
    javaClass: 'java.lang.IllegalArgumentException',
    javaMessage,
  })
}
