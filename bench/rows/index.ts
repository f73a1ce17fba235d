/** All rows, in the order of the table. */
import type { Row } from '../row.js'
import { ASSIGN_ROWS } from './assign.js'
import { ASSIGN_ALONE_ROWS } from './assign-alone.js'
import { BALANCED_ROWS } from './balanced.js'
import { GATEWAY_ROWS } from './gateway.js'
import { HARNESS_ROWS } from './harness.js'
import { KEY_SHARED_ROWS } from './key-shared.js'
import { LEDGER_ROWS } from './ledger.js'
import { PACKED_ROWS } from './packed.js'
import { PLACEMENT_ROWS } from './placement.js'
import { PLANNER_ROWS } from './planner.js'
import { SIMULATE_ROWS } from './simulate.js'
import { SINGLE_KEY_ROWS } from './single-key.js'
import { SPLIT_ROWS } from './splits.js'
import { STRING_ROWS } from './strings.js'
import { THREADS_ROWS } from './threads.js'

const ORDER = [
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  '9b',
  '9c',
  '9d',
  '9e',
  '10',
  '11',
  '11b',
  '11c',
  '12',
  '13',
  'assign-scale',
  'assign-memory',
  'balanced',
  'threads',
  'key-shared',
  'advise',
  'split',
  'ledger',
  'simulate',
  'planner',
  'planner-peers',
  'placers',
  'crossing',
  'harness',
]

export const ROWS: readonly Row[] = [
  ...STRING_ROWS,
  ...PACKED_ROWS,
  ...SINGLE_KEY_ROWS,
  ...GATEWAY_ROWS,
  ...ASSIGN_ROWS,
  ...ASSIGN_ALONE_ROWS,
  ...BALANCED_ROWS,
  ...KEY_SHARED_ROWS,
  ...SPLIT_ROWS,
  ...LEDGER_ROWS,
  ...SIMULATE_ROWS,
  ...PLANNER_ROWS,
  ...PLACEMENT_ROWS,
  ...THREADS_ROWS,
  ...HARNESS_ROWS,
].sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name))
