//! Compiling a source file, once for its content.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use agon_game::hash::hex;
use sha2::{Digest, Sha256};

use super::language::Language;
use super::prepared::AgentError;
use crate::folders;
use crate::limits::GameLimits;
use crate::process::{Process, ProcessExit, ProgramSpec, SpawnError, find_program, inherited_environment};
use crate::text::plain;
use crate::verdict::{Fault, Verdict};

/// How long a compiler may take.
const COMPILE_TIME: Duration = Duration::from_mins(1);

/// How much of a compiler's message a verdict quotes, in characters.
const MESSAGE_KEPT: usize = 4000;

/// Compiles a source file, or finds it compiled before; the inner error is verdict CE.
///
/// # Errors
/// [`AgentError`] when the file cannot be read, the compiler is missing, or the cache folder cannot be used.
pub fn compile(language: Language, path: &Path, limits: &GameLimits) -> Result<Result<ProgramSpec, Fault>, AgentError> {
    let text = fs::read(path).map_err(|source| AgentError::Unreadable { path: path.to_owned(), source })?;
    let tool = language.compiler();
    let compiler = find_program(tool).ok_or(AgentError::NoCompiler { language, tool, remedy: language.remedy() })?;
    let source = language.file_name(&text);
    let folder = folders::cache()?.join(name_of(language, &compiler, &text));
    let program = || ProgramSpec {
        words: language.run_words(&folder, &source, limits.memory_mb),
        environment: match language {
            // Nothing is written beside the cached source, and output is not held back.
            Language::Python3 | Language::Pypy3 => vec![("PYTHONDONTWRITEBYTECODE".to_owned(), "1".into())],
            _ => Vec::new(),
        },
    };
    if folder.is_dir() {
        return Ok(Ok(program()));
    }
    let cache = |source| AgentError::Cache { path: folder.clone(), source };
    // Built beside its place and moved there whole, so that a half-made one is never found.
    let building = folder.with_extension(format!("building-{}-{:?}", std::process::id(), std::thread::current().id()));
    fs::create_dir_all(&building).and_then(|()| fs::write(building.join(&source), &text)).map_err(cache)?;
    let result = run_compiler(language, &source, &building);
    let moved = match &result {
        Ok(Ok(())) => fs::rename(&building, &folder).or_else(|error| if folder.is_dir() { Ok(()) } else { Err(error) }),
        _ => Ok(()),
    };
    let _ = fs::remove_dir_all(&building);
    moved.map_err(cache)?;
    Ok(result?.map(|()| program()))
}

fn run_compiler(language: Language, source: &str, folder: &Path) -> Result<Result<(), Fault>, AgentError> {
    let mut words = vec!["env".to_owned(), "-C".to_owned(), folder.display().to_string()];
    words.extend(language.compile_words(source));
    let mut process = Process::start(&ProgramSpec { words, environment: inherited_environment() }, None)?;
    let exit = process
        .wait(Instant::now() + COMPILE_TIME)
        .map_err(|source| SpawnError::Refused { program: language.compiler().to_owned(), source })?;
    process.end();
    let message = process.stderr();
    Ok(match exit {
        Some(ProcessExit::Code(0)) => Ok(()),
        Some(_) => {
            // The folder's name means nothing to the author.
            let message = message.replace(&format!("{}/", folder.display()), "");
            let cut: String = plain(message.trim()).chars().take(MESSAGE_KEPT).collect();
            Err(Fault::new(Verdict::Ce, format!("{language} does not compile it:\n{cut}")))
        }
        None => Err(Fault::new(
            Verdict::Ce,
            format!("{} did not finish within {} s", language.compiler(), COMPILE_TIME.as_secs()),
        )),
    })
}

/// The name under which a compiled program is kept: it changes with the text, the compiler and the flags.
fn name_of(language: Language, compiler: &Path, text: &[u8]) -> String {
    let mut hash = Sha256::new();
    // The size and date of the compiler stand for its version, which would take a process to ask.
    let identity = fs::metadata(compiler).map(|data| (data.len(), data.modified().ok()));
    hash.update(format!("{language} {} {identity:?} {:?}\n", compiler.display(), language.compile_words("")));
    hash.update(text);
    format!("{}-{}", language.name().to_lowercase(), hex(&hash.finalize()[..12]))
}
