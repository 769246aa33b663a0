//! What is known about a position without a search.

use agon_catalog::Capability;
use agon_game::Show as _;
use agon_rules::renju::{Move, Renju};
use agon_search::Stop;
use serde::Serialize;
use utoipa::ToSchema;

use super::question::{BoardQuestion, Refusal};
use crate::judge::read;
use crate::known::{KnownBy, KnownPosition, known};

/// A move that something is known about.
#[derive(Serialize, ToSchema)]
pub struct KnownMove {
    /// As the judge writes it.
    #[serde(rename = "move")]
    judged: String,
    /// As people write it.
    letters: String,
    /// `proved`; `practised`, which has held in games; or `open`, which the proof has not decided.
    by: &'static str,
    /// The proved winner after it: 0 or 1.
    winner: Option<usize>,
    /// For an open one: how many positions of its proof are not yet won.
    positions: Option<u32>,
}

/// What is known about a position.
#[derive(Default, Serialize, ToSchema)]
pub struct KnownAnswer {
    /// The proved winner: 0 or 1.
    winner: Option<usize>,
    /// A line of the proof to the end, with the answers that hold out longest. As the judge writes it.
    line: Vec<String>,
    /// The same as people write it.
    letters: Vec<String>,
    /// The moves that something is known about.
    moves: Vec<KnownMove>,
}

impl From<KnownPosition> for KnownAnswer {
    fn from(found: KnownPosition) -> Self {
        let moves = found.moves.into_iter().map(|(m, by)| KnownMove {
            judged: m.to_string(),
            letters: Renju::letters(m),
            by: match by {
                KnownBy::Proof(_) => "proved",
                KnownBy::Practice => "practised",
                KnownBy::Open(_) => "open",
            },
            winner: match by {
                KnownBy::Proof(side) => Some(side.index()),
                KnownBy::Practice | KnownBy::Open(_) => None,
            },
            positions: match by {
                KnownBy::Open(positions) => positions,
                KnownBy::Proof(_) | KnownBy::Practice => None,
            },
        });
        Self {
            winner: found.winner.map(agon_game::Side::index),
            line: found.line.iter().map(Move::to_string).collect(),
            letters: found.line.iter().map(|&m| Renju::letters(m)).collect(),
            moves: moves.collect(),
        }
    }
}

/// What the opening books of renju prove about a position, with a line to the end, and what has held in practice; empty
/// for other games.
///
/// # Errors
/// [`Refusal`] of a wrong position or move.
pub fn known_of(question: &BoardQuestion, stop: &Stop) -> Result<KnownAnswer, Refusal> {
    let game = question.play()?;
    if !game.game.can(Capability::Book) {
        return Ok(KnownAnswer::default());
    }
    let position: Renju = read(&game.state.position()).map_err(|error| Refusal::new(&error))?;
    Ok(known(&position, stop).into())
}
