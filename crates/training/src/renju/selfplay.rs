//! Games of renju that the champion plays against itself.

use agon_engines::renju::{Fours, PatternBoard, Trait};
use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_rules::renju::{Move, Renju};
use agon_search::engine::{Engine, Score};
use agon_search::limits::SearchLimits;

use super::RenjuRecord;
use super::opening::{champions, practised, random};
use crate::selfplay::SelfplayGames;

/// The fewest stones of an opening: after these anyone may play anywhere.
const LEAST_OPENING: u32 = 3;

/// A game that is not decided after so many stones is a draw.
const LONGEST: u32 = 220;

/// Nodes of the search for fours that tells whether a position is quiet: as many as a search's own leaf would spend.
const FOUR_NODES: u64 = 600;

/// Bytes of its table.
const FOUR_BYTES: usize = 1 << 16;

/// Games until a win is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RenjuGames {
    /// How openings are drawn.
    pub openings: Openings,
    /// The most stones of an opening, from 3; how many is drawn anew for every game.
    pub opening: u32,
}

/// How the first stones of a game are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Openings {
    /// Anywhere in the middle.
    Random,
    /// The champion's first three moves, then one of the best of a short search.
    Champions,
    /// A position of the champion's practised book, and a few stones more, each one of the best of a short search;
    /// the number of stones for an opening means nothing then.
    Practised,
}

/// Keeps the positions that a search may ever estimate: no five is in the air, and the side to move does not win by
/// fours.
pub struct Quiet(Fours);

impl Default for Quiet {
    fn default() -> Self {
        Self(Fours::new(FOUR_BYTES))
    }
}

impl SelfplayGames for RenjuGames {
    type Game = Renju;
    type Filter = Quiet;
    const BLOCK: usize = 16;
    const CHECKED_ONCE: bool = true;

    /// An opening of any length up to the longest.
    fn opening(&self, engine: &mut dyn Engine<Renju>, stream: &mut Stream) -> Renju {
        let stones = LEAST_OPENING + stream.below(self.opening.saturating_sub(LEAST_OPENING) as usize + 1) as u32;
        match self.openings {
            Openings::Random => random(stream, stones),
            Openings::Champions => champions(engine, stream, stones),
            Openings::Practised => practised(engine, stream),
        }
    }

    fn outcome(position: &Renju) -> Option<Outcome> {
        position.outcome().or_else(|| (position.ply() >= LONGEST).then_some(Outcome::Draw))
    }

    fn keeps(Quiet(fours): &mut Quiet, position: &Renju, _: Move) -> bool {
        let mut board = PatternBoard::new(position.board());
        Side::BOTH.into_iter().all(|side| board.having(side, Trait::Five).is_empty())
            && fours.wins(&mut board, position.turn(), SearchLimits::nodes(FOUR_NODES)) == Ok(false)
    }

    fn record(position: &Renju, value: i16) -> RenjuRecord {
        RenjuRecord::new(position.board(), position.turn(), value, 1, position.ply() as u8)
    }

    /// Wins are proved when they are reported; to play them out teaches nothing.
    fn adjudicate(&self, score: Score, _: Option<&RenjuRecord>) -> Option<bool> {
        match score {
            Score::Win(_) => Some(true),
            Score::Loss(_) => Some(false),
            Score::Centi(_) => None,
        }
    }

    fn options(&self, imbalance: i32) -> String {
        let how = match self.openings {
            Openings::Random => "",
            Openings::Champions => "champions ",
            Openings::Practised => "practised ",
        };
        format!("{how}opening {} imbalance {imbalance}", self.opening)
    }
}
