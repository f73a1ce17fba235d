/**
 * Topic names whose CRC-32 is any value wished for: the only way to ask a bundle layout about its boundaries themselves.
 *
 * CRC-32 is linear: to change one bit of a byte changes the CRC by a value that depends on the distance to the end alone.
 * 32 letters that may be `a` or `c` (one bit apart) reach every CRC, since the 32 values are independent.
 */
import { crc32 } from 'node:zlib'

const WIDTH = 32

/** A CRC difference, and which of the 32 letters (bit `i` for letter `i`) make it. */
interface Change {
  readonly crc: number
  readonly letters: number
}

const BASIS: readonly Change[] = reduced()

/** A name that begins with `prefix`, ends with 32 letters, and whose UTF-8 has this CRC-32. */
export function nameOfCrc32(prefix: string, crc: number): string {
  let missing = crc32(prefix + 'a'.repeat(WIDTH)) ^ crc
  let letters = 0
  for (const change of BASIS) {
    if (highestBit(missing) !== highestBit(change.crc)) continue
    missing ^= change.crc
    letters ^= change.letters
  }
  return prefix + lettersOf(letters)
}

/** Gauss elimination: changes with different highest bits, the highest first. */
function reduced(): Change[] {
  const basis: Change[] = []
  for (let i = 0; i < WIDTH; i++) {
    let change = { crc: crc32(lettersOf(1 << i)) ^ crc32(lettersOf(0)), letters: 1 << i }
    for (const known of basis) {
      if (highestBit(change.crc) !== highestBit(known.crc)) continue
      change = { crc: change.crc ^ known.crc, letters: change.letters ^ known.letters }
    }
    basis.push(change)
    basis.sort((a, b) => highestBit(b.crc) - highestBit(a.crc))
  }
  return basis
}

function lettersOf(letters: number): string {
  return Array.from({ length: WIDTH }, (_, i) => ((letters >>> i) & 1 ? 'c' : 'a')).join('')
}

/** 31 for 0x80000000, -1 for 0. */
function highestBit(value: number): number {
  return 31 - Math.clz32(value)
}
