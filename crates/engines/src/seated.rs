//! An engine in a seat of the judge's protocol.

use std::fmt::Display;
use std::str::FromStr;

use agon_game::alternating::{OPENING, POSITION};
use agon_game::{Evaluation, Player, Position, Side, TimeControl};
use agon_search::{Engine, SearchLimits, Task};

/// Makes the first position of a game from the lines sent before READY, those of an opening left out.
pub type Start<P> = fn(board: &str) -> Result<P, String>;

/// Returns the start of a game that sends nothing before READY, or the position from which it starts.
///
/// # Errors
/// A message that quotes the unexpected text, or the invalid position.
pub fn no_board<P: Default + FromStr<Err: Display>>(board: &str) -> Result<P, String> {
    position_sent(board).unwrap_or_else(|| match board.lines().next() {
        None => Ok(P::default()),
        Some(line) => Err(format!("`{line}` before READY is not understood")),
    })
}

/// Returns the position in the only line sent before READY; `None` if anything else was sent, or nothing.
pub fn position_sent<P: FromStr<Err: Display>>(board: &str) -> Option<Result<P, String>> {
    let text = board.trim().strip_prefix(POSITION)?.strip_prefix(' ').filter(|text| !text.contains('\n'))?;
    Some(text.trim().parse().map_err(|error: P::Err| format!("`{POSITION} {text}`: {error}")))
}

/// Returns the position after the lines sent before READY, and the moves of its opening.
///
/// # Errors
/// A message that names the invalid line.
pub fn follow<P: Position>(start: Start<P>, preamble: &str) -> Result<(P, Vec<P::Move>), String> {
    let opening = |line: &&str| line.split_ascii_whitespace().next() == Some(OPENING);
    let board: String = preamble.lines().filter(|line| !opening(line)).flat_map(|line| [line, "\n"]).collect();
    let mut position = start(&board)?;
    let mut moves = Vec::new();
    for line in preamble.lines().filter(opening) {
        let m =
            position.read_move(&line.trim_start()[OPENING.len()..]).map_err(|error| format!("`{line}`: {error}"))?;
        position.play_unchecked(m, &mut ());
        moves.push(m);
    }
    Ok((position, moves))
}

/// An [`Engine`] in a seat of the judge's protocol: follows the game and speaks the judge's notation.
pub struct Seated<P> {
    start: Start<P>,
    position: Option<P>,
    engine: Box<dyn Engine<P>>,
    /// Number of nodes per move, regardless of the clocks.
    nodes: Option<u64>,
    evaluation: Option<Evaluation>,
}

impl<P: Position> Seated<P> {
    /// Seats an engine; `start` parses the first position from the lines sent before READY.
    pub const fn new(start: Start<P>, engine: Box<dyn Engine<P>>) -> Self {
        Self { start, position: None, engine, nodes: None, evaluation: None }
    }

    /// Limits every search to this many nodes and ignores the clock.
    #[must_use]
    pub fn at_nodes(mut self, nodes: Option<u64>) -> Self {
        self.nodes = nodes;
        self
    }
}

impl<P: Position> Player for Seated<P> {
    fn ready(&mut self, _side: Side, preamble: &str) -> Result<(), String> {
        let (position, _) = follow(self.start, preamble)?;
        if self.position.replace(position).is_some() {
            self.engine.new_game();
        }
        Ok(())
    }

    fn choose(&mut self, own: TimeControl, _: TimeControl) -> Result<String, String> {
        let position = self.position.as_mut().ok_or("asked for a move before READY")?;
        let task = match self.nodes {
            Some(nodes) => Task { book: true, ..SearchLimits::nodes(nodes).into() },
            None => Task::clock(own),
        };
        let mut evaluation = None;
        let m = self.engine.search(position, &task, &mut |info| evaluation = Some(info.evaluation()));
        self.evaluation = evaluation;
        let m = m.ok_or("asked for a move after the end of the game")?;
        position.play_unchecked(m, &mut ());
        Ok(m.to_string())
    }

    fn opponent(&mut self, arguments: &str) -> Result<(), String> {
        let position = self.position.as_mut().ok_or("a move before READY")?;
        let m = position.read_move(arguments).map_err(|error| format!("`{arguments}`: {error}"))?;
        position.play_unchecked(m, &mut ());
        Ok(())
    }

    fn evaluation(&self) -> Option<Evaluation> {
        self.evaluation
    }
}
