//! The list of all games.

use std::sync::{PoisonError, RwLock};

use crate::capability::Capability;
use crate::entry::{Game, GameEntry};
use crate::{bacteria, domineering, petri, renju};

/// The games that are built in, in the order of the lists that people see.
const BUILT_IN: [Game; 4] = [Game::BACTERIA, Game::DOMINEERING, Game::RENJU, Game::PETRI];

static REGISTERED: RwLock<Vec<Game>> = RwLock::new(Vec::new());

/// Adds a game to the list, behind those that are there, or in place of the one of that name whose rules were missing.
///
/// # Errors
/// If a game of that name exists.
pub fn register(entry: &'static GameEntry) -> Result<Game, String> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let game = Game(entry);
    if let Some(known) = registered.iter_mut().find(|known| known.name == entry.name && known.is_missing()) {
        *known = game;
        return Ok(game);
    }
    if BUILT_IN.iter().chain(&*registered).any(|game| game.name == entry.name) {
        return Err(format!("there is a game `{}`", entry.name));
    }
    registered.push(game);
    Ok(game)
}

/// A game that is named and not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{}", match (.of_program, .loaded) {
        (true, Some(loaded)) => format!("the rules of `{name}` have changed: those given are of `{loaded}`"),
        (true, None) => format!("the rules of `{name}` are a program that is not known here: give it as --rules FILE"),
        (false, _) => format!("this version does not know the game `{name}`"),
    }
)]
pub struct UnknownGame {
    pub name: String,
    /// True if its rules are an outside program.
    pub of_program: bool,
    /// The game of that name that is known, of other rules.
    pub loaded: Option<&'static str>,
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

    /// The built-in player that a new bot meets first: the second weakest.
    pub fn beginners_rival(self) -> &'static str {
        self.builtins.get(1).map_or("random", |builtin| builtin.name)
    }

    /// Games that people can play, move by move.
    pub fn by_hand() -> impl Iterator<Item = Self> {
        Self::all().into_iter().filter(|game| game.has_moves())
    }

    pub fn which_can(capability: Capability) -> Vec<Self> {
        Self::all().into_iter().filter(|game| game.can(capability)).collect()
    }

    /// The game that a record or a store names.
    ///
    /// # Errors
    /// [`UnknownGame`] with the remedy.
    pub fn recorded(name: &str) -> Result<Self, UnknownGame> {
        let known = Self::all().into_iter().find(|game| game.name == name);
        known.ok_or_else(|| {
            let plain = name.split('@').next().filter(|plain| plain.len() < name.len());
            let loaded = plain.and_then(Self::by_name).map(Self::name);
            UnknownGame { name: name.to_owned(), of_program: plain.is_some(), loaded }
        })
    }

    /// Returns the game of this name. If its rules are a program, the part before the digest of the rules is enough.
    pub fn by_name(name: &str) -> Option<Self> {
        let games = Self::all();
        let plain = |game: &&Self| game.is_program() && !game.is_missing() && game.name.split('@').next() == Some(name);
        games.iter().find(|game| game.name == name).or_else(|| games.iter().find(plain)).copied()
    }
}
