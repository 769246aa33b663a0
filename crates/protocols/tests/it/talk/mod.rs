//! Conversations as scripts.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread;
use std::time::Duration;

use agon_game::Position;
use agon_protocols::ConversationError;
use agon_search::{Engine, Info, Score, Task};

/// Holds a conversation: lines after `>` are sent to the engine, lines after `<` must come back, in this order and no
/// others. Those that end in `…` are compared up to there. Then the input ends, and the engine must too.
#[track_caller]
pub fn converse(
    serve: impl FnOnce(BufReader<PipeReader>, PipeWriter) -> Result<(), ConversationError> + Send + 'static,
    script: &str,
) {
    let (input, mut to) = pipe().unwrap();
    let (from, output) = pipe().unwrap();
    let engine = thread::spawn(move || serve(BufReader::new(input), output));
    let mut answers = BufReader::new(from).lines();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(said) = line.strip_prefix('>') {
            // One that has ended hears nothing.
            let _ = to.write_all(format!("{}\r\n", said.trim()).as_bytes());
        } else {
            let expected = line.strip_prefix('<').expect("a line begins with > or <").trim();
            let answer = answers.next().unwrap_or_else(|| panic!("`{expected}` expected, nothing came")).unwrap();
            let answer = answer.trim();
            match expected.strip_suffix('…') {
                Some(start) => assert!(answer.starts_with(start), "`{answer}` does not begin with `{start}`"),
                None => assert_eq!(answer, expected),
            }
        }
    }
    drop(to);
    let rest: Vec<String> = answers.map(Result::unwrap).collect();
    assert_eq!(rest, [""; 0], "nothing more was expected");
    engine.join().unwrap().unwrap();
}

/// An engine that plays the first legal move, and reports it after each of the requested depths, 2 by default. Without
/// any limit it thinks until it is stopped. Its reports show its settings: the memory in MiB as the nodes, the threads
/// as the selective depth.
pub struct First {
    memory: usize,
    threads: usize,
}

impl First {
    pub const fn new() -> Self {
        Self { memory: 0, threads: 0 }
    }
}

impl<P: Position> Engine<P> for First {
    fn search(&mut self, position: &P, task: &Task, listener: &mut dyn FnMut(&Info<P::Move>)) -> Option<P::Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let best = *moves.first()?;
        for depth in 1..=task.limits.depth.unwrap_or(2) {
            for (rank, &m) in (1..).zip(moves.iter().take(task.multipv.max(1))) {
                listener(&Info {
                    depth,
                    seldepth: self.threads as u32,
                    multipv: rank,
                    score: Score::Centi(10 - rank as i32),
                    nodes: (self.memory >> 20) as u64,
                    hashfull: None,
                    elapsed: Duration::from_secs(1),
                    pv: vec![m],
                });
            }
        }
        let limits = &task.limits;
        let endless =
            task.clock.is_none() && limits.depth.or(limits.nodes.map(|_| 0)).is_none() && limits.time.is_none();
        while endless && !task.stop.is_raised() {
            thread::yield_now();
        }
        Some(best)
    }

    fn set_memory(&mut self, bytes: usize) {
        self.memory = bytes;
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }
}

/// An engine that thinks until it is stopped, whatever its limits, and reports its results all the time.
pub struct Tireless;

impl<P: Position> Engine<P> for Tireless {
    fn search(&mut self, position: &P, task: &Task, listener: &mut dyn FnMut(&Info<P::Move>)) -> Option<P::Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let best = *moves.first()?;
        while !task.stop.is_raised() {
            let (seldepth, score, elapsed, pv) = (1, Score::Centi(0), Duration::from_secs(1), vec![best]);
            listener(&Info { depth: 1, seldepth, multipv: 1, score, nodes: 1, hashfull: None, elapsed, pv });
            thread::yield_now();
        }
        Some(best)
    }
}

/// An output whose reader has gone.
pub struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// An engine with a fault.
pub struct Broken;

impl<P: Position> Engine<P> for Broken {
    fn search(&mut self, _: &P, _: &Task, _: &mut dyn FnMut(&Info<P::Move>)) -> Option<P::Move> {
        panic!("a fault that a test wants")
    }
}
