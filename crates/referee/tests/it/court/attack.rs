//! Games against the hostile program.

use std::thread;
use std::time::{Duration, Instant};

use agon_referee::limits::GameLimits;
use agon_referee::verdict::Verdict::{self, Mle, Ok};

use super::isolated::{bot, name};
use super::left::Left;
use super::processes::processes_of;
use super::{ROOMY, play};

/// For a program that never moves, so that its opponent does not either.
pub const HANGING: GameLimits = GameLimits { clock_ms: 250, ..ROOMY };

/// For a program that never ends after FINISH.
pub const STAYING: GameLimits = GameLimits { exit_ms: 500, ..ROOMY };

/// The limits that suit the program's action when it is to move.
pub fn limits(words: &str) -> GameLimits {
    match words.split_once(' ').map_or("", |(_, then)| then) {
        "hang" | "spin" => HANGING,
        "stay" => STAYING,
        _ => ROOMY,
    }
}

/// Plays an attack in the first seat against an honest program, and checks that the verdict is one of these, that the
/// opponent is not blamed, that the attack took place, and that nothing survives.
pub fn check(words: &str, fate: &[Verdict]) {
    let report = play(&bot(words), &bot("well"), &limits(words));
    let [attacker, opponent] = &report.verdicts;
    let said = &report.stderr[0];
    assert_eq!(opponent.verdict, Ok, "the opponent of `{words}`: {opponent:?}\n{said}");
    let judged = refused(words, said) || fate.contains(&attacker.verdict);
    assert!(judged, "`{words}`: {attacker:?}\n{said}");
    took_place(words, attacker.verdict, said);
    nothing_survives(said);
}

/// Whether the system prevents the attack: an ordinary user may not trace others, a container has little shared memory.
fn refused(words: &str, said: &str) -> bool {
    let attack = words.split(' ').next().unwrap();
    let refused = said.contains(&format!("attack {attack} refused"));
    if refused {
        eprintln!("{said}");
    }
    refused
}

/// Checks that the attack was made, unless it ended its maker or the system refused it.
pub fn took_place(words: &str, verdict: Verdict, said: &str) {
    let attack = words.split(' ').next().unwrap();
    let done = said.contains(&format!("attack {attack} done")) || said.contains("attack flood done");
    assert!(done || refused(words, said) || verdict == Mle, "`{words}` failed: {said}");
}

/// Checks that the processes of a finished game are gone, or are disappearing.
pub fn nothing_survives(said: &str) {
    let start = Instant::now();
    let left = Left::of(said);
    let name = name();
    loop {
        let survivors = processes_of(&name);
        let left: Vec<&Left> = left.iter().filter(|process| process.exists()).collect();
        if survivors.is_empty() && left.is_empty() {
            return;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "processes {survivors:?} and {left:?} survive: {said}");
        thread::sleep(Duration::from_millis(5));
    }
}
