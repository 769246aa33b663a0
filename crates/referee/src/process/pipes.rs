//! The output of a program: its lines, and the end of its error stream.

use std::collections::VecDeque;
use std::fs::File;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use rustix::io::Errno;

use super::tap::StderrTap;
use crate::protocol::MAX_ANSWER_BYTES;

/// How much of an agent's error stream is kept: the last 64 KiB.
pub(crate) const STDERR_KEPT: usize = 64 << 10;

/// How long an error stream is left alone after a read, so that a flooded one takes little of the judge's time. A full
/// pipe only makes its writer wait.
pub(super) const STDERR_PERIOD: Duration = Duration::from_millis(1);

/// How much of an error stream is read in one go while a program runs.
pub(super) const READ_AT_ONCE: usize = 64 << 10;

/// How much of a stream is read in one go after its writers should have ended: more than most pipes can hold.
pub(super) const READ_AT_END: usize = 2 << 20;

/// Bytes that one read takes at most.
const MAX_READ_BYTES: usize = 8 << 10;

/// The result of reading a pipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// It had some bytes.
    Data,
    Dry,
    /// It is closed: no more bytes will come.
    Closed,
    /// The system refused to read it.
    Failed(Errno),
}

/// Bytes read but not yet taken as lines. Holds at most one over-long line and whatever arrived with it.
#[derive(Debug)]
pub(super) struct LineBuffer {
    bytes: Vec<u8>,
    /// How far it has been searched for a newline.
    searched: usize,
    /// The longest line, in bytes.
    limit: usize,
}

impl Default for LineBuffer {
    fn default() -> Self {
        Self { bytes: Vec::new(), searched: 0, limit: MAX_ANSWER_BYTES }
    }
}

impl LineBuffer {
    /// Reads once from the pipe.
    pub(super) fn fill(&mut self, pipe: &File) -> Flow {
        read_once(pipe, |chunk| self.bytes.extend_from_slice(chunk))
    }

    /// Takes the next whole line, without its newline.
    pub(super) fn take(&mut self) -> Option<Vec<u8>> {
        match self.bytes[self.searched..].iter().position(|&byte| byte == b'\n') {
            Some(at) => {
                let end = self.searched + at;
                let line = self.bytes[..end].to_vec();
                self.bytes.drain(..=end);
                self.searched = 0;
                Some(line)
            }
            None => {
                self.searched = self.bytes.len();
                None
            }
        }
    }

    /// The bytes not yet taken.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the incoming line is longer than any answer may be.
    pub(super) fn overlong(&self) -> bool {
        self.searched > self.limit
    }

    /// From now on lines may have this many bytes.
    pub(super) const fn set_limit(&mut self, bytes: usize) {
        self.limit = bytes;
    }

    /// The longest line, in bytes.
    pub(super) const fn limit(&self) -> usize {
        self.limit
    }
}

/// The last [`STDERR_KEPT`] bytes of an error stream.
#[derive(Debug, Default)]
pub(super) struct StderrTail {
    kept: VecDeque<u8>,
    /// How many bytes have been read, including those not kept.
    length: u64,
    /// What was read at which time, from the beginning, if that is wanted.
    timed: Option<TimedBytes>,
    /// Receives everything as it is read.
    tap: Option<StderrTap>,
}

/// How much of an error stream is kept with its times.
pub(super) const MAX_TIMED_BYTES: usize = 16 << 20;

/// Bytes in the order of their times; each time applies to all bytes from this position on.
#[derive(Debug, Default)]
struct TimedBytes {
    bytes: Vec<u8>,
    times: Vec<(usize, Instant)>,
}

impl StderrTail {
    /// Reads once from the pipe.
    pub(super) fn fill(&mut self, pipe: &File) -> Flow {
        read_once(pipe, |chunk| {
            if let Some(TimedBytes { bytes, times }) = &mut self.timed
                && bytes.len() < MAX_TIMED_BYTES
            {
                times.push((bytes.len(), Instant::now()));
                bytes.extend_from_slice(chunk);
            }
            if let Some(tap) = &self.tap {
                tap.send(chunk);
            }
            self.kept.extend(chunk);
            self.length += chunk.len() as u64;
            let excess = self.kept.len().saturating_sub(STDERR_KEPT);
            self.kept.drain(..excess);
        })
    }

    /// Reads what the pipe has, up to slightly more than `most` bytes: a program that writes faster than it is read
    /// must not hold up the reader. [`Flow::Data`] when there may be more.
    pub(super) fn drain(&mut self, pipe: &File, most: usize) -> Flow {
        for _ in 0..most.div_ceil(MAX_READ_BYTES) {
            match self.fill(pipe) {
                Flow::Data => {}
                other => return other,
            }
        }
        Flow::Data
    }

    /// Sends everything that is read from now on to this tap.
    pub(super) fn tap_by(&mut self, tap: StderrTap) {
        self.tap = Some(tap);
    }

    /// Whether someone follows it as it is read.
    pub(super) const fn is_followed(&self) -> bool {
        self.tap.is_some()
    }

    /// From now on every line is kept with its time.
    pub(super) fn keep_times(&mut self) {
        self.timed = Some(TimedBytes::default());
    }

    /// The lines since the last call with the times at which they were read, if these are kept.
    pub(super) fn take_timed_lines(&mut self) -> Vec<(Instant, String)> {
        let Some(timed) = &mut self.timed else { return Vec::new() };
        let TimedBytes { bytes, times } = std::mem::take(timed);
        let mut start = 0;
        let mut lines = Vec::new();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let chunk = times.partition_point(|&(from, _)| from <= start) - 1;
            lines.push((times[chunk].1, String::from_utf8_lossy(line).trim_end().to_owned()));
            start += line.len();
        }
        lines
    }

    /// How many bytes have been read so far.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// The last `most` bytes of what was read after this length, as text.
    pub(super) fn since(&self, length: u64, most: usize) -> String {
        let new = usize::try_from(self.length.saturating_sub(length)).unwrap_or(usize::MAX);
        let bytes: Vec<u8> = self.kept.range(self.kept.len().saturating_sub(new.min(most))..).copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The tail as text; bytes that are not UTF-8 are replaced.
    pub(super) fn text(&self) -> String {
        let (head, rest) = self.kept.as_slices();
        String::from_utf8_lossy(&[head, rest].concat()).into_owned()
    }
}

/// Reads once, into memory that is not cleared first: answers are short, and there are thousands a second.
fn read_once(pipe: &File, keep: impl FnOnce(&[u8])) -> Flow {
    let mut space = [MaybeUninit::uninit(); MAX_READ_BYTES];
    loop {
        match rustix::io::read(pipe, &mut space) {
            Ok(([], _)) => return Flow::Closed,
            Ok((chunk, _)) => {
                keep(chunk);
                return Flow::Data;
            }
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Flow::Dry,
            Err(error) => return Flow::Failed(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn pipe_with(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        std::io::Seek::rewind(&mut file).unwrap();
        file
    }

    #[test]
    fn lines_are_cut_at_newlines() {
        let mut lines = LineBuffer::default();
        assert_eq!(lines.fill(&pipe_with(b"one\n\nthr")), Flow::Data);
        assert_eq!(lines.take().as_deref(), Some(&b"one"[..]));
        assert_eq!(lines.take().as_deref(), Some(&b""[..]));
        assert_eq!(lines.take(), None);
        lines.fill(&pipe_with(b"ee\n"));
        assert_eq!(lines.take().as_deref(), Some(&b"three"[..]));
        assert_eq!(lines.rest(), b"");
    }

    #[test]
    fn a_line_may_have_4096_bytes_and_no_more() {
        let check = |length: usize, overlong: bool| {
            let mut lines = LineBuffer::default();
            lines.fill(&pipe_with(&vec![b'a'; length]));
            assert_eq!(lines.take(), None);
            assert_eq!(lines.overlong(), overlong, "{length}");
        };
        check(4096, false);
        check(4097, true);
    }

    #[test]
    fn only_the_tail_of_the_error_stream_is_kept() {
        let mut tail = StderrTail::default();
        let pipe = pipe_with(&[vec![b'a'; STDERR_KEPT], b"end".to_vec()].concat());
        while tail.fill(&pipe) == Flow::Data {}
        assert_eq!(tail.text().len(), STDERR_KEPT);
        assert!(tail.text().ends_with("aend"));
    }

    #[test]
    fn lines_have_the_times_of_their_beginnings() {
        let mut tail = StderrTail::default();
        tail.fill(&pipe_with(b"before\n"));
        assert_eq!(tail.take_timed_lines(), []);
        tail.keep_times();
        tail.fill(&pipe_with(b"one\ntw"));
        let between = Instant::now();
        tail.fill(&pipe_with(b"o\nthree"));
        let lines = tail.take_timed_lines();
        let texts: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
        assert_eq!(texts, ["one", "two", "three"]);
        let early: Vec<bool> = lines.iter().map(|&(at, _)| at <= between).collect();
        assert_eq!(early, [true, true, false]);
        assert_eq!(tail.take_timed_lines(), []);
    }

    #[test]
    fn the_new_part_of_an_error_stream_is_found() {
        let mut tail = StderrTail::default();
        tail.fill(&pipe_with(b"old\n"));
        let length = tail.length();
        assert_eq!(tail.since(length, 100), "");
        tail.fill(&pipe_with("new \u{2026} end\n".as_bytes()));
        assert_eq!(tail.since(length, 100), "new … end\n");
        assert_eq!(tail.since(length, 4), "end\n");
        assert_eq!(tail.since(0, 100), "old\nnew … end\n");
    }
}
