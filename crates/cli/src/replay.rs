//! `agon replay`: verifies a record by the rules and shows its game.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use agon_arena::picture;
use agon_arena::transcript::by_own_names;
use agon_boards::picture::diagram_png;
use agon_catalog::{Game, Setup};
use agon_game::public::HIDDEN;
use agon_game::{GameState, Interaction, Public, Side};
use agon_referee::bout::Played;
use agon_referee::record::{Record, RecordError};
use agon_referee::replay::{Proof, begin, examine};
use agon_referee::signing::PublicKey;
use agon_referee::text::line;
use anyhow::{Context, bail};
use clap::Args;
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use serde_json::json;

use crate::ask::SeatName;
use crate::exit::Exit;
use crate::failure::Extent;
use crate::options::{self, Format, OutputArgs, ShowHow};
use crate::recorded::up_to;
use crate::show::{self, paint};
use crate::site_rules::ServerArgs;
use crate::stored_game::StoredGame;
use crate::turn::{ends_turn, messages, turn_line};
use crate::{completion, draw, failure, input, output, page, result};

const REPLAY_HELP: &str = "\
Keys on a terminal: right or space for the next move, left for the one before,
Home and End for the ends, q to quit.

The rules verify the moves and everything that follows from them. Names, times
and other data are covered by a seal, which anyone can recompute after a change.
Only a signature (--sign of `agon play` and of series) proves who wrote a record
and that it is unchanged.

Exit code 1: the record breaks the rules or the protocol, its seal does not
match, or it is not signed by the key of --signed-by.

Examples:
  agon replay game.jsonl
  agon replay --db bots.db --slot 3
  agon replay game.jsonl --out end.svg --out game.html
  agon replay game.jsonl --signed-by host.key.pub --format json";

#[derive(Args, Debug)]
#[command(
    after_help = REPLAY_HELP
)]
pub(crate) struct ReplayArgs {
    /// The record
    #[arg(required_unless_present = "slot", conflicts_with = "slot", add = completion::record())]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub stored: StoredGame,
    /// A file to write: .svg and .png draw the board, .html is a page to step through the game; may be given several
    /// times
    #[arg(long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// The picture
    #[arg(long, value_name = "FILE", hide = true)]
    pub picture: Option<PathBuf>,
    /// The page
    #[arg(long, value_name = "FILE", hide = true)]
    pub page: Option<PathBuf>,
    /// Draw the position after move N, counting those of an opening, in an .svg or .png file or, without --out, in the
    /// terminal [default: the end of the game]
    #[arg(long, value_name = "N")]
    pub ply: Option<u32>,
    /// Show a game with hidden information as this seat saw it [default: all of it]
    #[arg(long, value_name = "SEAT")]
    pub seat: Option<SeatName>,
    /// How to show the game [default: step by step on a terminal, one line per move in a pipe]
    #[arg(long, value_name = "HOW")]
    pub show: Option<ShowHow>,
    #[command(flatten)]
    pub server: ServerArgs,

    /// Refuse the record unless this key has signed it: `ed25519:…`, or a file with the key
    #[arg(long, value_name = "KEY")]
    pub signed_by: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// A file made of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Made {
    /// An SVG of a position.
    Picture,
    /// A PNG of a position.
    Diagram,
    /// An HTML page.
    Page,
}

/// The files to write, after a check that they can be written.
fn made(args: &ReplayArgs) -> anyhow::Result<Vec<(&Path, Made)>> {
    let mut made: Vec<(&Path, Made)> = Vec::new();
    for path in &args.out {
        let kind = match &*input::extension(path) {
            "svg" => Made::Picture,
            "png" => Made::Diagram,
            "html" | "htm" => Made::Page,
            _ => bail!(
                "--out `{}`: a file that ends in .svg or .png (the board) or .html (a page) expected",
                path.display()
            ),
        };
        made.push((path, kind));
    }
    made.extend(args.picture.as_deref().map(|path| (path, Made::Picture)));
    made.extend(args.page.as_deref().map(|path| (path, Made::Page)));
    for (path, kind) in &made {
        output::check(path, if *kind == Made::Page { "the page" } else { "the picture" })?;
    }
    let drawn = made.iter().any(|&(_, kind)| kind != Made::Page);
    let shown = made.is_empty() && args.show.is_none() && args.output.format == Format::Text;
    if args.ply.is_some() && !drawn && !shown {
        bail!("--ply is for the picture of a position, --out FILE.svg, or alone for its board here");
    }
    Ok(made)
}

pub(crate) fn run(args: &ReplayArgs) -> anyhow::Result<Exit> {
    let how = options::show_how(args.show, args.output.format, ShowHow::Line)?;
    let made = made(args)?;
    let expected = args.signed_by.as_deref().map(PublicKey::find).transpose().context("--signed-by")?;
    let source = args.stored.source(args.file.as_deref())?;
    let refuse = |error: &dyn std::error::Error| refuse(args, &source.name, error);
    let text = &source.text;
    let record = match Record::read(text) {
        Ok(record) => record,
        Err(error @ (RecordError::Line { line: 1, .. } | RecordError::Version { .. })) => {
            return Err(error).with_context(|| format!("`{}` is not a record of a game", source.name));
        }
        Err(error) => return refuse(&error),
    };
    if let Some(Err(error)) = expected.map(|key| record.check_signer(key)) {
        return refuse(&error);
    }
    let header = &record.header;
    let game = Game::recorded(&header.game).with_context(|| format!("`{}`", source.name))?;
    let setup = Setup { seed: header.seed, parameters: header.parameters.clone() };
    let mut start = match game.initial_state(&setup) {
        Ok(start) => start,
        Err(error) => return refuse(&error),
    };
    let mut state = start.boxed_clone();
    let Proof { mut moves, proved, sealed } = match examine(&record, state.as_mut()) {
        Ok(proof) => proof,
        Err(error) => return refuse(&error),
    };
    for played in &mut moves {
        let agent = &header.agents[played.side.index()];
        played.messages = played.messages.as_deref().map(|said| by_own_names(said, agent));
    }
    let signer = record.signature.map(|signed| signed.key);
    begin(&record, start.as_mut());
    let mut open = [true; 2];
    if let Some(side) = args.seat.map(Side::from) {
        if !start.has_secrets() {
            bail!("--seat: both sides of {} see everything", game.title());
        }
        open = Side::BOTH.map(|other| other == side);
        let played: Vec<String> = moves.iter().map(|played| played.arguments.clone()).collect();
        start = Box::new(Public::seen_by(start.as_ref(), side, played));
        for played in moves.iter_mut().filter(|played| played.side != side) {
            (played.messages, played.evaluation) = (None, None);
            HIDDEN.clone_into(&mut played.arguments);
        }
    }
    for (path, made) in &made {
        let position = || position_after(start.as_ref(), &moves, args.ply);
        let content = match made {
            Made::Picture => picture::svg(&position()?.view()).into_bytes(),
            Made::Diagram => diagram_png(&position()?.view()).context("this board is too large for a PNG file")?,
            Made::Page => page::of_game(&record, start.as_ref(), &moves, open)?.into_bytes(),
        };
        fs::write(path, content).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let mut out = anstream::stdout();
    if args.output.format == Format::Json {
        let mut result = result::json(&record, args.file.as_deref());
        result["proved"] = true.into();
        result["follows"] = json!(proved);
        result["sealed"] = json!(sealed);
        result["signed_by"] = json!(signer.map(|key| key.to_string()));
        writeln!(out, "{result}")?;
        return Ok(Exit::Done);
    }
    let terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    match (args.show, args.ply) {
        (None, _) if !made.is_empty() => {}
        (None, ply @ Some(_)) => {
            write!(out, "{}", draw::board(&position_after(start.as_ref(), &moves, ply)?.view()))?;
        }
        (None, None) if terminal => {
            if step(&record, start.as_ref(), &moves)? == Exit::Stopped {
                return Ok(Exit::Stopped);
            }
        }
        _ => print(start.as_ref(), &moves, how)?,
    }
    write!(out, "{}", result::text(&record, state.as_ref()))?;
    if !record.is_clean() && args.seat.is_none() {
        write!(out, "{}", failure::explain(&record, state.as_ref(), Extent::Whole))?;
    }
    write!(out, "{}", extent(&proved, &sealed, signer))?;
    for (path, kind) in &made {
        let what = if *kind == Made::Page { "page" } else { "picture" };
        writeln!(out, "the {what} is `{}`", path.display())?;
    }
    Ok(Exit::Done)
}

/// What is proved, what is only sealed, and who signed it.
fn extent(proved: &[&str], sealed: &[&str], signer: Option<PublicKey>) -> String {
    let signed = match signer {
        Some(key) => format!("{}: by {key}", paint(show::GOOD, "signed")),
        None => format!("{}: a sealed part can be changed and sealed again", paint(show::WARN, "unsigned")),
    };
    format!(
        "{}: every line follows from the rules, and the seal fits\nby the rules: {}\nsealed only: {}\n{signed}\n",
        paint(show::GOOD, "proved"),
        proved.join(", "),
        sealed.join(", "),
    )
}

fn refuse(args: &ReplayArgs, file: &str, error: &dyn std::error::Error) -> anyhow::Result<Exit> {
    match args.output.format {
        Format::Json => {
            let line = json!({ "record": file, "proved": false, "error": error.to_string() });
            writeln!(anstream::stdout(), "{}", crate::output::json(line))?;
        }
        Format::Text => anstream::eprintln!("{} {}", paint(show::ERROR, "refused:"), line(&format!("{file}: {error}"))),
    }
    Ok(Exit::No)
}

/// The position after the move of this number, or else at the end.
fn position_after(start: &dyn GameState, moves: &[Played], ply: Option<u32>) -> anyhow::Result<Box<dyn GameState>> {
    let mut state = start.boxed_clone();
    for played in up_to(moves, ply, start.ply())? {
        state.answer(&played.arguments)?;
    }
    Ok(state)
}

/// The whole game, one after the other.
fn print(start: &dyn GameState, moves: &[Played], how: ShowHow) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let mut state = start.boxed_clone();
    if how == ShowHow::Board {
        write!(out, "{}", draw::board(&state.view()))?;
    }
    let mut turn = Vec::new();
    for played in moves {
        state.answer(&played.arguments)?;
        turn.push(played.clone());
        if !ends_turn(state.as_ref(), played.side) {
            continue;
        }
        if how != ShowHow::None {
            writeln!(out, "{}", turn_line(state.as_ref(), &turn))?;
            for line in messages(&turn, usize::MAX).into_iter().chain(informed(state.as_ref())) {
                writeln!(out, "{line}")?;
            }
        }
        turn.clear();
        if how == ShowHow::Board {
            write!(out, "{}", draw::board(&state.view()))?;
        }
    }
    Ok(())
}

/// INFO lines after the last move.
fn informed(state: &dyn GameState) -> Vec<String> {
    let [first, second] = Side::BOTH.map(|side| state.news(side));
    let both = first.iter().filter(|text| second.contains(text)).map(|text| ("both", text));
    let to_first = first.iter().filter(|text| !second.contains(text)).map(|text| ("first", text));
    let to_second = second.iter().filter(|text| !first.contains(text)).map(|text| ("second", text));
    let shown = |(whom, text)| format!("       {}", paint(show::FAINT, line(&format!("INFO {whom}: {text}"))));
    both.chain(to_first).chain(to_second).map(shown).collect()
}

/// Lines of a frame beside the board: the names, the turn, the result and the keys. The cursor stays in the last.
const FRAME: usize = 3;

/// Lines of the error stream of a move that are shown below it.
const MAX_MESSAGE_LINES: usize = 5;

/// The game at the user's pace, until they quit it or stop the program.
fn step(record: &Record, start: &dyn GameState, moves: &[Played]) -> anyhow::Result<Exit> {
    let mut positions = vec![start.boxed_clone()];
    let mut turns: Vec<&[Played]> = Vec::new();
    let mut next = start.boxed_clone();
    // Moves are numbered as in their lines, turns of many actions by themselves.
    let opening = if start.interaction() == Interaction::Session { start.ply() as usize } else { 0 };
    let mut begun = 0;
    for (at, played) in moves.iter().enumerate() {
        next.answer(&played.arguments)?;
        if ends_turn(next.as_ref(), played.side) || at + 1 == moves.len() {
            positions.push(next.boxed_clone());
            turns.push(&moves[begun..=at]);
            begun = at + 1;
        }
    }
    // The lines of error streams keep their place, so that the board does not move.
    let said = turns.iter().map(|turn| messages(turn, MAX_MESSAGE_LINES).len()).max().unwrap_or(0);
    enable_raw_mode()?;
    let _restore = Restore;
    // Straight to the terminal: without colour, `out` would drop cursor movements too.
    let (mut out, mut terminal) = (anstream::stdout(), std::io::stdout());
    execute!(terminal, EnterAlternateScreen, Hide)?;
    let mut at = 0;
    loop {
        let state = positions[at].as_ref();
        let seats = state.seats();
        let names: Vec<String> = record
            .header
            .agents
            .iter()
            .zip(seats)
            .map(|(agent, seat)| format!("{seat} {}", line(agent.shown())))
            .collect();
        let mut text = format!(
            "{}\n{}",
            paint(show::STRONG, names.join(" – ")),
            draw::board_within(&state.view(), draw::room(FRAME + said))
        );
        match at.checked_sub(1).and_then(|before| Some((turns[before], turns[before].last()?))) {
            Some((turn, last)) => {
                let clocks = last.clocks.map(|clock| format!("{:.3} s", clock.as_secs_f64()));
                text += &format!("{}   clocks {} {}\n", turn_line(state, turn), clocks[0], clocks[1]);
                for line in messages(turn, MAX_MESSAGE_LINES) {
                    text += &line;
                    text.push('\n');
                }
            }
            None => text += "the start\n",
        }
        if at + 1 == positions.len() {
            text += &format!("{}: {}\n", record.result.winner, line(&record.result.reason.text));
        }
        let [number, last] = [at, turns.len()].map(|turns| opening + turns);
        text += &paint(show::FAINT, format!("{number}/{last}   → next   ← back   Home, End   q quit"));
        execute!(terminal, MoveTo(0, 0), Clear(ClearType::All))?;
        // In raw mode a newline does not return the carriage.
        write!(out, "{}", text.replace('\n', "\r\n"))?;
        out.flush()?;
        let Event::Key(key) = read()? else { continue };
        if key.kind != KeyEventKind::Press {
            continue;
        }
        let last = positions.len() - 1;
        match key.code {
            KeyCode::Right | KeyCode::Char(' ' | 'l') | KeyCode::Enter | KeyCode::Down => at = (at + 1).min(last),
            KeyCode::Left | KeyCode::Char('h') | KeyCode::Backspace | KeyCode::Up => at = at.saturating_sub(1),
            KeyCode::PageDown => at = (at + 10).min(last),
            KeyCode::PageUp => at = at.saturating_sub(10),
            KeyCode::Home | KeyCode::Char('g') => at = 0,
            KeyCode::End | KeyCode::Char('G') => at = last,
            KeyCode::Esc | KeyCode::Char('q') => return Ok(Exit::Done),
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(Exit::Stopped),
            _ => {}
        }
    }
}

/// Restores the terminal when dropped.
struct Restore;

impl Drop for Restore {
    fn drop(&mut self) {
        let _ = execute!(std::io::stdout(), Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}
