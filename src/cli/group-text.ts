/**
 * A consumer group as `kafka-consumer-groups --describe --members --verbose` prints it: members, and what each has.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.tools.consumer.group.ConsumerGroupCommand: columns begin where their headings
 * do, and a cell may be empty. Releases before 4.0 print one column ASSIGNMENT, `orders(0,1), payments(2)`.
 */
import { codedError, shown } from '../errors.js'
import type { kafka } from '../index.js'

/** A member as the tool shows it. */
export interface TextMember {
  readonly id: string
  readonly instanceId: string | null
  readonly ownedPartitions: readonly kafka.TopicPartition[]
}

export interface TextGroup {
  readonly name: string
  readonly members: readonly TextMember[]
  /** True where the broker assigns: members have an epoch. */
  readonly hasEpochs: boolean
}

const ASSIGNMENTS = ['CURRENT-ASSIGNMENT', 'ASSIGNMENT'] as const

/** True for what begins as the tool's text does. */
export function isGroupText(text: string): boolean {
  return /^\s*(Warning: |Consumer group |GROUP\s)/.test(text)
}

/** Reads the text, which holds one group. @throws ERR_PLACEMENT_INPUT */
export function readGroupText(text: string, file: string): TextGroup {
  const names = new Set<string>()
  const members: TextMember[] = []
  let columns: Columns | null = null
  let hasEpochs = false
  text.split(/\r?\n/).forEach((line, i) => {
    const where = `${file}:${i + 1}`
    if (/^GROUP\s/.test(line)) columns = columnsOf(line, where)
    else if (columns !== null && line.trim() !== '') {
      const cell = cellsOf(line, columns)
      names.add(cell('GROUP'))
      hasEpochs ||= /^\d/.test(cell('CURRENT-EPOCH'))
      members.push(memberOf(cell, where))
    }
  })
  if (names.size === 1) return { name: [...names][0]!, members, hasEpochs }
  const got = names.size === 0 ? 'none' : [...names].join(', ')
  throw codedError('ERR_PLACEMENT_INPUT', `${file}: expected the members of one group, got ${got}`)
}

/** Headings, and where each begins. */
type Columns = readonly (readonly [name: string, from: number])[]

function columnsOf(line: string, where: string): Columns {
  const columns = [...line.matchAll(/\S+/g)].map((match) => [match[0], match.index] as const)
  const has = (name: string) => columns.some(([heading]) => heading === name)
  if (has('CONSUMER-ID') && ASSIGNMENTS.some(has)) return columns
  throw codedError(
    'ERR_PLACEMENT_INPUT',
    `${where}: expected the columns CONSUMER-ID and CURRENT-ASSIGNMENT (--describe --members --verbose), got ${shown(line.trim().split(/\s+/).join(' '))}`,
  )
}

function cellsOf(line: string, columns: Columns): (name: string) => string {
  const cells = new Map(columns.map(([name, from], i) => [name, line.slice(from, columns[i + 1]?.[1]).trim()]))
  return (name) => cells.get(name) ?? ''
}

function memberOf(cell: (name: string) => string, where: string): TextMember {
  const id = cell('CONSUMER-ID')
  if (id === '' || id === '-')
    throw codedError('ERR_PLACEMENT_INPUT', `${where}: CONSUMER-ID: expected a member, got none`)
  const instanceId = cell('GROUP-INSTANCE-ID')
  const assignment = ASSIGNMENTS.map(cell).find((text) => text !== '') ?? ''
  return { id, instanceId: instanceId === '' ? null : instanceId, ownedPartitions: partitionsOf(assignment, where) }
}

/** `orders:0,1;payments:2`, or before 4.0 `orders(0,1), payments(2)`; `-` for none. */
function partitionsOf(text: string, where: string): kafka.TopicPartition[] {
  if (text === '-' || text === '') return []
  const parts = text.endsWith(')') ? text.slice(0, -1).split(/\),\s*/) : text.split(';')
  return parts.flatMap((part) => {
    const [, topic, numbers] = /^([\w.-]+)[:(]([0-9]{1,10}(?:,[0-9]{1,10})*)$/.exec(part) ?? []
    if (topic !== undefined) return numbers!.split(',').map((number) => ({ topic, partition: Number(number) }))
    throw codedError(
      'ERR_PLACEMENT_INPUT',
      `${where}: expected partitions such as orders:0,1;payments:2, got ${shown(part)}`,
    )
  })
}
