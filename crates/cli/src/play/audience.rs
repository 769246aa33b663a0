//! A game drawn on the terminal while it is played.

use std::io::{IsTerminal, Write};
use std::thread;
use std::time::{Duration, Instant};

use agon_game::{GameState, HIDDEN, Interaction, Public, Side, View};
use agon_referee::bout::{Played, Spectator};
use agon_referee::process;
use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType, DisableLineWrap, EnableLineWrap};

use crate::draw;
use crate::options::ShowHow;
use crate::show::{self, paint};
use crate::turn::{ends_turn, turn_line};

/// Lines of a frame besides the board: the heading, the clocks and the last turn.
const FRAME: usize = 3;

/// Draws a game as it goes: the board after each turn, or one line per turn.
pub(super) struct Audience {
    how: ShowHow,
    live: bool,
    pace: Duration,
    heading: String,
    seats: [&'static str; 2],
    /// Which sides are people: in a game with secrets they do not see what the other side plays.
    people: [bool; 2],
    drawn: u16,
    last: Instant,
    /// The actions of the current turn, if a turn has many.
    turn: Vec<Played>,
}

impl Audience {
    /// Shows a game under this heading; two boards drawn on a terminal are at least `pace` apart.
    pub(super) fn new(
        how: ShowHow,
        pace: Duration,
        heading: String,
        seats: [&'static str; 2],
        people: [bool; 2],
    ) -> Self {
        let live = how == ShowHow::Board && std::io::stdout().is_terminal();
        Self { how, live, pace, heading, seats, people, drawn: 0, last: Instant::now(), turn: Vec::new() }
    }

    /// The board that everyone at this terminal may see.
    fn view(&self, state: &dyn GameState) -> View {
        match self.people {
            [false, false] => state.view(),
            _ if state.ending().is_some() => state.view(),
            [true, true] => state.public_view(),
            [is_first, _] => state.view_of(if is_first { Side::First } else { Side::Second }),
        }
    }

    /// Whether a move of this side is kept from someone at this terminal.
    fn hides(&self, state: &dyn GameState, side: Side) -> bool {
        let other = self.people[side.other().index()];
        other && state.has_secrets() && state.ending().is_none()
    }

    fn frame(&mut self, state: &dyn GameState, clocks: [Duration; 2], last: &str) {
        let [first, second] = Side::BOTH.map(|side| {
            let at = side.index();
            paint(show::side(side), format!("{} {:.3} s", self.seats[at], clocks[at].as_secs_f64()))
        });
        let what = match state.interaction() {
            Interaction::Session => "clocks",
            Interaction::PerAction => "used",
        };
        let view = self.view(state);
        // A frame that is higher than the terminal would not be drawn over.
        let board = if self.live { draw::board_within(&view, draw::room(FRAME)) } else { draw::board(&view) };
        let text = format!("{}\n{}{what} {first}  {second}\n{last}\n", self.heading, board);
        // Drawing must never fail a game: a closed pipe only ends the show.
        let mut out = anstream::stdout();
        // Straight to the terminal: without colour, `out` would take these for colours and drop them.
        let mut terminal = std::io::stdout();
        if self.live && self.drawn > 0 {
            let wait = self.pace.saturating_sub(self.last.elapsed());
            pause(wait);
            let _ = execute!(terminal, MoveToPreviousLine(self.drawn), Clear(ClearType::FromCursorDown));
        }
        if self.live {
            // A line that wraps would count as two, and the next frame would begin too low.
            let _ = execute!(terminal, DisableLineWrap);
        }
        let _ = write!(out, "{text}");
        if self.live {
            let _ = execute!(terminal, EnableLineWrap);
        }
        let _ = out.flush();
        self.drawn = text.lines().count() as u16;
        self.last = Instant::now();
    }
}

/// Sleeps until the time is over or a signal stops the program.
fn pause(time: Duration) {
    const LOOK: Duration = Duration::from_millis(20);
    let end = Instant::now() + time;
    while !process::interrupted() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        thread::sleep(left.min(LOOK));
    }
}

impl Spectator for Audience {
    fn started(&mut self, state: &dyn GameState, clocks: [Duration; 2]) {
        match self.how {
            ShowHow::Board => self.frame(state, clocks, ""),
            ShowHow::Line => {
                let _ = writeln!(anstream::stdout(), "{}", self.heading);
            }
            ShowHow::None => {}
        }
    }

    fn moved(&mut self, state: &dyn GameState, played: &Played) {
        if self.how == ShowHow::None {
            return;
        }
        self.turn.push(played.clone());
        if !ends_turn(state, played.side) {
            return;
        }
        let mut turn = std::mem::take(&mut self.turn);
        let line = match Public::from_state(state).filter(|_| self.hides(state, played.side)) {
            None => turn_line(state, &turn),
            Some(public) => {
                for played in &mut turn {
                    HIDDEN.clone_into(&mut played.arguments);
                }
                turn_line(&public, &turn)
            }
        };
        match self.how {
            ShowHow::Board => self.frame(state, played.clocks, &line),
            _ => {
                let _ = writeln!(anstream::stdout(), "{line}");
            }
        }
    }
}
