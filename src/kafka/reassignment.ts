/** `kafka.reassignment`: the files and the work of `kafka-reassign-partitions`, offline. */
export { type FoundReassignment, findReassignment as find } from './printed-plan.js'
export { type ProposalOptions, propose } from './propose.js'
export { checkEntries, executeArguments, generateArguments, parseBrokerList } from './reassignment-args.js'
export {
  diffReassignments as diff,
  entriesOf,
  movesIn,
  type PartitionDiff,
  type ReassignmentDiff,
  rollbackOf,
} from './reassignment-diff.js'
export {
  formatReassignment as format,
  formatTopicsToMove,
  parseReassignment as parse,
  parseTopicsToMove,
  type ReassignmentEntry,
  reassignmentBlocks as blocks,
} from './reassignment-json.js'
export {
  type ExecuteAction,
  type FollowUpAction,
  type GenerateAction,
  type ListAction,
  reassignmentTool,
  type ToolAction,
} from './reassignment-tool.js'
export {
  type MoveQuestion,
  type OngoingReassignment,
  type PartitionMove,
  proposedMoves,
  type Throttles,
  throttlesOf,
} from './throttles.js'
export type { ConfigChange, ReplicaLogDir, ToolAnswer, ToolChange, ToolState } from './tool-state.js'
export { compareWithState as compare, toolState } from './tool-view.js'
export {
  type ReassignmentProblem,
  type ValidateOptions,
  validateCancel,
  validateReassignment as validate,
} from './validate-reassignment.js'
