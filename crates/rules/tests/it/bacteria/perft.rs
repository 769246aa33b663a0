//! Numbers of lines of play.

use agon_game::seed::Stream;
use agon_game::{Position, laws, perft};
use agon_rules::bacteria::{Bacteria, PLY_LIMIT};

use crate::bacteria::dish::{FENS, dish, random_dish};

/// One line of the data: a position, and how many lines of play of each depth start there.
fn check(line: &str) {
    let (fen, counts) = line.split_once(';').unwrap_or_else(|| panic!("`{line}` has no counts"));
    let position = dish(fen.trim());
    for count in counts.split_whitespace() {
        let (depth, nodes) = count.split_once(':').unwrap_or_else(|| panic!("`{count}` is no depth:nodes"));
        assert_eq!(position.perft(depth.parse().unwrap()), nodes.parse::<u64>().unwrap(), "{fen}, depth {depth}");
    }
}

#[test]
fn counts_are_those_of_an_independent_program() {
    let lines: Vec<_> =
        include_str!("../../data/bacteria/perft.txt").lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 5);
    lines.into_iter().for_each(check);
}

#[test]
fn bulk_counts_are_plain_counts() {
    for fen in FENS {
        laws::counts_agree(&dish(fen), 4);
    }
}

#[test]
fn bulk_counts_are_plain_counts_on_random_boards() {
    let mut stream = Stream::new(1, "perft");
    for _ in 0..400 {
        laws::counts_agree(&random_dish(&mut stream), 3);
    }
}

#[test]
fn bulk_counts_stop_at_the_limit_of_plies() {
    for before in 0..4 {
        let [first, second] = agon_game::Side::BOTH.map(|side| Bacteria::start().cells(side));
        let position = Bacteria::from_cells([first, second], PLY_LIMIT - before).unwrap();
        laws::counts_agree(&position, 5);
        assert_eq!(position.perft(u32::from(before) + 1), 0, "{position}");
        assert_ne!(position.perft(u32::from(before)), 0, "{position}");
        assert_eq!(position.perft(u32::MAX), 0, "{position}");
    }
}

#[test]
fn dividing_adds_up() {
    let start = Bacteria::start();
    let divided = perft::divide(&start, 5);
    assert_eq!(divided.len(), 16);
    assert_eq!(divided.iter().map(|(_, nodes)| nodes).sum::<u64>(), 4_752_668);
}
