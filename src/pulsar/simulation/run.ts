/**
 * What Pulsar's load managers do with a cluster whose load is given, step by step.
 *
 * For whoever wants to try a setting before it thrashes production. A step is one shedding interval: events happen, brokers report,
 * bundles without an owner are looked up, the leader sheds. `docs/load-managers.md` tells what is the jar's own arithmetic and what
 * is simulated.
 */
import { JavaRandom } from '../../fallback/kafka/java-random.js'
import { randomSource } from '../../kafka/random-source.js'
import type { Note } from '../../notes.js'
import type { LoadSimulation, LoadSimulationQuestion } from '../simulation-types.js'
import { type CheckedQuestion, checkQuestion } from './check.js'
import { Cluster, NOBODY } from './cluster.js'
import type { CheckedEvent } from './events.js'
import { ExtensibleManager } from './extensible.js'
import type { Manager } from './manager.js'
import { ModularManager } from './modular.js'
import { MoveLog } from './moves.js'
import { simulationOf } from './result.js'

/**
 * Runs a load manager over a cluster: what moves and why, what it costs, and whether it ends.
 *
 * The order in which brokers and bundles are given does not matter; the same question with the same seed has the same answer.
 *
 * Cost: some microseconds a broker and step, and more for those that shed; 8 bytes a broker and step are kept.
 *
 * @returns moves and loads by step, with readers
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (NaN, negative, over 100 %, a gap in a series),
 *   ERR_PLACEMENT_DUPLICATE (a broker or a bundle twice), ERR_PLACEMENT_UNKNOWN_NAME (an owner, a setting, a shedder, with the nearest
 *   right one), ERR_PLACEMENT_BUNDLE_RANGE (a bundle's key), ERR_PLACEMENT_INFEASIBLE (a policy that leaves no broker),
 *   ERR_PLACEMENT_UNSUPPORTED (a shedder of the other manager; releases before 3.0), ERR_PLACEMENT_UNKNOWN_VERSION
 * @example pulsar.simulate({ brokers: [{ name: 'b1:8080' }, { name: 'b2:8080' }], bundles: ['t/n/0x00000000_0xffffffff'],
 *   loads: { 't/n/0x00000000_0xffffffff': { cpu: 10 } } }).quietFrom // → 2
 */
export function simulate(question: LoadSimulationQuestion): LoadSimulation {
  const runner = new Runner(checkQuestion(question))
  runner.walk()
  return runner.end()
}

interface Homeless {
  /** The broker that it was on, `NOBODY` for none. */
  readonly from: number
  readonly reason: 'died' | 'restarts' | null
}

class Runner {
  readonly #question: CheckedQuestion
  readonly #cluster: Cluster
  readonly #manager: Manager
  readonly #log = new MoveLog()
  readonly #homeless = new Map<number, Homeless>()
  readonly #usage: Float64Array
  readonly #loads: { readonly max: Float64Array; readonly mean: Float64Array; readonly std: Float64Array }
  readonly #neverPlaced = new Set<number>()

  constructor(question: CheckedQuestion) {
    const { steps, brokerNames, loadManager, seed } = question
    const column = () => new Float64Array(steps)
    this.#question = question
    this.#cluster = new Cluster(question)
    const random = new JavaRandom(randomSource({ seed }))
    const Kind = loadManager === 'modular' ? ModularManager : ExtensibleManager
    this.#manager = new Kind(this.#cluster, question, random)
    this.#usage = new Float64Array(steps * brokerNames.length).fill(Number.NaN)
    this.#loads = { max: column(), mean: column(), std: column() }
    for (const [bundle, owner] of this.#cluster.owner.entries()) {
      if (owner === NOBODY) this.#homeless.set(bundle, { from: NOBODY, reason: null })
    }
  }

  walk(): void {
    for (let step = 1; step <= this.#question.steps; step++) this.#step(step)
  }

  end(): LoadSimulation {
    const [question, log, loads, usage] = [this.#question, this.#log, this.#loads, this.#usage]
    return simulationOf({ question, log, loads, usage, notes: [...question.notes, ...this.#notes()] })
  }

  #step(step: number): void {
    for (const event of this.#question.events.at.get(step) ?? []) this.#happen(event, step)
    if (this.#cluster.loads.advance(step)) this.#cluster.touch()
    this.#cluster.takeReports(step)
    this.#record(step)
    this.#manager.report(step)
    this.#lookUp(step)
    this.#shed(step)
  }

  #happen(event: CheckedEvent, step: number): void {
    const { brokerNames } = this.#question
    if ('join' in event) this.#cluster.join(brokerNames.indexOf(event.join.name), event.join)
    else if ('leave' in event) this.#leave(brokerNames.indexOf(event.leave), event.why)
    else {
      this.#cluster.loads.set(event.bundle, event.load, step)
      this.#cluster.touch()
    }
  }

  #leave(broker: number, reason: 'died' | 'restarts'): void {
    for (const [bundle, owner] of this.#cluster.owner.entries()) {
      if (owner !== broker) continue
      this.#move(bundle, broker, NOBODY)
      this.#homeless.set(bundle, { from: broker, reason })
    }
    this.#cluster.leave(broker)
    this.#manager.forget(broker)
  }

  #lookUp(step: number): void {
    const bundles = [...this.#homeless.keys()].sort((a, b) => a - b)
    for (const bundle of bundles) {
      const { from, reason } = this.#homeless.get(bundle)!
      const { broker: to, parts } = this.#manager.place(bundle)
      if (to !== NOBODY) {
        this.#homeless.delete(bundle)
        this.#move(bundle, NOBODY, to)
      } else {
        this.#neverPlaced.add(bundle)
        if (from === NOBODY) continue
        this.#homeless.set(bundle, { from: NOBODY, reason: null })
      }
      const cause = to === NOBODY ? 'nowhere' : from === NOBODY ? 'placed' : 'left'
      this.#log.add({ step, bundle, from, to, cause, reason, parts })
    }
  }

  #shed(step: number): void {
    const { loadBalancerEnabled, loadBalancerSheddingEnabled } = this.#question.settings
    if (!loadBalancerEnabled || !loadBalancerSheddingEnabled || this.#cluster.order.length <= 1) return
    for (const { bundle, from, to, reason, isSwap, parts } of this.#manager.shed(step)) {
      this.#log.add({ step, bundle, from, to, cause: isSwap ? 'swapped' : 'shed', reason, parts })
      this.#move(bundle, from, to)
      if (to === NOBODY) this.#homeless.set(bundle, { from: NOBODY, reason: null })
    }
  }

  #move(bundle: number, from: number, to: number): void {
    this.#cluster.move(bundle, to)
    this.#manager.moved(bundle, from, to)
  }

  #record(step: number): void {
    const { max, mean, std } = this.#loads
    const brokers = this.#question.brokerNames.length
    const at = (step - 1) * brokers
    if (!this.#cluster.isNew && step > 1) {
      this.#usage.copyWithin(at, at - brokers, at)
      for (const column of [max, mean, std]) column[step - 1] = column[step - 2]!
      return
    }
    const usages = this.#cluster.order.map((broker) => this.#cluster.report.weighted[broker]! * 100)
    for (const [i, broker] of this.#cluster.order.entries()) this.#usage[at + broker] = usages[i]!
    const average = usages.reduce((sum, usage) => sum + usage, 0) / Math.max(1, usages.length)
    const squares = usages.reduce((sum, usage) => sum + (usage - average) ** 2, 0) / Math.max(1, usages.length)
    max[step - 1] = usages.reduce((most, usage) => Math.max(most, usage), 0)
    mean[step - 1] = average
    std[step - 1] = Math.sqrt(squares)
  }

  #notes(): Note[] {
    const notes: Note[] = []
    const { saturated } = this.#cluster
    if (saturated !== null) {
      const name = this.#question.brokerNames[saturated.broker]!
      const message = `${name} is asked for ${saturated.demand.toFixed(1)} % of a limit in step ${saturated.step}: brokers report 100 % at most`
      notes.push({ code: 'NOTE_SIMULATION_SATURATED', message, where: name })
    }
    if (this.#loads.max.every((usage) => usage === 0)) {
      const message = 'no broker has any usage: give cpu of bundles, or limits of bandwidth, else nothing is compared'
      notes.push({ code: 'NOTE_SIMULATION_NO_USAGE', message })
    }
    if (this.#neverPlaced.size > 0) {
      const name = this.#question.bundles[[...this.#neverPlaced][0]!]!.name
      const message = `${this.#neverPlaced.size} bundles, such as ${name}, had no broker at times: policies or limits left none`
      notes.push({ code: 'NOTE_SIMULATION_NO_BROKER', message, where: name })
    }
    return notes
  }
}
