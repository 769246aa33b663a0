//! The players of domineering.

use std::time::Duration;

use agon_engines::Seated;
use agon_engines::domineering::{Greedy, start};
use agon_engines::random::Random;
use agon_game::{Outcome, Player, Position, Show, Side, TimeControl};
use agon_rules::domineering::{Bonus, Domineering, Move, WeightedBoard};
use agon_search::{Engine, Task};

const CLOCK: TimeControl = TimeControl::sudden_death(Duration::from_secs(1));

/// Plays a game on the board of this seed and returns its moves and its outcome.
fn game(seed: u64, first: &mut dyn Engine<Domineering>, second: &mut dyn Engine<Domineering>) -> (Vec<Move>, Outcome) {
    let mut position = Domineering::new(WeightedBoard::drawn(8, 8, 3, seed).expect("a board"), Bonus::default());
    let mut moves = Vec::new();
    loop {
        if let Some(outcome) = position.outcome() {
            return (moves, outcome);
        }
        let m = match position.turn() {
            Side::First => first.best_move(&position, &Task::clock(CLOCK)).expect("not over"),
            Side::Second => second.best_move(&position, &Task::clock(CLOCK)).expect("not over"),
        };
        position.play_unchecked(m, &mut ());
        moves.push(m);
    }
}

#[test]
fn greedy_beats_random_from_both_seats() {
    for side in Side::BOTH {
        let won = |&seed: &u64| {
            let (mut greedy, mut random) = (Greedy::new(seed), Random::new(seed));
            let (_, outcome) = match side {
                Side::First => game(seed, &mut greedy, &mut random),
                Side::Second => game(seed, &mut random, &mut greedy),
            };
            outcome == Outcome::Win(side)
        };
        let wins = (0..100).filter(won).count();
        assert!(wins >= 95, "greedy as the {side} player wins only {wins} of 100");
    }
}

#[test]
fn a_seed_gives_one_game() {
    let play = |seed| game(1, &mut Greedy::new(seed), &mut Greedy::new(seed + 1)).0;
    assert_eq!(play(1), play(1));
    assert!((2..10).any(|seed| play(seed) != play(1)), "the seed never matters");
}

#[test]
fn greedy_chooses_what_it_says() {
    let check = |text: &str, expected: &str| {
        let position: Domineering = text.parse().expect(text);
        for seed in 0..8 {
            assert_eq!(
                Greedy::new(seed).best_move(&position, &Task::clock(CLOCK)).expect("not over").to_string(),
                expected,
                "{text}, seed {seed}"
            );
        }
    };
    // Best paid, everything else being equal.
    check("11033 ..... H 0 2.5 0", "1 4");
    // A place that V cannot touch waits, although it pays more.
    check("33/00/22/11 ../##/../.. H 0 2.5 0", "3 1");
    // Two dominoes instead of the best paid one in the middle.
    check("1332 .... H 0 2.5 0", "1 3");
    // Passing wins at once; without the lead it must go on, and without a place it must pass.
    check("11/11 <>/.. H 1 1.5 2", "-1 -1");
    check("11/11 <>/.. H 1 2 2", "2 1");
    check("12/31 ../.. V 1 2.5 1", "-1 -1");
    check("1/2/3 ././# H 0 2.5 0", "-1 -1");
}

/// A seat that is sent every move plays a whole game in the judge's notation.
#[test]
fn greedy_plays_from_its_seat() {
    let mut position = Domineering::new(WeightedBoard::drawn(5, 6, 3, 4).expect("a board"), Bonus::default());
    let mut seats = [1, 2].map(|seed| Seated::new(start, Box::new(Greedy::new(seed))));
    for side in Side::BOTH {
        seats[side.index()].ready(side, &position.preamble()).expect("a board");
    }
    while position.outcome().is_none() {
        let side = position.turn();
        let text = seats[side.index()].choose(CLOCK, CLOCK).expect("a turn");
        position.play_unchecked(position.read_move(&text).expect("a legal move"), &mut ());
        seats[side.other().index()].opponent(&text).expect("the same game");
    }
    assert!(seats[0].choose(CLOCK, CLOCK).is_err());
    assert_eq!(start("1 2\n3"), Err("expected 2 numbers in row 2, found 1".to_owned()));
}
