//! Endings are proved as a plain search to the end finds them.

use agon_engines::bacteria::{Ending, Greedy, Margin};
use agon_engines::random::Random;
use agon_game::{Outcome, Position, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::size;
use agon_search::{Engine, SearchLimits, Stop, Task};
use rayon::prelude::*;

const TABLE: usize = 4 << 20;

/// How many plies the plain search looks ahead.
const PLIES: u32 = 4;

/// A position with this many empty cells, from a game between a greedy and a random player.
fn ending(seed: u64, empty: u32) -> Option<Bacteria> {
    let (mut greedy, mut random, mut position) = (Greedy::new(seed), Random::new(seed), Bacteria::start());
    while position.outcome().is_none() && position.ply() < 200 {
        if position.empty().count_ones() == empty {
            return Some(position);
        }
        // Some of each, so that neither side is far ahead.
        let chance = (seed >> (position.ply() % 16)).trailing_zeros() >= 2;
        let players: [&mut dyn Engine<Bacteria>; 2] = [&mut greedy, &mut random];
        let m = players[usize::from(chance)].best_move(&position, &Task::default())?;
        position.play_unchecked(m, &mut ());
    }
    None
}

fn lead(position: &Bacteria, side: Side) -> i32 {
    size(position.cells(side)) as i32 - size(position.cells(side.other())) as i32
}

/// What `attacker` can force within this many plies, by the rules alone; less than anything if the game goes on.
fn forced(position: &Bacteria, plies: u32, attacker: Side, mut low: i32, mut high: i32) -> i32 {
    if position.outcome().is_some() {
        return lead(position, attacker);
    }
    if plies == 0 {
        return -50;
    }
    let attacks = position.turn() == attacker;
    let mut best = if attacks { -50 } else { 50 };
    for (_, next) in position.successors() {
        let value = forced(&next, plies - 1, attacker, low, high);
        if attacks {
            best = best.max(value);
            low = low.max(best);
        } else {
            best = best.min(value);
            high = high.min(best);
        }
        if low >= high {
            break;
        }
    }
    best
}

/// The proof of a position and the result of a plain search of some plies, which must be consistent.
fn check(position: &Bacteria, nodes: u64) -> Margin {
    let margin = Ending::new(TABLE).prove(position, SearchLimits::nodes(nodes), &Stop::default());
    let turn = position.turn();
    let [mine, theirs] = [turn, turn.other()].map(|side| forced(position, PLIES, side, -50, 50));
    assert!(margin.low <= margin.high, "{margin:?} of {position}");
    assert!(mine <= margin.high, "{mine} is forced beyond {margin:?} of {position}");
    assert!(-theirs >= margin.low, "{theirs} is forced against {margin:?} of {position}");
    if mine == -theirs {
        assert!(margin.is_exact() && margin.low == mine, "{mine} is exact, and {margin:?} was proved of {position}");
    }
    margin
}

/// Both players of a proved ending get the proved result: the prover plays both, from move to move.
fn play_out(mut position: Bacteria, nodes: u64) -> Option<i32> {
    let (start, side) = (position.clone(), position.turn());
    let first = Ending::new(TABLE).prove(&position, SearchLimits::nodes(nodes), &Stop::default());
    if !first.is_exact() {
        return None;
    }
    for _ in 0..60 {
        if position.outcome().is_some() {
            assert_eq!(lead(&position, side), first.low, "{start} ended as {position}");
            return Some(first.low);
        }
        let margin = Ending::new(TABLE).prove(&position, SearchLimits::nodes(nodes), &Stop::default());
        let expected = if position.turn() == side { first.low } else { -first.low };
        assert!(margin.low <= expected && expected <= margin.high, "{margin:?}, not {expected}, of {position}");
        let m = margin.best.filter(|_| margin.is_exact())?;
        position.play_unchecked(m, &mut ());
    }
    None
}

#[test]
fn what_is_proved_is_what_a_plain_search_finds() {
    let count = if std::env::var_os("AGON_SLOW").is_some() { 1_000 } else { 60 };
    let endings: Vec<Bacteria> = (0..).filter_map(|seed| ending(seed, 1 + (seed % 3) as u32)).take(count).collect();
    let exact = endings.par_iter().filter(|position| check(position, 60_000).is_exact()).count();
    assert!(2 * exact > count, "{exact} of {count} are exact");
}

#[test]
fn a_proved_ending_ends_as_it_was_proved() {
    let endings = (1_000..).filter_map(|seed| ending(seed, 2)).take(12).collect::<Vec<_>>();
    let played = endings.into_par_iter().filter_map(|position| play_out(position, 60_000)).count();
    assert!(played >= 4, "{played} of 12 were played out");
}

#[test]
fn nothing_is_proved_where_the_plies_run_out_or_too_much_is_open() {
    let check = |fen: &str, exact: bool| {
        let position: Bacteria = fen.parse().expect(fen);
        let margin = Ending::new(TABLE).prove(&position, SearchLimits::nodes(20_000), &Stop::default());
        assert_eq!(margin.is_exact(), exact, "{margin:?} of {fen}");
    };
    check("xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxoo/xxxxxo1 o 0 30", true);
    check("xxxxxxx/xxxxxxx/xxxxxxx/ooooooo/ooooooo/ooooooo/oooooo1 o 0 199", false);
    check("x5o/7/7/7/7/7/o5x x 0 1", false);
    // A finished game is worth its result.
    let over: Bacteria = "xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/ooooooo/ooooooo/ooooooo o 0 30".parse().expect("a position");
    assert_eq!(over.outcome(), Some(Outcome::Win(Side::First)));
    let margin = Ending::new(TABLE).prove(&over, SearchLimits::default(), &Stop::default());
    assert_eq!((margin.low, margin.high), (-7, -7));
}
