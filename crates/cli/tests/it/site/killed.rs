//! A site that is killed at random moments loses nothing that it has accepted, and counts no game twice.

use std::collections::HashMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::stats::elo;
use agon_game::seed::Stream;
use rusqlite::{Connection, params};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::site::served::{Served, request};
use crate::site::{folder, quick_bot};

/// How often it is killed, as `AGON_KILLS` says.
fn kills() -> u64 {
    let asked = std::env::var("AGON_KILLS").ok().map(|kills| kills.parse().expect("AGON_KILLS is a number"));
    asked.unwrap_or(if std::env::var_os("AGON_SLOW").is_some() { 15 } else { 4 })
}

/// An account with a token, created beside the site.
pub fn token(folder: &Path, name: &str) -> String {
    let word = format!("token of {name}");
    let store = Connection::open(folder.join("site/site.db")).unwrap();
    store.busy_timeout(Duration::from_secs(10)).unwrap();
    store.execute("INSERT INTO account (name, password, host, created) VALUES (?1, 'none', 0, 1)", [name]).unwrap();
    let account = store.last_insert_rowid();
    let digest = Sha256::digest(&word);
    let sql = "INSERT INTO token (account, name, digest, created) VALUES (?1, 'test', ?2, 1)";
    store.execute(sql, params![account, &digest[..]]).unwrap();
    word
}

/// What must hold for a store, whatever happened: each statement counts the mistakes.
const WRONG: [(&str, &str); 7] = [
    (
        "the games, wins and draws of each program are those of its rated games",
        "SELECT count(*) FROM program LEFT JOIN (
             SELECT program, count(*) AS played, sum(won) AS won, sum(drawn) AS drawn, sum(first) AS begun FROM (
                 SELECT first AS program, winner = 'first' AS won, winner = 'draw' AS drawn, 1 AS first
                 FROM bout WHERE first_rating IS NOT NULL
                 UNION ALL SELECT second, winner = 'second', winner = 'draw', 0 FROM bout WHERE first_rating IS NOT \
                 NULL)
             GROUP BY program) ON program = program.id
         WHERE (games, wins, draws, program.firsts) <> (coalesce(played, 0), coalesce(won, 0), coalesce(drawn, 0), \
         coalesce(begun, 0))",
    ),
    (
        "the meetings are those of the rated games",
        "SELECT (SELECT coalesce(sum(games), 0) FROM meeting) <> 2 * (SELECT count(*) FROM bout WHERE first_rating IS \
            NOT NULL)",
    ),
    (
        "the games of each version are its rated ones",
        "SELECT count(*) FROM version WHERE games <> (SELECT count(*) FROM bout WHERE first_rating IS NOT NULL
             AND (first = program AND first_version = number OR second = program AND second_version = number))",
    ),
    (
        "every game that has ended has its record",
        "SELECT count(*) FROM bout LEFT JOIN record ON bout = bout.id WHERE ended IS NOT NULL AND text IS NULL",
    ),
    (
        "the size of the records is what they add up to",
        "SELECT bytes <> (SELECT sum(length(text)) FROM record) FROM \
        storage",
    ),
    (
        "what has passed has a check game that has ended",
        "SELECT count(*) FROM version WHERE state = 'passed' AND NOT EXISTS
             (SELECT 1 FROM bout WHERE bout.id = version.bout AND kind = 'check' AND ended IS NOT NULL)",
    ),
    ("the file is whole", "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
];

/// The ratings of all programs, by their numbers.
fn ratings_of_now(store: &Connection) -> HashMap<i64, f64> {
    let mut programs = store.prepare("SELECT id, rating FROM program").unwrap();
    let rows = programs.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// Recomputes the ratings of all rated games, in the order in which they ended, and compares them with the stored ones.
/// `entered` are the ratings before the first game.
fn ratings_follow_from_the_games(store: &Connection, entered: &HashMap<i64, f64>) {
    let mut ratings: HashMap<i64, (f64, bool, f64)> = HashMap::new();
    let mut programs = store.prepare("SELECT id, rating, fixed FROM program").unwrap();
    let mut rows = programs.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let (stored, fixed): (f64, bool) = (row.get(1).unwrap(), row.get(2).unwrap());
        let id = row.get(0).unwrap();
        ratings.insert(id, (entered.get(&id).copied().unwrap_or(elo::START), fixed, stored));
    }
    let sql = "SELECT id, first, second, winner, first_rating, second_rating FROM bout WHERE first_rating IS NOT NULL \
        ORDER BY ended, id";
    let mut bouts = store.prepare(sql).unwrap();
    let mut rows = bouts.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let both: [i64; 2] = [row.get(1).unwrap(), row.get(2).unwrap()];
        let winner: String = row.get(3).unwrap();
        let score = ["second", "draw", "first"].iter().position(|name| *name == winner).unwrap() as f64 / 2.0;
        let after = elo::after(ratings[&both[0]].0, ratings[&both[1]].0, score);
        for (side, wanted) in [after.0, after.1].into_iter().enumerate() {
            let rating = ratings.get_mut(&both[side]).unwrap();
            rating.0 = if rating.1 { rating.0 } else { wanted };
            let stored: f64 = row.get(4 + side).unwrap();
            assert!(
                (rating.0 - stored).abs() < 1e-6,
                "game {:?}: {} is stored, not {}",
                row.get::<_, i64>(0),
                stored,
                rating.0
            );
        }
    }
    for (id, (played, _, stored)) in ratings {
        assert!((played - stored).abs() < 1e-6, "program {id}: {stored} is stored, not {played}");
    }
}

#[test]
fn nothing_accepted_is_lost_and_no_game_counts_twice() {
    let folder = folder();
    let start = || Served::start_with(folder.path(), &["--daily", "1000"]);
    let mut site = start();
    let token = token(folder.path(), "ada");
    let entered = ratings_of_now(&Connection::open(folder.path().join("site/site.db")).unwrap());
    let source = quick_bot("domineering.py");
    let (mut accepted, mut unanswered, mut back) = (Vec::new(), 0, Duration::ZERO);
    let mut moments = Stream::new(22, "kills");
    for round in 0..kills() {
        let draft = json!({ "game": "domineering", "name": format!("bot \
            {}", round % 3), "language": "PYTHON3", "source": format!("{source}# {round}\n") });
        let headers = [("authorization", &*format!("Bearer {token}")), ("content-type", "application/json")];
        let host = site.host.clone();
        let submit = || request(&host, "POST", "/api/v1/submissions", &draft.to_string(), &headers);
        let pause = |moments: &mut Stream, most| thread::sleep(Duration::from_millis(moments.below(most) as u64));
        // Every third time while it is being submitted; else between the start of a check and the middle of a game.
        let (status, answer) = if round % 3 == 0 {
            thread::scope(|scope| {
                let sent = scope.spawn(submit);
                pause(&mut moments, 30);
                site.kill();
                sent.join().unwrap()
            })
        } else {
            let sent = submit();
            pause(&mut moments, 2500);
            site.kill();
            sent
        };
        match status {
            201 => {
                let message: serde_json::Value = serde_json::from_str(&answer).unwrap();
                accepted.push(message["version"].as_i64().unwrap());
            }
            0 => unanswered += 1,
            // The number that waits already.
            status => {
                assert!((400..500).contains(&status) && answer.contains("still being checked"), "{status}: {answer}");
            }
        }
        let begun = Instant::now();
        site = start();
        assert_eq!(site.get("/healthz", &[]).0, 200);
        back = back.max(begun.elapsed());
    }
    assert!(!accepted.is_empty());
    for version in &accepted {
        let state = || site.json(&format!("/api/v1/versions/{version}"), &token)["state"].clone();
        let mut last = state();
        for _ in 0..1200 {
            if last == "passed" {
                break;
            }
            thread::sleep(Duration::from_millis(100));
            last = state();
        }
        assert_eq!(last, "passed", "version {version}");
    }
    // Something must have been counted.
    let rated = || {
        let ladder = site.json("/api/v1/ladder/domineering", &token);
        // If the flood of requests stops all answers for a while, there are none.
        let programs = ladder["programs"].as_array().into_iter().flatten();
        programs.map(|program| program["games"].as_u64().unwrap()).sum::<u64>()
    };
    while rated() < 4 {
        thread::sleep(Duration::from_millis(600));
    }
    drop(site);
    let store = Connection::open(folder.path().join("site/site.db")).unwrap();
    let number = |sql: &str| -> i64 { store.query_row(sql, [], |row| row.get(0)).unwrap() };
    let versions = number("SELECT count(*) FROM version");
    let possible = accepted.len() as i64..=accepted.len() as i64 + unanswered;
    assert!(possible.contains(&versions), "{versions} versions, {possible:?} were sent: what was refused is not there");
    for (message, sql) in WRONG {
        assert_eq!(number(sql), 0, "{message}");
    }
    ratings_follow_from_the_games(&store, &entered);
    let (games, checks) = (
        number("SELECT count(*) FROM bout WHERE first_rating IS NOT NULL"),
        number("SELECT count(*) FROM bout WHERE kind = 'check'"),
    );
    eprintln!(
        "{} kills: {} accepted, {unanswered} unanswered, {versions} versions, {checks} check games, {games} rated \
            games, back within {} ms",
        kills(),
        accepted.len(),
        back.as_millis()
    );
}
