//! Whole runs: played, stopped, resumed, decided, and failed.

mod agents;
mod failing;
mod quarantine;
mod resuming;
mod tournaments;

use std::collections::BTreeMap;
use std::sync::mpsc;

use agon_arena::plan::{Entrant, Kind, Plan};
use agon_arena::runner::{self, Affinity, Finish, Roster, RunError, RunEvent, RunOptions, RunStop};
use agon_arena::{Store, Summary};
use agon_catalog::Game;
use agon_jail::Level;

/// A plan of agents given by their texts, named a, b, c and so on. Boards are small, so that games are short.
fn plan(kind: Kind, agents: &[&str], games: u32) -> Plan {
    // Some write what they see to files, which a jail discards.
    agon_jail::choose(Level::None);
    let game = Game::DOMINEERING;
    let entrant = |(text, name): (&&str, char)| Entrant::read(text, game).unwrap().named(name);
    let agents: Vec<Entrant> = agents.iter().zip('a'..).map(entrant).collect();
    let mut plan = Plan::of_match(game, [agents[0].clone(), agents[1].clone()], games);
    plan.parameters = [("rows", "4"), ("columns", "4")].map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    (plan.agents, plan.kind) = (agents, kind);
    plan
}

/// Several at once on any machine.
fn options(concurrency: usize) -> RunOptions {
    RunOptions { concurrency, affinity: Affinity::None, force: true, ..RunOptions::default() }
}

/// Plays, and returns what happened.
fn play(plan: &Plan, store: &mut Store, concurrency: usize) -> Result<(Finish, Vec<RunEvent>), RunError> {
    let (events, heard) = mpsc::channel();
    let roster = Roster::prepare(plan).unwrap();
    let finish = runner::run(plan, &roster, store, &options(concurrency), &RunStop::default(), &events)?;
    drop(events);
    Ok((finish, heard.iter().collect()))
}

/// What decides bouts, by slot: everything except times.
fn courses(bouts: &[Summary]) -> BTreeMap<u32, (i64, String)> {
    bouts.iter().map(|bout| (bout.slot, (bout.game_digest, bout.winner.to_string()))).collect()
}
