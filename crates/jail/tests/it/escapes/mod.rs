//! Programs that try to escape from the jail, one for each way. Each plays a legal game against an honest program,
//! before the real judge; each must be seen to have made its attack, must have reached nothing, and must leave nothing
//! behind.
//!
//! - `programs/` are the attacks of running programs, `attack.rs` lists them;
//! - `sources/` are the attacks on compilers, `source.rs` lists them;
//! - `house.rs` is what there is to be attacked, `judge.rs` plays a game and judges it, `court.rs` runs judges.
//!
//! `ESCAPES_ONLY=fork ESCAPES_SHOW=1 cargo test -p agon-jail --test it escapes -- --nocapture` makes some of them, and
//! shows their output. Root also plays all of it as an ordinary user. If the machine lacks a level, that is reported.

mod attack;
mod court;
mod house;
mod judge;
mod processes;
mod source;

use std::process::Command;

use agon_jail::Level;
use agon_referee::verdict::Verdict;
use attack::{ATTACKS, Written};
use court::User;

#[test]
fn attacks_at_level_full() {
    court::attacks("escapes::attacks_at_level_full", User::Own, Level::Full);
}

#[test]
fn attacks_at_level_full_unprivileged() {
    court::attacks("escapes::attacks_at_level_full_unprivileged", User::Unprivileged, Level::Full);
}

#[test]
fn attacks_at_level_landlock() {
    court::attacks("escapes::attacks_at_level_landlock", User::Ordinary, Level::Landlock);
}

#[test]
fn sources_at_level_full() {
    court::sources("escapes::sources_at_level_full", User::Own, Level::Full);
}

#[test]
fn sources_at_level_full_unprivileged() {
    court::sources("escapes::sources_at_level_full_unprivileged", User::Unprivileged, Level::Full);
}

#[test]
fn sources_at_level_landlock() {
    court::sources("escapes::sources_at_level_landlock", User::Ordinary, Level::Landlock);
}

/// Every attack of the programs is in the list, once.
#[test]
fn no_attack_is_forgotten() {
    let program = house::programs().join("attacks");
    let output = {
        let _alone = court::alone();
        Command::new(program).arg("list").output().unwrap()
    };
    let mut of_programs: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    let listed = ATTACKS.iter().filter(|attack| attack.written() == Written::C);
    let mut listed: Vec<&str> = listed.map(|attack| attack.name).collect();
    of_programs.sort();
    listed.sort_unstable();
    assert_eq!(of_programs, listed);
}

/// The bot under the attacks plays a whole game by the rules; and no attack is made without a jail.
#[test]
fn the_programs_are_honest_without_a_jail() {
    let program = house::programs().join("attacks");
    let honest = format!("'{}' honest", program.display());
    let _alone = court::alone();
    let report = judge::bout([&honest, &honest], &judge::ROOMY, &mut ());
    assert_eq!(report.verdicts.each_ref().map(|judged| judged.verdict), [Verdict::Ok, Verdict::Ok], "{report:?}");
    assert!(report.plies > 20, "{report:?}");
    agon_jail::retire_all();
    let output = Command::new(program).args(["kill-everybody"]).output().unwrap();
    assert_eq!(output.status.code(), Some(98));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("failed there is no jail around this process"));
}
