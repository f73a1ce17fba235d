/** The answer of a run: columns, and readers that build what is asked for. */
import { checkInteger, checkName } from '../../errors.js'
import type { Note } from '../../notes.js'
import { REASON_KINDS } from '../shedding-reason.js'
import type { LoadColumns, LoadMove, LoadSimulation, MoveColumns } from '../simulation-types.js'
import type { CheckedQuestion } from './check.js'
import type { Move, MoveLog } from './moves.js'
import { quietWindow } from './quiet.js'
import { bouncingSince, thrashOf } from './thrash.js'

/** What a run keeps. */
export interface Run {
  readonly question: CheckedQuestion
  readonly log: MoveLog
  readonly loads: LoadColumns
  /** Weighted usage in percent by step and broker, NaN where it is not there. */
  readonly usage: Float64Array
  readonly notes: readonly Note[]
}

/** The answer, with what is found in the moves. */
export function simulationOf(run: Run): LoadSimulation {
  const { question, log, loads } = run
  const { version, loadManager, shedder, placement, seed, steps, settings } = question
  const moves = log.columns()
  const readers = new Readers(run, moves)
  const lastMove = moves.step[moves.length - 1] ?? 0
  const isSettled = steps - Math.max(lastMove, question.events.last) >= quietWindow(question)
  const thrash = thrashOf(run)
  const quietFrom = lastMove < steps && thrash === null ? lastMove + 1 : null
  return {
    ...{ version, loadManager, shedder, placement, seed, steps, settings, loads, moves },
    ...{ brokers: readers.brokers, bundles: readers.bundles, unloads: unloadsOf(moves, steps) },
    ...{ quietFrom, isSettled, thrash, bouncing: bouncingSince(run, 1) },
    notes: [...run.notes, ...endNotes({ thrash, isSettled, quietFrom, steps })],
    ownersAt: (step) => readers.ownersAt(step),
    bundlesOf: (broker, step) => readers.bundlesOf(broker, step),
    usageAt: (step) => readers.usageAt(step),
    movesAt: (step) => readers.movesAt(step),
    moveAt: (index) => readers.moveAt(index),
  }
}

class Readers {
  readonly brokers: readonly string[]
  readonly bundles: readonly string[]
  readonly #run: Run
  readonly #moves: MoveColumns

  constructor(run: Run, moves: MoveColumns) {
    this.#run = run
    this.#moves = moves
    this.brokers = run.question.brokerNames
    this.bundles = run.question.bundles.map(({ name }) => name)
  }

  ownersAt(step: number): ReadonlyMap<string, string | null> {
    const owners = this.#ownersAt(step)
    const nameOf = (owner: number) => (owner < 0 ? null : this.brokers[owner]!)
    return new Map(this.bundles.map((name, i) => [name, nameOf(owners[i]!)]))
  }

  bundlesOf(broker: string, step: number): readonly string[] {
    const number = this.brokers.indexOf(checkName(broker, 'broker', this.brokers))
    const owners = this.#ownersAt(step)
    return this.bundles.filter((_, i) => owners[i] === number)
  }

  usageAt(step: number): Float64Array {
    checkInteger(step, 'step', [1, this.#run.question.steps])
    return this.#run.usage.slice((step - 1) * this.brokers.length, step * this.brokers.length)
  }

  movesAt(step?: number): readonly LoadMove[] {
    if (step !== undefined) checkInteger(step, 'step', [0, this.#run.question.steps])
    const [from, to] = step === undefined ? [0, this.#moves.length] : [this.#firstFrom(step), this.#firstFrom(step + 1)]
    return Array.from({ length: to - from }, (_, i) => this.moveAt(from + i))
  }

  moveAt(index: number): LoadMove {
    checkInteger(index, 'index', [0, this.#moves.length - 1])
    const move = this.#run.log.at(index)
    const nameOf = (broker: number) => (broker < 0 ? null : this.brokers[broker]!)
    return {
      step: move.step,
      bundle: this.bundles[move.bundle]!,
      from: nameOf(move.from),
      to: nameOf(move.to),
      cause: move.cause,
      reason: this.#reasonOf(move),
      settings: move.reason === null || typeof move.reason === 'string' ? [] : REASON_KINDS[move.reason.kind].settings,
    }
  }

  #reasonOf({ reason, from, to, cause }: Move): string {
    if (reason === null) return `without an owner: placed by ${this.#run.question.placement}`
    const name = this.brokers[from]!
    if (typeof reason === 'string') return `${name} ${reason}${to < 0 ? ', and no broker may have it' : ''}`
    const shed = cause === 'swapped' ? this.brokers[to]! : name
    const text = `${shed} ${REASON_KINDS[reason.kind].text(reason.figures)}`
    return cause === 'swapped' ? `back for a bigger one: ${text}` : text
  }

  /** Index of the first move of a step or later. */
  #firstFrom(step: number): number {
    let [low, high] = [0, this.#moves.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#moves.step[middle]! < step) low = middle + 1
      else high = middle
    }
    return low
  }

  #ownersAt(step: number): Int32Array {
    checkInteger(step, 'step', [0, this.#run.question.steps])
    const owners = Int32Array.from(this.#run.question.bundles, ({ owner }) => owner)
    const { bundle, to } = this.#moves
    const end = this.#firstFrom(step + 1)
    for (let i = 0; i < end; i++) owners[bundle[i]!] = to[i]!
    return owners
  }
}

/** Moves that the leader made, by step. */
function unloadsOf({ length, step, cause }: MoveColumns, steps: number): Int32Array {
  const unloads = new Int32Array(steps)
  for (let i = 0; i < length; i++) if (cause[i] === 1 || cause[i] === 2) unloads[step[i]! - 1]!++
  return unloads
}

type Ending = Pick<LoadSimulation, 'thrash' | 'isSettled' | 'quietFrom' | 'steps'>

function endNotes({ thrash, isSettled, quietFrom, steps }: Ending): Note[] {
  if (thrash !== null) return [{ code: 'NOTE_SIMULATION_THRASH', message: thrash.message }]
  if (isSettled) return []
  const what = quietFrom === null ? 'something moves in the last one' : `nothing moves from step ${quietFrom} on`
  const message = `${steps} steps are too few to tell whether it is quiet: ${what}, and grace periods and hit counts last longer`
  return [{ code: 'NOTE_SIMULATION_NOT_SETTLED', message }]
}
