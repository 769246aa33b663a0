//! Charsets of texts.

use agon_protocols::formats::{self, Charset, Collection, FileFormat, Limits};

use super::read_bytes;

fn encoded(name: &str, text: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap();
    let (bytes, _, has_failed) = encoding.encode(text);
    assert!(!has_failed, "{name}: {text}");
    bytes.into_owned()
}

fn black(all: &Collection, game: usize) -> String {
    all.games[game].plain(0, "PB")
}

fn notes(all: &Collection) -> Vec<String> {
    all.left_out.iter().map(|note| note.text.to_string()).collect()
}

/// Second bytes of these charsets look like brackets and backslashes.
const NAMES: [(&str, &str); 9] = [
    ("gbk", "马晓春和聂卫平的对局"),
    ("gb18030", "开局研究:疏星、浦月"),
    ("big5", "許功蓋的五子棋譜"),
    ("shift_jis", "ソニーの表記、能力"),
    ("euc-jp", "連珠名人戦の棋譜"),
    ("euc-kr", "김철수의 오목 기보"),
    ("windows-1251", "Владимир Сушков, чемпион мира"),
    ("koi8-r", "Владимир Сушков, чемпион мира"),
    ("windows-1252", "Björn Åkerström café"),
];

#[test]
fn each_game_is_in_the_charset_that_it_names() {
    let mut collection = b"(;GM[4]SZ[15]PB[plain];B[hh])\n".to_vec();
    for (charset, name) in NAMES {
        let game = format!("(;GM[4]SZ[15]CA[{charset}]PB[{name}]C[{name}];B[hh](;W[hg]C[({name}])(;W[gg]))\n");
        collection.extend(encoded(charset, &game));
    }
    collection.extend("(;GM[4]SZ[15]CA[UTF-8]PB[Łukasz 연주];B[hh])\n".as_bytes());
    let all = read_bytes(&collection).unwrap();
    assert_eq!((all.games.len(), &all.refused, notes(&all)), (NAMES.len() + 2, &Vec::new(), Vec::new()));
    for (at, (charset, name)) in NAMES.iter().enumerate() {
        assert_eq!(black(&all, at + 1), *name, "{charset}");
        assert_eq!(all.games[at + 1].place, formats::Place::Line(at + 2));
        assert_eq!(all.games[at + 1].plain(2, "C"), format!("({name}"), "{charset}");
    }
    assert_eq!(black(&all, NAMES.len() + 1), "Łukasz 연주");
}

#[test]
fn a_charset_that_is_not_named_is_found_and_said() {
    for (charset, name) in NAMES {
        let text = format!("(;GM[4]SZ[15]PB[{name}]C[{name}];B[hh];W[hg])");
        let bytes = encoded(charset, &text);
        let all = read_bytes(&bytes).unwrap();
        assert_eq!(black(&all, 0), name, "{charset}: {:?}", notes(&all));
        let said = &notes(&all)[0];
        assert!(said.contains("not UTF-8; read as ") && said.contains("--charset"), "{said}");
        // A user who knows it states it.
        let asked: Charset = charset.parse().unwrap();
        let all = formats::read_in(&bytes, FileFormat::Sgf, None, Some(asked), &Limits::FILE).unwrap();
        assert_eq!((black(&all, 0), notes(&all)), (name.to_owned(), Vec::new()), "{charset}");
    }
    let unknown = "klingon".parse::<Charset>().unwrap_err().to_string();
    assert!(unknown.starts_with("unknown charset: `klingon`; a name such as utf-8"), "{unknown}");
}

/// Programs on the web write UTF-8 whatever they claim.
#[test]
fn a_charset_that_is_wrong_is_said() {
    let all = read_bytes("(;GM[1]CA[gb2312]SZ[15]AP[ZJRenju]PB[马晓春];B[hh];W[hg])".as_bytes()).unwrap();
    assert_eq!(black(&all, 0), "马晓春");
    assert_eq!(notes(&all), ["the charset is UTF-8, not GBK as the file says"]);
    let all = read_bytes(&encoded("windows-1252", "(;CA[UTF-8]PB[Björn Åkerström];B[hh];W[hg])")).unwrap();
    assert_eq!(black(&all, 0), "Björn Åkerström");
    assert!(notes(&all)[0].starts_with("not UTF-8, as the file says; read as windows-125"));
    let all = read_bytes(&encoded("windows-1252", "(;CA[nonsense]PB[Björn Åkerström];B[hh];W[hg])")).unwrap();
    assert!(notes(&all)[0].starts_with("unknown charset: `nonsense`; read as windows-125"), "{:?}", notes(&all));
    let all = read_bytes(b"(;CA[euc-kr]PB[\xff\xff];B[hh];W[hg])").unwrap();
    assert_eq!(notes(&all), ["characters not in EUC-KR: 2 (--charset names another charset)"]);
}

#[test]
fn a_byte_order_mark_says_the_charset() {
    let text = "(;CA[windows-1251]PB[연주 Ł];B[hh];W[hg])";
    let utf16 = |to: fn(u16) -> [u8; 2], mark: &[u8]| -> Vec<u8> {
        mark.iter().copied().chain(text.encode_utf16().flat_map(to)).collect()
    };
    for bytes in [
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        utf16(u16::to_le_bytes, b"\xff\xfe"),
        utf16(u16::to_be_bytes, b"\xfe\xff"),
        utf16(u16::to_le_bytes, b""),
        utf16(u16::to_be_bytes, b""),
    ] {
        let all = read_bytes(&bytes).unwrap();
        assert_eq!((black(&all, 0).as_str(), notes(&all)), ("연주 Ł", Vec::new()));
    }
}

#[test]
fn a_database_is_in_the_charset_of_its_declaration() {
    let database = |encoding: &str| {
        format!(
            "<?xml version='1.0' encoding='{encoding}' ?>\n<database><players><player id=\"1\" name=\"Владимир\" \
             surname=\"Сушков\"/></players>\n<games>\
             <game id=\"1\" black=\"1\"><move>h8 h9</move></game></games></database>"
        )
    };
    for charset in ["windows-1251", "KOI8-R", "utf-8"] {
        let all = read_bytes(&encoded(charset, &database(charset))).unwrap();
        assert_eq!((black(&all, 0).as_str(), notes(&all)), ("Владимир Сушков", Vec::new()), "{charset}");
    }
}

/// `RenLib` names no charset: it is guessed from all its texts together.
#[test]
fn texts_of_a_library_are_in_one_charset() {
    let library = |charset: &str, text: &str| {
        let mut bytes = [&formats::renlib::MAGIC[..], &[3, 4]].concat();
        bytes.resize(20, 0xff);
        bytes.extend([0x00, 0x08]);
        bytes.extend(encoded(charset, text));
        bytes.push(0);
        if bytes.len() % 2 == 1 {
            bytes.push(0);
        }
        bytes.extend([0x78, 0x40]);
        bytes
    };
    for (charset, text) in NAMES {
        let bytes = library(charset, text);
        let all = read_bytes(&bytes).unwrap();
        assert_eq!(all.games[0].plain(0, "C"), text, "{charset}: {:?}", notes(&all));
        let asked: Charset = charset.parse().unwrap();
        let all = formats::read_in(&bytes, FileFormat::Lib, None, Some(asked), &Limits::FILE).unwrap();
        assert_eq!((all.games[0].plain(0, "C").as_str(), notes(&all)), (text, Vec::new()), "{charset}");
        // Written as RenLib shows them or in UTF-8, they are read again.
        let written = formats::write(&all, "lib").unwrap().0;
        assert_eq!(read_bytes(&written).unwrap().games[0].plain(0, "C"), text, "{charset}");
    }
}

/// Several people write one library, each in the charset of their machine.
#[test]
fn texts_of_a_library_may_be_in_two_charsets() {
    let texts = [
        ("windows-1252", "ö Ö"),
        ("windows-1252", "Före VCF, efter fyran är det lätt"),
        ("gbk", "黑棋先四后胜，白棋无法防守"),
        ("windows-1252", "två öppna treor"),
        ("utf-8", "Nu är det lätt"),
        ("utf-8", "Привет"),
        ("gbk", "此后白棋形成双二，黑棋仍然简单取胜"),
    ];
    let mut bytes = [&formats::renlib::MAGIC[..], &[3, 4]].concat();
    bytes.resize(20, 0xff);
    // One line of moves, from H8 to the right, each with a comment; the last one has no move after it.
    for (at, (charset, text)) in texts.iter().enumerate() {
        let is_last = at + 1 == texts.len();
        bytes.extend([0x78 + at as u8, if is_last { 0x48 } else { 0x08 }]);
        bytes.extend(encoded(charset, text));
        bytes.push(0);
        if bytes.len() % 2 == 1 {
            bytes.push(0);
        }
    }
    let all = read_bytes(&bytes).unwrap();
    for (at, (_, text)) in texts.iter().enumerate() {
        assert_eq!(all.games[0].plain(at + 1, "C"), *text, "{:?}", notes(&all));
    }
    assert_eq!(notes(&all)[0], "some texts are read as GBK, which they look like (--charset names another)");
    let written = formats::write(&all, "lib").unwrap().0;
    let again = read_bytes(&written).unwrap();
    for (at, (_, text)) in texts.iter().enumerate() {
        assert_eq!((again.games[0].plain(at + 1, "C").as_str(), notes(&again)), (*text, Vec::new()));
    }
}
