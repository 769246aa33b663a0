//! The best lines of a position, as a search finds them.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write as _};
use std::time::Duration;

use agon_game::{Show, Side};
use agon_search::{Engine, Info, Score, SearchLimits, Stop, Task};
use anyhow::Context;
use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType, DisableLineWrap, EnableLineWrap};
use serde_json::json;

use super::args::AnalyzeArgs;
use crate::exit::Exit;
use crate::options::Format;
use crate::show::{self, FAINT, STRONG, paint};
use crate::{draw, signals};

/// How long to think when nothing says how long.
const USUAL: Duration = Duration::from_secs(5);

/// Moves of a line that are printed.
const MOVES: usize = 10;

/// Asks the engine and shows what it finds: live on a terminal, once in a pipe, a line of JSON for each finding.
pub fn run<P: Show>(args: &AnalyzeArgs, position: &P, engine: &mut dyn Engine<P>) -> anyhow::Result<Exit> {
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    if let Some(memory) = args.hash {
        let bytes = usize::try_from(memory << 20).ok().context("more memory than can be addressed")?;
        engine.set_memory(bytes);
    }
    engine.set_threads(usize::from(args.threads));
    let time = args.time.map(Duration::from);
    let open = time.is_none() && args.nodes.is_none() && args.depth.is_none();
    let limits =
        SearchLimits { time: time.or_else(|| open.then_some(USUAL)), soft: None, nodes: args.nodes, depth: args.depth };
    let task = Task { limits, multipv: usize::from(args.lines), stop: stop.clone(), ..Task::default() };

    let terminal = std::io::stdout().is_terminal() && args.output.format == Format::Text;
    let mut screen = Screen { board: heading(position), ranks: BTreeMap::new(), drawn: 0, terminal, live: terminal };
    let mut out = anstream::stdout();
    let mut written = Ok(());
    let best = engine.search(position, &task, &mut |info| match args.output.format {
        Format::Json => {
            if let Err(error) = writeln!(out, "{}", as_json(info)) {
                // Nobody listens any more.
                stop.raise();
                written = Err(error);
            }
        }
        Format::Text => screen.hear(info, position.turn()),
    });
    written?;
    match (args.output.format, best) {
        (Format::Json, best) => writeln!(out, "{}", json!({ "best": best.map(|m| m.to_string()) }))?,
        (Format::Text, Some(best)) => {
            screen.live = false;
            write!(out, "{}", screen.text(position.turn()))?;
            writeln!(out, "best   {}", paint(STRONG, best))?;
        }
        (Format::Text, None) => {
            let reason = position.end_reason().unwrap_or_default();
            writeln!(out, "{}the game is over: {reason}", screen.board)?;
        }
    }
    Ok(if stop.is_raised() { Exit::Stopped } else { Exit::Done })
}

fn heading<P: Show>(position: &P) -> String {
    let turn = position.turn();
    let mover = paint(show::side(turn), P::SEATS[turn.index()]);
    format!("{position}\n{}{mover} to move\n", draw::board(&position.view()))
}

/// What is on the terminal.
struct Screen {
    board: String,
    /// A row for each line by its rank.
    ranks: BTreeMap<usize, (String, String)>,
    drawn: u16,
    /// Whether there is a terminal to draw on.
    terminal: bool,
    /// Whether it is still being thought.
    live: bool,
}

impl Screen {
    fn hear<M: std::fmt::Display>(&mut self, info: &Info<M>, turn: Side) {
        let mut row = format!("{:>2}  {:>12}  ", info.multipv, worth(info.score));
        let moves: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
        row += &joined(&moves, self.columns().saturating_sub(row.chars().count()));
        let speed = (info.nodes as f64 / info.elapsed.as_secs_f64().max(1e-6)) as u64;
        let state = format!(
            "depth {}/{}   {} nodes in {}, {} a second",
            info.depth,
            info.seldepth,
            show::count(info.nodes),
            show::time(info.elapsed),
            show::count(speed)
        );
        self.ranks.insert(info.multipv, (row, state));
        // The best line comes last.
        if self.live && info.multipv == 1 {
            let text = self.text(turn);
            // Drawing must never fail a search: a closed pipe only ends the show.
            let _ = execute!(std::io::stdout(), DisableLineWrap);
            let _ = write!(anstream::stdout(), "{text}");
            let _ = execute!(std::io::stdout(), EnableLineWrap);
            self.drawn = text.lines().count() as u16;
        }
    }

    /// How many characters a line of the terminal holds; a pipe holds any.
    fn columns(&self) -> usize {
        let size = if self.terminal { crossterm::terminal::size().ok() } else { None };
        size.map_or(usize::MAX, |(columns, _)| columns.into())
    }

    /// The board and the lines, in place of what was drawn before.
    fn text(&mut self, turn: Side) -> String {
        if self.drawn > 0 {
            let _ = execute!(std::io::stdout(), MoveToPreviousLine(self.drawn), Clear(ClearType::FromCursorDown));
            self.drawn = 0;
        }
        let mut text = self.board.clone();
        for (rank, (row, _)) in &self.ranks {
            text += &if *rank == 1 { paint(show::side(turn), row) } else { row.clone() };
            text.push('\n');
        }
        if let Some((_, state)) = self.ranks.get(&1) {
            text += &format!("{}\n", paint(FAINT, state));
        }
        text
    }
}

/// As many moves as fit in so many characters, but no more than [`MOVES`]; one at least.
fn joined(moves: &[String], columns: usize) -> String {
    const MORE: &str = ", …";
    let mut text = moves.first().cloned().unwrap_or_default();
    for (i, m) in moves.iter().enumerate().skip(1) {
        let rest = if i + 1 < moves.len() { MORE.chars().count() } else { 0 };
        if i >= MOVES || text.chars().count() + 2 + m.len() + rest > columns {
            return text + MORE;
        }
        text = format!("{text}, {m}");
    }
    text
}

/// `+1.25`, `wins in 7`.
fn worth(value: Score) -> String {
    match value {
        Score::Centi(value) => show::signed(f64::from(value) / 100.0, 2),
        Score::Win(plies) => format!("wins in {plies}"),
        Score::Loss(plies) => format!("loses in {plies}"),
    }
}

fn as_json<M: std::fmt::Display>(info: &Info<M>) -> serde_json::Value {
    let (value, win, loss) = match info.score {
        Score::Centi(value) => (Some(f64::from(value) / 100.0), None, None),
        Score::Win(plies) => (None, Some(plies), None),
        Score::Loss(plies) => (None, None, Some(plies)),
    };
    let moves: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
    json!({
        "rank": info.multipv, "depth": info.depth, "selective_depth": info.seldepth, "value": value,
        "wins_in": win, "loses_in": loss, "nodes": info.nodes, "ms": info.elapsed.as_secs_f64() * 1000.0,
        "moves": moves,
    })
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn lines_end_with_a_whole_move() {
        let check = |moves: &[&str], columns: usize, expected: &str| {
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            assert_eq!(joined(&moves, columns), expected, "{moves:?} in {columns}");
        };
        check(&[], 10, "");
        check(&["1 1 2 2"], 3, "1 1 2 2");
        check(&["ab", "cd", "ef"], 10, "ab, cd, ef");
        check(&["ab", "cd", "ef"], 9, "ab, cd, …");
        check(&["ab", "cd", "ef"], 8, "ab, …");
        check(&["a"; 11], usize::MAX, "a, a, a, a, a, a, a, a, a, a, …");
    }
}
