//! Attacks on the compiler: sources that must end with verdict CE, without reading or filling anything.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agon_referee::folders;

use crate::escapes::house::{CANARY, House, PASSWORD};
use crate::escapes::judge;

/// A source file or folder below `sources/`.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its name there.
    pub name: &'static str,
    /// A part of the message that refuses it, where another refusal must be excluded.
    pub message: &'static str,
    /// It takes its compiler many seconds.
    pub slow: bool,
}

const fn source(name: &'static str, message: &'static str) -> Source {
    Source { name, message, slow: false }
}

const fn slow(name: &'static str) -> Source {
    Source { slow: true, ..source(name, "") }
}

/// All of them.
pub const SOURCES: &[Source] = &[
    source("include-passwords.c", "/etc/shadow"),
    source("include-secret.c", "secret-of-the-judge"),
    source("include-opponent.c", "opponent.c"),
    source("include-endless.c", ""),
    source("include-itself.c", "include-itself.c:1"),
    slow("include-itself-twice.c"),
    slow("macro-bomb.c"),
    source("include-input.c", ""),
    source("has-include.c", ""),
    source("incbin-secret.c", "secret-of-the-judge"),
    source("incbin-cached.c", "cache"),
    source("assembler-includes-passwords.c", "/etc/shadow"),
    source("embed-secret.c", ""),
    source("giant-array.c", ""),
    source("assembler-zeroes.c", ""),
    source("assembler-repeats.c", ""),
    source("template-recursion.cpp", ""),
    source("endless-constexpr.cpp", "constexpr"),
    source("flood-of-errors.cpp", ""),
    source("nested-calls.java", ""),
    source("nested-brackets.py", ""),
    source("include-secret.rs", ""),
    source("environment.rs", "ESCAPES_PASSWORD"),
    source("options", ""),
    source("processor", ""),
];

/// For the compiler of a source, and for the judge to end it on a busy machine.
const COMPILE_TIMEOUT: Duration = Duration::from_mins(2);

const MAX_MESSAGE_BYTES: usize = 64 << 10;

impl Source {
    /// Whether the compiler of its language is missing on some machines.
    pub fn needs_rust(&self) -> bool {
        Path::new(self.name).extension().is_some_and(|extension| extension == "rs")
    }

    /// Compiles it in a house; panics if it gets anywhere.
    pub fn compile(&self, house: &House) {
        let place = house.bots().join(self.name);
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/escapes/sources").join(self.name);
        copy(&from, &place, &|text| {
            text.replace("@SECRET@", &house.secret().display().to_string())
                .replace("@SOURCE@", &house.source().display().to_string())
                .replace("@CACHED@", &house.cached().display().to_string())
                .replace("@NESTED@", &("(1 + ".repeat(20_000) + "1" + &")".repeat(20_000)))
        });
        let start = Instant::now();
        let message = judge::refused(&place.display().to_string(), &house.opponent());
        let took = start.elapsed();
        assert!(took < COMPILE_TIMEOUT, "the compiler took {took:?}: {message}");
        assert!(message.contains(self.message), "another message: {message}");
        assert!(message.len() <= MAX_MESSAGE_BYTES, "a message of {} bytes", message.len());
        for secret in [CANARY, PASSWORD.1, "root:"] {
            assert!(!message.contains(secret), "a secret is out: {message}");
        }
        // Nothing unfinished stays in the cache, and nothing large.
        let left: Vec<PathBuf> =
            fs::read_dir(folders::cache().unwrap()).unwrap().flatten().map(|entry| entry.path()).collect();
        let built = left.iter().filter(|path| path.to_string_lossy().contains("building"));
        assert_eq!(built.collect::<Vec<_>>(), Vec::<&PathBuf>::new());
    }
}

/// Copies a file or a folder, with changes in its text.
fn copy(from: &Path, to: &Path, change: &dyn Fn(String) -> String) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap().flatten() {
            copy(&entry.path(), &to.join(entry.file_name()), change);
        }
    } else {
        fs::write(to, change(fs::read_to_string(from).unwrap())).unwrap();
    }
}
