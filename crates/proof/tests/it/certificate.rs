//! Certificates: written, checked by the verifier, and checked by the program in `scripts/` that shares no code with
//! it.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agon_engines::renju::book::notation::{read_cell, read_stones};
use agon_engines::renju::book::{FourthMove, FourthStatus, Opening, ProvedBook};
use agon_game::Side;
use agon_game::seed::Stream;
use agon_jobs::Stop;
use agon_proof::proved;
use agon_proof::threat_win::prove_by_threats;
use agon_proof::verifier::certificate::{CertificateError, HEADER, ProvedLemmas, lemma};
use agon_proof::verifier::script::{PASS, Word};
use agon_rules::renju::{Point, Stones};

/// A position with White to move in which a PASS loses, though not to threats alone, and Black's next move.
const LATE: &str = "J10H8C7E7F7K7B6F6G6J6/J9E8G7A6C6D6E6E5F4G3";

fn stones(text: &str) -> Stones {
    read_stones(text).expect(text)
}

fn check(certificate: &[u8]) -> Result<ProvedLemmas, CertificateError> {
    ProvedLemmas::check(&mut &certificate[..], |_| true)
}

/// A certificate of these lemmas.
fn certificate(lemmas: &[Vec<u8>]) -> Vec<u8> {
    [HEADER.to_vec(), lemmas.concat()].concat()
}

/// The lemma that Black wins a position by threats.
fn by_threats(position: &Stones) -> Vec<u8> {
    lemma(position, &prove_by_threats(position, 100_000).expect("a win").script)
}

/// The program in `scripts/`, compiled.
fn independent(folder: &Path) -> PathBuf {
    let program = folder.join("check-renju-proof");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/check-renju-proof.cpp");
    let status = Command::new("g++").args(["-O1", "-std=c++17", "-o"]).arg(&program).arg(source).status();
    assert!(status.expect("g++ is installed").success());
    program
}

/// A program's output for its input, if it exits normally.
fn ask(program: &Path, words: &[&str], input: &[u8]) -> Option<String> {
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // Input refused early need not be read to the end.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let output = child.wait_with_output().expect("it ends");
    output.status.success().then(|| String::from_utf8(output.stdout).expect("text"))
}

#[test]
fn a_proof_says_all_that_the_checker_needs() {
    let position = stones("F8G8H8/A1B1");
    let proved = check(&certificate(&[by_threats(&position)])).expect("a proof");
    assert!(proved.has(&position) && proved.len() == 1 && proved.checked > 0);
    assert!(!proved.has(&stones("F8G8H8/A1B2")));
}

/// What a checker that accepts anything would miss.
#[test]
fn what_proves_nothing_is_refused() {
    let cell = |text: &str| read_cell(text).expect(text);
    let (keep, known, end) = (Word::Keep.byte(), Word::Known.byte(), Word::End.byte());
    let three = stones("F8G8H8/A1B1");
    let refused = |lemmas: &[Vec<u8>], expected: &str| {
        let error = check(&certificate(lemmas)).expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    refused(&[lemma(&three, &[known])], "it relies on");
    refused(&[lemma(&three, &[keep, known])], "a byte of the certificate has no meaning");
    refused(&[lemma(&three, &[end])], "a byte of the certificate has no meaning");
    refused(&[lemma(&three, &[240])], "a byte of the certificate has no meaning");
    refused(&[lemma(&three, &[cell("G8")])], "a stone on G8 does not win");
    refused(&[lemma(&three, &[PASS])], "a stone on");
    // A stopped four, and nothing after it.
    refused(&[lemma(&stones("F8G8H8/E8B1"), &[cell("I8")])], "the certificate cannot be read");
    // White makes five instead of stopping one.
    refused(&[lemma(&stones("F8G8H8/A1B1C1D1"), &[cell("I8")])], "a stone on I8 does not win");
    // A double three.
    refused(&[lemma(&stones("H8I8J9J10/A1B1"), &[cell("J8")])], "a stone on J8 does not win");
    // A three answered only by a PASS.
    let straight = prove_by_threats(&stones("F8G8H8/"), 1_000).expect("a win").script;
    let alone = [&[cell("H8"), PASS][..], &straight, &[end]].concat();
    refused(&[lemma(&stones("F8G8/"), &alone)], "an answer that could matter is missing");
    let two = Stones { white: [cell("F8")].into_iter().collect(), ..stones("F8G8/") };
    refused(&[lemma(&two, &alone)], "the stones of lemma 1 are no position");
    // What was kept in a lemma is not known in the next.
    let after = stones("F8G8H8/");
    let kept = [&[keep][..], &straight].concat();
    assert!(check(&certificate(&[lemma(&after, &kept)])).is_ok());
    assert!(matches!(check(b"agon renju proof 2\n"), Err(CertificateError::NoCertificate)));
    assert!(matches!(check(b"agon"), Err(CertificateError::Read(_))));
}

/// The two checkers share no code: they agree about proofs, and about proofs with a wrong byte.
#[test]
fn an_independent_program_decides_alike() {
    let folder = tempfile::tempdir().unwrap();
    let program = independent(folder.path());
    let mut stream = Stream::new(5, "wrong bytes");
    let mut refused = 0;
    for text in ["F8G8H8/A1B1", "J10H8C7E7F7K7B6F6G6J6G4/J9E8G7A6C6D6E6E5F4G3", "H8I9G9/H9I8"] {
        let Ok(win) = prove_by_threats(&stones(text), 200_000) else { continue };
        let whole = certificate(&[lemma(&stones(text), &win.script)]);
        let expected = ask(&program, &[], &whole).expect("a proof");
        let proved = check(&whole).expect("a proof");
        assert!(
            expected.starts_with(&format!("1 positions are proved, by {} stones of Black's\n", proved.checked)),
            "{expected}"
        );
        for _ in 0..40 {
            let mut wrong = whole.clone();
            let at = HEADER.len() + stream.below(wrong.len() - HEADER.len());
            wrong[at] = stream.below(256) as u8;
            let verdict = check(&wrong).is_ok();
            assert_eq!(ask(&program, &[], &wrong).is_some(), verdict, "{text}, byte {at} is {}", wrong[at]);
            refused += u32::from(!verdict);
        }
    }
    assert!(refused > 60, "{refused}");
}

/// Its rules also match the test vectors.
#[test]
fn the_independent_program_knows_the_forbidden_points() {
    let folder = tempfile::tempdir().unwrap();
    let program = independent(folder.path());
    let (mut boards, mut wanted) = (String::new(), Vec::new());
    for line in include_str!("../../../rules/tests/data/renju/forbidden.jsonl").lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        let points = |key: &str| -> Vec<Point> {
            let pairs = vector[key].as_array().expect(key).iter();
            pairs.filter_map(|pair| Point::new(pair[0].as_u64()?, pair[1].as_u64()?)).collect()
        };
        let (black, white) = (points("black"), points("white"));
        boards.extend(Point::all().map(|point| match (black.contains(&point), white.contains(&point)) {
            (true, _) => 'B',
            (_, true) => 'W',
            _ => '.',
        }));
        boards.push('\n');
        let mut forbidden: Vec<usize> = points("forbidden").into_iter().map(Point::index).collect();
        forbidden.sort_unstable();
        wanted.push(forbidden);
    }
    let expected = ask(&program, &["--forbidden"], boards.as_bytes()).expect("an answer");
    let read = |line: &str| line.split_whitespace().map(|name| Point::from_letters(name).unwrap().index()).collect();
    let expected: Vec<Vec<usize>> = expected.lines().map(read).collect();
    assert_eq!(expected.len(), wanted.len());
    let wrong = expected.iter().zip(&wanted).filter(|(expected, wanted)| expected != wanted).count();
    assert_eq!(wrong, 0);
}

/// A book's certificate proves the book, and not another one.
#[test]
fn a_book_is_proved_by_its_certificate() {
    let opening = stones(LATE);
    let own = |moves: HashMap<Stones, u8>| {
        let fourth = FourthMove { cell: None, status: FourthStatus::Refuted };
        ProvedBook::new(vec![Opening { stones: opening, fourths: vec![fourth] }], moves)
    };
    let cell = opening.empties().iter().find(|&cell| {
        let book = own([(opening, cell)].into());
        proved::verify(&book, None, 1, &Stop::default(), &()).result == Ok(true)
    });
    let book = own([(opening, cell.expect("a move that wins"))].into());
    let mut written = HEADER.to_vec();
    let certify = |before: &[u8], written: &mut Vec<u8>| {
        let before = if before.is_empty() { ProvedLemmas::default() } else { check(before).unwrap() };
        proved::certify(&book, None, before, 2, &Stop::default(), &(), written).unwrap()
    };
    let verified = certify(&[], &mut written);
    assert_eq!((verified.claims, &verified.result), (1, &Ok(true)));
    // The contents of a certificate are not proved again: the part left by a stop is enough, too.
    let mut more = Vec::new();
    assert_eq!((&certify(&written, &mut more).result, more.len()), (&Ok(true), 0));
    let mut rest = &written[..];
    ProvedLemmas::check(&mut rest, |lemmas| lemmas < 2).unwrap();
    let part = &written[..written.len() - rest.len()];
    let mut again = part.to_vec();
    assert_eq!(certify(part, &mut again).result, Ok(true));
    assert_eq!(again.len(), written.len(), "the same lemmas");
    assert!(proved::check(&book, None, &mut &again[..], &Stop::default(), &()).unwrap().missing.is_none());
    let checked = proved::check(&book, None, &mut &written[..], &Stop::default(), &()).unwrap();
    assert_eq!((checked.claims, checked.lemmas, checked.missing), (1, 1 + verified.leaves, None));
    // A certificate of less.
    let more = opening.with(Side::Second, opening.empties().first().unwrap());
    let other = own([(more, 0)].into());
    let checked = proved::check(&other, None, &mut &written[..], &Stop::default(), &()).unwrap();
    assert_eq!(checked.missing, Some(more));
}
