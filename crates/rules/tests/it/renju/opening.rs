//! The first three turns, and the judge's messages about invalid moves.

use agon_game::Position;
use agon_rules::renju::Renju;

#[test]
fn refused_moves_say_why() {
    let check = |game: &[&str], m: &str, expected: &str| {
        let mut position = Renju::default();
        for text in game {
            position.play_unchecked(position.read_move(text).expect(text), &mut ());
        }
        let error = position.read_move(m).expect_err(m);
        assert_eq!(error.to_string(), expected, "{m} after {game:?}");
        error.rule()
    };
    assert_eq!(check(&[], "8 9", "turn 1 must be played on H8 (8,8), not on I8 (8,9)"), Some("opening-area"));
    assert_eq!(check(&[], "-1 -1", "PASS is not allowed on turns 1 to 3; this is turn 1"), Some("opening-pass"));
    assert_eq!(check(&[], "0 3", "(0,3) is outside the board"), Some("outside"));
    assert_eq!(check(&["8 8"], "8 8", "H8 (8,8) is taken by Black"), Some("taken"));
    check(&[], "16 8", "(16,8) is outside the board");
    check(&[], "-1 5", "(-1,5) is outside the board");
    check(&[], "8", "two whole numbers x y, the row and the column, or -1 -1 for PASS expected");
    check(&[], "H8", "two whole numbers x y, the row and the column, or -1 -1 for PASS expected");
    check(&["8 8"], "6 8", "turn 2 must be played on rows and columns 7 to 9, not on H10 (6,8)");
    check(&["8 8"], "-1 -1", "PASS is not allowed on turns 1 to 3; this is turn 2");
    check(&["8 8", "9 9"], "9 9", "I7 (9,9) is taken by White");
    check(&["8 8", "9 9"], "8 11", "turn 3 must be played on rows and columns 6 to 10, not on K8 (8,11)");
    check(&["8 8", "9 9"], "-1 -1", "PASS is not allowed on turns 1 to 3; this is turn 3");
    check(&["8 8", "9 9", "10 10", "-1 -1", "-1 -1"], "1 1", "the game is over");
    check(&["8 8", "9 9", "10 10", "-1 -1", "-1 -1"], "0 0", "the game is over");
}

#[test]
fn only_a_games_own_first_turns_are_bound() {
    let check = |text: &str, moves: u64, passes: bool| {
        let position: Renju = text.parse().expect(text);
        assert_eq!((position.count_moves(), position.may_pass()), (moves, passes), "{text}");
    };
    let rest = "15/15/15/15/15/15/15";
    check(&format!("{rest}/15/{rest} B"), 1, false);
    check(&format!("{rest}/15/{rest} W"), 226, true);
    check(&format!("{rest}/7B7/{rest} W"), 8, false);
    check(&format!("{rest}/7B7/{rest} B"), 225, true);
    check(&format!("{rest}/6B8/{rest} W"), 225, true);
    check(&format!("{rest}/7W7/{rest} B"), 225, true);
    check(&format!("{rest}/7BW6/{rest} B"), 23, false);
    check(&format!("{rest}/7BW6/{rest} W"), 224, true);
    check(&format!("{rest}/7B1W5/{rest} B"), 224, true);
    check(&format!("{rest}/7BB6/{rest} B"), 224, true);
    check(&format!("{rest}/7BW6/{rest} B 1 3"), 224, true);
}
