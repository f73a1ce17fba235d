/** The check of a number of partitions, the same wherever one is asked for. */
import { checkInteger, codedError } from '../errors.js'

/** Java's `int`: no topic has more. */
const MOST = 0x7fffffff

/** What Java's remainder by zero throws. */
const DIVISION_BY_ZERO = { javaClass: 'java.lang.ArithmeticException', javaMessage: '/ by zero' }

/**
 * Refuses everything but an integer in `[1, 2147483647]`. The good case is one comparison: a gateway asks a record.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_NUM_PARTITIONS (for 0 with what Java throws)
 */
export function checkNumPartitions(value: number): void {
  if (typeof value === 'number' && (value | 0) === value && value > 0) return
  refuse(value)
}

function refuse(value: unknown): void {
  if (value === 0) {
    const message = `numPartitions: expected an integer in [1, ${MOST}], got 0`
    throw codedError('ERR_PLACEMENT_NUM_PARTITIONS', message, DIVISION_BY_ZERO)
  }
  checkInteger(value, 'numPartitions', [1, MOST], 'ERR_PLACEMENT_NUM_PARTITIONS')
}

/** The error for a topic without partitions. */
export function noPartitions(name: string): Error {
  const message = `${name}: expected one partition or more, got none`
  return codedError('ERR_PLACEMENT_NUM_PARTITIONS', message, DIVISION_BY_ZERO)
}
