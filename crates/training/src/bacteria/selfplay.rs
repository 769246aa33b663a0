//! Games of Bacteria War that the champion plays against itself.

use agon_engines::bacteria::opening;
use agon_game::seed::Stream;
use agon_rules::bacteria::{Bacteria, Move};
use agon_search::engine::{Engine, Score};

use super::BacteriaRecord;
use crate::selfplay::{SelfplayGames, hundredths};

/// Games from random openings until both sides agree on the winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BacteriaGames {
    /// The most random plies at the beginning of a game; how many is drawn anew for every game.
    pub opening: u32,
    /// A game is given to a side that both have found ahead by this much, in hundredths of a cell.
    pub adjudicate: i32,
}

impl SelfplayGames for BacteriaGames {
    type Game = Bacteria;
    type Filter = ();
    const BLOCK: usize = 32;
    const CHECKED_ONCE: bool = false;

    /// An opening of any length up to the longest; each side draws how greedy its chance is.
    fn opening(&self, _: &mut dyn Engine<Bacteria>, stream: &mut Stream) -> Bacteria {
        let plies = stream.below(self.opening as usize + 1) as u32;
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
        format!("opening {} imbalance {imbalance} adjudicate {}", self.opening, self.adjudicate)
    }
}
