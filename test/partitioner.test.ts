/** Key → partition: the reductions, the partitioners by name, one key and many, on both engines. */
import test from 'ava'
import fc from 'fast-check'
import type { Reduction } from '../src/engine/contract.js'
import { reduce, reduceAll } from '../src/fallback/kafka/partitioner.js'

const SEED = 20261130

const absolute = (value: bigint) => (value < 0n ? -value : value)

/** The definitions of the contract in unbounded integers. */
const NAIVE: Record<Reduction, (hash: bigint, n: bigint) => bigint> = {
  mask: (hash, n) => BigInt.asUintN(31, hash) % n,
  unsigned: (hash, n) => BigInt.asUintN(32, hash) % n,
  abs: (hash, n) => absolute(BigInt.asIntN(32, hash) % n),
  'abs-first': (hash, n) => (BigInt.asIntN(32, hash) === -(2n ** 31n) ? 0n : absolute(BigInt.asIntN(32, hash)) % n),
}
const REDUCTIONS = Object.keys(NAIVE) as Reduction[]

test('each reduction is its definition in unbounded integers, of one hash and of many', (t) => {
  const hashes = fc.oneof(fc.integer(), fc.constantFrom(0, -1, 1, -(2 ** 31), 2 ** 31 - 1))
  const counts = fc.oneof(
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    fc.constant(2 ** 31 - 1),
  )
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(hashes), counts, fc.constantFrom(...REDUCTIONS), (many, n, reduction) => {
        const expected = many.map((hash) => Number(NAIVE[reduction](BigInt(hash), BigInt(n))))
        const out = Int32Array.from(many)
        reduceAll(reduction, out, n)
        const same = (got: number, i: number) => Object.is(got, expected[i])
        return out.every(same) && many.map((hash) => reduce(reduction, hash, n)).every(same)
      }),
      { numRuns: 2000, seed: SEED },
    ),
  )
})

test('a hash given unsigned reduces as the same 32 bits signed', (t) => {
  for (const reduction of REDUCTIONS) {
    for (const hash of [0x80000000, 0xffffffff, 0xf5500b4d]) {
      t.is(reduce(reduction, hash, 12), reduce(reduction, hash | 0, 12), reduction)
    }
  }
})

test('H22, H23: masked, never negative, and the absolute value of -2^31 as each original has it', (t) => {
  t.deepEqual(
    [12, 8].map((n) => reduce('mask', 4115632141, n)),
    [5, 5],
  )
  t.is(reduce('mask', -10, 7), 6)
  t.is(reduce('abs', -10, 7), 3)
  t.is(reduce('mask', -(2 ** 31), 7), 0)
  t.is(reduce('abs-first', -(2 ** 31), 7), 0)
  t.is(reduce('abs', -(2 ** 31), 12), 8)
})
