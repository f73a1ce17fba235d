/**
 * CRC-32C, Castagnoli's polynomial (reflected 0x82f63b78, init and final xor 0xffffffff), for callers' own use.
 *
 * Source: RFC 3720, appendix B.4; as java.util.zip.CRC32C. The steps are those of crc32.ts over other tables. Twin of
 * native/core/src/hash/crc32.rs, which holds both.
 */
import { crcOfBytes, crcOfString, crcTables } from './crc32.js'

const TABLES = crcTables(0x82f63b78)

/** The CRC-32C of `bytes[from, to)`, as a signed 32-bit integer. */
export function ofBytes(bytes: Uint8Array, from: number, to: number): number {
  return crcOfBytes(TABLES, bytes, from, to)
}

/** The CRC-32C of the UTF-8 of `key`, a lone surrogate as `?`; a signed 32-bit integer. */
export function ofString(key: string): number {
  return crcOfString(TABLES, key, ofBytes)
}
