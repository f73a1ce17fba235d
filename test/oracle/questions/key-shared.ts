/** Questions to the Pulsar jars: Key_Shared consumers that join and leave, under each selector, on full-size and tiny rings. */
import type { Chance } from '../chance.js'
import { type Draw, listOf, type Question, whole } from '../question.js'

const NAMES = ['c1', 'c2', 'c3', 'c11', 'c', '', 'consumer-a', '소비자', '\ud83d\ude00', '\ud800', '?', 'worker\u0000']
const HASHES = [0, 1, 2, 10, 16384, 32768, 65534, 65535, 65536, 65537, 0x7fffffff, -1, -0x80000000]

export const keyShared: Draw = (chance, release) => {
  const isLate = release === '4.2' || release === '5.0'
  const style = chance.between(0, 9)
  if (style === 0) return stickyHashes(chance)
  if (style < 5) return ring(chance, isLate)
  if (style < 7) return autoSplit(chance)
  return release === '5.0' && style === 7 ? entryBucket(chance) : exclusive(chance)
}

function stickyHashes(chance: Chance): Question {
  const selector = chance.pick(['consistent-hashing', 'auto-split', 'exclusive'])
  const keys = chance.times(32, () => chance.text())
  const rangeSize =
    selector !== 'consistent-hashing' && chance.odds(0.3) ? { rangeSize: 2 ** chance.between(1, 20) } : {}
  return listOf({ op: 'sticky-key-hash', selector, keys, ...rangeSize }, 'keys')
}

function ring(chance: Chance, isLate: boolean): Question {
  const tiny = isLate && chance.odds(0.4) ? { rangeMax: chance.between(1, 200) } : {}
  const steps = stepsOf(chance, () => ({ add: name(chance) }))
  const points = chance.odds(0.7) ? { points: chance.between(0, 12) } : {}
  return asked(chance, { selector: 'consistent-hashing', steps, ...tiny, ...points })
}

const name = (chance: Chance): string => (chance.odds(0.6) ? chance.pick(NAMES) : chance.text(chance.between(0, 8)))

function autoSplit(chance: Chance): Question {
  const steps = stepsOf(chance, (i) => ({ add: `c${i}` }))
  const rangeSize = chance.odds(0.4)
    ? { rangeSize: chance.odds(0.05) ? chance.between(-2, 9) : 2 ** chance.between(1, 6) }
    : {}
  return asked(chance, { selector: 'auto-split', steps, ...rangeSize })
}

function exclusive(chance: Chance): Question {
  const top = chance.pick([20, 40, 65535])
  const range = () => {
    const start = chance.between(chance.odds(0.02) ? -5 : 0, top)
    return [start, start + chance.between(chance.odds(0.04) ? -3 : 0, Math.ceil(top / 8))]
  }
  const steps = stepsOf(chance, (i) => ({ add: `c${i}`, ranges: chance.times(chance.between(1, 3), range) }))
  return asked(chance, { selector: 'exclusive', steps }, () => chance.between(0, top))
}

function entryBucket(chance: Chance): Question {
  const count = chance.pick([1, 2, 3, 4, 7, 8, 16])
  const at = (i: number) => Math.floor((i * 65536) / count)
  const buckets = Array.from({ length: count }, (_, i) => [at(i), at(i + 1) - 1])
  const steps = stepsOf(chance, (i) => ({
    add: chance.pick(['a', 'b', 'b', 'c', '']),
    id: chance.between(0, 9) * 100 + i,
  }))
  return asked(chance, { selector: 'entry-bucket', buckets, steps }, () => chance.between(0, 65535))
}

function stepsOf(chance: Chance, joining: (i: number) => object): object[] {
  let joined = 0
  return chance.times(chance.between(1, 14), () => {
    if (joined > 0 && chance.odds(0.35)) return { remove: chance.between(0, joined - 1) }
    return joining(joined++)
  })
}

function asked(chance: Chance, request: object, hash: () => number = () => chance.pick(HASHES)): Question {
  const keys = chance.times(16, () => chance.text(chance.between(0, 14)))
  const report = chance.pick(['final', 'all', 'none'])
  return whole({ op: 'key-shared', ...request, keys, hashes: chance.times(8, hash), report })
}
