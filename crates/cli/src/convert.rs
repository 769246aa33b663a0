//! `agon convert`: games of renju between Agon's records, SGF and Gomocup's `.psq`.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use agon_arena::Store;
use agon_arena::store::Filter;
use agon_catalog::{Capability, Game, Setup};
use agon_game::{Outcome, Position, Show as _, Side};
use agon_referee::record::{Record, Termination, Way, Winner};
use agon_referee::text::line;
use agon_referee::verdict::Verdict;
use agon_rules::renju::sgf::WonBy;
use agon_rules::renju::{Move, Renju, psq, sgf};
use anyhow::{Context, anyhow, bail};
use clap::Args;

use crate::exit::Exit;
use crate::left_out::LeftOut;
use crate::output;

#[derive(Args, Debug)]
#[command(after_help = CONVERT_HELP)]
pub struct ConvertArgs {
    /// The game to read: .jsonl (a record), .sgf, .psq or .txt
    pub from: PathBuf,
    /// The file to write: .sgf, .psq or .txt
    pub to: PathBuf,
}

const CONVERT_HELP: &str = "\
The extensions name the formats:
  .jsonl  a record of Agon's
  .sgf    SGF (GM[4])
  .psq    Gomocup's
  .txt    one move per line (H8)
The game must be legal under ALPHANO's rules.

Example:
  agon play renju --out game.jsonl && agon convert game.jsonl game.sgf";

/// The formats that can be written, as extensions.
const WRITTEN: [&str; 3] = ["sgf", "psq", "txt"];

fn unwritten(format: &str) -> anyhow::Error {
    anyhow!("cannot write `.{format}`; .sgf, .psq or .txt expected")
}

/// The first bytes of a store, an `SQLite` database.
const STORE: &[u8; 16] = b"SQLite format 3\0";

pub struct RenjuGame {
    moves: Vec<Move>,
    players: [String; 2],
    /// How it ended, if the file says so.
    result: Option<(Outcome, WonBy)>,
}

pub fn run(args: &ConvertArgs) -> anyhow::Result<Exit> {
    let format = extension(&args.to);
    if !WRITTEN.contains(&format) {
        return Err(unwritten(format)).with_context(|| format!("`{}`", args.to.display()));
    }
    output::check(&args.to, "the game", false)?;
    let bytes = fs::read(&args.from).with_context(|| format!("cannot read `{}`", args.from.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut game = read(&args.from, &text).with_context(|| format!("`{}`", args.from.display()))?;
    let end = Renju::after(&game.moves).map_err(|(at, error)| {
        anyhow!("`{}`: move {}, {}: {error}", args.from.display(), at + 1, game.moves[at].letters())
    })?;
    game.result = game.result.or(end.outcome().map(|outcome| (outcome, WonBy::Rules)));
    let written = write(format, &game)?;
    fs::write(&args.to, written).with_context(|| format!("cannot write `{}`", args.to.display()))?;
    Ok(Exit::Done)
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or("")
}

fn read(path: &Path, text: &str) -> anyhow::Result<RenjuGame> {
    let of = |moves| RenjuGame { moves, players: [String::new(), String::new()], result: None };
    Ok(match extension(path) {
        "sgf" => of(sgf::read(text)?),
        "psq" => of(psq::read(text)?),
        "txt" => of(moves(text)?),
        "jsonl" => of_record(&Record::read(text)?)?,
        other => bail!("`.{other}` is not a format of a game; .jsonl, .sgf, .psq or .txt expected"),
    })
}

/// The moves of a game in a file whose extension names the format.
pub fn moves_of(path: &Path) -> anyhow::Result<Vec<Move>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let game = read(path, &String::from_utf8_lossy(&bytes)).with_context(|| format!("`{}`", path.display()))?;
    Ok(game.moves)
}

/// The moves of every game of renju in a store that can be read, or of the one game in another file; those of a store
/// that cannot be read are added to what is left out.
pub fn games_of(path: &Path, left_out: &mut LeftOut) -> anyhow::Result<Vec<Vec<Move>>> {
    let mut start = [0; STORE.len()];
    let is_store = File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *STORE;
    if !is_store {
        return Ok(vec![moves_of(path)?]);
    }
    let (store, mut games) = (Store::read(path)?, Vec::new());
    let (runs, damaged) = store.runs()?;
    left_out.extend(damaged);
    for run in runs.into_iter().filter(|run| run.plan.game.can(Capability::GameFiles)) {
        let unreadable = store.records::<anyhow::Error>(run.id, Filter::All, |bout, text| {
            match Record::read(text).map_err(anyhow::Error::from).and_then(|record| of_record(&record)) {
                Ok(game) => games.push(game.moves),
                Err(error) => left_out.add(format!("game {} of run {}: {error:#}", bout.slot, run.id)),
            }
            Ok(())
        })?;
        left_out.extend(unreadable);
    }
    Ok(games)
}

/// The game of a record, the moves of its opening first.
pub fn of_record(record: &Record) -> anyhow::Result<RenjuGame> {
    if !Game::by_name(&record.header.game).is_some_and(|game| game.can(Capability::GameFiles)) {
        bail!(
            "a record of {}, not of renju: SGF, .psq and .txt are for games of renju; `agon replay --out FILE.html` \
             writes a page of any game",
            record.header.game
        );
    }
    let mut position = Renju::default();
    let players = record.header.agents.each_ref().map(|agent| line(&agent.agent));
    let mut game = RenjuGame { moves: Vec::new(), players, result: result_of(record) };
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    for text in setup.opening() {
        let m = position.read_any(text)?;
        position.play_unchecked(m, &mut ());
        game.moves.push(m);
    }
    let answers = record.entries.iter().filter(|entry| entry.way == Way::From);
    let spoken: Vec<&str> = answers.filter_map(|entry| entry.spoken.as_deref()).collect();
    game.moves.extend(moves(&spoken.join("\n"))?);
    Ok(game)
}

/// How the game of a record ended; `None` if it was stopped.
fn result_of(record: &Record) -> Option<(Outcome, WonBy)> {
    let result = &record.result;
    let winner = match result.winner {
        Winner::First => Side::First,
        Winner::Second => Side::Second,
        Winner::Draw => return Some((Outcome::Draw, WonBy::Rules)),
        Winner::Void => return None,
    };
    let won_by = match (result.termination, result.verdicts[winner.other().index()].verdict) {
        (Some(Termination::Resignation), _) => WonBy::Resignation,
        (Some(Termination::Time), _) | (None, Verdict::Tle) => WonBy::Time,
        (_, Verdict::Ok) => WonBy::Rules,
        _ => WonBy::Forfeit,
    };
    Some((Outcome::Win(winner), won_by))
}

/// One move per line, `H8` or PASS; blank lines are skipped.
fn moves(text: &str) -> anyhow::Result<Vec<Move>> {
    let lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    lines.map(|(at, line)| Move::from_letters(line).with_context(|| format!("line {}", at + 1))).collect()
}

pub fn write(format: &str, game: &RenjuGame) -> anyhow::Result<String> {
    let [black, white] = game.players.clone();
    Ok(match format {
        "sgf" => {
            let (result, won_by) = game.result.map_or((None, WonBy::default()), |(result, by)| (Some(result), by));
            sgf::write(&game.moves, &sgf::SgfHeader { black, white, result, won_by })
        }
        "psq" => psq::write(&game.moves, [&black, &white]),
        "txt" => game.moves.iter().map(|m| m.letters() + "\n").collect(),
        other => return Err(unwritten(other)),
    })
}
