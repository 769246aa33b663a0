//! A storm of pages beside games.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use agon_queue::play;
use agon_referee::process::ProcessorSet;
use agon_referee::record::Record;
use axum::http::StatusCode;

use super::{TestSite, Who, bots, request};
use crate::limits::SiteRooms;

const CROWD: usize = 50;

/// At most this many games with a storm, and as many without, are counted until one with a storm is not disturbed. With
/// the games between them, these are fewer than a version plays without pause.
const TRIES: usize = 5;

/// No game takes so long.
const TEST_TIMEOUT: Duration = Duration::from_mins(2);

/// The processors of the calling thread, and how nice it is.
fn here() -> (BTreeSet<usize>, i32) {
    let numbers = ProcessorSet::of_thread().numbers().unwrap();
    (numbers.into_iter().collect(), rustix::process::getpriority_process(None).unwrap())
}

/// The newest game of the ladder that was begun after one and has ended: its number and its record.
fn played_after(site: &TestSite, competition: i64, before: i64) -> (i64, Record) {
    let begun = Instant::now();
    loop {
        let store = site.site.writer();
        let newest = store.recent(competition, i64::MAX, 1).unwrap().first().map_or(0, |bout| bout.id);
        if newest > before {
            return (newest, Record::read(&store.record_of_bout(newest).unwrap().unwrap()).unwrap());
        }
        drop(store);
        assert!(begun.elapsed() < TEST_TIMEOUT, "a game takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_storm_of_pages_disturbs_no_game() {
    agon_jail::choose(agon_jail::Level::None);
    let site = Arc::new(TestSite::with(|options| {
        options.workers = 1;
        options.limits.clock_ms = 2000;
    }));
    let division = &site.site.queue.processors;
    // As the site runs them.
    let pages = division.runtime(SiteRooms::new(division.pages.len()).threads()).unwrap();
    let competition = site.competition("domineering");
    let (_, ada) = site.member("ada", false);
    // The program says where it runs.
    let source = format!(
        "import os, sys\nprint(*sorted(os.sched_getaffinity(0)), os.nice(0), file=sys.stderr)\n{}",
        bots::DOMINEERING
    );
    let fields = [("game", "domineering"), ("name", "bot"), ("language", "PYTHON3"), ("source", &source)];
    assert_eq!(pages.block_on(site.submit(&ada, &fields, None)).status, StatusCode::SEE_OTHER);
    let workers = play::start(&site.site.queue, None);

    let (raging, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    for number in 0..CROWD {
        let (site, raging, answered) = (Arc::clone(&site), Arc::clone(&raging), Arc::clone(&answered));
        pages.spawn(async move {
            // With a cookie, so that each page is rendered.
            let who = Who::Cookie(format!("agon_session=guest{number}"));
            let paths = ["/", "/ladder/domineering", "/games", "/search?q=bot", "/api/v1/ladder/domineering"];
            for path in paths.iter().cycle() {
                while !raging.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                let request = request("GET", path, &who).body("".into()).unwrap();
                let response = site.send(request).await;
                assert!(!response.status().is_server_error(), "{path}: {}", response.status());
                answered.fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    let mut disturbed = Vec::new();
    let mut last = played_after(&site, competition, 0);
    let (page_processors, page_niceness) = pages.block_on(async { tokio::spawn(async { here() }).await.unwrap() });
    for _ in 0..TRIES {
        let [storm, quiet] = [true, false].map(|storm| {
            raging.store(storm, Ordering::Relaxed);
            let before = answered.load(Ordering::Relaxed);
            // One may have begun before, the next one has not.
            let changing = played_after(&site, competition, last.0);
            last = played_after(&site, competition, changing.0);
            // On a slow machine the crowd needs several games to raise a storm.
            while storm && answered.load(Ordering::Relaxed) - before <= CROWD as u64 {
                last = played_after(&site, competition, last.0);
            }
            last.1.result.disturbed.iter().sum::<u32>()
        });
        disturbed.push([storm, quiet]);
        if storm == 0 {
            break;
        }
    }
    // Games have their own processors, or come before pages.
    let said = last.1.result.stderr.iter().find(|said| !said.is_empty()).expect("the program has spoken");
    let mut numbers: Vec<i32> = said.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let niceness = numbers.pop().unwrap();
    let processors: BTreeSet<usize> = numbers.into_iter().map(|number| number as usize).collect();
    let own: BTreeSet<usize> = division.games.iter().flatten().flatten().copied().collect();
    assert!(processors.is_subset(&own) && !processors.is_empty(), "{processors:?} of {own:?}");
    let apart = processors.is_disjoint(&page_processors);
    assert!(apart || niceness < page_niceness, "{processors:?} at {niceness}, {page_processors:?} at {page_niceness}");

    raging.store(false, Ordering::Relaxed);
    site.site.stop();
    workers.join();
    pages.shutdown_background();
    // A busy machine disturbs games by itself, also those without a storm.
    let calm = disturbed.iter().all(|[_, quiet]| *quiet == 0);
    let none_spared = disturbed.iter().all(|[storm, _]| *storm > 0);
    assert!(!(apart && calm && none_spared), "{disturbed:?} disturbed moves with a storm and without");
}
