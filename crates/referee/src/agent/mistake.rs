//! What a user probably means by a text that names no agent, and what to write instead.

use std::env;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::language::Language;
use super::prepared::AgentError;
use super::settings;
use crate::folders;
use crate::process::find_program;
use crate::text;

/// Words that a shell would treat specially.
const OPERATORS: [&str; 14] = ["&&", "||", "|", ";", "&", ">", ">>", "<", "<<", "2>", "2>>", "2>&1", "&>", "|&"];

/// Programs that run the file of their first argument.
const INTERPRETERS: [&str; 13] =
    ["python", "python3", "pypy", "pypy3", "node", "nodejs", "ruby", "perl", "sh", "bash", "zsh", "lua", "java"];

const COMPILERS: [&str; 10] = ["gcc", "g++", "cc", "c++", "clang", "clang++", "rustc", "javac", "make", "cargo"];

/// A language that Agon does not compile.
struct OtherLanguage {
    name: &'static str,
    /// Endings of its source files.
    endings: &'static [&'static str],
    /// The command that builds the source `{}`.
    build: &'static str,
    /// The command that runs the build, unless it can be run directly.
    run: Option<&'static str>,
}

const fn other(
    name: &'static str,
    endings: &'static [&'static str],
    build: &'static str,
    run: Option<&'static str>,
) -> OtherLanguage {
    OtherLanguage { name, endings, build, run }
}

const OTHER_LANGUAGES: [OtherLanguage; 22] = [
    other("Go", &["go"], "go build -o bot {}", None),
    other("Kotlin", &["kt"], "kotlinc {} -include-runtime -d bot.jar", Some("java -jar bot.jar")),
    other("C#", &["cs"], "dotnet publish -o out", Some("dotnet out/bot.dll")),
    other("F#", &["fs", "fsx"], "dotnet publish -o out", Some("dotnet out/bot.dll")),
    other("Visual Basic", &["vb"], "dotnet publish -o out", Some("dotnet out/bot.dll")),
    other("Haskell", &["hs", "lhs"], "ghc -O2 -o bot {}", None),
    other("Swift", &["swift"], "swiftc -O -o bot {}", None),
    other("Zig", &["zig"], "zig build-exe -O ReleaseFast {}", None),
    other("Nim", &["nim"], "nim compile -d:release -o:bot {}", None),
    other("Pascal", &["pas", "pp", "dpr"], "fpc -O2 -obot {}", None),
    other("D", &["d"], "ldc2 -O -of=bot {}", None),
    other("OCaml", &["ml"], "ocamlopt -O3 -o bot {}", None),
    other("TypeScript", &["ts", "mts"], "tsc {}", Some("node bot.js")),
    other("assembly", &["asm", "s"], "nasm -f elf64 {}", None),
    other("Fortran", &["f", "for", "f77", "f90", "f95", "f03", "f08"], "gfortran -O2 -o bot {}", None),
    other("Scala", &["scala"], "scalac {} -d bot.jar", Some("scala bot.jar")),
    other("Crystal", &["cr"], "crystal build --release -o bot {}", None),
    other("Vala", &["vala"], "valac -o bot {}", None),
    other("Ada", &["adb"], "gnatmake -O2 -o bot {}", None),
    other("COBOL", &["cob", "cbl"], "cobc -x -o bot {}", None),
    other("Erlang", &["erl"], "erlc {}", Some("dir=. erl -noshell -s bot main -s init stop")),
    other("Dart", &["dart"], "dart compile exe -o bot {}", None),
];

/// Endings of source files that an interpreter runs, and the interpreter with its options.
const INTERPRETED: [(&[&str], &str); 40] = [
    (&["lua"], "lua"),
    (&["pl", "pm"], "perl"),
    (&["php"], "php"),
    (&["jl"], "julia"),
    (&["sh"], "sh"),
    (&["bash"], "bash"),
    (&["zsh"], "zsh"),
    (&["fish"], "fish"),
    (&["ksh"], "ksh"),
    (&["rkt"], "racket"),
    (&["r"], "Rscript"),
    (&["ex", "exs"], "elixir"),
    (&["escript"], "escript"),
    (&["tcl"], "tclsh"),
    (&["exp"], "expect"),
    (&["raku", "rakumod", "p6", "pl6"], "raku"),
    (&["clj"], "clojure"),
    (&["scm"], "guile"),
    (&["ss", "sls", "sps"], "chezscheme --script"),
    (&["lisp", "lsp", "cl"], "sbcl --script"),
    (&["el"], "emacs --batch -Q -l"),
    (&["groovy"], "groovy"),
    (&["kts"], "kotlinc -script"),
    (&["m"], "octave-cli"),
    (&["awk"], "gawk -f"),
    (&["sed"], "sed -unf"),
    (&["jq"], "jq -Rr --unbuffered -f"),
    (&["sml", "sig"], "poly --script"),
    (&["pro", "prolog"], "swipl"),
    (&["pike"], "pike"),
    (&["4th", "fth", "forth"], "gforth"),
    (&["rexx", "rex"], "regina"),
    (&["hy"], "hy"),
    (&["coffee"], "coffee"),
    (&["nims"], "nim e"),
    (&["bas", "yab"], "yabasic"),
    (&["fnl"], "fennel"),
    (&["janet"], "janet"),
    (&["st"], "gst"),
    (&["mjs", "cjs"], "node"),
];

/// Refuses what only a shell understands and what cannot run, before anything starts.
///
/// # Errors
/// [`AgentError::Mistaken`] and [`AgentError::NoSuchFile`].
pub(super) fn refuse(text: &str, dir: Option<&Path>) -> Result<(), AgentError> {
    let mistaken = |reason: String| Err(AgentError::Mistaken { name: text.to_owned(), reason });
    if text.contains('\\') && Path::new(&text.replace('\\', "/")).exists() {
        return mistaken(format!("folders are separated by `/`; write `{}`", text.replace('\\', "/")));
    }
    // Unbalanced quotes are reported elsewhere.
    let Some(words) = settings::split_words(text) else { return Ok(()) };
    let raw = settings::raw_words(text);
    let operator = raw.iter().find_map(|word| {
        let end = word.strip_suffix(';').filter(|rest| !rest.is_empty() && !rest.contains(['\'', '"'])).map(|_| ";");
        OPERATORS.into_iter().find(|operator| word == operator).or(end)
    });
    if let Some(operator) = operator {
        let remedy = match words.as_slice() {
            [cd, folder, and, ..] if cd == "cd" && (and == "&&" || operator == ";") => {
                let rest = text.split_once(operator).map_or("", |(_, rest)| rest.trim());
                format!("write `dir={} {rest}`", folder.trim_end_matches(';'))
            }
            _ if matches!(operator, ">" | ">>" | "&>") => {
                "leave it out, since the judge reads what it prints (--log FILE keeps it)".to_owned()
            }
            _ if operator.starts_with('2') => {
                "leave it out, since records keep its error stream (--log FILE writes it to a file)".to_owned()
            }
            _ => format!("write `sh -c '{}'`", text.replace('\'', "'\\''")),
        };
        return mistaken(format!("it is run without a shell, so `{operator}` means nothing; {remedy}"));
    }
    let start = dir.map_or_else(PathBuf::new, Path::to_owned);
    let is_there = |name: &str| start.join(name).exists();
    for word in raw.iter().filter(|word| !word.starts_with(['\'', '"'])) {
        let value = word.rsplit_once('=').map_or(*word, |(_, value)| value);
        if (value == "~" || value.starts_with("~/")) && !is_there(value) {
            let home = folders::home().unwrap_or_else(|| "/home/me".into());
            let whole = home.join(value.trim_start_matches('~').trim_start_matches('/'));
            return mistaken(format!(
                "commands run without a shell, so `~` is not expanded; write `{}`",
                whole.display()
            ));
        }
        if let Some(name) = variable(value).filter(|_| !is_there(value)) {
            return mistaken(match env::var(name) {
                Ok(set) => format!("it is run without a shell, so `${name}` is not replaced; write `{set}`"),
                Err(_) => format!("it is run without a shell, so `${name}` is not replaced; write what it stands for"),
            });
        }
    }
    let Some((program, arguments)) = words.split_first() else { return Ok(()) };
    let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if INTERPRETERS.contains(&name) && find_program(program).is_some() {
        let first = arguments.iter().find(|word| !word.starts_with('-'));
        let option = arguments.first().is_some_and(|word| word.starts_with('-') && word != "-u");
        if let Some(file) = first.filter(|file| !option && is_file_name(file) && !is_there(file)) {
            return Err(AgentError::NoSuchFile { path: file.into(), meant: nearest_file(Path::new(file)) });
        }
    }
    // It passes a program's output on only when the program ends.
    let streams = ["--no-capture-output", "--live-stream"];
    if ["conda", "mamba"].contains(&name)
        && arguments.first().is_some_and(|word| word == "run")
        && !arguments.iter().any(|word| streams.contains(&word.as_str()))
    {
        let remedy = text.replacen(" run", " run --no-capture-output", 1);
        return mistaken(format!("`{name} run` keeps what a program prints until it ends; write `{remedy}`"));
    }
    let source = arguments.iter().find(|word| Language::by_extension(Path::new(word)).is_some() && is_there(word));
    if let Some(source) = source.filter(|_| COMPILERS.contains(&name) && Path::new(program) == Path::new(name)) {
        return mistaken(format!("`{name}` compiles and does not play; name the source itself, `{source}`"));
    }
    Ok(())
}

/// What is wrong with a text whose program is not found.
pub(super) fn of_unknown(text: &str, program: &str, dir: Option<&Path>) -> Option<String> {
    if ["http://", "https://", "git@"].iter().any(|start| program.starts_with(start)) {
        return Some("an agent is a file on this machine; download it, and name the file or its folder".to_owned());
    }
    let start = dir.map_or_else(PathBuf::new, Path::to_owned);
    let path = start.join(program);
    let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default().to_lowercase();
    if path.is_file() {
        let shown = settings::quoted(program);
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.map_or(".".to_owned(), |folder| folder.display().to_string());
        return match extension.as_str() {
            "jar" if is_of_scala(&path) => {
                Some(format!("it lacks Scala's library, which has a command of its own; write `scala {shown}`"))
            }
            "jar" => Some(format!("a JVM runs it; write `java -jar {shown}`")),
            "class" => Some(format!("a JVM runs it; write `java -cp {folder} {stem}`")),
            "exe" | "dll" if is_of_dotnet(&path) => {
                // Mono builds an .exe, .NET a .dll.
                let runtime = if extension == "exe" { "mono" } else { "dotnet" };
                Some(format!("it is a .NET assembly; write `{runtime} {shown}`"))
            }
            "exe" | "dll" | "bat" => Some("it is a program for Windows, and this is Linux; build it here".to_owned()),
            "hx" => Some(format!("name the command that runs it, `dir={folder} haxe --main {stem} --interp`")),
            "pl" if is_prolog(&path) => Some(format!("name the command that runs it, `swipl {shown}`")),
            other if other_language(other).is_some() && !is_program(&path) => {
                let OtherLanguage { name, build, run, .. } = other_language(other)?;
                let build = build.replace("{}", &shown);
                let command = run.map_or("the program".to_owned(), |run| format!("`{run}`"));
                Some(format!("Agon does not compile {name}; build it, as by `{build}`, and name {command}"))
            }
            other if interpreter_of(other).is_some() && !is_program(&path) => {
                let interpreter = interpreter_of(other)?;
                Some(format!("name the command that runs it, `{interpreter} {shown}`"))
            }
            "ipynb" => Some("it is a notebook; save its code as a `.py` file".to_owned()),
            "h" | "hpp" => Some("it is a header; name the source file that has `main`, or the folder".to_owned()),
            _ if !program.contains('/') && find_program(&format!("./{program}")).is_some() => {
                Some(format!("a program in this folder is named with it; write `./{program}`"))
            }
            _ if is_program(&path) => {
                Some(format!("the file is not executable; run `chmod +x {shown}`, and name it with its folder"))
            }
            _ => Some(format!(
                "not a source file that Agon knows ({}) and not a program; name the source, or the command that \
                 runs it",
                Language::EXTENSIONS
            )),
        };
    }
    if program == "python" && find_program("python3").is_some() {
        return Some(format!("there is no program `python`; write `{}`", text.replacen("python", "python3", 1)));
    }
    let sources: Vec<String> = ["cpp", "c", "py", "java", "rs", "js", "rb"]
        .into_iter()
        .map(|end| format!("{program}.{end}"))
        .filter(|name| start.join(name).is_file())
        .collect();
    let source = sources.first()?;
    Some(format!("no such program; did you mean the source `{source}`?"))
}

/// The file in the same folder that a mistyped path was probably meant to name.
pub(super) fn nearest_file(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names: Vec<String> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    let meant = text::nearest(path.file_name().and_then(|name| name.to_str())?, names.iter().map(String::as_str))?;
    Some(path.with_file_name(meant))
}

/// The variable of a shell at the beginning of a word: `$HOME/bot`.
fn variable(word: &str) -> Option<&str> {
    let rest = word.strip_prefix('$')?;
    let rest = rest.strip_prefix('{').unwrap_or(rest);
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| !name.is_empty())
}

/// Whether a word looks like the name of a program file.
pub(super) fn is_file_name(word: &str) -> bool {
    let path = Path::new(word);
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    Language::by_extension(path).is_some()
        || other_language(end).is_some()
        || interpreter_of(end).is_some()
        || ["jar", "class", "hx", "txt", "zip", "exe"].contains(&end)
}

fn other_language(extension: &str) -> Option<OtherLanguage> {
    OTHER_LANGUAGES.into_iter().find(|language| language.endings.contains(&extension))
}

fn interpreter_of(extension: &str) -> Option<&'static str> {
    INTERPRETED.iter().find(|(known, _)| known.contains(&extension)).map(|(_, interpreter)| *interpreter)
}

/// Number of bytes of a file that are read to recognise it.
const MAX_START_BYTES: u64 = 1 << 20;

/// Returns the start of a file; empty if it cannot be read.
fn start_of(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    let _ = File::open(path).and_then(|file| file.take(MAX_START_BYTES).read_to_end(&mut start));
    start
}

/// Whether a Windows program is a .NET assembly.
///
/// Source: ECMA-335, II.25.2: directory 15 of the optional header is that of the common language runtime.
fn is_of_dotnet(path: &Path) -> bool {
    let start = start_of(path);
    let number = |at: usize, bytes: usize| {
        let read = start.get(at..at + bytes)?;
        Some(read.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    };
    let directory = || {
        let header = number(0x3c, 4)?;
        let optional = header.checked_add(24).filter(|_| start.get(header..header + 4) == Some(b"PE\0\0"))?;
        let directories = optional + if number(optional, 2)? == 0x20b { 112 } else { 96 };
        number(directories + 14 * 8, 4)
    };
    directory().is_some_and(|address| address != 0)
}

/// Whether a `.pl` file is Prolog rather than Perl.
fn is_prolog(path: &Path) -> bool {
    let text = start_of(path);
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map(str::trim_end);
    lines.any(|line| line.starts_with(":-") || line.ends_with(":-") || line.contains(") :- "))
}

/// Whether a jar was made by Scala and lacks its library. File names are not compressed in a jar, and `object Bot`
/// compiles to `Bot$.class`.
fn is_of_scala(path: &Path) -> bool {
    let text = start_of(path);
    let has = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
    has(b"$.class") && !has(b"scala/")
}

/// Whether a file starts like a program or a script.
fn is_program(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    start[..read].starts_with(b"#!") || start[..read].starts_with(b"\x7fELF")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_a_shell_understands_is_refused_with_what_to_write() {
        let check = |text: &str, expected: Option<&str>| {
            let found = refuse(text, None).err().map(|error| error.to_string());
            match (&found, expected) {
                (Some(found), Some(expected)) => assert!(found.contains(expected), "{text}: {found}"),
                (found, expected) => assert_eq!(found.as_deref(), expected, "{text}"),
            }
        };
        check("cd bots && ./run --fast", Some("so `&&` means nothing; write `dir=bots ./run --fast`"));
        check("cd bots; ./run", Some("so `;` means nothing; write `dir=bots ./run`"));
        check("./bot | tee log", Some("so `|` means nothing; write `sh -c './bot | tee log'`"));
        check("./bot 2> log", Some("so `2>` means nothing; leave it out, since records keep its error stream"));
        check("./bot > log", Some("so `>` means nothing; leave it out, since the judge reads what it prints"));
        check("sh -c './a | ./b && ./c'", None);
        check("./bot --sign '|'", None);
        check("~/bots/x.py", Some("so `~` is not expanded; write `/"));
        check("./bot --net=~/w.bin", Some("so `~` is not expanded"));
        check("./bot '~/w.bin'", None);
        check("$NO_SUCH_VARIABLE/bot", Some("so `$NO_SUCH_VARIABLE` is not replaced; write what it stands for"));
        check("sh none.sh", Some("no such file: `none.sh`"));
        check("sh -c none.sh", None);
        check("./bot 'a;' b", None);
        let conda =
            "`conda run` keeps what a program prints until it ends; write `conda run --no-capture-output -n a ./bot`";
        check("conda run -n a ./bot", Some(conda));
        check("conda run --no-capture-output -n a ./bot", None);
        check(
            "/opt/conda/bin/mamba run -n a ./bot",
            Some("write `/opt/conda/bin/mamba run --no-capture-output -n a ./bot`"),
        );
        check("conda info", None);
    }

    #[test]
    fn a_file_that_is_no_agent_is_answered_with_what_to_write() {
        let place = tempfile::tempdir().unwrap();
        let check = |name: &str, content: &[u8], expected: &str| {
            let path = place.path().join(name);
            std::fs::write(&path, content).unwrap();
            let text = path.display().to_string();
            let found = of_unknown(&text, &text, None).unwrap();
            assert!(found.contains(expected), "{name}: {found}");
        };
        check("bot", b"\x7fELF\x02", "the file is not executable; run `chmod +x ");
        check("run.sh", b"#!/bin/sh\n", "the file is not executable; run `chmod +x ");
        check("plain.sh", b"./bot\n", "name the command that runs it, `sh /");
        check("bot.lua", b"", "name the command that runs it, `lua /");
        check("bot.go", b"package main", "Agon does not compile Go; build it, as by `go build -o bot /");
        check("bot.jar", b"PK", "write `java -jar ");
        check("Bot.class", b"", &format!("write `java -cp {} Bot`", place.path().display()));
        check("bot.jar", b"PK\x03\x04Bot.classPK\x03\x04Bot$.class", "write `scala ");
        check("bot.exe", b"MZ", "it is a program for Windows");
        let mut assembly = vec![0; 512];
        assembly[0x3c] = 0x80;
        assembly[0x80..0x84].copy_from_slice(b"PE\0\0");
        assembly[0x98..0x9a].copy_from_slice(&[0x0b, 0x01]);
        check("bot.exe", &assembly, "it is a program for Windows");
        assembly[0x98 + 96 + 14 * 8] = 8;
        check("bot.exe", &assembly, "write `mono ");
        check("bot.dll", &assembly, "write `dotnet ");
        check("bot.pl", b"print 1;", "`perl /");
        check("bot.pl", b":- initialization(main).\nmain :-\n    halt.\n", "`swipl /");
        check("Bot.hx", b"", &format!("`dir={} haxe --main Bot --interp`", place.path().display()));
        check("bot.cs", b"", "and name `dotnet out/bot.dll`");
        for (name, command) in [
            ("bot.R", "Rscript"),
            ("bot.exs", "elixir"),
            ("bot.tcl", "tclsh"),
            ("bot.raku", "raku"),
            ("bot.clj", "clojure"),
            ("bot.scm", "guile"),
            ("bot.lisp", "sbcl --script"),
            ("bot.groovy", "groovy"),
            ("bot.m", "octave-cli"),
            ("bot.awk", "gawk -f"),
            ("bot.sml", "poly --script"),
        ] {
            check(name, b"", &format!("name the command that runs it, `{command} /"));
        }
        for (name, command) in [
            ("bot.cr", "crystal build"),
            ("bot.vala", "valac"),
            ("bot.adb", "gnatmake"),
            ("bot.cob", "cobc -x"),
            ("bot.ml", "ocamlopt"),
            ("bot.f03", "gfortran"),
        ] {
            check(name, b"", &format!("build it, as by `{command}"));
        }
        check("notes.txt", b"text", "not a source file that Agon knows");
        assert!(of_unknown("https://a/b.py", "https://a/b.py", None).unwrap().contains("download it"));
        assert_eq!(of_unknown("far", "far", None), None);
    }
}
