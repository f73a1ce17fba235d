/**
 * Which load manager, shedder and placement strategy run together, from the question and the settings.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, ModularLoadManagerImpl (createLoadBalanceStrategies in 5.0) and UnloadScheduler.
 * What differs from the obvious: AvgShedder places bundles only where it sheds too; with another shedder 5.0 takes
 * LeastLongTermMessageRate instead, and before 5.0 the broker does not start. The extensible manager takes TransferShedder
 * whatever shedder of the modular one is set.
 */
import { checkInteger, checkName, codedError, shown } from '../../errors.js'
import type { Note } from '../../notes.js'
import type { PulsarVersion } from '../../types.js'
import type { LoadManager } from '../bundle-split.js'
import { type LoadSettings, loadSettings } from '../load-settings.js'
import {
  type LoadManagerChoice,
  PLACEMENTS,
  type PlacementName,
  SHEDDERS,
  type ShedderName,
} from '../simulation-types.js'
import { isSince, pulsarVersion } from '../version.js'

/** What runs. */
export interface CheckedChoice {
  readonly version: PulsarVersion
  readonly loadManager: LoadManager
  readonly shedder: ShedderName
  readonly placement: PlacementName
  readonly settings: LoadSettings
  readonly notes: readonly Note[]
}

const MANAGERS = ['ModularLoadManagerImpl', 'ExtensibleLoadManagerImpl'] as const

/** @throws ERR_PLACEMENT_UNKNOWN_NAME, ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_UNSUPPORTED */
export function checkChoice(choice: LoadManagerChoice): CheckedChoice {
  const version = pulsarVersion(choice)
  const settings = loadSettings(choice.settings, { version })
  for (const name of ['loadBalancerSheddingIntervalMinutes', 'loadBalancerReportUpdateMinIntervalMillis'] as const) {
    checkInteger(settings[name], `settings.${name}`, [1, 2 ** 31 - 1])
  }
  const loadManager = managerOf(choice, settings)
  const chosen = loadManager === 'modular' ? modular(choice, settings, version) : extensible(choice)
  return { version, loadManager, settings: { ...settings, ...classesOf(loadManager, chosen) }, ...chosen }
}

const PACKAGE = 'org.apache.pulsar.broker.loadbalance'

/** The settings by which broker.conf would choose the same. */
function classesOf(loadManager: LoadManager, { shedder, placement }: Chosen): Partial<LoadSettings> {
  if (loadManager === 'extensible') {
    return {
      loadManagerClassName: `${PACKAGE}.extensions.ExtensibleLoadManagerImpl`,
      loadBalancerLoadSheddingStrategy: `${PACKAGE}.extensions.scheduler.${shedder}`,
    }
  }
  return {
    loadManagerClassName: `${PACKAGE}.impl.ModularLoadManagerImpl`,
    loadBalancerLoadSheddingStrategy: `${PACKAGE}.impl.${shedder}`,
    loadBalancerLoadPlacementStrategy: `${PACKAGE}.impl.${placement}`,
  }
}

function managerOf({ loadManager }: LoadManagerChoice, settings: LoadSettings): LoadManager {
  if (loadManager !== undefined) return checkName(loadManager, 'loadManager', ['modular', 'extensible'])
  const name = classOf(settings.loadManagerClassName, 'settings.loadManagerClassName', MANAGERS)
  return name === 'ModularLoadManagerImpl' ? 'modular' : 'extensible'
}

/** The last part of a class's name, which is one of `names`. */
function classOf<T extends string>(value: string, what: string, names: readonly T[]): T {
  return checkName(value.slice(value.lastIndexOf('.') + 1), what, names)
}

type Chosen = Pick<CheckedChoice, 'shedder' | 'placement' | 'notes'>

function modular(choice: LoadManagerChoice, settings: LoadSettings, version: PulsarVersion): Chosen {
  const shedder =
    choice.shedder === undefined
      ? classOf(settings.loadBalancerLoadSheddingStrategy, 'settings.loadBalancerLoadSheddingStrategy', SHEDDERS)
      : checkName(choice.shedder, 'shedder', SHEDDERS)
  const placement =
    choice.placement === undefined
      ? classOf(settings.loadBalancerLoadPlacementStrategy, 'settings.loadBalancerLoadPlacementStrategy', PLACEMENTS)
      : checkName(choice.placement, 'placement', PLACEMENTS)
  if (shedder === 'TransferShedder') throw unfit('shedder', shedder, 'modular')
  if (placement !== 'AvgShedder' || shedder === 'AvgShedder') return { shedder, placement, notes: [] }
  if (isSince(version, '5.0')) return { shedder, placement: FALLBACK, notes: [fallbackNote(shedder)] }
  const message = `placement: expected the shedder AvgShedder with the placement AvgShedder, got ${shedder}: a broker of ${version} does not start so`
  throw codedError('ERR_PLACEMENT_UNSUPPORTED', message, { javaClass: 'java.lang.IllegalArgumentException' })
}

const FALLBACK: PlacementName = 'LeastLongTermMessageRate'

function fallbackNote(shedder: ShedderName): Note {
  const message = `${shedder} cannot be paired with the placement AvgShedder: bundles are placed by ${FALLBACK}`
  return { code: 'NOTE_SIMULATION_PLACEMENT_FALLBACK', message, where: 'loadBalancerLoadPlacementStrategy' }
}

function extensible({ shedder, placement, settings = {} }: LoadManagerChoice): Chosen {
  if (shedder !== undefined && checkName(shedder, 'shedder', SHEDDERS) !== 'TransferShedder') {
    throw unfit('shedder', shedder, 'extensible')
  }
  if (placement !== undefined && checkName(placement, 'placement', PLACEMENTS) !== 'LeastResourceUsageWithWeight') {
    throw unfit('placement', placement, 'extensible')
  }
  const given = settings.loadBalancerLoadSheddingStrategy
  const name = given === undefined ? null : classOf(given, 'settings.loadBalancerLoadSheddingStrategy', SHEDDERS)
  const isOther = shedder === undefined && name !== null && name !== 'TransferShedder'
  return {
    shedder: 'TransferShedder',
    placement: 'LeastResourceUsageWithWeight',
    notes: isOther ? [otherShedderNote(name)] : [],
  }
}

function otherShedderNote(name: ShedderName): Note {
  const message = `${name} is no shedder of the extensible load manager: it takes TransferShedder`
  return { code: 'NOTE_SIMULATION_SHEDDER_FALLBACK', message, where: 'loadBalancerLoadSheddingStrategy' }
}

function unfit(what: 'shedder' | 'placement', name: string, manager: LoadManager): Error {
  const message = `${what}: expected one of the ${manager} load manager, got ${shown(name)}`
  return codedError('ERR_PLACEMENT_UNSUPPORTED', message)
}
