//! The proved opening book of renju: its proofs and its growth.

use agon_engines::renju::Threats;
use agon_engines::renju::book::notation::{read_cell, read_stones};
use agon_engines::renju::book::{self, LEAF_NODES, ProvedBook};
use agon_game::Side;
use agon_game::seed::Stream;
use agon_jobs::Stop;
use agon_proof::BookJob;
use agon_proof::proved::tree::GrowthContext;
use agon_proof::proved::verify::claims;
use agon_proof::proved::{self, BookVerifier, Finding, ProofTree};
use agon_proof::threat_win::{ProvedWin, prove_by_threats, threat_plan};
use agon_proof::verifier::{WinPlan, ZoneProver, exhaustive};
use agon_rules::renju::{Move, Point, Renju, Stones};

/// A position with White to move in which a PASS loses, though not to threats alone.
const LATE: &str = "J10H8C7E7F7K7B6F6G6J6/J9E8G7A6C6D6E6E5F4G3";

fn stones(text: &str) -> Stones {
    read_stones(text).expect(text)
}

fn slow() -> bool {
    std::env::var_os("AGON_SLOW").is_some()
}

fn plan(threats: &mut Threats, stones: &Stones) -> Option<WinPlan> {
    threat_plan(threats, stones, 100_000)
}

/// The heart of the proofs: white stones where a win does not rely on them change nothing. As many of them are added as
/// the rank says, and the win is proved again against every answer.
#[test]
fn stones_that_a_win_does_not_rely_on_change_nothing() {
    let positions = include_str!("../../../rules/tests/data/renju/vcf_none.jsonl").lines();
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
        let Ok(ProvedWin { zone, .. }) = prove_by_threats(&stones, nodes) else { continue };
        for rank in 1..=3 {
            let free: Vec<u8> = stones.empties().without(zone.at(rank)).iter().collect();
            for _ in 0..if free.len() < rank { 0 } else { each } {
                let added =
                    (0..rank).fold(stones, |stones, _| stones.with(Side::Second, free[stream.below(free.len())]));
                let Some(position) = added.position(Side::First) else { continue };
                let mut threats = Threats::new(1 << 20);
                let mut attack = |position: &Renju| match plan(&mut threats, &Stones::from_board(position.board()))? {
                    WinPlan::Fours(line) => Point::from_index((*line.first()?).into()).map(Move::Stone),
                    WinPlan::Stone(cell) => Point::from_index(cell.into()).map(Move::Stone),
                    WinPlan::Proved(_) => None,
                };
                exhaustive::verify(&position, 50_000, &mut attack).unwrap_or_else(|error| panic!("{error}: {added}"));
                tried[rank - 1] += 1;
            }
        }
    }
    assert!(tried.iter().all(|&tried| tried > 15), "{tried:?}");
}

/// A prover that accepts anything as a proof would prove nothing.
#[test]
fn plans_that_do_not_win_are_refused() {
    let cell = |text: &str| read_cell(text).expect(text);
    let check = |text: &str, plan: WinPlan, expected: &str| {
        let mut plans = vec![plan];
        let error = ZoneProver::new(100, |_: &Stones| plans.pop()).prove(&stones(text)).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    let three = "F8G8H8/A1B1";
    check(three, WinPlan::Stone(cell("H8")), "a stone on H8 does not win in");
    check(three, WinPlan::Stone(cell("O15")), "no winning move is known in");
    check("F8G8H8/D8B1", WinPlan::Stone(cell("E8")), "no winning move is known in 15/15/15/15/15/15/15/3WBBBBW6/");
    check(three, WinPlan::Fours(vec![cell("A15")]), "no winning move");
    check(three, WinPlan::Fours(Vec::new()), "no winning move");
    check("F8G8H8/A1B1C1D1", WinPlan::Fours(vec![cell("E8")]), "a stone on E8 does not win");
    // A four that is stopped.
    check("F8G8H8/E8B1", WinPlan::Fours(vec![cell("I8"), cell("J8")]), "no winning move");
    // Two threes are forbidden.
    check("H8I8J9J10/A1B1", WinPlan::Stone(cell("J8")), "a stone on J8 does not win");
    assert!(ZoneProver::new(100, |_: &Stones| Some(WinPlan::Fours(vec![cell("E8")]))).prove(&stones(three)).is_ok());
    let mut none = ZoneProver::new(0, |_: &Stones| Some(WinPlan::Fours(vec![cell("E8")])));
    assert_eq!(
        none.prove(&stones(three)).expect_err("a limit").to_string(),
        "the proof has more than 0 moves of Black's"
    );
}

#[test]
fn findings_are_read_as_they_are_written() {
    for line in ["won H8I7/I9 40000", "open H8/ 7", "quiet / 1", "rely H8I7/I9 A15O1", "try H8/I9 H6G5", "try H8/I9 "] {
        assert_eq!(line.parse::<Finding>().expect(line).to_string(), line);
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
        assert!(line.parse::<Finding>().is_err(), "{line}");
    }
}

/// Grows a tree for at most `steps` steps, from what is known; returns it with all findings.
fn grow(known: &[Finding], steps: usize, threads: usize) -> (ProvedBook, Vec<Finding>) {
    let mut found = known.to_vec();
    let mut tree = ProofTree::new(&[stones(LATE)], known.to_vec());
    let mut record = |finding: &Finding| found.push(finding.clone());
    let mut growth = GrowthContext { record: &mut record, threads, stop: Stop::default() };
    for _ in 0..steps {
        if tree.counts().refuted > 0 || !tree.step(&mut growth) {
            break;
        }
    }
    (tree.book(), found)
}

#[test]
fn a_book_grows_goes_on_and_is_verified() {
    let (book, found) = grow(&[], 20, 2);
    assert_eq!((book.openings[0].refuted(), book.len()), (1, 1));
    // Stopped half-way, it becomes the same book, without repeating what is known.
    let (again, rest) = grow(&found[..found.len() / 2], 20, 1);
    assert_eq!((&again, rest.len()), (&book, found.len()));

    let verifier = BookVerifier::new(&book);
    let claims = claims(&book, None);
    assert_eq!(claims, [stones(LATE)]);
    assert_eq!(verifier.verify(&claims[0]), Ok(()));
    assert!(verifier.proved() > 20, "{}", verifier.proved());
    // Another move does not win.
    let played = book.exact(&claims[0]).expect("a move");
    let spoilt = claims[0].empties().iter().find(|&cell| cell != played).expect("a point");
    let spoilt = ProvedBook::new(book.openings.clone(), [(claims[0], spoilt)].into());
    assert!(BookVerifier::new(&spoilt).verify(&claims[0]).is_err());
}

/// A book without its work file continues from its own contents, and a later run, which has the work file, knows those
/// too.
#[test]
fn a_book_without_its_work_file_is_not_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let job = BookJob { searches: Some(0), ..BookJob::new(&folder.path().join("grown.book")) };
    let own = ProvedBook::own().expect("the program's book");
    std::fs::write(&job.book, own.to_string()).unwrap();
    // Nothing is searched, and nothing of the book is lost, with the new work file too.
    for _ in 0..2 {
        // As text: a book lists its refuted moves first, a tree those far from the centre.
        let grown = proved::grow(&job, &Stop::default(), &()).unwrap();
        assert_eq!(grown.to_string(), own.to_string());
        assert_eq!(grown.moves(), own.moves());
        assert_eq!(std::fs::read_to_string(&job.book).unwrap(), own.to_string());
    }
    let work = std::fs::read_to_string(&job.work).unwrap();
    let moves = |finding: Finding| match finding {
        Finding::Moves(stones, cells) => Some((stones, cells)),
        _ => None,
    };
    let known = work.lines().filter_map(|line| moves(line.parse().expect(line))).collect::<Vec<_>>();
    assert_eq!(known.len(), own.len());
    assert!(known.iter().all(|(stones, cells)| own.exact(stones) == cells.first().copied()));
}

#[test]
fn one_opening_alone_is_searched() {
    let folder = tempfile::tempdir().unwrap();
    let job = BookJob { searches: Some(3), opening: Some(1), ..BookJob::new(&folder.path().join("grown.book")) };
    let book = proved::grow(&job, &Stop::default(), &()).unwrap();
    assert_eq!(book.openings.len(), 2, "the other one stays in the book");
    let work = std::fs::read_to_string(&job.work).unwrap();
    let spent = |line: &str| match line.parse().expect(line) {
        Finding::Spent(stones, _) => Some(stones),
        _ => None,
    };
    let [_, kagetsu] = book::openings()[..] else { panic!("two openings") };
    let fourths: Vec<Stones> = kagetsu.empties().iter().map(|cell| kagetsu.with(Side::Second, cell)).collect();
    let spent: Vec<Stones> = work.lines().filter_map(spent).collect();
    assert!(!spent.is_empty());
    assert!(spent.iter().all(|stones| *stones == kagetsu || fourths.contains(stones)), "{spent:?}");
}

/// A sample of the champion's book: after Black's move and any answer the book continues or the search for threats
/// wins. With `AGON_SLOW` one fourth move is verified completely; `agon book renju --verify` verifies all of them.
#[test]
fn the_champions_book_holds() {
    let book = ProvedBook::own().expect("the program's book");
    let openings: Vec<Stones> = book.openings.iter().map(|opening| opening.stones).collect();
    assert_eq!(openings, book::openings());
    let verifier = BookVerifier::new(book);
    let claims = claims(book, None);
    assert!(claims.iter().all(|claim| book.exact(claim).is_some()), "every refuted move has an answer");
    let mut stream = Stream::new(3, "sample");
    for _ in 0..if slow() { 40 } else { 6 } {
        let claim = claims[stream.below(claims.len())];
        let position = claim.position(Side::First).expect("a position");
        let m = book.reply(&position).expect("a legal move");
        let after = claim.with(Side::First, m.point().expect("a stone").index() as u8);
        let answers: Vec<u8> = after.empties().iter().collect();
        let answered = after.with(Side::Second, answers[stream.below(answers.len())]);
        let won = book.exact(&answered).is_some() || prove_by_threats(&answered, LEAF_NODES).is_ok();
        assert!(won, "{answered}");
    }
    if slow() {
        let smallest = claims.first().expect("a claim");
        assert_eq!(verifier.verify(smallest), Ok(()), "{smallest}");
    }
}
