//! A checked request to an engine: a move, or an analysis.

use std::time::Duration;

use agon_catalog::{Capability, Game};
use agon_game::TimeControl;
use agon_message::Stated;
use agon_search::{Instant, SearchLimits, Stop};
use serde::Serialize;
use utoipa::ToSchema;

use super::question::{BoardGame, BoardQuestion, Refusal};
use super::search::{AnalysedPosition, EngineMove, SearchWish};

/// Milliseconds of a move: by default, and at most.
const MOVE_MS: (u64, u64) = (1_000, 10_000);

/// Time of an analysis by default.
const USUAL_TIME: Duration = Duration::from_secs(30);

/// Lines of an analysis: by default, and at most.
const LINES: (usize, usize) = (3, 20);

/// A number within its bounds, or the usual one.
fn within<T: Ord + Copy + std::fmt::Display>(
    name: &str,
    asked: Option<T>,
    least: T,
    (usual, most): (T, T),
) -> Result<T, Refusal> {
    let number = asked.unwrap_or(usual);
    if (least..=most).contains(&number) {
        Ok(number)
    } else {
        Err(Refusal::new(&format!("`{name}` is {number}; {least} to {most} expected")))
    }
}

/// Who answers if no player is named: the last built-in of a list is the strongest.
fn strongest(game: Game) -> &'static str {
    game.builtins.last().map_or("", |builtin| builtin.name)
}

/// The move of a built-in player.
#[derive(Serialize, ToSchema)]
pub struct MoveAnswer {
    /// As the judge writes it: the arguments of MOVE.
    #[serde(rename = "move")]
    judged: String,
    /// As people write it.
    letters: String,
    /// The player's evaluation of its position, for people; null if it gives none.
    score: Option<String>,
    /// The same as a value.
    #[schema(value_type = Option<Object>)]
    message: Option<Stated>,
    /// How long it took, in milliseconds.
    ms: f64,
}

impl MoveAnswer {
    /// The same with its score in the language of `localized`.
    pub fn spoken(mut self, localized: impl Fn(&Stated) -> String) -> Self {
        self.score = self.message.as_ref().map(localized);
        self
    }
}

/// A request for a built-in player's move.
pub struct MoveWish {
    position: AnalysedPosition,
    player: String,
    seed: u64,
    longest: Duration,
    clock: Option<TimeControl>,
}

impl MoveWish {
    /// Checks the times of a question, before its game is played.
    ///
    /// # Errors
    /// [`Refusal`] of a time out of bounds.
    pub fn check(question: &BoardQuestion) -> Result<(), Refusal> {
        within("ms", question.ms, 1, MOVE_MS).map(|_| ())
    }

    /// The wish of a question whose moves lead to `game`. `draw` returns a random number, for a question without a
    /// seed.
    ///
    /// # Errors
    /// [`Refusal`] of an unknown player or a time out of bounds.
    pub fn new(question: &BoardQuestion, game: &BoardGame, draw: impl FnOnce() -> u64) -> Result<Self, Refusal> {
        let longest = Duration::from_millis(within("ms", question.ms, 1, MOVE_MS)?);
        // A clock alone says how long; the rest is a bound.
        let longest =
            if question.ms.is_none() && question.clock.is_some() { Duration::from_millis(MOVE_MS.1) } else { longest };
        let clock = question.clock.map(|clock| {
            let [left, increment] = clock.map(Duration::from_millis);
            TimeControl::with_increment(left, increment)
        });
        let player = question.engine.clone().unwrap_or_else(|| strongest(game.game).to_owned());
        game.game.find(&player).map_err(|error| Refusal::new(&error))?;
        let position = AnalysedPosition::from_state(game.game, game.state.as_ref())?;
        Ok(Self { position, player, seed: question.engine_seed.unwrap_or_else(draw), longest, clock })
    }

    /// Searches.
    ///
    /// # Errors
    /// [`Refusal`] when the game is over.
    pub fn run(&self, stop: Stop) -> Result<MoveAnswer, Refusal> {
        let begun = Instant::now();
        let reply = self.reply(stop)?;
        let ms = begun.elapsed().as_secs_f64() * 1000.0;
        let message = reply.score;
        let score = message.as_ref().map(ToString::to_string);
        Ok(MoveAnswer { judged: reply.judged, letters: reply.letters, score, message, ms })
    }

    /// Searches, and returns the number of nodes that the player visits for its move; 0 if it needs no search.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn nodes(&self, stop: Stop) -> Result<u64, Refusal> {
        Ok(self.reply(stop)?.nodes)
    }

    fn reply(&self, stop: Stop) -> Result<EngineMove, Refusal> {
        let task = self.position.move_task(self.longest, self.clock, stop);
        let reply = self.position.reply(&self.player, self.seed, &task).map_err(|error| Refusal::new(&error))?;
        reply.ok_or_else(|| Refusal::new(&"the game is over"))
    }
}

/// What an analysis may use in its environment.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisBounds {
    /// Time of an analysis; `None`: until it is stopped.
    pub max_time: Option<Duration>,
    pub max_threads: usize,
    /// Memory of the tables in MiB: by default, and at most.
    pub hash_mib: (usize, usize),
}

impl AnalysisBounds {
    /// The time for an analysis with this requested number of seconds; `None`: until it is stopped.
    ///
    /// # Errors
    /// [`Refusal`] of a longer time than is allowed.
    pub fn time(&self, seconds: Option<u64>) -> Result<Option<Duration>, Refusal> {
        match (seconds, self.max_time) {
            (None, _) => Ok(Some(USUAL_TIME)),
            (Some(0), longest) => Ok(longest),
            (Some(asked), Some(longest)) if asked > longest.as_secs() => {
                let most = longest.as_secs();
                Err(Refusal::new(&format!("`seconds` is {asked}; 1 to {most} expected, or 0 for as long as allowed")))
            }
            (Some(asked), _) => Ok(Some(Duration::from_secs(asked))),
        }
    }
}

/// The analysis that a question requests, for the moves that lead to `game`.
///
/// # Errors
/// [`Refusal`] of a value out of bounds, of moves that are not legal, and of a game whose sides see different things.
pub fn analysis_wish(
    question: &BoardQuestion,
    game: &BoardGame,
    bounds: &AnalysisBounds,
) -> Result<SearchWish, Refusal> {
    if !game.game.has_turns() {
        return Err(Refusal::new(&format!("{} has no engine that searches", game.game)));
    }
    let time = bounds.time(question.seconds)?;
    let lines = within("lines", question.lines, 1, LINES)?;
    let limits = SearchLimits { nodes: question.nodes, time, ..SearchLimits::default() };
    if let Some(threads) = question.threads.filter(|_| !game.game.can(Capability::ParallelSearch)) {
        let name = game.game.name();
        return Err(Refusal::new(&format!("`threads` is {threads}, but {name} is searched by one: leave it out")));
    }
    let threads = within("threads", question.threads, 1, (1, bounds.max_threads))?;
    let moves = question.considered(game)?;
    let table_bytes = within("hash", question.hash, 1, bounds.hash_mib)? << 20;
    Ok(SearchWish { limits, lines, moves, table_bytes, threads })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_of_a_site_ends_and_one_of_an_own_machine_goes_on() {
        let seconds = Duration::from_secs;
        let check = |asked, longest: Option<u64>, wanted: Option<Option<u64>>| {
            let bounds = AnalysisBounds { max_time: longest.map(seconds), max_threads: 1, hash_mib: (8, 8) };
            let found = bounds.time(asked).ok();
            assert_eq!(found, wanted.map(|time| time.map(seconds)), "{asked:?} of {longest:?}");
        };
        check(Some(0), None, Some(None));
        check(Some(0), Some(300), Some(Some(300)));
        check(Some(900), None, Some(Some(900)));
        check(Some(900), Some(300), None);
        check(None, None, Some(Some(30)));
    }
}
