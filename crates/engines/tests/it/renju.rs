//! Renju's players.

use std::time::Duration;

use agon_engines::random::Random;
use agon_engines::renju::Greedy;
use agon_game::{Outcome, Position, Side, TimeControl};
use agon_rules::renju::{Move, Point, Renju};
use agon_search::{Engine, Task};

const CLOCK: TimeControl = TimeControl::sudden_death(Duration::from_secs(10));

/// Plays a game and returns its moves; each must be legal.
fn game(black: &mut dyn Engine<Renju>, white: &mut dyn Engine<Renju>) -> (Vec<Move>, Outcome) {
    let (mut position, mut moves) = (Renju::default(), Vec::new());
    loop {
        if let Some(outcome) = position.outcome() {
            return (moves, outcome);
        }
        let m = match position.turn() {
            Side::First => black.best_move(&position, &Task::clock(CLOCK)).expect("not over"),
            Side::Second => white.best_move(&position, &Task::clock(CLOCK)).expect("not over"),
        };
        position.check(m).unwrap_or_else(|error| panic!("{error} after {moves:?}"));
        position.play_unchecked(m, &mut ());
        moves.push(m);
    }
}

#[test]
fn greedy_beats_random() {
    let check = |side: Side| {
        let wins = |seed: u64| {
            let (mut greedy, mut random) = (Greedy::new(seed), Random::new(seed));
            let (_, outcome) = match side {
                Side::First => game(&mut greedy, &mut random),
                Side::Second => game(&mut random, &mut greedy),
            };
            outcome == Outcome::Win(side)
        };
        let won = (0..20).filter(|&seed| wins(seed)).count();
        assert!(won >= 19, "{won} of 20 as {side}");
    };
    check(Side::First);
    check(Side::Second);
}

#[test]
fn greedy_follows_its_seed() {
    let play = |seed| game(&mut Greedy::new(seed), &mut Greedy::new(seed + 100));
    for seed in 0..5 {
        assert_eq!(play(seed), play(seed), "seed {seed}");
    }
    assert!((1..5).any(|seed| play(seed) != play(0)), "seeds make a difference");
}

/// Points in the players' notation.
fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(|word| Point::from_letters(word).expect(word)).collect()
}

#[test]
fn greedy_sees_what_is_urgent() {
    let check = |black: &str, white: &str, turn: Side, expected: &str| {
        let position = Renju::from_stones(&points(black), &points(white), turn).expect("a position");
        for seed in 0..8 {
            let m = Greedy::new(seed).best_move(&position, &Task::clock(CLOCK)).expect("not over");
            let right = expected.split_whitespace().any(|word| m.letters() == word);
            assert!(right, "{} instead of one of {expected} at {position}", m.letters());
        }
    };
    let (black, white) = (Side::First, Side::Second);
    // Wins rather than stops a five.
    check("E8 F8 G8 H8", "E9 F9 G9 H9", black, "D8 I8");
    check("E8 F8 G8 H8", "E9 F9 G9 H9", white, "D9 I9");
    // Only White wins by six.
    check("A1 C1", "E8 F8 G8 I8 J8", white, "H8");
    // Stops a five, rather than making an open four.
    check("E8 F8 G8 H8", "D8 H10 I10 J10", white, "I8");
    // Avoids what is forbidden to Black: six are no five.
    check("D8 E8 F8 H8 I8 K4", "C3 D3 E3 F3 L10", white, "B3 G3");
    // Makes an open four, rather than stopping an open three.
    check("E8 F8 G8", "H12 I12 J12", black, "D8 H8");
    // Stops an open three at one of its ends.
    check("E8 F8 G8", "H12 J3", white, "C8 D8 H8 I8");
    // Has only a pass.
    let full: Vec<&str> = ["BBWWBBWWBBWWBBW", "WWBBWWBBWWBBWWB"].into_iter().cycle().take(15).collect();
    let position: Renju = format!("{} B", full.join("/")).parse().expect("a position");
    assert_eq!(Greedy::new(1).best_move(&position, &Task::clock(CLOCK)).expect("not over"), Move::Pass);
}
