//! Book knowledge of a renju position: the proved book, with the line to its end, and the practised one.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use agon_engines::renju::Threats;
use agon_engines::renju::book::{FourthStatus, LEAF_NODES, LEAF_TABLE_BYTES, PractisedBook, ProvedBook, Symmetry};
use agon_game::{Position as _, Side};
use agon_proof::solution::{ThreatMode, solve};
use agon_rules::renju::{Move, Point, Renju, Stones};
use agon_search::{SearchLimits, Stop};

/// How a move is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownBy {
    /// The winner after it is proved.
    Proof(Side),
    /// It has held in practice.
    Practice,
    /// The proof has examined it, and it is open which side wins; how many positions are not yet won, if known.
    Open(Option<u32>),
}

/// Book knowledge of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KnownPosition {
    /// Proved winner.
    pub winner: Option<Side>,
    /// A line of the proof to its end, with White's answers that hold out longest.
    pub line: Vec<Move>,
    /// The moves that something is known about.
    pub moves: Vec<(Move, KnownBy)>,
}

/// Looks a position up; the end of a line is searched until it is stopped.
pub fn known(position: &Renju, stop: &Stop) -> KnownPosition {
    let mut found = KnownPosition::default();
    let Ok(book) = ProvedBook::own() else { return found };
    if position.outcome().is_some() {
        return found;
    }
    if let Some(m) = book.reply(position) {
        found.winner = Some(Side::First);
        found.moves.push((m, KnownBy::Proof(Side::First)));
    } else if is_followed(book, position) {
        found.winner = Some(Side::First);
    } else if let Some((opening, symmetry)) = book.opening_of(position) {
        let back = symmetry.inverse();
        for fourth in &opening.fourths {
            let m = fourth.cell.map_or(Some(Move::Pass), |cell| stone(back.cell(cell)));
            let by = match fourth.status {
                FourthStatus::Refuted => KnownBy::Proof(Side::First),
                FourthStatus::Open(positions) => KnownBy::Open(positions),
            };
            found.moves.extend(m.filter(|&m| position.check(m).is_ok()).map(|m| (m, by)));
        }
        if opening.fourths.iter().all(|fourth| fourth.status == FourthStatus::Refuted) {
            found.winner = Some(Side::First);
        }
    }
    if found.winner.is_some() {
        found.line = line(book, position, stop);
    }
    if let Some(m) = PractisedBook::own().ok().and_then(|book| book.reply(position))
        && found.moves.iter().all(|&(known, _)| known != m)
    {
        found.moves.push((m, KnownBy::Practice));
    }
    found
}

fn stone(cell: u8) -> Option<Move> {
    Point::from_index(cell.into()).map(Move::Stone)
}

/// Returns true if Black has just made the book's move: White loses whatever it does.
fn is_followed(book: &ProvedBook, position: &Renju) -> bool {
    let stones = Stones::from_board(position.board());
    position.turn() == Side::Second
        && stones.black.iter().any(|black| {
            let mut before = stones;
            before.black.remove(black);
            book.moves().turned(&before) == Some(black)
        })
}

/// Maximum number of Black's moves in the book after each of its positions.
static DEPTHS: LazyLock<Mutex<HashMap<Stones, u32>>> = LazyLock::new(Mutex::default);

/// The same for a position with Black to move; 0 if it is not in the book.
fn depth(book: &ProvedBook, stones: &Stones, depths: &mut HashMap<Stones, u32>) -> u32 {
    let Some(cell) = book.moves().turned(stones) else { return 0 };
    let canonical = Symmetry::canonical(stones).0;
    if let Some(&known) = depths.get(&canonical) {
        return known;
    }
    let after = stones.with(Side::First, cell);
    let deepest = answers(&after).map(|(_, next)| depth(book, &next, depths)).max().unwrap_or(0);
    depths.insert(canonical, deepest + 1);
    deepest + 1
}

/// White's answers, including PASS.
fn answers(after: &Stones) -> impl Iterator<Item = (Option<u8>, Stones)> {
    let after = *after;
    let stones = after.empties().iter().map(move |cell| (Some(cell), after.with(Side::Second, cell)));
    [(None, after)].into_iter().chain(stones)
}

/// The book's moves, White's answers behind which it is deepest, and at its end a win by threats.
fn line(book: &ProvedBook, position: &Renju, stop: &Stop) -> Vec<Move> {
    let mut depths = DEPTHS.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut line, mut at) = (Vec::new(), position.clone());
    while at.outcome().is_none() && !stop.is_raised() {
        let stones = Stones::from_board(at.board());
        let next = if at.turn() == Side::First {
            book.reply(&at)
        } else {
            let answers = answers(&stones).filter_map(|(cell, next)| {
                let m = cell.map_or(Some(Move::Pass), stone).filter(|&m| at.check(m).is_ok())?;
                Some((depth(book, &next, &mut depths), m))
            });
            // Among equals a stone, which is more instructive than a PASS.
            answers.max_by_key(|&(depth, m)| (depth, m != Move::Pass)).map(|(_, m)| m)
        };
        let Some(m) = next else { break };
        line.push(m);
        at.play_unchecked(m, &mut ());
    }
    drop(depths);
    if at.outcome().is_none() && at.turn() == Side::First {
        line.extend(end(&at, stop));
    }
    line
}

/// The win by threats at the end of the book.
fn end(position: &Renju, stop: &Stop) -> Vec<Move> {
    let mut threats = Threats::new(LEAF_TABLE_BYTES);
    let limits = SearchLimits::nodes(LEAF_NODES);
    // The mode that the book was grown by.
    let found = solve(&mut threats, position, ThreatMode::Threats, limits, stop).map(|found| found.line);
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use agon_game::Outcome;

    use super::*;

    fn after(moves: &str) -> Renju {
        let mut position = Renju::default();
        for text in moves.split(' ') {
            let m = Move::from_letters(text).unwrap();
            position.check(m).unwrap();
            position.play_unchecked(m, &mut ());
        }
        position
    }

    #[test]
    fn the_answers_of_an_opening_are_known() {
        let book = ProvedBook::own().unwrap();
        let stop = Stop::default();
        for (number, opening) in book.openings.iter().enumerate() {
            let text = ["H8 I9 I7", "H8 H9 I9"][number];
            let found = known(&after(text), &stop);
            let proved = found.moves.iter().filter(|(_, by)| *by == KnownBy::Proof(Side::First)).count();
            assert_eq!(proved, opening.refuted(), "{text}");
            assert_eq!(found.moves.iter().filter(|(m, _)| *m == Move::Pass).count(), 1);
            assert_eq!(found.winner.is_some(), opening.refuted() == opening.fourths.len());
        }
    }

    /// After a refuted fourth move, the win is known immediately, with a line to its last stone.
    #[test]
    fn a_proved_position_has_its_line() {
        let stop = Stop::default();
        let opening = after("H8 I9 I7");
        let (fourth, _) = known(&opening, &stop)
            .moves
            .into_iter()
            .find(|(m, by)| *by == KnownBy::Proof(Side::First) && *m != Move::Pass)
            .unwrap();
        let mut position = opening.clone();
        position.play_unchecked(fourth, &mut ());
        let found = known(&position, &stop);
        assert_eq!(found.winner, Some(Side::First), "{}", fourth.letters());
        assert_eq!(found.moves[0], (found.line[0], KnownBy::Proof(Side::First)));
        let mut end = position.clone();
        for &m in &found.line {
            end.check(m).unwrap();
            end.play_unchecked(m, &mut ());
        }
        assert_eq!(end.outcome(), Some(Outcome::Win(Side::First)), "{:?}", found.line);
        // White to move behind the book's move.
        position.play_unchecked(found.line[0], &mut ());
        assert_eq!(known(&position, &stop).winner, Some(Side::First));
    }
}
