//! The engines' reports on a position: the lines, and the move that they return.

use agon_game::Show;
use agon_game::seed::Stream;
use agon_rules::bacteria::Bacteria;
use agon_rules::renju::Renju;
use agon_search::value::WIN;
use agon_search::{Engine, Score, SearchLimits, Task};

/// A score as a number that grows with it.
const fn value(score: Score) -> i32 {
    match score {
        Score::Centi(value) => value,
        Score::Win(plies) => WIN - plies as i32,
        Score::Loss(plies) => plies as i32 - WIN,
    }
}

/// Positions of random games, each searched with another number of nodes, so that searches end anywhere: of the lines
/// reported last none is worth less than the next one, all begin with different moves, and the first with the move
/// returned.
fn check<P: Show>(start: &P, games: u64, engine: &mut dyn Engine<P>) {
    for game in 0..games {
        let mut stream = Stream::new(game, "lines");
        let mut position = start.clone();
        for _ in 0..4 + stream.below(30) {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            if let Some(&m) = moves.get(stream.below(moves.len().max(1))) {
                position.play_unchecked(m, &mut ());
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        let multipv = 1 + stream.below(5);
        let limits = SearchLimits::nodes(200 + stream.below(6_000) as u64);
        let (mut lines, mut complete) = (Vec::new(), true);
        let task = Task { limits, multipv, ..Task::default() };
        let best = engine.search(&position, &task, &mut |info| {
            if std::mem::replace(&mut complete, info.multipv == 1) {
                lines.clear();
            }
            lines.insert(0, (info.multipv, P::letters(info.pv[0]), value(info.score)));
        });
        let best = best.map(P::letters).expect("the game goes on");
        assert!(lines.iter().map(|line| line.0).eq(1..=lines.len()), "{lines:?} in {position}");
        assert!(lines.is_sorted_by(|one, other| one.2 >= other.2), "{lines:?} in {position}");
        if let Some(first) = lines.first() {
            assert_eq!(first.1, best, "{lines:?} in {position}");
        }
        let mut moves: Vec<&String> = lines.iter().map(|line| &line.1).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), lines.len(), "{lines:?} in {position}");
    }
}

#[test]
fn the_first_line_is_the_best_one() {
    let mut champion = agon_catalog::engine::<Renju>("champion", 0).expect("a built-in");
    champion.set_memory(2 << 20);
    check(&Renju::default(), 60, champion.as_mut());
    let mut champion = agon_catalog::engine::<Bacteria>("champion", 0).expect("a built-in");
    champion.set_memory(2 << 20);
    check(&Bacteria::start(), 60, champion.as_mut());
}
