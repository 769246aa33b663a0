//! The texts of a check: its steps, their measurements, and what is wrong.

use agon_game::Side;
use agon_message::{Stated, messages};
use agon_referee::protocol::Quoted;
use agon_referee::verdict::Headline;

messages! {
    /// The name of a step.
    #[derive(Clone, PartialEq, Eq)]
    pub enum StepName {
        Compiles = "compiles",
        Ready = "answers READY",
        Begin = "answers BEGIN",
        Plays { side: SeatName, rival: Rival } = "plays {side}, against {rival}",
        PlaysSeed { side: SeatName, rival: Rival, seed: u64 } = "plays {side}, against {rival}, seed {seed}",
        PlaysBoard { side: SeatName, columns: u32, rows: u32, rival: Rival } =
            "plays {side} on {columns} × {rows}, against {rival}",
        MoreGames = "more games",
        CountedGames { count: u64 } = "{count} more games",
        GamesAgainst { count: u64, rival: Rival } = "{count} more games, against {rival} and itself",
        Situation { name: SituationName } = "the situation {name}",
        RareSituations { count: usize } = "{count} rare situations",
        Environment = "another environment",
        AllChecks = "repeats its games with all checks",
    }

    /// Where in a step something happened.
    #[derive(Clone, PartialEq, Eq)]
    pub enum Place {
        Step(step: StepName),
        Ready { step: StepName } = "{step}, at READY",
        AfterGame { step: StepName } = "{step}, after the game",
        Ply { step: StepName, ply: u32 } = "{step}, ply {ply}",
        Action { step: StepName, action: u32 } = "{step}, action {action}",
        Repeated { step: StepName } = "{step}, repeated with all checks",
    }

    /// The places of a finding.
    pub enum Places {
        AndMore { first: Stated, count: usize } = "{first}, and {count} more",
    }

    /// A seat.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum SeatName {
        First = "first",
        Second = "second",
    }

    /// The program's opponent.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Rival {
        Builtin { name: &'static str } = "{name}",
        Script = "a script",
        Itself = "itself",
    }

    /// The name of a rare situation in the catalogue.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum SituationName {
        Named { name: &'static str } = "{name}",
        MustPass = "must-pass",
        OpponentPasses = "opponent-passes",
        LastCell = "last-cell",
        OneCell = "one-cell",
        LastTurn = "last-turn",
        FirstMustPass = "first-must-pass",
        SecondMustPass = "second-must-pass",
        LastPlace = "last-place",
        NoPoints = "no-points",
        Begin = "begin",
        Corner = "corner",
        NoEnergy = "no-energy",
        NoRoom = "no-room",
        EnemiesAround = "enemies-around",
        Corpse = "corpse",
        FullDish = "full-dish",
        ThirdTurn = "third-turn",
        Five = "five",
        Overline = "overline",
        Forbidden = "forbidden",
        LastPoint = "last-point",
    }

    /// The result of a step.
    pub enum StepDetail {
        TookOf { took: u64, allowed: u64 } = "{took} of {allowed} ms",
        Game { plies: u32, used: u64 } = "{plies} plies, {used} ms",
        LongestGame { plies: u32 } = "{plies} plies at most",
        Actions { count: u32 } = "{count} actions",
        Stopped = "stopped",
        LateFirst = "a late answer costs the whole clock: fix that first",
        TooLong { seconds: u64 } = "the check has taken {seconds} s",
        FindingsFirst = "skipped until the findings above are fixed",
        Unread { lines: UnreadLines } = "it does not read {lines}",
        NeedsNoChecks { language: &'static str } = "{language} needs none: its exceptions show the line",
        NameTheSource = "name the source instead of a command, and Agon compiles the checks in",
        NotCompiled = "it does not compile with them",
        TooSlow = "too slow with them for its clock",
        NothingInOne { checks: &'static str } = "1 game, nothing found by {checks}",
        Nothing { games: u64, checks: &'static str } = "{games} games, nothing found by {checks}",
        NothingInOneSome { checks: &'static str, late: u64 } =
            "1 game, nothing found by {checks}; {late} too slow with them",
        NothingSome { games: u64, checks: &'static str, late: u64 } =
            "{games} games, nothing found by {checks}; {late} too slow with them",
    }

    /// Lines before READY.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum UnreadLines {
        Opening = "OPENING lines",
        Position = "POSITION lines",
        Both = "OPENING lines and POSITION lines",
    }

    /// What is wrong.
    pub enum Problem {
        Fault(fault: Headline),
        Rested { why: Stated } = "a cell rested: {why}",
        OtherAnswers { some: u32, all: u32 } =
            "{some} of {all} repeated actions had another answer: it keeps a state, or draws random numbers",
        Processes { names: String } = "it left processes running when it exited: {names}",
        Files { names: String } = "it wrote into its own folder: {names}",
        FailsIn { changes: String } = "it fails with {changes}",
        FailsInAndFolder { changes: String } = "it fails with {changes}, another current folder",
        FailsInFolder = "it fails with another current folder",
        FailsInEnvironment = "it fails with the environment",
        FailsChecked { checks: &'static str, problem: String } = "it fails with {checks}: {problem}",
    }

    /// A line below a problem that comes before others.
    pub enum Detail {
        StderrEnd = "end of its error stream",
        LastLines = "last lines (> to the program, < from it)",
        Input = "input",
        NoAnswer = "answer nothing",
        Answer { answer: Quoted } = "answer {answer}",
        SameAnswer =
            "same answer as to the turn before: check that it answers each TURN once, and not always with the same \
             move",
        WhereItIs = "where it is",
    }

    /// What an author may want to know.
    pub enum CheckNote {
        Memory { used: u64, limit: u64 } = "It used {used} of {limit} MiB of memory.",
        SlowReady { took: u64, allowed: u64 } =
            "READY took {took} of {allowed} ms: on a slower machine it would be late.",
        SlowGame { used: u64, clock: u64 } =
            "It used {used} of {clock} ms in one game: on a busy machine it would be late.",
        SlowStart { ms: u64, seconds: u64, actions: u32 } =
            "Starting a process takes {ms} ms, and every action starts one: {seconds} s in a game of {actions} \
             actions. Add LOOP to the answer to BEGIN and read input after input, and one process stays alive.",
        NotTried { lines: UnreadLines, situations: String } =
            "It does not read {lines} before READY, so these situations were not tried: {situations}. The samples of \
             `agon new` show how to read them. ALPHANO never sends such lines; Agon's series and ladders use them to \
             begin games with openings, and a program that does not read OPENING plays each opponent only once from \
             either seat.",
        DiffersByClock =
            "Its moves differ between runs, as in any search that the clock ends; with a fixed depth or number of \
             nodes its games can be reproduced.",
        DiffersBySeed =
            "Its moves differ between runs with the same AGON_SEED, so its games cannot be reproduced. Seed its random \
             numbers from AGON_SEED to change that.",
        TooSlowAt { checks: &'static str, problem: String, call: String } =
            "With {checks} it was too slow ({problem}), and at {call} when its time was over. An endless loop there \
             may depend on a variable without a value.",
        NotCompiled { checks: &'static str, message: String } = "With {checks} it does not compile: {message}",
        Warning { problem: String } = "The compiler warns: {problem}.",
        WarningAt { call: String, problem: String } = "The compiler warns at {call}: {problem}.",
    }
}

impl From<Side> for SeatName {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

impl From<&'static str> for SituationName {
    fn from(name: &'static str) -> Self {
        const KNOWN: [SituationName; 21] = [
            SituationName::MustPass,
            SituationName::OpponentPasses,
            SituationName::LastCell,
            SituationName::OneCell,
            SituationName::LastTurn,
            SituationName::FirstMustPass,
            SituationName::SecondMustPass,
            SituationName::LastPlace,
            SituationName::NoPoints,
            SituationName::Begin,
            SituationName::Corner,
            SituationName::NoEnergy,
            SituationName::NoRoom,
            SituationName::EnemiesAround,
            SituationName::Corpse,
            SituationName::FullDish,
            SituationName::ThirdTurn,
            SituationName::Five,
            SituationName::Overline,
            SituationName::Forbidden,
            SituationName::LastPoint,
        ];
        KNOWN.into_iter().find(|known| known.to_string() == name).unwrap_or(Self::Named { name })
    }
}
