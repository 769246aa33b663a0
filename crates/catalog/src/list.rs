//! The list of all games.

use std::sync::{PoisonError, RwLock};

use crate::capability::Capability;
use crate::entry::{Game, GameEntry};
use crate::{bacteria, domineering, petri, renju};

/// The games that are built in, in the order of the lists that people see.
const BUILT_IN: [Game; 4] = [Game::BACTERIA, Game::DOMINEERING, Game::RENJU, Game::PETRI];

static REGISTERED: RwLock<Vec<Game>> = RwLock::new(Vec::new());

/// Adds a game to the list, behind those that are there.
///
/// # Errors
/// When a game of that name is there.
pub fn register(entry: &'static GameEntry) -> Result<Game, String> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    if BUILT_IN.iter().chain(&*registered).any(|game| game.name == entry.name) {
        return Err(format!("there is a game `{}`", entry.name));
    }
    registered.push(Game(entry));
    Ok(Game(entry))
}

impl Game {
    pub const BACTERIA: Self = Self(&bacteria::BACTERIA);
    pub const DOMINEERING: Self = Self(&domineering::DOMINEERING);
    pub const RENJU: Self = Self(&renju::RENJU);
    pub const PETRI: Self = Self(&petri::PETRI);

    /// All games, in the order of the lists that people see.
    pub fn all() -> Vec<Self> {
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        BUILT_IN.iter().chain(&*registered).copied().collect()
    }

    pub fn names() -> Vec<&'static str> {
        Self::all().into_iter().map(Self::name).collect()
    }

    /// Games that people can play: two sides move in turn.
    pub fn by_hand() -> impl Iterator<Item = Self> {
        Self::all().into_iter().filter(|game| game.has_turns())
    }

    pub fn which_can(capability: Capability) -> Vec<Self> {
        Self::all().into_iter().filter(|game| game.can(capability)).collect()
    }

    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|game| game.name == name)
    }
}
