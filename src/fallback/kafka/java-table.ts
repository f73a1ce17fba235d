/**
 * The table of a `java.util.HashMap`, node by node: which bucket a key lies in, and in which order a bucket is walked.
 *
 * For the assignors that walk such maps: order decides there who keeps a partition. Source: OpenJDK 17, java.util.HashMap.
 * Twin of native/core/src/kafka/java_table.rs.
 * What differs from the obvious: a bucket that takes its 9th key becomes a red-black tree (in a table of 64 buckets or
 * more; a smaller one doubles instead), and is walked by links that follow the tree: a new key comes right behind its
 * parent, the root first. Keys of one hash code are ordered by `compare`.
 */

/** No node. */
const NONE = -1

/** A bucket of that many keys becomes a tree when another one comes. */
const TREE_FROM = 8
/** A tree of so few keys becomes a list when its bucket is split. */
const LIST_UP_TO = 6
/** A smaller table doubles instead of making trees. */
const TREE_TABLE = 64

/** The table size that Java takes for an initial capacity: the next power of two. */
export function tableSizeFor(capacity: number): number {
  return capacity <= 1 ? 1 : 2 ** (32 - Math.clz32(capacity - 1))
}

/** `String.hashCode` and the like with the high half folded in, as the table uses it. */
export const spread = (hashCode: number): number => hashCode ^ (hashCode >>> 16)

export class JavaTable {
  readonly #compare: (a: number, b: number) => number
  readonly #hash: number[] = []
  readonly #next: number[] = []
  readonly #prev: number[] = []
  readonly #parent: number[] = []
  /** Children: left, right. */
  readonly #child: readonly [number[], number[]] = [[], []]
  readonly #red: boolean[] = []
  #heads: Int32Array
  #isTree: Uint8Array
  #size = 0
  /** No bucket below it holds a node. */
  #lowest = 0

  /** `compare` orders keys of one hash code by their node numbers; `tableSize` is a power of two. */
  constructor(compare: (a: number, b: number) => number, tableSize = 16) {
    this.#compare = compare
    this.#heads = new Int32Array(tableSize).fill(NONE)
    this.#isTree = new Uint8Array(tableSize)
  }

  get size(): number {
    return this.#size
  }

  /** Puts a key that is not there yet; the numbers of the nodes are given one after the other, from 0. */
  add(hashCode: number): number {
    const node = this.#newNode(hashCode)
    const bucket = this.#bucketOf(node)
    if (this.#isTree[bucket] === 1) this.#addToTree(bucket, node)
    else this.#addToList(bucket, node)
    if (bucket < this.#lowest) this.#lowest = bucket
    this.#size += 1
    this.touch()
    return node
  }

  /** Puts a key that is not there yet as `computeIfAbsent` does: at the head of its bucket. */
  compute(hashCode: number): number {
    this.touch()
    const node = this.#newNode(hashCode)
    const bucket = this.#bucketOf(node)
    if (this.#isTree[bucket] === 1) this.#addToTree(bucket, node)
    else this.#addToHead(bucket, node)
    if (bucket < this.#lowest) this.#lowest = bucket
    this.#size += 1
    return node
  }

  /** What `computeIfAbsent` does before it looks for its key: a table that is over its measure grows only now. */
  touch(): void {
    if (this.#size > Math.floor(this.#heads.length * 0.75)) this.#grow()
  }

  /** Takes a node out. */
  remove(node: number): void {
    const bucket = this.#bucketOf(node)
    this.#size -= 1
    if (this.#isTree[bucket] === 1) this.#removeFromTree(bucket, node)
    else this.#unlink(bucket, node)
  }

  /** The node that an iterator gives first; -1 in an empty table. */
  first(): number {
    while (this.#lowest < this.#heads.length && this.#heads[this.#lowest] === NONE) this.#lowest += 1
    return this.#heads[this.#lowest] ?? NONE
  }

  /** All nodes as they are walked. */
  order(): Uint32Array {
    const order = new Uint32Array(this.#size)
    let at = 0
    for (const head of this.#heads) for (let node = head; node !== NONE; node = this.#next[node]!) order[at++] = node
    return order
  }

  #newNode(hashCode: number): number {
    this.#hash.push(spread(hashCode))
    for (const links of [this.#next, this.#prev, this.#parent, ...this.#child]) links.push(NONE)
    return this.#red.push(false) - 1
  }

  #bucketOf(node: number): number {
    return this.#hash[node]! & (this.#heads.length - 1)
  }

  #addToList(bucket: number, node: number): void {
    let last = this.#heads[bucket]!
    if (last === NONE) {
      this.#heads[bucket] = node
      return
    }
    let length = 1
    for (; this.#next[last] !== NONE; last = this.#next[last]!) length += 1
    this.#link(last, node)
    if (length >= TREE_FROM) this.#treeOrGrow(bucket)
  }

  /** It counts what was there before, and so makes a tree one key earlier. */
  #addToHead(bucket: number, node: number): void {
    let length = 0
    for (let at = this.#heads[bucket]!; at !== NONE; at = this.#next[at]!) length += 1
    this.#link(node, this.#heads[bucket]!)
    this.#heads[bucket] = node
    if (length >= TREE_FROM - 1) this.#treeOrGrow(bucket)
  }

  #treeOrGrow(bucket: number): void {
    if (this.#heads.length < TREE_TABLE) this.#grow()
    else this.#makeTree(bucket)
  }

  #link(before: number, after: number): void {
    if (before !== NONE) this.#next[before] = after
    if (after !== NONE) this.#prev[after] = before
  }

  #unlink(bucket: number, node: number): void {
    const [before, after] = [this.#prev[node]!, this.#next[node]!]
    if (before === NONE) this.#heads[bucket] = after
    this.#link(before, after)
  }

  /** Doubles the table; each bucket splits in two that keep its order. */
  #grow(): void {
    const [heads, isTree] = [this.#heads, this.#isTree]
    const half = heads.length
    this.#heads = new Int32Array(2 * half).fill(NONE)
    this.#isTree = new Uint8Array(2 * half)
    this.#lowest = 0
    for (let bucket = 0; bucket < half; bucket++) {
      const counts = this.#split(heads[bucket]!, bucket, half)
      if (isTree[bucket] === 1) this.#afterSplit(bucket, half, counts)
    }
  }

  #split(head: number, bucket: number, half: number): [number, number] {
    const last = [NONE, NONE]
    const counts: [number, number] = [0, 0]
    for (let node = head; node !== NONE; ) {
      const following = this.#next[node]!
      const side = (this.#hash[node]! & half) === 0 ? 0 : 1
      this.#prev[node] = NONE
      this.#next[node] = NONE
      if (last[side] === NONE) this.#heads[bucket + side * half] = node
      else this.#link(last[side]!, node)
      last[side] = node
      counts[side]! += 1
      node = following
    }
    return counts
  }

  /** A tree that did not split stays as it is; one that did is built anew, or is a list when few are left. */
  #afterSplit(bucket: number, half: number, counts: readonly [number, number]): void {
    for (const side of [0, 1] as const) {
      const target = bucket + side * half
      if (counts[side] === 0) continue
      if (counts[side] <= LIST_UP_TO) this.#makeList(target)
      else if (counts[1 - side]! > 0) this.#makeTree(target)
      else this.#isTree[target] = 1
    }
  }

  #makeList(bucket: number): void {
    this.#isTree[bucket] = 0
    for (let node = this.#heads[bucket]!; node !== NONE; node = this.#next[node]!) this.#detach(node)
  }

  #detach(node: number): void {
    this.#parent[node] = NONE
    this.#child[0][node] = NONE
    this.#child[1][node] = NONE
    this.#red[node] = false
  }

  #makeTree(bucket: number): void {
    this.#isTree[bucket] = 1
    let root = NONE
    for (let node = this.#heads[bucket]!; node !== NONE; node = this.#next[node]!) {
      this.#detach(node)
      if (root !== NONE) this.#hang(root, node)
      root = this.#balanceAdded(root, node)
    }
    this.#rootToFront(bucket, root)
  }

  /** Hangs a node below the one that a search ends at, and returns that one. */
  #hang(root: number, node: number): number {
    for (let at = root; ; ) {
      const side = this.#sideOf(node, at)
      const below = this.#child[side][at]!
      if (below === NONE) {
        this.#parent[node] = at
        this.#child[side][at] = node
        return at
      }
      at = below
    }
  }

  #sideOf(node: number, at: number): 0 | 1 {
    const [mine, its] = [this.#hash[node]!, this.#hash[at]!]
    if (mine !== its) return mine < its ? 0 : 1
    return this.#compare(node, at) <= 0 ? 0 : 1
  }

  #addToTree(bucket: number, node: number): void {
    const root = this.#rootAbove(this.#heads[bucket]!)
    const parent = this.#hang(root, node)
    const after = this.#next[parent]!
    this.#link(parent, node)
    this.#link(node, after)
    this.#rootToFront(bucket, this.#balanceAdded(root, node))
  }

  #rootAbove(node: number): number {
    let root = node
    while (this.#parent[root] !== NONE) root = this.#parent[root]!
    return root
  }

  #rootToFront(bucket: number, root: number): void {
    const first = this.#heads[bucket]!
    if (root === first) return
    this.#link(this.#prev[root]!, this.#next[root]!)
    this.#prev[root] = NONE
    this.#link(root, first)
    this.#heads[bucket] = root
  }

  #isRed(node: number): boolean {
    return node !== NONE && this.#red[node]!
  }

  #sideBelow(parent: number, node: number): 0 | 1 {
    return this.#child[0][parent] === node ? 0 : 1
  }

  /** Turns the node down to `side`; its other child takes its place. Returns the root. */
  #rotate(root: number, node: number, side: 0 | 1): number {
    const other = (1 - side) as 0 | 1
    const up = this.#child[other][node]!
    if (up === NONE) return root
    const inner = this.#child[side][up]!
    const parent = this.#parent[node]!
    this.#child[other][node] = inner
    if (inner !== NONE) this.#parent[inner] = node
    this.#parent[up] = parent
    if (parent !== NONE) this.#child[this.#sideBelow(parent, node)][parent] = up
    this.#child[side][up] = node
    this.#parent[node] = up
    if (parent !== NONE) return root
    this.#red[up] = false
    return up
  }

  /** Restores the colours after a node was hung. Returns the root. */
  #balanceAdded(oldRoot: number, added: number): number {
    let [root, node] = [oldRoot, added]
    this.#red[node] = true
    for (;;) {
      let parent = this.#parent[node]!
      if (parent === NONE) {
        this.#red[node] = false
        return node
      }
      const grand = this.#parent[parent]!
      if (!this.#red[parent] || grand === NONE) return root
      const side = this.#sideBelow(grand, parent)
      const other = (1 - side) as 0 | 1
      const uncle = this.#child[other][grand]!
      if (this.#isRed(uncle)) {
        this.#red[uncle] = false
        this.#red[parent] = false
        this.#red[grand] = true
        node = grand
        continue
      }
      if (node === this.#child[other][parent]) {
        node = parent
        root = this.#rotate(root, node, side)
        parent = this.#parent[node]!
      }
      this.#red[parent] = false
      const above = this.#parent[parent]!
      if (above === NONE) continue
      this.#red[above] = true
      root = this.#rotate(root, above, other)
    }
  }

  #removeFromTree(bucket: number, node: number): void {
    const root = this.#rootAbove(this.#heads[bucket]!)
    this.#unlink(bucket, node)
    if (this.#heads[bucket] === NONE) {
      this.#isTree[bucket] = 0
      this.#detach(node)
      return
    }
    const left = this.#child[0][root]!
    if (this.#child[1][root] === NONE || left === NONE || this.#child[0][left] === NONE) {
      this.#makeList(bucket)
      this.#detach(node)
      return
    }
    this.#rootToFront(bucket, this.#takeOut(root, node))
  }

  /** Takes a node out of the tree. Returns the root. */
  #takeOut(oldRoot: number, node: number): number {
    let root = oldRoot
    if (this.#child[0][node] !== NONE && this.#child[1][node] !== NONE) root = this.#swapWithSuccessor(root, node)
    const below = this.#child[0][node] !== NONE ? this.#child[0][node]! : this.#child[1][node]!
    const black = !this.#red[node]
    if (below === NONE) {
      if (black) root = this.#balanceTaken(root, node)
      const parent = this.#parent[node]!
      if (parent !== NONE) this.#child[this.#sideBelow(parent, node)][parent] = NONE
    } else {
      const parent = this.#parent[node]!
      this.#parent[below] = parent
      if (parent === NONE) {
        root = below
        this.#red[below] = false
      } else this.#child[this.#sideBelow(parent, node)][parent] = below
      if (black) root = this.#balanceTaken(root, below)
    }
    this.#detach(node)
    return root
  }

  /** Lets a node with two children change places, and colours, with the next greater one. Returns the root. */
  #swapWithSuccessor(root: number, node: number): number {
    const [lefts, rights] = this.#child
    const right = rights[node]!
    let successor = right
    while (lefts[successor] !== NONE) successor = lefts[successor]!
    const colour = this.#red[successor]!
    this.#red[successor] = this.#red[node]!
    this.#red[node] = colour
    const [behind, above, left] = [rights[successor]!, this.#parent[node]!, lefts[node]!]
    if (successor === right) {
      this.#parent[node] = successor
      rights[successor] = node
    } else {
      const between = this.#parent[successor]!
      this.#parent[node] = between
      this.#child[this.#sideBelow(between, successor)][between] = node
      rights[successor] = right
      this.#parent[right] = successor
    }
    lefts[node] = NONE
    rights[node] = behind
    if (behind !== NONE) this.#parent[behind] = node
    lefts[successor] = left
    this.#parent[left] = successor
    this.#parent[successor] = above
    if (above === NONE) return successor
    this.#child[this.#sideBelow(above, node)][above] = successor
    return root
  }

  /** Restores the colours where a black node is missing at `from`. Returns the root. */
  #balanceTaken(oldRoot: number, from: number): number {
    let [root, node] = [oldRoot, from]
    while (node !== root) {
      const parent = this.#parent[node]!
      if (parent === NONE) {
        this.#red[node] = false
        return node
      }
      if (this.#red[node]) {
        this.#red[node] = false
        return root
      }
      const side = this.#sideBelow(parent, node)
      const other = (1 - side) as 0 | 1
      let sibling = this.#child[other][parent]!
      if (this.#isRed(sibling)) {
        this.#red[sibling] = false
        this.#red[parent] = true
        root = this.#rotate(root, parent, side)
        sibling = this.#child[other][parent]!
      }
      if (sibling === NONE) {
        node = parent
        continue
      }
      if (!this.#isRed(this.#child[0][sibling]!) && !this.#isRed(this.#child[1][sibling]!)) {
        this.#red[sibling] = true
        node = parent
        continue
      }
      root = this.#lendFrom(root, sibling, side)
      node = root
    }
    return root
  }

  /** The sibling has a red child: a turn, or two, moves its colour over. `side` is where the black node is missing. */
  #lendFrom(oldRoot: number, oldSibling: number, side: 0 | 1): number {
    const other = (1 - side) as 0 | 1
    const parent = this.#parent[oldSibling]!
    let [root, sibling] = [oldRoot, oldSibling]
    if (!this.#isRed(this.#child[other][sibling]!)) {
      this.#red[this.#child[side][sibling]!] = false
      this.#red[sibling] = true
      root = this.#rotate(root, sibling, other)
      sibling = this.#child[other][parent]!
    }
    this.#red[sibling] = this.#red[parent]!
    const outer = this.#child[other][sibling]!
    if (outer !== NONE) this.#red[outer] = false
    this.#red[parent] = false
    return this.#rotate(root, parent, side)
  }
}
