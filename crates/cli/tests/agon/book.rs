//! `agon book`.

use std::fs;

use serde_json::Value;

use crate::run::agon;

const CERTIFICATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../books/renju.proof");

/// The committed certificate proves the committed book; half of it does not.
#[test]
fn the_certificate_proves_the_book() {
    let check = |path: &str| agon(&["book", "renju", "--verify", "--certificate", path]);
    let whole = check(CERTIFICATE);
    assert_eq!((whole.code, whole.err.as_str()), (0, ""), "{}", whole.out);
    assert!(whole.out.contains("positions of the book are proved"), "{}", whole.out);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("half.proof");
    let bytes = fs::read(CERTIFICATE).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let half = check(path.to_str().unwrap());
    assert_eq!(half.code, 1, "{}{}", half.out, half.err);
    assert!(half.out.starts_with("the certificate is wrong: "), "{}", half.out);
    // What is no certificate at all is bad input.
    let other = zstd::encode_all(&b"agon renju book 1\n"[..], 1).unwrap();
    for bytes in [&b"no zstd"[..], b"", &other] {
        fs::write(&path, bytes).unwrap();
        let refused = check(path.to_str().unwrap());
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
        assert!(
            refused.err.contains("is no certificate of renju's book: `agon book renju --certify"),
            "{}",
            refused.err
        );
        assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
    }
    let folder = check(folder.path().to_str().unwrap());
    assert!(folder.code == 2 && folder.err.contains("cannot read"), "{}", folder.err);
}

/// The status is of the work file, which a run may be writing; without one there is none.
#[test]
fn a_growing_book_says_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("renju.book");
    let book = book.to_str().unwrap();
    let none = agon(&["book", "renju", "--status", "--book", book]);
    assert_eq!((none.code, none.out.as_str()), (2, ""), "{}", none.err);
    let grown = agon(&["book", "renju", "--grow", "--book", book, "--searches", "150", "--jobs", "1"]);
    assert_eq!(grown.code, 0, "{}", grown.err);
    let status = agon(&["book", "renju", "--status", "--book", book, "--format", "json"]);
    let told: Value = serde_json::from_str(&status.out).unwrap();
    let mut searches = 0;
    for opening in told["openings"].as_array().unwrap() {
        let open = opening["open"].as_array().unwrap();
        searches += open.iter().map(|open| open["spent"]["searches"].as_u64().unwrap()).sum::<u64>();
        let others = opening["not_searched"].as_u64().unwrap() + opening["refuted"].as_u64().unwrap();
        assert_eq!(open.len() as u64 + others, 223, "{opening}");
        assert_eq!(opening["middle"], 118);
    }
    assert!(searches >= 100, "{told}");
    assert!(told["won"].as_u64() > Some(50) && told["won"].as_u64() <= told["searched"].as_u64(), "{told}");
    let text = agon(&["book", "renju", "--status", "--book", book]).out;
    assert!(text.contains("of White's 223 fourth moves lose") && text.contains("were not searched yet"), "{text}");
}
