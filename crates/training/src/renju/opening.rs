//! Openings of the games that the champion plays against itself.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use agon_engines::renju::Champion;
use agon_engines::renju::book::PractisedBook;
use agon_engines::renju::champion::opening as known_opening;
use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::renju::{Move, Point, Renju, Stones};
use agon_search::{Engine, SearchLimits, Task};

/// Maximum distance from the centre.
const REACH: i8 = 4;

/// Maximum value of an opening for either side in a short search, in hundredths; others are drawn again.
const UNFAIR: i32 = 120;

const NODES: u64 = 3_000;

/// A stone of an opening of the champion's own is one of this many that a search finds best,
const CHOICES: usize = 5;

/// which visits this many nodes.
const CHOICE_NODES: u64 = 1_000;

/// Maximum number of additional stones in an opening from the practised book.
const MORE: u32 = 4;

/// An opening of `stones` random stones that a short search finds fair.
pub fn fair(stream: &mut Stream, stones: u32) -> Renju {
    loop {
        let position = random(stream, stones);
        if is_fair(&position) {
            return position;
        }
    }
}

/// An opening of `stones` random stones, the game not over: the first in the centre, the others in the middle and near
/// to those before.
pub fn random(stream: &mut Stream, stones: u32) -> Renju {
    drawn(stream, stones).0
}

/// The same, with its moves.
pub(super) fn drawn(stream: &mut Stream, stones: u32) -> (Renju, Vec<Move>) {
    loop {
        let (mut position, mut played) = (Renju::default(), Vec::new());
        for _ in 0..stones {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves.retain(|&m| is_near(&position, m));
            if moves.is_empty() {
                break;
            }
            let m = moves[stream.below(moves.len())];
            position.play_unchecked(m, &mut ());
            played.push(m);
        }
        if position.outcome().is_none() && position.ply() == stones {
            return (position, played);
        }
    }
}

/// An opening as the champion's games have it: Black's third move is known, and each stone after it is drawn from the
/// best of a short search by `engine`. Black is ahead in most.
pub fn champions(engine: &mut dyn Engine<Renju>, stream: &mut Stream, stones: u32) -> Renju {
    loop {
        let mut position = random(stream, 2);
        if let Some(third) = known_opening(&position) {
            position.play_unchecked(third, &mut ());
        }
        if draw(engine, stream, &mut position, stones) {
            return position;
        }
    }
}

/// An opening deep in the champion's own lines: a position of its practised book, and up to four stones, each drawn
/// from the best of a short search by `engine`.
pub fn practised(engine: &mut dyn Engine<Renju>, stream: &mut Stream) -> Renju {
    static POSITIONS: LazyLock<Vec<Stones>> = LazyLock::new(|| {
        let moves = PractisedBook::own().map(|book| book.moves().iter().map(|(stones, _)| *stones));
        let sorted: BTreeSet<Stones> = moves.into_iter().flatten().collect();
        sorted.into_iter().collect()
    });
    loop {
        let Some(stones) = POSITIONS.get(stream.below(POSITIONS.len().max(1))) else { return random(stream, 3) };
        let Some(mut position) = stones.turn().and_then(|turn| stones.position(turn)) else { continue };
        let stones = position.ply() + stream.below(MORE as usize + 1) as u32;
        if draw(engine, stream, &mut position, stones) {
            return position;
        }
    }
}

/// Goes on up to `stones` stones, each drawn from the best of a short search; whether there are that many and the game
/// is not over.
fn draw(engine: &mut dyn Engine<Renju>, stream: &mut Stream, position: &mut Renju, stones: u32) -> bool {
    while position.outcome().is_none() && position.ply() < stones {
        let limits = SearchLimits::nodes(CHOICE_NODES);
        let task = Task { limits, multipv: CHOICES, ..Task::default() };
        let mut best: Vec<Option<Move>> = vec![None; CHOICES];
        let chosen = engine.search(position, &task, &mut |info| {
            if let (Some(place), Some(&m)) = (best.get_mut(info.multipv - 1), info.pv.first()) {
                *place = Some(m);
            }
        });
        let best: Vec<Move> = best.into_iter().flatten().collect();
        let drawn = if best.is_empty() { chosen } else { Some(best[stream.below(best.len())]) };
        let Some(m) = drawn else { break };
        position.play_unchecked(m, &mut ());
    }
    position.outcome().is_none() && position.ply() == stones
}

/// Returns true if a stone would be in the middle and within two steps of another, if there is one.
fn is_near(position: &Renju, m: Move) -> bool {
    let Move::Stone(point) = m else { return false };
    let coordinates = |point: Point| (point.row() as i8, point.column() as i8);
    let (row, column) = coordinates(point);
    let mut stones = Side::BOTH.into_iter().flat_map(|side| position.board().stones(side).iter());
    let first = position.ply() == 0;
    (row - 8).abs() <= REACH
        && (column - 8).abs() <= REACH
        && (first
            || stones.any(|stone| {
                let (other_row, other_column) = coordinates(stone);
                (row - other_row).abs() <= 2 && (column - other_column).abs() <= 2
            }))
}

fn is_fair(position: &Renju) -> bool {
    let task = Task { limits: SearchLimits::nodes(NODES), ..Task::default() };
    let found = Champion::default().start(position, &task, &mut |_| {});
    found.is_some_and(|found| found.value.abs() <= UNFAIR)
}
