//! Our engine, as a manager of Gomocup wants it.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use agon_game::{Position, Side};
use agon_rules::renju::{Move, Point, Renju, SIZE};
use agon_search::{Engine, Score, Task};

use super::board::{self, BoardEntry, BoardEntryError};
use super::command::{GomocupCommand, GomocupCommandError, ManagerInfo};
use super::times::Times;
use super::{RENJU, place};
use crate::search_thread::max_table_bytes;
use crate::{ConversationError, SearchThread, SharedWriter, line};

/// Minimum memory for tables, in bytes.
const MIN_TABLE_BYTES: u64 = 1 << 20;

/// Speaks Gomocup's protocol for an engine, under this name, until `END` or the end of the input. At the end of the
/// input a search is stopped, and the best move found so far is its answer, also for commands that still wait for it:
/// this way an engine does not outlive its manager, and a conversation can be piped in. The input is read on a separate
/// thread, which keeps waiting for a line if the conversation breaks off early.
///
/// # Errors
/// [`ConversationError`] when a stream fails, and when the engine panicked.
pub fn serve(
    engine: Box<dyn Engine<Renju>>,
    name: &str,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ConversationError> {
    let (sender, events) = mpsc::channel();
    let mut session = GomocupSession {
        name,
        thread: SearchThread::new(engine),
        writer: SharedWriter::new(output),
        mute: Arc::default(),
        sender: sender.clone(),
        thinking: false,
        started: false,
        moves: Vec::new(),
        refused: None,
        times: Times::default(),
        rule: RENJU,
    };
    thread::spawn(move || listen(input, &sender));
    // Commands that arrived while the engine was thinking.
    let mut waiting = VecDeque::new();
    let mut ended = false;
    loop {
        if !session.thinking
            && let Some(said) = waiting.pop_front()
        {
            session.hear(said)?;
            if ended {
                session.thread.stop();
            }
            continue;
        }
        if ended && !session.thinking {
            break;
        }
        match events.recv() {
            Ok(Event::Said(Said::Command(GomocupCommand::End))) => {
                // Nothing may be written any more.
                session.mute.store(true, Ordering::Relaxed);
                break;
            }
            Ok(Event::Said(said)) if !session.thinking || waiting.is_empty() && said.may_overtake() => {
                session.hear(said)?;
            }
            Ok(Event::Said(said)) => waiting.push_back(said),
            Ok(Event::InputEnded(result)) => {
                result?;
                ended = true;
                session.thread.stop();
            }
            Ok(Event::Thought(Some(answer))) => session.play(&answer),
            // It panicked, which ended its thread.
            Ok(Event::Thought(None)) | Err(_) => break,
        }
    }
    session.thread.stop();
    Ok(session.thread.finish()?)
}

enum Event {
    Said(Said),
    /// No more input will arrive.
    InputEnded(io::Result<()>),
    /// A search has ended, and its answer was written; without one the engine has panicked.
    Thought(Option<BrainMove>),
}

enum Said {
    Command(GomocupCommand),
    /// One of the commands that are followed by a board.
    Board(GomocupCommand, Result<Vec<BoardEntry>, BoardEntryError>),
    Misread(GomocupCommandError),
}

impl Said {
    /// Returns true if it is handled while the engine thinks.
    const fn may_overtake(&self) -> bool {
        matches!(
            self,
            Self::Command(GomocupCommand::Info(_) | GomocupCommand::YxStop | GomocupCommand::About)
                | Self::Misread(GomocupCommandError::Unknown { .. } | GomocupCommandError::Info { .. })
        )
    }
}

/// Reads a manager's commands, up to END or the end of the input.
fn listen(mut input: impl BufRead, events: &Sender<Event>) {
    let mut read = || -> io::Result<()> {
        while let Some(line) = line::read(&mut input)? {
            let said = match line.parse() {
                Ok(command @ (GomocupCommand::Board | GomocupCommand::YxBoard | GomocupCommand::Swap2Board)) => {
                    Said::Board(command, read_board(&mut input)?)
                }
                Ok(command) => Said::Command(command),
                Err(error) => Said::Misread(error),
            };
            let last = matches!(said, Said::Command(GomocupCommand::End));
            if events.send(Event::Said(said)).is_err() || last {
                break;
            }
        }
        Ok(())
    };
    let result = read();
    // After END the receiver may be gone.
    let _ = events.send(Event::InputEnded(result));
}

/// Reads the lines up to DONE, or the first invalid one.
fn read_board(input: &mut impl BufRead) -> io::Result<Result<Vec<BoardEntry>, BoardEntryError>> {
    let mut board = Ok(Vec::new());
    while let Some(line) = line::read(input)?.filter(|line| !line.eq_ignore_ascii_case("DONE")) {
        if let Ok(entries) = &mut board {
            match BoardEntry::read(&line) {
                Ok(entry) => entries.push(entry),
                Err(error) => board = Err(error),
            }
        }
    }
    Ok(board)
}

struct GomocupSession<'a> {
    name: &'a str,
    thread: SearchThread<Renju>,
    writer: SharedWriter,
    mute: Arc<AtomicBool>,
    sender: Sender<Event>,
    /// True while its answer is awaited.
    thinking: bool,
    started: bool,
    /// All moves of the game, Black's first.
    moves: Vec<Move>,
    /// Error in the last board: until the next one, the position is unknown.
    refused: Option<String>,
    times: Times,
    rule: u32,
}

/// A move that was answered, and how long it took.
struct BrainMove {
    point: Point,
    time: Duration,
}

/// Reports that a search has ended, also when it panics.
struct Thinking {
    events: Sender<Event>,
    answer: Option<BrainMove>,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        // The receiver goes only with the session.
        let _ = self.events.send(Event::Thought(self.answer.take()));
    }
}

impl GomocupSession<'_> {
    fn hear(&mut self, said: Said) -> io::Result<()> {
        match said {
            Said::Command(command) => self.obey(&command),
            Said::Board(command, board) => self.set_board(&command, &board),
            Said::Misread(error @ GomocupCommandError::Unknown { .. }) => {
                self.writer.write_line(format_args!("UNKNOWN {error}"))
            }
            Said::Misread(error @ GomocupCommandError::Info { .. }) => {
                self.writer.write_line(format_args!("MESSAGE {error}"))
            }
            Said::Misread(error) => self.refuse(error),
        }
    }

    fn refuse(&self, problem: impl std::fmt::Display) -> io::Result<()> {
        self.writer.write_line(format_args!("ERROR {problem}"))
    }

    fn obey(&mut self, command: &GomocupCommand) -> io::Result<()> {
        match command {
            GomocupCommand::Info(info) => {
                self.inform(info);
                return Ok(());
            }
            GomocupCommand::YxStop => {
                self.thread.stop();
                return Ok(());
            }
            GomocupCommand::About => {
                let version = env!("CARGO_PKG_VERSION");
                let text = format!("name=\"{}\", version=\"{version}\", author=\"The Agon authors\"", self.name);
                return self.writer.write_line(text);
            }
            _ => {}
        }
        match *command {
            GomocupCommand::Start(size) if size as usize == SIZE => {
                self.started = true;
                self.clear();
                self.writer.write_line("OK")
            }
            GomocupCommand::Start(size) => {
                self.refuse(format_args!("a board of {size} x {size} is not supported: renju has {SIZE} x {SIZE}"))
            }
            GomocupCommand::RectStart => {
                self.refuse(format_args!("a board that may be no square is not supported: START {SIZE}"))
            }
            _ if !self.started => self.refuse(format_args!("no game has been started: START {SIZE}")),
            GomocupCommand::Restart => {
                self.clear();
                self.writer.write_line("OK")
            }
            GomocupCommand::Begin | GomocupCommand::Turn(_) | GomocupCommand::TakeBack(_) if self.refused.is_some() => {
                let problem = self.refused.as_deref().unwrap_or_default();
                self.refuse(format_args!("the last board was refused ({problem}): RESTART, or send another"))
            }
            GomocupCommand::Begin => self.think(),
            GomocupCommand::Turn(point) => match self.with(Move::Stone(point)) {
                Ok(moves) => {
                    self.moves = moves;
                    self.think()
                }
                Err(error) => self.refuse(error),
            },
            GomocupCommand::TakeBack(point) => self.take_back(point),
            GomocupCommand::YxShowForbid => self.show_forbidden(),
            // The rest is done by the caller, or above.
            _ => Ok(()),
        }
    }

    fn inform(&mut self, info: &ManagerInfo) {
        self.times.note(info);
        match *info {
            ManagerInfo::Rule(rule) => self.rule = rule,
            // More threads than processors only take turns.
            ManagerInfo::Threads(asked) => {
                let threads = asked.clamp(1, thread::available_parallelism().map_or(1, NonZero::get));
                self.thread.then(move |engine| engine.set_threads(threads));
            }
            ManagerInfo::Memory(Some(bytes)) => {
                // The rest is for the program itself, and for its stack.
                let tables =
                    usize::try_from((bytes / 2).max(MIN_TABLE_BYTES)).unwrap_or(usize::MAX).min(max_table_bytes());
                self.thread.then(move |engine| engine.set_memory(tables));
            }
            _ => {}
        }
    }

    /// Plays the move that was thought about.
    fn play(&mut self, answer: &BrainMove) {
        self.thinking = false;
        self.moves.push(Move::Stone(answer.point));
        self.times.spend(answer.time);
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.refused = None;
        self.times.begin();
        self.thread.then(|engine| engine.new_game());
    }

    /// The moves with one more, if the board has room for it.
    fn with(&self, m: Move) -> Result<Vec<Move>, agon_rules::renju::StonesError> {
        let moves: Vec<Move> = self.moves.iter().copied().chain([m]).collect();
        board::position(&moves).map(|_| moves)
    }

    fn set_board(
        &mut self,
        command: &GomocupCommand,
        board: &Result<Vec<BoardEntry>, BoardEntryError>,
    ) -> io::Result<()> {
        if *command == GomocupCommand::Swap2Board {
            return self.refuse("swap2 is an opening of gomoku; renju here has none to choose");
        }
        if !self.started {
            return self.refuse(format_args!("no game has been started: START {SIZE}"));
        }
        let moves = match board {
            Err(error) => Err(error.to_string()),
            Ok(entries) if *command == GomocupCommand::Board => Ok(board::moves_before_own(entries)),
            Ok(entries) => Ok(board::moves(entries)),
        };
        let placed = moves.and_then(|moves| match board::position(&moves) {
            Ok(_) => Ok(moves),
            Err(error) => Err(error.to_string()),
        });
        match placed {
            Ok(moves) => (self.moves, self.refused) = (moves, None),
            Err(problem) => {
                self.refuse(&problem)?;
                self.refused = Some(problem);
                return Ok(());
            }
        }
        if *command == GomocupCommand::Board { self.think() } else { Ok(()) }
    }

    fn take_back(&mut self, point: Point) -> io::Result<()> {
        let stones = self.moves.iter().rposition(|&m| m != Move::Pass).map_or(0, |last| last + 1);
        match self.moves[..stones].last() {
            Some(&Move::Stone(last)) if last == point => {
                self.moves.truncate(stones - 1);
                self.writer.write_line("OK")
            }
            _ => self.refuse(format_args!("{} is not the last stone", place::write(point))),
        }
    }

    /// Black's forbidden points when it is to move, in the format of Yixin's interface: `FORBID 0707.`.
    fn show_forbidden(&self) -> io::Result<()> {
        let mut text = "FORBID ".to_owned();
        if let Ok(position) = board::position(&self.moves)
            && position.turn() == Side::First
        {
            for point in position.forbidden_points().iter() {
                let _ = write!(text, "{:02}{:02}", point.column() - 1, point.row() - 1);
            }
        }
        self.writer.write_line(text + ".")
    }

    /// Makes the engine move in the current position.
    fn think(&mut self) -> io::Result<()> {
        if self.rule != RENJU {
            return self.refuse(format_args!("rule {} is not supported: INFO rule {RENJU} is renju", self.rule));
        }
        let position = match board::position(&self.moves) {
            Ok(position) if position.outcome().is_none() => position,
            Ok(_) => return self.refuse("the game is over"),
            Err(error) => return self.refuse(error),
        };
        // The protocol has no PASS: if that is best, play any stone.
        let Some(any) = position.stone_moves().next() else { return self.refuse("there is no legal stone left") };
        let (limits, clock) = self.times.limits();
        let task = Task { limits, clock, book: true, ..Task::default() };
        let (writer, done) = (self.writer.clone(), self.writer.clone());
        let thinking = Thinking { events: self.sender.clone(), answer: None };
        self.thinking = true;
        let [mute_info, mute_done] = [Arc::clone(&self.mute), Arc::clone(&self.mute)];
        let start = Instant::now();
        self.thread.search(
            position,
            task,
            false,
            move |info| {
                if mute_info.load(Ordering::Relaxed) { Ok(()) } else { writer.write_line(message(info)) }
            },
            move |best| {
                let point = best.and_then(Move::point).unwrap_or(any);
                let mut thinking = thinking;
                thinking.answer = Some(BrainMove { point, time: start.elapsed() });
                if !mute_done.load(Ordering::Relaxed) {
                    // The end of its input reveals that a manager is gone.
                    let _ = done.write_line(place::write(point));
                }
            },
        );
        Ok(())
    }
}

/// Formats the engine's findings for people.
fn message(info: &agon_search::Info<Move>) -> String {
    let value = match info.score {
        Score::Centi(value) => value.to_string(),
        Score::Win(plies) => format!("+M{plies}"),
        Score::Loss(plies) => format!("-M{plies}"),
    };
    let ms = info.elapsed.as_millis();
    let mut text = format!("MESSAGE depth {}-{} ev {value} n {} tm {ms} pv", info.depth, info.seldepth, info.nodes);
    for m in &info.pv {
        let _ = write!(text, " {}", m.letters());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_report_a_search() {
        let check = |score, ev: &str| {
            let info = agon_search::Info {
                depth: 3,
                seldepth: 9,
                multipv: 1,
                score,
                nodes: 77,
                hashfull: None,
                elapsed: Duration::from_millis(5),
                pv: vec![Move::Stone(Point::CENTRE), Move::Pass],
            };
            assert_eq!(message(&info), format!("MESSAGE depth 3-9 ev {ev} n 77 tm 5 pv H8 PASS"));
        };
        check(Score::Centi(-12), "-12");
        check(Score::Win(5), "+M5");
        check(Score::Loss(4), "-M4");
    }
}
