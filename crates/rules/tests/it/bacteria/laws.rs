//! The laws of every game, and how this one ends.

use std::collections::HashMap;

use agon_game::seed::Stream;
use agon_game::{Alternating, GameScore, GameState, Mark, Outcome, Position, Show, Side, laws};
use agon_rules::bacteria::board::{CELLS, Cells, WIDTH, bit};
use agon_rules::bacteria::{Bacteria, Move, PLY_LIMIT};

use crate::bacteria::dish::{FENS, after, dish, legal_moves, random_dish};

#[test]
fn the_laws_are_obeyed() {
    for (seed, fen) in (0..).zip(FENS) {
        laws::obey(&dish(fen), 5, seed * 100);
    }
}

#[test]
fn positions_survive_being_written_and_read() {
    for fen in FENS {
        laws::round_trips(&dish(fen), 10, 7, str::parse::<Bacteria>);
    }
}

/// The image of a position: its cells moved, its sides renamed, its plies counted on.
fn image(position: &Bacteria, cell: impl Fn(usize) -> usize, sides: [Side; 2], plies: u32) -> Bacteria {
    let cells = sides.map(|side| Cells(position.cells(side)).fold(0, |set, from| set | bit(cell(from))));
    let image = Bacteria::from_cells(cells, (position.ply() + plies) as u16).expect("an image is a position");
    image.with_half_moves(position.half_moves())
}

/// Where a row and a column are mapped.
type Symmetry = fn(usize, usize) -> (usize, usize);

#[test]
fn the_rules_know_no_direction() {
    const LAST: usize = WIDTH - 1;
    let symmetries: [Symmetry; 8] = [
        |row, column| (row, column),
        |row, column| (row, LAST - column),
        |row, column| (LAST - row, column),
        |row, column| (LAST - row, LAST - column),
        |row, column| (column, row),
        |row, column| (column, LAST - row),
        |row, column| (LAST - column, row),
        |row, column| (LAST - column, LAST - row),
    ];
    for symmetry in symmetries {
        let cell = |from: usize| {
            let (row, column) = symmetry(from / WIDTH, from % WIDTH);
            row * WIDTH + column
        };
        laws::symmetric(&Bacteria::start(), 3, 11, |position| image(position, cell, Side::BOTH, 0), |outcome| outcome);
    }
}

#[test]
fn the_rules_know_no_colour() {
    // With the colours swapped the other side moves, so the image is one ply ahead and would meet the limit first:
    // these games end before that.
    let swapped = [Side::Second, Side::First];
    let outcome = |outcome| match outcome {
        Outcome::Win(side) => Outcome::Win(side.other()),
        Outcome::Draw => Outcome::Draw,
    };
    for fen in [FENS[2], FENS[5], FENS[6], FENS[7]] {
        laws::symmetric(&dish(fen), 5, 13, |position| image(position, |cell| cell, swapped, 1), outcome);
    }
}

#[test]
fn different_positions_have_different_hashes() {
    let mut known = HashMap::new();
    let mut stream = Stream::new(5, "hashes");
    for _ in 0..2_000 {
        let position = random_dish(&mut stream);
        for m in legal_moves(&position) {
            let next = after(&position, m);
            let what = (Side::BOTH.map(|side| next.cells(side)), next.turn());
            assert_eq!(*known.entry(next.hash()).or_insert(what), what, "hash {:x}", next.hash());
        }
    }
    assert!(known.len() > 10_000, "{} positions are too few", known.len());
}

#[test]
fn hashes_do_not_count_plies() {
    let cells = Side::BOTH.map(|side| Bacteria::start().cells(side));
    let hash = |ply| Bacteria::from_cells(cells, ply).unwrap().hash();
    assert_eq!(hash(0), hash(2));
    assert_ne!(hash(0), hash(1));
}

/// How a game in this position has ended.
fn check_end(fen: &str, end: Option<(Outcome, &str)>) {
    let position = dish(fen);
    let found = position.outcome().map(|outcome| (outcome, position.end_reason().unwrap().to_string()));
    assert_eq!(found, end.map(|(outcome, reason)| (outcome, reason.to_owned())), "{fen}");
    assert_eq!(legal_moves(&position).is_empty(), end.is_some(), "{fen}");
}

#[test]
fn games_end_as_the_rules_say() {
    let (first, second) = (Outcome::Win(Side::First), Outcome::Win(Side::Second));
    check_end("x5o/7/7/7/7/7/o5x x 0 1", None);
    check_end("x6/7/7/7/7/7/7 x 0 1", Some((first, "X has vanished")));
    check_end("x6/7/7/7/7/7/7 o 0 1", Some((first, "X has vanished")));
    check_end("o6/7/7/7/7/7/7 x 0 1", Some((second, "O has vanished")));
    check_end("7/7/7/7/7/7/7 x 0 1", Some((Outcome::Draw, "both kinds have vanished")));
    check_end("xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/ooooooo/ooooooo/ooooooo o 0 1", Some((first, "no empty cell is left")));
    check_end("xxxxxxx/xxxxxxx/xxxxxxx/xxxoooo/ooooooo/ooooooo/ooooooo o 0 1", Some((second, "no empty cell is left")));
    check_end("ooooooo/ooooooo/ooooooo/ooooooo/ooooooo/ooooooo/ooooooo o", Some((second, "O has vanished")));
    check_end("xx5/7/7/7/7/7/6o o 0 200", None);
    check_end("xx5/7/7/7/7/7/6o x 0 201", Some((first, "both sides have acted 200 times")));
    check_end("x6/7/7/7/7/7/6o x 0 201", Some((Outcome::Draw, "both sides have acted 200 times")));
}

#[test]
fn the_limit_of_plies_is_met_by_playing() {
    // Two lone bacteria that leap to and fro, out of each other's reach.
    let mut position = dish("x6/7/7/7/7/7/6o x 0 1");
    let texts = ["1 1 1 3", "7 7 7 5", "1 3 1 1", "7 5 7 7"];
    for ply in 0..PLY_LIMIT {
        assert_eq!((position.ply(), position.outcome()), (u32::from(ply), None));
        let m = position.read_move(texts[usize::from(ply) % 4]).unwrap();
        position.play_unchecked(m, &mut ());
    }
    assert_eq!(position.to_string(), "x6/7/7/7/7/7/6o x 400 201");
    assert_eq!(position.outcome(), Some(Outcome::Draw));
}

#[test]
fn a_pass_changes_only_whose_turn_it_is() {
    let position = dish("7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1");
    assert_eq!(legal_moves(&position), [Move::PASS]);
    let next = after(&position, Move::PASS);
    assert_eq!(next.to_string(), "7/7/7/7/ooooooo/ooooooo/xxxxxxx o 1 1");
}

/// Whole random games: if these change, so have the rules, the order of the moves or the random numbers.
#[test]
fn seeded_games_end_as_they_always_have() {
    for (seed, end) in [
        (1, "ooooxxx/xooooxx/xoooooo/ooooooo/ooxxxoo/ooxxxoo/xxxxxoo o 0 111"),
        (2, "oooxxxx/oooxxxx/oxxxxxx/xxxxxox/oxxxxox/ooxxooo/ooxxooo x 0 102"),
        (3, "oooxxxx/ooxxxxx/ooxxxxx/ooxxxoo/xxooooo/oooooxx/xxooooo o 0 78"),
    ] {
        let mut stream = Stream::new(seed, "golden");
        let mut position = Bacteria::start();
        while position.outcome().is_none() {
            let moves = legal_moves(&position);
            position = after(&position, moves[stream.below(moves.len())]);
        }
        assert_eq!(position.to_string(), end, "seed {seed}");
    }
}

#[test]
fn a_dish_is_drawn_with_its_last_move() {
    let mut state = Alternating::new(dish("x1o4/7/7/7/7/7/o5x x 0 1"));
    assert_eq!(state.answer("1 1 2 2").unwrap(), "1 1 2 2");
    let view = state.view();
    assert_eq!((view.rows, view.columns, view.seats), (7, 7, ["O", "X"]));
    let glyphs: String = view.cells.iter().map(|cell| cell.glyph).collect();
    assert_eq!(&glyphs[..14], "O.O.....O.....");
    let marks: Vec<_> = (0..CELLS).filter_map(|cell| Some((cell, view.cells[cell].mark?))).collect();
    assert_eq!(marks, [(2, Mark::Captured), (8, Mark::Placed)]);
    assert_eq!(state.score(), Some([GameScore::from(4), GameScore::from(1)]));
    assert_eq!(view.gauges[0].amounts, state.score().unwrap());

    state.answer("7 1 5 3").unwrap();
    let view = state.view();
    let marks: Vec<_> = (0..CELLS).filter_map(|cell| Some((cell, view.cells[cell].mark?))).collect();
    assert_eq!(marks, [(30, Mark::Placed), (42, Mark::Vacated)]);
}
