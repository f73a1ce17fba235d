/** Partitions as people read them: `orders 0-3,7; payments 2`. */
import type { kafka } from '../index.js'

/** Numbers by topic, topics in the order in which they come, numbers ascending. */
export function partitionsByTopic(partitions: readonly kafka.TopicPartition[]): Map<string, number[]> {
  const topics = new Map<string, number[]>()
  for (const { topic, partition } of partitions) {
    const numbers = topics.get(topic)
    if (numbers === undefined) topics.set(topic, [partition])
    else numbers.push(partition)
  }
  for (const numbers of topics.values()) numbers.sort((a, b) => a - b)
  return topics
}

/** All of them in one line. */
export function partitionRanges(partitions: readonly kafka.TopicPartition[]): string {
  return [...partitionsByTopic(partitions)].map(([topic, numbers]) => `${topic} ${rangesOf(numbers)}`).join('; ')
}

function rangesOf(numbers: readonly number[]): string {
  const ranges: string[] = []
  for (let from = 0; from < numbers.length; ) {
    let to = from
    while (numbers[to + 1] === numbers[to]! + 1) to += 1
    ranges.push(to === from ? `${numbers[from]}` : `${numbers[from]}-${numbers[to]}`)
    from = to + 1
  }
  return ranges.join(',')
}

/** A text of at most so many characters. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
