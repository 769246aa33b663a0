//! Options that several commands share.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::LazyLock;

use agon_catalog::{Capability, Game, Pace};
use agon_referee::agent::settings::{self, quoted};
use agon_referee::clock::{Clock, MAX_CLOCK_MS};
use agon_referee::limits::GameLimits;
use agon_referee::signing::PrivateKey;
use agon_referee::text::plain;
use anyhow::{Context, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, ValueEnum};

use crate::exit::in_one_line;
use crate::rules;
use crate::span::{A_DAY, TimeSpan, time};

/// The heading of options that mean something only in games that can do this: `Only for bacteria and renju`. Those for
/// games with sessions, as all games of others are, name the games that have none.
pub(crate) fn only_for(capability: Capability) -> &'static str {
    static HEADINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let heading = |it| match it {
            Capability::Turns => "Not for ".to_owned() + &games_that_can(Capability::Actions),
            it => ONLY_FOR.to_owned() + &games_that_can(it),
        };
        Capability::ALL.map(heading).into()
    });
    let at = Capability::ALL.iter().position(|it| *it == capability);
    at.and_then(|at| HEADINGS.get(at)).map_or(ONLY_FOR, String::as_str)
}

const ONLY_FOR: &str = "Only for ";

/// `bacteria, domineering and renju`
fn games_that_can(capability: Capability) -> String {
    let names: Vec<&str> = Game::which_can(capability).into_iter().map(Game::name).collect();
    match &names[..] {
        [names @ .., last] if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        names => names.concat(),
    }
}

/// Headings of parameters of a game that have an option of their own, short for --set: another game refuses them
/// itself.
pub(crate) const BOARD: &str = "Parameters of domineering";
pub(crate) const DISH: &str = "Parameters of petri";

/// Refuses options that mean nothing in the game that was named.
///
/// # Errors
/// Where one is given, with the games that it is for.
pub(crate) fn refuse_foreign(mut command: &Command, mut matches: &ArgMatches) -> anyhow::Result<()> {
    while let Some((name, below)) = matches.subcommand() {
        command = command.find_subcommand(name).context("a command that was read")?;
        matches = below;
    }
    let Ok(Some(game)) = matches.try_get_one::<Game>("game") else { return Ok(()) };
    for option in command.get_arguments() {
        let heading = option.get_help_heading();
        let Some(capability) = Capability::ALL.into_iter().find(|it| heading == Some(only_for(*it))) else { continue };
        let (games, foreign) = (games_that_can(capability), !game.can(capability));
        if foreign && matches.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine) {
            let option = option.get_long().unwrap_or_default();
            bail!("--{option} is for {games}, not for {}: leave it out", game.name());
        }
    }
    Ok(())
}

/// How time is given to agents, beside their clocks.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct PaceArgs {
    /// Fixed time for each move; short for --clock TIME/move
    #[arg(long, value_name = "TIME", conflicts_with = "clock", requires = "game", value_parser = time(A_DAY),
          help_heading = only_for(Capability::Turns))]
    pub movetime: Option<TimeSpan>,

    /// Fixed number of nodes for each move, instead of the clock, for built-in players that search and for engines
    /// behind `uai:` or `gomocup:`
    #[arg(long, value_name = "N", requires = "game", value_parser = up_to::<u64>(1_000_000_000_000),
          help_heading = only_for(Capability::Turns))]
    pub nodes: Option<u64>,

    /// Time to answer READY, for engines that take long to load
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::from_ms(GameLimits::default().ready_ms),
          requires = "game", value_parser = time(A_DAY), help_heading = only_for(Capability::Turns))]
    pub ready: TimeSpan,

    /// Grace period for answers after the clock has run out, like cutechess' `timemargin`; ALPHANO's judge has none
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::from_ms(0), requires = "game",
          value_parser = time(0..=MAX_CLOCK_MS), help_heading = only_for(Capability::Turns))]
    pub margin: TimeSpan,
}

impl PaceArgs {
    /// The limits with this clock, or with a time for each move.
    pub(crate) fn limits(self, clock: Clock, limits: GameLimits) -> GameLimits {
        let clock = self.movetime.map_or(clock, |time| Clock::for_each_move(time.ms()));
        GameLimits { ready_ms: self.ready.ms(), margin_ms: self.margin.ms(), ..limits }.with_clock(clock)
    }

    /// The text of an agent with the nodes before it, if there are any and it is no built-in that does not search.
    pub(crate) fn agent(self, game: Game, text: &str) -> String {
        match self.nodes {
            Some(nodes) if game.pace(text) != Some(Pace::Fixed) => format!("nodes={nodes} {text}"),
            _ => text.to_owned(),
        }
    }

    /// Checks that some agent looks at the nodes, if there are any.
    ///
    /// # Errors
    /// If none does.
    pub(crate) fn check<'a>(self, game: Game, agents: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
        if self.nodes.is_some() && agents.into_iter().all(|text| self.agent(game, text) == text) {
            bail!("--nodes: no agent here searches: leave it out");
        }
        Ok(())
    }
}

/// What programs see besides their own files.
#[derive(Args, Clone, Debug)]
pub(crate) struct SeeArgs {
    /// Let every program read this file or folder; may be given several times. `see=PATH` before an agent applies to
    /// that agent only
    #[arg(long, value_name = "PATH", requires = "game")]
    pub see: Vec<String>,
}

impl SeeArgs {
    /// The text of an agent with what it sees before it, if it is a program.
    pub(crate) fn agent(&self, game: Game, text: &str) -> String {
        if self.see.is_empty() || is_builtin(game, text) {
            return text.to_owned();
        }
        self.see.iter().map(|path| quoted(&format!("see={path}")) + " ").collect::<String>() + text
    }

    /// Checks that some agent is a program, if anything is to be seen.
    ///
    /// # Errors
    /// If none is.
    pub(crate) fn check<'a>(&self, game: Game, agents: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
        if !self.see.is_empty() && agents.into_iter().all(|text| is_builtin(game, text)) {
            bail!("--see: no agent here is a program: leave it out");
        }
        Ok(())
    }
}

fn is_builtin(game: Game, text: &str) -> bool {
    settings::split(text).is_ok_and(|set| game.find(set.agent).is_ok())
}

/// How to print a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// How to show a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ShowHow {
    /// The board after each move
    Board,
    /// A line a move
    Line,
    /// Only the result
    None,
}

/// How a game is shown when the user leaves it open.
///
/// # Errors
/// When a game is to be shown where the user wants nothing but JSON.
pub(crate) fn show_how(wanted: Option<ShowHow>, format: Format, otherwise: ShowHow) -> anyhow::Result<ShowHow> {
    match (wanted, format) {
        (None | Some(ShowHow::None), Format::Json) => Ok(ShowHow::None),
        (Some(_), Format::Json) => bail!("--format json prints the result and nothing else: leave out --show"),
        (how, Format::Text) => Ok(how.unwrap_or(otherwise)),
    }
}

/// The size of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoardSize {
    /// Columns.
    pub width: u64,
    /// Rows.
    pub height: u64,
}

/// Reads a size: `10x4` is 10 wide and 4 high, `6` a square.
pub(crate) fn size(text: &str) -> Result<BoardSize, String> {
    let (width, height) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
    let size = width.parse().ok().zip(height.parse().ok()).map(|(width, height)| BoardSize { width, height });
    size.ok_or_else(|| "WIDTHxHEIGHT expected, as 10x4, or 6 for a square".to_owned())
}

/// The size of a board as --set has it.
pub(crate) fn sides(size: Option<BoardSize>, game: Game) -> Vec<(String, String)> {
    let Some(BoardSize { width, height }) = size else { return Vec::new() };
    // A game without a size refuses the option.
    let names = game.size.unwrap_or_default();
    names.into_iter().zip([width, height]).map(|(name, side)| (name.to_owned(), side.to_string())).collect()
}

/// The parameters of a dish by names of their own.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DishArgs {
    /// Columns of the dish
    #[arg(long, value_name = "N", hide = true, conflicts_with = "size")]
    pub width: Option<u64>,
    /// Rows of the dish
    #[arg(long, value_name = "N", hide = true, conflicts_with = "size")]
    pub height: Option<u64>,
    /// Turns of each player; short for --set turns=N
    #[arg(long, value_name = "N")]
    pub turns: Option<u64>,
}

impl DishArgs {
    /// As --set has them.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (String, String)> {
        let named = [("width", self.width), ("height", self.height), ("turns", self.turns)];
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.to_string())))
    }
}

/// Reads an even number of games up to this.
pub(crate) fn even(most: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let games = text.parse().ok().filter(|games: &u64| games.is_multiple_of(2) && (2..=most).contains(games));
        games.ok_or_else(|| {
            format!("an even number from 2 to {most} expected: each opening is played twice, with the seats swapped")
        })
    }
}

/// Reads a number from 1 to `max`.
pub(crate) fn up_to<T: TryFrom<u64> + Clone + Send + Sync + 'static>(max: u64) -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(1..=max)
}

/// Reads the name of a game, or the file of rules by a program.
pub(crate) fn game() -> impl TypedValueParser<Value = Game> {
    GameParser { offered: |_| true }
}

/// The same; those that people cannot play are not offered, but taken, so that they are refused with the reason.
pub(crate) fn game_by_hand() -> impl TypedValueParser<Value = Game> {
    GameParser { offered: Game::has_turns }
}

#[derive(Clone, Copy)]
struct GameParser {
    offered: fn(Game) -> bool,
}

impl TypedValueParser for GameParser {
    type Value = Game;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Game, clap::Error> {
        match rules::named(value) {
            Some(Ok(game)) => Ok(game),
            Some(Err(error)) => {
                let message = plain(&in_one_line(&error)) + "\n";
                Err(clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command))
            }
            None => match value.to_str().filter(|name| name.contains('@')) {
                Some(name) => {
                    let message = format!(
                        "`{}` is a game of others: name its rules as --rules FILE, or a site that has it as --server \
                         URL\n",
                        plain(name)
                    );
                    Err(clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command))
                }
                None => game_of(&Game::all()).parse_ref(command, arg, value),
            },
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |game: Game| PossibleValue::new(game.name()).hide(!(self.offered)(game));
        Some(Box::new(Game::all().into_iter().map(value)))
    }
}

/// Reads the name of one of these games.
pub(crate) fn game_of(games: &[Game]) -> impl TypedValueParser<Value = Game> + use<> {
    PossibleValuesParser::new(games.iter().map(|game| game.name()))
        .map(|name| Game::by_name(&name).expect("a listed name"))
}

pub(crate) fn parameter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE expected")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The parameters as a set-up wants them.
pub(crate) fn parameters(given: &[(String, String)]) -> anyhow::Result<BTreeMap<String, String>> {
    let mut parameters = BTreeMap::new();
    for (name, value) in given {
        if parameters.insert(name.clone(), value.clone()).is_some() {
            bail!("parameter `{name}` is given twice");
        }
    }
    Ok(parameters)
}

/// The private key of the file of --sign.
///
/// # Errors
/// When it holds none.
pub(crate) fn private_key(path: Option<&str>) -> anyhow::Result<Option<PrivateKey>> {
    path.map(PrivateKey::read).transpose().context("--sign")
}

/// The number of threads: as many as asked for, else one per core.
pub(crate) fn jobs(wanted: Option<u16>) -> usize {
    wanted.map_or_else(agon_jobs::pool::cores, usize::from)
}

/// How a command prints what it found.
#[derive(Args, Debug)]
pub(crate) struct OutputArgs {
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// How much of the machine a long job takes.
#[derive(Args, Debug)]
pub(crate) struct JobsArgs {
    /// How much is done at once [default: one job per core]
    #[arg(long, short = 'j', short_alias = 'k', value_name = "N", value_parser = up_to::<u16>(1024))]
    pub jobs: Option<u16>,
}

impl JobsArgs {
    /// The number of threads asked for, else one per core.
    pub(crate) fn threads(&self) -> usize {
        jobs(self.jobs)
    }
}

/// What commands of many games or many steps of training share.
#[derive(Args, Debug)]
pub(crate) struct BatchArgs {
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub jobs: JobsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}
