//! Builds of an author's source that show where it crashes.
//!
//! The sanitizers of C and C++ and the checks of Rust end the program at the first wrong access and print the call
//! stack; Python and Ruby get a hook that adds the values of local variables to their tracebacks.

use std::ffi::OsString;
use std::path::Path;

use rustix::process::Signal;

use super::language::Language;
use crate::limits::GameLimits;

/// The start of a line with which a hook reports the values of a call; JSON follows.
pub(crate) const VALUES_MARK: &str = "\u{1e}agon-values ";

/// Makes Python report the values of the calls of an uncaught exception, the innermost first.
const PYTHON_HOOK: &str = r#"
def _agon_hook():
    import sys, threading, types
    skipped = (types.ModuleType, types.FunctionType, type, types.BuiltinFunctionType)
    def text(value):
        try:
            shown = repr(value)
        except Exception:
            shown = "?"
        return shown if len(shown) <= 80 else shown[:60] + "..." + shown[-16:]
    def show(kind, error, trace):
        import json
        sys.__excepthook__(kind, error, trace)
        calls = []
        while trace is not None:
            calls.append((trace.tb_frame, trace.tb_lineno))
            trace = trace.tb_next
        for frame, line in list(reversed(calls))[:8]:
            names = [(name, value) for name, value in frame.f_locals.items()
                     if not name.startswith("_") and not isinstance(value, skipped)]
            shown = [[name, text(value)] for name, value in names[:16]]
            entry = {"file": frame.f_code.co_filename, "line": line, "values": shown}
            sys.stderr.write("\x1eagon-values " + json.dumps(entry) + "\n")
        sys.stderr.flush()
    sys.excepthook = show
    threading.excepthook = lambda args: show(args.exc_type, args.exc_value, args.exc_traceback)
    import signal
    signal.signal(signal.SIGINT, signal.default_int_handler)
_agon_hook()
del _agon_hook
"#;

/// Runs the script that is the first argument as Python runs a script.
const PYTHON_RUN: &str = r#"
import sys
sys.argv = sys.argv[1:]
sys.path[0] = sys.argv[0].rpartition("/")[0]
__file__ = sys.argv[0]
exec(compile(open(__file__, "rb").read(), __file__, "exec"))
"#;

/// Makes Ruby report the values of the call that raised an uncaught exception.
const RUBY_HOOK: &str = r#"
require "json"
agon_raised = {}
TracePoint.new(:raise) do |raised|
  values = raised.binding.local_variables.first(16).map do |name|
    shown = raised.binding.local_variable_get(name).inspect
    [name.to_s, shown.size > 80 ? shown[0, 60] + "..." + shown[-16..] : shown]
  end
  agon_raised = { "error" => raised.raised_exception.object_id, "file" => raised.path, "line" => raised.lineno,
                  "values" => values }
end.enable
at_exit do
  error = $!
  if error && error.object_id == agon_raised.delete("error")
    $stderr.puts "\x1eagon-values " + JSON.generate(agon_raised)
  end
end
trap("INT") { raise Interrupt }
$0 = ARGV.shift
load $0
"#;

/// The options of a build with sanitizers.
const SANITIZED: [&str; 17] = [
    "-g",
    "-O1",
    // An inlined function has no line of its own in some call stacks.
    "-fno-inline",
    "-fno-omit-frame-pointer",
    "-fno-optimize-sibling-calls",
    // These passes remove wrong accesses before they are checked; all others leave warnings and speed.
    "-fno-tree-fre",
    "-fno-tree-dse",
    "-fno-tree-dce",
    "-fno-tree-ccp",
    "-fno-tree-forwprop",
    "-fno-sanitize-recover=all",
    "-fsanitize=address,undefined",
    // Also of arrays at the end of a struct, and of conversions to integers.
    "-fsanitize=bounds-strict,float-cast-overflow",
    // AddressSanitizer already reports the same.
    "-fno-sanitize=object-size",
    PATTERN,
    WARNINGS[0],
    WARNINGS[1],
];

/// Gives uninitialised variables a value that is out of every range. gcc 11 does not know it.
pub(super) const PATTERN: &str = "-ftrivial-auto-var-init=pattern";

/// Warnings about variables without a value: no check of a running program sees these.
const WARNINGS: [&str; 2] = ["-Wuninitialized", "-Wmaybe-uninitialized"];

/// The file in the folder of a debug build that has the warnings of its compiler.
pub(crate) const WARNINGS_FILE: &str = ".agon-warnings";

/// How many MiB a sanitizer needs in addition to twice the program's memory: it keeps freed memory for a while.
const SANITIZER_MIB: u64 = 512;

impl Language {
    /// Whether its debug build has a sanitizer, which needs memory of its own.
    pub const fn has_sanitizer(self) -> bool {
        matches!(self, Self::C20 | Self::Cpp20)
    }

    /// What its debug build checks beyond a usual build, for display; `None` if exceptions already say everything.
    pub const fn checks(self) -> Option<&'static str> {
        match self {
            Self::C20 | Self::Cpp20 => Some("AddressSanitizer and UndefinedBehaviorSanitizer"),
            Self::Rust => Some("overflow checks and debug assertions"),
            Self::Python3 | Self::Pypy3 | Self::Java | Self::JavaScript | Self::Ruby => None,
        }
    }

    /// The signal that makes a program built for debugging show its current calls; `None` if none does.
    pub const fn debug_signal(self) -> Option<Signal> {
        match self {
            // Through `handle_abort`.
            Self::C20 | Self::Cpp20 => Some(Signal::ABORT),
            // An exception, whose traceback has the values.
            Self::Python3 | Self::Pypy3 | Self::Ruby => Some(Signal::INT),
            Self::Rust | Self::Java | Self::JavaScript => None,
        }
    }

    /// The options of a debug build behind the compiler's name.
    pub(super) fn debug_options(self) -> Vec<&'static str> {
        match self {
            Self::C20 => SANITIZED.to_vec(),
            // The unused capacity of a vector is out of bounds.
            Self::Cpp20 => [&SANITIZED[..], &["-D_GLIBCXX_ASSERTIONS", "-D_GLIBCXX_SANITIZE_VECTOR=1"]].concat(),
            Self::Rust => vec!["-g", "-C", "overflow-checks=on", "-C", "debug-assertions=on"],
            Self::Java => vec!["-g"],
            Self::Python3 | Self::Pypy3 | Self::JavaScript | Self::Ruby => Vec::new(),
        }
    }

    /// The variables of a program that was built for debugging.
    pub(super) fn debug_environment(self) -> Vec<(String, OsString)> {
        let variables: &[(&str, &str)] = match self {
            // The jail refuses ptrace, which the check for leaks needs.
            Self::C20 | Self::Cpp20 => &[
                ("ASAN_OPTIONS", "detect_leaks=0:handle_abort=1:quarantine_size_mb=64:detect_stack_use_after_return=1"),
                ("UBSAN_OPTIONS", "print_stacktrace=1:halt_on_error=1"),
            ],
            Self::Rust => &[("RUST_BACKTRACE", "1")],
            Self::Python3 | Self::Pypy3 => &[("PYTHONFAULTHANDLER", "1")],
            Self::Java | Self::JavaScript | Self::Ruby => &[],
        };
        variables.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect()
    }

    /// The command of a debug build, from that of a competition.
    pub(super) fn debug_words(self, mut words: Vec<String>) -> Vec<String> {
        match self {
            // A package, which has its own code behind -c.
            Self::Python3 | Self::Pypy3 if words.get(1).is_some_and(|word| word == "-c") => {
                if let Some(code) = words.get_mut(2) {
                    *code = format!("{PYTHON_HOOK}\n{code}");
                }
            }
            Self::Python3 | Self::Pypy3 => {
                words.splice(1..1, ["-c".to_owned(), format!("{PYTHON_HOOK}{PYTHON_RUN}")]);
            }
            Self::Ruby => {
                words.splice(1..1, ["-e".to_owned(), RUBY_HOOK.to_owned()]);
            }
            Self::JavaScript => words.insert(1, "--stack-trace-limit=50".to_owned()),
            Self::C20 | Self::Cpp20 | Self::Rust | Self::Java => {}
        }
        words
    }
}

/// The limits for a debug build of a source: a sanitizer gets additional memory, and every build more time.
pub fn debug_limits(language: Option<Language>, limits: &GameLimits) -> GameLimits {
    let memory_mib = match language {
        Some(language) if language.has_sanitizer() => limits.memory_mib * 2 + SANITIZER_MIB,
        _ => limits.memory_mib,
    };
    let ready_ms = limits.ready_ms.saturating_mul(4).max(10_000);
    GameLimits { memory_mib, ready_ms, freeze: false, ..*limits }
}

/// The last part of a build's folder in the cache, which identifies a path in a call stack as part of the build.
pub(crate) fn build_name(folder: &Path) -> Option<&str> {
    folder.file_name()?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debug_build_keeps_the_words_of_the_program() {
        let check = |language: Language, words: &[&str], first: &str, rest: &[&str]| {
            let found = language.debug_words(words.iter().map(|&word| word.to_owned()).collect());
            let end: Vec<&str> = found[found.len() - rest.len()..].iter().map(String::as_str).collect();
            assert_eq!((found[0].as_str(), &end[..]), (first, rest));
        };
        check(Language::Python3, &["python3", "/c/program.py"], "python3", &["/c/program.py"]);
        check(Language::Ruby, &["ruby", "/c/program.rb"], "ruby", &["/c/program.rb"]);
        check(Language::JavaScript, &["node", "/c/program.js"], "node", &["--stack-trace-limit=50", "/c/program.js"]);
        check(Language::Cpp20, &["/c/program"], "/c/program", &[]);
    }

    #[test]
    fn only_a_sanitizer_gets_memory() {
        let usual = GameLimits::default();
        let memory = |language| debug_limits(language, &usual).memory_mib;
        assert_eq!(memory(Some(Language::Cpp20)), usual.memory_mib * 2 + SANITIZER_MIB);
        assert_eq!([memory(Some(Language::Rust)), memory(None)], [usual.memory_mib; 2]);
    }
}
