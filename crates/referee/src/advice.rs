//! Advice for the author of a program, based on its language and its output.

use agon_message::messages;

use crate::paths;
use crate::process::find_program;
use crate::sight::Sight;

messages! {
    /// Advice for the author of a program.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Advice {
        /// awk may be mawk.
        Awk = "awk may be mawk, which reads until its buffer is full: write `mawk -W interactive`",
        Mawk = "mawk reads until its buffer is full: write `mawk -W interactive`",
        Sed = "sed reads until its buffer is full: write `sed -u`",
        Grep = "grep buffers its output: write `grep --line-buffered`",
        Jq = "jq buffers its output: write `jq --unbuffered`",
        Octave = "fgetl waits for the byte after the line: use fscanf(stdin, \"%s\", \"C\") or input(\"\", \"s\")",
        LeakCheck = "the jail refuses ptrace, which LeakSanitizer needs: write `env.ASAN_OPTIONS=detect_leaks=0` \
                     before the command",
        Threads = "a program may have 64 processes and threads at once: start fewer",
        Scala = "Scala's library is missing: write `scala` in place of `java -jar`",
        Kotlin = "Kotlin's library is missing: compile with `-include-runtime`, or write `kotlin` in place of `java \
                  -jar`",
        Groovy = "Groovy's library is missing: name its jars after `-cp`, or write `groovy` and the source",
        Clojure = "Clojure's library is missing: name its jar after `-cp`, or write `clojure` and the source",
        /// For a Java source that Agon compiles.
        JavaSource = "a Java source starts at its public class, or else at `Main`, without a package: rename the class \
                      with `main` to `Main`, or write `public` before it",
        /// For a command.
        JavaCommand = "name the folder with the class, or the jar: `java -cp DIR Bot`, `java -jar bot.jar`",
    }

    /// How a program flushes its standard output.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum FlushCall {
        /// In its language.
        Code { code: &'static str } = "{code}",
        UnknownLanguage =
            "print(…, flush=True) in Python, std::endl in C++, fflush(stdout) in C, hSetBuffering stdout LineBuffering \
             in Haskell; docs/languages.md has others",
    }

    /// How a program writes to its standard error.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum StderrCall {
        /// In its language.
        Code { code: &'static str } = "{code}",
        UnknownLanguage = "print(…, file=sys.stderr) in Python, std::cerr in C++",
    }
}

/// Programs that read or write in blocks, and how to make them work line by line.
const BLOCK_BUFFERED: [(&[&str], Advice); 6] = [
    (&["awk"], Advice::Awk),
    (&["mawk"], Advice::Mawk),
    (&["sed"], Advice::Sed),
    (&["grep"], Advice::Grep),
    (&["jq"], Advice::Jq),
    (&["octave", "octave-cli"], Advice::Octave),
];

/// How to flush standard output: names of programs, and the call in their language.
const FLUSH: [(&[&str], &str); 16] = [
    (&["python", "pypy"], "print(…, flush=True)"),
    (&["lua", "luajit", "texlua"], "io.stdout:flush()"),
    (&["perl"], "$| = 1"),
    (&["raku", "perl6"], "$*OUT.flush"),
    (&["racket", "csi", "scheme48"], "(flush-output)"),
    (&["gsi", "guile", "gosh"], "(force-output)"),
    (&["gforth"], "stdout flush-file throw"),
    (&["gawk", "awk", "mawk"], "fflush()"),
    (&["ocaml"], "flush stdout"),
    (&["octave"], "fflush(stdout)"),
    (&["tclsh", "jimsh", "wish"], "flush stdout"),
    (&["swipl", "gprolog", "yap"], "flush_output"),
    (&["ruby", "jruby"], "$stdout.sync = true"),
    (&["julia"], "flush(stdout)"),
    (&["runghc", "runhaskell"], "hSetBuffering stdout LineBuffering"),
    (&["Rscript", "R"], "flush(stdout())"),
];

/// The same for sources, by file extension.
const FLUSH_BY_ENDING: [(&[&str], &str); 5] = [
    (&["c"], "fflush(stdout)"),
    (&["cc", "cpp", "cxx"], "std::endl"),
    (&["rs"], "println! or stdout().flush()"),
    (&["java"], "System.out.println or System.out.flush()"),
    (&["js"], "console.log, or process.stdout.write"),
];

/// Names of programs or endings of sources, and the call of their language that writes to standard error.
const STDERR: [(&[&str], &str); 10] = [
    (&["python", "pypy", "py"], "print(…, file=sys.stderr)"),
    (&["c"], "fprintf(stderr, …)"),
    (&["cc", "cpp", "cxx"], "std::cerr"),
    (&["rs"], "eprintln!"),
    (&["java"], "System.err.println"),
    (&["node", "nodejs", "deno", "bun", "js", "ts"], "console.error"),
    (&["ruby", "jruby", "rb"], "warn"),
    (&["perl"], "print STDERR"),
    (&["lua", "luajit"], "io.stderr:write"),
    (&["php"], "fwrite(STDERR, …)"),
];

/// Messages of runtimes that cannot start another thread or process.
const NO_MORE_THREADS: [&str; 17] = [
    // C++: `std::system_error` of a `std::thread`.
    "what():  Resource temporarily unavailable",
    "can't start new thread",
    "unable to create native thread",
    "unable to create new native thread",
    "Failed to start thread",
    "Failed to create thread",
    "failed to create thread",
    "Thread creation failed",
    "Cannot create thread",
    "pthread_create failed",
    "pthread_create: Resource temporarily unavailable",
    "Cannot fork",
    "fork: retry",
    "fork: Resource temporarily unavailable",
    "BlockingIOError: [Errno 11]",
    "spawn EAGAIN",
    "(os error 11)",
];

/// Messages of a sanitizer's leak check if it may not trace its program.
pub const NO_LEAK_CHECK: [&str; 2] =
    ["LeakSanitizer does not work under ptrace", "LeakSanitizer has encountered a fatal error"];

/// Messages in an error stream or an answer, and what to do about them.
const BY_MESSAGE: [(&[&str], Advice); 6] = [
    (&NO_LEAK_CHECK, Advice::LeakCheck),
    (&NO_MORE_THREADS, Advice::Threads),
    (&["ClassNotFoundException: scala.", "NoClassDefFoundError: scala/"], Advice::Scala),
    (&["ClassNotFoundException: kotlin.", "NoClassDefFoundError: kotlin/"], Advice::Kotlin),
    (&["ClassNotFoundException: groovy.", "NoClassDefFoundError: groovy/"], Advice::Groovy),
    (&["ClassNotFoundException: clojure.", "NoClassDefFoundError: clojure/"], Advice::Clojure),
];

/// Returns advice about a message that a program wrote before it failed.
pub fn of_message(text: &str, program: &Sight) -> Option<Advice> {
    if text.contains("Could not find or load main class") {
        return Some(if program.is_command() { Advice::JavaCommand } else { Advice::JavaSource });
    }
    let found = BY_MESSAGE.iter().find(|(messages, _)| messages.iter().any(|message| text.contains(message)));
    found.map(|(_, advice)| *advice)
}

/// Whether a message says that no further thread or process can start.
pub fn lacks_threads(text: &str) -> bool {
    NO_MORE_THREADS.iter().any(|message| text.contains(message))
}

/// How a program flushes its standard output.
pub fn flush(program: &Sight) -> FlushCall {
    let source = program.source_ending().and_then(|ending| named(&FLUSH_BY_ENDING, |known| known == ending));
    let code = source.or_else(|| by_program(&FLUSH, program));
    code.map_or(FlushCall::UnknownLanguage, |code| FlushCall::Code { code })
}

/// How a program writes to its standard error.
pub fn stderr(program: &Sight) -> StderrCall {
    let source = program.source_ending().and_then(|ending| named(&STDERR, |known| known == ending));
    let code = source.or_else(|| by_program(&STDERR, program));
    code.map_or(StderrCall::UnknownLanguage, |code| StderrCall::Code { code })
}

/// The words of a program by its name.
fn by_program(table: &[(&[&str], &'static str)], program: &Sight) -> Option<&'static str> {
    named(table, |known| is_version_of(program.program(), known))
}

/// The words of the first row that has such a name.
fn named(table: &[(&[&str], &'static str)], is: impl Fn(&str) -> bool) -> Option<&'static str> {
    table.iter().find(|(names, _)| names.iter().any(|known| is(known))).map(|(_, words)| *words)
}

/// How to make a program that reads or writes in blocks work line by line.
pub fn line_by_line(program: &Sight) -> Option<Advice> {
    BLOCK_BUFFERED.iter().find(|(names, _)| names.contains(&program.program())).map(|(_, advice)| *advice)
}

/// Programs that exit with 128 plus the signal of the program they ran.
const SHELLS: [&str; 14] =
    ["sh", "bash", "dash", "ash", "zsh", "ksh", "ksh93", "mksh", "yash", "fish", "tcsh", "csh", "busybox", "timeout"];

/// Whether a program is a shell or a script of one.
pub fn is_shell(program: &Sight) -> bool {
    let script = || paths::first_line(&paths::whole(&find_program(program.words().first()?)?));
    let names_one = |line: String| line.split([' ', '/']).any(|name| SHELLS.contains(&name));
    SHELLS.contains(&program.program()) || script().is_some_and(names_one)
}

/// Whether a program's name is this one, perhaps with a version: `python3.12`, `lua5.4`, `octave-cli`.
fn is_version_of(name: &str, known: &str) -> bool {
    name.strip_prefix(known).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use agon_jail::Jail;

    use super::*;
    use crate::agent::MAX_PROCESSES;

    fn program(words: &str) -> Sight {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        Sight::new(&Jail::default(), None, &words)
    }

    #[test]
    fn flushing_is_named_in_each_language() {
        let check =
            |words: &str, expected: &str| assert!(flush(&program(words)).to_string().starts_with(expected), "{words}");
        check("/usr/bin/python3.12 bot.py", "print(…, flush=True)");
        check("lua5.4 bot.lua", "io.stdout:flush()");
        check("luajit bot.lua", "io.stdout:flush()");
        check("luac x", "print(…, flush=True) in Python");
        check("racket bot.rkt", "(flush-output)");
        check("./bot", "print(…, flush=True) in Python, std::endl in C++");
    }

    #[test]
    fn known_messages_have_advice() {
        let check = |text: &str, words: &str, expected: Option<&str>| {
            let advice = of_message(text, &program(words)).map(|advice| advice.to_string());
            match (advice.as_deref(), expected) {
                (Some(advice), Some(expected)) => assert!(advice.contains(expected), "{text}: {advice}"),
                (advice, expected) => assert_eq!(advice, expected, "{text}"),
            }
        };
        let leaks = "==2==LeakSanitizer has encountered a fatal error.\n==2==HINT: LeakSanitizer does not work under \
                     ptrace (strace, gdb, etc)\n";
        check(leaks, "./bot", Some("`env.ASAN_OPTIONS=detect_leaks=0`"));
        check(
            "RuntimeError: can't start new thread",
            "python3 bot.py",
            Some(&format!("{MAX_PROCESSES} processes and threads at once")),
        );
        check(
            "[0.129s][warning][os,thread] Failed to start thread \"Unknown thread\"",
            "java Bot",
            Some(&format!("{MAX_PROCESSES} processes and threads at once")),
        );
        check("java.lang.NoClassDefFoundError: scala/Function1", "java -jar bot.jar", Some("write `scala`"));
        check("Error: Could not find or load main class Bot", "java Bot", Some("java -cp DIR Bot"));
        check("ValueError: no", "python3 bot.py", None);
        assert_eq!(line_by_line(&program("/usr/bin/mawk -f bot.awk")), Some(Advice::Mawk));
        assert_eq!(line_by_line(&program("./sed-like")), None);
    }
}
