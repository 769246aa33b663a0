//! One pair of games between two agents, played and counted but not stored: for repeatedly looking for the better of
//! two versions.

use crate::failures::Failures;
use crate::plan::Plan;
use crate::runner::{self, Roster, RunError, Worker};
use crate::schedule;
use crate::tally::Tally;
use crate::trial::UnfitAgents;

/// The result of a pair.
#[derive(Clone, Debug)]
pub struct PlayedPair {
    /// Half points of the plan's first agent, 0 to 4; a game without a result counts as a draw.
    pub halves: usize,
    pub failures: Failures,
    /// Both games had the same moves, as if one agent had played itself.
    pub alike: bool,
    /// A digest of the moves of the first game.
    pub course: i64,
}

#[derive(Debug, thiserror::Error)]
pub enum PairError {
    #[error(transparent)]
    Unfit(#[from] UnfitAgents),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Plays the pair of this number of a match, on the thread's processors or on these; `None` when it was interrupted.
///
/// # Errors
/// [`PairError`] when an agent cannot be prepared, or a game cannot be played at all.
pub fn play(
    plan: &Plan,
    number: u32,
    cores: Option<&[usize]>,
    threads: usize,
) -> Result<Option<PlayedPair>, PairError> {
    let roster = Roster::prepare(plan)?;
    let apart = runner::bind(cores, threads);
    let mut worker = Worker::new(plan, &roster, None, apart);
    let mut tally = Tally::new(plan);
    let (mut failures, mut courses) = (Failures::default(), Vec::new());
    for slot in schedule::slots(plan, &schedule::round(plan, number, &tally)) {
        let Some(played) = worker.play(&slot)? else { return Ok(None) };
        failures.add(&played.summary);
        tally.add(&played.summary);
        courses.push(played.summary.game_digest);
    }
    let halves = 2.0 * tally.against(0, 1).points() + tally.void() as f64;
    Ok(Some(PlayedPair {
        halves: halves.round() as usize,
        failures,
        alike: courses.iter().all(|course| *course == courses[0]),
        course: courses[0],
    }))
}

#[cfg(test)]
mod tests {
    use agon_catalog::Game;

    use super::*;
    use crate::plan::Entrant;

    #[test]
    fn a_pair_is_counted_for_the_first_agent() {
        let game = Game::DOMINEERING;
        let agents = ["greedy", "random"].map(|name| Entrant::read(name, game).unwrap());
        let plan = Plan::of_match(game, agents, 40);
        let pairs: Vec<PlayedPair> = (0..20).map(|number| play(&plan, number, None, 1).unwrap().unwrap()).collect();
        let all: usize = pairs.iter().map(|pair| pair.halves).sum();
        assert!(
            all > 50 && pairs.iter().all(|pair| pair.halves <= 4 && pair.failures.most_first().is_empty()),
            "{all}"
        );
        assert!(pairs.iter().filter(|pair| pair.alike).count() < 3, "{pairs:?}");
        let same = Plan::of_match(game, ["greedy", "greedy"].map(|name| Entrant::read(name, game).unwrap()), 40);
        assert!((0..5).all(|number| play(&same, number, None, 1).unwrap().unwrap().alike));
        // The same number gives the same pair.
        assert_eq!(play(&plan, 7, None, 1).unwrap().unwrap().halves, pairs[7].halves);
    }
}
