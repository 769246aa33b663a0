//! The start of an analysis: a position, moves, or a place in a recorded game.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::str::FromStr;

use agon_catalog::{Capability, Game, Setup};
use agon_game::{GameState, Position as _, Show};
use agon_protocols::formats::{FileFormat, TreeMove};
use agon_referee::agent::quoted;
use agon_referee::record::Record;
use agon_referee::replay::prove;
use agon_rules::renju::{Renju, RuleSet};
use anyhow::{Context, bail};

use super::args::AnalyzeArgs;
use crate::recorded::up_to;
use crate::{convert, input, moves};

impl AnalyzeArgs {
    /// The game that is named, or else that of the record.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub(crate) fn game(&self) -> anyhow::Result<Game> {
        match (self.game, &self.record) {
            (Some(game), _) => Ok(game),
            (None, Some(record)) if record == "-" => bail!("name the game of the record on standard input"),
            (None, Some(record)) if is_exchanged(record) => convert::rules_of(Path::new(record), self.number),
            (None, Some(record)) => game_of(record).map(|(_, game)| game),
            (None, None) => bail!("name the game"),
        }
    }
}

/// The position that the arguments mean; of no position and no record it is `usual`. `read` reads the position
/// argument.
pub(super) fn position<P>(
    args: &AnalyzeArgs,
    usual: impl FnOnce() -> anyhow::Result<P>,
    read: impl FnOnce(&str) -> anyhow::Result<P>,
) -> anyhow::Result<P>
where
    P: Show + FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    let mut position = match (&args.position, &args.record) {
        (Some(text), _) => {
            if !args.game()?.can(Capability::GameFiles) {
                refuse_number(args)?;
            }
            read(text)?
        }
        (None, Some(record)) => {
            let text = recorded(args, record)?;
            text.parse().with_context(|| format!("`{text}` is not a position"))?
        }
        (None, None) => {
            refuse_number(args)?;
            usual()?
        }
    };
    moves::play(&mut position, args.moves.as_deref().unwrap_or_default()).context("--moves")?;
    Ok(position)
}

/// The rule set of `--set rules=NAME`, if it is given.
pub(super) fn rules(args: &AnalyzeArgs) -> anyhow::Result<Option<RuleSet>> {
    let mut rules = None;
    for (name, value) in &args.parameters {
        if name != agon_catalog::renju::RULES.name {
            bail!("--set {name} means nothing here; renju is analyzed with --set rules=NAME alone");
        }
        rules = Some(value.parse()?);
    }
    Ok(rules)
}

/// Reads moves from the start of a game of renju. Without a rule set they are those of ALPHANO's, or if its first turns
/// do not allow them, of renju from any first stones.
pub(super) fn moves_anywhere(rules: Option<RuleSet>, text: &str) -> anyhow::Result<Renju> {
    let mut position = Renju::start(rules.unwrap_or_default());
    let Err(refused) = moves::play(&mut position, text) else { return Ok(position) };
    let mut anywhere = Renju::start(RuleSet::Renju);
    match rules {
        None if moves::play(&mut anywhere, text).is_ok() => Ok(anywhere),
        _ => Err(refused).with_context(|| format!("`{text}`")),
    }
}

/// Reads a position, and puts it under a rule set if one is given.
pub(super) fn under(rules: Option<RuleSet>, text: &str) -> anyhow::Result<Renju> {
    let position: Renju = text.parse().with_context(|| format!("`{text}` is not a position"))?;
    match rules {
        None => Ok(position),
        Some(rules) => {
            let board = position.board().clone().under(rules);
            Ok(Renju::new(board, position.turn(), position.passes(), position.ply())?)
        }
    }
}

/// A whole file, or standard input if it is called `-`.
pub(super) fn content(name: &str) -> anyhow::Result<String> {
    let bytes = if name == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).context("standard input")?;
        bytes
    } else {
        fs::read(name).with_context(|| format!("cannot read `{name}`"))?
    };
    input::decoded(&bytes)
}

/// The game of a record.
pub(super) fn game_of(name: &str) -> anyhow::Result<(Record, Game)> {
    let source = || if name == "-" { "standard input".to_owned() } else { format!("`{name}`") };
    let record = Record::read(&content(name)?).with_context(|| format!("{} is not a record of a game", source()))?;
    let game = Game::recorded(&record.header.game).with_context(source)?;
    Ok((record, game))
}

/// Returns true if a file's extension names a format of other programs.
fn is_exchanged(name: &str) -> bool {
    FileFormat::by_ending(&input::extension(Path::new(name))).is_some_and(|format| format != FileFormat::Record)
}

/// The position in a record, or in a game in another format, in the notation of its game.
pub(super) fn recorded(args: &AnalyzeArgs, name: &str) -> anyhow::Result<String> {
    if is_exchanged(name) {
        let tree = convert::game_in(Path::new(name), args.number)?;
        if let Some(game) = args.game.filter(|game| *game != tree.game) {
            bail!("`{name}` has a game of {}, not of {game}", tree.game);
        }
        let nodes = tree.main_line().into_iter().map(|node| &tree.nodes[node]).take_while(|node| !node.is_lost);
        let moves: Vec<&TreeMove> = nodes.filter_map(|node| node.made.as_ref()).collect();
        let mut state = tree.start().with_context(|| format!("`{name}`"))?;
        let opening = state.ply();
        for made in up_to(&moves, args.ply, opening)? {
            state.answer(&made.judged)?;
        }
        return Ok(state.position());
    }
    refuse_number(args)?;
    let game = args.game()?;
    let (record, of) = game_of(name)?;
    if of != game {
        bail!("`{name}` is a record of {of}, not of {game}: say `agon analyze {of} --record {}`", quoted(name));
    }
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    let start = game.initial_state(&setup).with_context(|| format!("`{name}`"))?;
    let moves = prove(&record, start.boxed_clone().as_mut()).with_context(|| format!("`{name}`"))?;
    let mut state: Box<dyn GameState> = start;
    let opening = state.ply();
    for played in up_to(&moves, args.ply, opening)? {
        state.answer(&played.arguments)?;
    }
    Ok(state.position())
}

/// Refuses the number of a game if there is no collection.
pub(super) fn refuse_number(args: &AnalyzeArgs) -> anyhow::Result<()> {
    match args.number {
        Some(_) => bail!("--game is for a file with several games, such as .sgf or .pgn: leave it out"),
        None => Ok(()),
    }
}
