//! Our engine's answers to a manager of Gomocup.

use crate::talk;

use agon_game::Position;
use agon_protocols::gomocup::serve;
use agon_search::{Engine, Info, Task};
use talk::{Broken, First, Tireless, converse};

#[track_caller]
fn check(script: &str) {
    converse(|input, output| serve(Box::new(First::new()), "First", input, output), script);
}

#[test]
fn a_game_is_played() {
    check(
        "> ABOUT
         < name=\"First\", version=…
         > START 15
         < OK
         > INFO max_memory 83886080
         > INFO timeout_match 300000
         > INFO timeout_turn 10000
         > INFO game_type 1
         > INFO rule 4
         > INFO thread_num 1
         > INFO time_left 300000
         > INFO folder /tmp
         > INFO something else
         > BEGIN
         < MESSAGE depth 1-1 ev 9 n 40 tm 1000 pv H8
         < MESSAGE depth 2-1 …
         < 7,7
         > INFO thread_num 0
         > INFO THREAD_NUM many
         < MESSAGE INFO `THREAD_NUM` needs a whole number, not `many`
         > INFO time_left 299000
         > TURN 8,6
         < MESSAGE depth 1-1 …
         < MESSAGE depth 2-1 …
         < 5,5
         > TURN 8,7
         < MESSAGE …
         < MESSAGE …
         < 0,0
         > TAKEBACK 0,0
         < OK
         > TAKEBACK 8,7
         < OK
         > TAKEBACK 7,7
         < ERROR 7,7 is not the last stone
         > TURN 9,9
         < MESSAGE …
         < MESSAGE …
         < 0,0
         > RESTART
         < OK
         > TURN 7,7
         < MESSAGE …
         < MESSAGE …
         < 6,6
         > END",
    );
}

#[test]
fn a_whole_board_is_set() {
    check(
        "> START 15
         < OK
         > BOARD
         > 7,7,2
         > 8,8,1
         > 9,9,2
         > DONE
         < MESSAGE …
         < MESSAGE …
         < 0,0
         > TURN 1,0
         < MESSAGE …
         < MESSAGE …
         < 2,0
         > RESTART
         < OK
         > BOARD
         > DONE
         < MESSAGE …
         < MESSAGE …
         < 7,7",
    );
    // Stones that no contest would allow, and a side that has passed.
    check(
        "> START 15
         < OK
         > YXBOARD
         > 0,0,1
         > 14,14,2
         > 1,0,1
         > DONE
         > BOARD
         > 0,0,1
         > 14,14,2
         > 1,0,1
         > DONE
         < MESSAGE …
         < MESSAGE …
         < 2,0
         > TAKEBACK 2,0
         < OK
         > TAKEBACK 1,0
         < OK",
    );
}

#[test]
fn what_is_forbidden_is_shown() {
    check(
        "> START 15
         < OK
         > YXSHOWFORBID
         < FORBID .
         > YXBOARD
         > 7,5,1
         > 0,0,2
         > 7,6,1
         > 0,14,2
         > 5,7,1
         > 14,0,2
         > 6,7,1
         > 14,14,2
         > DONE
         > YXSHOWFORBID
         < FORBID 0707.
         > TURN 7,7
         < MESSAGE …
         < MESSAGE …
         < 1,0
         > YXSHOWFORBID
         < FORBID …",
    );
}

#[test]
fn other_games_are_refused() {
    check(
        "> BEGIN
         < ERROR no game has been started: START 15
         > BOARD
         > DONE
         < ERROR no game has been started: START 15
         > START 20
         < ERROR a board of 20 x 20 is not supported: renju has 15 x 15
         > RECTSTART 15,15
         < ERROR a board that may be no square is not supported: START 15
         > START 15
         < OK
         > INFO rule 1
         > BEGIN
         < ERROR rule 1 is not supported: INFO rule 4 is renju
         > INFO rule 4
         > SWAP2BOARD
         > DONE
         < ERROR swap2 is an opening of gomoku; renju here has none to choose
         > SWAP2BOARD
         > 7,7
         > 8,7
         > DONE
         < ERROR swap2 …
         > BEGIN
         < MESSAGE …
         < MESSAGE …
         < 7,7",
    );
}

#[test]
fn nonsense_is_answered() {
    check(
        "> PLAY 3,3
         < UNKNOWN unknown command `PLAY`
         > START
         < ERROR `START` needs a whole number, not ``
         > START 15
         < OK
         > TURN 7
         < ERROR `7` is not a place: X,Y expected, each 0 to 14
         > INFO time_left soon
         < MESSAGE INFO `time_left` needs a whole number, not `soon`
         > BOARD
         > 7,7,3
         > x
         > DONE
         < ERROR `7,7,3` is not a line of a board: …
         > BOARD
         > 7,7,1
         > 7,7,2
         > DONE
         < ERROR two stones on (8,8)
         > TURN 7,7
         < ERROR the last board was refused (two stones on (8,8)): RESTART, or send another
         > RESTART
         < OK
         > TURN 7,7
         < MESSAGE …
         < MESSAGE …
         < 6,6
         > TURN 6,6
         < ERROR two stones on (7,7)
         > YXBOARD
         > 0,0,1
         > 0,1,2
         > 1,0,1
         > 1,1,2
         > 2,0,1
         > 2,1,2
         > 3,0,1
         > 3,1,2
         > 4,0,1
         > DONE
         > BEGIN
         < ERROR the game is over",
    );
}

#[test]
fn it_can_be_asked_to_hurry() {
    // Without limits this engine would think for ever; in Gomocup there always is one.
    check("> START 15\n < OK\n > INFO timeout_turn 0\n > BEGIN\n < MESSAGE depth 1-0 …\n < 7,7");
    check("> START 15\n < OK\n > BEGIN\n > YXSTOP\n < MESSAGE …\n < MESSAGE …\n < 7,7");
}

#[test]
fn the_end_of_the_input_ends_the_search() {
    let (mut answers, output) = std::io::pipe().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut answers, &mut text).map(|_| text)
    });
    let game = &b"START 15\nINFO timeout_turn 86400000\nINFO timeout_match 0\nBEGIN\n"[..];
    serve(Box::new(Tireless), "Tireless", game, output).unwrap();
    // The answer is still given, so that a conversation can be piped in.
    assert_eq!(reader.join().unwrap().unwrap().lines().last(), Some("7,7"));
}

#[test]
fn a_command_that_waits_does_not_hide_the_end() {
    let check = |end: &str, last: Option<&str>| {
        let (mut answers, output) = std::io::pipe().unwrap();
        let game =
            format!("START 15\nINFO timeout_turn 86400000\nINFO timeout_match 0\nBEGIN\nTURN 0,0\nYXSHOWFORBID\n{end}");
        let input = std::io::Cursor::new(game);
        let thread = std::thread::spawn(move || serve(Box::new(Tireless), "Tireless", input, output));
        let mut text = String::new();
        std::io::Read::read_to_string(&mut answers, &mut text).unwrap();
        thread.join().unwrap().unwrap();
        let said: Vec<&str> = text.lines().filter(|line| !line.starts_with("MESSAGE")).skip(1).collect();
        assert_eq!(said.last().copied(), last, "{said:?}");
        assert_eq!(said.len(), if last.is_some() { 3 } else { 0 }, "{said:?}");
    };
    // The commands that waited are answered, each as fast as can be.
    check("", Some("FORBID ."));
    check("END\n", None);
}

/// Always wants to pass.
struct Passer;

impl Engine<agon_rules::renju::Renju> for Passer {
    fn search(
        &mut self,
        position: &agon_rules::renju::Renju,
        _: &Task,
        _: &mut dyn FnMut(&Info<agon_rules::renju::Move>),
    ) -> Option<agon_rules::renju::Move> {
        position.outcome().is_none().then_some(agon_rules::renju::Move::Pass)
    }
}

#[test]
fn no_side_passes() {
    converse(
        |input, output| serve(Box::new(Passer), "Passer", input, output),
        "> START 15\n < OK\n > TURN 0,0\n < 1,0\n > END",
    );
}

#[test]
fn a_fault_of_the_engine_is_reported() {
    let ended = serve(Box::new(Broken), "Broken", &b"START 15\nBEGIN\n"[..], Vec::new());
    assert_eq!(ended.unwrap_err().to_string(), "the engine panicked");
}
