//! The schedule: a pure function from a plan to numbered slots.
//!
//! A run is a series of *rounds*. In a round robin and a gauntlet a round plays one pair of every pairing, so a longer
//! run begins with the shorter one; in a Swiss tournament a round plays all bouts of its pairings and the next one is
//! drawn from the standings. Everything follows from the plan, its seed, and for Swiss rounds from the results before.

use agon_game::seed::Stream;

use crate::plan::{Kind, Plan};
use crate::slot::Slot;
use crate::standings::pairing_order;
use crate::swiss;
use crate::tally::Tally;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Its number, from 0.
    pub number: u32,
    /// The two agents of each pairing, by their place in the plan.
    pub pairings: Vec<[usize; 2]>,
    /// The agent without an opponent, which gets the points of the round.
    pub bye: Option<usize>,
}

/// The pairings of a round. A Swiss round looks at the tally, which must hold exactly the rounds before.
pub fn round(plan: &Plan, number: u32, tally: &Tally) -> Round {
    let agents = plan.agents.len();
    let (pairings, bye) = match plan.kind {
        Kind::RoundRobin => (everybody(agents), None),
        Kind::Gauntlet => ((1..agents).map(|other| [0, other]).collect(), None),
        Kind::Swiss { .. } => {
            let mut order = shuffled(agents, plan.seed);
            if number > 0 {
                order = pairing_order(plan, tally);
            }
            let byes: Vec<u32> = (0..agents).map(|agent| tally.agent(agent).byes).collect();
            swiss::pair(&order, |a, b| tally.against(a, b).bouts() as u32, &byes)
        }
    };
    Round { number, pairings, bye }
}

/// The bouts of a round, in the order of playing. The seats of the first bout alternate from pair to pair, so that
/// no agent always plays with the warmer cache.
pub fn slots(plan: &Plan, round: &Round) -> Vec<Slot> {
    let pairs_each = match plan.kind {
        Kind::RoundRobin | Kind::Gauntlet => 1,
        Kind::Swiss { .. } => plan.games / 2,
    };
    // A plan that has been checked has few enough bouts.
    let start = round.number * plan.bouts_per_round() as u32;
    let pairs = round.pairings.iter().flat_map(|pairing| (0..pairs_each).map(move |_| *pairing));
    let bouts = pairs.zip(0_u32..).flat_map(|([a, b], pair)| {
        let seed = Stream::new(plan.seed, &format!("pair {}", start / 2 + pair)).next() >> 11;
        let number = start + 2 * pair;
        let seats = if (round.number + pair).is_multiple_of(2) { [a, b] } else { [b, a] };
        [Slot { number, seats, seed }, Slot { number: number + 1, seats: [seats[1], seats[0]], seed }]
    });
    bouts.collect()
}

/// All pairings of a round robin, in the order of the circle method.
fn everybody(agents: usize) -> Vec<[usize; 2]> {
    let places = agents + agents % 2;
    let mut pairings = Vec::new();
    for turn in 0..places.saturating_sub(1) {
        let seat = |at: usize| if at == 0 { 0 } else { (at - 1 + turn) % (places - 1) + 1 };
        let pairs = (0..places / 2).map(|at| [seat(at), seat(places - 1 - at)]);
        pairings
            .extend(pairs.filter(|pair| pair.iter().all(|&agent| agent < agents)).map(|[a, b]| [a.min(b), a.max(b)]));
    }
    pairings
}

/// The first order of a Swiss tournament.
fn shuffled(agents: usize, seed: u64) -> Vec<usize> {
    let mut stream = Stream::new(seed, "swiss");
    let mut order: Vec<usize> = (0..agents).collect();
    for at in (1..agents).rev() {
        order.swap(at, stream.below(at + 1));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening_file::{FileOpening, OpeningFile, OpeningOrder};
    use crate::plan::tests::plan;
    use std::collections::{BTreeMap, HashMap};

    fn all(plan: &Plan) -> Vec<Slot> {
        let tally = Tally::new(plan);
        (0..plan.rounds()).flat_map(|number| slots(plan, &round(plan, number, &tally))).collect()
    }

    #[test]
    fn every_pairing_plays_its_games_with_both_seats() {
        let check = |kind: Kind, agents: usize, games: u32, pairings: usize| {
            let plan = plan(kind, agents, games);
            let slots = all(&plan);
            assert_eq!(slots.len() as u64, plan.bouts(), "{kind:?} {agents}");
            let mut met: HashMap<[usize; 2], u32> = HashMap::new();
            for (at, slot) in slots.iter().enumerate() {
                assert_eq!(slot.number as usize, at);
                *met.entry(slot.seats).or_default() += 1;
                let twin = slots[at ^ 1];
                assert_eq!(
                    (twin.pair(), twin.seed, twin.seats),
                    (slot.pair(), slot.seed, [slot.seats[1], slot.seats[0]])
                );
            }
            assert_eq!(met.len(), 2 * pairings, "{kind:?} {agents}");
            assert!(met.values().all(|&count| count == games / 2), "{met:?}");
        };
        check(Kind::RoundRobin, 2, 10, 1);
        check(Kind::RoundRobin, 5, 4, 10);
        check(Kind::RoundRobin, 8, 2, 28);
        check(Kind::Gauntlet, 4, 6, 3);
    }

    #[test]
    fn a_longer_run_begins_with_the_shorter() {
        let (short, long) = (all(&plan(Kind::RoundRobin, 4, 4)), all(&plan(Kind::RoundRobin, 4, 20)));
        assert_eq!(short[..], long[..short.len()]);
    }

    #[test]
    fn both_agents_open_pairs_equally_often_and_seeds_differ() {
        let slots = all(&plan(Kind::RoundRobin, 2, 100));
        let opened = slots.iter().step_by(2).filter(|slot| slot.seats[0] == 0).count();
        assert_eq!(opened, 25);
        let mut seeds: Vec<u64> = slots.iter().map(|slot| slot.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 50);
    }

    #[test]
    fn a_swiss_round_rests_one_of_an_odd_field() {
        let plan = plan(Kind::Swiss { rounds: 3 }, 7, 2);
        let first = round(&plan, 0, &Tally::new(&plan));
        assert_eq!((first.pairings.len(), first.bye.is_some()), (3, true));
        assert_eq!(slots(&plan, &first).len() as u64, plan.bouts_per_round());
    }

    #[test]
    fn every_pairing_plays_the_same_openings() {
        let check = |kind: Kind, agents: usize, games: u32, each: u64| {
            let mut plan = plan(kind, agents, games);
            let opening = |line: u32| FileOpening { line, ..FileOpening::default() };
            let openings = (1..=3).map(opening).collect();
            let (name, sha256, order) = (String::new(), String::new(), OpeningOrder::Sequential);
            plan.opening_file =
                Some(OpeningFile { name, sha256, order, start: None, max_plies: None, count: 3, openings });
            assert_eq!(plan.pairs_each(), each);
            let mut played: BTreeMap<[usize; 2], Vec<u32>> = BTreeMap::new();
            let tally = Tally::new(&plan);
            for number in 0..if matches!(kind, Kind::Swiss { .. }) { 1 } else { plan.rounds() } {
                for slot in slots(&plan, &round(&plan, number, &tally)) {
                    let line = plan.file_opening(&slot).unwrap().line;
                    played.entry(slot.seats).or_default().push(line);
                }
            }
            let lines: Vec<u32> = (0..games / 2).map(|pair| pair % 3 + 1).collect();
            assert!(played.values().all(|played| *played == lines), "{played:?}");
        };
        check(Kind::RoundRobin, 2, 10, 5);
        check(Kind::RoundRobin, 5, 8, 4);
        check(Kind::Gauntlet, 4, 6, 3);
        check(Kind::Swiss { rounds: 3 }, 7, 4, 6);
    }
}
