//! Openings: what makes the pairs of a match differ.
//!
//! Both bouts of a pair start alike, with the seats swapped; different pairs must start differently, or two
//! deterministic agents would repeat the same two games. What can differ depends on what the agents understand:
//!
//! - Under the judge's protocol a game starts at its start. Domineering's board is drawn from the pair's seed;
//!   programs find a seed in `AGON_SEED`. An agent that uses neither repeats its games; [`crate::Store::distinct`]
//!   counts the different ones.
//! - Agents that understand OPENING lines (all built-ins, and programs that declare it) can start from moves made for
//!   both sides: [`agon_game::Alternating::opened`]. The first are drawn uniformly from the legal moves, as far as such
//!   moves make sense in the game; the others are those of the `greedy` built-in, so that the position is one that
//!   players might reach. Openings are drawn independently, so a long match meets some of them twice.
//!
//! - The same agents can start from the openings of a file ([`crate::opening_file`]).
//!
//! No opening is checked for balance: the seats are swapped in each pair, so that an advantage cancels out.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_catalog::{Game, Setup, SetupError};
use agon_game::{GameState, Player, Side, TimeControl};
use agon_referee::record::OpeningNote;

use crate::plan::Plan;
use crate::slot::Slot;

/// The name of the game's parameter that holds an opening.
pub const PARAMETER: &str = agon_catalog::OPENING.name;

/// How often an opening that ends the game is drawn again.
const TRIES: u64 = 100;

/// An opening that cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningError {
    #[error("{game} has no openings")]
    Unsupported { game: Game },
    #[error("{game} is over within {plies} plies")]
    TooLong { game: Game, plies: u32 },
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("`{player}` cannot draw an opening: {problem}")]
    Player { player: &'static str, problem: String },
}

/// The set-up of a plan's bout, with its opening if the plan has any.
///
/// # Errors
/// [`OpeningError`] when the game has no openings, or none of that length.
pub fn setup(plan: &Plan, slot: &Slot) -> Result<Setup, OpeningError> {
    let Some(opening) = plan.file_opening(slot) else { return drawn(plan, slot.seed) };
    let mut parameters = plan.parameters.clone();
    opening.apply(&mut parameters);
    Ok(Setup { seed: slot.seed, parameters })
}

/// The source of the opening of a plan's bout, if it comes from a file.
pub fn note(plan: &Plan, slot: &Slot) -> Option<OpeningNote> {
    Some(plan.file_opening(slot)?.note(&plan.opening_file.as_ref()?.name))
}

/// The set-up of a plan's game of this seed, with a drawn opening if the plan has any.
///
/// # Errors
/// [`OpeningError`] when the game has no openings, or none of that length.
pub fn drawn(plan: &Plan, seed: u64) -> Result<Setup, OpeningError> {
    let mut parameters = plan.parameters.clone();
    if plan.openings > 0 {
        let opening = draw(plan.game, &parameters, plan.openings, seed)?;
        parameters.insert(PARAMETER.to_owned(), opening);
    }
    Ok(Setup { seed, parameters })
}

/// Draws an opening of `plies` moves, in the form of the game's parameter.
///
/// # Errors
/// [`OpeningError`] when the game has none, or none of that length.
///
/// ```
/// use agon_arena::openings::draw;
/// use agon_catalog::Game;
/// let opening = draw(Game::RENJU, &Default::default(), 3, 7).unwrap();
/// assert!(opening.starts_with("8 8/"), "{opening}");
/// ```
pub fn draw(game: Game, parameters: &BTreeMap<String, String>, plies: u32, seed: u64) -> Result<String, OpeningError> {
    if !game.has_openings() {
        return Err(OpeningError::Unsupported { game });
    }
    let uniform = plies.min(game.openings.uniform_plies);
    for again in 0..TRIES {
        let mut setup = Setup { seed, parameters: parameters.clone() };
        let mut moves: Vec<String> = Vec::new();
        // No try of one seed is a try of another: the seeds of pairs have 53 bits.
        let seed = seed ^ (again << 54);
        if let Some(draw) = game.openings.draw {
            moves.extend(draw(plies, seed).unwrap_or_default());
        } else {
            let parts = [("random", uniform), ("greedy", plies - uniform)];
            // A game whose openings are uniform needs no `greedy`.
            for (player, plies) in parts.into_iter().filter(|(_, plies)| *plies > 0) {
                setup.parameters.insert(PARAMETER.to_owned(), moves.join("/"));
                moves.extend(play(game, &setup, player, plies, seed)?);
            }
        }
        setup.parameters.insert(PARAMETER.to_owned(), moves.join("/"));
        if moves.len() == plies as usize && game.initial_state(&setup)?.turn().is_some() {
            return Ok(moves.join("/"));
        }
    }
    Err(OpeningError::TooLong { game, plies })
}

const fn side_seed(seed: u64, side: Side) -> u64 {
    seed.wrapping_mul(2).wrapping_add(side.index() as u64)
}

/// Lets a built-in play against itself for some plies, fewer if the game ends.
fn play(game: Game, setup: &Setup, name: &'static str, plies: u32, seed: u64) -> Result<Vec<String>, OpeningError> {
    let broken = |problem: String| OpeningError::Player { player: name, problem };
    let mut state: Box<dyn GameState> = game.initial_state(setup)?;
    let seat = |side: Side| -> Result<Box<dyn Player>, OpeningError> {
        let named = game.find(name).map_err(|error| broken(error.to_string()))?;
        let mut player = named.player(side_seed(seed, side)).ok_or_else(|| broken("there is none".to_owned()))?;
        player.ready(side, &state.preamble_of(side)).map_err(broken)?;
        Ok(player)
    };
    let mut players = [seat(Side::First)?, seat(Side::Second)?];
    let clock = TimeControl::sudden_death(Duration::from_secs(1));
    let mut moves = Vec::new();
    while moves.len() < plies as usize
        && let Some(side) = state.turn()
    {
        players[side.index()].see(state.as_ref());
        let chosen = players[side.index()].choose(clock, clock).map_err(broken)?;
        let answered = state.answer(&chosen).map_err(|error| broken(error.to_string()))?;
        players[side.other().index()].opponent(&answered).map_err(broken)?;
        moves.push(answered);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_legal_and_follow_from_the_seed() {
        let check = |game: Game, plies: u32| {
            let drawn: Vec<String> = (0..20).map(|seed| draw(game, &BTreeMap::new(), plies, seed).unwrap()).collect();
            for (seed, opening) in drawn.iter().enumerate() {
                let parameters: BTreeMap<_, _> = [(PARAMETER.to_owned(), opening.clone())].into();
                let state = game.initial_state(&Setup { seed: seed as u64, parameters: parameters.clone() }).unwrap();
                assert_eq!((state.ply(), state.turn().is_some()), (plies, true), "{game} {opening}");
                assert_eq!(draw(game, &BTreeMap::new(), plies, seed as u64).as_ref(), Ok(opening));
            }
            let mut different = drawn.clone();
            different.sort();
            different.dedup();
            assert!(different.len() > 10, "{game}: {drawn:?}");
        };
        check(Game::BACTERIA, 4);
        check(Game::RENJU, 3);
        check(Game::RENJU, 8);
        check(Game::DOMINEERING, 2);
    }

    /// A stored series can only resume while its seeds draw the same openings.
    #[test]
    fn what_a_seed_draws_stays() {
        let check = |game: Game, plies: u32, seed: u64, wanted: &str| {
            assert_eq!(draw(game, &BTreeMap::new(), plies, seed).unwrap(), wanted, "{game} {plies} {seed}");
        };
        check(Game::BACTERIA, 4, 1, "7 7 6 5/7 1 5 2/6 5 5 3/1 7 3 7");
        check(Game::BACTERIA, 8, 8, "7 7 5 5/7 1 5 2/1 1 2 2/1 7 2 5/1 1 3 1/2 5 1 3/5 5 5 3/1 3 3 3");
        check(Game::RENJU, 5, 7, "8 8/7 8/10 10/7 7/7 9");
        check(Game::DOMINEERING, 2, 7, "6 2/2 4");
    }

    #[test]
    fn an_opening_never_ends_the_game() {
        let plies = 1000;
        let error = draw(Game::BACTERIA, &BTreeMap::new(), plies, 1).unwrap_err();
        assert_eq!(error, OpeningError::TooLong { game: Game::BACTERIA, plies });
    }
}
