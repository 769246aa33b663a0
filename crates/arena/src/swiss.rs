//! Pairings of a Swiss tournament.
//!
//! From the top down, each agent meets the next one below that it has met least (the Monrad system); a choice that
//! leaves the others without an opponent is undone. Seats need no balance: every pairing plays both.

/// How many choices are undone before a rematch is allowed.
const MAX_BACKTRACKS: u32 = 100_000;

/// Pairs agents, given in order of their places. If their number is odd, one gets a bye: the last of those with the
/// fewest. `met` is how often two have met, `byes` how many byes each has had.
pub fn pair(order: &[usize], met: impl Fn(usize, usize) -> u32, byes: &[u32]) -> (Vec<[usize; 2]>, Option<usize>) {
    let mut open = order.to_vec();
    let bye = if open.len() % 2 == 1 {
        let last = (0..open.len()).rev().min_by_key(|&at| byes[open[at]]);
        last.map(|at| open.remove(at))
    } else {
        None
    };
    let mut limit = 0;
    loop {
        let (mut pairings, mut backtracks_left) = (Vec::new(), MAX_BACKTRACKS);
        if search(&mut open.clone(), &met, limit, &mut backtracks_left, &mut pairings) {
            return (pairings, bye);
        }
        // The least number of meetings that is above the limit.
        let counts = open.iter().flat_map(|&a| open.iter().map(move |&b| (a, b))).filter(|(a, b)| a != b);
        limit = counts.map(|(a, b)| met(a, b)).filter(|&count| count > limit).min().unwrap_or(u32::MAX);
    }
}

/// Pairs the first of `open` with the nearest agent it may meet, such that the rest can be paired too.
fn search(
    open: &mut Vec<usize>,
    met: &impl Fn(usize, usize) -> u32,
    limit: u32,
    backtracks_left: &mut u32,
    pairings: &mut Vec<[usize; 2]>,
) -> bool {
    if open.is_empty() {
        return true;
    }
    let first = open.remove(0);
    for at in 0..open.len() {
        if met(first, open[at]) > limit {
            continue;
        }
        let second = open.remove(at);
        pairings.push([first, second]);
        if search(open, met, limit, backtracks_left, pairings) {
            return true;
        }
        pairings.pop();
        open.insert(at, second);
        if *backtracks_left == 0 {
            break;
        }
        *backtracks_left -= 1;
    }
    open.insert(0, first);
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn neighbours_meet_unless_they_have_met() {
        let check = |agents: usize, met: &[(usize, usize)], wanted: &[[usize; 2]]| {
            let order: Vec<usize> = (0..agents).collect();
            let count = |a: usize, b: usize| u32::from(met.contains(&(a.min(b), a.max(b))));
            assert_eq!(pair(&order, count, &vec![0; agents]).0, wanted, "{agents} {met:?}");
        };
        check(4, &[], &[[0, 1], [2, 3]]);
        check(4, &[(0, 1)], &[[0, 2], [1, 3]]);
        // 0 could meet 1, but then 2 and 3 would have to meet again.
        check(4, &[(2, 3)], &[[0, 2], [1, 3]]);
        // Everybody has met everybody.
        check(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], &[[0, 1], [2, 3]]);
        check(2, &[(0, 1)], &[[0, 1]]);
        check(0, &[], &[]);
    }

    #[test]
    fn rounds_of_a_shuffled_field_hold_no_rematch() {
        // The order is turned every round; a greedy pairing without taking back would get stuck.
        let mut met = HashSet::new();
        let mut order: Vec<usize> = (0..8).collect();
        for _ in 0..3 {
            let (pairings, _) = pair(&order, |a, b| u32::from(met.contains(&(a.min(b), a.max(b)))), &[0; 8]);
            for [a, b] in pairings {
                assert!(met.insert((a.min(b), a.max(b))), "{a} and {b} meet again");
            }
            order.rotate_left(3);
        }
    }

    #[test]
    fn everybody_rests_once_before_anybody_rests_twice() {
        let order: Vec<usize> = (0..5).collect();
        let mut byes = [0; 5];
        for _ in 0..5 {
            let (_, bye) = pair(&order, |_, _| 0, &byes);
            byes[bye.unwrap()] += 1;
        }
        assert_eq!(byes, [1; 5]);
    }
}
