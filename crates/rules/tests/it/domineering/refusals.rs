//! The errors of rejected moves.

use agon_game::{MoveError, Position};

use crate::domineering::read;

#[test]
fn refused_moves_say_why() {
    let check = |position: &str, text: &str, expected: &str| {
        let error = read(position).read_move(text).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text} in {position}");
        assert_eq!(error.text(), text);
        error.rule()
    };
    let h = "123/456/789 <>^/..v/... H 0 2.5 2";
    let covered = check(h, "1 2", "H's horizontal domino on (1,2) and (1,3): (1,2) is already covered");
    check(h, "2 2", "H's horizontal domino on (2,2) and (2,3): (2,3) is already covered");
    assert_eq!(covered, Some("covered"));
    let edge = check(h, "3 3", "H's horizontal domino on (3,3) and (3,4): the second cell is outside the board");
    assert_eq!(edge, Some("second-cell"));
    let outside = check(h, "4 1", "(4,1) is outside the board of 3 rows and 3 columns");
    assert_eq!(outside, Some("outside"));
    check(h, "0 1", "(0,1) is outside the board of 3 rows and 3 columns");
    check(h, "-1 1", "(-1,1) is outside the board of 3 rows and 3 columns");
    check(h, "2147483647 -2147483648", "(2147483647,-2147483648) is outside the board of 3 rows and 3 columns");
    let v = "123/456/789 <>./.../... V 0 2.5 1";
    check(v, "3 1", "V's vertical domino on (3,1) and (4,1): the second cell is outside the board");
    check(v, "1 2", "V's vertical domino on (1,2) and (2,2): (1,2) is already covered");
    let none = check("1/2/3 #/./. H 0 2.5 0", "2 1", "H has no place left: only PASS, -1 -1, is legal");
    assert_eq!(none, Some("must-pass"));
    check("12 .. V 0 2.5 0", "9 9", "V has no place left: only PASS, -1 -1, is legal");
    for text in ["", "PASS", "1", "1 2 3", "1.0 2", "1,2", "2147483648 1"] {
        check(h, text, "two whole numbers x y, or -1 -1 to PASS expected");
    }
    for over in ["1 # H 0 2.5 0", "1 . H 0 2.5 0", "11/11 ../.. H 2 2.5 2"] {
        for text in ["-1 -1", "1 1"] {
            assert_eq!(read(over).read_move(text), Err(MoveError::Over { text: text.to_owned() }), "{over}");
        }
    }
}
