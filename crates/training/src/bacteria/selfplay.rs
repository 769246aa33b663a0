//! Games of Bacteria War that the champion plays against itself.

use agon_engines::bacteria::opening;
use agon_game::seed::Stream;
use agon_rules::bacteria::{Bacteria, Move};
use agon_search::engine::{Engine, Score};
use agon_search::evaluate::MAX_EVALUATION;
use serde::{Deserialize, Serialize};

use super::BacteriaRecord;
use crate::OpeningPlies;
use crate::campaign::{CampaignGames, CampaignOptions};
use crate::selfplay::{SelfplayGames, hundredths};

/// Games from random openings until both sides agree on the winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BacteriaGames {
    /// The random plies at the beginning of a game.
    pub openings: OpeningPlies,
    /// Lead, in hundredths of a cell, at which a game is awarded to a side if both searches agree.
    pub adjudicate: i32,
}

impl SelfplayGames for BacteriaGames {
    type Game = Bacteria;
    type Filter = ();
    const BLOCK: usize = 32;
    const CHECKED_ONCE: bool = false;

    /// Each side draws how greedy its chance is.
    fn opening(&self, _: &mut dyn Engine<Bacteria>, stream: &mut Stream) -> Bacteria {
        let plies = self.openings.draw(stream, 0);
        let tries = [1 + stream.below(3), 1 + stream.below(3)];
        opening::position(stream, plies, tries)
    }

    fn keeps((): &mut (), _: &Bacteria, m: Move) -> bool {
        !m.is_pass()
    }

    fn record(position: &Bacteria, value: i16) -> BacteriaRecord {
        BacteriaRecord::new(position, value)
    }

    fn adjudicate(&self, score: Score, last: Option<&BacteriaRecord>) -> Option<bool> {
        let (value, last) = (hundredths(score), i32::from(last?.value));
        // Seen from the other side: opposite signs agree.
        let agreed = value.abs() >= self.adjudicate && last.abs() >= self.adjudicate && (last < 0) != (value < 0);
        agreed.then_some(value > 0)
    }

    fn options(&self, imbalance: i32) -> String {
        format!("opening {} imbalance {imbalance} adjudicate {}", self.openings, self.adjudicate)
    }
}

impl CampaignGames for BacteriaGames {
    /// Openings within three quarters of odds of e : 1, and long enough that games of deterministic engines rarely
    /// repeat; games are played until both searches have proved the winner, so that full boards are learnt too.
    /// Training on scores only, generation after generation, makes them drift from the odds they claim; λ-returns do
    /// not.
    fn defaults() -> CampaignOptions<Self> {
        let games = Self { openings: OpeningPlies::from_to(6, 16), adjudicate: MAX_EVALUATION };
        let options = CampaignOptions::new(games, 300, 256, 4_000_000);
        CampaignOptions { lambda: 0.95, scale: 500, ..options }
    }
}
