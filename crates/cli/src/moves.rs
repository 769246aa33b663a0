//! Moves that people write: `H8 H9 I9`, `8 8/7 8/7 9`.

pub(crate) use agon_arena::opening_file::split_moves as split;
use agon_game::Show;
use anyhow::anyhow;

/// Plays the moves of a text.
///
/// # Errors
/// The first word that is not a move, or an illegal move.
pub(crate) fn play<P: Show>(position: &mut P, text: &str) -> anyhow::Result<()> {
    for (at, word) in split(text).into_iter().enumerate() {
        let m = position.read_any(word).map_err(|error| anyhow!("move {}, {word}: {error}", at + 1))?;
        position.play_unchecked(m, &mut ());
    }
    Ok(())
}

/// `H8    8 8`: a move as people write it and as the judge does, once if that is the same.
pub(crate) fn both(letters: &str, arguments: &str) -> String {
    if letters == arguments { arguments.to_owned() } else { format!("{letters:<5} {arguments}") }
}

#[cfg(test)]
mod tests {
    use agon_rules::bacteria::Bacteria;
    use agon_rules::domineering::Domineering;
    use agon_rules::renju::Renju;

    use super::*;

    #[test]
    fn moves_are_read_in_both_notations() {
        #[track_caller]
        fn check<P: Show>(mut position: P, text: &str, expected: &str) {
            play(&mut position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(position.to_string(), expected, "{text}");
        }
        let renju = "15/15/15/15/15/15/7WB6/7B7/15/15/15/15/15/15/15 W 0 3";
        for text in ["H8 H9 I9", "h8,h9, i9", "8 8/7 8/7 9", "8 8 / H9 / i9", "H8\nH9\nI9\n"] {
            check(Renju::default(), text, renju);
        }
        check(Renju::default(), "8 8", "15/15/15/15/15/15/15/7B7/15/15/15/15/15/15/15 W 0 1");
        for text in ["a7b6 g7e5", "b6 G7E5", "1 1 2 2/1 7 3 5", "a7b6/1 7 3 5"] {
            check(Bacteria::start(), text, "x6/1x5/4o2/7/7/7/o5x x 1 2");
        }
        let board: Domineering = "111/111 .../... H 0 2.5 0".parse().unwrap();
        for text in ["1 1/PASS", "1 1 / -1 -1", "1 1, pass"] {
            check(board, text, "111/111 <>./... H 1 2.5 2");
        }
        check(board, "", "111/111 .../... H 0 2.5 0");
    }

    #[test]
    fn an_error_shows_how_a_move_is_written() {
        let check = |text: &str, expected: &str| {
            let error = play(&mut Renju::default(), text).unwrap_err().to_string();
            assert_eq!(error, expected);
        };
        check("H8 P9", "move 2, P9: a point such as H8, PASS, or the judge's `8 8` expected");
        check("H8 H8", "move 2, H8: H8 (8,8) is taken by Black");
        check("8 8/1", "move 2, 1: a point such as H8, PASS, or the judge's `8 8` expected");
    }
}
