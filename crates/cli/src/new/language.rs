//! The languages of samples: their names, and the commands that start a bot.

use agon_referee::agent::Language;
use agon_referee::agent::settings::quoted;
use agon_referee::process::find_program;

/// The name of a new bot.
pub(super) const BOT: &str = "bot";

/// How a bot is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    /// Agon: its source is the agent.
    Source(Language),
    /// By its author, with these commands; the last words are the agent. `BOT` stands for the name without an
    /// extension.
    Command { build: &'static [&'static str], run: &'static str, package: &'static str },
}

/// A language in which games have samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SampleLanguage {
    pub title: &'static str,
    pub extension: &'static str,
    /// Names in small letters, the usual one first.
    pub spoken: &'static [&'static str],
    pub start: Start,
}

const fn source(
    title: &'static str,
    extension: &'static str,
    spoken: &'static [&'static str],
    language: Language,
) -> SampleLanguage {
    SampleLanguage { title, extension, spoken, start: Start::Source(language) }
}

const fn script(
    title: &'static str,
    extension: &'static str,
    spoken: &'static [&'static str],
    run: &'static str,
    package: &'static str,
) -> SampleLanguage {
    compiled(title, extension, spoken, &[], run, package)
}

const fn compiled(
    title: &'static str,
    extension: &'static str,
    spoken: &'static [&'static str],
    build: &'static [&'static str],
    run: &'static str,
    package: &'static str,
) -> SampleLanguage {
    SampleLanguage { title, extension, spoken, start: Start::Command { build, run, package } }
}

/// All languages, those that Agon compiles first.
pub(super) const LANGUAGES: [SampleLanguage; 20] = [
    source("Python", "py", &["python", "python3", "py"], Language::Python3),
    source("PyPy", "py", &["pypy", "pypy3"], Language::Pypy3),
    source("C++", "cpp", &["cpp", "c++", "cpp20"], Language::Cpp20),
    source("C", "c", &["c", "c20"], Language::C20),
    source("Java", "java", &["java"], Language::Java),
    source("Rust", "rs", &["rust", "rs"], Language::Rust),
    source("JavaScript", "js", &["javascript", "js", "node"], Language::JavaScript),
    source("Ruby", "rb", &["ruby", "rb"], Language::Ruby),
    compiled("Go", "go", &["go", "golang"], &["go build -o BOT BOT.go"], "./BOT", "golang-go"),
    compiled(
        "C#",
        "cs",
        &["csharp", "c#", "cs", "mono"],
        &["mcs -optimize+ -out:BOT.exe BOT.cs"],
        "mono BOT.exe",
        "mono-mcs",
    ),
    compiled(
        "Kotlin",
        "kt",
        &["kotlin", "kt"],
        &["kotlinc BOT.kt -include-runtime -d BOT.jar"],
        "java -jar BOT.jar",
        "kotlin",
    ),
    compiled(
        "TypeScript",
        "ts",
        &["typescript", "ts"],
        &["tsc --target es2019 BOT.ts"],
        "node BOT.js",
        "node-typescript",
    ),
    script("Lua", "lua", &["lua", "lua5.4"], "lua5.4 BOT.lua", "lua5.4"),
    script("PHP", "php", &["php"], "php BOT.php", "php-cli"),
    script("Perl", "pl", &["perl", "pl"], "perl BOT.pl", "perl"),
    compiled("Haskell", "hs", &["haskell", "hs", "ghc"], &["ghc -v0 -O2 -o BOT BOT.hs"], "./BOT", "ghc"),
    compiled("OCaml", "ml", &["ocaml", "ml"], &["ocamlopt -O3 -I +unix unix.cmxa BOT.ml -o BOT"], "./BOT", "ocaml-nox"),
    compiled("D", "d", &["d", "dlang"], &["ldc2 -O2 -of=BOT BOT.d"], "./BOT", "ldc"),
    compiled("Nim", "nim", &["nim"], &["nim compile -d:release --hints:off -o:BOT BOT.nim"], "./BOT", "nim"),
    // Compiled at each start, a bot takes up to 4 s for READY on a busy machine.
    compiled(
        "Common Lisp",
        "lisp",
        &["lisp", "common-lisp", "sbcl"],
        &["sbcl --noinform --non-interactive --eval '(compile-file \"BOT.lisp\")'"],
        "sbcl --script BOT.fasl",
        "sbcl",
    ),
];

impl SampleLanguage {
    /// Returns its name in JSON: that of the agent's language if Agon compiles it.
    pub(super) fn name(&self) -> String {
        match self.start {
            Start::Source(language) => language.name().to_owned(),
            Start::Command { .. } => self.spoken[0].to_uppercase(),
        }
    }

    /// Finds it by any of its names.
    pub(super) fn by_name(name: &str) -> Option<&'static Self> {
        LANGUAGES.iter().find(|language| language.spoken.contains(&name))
    }

    /// The name of a bot's file; a Java compiler wants that of the class.
    pub(super) fn file(&self, bot: &str) -> String {
        match self.start {
            Start::Source(Language::Java) => "Main.java".to_owned(),
            _ => format!("{bot}.{}", self.extension),
        }
    }

    /// The commands that build a bot of this name before it is an agent.
    pub(super) fn build(&self, bot: &str) -> Vec<String> {
        match self.start {
            Start::Source(_) => Vec::new(),
            Start::Command { build, .. } => build.iter().map(|line| line.replace("BOT", bot)).collect(),
        }
    }

    /// The agent, as a word of a command line.
    pub(super) fn agent(&self, bot: &str) -> String {
        match self.start {
            // The extension says CPython.
            Start::Source(Language::Pypy3) => format!("{}:{}", Language::Pypy3.name(), self.file(bot)),
            Start::Source(_) => self.file(bot),
            Start::Command { run, .. } => quoted(&run.replace("BOT", bot)),
        }
    }

    /// The commands that build and run it without Agon.
    pub(super) fn by_hand(&self, bot: &str) -> (Vec<String>, String) {
        let file = self.file(bot);
        let language = match self.start {
            Start::Source(language) => language,
            Start::Command { run, .. } => return (self.build(bot), run.replace("BOT", bot)),
        };
        let (build, run) = match language {
            Language::C20 => (Some(format!("gcc -O2 -std=gnu2x -o {bot} {file} -lm")), format!("./{bot}")),
            Language::Cpp20 => (Some(format!("g++ -O2 -std=gnu++20 -o {bot} {file}")), format!("./{bot}")),
            Language::Java => (Some(format!("javac {file}")), "java Main".to_owned()),
            Language::Rust => {
                (Some(format!("rustc --edition 2024 -C opt-level=2 -o {bot} {file}")), format!("./{bot}"))
            }
            Language::Python3 => (None, format!("python3 {file}")),
            Language::Pypy3 => (None, format!("pypy3 {file}")),
            Language::JavaScript => (None, format!("node {file}")),
            Language::Ruby => (None, format!("ruby {file}")),
        };
        (build.into_iter().collect(), run)
    }

    /// The build's output file, for Git to ignore.
    pub(super) fn product(&self, bot: &str) -> Option<String> {
        let (build, run) = self.by_hand(bot);
        let last = run.split(' ').next_back()?.trim_start_matches("./").to_owned();
        (!build.is_empty() && last != "Main").then_some(last)
    }

    /// Returns what this machine lacks to build or start it, with the remedy.
    pub(super) fn missing(&self) -> Option<String> {
        match self.start {
            Start::Source(language) => find_program(language.compiler()).is_none().then(|| {
                format!("{language} needs `{}`, which is not installed; {}", language.compiler(), language.remedy())
            }),
            Start::Command { build, run, package } => {
                let mut programs = build.iter().chain([&run]).filter_map(|line| line.split(' ').next());
                let missing = programs.find(|word| !word.starts_with("./") && find_program(word).is_none())?;
                let title = self.title;
                Some(format!(
                    "{title} needs `{missing}`, which is not installed; on Debian or Ubuntu: apt install {package}"
                ))
            }
        }
    }

    /// Returns true if a site accepts it.
    pub(super) const fn is_submitted(&self) -> bool {
        matches!(self.start, Start::Source(_))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use agon_catalog::Game;

    use super::*;

    #[test]
    fn names_and_extensions_differ_and_every_sample_has_its_language() {
        let names: Vec<&str> = LANGUAGES.iter().flat_map(|language| language.spoken).copied().collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        let extensions: BTreeSet<&str> = LANGUAGES.iter().map(|language| language.extension).collect();
        assert_eq!(extensions.len() + 1, LANGUAGES.len(), "Python and PyPy share theirs");
        for game in Game::all() {
            for (extension, _) in game.samples {
                assert!(extensions.contains(extension), "{game} {extension}");
            }
        }
        for language in &LANGUAGES {
            if let Start::Source(known) = language.start
                && known != Language::Pypy3
            {
                assert_eq!(Language::by_extension(Path::new(&language.file("bot"))), Some(known));
            }
        }
    }

    #[test]
    fn a_bot_of_another_language_is_built_and_named_by_its_command() {
        let language = |name| SampleLanguage::by_name(name).unwrap();
        let kotlin = language("kt");
        assert_eq!(kotlin.agent("old_bot"), "'java -jar old_bot.jar'");
        assert_eq!(kotlin.build("bot"), ["kotlinc bot.kt -include-runtime -d bot.jar"]);
        assert_eq!(kotlin.product("bot").as_deref(), Some("bot.jar"));
        assert_eq!(
            (language("go").agent("bot").as_str(), language("go").product("bot")),
            ("./bot", Some("bot".into()))
        );
        assert_eq!((language("lua").product("bot"), language("python").product("bot")), (None, None));
        assert_eq!(
            (language("c++").agent("bot"), language("java").agent("bot")),
            ("bot.cpp".into(), "Main.java".into())
        );
        assert_eq!(language("pypy").agent("old_bot"), "PYPY3:old_bot.py");
    }
}
