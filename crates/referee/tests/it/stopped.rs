//! A judge that was stopped does not know when an answer came. Alone in its file, for the whole process is stopped.

use crate::table;

use std::collections::BTreeMap;

use agon_game::{Alternating, Side};
use agon_referee::fault_kind::FaultKind;
use agon_referee::limits::GameLimits;
use agon_referee::record::{AgentNote, Record, RecordHeader, VERSION, Winner};
use agon_referee::replay::prove;
use agon_referee::verdict::Verdict;
use agon_rules::bacteria::Bacteria;
use table::{ROOMY, Table, moments};

#[test]
fn an_answer_that_may_have_been_in_time_does_not_lose() {
    let table = Table::build();
    let pid = std::process::id();
    // On a busy machine the bot may be slow to read TURN: the time until it stops the judge was observed.
    let limits = GameLimits { clock_ms: 2000, ..ROOMY };
    let report = table.play([&format!("0 stop {pid}"), "0"], &limits, &mut ());
    assert_eq!(report.verdicts[0].verdict, Verdict::Interrupted, "{report:?}");
    assert_eq!(report.winner, Winner::Void);
    // On a busy machine the program, too, has waited for a processor.
    let Some(FaultKind::LateAnswer(time)) = &report.verdicts[0].kind else { panic!("{report:?}") };
    assert!(!time.is_late() && time.judge_us > 0, "{time:?}");
    // Its record proves itself, and only with that verdict.
    let agent = || AgentNote { agent: "bot".to_owned(), kind: "command".to_owned(), jail: None, name: None };
    let header = RecordHeader {
        record: VERSION,
        game: "bacteria".to_owned(),
        parameters: BTreeMap::new(),
        seed: 0,
        agents: [agent(), agent()],
        limits,
        agon: "test".to_owned(),
        started: 0,
        opening: None,
    };
    let mut record = Record::read(&Record::new(header, report.clone()).write()).unwrap();
    assert!(prove(&record, &mut Alternating::new(Bacteria::start())).is_ok());
    record.result.verdicts[0].verdict = Verdict::Tle;
    assert!(prove(&record, &mut Alternating::new(Bacteria::start())).is_err());
    let moment = moments(&report, Side::First)[0];
    assert!(moment.wall > limits.clock() && moment.least() <= limits.clock(), "{moment:?}");

    // With time enough it is charged, and marked.
    let report = table.play([&format!("0 stop {pid}"), "0"], &GameLimits { clock_ms: 600_000, ..ROOMY }, &mut ());
    assert_eq!(report.verdicts[0].verdict, Verdict::Ok, "{report:?}");
    assert!(moments(&report, Side::First)[0].disturbed());
}
