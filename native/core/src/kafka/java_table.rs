//! The table of a `java.util.HashMap`, node by node: which bucket a key lies in, and in which order a bucket is walked.
//!
//! For the assignors that walk such maps: order decides there who keeps a partition. Source: OpenJDK 17,
//! java.util.HashMap. What differs from the obvious: a bucket that takes its 9th key becomes a red-black tree (in a table
//! of 64 buckets or more; a smaller one doubles instead), and is walked by links that follow the tree: a new key comes
//! right behind its parent, the root first. Keys of one hash code are ordered by a comparison that the caller gives.

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A bucket of that many keys becomes a tree when another one comes.
const TREE_FROM: usize = 8;
/// A tree of so few keys becomes a list when its bucket is split.
const LIST_UP_TO: usize = 6;
/// A smaller table doubles instead of making trees.
const TREE_TABLE: usize = 64;

/// The table size that Java takes for an initial capacity: the next power of two.
pub(super) fn table_size_for(capacity: usize) -> usize {
    capacity.max(1).next_power_of_two()
}

/// `String.hashCode` and the like with the high half folded in, as the table uses it.
#[inline]
pub(super) fn spread(hash_code: i32) -> i32 {
    hash_code ^ (hash_code as u32 >> 16) as i32
}

/// How many keys a table of that many buckets takes before it doubles.
pub(super) fn room(buckets: usize) -> usize {
    buckets - buckets.div_ceil(4)
}

#[derive(Clone, Copy)]
struct Node {
    hash: i32,
    next: u32,
    prev: u32,
    parent: u32,
    /// Left, right.
    child: [u32; 2],
    red: bool,
}

/// The table; nodes are numbered in the order in which they were put.
pub(super) struct JavaTable {
    nodes: Vec<Node>,
    heads: Vec<u32>,
    is_tree: Vec<bool>,
    size: usize,
    /// No bucket below it holds a node.
    lowest: usize,
}

/// Orders keys of one hash code by the numbers of their nodes: true if the first is less.
pub(super) trait Less: FnMut(u32, u32) -> bool {}
impl<F: FnMut(u32, u32) -> bool> Less for F {}

impl JavaTable {
    /// `table_size` is a power of two.
    pub(super) fn new(table_size: usize) -> JavaTable {
        JavaTable {
            nodes: Vec::new(),
            heads: vec![NONE; table_size],
            is_tree: vec![false; table_size],
            size: 0,
            lowest: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Puts a key that is not there yet; the numbers of the nodes are given one after the other, from 0.
    pub(super) fn add(&mut self, hash_code: i32, less: &mut impl Less) -> u32 {
        let node = self.new_node(hash_code);
        let bucket = self.bucket_of(node);
        if self.is_tree[bucket] {
            self.add_to_tree(bucket, node, less);
        } else {
            self.add_to_list(bucket, node, less);
        }
        self.lowest = self.lowest.min(bucket);
        self.size += 1;
        self.touch(less);
        node
    }

    /// Puts a key that is not there yet as `computeIfAbsent` does: at the head of its bucket.
    pub(super) fn compute(&mut self, hash_code: i32, less: &mut impl Less) -> u32 {
        self.touch(less);
        let node = self.new_node(hash_code);
        let bucket = self.bucket_of(node);
        if self.is_tree[bucket] {
            self.add_to_tree(bucket, node, less);
        } else {
            self.add_to_head(bucket, node, less);
        }
        self.lowest = self.lowest.min(bucket);
        self.size += 1;
        node
    }

    /// What `computeIfAbsent` does before it looks for its key: a table that is over its measure grows only now.
    pub(super) fn touch(&mut self, less: &mut impl Less) {
        if self.size > room(self.heads.len()) {
            self.grow(less);
        }
    }

    fn new_node(&mut self, hash_code: i32) -> u32 {
        let hash = spread(hash_code);
        self.nodes.push(Node { hash, next: NONE, prev: NONE, parent: NONE, child: [NONE; 2], red: false });
        self.nodes.len() as u32 - 1
    }

    /// Takes a node out.
    pub(super) fn remove(&mut self, node: u32) {
        let bucket = self.bucket_of(node);
        self.size -= 1;
        if self.is_tree[bucket] {
            self.remove_from_tree(bucket, node);
        } else {
            self.unlink(bucket, node);
        }
    }

    /// The node that an iterator gives first; the table is not empty.
    pub(super) fn first(&mut self) -> u32 {
        while self.heads[self.lowest] == NONE {
            self.lowest += 1;
        }
        self.heads[self.lowest]
    }

    /// All nodes as they are walked.
    pub(super) fn order(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.size);
        for &head in &self.heads {
            let mut node = head;
            while node != NONE {
                order.push(node);
                node = self.at(node).next;
            }
        }
        order
    }

    fn at(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    fn at_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn bucket_of(&self, node: u32) -> usize {
        self.at(node).hash as usize & (self.heads.len() - 1)
    }

    fn add_to_list(&mut self, bucket: usize, node: u32, less: &mut impl Less) {
        let mut last = self.heads[bucket];
        if last == NONE {
            self.heads[bucket] = node;
            return;
        }
        let mut length = 1;
        while self.at(last).next != NONE {
            last = self.at(last).next;
            length += 1;
        }
        self.link(last, node);
        if length >= TREE_FROM {
            self.tree_or_grow(bucket, less);
        }
    }

    /// It counts what was there before, and so makes a tree one key earlier.
    fn add_to_head(&mut self, bucket: usize, node: u32, less: &mut impl Less) {
        let first = self.heads[bucket];
        let mut length = 0;
        let mut at = first;
        while at != NONE {
            at = self.at(at).next;
            length += 1;
        }
        self.link(node, first);
        self.heads[bucket] = node;
        if length >= TREE_FROM - 1 {
            self.tree_or_grow(bucket, less);
        }
    }

    fn tree_or_grow(&mut self, bucket: usize, less: &mut impl Less) {
        if self.heads.len() < TREE_TABLE {
            self.grow(less);
        } else {
            self.make_tree(bucket, less);
        }
    }

    fn link(&mut self, before: u32, after: u32) {
        if before != NONE {
            self.at_mut(before).next = after;
        }
        if after != NONE {
            self.at_mut(after).prev = before;
        }
    }

    fn unlink(&mut self, bucket: usize, node: u32) {
        let Node { prev, next, .. } = *self.at(node);
        if prev == NONE {
            self.heads[bucket] = next;
        }
        self.link(prev, next);
    }

    /// Doubles the table; each bucket splits in two that keep its order.
    fn grow(&mut self, less: &mut impl Less) {
        let half = self.heads.len();
        let heads = std::mem::replace(&mut self.heads, vec![NONE; 2 * half]);
        let is_tree = std::mem::replace(&mut self.is_tree, vec![false; 2 * half]);
        self.lowest = 0;
        for (bucket, &head) in heads.iter().enumerate() {
            let counts = self.split(head, bucket, half);
            if is_tree[bucket] {
                self.after_split(bucket, half, counts, less);
            }
        }
    }

    fn split(&mut self, head: u32, bucket: usize, half: usize) -> [usize; 2] {
        let mut last = [NONE; 2];
        let mut counts = [0; 2];
        let mut node = head;
        while node != NONE {
            let following = self.at(node).next;
            let side = usize::from(self.at(node).hash as usize & half != 0);
            (self.at_mut(node).prev, self.at_mut(node).next) = (NONE, NONE);
            if last[side] == NONE {
                self.heads[bucket + side * half] = node;
            } else {
                self.link(last[side], node);
            }
            last[side] = node;
            counts[side] += 1;
            node = following;
        }
        counts
    }

    /// A tree that did not split stays as it is; one that did is built anew, or is a list when few are left.
    fn after_split(&mut self, bucket: usize, half: usize, counts: [usize; 2], less: &mut impl Less) {
        for side in 0..2 {
            let target = bucket + side * half;
            match counts[side] {
                0 => {}
                1..=LIST_UP_TO => self.make_list(target),
                _ if counts[1 - side] > 0 => self.make_tree(target, less),
                _ => self.is_tree[target] = true,
            }
        }
    }

    fn make_list(&mut self, bucket: usize) {
        self.is_tree[bucket] = false;
        let mut node = self.heads[bucket];
        while node != NONE {
            self.detach(node);
            node = self.at(node).next;
        }
    }

    fn detach(&mut self, node: u32) {
        let node = self.at_mut(node);
        (node.parent, node.child, node.red) = (NONE, [NONE; 2], false);
    }

    fn make_tree(&mut self, bucket: usize, less: &mut impl Less) {
        self.is_tree[bucket] = true;
        let mut root = NONE;
        let mut node = self.heads[bucket];
        while node != NONE {
            self.detach(node);
            if root != NONE {
                self.hang(root, node, less);
            }
            root = self.balance_added(root, node);
            node = self.at(node).next;
        }
        self.root_to_front(bucket, root);
    }

    /// Hangs a node below the one that a search ends at, and returns that one.
    fn hang(&mut self, root: u32, node: u32, less: &mut impl Less) -> u32 {
        let mut at = root;
        loop {
            let side = self.side_of(node, at, less);
            let below = self.at(at).child[side];
            if below == NONE {
                self.at_mut(node).parent = at;
                self.at_mut(at).child[side] = node;
                return at;
            }
            at = below;
        }
    }

    fn side_of(&self, node: u32, at: u32, less: &mut impl Less) -> usize {
        let (mine, its) = (self.at(node).hash, self.at(at).hash);
        if mine == its { usize::from(!less(node, at)) } else { usize::from(mine > its) }
    }

    fn add_to_tree(&mut self, bucket: usize, node: u32, less: &mut impl Less) {
        let root = self.root_above(self.heads[bucket]);
        let parent = self.hang(root, node, less);
        let after = self.at(parent).next;
        self.link(parent, node);
        self.link(node, after);
        let root = self.balance_added(root, node);
        self.root_to_front(bucket, root);
    }

    fn root_above(&self, node: u32) -> u32 {
        let mut root = node;
        while self.at(root).parent != NONE {
            root = self.at(root).parent;
        }
        root
    }

    fn root_to_front(&mut self, bucket: usize, root: u32) {
        let first = self.heads[bucket];
        if root == first {
            return;
        }
        let Node { prev, next, .. } = *self.at(root);
        self.link(prev, next);
        self.at_mut(root).prev = NONE;
        self.link(root, first);
        self.heads[bucket] = root;
    }

    fn is_red(&self, node: u32) -> bool {
        node != NONE && self.at(node).red
    }

    fn side_below(&self, parent: u32, node: u32) -> usize {
        usize::from(self.at(parent).child[0] != node)
    }

    /// Turns the node down to `side`; its other child takes its place. Returns the root.
    fn rotate(&mut self, root: u32, node: u32, side: usize) -> u32 {
        let up = self.at(node).child[1 - side];
        if up == NONE {
            return root;
        }
        let inner = self.at(up).child[side];
        let parent = self.at(node).parent;
        self.at_mut(node).child[1 - side] = inner;
        if inner != NONE {
            self.at_mut(inner).parent = node;
        }
        self.at_mut(up).parent = parent;
        if parent != NONE {
            let below = self.side_below(parent, node);
            self.at_mut(parent).child[below] = up;
        }
        self.at_mut(up).child[side] = node;
        self.at_mut(node).parent = up;
        if parent != NONE {
            return root;
        }
        self.at_mut(up).red = false;
        up
    }

    /// Restores the colours after a node was hung. Returns the root.
    fn balance_added(&mut self, old_root: u32, added: u32) -> u32 {
        let (mut root, mut node) = (old_root, added);
        self.at_mut(node).red = true;
        loop {
            let mut parent = self.at(node).parent;
            if parent == NONE {
                self.at_mut(node).red = false;
                return node;
            }
            let grand = self.at(parent).parent;
            if !self.is_red(parent) || grand == NONE {
                return root;
            }
            let side = self.side_below(grand, parent);
            let uncle = self.at(grand).child[1 - side];
            if self.is_red(uncle) {
                (self.at_mut(uncle).red, self.at_mut(parent).red) = (false, false);
                self.at_mut(grand).red = true;
                node = grand;
                continue;
            }
            if node == self.at(parent).child[1 - side] {
                node = parent;
                root = self.rotate(root, node, side);
                parent = self.at(node).parent;
            }
            self.at_mut(parent).red = false;
            let above = self.at(parent).parent;
            if above != NONE {
                self.at_mut(above).red = true;
                root = self.rotate(root, above, 1 - side);
            }
        }
    }

    fn remove_from_tree(&mut self, bucket: usize, node: u32) {
        let root = self.root_above(self.heads[bucket]);
        self.unlink(bucket, node);
        if self.heads[bucket] == NONE {
            self.is_tree[bucket] = false;
            self.detach(node);
            return;
        }
        let [left, right] = self.at(root).child;
        if right == NONE || left == NONE || self.at(left).child[0] == NONE {
            self.make_list(bucket);
            self.detach(node);
            return;
        }
        let root = self.take_out(root, node);
        self.root_to_front(bucket, root);
    }

    /// Takes a node out of the tree. Returns the root.
    fn take_out(&mut self, old_root: u32, node: u32) -> u32 {
        let mut root = old_root;
        if !self.at(node).child.contains(&NONE) {
            root = self.swap_with_successor(root, node);
        }
        let Node { child: [left, right], parent, red, .. } = *self.at(node);
        let below = if left == NONE { right } else { left };
        if below == NONE {
            if !red {
                root = self.balance_taken(root, node);
            }
            let parent = self.at(node).parent;
            if parent != NONE {
                let side = self.side_below(parent, node);
                self.at_mut(parent).child[side] = NONE;
            }
        } else {
            self.at_mut(below).parent = parent;
            if parent == NONE {
                root = below;
                self.at_mut(below).red = false;
            } else {
                let side = self.side_below(parent, node);
                self.at_mut(parent).child[side] = below;
            }
            if !red {
                root = self.balance_taken(root, below);
            }
        }
        self.detach(node);
        root
    }

    /// Lets a node with two children change places, and colours, with the next greater one. Returns the root.
    fn swap_with_successor(&mut self, root: u32, node: u32) -> u32 {
        let Node { child: [left, right], parent: above, red, .. } = *self.at(node);
        let mut successor = right;
        while self.at(successor).child[0] != NONE {
            successor = self.at(successor).child[0];
        }
        self.at_mut(node).red = self.at(successor).red;
        self.at_mut(successor).red = red;
        let behind = self.at(successor).child[1];
        if successor == right {
            self.at_mut(node).parent = successor;
            self.at_mut(successor).child[1] = node;
        } else {
            let between = self.at(successor).parent;
            let side = self.side_below(between, successor);
            self.at_mut(node).parent = between;
            self.at_mut(between).child[side] = node;
            self.at_mut(successor).child[1] = right;
            self.at_mut(right).parent = successor;
        }
        self.at_mut(node).child = [NONE, behind];
        if behind != NONE {
            self.at_mut(behind).parent = node;
        }
        self.at_mut(successor).child[0] = left;
        self.at_mut(left).parent = successor;
        self.at_mut(successor).parent = above;
        if above == NONE {
            return successor;
        }
        let side = self.side_below(above, node);
        self.at_mut(above).child[side] = successor;
        root
    }

    /// Restores the colours where a black node is missing at `from`. Returns the root.
    fn balance_taken(&mut self, old_root: u32, from: u32) -> u32 {
        let (mut root, mut node) = (old_root, from);
        while node != root {
            let parent = self.at(node).parent;
            if parent == NONE {
                self.at_mut(node).red = false;
                return node;
            }
            if self.is_red(node) {
                self.at_mut(node).red = false;
                return root;
            }
            let side = self.side_below(parent, node);
            let mut sibling = self.at(parent).child[1 - side];
            if self.is_red(sibling) {
                self.at_mut(sibling).red = false;
                self.at_mut(parent).red = true;
                root = self.rotate(root, parent, side);
                sibling = self.at(parent).child[1 - side];
            }
            if sibling == NONE {
                node = parent;
                continue;
            }
            let [left, right] = self.at(sibling).child;
            if !self.is_red(left) && !self.is_red(right) {
                self.at_mut(sibling).red = true;
                node = parent;
                continue;
            }
            root = self.lend_from(root, sibling, side);
            node = root;
        }
        root
    }

    /// The sibling has a red child: a turn, or two, moves its colour over. `side` is where the black node is missing.
    fn lend_from(&mut self, old_root: u32, old_sibling: u32, side: usize) -> u32 {
        let parent = self.at(old_sibling).parent;
        let (mut root, mut sibling) = (old_root, old_sibling);
        if !self.is_red(self.at(sibling).child[1 - side]) {
            let inner = self.at(sibling).child[side];
            self.at_mut(inner).red = false;
            self.at_mut(sibling).red = true;
            root = self.rotate(root, sibling, 1 - side);
            sibling = self.at(parent).child[1 - side];
        }
        self.at_mut(sibling).red = self.at(parent).red;
        let outer = self.at(sibling).child[1 - side];
        if outer != NONE {
            self.at_mut(outer).red = false;
        }
        self.at_mut(parent).red = false;
        self.rotate(root, parent, side)
    }
}

#[cfg(test)]
mod tests {
    use super::{JavaTable, table_size_for};

    /// Made by test/oracle/jdk/HashSetOrder.java on Java 17: keys that come and go, and how the set is walked then.
    const SCRIPTS: &str = include_str!("../../../../test/vectors/jdk/hash-set.txt");

    #[test]
    fn keys_that_come_and_go_stand_where_the_hash_set_of_java_has_them() {
        for (i, line) in SCRIPTS.lines().enumerate() {
            let (script, walked) = line.split_once('=').expect("a script and an order");
            let mut table = JavaTable::new(16);
            for step in script.split_whitespace() {
                match step.split_at(1) {
                    ("+", hash) => {
                        table.add(hash.parse().expect("a hash code"), &mut |a, b| a < b);
                    }
                    (_, key) => table.remove(key.parse().expect("a key")),
                }
            }
            let order: Vec<u32> = walked.split_whitespace().map(|key| key.parse().expect("a key")).collect();
            assert_eq!(table.order(), order, "line {}", i + 1);
            assert_eq!(table.is_empty(), order.is_empty(), "line {}", i + 1);
            if let Some(&first) = order.first() {
                assert_eq!(table.first(), first, "line {}", i + 1);
            }
        }
    }

    /// Made by test/oracle/jdk/HashMapComputeOrder.java on Java 17: keys that `computeIfAbsent` makes or finds.
    const COMPUTED: &str = include_str!("../../../../test/vectors/jdk/hash-map-compute.txt");

    #[test]
    fn keys_that_are_computed_stand_where_the_hash_map_of_java_has_them() {
        for (i, line) in COMPUTED.lines().enumerate() {
            let (script, walked) = line.split_once('=').expect("a script and an order");
            let (capacity, steps) = script.split_once(' ').expect("a capacity and steps");
            let mut table = JavaTable::new(table_size_for(capacity.parse().expect("a capacity")));
            for step in steps.split_whitespace() {
                match step.split_at(1) {
                    ("+", hash) => {
                        table.compute(hash.parse().expect("a hash code"), &mut |a, b| a < b);
                    }
                    _ => table.touch(&mut |a, b| a < b),
                }
            }
            let order: Vec<u32> = walked.split_whitespace().map(|key| key.parse().expect("a key")).collect();
            assert_eq!(table.order(), order, "line {}", i + 1);
        }
    }
}
