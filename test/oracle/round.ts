/**
 * One round: fresh questions of a system's families, put to its judge in one stream and to both engines of ours.
 *
 * One question on one engine is one check; a list counts item by item. What the product does not answer, or the release
 * cannot, is skipped, once, and never passes.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Answer, Request } from '../vectors/answer.js'
import type { Difference } from '../vectors/compare.js'
import type { EngineDoor } from '../vectors/replay.js'
import { differenceOf } from '../vectors/sameness.js'
import { Chance } from './chance.js'
import type { Answered } from './judge.js'
import type { Question } from './question.js'
import type { System } from './systems.js'

/** What the product answers to a request; `undefined` for what it does not answer. */
export type Product = (family: string, request: Request, release: string) => Answer | undefined

export interface Failure extends Difference {
  readonly family: string
  readonly release: string
  readonly engine: string
  readonly request: Request
  /** Place in the list, or -1 where the whole answer differs. */
  readonly item: number
}

/** What came of one family. */
export interface Tally {
  asked: number
  readonly passed: Map<string, number>
  failed: number
  skipped: number
  /** Ops that were not answered, with how many questions. */
  readonly unanswered: Map<string, number>
}

export interface Round {
  readonly tallies: ReadonlyMap<string, Tally>
  /** The first ones. */
  readonly failures: Failure[]
}

export interface Plan {
  /** Questions, dealt evenly over the families. */
  readonly count: number
  readonly seed: number
  /** Where an op is asked: on each engine, or once. */
  readonly doors: (op: string) => readonly EngineDoor[]
  readonly product: Product
  /** Told after each answer, with the questions done. */
  readonly progress: (done: number) => void
}

/** How many differences are kept: more hide the first, which mostly explains the rest. */
const MOST_FAILURES = 12

/** Of one op on one engine. */
const MOST_ALIKE = 3

interface Drawn extends Question {
  readonly family: string
}

/** Asks the system. Rejects where its judge stops early. */
export async function askSystem(system: System, plan: Plan): Promise<Round> {
  const round = { tallies: new Map(Object.keys(system.families).map((name) => [name, emptyTally()])), failures: [] }
  let done = 0
  for await (const answered of system.judge.ask(questions(system, plan))) {
    check(round, answered, system.release, plan)
    done += answered.question.items
    plan.progress(done)
    // The judge's pipes are served between questions.
    await turn()
  }
  return round
}

const emptyTally = (): Tally => ({ asked: 0, passed: new Map(), failed: 0, skipped: 0, unanswered: new Map() })

/** Family by family in turn, each from its own stream of chance, so that leaving one out does not move the others. */
function* questions(system: System, { count, seed }: Plan): Iterable<Drawn> {
  const names = Object.keys(system.families)
  const share = Math.ceil(count / names.length)
  const left = new Map(names.map((name) => [name, share]))
  const chances = new Map(names.map((name) => [name, new Chance(seed, name)]))
  while (left.size > 0) {
    for (const [family, some] of left) {
      const question = system.families[family]!(chances.get(family)!, system.release)
      yield { ...question, family }
      if (question.items < some) left.set(family, some - question.items)
      else left.delete(family)
    }
  }
}

function check(round: Round, { question, expected }: Answered, release: string, plan: Plan): void {
  const { family, request, items } = question as Drawn
  const tally = round.tallies.get(family)!
  tally.asked += items
  for (const engine of plan.doors(request.op)) {
    const got = engine.run(() => plan.product(family, request, release))
    if (got === undefined || isNoAnswer(expected)) {
      skip(tally, request.op, items)
      return
    }
    compare({ round, tally, base: { family, release, engine: engine.name, request } }, items, [expected, got])
  }
}

interface Place {
  readonly round: Round
  readonly tally: Tally
  readonly base: Pick<Failure, 'family' | 'release' | 'engine' | 'request'>
}

type Pair = readonly [expected: Answer, got: Answer]

/** Item by item where both answers are such lists, else as a whole. */
function compare(place: Place, items: number, [expected, got]: Pair): void {
  const [wanted, came] = [itemsOf(expected, items), itemsOf(got, items)]
  if (wanted === undefined || came === undefined) {
    compareOne(place, { item: -1, weight: items }, [expected, got])
    return
  }
  for (const [item, answer] of wanted.entries()) {
    if (isNoAnswer(answer)) skip(place.tally, place.base.request.op, 1)
    else compareOne(place, { item, weight: 1 }, [answer, came[item]!])
  }
}

function compareOne({ round, tally, base }: Place, at: { item: number; weight: number }, [expected, got]: Pair): void {
  const difference = differenceOf(base.request.op, expected, got)
  if (difference === undefined) {
    add(tally.passed, base.engine, at.weight)
    return
  }
  tally.failed += at.weight
  keep(round, { ...base, ...difference, item: at.item })
}

/** An answer of lists, item by item: `{ hashes: [1, 2] }` as `{ hashes: 1 }` and `{ hashes: 2 }`; `undefined` if it is none. */
function itemsOf(answer: Answer, items: number): Answer[] | undefined {
  if (items === 1 || !('ok' in answer)) return undefined
  const { ok } = answer
  if (isList(ok)) return ok.length === items ? Array.from(ok, (item) => ({ ok: item })) : undefined
  if (typeof ok !== 'object' || ok === null) return undefined
  const fields = Object.entries(ok)
  if (fields.length === 0 || !fields.every(([, list]) => isList(list) && list.length === items)) return undefined
  return Array.from({ length: items }, (_, i) => ({
    ok: Object.fromEntries(fields.map(([name, list]) => [name, (list as unknown[])[i]])),
  }))
}

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))

/** The Pulsar program's word for what a release lacks: of a whole request, or as an item of a list. */
function isNoAnswer(answer: Answer): boolean {
  const { error } = ('ok' in answer ? (answer.ok ?? {}) : answer) as { error?: { type?: unknown } }
  return error?.type === 'java.lang.UnsupportedOperationException'
}

function skip(tally: Tally, op: string, items: number): void {
  tally.skipped += items
  add(tally.unanswered, op, items)
}

function keep(round: Round, failure: Failure): void {
  const alike = round.failures.filter(
    ({ engine, request }) => engine === failure.engine && request.op === failure.request.op,
  )
  if (alike.length < MOST_ALIKE && round.failures.length < MOST_FAILURES) round.failures.push(failure)
}

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more)
}
