/**
 * `Base64.getDecoder().decode(text)`, for keys that a Pulsar client flagged as Base64.
 *
 * Source: OpenJDK 17 and 21 (alike), java.util.Base64.Decoder, the basic alphabet. What differs from Node's decoder: nothing
 * is skipped, and padding is either left out or right. The texts of what is refused are Java's.
 */
import { codedError } from '../errors.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PADDING = 0x3d
const DIGITS = digits()

/**
 * The bytes of a Base64 text.
 *
 * @param name what the text is, for the error
 * @throws ERR_PLACEMENT_ARGUMENT_RANGE with what Java throws
 */
export function decodeBase64(text: string, name: string): Uint8Array {
  const bytes = Array.from(text, latin1).flat()
  if (bytes.length === 1) throw refused(name, 'Input byte[] should at least have 2 bytes for base64 bytes')
  const end = bytes.indexOf(PADDING)
  const body = end < 0 ? bytes : bytes.slice(0, end)
  const wrong = body.findIndex((byte) => DIGITS[byte]! < 0)
  if (wrong >= 0)
    throw refused(name, `Illegal base64 character ${(((body[wrong]! << 24) >> 24) as number).toString(16)}`)
  if (end >= 0) checkPadding(bytes, end, name)
  if (body.length % 4 === 1) throw refused(name, 'Last unit does not have enough valid bits')
  const rest = end + (body.length % 4 === 2 ? 2 : 1)
  if (end >= 0 && rest < bytes.length) throw refused(name, `Input byte array has incorrect ending byte at ${rest}`)
  return new Uint8Array(Buffer.from(String.fromCharCode(...body), 'base64'))
}

/** After two digits of a unit two paddings stand, after three one, after four none; one digit is another fault. */
function checkPadding(bytes: readonly number[], end: number, name: string): void {
  const digitsOfUnit = end % 4
  if (digitsOfUnit === 0 || (digitsOfUnit === 2 && bytes[end + 1] !== PADDING)) {
    throw refused(name, 'Input byte array has wrong 4-byte ending unit')
  }
}

/** Java reads the text as Latin-1: a character beyond is one `?`, a half of a pair too. */
function latin1(character: string): number[] {
  const point = character.codePointAt(0)!
  return [point <= 0xff ? point : 0x3f]
}

function digits(): Int8Array {
  const table = new Int8Array(256).fill(-1)
  for (let i = 0; i < ALPHABET.length; i++) table[ALPHABET.charCodeAt(i)] = i
  return table
}

function refused(name: string, javaMessage: string): Error {
  const message = `${name}: expected Base64: ${javaMessage}`
  return codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message, {
    javaClass: 'java.lang.IllegalArgumentException',
    javaMessage,
  })
}
