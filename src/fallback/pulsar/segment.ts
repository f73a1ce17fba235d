/**
 * The last part of a segment's name (Pulsar 5.0), `<hexStart>-<hexEnd>-<segmentId>`, read and written again as Java does.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.common.naming.TopicName and common.scalable.HashRange; the texts of
 * NumberFormatException are those of Java 21, which that broker needs. Twin of native/core/src/pulsar/segment.rs.
 */
import { INT_MAX, LONG_MAX, parseDigits } from './java-text.js'

/** Why Java refuses a descriptor. */
export interface SegmentFault {
  readonly javaClass: string
  readonly javaMessage: string
}

const HASH_MAX = 0xffffn

/** As the original prints it, but for the order of the range's ends; ids of 19 digits are left to the slow way. */
const PRINTED = /^[0-9a-f]{4}-[0-9a-f]{4}-(0|[1-9][0-9]{0,17})$/

/** The descriptor as the original prints it (`%04x-%04x-%d`), or why it is refused. */
export function canonicalDescriptor(descriptor: string): string | SegmentFault {
  if (PRINTED.test(descriptor) && descriptor.slice(0, 4) <= descriptor.slice(5, 9)) return descriptor
  const parts = javaSplit(descriptor)
  if (parts.length !== 3) {
    return illegal(`Invalid segment descriptor: expected '<hexStart>-<hexEnd>-<segmentId>', got: '${descriptor}'`)
  }
  const start = parseDigits(parts[0]!, 16, INT_MAX)
  if (start === undefined) return notNumber(parts[0]!, 16)
  const end = parseDigits(parts[1]!, 16, INT_MAX)
  if (end === undefined) return notNumber(parts[1]!, 16)
  const fault = rangeFault(start, end)
  if (fault !== null) return fault
  const id = parseDigits(parts[2]!, 10, LONG_MAX)
  if (id === undefined) return notNumber(parts[2]!, 10)
  return `${hex(start)}-${hex(end)}-${id}`
}

/** `String.split("-")`: empty parts at the end are dropped, but for the one of an empty text. */
function javaSplit(text: string): string[] {
  const parts = text.split('-')
  while (parts.length > 1 && parts[parts.length - 1] === '') parts.pop()
  return parts
}

function rangeFault(start: bigint, end: bigint): SegmentFault | null {
  if (start > HASH_MAX) return illegal(`start must be in [0x0000, 0xFFFF], got: ${start}`)
  if (end > HASH_MAX) return illegal(`end must be in [0x0000, 0xFFFF], got: ${end}`)
  return end < start ? illegal(`end must be >= start, got: [${start}, ${end}]`) : null
}

function illegal(javaMessage: string): SegmentFault {
  return { javaClass: 'java.lang.IllegalArgumentException', javaMessage }
}

function notNumber(text: string, radix: 10 | 16): SegmentFault {
  const javaMessage = `For input string: "${text}"${radix === 16 ? ' under radix 16' : ''}`
  return { javaClass: 'java.lang.NumberFormatException', javaMessage }
}

function hex(value: bigint): string {
  return value.toString(16).padStart(4, '0')
}
