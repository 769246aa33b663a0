//! Games of positions: from static types, which searches want, to texts.

use std::any::Any;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use agon_engines::Seated;
use agon_engines::seated::position_sent;
use agon_game::{Alternating, Player, Show};
use agon_message::{English, Reason};
use agon_search::{Engine, Info, Task};

use crate::builtin::{TextEngine, TextMove};
use crate::entry::{Game, NameError};
use crate::face::PositionFace;
use crate::setup::{Setup, SetupError};

/// A position of a game of the catalogue: two sides that move in turn.
pub trait CatalogPosition: Show + FromStr<Err: fmt::Display> + 'static {
    const GAME: Game;

    /// The game's start under a set-up, before the moves of its opening.
    ///
    /// # Errors
    /// [`SetupError`] names the parameter that is wrong.
    fn start(setup: &Setup) -> Result<Self, SetupError>;

    /// Converts the error of an invalid position to a message, by default in English.
    fn reason(error: Self::Err) -> Reason {
        Arc::new(English(error.to_string()))
    }

    /// The first position, from the lines that the judge sends before READY, without those of an opening.
    ///
    /// # Errors
    /// A message that quotes the invalid text.
    fn from_preamble(preamble: &str) -> Result<Self, String> {
        position_sent(preamble).unwrap_or_else(|| match preamble.lines().next() {
            None => Self::start(&Setup::default()).map_err(|error| error.to_string()),
            Some(line) => Err(format!("`{line}` before READY is not understood")),
        })
    }
}

impl PositionFace {
    pub const fn of<P: CatalogPosition>() -> Self {
        Self {
            start: |setup| Ok(Box::new(setup.opened(P::start(setup)?)?)),
            count: |setup| Ok(Box::new(setup.opened(P::start(setup)?)?.into_position())),
            state_at: |text| Ok(Box::new(Alternating::new(read::<P>(text)?))),
            count_at: |text| Ok(Box::new(read::<P>(text)?)),
        }
    }
}

fn read<P: CatalogPosition>(text: &str) -> Result<P, Reason> {
    text.parse().map_err(P::reason)
}

impl TextMove {
    pub fn new<P: Show>(m: P::Move) -> Self {
        Self { judged: m.to_string(), letters: P::letters(m) }
    }
}

/// Converts a search's findings, with moves as text.
pub fn text_info<P: Show>(info: &Info<P::Move>) -> Info<TextMove> {
    let &Info { depth, seldepth, multipv, score, nodes, elapsed, hashfull, .. } = info;
    let pv = info.pv.iter().map(|&m| TextMove::new::<P>(m)).collect();
    Info { depth, seldepth, multipv, score, nodes, elapsed, hashfull, pv }
}

/// An engine of a game of positions behind the face of texts.
pub struct TypedEngine<P>(pub Box<dyn Engine<P>>);

impl<P: CatalogPosition> TypedEngine<P> {
    pub fn boxed(engine: impl Engine<P> + 'static) -> Box<dyn TextEngine> {
        Box::new(Self(Box::new(engine)))
    }
}

impl<P: CatalogPosition> TextEngine for TypedEngine<P> {
    fn search(
        &mut self,
        position: &str,
        task: &Task,
        listener: &mut dyn FnMut(&Info<TextMove>),
    ) -> Result<Option<TextMove>, String> {
        let mut hear = |info: &Info<P::Move>| listener(&text_info::<P>(info));
        Ok(self
            .0
            .search(&read::<P>(position).map_err(|error| error.to_string())?, task, &mut hear)
            .map(TextMove::new::<P>))
    }

    fn set_seed(&mut self, seed: u64) {
        self.0.set_seed(seed);
    }

    fn set_memory(&mut self, bytes: usize) {
        self.0.set_memory(bytes);
    }

    fn set_threads(&mut self, threads: usize) {
        self.0.set_threads(threads);
    }

    fn player(self: Box<Self>, nodes: Option<u64>) -> Box<dyn Player> {
        Box::new(Seated::new(P::from_preamble, self.0).at_nodes(nodes))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// The engine of a game of positions that a text names, its choices drawn from the seed.
///
/// # Errors
/// [`NameError`] when there is none with that name or level.
///
/// # Panics
/// If the row of the game has engines of another type of position.
///
/// ```
/// use agon_rules::renju::Renju;
/// let mut engine = agon_catalog::engine::<Renju>("champion:3", 1)?;
/// assert!(engine.best_move(&Renju::default(), &Default::default()).is_some());
/// # Ok::<(), agon_catalog::NameError>(())
/// ```
pub fn engine<P: CatalogPosition>(text: &str, seed: u64) -> Result<Box<dyn Engine<P>>, NameError> {
    let engine = P::GAME.find(text)?.engine(seed).map(|engine| engine.into_any().downcast::<TypedEngine<P>>());
    match engine {
        Some(Ok(engine)) => Ok(engine.0),
        _ => panic!("the engines of {} are of another type of position", P::GAME),
    }
}
