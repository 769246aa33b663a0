//! A system that refuses the judge its work: neither agent loses. Alone in its file, for it lowers a limit of the
//! process.

use crate::table;

use agon_game::GameState;
use agon_referee::bout::{Played, Spectator};
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use table::{ROOMY, Table};

/// Lowers the limit once a move has been played.
struct Miser;

impl Spectator for Miser {
    fn moved(&mut self, _: &dyn GameState, _: &Played) {
        let limit = Rlimit { current: Some(3), ..getrlimit(Resource::Nofile) };
        setrlimit(Resource::Nofile, limit).unwrap();
    }
}

#[test]
fn what_the_system_refuses_the_judge_is_no_fault_of_an_agent() {
    let table = Table::build();
    let before = getrlimit(Resource::Nofile);
    // Four descriptors are waited for, once an answer has taken a while; `poll` takes no more than the limit.
    let report = table.play(["20000", "20000"], &ROOMY, &mut Miser);
    setrlimit(Resource::Nofile, before).unwrap();
    assert_eq!(report.verdicts.each_ref().map(|judged| judged.verdict), [Verdict::Interrupted; 2], "{report:?}");
    assert_eq!(report.winner, Winner::Void);
    assert!(
        report.reason.text.contains("the judge failed: cannot wait for the agents: Invalid argument"),
        "{report:?}"
    );
}
