//! Perft: the numbers of lines of play, PASSes included.

use agon_game::{Position, Show, laws};

use crate::domineering::naive::Naive;
use crate::domineering::{SIZES, after, moves, read, start};

/// Checks a table of counts by depth, from depth 1, by three generators: words, the search's own, and plain arrays.
fn check(rows: usize, columns: usize, expected: &[u64]) {
    let position = start(rows, columns, 1);
    let naive = Naive::new(&position.preamble());
    for (depth, &lines) in (1..).zip(expected) {
        assert_eq!(position.perft(depth), lines, "{rows}x{columns}, depth {depth}");
        // Arrays are slow; they confirm what they can count in a second.
        if lines < 300_000 {
            assert_eq!(naive.perft(depth), lines, "{rows}x{columns}, depth {depth}, in arrays");
            assert_eq!(position.plain_perft(depth), lines, "{rows}x{columns}, depth {depth}, played");
        }
    }
}

#[test]
fn counts_from_the_start() {
    check(1, 1, &[0, 0, 0, 0, 0]);
    check(1, 2, &[2, 1, 0, 0, 0]);
    check(2, 1, &[1, 2, 0, 0, 0]);
    check(2, 2, &[3, 5, 6, 4, 0]);
    check(3, 3, &[7, 33, 116, 262, 468]);
    check(2, 5, &[9, 38, 177, 429, 976]);
    check(4, 4, &[13, 133, 1112, 7112, 36_304]);
    check(5, 4, &[16, 224, 2509, 23_958, 179_398]);
    check(6, 6, &[31, 861, 21_842, 491_530]);
    check(8, 8, &[57, 3053, 155_556, 7_421_772]);
}

/// From positions in which the last move was a PASS, a side has no place, or the game is over.
#[test]
fn counts_from_positions() {
    let check = |text: &str, expected: [u64; 5]| {
        let position = read(text);
        let counts = [1, 2, 3, 4, 5].map(|depth| position.perft(depth));
        assert_eq!(counts, expected, "{text}");
        laws::counts_agree(&position, 5);
    };
    // H passes and it is over, or it covers the row and V has nothing left.
    check("11 .. H 1 2.5 0", [2, 0, 0, 0, 0]);
    // H must pass; V may end the game by passing, or place either way: then neither side has a place.
    check("1/1/1 ././. H 0 2.5 0", [1, 3, 0, 0, 0]);
    check("11/11 ../.. H 2 2.5 0", [0, 0, 0, 0, 0]);
    check("11/11 #./.# H 0 2.5 0", [0, 0, 0, 0, 0]);
}

#[test]
fn bulk_counts_are_plain_counts_everywhere() {
    for (rows, columns) in SIZES {
        let mut position = start(rows, columns, 3);
        laws::counts_agree(&position, 2);
        while let Some(&m) = moves(&position).first() {
            position = after(&position, m);
            laws::counts_agree(&position, 2);
        }
    }
}
