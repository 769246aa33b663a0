//! The opening books of renju: their files, their answers, and the champion that plays by them.

use std::time::Duration;

use agon_engines::renju::Champion;
use agon_engines::renju::book::notation::{read_cell, read_stones};
use agon_engines::renju::book::{EXAMPLE, FourthStatus, PractisedBook, ProvedBook, Symmetry};
use agon_game::{Position, Side, TimeControl};
use agon_rules::renju::{Move, Point, PointSet, Renju, Stones};
use agon_search::{Engine, SearchLimits, Task};

fn stones(text: &str) -> Stones {
    read_stones(text).expect(text)
}

#[test]
fn books_are_read_as_they_are_written() {
    let example: ProvedBook = EXAMPLE.parse().expect("a book");
    assert_eq!((example.len(), example.openings.len()), (2, 1));
    let opening = &example.openings[0];
    let status = |text: &str| {
        let fourth = opening.fourths.iter().find(|fourth| fourth.cell == read_cell(text)).expect(text);
        fourth.status
    };
    assert_eq!(
        (status("A1"), status("G9"), status("H7")),
        (FourthStatus::Refuted, FourthStatus::Open(Some(31)), FourthStatus::Open(None))
    );
    let own = ProvedBook::own().expect("the program's book");
    for book in [&example, own] {
        assert_eq!(book.to_string().parse().as_ref(), Ok(book));
    }
    assert_eq!(example.to_string(), EXAMPLE);
}

#[test]
fn what_is_no_book_is_refused() {
    let check = |text: &str, expected: &str| {
        let error = text.parse::<ProvedBook>().expect_err(text).to_string();
        assert!(error.contains(expected) && error.lines().count() == 1, "{error}");
    };
    check("", "`` is not the first line of a book");
    check("agon renju book 2\nmoves 0\n", "`agon renju book 2` is not the first line");
    check(&EXAMPLE.replace("H6", "H7"), "the book is damaged: its last line is not `sum ");
    check(&EXAMPLE[..EXAMPLE.len() - 9], "the book is damaged");
    check(&EXAMPLE.replace("sum", "mus"), "the book is damaged");
    // Well kept, but wrong.
    let resealed = |from: &str, to: &str| {
        let text = EXAMPLE.replace(from, to);
        let error = text.parse::<ProvedBook>().expect_err("the sum is wrong").to_string();
        let sum = error.split("sum ").nth(1).and_then(|rest| rest.split('`').next()).expect("the sum");
        let body = text.rfind("sum ").expect("a last line");
        format!("{}sum {sum}\n", &text[..body])
    };
    check(&resealed("opening H8I7/I9", "opening H8I7"), "line 2, `opening H8I7`, has no place in a book");
    check(&resealed("opening H8I7/I9", "opening H8I7/I7"), "line 2");
    check(&resealed("refuted A1", "refuted H8"), "line 3, `refuted H8 PASS`");
    check(&resealed("G9:31", "G9:x"), "line 4");
    check(&resealed("moves 2", "moves 3"), "line 8");
    check(&resealed("moves 2", "moves 1"), "line 7, `H8I7/I9A1 H6`, has no place");
    check(&resealed("A1 H6", "A1 A1"), "line 7");
    check(&resealed("A1 H6", "A1 P6"), "line 7");
}

/// However the board is turned, the book's move turns with it; White's are not answered.
#[test]
fn the_book_knows_positions_from_all_sides() {
    let book: ProvedBook = EXAMPLE.parse().expect("a book");
    let before = stones("H8I7/I9A1");
    for symmetry in Symmetry::ALL {
        let turned = symmetry.stones(&before);
        let position = turned.position(Side::First).expect("a position");
        let reply = book.reply(&position).and_then(Move::point).map(|point| point.index() as u8);
        assert_eq!(reply, read_cell("H6").map(|cell| symmetry.cell(cell)), "{position}");
        assert!(!book.ends_at(&position), "{position}");
        let after = symmetry.stones(&before.with(Side::First, read_cell("H6").expect("a point")));
        for behind in [after, after.with(Side::Second, 7)] {
            assert!(book.ends_at(&behind.position(Side::First).expect("a position")), "{behind}");
        }
    }
    let white = Renju::after(&["H8", "I9", "I7"].map(|m| Move::from_letters(m).expect(m))).expect("an opening");
    assert_eq!((book.reply(&white), book.ends_at(&white)), (None, false));
    // Not all fourth moves were examined, so nothing is known about them.
    assert_eq!((book.hardest(&white), book.second()), (None, None));
    let looked_at: Vec<_> = book.openings[0].fourths.iter().filter(|fourth| fourth.cell != read_cell("H7")).collect();
    let mut surveyed = book.openings[0].clone();
    surveyed.fourths = looked_at.into_iter().copied().collect();
    let surveyed = ProvedBook::new(vec![surveyed], std::collections::HashMap::default());
    assert_eq!(surveyed.hardest(&white).map(Move::letters).as_deref(), Some("G9"));
    assert_eq!(surveyed.second().map(Move::letters).as_deref(), Some("I9"));
}

/// In the book it plays at once, beyond it by winning threats; a weaker level does not look.
#[test]
fn the_champion_plays_by_the_book() {
    let book = ProvedBook::own().expect("the program's book");
    let fourth = book.openings.iter().find_map(|opening| {
        let refuted =
            opening.fourths.iter().find(|fourth| fourth.status == FourthStatus::Refuted && fourth.cell.is_some())?;
        Some(opening.after(refuted))
    });
    let mut position = fourth.expect("a refuted move").position(Side::First).expect("a position");
    let mut champion = Champion::default().limited(SearchLimits::nodes(600_000));
    let clock = |ms| TimeControl::sudden_death(Duration::from_millis(ms));
    let m = champion.best_move(&position, &Task::clock(clock(10))).expect("not over");
    assert_eq!(Some(m), book.reply(&position));
    // White answers far from everything; then it is soon over.
    for (moves, answer) in
        ["O1", "A1", "O15", "A15", "O7", "A7", "G1", "G15", "C1", "M1", "C15", "M15"].iter().enumerate()
    {
        let m = champion.best_move(&position, &Task::clock(clock(60_000))).expect("not over");
        position.play_unchecked(m, &mut ());
        if position.outcome().is_some() {
            break;
        }
        let answer = Move::from_letters(answer).expect("a point");
        let fives = position.board().empties().iter().filter(|&point| position.board().wins(Side::First, point));
        let otherwise = if position.check(answer).is_ok() { answer } else { Move::Pass };
        let answer = fives.map(Move::Stone).next().unwrap_or(otherwise);
        position.play_unchecked(answer, &mut ());
        assert!(moves < 10, "no win in {position}");
    }
    assert_eq!(position.outcome(), Some(agon_game::Outcome::Win(Side::First)));
}

#[test]
fn practised_books_are_read_as_they_are_written_and_known_from_all_sides() {
    let book = PractisedBook::new([(stones("H8I7/I9"), 96), (stones("H8I7/H7I9"), 97)].into());
    assert_eq!(book.to_string().parse::<PractisedBook>().as_ref(), Ok(&book));
    assert!(book.to_string().replace("moves 2", "moves 1").parse::<PractisedBook>().is_err());
    assert!("agon renju book 1\n".parse::<PractisedBook>().is_err());
    let position = |moves: &str| {
        let moves: Vec<Move> = moves.split(' ').map(|text| Move::from_letters(text).expect(text)).collect();
        Renju::after(&moves).map_err(|(_, error)| error).expect("legal moves")
    };
    let reply = |moves: &str| book.reply(&position(moves)).map(Move::letters);
    let expected = Point::from_index(96).expect("a point").letters();
    assert_eq!(reply("H8 I9 I7"), Some(expected));
    // The left is the right, and the move with it.
    let mirrored = reply("H8 G9 G7").expect("the mirror image");
    assert_eq!(mirrored, Point::from_index(96 / 15 * 15 + 14 - 96 % 15).expect("a point").letters());
    // The same stones with the other side to move are another position.
    assert_eq!(reply("H8 I9 I7 PASS"), None);
    assert_eq!(reply("H8 I9 I6"), None);
}

/// Every move of the champion's book is legal, and played.
#[test]
fn the_champions_practised_book_can_be_played() {
    let book = PractisedBook::own().expect("the program's book");
    for (stones, cell) in book.moves().iter() {
        let points = |cells: PointSet| -> Vec<Point> {
            cells.iter().filter_map(|cell| Point::from_index(cell.into())).collect()
        };
        let turn = if stones.black.len() == stones.white.len() { Side::First } else { Side::Second };
        let position = Renju::from_stones(&points(stones.black), &points(stones.white), turn).expect("a position");
        let m = book.reply(&position).unwrap_or_else(|| panic!("no legal move in {position}"));
        assert_eq!(m.point().map(|point| point.index() as u8), Some(cell), "{position}");
    }
    // Both sides have moves, and play them at once.
    let proved = ProvedBook::own().expect("the program's book");
    for (side, stones) in [(Side::First, 2), (Side::Second, 3)] {
        let found = book.moves().iter().filter(|(found, _)| found.len() == stones);
        let positions = found.map(|(stones, _)| stones.position(side).expect("a position"));
        // Proved moves come first.
        let practised = positions.filter(|at| proved.reply(at).or_else(|| proved.hardest(at)).is_none());
        let position = practised.min_by_key(ToString::to_string).expect("a position");
        let answer = book.reply(&position).expect("a move");
        let task = Task::clock(TimeControl::sudden_death(Duration::from_secs(2)));
        assert_eq!(Champion::default().best_move(&position, &task), Some(answer), "{position}");
    }
    // Black has answers to most moves worth trying.
    let fourths = book.moves().iter().filter(|(stones, _)| (stones.black.len(), stones.white.len()) == (2, 2));
    assert!(fourths.count() > 20, "Black's answers to fourth moves");
}
