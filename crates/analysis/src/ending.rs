//! Endings of Bacteria War, proved.

use std::time::Duration;

use agon_engines::bacteria::ending::MAX_EMPTY;
use agon_engines::bacteria::{Ending, Margin};
use agon_game::{Position as _, Show as _};
use agon_rules::bacteria::Bacteria;
use agon_search::{SearchLimits, Stop};
use serde_json::{Value, json};

/// Bytes of the prover's table.
const TABLE_BYTES: usize = 16 << 20;

/// Maximum time for a proof.
pub const MAX_TIME: Duration = Duration::from_secs(1);

/// Proved bounds of a position with few empty cells.
pub struct ProvedEnding {
    /// Side to move.
    mover: &'static str,
    other: &'static str,
    margin: Margin,
}

/// Proves a position in the game's own notation as far as the limits go; `None` if it has too many empty cells, or is
/// over.
///
/// # Errors
/// The reason why the text is invalid.
pub fn prove(text: &str, limits: SearchLimits, stop: &Stop) -> Result<Option<ProvedEnding>, String> {
    let position: Bacteria = super::judge::read(text)?;
    if position.outcome().is_some() || position.empty().count_ones() > MAX_EMPTY {
        return Ok(None);
    }
    let time = limits.time.map_or(MAX_TIME, |time| (time / 4).min(MAX_TIME));
    let limits = SearchLimits { time: Some(time), nodes: limits.nodes, ..SearchLimits::default() };
    let margin = Ending::new(TABLE_BYTES).prove(&position, limits, stop);
    let turn = position.turn();
    let [mover, other] = [turn, turn.other()].map(|side| Bacteria::SEATS[side.index()]);
    Ok(Some(ProvedEnding { mover, other, margin }))
}

impl ProvedEnding {
    /// Returns `exact: O wins by 13 with d4`, or the proved bounds; `None` if nothing is proved.
    pub fn text(&self) -> Option<String> {
        let Margin { low, high, best } = self.margin;
        let with = best.map_or_else(String::new, |m| format!(" with {}", Bacteria::letters(m)));
        let Self { mover, other, .. } = self;
        Some(match (low, high) {
            (0, 0) => format!("exact: a draw{with}"),
            (low, high) if low == high && low > 0 => format!("exact: {mover} wins by {low}{with}"),
            (low, high) if low == high => format!("exact: {other} wins by {}", -low),
            (1.., _) => format!("proved: {mover} wins by {low} at least{with}"),
            (_, ..=-1) => format!("proved: {other} wins by {} at least", -high),
            _ => return None,
        })
    }

    /// Returns the same as `{"ending": {"exact": true, "low": 13, "high": 13, "best": "4 4 4 5"}}`: bounds of the final
    /// margin for the side to move.
    pub fn json(&self) -> Value {
        let Margin { low, high, best } = self.margin;
        let best = best.map(|m| m.to_string());
        json!({ "ending": { "exact": self.margin.is_exact(), "low": low, "high": high, "best": best } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proved_is_said() {
        let check = |text: &str, said: Option<&str>| {
            let found = prove(text, SearchLimits::nodes(200_000), &Stop::default()).expect(text);
            assert_eq!(found.and_then(|proved| proved.text()).as_deref(), said, "{text}");
        };
        check("xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxoo/xxxxxo1 o 0 30", Some("exact: O wins by 41"));
        check("7/7/7/7/7/7/o5x x 0 1", None);
        check("xxxxxxx/xxxxxxx/xxxxxxx/ooooooo/ooooooo/ooooooo/ooooooo o 0 30", None);
        // O is enclosed and may only pass while X fills the board.
        check("xoooooo/ooooooo/ooooooo/ooooooo/ooooooo/ooooooo/oooooo1 x 0 30", Some("proved: X wins by 47 at least"));
    }
}
