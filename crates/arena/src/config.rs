//! Tournament files.
//!
//! ```toml
//! game = "renju"
//! kind = "swiss"          # round-robin (when left out), gauntlet (the first agent against the others), swiss
//! rounds = 5              # of a Swiss tournament
//! games = 10              # bouts of each pairing, of a Swiss tournament in each round; even
//! openings = "auto"       # auto, none, a number of plies, or a file of openings (see [`crate::opening_file`])
//! opening_order = "sequential" # of a file: sequential or random
//! opening_start = 1       # of a file: the first one played
//! opening_plies = 8       # of a file: longer openings are cut
//! seed = 7
//! clock = "10s"           # for a whole game; or "10+0.1", "40/60", "500ms/move"
//! ready = "3s"            # time to answer READY
//! margin = "0s"           # how late by its clock an answer may come and still count
//! memory = 1024           # MiB
//! freeze = false          # stop the agent that is not on turn
//! invocation = "2s"       # for each action of a cell, where programs are run for every action
//! recheck = 0             # per cent of those that are asked again, to find programs that keep a state
//! stay = false            # keep programs from bout to bout
//!
//! max_plies = 400         # a longer game is a draw
//!
//! [draw]                  # adjudicate a draw by both agents' scores, in hundredths
//! movenumber = 40
//! movecount = 8
//! score = 10
//!
//! [resign]                # adjudicate a loss
//! movecount = 3
//! score = 600
//! twosided = true         # if the opponent agrees
//!
//! [parameters]            # of the game
//!
//! [sprt]                  # ends a match of two agents by itself
//! elo0 = 0
//! elo1 = 10
//! alpha = 0.05
//! beta = 0.05
//! scale = "logistic"      # or normalized
//!
//! [[agent]]
//! agent = "bots/new.cpp"  # a source file, a command, or a built-in
//! name = "new"            # the agent's text when left out
//! rating = 2000           # a given rating
//! openings = true         # it understands OPENING lines
//! clock = "60+1"          # its own clock
//! args = ["--depth", "3"] # more arguments of its program
//! dir = "engines/new"     # the folder that its program starts in and sees
//! see = ["nets/a.bin"]    # files and folders that it sees besides
//! env = { THREADS = 1 }   # variables of its environment
//! options = { Hash = 64 } # of an engine behind `uai:` or `gomocup:`
//! nodes = 20000           # for each move: of such an engine, or of a built-in that searches
//! threads = 2             # at once: of a built-in that searches
//! depth = 12              # for each move: of such an engine
//! movetime = "1s"         # what such an engine is sent in place of its clock
//! margin = "100ms"        # how much less than its clock has such an engine is sent
//! ```
//!
//! Only `game` and the agents are required. All mistakes are reported at once. Values from the command line override
//! those of the file: see [`Beside`].

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agon_catalog::Game;
use agon_game::text::without_bom;
use agon_referee::adjudication::{Adjudication, DrawRule, ResignRule};
use agon_referee::agent::settings::{quoted, split_words};
use agon_referee::clock::{Clock, ClockError, MAX_CLOCK_MS, lacks_unit, parse_ms, with_units};
use agon_referee::limits::GameLimits;
use agon_referee::text::nearest;
use toml::{Table, Value};

use crate::agents;
use crate::check::{PlanError, Problem};
use crate::opening_file::{OpeningChoice, OpeningOrder};
use crate::plan::{Entrant, Kind, Plan, usual_openings};
use crate::stats::sprt::{Scale, Sprt};

/// Bouts of each pairing when the file does not say.
const GAMES: u32 = 10;

/// Rounds of a Swiss tournament when the file does not say.
const ROUNDS: u32 = 5;

/// A file that does not describe a tournament.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("no TOML: {}", .0.to_string().trim_end())]
    Syntax(Box<toml::de::Error>),
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// What the command line adds to a tournament file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Beside<'a> {
    /// Bouts of each pairing, overriding the file's.
    pub games: Option<u32>,
    /// Additional agents, by their texts.
    pub agents: &'a [String],
}

/// Reads a tournament file. Files that it names are looked for from the current folder.
///
/// # Errors
/// [`ConfigError`] with everything that is wrong with the contents.
pub fn load(path: &Path, beside: Beside) -> Result<Plan, ConfigError> {
    let text = fs::read_to_string(path).map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    parse(&text, beside)
}

/// Reads the text of a tournament file.
///
/// # Errors
/// [`ConfigError`] with everything that is wrong with the contents.
pub fn parse(text: &str, beside: Beside) -> Result<Plan, ConfigError> {
    let table: Table = without_bom(text).parse().map_err(|error| ConfigError::Syntax(Box::new(error)))?;
    let problems = RefCell::new(Vec::new());
    let (plan, game) = read(&Fields::new(&table, "", &problems), beside);
    let mut problems = problems.into_inner();
    // A plan with some wrong parts is still checked as far as possible; without a game, nothing that depends on it is.
    if let Err(PlanError(more)) = plan.check() {
        problems.extend(more.into_iter().filter(|problem| game || !["openings", "parameters"].contains(&&*problem.at)));
    }
    if problems.is_empty() { Ok(plan) } else { Err(PlanError(problems).into()) }
}

/// The plan, and whether its game is known.
fn read(file: &Fields, beside: Beside) -> (Plan, bool) {
    let names = Game::names().join(", ");
    let game = file.text("game").map(|name| (Game::by_name(&name), name));
    let game = match game {
        Some((Some(game), _)) => Some(game),
        Some((None, name)) => {
            let meant = meant(&name, Game::names());
            file.wrong("game", format!("there is no game `{name}`; there are {names}{meant}"))
        }
        None if file.table.contains_key("game") => None,
        None => file.wrong("game", format!("missing; name one of {names}")),
    };
    let rounds = file.whole("rounds", u64::from(u32::MAX)).map(|rounds| rounds as u32);
    let kind = match file.text("kind").as_deref() {
        None | Some("round-robin") => Kind::RoundRobin,
        Some("gauntlet") => Kind::Gauntlet,
        Some("swiss") => Kind::Swiss { rounds: rounds.unwrap_or(ROUNDS) },
        Some(other) => {
            let meant = meant(other, ["round-robin", "gauntlet", "swiss"]);
            file.wrong::<()>("kind", format!("`{other}` given; round-robin, gauntlet or swiss expected{meant}"));
            Kind::RoundRobin
        }
    };
    if rounds.is_some() && !matches!(kind, Kind::Swiss { .. }) {
        file.wrong::<()>("rounds", "only a Swiss tournament has rounds; say `games`".to_owned());
    }
    let usual = GameLimits::default();
    let limits = GameLimits {
        ready_ms: file.ms("ready").unwrap_or(usual.ready_ms),
        margin_ms: file.ms("margin").unwrap_or(usual.margin_ms),
        memory_mib: file.whole("memory", 1 << 20).unwrap_or(usual.memory_mib),
        freeze: file.flag("freeze").unwrap_or(usual.freeze),
        invocation_ms: file.ms("invocation").unwrap_or(usual.invocation_ms),
        recheck_percent: file.whole("recheck", 100).map_or(usual.recheck_percent, |percent| percent as u8),
        adjudication: adjudication(file),
        ..usual
    };
    let limits = match file.clock() {
        Some(clock) => limits.with_clock(clock),
        None => limits,
    };
    let parameters = parameters(file);
    let test = file.table("sprt").map(|table| sprt(&table));
    let tables = file.tables("agent");
    let mut agents: Vec<Entrant> = tables.iter().zip(1..).map(|(table, at)| entrant(table, at, game)).collect();
    for text in beside.agents {
        let read = game.map(|game| Entrant::read(text, game));
        agents.push(match read {
            Some(Ok(entrant)) => entrant,
            Some(Err(error)) => {
                file.problems.borrow_mut().push(Problem::new(format!("agent {}", agents.len() + 1), error.to_string()));
                Entrant::unread(text)
            }
            None => Entrant::unread(text),
        });
    }
    let wanted = wanted_openings(file);
    let choice = opening_choice(file);
    let games = file.whole("games", u64::from(u32::MAX)).map_or(GAMES, |games| games as u32);
    let games = beside.games.unwrap_or(games);
    let (seed, stay) = (file.whole("seed", i64::MAX as u64).unwrap_or(1), file.flag("stay").unwrap_or(false));
    file.finish();

    // Any game can stand in for a missing one.
    let known = game.is_some();
    let game = game.unwrap_or(Game::all()[0]);
    let (openings, path) = match wanted {
        Openings::Usual => (usual_openings(game, &agents), None),
        Openings::Plies(plies) => (plies, None),
        Openings::File(path) => (0, Some(path)),
    };
    let mut plan =
        Plan { game, parameters, agents, kind, games, openings, opening_file: None, limits, seed, stay, test };
    match path {
        Some(path) if known => {
            if let Err(error) = plan.open_with(&path, choice) {
                file.problems.borrow_mut().push(Problem::new("openings", error.to_string()));
            }
        }
        Some(_) => {}
        None => {
            for name in ["opening_order", "opening_start", "opening_plies"] {
                if file.table.contains_key(name) {
                    file.wrong::<()>(name, "is for a file of openings; name it by `openings`".to_owned());
                }
            }
        }
    }
    (plan, known)
}

/// What a mistyped word was probably meant to be.
fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}

/// The openings that a file requests.
enum Openings {
    /// What the game and the agents suggest.
    Usual,
    Plies(u32),
    File(PathBuf),
}

fn wanted_openings(file: &Fields) -> Openings {
    match file.take("openings") {
        None => Openings::Usual,
        Some(Value::String(text)) if text == "auto" => Openings::Usual,
        Some(Value::String(text)) if text == "none" => Openings::Plies(0),
        Some(Value::String(path)) => Openings::File(PathBuf::from(path)),
        Some(Value::Integer(plies)) if (0..=1000).contains(plies) => Openings::Plies(*plies as u32),
        Some(other) => {
            let expected = "`auto`, `none`, a number of plies to 1000 or the name of a file expected";
            file.wrong::<()>("openings", format!("{other} given; {expected}"));
            Openings::Usual
        }
    }
}

fn opening_choice(file: &Fields) -> OpeningChoice {
    let number = |name| match file.whole(name, u64::from(u32::MAX)) {
        Some(0) => file.wrong(name, "0 given; a number from 1 expected".to_owned()),
        number => number.map(|number| number as u32),
    };
    let order = match file.text("opening_order").as_deref() {
        None | Some("sequential") => OpeningOrder::Sequential,
        Some("random") => OpeningOrder::Random,
        Some(other) => {
            file.wrong::<()>("opening_order", format!("`{other}` given; sequential or random expected"));
            OpeningOrder::Sequential
        }
    };
    OpeningChoice { order, start: number("opening_start"), max_plies: number("opening_plies") }
}

/// A game treats numbers and words alike: both become text.
fn parameters(file: &Fields) -> BTreeMap<String, String> {
    file.table("parameters").map_or_else(BTreeMap::new, |table| table.texts().into_iter().collect())
}

/// The rules that end games early.
fn adjudication(file: &Fields) -> Adjudication {
    const MAX: u64 = 1_000_000;
    let number = |table: &Fields, name| table.whole(name, MAX).map(|number| number as u32);
    let needed = |table: &Fields, name| {
        let given = number(table, name).filter(|&number| number > 0 || name == "score");
        given.unwrap_or_else(|| {
            table.wrong::<()>(name, "missing or 0; a number expected".to_owned());
            1
        })
    };
    let draw = file.table("draw").map(|table| {
        let (move_count, score) = (needed(&table, "movecount"), needed(&table, "score"));
        let rule = DrawRule { move_number: number(&table, "movenumber").unwrap_or(0), move_count, score };
        table.finish();
        rule
    });
    let resign = file.table("resign").map(|table| {
        let (move_count, score) = (needed(&table, "movecount"), needed(&table, "score"));
        let rule = ResignRule { move_count, score, two_sided: table.flag("twosided").unwrap_or(false) };
        table.finish();
        rule
    });
    Adjudication { draw, resign, max_plies: number(file, "max_plies") }
}

fn sprt(table: &Fields) -> Sprt {
    let usual = Sprt::default();
    let scale = match table.text("scale").as_deref() {
        None => usual.scale,
        Some("logistic") => Scale::Logistic,
        Some("normalized") => Scale::Normalized,
        Some(other) => {
            table.wrong::<()>("scale", format!("`{other}` given; logistic or normalized expected"));
            usual.scale
        }
    };
    let test = Sprt {
        elo0: table.number("elo0").unwrap_or(usual.elo0),
        elo1: table.number("elo1").unwrap_or(usual.elo1),
        alpha: table.number("alpha").unwrap_or(usual.alpha),
        beta: table.number("beta").unwrap_or(usual.beta),
        scale,
    };
    table.finish();
    test
}

/// The agent of the table at this position; a placeholder for one that cannot be read.
fn entrant(table: &Fields, at: usize, game: Option<Game>) -> Entrant {
    let (name, rating, openings) = (table.text("name"), table.number("rating"), table.flag("openings"));
    let agent = table.text("agent");
    if agent.is_none() && !table.table.contains_key("agent") {
        table.wrong::<()>("agent", "missing; name a source file, a command or a built-in".to_owned());
    }
    let (clock, settings, arguments) = (table.clock(), settings(table), table.words("args"));
    table.finish();
    let placeholder = || Entrant::unread(agent.as_ref().or(name.as_ref()).unwrap_or(&format!("agent {at}")));
    let read = agent.as_ref().zip(game).map(|(agent, game)| {
        let named = agents::named(game, &format!("{settings}{agent}"))?;
        Entrant::from_named(named, agent, &arguments)
    });
    let mut entrant = match read {
        Some(Ok(entrant)) => entrant,
        Some(Err(error)) => {
            table.wrong::<()>("agent", error.to_string());
            placeholder()
        }
        None => placeholder(),
    };
    entrant.rating = rating;
    entrant.openings |= openings.unwrap_or(false);
    entrant.clock = clock.or(entrant.clock);
    match name {
        Some(name) => entrant.named(name),
        None => entrant,
    }
}

/// How an agent is started, as the words before its text state it.
fn settings(table: &Fields) -> String {
    let mut words = Vec::new();
    words.extend(table.text("dir").map(|dir| format!("dir={dir}")));
    words.extend(table.words("see").into_iter().map(|path| format!("see={path}")));
    for (list, key) in [("env", "env"), ("options", "option")] {
        let given = table.inner(list).map_or_else(Vec::new, |list| list.texts());
        words.extend(given.into_iter().map(|(name, value)| format!("{key}.{name}={value}")));
    }
    words.extend(table.whole("nodes", i64::MAX as u64).map(|nodes| format!("nodes={nodes}")));
    words.extend(table.whole("threads", i64::MAX as u64).map(|threads| format!("threads={threads}")));
    words.extend(table.whole("depth", u32::MAX.into()).map(|depth| format!("depth={depth}")));
    words.extend(table.ms("movetime").map(|ms| format!("movetime={ms}ms")));
    words.extend(table.ms("margin").map(|ms| format!("margin={ms}ms")));
    words.iter().map(|word| quoted(word) + " ").collect()
}

/// A text, or a number or a flag as one.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Why a value is not a time: for a number, that its unit is missing, and what to write instead.
fn without_unit(value: &Value, expected: &str) -> String {
    match text_of(value).filter(|number| lacks_unit(number)) {
        Some(number) => format!("{value} has no unit: {}", with_units(&number, '"')),
        None => format!("{value} given; {expected}"),
    }
}

/// One table of the file, read name by name, and the list of everything that is wrong.
struct Fields<'a> {
    table: &'a Table,
    at: String,
    problems: &'a RefCell<Vec<Problem>>,
    known: RefCell<Vec<&'static str>>,
}

impl<'a> Fields<'a> {
    fn new(table: &'a Table, at: impl Into<String>, problems: &'a RefCell<Vec<Problem>>) -> Self {
        Self { table, at: at.into(), problems, known: RefCell::default() }
    }

    /// Reports a problem; returns `None`, so that the result can stand for the value.
    fn wrong<T>(&self, name: &str, problem: String) -> Option<T> {
        let at = if self.at.is_empty() { name.to_owned() } else { format!("{}: {name}", self.at) };
        self.problems.borrow_mut().push(Problem::new(at, problem));
        None
    }

    fn take(&self, name: &'static str) -> Option<&'a Value> {
        self.known.borrow_mut().push(name);
        self.table.get(name)
    }

    fn text(&self, name: &'static str) -> Option<String> {
        match self.take(name)? {
            Value::String(text) => Some(text.clone()),
            other => self.wrong(name, format!("{other} given; text in quotes expected")),
        }
    }

    fn flag(&self, name: &'static str) -> Option<bool> {
        match self.take(name)? {
            Value::Boolean(flag) => Some(*flag),
            other => self.wrong(name, format!("{other} given; true or false expected")),
        }
    }

    fn whole(&self, name: &'static str, most: u64) -> Option<u64> {
        match self.take(name)? {
            Value::Integer(n) if u64::try_from(*n).is_ok_and(|n| n <= most) => Some(*n as u64),
            other => self.wrong(name, format!("{other} given; a whole number from 0 to {most} expected")),
        }
    }

    /// A length of time: text with its unit.
    fn ms(&self, name: &'static str) -> Option<u64> {
        let value = self.take(name)?;
        let ms = match value {
            Value::String(text) if !lacks_unit(text) => parse_ms(text, 1).filter(|ms| *ms <= MAX_CLOCK_MS),
            _ => None,
        };
        ms.or_else(|| self.wrong(name, without_unit(value, "a time such as \"10s\" expected")))
    }

    /// A clock, as text.
    fn clock(&self) -> Option<Clock> {
        let value = self.take("clock")?;
        match value {
            Value::String(text) => {
                text.parse().map_or_else(|error: ClockError| self.wrong("clock", error.to_string()), Some)
            }
            _ => self.wrong("clock", without_unit(value, "a clock such as \"10s\" or \"10+0.1\" expected")),
        }
    }

    /// Words: a list of texts and numbers, or one text as a shell splits it.
    fn words(&self, name: &'static str) -> Vec<String> {
        let split = match self.take(name) {
            None => return Vec::new(),
            Some(Value::String(text)) => split_words(text),
            Some(Value::Array(list)) => list.iter().map(text_of).collect(),
            Some(_) => None,
        };
        let expected = "a list of texts expected, or one text";
        split.or_else(|| self.wrong(name, expected.to_owned())).unwrap_or_default()
    }

    /// The values of a table, as texts.
    fn texts(&self) -> Vec<(String, String)> {
        let texts = self.table.iter().filter_map(|(name, value)| {
            let text = text_of(value).or_else(|| self.wrong(name, "text or a number expected".to_owned()))?;
            Some((name.clone(), text))
        });
        texts.collect()
    }

    fn number(&self, name: &'static str) -> Option<f64> {
        match self.take(name)? {
            Value::Integer(n) => Some(*n as f64),
            Value::Float(x) if x.is_finite() => Some(*x),
            other => self.wrong(name, format!("{other} given; a number expected")),
        }
    }

    fn table(&self, name: &'static str) -> Option<Self> {
        match self.take(name)? {
            Value::Table(table) => Some(Self::new(table, name, self.problems)),
            _ => self.wrong(name, format!("a table expected, as `[{name}]`")),
        }
    }

    /// A table within this one.
    fn inner(&self, name: &'static str) -> Option<Self> {
        match self.take(name)? {
            Value::Table(table) => Some(Self::new(table, format!("{}: {name}", self.at), self.problems)),
            _ => self.wrong(name, format!("a table expected, as `{name} = {{ NAME = \"value\" }}`")),
        }
    }

    /// The tables of a list, `[[name]]`; empty if there is none.
    fn tables(&self, name: &'static str) -> Vec<Self> {
        let list = match self.take(name) {
            None => return Vec::new(),
            Some(Value::Array(list)) => list.as_slice(),
            Some(_) => &[],
        };
        let tables: Vec<Self> = list
            .iter()
            .zip(1..)
            .filter_map(|(value, at)| Some(Self::new(value.as_table()?, format!("{name} {at}"), self.problems)))
            .collect();
        if tables.is_empty() || tables.len() < list.len() {
            self.wrong::<()>(name, format!("tables expected, each begun by `[[{name}]]`"));
        }
        tables
    }

    /// Reports the names that were not asked for.
    fn finish(&self) {
        let known = self.known.borrow();
        for name in self.table.keys().filter(|name| !known.contains(&name.as_str())) {
            let meant = meant(name, known.iter().copied());
            self.wrong::<()>(name, format!("unknown; known are {}{meant}", known.join(", ")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{parse as parse_beside, *};

    fn parse(text: &str) -> Result<Plan, ConfigError> {
        parse_beside(text, Beside::default())
    }

    #[test]
    fn the_command_line_comes_before_the_file() {
        let text = "game = 'bacteria'\ngames = 4\n[[agent]]\nagent = 'greedy'";
        let agents = ["random".to_owned(), "champion:1".to_owned()];
        let plan = parse_beside(text, Beside { games: Some(20), agents: &agents }).unwrap();
        let names: Vec<&str> = plan.agents.iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!((plan.games, names), (20, vec!["greedy", "random", "champion:1"]));
        let agents = ["greedy".to_owned(), "champoin".to_owned()];
        let error = parse_beside(text, Beside { games: Some(3), agents: &agents }).unwrap_err().to_string();
        let starts: Vec<&str> = error.lines().filter_map(|line| line.split_once(':')).map(|(at, _)| at).collect();
        assert_eq!(starts, ["agent 3", "agent 2", "games"], "{error}");
    }

    #[test]
    fn a_file_becomes_a_plan() {
        let plan = parse(
            r#"
            game = "domineering"
            kind = "swiss"
            rounds = 3
            games = 4
            seed = 9
            clock = "500ms"
            [parameters]
            rows = 6
            bonus = "1.5"
            [[agent]]
            agent = "greedy"
            rating = 2000
            [[agent]]
            name = "dice"
            agent = "random"
            "#,
        )
        .unwrap();
        assert_eq!((plan.kind, plan.games, plan.seed, plan.openings), (Kind::Swiss { rounds: 3 }, 4, 9, 0));
        assert_eq!(plan.limits, GameLimits { clock_ms: 500, ..GameLimits::default() });
        assert_eq!(
            plan.parameters,
            [("bonus", "1.5"), ("rows", "6")].map(|(a, b)| (a.to_owned(), b.to_owned())).into()
        );
        let agents: Vec<_> = plan.agents.iter().map(|agent| (agent.name.as_str(), agent.rating)).collect();
        assert_eq!(agents, [("greedy", Some(2000.0)), ("dice", None)]);
    }

    #[test]
    fn little_is_needed() {
        let text = "game = 'bacteria'\n[[agent]]\nagent = 'greedy'\n[[agent]]\nagent = 'random'\n[sprt]\nelo1 = 5";
        let plan = parse(text).unwrap();
        assert_eq!((plan.kind, plan.games, plan.openings), (Kind::RoundRobin, GAMES, 4));
        assert_eq!(plan.test, Some(Sprt { elo1: 5.0, ..Sprt::default() }));
        assert_eq!(parse(&format!("openings = 'none'\n{text}")).unwrap().openings, 0);
        assert_eq!(parse(&format!("openings = 6\n{text}")).unwrap().openings, 6);
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let check = |text: &str, wanted: &[&str]| {
            let error = parse(text).unwrap_err().to_string();
            assert_eq!(error.lines().collect::<Vec<_>>(), wanted, "{text}");
        };
        check(
            "gmae = 'renju'\nkind = 'knockout'\ngames = 'many'\nopenings = -1\n[[agent]]\nname = 3\n\
             [sprt]\nscale = 'x'",
            &[
                "game: missing; name one of bacteria, domineering, renju, petri",
                "kind: `knockout` given; round-robin, gauntlet or swiss expected",
                "sprt: scale: `x` given; logistic or normalized expected",
                "agent 1: name: 3 given; text in quotes expected",
                "agent 1: agent: missing; name a source file, a command or a built-in",
                "openings: -1 given; `auto`, `none`, a number of plies to 1000 or the name of a file expected",
                "games: \"many\" given; a whole number from 0 to 4294967295 expected",
                "gmae: unknown; known are game, rounds, kind, ready, margin, memory, freeze, invocation, recheck, \
                 draw, resign, max_plies, clock, parameters, sprt, agent, openings, opening_order, opening_start, \
                 opening_plies, games, seed, stay; did you mean `game`?",
                "agents: 1 given; at least two must play",
                "sprt: 1 given to play; a test is between two agents",
            ],
        );
        check(
            "game = 'renju'\nrounds = 2\ngames = 3\nagent = 'greedy'",
            &[
                "rounds: only a Swiss tournament has rounds; say `games`",
                "agent: tables expected, each begun by `[[agent]]`",
                "agents: 0 given; at least two must play",
                "games: 3 given; an even number from 2 is needed, since games come in pairs",
            ],
        );
        check(
            "game = 'renju'\nopenings = 3\n[[agent]]\nagent = 'greedy'\n[[agent]]\nagent = 'sh -c true'\n\
             [[agent]]\nagent = 'greedy'",
            &[
                "agent 2: `sh -c true` is not known to understand OPENING lines; say --openings-understood (in a file \
                 `openings = true`) if it does, or play without openings",
                "agent 3: the name `greedy` is taken",
            ],
        );
        // The whole file, including agents that cannot be read.
        check(
            "game = 'bacterai'\nkind = 'swis'\ngames = 3\n[[agent]]\nagent = 'unknown'\nname = 'x'\n\
             [[agent]]\nagent = 'noone'\nname = 'x'",
            &[
                "game: there is no game `bacterai`; there are bacteria, domineering, renju, petri; did you mean \
                 `bacteria`?",
                "kind: `swis` given; round-robin, gauntlet or swiss expected; did you mean `swiss`?",
                "agent 2: the name `x` is taken",
                "games: 3 given; an even number from 2 is needed, since games come in pairs",
            ],
        );
        check(
            "game = 'renju'\nclock = 10\nready = '3'\ninvocation = 0.5\n[[agent]]\nagent = 'greedy'\nclock = true\n\
             [[agent]]\nagent = 'random'\nclock = '7'",
            &[
                "ready: \"3\" has no unit: say \"3s\" or \"3ms\"",
                "invocation: 0.5 has no unit: say \"0.5s\"",
                "clock: 10 has no unit: say \"10s\" or \"10ms\"",
                "agent 1: clock: true given; a clock such as \"10s\" or \"10+0.1\" expected",
                "agent 2: clock: `7` has no unit: say `7s` or `7ms`",
            ],
        );
        assert!(parse("game = ").unwrap_err().to_string().starts_with("no TOML: "));
    }
}
