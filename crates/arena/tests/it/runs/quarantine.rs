//! Runs one of whose workers is found to play otherwise than it should.

use std::cell::Cell;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use agon_arena::plan::{Kind, Plan};
use agon_arena::runner::queue::{self, GameJob, SlotReply, Submit, Take as _, Taken};
use agon_arena::runner::{self, Finish, LocalQueue, Roster, RunEnd, RunError, RunEvent, RunStop, Worker};
use agon_arena::store::Quarantine;
use agon_arena::{Store, Tally};

use crate::runs::{courses, plan, play};

/// A queue that catches a worker, which has played half of the bouts, after a number of replies.
struct Watched {
    queue: LocalQueue,
    before: usize,
    found_out: bool,
    named: Cell<usize>,
}

impl Submit for Watched {
    fn submit(&mut self, job: GameJob) -> Result<(), RunError> {
        self.queue.submit(job)
    }

    fn replies(&mut self) -> Vec<SlotReply> {
        let replies = self.queue.replies();
        self.before = self.before.saturating_sub(replies.len());
        replies
    }

    fn stored(&mut self, slots: &[u32]) {
        self.queue.stored(slots);
    }

    fn withdraw(&mut self) {
        self.queue.withdraw();
    }

    fn most(&self) -> usize {
        self.queue.most()
    }

    fn job_size(&self) -> usize {
        self.queue.job_size()
    }

    fn machine(&self, _: usize) -> Option<String> {
        // Every other bout, however the games have fallen to the threads; afterwards none.
        let number = self.named.replace(self.named.get() + 1);
        Some(if self.found_out || number % 2 == 1 { "honest" } else { "liar" }.to_owned())
    }

    fn found_out(&mut self) -> Vec<Quarantine> {
        if self.before > 0 || self.found_out {
            return Vec::new();
        }
        self.found_out = true;
        vec![Quarantine { worker: "liar".to_owned(), why: "it lies".to_owned() }]
    }

    fn unsettled(&self) -> bool {
        !self.found_out
    }
}

/// Plays a plan by such a queue.
fn play_watched(plan: &Plan, store: &mut Store, before: usize) -> (Finish, Vec<RunEvent>) {
    let roster = Roster::prepare(plan).unwrap();
    let (events, heard) = mpsc::channel();
    let queue = LocalQueue::new(2);
    let takers = [0, 1].map(|number| queue.taker(number, events.clone()));
    let mut watched = Watched { queue, before, found_out: false, named: Cell::new(0) };
    let finish = thread::scope(|scope| {
        for mut taker in takers {
            let roster = &roster;
            scope.spawn(move || {
                let mut worker = Worker::new(plan, roster, None, None);
                loop {
                    match taker.take(Duration::from_secs(1)) {
                        Taken::Job(lease) => queue::play(&mut worker, lease),
                        Taken::Nothing => {}
                        Taken::Ended => return,
                    }
                }
            });
        }
        let finish = runner::submit(plan, store, &mut watched, &RunStop::default(), &events);
        drop(watched);
        finish.unwrap()
    });
    drop(events);
    (finish, heard.iter().collect())
}

#[test]
fn its_bouts_are_played_again() {
    let check = |kind: Kind, agents: usize, games: u32, before: usize| {
        let plan = plan(kind, &["greedy", "random", "random", "greedy", "random"][..agents], games);
        let mut alone = Store::in_memory().unwrap();
        let (single, _) = play(&plan, &mut alone, 1).unwrap();
        let all = alone.bouts(single.run, 0..u32::MAX).unwrap();

        let mut store = Store::in_memory().unwrap();
        let (finish, events) = play_watched(&plan, &mut store, before);
        assert_eq!(finish.ending, RunEnd::Complete, "{kind:?}");
        assert!(finish.played > all.len() as u64, "{kind:?}: nothing was played again");
        assert_eq!(courses(&store.bouts(finish.run, 0..u32::MAX).unwrap()), courses(&all), "{kind:?}");
        assert_eq!(finish.tally.bouts(), all.len() as u64, "{kind:?}");
        assert_eq!(store.quarantined(finish.run).unwrap().len(), 1);

        // The listener has counted the same.
        let mut heard = Tally::new(&plan);
        let mut recounts = 0;
        for event in events {
            match event {
                RunEvent::Recounted => (heard, recounts) = (Tally::new(&plan), recounts + 1),
                RunEvent::Round { kept, .. } => kept.iter().for_each(|bout| heard.add(bout)),
                RunEvent::Finished { bout, .. } => heard.add(&bout),
                _ => {}
            }
        }
        assert_eq!((heard, recounts), (finish.tally, 1), "{kind:?}");
    };
    check(Kind::RoundRobin, 2, 40, 12);
    // After the last game, too.
    check(Kind::RoundRobin, 2, 40, 40);
    check(Kind::Swiss { rounds: 4 }, 5, 4, 20);
}
