//! What an author may do about a failure, by what the judge and the error stream say of it.

use agon_referee::limits::GameLimits;
use agon_referee::verdict::{Fault, Verdict};

/// What an error stream may say, and what to do then.
const BY_STDERR: [(&[&str], &str); 6] = [
    (
        &[
            "Network is unreachable",
            "name resolution",
            "Name or service not known",
            "gaierror",
            "EAI_AGAIN",
            "UnknownHostException",
            "getaddrinfo",
            "ENETUNREACH",
            "Connection refused",
            "socket",
        ],
        "A program has no network: put what it needs into its folder.",
    ),
    (
        &["Read-only file system", "EROFS", "Permission denied", "EACCES", "PermissionError"],
        "A program may write only into the folder it starts in and /tmp, and what it writes is gone after the game.",
    ),
    (
        &["KeyError: '", "environment variable", "environ"],
        "A program is given PATH, HOME, LANG and AGON_SEED, and no other variable of yours: give it a default.",
    ),
    (
        &["MemoryError", "bad_alloc", "OutOfMemoryError", "heap out of memory"],
        "It needs more memory than the limit allows: make its tables smaller.",
    ),
    (
        &["No module named", "Cannot find module", "cannot load such file", "Cannot find package"],
        "A package is missing: put it into the program's folder, or into a virtual environment whose Python starts the \
         program (`venv/bin/python bot.py`); a contest may have the language's own library alone.",
    ),
    (
        &["No such file", "FileNotFound", "ENOENT"],
        "Keep what the program reads beside it, and name its folder, or `see=PATH` before it.",
    ),
];

/// What to do about a fault; `stderr` is the end of the error stream.
pub fn of_fault(fault: &Fault, stderr: &str, limits: &GameLimits) -> String {
    let reason = fault.reason.as_str();
    let says = |words: &str| reason.contains(words);
    let crashed = says("ended before") || says("died by") || says("ended after") || says("closed its");
    let variable = |words: &&str| *words != "KeyError: '" || names_a_variable(stderr);
    if let Some((_, remedy)) = BY_STDERR
        .iter()
        .find(|(words, _)| crashed && words.iter().filter(|words| stderr.contains(**words)).any(variable))
    {
        return (*remedy).to_owned();
    }
    let text = match fault.verdict {
        Verdict::Ce if says("did not finish") || says("exceeded") || says("wrote more") => {
            "Make it compile within 30 s, 2 GiB of memory and 256 MiB of files: less work at compile time."
        }
        Verdict::Ce => "Make it compile with the options of docs/judge.md; the compiler's first lines stand above.",
        Verdict::Mle => {
            return format!(
                "Stay below {} MiB: free what a move needs after it, and bound every table.",
                limits.memory_mib
            );
        }
        Verdict::Tle if says("did not exit") => "Exit when FINISH is read, and at the end of the input.",
        Verdict::Tle if says("does not read") => "Read every line that the judge sends, in one loop.",
        Verdict::Tle if says("give it more time: --ready") => {
            "Answer READY by OK, flushed, as soon as it is read: what takes long to load can wait until the first TURN."
        }
        // It has not waited for anything: what it prints is not the fault.
        Verdict::Tle if fault.cause.as_deref().is_some_and(|cause| cause.starts_with("it computed")) => {
            "End each search by the time left in TURN, with some of it to spare."
        }
        Verdict::Tle => {
            "Flush after every answer, and end each search by the time left in TURN, with some of it to spare."
        }
        Verdict::Re if says("to BEGIN") => {
            "Answer BEGIN by HP ENERGY ACIDITY, three numbers with the sum 12, within the time of an action."
        }
        Verdict::Re if says("to READY") => {
            "Answer READY by the line OK and nothing before it; print debug text to \
                                            standard error."
        }
        Verdict::Re if says("`MOVE …` expected") || says("longer than") => {
            "Answer TURN by one line, MOVE and its numbers in the format of the game's rules; print debug text to \
             standard error."
        }
        Verdict::Re if says("before it was asked") || says("after FINISH") && !crashed => {
            "Print one line for each TURN and nothing else; READY has OK, OPP and FINISH have no answer."
        }
        Verdict::Re if crashed && says("ended before FINISH (exit code 0)") => {
            "Go on reading until FINISH: each line is one command."
        }
        Verdict::Re if says(" is forbidden") => {
            "Black may not play there: look for double threes, double fours and overlines before each move, as the \
             rules count them."
        }
        Verdict::Re if crashed => "The program crashed: its error stream has the cause.",
        Verdict::Re => {
            "The rules refuse this move: does the program keep the board right, with both players' moves, rows before \
             columns, and PASS?"
        }
        Verdict::Ok | Verdict::Interrupted => "The judge could not do its work: check again when the machine is idle.",
    };
    text.to_owned()
}

/// Whether an exception about a missing key is about a variable of the environment: `KeyError: 'HOME'`.
fn names_a_variable(stderr: &str) -> bool {
    let key = stderr.rsplit_once("KeyError: '").and_then(|(_, rest)| rest.split('\'').next());
    let upper =
        |key: &str| key.len() > 1 && key.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    stderr.contains("environ") || key.is_some_and(upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_failure_has_its_remedy() {
        let check = |verdict, reason: &str, stderr: &str, expected: &str| {
            let remedy = of_fault(&Fault::new(verdict, reason), stderr, &GameLimits::default());
            assert!(remedy.contains(expected), "{reason}: {remedy}");
        };
        let ended = "ended before FINISH (exit code 1)";
        check(Verdict::Re, ended, "OSError: [Errno 101] Network is unreachable", "no network");
        check(Verdict::Re, ended, "in socket.py\nPermissionError: Operation not permitted", "no network");
        check(Verdict::Re, ended, "KeyError: 'TERM'", "no other variable");
        check(Verdict::Re, ended, "KeyError: (1, 2)", "its error stream has the cause");
        check(Verdict::Re, ended, "FileNotFoundError: 'w.bin'", "beside it");
        check(Verdict::Re, "ended before FINISH (exit code 0)", "", "Go on reading");
        check(Verdict::Re, "answered `x`: `MOVE …` expected", "", "MOVE and its numbers");
        check(Verdict::Re, "answered `MOVE 1 1`: (1,1) is not empty", "", "The rules refuse");
        let forbidden = "answered `MOVE 3 11`: K13 (3,11) is forbidden: double three";
        check(Verdict::Re, forbidden, "", "double threes, double fours");
        check(Verdict::Re, ended, "ModuleNotFoundError: No module named 'numpy'", "venv/bin/python");
        check(Verdict::Re, "wrote `MOVE 1 1` before it was asked", "", "one line for each TURN");
        check(Verdict::Re, "answered `hi` to READY: `OK` expected", "", "the line OK");
        check(Verdict::Re, "asked to BEGIN: no answer within 2000 ms", "", "three numbers with the sum 12");
        check(Verdict::Tle, "did not exit within 2000 ms of FINISH", "", "Exit when FINISH");
        check(Verdict::Tle, "no answer within 10000 ms", "", "Flush after every answer");
        let cause = Some("it computed for 9990 of 10000 ms: an endless loop, or too long a search?".to_owned());
        let busy = Fault { cause, ..Fault::new(Verdict::Tle, "no answer within 10000 ms") };
        assert!(of_fault(&busy, "", &GameLimits::default()).starts_with("End each search by the time left"));
        let late = "no answer within 3000 ms; if it loads long, give it more time: --ready 10s";
        check(Verdict::Tle, late, "", "Answer READY by OK, flushed");
        check(Verdict::Mle, "exceeded the memory limit (1024 MiB)", "", "below 1024 MiB");
        check(Verdict::Ce, "g++ did not finish within 30 s", "", "within 30 s");
        check(Verdict::Ce, "CPP20 does not compile it:", "", "options of docs/judge.md");
    }
}
