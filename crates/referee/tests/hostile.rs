//! Programs that attack the judge: it never hangs, nothing of them survives, and the honest are not blamed.
//!
//! The attacks are in `bots/hostile.c`. Each is played with control groups and without, in a judge of its own
//! ([`court::isolated`]); `HOSTILE_SHOW=1 cargo test --test hostile -- --nocapture` shows what each said and took.

mod court;

use agon_referee::verdict::Verdict::{Ok, Re, Tle};
use court::attack::check;
use court::isolated::{BOTH, each};

#[test]
fn daemons() {
    let cases = [
        "daemon play",
        "daemon hang",
        "masquerade:well play",
        "own-subreaper play",
        "own-subreaper hang",
        "own-subreaper die",
        "namespace play",
        "namespace hang",
        "leave-cgroup play",
        "leave-cgroup hang",
    ];
    each("daemons", BOTH, &cases, |words| check(words, &[Ok, Tle, Re]));
}

#[test]
fn a_program_without_its_first_thread() {
    let cases = ["leaderless play", "leaderless hang", "leaderless spin", "leaderless stay"];
    each("a_program_without_its_first_thread", BOTH, &cases, |words| {
        check(words, if words.ends_with("play") { &[Ok] } else { &[Tle] });
    });
}
