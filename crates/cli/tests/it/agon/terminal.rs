//! Drawings on a terminal, and the effects of keys.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::process::{Child, Command, ExitStatus};

use agon_referee::record::Winner;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};

use crate::agon::play::record_of;
use crate::agon::run::{BINARY, GAMES, agon, environment, folder, root, text};

/// The longest wait for anything at all, far more than anything takes on a busy machine.
const TIMEOUT: Timespec = Timespec { tv_sec: 120, tv_nsec: 0 };

/// A run of the binary on its own terminal.
struct Terminal {
    /// Our end.
    master: File,
    /// The program's end, open as long as its settings are of interest.
    slave: File,
    before: Termios,
    child: Child,
    /// Output that has not been examined.
    pending: String,
    /// The beginning of a character whose other bytes are still to come: a read may end anywhere.
    cut: Vec<u8>,
}

impl Terminal {
    fn start(arguments: &[&str]) -> Self {
        let master: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let path = std::ffi::OsString::from_vec(ptsname(&master, Vec::new()).unwrap().into_bytes());
        let slave = OpenOptions::new().read(true).write(true).open(path).unwrap();
        tcsetwinsize(&slave, Winsize { ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let before = tcgetattr(&slave).unwrap();
        let end = || slave.try_clone().unwrap();
        let mut command = Command::new(BINARY);
        command.args(arguments).current_dir(root()).stdin(end()).stdout(end()).stderr(end());
        command.env("TERM", "xterm-256color");
        for (name, value) in environment() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let child = command.spawn().unwrap();
        Self { master: master.into(), slave, before, child, pending: String::new(), cut: Vec::new() }
    }

    /// Waits until this has been written, and returns all up to and with it.
    #[track_caller]
    fn until(&mut self, wanted: &str) -> String {
        let mut bytes = [0; 4096];
        loop {
            if let Some(at) = self.pending.find(wanted) {
                let rest = self.pending.split_off(at + wanted.len());
                return std::mem::replace(&mut self.pending, rest);
            }
            let ready = poll(&mut [PollFd::new(&self.master, PollFlags::IN)], Some(&TIMEOUT)).unwrap();
            assert!(ready > 0, "`{wanted}` never comes after: {:?}", self.pending);
            let count = self.master.read(&mut bytes).unwrap();
            self.cut.extend_from_slice(&bytes[..count]);
            let whole = match std::str::from_utf8(&self.cut) {
                Err(error) if error.error_len().is_none() => error.valid_up_to(),
                _ => self.cut.len(),
            };
            // The terminal turns every newline into two characters.
            self.pending += &String::from_utf8_lossy(&self.cut[..whole]).replace('\r', "");
            self.cut.drain(..whole);
        }
    }

    fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Whether lines are edited and keys echoed, as a shell wants it.
    fn is_cooked(&self) -> bool {
        tcgetattr(self.slave.as_fd()).unwrap().local_modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }

    /// Waits for the end, and checks that the terminal is as it was.
    #[track_caller]
    fn end(mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        let after = tcgetattr(&self.slave).unwrap();
        assert_eq!(after.local_modes, self.before.local_modes);
        assert_eq!(after.input_modes, self.before.input_modes);
        assert_eq!(after.output_modes, self.before.output_modes);
        status
    }
}

/// A failed test leaves no program behind.
impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The wrapping of lines is off while a frame is drawn.
const FRAME: [&str; 2] = ["\x1b[?7l", "\x1b[?7h"];

#[test]
fn a_live_board_is_redrawn_in_place() {
    #[track_caller]
    fn check(game: &str, seats: [&str; 2], colour: &str) {
        let mut terminal = Terminal::start(&["play", game, "--seed", "7", "--pace", "0", "--color", colour]);
        let shown = terminal.until("plies, seed 7");
        assert_eq!(terminal.end().code(), Some(0));

        let (before, rest) = shown.split_once(FRAME[0]).unwrap();
        assert_eq!(before, "");
        let frames: Vec<&str> = rest.split(FRAME[0]).collect();
        for (at, frame) in frames.iter().enumerate() {
            let (frame, after) = frame.split_once(FRAME[1]).unwrap();
            assert!(frame.contains("greedy") && seats.iter().all(|seat| frame.contains(seat)), "{frame}");
            assert_eq!(frame.contains("\x1b["), colour == "auto", "{frame}");
            let lines = frame.matches('\n').count();
            let back = format!("\x1b[{lines}F\x1b[J");
            if at + 1 < frames.len() {
                assert_eq!(after, back, "the next frame begins where this one did");
            } else {
                assert!(after.contains(&format!("{at} plies")), "a frame for the start and every ply: {after}");
            }
        }
    }
    for (game, seats) in GAMES {
        check(game, seats, "auto");
    }
    check("bacteria", ["O", "X"], "never");
}

#[test]
fn a_pace_does_not_hold_up_an_interrupt() {
    let folder = folder();
    let record = folder.path().join("game.jsonl");
    for game in ["petri", "bacteria"] {
        let mut terminal = Terminal::start(&["play", game, "--pace", "60s", "--seed", "7", "--record", text(&record)]);
        terminal.until(FRAME[1]);
        kill_process(Pid::from_child(&terminal.child), Signal::INT).unwrap();
        let shown = terminal.until("seed 7");
        assert!(shown.contains("INTERRUPTED: the judge was stopped\n"), "{shown}");
        assert_eq!(terminal.end().code(), Some(130));
        assert_eq!(record_of(&record).result.winner, Winner::Void);
    }
}

#[test]
fn keys_step_through_a_record() {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    let played = agon(&["play", "domineering", "--seed", "7", "--out", text(&path)]);
    let plies = played.out.lines().filter(|line| line.starts_with("   ") || line.starts_with("  ")).count();
    assert!(plies > 12, "{}", played.out);

    // Every screen ends with the number of its position among all.
    let place = |at: usize| format!("\n{at}/{plies}   → next   ← back   Home, End   q quit");
    let mut terminal = Terminal::start(&["replay", text(&path), "--color", "never"]);
    let first = terminal.until(&place(0));
    assert!(first.starts_with("\x1b[?1049h\x1b[?25l\x1b[1;1H\x1b[2J"), "{first:?}");
    assert!(first.contains("H greedy – V greedy\n") && first.contains("\nthe start\n"), "{first}");
    assert!(!terminal.is_cooked());
    let (right, left, home, end, page) = ("\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[6~");
    for (keys, at) in [
        (left, 0),
        (right, 1),
        (" ", 2),
        ("l", 3),
        ("h", 2),
        (page, 12),
        ("\x1b[5~", 2),
        (home, 0),
        (end, plies),
        (right, plies),
        ("g", 0),
        ("G", plies),
        ("?", plies),
    ] {
        terminal.press(keys);
        let screen = terminal.until(&place(at));
        assert!(screen.starts_with("\x1b[1;1H\x1b[2J"), "{screen:?}");
        let ended = screen.contains("neither side has a place left") || screen.contains("passed one after the other");
        assert_eq!(ended, at == plies, "{screen}");
        assert_eq!(screen.contains("\nthe start\n"), at == 0, "{screen}");
        assert_eq!(screen.contains("clocks "), at > 0, "{screen}");
    }
    terminal.press("q");
    let rest = terminal.until("proved: every line follows from the rules");
    assert!(rest.contains("\x1b[?25h\x1b[?1049l"), "{rest:?}");
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn a_replay_ends_by_escape_and_by_control_c() {
    #[track_caller]
    fn check(key: &str, code: i32) {
        let folder = folder();
        let path = folder.path().join("game.jsonl");
        agon(&["play", "bacteria", "--seed", "7", "--show", "none", "--out", text(&path)]);
        let mut terminal = Terminal::start(&["replay", text(&path)]);
        terminal.until("q quit");
        terminal.press(key);
        terminal.until("\x1b[?25h\x1b[?1049l");
        assert_eq!(terminal.end().code(), Some(code));
    }
    check("\x1b", 0);
    check("\x03", 130);
}

#[test]
fn a_record_is_printed_whole_when_asked() {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    agon(&["play", "bacteria", "--seed", "7", "--show", "none", "--out", text(&path)]);
    let mut terminal = Terminal::start(&["replay", text(&path), "--show", "line", "--color", "never"]);
    let shown = terminal.until("proved: ");
    assert_eq!(terminal.end().code(), Some(0));
    assert!(shown.starts_with("   1 O "), "{shown}");
    assert!(!shown.contains('\x1b'), "{shown:?}");
}

#[test]
fn a_person_plays_by_typing_moves() {
    let mut terminal = Terminal::start(&[
        "play",
        "domineering",
        "--first",
        "human",
        "--second",
        "random",
        "--seed",
        "1",
        "--size",
        "2",
        "--color",
        "never",
    ]);
    terminal.until("Tab completes a move");
    terminal.until("> ");
    terminal.press("?\r");
    terminal.until("3 legal   1 1  2 1  PASS");
    terminal.press("3 3\r");
    terminal.until("no: (3,3) is outside the board");
    // The rest of the move is completed.
    terminal.press("2\t\r");
    terminal.until("H 2 1");
    terminal.until("> ");
    terminal.press("1 1\r");
    terminal.until("H human wins");
    assert!(terminal.child.wait().unwrap().success());
    assert!(terminal.is_cooked());
}

#[test]
fn a_person_takes_a_move_back() {
    let words = "play domineering --first human --second greedy --seed 1 --size 4 --color never";
    let mut terminal = Terminal::start(&words.split(' ').collect::<Vec<_>>());
    terminal.until("> ");
    terminal.press("undo\r");
    terminal.until("no: you have made no move");
    terminal.press("1 1\r");
    terminal.until("H 1 1");
    terminal.until("> ");
    terminal.press("undo\r");
    // It is free again.
    terminal.until("> ");
    terminal.press("1 1\r");
    terminal.until("H 1 1");
    terminal.until("> ");
    terminal.press("resign\r");
    terminal.until("V greedy wins");
    assert!(terminal.child.wait().unwrap().success());
}
