//! `agon play --io`: every line to and from both programs, and of their error streams, as it comes.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use agon_game::Side;
use agon_referee::bout::Spectator;
use agon_referee::process::{StandardStream, Tap, TapListener, TappedPiece};
use agon_referee::text;
use clap::ValueEnum;

use crate::show::{self, paint};

/// Whose lines are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum IoSeats {
    /// Those of both agents
    Both,
    /// Those of the agent that moves first
    First,
    /// Those of the agent that moves second
    Second,
}

impl IoSeats {
    const fn shows(self, side: Side) -> bool {
        match self {
            Self::Both => true,
            Self::First => matches!(side, Side::First),
            Self::Second => matches!(side, Side::Second),
        }
    }
}

/// Columns of a terminal from which on the two agents stand side by side.
const MIN_WIDE_COLUMNS: usize = 100;

/// Columns of a time and the blanks behind it.
const TIME_COLUMNS: usize = 11;

/// The longest line of an error stream that is waited for, in bytes.
const MAX_LINE_BYTES: usize = 8 << 10;

/// Prints on a thread of its own what a tap sends; the judge never waits for it.
pub(super) struct LineShow {
    tap: Tap,
    printer: JoinHandle<()>,
}

impl LineShow {
    /// Begins to print, under this heading; `names` are those of the agents.
    pub(super) fn begin(seats: IoSeats, heading: String, names: [String; 2]) -> Self {
        let (tap, listener) = Tap::new();
        let columns = show::columns().filter(|_| std::io::stdout().is_terminal());
        let layout = Layout::new(seats, columns);
        let printer = thread::spawn(move || print(listener, seats, &layout, &heading, &names));
        Self { tap, printer }
    }

    /// Waits until all is printed.
    pub(super) fn end(self) {
        self.tap.close();
        let _ = self.printer.join();
    }
}

impl Spectator for LineShow {
    fn tap(&mut self) -> Option<Tap> {
        Some(self.tap.clone())
    }
}

fn print(mut pieces: TapListener, seats: IoSeats, layout: &Layout, heading: &str, names: &[String; 2]) {
    // A closed pipe ends the show, not the game.
    let mut out = anstream::stdout();
    let _ = writeln!(out, "{heading}\n{}", layout.head(names));
    let mut lines = Lines::default();
    for piece in pieces.by_ref().filter(|piece| seats.shows(piece.side)) {
        for said in lines.take(piece) {
            let _ = writeln!(out, "{}", layout.line(&said));
        }
        let _ = out.flush();
    }
    for said in lines.rest() {
        let _ = writeln!(out, "{}", layout.line(&said));
    }
    if pieces.left_out() > 0 {
        let words = format!("{} not shown: the terminal was too slow", show::counted(pieces.left_out(), "line"));
        let _ = writeln!(out, "{}", paint(show::WARN, words + "; --log FILE has all of them"));
    }
}

/// A whole line of a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Said {
    at: Duration,
    side: Side,
    stream: StandardStream,
    line: String,
}

/// Makes lines of the pieces of error streams.
#[derive(Default)]
struct Lines {
    /// Of each side a line without its end, and when it began.
    open: [(Duration, Vec<u8>); 2],
}

impl Lines {
    /// The lines that a piece completes.
    fn take(&mut self, piece: TappedPiece) -> Vec<Said> {
        let TappedPiece { at, side, stream, bytes } = piece;
        let said = |at, bytes: &[u8]| Said { at, side, stream, line: text_of(bytes) };
        if stream != StandardStream::Error {
            return vec![said(at, &bytes)];
        }
        let (begun, open) = &mut self.open[side.index()];
        let mut whole = Vec::new();
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            if open.is_empty() {
                *begun = at;
            }
            open.extend_from_slice(part);
            if part.ends_with(b"\n") || open.len() > MAX_LINE_BYTES {
                whole.push(said(*begun, open));
                open.clear();
            }
        }
        whole
    }

    /// The lines that were never ended.
    fn rest(self) -> impl Iterator<Item = Said> {
        Side::BOTH.into_iter().zip(self.open).filter(|(_, (_, open))| !open.is_empty()).map(|(side, (at, open))| Said {
            at,
            side,
            stream: StandardStream::Error,
            line: text_of(&open),
        })
    }
}

fn text_of(bytes: &[u8]) -> String {
    text::line(&String::from_utf8_lossy(bytes.trim_ascii_end()).replace('\t', "    "))
}

/// Where the lines stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// The first agent on the left, the second on the right, each in this number of columns.
    Columns(usize),
    /// The side before every line; lines are folded to this number of columns, if that is known.
    Prefix(Option<usize>),
}

impl Layout {
    fn new(seats: IoSeats, columns: Option<usize>) -> Self {
        match columns {
            Some(columns) if columns >= MIN_WIDE_COLUMNS && seats == IoSeats::Both => {
                Self::Columns((columns - TIME_COLUMNS - 3) / 2)
            }
            columns => Self::Prefix(columns),
        }
    }

    fn head(self, names: &[String; 2]) -> String {
        let way = "> to the agent, < from it, ! its error stream; times in seconds";
        match self {
            Self::Columns(width) => {
                let [first, second] = [0, 1].map(|at| shortened(&names[at], width));
                let blank = " ".repeat(TIME_COLUMNS);
                let pad = " ".repeat(width - first.chars().count());
                let [first, second] =
                    [(Side::First, first), (Side::Second, second)].map(|(side, name)| paint(show::side(side), name));
                format!("{}\n{blank}{first}{pad} │ {second}", paint(show::FAINT, way))
            }
            Self::Prefix(_) => paint(show::FAINT, way),
        }
    }

    fn line(self, said: &Said) -> String {
        let Said { at, side, stream, line } = said;
        let time = paint(show::FAINT, format!("{:>9.3}", at.as_secs_f64()));
        let (way, style) = match stream {
            StandardStream::Input => ('>', None),
            StandardStream::Output => ('<', Some(show::STRONG)),
            StandardStream::Error => ('!', Some(show::WARN)),
        };
        let words = |part: &str| style.map_or_else(|| part.to_owned(), |style| paint(style, part));
        let mark = paint(show::side(*side), way);
        let blank = " ".repeat(TIME_COLUMNS);
        let mut shown = String::new();
        match self {
            Self::Columns(width) => {
                for (row, part) in pieces(line, width - 2).into_iter().enumerate() {
                    let (time, mark) = if row == 0 { (format!("{time}  "), &*mark) } else { (blank.clone(), " ") };
                    let pad = " ".repeat(width - 2 - part.chars().count());
                    let cell = format!("{mark} {}", words(part));
                    let _ = match side {
                        Side::First => write!(shown, "{time}{cell}{pad} │"),
                        Side::Second => write!(shown, "{time}{} │ {cell}", " ".repeat(width)),
                    };
                    shown.push('\n');
                }
            }
            Self::Prefix(columns) => {
                let name = paint(show::side(*side), format!("{side:<6}"));
                let before = TIME_COLUMNS + 9;
                let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(before).max(20));
                for (row, part) in pieces(line, room).into_iter().enumerate() {
                    let _ = match row {
                        0 => writeln!(shown, "{time}  {name} {mark} {}", words(part)),
                        _ => writeln!(shown, "{}{}", " ".repeat(before), words(part)),
                    };
                }
            }
        }
        shown.truncate(shown.trim_end_matches('\n').len());
        shown
    }
}

/// The pieces of a line of at most `room` characters; one of an empty line.
fn pieces(line: &str, room: usize) -> Vec<&str> {
    let mut rest = line;
    let mut pieces = Vec::new();
    while let Some((end, _)) = rest.char_indices().nth(room) {
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces.push(rest);
    pieces
}

/// The end of a name that does not fit, since the end of a path says most.
fn shortened(name: &str, room: usize) -> String {
    let length = name.chars().count();
    if length <= room {
        name.to_owned()
    } else {
        ['…'].into_iter().chain(name.chars().skip(length + 1 - room)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(ms: u64, side: Side, stream: StandardStream, text: &str) -> TappedPiece {
        TappedPiece { at: Duration::from_millis(ms), side, stream, bytes: text.as_bytes().to_vec() }
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn pieces_of_an_error_stream_become_lines() {
        use StandardStream::{Error, Input};
        let mut lines = Lines::default();
        let mut take = |ms, side, stream, text: &str| -> Vec<(u128, String)> {
            let lines = lines.take(piece(ms, side, stream, text));
            lines.into_iter().map(|said| (said.at.as_millis(), said.line)).collect()
        };
        let said = |at: u128, line: &str| (at, line.to_owned());
        assert_eq!(take(1, Side::First, Error, "depth 1\nde"), [said(1, "depth 1")]);
        assert_eq!(take(2, Side::Second, Error, "two\r\n"), [said(2, "two")]);
        assert_eq!(take(3, Side::First, Input, "TURN 1 2"), [said(3, "TURN 1 2")]);
        assert_eq!(take(4, Side::First, Error, "pth 2\n\n\x1b[31m"), [said(1, "depth 2"), said(4, "")]);
        let rest: Vec<Said> = lines.rest().collect();
        assert_eq!(rest.len(), 1);
        assert_eq!(rest[0].line, "\u{fffd}[31m");
    }

    #[test]
    fn a_wide_terminal_has_two_columns() {
        let layout = Layout::new(IoSeats::Both, Some(100));
        assert_eq!(layout, Layout::Columns(43));
        let said =
            |side, stream, line: &str| Said { at: Duration::from_millis(1500), side, stream, line: line.to_owned() };
        let first = plain(&layout.line(&said(Side::First, StandardStream::Output, "MOVE 8 8")));
        assert_eq!(first, format!("    1.500  < MOVE 8 8{} │", " ".repeat(33)));
        let second = plain(&layout.line(&said(Side::Second, StandardStream::Error, &"x".repeat(45))));
        let blank = " ".repeat(43);
        let wanted = format!("    1.500  {blank} │ ! {}\n           {blank} │   {}", "x".repeat(41), "x".repeat(4));
        assert_eq!(second, wanted);
        assert!(layout.line(&said(Side::First, StandardStream::Input, "")).contains('>'));
    }

    #[test]
    fn narrow_terminals_and_pipes_have_a_prefix() {
        assert_eq!(Layout::new(IoSeats::First, Some(200)), Layout::Prefix(Some(200)));
        let said = Said {
            at: Duration::from_millis(31),
            side: Side::Second,
            stream: StandardStream::Input,
            line: format!("TURN {}", "1".repeat(60)),
        };
        let whole = format!("    0.031  second > TURN {}", "1".repeat(60));
        assert_eq!(plain(&Layout::new(IoSeats::Both, None).line(&said)), whole);
        let folded = plain(&Layout::new(IoSeats::Both, Some(60)).line(&said));
        assert!(folded.lines().all(|line| line.chars().count() <= 60), "{folded}");
        assert_eq!(folded.matches('1').count(), 61);
    }
}
