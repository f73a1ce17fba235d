/** `kafka.protocol`: what members and leader of a group write to each other, read and written. */
import {
  type ConsumerAssignment,
  type ConsumerSubscription,
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
} from './consumer-protocol.js'
import {
  decodeCooperativeUserData,
  decodeStickyUserData,
  encodeCooperativeUserData,
  encodeStickyUserData,
  type StickyUserData,
} from './sticky-user-data.js'

export type { ConsumerAssignment, ConsumerSubscription, StickyUserData }

/** Readers and writers of the consumer protocol, and of the user data of the sticky assignors. */
export const protocol = {
  encodeSubscription,
  decodeSubscription,
  encodeAssignment,
  decodeAssignment,
  encodeStickyUserData,
  decodeStickyUserData,
  encodeCooperativeUserData,
  decodeCooperativeUserData,
} as const
