//! The engines under rule sets other than ALPHANO's.

use agon_engines::random::Random;
use agon_engines::renju::{Champion, Greedy};
use agon_game::{Outcome, Position, Side};
use agon_rules::renju::{Move, Point, Renju, RuleSet};
use agon_search::{Engine, Info, Score, SearchLimits, Task};

fn search(position: &Renju, nodes: u64) -> (Option<Move>, Option<Info<Move>>) {
    let mut last = None;
    let task = Task { book: true, ..Task::from(SearchLimits::nodes(nodes)) };
    let m = Champion::default().search(position, &task, &mut |info| last = Some(info.clone()));
    (m, last)
}

fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(|word| Point::from_letters(word).expect(word)).collect()
}

fn position(rules: RuleSet, black: &str, white: &str, turn: Side) -> Renju {
    let stones = Renju::from_stones(&points(black), &points(white), turn).expect("a position");
    Renju::new(stones.board().clone().under(rules), turn, 0, stones.ply()).expect("a position")
}

/// Six in a row are a win, forbidden, or nothing.
#[test]
fn overlines_count_by_the_rules() {
    let (black, white) = ("A1 B1 C1 E1 F1", "A15 C15 E15 H15 O1");
    let wins = |rules, black: &str, white: &str, turn| {
        let position = position(rules, black, white, turn);
        let (m, info) = search(&position, 2_000);
        (m == Some(Move::Stone(points("D1")[0])), info.is_some_and(|info| info.score == Score::Win(1)))
    };
    assert_eq!(wins(RuleSet::Freestyle, black, white, Side::First), (true, true));
    assert!(!wins(RuleSet::Standard, black, white, Side::First).1);
    assert!(!wins(RuleSet::Renju, black, white, Side::First).1);
    // White's row of six.
    assert_eq!(wins(RuleSet::Freestyle, white, black, Side::Second), (true, true));
    assert!(!wins(RuleSet::Standard, white, black, Side::Second).1);
    assert_eq!(wins(RuleSet::Renju, white, black, Side::Second), (true, true));
}

/// Two threes by one stone win for Black, unless that is forbidden.
#[test]
fn black_makes_double_threes_in_gomoku() {
    let win = |rules| {
        let position = position(rules, "F8 G8 H9 H10", "A1 A15 O1 O15", Side::First);
        let (m, info) = search(&position, 20_000);
        assert!(position.check(m.expect("a move")).is_ok());
        info.is_some_and(|info| matches!(info.score, Score::Win(_)))
    };
    assert!(win(RuleSet::Standard) && win(RuleSet::Freestyle));
    let forbidden = position(RuleSet::Renju, "F8 G8 H9 H10", "A1 A15 O1 O15", Side::First);
    assert_ne!(search(&forbidden, 2_000).0, Some(Move::Stone(Point::CENTRE)));
}

/// Whole games of every engine, from the empty board: each move is legal, and the champion does not lose to chance.
#[test]
fn engines_play_every_rule_set() {
    for rules in RuleSet::ALL {
        for side in Side::BOTH {
            let mut champion = Champion::default().limited(SearchLimits::nodes(3_000));
            let (mut greedy, mut random) = (Greedy::new(1), Random::new(1));
            let rivals: [&mut dyn Engine<Renju>; 2] = [&mut greedy, &mut random];
            for (number, rival) in rivals.into_iter().enumerate() {
                let mut position = Renju::start(rules);
                while position.outcome().is_none() {
                    let engine: &mut dyn Engine<Renju> =
                        if position.turn() == side { &mut champion } else { &mut *rival };
                    let task = Task { book: true, ..Task::default() };
                    let m = engine.best_move(&position, &task).expect("not over");
                    position.check(m).unwrap_or_else(|error| panic!("{rules}: {error} in {position}"));
                    position.play_unchecked(m, &mut ());
                }
                assert!(number == 0 || position.outcome() == Some(Outcome::Win(side)), "{rules}: {position}");
            }
        }
    }
}

/// The books of renju say nothing of gomoku.
#[test]
fn the_books_are_those_of_renju() {
    use agon_engines::renju::book::{PractisedBook, ProvedBook};
    let (proved, practised) = (ProvedBook::own().expect("a book"), PractisedBook::own().expect("a book"));
    let stones = |rules, turn, white: &str| position(rules, "H8 J9", white, turn);
    let known = |rules| {
        let black = stones(rules, Side::First, "H9 G8");
        let white = stones(rules, Side::Second, "H9");
        [
            proved.reply(&black).is_some() || practised.reply(&black).is_some(),
            proved.hardest(&white).is_some() || practised.reply(&white).is_some(),
        ]
    };
    assert_eq!(known(RuleSet::Renju), known(RuleSet::Alphano));
    assert_eq!(known(RuleSet::Standard), [false; 2]);
    assert_eq!(known(RuleSet::Freestyle), [false; 2]);
}
