//! The boards' scripts without a page: their own tests, run by Node.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn modules_pass_their_own_tests() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = tempfile::tempdir().unwrap();
    // Beside each other, as the server has them, and as modules.
    for from in ["boards/src/assets", "boards/src/viewer", "wasm/js", "cli/tests/it/board/scripts"] {
        for entry in fs::read_dir(crates.join(from)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "js") {
                fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    fs::write(folder.path().join("package.json"), "{\"type\":\"module\"}").unwrap();
    let ran = Command::new("node").arg("--test").current_dir(folder.path()).output();
    let ran = ran.unwrap_or_else(|error| panic!("`node` cannot be started, install it by scripts/test: {error}"));
    let text = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{text}");
    let passed = text.lines().find_map(|line| line.split_once("pass ")?.1.trim().parse::<usize>().ok());
    assert!(passed >= Some(30), "{text}");
}
