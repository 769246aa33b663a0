//! What was played from the position of a board.

use std::collections::BTreeMap;

use agon_catalog::{Game, TextMove};
use agon_game::Side;
use serde::Serialize;
use utoipa::ToSchema;

use super::games::PlayedGames;
use super::{BACTERIA, DOMINEERING, RENJU, TurnedPosition};
use crate::board::{BoardQuestion, Refusal};
use crate::judge::read;

/// The most games that an answer has.
const MAX_EXAMPLES: usize = 5;

/// What was played in the games that come with Agon.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct PlayedAnswer {
    /// The number of games of this game of the catalogue.
    games: usize,
    /// The moves from the position, the most frequent first; moves to the same position are one.
    moves: Vec<PlayedMove>,
    /// Some games with the position, those of the strongest players first.
    examples: Vec<PlayedExample>,
}

/// A move that was played.
#[derive(Debug, Serialize, ToSchema)]
struct PlayedMove {
    /// As the judge writes it.
    #[serde(rename = "move")]
    judged: String,
    /// As people write it.
    letters: String,
    /// In how many games.
    games: u32,
    /// How many of them each side has won.
    wins: [u32; 2],
    /// How many of them were drawn.
    draws: u32,
}

/// A game between two levels of the champion.
#[derive(Debug, Serialize, ToSchema)]
struct PlayedExample {
    /// The level of each side.
    levels: [u8; 2],
    /// Who has won: 0 or 1; null of a draw.
    winner: Option<usize>,
    /// The parameters of its start.
    parameters: BTreeMap<String, String>,
    /// Its moves as the judge writes them, turned as the board stands.
    moves: Vec<String>,
}

/// What was played from a position in the games that come with Agon; nothing of games that have none.
///
/// # Errors
/// [`Refusal`] of a wrong position or move.
pub fn played_in(question: &BoardQuestion) -> Result<PlayedAnswer, Refusal> {
    let game = question.play()?;
    let text = game.state.position();
    if game.game == Game::RENJU {
        answer(&RENJU, &text)
    } else if game.game == Game::BACTERIA {
        answer(&BACTERIA, &text)
    } else if game.game == Game::DOMINEERING {
        answer(&DOMINEERING, &text)
    } else {
        Ok(PlayedAnswer::default())
    }
}

fn answer<P: TurnedPosition>(all: &PlayedGames<P>, text: &str) -> Result<PlayedAnswer, Refusal> {
    let position: P = read(text).map_err(|error| Refusal::new(&error))?;
    let moves = all.played(&position).into_iter().filter_map(|one| {
        let TextMove { judged, letters } = TextMove::new::<P>(position.move_of(one.cells)?);
        Some(PlayedMove { judged, letters, games: one.games, wins: one.wins, draws: one.draws })
    });
    let examples = all.examples(&position, MAX_EXAMPLES).into_iter().map(|(game, moves)| PlayedExample {
        levels: game.levels,
        winner: game.winner.map(Side::index),
        parameters: all.parameters(game).clone(),
        moves,
    });
    Ok(PlayedAnswer { games: all.games().len(), moves: moves.collect(), examples: examples.collect() })
}
