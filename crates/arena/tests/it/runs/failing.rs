//! Agents that fail, and machines that are too small.

use std::fs;
use std::sync::mpsc;

use agon_arena::plan::{Entrant, Kind};
use agon_arena::runner::{self, Roster, RunEnd, RunError, RunOptions, RunStop, cores};
use agon_arena::store::{Filter, StoreError};
use agon_arena::{Plan, Store, Summary, export};
use agon_catalog::{Game, Setup};
use agon_referee::record::{Record, Winner};
use agon_referee::replay;
use agon_referee::verdict::Verdict;
use serde_json::Value;

use crate::runs::agents::{BOUND, PASSER, QUITTER, script};
use crate::runs::{options, plan, play};

#[test]
fn a_failure_is_counted_and_its_record_kept() {
    let folder = tempfile::tempdir().unwrap();
    let quitter = script(folder.path(), "quitter.sh", QUITTER, "");
    let plan = plan(Kind::RoundRobin, &["greedy", &quitter], 4);
    let mut store = Store::in_memory().unwrap();
    let (finish, _) = play(&plan, &mut store, 2).unwrap();
    assert_eq!(finish.ending, RunEnd::Complete);
    let conduct = finish.tally.agent(1);
    assert_eq!((&conduct.faults, &conduct.defeats), (&[("RE", 4)].into(), &[("RE", 4)].into()));
    assert!(finish.tally.agent(0).faults.is_empty());

    let mut out = Vec::new();
    assert!(export::jsonl(&store, finish.run, Filter::Failed, false, &mut out).unwrap().is_empty());
    let out = String::from_utf8(out).unwrap();
    assert_eq!(out.lines().count(), 4);
    for line in out.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let record = Record::read(line["record"].as_str().unwrap()).unwrap();
        let loser = record.result.verdicts.iter().position(|judged| judged.verdict == Verdict::Re).unwrap();
        assert_eq!(line["agents"][loser], "b");
        assert_eq!(record.result.stderr[loser].trim(), "I give up");
    }
}

#[test]
fn a_source_that_does_not_compile_loses_every_bout() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.py");
    fs::write(&path, "def (\n").unwrap();
    let plan = plan(Kind::RoundRobin, &["random", &path.display().to_string()], 2);
    let (finish, _) = play(&plan, &mut Store::in_memory().unwrap(), 1).unwrap();
    assert_eq!(finish.tally.agent(1).defeats, [("CE", 2)].into());
    assert_eq!(finish.tally.pairs(0, 1).counts, [0, 0, 0, 0, 1]);
}

#[test]
fn two_failures_are_nobodys_game() {
    let folder = tempfile::tempdir().unwrap();
    let broken = ["one.py", "two.py"].map(|name| folder.path().join(name));
    for path in &broken {
        fs::write(path, format!("def {}(\n", path.display())).unwrap();
    }
    let [one, two] = broken.map(|path| path.display().to_string());
    let plan = plan(Kind::RoundRobin, &[&one, &two], 2);
    let (finish, _) = play(&plan, &mut Store::in_memory().unwrap(), 1).unwrap();
    assert_eq!((finish.tally.bouts(), finish.tally.void(), finish.tally.pairs(0, 1).pairs()), (2, 2, 0));
    assert_eq!(finish.tally.agent(0).faults, [("CE", 2)].into());
}

#[test]
fn every_record_proves_itself_opening_and_all() {
    let check = |game: Game, agents: [&str; 2], openings: u32| {
        let agents = agents.map(|name| Entrant::read(name, game).unwrap());
        let plan = Plan { openings, ..Plan::of_match(game, agents, 6) };
        let mut store = Store::in_memory().unwrap();
        let (finish, _) = play(&plan, &mut store, 2).unwrap();
        let mut starts = Vec::new();
        let prove = |bout: &Summary, text: &str| -> Result<(), StoreError> {
            let header = Record::read(text).unwrap().header;
            let setup = Setup { seed: header.seed, parameters: header.parameters };
            let mut state = game.initial_state(&setup).unwrap();
            assert_eq!(state.ply(), openings, "{game}");
            starts.push(state.position());
            let record = Record::read(text).unwrap();
            let moves = replay::prove(&record, state.as_mut()).unwrap();
            assert_eq!((moves.len() as u32 + openings, record.result.winner), (bout.plies, bout.winner), "{game}");
            Ok(())
        };
        store.records(finish.run, Filter::All, prove).unwrap();
        assert_eq!(starts.len(), 6);
        // Both bouts of a pair start alike; where starts can differ, those of the pairs do.
        assert!(starts.chunks(2).all(|pair| pair[0] == pair[1]), "{game} {starts:?}");
        let differ = starts.iter().any(|start| *start != starts[0]);
        assert_eq!(differ, openings > 0 || game == Game::DOMINEERING, "{game} {starts:?}");
    };
    check(Game::BACTERIA, ["greedy", "random"], 4);
    check(Game::RENJU, ["greedy", "random"], 5);
    check(Game::DOMINEERING, ["greedy", "random"], 0);
    check(Game::PETRI, ["coordinated", "hungry"], 0);
}

#[test]
fn a_program_that_goes_missing_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("passer");
    fs::write(&path, format!("#!/bin/sh\n{PASSER}")).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let plan = plan(Kind::RoundRobin, &["random", &path.display().to_string()], 40);
    let roster = Roster::prepare(&plan).unwrap();
    fs::remove_file(&path).unwrap();
    let (events, _) = mpsc::channel();
    let mut store = Store::in_memory().unwrap();
    let error = runner::run(&plan, &roster, &mut store, &options(2), &RunStop::default(), &events).unwrap_err();
    assert!(matches!(&error, RunError::Seat { name, .. } if name == "b"), "{error}");
}

#[test]
fn a_program_may_stay() {
    let check = |stay: bool, starts: usize| {
        let folder = tempfile::tempdir().unwrap();
        let agents = ["one.sh", "two.sh"];
        let [one, two] = agents.map(|name| script(folder.path(), name, PASSER, if stay { "stay" } else { "" }));
        let mut plan = plan(Kind::RoundRobin, &[&one, &two], 6);
        plan.stay = stay;
        let (finish, _) = play(&plan, &mut Store::in_memory().unwrap(), 1).unwrap();
        assert_eq!(finish.tally.bouts(), 6);
        for (at, name) in agents.iter().enumerate() {
            assert!(finish.tally.agent(at).faults.is_empty(), "{:?}", finish.tally.agent(at));
            let noted = fs::read_to_string(folder.path().join(format!("{name}.starts"))).unwrap();
            assert_eq!(noted.lines().count(), starts, "stay: {stay}");
        }
    };
    check(false, 6);
    check(true, 1);
}

#[test]
fn each_agent_has_a_processor_of_its_own_where_there_are_two() {
    let all = cores::allowed();
    for stay in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let names = ["one.sh", "two.sh"];
        let agents = names.map(|name| script(folder.path(), name, BOUND, if stay { "stay" } else { "" }));
        let mut plan = plan(Kind::RoundRobin, &agents.each_ref().map(String::as_str), 4);
        plan.stay = stay;
        let roster = Roster::prepare(&plan).unwrap();
        let (events, _) = mpsc::channel();
        let options = RunOptions::default();
        let mut store = Store::in_memory().unwrap();
        let finish = runner::run(&plan, &roster, &mut store, &options, &RunStop::default(), &events).unwrap();
        assert_eq!(finish.tally.bouts(), 4);
        let noted = names.map(|name| fs::read_to_string(folder.path().join(format!("{name}.processors"))).unwrap());
        let games: Vec<_> = noted[0].lines().zip(noted[1].lines()).collect();
        assert_eq!(games.len(), 4, "{games:?}");
        let mut wanted = if all.len() < 2 { [all[0], all[0]] } else { [all[0], all[1]] }.map(|core| core.to_string());
        wanted.sort();
        for (one, two) in games {
            let mut found = [one, two];
            found.sort_unstable();
            assert_eq!(found, wanted, "stay: {stay}");
        }
    }
}

#[test]
fn more_than_the_machine_has_is_refused() {
    let plan = plan(Kind::RoundRobin, &["random", "random"], 2);
    let roster = Roster::prepare(&plan).unwrap();
    let cores = cores::allowed().len();
    let check = |options: RunOptions| {
        let (events, heard) = mpsc::channel();
        let mut store = Store::in_memory().unwrap();
        let finish = runner::run(&plan, &roster, &mut store, &options, &RunStop::default(), &events);
        (finish.map(|finish| finish.ending), heard.try_recv())
    };
    let crowd = RunOptions { concurrency: cores + 1, ..RunOptions::default() };
    assert!(matches!(check(crowd).0, Err(RunError::Crowded { .. })));
    assert!(matches!(
        check(RunOptions { threads: cores + 1, ..RunOptions::default() }).0,
        Err(RunError::Crowded { .. })
    ));
    assert!(matches!(check(RunOptions { concurrency: 0, ..RunOptions::default() }).0, Err(RunError::Idle { .. })));
    let (forced, began) = check(RunOptions { force: true, ..crowd });
    assert_eq!(forced.unwrap(), RunEnd::Complete);
    assert!(matches!(began, Ok(agon_arena::runner::RunEvent::Began { cores, .. }) if cores.is_empty()));
    let (alone, began) = check(RunOptions::default());
    assert_eq!(alone.unwrap(), RunEnd::Complete);
    assert!(matches!(began, Ok(agon_arena::runner::RunEvent::Began { cores, .. }) if cores.len() == 1));
}

#[test]
fn deterministic_agents_without_openings_repeat_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.sh", "two.sh"].map(|name| script(folder.path(), name, PASSER, ""));
    let mut plan = plan(Kind::RoundRobin, &[&one, &two], 6);
    plan.parameters = [("board".to_owned(), "1 1/1 1".to_owned())].into();
    let mut store = Store::in_memory().unwrap();
    let (finish, _) = play(&plan, &mut store, 1).unwrap();
    assert_eq!((store.count(finish.run).unwrap(), store.distinct(finish.run).unwrap()), (6, 2));
    assert!(store.bouts(finish.run, 0..6).unwrap().iter().all(|bout| bout.winner == Winner::Second));
}
