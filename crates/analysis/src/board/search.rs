//! The searches: an engine's findings about a position, and its move in a game.

use std::time::Duration;

use agon_catalog::{Capability, Game, NameError, TextMove, text_info};
use agon_engines::domineering::Solver;
use agon_engines::renju::Threats;
use agon_game::{GameState, Side, TimeControl};
use agon_message::Stated;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;
use agon_search::{Info, Instant, Score, SearchLimits, Stop, Task};
use serde_json::{Value, json};

use super::question::Refusal;
use crate::considered::{Consideration, consider};
use crate::judge::{TABLE_BYTES, champion, read};
use crate::lines::Worth;
use crate::study::Study;
use crate::{lines, renju as forced};

/// In renju, time to look for a win by threats before the lines of a search are shown.
const LOOKING: Duration = Duration::from_secs(1);

/// Duration of the first step of domineering's proof; each later one takes twice as long, and keeps what was proved
/// before.
const FIRST_LOOK: Duration = Duration::from_millis(100);

/// Time for the champion's move that is shown until one is proved.
const GUESS: Duration = Duration::from_secs(1);

/// Limits of a search, the number of lines it shows, and the moves it considers.
#[derive(Clone, Debug)]
pub struct SearchWish {
    pub limits: SearchLimits,
    /// How many of the best lines to show.
    pub lines: usize,
    pub moves: Consideration,
    /// Memory of the tables, in bytes.
    pub table_bytes: usize,
    /// Number of threads.
    pub threads: usize,
}

/// A position of one of the games that have engines.
pub struct AnalysedPosition {
    game: Game,
    text: String,
    turn: Side,
}

impl AnalysedPosition {
    /// Returns the current position of a game.
    ///
    /// # Errors
    /// [`Refusal`] for a game without engines that search.
    pub fn from_state(game: Game, state: &dyn GameState) -> Result<Self, Refusal> {
        if !game.has_moves() {
            return Err(Refusal::new(&format!("{game} has no engine that searches")));
        }
        Ok(Self { game, text: state.position(), turn: state.turn().unwrap_or(Side::First) })
    }

    /// Searches, and sends its findings as events: their names, and their data.
    ///
    /// # Errors
    /// A message for the log.
    pub fn analyse(
        &self,
        wish: &SearchWish,
        stop: Stop,
        send: &mut dyn FnMut(&'static str, Value),
    ) -> Result<(), String> {
        // Tables are allocated when its turn comes: searches of a flood that end before then have none.
        if stop.is_raised() {
            return Ok(());
        }
        let task = Task { limits: wish.limits, multipv: wish.lines, stop, ..Task::default() };
        if !wish.moves.is_plain() {
            let state = self.game.state_at(&self.text).map_err(|error| error.to_string())?;
            let mut engine = champion(self.game)?;
            engine.set_memory(wish.table_bytes);
            engine.set_threads(wish.threads);
            let mut hear = |info: &Info<_>| send("line", line(info, self.turn));
            let best = consider(state.as_ref(), &wish.moves, engine.as_mut(), &task, &mut hear)?;
            send("best", lines::best(best.as_ref()));
        } else if self.game.can(Capability::Solving) {
            self.prove(&task, send)?;
        } else if self.game.can(Capability::Threats) {
            let position: Renju = read(&self.text)?;
            let mut engine = agon_catalog::engine("champion", 0).map_err(|error| error.to_string())?;
            engine.set_memory(wish.table_bytes);
            engine.set_threads(wish.threads);
            let looking = wish.limits.time.map_or(LOOKING, |time| (time / 4).min(LOOKING));
            let mut threats = Threats::new(TABLE_BYTES);
            let mut hear = |info: &Info<_>| send("line", line(&text_info::<Renju>(info), self.turn));
            let found = forced::analyse(&position, &task, &mut threats, looking, engine.as_mut(), &mut hear);
            let found = found.map_err(|error| error.to_string())?;
            send("best", lines::best(found.best.map(TextMove::new::<Renju>).as_ref()));
            send("win", found.json());
        } else {
            let mut engine = champion(self.game)?;
            engine.set_memory(wish.table_bytes);
            engine.set_threads(wish.threads);
            let mut hear = |info: &Info<_>| send("line", line(info, self.turn));
            let best = engine.search(&self.text, &task, &mut hear)?;
            send("best", lines::best(best.as_ref()));
        }
        Ok(())
    }

    /// Returns the move of a built-in player, with its evaluation; `None` if the game is over.
    ///
    /// # Errors
    /// [`NameError`] if there is no such player.
    pub fn reply(&self, player: &str, seed: u64, task: &Task) -> Result<Option<EngineMove>, NameError> {
        let Some(mut engine) = self.game.find(player)?.engine(seed) else { return Ok(None) };
        engine.set_memory(TABLE_BYTES);
        let (mut score, mut nodes) = (None, 0);
        let mut hear = |info: &Info<_>| {
            score = Some(info.score).filter(|_| info.multipv == 1).or(score);
            nodes = info.nodes;
        };
        // The text is that of a state, which its game reads.
        let m = engine.search(&self.text, task, &mut hear).ok().flatten();
        let score = score.map(|score| Stated::from(&Worth::from(score)));
        Ok(m.map(|TextMove { judged, letters }| EngineMove { judged, letters, score, nodes }))
    }

    /// Returns the task for a move that may take at most this long, in a game with this clock.
    pub fn move_task(&self, longest: Duration, clock: Option<TimeControl>, stop: Stop) -> Task {
        let (time, clock) = match clock {
            // Its champion proves the game as soon as possible, and spends most of its clock on that.
            Some(clock) if self.game.can(Capability::Solving) => {
                (longest.min(clock.left / 4 + clock.increment / 2), None)
            }
            clock => (longest, clock),
        };
        Task { limits: SearchLimits::time(time), clock, book: true, stop, ..Task::default() }
    }

    /// Proves the values of a position's moves, and sends each step, with the move that the champion would play until
    /// the best one is proved.
    fn prove(&self, task: &Task, send: &mut dyn FnMut(&'static str, Value)) -> Result<(), String> {
        let position: Domineering = read(&self.text)?;
        let begin = Instant::now();
        let mut guess = Value::Null;
        let mut solver = Solver::new(position.board(), TABLE_BYTES);
        solver.stop_by(task.stop.clone());
        let (mut nodes, mut look) = (0, FIRST_LOOK);
        loop {
            let left = task.limits.time.map(|time| time.saturating_sub(begin.elapsed()));
            // A search with a limit of nodes is one search, so that it can be repeated.
            let time = if task.limits.nodes.is_some() { left } else { Some(left.map_or(look, |left| left.min(look))) };
            let limits = SearchLimits { time, nodes: task.limits.nodes, ..SearchLimits::default() };
            let analysis = solver.analyse(&position, limits, &mut |_, _| {});
            nodes += solver.nodes();
            let study = Study { position, analysis };
            let mut values = study.json(nodes, begin.elapsed());
            if !guess.is_null() {
                values["guess"] = guess.clone();
            }
            send("values", values);
            let over = left.is_some_and(|left| left <= look) || task.limits.nodes.is_some();
            if study.is_proved() || over || task.stop.is_raised() {
                return Ok(());
            }
            let is_open = !study.analysis.moves.iter().any(|judged| study.is_best(judged));
            if guess.is_null() && is_open && left.is_none_or(|left| left > 3 * GUESS) {
                let shortly = self.move_task(GUESS, None, task.stop.clone());
                let found = champion(self.game)?.search(&self.text, &shortly, &mut |_| {})?;
                guess = found.map_or(Value::Null, |m| json!({ "move": m.judged, "letters": m.letters }));
            }
            look *= 2;
        }
    }
}

/// A move of a built-in player.
#[derive(Clone, Debug)]
pub struct EngineMove {
    /// Move in the judge's notation.
    pub judged: String,
    pub letters: String,
    /// The player's evaluation, if it reports one: `+1.25`, `wins in 7`.
    pub score: Option<Stated>,
    /// Number of visited nodes; 0 if it needed no search.
    pub nodes: u64,
}

/// Converts a line to the data that a page shows.
fn line(info: &Info<TextMove>, turn: Side) -> Value {
    let (mut line, score) = (lines::line(info), info.score);
    line["side"] = turn.index().into();
    line["text"] = Worth::from(score).to_string().into();
    line["first"] = match (score, turn) {
        (Score::Centi(value), Side::First) => json!(f64::from(value) / 100.0),
        (Score::Centi(value), Side::Second) => json!(f64::from(-value) / 100.0),
        _ => Value::Null,
    };
    line
}
