/**
 * A fixed hash that breaks ties, so that equal choices spread over brokers and racks.
 *
 * Twin of native/core/src/kafka/planner/chance.rs.
 */

/** Mixes two numbers to 32 bits, unsigned. */
export function mixed(a: number, b: number): number {
  let bits = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d)
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39)
  return (bits ^ (bits >>> 15)) >>> 0
}
