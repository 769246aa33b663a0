//! Games in other programs' files.

use agon_rules::renju::{Move, Point, psq};
use proptest::prelude::*;

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| Move::from_letters(word).expect(word)).collect()
}

#[test]
fn psq_gives_the_moves() {
    let check = |text: &str, expected: &str| assert_eq!(psq::read(text), Ok(moves(expected)), "{text}");
    check("Piskvorky 15x15, 11:11, 0", "");
    check("Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n1,2,1503\r\none.zip\r\ntwo.zip\r\n-1\r\nRenju, 5\r\n", "H8 A14");
    check("\n Piskvorky 15 x 15\n 8, 8, 0\n\n-1,-1,0\n", "H8 PASS");
    check("\u{feff}Piskvorky 15x15, 11:11, 0\r\n8,8,0 \r\n-1\r\n", "H8");
    // Piskvork itself reads moves without a time.
    check("Piskvorky 15x15, 0:0, 0\n8,8\n8,9\n9,10\n-1\n", "H8 H7 I6");
    let game = psq::read_game("Piskvorky 15x15, 0:0, 0\n8,8,0\none.zip\ntwo.zip\n-1\n").unwrap();
    assert_eq!(game.players, ["one.zip", "two.zip"]);
    assert_eq!(psq::read_game("Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n").unwrap().players, ["", ""]);
    // Names that look like moves or like the result.
    for name in ["9 9 0", "9,9", "9;9", "-1"] {
        assert_eq!(psq::read(&psq::write(&moves("H8"), [name, name])), Ok(moves("H8")), "{name}");
    }
}

#[test]
fn refused_psq_says_why() {
    let check = |text: &str, expected: &str| assert_eq!(psq::read(text).expect_err(text).to_string(), expected);
    check("", "first line must begin with `Piskvorky`, not ``");
    check("8,8,0", "first line must begin with `Piskvorky`, not `8,8,0`");
    check("Piskvorky 20x20, 11:11, 0", "unsupported board: `20x20`; expected 15x15");
    check("Piskvorky", "unsupported board: ``; expected 15x15");
    check("Piskvorky 15x15, 11:11, 0\n8,8,0\n16,1,0", "line 3: `16,1,0` is not on the board");
    check("Piskvorky 15x15, 11:11, 0\n8,-1,0", "line 2: `8,-1,0` is not on the board");
    let after = |line: &str| format!("Piskvorky 15x15, 0:0, 0\n8,8,0\n{line}\n7,9,1\n-1\n");
    for line in ["9;10,3", "9", "9,x,3", "9 10 3", "9,10,x", "9,10,3,4", "hello", "-1"] {
        check(&after(line), &format!("line 3: invalid move: `{line}`; expected `x,y,time`"));
    }
    for line in ["9;10,3", "9,x,3", "9 10 3", "9,10,"] {
        check(&after(line).replace("7,9,1\n", ""), &format!("line 3: invalid move: `{line}`; expected `x,y,time`"));
    }
    check(&after("999999999999999999999999,8,0"), "line 3: `999999999999999999999999,8,0` is not on the board");
}

fn any_moves() -> impl Strategy<Value = Vec<Move>> {
    let any_move = (0..=225_usize).prop_map(|index| Point::from_index(index).map_or(Move::Pass, Move::Stone));
    proptest::collection::vec(any_move, 0..60)
}

proptest! {
    #[test]
    fn moves_read_back(moves in any_moves(), black in "\\PC*", white in "\\PC*") {
        prop_assert_eq!(psq::read(&psq::write(&moves, [&black, &white])), Ok(moves));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = psq::read(&text);
    }

    #[test]
    fn what_looks_like_a_game_is_read_or_refused(
        lines in "Piskvorky 15x15(\n-?[0-9]{1,20},-?[0-9]{1,3},[0-9]?){0,5}",
    ) {
        let _ = psq::read(&lines);
    }
}
