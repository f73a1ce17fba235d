/** A hash of a plan's canonical form: broker ids, then topic by topic its name, partition numbers and lists, as 32-bit words. */
import * as murmur3 from '../fallback/hash/murmur3.js'
import type { ReassignmentPlan } from './reassignment-plan.js'

/** Two lanes of 32 bits that see the same words and mix them otherwise. */
class Lanes {
  #one = 0x243f6a88
  #other = 0x85a308d3

  add(word: number): void {
    this.#one = Math.imul(rotated(this.#one ^ word, 13), 0x9e3779b1)
    this.#other = (Math.imul(rotated(this.#other, 7) ^ word, 0x85ebca77) + 0x165667b1) | 0
  }

  toString(): string {
    return [this.#one, this.#other].map((lane) => hex(lane ^ (lane >>> 15))).join('')
  }
}

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by))

const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, '0')

/** 16 hex digits. */
export function fingerprintOf({ question, offsets, replicas }: ReassignmentPlan): string {
  const { cluster, brokers } = question
  const lanes = new Lanes()
  for (const { id } of brokers) lanes.add(id)
  const ids = Int32Array.from(brokers, ({ id }) => id)
  for (const [topic, name] of cluster.topicNames.entries()) {
    lanes.add(murmur3.ofString(name))
    for (let row = cluster.topicStarts[topic]!; row < cluster.topicStarts[topic + 1]!; row++) {
      lanes.add(cluster.partitions[row]!)
      lanes.add(offsets[row + 1]! - offsets[row]!)
      for (let i = offsets[row]!; i < offsets[row + 1]!; i++) lanes.add(ids[replicas[i]!]!)
    }
  }
  return String(lanes)
}
