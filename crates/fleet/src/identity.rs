//! Names of machines, runs, workers and versions.

use std::path::Path;
use std::sync::OnceLock;

use agon_engines::files;
use agon_game::hash::hex;
use sha2::{Digest, Sha256};

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A digest of the networks, policies and books that are built in.
pub(crate) fn data_digest() -> &'static str {
    static DIGEST: OnceLock<String> = OnceLock::new();
    DIGEST.get_or_init(|| {
        let mut hash = Sha256::new();
        for file in files::all() {
            hash.update(format!("{}\n{}\n", file.name, file.bytes().len()));
            hash.update(file.bytes());
        }
        hex(&hash.finalize()[..8])
    })
}

/// The name of this machine, as a token of a subject.
pub(crate) fn host() -> String {
    let uname = rustix::system::uname();
    let name = token(&uname.nodename().to_string_lossy());
    if name.is_empty() { "machine".to_owned() } else { name }
}

/// A text as a token of a subject: other characters become `-`.
pub(crate) fn token(text: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    text.chars().map(kept).take(40).collect()
}

pub(crate) fn random() -> String {
    let mut bytes = [0; 6];
    // Names need not be secret: without a source of randomness the process number distinguishes them.
    if getrandom::fill(&mut bytes).is_err() {
        bytes[..4].copy_from_slice(&std::process::id().to_le_bytes());
    }
    hex(&bytes)
}

/// An unpredictable number from 0 up to 1.
pub(crate) fn chance() -> f64 {
    let mut bytes = [0; 4];
    // Without a source of randomness everything is drawn.
    if getrandom::fill(&mut bytes).is_ok() { f64::from(u32::from_le_bytes(bytes)) / 2f64.powi(32) } else { 0.0 }
}

/// The name of a run: the same for the same plan in the same store, so that a coordinator that was killed finds the
/// results that were played for it.
pub(crate) fn run(plan_digest: &str, store: &Path) -> String {
    let store = std::path::absolute(store).unwrap_or_else(|_| store.to_owned());
    let parent = store.parent().and_then(|folder| folder.canonicalize().ok());
    let beside = parent.zip(store.file_name()).map(|(folder, name)| folder.join(name));
    let store = store.canonicalize().ok().or(beside).unwrap_or(store);
    let mut hash = Sha256::new();
    for part in [plan_digest.as_bytes(), host().as_bytes(), store.as_os_str().as_encoded_bytes()] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize()[..8])
}

/// Returns a name derived from a text.
pub(crate) fn digest(text: &str) -> String {
    hex(&Sha256::digest(text)[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_of_a_subject_has_no_separator() {
        assert_eq!(token("a.b *>c_d-9ä"), "a-b---c_d-9-");
        assert!(!host().contains(['.', ' ', '*', '>']), "{}", host());
    }

    #[test]
    fn a_run_is_of_a_plan_and_a_store() {
        let here = Path::new("agon.db");
        assert_eq!(run("a", here), run("a", &std::env::current_dir().unwrap().join("agon.db")));
        assert_ne!(run("a", here), run("b", here));
        assert_ne!(run("a", here), run("a", Path::new("other.db")));
    }
}
