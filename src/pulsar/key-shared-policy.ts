/**
 * What a client checks of the ranges that its consumer brings to a Key_Shared subscription.
 *
 * Source: Apache Pulsar 2.10.5 to 5.0.1 (alike), org.apache.pulsar.client.api.KeySharedPolicy.KeySharedPolicySticky.validate
 * and org.apache.pulsar.client.api.Range.
 */
import { codedError } from '../errors.js'

/** Last hash that a range may end with. */
const LAST = 65535

/**
 * Refuses ranges as the client does. What is no list of pairs of integers is left to the caller.
 *
 * @throws ERR_PLACEMENT_CONSUMER with what Java throws and the index of the range
 */
export function checkPolicy(ranges: readonly (readonly [number, number])[]): void {
  if (!Array.isArray(ranges)) return
  if (ranges.length === 0)
    throw refused('ranges: expected one range or more, got none', 'Ranges for KeyShared policy must not be empty.')
  const reversed = ranges.findIndex(([start, end]) => end < start)
  if (reversed >= 0)
    throw refused(wrong(ranges, reversed, 'an end at or after the start'), 'Range end must >= range start.', reversed)
  for (const [i, range] of ranges.entries()) checkRange(ranges, range, i)
}

function checkRange(
  ranges: readonly (readonly [number, number])[],
  [start, end]: readonly [number, number],
  i: number,
): void {
  if (start < 0 || end > LAST) {
    const text = `Ranges must be [0, ${LAST}] but provided range is [${start}, ${end}]`
    throw refused(wrong(ranges, i, `hashes in [0, ${LAST}]`), text, i)
  }
  const other = ranges.findIndex((range, j) => j !== i && Math.max(range[0], start) <= Math.min(range[1], end))
  if (other < 0) return
  const [from, to] = ranges[other]!
  const text = `Ranges for KeyShared policy with overlap between [${start}, ${end}] and [${from}, ${to}]`
  throw refused(wrong(ranges, i, `hashes that ranges[${other}], [${from}, ${to}], does not have`), text, i)
}

function wrong(ranges: readonly (readonly [number, number])[], i: number, expected: string): string {
  return `ranges[${i}]: expected ${expected}, got [${ranges[i]![0]}, ${ranges[i]![1]}]`
}

function refused(message: string, javaMessage: string, index?: number): Error {
  const java = { javaClass: 'java.lang.IllegalArgumentException', javaMessage }
  return codedError('ERR_PLACEMENT_CONSUMER', message, index === undefined ? java : { ...java, index })
}
