/** The hashes of the TypeScript engine by name: each of a string and of bytes, raw 32 bits as a signed integer. */
import type { HashName } from '../../types.js'
import * as crc32 from './crc32.js'
import * as crc32c from './crc32c.js'
import * as fnv1a from './fnv1a.js'
import * as javaString from './java-string.js'
import * as murmur2 from './murmur2.js'
import * as murmur3 from './murmur3.js'

/** One hash room. Both functions give the raw 32 bits as a signed integer and allocate nothing. */
export interface Hash {
  /** Of a string: its UTF-8 with lone surrogates as `?`; for java-string its UTF-16 units. */
  readonly ofString: (key: string) => number
  /** Of `bytes[from, to)`. */
  readonly ofBytes: (bytes: Uint8Array, from: number, to: number) => number
}

export const HASHES: Readonly<Record<HashName, Hash>> = {
  murmur2: { ofString: murmur2.ofString, ofBytes: murmur2.ofBytes },
  murmur3: { ofString: murmur3.ofString, ofBytes: murmur3.ofBytes },
  crc32: { ofString: crc32.ofString, ofBytes: crc32.ofBytes },
  crc32c: { ofString: crc32c.ofString, ofBytes: crc32c.ofBytes },
  fnv1a: { ofString: fnv1a.ofString, ofBytes: fnv1a.ofBytes },
  'java-string': { ofString: javaString.ofString, ofBytes: javaString.ofBytes },
}
