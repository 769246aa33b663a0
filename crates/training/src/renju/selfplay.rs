//! Games of renju that the champion plays against itself.

use agon_engines::renju::{Fours, PatternBoard, Trait};
use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_rules::renju::{Move, Renju};
use agon_search::engine::{Engine, Score};
use agon_search::limits::SearchLimits;
use serde::{Deserialize, Serialize};

use super::RenjuRecord;
use super::opening::{champions, practised, random};
use crate::OpeningPlies;
use crate::campaign::{CampaignGames, CampaignOptions, Schedule};
use crate::selfplay::SelfplayGames;

/// The fewest stones of an opening: after these anyone may play anywhere.
const MIN_OPENING_STONES: u32 = 3;

/// A game that is not decided after this many stones is a draw.
const MAX_STONES: u32 = 220;

/// Nodes of the search for fours that decides whether a position is quiet: as many as a search's own leaf would spend.
const FOUR_NODES: u64 = 600;

/// Bytes of its table.
const FOUR_BYTES: usize = 1 << 16;

/// Games until a win is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RenjuGames {
    pub beginning: Openings,
    /// The stones of an opening, at least 3.
    pub openings: OpeningPlies,
}

/// How the first stones of a game are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    Random,
    /// The champion's first three moves, then one of the best moves of a short search.
    Champions,
    /// A position of the champion's practised book plus a few stones, each one of the best in a short search; the
    /// number of stones for an opening is then ignored.
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

    fn opening(&self, engine: &mut dyn Engine<Renju>, stream: &mut Stream) -> Renju {
        let stones = self.openings.draw(stream, MIN_OPENING_STONES);
        match self.beginning {
            Openings::Random => random(stream, stones),
            Openings::Champions => champions(engine, stream, stones),
            Openings::Practised => practised(engine, stream),
        }
    }

    fn outcome(position: &Renju) -> Option<Outcome> {
        position.outcome().or_else(|| (position.ply() >= MAX_STONES).then_some(Outcome::Draw))
    }

    fn keeps(Quiet(fours): &mut Quiet, position: &Renju, _: Move) -> bool {
        let mut board = PatternBoard::new(position.board());
        Side::BOTH.into_iter().all(|side| board.having(side, Trait::Five).is_empty())
            && fours.wins(&mut board, position.turn(), SearchLimits::nodes(FOUR_NODES)) == Ok(false)
    }

    fn record(position: &Renju, value: i16) -> RenjuRecord {
        RenjuRecord::new(position.board(), position.turn(), value, 1, position.ply() as u8)
    }

    /// Reported wins are proved; playing them out teaches nothing.
    fn adjudicate(&self, score: Score, _: Option<&RenjuRecord>) -> Option<bool> {
        match score {
            Score::Win(_) => Some(true),
            Score::Loss(_) => Some(false),
            Score::Centi(_) => None,
        }
    }

    fn options(&self, imbalance: i32) -> String {
        let how = match self.beginning {
            Openings::Random => "",
            Openings::Champions => "champions ",
            Openings::Practised => "practised ",
        };
        format!("{how}opening {} imbalance {imbalance}", self.openings)
    }
}

impl CampaignGames for RenjuGames {
    /// Random stones that the first search finds about even: at least six, because so few openings with fewer stones
    /// are even that their games would repeat.
    fn defaults() -> CampaignOptions<Self> {
        let games = Self { beginning: Openings::Random, openings: OpeningPlies::from_to(6, 11) };
        let options = CampaignOptions::new(games, 300, 64, 1_000_000);
        let (nodes, value_share) = (Schedule::constant(400), Schedule::constant(0.75));
        CampaignOptions { nodes, value_share, batch: 1_024, rate: 0.006, decay: 0.1, epochs: 6, ..options }
    }
}
