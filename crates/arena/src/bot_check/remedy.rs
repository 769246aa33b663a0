//! What an author can do about a failure, judging by the verdict and the error stream.

use agon_message::messages;
use agon_referee::advice;
use agon_referee::agent::MAX_PROCESSES;
use agon_referee::fault_kind::{CompileFailure, FaultKind, TimeSpent};
use agon_referee::process::ProgramState;
use agon_referee::sight;
use agon_referee::verdict::{AgentVerdict, Fault, Verdict};

use super::terms::CheckPlace;
use crate::debug::DebugOutcome;

/// Messages of an error stream, and what to do about each.
const BY_STDERR: [(&[&str], Remedy); 9] = [
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
        Remedy::Network,
    ),
    (&advice::NO_LEAK_CHECK, Remedy::NoLeakCheck),
    (&["Operation not permitted", "[Errno 1]", "EPERM"], Remedy::RefusedCall),
    (&["KeyError: '", "environment variable", "environ"], Remedy::Variables),
    (&["MemoryError", "bad_alloc", "OutOfMemoryError", "heap out of memory"], Remedy::LessMemory),
    (&["No module named"], Remedy::PythonPackage),
    (&["Cannot find module", "Cannot find package"], Remedy::NodePackage),
    (&["cannot load such file"], Remedy::RubyLibrary),
    (&["/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/self/fd"], Remedy::Streams),
];

/// What to do about too many threads.
const THREADS: Remedy = Remedy::Threads { most: MAX_PROCESSES as u64 };

/// Calls that ask for an environment variable, in the line of a crash.
const ASKS_FOR_VARIABLE: [&str; 6] = ["getenv", "environ", "env::var", "process.env", "ENV[", "ENV.fetch"];

/// Calls that start a thread, in the same line.
const STARTS_THREAD: [&str; 5] = ["thread", "Thread", "pthread_create", "fork", "async("];

messages! {
    /// What an author can do.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Remedy {
        Network = "Programs have no network access: put the files it needs into its folder.",
        Writes =
            "A program can write only to the folder it starts in and to /tmp, and its files are deleted after the \
             game.",
        Variables =
            "A program receives only PATH, HOME, LANG and AGON_SEED, none of your own variables: give each a default.",
        LessMemory = "It needs more memory than the limit allows: make its tables smaller.",
        Reads =
            "Put the files that the program reads into its folder and name the folder as the agent, or write \
             `see=PATH` before the program.",
        CompileLess =
            "Compiling is limited to 30 s, 2 GiB of memory and 256 MiB of files: do less work at compile time.",
        CompilerErrorsByOptions = "Fix the compiler's errors above; docs/languages.md lists the options it runs with.",
        StayBelow { limit_mib: u64 } =
            "Stay below {limit_mib} MiB: free memory after each move, and limit the size of every table.",
        ExitOnFinish = "Exit on FINISH and at the end of the input.",
        ReadEveryLine = "Read every line that the judge sends, in one loop.",
        FlushAndLimit = "Flush after every answer, and limit each search by the time left in TURN, with a reserve.",
        OkAlone =
            "Answer READY with the line OK, in capitals and with nothing before it; print debug text to standard \
             error.",
        AnswerMove =
            "Answer TURN with one line, MOVE and its numbers in the format of the game's rules; print debug text to \
             standard error.",
        OneLineEach = "Print exactly one line for each TURN, OK for READY, and nothing for OPP and FINISH.",
        ReadUntilFinish = "Keep reading until FINISH: each line is one command.",
        Crashed = "The program crashed: its error stream has the cause.",
        CrashedSeeLine =
            "The program crashed: its error stream has the cause, and `agon check --debug` shows the line.",
        Refused =
            "The rules refuse this move: check how the program updates its board (both players' moves, rows before \
             columns, both counted from 1, and PASS).",
        Format = "Answer TURN with MOVE and as many whole numbers as the game's rules say, separated by blanks.",
        Outside = "This place is outside the board: rows come before columns, and both count from 1.",
        Taken =
            "This place is not empty: check that the program plays its own moves and those of OPP on its board, rows \
             before columns.",
        MustPass = "Only PASS is legal here: answer MOVE with -1 for each number when the program finds no other move.",
        NotOwn =
            "This cell is not the program's own: check that its board changes the owner of infected cells and \
             empties the source of a leap, rows before columns.",
        Distance =
            "A division goes 1 far and a leap 2, along rows, columns or both: check the order of the four numbers, \
             row and column of the source first.",
        NeedlessPass =
            "PASS is legal only when no other move is: check that the program finds all divisions and leaps of its \
             cells.",
        SecondCell =
            "The domino reaches over the edge: the first player's lie in a row, the second's in a column, and MOVE \
             names the left or upper cell.",
        Covered =
            "A cell of this domino is covered: check that the program covers both cells of its own dominoes and of \
             those of OPP, rows before columns.",
        OpeningPass =
            "The first three turns have no PASS: play on 8 8, then within rows and columns 7 to 9, then within 6 to \
             10.",
        OpeningArea =
            "The first three turns stay near the centre: on 8 8, then within rows and columns 7 to 9, then within 6 \
             to 10.",
        JudgeFailed = "The judge could not do its work: check again when the machine is idle.",
        EndProcesses = "End every process that the program starts before it exits, or within 250 ms afterwards.",
        WriteElsewhere = "Write to standard error or to /tmp; files are deleted after the game.",
        AnyEnvironment =
            "A judge chooses the current folder and the environment: give every variable a default, and look for \
             files beside the program.",
        OneLegalAction =
            "Answer every input in time with one legal action, and print nothing else. `agon petri ask` repeats a \
             recorded input.",
        InputAlone = "Make the answer depend only on the input and AGON_SEED.",
        RunInput = "Run the program with this input and fix it; every input needs an answer.",
        PythonPackage =
            "A package is missing: put it into the program's folder, or into a virtual environment whose Python \
             starts the program (`venv/bin/python bot.py`); a competition may offer only the standard library.",
        Streams =
            "The jail does not open /dev/stdin and /dev/stdout: use the streams of the language, or the file \
             descriptors 0 and 1 (`sys.stdin`, `fs.readSync(0, …)`).",
        RubyLibrary =
            "A library is missing: put it into the program's folder and use `require_relative`; a competition may \
             offer only the standard library.",
        NodePackage =
            "A package is missing: put `node_modules` into the program's folder; a competition may offer only the \
             standard library.",
        Forbidden =
            "Black may not play there: look for double threes, double fours and overlines before each move, as the \
             rules count them.",
        LimitSearch = "Limit each search by the time left in TURN, with a reserve.",
        Flush = "Flush after every answer.",
        Deadlock =
            "Answer as soon as the move is found, without sleeping; if it does not sleep, look for a deadlock: a \
             lock that is taken twice, or a thread that another one waits for.",
        WithoutSleeping = "Answer as soon as the move is found, without sleeping.",
        Newline = "End each answer with a newline, and flush.",
        FlushTurn = "Flush after every answer, and answer TURN before the next line is read.",
        EventOrLine =
            "Answer as soon as the move is found, without a timer, and read exactly the lines that the judge sends: \
             after an answer to TURN nothing comes until the opponent has moved.",
        ExactLines =
            "Flush after every answer, and read exactly the lines that the judge sends: TURN follows OPP, and after \
             an answer to TURN nothing comes until the opponent has moved.",
        ExitCode = "Exit with code 0 after FINISH: any other code counts as a failure.",
        SilentExit =
            "The program exited with this code and wrote nothing to its error stream: look for a call of exit, or a \
             return from main, before FINISH.",
        SilentCrash = "The program crashed and wrote nothing to its error stream: `agon check --debug` shows the line.",
        Located = "It crashed at the line that is quoted; the last input it received stands before it.",
        Found = "With the checks of its compiler it fails at the line that is quoted: fix that first.",
        ExitOnFinishAlone =
            "Exit with code 0 on FINISH, and read no further line: its error stream says what it failed at.",
        NotLocated =
            "The program crashed, and crashed again when the game was repeated, without saying where: start it under \
             a debugger with the recorded input (`agon ask`).",
        NotAgain =
            "The program crashed in the game, and not when that was repeated: look for variables without a value, \
             threads that use the same data, and what depends on the clock.",
        NoLeakCheck =
            "The jail refuses ptrace, which LeakSanitizer needs: write `env.ASAN_OPTIONS=detect_leaks=0` before the \
             command.",
        RefusedCall =
            "The jail refuses a system call of the program: do not open sessions or terminals, trace processes or \
             set priorities (docs/security.md has the list).",
        Threads { most: u64 } =
            "A program may have {most} processes and threads at once: limit the size of its thread pools.",
        OkInCapitals = "Answer READY with the line OK, in capitals.",
        ReadyBeforeMore =
            "The program waits for another line: answer READY with OK before it reads on, flush the answer, and read \
             no more lines before READY than the rules name.",
        ReadyAtOnce = "Answer READY with OK at once, and flush it; load large data later, at the first TURN.",
        ReadyOrMoreTime =
            "Answer READY with OK at once, and flush it; load large data later, at the first TURN. Or give it more \
             time: --ready 10s.",
        FixNamed = "Fix the problem named above, and check again.",
        AnswerBegin =
            "Answer BEGIN with HP ENERGY ACIDITY, three numbers that add up to 12, within the time limit of an action.",
        ReadsOnSite = "A submission is one file: put the data that the program reads into its source.",
        CompilerErrors = "Fix the compiler's errors above.",
        FixFirstLine =
            "Fix the first line above: without the checks the program goes on there, with a wrong value or damaged \
             memory, and may crash in another game.",
        NowhereNamed = "It does not say where: start it under a debugger with the recorded input (`agon ask`).",
    }
}

/// Where a remedy is shown and what it depends on.
#[derive(Clone, Copy, Debug)]
pub struct RemedyContext<'a> {
    pub place: CheckPlace,
    /// The memory limit of the program.
    pub memory_mib: u64,
    /// The outcome of the game when repeated with a build that shows where it crashes, if it was.
    pub repeated: Option<&'a DebugOutcome>,
}

/// What to do about a failure in a recorded game; `stderr` is the end of the error stream. `None` if the program is not
/// to blame or its compiler explains the failure.
pub fn of_verdict(judged: &AgentVerdict, stderr: &str, context: &RemedyContext<'_>) -> Option<Remedy> {
    if matches!(judged.verdict, Verdict::Ok | Verdict::Interrupted | Verdict::Ce) {
        return None;
    }
    Some(of_fault(&judged.fault()?, stderr, context))
}

/// What to do about a fault; `stderr` is the end of the error stream.
pub fn of_fault(fault: &Fault, stderr: &str, context: &RemedyContext<'_>) -> Remedy {
    // Rust's own note about its variable says nothing about the program.
    let stderr: String = stderr.lines().filter(|line| !line.contains("RUST_BACKTRACE")).collect::<Vec<_>>().join("\n");
    let stderr = stderr.as_str();
    if [stderr, &fault.reason.text].into_iter().any(advice::lacks_threads) {
        return THREADS;
    }
    let crashed = matches!(fault.kind, Some(FaultKind::Exit { .. } | FaultKind::Signal { .. } | FaultKind::Closed));
    if crashed && let Some(remedy) = of_stderr(stderr, context.place) {
        return remedy;
    }
    if let Some(remedy) = context.repeated.and_then(|outcome| of_repeated(outcome, crashed)) {
        return remedy;
    }
    match &fault.kind {
        Some(kind) => match kind {
            FaultKind::NoReady(time) => of_no_ready(time, fault, context.place),
            FaultKind::NoAnswer(time) | FaultKind::LateAnswer(time) => of_no_answer(time),
            FaultKind::NoExit(_) => Remedy::ExitOnFinish,
            FaultKind::NoInput { .. } => Remedy::ReadEveryLine,
            FaultKind::NotOk { small_letters: true } => Remedy::OkInCapitals,
            FaultKind::NotOk { small_letters: false } => Remedy::OkAlone,
            FaultKind::Memory { .. } => Remedy::StayBelow { limit_mib: context.memory_mib },
            FaultKind::Exit { code: 0, finished: false, .. } => Remedy::ReadUntilFinish,
            FaultKind::Exit { finished: true, silent: true, .. } => Remedy::ExitCode,
            FaultKind::Exit { finished: true, .. } => Remedy::ExitOnFinishAlone,
            FaultKind::Exit { silent: true, .. } => Remedy::SilentExit,
            FaultKind::Signal { .. } | FaultKind::Closed if stderr.trim().is_empty() => Remedy::SilentCrash,
            FaultKind::Exit { .. } | FaultKind::Signal { .. } | FaultKind::Closed
                if context.place == CheckPlace::CommandLine && context.repeated.is_none() =>
            {
                Remedy::CrashedSeeLine
            }
            FaultKind::Exit { .. } | FaultKind::Signal { .. } | FaultKind::Closed => Remedy::Crashed,
            FaultKind::Compile(CompileFailure::Errors) => match context.place {
                CheckPlace::CommandLine => Remedy::CompilerErrorsByOptions,
                CheckPlace::Site => Remedy::CompilerErrors,
            },
            FaultKind::Compile(CompileFailure::Time | CompileFailure::Memory | CompileFailure::Disk) => {
                Remedy::CompileLess
            }
            FaultKind::NoBegin => Remedy::AnswerBegin,
            FaultKind::NoMove | FaultKind::TooLong => Remedy::AnswerMove,
            FaultKind::PendingOutput { .. } => Remedy::OneLineEach,
            FaultKind::Illegal { rule } => of_illegal(rule.as_deref()),
        },
        None => match fault.verdict {
            Verdict::Interrupted => Remedy::JudgeFailed,
            // A record of an older version does not say more.
            _ => Remedy::FixNamed,
        },
    }
}

/// What to do about a move that breaks the rule with this name.
fn of_illegal(rule: Option<&str>) -> Remedy {
    match rule {
        Some("format") => Remedy::Format,
        Some("outside") => Remedy::Outside,
        Some("taken") => Remedy::Taken,
        Some("must-pass") => Remedy::MustPass,
        // Bacteria War.
        Some("not-own") => Remedy::NotOwn,
        Some("distance") => Remedy::Distance,
        Some("needless-pass") => Remedy::NeedlessPass,
        // Domineering.
        Some("second-cell") => Remedy::SecondCell,
        Some("covered") => Remedy::Covered,
        // Renju.
        Some("opening-pass") => Remedy::OpeningPass,
        Some("opening-area") => Remedy::OpeningArea,
        Some("forbidden") => Remedy::Forbidden,
        _ => Remedy::Refused,
    }
}

/// What to do if READY got no OK in time.
fn of_no_ready(time: &TimeSpent, fault: &Fault, place: CheckPlace) -> Remedy {
    match time {
        TimeSpent { partial: true, .. } => Remedy::Newline,
        TimeSpent { unflushed: Some(true), .. } => Remedy::Flush,
        TimeSpent { state: Some(ProgramState::WaitsForInput), .. } => Remedy::ReadyBeforeMore,
        _ if place == CheckPlace::CommandLine && fault.may_load() => Remedy::ReadyOrMoreTime,
        _ => Remedy::ReadyAtOnce,
    }
}

/// What to do if TURN got no answer in time.
fn of_no_answer(time: &TimeSpent) -> Remedy {
    match time {
        TimeSpent { partial: true, .. } => Remedy::Newline,
        TimeSpent { idle: true, .. } => Remedy::WithoutSleeping,
        TimeSpent { unflushed: Some(true), .. } => Remedy::FlushTurn,
        TimeSpent { unflushed: Some(false), state: Some(ProgramState::Polls), .. } => Remedy::EventOrLine,
        TimeSpent { unflushed: Some(false), .. } => Remedy::ExactLines,
        // It only waited for a processor: its output is not to blame.
        time if time.cpu_us * 5 >= time.wall_us.saturating_sub(time.machine_us) * 4 => Remedy::LimitSearch,
        TimeSpent { state: Some(ProgramState::Sleeps), .. } => Remedy::WithoutSleeping,
        TimeSpent { state: Some(ProgramState::WaitsForThread), .. } => Remedy::Deadlock,
        _ => Remedy::FlushAndLimit,
    }
}

/// What the repeated game shows.
fn of_repeated(outcome: &DebugOutcome, crashed: bool) -> Option<Remedy> {
    let remedy = match outcome {
        DebugOutcome::Crashed(_) if !crashed => Remedy::Found,
        DebugOutcome::Crashed(crash) => {
            // If a language does not give the reason, the line does.
            let line = crash.calls[0].source.as_deref().unwrap_or_default();
            let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
            return Some(if has(&ASKS_FOR_VARIABLE) {
                Remedy::Variables
            } else if has(&STARTS_THREAD) {
                THREADS
            } else {
                Remedy::Located
            });
        }
        DebugOutcome::Unlocated { .. } if crashed => Remedy::NotLocated,
        DebugOutcome::Survived | DebugOutcome::Late { .. } if crashed => Remedy::NotAgain,
        _ => return None,
    };
    Some(remedy)
}

/// What the error stream of a crash shows.
fn of_stderr(stderr: &str, place: CheckPlace) -> Option<Remedy> {
    let says = |words: &&str| stderr.contains(*words) && (*words != "KeyError: '" || names_a_variable(stderr));
    if let Some((_, remedy)) = BY_STDERR.iter().find(|(words, _)| words.iter().any(says)) {
        return Some(*remedy);
    }
    match (sight::is_of_writing(stderr), sight::is_of_a_file(stderr)) {
        (true, _) => Some(Remedy::Writes),
        (false, true) => Some(match place {
            CheckPlace::CommandLine => Remedy::Reads,
            CheckPlace::Site => Remedy::ReadsOnSite,
        }),
        (false, false) => None,
    }
}

/// Whether an exception about a missing key concerns an environment variable: `KeyError: 'HOME'`.
fn names_a_variable(stderr: &str) -> bool {
    let key = stderr.rsplit_once("KeyError: '").and_then(|(_, rest)| rest.split('\'').next());
    let upper =
        |key: &str| key.len() > 1 && key.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    stderr.contains("environ") || key.is_some_and(upper)
}

#[cfg(test)]
mod tests {
    use agon_catalog::{Game, Setup};
    use agon_referee::crash::{Call, Crash};
    use agon_referee::process::ProcessExit;

    use super::*;

    const COMMAND_LINE: RemedyContext<'_> =
        RemedyContext { place: CheckPlace::CommandLine, memory_mib: 1024, repeated: None };

    #[test]
    fn remedies_on_a_site_name_no_option_of_the_command_line() {
        let site = RemedyContext { place: CheckPlace::Site, ..COMMAND_LINE };
        let missing = "FileNotFoundError: [Errno 2] No such file or directory: 'weights.bin'";
        let time = TimeSpent { wall_us: 10_000, state: Some(ProgramState::Runs), ..TimeSpent::default() };
        let exit = FaultKind::of_exit(ProcessExit::Code(1), false, missing);
        let cases = [
            (Verdict::Tle, FaultKind::NoReady(time), "", "--ready 10s"),
            (Verdict::Re, exit, missing, "`see=PATH`"),
            (Verdict::Ce, FaultKind::Compile(CompileFailure::Errors), "", "docs/languages.md"),
        ];
        for (verdict, kind, stderr, option) in cases {
            let fault = Fault { kind: Some(kind), ..Fault::new(verdict, "any words") };
            assert!(of_fault(&fault, stderr, &COMMAND_LINE).to_string().contains(option), "{fault:?}");
            assert!(!of_fault(&fault, stderr, &site).to_string().contains(option), "{fault:?}");
        }
    }

    #[test]
    fn every_kind_of_failure_has_its_remedy() {
        let of_kind = |verdict, kind: Option<FaultKind>, reason: &str, stderr: &str, expected: &str| {
            let fault = Fault { kind, ..Fault::new(verdict, reason) };
            let remedy = of_fault(&fault, stderr, &COMMAND_LINE).to_string();
            assert!(remedy.contains(expected), "{fault:?}: {remedy}");
        };
        let kind = |verdict, kind, expected: &str| of_kind(verdict, Some(kind), "any words", "", expected);
        kind(Verdict::Re, FaultKind::NoMove, "MOVE and its numbers");
        kind(Verdict::Re, FaultKind::TooLong, "MOVE and its numbers");
        kind(Verdict::Re, FaultKind::Illegal { rule: None }, "The rules refuse");
        kind(Verdict::Re, FaultKind::Illegal { rule: Some("of a later version".into()) }, "The rules refuse");
        kind(Verdict::Re, FaultKind::Illegal { rule: Some("format".into()) }, "whole numbers");
        kind(Verdict::Re, FaultKind::Illegal { rule: Some("forbidden".into()) }, "double threes, double fours");
        kind(Verdict::Re, FaultKind::PendingOutput { finished: false }, "one line for each TURN");
        kind(Verdict::Re, FaultKind::NoBegin, "three numbers that add up to 12");
        kind(Verdict::Ce, FaultKind::Compile(CompileFailure::Time), "limited to 30 s");
        kind(Verdict::Ce, FaultKind::Compile(CompileFailure::Errors), "docs/languages.md lists the options");
        of_kind(Verdict::Interrupted, None, "any words", "", "The judge could not do its work");
        kind(Verdict::Re, FaultKind::NotOk { small_letters: false }, "debug text to standard error");
        let small = Fault::new(Verdict::Re, "any words");
        let small = Fault { kind: Some(FaultKind::NotOk { small_letters: true }), ..small };
        let remedy = of_fault(&small, "", &COMMAND_LINE).to_string();
        assert_eq!(remedy, "Answer READY with the line OK, in capitals.");
        let warning = "answered `[0.1s][warning][os,thread] Failed to start thread` to READY: `OK` expected";
        of_kind(
            Verdict::Re,
            Some(FaultKind::NotOk { small_letters: false }),
            warning,
            "",
            "64 processes and threads at once",
        );
        kind(Verdict::Mle, FaultKind::Memory { limit_mib: Some(7) }, "below 1024 MiB");
        kind(Verdict::Tle, FaultKind::NoExit(TimeSpent::default()), "Exit on FINISH");
        kind(Verdict::Tle, FaultKind::NoInput { time: None }, "Read every line");
        let time = TimeSpent { wall_us: 10_000, cpu_us: 100, ..TimeSpent::default() };
        kind(Verdict::Tle, FaultKind::NoAnswer(time), "Flush after every answer, and limit");
        kind(Verdict::Tle, FaultKind::NoReady(time), "Answer READY with OK at once");
        kind(
            Verdict::Tle,
            FaultKind::NoAnswer(TimeSpent { cpu_us: 9_990, ..time }),
            "Limit each search by the time left",
        );
        let busy = TimeSpent { wall_us: 23_000, cpu_us: 9_900, machine_us: 13_000, ..time };
        kind(Verdict::Tle, FaultKind::NoAnswer(busy), "Limit each search by the time left");
        let came = TimeSpent { unflushed: Some(true), ..time };
        kind(Verdict::Tle, FaultKind::NoAnswer(came), "before the next line is read");
        kind(Verdict::Tle, FaultKind::NoAnswer(TimeSpent { partial: true, ..time }), "with a newline");
        let state = |state| TimeSpent { state: Some(state), ..time };
        kind(Verdict::Tle, FaultKind::NoAnswer(state(ProgramState::Sleeps)), "without sleeping");
        kind(Verdict::Tle, FaultKind::NoAnswer(state(ProgramState::WaitsForThread)), "deadlock");
        kind(Verdict::Tle, FaultKind::NoReady(came), "Flush after every answer.");
        let silent = TimeSpent { unflushed: Some(false), ..time };
        kind(Verdict::Tle, FaultKind::NoAnswer(silent), "Flush after every answer, and read exactly the lines");
        let polls = TimeSpent { state: Some(ProgramState::Polls), ..silent };
        kind(Verdict::Tle, FaultKind::NoAnswer(polls), "without a timer, and read exactly");
        kind(Verdict::Tle, FaultKind::NoReady(state(ProgramState::WaitsForInput)), "before it reads on");
        kind(Verdict::Tle, FaultKind::NoAnswer(TimeSpent { idle: true, ..silent }), "without sleeping");
    }

    #[test]
    fn an_illegal_move_has_the_remedy_of_the_rule_that_it_breaks() {
        let check = |game: Game, parameters: &[(&str, &str)], m: &str, expected: &str| {
            let parameters = parameters.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            let mut state = game.initial_state(&Setup { seed: 1, parameters }).unwrap();
            let error = state.answer(m).unwrap_err();
            let kind = Some(FaultKind::Illegal { rule: error.rule().map(Into::into) });
            let fault = Fault { kind, ..Fault::new(Verdict::Re, error.to_string()) };
            let remedy = of_fault(&fault, "", &COMMAND_LINE).to_string();
            assert!(remedy.contains(expected), "{m} of {game}: {error}: {remedy}");
        };
        let renju = |opening, m, expected| check(Game::RENJU, &[("opening", opening)], m, expected);
        renju("8 8/7 7", "-1 -1", "The first three turns have no PASS");
        renju("8 8/7 7", "1 1", "The first three turns stay near the centre");
        renju("8 8/7 7/9 9", "8 8", "This place is not empty");
        renju("8 8/7 7/9 9", "0 8", "rows come before columns, and both count from 1");
        renju("8 8/7 7/9 9", "8", "whole numbers");
        let bacteria = |m, expected| check(Game::BACTERIA, &[], m, expected);
        bacteria("4 4 5 5", "not the program's own");
        bacteria("1 1 1 4", "A division goes 1 far and a leap 2");
        bacteria("1 1 0 1", "outside the board");
        bacteria("-1 -1 -1 -1", "PASS is legal only when no other move is");
        let infected = [("position", "xx5/o6/7/7/7/7/7 x")];
        check(Game::BACTERIA, &infected, "1 1 1 2", "This place is not empty");
        let stuck = [("position", "xoooooo/ooooooo/ooooooo/ooooooo/ooo4/7/7 x")];
        check(Game::BACTERIA, &stuck, "1 1 1 2", "Only PASS is legal here");
        let small = [("rows", "4"), ("columns", "4"), ("opening", "1 1")];
        let domineering = |m, expected| check(Game::DOMINEERING, &small, m, expected);
        domineering("5 1", "outside the board");
        domineering("4 4", "The domino reaches over the edge");
        domineering("1 2", "A cell of this domino is covered");
    }

    #[test]
    fn a_crash_that_was_looked_for_has_its_place_or_the_remedy_that_says_more() {
        let kind = FaultKind::of_exit(ProcessExit::Signal(11), false, "");
        let fault = Fault { kind: Some(kind), ..Fault::new(Verdict::Re, "any words") };
        let crash = |source: &str| {
            let source = Some(source.to_owned());
            let (name, file, values) = ("bot.cpp".to_owned(), "bot.cpp".into(), Vec::new());
            let call = Call { name, file, line: 3, column: None, function: None, source, values };
            Crash { problem: "SEGV".to_owned(), calls: vec![call], stuck: false }
        };
        let check = |repeated: Option<DebugOutcome>, stderr: &str, expected: &str| {
            let remedy =
                of_fault(&fault, stderr, &RemedyContext { repeated: repeated.as_ref(), ..COMMAND_LINE }).to_string();
            assert!(remedy.contains(expected) && remedy.contains("--debug") == repeated.is_none(), "{remedy}");
        };
        let crashed = |source| Some(DebugOutcome::Crashed(crash(source)));
        check(None, "", "`agon check --debug` shows the line");
        check(crashed("board[x] = 1;"), "", "at the line that is quoted");
        check(crashed("std::string net = getenv(\"NET\");"), "", "none of your own variables");
        check(crashed("pool.emplace_back(std::thread(work));"), "", "processes and threads at once");
        check(Some(DebugOutcome::Unlocated { problem: String::new(), is_command: false }), "", "without saying where");
        check(Some(DebugOutcome::Survived), "", "variables without a value");
        check(Some(DebugOutcome::Survived), "any words", "variables without a value");
        check(crashed(""), "ModuleNotFoundError: No module named 'numpy'", "A package is missing");
    }

    #[test]
    fn a_crash_has_its_remedy_by_what_it_wrote() {
        let check = |code, stderr: &str, expected: &str| {
            let kind = FaultKind::of_exit(ProcessExit::Code(code), false, stderr);
            let fault = Fault { kind: Some(kind), ..Fault::new(Verdict::Re, "any words") };
            let remedy = of_fault(&fault, stderr, &COMMAND_LINE).to_string();
            assert!(remedy.contains(expected), "{stderr}: {remedy}");
        };
        check(1, "OSError: [Errno 101] Network is unreachable", "no network access");
        check(1, "in socket.py\nPermissionError: Operation not permitted", "no network access");
        check(1, "PermissionError: [Errno 1] Operation not permitted: 'sleep'", "system call");
        check(1, "RuntimeError: can't start new thread", "64 processes and threads at once");
        check(1, "==2==HINT: LeakSanitizer does not work under ptrace (strace, gdb, etc)", "detect_leaks=0");
        check(1, "KeyError: 'TERM'", "none of your own variables");
        check(1, "KeyError: (1, 2)", "its error stream has the cause");
        check(1, "ModuleNotFoundError: No module named 'numpy'", "venv/bin/python");
        check(1, "Error: Cannot find module 'lodash'", "node_modules");
        check(1, "cannot load such file -- matrix (LoadError)", "require_relative");
        let note = "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace";
        check(101, &format!("thread 'main' panicked at bot.rs:3:5:\n{note}"), "its error stream has the cause");
        check(1, "PermissionError: [Errno 13] Permission denied: '/dev/stdin'", "file descriptors 0 and 1");
        check(0, "", "Keep reading until FINISH");
        check(3, " \n", "wrote nothing to its error stream");
        // A file that is missing or forbidden may have been meant for writing.
        let reads = "Put the files that the program reads";
        let writes = "can write only to the folder";
        check(1, "FileNotFoundError: 'w.bin'", reads);
        check(1, "(Errno::EACCES) permission denied @ rb_sysopen - /net.bin", reads);
        check(1, "Error: open /net.bin: no such file or directory", reads);
        check(1, "  weights = open(\"net.bin\", \"rb\")\nFileNotFoundError: [Errno 2] No such file: 'net.bin'", reads);
        check(1, "  log = open('/var/log/bot.txt', 'w')\nFileNotFoundError: No such file or directory", writes);
        check(1, "  log = open(\"/log.txt\", mode=\"a\")\nPermissionError: [Errno 13] Permission denied", writes);
        check(1, "  net = open('/root/net.bin')\nPermissionError: [Errno 13] Permission denied", reads);
        check(1, "OSError: [Errno 30] Read-only file system: '/x'", writes);
        check(
            1,
            "java.io.FileNotFoundException: /log.txt (Permission denied)\n\tat java.io.FileOutputStream.open0",
            writes,
        );
        check(1, "Error: ENOENT: no such file or directory, open '/a/b'\n    at Object.writeFileSync (fs:1)", writes);
        check(1, "Error: ENOENT: no such file or directory, open '/a/b'\n    at Object.readFileSync (fs:1)", reads);
        let signal = FaultKind::of_exit(ProcessExit::Signal(11), false, "");
        let fault = Fault { kind: Some(signal), ..Fault::new(Verdict::Re, "any words") };
        let remedy = of_fault(&fault, "", &COMMAND_LINE).to_string();
        assert!(remedy.contains("crashed and wrote nothing"), "{remedy}");
    }
}
