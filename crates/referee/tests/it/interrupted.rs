//! Stopping the judge: neither agent loses, and nothing survives. Alone in its file, since it stops every bout of the
//! process.

use crate::court;

use std::thread;

use agon_referee::bout::Spectator;
use agon_referee::process;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use court::{ROOMY, bad, play_before};

/// Stops the judge from another thread once a game is on.
struct Impatient;

impl Spectator for Impatient {
    fn started(&mut self, _: &dyn agon_game::GameState, _: [std::time::Duration; 2]) {
        thread::spawn(process::interrupt);
    }
}

#[test]
fn a_stopped_game_has_no_loser() {
    let report = play_before(&bad("silent"), &bad("daemon"), &ROOMY, &mut Impatient);
    assert_eq!(report.winner, Winner::Void);
    assert_eq!(report.verdicts.each_ref().map(|judged| judged.verdict), [Verdict::Interrupted; 2]);
    court::nothing_survives(&report.stderr[1], "daemon");
}
