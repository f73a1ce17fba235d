/** `kafka.reassignment`: the files and the work of `kafka-reassign-partitions`, offline. */
export {
  formatReassignment as format,
  formatTopicsToMove,
  parseReassignment as parse,
  parseTopicsToMove,
  type ReassignmentEntry,
  reassignmentBlocks as blocks,
} from './reassignment-json.js'
