//! An engine of others as a player that the judge's protocol can be served for.

use std::fmt::Display;
use std::str::FromStr;

use agon_engines::seated::{follow, no_board};
use agon_game::{Evaluation, Player, Position, Side, TimeControl};

use crate::engine_process::EngineError;
use crate::protocol_client::ProtocolClient;

/// Follows a game and requests the moves from an engine.
pub(super) struct Bridged<P: Position, T> {
    client: T,
    /// Position of the game; `None` before READY.
    position: Option<P>,
    /// The moves that led there.
    moves: Vec<P::Move>,
    /// The engine's evaluation before its last move; `None` after a forced move.
    evaluation: Option<Evaluation>,
    /// The engine's fault, if it ended the game.
    fault: Option<EngineError>,
}

impl<P: Position, T: ProtocolClient<P>> Bridged<P, T> {
    pub(super) const fn new(client: T) -> Self {
        Self { client, position: None, moves: Vec::new(), evaluation: None, fault: None }
    }

    /// The last lines of the conversation with the engine, if it has failed.
    pub(super) fn last_lines(&self) -> String {
        self.fault.as_ref().map_or_else(String::new, |_| self.client.last_lines())
    }

    /// The engine, for dismissal.
    ///
    /// # Errors
    /// Its fault, if it failed.
    pub(super) fn into_client(self) -> Result<T, EngineError> {
        self.fault.map_or(Ok(self.client), Err)
    }

    /// Stores an engine's fault, since the judge's protocol only has a text for it.
    fn kept<V>(&mut self, result: Result<V, EngineError>) -> Result<V, String> {
        result.map_err(|error| self.fault.insert(error).to_string())
    }
}

impl<P, T> Player for Bridged<P, T>
where
    P: Position + Default + FromStr<Err: Display>,
    T: ProtocolClient<P> + Send,
{
    fn ready(&mut self, _: Side, preamble: &str) -> Result<(), String> {
        let (position, moves) = follow(no_board, preamble)?;
        let again = self.position.replace(position).is_some();
        self.moves = moves;
        let started = if again { self.client.new_game() } else { self.client.start() };
        self.kept(started)
    }

    fn choose(&mut self, own: TimeControl, opponent: TimeControl) -> Result<String, String> {
        let Self { position, moves, client, evaluation, .. } = self;
        let position = position.as_mut().ok_or("asked for a move before READY")?;
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let asked = match legal[..] {
            [] => return Err("asked for a move after the end of the game".to_owned()),
            [forced] => Ok(forced.to_string()),
            _ => client.ask(position, moves, own, opponent),
        };
        *evaluation = if legal.len() > 1 { client.evaluation() } else { None };
        // A move that the rules reject ends the game, so its result will not be needed.
        if let Ok(text) = &asked
            && let Ok(m) = position.read_move(text)
        {
            position.play_unchecked(m, &mut ());
            moves.push(m);
        }
        self.kept(asked)
    }

    fn opponent(&mut self, arguments: &str) -> Result<(), String> {
        let position = self.position.as_mut().ok_or("a move before READY")?;
        let m = position.read_move(arguments).map_err(|error| format!("`{arguments}`: {error}"))?;
        position.play_unchecked(m, &mut ());
        self.moves.push(m);
        Ok(())
    }

    fn evaluation(&self) -> Option<Evaluation> {
        self.evaluation
    }
}
