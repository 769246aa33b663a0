//! Where a program crashed: the problem and the call stack that its runtime or a sanitizer wrote to its error stream.
//!
//! Known are the sanitizers of gcc and clang, and the tracebacks of Rust, Python, Java, Node and Ruby. Calls outside
//! the author's files are left out, and the name of a file is the one that the author gave it.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use agon_message::{Stated, messages};
use serde::{Deserialize, Serialize};

use crate::agent::Language;
use crate::agent::debug::{VALUES_MARK, WARNINGS_FILE, build_name};
use crate::paths::of_system;
use crate::process::ProgramSpec;
use crate::sight::Sight;
use crate::text::plain;

/// Calls that are kept of a stack, from the innermost on: a recursion without end has thousands.
const MAX_CALLS: usize = 12;

/// Characters of a problem and of a value.
const MAX_CHARS: usize = 300;

/// What went wrong in a program, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Crash {
    /// In the runtime's words: `IndexError: list index out of range`.
    pub problem: String,
    /// Calls in the author's files, the innermost first; never empty.
    pub calls: Vec<Call>,
    /// It did not crash: it was here when its time ran out, and was stopped.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stuck: bool,
}

/// A call in a file of the author.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Call {
    /// The name of the file; in a folder of sources its path from there on.
    pub name: String,
    /// The file as its author names it.
    pub file: PathBuf,
    /// From 1.
    pub line: u32,
    /// From 1, if the runtime reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The text of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Local variables with their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(String, String)>,
}

/// `bot.cpp:12 in choose(int)`
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.line)?;
        self.function.iter().try_for_each(|function| write!(f, " in {function}"))
    }
}

/// The files of an author's program, by their names in a call stack.
///
/// A program writes its error stream itself and may name any file there. Lines are shown of those alone that it was
/// compiled from or that its jail shows it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OwnSources {
    /// The folder in the cache that keeps it with its sources.
    build: Option<PathBuf>,
    /// The file or folder that the author named.
    source: Option<PathBuf>,
    sight: Sight,
}

/// A file that a call stack means.
struct OwnFile {
    /// The author's name for it.
    named: PathBuf,
    /// Where its text is read.
    text: PathBuf,
}

impl OwnSources {
    pub fn new(program: &ProgramSpec) -> Self {
        let build = program.build.as_ref().map(|build| build.folder().to_owned());
        Self { build, source: program.source.clone(), sight: program.sight() }
    }

    /// The compiler's warnings about a debug build: variables that may be uninitialised, each with its place.
    pub fn warnings(&self) -> Vec<Crash> {
        let text = self.build.as_ref().and_then(|build| fs::read_to_string(build.join(WARNINGS_FILE)).ok());
        warnings(&text.unwrap_or_default(), self)
    }

    /// The name of an author's file in a folder of sources, or by itself.
    fn name(&self, file: &Path) -> String {
        let inside = self.source.as_deref().filter(|source| source.is_dir());
        let name = inside.and_then(|folder| file.strip_prefix(folder).ok()).or_else(|| file.file_name().map(Path::new));
        name.unwrap_or(file).display().to_string()
    }

    /// The author's file that a path in a call stack means, if it is one.
    fn find(&self, path: &str) -> Option<OwnFile> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let path = path.strip_prefix("./").unwrap_or(path);
        let (Some(build), Some(source)) = (&self.build, &self.source) else {
            // A command runs the author's files in place.
            let text = fs::canonicalize(path).ok().filter(|text| text.is_file() && !of_system(text))?;
            return self.sight.is_seen(&text).then(|| OwnFile { named: path.into(), text });
        };
        let inside = if Path::new(path).is_absolute() {
            // It is compiled in a folder next to the one where it is kept.
            let folder = build_name(build)?;
            let parts: Vec<&str> = path.split('/').collect();
            let at = parts.iter().position(|part| part.starts_with(folder))?;
            parts[at + 1..].join("/")
        } else {
            path.to_owned()
        };
        let folder = fs::canonicalize(build).ok()?;
        let text = fs::canonicalize(folder.join(inside)).ok().filter(|text| text.is_file())?;
        let named = author_file(source, text.strip_prefix(&folder).ok()?);
        Some(OwnFile { named, text })
    }
}

/// The author's name for a file in the folder where this source was compiled.
fn author_file(source: &Path, inside: &Path) -> PathBuf {
    let above = source.parent().unwrap_or(Path::new(""));
    if source.is_dir() {
        let file = source.join(inside);
        // A package of Python is compiled under its own name.
        return if file.is_file() { file } else { above.join(inside) };
    }
    let is_main = Language::by_extension(inside).is_some_and(|language| match language.kept_name() {
        Some(kept) => inside == Path::new(kept),
        // A Java file has the name of its class.
        None => inside.components().count() == 1,
    });
    if is_main { source.to_owned() } else { above.join(inside) }
}

/// Finds the call stack that one kind of runtime writes.
type StackReader = fn(&[&str]) -> Option<Stack>;

messages! {
    /// What the lines about a place in a program show.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum CrashHeading {
        Crashed = "where it crashed",
        Stuck = "where it was when time ran out",
        Repeated = "the game repeated with --debug",
    }
}

impl Crash {
    /// Reads the end of an error stream; `None` if it has no call stack with a file of the author.
    pub fn read(stderr: &str, own: &OwnSources) -> Option<Self> {
        let clean = without_values(stderr);
        let lines: Vec<&str> = clean.lines().collect();
        let readers: [StackReader; 6] = [sanitizer, rust, python, java, ruby, node];
        readers.iter().find_map(|read| {
            let Stack { problem, places } = read(&lines)?;
            let mut calls: Vec<Call> = Vec::new();
            for place in places {
                let Some(OwnFile { named: file, text }) = own.find(&place.file) else { continue };
                let (line, column) = (place.line, place.column);
                let function = place.function.map(|name| short(&name));
                // A sanitizer names the place, and again as the first call of its stack; Ruby names a built-in
                // method at the line that calls it.
                if calls.last().is_some_and(|last| last.file == file && last.line == line) {
                    calls.pop();
                }
                let source = line_of(&text, line);
                let name = own.name(&file);
                calls.push(Call { name, file, line, column, function, source, values: Vec::new() });
                if calls.len() == MAX_CALLS {
                    break;
                }
            }
            add_values(&mut calls, stderr, own);
            (!calls.is_empty()).then(|| Self { problem: short(&problem), calls, stuck: false })
        })
    }

    /// The place of a program that was stopped with this problem: it did not answer in time.
    pub fn of_stuck(self, problem: &str) -> Self {
        Self { problem: problem.to_owned(), stuck: true, ..self }
    }

    /// Its lines for display, below their heading.
    pub fn located(&self) -> Vec<Stated> {
        let lines = self.lines().into_iter().map(|line| format!("  {line}").into());
        [Stated::from(&self.heading())].into_iter().chain(lines).collect()
    }

    /// What its lines show.
    pub const fn heading(&self) -> CrashHeading {
        if self.stuck { CrashHeading::Stuck } else { CrashHeading::Crashed }
    }

    /// A warning in lines for people.
    pub fn warning_lines(&self) -> Vec<String> {
        let mut lines = self.lines();
        lines[0] = format!("the compiler warns: {}", lines[0]);
        lines
    }

    /// Its lines for display: the problem, the innermost line with its text and its values, and the calls above it.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.problem.clone()];
        for (at, call) in self.calls.iter().enumerate() {
            lines.push(format!("  {} {call}", if at == 0 { "at" } else { "called from" }));
            if let Some(source) = call.source.as_ref().filter(|_| at < 3) {
                lines.push(format!("      {source}"));
            }
            if at < 2 {
                lines.extend(call.values.iter().map(|(name, value)| format!("      {name} = {value}")));
            }
        }
        lines
    }
}

/// The warnings of gcc: `bot.cpp: In function ‘int choose(int)’:`, then `bot.cpp:3:5: warning: … [-Wuninitialized]`.
fn warnings(text: &str, own: &OwnSources) -> Vec<Crash> {
    let mut found: Vec<Crash> = Vec::new();
    let mut function = None;
    for line in text.lines() {
        if let Some((_, name)) = line.split_once(": In ") {
            function = name.split_once(['\'', '‘']).and_then(|(_, name)| name.split_once(['\'', '’']));
        }
        let Some((at, rest)) = line.split_once(": warning: ") else { continue };
        let Some((said, _)) = rest.split_once(" [-W").filter(|(_, option)| option.ends_with("uninitialized]")) else {
            continue;
        };
        let Some(place) = place(at, function.map(|(name, _)| name)) else { continue };
        let Some(OwnFile { named: file, text }) = own.find(&place.file) else { continue };
        let (name, source) = (own.name(&file), line_of(&text, place.line));
        let (line, column, function) = (place.line, place.column, place.function);
        let call = Call { name, file, line, column, function, source, values: Vec::new() };
        let problem = short(&said.replace(['‘', '’'], "`"));
        if !found.iter().any(|known| known.problem == problem && known.calls[0].line == line) {
            found.push(Crash { problem, calls: vec![call], stuck: false });
        }
    }
    found
}

/// An error stream without what a hook reported for [`Crash::read`].
pub fn without_values(stderr: &str) -> String {
    let kept = stderr.lines().filter(|line| !line.starts_with(VALUES_MARK));
    kept.flat_map(|line| [line, "\n"]).collect()
}

/// A hook's report about a call.
#[derive(Deserialize)]
struct ReportedValues {
    file: String,
    line: u32,
    values: Vec<(String, String)>,
}

fn add_values(calls: &mut [Call], stderr: &str, own: &OwnSources) {
    for text in stderr.lines().filter_map(|line| line.strip_prefix(VALUES_MARK)) {
        let Ok(reported) = serde_json::from_str::<ReportedValues>(text) else { continue };
        let Some(file) = own.find(&reported.file) else { continue };
        let call = calls.iter_mut().find(|call| call.file == file.named && call.line == reported.line);
        if let Some(call) = call.filter(|call| call.values.is_empty()) {
            call.values = reported.values.into_iter().map(|(name, value)| (short(&name), short(&value))).collect();
        }
    }
}

/// The text of a line of a file, without the blanks around it.
fn line_of(file: &Path, line: u32) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().nth(line.checked_sub(1)? as usize)?.trim();
    (!line.is_empty()).then(|| short(line))
}

fn short(text: &str) -> String {
    let text = plain(text.trim());
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A call stack as it was written, the innermost call first.
struct Stack {
    problem: String,
    places: Vec<Place>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    file: String,
    line: u32,
    column: Option<u32>,
    function: Option<String>,
}

/// `file:12` or `file:12:5`
fn place(text: &str, function: Option<&str>) -> Option<Place> {
    let (rest, last) = text.trim().rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let before = rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?)));
    let (file, line, column) = match before {
        Some((file, line)) => (file, line, Some(last)),
        None => (rest, last, None),
    };
    let function = function.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    (!file.is_empty()).then(|| Place { file: file.to_owned(), line, column, function })
}

/// The sanitizers: `==2==ERROR: AddressSanitizer: …` or `bot.cpp:3:5: runtime error: …`, then `#0 0x… in f bot.cpp:3`.
fn sanitizer(lines: &[&str]) -> Option<Stack> {
    let is_error = |line: &&str| line.contains("==ERROR: AddressSanitizer: ") || line.contains(": runtime error: ");
    let at = lines.iter().position(is_error)?;
    let mut places = Vec::new();
    let problem = match lines[at].split_once(": runtime error: ") {
        Some((first, problem)) => {
            places.extend(place(first, None));
            problem.to_owned()
        }
        None => address_problem(lines, at),
    };
    let frames = lines[at + 1..].iter().skip_while(|line| !line.trim_start().starts_with('#'));
    for line in frames.take_while(|line| line.trim_start().starts_with('#')) {
        let Some((_, call)) = line.split_once(" in ") else { continue };
        // `choose(int) /folder/bot.cpp:12`: both may have blanks, and the path begins with a slash.
        let split = call.rfind(" /").or_else(|| call.rfind(' '));
        places.extend(split.and_then(|end| place(&call[end..], Some(&call[..end]))));
    }
    Some(Stack { problem, places })
}

/// What `AddressSanitizer` found, without addresses.
fn address_problem(lines: &[&str], at: usize) -> String {
    let whole = lines[at].split_once("AddressSanitizer: ").map_or(lines[at], |(_, rest)| rest);
    let kind = [" on address ", " on unknown address ", " (pc "]
        .iter()
        .fold(whole, |text, end| text.split_once(end).map_or(text, |(before, _)| before));
    if kind == "ABRT" {
        // What the program or its library wrote before it gave up.
        let of_sanitizer = |line: &str| line.starts_with("===") || line.starts_with("AddressSanitizer:");
        let words = lines[..at].iter().rev().find(|line| !line.trim().is_empty() && !of_sanitizer(line));
        let words = words.map_or("aborted", |words| words.trim());
        // The name of the function that asserts may be very long.
        return words.find("Assertion ").map_or(words, |at| &words[at..]).to_owned();
    }
    let access = lines[at + 1..].iter().take(4).find_map(|line| {
        let caused = line.split_once("The signal is caused by a ").map(|(_, rest)| rest.trim_end_matches('.'));
        let is_access = line.starts_with("READ of size ") || line.starts_with("WRITE of size ");
        caused.or_else(|| is_access.then(|| line.split_once(" at ").map_or(*line, |(before, _)| before)))
    });
    access.map_or_else(|| kind.to_owned(), |access| format!("{kind}: {access}"))
}

/// `thread 'main' panicked at bot.rs:5:10:`, its message in the next line, and `stack backtrace:`.
fn rust(lines: &[&str]) -> Option<Stack> {
    let at = lines.iter().position(|line| line.starts_with("thread '") && line.contains(" panicked at "))?;
    let (_, first) = lines[at].split_once(" panicked at ")?;
    let problem = lines.get(at + 1).map_or("panicked", |line| line.trim()).to_owned();
    let mut places: Vec<Place> = place(first.trim_end_matches(':'), None).into_iter().collect();
    let mut function = None;
    for line in lines[at + 1..].iter().map(|line| line.trim()) {
        if let Some(text) = line.strip_prefix("at ") {
            places.extend(place(text, function.take()));
        } else if let Some((number, name)) = line.split_once(": ")
            && number.parse::<u32>().is_ok()
        {
            // `12: 0x55… - bot::choose` in a full backtrace.
            function = Some(name.split_once(" - ").map_or(name, |(_, name)| name));
        }
    }
    Some(Stack { problem, places })
}

/// `  File "bot.py", line 3, in choose`: below `Traceback` the innermost last, below `Fatal Python error` first.
fn python(lines: &[&str]) -> Option<Stack> {
    let call = |line: &str| {
        let (file, rest) = line.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
        let (number, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
        let function = rest.split_once("in ").map(|(_, name)| name.trim().to_owned());
        Some(Place { file: file.to_owned(), line: number.parse().ok()?, column: None, function })
    };
    if let Some(fatal) = lines.iter().position(|line| line.starts_with("Fatal Python error: ")) {
        let problem = lines[fatal].trim_start_matches("Fatal Python error: ").to_owned();
        return Some(Stack { problem, places: lines[fatal..].iter().filter_map(|line| call(line)).collect() });
    }
    let last = lines.iter().rposition(|line| call(line).is_some())?;
    let first = lines[..last].iter().rposition(|line| line.starts_with("Traceback (most recent call last):"));
    let mut places: Vec<Place> = lines[first.unwrap_or(last)..=last].iter().filter_map(|line| call(line)).collect();
    places.reverse();
    let problem = lines[last + 1..].iter().find(|line| !line.starts_with(' ') && !line.trim().is_empty())?;
    Some(Stack { problem: (*problem).to_owned(), places })
}

/// `Exception in thread "main" java.lang.…: …`, or its last `Caused by: …`, and `at Bot.choose(Bot.java:12)`.
fn java(lines: &[&str]) -> Option<Stack> {
    let begins = |line: &&str| line.starts_with("Exception in thread ") || line.starts_with("Caused by: ");
    let at = lines.iter().rposition(begins)?;
    let problem = match lines[at].strip_prefix("Exception in thread \"") {
        Some(rest) => rest.split_once("\" ").map_or(rest, |(_, problem)| problem),
        None => lines[at].trim_start_matches("Caused by: "),
    };
    let call = |line: &&str| {
        let (function, rest) = line.trim_start().strip_prefix("at ")?.split_once('(')?;
        // The module is before the slash.
        let function = function.rsplit_once('/').map_or(function, |(_, function)| function);
        place(rest.strip_suffix(')')?, Some(function))
    };
    let frames = lines[at + 1..].iter().take_while(|line| line.starts_with('\t'));
    Some(Stack { problem: problem.to_owned(), places: frames.filter_map(call).collect() })
}

/// `bot.rb:5:in 'choose': undefined method … (NoMethodError)`, then `from bot.rb:9:in '<main>'`.
fn ruby(lines: &[&str]) -> Option<Stack> {
    let call = |line: &str| -> Option<(Place, String)> {
        let (at, rest) = line.split_once(":in ")?;
        let rest = rest.strip_prefix(['`', '\''])?;
        let (function, rest) = rest.split_once('\'')?;
        Some((place(at, Some(function))?, rest.trim_start_matches(": ").to_owned()))
    };
    let at = lines.iter().position(|line| !line.starts_with('\t') && call(line).is_some())?;
    let (first, problem) = call(lines[at])?;
    let callers = lines[at + 1..].iter().filter_map(|line| call(line.trim_start().strip_prefix("from ")?));
    Some(Stack { problem, places: [first].into_iter().chain(callers.map(|(place, _)| place)).collect() })
}

/// `/folder/bot.js:12`, then `TypeError: …` and `    at choose (/folder/bot.js:12:7)`.
fn node(lines: &[&str]) -> Option<Stack> {
    let call = |line: &str| {
        let text = line.trim_start().strip_prefix("at ")?;
        match text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")) {
            Some((function, at)) => place(at, Some(function)),
            None => place(text.trim_start_matches("async "), None),
        }
    };
    let is_error = |line: &str| {
        let name = line.split([':', ' ']).next().unwrap_or_default();
        name.ends_with("Error") && name.chars().all(|c| c.is_ascii_alphanumeric())
    };
    let at = lines.iter().position(|line| is_error(line))?;
    let frames = lines[at + 1..].iter().take_while(|line| line.trim_start().starts_with("at "));
    let mut places: Vec<Place> = frames.filter_map(|line| call(line)).collect();
    // Only the first line of a syntax error has its place.
    let head = lines[..at].iter().rev().find(|line| !line.starts_with(' ') && place(line, None).is_some());
    if let Some(head) = head.and_then(|line| place(line, None))
        && places.first().is_none_or(|first| (&first.file, first.line) != (&head.file, head.line))
    {
        places.insert(0, head);
    }
    Some(Stack { problem: lines[at].to_owned(), places })
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::os::unix::fs::symlink;

    use agon_jail::{Jail, Level};

    /// The crash of a source with this extension; its lines are `line N`. Stacks have its folders as `/c/`.
    fn crash(extension: &str, stderr: &str) -> Crash {
        let (folder, own) = compiled(extension);
        let stderr = stderr.replace("/c/kept-1a2b", &folder.path().join("kept-1a2b").display().to_string());
        let found = Crash::read(&stderr, &own).unwrap_or_else(|| panic!("no crash in {stderr}"));
        assert!(found.calls.iter().all(|call| Some(&call.file) == own.source.as_ref()), "{found:?}");
        assert_eq!(found.calls[0].source, Some(format!("line {}", found.calls[0].line)));
        found
    }

    /// A source of the author in a folder with the one that keeps its build.
    fn compiled(extension: &str) -> (tempfile::TempDir, OwnSources) {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join(format!("bot.{extension}"));
        let text = (1..=30).map(|line| format!("  line {line}")).collect::<Vec<_>>().join("\n");
        fs::write(&source, &text).unwrap();
        let build = folder.path().join("kept-1a2b");
        fs::create_dir(&build).unwrap();
        let kept = Language::by_extension(&source).unwrap().kept_name().unwrap_or("Bot.java");
        fs::write(build.join(kept), text).unwrap();
        (folder, OwnSources { build: Some(build), source: Some(source), sight: Sight::default() })
    }

    fn check(extension: &str, stderr: &str, problem: &str, calls: &[(u32, &str)]) {
        let found = crash(extension, stderr);
        let seen: Vec<_> =
            found.calls.iter().map(|call| (call.line, call.function.clone().unwrap_or_default())).collect();
        let wanted: Vec<_> = calls.iter().map(|&(line, name)| (line, name.to_owned())).collect();
        assert_eq!((found.problem.as_str(), seen), (problem, wanted));
    }

    #[test]
    fn the_stack_of_a_sanitizer_is_read() {
        check(
            "cpp",
            "hello
=================================================================
==2==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000038 at pc 0x1 bp 0x2 sp 0x3
READ of size 4 at 0x602000000038 thread T0
    #0 0x55 in choose(std::vector<int, std::allocator<int> > const&) /c/kept-1a2b.building-1/program.cpp:12
    #1 0x56 in main /c/kept-1a2b.building-1/program.cpp:20
    #2 0x7f in __libc_start_call_main (/lib/libc.so.6+0x1)

0x602 is located 0 bytes after, allocated by:
    #0 0x7f in malloc (/usr/lib/libasan.so)
    #1 0x55 in main /c/kept-1a2b.building-1/program.cpp:3
",
            "heap-buffer-overflow: READ of size 4",
            &[(12, "choose(std::vector<int, std::allocator<int> > const&)"), (20, "main")],
        );
        check(
            "c",
            "program.c:7:12: runtime error: index 9 out of bounds for type 'int [9]'
    #0 0x55 in choose /c/kept-1a2b.building-1/program.c:7
    #1 0x56 in main /c/kept-1a2b.building-1/program.c:9
",
            "index 9 out of bounds for type 'int [9]'",
            &[(7, "choose"), (9, "main")],
        );
        check(
            "c",
            "==2==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x1 bp 0x2 T0)
==2==The signal is caused by a WRITE memory access.
==2==Hint: address points to the zero page.
    #0 0x55 in main /c/kept-1a2b.building-1/program.c:4
",
            "SEGV: WRITE memory access",
            &[(4, "main")],
        );
        check(
            "cpp",
            "terminate called after throwing an instance of 'std::out_of_range'
  what():  map::at
AddressSanitizer:DEADLYSIGNAL
==3==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2)
    #0 0x7f in pthread_kill (/lib/libc.so.6+0x8)
    #1 0x55 in main /c/kept-1a2b/program.cpp:5
",
            "what():  map::at",
            &[(5, "main")],
        );
    }

    #[test]
    fn a_failed_assertion_is_the_problem() {
        check(
            "cpp",
            "bot: program.cpp:5: int choose(int): Assertion `k == 0' failed.
AddressSanitizer:DEADLYSIGNAL
=================================================================
==3==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2)
    #0 0x7f in abort stdlib/abort.c:79
    #1 0x55 in choose(int) /c/kept-1a2b/program.cpp:5
    #2 0x55 in choose(int) /c/kept-1a2b/program.cpp:5
    #3 0x55 in main /c/kept-1a2b/program.cpp:9
",
            "Assertion `k == 0' failed.",
            &[(5, "choose(int)"), (9, "main")],
        );
    }

    #[test]
    fn the_traceback_of_each_language_is_read() {
        check(
            "rs",
            "thread 'main' (7) panicked at program.rs:5:10:
index out of bounds: the len is 3 but the index is 7
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/1/library/std/src/panicking.rs:697:5
   3: program::choose
             at ./program.rs:5:10
   4: program::main
             at ./program.rs:9:5
note: Some details are omitted
",
            "index out of bounds: the len is 3 but the index is 7",
            &[(5, "program::choose"), (9, "program::main")],
        );
        check(
            "py",
            "Traceback (most recent call last):
  File \"/c/kept-1a2b/program.py\", line 9, in <module>
    f(1)
  File \"/c/kept-1a2b/program.py\", line 4, in choose
    x = y[1]
        ~^^^
IndexError: list index out of range
",
            "IndexError: list index out of range",
            &[(4, "choose"), (9, "<module>")],
        );
        check(
            "py",
            "  File \"/c/kept-1a2b/program.py\", line 3
    def f(
         ^
SyntaxError: '(' was never closed
",
            "SyntaxError: '(' was never closed",
            &[(3, "")],
        );
        check(
            "py",
            "Fatal Python error: Segmentation fault

Current thread 0x7f (most recent call first):
  File \"/c/kept-1a2b/program.py\", line 5 in choose
  File \"/c/kept-1a2b/program.py\", line 8 in <module>
",
            "Segmentation fault",
            &[(5, "choose"), (8, "<module>")],
        );
        check(
            "java",
            "Exception in thread \"main\" java.lang.RuntimeException: wrapped
\tat Bot.main(Bot.java:20)
Caused by: java.lang.ArrayIndexOutOfBoundsException: Index 9 out of bounds for length 9
\tat java.base/java.util.List.get(List.java:1)
\tat Bot.choose(Bot.java:12)
\tat Bot.main(Bot.java:18)
\t... 1 more
",
            "java.lang.ArrayIndexOutOfBoundsException: Index 9 out of bounds for length 9",
            &[(12, "Bot.choose"), (18, "Bot.main")],
        );
        check(
            "js",
            "/c/kept-1a2b/program.js:4
  return board.x.y;
                 ^

TypeError: Cannot read properties of undefined (reading 'y')
    at choose (/c/kept-1a2b/program.js:4:18)
    at Interface.<anonymous> (/c/kept-1a2b/program.js:9:3)
    at node:internal/main:1:2

Node.js v18.0.0
",
            "TypeError: Cannot read properties of undefined (reading 'y')",
            &[(4, "choose"), (9, "Interface.<anonymous>")],
        );
        check(
            "rb",
            "/c/kept-1a2b/program.rb:5:in `fetch': index 9 outside of array bounds: -9...9 (IndexError)
\tfrom /c/kept-1a2b/program.rb:5:in `choose'
\tfrom /c/kept-1a2b/program.rb:9:in `<main>'
\tfrom -e:19:in `load'
",
            "index 9 outside of array bounds: -9...9 (IndexError)",
            &[(5, "choose"), (9, "<main>")],
        );
    }

    #[test]
    fn values_belong_to_their_call() {
        let stderr = "Traceback (most recent call last):\n  File \"/c/kept-1a2b/program.py\", line 4, in choose\n    \
                      x\nValueError: no\n\u{1e}agon-values {\"file\": \"/c/kept-1a2b/program.py\", \"line\": 4, \
                      \"values\": [[\"x\", \"7\"]]}\n";
        let found = crash("py", stderr);
        assert_eq!(found.calls[0].values, [("x".to_owned(), "7".to_owned())]);
        let lines = found.lines();
        assert!(lines[1].ends_with("bot.py:4 in choose") && lines[3] == "      x = 7", "{lines:?}");
        assert!(!without_values(stderr).contains("agon-values"));
    }

    #[test]
    fn a_stack_without_a_file_of_the_author_is_none() {
        let (_folder, own) = compiled("py");
        for stderr in
            ["", "Segmentation fault\n", "Traceback (most recent call last):\n  File \"/usr/x.py\", line 1\nE: no\n"]
        {
            assert_eq!(Crash::read(stderr, &own), None, "{stderr}");
        }
    }

    #[test]
    fn a_stack_shows_no_other_file() {
        let (folder, own) = compiled("py");
        let [build, other] = ["kept-1a2b", "other"].map(|name| folder.path().join(name));
        fs::create_dir(&other).unwrap();
        fs::write(other.join("private.py"), "private\n").unwrap();
        symlink(other.join("private.py"), build.join("link.py")).unwrap();
        let stack = |path: &Path| {
            format!("Traceback (most recent call last):\n  File \"{}\", line 1, in f\nE: no\n", path.display())
        };
        let private = other.join("private.py");
        for path in [
            private.clone(),
            build.join("../other/private.py"),
            build.join("link.py"),
            "../other/private.py".into(),
            folder.path().join("bot.py"),
        ] {
            assert_eq!(Crash::read(&stack(&path), &own), None, "{}", path.display());
        }
        // The same for a command in a jail that shows it one folder.
        let seen = folder.path().join("seen");
        fs::create_dir(&seen).unwrap();
        fs::write(seen.join("bot.py"), "own\n").unwrap();
        symlink(&private, seen.join("link.py")).unwrap();
        let jail = Jail { level: Level::Landlock, visible: vec![seen.clone()], ..Jail::default() };
        let sight = Sight::new(&jail, None, &["python3".to_owned()]);
        let own = OwnSources { build: None, source: None, sight };
        for path in [private, seen.join("link.py"), seen.join("../other/private.py")] {
            assert_eq!(Crash::read(&stack(&path), &own), None, "{}", path.display());
        }
        let found = Crash::read(&stack(&seen.join("bot.py")), &own).unwrap();
        assert_eq!(found.calls[0].source.as_deref(), Some("own"));
    }
}
