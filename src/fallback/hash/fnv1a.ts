/**
 * FNV-1a of 32 bits: what sarama, kafka-go and librdkafka's `fnv1a` partitioners hash with.
 *
 * Source: the FNV parameters of its authors (offset basis 2166136261, prime 16777619), as Go 1.19 hash/fnv New32a and
 * librdkafka 2.0.2 rdfnv1a.c use them. Twin of native/core/src/hash/fnv1a.rs.
 * What differs from the obvious: the result is the raw 32 bits as a signed integer, and may be -2^31 exactly (sarama's
 * absolute value stays negative there: see the partitioner).
 */
import { hashUtf8, LONG_UNITS } from '../utf8.js'

const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** The hash of `bytes[from, to)`, as a signed 32-bit integer. Each step needs the one before: no unrolling helps. */
export function ofBytes(bytes: Uint8Array, from: number, to: number): number {
  let h = OFFSET_BASIS | 0
  for (let i = from; i < to; i++) h = Math.imul(h ^ bytes[i]!, PRIME)
  return h
}

/** The hash of the UTF-8 of `key`, a lone surrogate as `?`; a signed 32-bit integer. ASCII is read from the string itself. */
export function ofString(key: string): number {
  const units = key.length
  if (units >= LONG_UNITS) return hashUtf8(key, ofBytes)
  let h = OFFSET_BASIS | 0
  for (let i = 0; i < units; i++) {
    const unit = key.charCodeAt(i)
    if (unit > 0x7f) return hashUtf8(key, ofBytes)
    h = Math.imul(h ^ unit, PRIME)
  }
  return h
}
