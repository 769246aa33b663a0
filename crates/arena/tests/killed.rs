//! A program killed in the middle of a run loses only the bouts then being played.
//!
//! Without a test harness, since it starts itself: with a path and a number it plays a run into a store there and kills
//! itself after a number of bouts; without them it has such programs started, and plays the rest.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::mpsc;
use std::thread;

use agon_arena::Store;
use agon_arena::plan::{Entrant, Plan};
use agon_arena::runner::{self, Roster, RunEnd, RunEvent, RunOptions, RunStop};
use agon_catalog::Game;
use libtest_mimic::{Arguments, Trial};
use rustix::process::{Signal, getpid, kill_process};

const GAMES: u32 = 400;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [path, bouts] = arguments.as_slice()
        && let Ok(bouts) = bouts.parse()
    {
        play(Path::new(path), Some(bouts));
        return ExitCode::SUCCESS;
    }
    let resumes = Trial::test("a_killed_run_resumes", || {
        survive();
        Ok(())
    });
    libtest_mimic::run(&Arguments::from_args(), vec![resumes]).exit_code()
}

/// Plays the run, or until this number of bouts has been reported.
fn play(path: &Path, until: Option<usize>) -> (RunEnd, u64) {
    let game = Game::BACTERIA;
    let agents = ["greedy", "random"].map(|name| Entrant::read(name, game).unwrap());
    let plan = Plan::of_match(game, agents, GAMES);
    let mut store = Store::open(path).unwrap();
    let (events, heard) = mpsc::channel();
    let roster = Roster::prepare(&plan).unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut reported = 0;
            for event in heard {
                if let (RunEvent::Finished { bout, .. }, Some(until)) = (event, until) {
                    println!("{}", bout.slot);
                    reported += 1;
                    if reported == until {
                        // In the middle of whatever the other threads are doing.
                        kill_process(getpid(), Signal::KILL).unwrap();
                    }
                }
            }
        });
        let events = events;
        let finish =
            runner::run(&plan, &roster, &mut store, &RunOptions::default(), &RunStop::default(), &events).unwrap();
        (finish.ending, finish.played)
    })
}

fn survive() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agon.db");
    let mut reported = BTreeSet::new();
    for bouts in [1, 20, 7] {
        let mut program = Command::new(std::env::current_exe().unwrap());
        let output = program.arg(&path).arg(bouts.to_string()).output().unwrap();
        assert_eq!(output.status.signal(), Some(Signal::KILL.as_raw()));
        let slots: Vec<u32> = output.stdout.lines().map(|line| line.unwrap().parse().unwrap()).collect();
        assert_eq!(slots.len(), bouts);
        assert!(slots.iter().all(|slot| reported.insert(*slot)), "no bout is played twice");
        let store = Store::read(&path).unwrap();
        let kept: BTreeSet<u32> = store.bouts(1, 0..GAMES).unwrap().iter().map(|bout| bout.slot).collect();
        assert!(reported.is_subset(&kept), "what was reported is kept");
        reported = kept;
    }
    assert!(reported.len() < GAMES as usize, "there is something left to play");
    let (ending, played) = play(&path, None);
    assert_eq!((ending, played + reported.len() as u64), (RunEnd::Complete, u64::from(GAMES)));
    let store = Store::read(&path).unwrap();
    assert_eq!(store.count(1).unwrap(), u64::from(GAMES));
    for slot in 0..GAMES {
        let text = store.record(1, slot).unwrap().expect("every bout has its record");
        agon_referee::record::Record::read(&text).expect("every record is whole");
    }
}
