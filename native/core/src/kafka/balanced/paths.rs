//! Places extras that no member with room can take at once, along cheapest paths: who holds an extra passes it on.
//!
//! Successive shortest paths, many at a time. Nodes are topics, members and levels. From a topic with extras left, an extra
//! goes to a carrier that holds none of it (cost 0 to a keeper, else 1); a member that is given one and has no room passes
//! on one of another topic (the cost of holding it comes back), or makes another member of its level, one that carries one
//! more, do that. A path ends at a member with room. As long as only shortest paths are taken, what is placed is placed at
//! the least cost there is; a round takes all that share no node, in the order of the topics.

use super::extras::{Placing, Rooms};
use super::held::Held;
use super::levels::NO_LEVEL;

const FAR: i32 = i32::MAX;
const NOWHERE: u32 = u32::MAX;

pub(super) struct Paths<'a> {
    placing: Placing<'a>,
    /// Nodes: topics from 0, then members, then levels.
    first_member: u32,
    first_level: u32,
    members_of: Vec<Vec<u32>>,
    /// The cost of the cheapest way to each node, and the node before it.
    costs: Vec<i32>,
    from: Vec<u32>,
    waits: Vec<bool>,
    used: Vec<bool>,
    next: Vec<u32>,
    /// Of each field, the carriers that could be reached at less than what one topic offered to all.
    rests: Vec<(i32, Vec<u32>)>,
    held: Held,
}

impl<'a> Paths<'a> {
    pub(super) fn new(placing: Placing<'a>) -> Paths<'a> {
        let Placing { shares, levels, .. } = placing;
        let first_member = shares.topics.len() as u32;
        let first_level = first_member + shares.members() as u32;
        let nodes = first_level as usize + levels.more.len();
        let mut members_of = vec![Vec::new(); levels.more.len()];
        for (member, &level) in (0..).zip(&levels.level_of) {
            if level != NO_LEVEL {
                members_of[level as usize].push(member);
            }
        }
        Paths {
            placing,
            first_member,
            first_level,
            members_of,
            costs: vec![0; nodes],
            from: vec![0; nodes],
            waits: vec![false; nodes],
            used: vec![false; nodes],
            next: Vec::new(),
            rests: vec![(FAR, Vec::new()); shares.fields.len()],
            held: Held::default(),
        }
    }

    /// Places what shortest paths of at most that cost can; false if there is none.
    pub(super) fn place(&mut self, rooms: &mut Rooms<'_>, most_cost: i32) -> bool {
        self.search(rooms, most_cost);
        let (least, ends) = self.cheapest_ends(rooms);
        self.used.fill(false);
        for &topic in self.placing.topics {
            let cost = self.costs[topic as usize];
            if cost == least || cost == least - 1 {
                self.walk(rooms, topic, (least, &ends));
            }
        }
        !ends.is_empty()
    }

    fn search(&mut self, rooms: &mut Rooms<'_>, most_cost: i32) {
        let Placing { shares, topics, keepers, .. } = self.placing;
        self.held = Held::new(shares, topics, (&rooms.ends, rooms.holders), Some(keepers));
        self.costs.fill(FAR);
        self.rests.iter_mut().for_each(|(cost, _)| *cost = FAR);
        for &topic in topics {
            if !rooms.is_placed(topic) {
                self.offer(topic, 0, NOWHERE);
            }
        }
        while !self.next.is_empty() {
            for node in std::mem::take(&mut self.next) {
                self.waits[node as usize] = false;
                if node < self.first_member {
                    self.leave_topic(rooms, node, most_cost);
                } else if node < self.first_level {
                    self.leave_member(rooms, node);
                } else {
                    self.leave_level(rooms, node);
                }
            }
        }
    }

    /// A way to a node: taken if it is cheaper.
    fn offer(&mut self, node: u32, cost: i32, from: u32) {
        let at = node as usize;
        if self.costs[at] <= cost {
            return;
        }
        (self.costs[at], self.from[at]) = (cost, from);
        if !std::mem::replace(&mut self.waits[at], true) {
            self.next.push(node);
        }
    }

    fn leave_topic(&mut self, rooms: &mut Rooms<'_>, topic: u32, most_cost: i32) {
        let cost = self.costs[topic as usize];
        rooms.mark_holders(topic);
        for &member in self.placing.keepers.of(topic) {
            if !rooms.marks.has(member) {
                self.offer(self.first_member + member, cost, topic);
            }
        }
        if cost < most_cost {
            self.spread(rooms, topic, cost + 1);
        }
    }

    /// To all carriers. Those that are reached as cheaply already are not looked at again.
    fn spread(&mut self, rooms: &Rooms<'_>, topic: u32, cost: i32) {
        let field = self.placing.shares.field_of[topic as usize] as usize;
        let (mut floor, mut rest) = std::mem::take(&mut self.rests[field]);
        if cost < floor {
            floor = cost;
            rest.clear();
            rest.extend_from_slice(&self.placing.shares.fields[field].carriers);
        }
        rest.retain(|&member| {
            let node = self.first_member + member;
            if !rooms.marks.has(member) {
                self.offer(node, cost, topic);
            }
            self.costs[node as usize] > floor
        });
        self.rests[field] = (floor, rest);
    }

    fn leave_member(&mut self, rooms: &Rooms<'_>, node: u32) {
        let levels = self.placing.levels;
        let member = node - self.first_member;
        let cost = self.costs[node as usize];
        let held = std::mem::take(&mut self.held);
        for &entry in held.of(member) {
            self.offer(entry >> 1, cost - 1 + (entry & 1) as i32, node);
        }
        self.held = held;
        let level = levels.level_of[member as usize];
        if level != NO_LEVEL && rooms.carried[member as usize] == levels.least[member as usize] {
            self.offer(self.first_level + level, cost, node);
        }
    }

    fn leave_level(&mut self, rooms: &Rooms<'_>, node: u32) {
        let level = (node - self.first_level) as usize;
        let members = std::mem::take(&mut self.members_of[level]);
        for &member in &members {
            if rooms.carried[member as usize] > self.placing.levels.least[member as usize] {
                self.offer(self.first_member + member, self.costs[node as usize], node);
            }
        }
        self.members_of[level] = members;
    }

    /// The least cost at which a member with room is reached, and those that are.
    fn cheapest_ends(&self, rooms: &Rooms<'_>) -> (i32, Vec<u32>) {
        let mut least = FAR - 1;
        let mut ends = Vec::new();
        for member in 0..rooms.carried.len() as u32 {
            let cost = self.costs[(self.first_member + member) as usize];
            if cost > least || !rooms.has_room(member) {
                continue;
            }
            if cost < least {
                ends.clear();
            }
            least = cost;
            ends.push(member);
        }
        (least, ends)
    }

    /// Passes extras on along the way to the topic and from there to the ends it reaches, unless a path of this round went
    /// there.
    fn walk(&mut self, rooms: &mut Rooms<'_>, topic: u32, (least, ends): (i32, &[u32])) {
        let placing = self.placing;
        rooms.mark_holders(topic);
        let is_cheap = self.costs[topic as usize] == least;
        for &end in if is_cheap { placing.keepers.of(topic) } else { ends } {
            if rooms.marks.has(end) || self.costs[(self.first_member + end) as usize] != least {
                continue;
            }
            let takes = is_cheap || placing.shares.field(topic).carriers.binary_search(&end).is_ok();
            if !takes || !rooms.has_room(end) || !self.is_free(rooms, topic, self.first_member + end) {
                continue;
            }
            rooms.marks.set(end);
            rooms.take(end);
            self.hand(rooms, topic, end);
        }
    }

    /// True if no path of this round went the way to the topic, the end is not on it, and where it begins extras are left.
    fn is_free(&self, rooms: &Rooms<'_>, topic: u32, end: u32) -> bool {
        let (mut node, mut last) = (topic, topic);
        while node != NOWHERE {
            if self.used[node as usize] || node == end {
                return false;
            }
            last = node;
            node = self.from[node as usize];
        }
        !rooms.is_placed(last)
    }

    /// Gives an extra of the topic to the member; who gave it away gets one of the topic before it, and so on.
    fn hand(&mut self, rooms: &mut Rooms<'_>, topic: u32, member: u32) {
        let (mut at, mut to) = (topic, member);
        while self.from[at as usize] != NOWHERE {
            let giver = self.use_up(at);
            let extras = self.placing.shares.extras_of(at);
            let holder = rooms.holders[extras].iter_mut().find(|holder| **holder == giver - self.first_member);
            *holder.expect("whoever passes an extra on holds it") = to;
            to = giver - self.first_member;
            at = self.use_up(giver);
            if at < self.first_level {
                continue;
            }
            // Another one of its level carries one more instead.
            rooms.carried[to as usize] -= 1;
            let instead = self.use_up(at);
            to = instead - self.first_member;
            rooms.carried[to as usize] += 1;
            at = self.use_up(instead);
        }
        rooms.give(at, to);
    }

    /// Marks a node as used; returns the one before it.
    fn use_up(&mut self, node: u32) -> u32 {
        self.used[node as usize] = true;
        self.from[node as usize]
    }
}
