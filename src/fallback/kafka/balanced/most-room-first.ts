/**
 * Members in the order of the room they have, kept while it shrinks one by one.
 *
 * For whoever places extras of `balanced`. Twin of native/core/src/kafka/balanced/most_room_first.rs.
 * Members of equal room stand together; one whose room shrinks changes places with the last of them, so that each step costs
 * the same, however many members there are.
 */
export class MostRoomFirst {
  readonly members: Uint32Array
  readonly #places: Uint32Array
  readonly #rooms: Uint32Array
  /** How many members have that much room or more. */
  readonly #counts: Uint32Array

  /** Members ascend. */
  constructor(members: Uint32Array, roomOf: (member: number) => number) {
    const size = members.length === 0 ? 0 : members.at(-1)! + 1
    this.#places = new Uint32Array(size)
    this.#rooms = new Uint32Array(size)
    for (const member of members) this.#rooms[member] = roomOf(member)
    const most = this.#rooms.reduce((high, room) => Math.max(high, room), 0)
    this.#counts = new Uint32Array(most + 2)
    for (const member of members) this.#counts[this.#rooms[member]!]! += 1
    for (let room = most; room >= 0; room--) this.#counts[room]! += this.#counts[room + 1]!
    this.members = new Uint32Array(members.length)
    const at = this.#counts.slice(1)
    for (const member of members) this.#put(member, at[this.#rooms[member]!]!++)
  }

  /** Members `[0, withRoom)` have some. */
  get withRoom(): number {
    return this.#counts[1]!
  }

  #put(member: number, place: number): void {
    this.members[place] = member
    this.#places[member] = place
  }

  /** Takes one from the room of a member that has some. */
  lower(member: number): void {
    const place = this.#places[member]!
    const last = --this.#counts[this.#rooms[member]!]!
    this.#put(this.members[last]!, place)
    this.#put(member, last)
    this.#rooms[member]! -= 1
  }
}
