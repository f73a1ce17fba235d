/** `pulsar.ledger`: on which bookies entries lie, what a lost bookie costs, which ensembles keep the placement policy. */
import { chooseEnsemble, possibleEnsembles } from './ensemble-choice.js'
import { ackedAdherence, ensembleAdherence } from './ensemble-policy.js'
import { AckSet, QuorumCoverage } from './ledger-acks.js'
import { ledgersLoss, loss } from './ledger-loss.js'
import { entriesOfBookie, placeEntry, writeSets } from './ledger-schedule.js'

export const ledger = {
  placeEntry,
  writeSets,
  entriesOfBookie,
  AckSet,
  QuorumCoverage,
  loss,
  ledgersLoss,
  ensembleAdherence,
  ackedAdherence,
  possibleEnsembles,
  chooseEnsemble,
} as const
