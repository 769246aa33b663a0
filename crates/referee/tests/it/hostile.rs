//! Programs that attack the judge: it never hangs, nothing of them survives, and the honest are not blamed.
//!
//! The attacks are in `bots/hostile`. Each is played with and without control groups, in a separate judge
//! ([`court::isolated`]); `HOSTILE_SHOW=1 cargo test -p agon-referee --test it hostile -- --nocapture` shows the output
//! and time of each.

use crate::court;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use agon_game::Side;
use agon_referee::bout::Spectator;
use agon_referee::limits::GameLimits;
use agon_referee::process;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict::{self, Interrupted, Mle, Ok, Re, Tle};
use court::attack::{HANGING, check, limits, nothing_survives, took_place};
use court::isolated::{BOTH, GROUPS, bot, each, on_turn};
use court::left::Left;
use court::{ROOMY, dish, play, play_before};

#[test]
fn a_program_in_another_group() {
    each("hostile::a_program_in_another_group", BOTH, &["hang", "spin", "stay", "play"], |then| {
        check(&format!("leave-group {then}"), if then == "play" { &[Ok] } else { &[Tle] });
    });
}

/// The verdict on a program that is traced by its own child is its own affair; that it ends is ours.
#[test]
fn a_program_that_is_traced() {
    let cases = [
        "tracer-child hang",
        "tracer-child stay",
        "tracer-child die",
        "tracer-child play",
        "tracer-at-exit hang",
        "tracer-daemon hang",
        "tracer-daemon play",
    ];
    each("hostile::a_program_that_is_traced", BOTH, &cases, |words| {
        let fate: &[Verdict] = match words.split_once(' ').unwrap().1 {
            "die" => &[Re, Tle],
            "play" => &[Ok, Tle],
            _ => &[Tle],
        };
        check(words, fate);
    });
}

#[test]
fn a_tracer_of_the_opponent() {
    let cases = ["trace-opponent hang", "trace-opponent play"];
    each("hostile::a_tracer_of_the_opponent", BOTH, &cases, |words| check(words, &[Ok, Tle]));
}

/// The parent of a program is a process of ours.
#[test]
fn an_attack_on_the_parent() {
    let cases = [
        "trace-parent hang",
        "trace-parent play",
        "join-group-of-parent hang",
        "join-group-of-parent play",
        "traceme hang",
        "traceme play",
    ];
    each("hostile::an_attack_on_the_parent", BOTH, &cases, |words| check(words, &[Ok, Tle]));
}

/// Killing or stopping the parent gains nothing.
#[test]
fn a_parent_that_is_killed() {
    let cases = ["kill-parent play", "kill-parent hang", "stop-parent play", "stop-parent hang"];
    each("hostile::a_parent_that_is_killed", BOTH, &cases, |words| {
        let report = play(&bot(words), &bot("well"), &HANGING);
        let said = &report.stderr[0];
        let opponent = &report.verdicts[1];
        assert!([Ok, Interrupted].contains(&opponent.verdict), "the opponent of `{words}`: {opponent:?}\n{said}");
        assert_ne!(report.winner, Winner::First, "`{words}`: {:?}\n{said}", report.verdicts);
        nothing_survives(said);
        check("well", &[Ok]);
    });
}

#[test]
fn floods() {
    let cases = ["flood-errors hang", "flood-errors play", "flood-output die", "flood-output play"];
    each("hostile::floods", BOTH, &cases, |words| check(words, &[Ok, Re, Tle]));
}

#[test]
fn siblings() {
    let cases = ["sibling play", "sibling hang", "sibling-of-thread play", "sibling-of-thread hang"];
    each("hostile::siblings", BOTH, &cases, |words| check(words, &[Ok, Tle]));
}

#[test]
fn chains() {
    let cases =
        ["exec-chain:1 play", "exec-chain:8 play", "exec-chain:8 hang", "fork-chain:1 play", "fork-chain:8 play"];
    each("hostile::chains", BOTH, &cases, |words| check(words, &[Ok, Tle]));
}

#[test]
fn many_processes() {
    let cases = ["nest:200 play", "nest:200 hang", "wide:300 play", "wide:300 hang", "dying-orphans play"];
    each("hostile::many_processes", BOTH, &cases, |words| {
        check(words, if words.ends_with("play") { &[Ok] } else { &[Tle] });
    });
}

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
    each("hostile::daemons", BOTH, &cases, |words| check(words, &[Ok, Tle, Re]));
}

#[test]
fn a_program_without_its_first_thread() {
    let cases = [
        "leaderless play",
        "leaderless hang",
        "leaderless spin",
        "leaderless stay",
        "exec-from-thread play",
        "exec-from-thread hang",
        "vfork-hang hang",
    ];
    each("hostile::a_program_without_its_first_thread", BOTH, &cases, |words| {
        check(words, if words.ends_with("play") { &[Ok] } else { &[Tle] });
    });
}

#[test]
fn too_much_memory_of_every_kind() {
    let cases = [
        "eat:private",
        "eat:shared",
        "eat:memfd",
        "eat:mapped-memfd",
        "eat:shm-open",
        "eat:shm-unlinked",
        "eat:sysv",
        "eat:sockets",
        "eat:pipes",
        "daemon-eats:private",
        "daemon-eats:memfd",
        "sibling-eats",
        "children-eat",
        "undumpable-child-eats:private",
        "undumpable-child-eats:memfd",
        "namespace-eats",
        "leaderless-eats",
    ];
    each("hostile::too_much_memory_of_every_kind", BOTH, &cases, |words| check(words, &[Mle]));
}

/// No process holds these pages, so only a control group knows whose they are.
#[test]
fn too_much_memory_that_no_process_holds() {
    each("hostile::too_much_memory_that_no_process_holds", GROUPS, &["eat:shm-closed", "eat-in-flight"], |words| {
        check(words, &[Mle]);
    });
}

/// Shared memory counts once, and what the kernel keeps of files that it can drop does not count at all.
#[test]
fn memory_that_is_not_too_much() {
    let cases = ["vfork", "clone-vm", "page-cache"];
    each("hostile::memory_that_is_not_too_much", BOTH, &cases, |words| check(words, &[Ok]));
}

/// Whatever a program did, the next one is judged by its own actions.
#[test]
fn one_after_the_other() {
    let cases = ["eat:private", "leaderless-eats", "daemon-eats:memfd", "leave-group play", "tracer-child play"];
    each("hostile::one_after_the_other", BOTH, &cases, |words| {
        for _ in 0..3 {
            check(words, if words.contains("eat") { &[Mle] } else { &[Ok, Tle] });
            check("small", &[Ok]);
        }
    });
}

/// Several games at a time, as in a series with workers: no agent is blamed for another game.
#[test]
fn games_beside_each_other() {
    each("hostile::games_beside_each_other", BOTH, &["well"], |_| {
        let attacks: [(&str, &[Verdict]); 6] = [
            ("eat:private", &[Mle]),
            ("leave-group hang", &[Tle]),
            ("tracer-daemon hang", &[Tle]),
            ("own-subreaper play", &[Ok]),
            ("sibling-eats", &[Mle]),
            ("small", &[Ok]),
        ];
        let honest = AtomicUsize::new(0);
        thread::scope(|scope| {
            for (words, fate) in attacks {
                let honest = &honest;
                scope.spawn(move || {
                    for _ in 0..3 {
                        let report = play(&bot(words), &bot("small"), &limits(words));
                        let [attacker, opponent] = &report.verdicts;
                        assert!(fate.contains(&attacker.verdict), "`{words}`: {attacker:?}");
                        assert_eq!(opponent.verdict, Ok, "the opponent of `{words}`: {opponent:?}");
                        honest.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(honest.into_inner(), 3 * attacks.len());
        nothing_survives("");
    });
}

/// A program that wears the environment of its opponent uses memory on its own account.
#[test]
fn memory_on_the_opponents_bill() {
    each("hostile::memory_on_the_opponents_bill", BOTH, &["frame hang"], |words| check(words, &[Mle]));
}

/// Memory that a program leaves behind is not charged to later ones.
#[test]
fn pages_of_a_former_program() {
    each("hostile::pages_of_a_former_program", BOTH, &["litter"], |words| {
        check(words, &[Ok]);
        for _ in 0..8 {
            check("small", &[Ok]);
        }
        check("litter", &[Ok]);
        check("small", &[Ok]);
    });
}

/// A program that wears the environment of a program in another game ends with its own game.
#[test]
fn the_environment_of_another_game() {
    each("hostile::the_environment_of_another_game", BOTH, &["masquerade:slow play"], |words| {
        let other = thread::spawn(|| play(&bot("slow"), "random", &ROOMY));
        let report = play(&bot(words), "random", &ROOMY);
        assert_eq!(report.verdicts[0].verdict, Ok, "{:?}", report.verdicts);
        let said = &report.stderr[0];
        took_place(words, Ok, said);
        let left = Left::of(said);
        assert_eq!(left.len(), 1, "{said}");
        assert!(!left[0].exists(), "{:?} survives its game: {said}", left[0]);
        assert!(!other.is_finished(), "the other game is over too soon");
        assert_eq!(other.join().unwrap().verdicts[0].verdict, Ok);
        nothing_survives("");
    });
}

/// Stops the judge from another thread once the hostile program is to move.
struct Impatient;

impl Spectator for Impatient {
    fn started(&mut self, _: &dyn agon_game::GameState, _: [Duration; 2]) {
        let on_turn = on_turn();
        thread::spawn(move || {
            while !on_turn.exists() {
                thread::sleep(Duration::from_millis(1));
            }
            process::interrupt();
        });
    }
}

/// A judge that is stopped ends at once, whatever the programs do.
#[test]
fn a_judge_that_is_stopped() {
    let cases = [
        "leave-group hang",
        "leave-group spin",
        "tracer-child hang",
        "tracer-daemon hang",
        "trace-opponent hang",
        "trace-parent hang",
        "flood-errors hang",
        "sibling-of-thread hang",
        "exec-chain:8 hang",
        "own-subreaper hang",
        "namespace hang",
        "leaderless hang",
        "leaderless spin",
    ];
    each("hostile::a_judge_that_is_stopped", BOTH, &cases, |words| {
        let report = play_before(&bot(words), &bot("well"), &ROOMY, &mut Impatient);
        assert_eq!(report.winner, Winner::Void);
        let verdicts = report.verdicts.each_ref().map(|judged| judged.verdict);
        assert_eq!(verdicts, [Interrupted; 2], "`{words}`: {}", report.stderr[0]);
        took_place(words, Interrupted, &report.stderr[0]);
        nothing_survives(&report.stderr[0]);
    });
}

/// For cells; the memory is little, so that more is soon used.
const DISH: GameLimits = GameLimits { invocation_ms: 5000, memory_mib: 64, ..ROOMY };

/// For cells that never answer; on a loaded machine they say BEGIN late, too.
const HANGING_DISH: GameLimits = GameLimits { invocation_ms: 400, ..DISH };

/// Plays an attack on the dish for this number of turns: each of its actions has this remark, and nothing survives.
fn check_cell(words: &str, turns: u32, limits: &GameLimits, remark: &str) {
    let record = dish::play([&bot(words), "sample"], &dish::setup(turns), limits);
    let said = &record.result.stderr[0];
    let verdicts = record.result.verdicts.each_ref().map(|judged| judged.verdict);
    assert_eq!(verdicts, [Ok, Ok], "`{words}`: {:?}\n{said}", record.result.verdicts);
    let actions = record.entries.iter().filter(|entry| entry.side == Side::First && entry.moment.is_some());
    let remarks: Vec<String> = actions.map(|entry| entry.remark_text().unwrap_or_default().to_owned()).collect();
    assert_eq!(remarks.len(), turns as usize, "`{words}`");
    let fits = |found: &String| found.contains(remark) && found.is_empty() == remark.is_empty();
    assert!(remarks.iter().all(fits), "`{words}`: {remarks:?}\n{said}");
    took_place(words, if remark.contains("memory") { Mle } else { Ok }, said);
    nothing_survives(said);
}

#[test]
fn cells_that_hang() {
    let cases = [
        "leave-group hang",
        "leave-group spin",
        "leave-group 'loop hang'",
        "leave-group 'loop spin'",
        "tracer-child hang",
        "tracer-child 'loop hang'",
        "tracer-daemon hang",
        "trace-parent hang",
        "flood-errors hang",
        "flood-errors 'loop hang'",
        "exec-chain:8 hang",
        "leaderless hang",
        "leaderless spin",
    ];
    let late = "no answer within 400 ms";
    each("hostile::cells_that_hang", BOTH, &cases, |words| check_cell(words, 1, &HANGING_DISH, late));
}

#[test]
fn cells_that_answer() {
    let cases = [
        "leave-group play",
        "leave-group loop",
        "sibling play",
        "sibling loop",
        "exec-chain:1 play",
        "exec-chain:1 loop",
        "fork-chain:1 play",
        "daemon play",
        "daemon loop",
        "own-subreaper play",
        "namespace play",
        "leaderless play",
    ];
    each("hostile::cells_that_answer", BOTH, &cases, |words| check_cell(words, 2, &DISH, ""));
}

#[test]
fn cells_that_use_too_much_memory() {
    let cases = [
        "eat:private",
        "eat:private loop",
        "eat:memfd",
        "eat:shm-unlinked",
        "eat:sockets",
        "daemon-eats:private",
        "daemon-eats:memfd",
        "sibling-eats",
        "children-eat",
        "leaderless-eats",
    ];
    let over = "exceeded the memory limit";
    each("hostile::cells_that_use_too_much_memory", BOTH, &cases, |words| check_cell(words, 2, &DISH, over));
}

/// This much is quickly used and freed again: a look now and then may miss it.
#[test]
fn cells_that_use_much_memory_for_a_moment() {
    let cases = ["much:private", "much:memfd", "much:shared", "eat:shm-closed"];
    let limits = GameLimits { memory_mib: 256, ..DISH };
    let over = "exceeded the memory limit";
    each("hostile::cells_that_use_much_memory_for_a_moment", GROUPS, &cases, |words| {
        check_cell(words, 2, &limits, over);
    });
}
