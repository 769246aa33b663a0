//! Without a control group.

use std::fs::File;
use std::os::fd::AsFd;
use std::time::Instant;

use agon_jail::{Jail, Keeper, Level, ProcessExit, Program, cgroup, try_level};
use rustix::event::{PollFd, PollFlags, poll};

#[test]
fn who_starts_too_many_processes_or_threads_is_ended() {
    cgroup::forbid();
    if let Err(obstacle) = try_level(Level::Landlock) {
        eprintln!("not tested: {}", obstacle.why);
        return;
    }
    let jail = Jail { level: Level::Landlock, processes: 20, disk: 1 << 20, ..Jail::default() };
    let run = |script: &str| {
        let words = [c"sh".into(), c"-c".into(), std::ffi::CString::new(script).unwrap()].to_vec();
        let program = Program { path: c"/bin/sh".into(), words, environment: vec![c"PATH=/usr/bin:/bin".into()] };
        let null = File::options().read(true).write(true).open("/dev/null").unwrap();
        let mut keeper = Keeper::take(None, &jail).unwrap();
        keeper.load(&program, null.as_fd(), null.as_fd()).unwrap();
        let (_, pidfd) = keeper.start(null.as_fd(), "", false).unwrap();
        poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], None).unwrap();
        let exit = keeper.end();
        keeper.give_back();
        exit
    };
    let start = Instant::now();
    assert_eq!(run("for i in $(seq 15); do sleep 0.2 & done; wait; exit 3"), Some(ProcessExit::Code(3)));
    assert_eq!(run("for i in $(seq 30); do sleep 600 & done; wait"), Some(ProcessExit::Signal(9)));
    assert!(start.elapsed().as_secs() < 60);
}
