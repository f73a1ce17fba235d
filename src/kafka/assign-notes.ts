/**
 * Where an assignor's answer is a defect of the original: named, with the place and what would be right.
 *
 * For the reader of an assignment. The answer itself stays the original's. Looked for only where such a thing can be: in a
 * dense group without stray claims, empty subscriptions, earlier generations and the like nothing is walked.
 */
import type { AssignProblem, AssignResult } from '../engine/assign-contract.js'
import { exists, isCounted, topicsOfSlots } from '../fallback/kafka/slots.js'
import { activeTopics, topicsOf } from '../fallback/kafka/subscriptions.js'
import { NOTE_CODES, type Note, type NoteCode } from '../notes.js'
import type { NumberedGroup } from './group-objects.js'

/** A note on an assignment, with the place in parts. */
export interface AssignNote extends Note {
  /** The member that is given the partition; none where nobody is. */
  readonly member?: string
  readonly topic: string
  readonly partition: number
}

type AssignNoteCode = Extract<NoteCode, `NOTE_ASSIGN_${string}`>

/** What would be right. */
const RIGHT: Readonly<Record<AssignNoteCode, string>> = {
  NOTE_ASSIGN_STALE_PARTITION: 'Right would be to ignore the claim.',
  NOTE_ASSIGN_NO_SUCH_PARTITION: 'Right would be to hand out the ids of the metadata.',
  NOTE_ASSIGN_TWICE: 'Right would be once.',
  NOTE_ASSIGN_NOBODY: 'Right would be to give it to a subscriber.',
  NOTE_ASSIGN_NOT_SUBSCRIBED: 'Right would be to give it to a subscriber.',
  NOTE_ASSIGN_NOT_ASSIGNABLE: 'Right would be to give it to nobody.',
  NOTE_ASSIGN_CLASH: 'This is right: it is assigned anew.',
  NOTE_ASSIGN_CLASH_NOT_WITHHELD: 'Right would be to withhold it for a round.',
}

/** The notes of an answer, by member as given, then what nobody has. */
export function notesOf(group: NumberedGroup, result: AssignResult): AssignNote[] {
  const finder = new NoteFinder(group, result)
  if (finder.canBeWrong) finder.walk()
  finder.clashes()
  return finder.notes
}

class NoteFinder {
  readonly notes: AssignNote[] = []
  readonly canBeWrong: boolean
  readonly #group: NumberedGroup
  readonly #problem: AssignProblem
  readonly #result: AssignResult

  constructor(group: NumberedGroup, result: AssignResult) {
    this.#group = group
    this.#problem = group.problem
    this.#result = result
    this.canBeWrong =
      group.problem.kinds !== null ||
      (group.problem.server === null
        ? this.#hasEmptyList() || (result.algorithm === 'general' && this.#hasEarlier())
        : result.clashes.length > 0 || this.#isMistold() || this.#mayKeepTooMuch())
  }

  /** Said to subscribe alike, and there is more than one list. */
  #isMistold(): boolean {
    const { server, listOf, listOffsets } = this.#problem
    return server!.homogeneous && listOffsets.length > 2 && listOf.some((list) => list !== listOf[0])
  }

  /** A share group keeps what is not subscribed to or not assignable any more. */
  #mayKeepTooMuch(): boolean {
    const { assignor, claims, server } = this.#problem
    return assignor === 'simple' && (claims.length > 0 || server!.assignable !== null)
  }

  #hasEmptyList(): boolean {
    const { listOf, listOffsets } = this.#problem
    return (
      this.#result.algorithm === 'constrained' && listOf.some((list) => listOffsets[list] === listOffsets[list + 1])
    )
  }

  #hasEarlier(): boolean {
    const { generations, claimOffsets } = this.#problem
    const { maxGeneration } = this.#result
    return generations.some((own, m) => own < maxGeneration && claimOffsets[m] !== claimOffsets[m + 1])
  }

  walk(): void {
    const { offsets, values } = this.#result
    const { listOf, server, assignor } = this.#problem
    const topicOf = topicsOfSlots(this.#problem)
    const times = new Uint32Array(topicOf.length)
    const subscribed = new Map<number, Set<number>>()
    listOf.forEach((list, member) => {
      if (!subscribed.has(list)) subscribed.set(list, new Set(topicsOf(this.#problem, member)))
    })
    for (let member = 0; member < listOf.length; member++) {
      const mine = subscribed.get(listOf[member]!)!
      for (const slot of values.subarray(offsets[member]!, offsets[member + 1]!)) {
        times[slot]! += 1
        if (!exists(this.#problem, slot)) this.#note(this.#codeOfMissing(member, slot), slot, member)
        else if (server?.assignable?.[slot] === 0) this.#note('NOTE_ASSIGN_NOT_ASSIGNABLE', slot, member)
        if (times[slot] === 2 && assignor !== 'simple') this.#note('NOTE_ASSIGN_TWICE', slot, member)
        if (!mine.has(topicOf[slot]!)) this.#note('NOTE_ASSIGN_NOT_SUBSCRIBED', slot, member)
      }
    }
    this.#notHandedOut(times)
  }

  #codeOfMissing(member: number, slot: number): AssignNoteCode {
    const { claims, claimOffsets } = this.#problem
    const isClaimed = claims.subarray(claimOffsets[member]!, claimOffsets[member + 1]!).includes(slot)
    // What another member claimed is no number that an assignor would count to.
    const isStale = isClaimed || !isCounted(this.#problem, slot)
    return isStale ? 'NOTE_ASSIGN_STALE_PARTITION' : 'NOTE_ASSIGN_NO_SUCH_PARTITION'
  }

  #notHandedOut(times: Uint32Array): void {
    const { starts, server } = this.#problem
    activeTopics(this.#problem).forEach((one, topic) => {
      for (let slot = starts[topic]!; one === 1 && slot < starts[topic + 1]!; slot++) {
        if (times[slot] !== 0 || !exists(this.#problem, slot) || server?.assignable?.[slot] === 0) continue
        this.#note('NOTE_ASSIGN_NOBODY', slot)
      }
    })
  }

  /** Of a clash, who gets the partition, and whether the other claimant is waited for. */
  clashes(): void {
    const { clashes, offsets, values, withheld, algorithm } = this.#result
    if (clashes.length === 0 || this.#problem.server !== null) return
    const waiting = new Set(Array.from(withheld, (position) => values[position]!))
    const clashed = new Set(clashes)
    const cooperative = this.#problem.assignor === 'cooperative-sticky'
    for (let member = 0; member + 1 < offsets.length; member++) {
      for (const slot of values.subarray(offsets[member]!, offsets[member + 1]!)) {
        if (!clashed.has(slot)) continue
        const early = cooperative && algorithm === 'general' && !waiting.has(slot)
        this.#note(early ? 'NOTE_ASSIGN_CLASH_NOT_WITHHELD' : 'NOTE_ASSIGN_CLASH', slot, member)
      }
    }
  }

  #note(code: AssignNoteCode, slot: number, member?: number): void {
    const { starts, numbers } = this.#problem
    let topic = 0
    while (starts[topic + 1]! <= slot) topic += 1
    const partition = numbers === null ? slot - starts[topic]! : numbers[slot]!
    const name = this.#group.topics[topic]!
    const who = member === undefined ? {} : { member: this.#group.members[member]! }
    const where = `${name}-${partition}`
    this.notes.push({
      code,
      message: `${where}: ${NOTE_CODES[code]}. ${RIGHT[code]}`,
      where,
      ...who,
      topic: name,
      partition,
    })
  }
}
