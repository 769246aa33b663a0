//! Languages of agents: how a source file becomes a program.

use std::fmt;
use std::path::Path;

use agon_game::text::without_bom;
use serde::{Deserialize, Serialize};

/// How a source is compiled and started.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BuildMode {
    /// As the judge of a competition does.
    #[default]
    Release,
    /// With debug information and all checks.
    Debug,
}

/// A language for agents, with ALPHANO's compiler flags if ALPHANO offers it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Language {
    C20,
    /// C++20, by g++.
    Cpp20,
    /// Python 3, by `CPython`.
    Python3,
    /// Python 3, by `PyPy`.
    Pypy3,
    Java,
    /// Not offered by ALPHANO.
    Rust,
    /// With Node; ALPHANO offers it only for the petri dish.
    JavaScript,
    Ruby,
}

impl Language {
    /// In ALPHANO's order.
    pub const ALL: [Self; 8] =
        [Self::C20, Self::Cpp20, Self::Python3, Self::Pypy3, Self::Java, Self::Rust, Self::JavaScript, Self::Ruby];

    /// The extensions that [`Language::by_extension`] knows, for people.
    pub const EXTENSIONS: &str = ".c .cpp .py .java .rs .js .rb, or any other after C20: CPP20: PYTHON3: PYPY3: JAVA: \
        RUST: JAVASCRIPT: RUBY:";

    /// Its name for display: `C++20`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::C20 => "C20",
            Self::Cpp20 => "C++20",
            Self::Python3 => "Python 3",
            Self::Pypy3 => "PyPy 3",
            Self::Java => "Java",
            Self::Rust => "Rust",
            Self::JavaScript => "JavaScript",
            Self::Ruby => "Ruby",
        }
    }

    /// ALPHANO's name: `CPP20`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::C20 => "C20",
            Self::Cpp20 => "CPP20",
            Self::Python3 => "PYTHON3",
            Self::Pypy3 => "PYPY3",
            Self::Java => "JAVA",
            Self::Rust => "RUST",
            Self::JavaScript => "JAVASCRIPT",
            Self::Ruby => "RUBY",
        }
    }

    /// The language of this name, in any case.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.name().eq_ignore_ascii_case(name))
    }

    /// The language of a file extension; `.py` means `CPython`.
    pub fn by_extension(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()? {
            "c" => Self::C20,
            "cpp" | "cc" | "cxx" => Self::Cpp20,
            "py" => Self::Python3,
            "java" => Self::Java,
            "rs" => Self::Rust,
            "js" => Self::JavaScript,
            "rb" => Self::Ruby,
            _ => return None,
        })
    }

    /// The program that compiles it or checks its syntax.
    pub const fn compiler(self) -> &'static str {
        match self {
            Self::C20 => "gcc",
            Self::Cpp20 => "g++",
            Self::Python3 => "python3",
            Self::Pypy3 => "pypy3",
            Self::Java => "javac",
            Self::Rust => "rustc",
            Self::JavaScript => "node",
            Self::Ruby => "ruby",
        }
    }

    /// What to do if the compiler is missing.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::C20 => "on Debian or Ubuntu: apt-get install gcc",
            Self::Cpp20 => "on Debian or Ubuntu: apt-get install g++",
            Self::Python3 => "on Debian or Ubuntu: apt-get install python3",
            Self::Pypy3 => "on Debian or Ubuntu: apt-get install pypy3",
            Self::Java => "on Debian or Ubuntu: apt-get install default-jdk-headless",
            Self::Rust => "see https://rustup.rs",
            Self::JavaScript => "on Debian or Ubuntu: apt-get install nodejs",
            Self::Ruby => "on Debian or Ubuntu: apt-get install ruby",
        }
    }

    /// The command that compiles sources, the main file first, in their folder, with ALPHANO's flags. If the language
    /// has its own modules, or only checks single files, only the main file is named.
    pub(super) fn compile_words(self, sources: &[&str], program: &str, mode: BuildMode) -> Vec<String> {
        let (before, after): (&[&str], &[&str]) = match self {
            Self::C20 => (&["gcc", "-O2", "-std=gnu2x", "-o", program], &["-lm"]),
            Self::Cpp20 => (&["g++", "-O2", "-std=gnu++20", "-o", program], &[]),
            Self::Python3 => (&["python3", "-m", "py_compile"], &[]),
            Self::Pypy3 => (&["pypy3", "-m", "py_compile"], &[]),
            // The same heap and few threads on every machine, to fit the limits of compilers.
            Self::Java => (&["javac", "-J-Xmx1024m", "-J-XX:+UseSerialGC", "-encoding", "UTF-8", "-d", "."], &[]),
            Self::Rust => (&["rustc", "--edition", "2024", "-C", "opt-level=2", "-o", program], &[]),
            Self::JavaScript => (&["node", "--check"], &[]),
            Self::Ruby => (&["ruby", "-c"], &[]),
        };
        let named = match self {
            Self::Rust | Self::JavaScript | Self::Ruby => &sources[..sources.len().min(1)],
            _ => sources,
        };
        // A compiler takes a name like these for an option, or for a file of options.
        let file = |name: &&str| if name.starts_with(['-', '@']) { format!("./{name}") } else { (*name).to_owned() };
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        // A compiler uses the last of several optimization levels.
        let (checks, last) = match mode {
            BuildMode::Release => (Vec::new(), before.len()),
            BuildMode::Debug => (self.debug_options(), before.len() - 2),
        };
        let before = if checks.is_empty() {
            words(before)
        } else {
            [words(&before[..last]), words(&checks), words(&before[last..])].concat()
        };
        [before, named.iter().map(file).collect(), words(after)].concat()
    }

    /// The command that runs the program compiled in `folder`.
    pub(super) fn run_words(self, folder: &Path, source: &str, program: &str, memory_mib: u64) -> Vec<String> {
        let at = |name: &str| folder.join(name).display().to_string();
        if let Some((package, _)) = source.split_once("/__main__.py").filter(|(_, rest)| rest.is_empty()) {
            // As with `python3 -m package`; a script that imports a file next to it finds that, too.
            let paths = format!("sys.path[:0] = [{:?}, {:?}]", folder.display().to_string(), at(package));
            let run = format!("runpy.run_module({package:?}, run_name='__main__', alter_sys=True)");
            return [self.compiler(), "-c", &format!("import runpy, sys; {paths}; {run}")].map(str::to_owned).into();
        }
        match self {
            Self::C20 | Self::Cpp20 | Self::Rust => vec![at(program)],
            Self::Python3 => vec!["python3".to_owned(), at(source)],
            Self::Pypy3 => vec!["pypy3".to_owned(), at(source)],
            Self::JavaScript => vec!["node".to_owned(), at(source)],
            Self::Ruby => vec!["ruby".to_owned(), at(source)],
            // A JVM sizes its heap by the machine, not by the limit, and would grow past it before it collects.
            Self::Java => vec![
                "java".to_owned(),
                format!("-Xmx{}m", (memory_mib * 3 / 4).max(16)),
                "-Xss64m".to_owned(),
                "-XX:+UseSerialGC".to_owned(),
                // Otherwise it leaves a file for monitoring tools, and any leftover makes the next start build a new
                // jail.
                "-XX:-UsePerfData".to_owned(),
                "-cp".to_owned(),
                folder.display().to_string(),
                source.trim_end_matches(".java").to_owned(),
            ],
        }
    }

    /// The file name that a source must have for its compiler: a Java file is named after its public class.
    pub(super) fn file_name(self, text: &[u8]) -> String {
        let of_class = || format!("{}.java", main_class(&String::from_utf8_lossy(text)));
        self.kept_name().map_or_else(of_class, str::to_owned)
    }
}

impl Language {
    /// The name under which every single file of a language is compiled and kept; a Java file has that of its class.
    pub fn kept_name(self) -> Option<&'static str> {
        Some(match self {
            Self::C20 => "program.c",
            Self::Cpp20 => "program.cpp",
            Self::Python3 | Self::Pypy3 => "program.py",
            Self::Rust => "program.rs",
            Self::JavaScript => "program.js",
            Self::Ruby => "program.rb",
            Self::Java => return None,
        })
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

agon_message::text_arguments!(Language);

/// The public class of a Java source, or else `Main`.
fn main_class(text: &str) -> &str {
    let words: Vec<&str> = without_bom(text).split_whitespace().collect();
    let class = words.windows(4).find_map(|window| match window {
        ["public", "class", name, ..] | ["public", "final", "class", name] => Some(*name),
        _ => None,
    });
    class.map_or("Main", |name| name.split(['{', '<']).next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_is_no_option() {
        let words =
            Language::C20.compile_words(&["main.c", "-specs=evil.c", "@options.c"], "program", BuildMode::Release);
        assert_eq!(words[5..8], ["main.c", "./-specs=evil.c", "./@options.c"]);
    }

    #[test]
    fn a_java_file_is_named_after_its_public_class() {
        let check = |text, name| assert_eq!(main_class(text), name, "{text}");
        check("class Main { }", "Main");
        check("import java.io.*;\npublic class Bot{ }", "Bot");
        check("public final class My<T> { }", "My");
        check("public  class\n  Deep extends Shallow { }", "Deep");
        check("\u{feff}public class Bot { }", "Bot");
        check("", "Main");
    }
}
