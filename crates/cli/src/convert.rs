//! `agon convert`: games between Agon's records and the files of other programs.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use agon_arena::store::Filter;
use agon_arena::{Store, picture};
use agon_boards::picture::diagram_png;
use agon_catalog::{Capability, Game};
use agon_protocols::formats::opening::unfold_opening;
use agon_protocols::formats::record::of_record as tree_of_record;
use agon_protocols::formats::{
    self, Charset, Collection, FileError, FileFormat, FileRemark, GameTree, Limits, Note, point,
};
use agon_referee::record::Record;
use agon_rules::renju::Move;
use anyhow::{Context, anyhow, bail};
use clap::Args;

use crate::exit::{Exit, in_one_line};
use crate::input::extension;
use crate::left_out::LeftOut;
use crate::options::up_to;
use crate::output;
use crate::show::{WARN, counted, paint};

#[derive(Args, Debug)]
#[command(after_help = CONVERT_HELP)]
pub(crate) struct ConvertArgs {
    /// The games to read: .jsonl (a record), .sgf, .psq, .pos, .sav, .lib, .rif, .txt, .pgn, .fen or .json
    pub from: PathBuf,
    /// The file to write: .sgf, .lib, .pgn, .psq, .pos, .sav, .txt or .fen; .svg or .png draws the board
    pub to: PathBuf,
    /// Convert only the game of this number, from 1 [default: all, which .sgf, .lib, .pgn and .fen can hold]
    #[arg(long, value_name = "N", value_parser = up_to::<usize>(MAX_GAMES))]
    pub game: Option<usize>,

    /// Draw the position after move N of the main line, in an .svg or .png file [default: its end]
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,

    /// Charset of the texts that are read: gbk, big5, shift-jis, euc-kr, windows-1251 … [default: what the file names,
    /// UTF-8 if it is, or what the texts look like]
    #[arg(long, value_name = "NAME")]
    pub charset: Option<Charset>,
}

/// The most games that one file can be asked for.
pub(crate) const MAX_GAMES: u64 = 1_000_000_000;

const CONVERT_HELP: &str = "\
The extensions name the formats:
  .jsonl  records of Agon's
  .sgf    SGF FF[4], GM[4]: collections, variations, positions, all properties
  .lib    RenLib: variations, comments, texts on the board, marks
  .rif    the RIF's database (also .xml), read only
  .psq    Piskvork and Gomocup
  .pos    RenLib and Yixin
  .sav    Yixin-Board
  .pgn    tags, moves, variations, comments and signs, of any game with turns;
          White moves first
  .txt    moves: one per line (H8), h8h9i8, 1. h8 h9, of any game with turns;
          openings as offsets (0,0, 0,-1)
  .fen    positions, one per line (also .epd), of any game with turns
  .json   positions of domineering, one per line, read only
  .svg    the board with its coordinates, write only (also .png)
The games must be legal under ALPHANO's rules; a stone on a forbidden point ends
its game, and Black has lost. What the written format has no place for is named.

Examples:
  agon play renju --out game.jsonl && agon convert game.jsonl game.sgf
  agon convert study.lib study.sgf
  agon convert league.sgf third.psq --game 3
  agon convert study.lib diagram.png --ply 5";

/// The first bytes of a store, an `SQLite` database.
const STORE: &[u8; 16] = b"SQLite format 3\0";

/// The most notes that are printed.
const MAX_NOTES: usize = 20;

/// The formats that hold several games.
const COLLECTIONS: [&str; 4] = ["sgf", "lib", "pgn", "fen"];

fn endings(written: bool) -> String {
    let endings = FileFormat::ENDINGS.iter().filter(|(_, _, is_written)| *is_written || !written);
    let names: Vec<String> = endings.map(|(ending, ..)| format!(".{ending}")).collect();
    let (last, others) = names.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
    format!("{} or {last}", others.join(", "))
}

pub(crate) fn run(args: &ConvertArgs) -> anyhow::Result<Exit> {
    let ending = extension(&args.to);
    if matches!(&*ending, "svg" | "png") {
        return draw(args, ending == "png");
    }
    if args.ply.is_some() {
        bail!("--ply is for the picture of a position, an .svg or .png file");
    }
    if !FileFormat::ENDINGS.iter().any(|(known, _, written)| *known == ending && *written) {
        bail!("`{}`: cannot write `.{ending}`; {} expected", args.to.display(), endings(true));
    }
    output::check(&args.to, "the game")?;
    let holds_several = COLLECTIONS.contains(&&*ending);
    let mut collection = read(&args.from, args.game, args.charset, holds_several && args.game.is_none())?;
    if collection.games.len() > 1 && !holds_several {
        bail!("{}, and .{ending} holds one", several(&args.from, collection.games.len()));
    }
    if let Some(other) =
        collection.games.iter().find(|game| !matches!(&*ending, "fen" | "pgn") && !game.game.can(Capability::GameFiles))
    {
        return Err(not_renju(other.game)).with_context(|| format!("`{}`", args.from.display()));
    }
    let (bytes, left_out) = formats::write(&collection, &ending)
        .with_context(|| format!("`{}` cannot become `{}`", args.from.display(), args.to.display()))?;
    collection.left_out.extend(left_out);
    say_notes(&args.from, &collection.left_out);
    fs::write(&args.to, bytes).with_context(|| format!("cannot write `{}`", args.to.display()))?;
    Ok(Exit::Done)
}

/// Draws a position of the main line.
fn draw(args: &ConvertArgs, as_png: bool) -> anyhow::Result<Exit> {
    output::check(&args.to, "the picture")?;
    let collection = read(&args.from, args.game, args.charset, false)?;
    let [game] = &collection.games[..] else { bail!(several(&args.from, collection.games.len())) };
    let mut state = game.start()?;
    let nodes = game.main_line().into_iter().map(|node| &game.nodes[node]).take_while(|node| !node.is_lost);
    let moves: Vec<_> = nodes.filter_map(|node| node.made.as_ref()).collect();
    let wanted = args.ply.unwrap_or(moves.len());
    if wanted > moves.len() {
        bail!("--ply {wanted}: the main line has {}", counted(moves.len() as u64, "move"));
    }
    for made in &moves[..wanted] {
        state.answer(&made.judged)?;
    }
    let view = state.view();
    let content = if as_png {
        diagram_png(&view).context("this board is too large for a PNG file")?
    } else {
        picture::svg(&view).into_bytes()
    };
    fs::write(&args.to, content).with_context(|| format!("cannot write `{}`", args.to.display()))?;
    Ok(Exit::Done)
}

fn not_renju(game: Game) -> anyhow::Error {
    anyhow!(
        "a record of {game}, not of renju: SGF, .lib, .psq, .pos, .sav and .txt are for games of renju; .pgn is \
         for any game with turns; `agon replay --out FILE.html` writes a page"
    )
}

fn several(path: &Path, games: usize) -> String {
    format!("`{}` has {games} games: choose one with --game N", path.display())
}

/// The games of a file, at least one, played by the rules; or the one of this number, from 1. `is_any`: of several
/// games those that are refused are left out.
fn read(path: &Path, number: Option<usize>, charset: Option<Charset>, is_any: bool) -> anyhow::Result<Collection> {
    let refused = || format!("`{}`", path.display());
    let ending = extension(path);
    let format = FileFormat::by_ending(&ending)
        .ok_or_else(|| anyhow!("`.{ending}` is not a format of a game; {} expected", endings(false)))
        .with_context(refused)?;
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", refused()))?;
    let mut collection = formats::read_of_any(&bytes, format, None, charset, &Limits::FILE).with_context(refused)?;
    let count = collection.count();
    if let Some(number) = number {
        if number > count {
            bail!("--game {number}: {} has {}", refused(), counted(count as u64, "game"));
        }
        collection.games.retain(|game| game.number == number);
        collection.refused.retain(|(refused, _)| *refused == number);
    }
    let which = |number: usize| if count > 1 { format!("{}: game {number}", refused()) } else { refused() };
    // A database has games of other rules, too.
    let passes_over = is_any || format == FileFormat::Rif;
    for (number, error) in std::mem::take(&mut collection.refused) {
        if !passes_over {
            return Err(error).with_context(|| which(number));
        }
        let FileError { place, problem } = error;
        collection.left_out.push(Note::left_out(place.unwrap_or_default(), FileRemark::Game { number, problem }));
    }
    for mut game in std::mem::take(&mut collection.games) {
        let number = game.number;
        match unfold_opening(&mut game).and_then(|()| game.check()) {
            Ok(notes) => {
                collection.left_out.extend(notes);
                collection.games.push(game);
            }
            Err(FileError { place, problem }) if count > 1 && passes_over => {
                let note = Note::left_out(place.unwrap_or(game.place), FileRemark::Game { number, problem });
                collection.left_out.push(note);
            }
            Err(error) => return Err(error).with_context(|| which(number)),
        }
    }
    if collection.games.is_empty() {
        say_notes(path, &collection.left_out);
        bail!("{}: no game that the rules allow", refused());
    }
    Ok(collection)
}

/// A game in a file whose extension names the format: the only one, or that of this number.
pub(crate) fn game_in(path: &Path, number: Option<usize>) -> anyhow::Result<GameTree> {
    let mut collection = read(path, number, None, false)?;
    if collection.games.len() > 1 {
        bail!(several(path, collection.games.len()));
    }
    note_variations(path, &collection);
    Ok(collection.games.remove(0))
}

/// The rules of a game in a file, as [`game_in`] reads it.
pub(crate) fn rules_of(path: &Path, number: Option<usize>) -> anyhow::Result<Game> {
    Ok(read(path, number, None, false)?.games[0].game)
}

/// The moves of a game of renju in a file.
pub(crate) fn moves_of(path: &Path, number: Option<usize>) -> anyhow::Result<Vec<Move>> {
    moves(&game_in(path, number)?).with_context(|| format!("`{}`", path.display()))
}

/// The moves of the main line of renju, without a stone by which Black has lost.
fn moves(game: &GameTree) -> anyhow::Result<Vec<Move>> {
    if !game.game.can(Capability::GameFiles) {
        return Err(not_renju(game.game));
    }
    if game.position.is_some() {
        bail!("the game begins at a position, and moves from the empty board are needed");
    }
    let nodes = game.main_line().into_iter().map(|node| &game.nodes[node]).take_while(|node| !node.is_lost);
    Ok(nodes.filter_map(|node| point::judged(&node.made.as_ref()?.judged)).collect())
}

/// Says what is left out, and what else one should know: each thing once, with its first line and how often it is
/// found.
fn say_notes(path: &Path, notes: &[Note]) {
    let mut seen: Vec<(&Note, u64)> = Vec::new();
    let mut properties: Vec<&str> = Vec::new();
    for note in notes {
        if let Some(name) = note.property.as_deref() {
            if !properties.contains(&name) {
                properties.push(name);
            }
            continue;
        }
        match seen.iter_mut().find(|(known, _)| known.text == note.text) {
            Some((_, count)) => *count += 1,
            None => seen.push((note, 1)),
        }
    }
    for (Note { place, text, is_left_out, .. }, count) in seen.iter().take(MAX_NOTES) {
        let what = if *is_left_out { "left out: " } else { "" };
        let more = if *count > 1 { format!(", and {} more", count - 1) } else { String::new() };
        anstream::eprintln!("{} `{}`, {place}: {what}{text}{more}", paint(WARN, "note:"), path.display());
    }
    if !properties.is_empty() {
        let what = if properties.len() == 1 { "property" } else { "properties" };
        let names = properties.join(", ");
        anstream::eprintln!("{} `{}`: left out: {what} {names}", paint(WARN, "note:"), path.display());
    }
    if seen.len() > MAX_NOTES {
        let more = counted((seen.len() - MAX_NOTES) as u64, "other thing");
        anstream::eprintln!("{} `{}`: left out: {more}", paint(WARN, "note:"), path.display());
    }
}

/// Says that the lines beside the main one are left out.
fn note_variations(path: &Path, collection: &Collection) {
    for game in &collection.games {
        let variations = game.lines().len() - 1;
        if variations > 0 {
            let count = counted(variations as u64, "variation");
            anstream::eprintln!("{} `{}`: left out: {count}", paint(WARN, "note:"), path.display());
        }
    }
}

/// The moves of every game of renju in a store that can be read, or of all games in another file; those of a store that
/// cannot be read are added to what is left out.
pub(crate) fn games_of(path: &Path, left_out: &mut LeftOut) -> anyhow::Result<Vec<Vec<Move>>> {
    let mut start = [0; STORE.len()];
    let is_store = File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *STORE;
    if !is_store {
        let collection = read(path, None, None, false)?;
        note_variations(path, &collection);
        return collection.games.iter().map(moves).collect();
    }
    let (store, mut games) = (Store::read(path)?, Vec::new());
    let (runs, damaged) = store.runs()?;
    left_out.extend(damaged);
    for run in runs.into_iter().filter(|run| run.plan.game.can(Capability::GameFiles)) {
        let unreadable = store.records::<anyhow::Error>(run.id, Filter::All, |bout, text| {
            let game = Record::read(text).map_err(anyhow::Error::from).and_then(|record| of_record(&record));
            match game.and_then(|game| moves(&game)) {
                Ok(moves) => games.push(moves),
                Err(error) => left_out.add(format!("game {} of run {}: {}", bout.slot, run.id, in_one_line(&error))),
            }
            Ok(())
        })?;
        left_out.extend(unreadable);
    }
    Ok(games)
}

/// The game of a record, the moves of its opening first.
pub(crate) fn of_record(record: &Record) -> anyhow::Result<GameTree> {
    let mut game = tree_of_record(record)?;
    if !game.game.can(Capability::GameFiles) {
        return Err(not_renju(game.game));
    }
    unfold_opening(&mut game)?;
    Ok(game)
}

/// A game in a format of one game.
pub(crate) fn write(ending: &str, game: GameTree) -> anyhow::Result<Vec<u8>> {
    Ok(formats::write(&Collection::from_games(vec![game]), ending)?.0)
}
