//! Members in the order of the HashMap that the sticky assignors put them into.

use crate::kafka::java_map::java_map_order;
use crate::kafka::java_table::{JavaTable, table_size_for};
use crate::kafka::problem::{Problem, ranks_of};

/// Buckets that the map begins with.
const FIRST_TABLE: usize = 16;

/// Members in that order.
pub(super) fn map_order_of(problem: &Problem<'_>) -> Vec<u32> {
    let ranks = ranks_of(problem.member_order);
    java_map_order(problem.member_hashes, Some(&ranks), FIRST_TABLE).unwrap_or_default()
}

/// Members in the order of the map when the fixed ones were taken out of it, and after those were put back.
///
/// It differs from the first order where a bucket is a tree, and behind the fixed ones of a bucket.
pub(super) fn map_orders_without(problem: &Problem<'_>, fixed: &[bool]) -> (Vec<u32>, Vec<u32>) {
    let ranks = ranks_of(problem.member_order);
    let hashes = problem.member_hashes;
    let in_turn = java_map_order(hashes, Some(&ranks), table_size_for(hashes.len())).unwrap_or_default();
    let taken: Vec<u32> = in_turn.into_iter().filter(|&member| fixed[member as usize]).collect();
    let taken_hashes: Vec<i32> = taken.iter().map(|&member| hashes[member as usize]).collect();
    let taken_ranks: Vec<u32> = taken.iter().map(|&member| ranks[member as usize]).collect();
    let back = java_map_order(&taken_hashes, Some(&taken_ranks), FIRST_TABLE).unwrap_or_default();
    // Nodes are numbered in the order in which they are put: all members, then those that are put back.
    let mut member_at: Vec<u32> = (0..hashes.len() as u32).collect();
    member_at.extend(back.iter().map(|&i| taken[i as usize]));
    let rank_at = |node: u32| ranks[member_at[node as usize] as usize];
    let mut less = |a: u32, b: u32| rank_at(a) < rank_at(b);
    let mut table = JavaTable::new(FIRST_TABLE);
    for &hash in hashes {
        table.add(hash, &mut less);
    }
    for &member in &taken {
        table.remove(member);
    }
    let members = |table: &JavaTable| table.order().iter().map(|&node| member_at[node as usize]).collect();
    let without = members(&table);
    for i in back {
        table.add(taken_hashes[i as usize], &mut less);
    }
    (without, members(&table))
}
