//! `agon agent`: a built-in speaking the judge's protocol.

use crate::agon::run::{GAMES, agon_reading, command, finish};

/// The lines that come back. Those that end in `…` are compared up to there.
#[track_caller]
fn check(game: &str, name: &str, judge: &str, answers: &[&str]) {
    let ran = agon_reading(&["agent", game, name], judge);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), answers.len(), "{}", ran.out);
    for (line, answer) in lines.iter().zip(answers) {
        match answer.strip_suffix('…') {
            Some(start) => assert!(line.starts_with(start), "`{line}` is not `{answer}`"),
            None => assert_eq!(line, answer),
        }
    }
}

const BOARD: &str = "1 1 2\n0 3 1\n";

#[test]
fn it_answers_as_a_bot_must() {
    for (game, _) in GAMES {
        let board = if game == "domineering" { BOARD } else { "" };
        for name in ["random", "greedy"] {
            check(game, name, &format!("{board}READY FIRST\nFINISH\n"), &["OK"]);
            check(game, name, &format!("{board}READY SECOND\n"), &["OK"]);
            check(game, name, &format!("{board}READY FIRST\nTURN 10000 10000\nFINISH\n"), &["OK", "MOVE …"]);
        }
    }
    check("renju", "random", "READY FIRST\nTURN 10000 10000\nFINISH\n", &["OK", "MOVE 8 8"]);
    check("renju", "greedy", "READY SECOND\nOPP 8 8 1\nTURN 10000 9999\n", &["OK", "MOVE …"]);
    // One place pays 4, no other more than 3.
    check("domineering", "greedy", &format!("{BOARD}READY FIRST\nTURN 1 1\nFINISH\n"), &["OK", "MOVE 2 2"]);
    // The only places left are the standing ones.
    let question = format!("{BOARD}READY SECOND\nOPP 2 2 7\nTURN 10000 10000\nOPP 1 2 1\nFINISH\n");
    check("domineering", "greedy", &question, &["OK", "MOVE 1 1"]);
    // Windows ends its lines in another way.
    check("bacteria", "random", "READY FIRST\r\nFINISH\r\n", &["OK"]);
}

#[test]
fn its_seed_decides() {
    let play = |arguments: &[&str], seed: Option<&str>| {
        let mut run = command(&[&["agent", "bacteria", "random"], arguments].concat());
        if let Some(seed) = seed {
            run.env("AGON_SEED", seed);
        }
        let ran = finish(run.write_stdin("READY FIRST\nTURN 10000 10000\nFINISH\n"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    assert_eq!(play(&["--seed", "5"], None), play(&[], Some("5")));
    assert_eq!(play(&["--seed", "5"], Some("6")), play(&["--seed", "5"], None));
    assert_eq!(play(&[], None), play(&["--seed", "1"], None));
    assert!((1..9).any(|seed| play(&["--seed", &seed.to_string()], None) != play(&[], None)));
}

#[test]
fn a_judge_that_breaks_the_protocol_is_refused() {
    #[track_caller]
    fn check(game: &str, judge: &[u8], message: &str) {
        let ran = agon_reading(&["agent", game, "greedy"], judge);
        assert_eq!(ran.code, 2, "{}", ran.out);
        assert!(ran.err.starts_with("error: ") && ran.err.contains(message), "`{message}` is not in: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
    check("bacteria", b"READY FIRST\nHELLO\n", "the judge said `HELLO`: no command of the judge");
    check("bacteria", b"READY FIRST\nTURN soon\n", "the judge said `TURN soon`");
    check("bacteria", b"READY SECOND\nOPP 1 1 4 4 10\n", "the judge said `OPP 1 1 4 4 10`: ");
    check("bacteria", b"READY SECOND\nOPP 1 1 2 10\n", "the judge said `OPP 1 1 2 10`: ");
    check("renju", b"READY SECOND\nOPP 1 1 5\n", "the judge said `OPP 1 1 5`: ");
    check("bacteria", b"READY THIRD\nREADY FIRST\n", "`READY THIRD");
    check("bacteria", b"TURN 1 1\n", "the judge said `TURN 1 1`");
    check("domineering", b"READY FIRST\n", "the judge said `READY FIRST`");
    check("domineering", b"1 2\nx\nREADY FIRST\n", "the judge said `READY FIRST`: ");
    check("renju", b"READY FIRST\n\xff\xfe\n", "UTF-8");
}
