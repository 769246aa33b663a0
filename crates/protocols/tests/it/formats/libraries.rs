//! `RenLib`'s libraries and Yixin's `.pos`, byte by byte.

use agon_protocols::formats::{self, Collection, FileFormat, Limits, renlib, sgf};
use proptest::prelude::*;

use super::{game, read_bytes, shown};

/// A library with these nodes.
fn library(version: [u8; 2], nodes: &[u8]) -> Vec<u8> {
    let mut bytes = [&renlib::MAGIC[..], &version].concat();
    bytes.resize(20, 0xff);
    [bytes, nodes.to_vec()].concat()
}

#[test]
fn a_library_is_read() {
    // The root with a comment; H8; below it I9 with a text, then its sibling H9, marked, with a comment of two lines.
    let nodes = [
        &[0x00, 0x08][..],
        b"hi\0\0",
        &[0x78, 0x00],
        &[0x69, 0xc1, 0x00, 0x01],
        b"A\0",
        &[0x68, 0x58],
        b"one\x08two\0",
    ];
    let read = read_bytes(&library([3, 4], &nodes.concat())).unwrap();
    assert!(read.left_out.is_empty(), "{:?}", read.left_out);
    let tree = &read.games[0];
    assert_eq!((shown(tree).as_str(), tree.lines().len()), ("H8 I9", 2));
    assert_eq!((tree.plain(0, "C").as_str(), tree.plain(3, "C").as_str()), ("hi", "one\ntwo"));
    assert_eq!(tree.property(1, "LB").unwrap().values, ["ig:A"]);
    assert!(tree.property(3, "HO").is_some());
    // It is written unchanged.
    assert_eq!(renlib::write(&read).unwrap(), (library([3, 4], &nodes.concat()), Vec::new()));
    // Before version 3.1 there was no root, and before 3 the last letter of a comment had its highest bit set.
    let old = read_bytes(&library([3, 0], &[0x78, 0x20, b'o', b'n' | 0x80, 0x68, 0x40])).unwrap();
    assert_eq!((shown(&old.games[0]).as_str(), old.games[0].plain(1, "C").as_str()), ("H8 H9", "on"));
    // RenLib knows no charset: anything that is not UTF-8 is Windows-1252.
    let latin = read_bytes(&library([3, 4], &[0x00, 0x08, 0xd5, 0x00])).unwrap();
    assert_eq!(latin.games[0].plain(0, "C"), "Õ");
}

#[test]
fn a_library_that_is_none_is_refused() {
    let check = |bytes: &[u8], expected: &str| {
        let refused = formats::read(bytes, FileFormat::Lib, None, &Limits::FILE).unwrap_err().to_string();
        assert!(refused.contains(expected), "`{expected}` is not in: {refused}");
    };
    check(b"hello", "not a RenLib library");
    check(&library([3, 5], &[]), "unsupported library version: 3.5; the newest supported is 3.4");
    check(&library([3, 4], &[0, 0, 0x78]), "cut off after 23 bytes");
    check(&library([3, 4], &[0, 0x08, b'a', b'b']), "cut off after 24 bytes");
    check(&library([3, 4], &[0, 0, 0x70, 0x40]), "byte 23, 0x70, is not a point of the board");
    check(&library([3, 4], &[0, 0, 0xf1, 0x40]), "byte 23, 0xf1, is not a point of the board");
    let surplus = read_bytes(&library([3, 4], &[0, 0, 0x78, 0x40, 0x68, 0x40])).unwrap();
    assert_eq!(surplus.left_out[0].text.to_string(), "bytes after the end of the tree: 2");
    let long: Vec<u8> = [0x78, 0].repeat(2_000);
    check(&library([3, 4], &long), "more than 1000 moves in a line");
}

#[test]
fn trees_are_joined() {
    let games = "(;C[a];B[hh];W[hg]C[x])(;C[b];B[hh]LB[gg:1](;W[gg])(;W[hg]C[y]))";
    let (bytes, notes) = renlib::write(&super::read(games).unwrap()).unwrap();
    assert_eq!(notes, []);
    let joined = read_bytes(&bytes).unwrap();
    let text = sgf::write(&joined).unwrap();
    assert!(text.ends_with("C[a\nb]\n;B[hh]LB[gg:1](;W[hg]C[x\ny])(;W[gg]))\n"), "{text}");
    let (_, notes) = renlib::write(&super::read("(;PB[ada];B[hh]LB[aa:1])").unwrap()).unwrap();
    let texts: Vec<String> = notes.iter().map(|note| note.text.to_string()).collect();
    assert_eq!(texts, ["property PB"]);
    let setup = renlib::write(&super::read("(;AB[hh]AW[aa]AB[bb];W[hg])").unwrap()).unwrap_err();
    assert!(setup.problem.to_string().contains("begins with the empty board"), "{setup}");
}

#[test]
fn controls_of_a_comment_end_no_title() {
    let comments = super::read("(;C[a\u{8}b\0\u{1}];B[hh]LB[gg:\u{2}1];W[gg])").unwrap();
    let written = renlib::write(&comments).unwrap().0;
    let again = read_bytes(&written).unwrap();
    assert_eq!(again.games[0].plain(0, "C"), "a b  ");
    assert_eq!(again.games[0].plain(1, "LB"), "gg: 1");
    assert_eq!(renlib::write(&again).unwrap().0, written);
}

#[test]
fn stones_of_yixin() {
    let bytes = [3, 112, 97, 98];
    let read = read_bytes(&bytes).unwrap();
    assert_eq!(shown(&read.games[0]), "H8 H9 I9");
    assert_eq!(formats::write(&read, "pos").unwrap().0, bytes);
    let refused = |bytes: &[u8]| formats::read(bytes, FileFormat::Pos, None, &Limits::FILE).unwrap_err().to_string();
    assert!(refused(&[]).contains("empty"));
    assert_eq!(refused(&[3, 112]), "byte 1 announces 3 stones, but 1 bytes follow");
    assert_eq!(refused(&[1, 225]), "byte 2, 225, is not a point");
    let pass = formats::write(&Collection::from_games(vec![game("(;B[hh];W[hg];B[ig];W[])")]), "pos").unwrap_err();
    assert_eq!(pass.problem.to_string(), "move 4 is not a stone; .pos holds only stones");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let _ = read_bytes(&bytes);
        let _ = formats::read(&bytes, FileFormat::Pos, None, &Limits::FILE);
        if let Ok(read) = read_bytes(&library([3, 4], &bytes)) {
            let written = renlib::write(&read).unwrap().0;
            let again = read_bytes(&written).unwrap();
            prop_assert_eq!(renlib::write(&again).unwrap().0, written);
        }
    }
}
