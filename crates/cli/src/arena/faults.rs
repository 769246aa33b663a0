//! `agon results --faults`: why agents failed in a stored run.

use std::fmt::Write as _;
use std::path::Path;

use agon_arena::failures::Failure;
use agon_arena::transcript::explanation;
use agon_arena::{Plan, Store, Summary, Tally};
use agon_game::Side;
use agon_referee::record::Record;
use agon_referee::text::line;
use serde_json::{Value, json};

use crate::failed;
use crate::failure::fold;
use crate::rules;
use crate::show::{self, ERROR, FAINT, counted, paint};

/// The failures of a run by kind, each with the cause from the record of its first game.
pub(super) struct Faults<'a> {
    plan: &'a Plan,
    tally: &'a Tally,
    run: i64,
    games: usize,
    kinds: Vec<Kind>,
}

/// Failures of one kind.
struct Kind {
    failure: Failure,
    /// Cause, from the record of its first game.
    explanation: Vec<String>,
    /// The agent, quoted for a shell, if it failed at a move, which can be asked again.
    asked: Option<String>,
}

impl<'a> Faults<'a> {
    pub(super) fn new(store: &Store, run: i64, plan: &'a Plan, tally: &'a Tally, bouts: &[Summary]) -> Self {
        let kind = |failure: &Failure| Kind::new(store, run, plan, bouts, failure);
        let kinds = tally.failures().most_first().into_iter().map(kind).collect();
        Self { plan, tally, run, games: bouts.len(), kinds }
    }

    pub(super) fn text(&self, db: &Path) -> String {
        let games = counted(self.games as u64, "game");
        if self.kinds.is_empty() {
            return format!("no agent failed in the {games} of run {}\n", self.run);
        }
        let mut text = String::new();
        for Kind { failure, explanation, asked } in &self.kinds {
            let name = line(&self.plan.agents[failure.agent].name);
            let moves = match failure.moves {
                Some([low, high]) if low == high => format!(", on move {low}"),
                Some([low, high]) => format!(", on moves {low} to {high}"),
                None => String::new(),
            };
            let own = counted(self.games_of(failure.agent), "game");
            let heading = format!("{name}: {} in {} of its {own}{moves}", failure.verdict, failure.games);
            let _ = writeln!(text, "{}", paint(ERROR, heading));
            for words in explanation.iter().flat_map(|words| fold(words, 2)) {
                let _ = writeln!(text, "{words}");
            }
            let db = show::pasted(db);
            let game = format!("--db {db} --run {} --slot {}", self.run, failure.first);
            let rules = rules::option(self.plan.game);
            let ask = asked.as_ref().map(|agent| format!("agon ask {game} {agent}{rules}"));
            for command in [format!("agon replay {game}{rules}")].into_iter().chain(ask) {
                let _ = writeln!(text, "  {}", paint(FAINT, command));
            }
        }
        text
    }

    /// The games of an agent that count.
    fn games_of(&self, agent: usize) -> u64 {
        let stats = self.tally.agent(agent);
        stats.bouts - stats.repeated.bouts()
    }

    pub(super) fn json(&self) -> Value {
        let kinds = self.kinds.iter().map(|Kind { failure, explanation, .. }| {
            let mut kind = json!(failure);
            kind["of"] = self.games_of(failure.agent).into();
            kind["name"] = self.plan.agents[failure.agent].name.as_str().into();
            kind["explanation"] = json!(explanation);
            kind
        });
        json!({ "run": self.run, "games": self.games, "faults": kinds.collect::<Vec<_>>() })
    }
}

impl Kind {
    fn new(store: &Store, run: i64, plan: &Plan, bouts: &[Summary], failure: &Failure) -> Self {
        let seat = bouts.iter().find(|bout| bout.slot == failure.first);
        let seat = seat.and_then(|bout| bout.seats.iter().position(|&agent| agent == failure.agent));
        let record = store.record(run, failure.first).ok().flatten().and_then(|text| Record::read(&text).ok());
        let found = record.as_ref().zip(seat);
        // Reason, cause, and the last line of the error stream.
        let words = found.map(|(record, seat)| explanation(record, Side::BOTH[seat]));
        let asked =
            found.filter(|(record, seat)| failed::failed_at_a_move(record).is_some_and(|side| side.index() == *seat));
        let asked = asked.and_then(|(record, _)| failed::askable(record, &plan.agents[failure.agent].agent));
        // If a record cannot be read, only the row remains.
        let explanation = words.filter(|words| !words.is_empty()).unwrap_or_else(|| vec![line(&failure.reason.text)]);
        Self { failure: failure.clone(), explanation, asked }
    }
}
