//! What levels are: the first plays like a person who starts, the tenth is the champion.

use agon_catalog::CatalogPosition;
use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use agon_rules::renju::Renju;
use agon_search::{SearchLimits, Task};

/// Games for each seat.
const GAMES: u64 = 12;

/// How many half points of a hundred a player who looks one move ahead gets against level 1, at least.
const MIN_SHARE: u64 = 60;

/// One of the moves that seem best right after they are made: no answer is looked at.
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
            let (mut engine, mut stream) = (level_one(2 * seed + side.index() as u64), Stream::new(seed, "beginner"));
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

#[test]
fn whoever_looks_one_move_ahead_beats_the_first_level_of_bacteria() {
    let cells = |position: &Bacteria, _, next: &Bacteria| {
        let side = position.turn();
        next.cells(side).count_ones() as i32 - next.cells(side.other()).count_ones() as i32
    };
    let share = against_level_one(|_| Bacteria::start(), |position, stream| one_move_ahead(position, stream, cells));
    assert!(share >= MIN_SHARE, "{share} %");
}

#[test]
fn whoever_looks_one_move_ahead_beats_the_first_level_of_renju() {
    // `greedy` is just that: it plays the stone that looks best by itself.
    let mut greedy = agon_catalog::engine::<Renju>("greedy", 7).expect("a player");
    let choose = |position: &Renju, _: &mut Stream| greedy.best_move(position, &Task::default()).expect("not over");
    let share = against_level_one(|_| Renju::default(), choose);
    assert!(share >= MIN_SHARE, "{share} %");
}

#[test]
fn whoever_looks_one_move_ahead_beats_the_first_level_of_domineering() {
    // `greedy` looks at the board after its own move, as it is for both.
    let mut greedy = agon_catalog::engine::<Domineering>("greedy", 7).expect("a player");
    let share = against_level_one(
        |seed| Domineering::new(WeightedBoard::drawn(8, 8, 3, seed).expect("a board"), Bonus::default()),
        |position, _| greedy.best_move(position, &Task::default()).expect("not over"),
    );
    assert!(share >= MIN_SHARE, "{share} %");
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
