//! The opening book of renju: its file, its proofs, its growth, and the champion who plays by it.

use std::time::Duration;

use agon_engines::Chooser;
use agon_engines::renju::book::leaf::{self, examine};
use agon_engines::renju::book::notation::{read_cell, read_stones};
use agon_engines::renju::book::tree::{Growing, Tree};
use agon_engines::renju::book::verify::Verifier;
use agon_engines::renju::book::{self, Answer, Book, EXAMPLE, State, Symmetry};
use agon_engines::renju::reliance::{Plan, Prover, Stones};
use agon_engines::renju::{Champion, Threats, proof};
use agon_game::seed::Stream;
use agon_game::{Budget, Position, Side};
use agon_rules::renju::{Move, Point, Renju};
use agon_search::{Limits, Stop};

/// A position with White to move in which a PASS loses, though not to threats alone.
const LATE: &str = "J10H8C7E7F7K7B6F6G6J6/J9E8G7A6C6D6E6E5F4G3";

fn stones(text: &str) -> Stones {
    read_stones(text).expect(text)
}

fn slow() -> bool {
    std::env::var_os("AGON_SLOW").is_some()
}

#[test]
fn books_are_read_as_they_are_written() {
    let example: Book = EXAMPLE.parse().expect("a book");
    assert_eq!((example.len(), example.openings.len()), (2, 1));
    let opening = &example.openings[0];
    let state = |text: &str| {
        let fourth = opening.fourths.iter().find(|fourth| fourth.cell == read_cell(text)).expect(text);
        fourth.state
    };
    assert_eq!((state("A1"), state("G9"), state("H7")), (State::Refuted, State::Open(Some(31)), State::Open(None)));
    let own = Book::own().expect("the program's book");
    for book in [&example, own] {
        assert_eq!(book.to_string().parse().as_ref(), Ok(book));
    }
    assert_eq!(example.to_string(), EXAMPLE);
}

#[test]
fn what_is_no_book_is_refused() {
    let check = |text: &str, told: &str| {
        let error = text.parse::<Book>().expect_err(text).to_string();
        assert!(error.contains(told) && error.lines().count() == 1, "{error}");
    };
    check("", "`` is not the first line of a book");
    check("agon renju book 2\nmoves 0\n", "`agon renju book 2` is not the first line");
    check(&EXAMPLE.replace("H6", "H7"), "the book is damaged: its last line is not `sum ");
    check(&EXAMPLE[..EXAMPLE.len() - 9], "the book is damaged");
    check(&EXAMPLE.replace("sum", "mus"), "the book is damaged");
    // Well kept, but wrong.
    let resealed = |from: &str, to: &str| {
        let text = EXAMPLE.replace(from, to);
        let error = text.parse::<Book>().expect_err("the sum is wrong").to_string();
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
    let book: Book = EXAMPLE.parse().expect("a book");
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
    // Not all fourth moves were looked at, so nothing is said of them.
    assert_eq!((book.hardest(&white), book.second()), (None, None));
    let looked_at: Vec<_> = book.openings[0].fourths.iter().filter(|fourth| fourth.cell != read_cell("H7")).collect();
    let mut surveyed = book.openings[0].clone();
    surveyed.fourths = looked_at.into_iter().copied().collect();
    let surveyed = Book::new(vec![surveyed], std::collections::HashMap::default());
    assert_eq!(surveyed.hardest(&white).map(Move::letters).as_deref(), Some("G9"));
    assert_eq!(surveyed.second().map(Move::letters).as_deref(), Some("I9"));
}

fn plan(threats: &mut Threats, stones: &Stones) -> Option<Plan> {
    leaf::plan(threats, stones, 100_000)
}

/// The heart of the proofs: white stones where a win does not rely on them change nothing. Of them as many are added as the
/// rank says, and the win is proved anew against every answer.
#[test]
fn stones_that_a_win_does_not_rely_on_change_nothing() {
    let positions = include_str!("../../rules/tests/data/renju/vcf_none.jsonl").lines();
    let (nodes, each) = if slow() { (2_000, 4) } else { (60, 1) };
    let mut stream = Stream::new(7, "stones");
    let mut tried = [0; 3];
    for text in positions {
        let line: serde_json::Value = serde_json::from_str(text).expect("a line of JSON");
        let points = |key: &str| -> Vec<Point> {
            let pairs = line[key].as_array().expect(key).iter();
            pairs.filter_map(|pair| Point::new(pair[0].as_u64()?, pair[1].as_u64()?)).collect()
        };
        let stones =
            Stones { black: points("black").into_iter().collect(), white: points("white").into_iter().collect() };
        let Ok(reliance) = examine(&stones, nodes) else { continue };
        for rank in 1..=3 {
            let free: Vec<u8> = stones.empties().without(reliance.at(rank)).iter().collect();
            for _ in 0..if free.len() < rank { 0 } else { each } {
                let added =
                    (0..rank).fold(stones, |stones, _| stones.with(Side::Second, free[stream.below(free.len())]));
                let Some(position) = added.position(Side::First) else { continue };
                let mut threats = Threats::new(1 << 20);
                let mut attack = |position: &Renju| match plan(&mut threats, &Stones::of(position.board()))? {
                    Plan::Fours(line) => Point::from_index((*line.first()?).into()).map(Move::Stone),
                    Plan::Stone(cell) => Point::from_index(cell.into()).map(Move::Stone),
                    Plan::Proved(_) => None,
                };
                proof::verify(&position, 50_000, &mut attack).unwrap_or_else(|error| panic!("{error}: {added}"));
                tried[rank - 1] += 1;
            }
        }
    }
    assert!(tried.iter().all(|&tried| tried > 15), "{tried:?}");
}

/// A prover that takes anything for a proof would prove nothing.
#[test]
fn plans_that_do_not_win_are_refused() {
    let cell = |text: &str| read_cell(text).expect(text);
    let check = |text: &str, plan: Plan, told: &str| {
        let mut plans = vec![plan];
        let error = Prover::new(100, |_: &Stones| plans.pop()).prove(&stones(text)).expect_err(text).to_string();
        assert!(error.starts_with(told), "{error}");
    };
    let three = "F8G8H8/A1B1";
    check(three, Plan::Stone(cell("H8")), "a stone on H8 does not win in");
    check(three, Plan::Stone(cell("O15")), "no winning move is known in");
    check("F8G8H8/D8B1", Plan::Stone(cell("E8")), "no winning move is known in 15/15/15/15/15/15/15/3WBBBBW6/");
    check(three, Plan::Fours(vec![cell("A15")]), "no winning move");
    check(three, Plan::Fours(Vec::new()), "no winning move");
    check("F8G8H8/A1B1C1D1", Plan::Fours(vec![cell("E8")]), "a stone on E8 does not win");
    // A four that is stopped.
    check("F8G8H8/E8B1", Plan::Fours(vec![cell("I8"), cell("J8")]), "no winning move");
    // Two threes are forbidden.
    check("H8I8J9J10/A1B1", Plan::Stone(cell("J8")), "a stone on J8 does not win");
    assert!(Prover::new(100, |_: &Stones| Some(Plan::Fours(vec![cell("E8")]))).prove(&stones(three)).is_ok());
    let mut none = Prover::new(0, |_: &Stones| Some(Plan::Fours(vec![cell("E8")])));
    assert_eq!(
        none.prove(&stones(three)).expect_err("a limit").to_string(),
        "the proof has more than 0 moves of Black's"
    );
}

#[test]
fn answers_are_read_as_they_are_written() {
    for line in ["won H8I7/I9 40000", "open H8/ 7", "quiet / 1", "rely H8I7/I9 A15O1", "try H8/I9 H6G5", "try H8/I9 "] {
        assert_eq!(line.parse::<Answer>().expect(line).to_string(), line);
    }
    for line in [
        "",
        "won",
        "won H8I7/I9",
        "lost H8/I9 1",
        "won H8/H8 1",
        "won H8 1",
        "won H8/I9 x",
        "try H8/I9 P1",
        "won H8/I9 1 2",
    ] {
        assert!(line.parse::<Answer>().is_err(), "{line}");
    }
}

/// Grows a tree for so many steps at most, from what is known; returns it with all that was found out.
fn grow(known: &[Answer], steps: usize, jobs: usize) -> (Book, Vec<Answer>) {
    let mut found = known.to_vec();
    let mut tree = Tree::new(&[stones(LATE)], known.to_vec());
    let mut keep = |answer: &Answer| found.push(answer.clone());
    let mut growing = Growing { keep: &mut keep, jobs, stop: Stop::default() };
    for _ in 0..steps {
        if tree.progress().refuted > 0 || !tree.step(&mut growing) {
            break;
        }
    }
    (tree.book(), found)
}

#[test]
fn a_book_grows_goes_on_and_is_verified() {
    let (book, found) = grow(&[], 20, 2);
    assert_eq!((book.openings[0].refuted(), book.len()), (1, 1));
    // Stopped half-way, it becomes the same book, without asking again what is known.
    let (again, rest) = grow(&found[..found.len() / 2], 20, 1);
    assert_eq!((&again, rest.len()), (&book, found.len()));

    let verifier = Verifier::new(&book);
    let claims = verifier.claims();
    assert_eq!(claims, [stones(LATE)]);
    assert_eq!(verifier.verify(&claims[0]), Ok(()));
    assert!(verifier.proved() > 20, "{}", verifier.proved());
    // Another move does not win.
    let played = book.exact(&claims[0]).expect("a move");
    let spoilt = claims[0].empties().iter().find(|&cell| cell != played).expect("a point");
    let spoilt = Book::new(book.openings.clone(), [(claims[0], spoilt)].into());
    assert!(Verifier::new(&spoilt).verify(&claims[0]).is_err());
}

/// Of the champion's book a sample: after Black's move and any answer the book goes on or the search for threats wins. With
/// `AGON_SLOW` one fourth move is verified altogether; all of them take `agon book renju --verify`.
#[test]
fn the_champions_book_holds() {
    let book = Book::own().expect("the program's book");
    let openings: Vec<Stones> = book.openings.iter().map(|opening| opening.stones).collect();
    assert_eq!(openings, book::openings());
    let verifier = Verifier::new(book);
    let claims = verifier.claims();
    assert!(claims.iter().all(|claim| book.exact(claim).is_some()), "every refuted move has an answer");
    let mut stream = Stream::new(3, "sample");
    for _ in 0..if slow() { 40 } else { 6 } {
        let claim = claims[stream.below(claims.len())];
        let position = claim.position(Side::First).expect("a position");
        let m = book.reply(&position).expect("a legal move");
        let after = claim.with(Side::First, m.point().expect("a stone").index() as u8);
        let answers: Vec<u8> = after.empties().iter().collect();
        let answered = after.with(Side::Second, answers[stream.below(answers.len())]);
        let won = book.exact(&answered).is_some() || examine(&answered, leaf::NODES).is_ok();
        assert!(won, "{answered}");
    }
    if slow() {
        let smallest = claims.first().expect("a claim");
        assert_eq!(verifier.verify(smallest), Ok(()), "{smallest}");
    }
}

/// In the book it plays at once, behind it by the threats that win; a weaker level does not look.
#[test]
fn the_champion_plays_by_the_book() {
    let book = Book::own().expect("the program's book");
    let fourth = book.openings.iter().find_map(|opening| {
        let refuted = opening.fourths.iter().find(|fourth| fourth.state == State::Refuted && fourth.cell.is_some())?;
        Some(opening.after(refuted))
    });
    let mut position = fourth.expect("a refuted move").position(Side::First).expect("a position");
    let mut champion = Champion::default().limited(Limits::nodes(600_000));
    let budget = |ms| Budget { mine: Duration::from_millis(ms), theirs: Duration::ZERO };
    let m = champion.choose(&position, budget(10));
    assert_eq!(Some(m), book.reply(&position));
    // White answers far from everything; then it is soon over.
    for (moves, answer) in
        ["O1", "A1", "O15", "A15", "O7", "A7", "G1", "G15", "C1", "M1", "C15", "M15"].iter().enumerate()
    {
        let m = champion.choose(&position, budget(60_000));
        position.play(m, &mut ());
        if position.outcome().is_some() {
            break;
        }
        let answer = Move::from_letters(answer).expect("a point");
        let fives = proof::fives(&position, Side::First);
        let answer = fives.first().copied().unwrap_or(if position.check(answer).is_ok() { answer } else { Move::Pass });
        position.play(answer, &mut ());
        assert!(moves < 10, "no win in {position}");
    }
    assert_eq!(position.outcome(), Some(agon_game::Outcome::Win(Side::First)));
}
