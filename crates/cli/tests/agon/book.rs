//! `agon book`.

use std::fs;

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
}
