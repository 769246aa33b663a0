//! Whether the compilers of this machine run: a wrapper such as rustup's may exist without a toolchain behind it.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use super::Language;
use crate::process::find_program;

/// How long a compiler may take to name its version.
const VERSION_WAIT: Duration = Duration::from_secs(20);

/// How often to check whether it has.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Bytes of its error stream that are read.
const MAX_MESSAGE_BYTES: u64 = 4096;

/// The location of a language's compiler, or what is wrong with it, in words. Each compiler is started once in the life
/// of a process, to name its version.
///
/// # Errors
/// The words.
pub fn compiler(language: Language) -> Result<&'static Path, &'static str> {
    static FOUND: [OnceLock<Result<PathBuf, String>>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    let at = Language::ALL.iter().position(|known| *known == language).unwrap_or_default();
    let found = FOUND[at].get_or_init(|| {
        let name = language.compiler();
        let path = find_program(name).ok_or_else(|| format!("{name} is not installed"))?;
        runs(&path).map(|()| path.clone()).map_err(|why| format!("{} does not run: {why}", path.display()))
    });
    found.as_deref().map_err(String::as_str)
}

/// Whether a program names its version; the error is its message.
fn runs(path: &Path) -> Result<(), String> {
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let deadline = Instant::now() + VERSION_WAIT;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < deadline => thread::sleep(POLL_INTERVAL),
            gone => {
                // It has failed already.
                let _ = child.kill().and_then(|()| child.wait());
                let late = || format!("no version within {} s", VERSION_WAIT.as_secs());
                return Err(gone.err().map_or_else(late, |error| error.to_string()));
            }
        }
    };
    if status.success() {
        return Ok(());
    }
    let mut message = Vec::new();
    if let Some(stderr) = child.stderr.take() {
        // Without a message the exit status has to do.
        let _ = stderr.take(MAX_MESSAGE_BYTES).read_to_end(&mut message);
    }
    let message = String::from_utf8_lossy(&message);
    let first = message.lines().map(str::trim).find(|line| !line.is_empty());
    Err(first.map_or_else(|| status.to_string(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_wrapper_without_a_toolchain_does_not_run() {
        let folder = tempfile::tempdir().unwrap();
        let check = |script: &str, wanted: Result<(), &str>| {
            let path = folder.path().join("rustc");
            fs::write(&path, script).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            assert_eq!(runs(&path).as_ref().map_err(String::as_str), wanted.as_ref().map_err(|why| *why), "{script}");
        };
        check("#!/bin/sh\necho rustc 1.95\n", Ok(()));
        check("#!/bin/sh\necho >&2\necho error: no toolchain >&2\nexit 1\n", Err("error: no toolchain"));
        check("#!/bin/sh\nexit 3\n", Err("exit status: 3"));
    }
}
