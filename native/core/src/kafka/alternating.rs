//! Replicas of a new topic, as Kafka's tools placed them up to 4.0: leaders in turn, followers shifted, racks alternating.
//!
//! Source: Apache Kafka 4.0.2, `org.apache.kafka.admin.AdminUtils.assignReplicasToBrokers`; gone from 4.1 on. What differs from
//! the obvious: the shift of the followers grows when the partition's number is a multiple of the brokers, so a topic that
//! grows goes on where it ended; with racks a candidate is passed over while another rack, or another broker, has none.

/// Brokers in the order of placing, and how far it has come.
#[derive(Debug, Clone, Copy)]
pub struct Brokers<'a> {
    /// Ids; with racks, the racks' brokers in turn.
    pub ids: &'a [i32],
    /// Rack of each, in `[0, rack_count)`; empty where racks do not matter.
    pub racks: &'a [u32],
    /// Number of racks; 0 where they do not matter.
    pub rack_count: usize,
}

/// Where placing begins.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// Number of the first partition.
    pub partition: u32,
    /// Position of the leader of partition 0.
    pub leader: u32,
    /// Shift of the followers of the first partitions.
    pub shift: u32,
}

/// Places `out.len() / replication_factor` partitions, row by row, leaders first.
///
/// # Panics
/// If the columns do not fit together, or the replication factor is 0 or above the brokers.
pub fn place(brokers: Brokers<'_>, start: Start, replication_factor: usize, out: &mut [i32]) {
    let count = brokers.ids.len();
    assert!((1..=count).contains(&replication_factor), "a replication factor that the brokers allow");
    let mut shift = start.shift as usize;
    let mut taken = Taken::new(brokers);
    for (partition, row) in (start.partition as usize..).zip(out.chunks_exact_mut(replication_factor)) {
        if partition > 0 && partition % count == 0 {
            shift += 1;
        }
        let first = (partition + start.leader as usize) % count;
        if brokers.rack_count == 0 { plain(brokers.ids, first, shift, row) } else { taken.place(first, shift, row) }
    }
}

fn plain(ids: &[i32], first: usize, shift: usize, row: &mut [i32]) {
    row[0] = ids[first];
    for (follower, replica) in row[1..].iter_mut().enumerate() {
        *replica = ids[follower_at(first, shift + follower, ids.len())];
    }
}

/// Position of a follower; never the leader's.
fn follower_at(first: usize, shift: usize, count: usize) -> usize {
    (first + 1 + shift % (count - 1)) % count
}

/// Brokers and racks that hold a replica of the partition at hand: marked with its number, so that nothing is cleared.
#[derive(Debug)]
struct Taken<'a> {
    brokers: Brokers<'a>,
    of_broker: Vec<u64>,
    of_rack: Vec<u64>,
    mark: u64,
    racks: usize,
}

impl<'a> Taken<'a> {
    fn new(brokers: Brokers<'a>) -> Self {
        Self { brokers, of_broker: vec![0; brokers.ids.len()], of_rack: vec![0; brokers.rack_count], mark: 0, racks: 0 }
    }

    fn place(&mut self, first: usize, shift: usize, row: &mut [i32]) {
        self.mark += 1;
        self.racks = 0;
        row[0] = self.take(first);
        let mut next = shift * self.brokers.rack_count;
        for replica in &mut row[1..] {
            loop {
                let at = follower_at(first, next, self.brokers.ids.len());
                next += 1;
                if self.may_take(at) {
                    *replica = self.take(at);
                    break;
                }
            }
        }
    }

    fn may_take(&self, at: usize) -> bool {
        let rack = self.brokers.racks[at] as usize;
        let rack_is_free = self.of_rack[rack] != self.mark || self.racks == self.brokers.rack_count;
        rack_is_free && self.of_broker[at] != self.mark
    }

    fn take(&mut self, at: usize) -> i32 {
        self.of_broker[at] = self.mark;
        let rack = &mut self.of_rack[self.brokers.racks[at] as usize];
        self.racks += usize::from(*rack != self.mark);
        *rack = self.mark;
        self.brokers.ids[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kafka's own test: racks 0:r1 1:r3 2:r3 3:r2 4:r2 5:r1, from index 0.
    #[test]
    fn kafkas_own_example() {
        let brokers = Brokers { ids: &[0, 3, 1, 5, 4, 2], racks: &[0, 1, 2, 0, 1, 2], rack_count: 3 };
        let mut out = [0; 21];
        place(brokers, Start { partition: 0, leader: 0, shift: 0 }, 3, &mut out);
        assert_eq!(out, [0, 3, 1, 3, 1, 5, 1, 5, 4, 5, 4, 2, 4, 2, 0, 2, 0, 3, 0, 4, 2]);
    }
}
