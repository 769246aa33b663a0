//! What programs read and write, sent to a listener as it happens.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use agon_game::Side;

/// Pieces that wait for a slow listener: of at most 8 KiB each.
const MAX_QUEUED_PIECES: usize = 4_096;

/// One of the three streams of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandardStream {
    Input,
    Output,
    Error,
}

/// A line that a program was sent or has answered, or a piece of its error stream as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TappedPiece {
    /// Since the bout began.
    pub at: Duration,
    pub side: Side,
    pub stream: StandardStream,
    pub bytes: Vec<u8>,
}

/// Sends what programs read and write to a listener. Sending copies the bytes and never waits: what a slow listener has
/// no room for is counted and left out.
#[derive(Clone, Debug)]
pub struct Tap {
    sender: SyncSender<Option<TappedPiece>>,
    left_out: Arc<AtomicU64>,
}

/// The other end of a [`Tap`].
pub struct TapListener {
    receiver: Receiver<Option<TappedPiece>>,
    left_out: Arc<AtomicU64>,
}

impl Tap {
    pub fn new() -> (Self, TapListener) {
        let (sender, receiver) = sync_channel(MAX_QUEUED_PIECES);
        let left_out = Arc::new(AtomicU64::new(0));
        (Self { sender, left_out: Arc::clone(&left_out) }, TapListener { receiver, left_out })
    }

    /// Sends a piece, unless too many wait.
    pub fn send(&self, piece: TappedPiece) {
        if self.sender.try_send(Some(piece)).is_err() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The listener gets nothing more after what has been sent.
    pub fn close(&self) {
        let _ = self.sender.send(None);
    }
}

impl TapListener {
    /// How many pieces have been left out so far.
    pub fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }
}

impl Iterator for TapListener {
    type Item = TappedPiece;

    fn next(&mut self) -> Option<TappedPiece> {
        self.receiver.recv().ok().flatten()
    }
}

/// A tap of the error stream of one program.
#[derive(Debug)]
pub struct StderrTap {
    pub tap: Tap,
    pub side: Side,
    /// When the bout began.
    pub start: Instant,
}

impl StderrTap {
    pub(super) fn send(&self, chunk: &[u8]) {
        let at = self.start.elapsed();
        self.tap.send(TappedPiece { at, side: self.side, stream: StandardStream::Error, bytes: chunk.to_vec() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_listener_holds_up_no_one() {
        let (tap, mut listener) = Tap::new();
        let piece = |n: usize| TappedPiece {
            at: Duration::from_micros(n as u64),
            side: Side::First,
            stream: StandardStream::Error,
            bytes: n.to_string().into_bytes(),
        };
        (0..MAX_QUEUED_PIECES + 3).for_each(|n| tap.send(piece(n)));
        assert_eq!((listener.left_out(), listener.next()), (3, Some(piece(0))));
        tap.close();
        assert_eq!(listener.by_ref().count(), MAX_QUEUED_PIECES - 1);
    }
}
