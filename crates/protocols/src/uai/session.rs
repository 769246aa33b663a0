//! Our engine, as an Ataxx program wants it.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use agon_engines::bacteria::bench::{DEPTH, POSITIONS};
use agon_game::{Position, Side};
use agon_rules::bacteria::board::{CELLS, WIDTH, bit};
use agon_rules::bacteria::{Bacteria, FenError, Move};
use agon_search::{Engine, Info, Score, Stop, Task};

use super::command::{Go, UaiCommand};
use super::{bench, notation};
use crate::search_thread::max_table_bytes;
use crate::{ConversationError, SearchThread, SharedWriter, line};

struct Spin {
    name: &'static str,
    default: usize,
    least: usize,
    most: usize,
}

/// The options. `Hash` is in MiB. `MoveOverhead` is the time lost between the engine and the interface's clock at every
/// move, in milliseconds.
fn spins() -> [Spin; 4] {
    [
        Spin { name: "Hash", default: HASH_MB, least: 1, most: (max_table_bytes() >> 20).max(HASH_MB) },
        Spin { name: "Threads", default: THREADS, least: 1, most: 256 },
        Spin { name: "MultiPV", default: LINES, least: 1, most: 256 },
        Spin { name: "MoveOverhead", default: OVERHEAD_MS, least: 0, most: 10_000 },
    ]
}

const HASH_MB: usize = 64;
const THREADS: usize = 1;
const LINES: usize = 1;
const OVERHEAD_MS: usize = 10;

/// Speaks UAI for an engine, under the given name, until `quit` or the end of the input. Unknown commands are skipped,
/// with an `info string` that says so.
///
/// At the end of the input, a search that has limits is finished first; so a conversation can be piped in. A search
/// ends at the first line that cannot be written any more, also while the input lasts.
///
/// # Errors
/// [`ConversationError`] when a stream fails, and when the engine panicked.
pub fn serve(
    engine: Box<dyn Engine<Bacteria>>,
    name: &str,
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
) -> Result<(), ConversationError> {
    let mut session = UaiSession {
        name,
        thread: SearchThread::new(engine),
        writer: SharedWriter::new(output),
        position: Ok(Bacteria::start()),
        lines: LINES,
        overhead: Duration::from_millis(OVERHEAD_MS as u64),
        endless: false,
    };
    session.thread.then(|engine| {
        engine.set_memory(HASH_MB << 20);
        engine.set_threads(THREADS);
    });
    while let Some(line) = line::read(&mut input)? {
        match line.parse() {
            Ok(UaiCommand::Quit) => {
                session.thread.stop();
                break;
            }
            Ok(command) => session.obey(command)?,
            Err(error) => {
                if matches!(line.split_ascii_whitespace().next(), Some("position" | "moves")) {
                    session.position = Err(error.to_string());
                }
                session.remark(error)?;
            }
        }
    }
    if session.endless {
        session.thread.stop();
    }
    Ok(session.thread.finish()?)
}

struct UaiSession<'a> {
    name: &'a str,
    thread: SearchThread<Bacteria>,
    writer: SharedWriter,
    /// The reason why there is none, if the last one was refused: the interface's intention is then unknown, and a move
    /// in an older position would answer a different question.
    position: Result<Bacteria, String>,
    /// Number of best lines to report.
    lines: usize,
    overhead: Duration,
    /// True if only `stop` ends the last search.
    endless: bool,
}

impl UaiSession<'_> {
    fn obey(&mut self, command: UaiCommand) -> io::Result<()> {
        match command {
            UaiCommand::Uai => return self.introduce(),
            // While it thinks, the answer is immediate; otherwise it comes after everything requested before.
            UaiCommand::IsReady if self.thread.is_searching() => return self.writer.write_line("readyok"),
            UaiCommand::IsReady => {
                let writer = self.writer.clone();
                self.thread.then(move |_| quietly(writer.write_line("readyok")));
            }
            UaiCommand::NewGame => {
                self.position = Ok(Bacteria::start());
                self.thread.then(|engine| engine.new_game());
            }
            UaiCommand::SetOption { name, value } => return self.set(&name, &value),
            UaiCommand::Position { fen, moves } => return self.set_position(fen.as_deref(), &moves),
            UaiCommand::Go(_) | UaiCommand::Perft(_) | UaiCommand::Bench(_) if self.thread.is_searching() => {
                return self.remark("still thinking; say stop first");
            }
            UaiCommand::Bench(depth) => self.bench(depth.unwrap_or(DEPTH)),
            UaiCommand::Stop => self.thread.stop(),
            UaiCommand::Moves(_) | UaiCommand::Go(_) | UaiCommand::Perft(_) | UaiCommand::Print => {
                let position = match &self.position {
                    Ok(position) => position.clone(),
                    Err(problem) => return self.without_position(&command, problem),
                };
                match command {
                    UaiCommand::Moves(moves) => return self.play(position, &moves),
                    UaiCommand::Go(go) => return self.go(position, &go),
                    UaiCommand::Perft(depth) => self.perft(position, depth),
                    _ => return self.writer.write_line(drawn(&position).trim_end()),
                }
            }
            UaiCommand::Quit | UaiCommand::Nothing => {}
        }
        Ok(())
    }

    fn remark(&self, remark: impl std::fmt::Display) -> io::Result<()> {
        self.writer.write_line(format_args!("info string {remark}"))
    }

    /// Reports that the last position was refused. A `go` is still answered, since an interface waits for its
    /// `bestmove` until the engine loses on time: with the null move, which no interface takes for a move if there is
    /// one.
    fn without_position(&self, command: &UaiCommand, problem: &str) -> io::Result<()> {
        self.remark(format_args!("the last position was refused: {problem}"))?;
        match command {
            UaiCommand::Go(_) => self.writer.write_line(format_args!("bestmove {}", notation::write(Move::PASS))),
            _ => Ok(()),
        }
    }

    fn introduce(&self) -> io::Result<()> {
        let mut text = format!("id name {}\nid author The Agon authors\n", self.name);
        for Spin { name, default, least, most } in spins() {
            let _ = writeln!(text, "option name {name} type spin default {default} min {least} max {most}");
        }
        self.writer.write_line(text + "uaiok")
    }

    fn set(&mut self, name: &str, value: &str) -> io::Result<()> {
        let Some(spin) = spins().into_iter().find(|spin| spin.name.eq_ignore_ascii_case(name)) else {
            return self.remark(format_args!("unknown option `{name}`"));
        };
        let Some(value) = value.parse().ok().filter(|value| (spin.least..=spin.most).contains(value)) else {
            let problem = format!("`{}` is {} to {}, not `{value}`", spin.name, spin.least, spin.most);
            return self.remark(problem);
        };
        match spin.name {
            "Hash" => self.thread.then(move |engine| engine.set_memory(value << 20)),
            "Threads" => self.thread.then(move |engine| engine.set_threads(value)),
            "MultiPV" => self.lines = value,
            _ => self.overhead = Duration::from_millis(value as u64),
        }
        Ok(())
    }

    /// After any error, there is no position until the next one.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        let start = match fen.map(str::parse::<Bacteria>) {
            None => Ok(Bacteria::start()),
            // Other arenas know no limit of plies: one beyond it is a game that has just begun.
            Some(Err(FenError::FullMove { .. })) => {
                let words: Vec<&str> = fen.unwrap_or_default().split_ascii_whitespace().take(2).collect();
                words.join(" ").parse()
            }
            Some(position) => position,
        };
        match start {
            Ok(start) => self.play(start, moves),
            Err(error) => self.refuse(error),
        }
    }

    fn refuse(&mut self, problem: impl std::fmt::Display) -> io::Result<()> {
        self.remark(&problem)?;
        self.position = Err(problem.to_string());
        Ok(())
    }

    fn play(&mut self, mut position: Bacteria, moves: &[String]) -> io::Result<()> {
        for text in moves {
            match notation::find(&position, text) {
                Ok(m) => position.play_unchecked(m, &mut ()),
                Err(error) => return self.refuse(error),
            }
        }
        self.position = Ok(position);
        Ok(())
    }

    fn go(&mut self, position: Bacteria, go: &Go) -> io::Result<()> {
        if !go.ignored.is_empty() {
            self.remark(format_args!("passed over `{}`", go.ignored.join(" ")))?;
        }
        let (limits, clock) = go.limits(position.turn(), self.overhead);
        let task = Task { limits, clock, multipv: self.lines, ..Task::default() };
        let (info, done) = (self.writer.clone(), self.writer.clone());
        let several = self.lines > 1;
        self.endless = go.is_endless();
        self.thread.search(
            position,
            task,
            self.endless,
            move |found| info.write_line(info_line(found, several)),
            // A finished game has no move; managers can parse 0000.
            move |best| {
                quietly(done.write_line(format_args!("bestmove {}", notation::write(best.unwrap_or(Move::PASS)))));
            },
        );
        Ok(())
    }

    fn perft(&mut self, position: Bacteria, depth: u32) {
        let (info, done) = (self.writer.clone(), self.writer.clone());
        self.endless = false;
        let job = move |_: &mut dyn Engine<Bacteria>, stop: &Stop| count(&position, depth, stop, &info);
        self.thread.long(job, move |counted| quietly(done.write_line(counted)));
    }

    fn bench(&mut self, depth: u32) {
        let (info, done) = (self.writer.clone(), self.writer.clone());
        self.endless = false;
        let job = move |engine: &mut dyn Engine<Bacteria>, stop: &Stop| {
            bench::run(engine, depth, stop, |number, nodes| {
                let positions = POSITIONS.len();
                let line = format!("info string position {number} of {positions} nodes {nodes}");
                if info.write_line(line).is_err() {
                    stop.raise();
                }
            })
        };
        self.thread.long(job, move |count| {
            quietly(done.write_line(format_args!("{} nodes {} nps", count.nodes, per_second(count.nodes, count.time))));
        });
    }
}

/// The end of its input reveals that an interface is gone.
fn quietly(_: io::Result<()>) {}

fn per_second(nodes: u64, time: Duration) -> u128 {
    u128::from(nodes) * 1_000_000 / time.as_micros().max(1)
}

fn info_line(info: &Info<Move>, several: bool) -> String {
    let mut text = format!("info depth {} seldepth {}", info.depth, info.seldepth);
    if several {
        let _ = write!(text, " multipv {}", info.multipv);
    }
    let _ = match info.score {
        Score::Centi(value) => write!(text, " score cp {value}"),
        // In moves of the side that makes the last one, as in chess.
        Score::Win(plies) => write!(text, " score mate {}", plies.div_ceil(2)),
        Score::Loss(plies) => write!(text, " score mate -{}", plies.div_ceil(2)),
    };
    let nps = per_second(info.nodes, info.elapsed);
    let _ = write!(text, " nodes {} nps {nps}", info.nodes);
    if let Some(hashfull) = info.hashfull {
        let _ = write!(text, " hashfull {hashfull}");
    }
    let _ = write!(text, " time {} pv", info.elapsed.as_millis());
    for &m in &info.pv {
        let _ = write!(text, " {}", notation::write(m));
    }
    text
}

/// Writes the number of lines of play below each move, and returns the last lines, with their sum.
fn count(position: &Bacteria, depth: u32, stop: &Stop, writer: &SharedWriter) -> String {
    let start = Instant::now();
    let mut nodes = u64::from(depth == 0);
    let mut moves = Vec::new();
    if depth > 0 {
        position.legal_moves(&mut moves);
    }
    for m in moves {
        if stop.is_raised() {
            return "info string perft stopped".to_owned();
        }
        let mut after = position.clone();
        after.play_unchecked(m, &mut ());
        let below = after.perft(depth - 1);
        if writer.write_line(format_args!("{}: {below}", notation::write(m))).is_err() {
            stop.raise();
        }
        nodes += below;
    }
    let time = start.elapsed();
    format!("info depth {depth} time {} nps {}\nnodes {nodes}", time.as_millis(), per_second(nodes, time))
}

/// The board as text, with the coordinates of the notation.
fn drawn(position: &Bacteria) -> String {
    let mut text = String::new();
    for cell in 0..CELLS {
        if cell % WIDTH == 0 {
            let _ = write!(text, "{} ", WIDTH - cell / WIDTH);
        }
        text += match [Side::First, Side::Second].map(|side| position.cells(side) & bit(cell) != 0) {
            [true, _] => " x",
            [_, true] => " o",
            _ => " .",
        };
        if cell % WIDTH == WIDTH - 1 {
            text.push('\n');
        }
    }
    let over = if position.outcome().is_some() { ", over" } else { "" };
    let [x, o] = Side::BOTH.map(|side| position.cells(side).count_ones());
    let _ = write!(text, "   a b c d e f g\n\nx {x}, o {o}{over}\nfen {position}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_report_a_search() {
        let info = |score, plies| Info {
            depth: 3,
            seldepth: 5,
            multipv: 2,
            score,
            nodes: 1000,
            hashfull: (plies > 0).then_some(42),
            elapsed: Duration::from_millis(plies),
            pv: vec![Move::new(48, 32), Move::new(0, 1), Move::PASS],
        };
        let check = |value, several, expected: &str| assert_eq!(super::info_line(&info(value, 10), several), expected);
        let rest = "nodes 1000 nps 100000 hashfull 42 time 10 pv g1e3 b7 0000";
        check(Score::Centi(-35), false, &format!("info depth 3 seldepth 5 score cp -35 {rest}"));
        check(Score::Win(5), true, &format!("info depth 3 seldepth 5 multipv 2 score mate 3 {rest}"));
        check(Score::Loss(4), false, &format!("info depth 3 seldepth 5 score mate -2 {rest}"));
        assert!(super::info_line(&info(Score::Centi(0), 0), false).contains(" nps 1000000000 time 0 "));
    }

    #[test]
    fn the_board_is_drawn_with_its_fen() {
        let text = drawn(&Bacteria::start());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines[6], lines[7]), ("7  x . . . . . o", "1  o . . . . . x", "   a b c d e f g"));
        assert_eq!(lines[9..], ["x 2, o 2", "fen x5o/7/7/7/7/7/o5x x 0 1"]);
    }
}
