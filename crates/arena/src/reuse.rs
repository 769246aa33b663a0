//! Bouts that a plan reuses from another run when agents have been added, removed or reordered.
//!
//! In a round robin and a gauntlet each pairing plays one pair of bouts in every round. What two agents played in a
//! round of another run with the same settings is exactly what they would play in that round of this one; the seed is
//! copied, too.

use std::collections::{BTreeSet, HashMap};

use crate::plan::{Entrant, Plan};
use crate::schedule;
use crate::summary::Summary;
use crate::tally::Tally;

/// A round, and two agents by their place in the plan, the lower one first.
type Meeting = (u64, [usize; 2]);

/// A bout that a plan reuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reused {
    /// Its slot in the other run.
    pub from: u32,
    /// Its slot in this one.
    pub slot: u32,
    /// Its agents, by their positions in the plan.
    pub seats: [usize; 2],
}

/// The bouts of another run that a plan reuses, in the order of its schedule. `known` are the slots that have been
/// played; only whole pairs are reused, and only if both slots are free.
pub fn reusable(plan: &Plan, known: &BTreeSet<u32>, other: &Plan, bouts: &[Summary]) -> Vec<Reused> {
    let places = matching(&plan.agents, &other.agents);
    if !plan.shares_bouts(other) || places.iter().flatten().count() < 2 {
        return Vec::new();
    }
    let mut pairs: HashMap<Meeting, Vec<(&Summary, [usize; 2])>> = HashMap::new();
    let mut rounds = 0;
    for bout in bouts {
        let round = u64::from(bout.slot) / other.bouts_per_round();
        if let [Some(first), Some(second)] = bout.seats.map(|agent| places[agent]) {
            let both = [first.min(second), first.max(second)];
            pairs.entry((round, both)).or_default().push((bout, [first, second]));
            rounds = rounds.max(round + 1);
        }
    }
    let tally = Tally::new(plan);
    let mut reused = Vec::new();
    for number in 0..rounds.min(plan.rounds().into()) as u32 {
        let slots = schedule::slots(plan, &schedule::round(plan, number, &tally));
        for slots in slots.chunks(2).filter(|slots| slots.iter().all(|slot| !known.contains(&slot.number))) {
            let [a, b] = slots[0].seats;
            let found = pairs.get(&(number.into(), [a.min(b), a.max(b)])).map_or(&[][..], Vec::as_slice);
            let [(one, _), (two, _)] = found else { continue };
            if one.seed != two.seed || one.pair() != two.pair() {
                continue;
            }
            let at = slots.iter().filter_map(|slot| {
                let (bout, seats) = found.iter().find(|(_, seats)| *seats == slot.seats)?;
                Some(Reused { from: bout.slot, slot: slot.number, seats: *seats })
            });
            let both: Vec<Reused> = at.collect();
            if both.len() == 2 {
                reused.extend(both);
            }
        }
    }
    reused
}

/// For each agent of a plan, the position of the same program in another plan, under the same name if possible.
fn matching(agents: &[Entrant], others: &[Entrant]) -> Vec<Option<usize>> {
    let mut places = vec![None; others.len()];
    let mut taken = vec![false; agents.len()];
    let same = |a: &Entrant, b: &Entrant| {
        (&a.agent, &a.fingerprint, a.openings, a.clock) == (&b.agent, &b.fingerprint, b.openings, b.clock)
    };
    for by_name in [true, false] {
        for (place, other) in places.iter_mut().zip(others).filter(|(place, _)| place.is_none()) {
            let found = (0..agents.len())
                .find(|&at| !taken[at] && same(&agents[at], other) && (!by_name || agents[at].name == other.name));
            if let Some(at) = found {
                (*place, taken[at]) = (Some(at), true);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use agon_referee::record::Winner;

    use super::*;
    use crate::plan::Kind;
    use crate::plan::tests::plan;
    use crate::tally::tests::bout;

    /// All bouts of a plan, won by the agent whose name comes first.
    fn played(plan: &Plan) -> Vec<Summary> {
        let tally = Tally::new(plan);
        let slots = (0..plan.rounds()).flat_map(|number| schedule::slots(plan, &schedule::round(plan, number, &tally)));
        let won = |[first, second]: [usize; 2]| plan.agents[first].name < plan.agents[second].name;
        slots
            .map(|slot| {
                let winner = if won(slot.seats) { Winner::First } else { Winner::Second };
                Summary { seed: slot.seed, ..bout(slot.number, slot.seats, winner) }
            })
            .collect()
    }

    /// The number of bouts that a plan reuses from another one; each must be between the agents of its slot.
    #[track_caller]
    fn check(plan: &Plan, other: &Plan, wanted: usize) -> Vec<Reused> {
        let bouts = played(other);
        let reused = reusable(plan, &BTreeSet::new(), other, &bouts);
        assert_eq!(reused.len(), wanted);
        for one in &reused {
            let from = &bouts[one.from as usize];
            let names = |plan: &Plan, seats: [usize; 2]| seats.map(|at| plan.agents[at].name.clone());
            assert_eq!(names(plan, one.seats), names(other, from.seats));
        }
        let slots: BTreeSet<u32> = reused.iter().map(|one| one.slot).collect();
        assert_eq!(slots.len(), wanted, "no slot twice");
        assert!(reusable(plan, &slots, other, &bouts).is_empty(), "nothing is taken over twice");
        reused
    }

    #[test]
    fn agents_come_go_and_change_places() {
        let three = plan(Kind::RoundRobin, 3, 10);
        let five = plan(Kind::RoundRobin, 5, 6);
        // As many rounds as both have, for the pairings that both have.
        check(&five, &three, 3 * 6);
        check(&three, &five, 3 * 6);
        check(&plan(Kind::Gauntlet, 4, 10), &three, 2 * 10);
        let mut turned = three.clone();
        turned.agents.reverse();
        check(&turned, &three, 3 * 10);
        check(&Plan { seed: 5, ..three.clone() }, &three, 0);
        let mut changed = three.clone();
        changed.agents[1].fingerprint = "changed".to_owned();
        check(&changed, &three, 10);
        let mut slower = three.clone();
        slower.agents[1].clock = Some(agon_referee::clock::Clock::for_game(60_000));
        check(&slower, &three, 10);
    }

    /// A match seen from the other side has the same pairs with the same seeds.
    #[test]
    fn a_match_turned_round_is_the_same_match() {
        let there = plan(Kind::RoundRobin, 2, 10);
        let mut back = there.clone();
        back.agents.reverse();
        let (bouts, own) = (played(&there), played(&back));
        for one in check(&back, &there, 10) {
            let (from, to) = (&bouts[one.from as usize], &own[one.slot as usize]);
            assert_eq!((from.pair(), from.seed, from.winner), (to.pair(), to.seed, to.winner));
            assert_eq!(to.seats, one.seats);
        }
    }

    #[test]
    fn half_a_pair_is_left_where_it_is() {
        let two = plan(Kind::RoundRobin, 2, 4);
        let mut turned = two.clone();
        turned.agents.reverse();
        let bouts = played(&two);
        let take = |known: &[u32], bouts: &[Summary]| {
            let known = known.iter().copied().collect();
            reusable(&turned, &known, &two, bouts).iter().map(|one| one.slot).collect::<Vec<_>>()
        };
        assert_eq!(take(&[], &bouts[..3]), [0, 1]);
        assert_eq!(take(&[1], &bouts), [2, 3]);
    }
}
