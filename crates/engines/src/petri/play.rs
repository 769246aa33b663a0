//! Games between two programs within the process.

use agon_game::seed::Stream;
use agon_game::{Outcome, Side};
use agon_rules::petri::{Dish, DishSetup, DishSetupError, Rules};

use super::PetriProgram;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DishResult {
    pub outcome: Outcome,
    /// Living cells of both sides at the end.
    pub cells: [u32; 2],
    pub turns: u32,
    pub actions: u64,
}

/// Plays a game to its end. All randomness follows from the seed: each side draws from a stream of its own.
///
/// The dish is started with the species in `setup`; take them from [`PetriProgram::begin`] ([`Match::setup`] does).
///
/// # Errors
/// [`DishSetupError`] if the setup is invalid.
///
/// ```
/// use agon_engines::petri::{Match, play};
/// let programs = ["coordinated", "hungry"].map(|name| agon_catalog::petri::program(name).unwrap());
/// let game = play(&Match::contest(programs).setup(), programs, 1).unwrap();
/// assert_eq!(game.outcome.to_string(), "first");
/// ```
pub fn play(setup: &DishSetup, programs: [&dyn PetriProgram; 2], seed: u64) -> Result<DishResult, DishSetupError> {
    let mut dish = Dish::new(setup)?;
    let mut random = ["petri first", "petri second"].map(|purpose| Stream::new(seed, purpose));
    loop {
        let side = dish.side().index();
        let Some(sight) = dish.sight() else { break };
        let answer = programs[side].act(&sight, &mut random[side]);
        dish.act(answer.action());
    }
    Ok(DishResult {
        outcome: dish.outcome().unwrap_or(Outcome::Draw),
        cells: Side::BOTH.map(|side| dish.cells(side)),
        turns: dish.turns(),
        actions: dish.actions(),
    })
}

/// Two programs and their dish.
#[derive(Clone, Copy)]
pub struct Match<'a> {
    /// The programs; the first one has the first seat in the even games.
    pub programs: [&'a dyn PetriProgram; 2],
    pub width: usize,
    pub height: usize,
    pub turns: u16,
    pub games: u32,
    /// Source of randomness; game `n` uses the seed `seed + n`.
    pub seed: u64,
}

impl<'a> Match<'a> {
    /// The challenge's match: 100 games of 150 turns on 10 × 4.
    pub const fn contest(programs: [&'a dyn PetriProgram; 2]) -> Self {
        Self {
            programs,
            width: DishSetup::WIDTH,
            height: DishSetup::HEIGHT,
            turns: DishSetup::TURNS,
            games: 100,
            seed: 1,
        }
    }

    /// Returns the setup of the game in which the first program has the first seat.
    pub fn setup(&self) -> DishSetup {
        let species = self.programs.map(|program| program.begin().species);
        DishSetup { width: self.width, height: self.height, turns: self.turns, species, rules: Rules::Contest }
    }
}

/// The challenge's score of a match: each program's wins, which had the first seat in half of the games. Draws count
/// for neither.
///
/// # Errors
/// [`DishSetupError`] if the setup is invalid.
pub fn score(duel: &Match<'_>) -> Result<[u32; 2], DishSetupError> {
    let mut wins = [0; 2];
    for game in 0..duel.games {
        let swapped = game % 2 == 1;
        let mut setup = duel.setup();
        let mut programs = duel.programs;
        if swapped {
            setup.species.swap(0, 1);
            programs.swap(0, 1);
        }
        let played = play(&setup, programs, duel.seed.wrapping_add(game.into()))?;
        if let Some(side) = played.outcome.winner() {
            let winner = if swapped { side.other() } else { side };
            wins[winner.index()] += 1;
        }
    }
    Ok(wins)
}
