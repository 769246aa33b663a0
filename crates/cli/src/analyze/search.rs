//! The best lines of a position, as a search finds them.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write as _};
use std::time::Duration;

use agon_analysis::ending::ProvedEnding;
use agon_analysis::lines;
use agon_catalog::TextMove;
use agon_game::{GameState, Side};
use agon_search::{Info, SearchLimits, Stop, Task};
use anyhow::Context;
use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType, DisableLineWrap, EnableLineWrap};

use super::args::AnalyzeArgs;
use crate::exit::Exit;
use crate::options::Format;
use crate::show::{self, FAINT, STRONG, paint};
use crate::{draw, output, signals};

/// Default thinking time.
const USUAL: Duration = Duration::from_secs(5);

/// Moves of a line that are printed.
const MOVES: usize = 10;

/// A search of a position, shown as it goes: live on a terminal, once in a pipe, a line of JSON for each finding.
pub(super) struct LiveAnalysis {
    state: Box<dyn GameState>,
    /// The limits of all searches.
    pub limits: SearchLimits,
    pub stop: Stop,
    format: Format,
    lines: u16,
    memory: Option<u64>,
    threads: u16,
    screen: Screen,
    /// True once a best line was found.
    searched: bool,
    /// Proved bounds of the position, in one line.
    proved: Option<String>,
    written: io::Result<()>,
}

impl LiveAnalysis {
    /// Creates an empty analysis. From now on Ctrl-C stops it.
    pub(super) fn new(args: &AnalyzeArgs, state: Box<dyn GameState>) -> anyhow::Result<Self> {
        let stop = signals::stop()?;
        let time = args.time.map(Duration::from);
        let open = time.is_none() && args.nodes.is_none() && args.depth.is_none();
        let time = time.or_else(|| open.then_some(USUAL));
        let limits = SearchLimits { time, soft: None, nodes: args.nodes, depth: args.depth };
        let format = args.output.format;
        let terminal = std::io::stdout().is_terminal() && format == Format::Text;
        let board = heading(state.as_ref());
        let screen = Screen { board, ranks: BTreeMap::new(), whole: true, drawn: 0, live: terminal };
        let (lines, memory, threads) = (args.lines, args.hash, args.threads);
        Ok(Self {
            state,
            limits,
            stop,
            format,
            lines,
            memory,
            threads,
            screen,
            searched: false,
            proved: None,
            written: Ok(()),
        })
    }

    /// The memory that the engine may take for tables, in bytes, if the arguments say it.
    pub(super) fn memory(&self) -> anyhow::Result<Option<usize>> {
        let bytes = |memory: u64| usize::try_from(memory << 20).ok().context("more memory than can be addressed");
        self.memory.map(bytes).transpose()
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.into()
    }

    /// Returns the engine's task.
    pub(super) fn task(&self) -> Task {
        Task { limits: self.limits, multipv: usize::from(self.lines), stop: self.stop.clone(), ..Task::default() }
    }

    /// Shows the proved bounds of an ending: as JSON immediately, otherwise below the lines.
    pub(super) fn prove(&mut self, proved: Option<ProvedEnding>) {
        let Some(proved) = proved else { return };
        match self.format {
            Format::Json => self.written = writeln!(anstream::stdout(), "{}", output::json(proved.json())),
            Format::Text => self.proved = proved.text(),
        }
    }

    pub(super) fn hear(&mut self, info: &Info<TextMove>) {
        match self.format {
            Format::Json => {
                if let Err(error) = writeln!(anstream::stdout(), "{}", output::json(lines::line(info))) {
                    // The reader has closed the pipe.
                    self.stop.raise();
                    self.written = Err(error);
                }
            }
            Format::Text => self.screen.hear(info, turn(self.state.as_ref())),
        }
        if info.multipv == 1 {
            self.searched = true;
        }
    }

    /// Shows the end: all lines, and the best move. `unsearched` says why there are none.
    pub(super) fn finish(&mut self, best: Option<TextMove>, unsearched: Option<&str>) -> anyhow::Result<Exit> {
        std::mem::replace(&mut self.written, Ok(()))?;
        let mut out = anstream::stdout();
        match (self.format, best) {
            (Format::Json, best) => writeln!(out, "{}", output::json(lines::best(best.as_ref())))?,
            (Format::Text, Some(best)) => {
                self.screen.live = false;
                write!(out, "{}", self.screen.text(turn(self.state.as_ref())))?;
                let TextMove { judged, letters } = best;
                let mut text = format!("best   {}", paint(STRONG, &letters));
                if letters != judged {
                    text += &format!("   MOVE {judged}");
                }
                if !self.searched {
                    let why = unsearched.unwrap_or("not searched: too little time or nodes for one depth");
                    text += &paint(FAINT, format!("   {why}"));
                }
                writeln!(out, "{text}")?;
                if let Some(proved) = &self.proved {
                    writeln!(out, "{}", paint(STRONG, proved))?;
                }
            }
            (Format::Text, None) => {
                let reason = self.state.ending().map_or_else(String::new, |ending| ending.reason.to_string());
                writeln!(out, "{}the game is over: {reason}", self.screen.board)?;
            }
        }
        Ok(if self.stop.is_raised() { Exit::Stopped } else { Exit::Done })
    }
}

/// Returns the side to move; at the end of a game, the side that would be.
fn turn(state: &dyn GameState) -> Side {
    state.turn().unwrap_or(Side::BOTH[state.ply() as usize % 2])
}

fn heading(state: &dyn GameState) -> String {
    let turn = turn(state);
    let mover = paint(show::side(turn), state.seats()[turn.index()]);
    format!("{}\n{}{mover} to move\n", draw::position(state), draw::board(&state.view()))
}

/// Contents of the terminal.
struct Screen {
    board: String,
    /// A row for each line by its rank.
    ranks: BTreeMap<usize, (String, String)>,
    /// True if these are all lines of one report.
    whole: bool,
    drawn: u16,
    /// True while the search is running.
    live: bool,
}

impl Screen {
    fn hear(&mut self, info: &Info<TextMove>, turn: Side) {
        // The best line comes last; then a new report begins.
        if std::mem::replace(&mut self.whole, info.multipv == 1) {
            self.ranks.clear();
        }
        let mut row = format!("{:>2}  {:>12}  ", info.multipv, lines::Worth::from(info.score).to_string());
        let moves: Vec<String> = info.pv.iter().map(|m| m.letters.clone()).collect();
        row += &joined(&moves, columns().saturating_sub(row.chars().count()));
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
        if self.live && info.multipv == 1 {
            let text = self.text(turn);
            // Drawing must never fail a search: a closed pipe only ends the show.
            let _ = execute!(std::io::stdout(), DisableLineWrap);
            let _ = write!(anstream::stdout(), "{text}");
            let _ = execute!(std::io::stdout(), EnableLineWrap);
            self.drawn = text.lines().count() as u16;
        }
    }

    /// Returns the board and the lines, to replace the previous drawing.
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

/// Returns the width of the terminal; unlimited in a pipe.
fn columns() -> usize {
    show::columns().unwrap_or(usize::MAX)
}

/// The moves that fit in `columns` characters, at least one and at most [`MOVES`].
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
