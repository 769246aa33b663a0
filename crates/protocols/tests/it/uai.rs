//! Our engine's answers in UAI.

use crate::talk;

use agon_engines::bacteria::bench::POSITIONS;
use agon_protocols::uai::serve;
use talk::{Broken, First, Gone, Tireless, converse};

#[track_caller]
fn check(script: &str) {
    converse(|input, output| serve(Box::new(First::new()), "First", input, output), script);
}

#[test]
fn it_introduces_itself() {
    check(
        "> uai
         < id name First
         < id author The Agon authors
         < option name Hash type spin default 64 min 1 max …
         < option name Threads type spin default 1 min 1 max 256
         < option name MultiPV type spin default 1 min 1 max 256
         < option name MoveOverhead type spin default 10 min 0 max 10000
         < uaiok
         > isready
         < readyok
         > quit",
    );
}

#[test]
fn it_thinks_as_it_is_asked() {
    check(
        "> uainewgame
         > position startpos
         > go depth 1
         < info depth 1 seldepth 1 score cp 9 nodes 64 nps 64 time 1000 pv b7
         < bestmove b7
         > position startpos moves b7 f7 g1e2
         > go btime 1000 wtime 2000 binc 5 winc 5
         < info depth 1 …
         < info depth 2 …
         < bestmove e7
         > setoption name Hash value 7
         > setoption name threads value 3
         > setoption name MultiPV value 2
         > isready
         < readyok
         > go nodes 10
         < info depth 1 seldepth 3 multipv 1 score cp 9 nodes 7 nps 7 time 1000 pv e7
         < info depth 1 seldepth 3 multipv 2 score cp 8 nodes 7 …
         < info depth 2 …
         < info depth 2 …
         < bestmove e7
         > go movetime 1
         < info depth 1 …
         < info depth 1 …
         < info depth 2 …
         < info depth 2 …
         < bestmove e7",
    );
}

#[test]
fn it_listens_while_it_thinks() {
    check(
        "> go infinite
         < info depth 1 …
         < info depth 2 …
         > isready
         < readyok
         > go depth 1
         < info string still thinking; say stop first
         > bench
         < info string still thinking; say stop first
         > position startpos moves b7
         > stop
         < bestmove b7
         > go
         < info depth 1 …
         < info depth 2 …
         > stop
         < bestmove f7
         > stop
         > ponderhit",
    );
    // A search that ends by itself is held back until it is requested.
    converse(
        |input, output| serve(agon_catalog::engine("greedy", 1).unwrap(), "greedy", input, output),
        "> go infinite depth 1
         > isready
         < readyok
         > stop
         < bestmove …",
    );
}

#[test]
fn the_end_of_the_input_ends_it() {
    check("> go depth 1\n < info depth 1 …\n < bestmove b7");
    check("> go infinite\n < info depth 1 …\n < info depth 2 …\n > quit\n < bestmove b7");
    converse(
        |input, output| {
            serve(Box::new(First::new()), "First", std::io::Read::chain(&b"go depth 1\n"[..], input), output)
        },
        "< info depth 1 …\n < bestmove b7",
    );
}

#[test]
fn a_pass_and_the_end_of_a_game() {
    check(
        "> position fen xxxxxxx/xxxxxxx/xxxxxxx/7/7/7/6o o 0 30
         > go depth 1
         < info depth 1 …
         < bestmove f2
         > position fen ooooooo/ooooooo/ooooooo/ooooooo/ooooooo/ooooooo/xoooo2 x 0 30
         > go depth 1
         < info depth 1 seldepth 1 score cp 9 nodes 64 nps 64 time 1000 pv 0000
         < bestmove 0000
         > position fen 7/7/7/7/7/7/6x o
         > go depth 1
         < bestmove 0000
         > go perft 3
         < info depth 3 …
         < nodes 0",
    );
}

#[test]
fn perft_counts_and_bench_works() {
    check(
        "> position fen xo5/oo5/7/7/7/7/7 x
         > perft 1
         < a7c7: 1
         < a7c6: 1
         < a7a5: 1
         < a7b5: 1
         < a7c5: 1
         < info depth 1 …
         < nodes 5
         > go perft 0
         < info depth 0 …
         < nodes 1",
    );
    let positions = POSITIONS.len();
    let line = |at| format!("< info string position {at} of {positions} nodes 64");
    let lines: Vec<String> = (1..=positions).map(line).collect();
    check(&format!("> bench 1\n{}\n< {} nodes …", lines.join("\n"), 64 * positions));
}

#[test]
fn the_board_is_shown() {
    check(
        "> moves b7 f7
         > d
         < 7  x x . . . o o
         < 6  . . . . . . .
         < 5  . . . . . . .
         < 4  . . . . . . .
         < 3  . . . . . . .
         < 2  . . . . . . .
         < 1  o . . . . . x
         <    a b c d e f g
         <
         < x 3, o 3
         < fen xx3oo/7/7/7/7/7/o5x x 0 2",
    );
}

#[test]
fn what_it_does_not_understand_is_passed_over() {
    check(
        "> hello
         < info string unknown command `hello`
         > setoption name Ponder value true
         < info string unknown option `Ponder`
         > setoption name Hash value 0
         < info string `Hash` is 1 to …
         > position fen x5o/7/2-4/7/7/7/o5x x 0 1
         < info string row 3, `2-4`, has a blocked cell, …
         > position startpos moves b7 d4
         < info string `d4` is illegal: nothing divides to there
         > position here
         < info string `position` needs startpos or fen, not `here`
         > go depth
         < info string `depth` needs a whole number, not ``
         > position startpos
         > go searchmoves b7 depth 1
         < info string passed over `searchmoves b7`
         < info depth 1 …
         < bestmove b7
         > debug on
         > moves 0000
         < info string `0000` is illegal: PASS is legal only when nothing else is…",
    );
    // Other arenas count on where this game ends.
    check(
        "> position fen x5o/7/7/7/7/7/o5x o 0 999
         > print
         < 7  x …
         < 6 …
         < 5 …
         < 4 …
         < 3 …
         < 2 …
         < 1 …
         < …
         < …
         < x 2, o 2
         < fen x5o/7/7/7/7/7/o5x o 0 1",
    );
}

#[test]
fn a_refused_position_is_not_answered_by_another_one() {
    for (said, problem) in [
        ("position fen x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1", "row 3, `2-1-2`, has a blocked cell, …"),
        ("position startpos moves b7 zz", "`zz` is not a move…"),
        ("position here", "`position` needs startpos or fen, not `here`"),
        ("moves zz", "`zz` is not a move…"),
    ] {
        check(&format!(
            "> position startpos moves b7
             > {said}
             < info string {problem}
             > go depth 1
             < info string the last position was refused: {problem}
             < bestmove 0000
             > go infinite
             < info string the last position was refused: {problem}
             < bestmove 0000
             > moves f7
             < info string the last position was refused: {problem}
             > perft 1
             < info string the last position was refused: {problem}
             > print
             < info string the last position was refused: {problem}
             > position startpos
             > go depth 1
             < info depth 1 …
             < bestmove b7"
        ));
    }
    check(
        "> position here
         < info string `position` needs …
         > uainewgame
         > go depth 1
         < info depth 1 …
         < bestmove b7",
    );
}

#[test]
fn a_search_without_a_listener_ends() {
    serve(Box::new(Tireless), "Tireless", &b"go depth 40\n"[..], Gone).unwrap();
}

#[test]
fn a_fault_of_the_engine_is_reported() {
    let ended = serve(Box::new(Broken), "Broken", &b"go depth 1\n"[..], Vec::new());
    assert_eq!(ended.unwrap_err().to_string(), "the engine panicked");
}
