//! Stored plans with any one value replaced: each is refused, or its run can be read.

use std::sync::mpsc;

use agon_arena::plan::Entrant;
use agon_arena::runner::{self, Roster, RunOptions, RunStop};
use agon_arena::stats::sprt::Sprt;
use agon_arena::store::StoreError;
use agon_arena::tally::sequential_elo;
use agon_arena::{Plan, Standings, Store, Tally};
use agon_catalog::Game;
use rusqlite::{Connection, params};
use serde_json::{Value, json};

/// The pointers to all values within one.
fn pointers(value: &Value, at: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(key, value)| (format!("{at}/{key}"), value)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(key, value)| (format!("{at}/{key}"), value)).collect(),
        _ => Vec::new(),
    };
    let deeper = below.iter().flat_map(|(at, value)| pointers(value, at));
    below.iter().map(|(at, _)| at.clone()).chain(deeper).collect()
}

#[test]
fn a_damaged_plan_is_refused_or_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agon.db");
    let game = Game::DOMINEERING;
    let agents = [Entrant::read("greedy", game).unwrap(), Entrant::read("random", game).unwrap()];
    let plan = Plan { test: Some(Sprt::default()), ..Plan::of_match(game, agents, 4) };
    let mut store = Store::open(&path).unwrap();
    let roster = Roster::prepare(&plan).unwrap();
    let (events, _) = mpsc::channel();
    runner::run(&plan, &roster, &mut store, &RunOptions::default(), &RunStop::default(), &events).unwrap();
    drop(store);

    let whole = serde_json::to_value(&plan).unwrap();
    let values = [
        json!(null),
        json!(-1),
        json!(0),
        json!(3),
        json!(4_294_967_295_u32),
        json!(u64::MAX),
        json!(1e308),
        json!(-1e308),
        json!(""),
        json!("x"),
        json!([]),
        json!({}),
    ];
    let connection = Connection::open(&path).unwrap();
    let mut runs = 1;
    for pointer in pointers(&whole, "") {
        for value in &values {
            let mut damaged = whole.clone();
            *damaged.pointer_mut(&pointer).unwrap() = value.clone();
            runs += 1;
            let sql = "INSERT INTO run VALUES (?1, ?1 || 'digest', ?2, 'agon', 0)";
            connection.execute(sql, params![runs, damaged.to_string()]).unwrap();
            let sql =
                "INSERT INTO bout SELECT id + 10 * ?1, ?1, slot, first, second, seed, winner, reason, first_verdict,
                second_verdict, first_score, second_score, plies, first_ms, second_ms, first_delay_ms, second_delay_ms,
                first_disturbed, second_disturbed, started, course, worker, termination, faults,
                reason_keyed
                FROM bout WHERE run = 1";
            connection.execute(sql, [runs]).unwrap();
        }
    }
    assert!(runs > 200);
    let store = Store::read(&path).unwrap();
    let (good, damaged) = store.runs().unwrap();
    assert_eq!((good.len() + damaged.len()) as i64, runs);
    assert!(good.len() > 30 && damaged.len() > 100, "{} {}", good.len(), damaged.len());
    for run in good {
        let (bouts, unreadable) = store.readable(run.id).unwrap();
        assert!(unreadable.is_empty() && bouts.len() == 4, "{:?}: {unreadable:?}", run.plan);
        let tally = Tally::of(&run.plan, &bouts);
        let agents = run.plan.agents.len();
        assert_eq!(Standings::new(&run.plan, &tally).rows.len(), agents);
        let ratings = tally.ratings(&run.plan.anchors());
        let rated: Vec<f64> = (0..agents).map(|agent| ratings.of(agent).value).collect();
        assert_eq!(rated.len(), sequential_elo(agents, &bouts).len());
        let _ = (tally.test(), run.plan.bouts(), run.plan.title(), run.plan.digest(), run.plan.check());
    }
    for error in damaged {
        assert!(matches!(&error, StoreError::Damaged { what, .. } if what.starts_with("run ")), "{error}");
    }
}
