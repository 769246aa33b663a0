//! The meaning of levels: the first plays like a novice, the tenth is the champion.

use agon_catalog::CatalogPosition;
use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use agon_rules::renju::{Axis, Move, Renju};
use agon_search::{SearchLimits, Task};

/// Games for each seat.
const GAMES: u64 = 40;

/// How many points of a hundred a novice gets against level 1: half of them, within the error of so few games.
const SHARES: std::ops::RangeInclusive<u64> = 35..=65;

/// One of the moves that look best right after they are made, without considering answers.
fn one_move_ahead<P: Position>(position: &P, stream: &mut Stream, worth: impl Fn(&P, P::Move, &P) -> i32) -> P::Move {
    let after = position.successors();
    let worths: Vec<i32> = after.iter().map(|(m, next)| worth(position, *m, next)).collect();
    let best = worths.iter().max().expect("the game goes on");
    let ties: Vec<usize> = (0..after.len()).filter(|&at| worths[at] == *best).collect();
    after[ties[stream.below(ties.len())]].0
}

/// The share of the points that the player gets against level 1, in percent.
fn against_level_one<P: CatalogPosition>(
    start: impl Fn(u64) -> P,
    mut choose: impl FnMut(&P, &mut Stream) -> P::Move,
) -> u64 {
    let level_one = |seed| agon_catalog::engine::<P>("champion:1", seed).expect("level 1");
    let mut points = 0;
    for seed in 0..GAMES {
        for side in Side::BOTH {
            let (mut engine, mut stream) = (level_one(2 * seed + side.index() as u64), Stream::new(seed, "novice"));
            let mut position = start(seed);
            while position.outcome().is_none() {
                let m = if position.turn() == side {
                    choose(&position, &mut stream)
                } else {
                    engine.best_move(&position, &Task::from(SearchLimits::nodes(100_000))).expect("the game goes on")
                };
                position.play_unchecked(m, &mut ());
            }
            points += match position.outcome() {
                Some(Outcome::Win(winner)) => 2 * u64::from(winner == side),
                _ => 1,
            };
        }
    }
    100 * points / (4 * GAMES)
}

/// A position after some random plies.
fn after_random<P: Position>(mut position: P, plies: usize, seed: u64) -> P {
    let mut stream = Stream::new(seed, "opening");
    for _ in 0..plies {
        let after = position.successors();
        position = after[stream.below(after.len())].1.clone();
    }
    position
}

#[test]
fn a_novice_of_bacteria_takes_half_from_the_first_level() {
    // It takes as much as possible.
    let cells = |position: &Bacteria, _, next: &Bacteria| {
        let side = position.turn();
        next.cells(side).count_ones() as i32 - next.cells(side.other()).count_ones() as i32
    };
    let start = |seed| after_random(Bacteria::start(), 2, seed);
    let share = against_level_one(start, |position, stream| one_move_ahead(position, stream, cells));
    assert!(SHARES.contains(&share), "{share} %");
}

#[test]
fn a_novice_of_renju_takes_half_from_the_first_level() {
    // It makes a five, stops one, or makes the longest row possible, free at its ends or not.
    let worth = |position: &Renju, m: Move, _: &Renju| {
        let Move::Stone(point) = m else { return -1 };
        let (board, side) = (position.board(), position.turn());
        let row = |side: Side| {
            let run = |axis: Axis, sign: i8| {
                let own =
                    |steps: &i8| point.along(axis, sign * steps).is_some_and(|at| board.stones(side).contains(at));
                (1..=4).take_while(own).count()
            };
            Axis::ALL.into_iter().map(|axis| 1 + run(axis, 1) + run(axis, -1)).max().unwrap_or(1) as i32
        };
        match (row(side), row(side.other())) {
            (5.., _) => 100,
            (_, 5..) => 90,
            (own, _) => own,
        }
    };
    let start = |seed| after_random(Renju::default(), 3, seed);
    let share = against_level_one(start, |position, stream| one_move_ahead(position, stream, worth));
    assert!(SHARES.contains(&share), "{share} %");
}

#[test]
fn a_novice_of_domineering_takes_half_from_the_first_level() {
    // It takes the two points with the highest value.
    let pay = |position: &Domineering, _, next: &Domineering| {
        let gain = next.lead().halves() - position.lead().halves();
        if position.turn() == Side::First { gain } else { -gain }
    };
    let start = |seed| Domineering::new(WeightedBoard::drawn(8, 8, 3, seed).expect("a board"), Bonus::default());
    let share = against_level_one(start, |position, stream| one_move_ahead(position, stream, pay));
    assert!(SHARES.contains(&share), "{share} %");
}

#[test]
fn the_tenth_level_is_the_champion() {
    fn check<P: CatalogPosition>(start: &P) {
        let play = |name: &str| {
            let (mut engine, mut position) = (agon_catalog::engine::<P>(name, 1).expect("a player"), start.clone());
            let mut moves = Vec::new();
            for _ in 0..6 {
                let task = Task::from(SearchLimits::nodes(3_000));
                let Some(m) = engine.best_move(&position, &task) else { break };
                moves.push(m);
                position.play_unchecked(m, &mut ());
            }
            moves
        };
        assert_eq!(play("champion:10"), play("champion"));
        assert_ne!(play("champion:1"), play("champion"), "the first level is not");
    }
    check(&Bacteria::start());
    check(&Domineering::new(WeightedBoard::drawn(6, 6, 3, 1).expect("a board"), Bonus::default()));
    check(&Renju::default());
}
