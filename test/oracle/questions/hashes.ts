/** Questions to the Pulsar jars: CRC-32 of topics, murmur3 and `String.hashCode` of keys, as text and as bytes. */
import type { Chance } from '../chance.js'
import { type Draw, listOf } from '../question.js'

const KEYS_A_LINE = 48

const DOMAINS = ['persistent://', 'non-persistent://', '']

export const crc32: Draw = (chance) => {
  const topic = () => `${chance.pick(DOMAINS)}public/default/${chance.text()}`
  const strings = chance.times(KEYS_A_LINE, () => (chance.odds(0.5) ? topic() : chance.text()))
  return listOf({ op: 'crc32', strings }, 'strings')
}

export const murmur3: Draw = (chance) => ofTextOrBytes(chance, 'murmur3')

export const javaStringHash: Draw = (chance) => ofTextOrBytes(chance, 'java-string-hash')

function ofTextOrBytes(chance: Chance, op: string) {
  if (chance.odds(0.5)) return listOf({ op, strings: chance.times(KEYS_A_LINE, () => chance.text()) }, 'strings')
  return listOf({ op, bytes: chance.times(KEYS_A_LINE, () => chance.bytes().toString('hex')) }, 'bytes')
}
