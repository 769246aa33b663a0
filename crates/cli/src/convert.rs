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

use crate::exit::{Exit, in_one_line};
use crate::input::extension;
use crate::left_out::LeftOut;
use crate::options::up_to;
use crate::show::{WARN, counted, paint};
use crate::{input, output};

#[derive(Args, Debug)]
#[command(after_help = CONVERT_HELP)]
pub struct ConvertArgs {
    /// The game to read: .jsonl (a record), .sgf, .psq or .txt
    pub from: PathBuf,
    /// The file to write: .sgf, .psq or .txt
    pub to: PathBuf,
    /// Of an SGF file with several games only this one, from 1 [default: all, which .sgf alone can hold]
    #[arg(long, value_name = "N", value_parser = up_to::<usize>(MAX_GAMES))]
    pub game: Option<usize>,
}

/// The most games that one file can be asked for.
pub const MAX_GAMES: u64 = 1_000_000_000;

const CONVERT_HELP: &str = "\
The extensions name the formats:
  .jsonl  a record of Agon's
  .sgf    SGF (GM[4]), with variations; several games in one file
  .psq    Gomocup's
  .txt    one move per line (H8)
The games must be legal under ALPHANO's rules. A file is read whole or refused
with the line that is wrong.

Examples:
  agon play renju --out game.jsonl && agon convert game.jsonl game.sgf
  agon convert league.sgf third.psq --game 3";

/// The formats that can be written, as extensions.
const WRITTEN: [&str; 3] = ["sgf", "psq", "txt"];

fn unwritten(format: &str) -> anyhow::Error {
    anyhow!("cannot write `.{format}`; .sgf, .psq or .txt expected")
}

/// The first bytes of a store, an `SQLite` database.
const STORE: &[u8; 16] = b"SQLite format 3\0";

#[derive(Default)]
pub struct RenjuGame {
    moves: Vec<Move>,
    /// The lines beside the moves, each from the start of the game.
    variations: Vec<Vec<Move>>,
    players: [String; 2],
    /// How it ended, if the file says so.
    result: Option<(Outcome, WonBy)>,
}

pub fn run(args: &ConvertArgs) -> anyhow::Result<Exit> {
    let format = extension(&args.to);
    if !WRITTEN.contains(&&*format) {
        return Err(unwritten(&format)).with_context(|| format!("`{}`", args.to.display()));
    }
    output::check(&args.to, "the game")?;
    let from = args.from.display();
    let mut games = read(&args.from, args.game)?;
    if games.len() > 1 && format != "sgf" {
        bail!("{}, and .{format} holds one", several(&args.from, games.len()));
    }
    let all = games.len();
    let mut written = String::new();
    for (number, game) in (args.game.unwrap_or(1)..).zip(&mut games) {
        let which = || if all > 1 { format!("`{from}`: game {number}: ") } else { format!("`{from}`: ") };
        let end = legal(&game.moves).map_err(|error| anyhow!("{}{error}", which()))?;
        for line in &game.variations {
            legal(line).map_err(|error| anyhow!("{}variation: {error}", which()))?;
        }
        game.result = game.result.or(end.outcome().map(|outcome| (outcome, WonBy::Rules)));
        if format != "sgf" {
            note_variations(&args.from, game);
        }
        written += &write(&format, game)?;
    }
    fs::write(&args.to, written).with_context(|| format!("cannot write `{}`", args.to.display()))?;
    Ok(Exit::Done)
}

/// The position after the moves of a game.
fn legal(moves: &[Move]) -> anyhow::Result<Renju> {
    Renju::after(moves).map_err(|(at, error)| anyhow!("move {}, {}: {error}", at + 1, moves[at].letters()))
}

fn several(path: &Path, games: usize) -> String {
    format!("`{}` has {games} games: choose one with --game N", path.display())
}

/// The games of a file, at least one; or the one of this number, from 1.
fn read(path: &Path, number: Option<usize>) -> anyhow::Result<Vec<RenjuGame>> {
    let text = input::text(path)?;
    let refused = || format!("`{}`", path.display());
    if extension(path) == "sgf" {
        let games = sgf::games(&text).with_context(refused)?;
        let numbered: Vec<_> = (1..).zip(&games).filter(|(at, _)| number.is_none_or(|number| *at == number)).collect();
        check_number(path, number, games.len())?;
        return numbered
            .into_iter()
            .map(|(at, game)| {
                let which = || if games.len() > 1 { format!("{}: game {at}", refused()) } else { refused() };
                let game = game.read().with_context(which)?;
                anyhow::ensure!(game.variations < sgf::MAX_LINES, "{}: {}", which(), sgf::SgfProblem::Lines);
                let (mut lines, header) = (game.lines(), game.header);
                Ok(RenjuGame {
                    moves: lines.remove(0),
                    variations: lines,
                    players: [header.black, header.white],
                    result: header.result.map(|result| (result, header.won_by)),
                })
            })
            .collect();
    }
    check_number(path, number, 1)?;
    Ok(vec![read_one(path, &text).with_context(refused)?])
}

fn check_number(path: &Path, number: Option<usize>, games: usize) -> anyhow::Result<()> {
    match number {
        Some(number) if number > games => {
            bail!("--game {number}: `{}` has {}", path.display(), counted(games as u64, "game"))
        }
        _ => Ok(()),
    }
}

/// The game of a file whose format holds one.
fn read_one(path: &Path, text: &str) -> anyhow::Result<RenjuGame> {
    Ok(match &*extension(path) {
        "psq" => {
            let psq::PsqGame { moves, players } = psq::read_game(text)?;
            RenjuGame { moves, players, ..RenjuGame::default() }
        }
        "txt" => {
            let moves = moves(text)?;
            anyhow::ensure!(!moves.is_empty(), "no moves: one a line expected");
            RenjuGame { moves, ..RenjuGame::default() }
        }
        "jsonl" => of_record(&Record::read(text)?)?,
        other => bail!("`.{other}` is not a format of a game; .jsonl, .sgf, .psq or .txt expected"),
    })
}

/// The moves of a game in a file whose extension names the format: the only one, or that of this number.
pub fn moves_of(path: &Path, number: Option<usize>) -> anyhow::Result<Vec<Move>> {
    let mut games = read(path, number)?;
    if games.len() > 1 {
        bail!(several(path, games.len()));
    }
    let game = games.remove(0);
    note_variations(path, &game);
    Ok(game.moves)
}

/// Says that the lines beside the main one are left out.
fn note_variations(path: &Path, game: &RenjuGame) {
    if !game.variations.is_empty() {
        let count = counted(game.variations.len() as u64, "variation");
        anstream::eprintln!("{} left out: {count} of `{}`", paint(WARN, "note:"), path.display());
    }
}

/// The moves of every game of renju in a store that can be read, or of all games in another file; those of a store that
/// cannot be read are added to what is left out.
pub fn games_of(path: &Path, left_out: &mut LeftOut) -> anyhow::Result<Vec<Vec<Move>>> {
    let mut start = [0; STORE.len()];
    let is_store = File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *STORE;
    if !is_store {
        let games = read(path, None)?;
        for game in &games {
            note_variations(path, game);
        }
        return Ok(games.into_iter().map(|game| game.moves).collect());
    }
    let (store, mut games) = (Store::read(path)?, Vec::new());
    let (runs, damaged) = store.runs()?;
    left_out.extend(damaged);
    for run in runs.into_iter().filter(|run| run.plan.game.can(Capability::GameFiles)) {
        let unreadable = store.records::<anyhow::Error>(run.id, Filter::All, |bout, text| {
            match Record::read(text).map_err(anyhow::Error::from).and_then(|record| of_record(&record)) {
                Ok(game) => games.push(game.moves),
                Err(error) => left_out.add(format!("game {} of run {}: {}", bout.slot, run.id, in_one_line(&error))),
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
    let mut game = RenjuGame { players, result: result_of(record), ..RenjuGame::default() };
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
            let lines = [std::slice::from_ref(&game.moves), &game.variations].concat();
            sgf::write_lines(&lines, &sgf::SgfHeader { black, white, result, won_by })
        }
        "psq" => psq::write(&game.moves, [&black, &white]),
        "txt" => game.moves.iter().map(|m| m.letters() + "\n").collect(),
        other => return Err(unwritten(other)),
    })
}
