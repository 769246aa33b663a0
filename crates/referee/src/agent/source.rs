//! Compiling a source file, or a folder of them, once for its content.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_game::hash::hex;
use agon_jail::Level;
use sha2::{Digest, Sha256};

use super::build::{self, TakeError};
use super::containment::{self, COMPILER_DISK};
use super::debug;
use super::language::{BuildMode, Language};
use super::prepared::{AgentError, SEVERAL_FILES};
use super::sources::Sources;
use crate::builds;
use crate::fault_kind::{CompileFailure, FaultKind};
use crate::fault_reason::FaultReason;
use crate::folders;
use crate::limits::GameLimits;
use crate::process::{LOST, Process, ProcessExit, ProgramSpec, SpawnError, find_program, inherited_environment};
use crate::text::plain;
use crate::verdict::{Fault, Verdict};

const COMPILE_TIMEOUT: Duration = Duration::from_secs(30);

/// In bytes, for a compiler with all its processes.
const MAX_COMPILER_MEMORY: u64 = 2 << 30;

/// How much of a compiler's message a verdict quotes.
const MAX_MESSAGE_CHARS: usize = 4000;

/// The compiled program of a single file; in a folder of sources a name that none of the files has.
const PROGRAMS: [&str; 2] = ["program", ".agon-program"];

/// Compiles a source file, or a folder of them, or finds an earlier build; the inner error is verdict CE. Files that it
/// should see are copied with it.
///
/// # Errors
/// [`AgentError`] when a file cannot be read, the compiler is missing, or the cache folder cannot be used.
pub fn compile(
    language: Language,
    path: &Path,
    see: &[PathBuf],
    limits: &GameLimits,
    mode: BuildMode,
) -> Result<Result<ProgramSpec, Fault>, AgentError> {
    let sources = Sources::read_with(language, path, see)?;
    let tool = language.compiler();
    let compiler = find_program(tool).ok_or(AgentError::NoCompiler { language, tool, remedy: language.remedy() })?;
    let folder = folders::cache()?.join(name_of(language, &compiler, &sources, mode));
    let output = PROGRAMS[usize::from(sources.folder)];
    let cache = |source| AgentError::Cache { path: folder.clone(), source };
    // Locked before the check, so that no process removes it in between.
    let lease = Arc::new(builds::lease(&folder).map_err(cache)?);
    let program = || {
        let mut words = language.run_words(&folder, &sources.main, output, limits.memory_mib);
        let mut environment = match language {
            // Nothing is written next to the cached source, and output is not buffered.
            Language::Python3 | Language::Pypy3 => vec![("PYTHONDONTWRITEBYTECODE".to_owned(), "1".into())],
            _ => Vec::new(),
        };
        if mode == BuildMode::Debug {
            words = language.debug_words(words);
            environment.extend(language.debug_environment());
        }
        let (jail, build) = (containment::of_build(&folder), Some(Arc::clone(&lease)));
        ProgramSpec { words, environment, jail, build, source: Some(path.to_owned()) }
    };
    if folder.is_dir() {
        return Ok(Ok(program()));
    }
    // Built elsewhere and moved there as a whole, so that an unfinished build is never found.
    let own = format!("{}-{:?}", std::process::id(), std::thread::current().id());
    let [building, built] = ["building", "built"].map(|stage| folder.with_extension(format!("{stage}-{own}")));
    let mut words = language.compile_words(&sources.compiled(language), output, mode);
    if sources.folder && matches!(language, Language::C20 | Language::Cpp20) {
        // Headers are also found relative to the main folder, wherever they are included.
        words.splice(1..1, ["-I".to_owned(), ".".to_owned()]);
    }
    let attempt = |words: Vec<String>| {
        build::write(&building, &sources.files)
            .map_err(cache)
            .and_then(|()| run_compiler(language, words, &building, &built))
    };
    let mut result = attempt(words.clone());
    let is_unknown = |done: &Compiled| done.made.is_err() && done.message.contains(debug::PATTERN);
    if mode == BuildMode::Debug && result.as_ref().is_ok_and(is_unknown) {
        let _ = fs::remove_dir_all(&building);
        words.retain(|word| word != debug::PATTERN);
        result = attempt(words);
    }
    let moved = match &result {
        Ok(Compiled { made: Ok(()), message }) => keep_warnings(mode, message, &built)
            .and_then(|()| fs::rename(&built, &folder))
            .or_else(|error| if folder.is_dir() { Ok(()) } else { Err(error) }),
        _ => Ok(()),
    };
    let _ = fs::remove_dir_all(&building);
    let _ = fs::remove_dir_all(&built);
    moved.map_err(cache)?;
    let own = |failure| if sources.folder { failure } else { hinted(by_own_name(failure, &sources.main, path), path) };
    Ok(result?.made.map(|()| program()).map_err(|failure| fault(own(failure))))
}

/// Keeps the compiler's warnings about a debug build next to its program.
fn keep_warnings(mode: BuildMode, message: &str, built: &Path) -> io::Result<()> {
    if mode == BuildMode::Debug && !message.is_empty() {
        fs::write(built.join(debug::WARNINGS_FILE), message)?;
    }
    Ok(())
}

/// A compiler's message with the author's name for the file, if it was compiled under another name.
fn by_own_name(mut failure: FaultReason, compiled: &str, path: &Path) -> FaultReason {
    // Without an extension it is not a name that an author gave.
    if let Some(own) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.extension().is_some())
        && let FaultReason::CompileErrors { errors, .. } = &mut failure
    {
        *errors = renamed(errors, compiled, own);
    }
    failure
}

/// The fault of a source that was not compiled.
fn fault(reason: FaultReason) -> Fault {
    let failure = match reason {
        FaultReason::CompilerTimeout { .. } => CompileFailure::Time,
        FaultReason::CompilerMemory { .. } => CompileFailure::Memory,
        FaultReason::CompilerOutput { .. } => CompileFailure::Disk,
        _ => CompileFailure::Errors,
    };
    Fault::new(Verdict::Ce, reason).of_kind(FaultKind::Compile(failure))
}

/// Renames a file in a text: replaces its name where it is a whole word, not part of one.
pub fn renamed(text: &str, from: &str, to: &str) -> String {
    let of_word = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let ends = |c: char| c.is_alphanumeric() || c == '_';
        let whole = !before.ends_with(of_word) && !after.starts_with(ends);
        shown += before;
        shown += if whole { to } else { from };
        rest = after;
    }
    shown + rest
}

/// A compiler's message with the remedy, if it misses a file that may be next to the compiled one.
fn hinted(mut failure: FaultReason, path: &Path) -> FaultReason {
    // The messages of gcc, rustc and javac.
    let missing = ["No such file or directory", "file not found for module", "cannot find symbol"];
    let beside = path
        .parent()
        .map_or(Path::new("."), |folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let several = || fs::read_dir(beside).is_ok_and(|entries| entries.count() > 1);
    if let FaultReason::CompileErrors { errors, .. } = &mut failure
        && missing.iter().any(|words| errors.contains(words))
        && several()
    {
        *errors += &format!("\n{SEVERAL_FILES}");
    }
    failure
}

/// The result of running a compiler.
struct Compiled {
    made: Result<(), FaultReason>,
    /// The compiler's message.
    message: String,
}

/// Runs a compiler on the sources in a folder, and moves the result to another one.
fn run_compiler(language: Language, compile: Vec<String>, folder: &Path, built: &Path) -> Result<Compiled, AgentError> {
    // It starts in the folder, at every level.
    let jail = containment::of_compiler(folder);
    let environment = if jail.level == Level::None { inherited_environment() } else { Vec::new() };
    let mut process = Process::start(
        &ProgramSpec { words: compile, environment, jail, build: None, source: None },
        Some(MAX_COMPILER_MEMORY),
    )?;
    let tool = language.compiler();
    let refused = |source| SpawnError::Refused { program: tool.to_owned(), source };
    let exit = process.wait(Instant::now() + COMPILE_TIMEOUT).map_err(refused)?;
    let taken = match exit {
        Some(ProcessExit::Code(0)) => {
            process.folder().map_err(TakeError::from).and_then(|folder| build::take(&folder, built, COMPILER_DISK))
        }
        _ => Ok(()),
    };
    process.end();
    if process.is_lost() {
        return Err(refused(io::Error::other(LOST)).into());
    }
    let message = process.stderr();
    let full = ["No space left on device", "File size limit exceeded", "File too large"];
    let too_much = FaultReason::CompilerOutput { compiler: tool, limit_mib: COMPILER_DISK >> 20 };
    let failure = match (exit, taken) {
        _ if process.over_memory() => {
            FaultReason::CompilerMemory { compiler: tool, limit_mib: MAX_COMPILER_MEMORY >> 20 }
        }
        (None, _) => FaultReason::CompilerTimeout { compiler: tool, seconds: COMPILE_TIMEOUT.as_secs() },
        (Some(ProcessExit::Code(0)), Ok(())) => return Ok(Compiled { made: Ok(()), message }),
        (_, Err(TakeError::Io(source))) => return Err(AgentError::Cache { path: built.to_owned(), source }),
        (_, Err(TakeError::TooMuch)) => too_much,
        _ if full.iter().any(|words| message.contains(words)) => too_much,
        _ => {
            // The folder's name means nothing to the author.
            let errors = message.replace(&format!("{}/", folder.display()), "");
            FaultReason::CompileErrors { language: language.to_string(), errors: shortened(&plain(errors.trim())) }
        }
    };
    Ok(Compiled { made: Err(failure), message })
}

/// The beginning and the end of a compiler's message; one of them contains the cause.
fn shortened(message: &str) -> String {
    let characters = message.chars().count();
    if characters <= MAX_MESSAGE_CHARS {
        return message.to_owned();
    }
    let end = MAX_MESSAGE_CHARS / 4;
    let beginning: String = message.chars().take(MAX_MESSAGE_CHARS - end).collect();
    let end: String = message.chars().skip(characters - end).collect();
    // Whole lines of both.
    let beginning = beginning.rsplit_once('\n').map_or(&*beginning, |(lines, _)| lines);
    let end = end.split_once('\n').map_or(&*end, |(_, lines)| lines);
    format!("{beginning}\n…\n{end}")
}

/// The name under which a compiled program is kept: it changes with every source, the compiler and the flags.
fn name_of(language: Language, compiler: &Path, sources: &Sources, mode: BuildMode) -> String {
    let mut hash = Sha256::new();
    // The size and date of the compiler stand for its version, because asking for that would take a process.
    let identity = fs::metadata(compiler).map(|data| (data.len(), data.modified().ok()));
    let words = language.compile_words(&[""], PROGRAMS[0], mode);
    hash.update(format!("{language} {} {identity:?} {words:?}\n", compiler.display()));
    if sources.folder {
        hash.update(format!("{}\n", sources.main));
    }
    sources.digest(&mut hash);
    format!("{}-{}", language.name().to_lowercase(), hex(&hash.finalize()[..12]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_as_its_author_calls_it() {
        let check = |text: &str, shown: &str| assert_eq!(renamed(text, "program.c", "bot 1.c"), shown);
        check("program.c: In function\nprogram.c:2:21: error", "bot 1.c: In function\nbot 1.c:2:21: error");
        check("File \"program.c\", `program.c`", "File \"bot 1.c\", `bot 1.c`");
        check("my_program.c program.cpp a/program.c program.c", "my_program.c program.cpp a/program.c bot 1.c");
        check("", "");
    }

    #[test]
    fn a_long_message_keeps_both_ends() {
        assert_eq!(shortened("short\nä"), "short\nä");
        let lines: Vec<String> = (0..1000).map(|at| format!("line {at} ä")).collect();
        let short = shortened(&lines.join("\n"));
        assert!(short.starts_with("line 0 ä\nline 1 ä\n") && short.ends_with("\nline 998 ä\nline 999 ä"), "{short}");
        assert!(short.lines().all(|line| line == "…" || lines.iter().any(|whole| whole == line)), "{short}");
        assert!((MAX_MESSAGE_CHARS - 100..=MAX_MESSAGE_CHARS + 3).contains(&short.chars().count()));
        let wide = "ä".repeat(10_000);
        assert!(shortened(&wide).chars().count() <= MAX_MESSAGE_CHARS + 3);
    }
}
