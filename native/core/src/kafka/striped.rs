//! Replicas of a new topic, as Kafka's controller places them: striped over racks and brokers, leaders on unfenced ones.
//!
//! Source: Apache Kafka 4.4.0, `org.apache.kafka.metadata.placement.StripedReplicaPlacer`. What differs from the obvious: the
//! first partition's number does not matter; all lists are shuffled anew after as many partitions as there are unfenced
//! brokers; and the racks are drawn for and shuffled in the order of a Java map, but walked by name until the first shuffle.

use super::java_random::{OutOfNumbers, Random};

/// Brokers by rack; racks are numbered by name, the one of brokers without rack first.
#[derive(Debug, Clone, Copy)]
pub struct Racks<'a> {
    /// Ids of rack `r`, ascending: `unfenced[unfenced_starts[r] .. unfenced_starts[r + 1]]`.
    pub unfenced: &'a [i32],
    /// One more than there are racks.
    pub unfenced_starts: &'a [u32],
    /// The same of fenced brokers.
    pub fenced: &'a [i32],
    /// One more than there are racks.
    pub fenced_starts: &'a [u32],
    /// The racks in the order in which the original's map is walked.
    pub walk: &'a [u32],
}

/// Places a topic of `out.len() / replication_factor` partitions, row by row, leaders first.
///
/// # Errors
/// [`OutOfNumbers`]; `out` is then partly written.
///
/// # Panics
/// If the columns do not fit together, no broker is unfenced, or the replication factor is 0 or above the brokers.
pub fn place(
    racks: Racks<'_>,
    replication_factor: usize,
    random: &mut Random<'_>,
    out: &mut [i32],
) -> Result<(), OutOfNumbers> {
    assert!(!racks.unfenced.is_empty(), "a broker that is unfenced");
    let brokers = racks.unfenced.len() + racks.fenced.len();
    assert!((1..=brokers).contains(&replication_factor), "a replication factor that the brokers allow");
    let mut placer = Placer::new(racks, random)?;
    for row in out.chunks_exact_mut(replication_factor) {
        placer.place(row, random)?;
    }
    Ok(())
}

/// Brokers of a rack that are handed out in turn, each once an epoch.
#[derive(Debug)]
struct Turn {
    brokers: Vec<i32>,
    epoch: u32,
    index: usize,
    offset: usize,
}

impl Turn {
    fn new(brokers: &[i32], random: &mut Random<'_>) -> Result<Self, OutOfNumbers> {
        let offset = if brokers.is_empty() { 0 } else { random.below(brokers.len())? };
        Ok(Self { brokers: brokers.to_vec(), epoch: 0, index: 0, offset })
    }

    fn next(&mut self, epoch: u32) -> Option<i32> {
        let count = self.brokers.len();
        if count == 0 {
            return None;
        }
        if self.epoch != epoch {
            *self =
                Self { epoch, index: 0, offset: (self.offset + 1) % count, brokers: std::mem::take(&mut self.brokers) };
        }
        if self.index == count {
            return None;
        }
        let at = self.index + self.offset;
        self.index += 1;
        Some(self.brokers[if at < count { at } else { at - count }])
    }
}

#[derive(Debug)]
struct Rack {
    unfenced: Turn,
    fenced: Turn,
}

#[derive(Debug)]
struct Placer<'a> {
    racks: Vec<Rack>,
    walk: &'a [u32],
    /// Racks in the order of placing.
    order: Vec<u32>,
    offset: usize,
    epoch: u32,
    unfenced: u32,
}

impl<'a> Placer<'a> {
    fn new(racks: Racks<'a>, random: &mut Random<'_>) -> Result<Self, OutOfNumbers> {
        let count = racks.walk.len();
        let mut made: Vec<Option<Rack>> = (0..count).map(|_| None).collect();
        for &rack in racks.walk {
            let rack = rack as usize;
            made[rack] = Some(Rack {
                fenced: Turn::new(part(racks.fenced, racks.fenced_starts, rack), random)?,
                unfenced: Turn::new(part(racks.unfenced, racks.unfenced_starts, rack), random)?,
            });
        }
        Ok(Self {
            racks: made.into_iter().map(|rack| rack.expect("a walk over every rack")).collect(),
            walk: racks.walk,
            order: (0..count as u32).collect(),
            offset: random.below(count)?,
            epoch: 0,
            unfenced: racks.unfenced.len() as u32,
        })
    }

    fn place(&mut self, row: &mut [i32], random: &mut Random<'_>) -> Result<(), OutOfNumbers> {
        if self.epoch == self.unfenced && self.unfenced > 1 {
            self.shuffle(random)?;
            self.epoch = 0;
        }
        if self.offset == self.order.len() {
            self.offset = 0;
        }
        let (leader, first) = self.leader();
        row[0] = leader;
        self.followers(&mut row[1..], first);
        self.epoch += 1;
        self.offset += 1;
        Ok(())
    }

    fn shuffle(&mut self, random: &mut Random<'_>) -> Result<(), OutOfNumbers> {
        random.shuffle(&mut self.order)?;
        for &rack in self.walk {
            let rack = &mut self.racks[rack as usize];
            random.shuffle(&mut rack.fenced.brokers)?;
            random.shuffle(&mut rack.unfenced.brokers)?;
        }
        Ok(())
    }

    /// The next unfenced broker from the offset's rack on, and its rack's place. Each has had at most one partition less than
    /// there are unfenced brokers in this epoch, so one is found.
    fn leader(&mut self) -> (i32, usize) {
        let mut at = self.offset;
        loop {
            if let Some(broker) = self.racks[self.order[at] as usize].unfenced.next(self.epoch) {
                return (broker, at);
            }
            at = self.after(at);
        }
    }

    /// Walks the racks from the offset on, past the leader's once.
    fn followers(&mut self, row: &mut [i32], leaders: usize) {
        let mut passed = false;
        let mut at = self.offset;
        for replica in row {
            *replica = loop {
                let here = at;
                at = self.after(at);
                if here == leaders && !passed {
                    passed = true;
                    continue;
                }
                let rack = &mut self.racks[self.order[here] as usize];
                if let Some(broker) = rack.unfenced.next(self.epoch).or_else(|| rack.fenced.next(self.epoch)) {
                    break broker;
                }
            };
        }
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.order.len() { 0 } else { at + 1 }
    }
}

fn part<'a>(brokers: &'a [i32], starts: &[u32], rack: usize) -> &'a [i32] {
    &brokers[starts[rack] as usize..starts[rack + 1] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kafka's own test: four brokers, its random source; the first rows are 2,3,0 and 3,0,1.
    #[test]
    fn kafkas_own_example() {
        let mut state: u64 = 17;
        let numbers: Vec<i32> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(3_037_000_493);
            (state >> 32) as u32 as i32
        })
        .take(100)
        .collect();
        let racks = Racks {
            unfenced: &[0, 1, 2, 3],
            unfenced_starts: &[0, 4],
            fenced: &[],
            fenced_starts: &[0, 0],
            walk: &[0],
        };
        let mut out = [0; 15];
        place(racks, 3, &mut Random::Numbers(&numbers, 0), &mut out).unwrap();
        assert_eq!(out, [2, 3, 0, 3, 0, 1, 0, 1, 2, 1, 2, 3, 1, 0, 2]);
    }

    #[test]
    #[should_panic(expected = "a broker that is unfenced")]
    fn no_unfenced_broker() {
        let racks = Racks { unfenced: &[], unfenced_starts: &[0, 0], fenced: &[1], fenced_starts: &[0, 1], walk: &[0] };
        let _ = place(racks, 1, &mut Random::State(0), &mut [0]);
    }
}
