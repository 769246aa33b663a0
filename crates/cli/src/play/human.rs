//! A person at the terminal as a player: the board is shown, and a move is read in either notation.

use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_analysis::judge::{champion, champion_name};
use agon_catalog::{Game, TextEngine};
use agon_game::{Evaluation, GameState, Player, Side, TimeControl};
use agon_referee::process;
use agon_search::{SearchLimits, Task};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use crate::draw;
use crate::show::{self, paint};

pub(super) const NAME: &str = "human";

/// A built-in opponent plays as if it had at most this for the rest of the game, so that people need not wait.
const HURRIED_CLOCK: Duration = Duration::from_secs(10);

/// What a person can type.
fn help(game: Game) -> String {
    let strongest = champion_name(game);
    format!(
        "Tab completes a move, ? lists the legal ones, hint asks {strongest}, undo takes your last move back, resign \
         gives up, Ctrl-C stops the game."
    )
}

/// Asks for the move of the strongest built-in player.
const HINT: &str = "hint";

/// Its thinking time.
const HINT_TIME: Duration = Duration::from_secs(1);

/// Takes back the person's last move and the reply.
const UNDO: &str = "undo";

/// Moves that people take back in a game. A bout cannot go back: it ends, and another one begins after the remaining
/// moves.
#[derive(Clone, Default)]
pub(super) struct TakenBack(Arc<Mutex<Undo>>);

#[derive(Default)]
struct Undo {
    /// Reason why nothing can be taken back.
    refused: Option<&'static str>,
    /// The remaining moves when a bout begins, without those of an opening.
    moves: Vec<(Side, String)>,
    asked: bool,
}

impl TakenBack {
    /// Creates it for a game in which nothing can be taken back, for this reason.
    pub(super) fn refused(reason: &'static str) -> Self {
        Self(Arc::new(Mutex::new(Undo { refused: Some(reason), ..Undo::default() })))
    }

    /// After a bout that was ended to take a move back, returns the remaining moves in the judge's notation.
    pub(super) fn take(&self) -> Option<Vec<String>> {
        let mut undo = self.lock();
        std::mem::take(&mut undo.asked).then(|| undo.moves.iter().map(|(_, m)| m.clone()).collect())
    }

    fn lock(&self) -> MutexGuard<'_, Undo> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A person who plays a game from its current position.
pub(super) struct HumanPlayer {
    state: Box<dyn GameState>,
    side: Side,
    helped: bool,
    /// True if it has ended the bout by resigning or taking a move back.
    stopped: bool,
    /// All moves since the game began, including those of earlier bouts.
    moves: Vec<(Side, String)>,
    taken_back: TakenBack,
    /// The lines that were read, for the arrow keys.
    lines: Vec<String>,
    /// What the rules have sent to this side since its last move, in a game with secrets.
    news: Vec<String>,
    game: Game,
    /// Created for the first hint.
    adviser: Option<Box<dyn TextEngine>>,
}

impl HumanPlayer {
    pub(super) fn new(game: Game, state: Box<dyn GameState>, taken_back: TakenBack) -> Self {
        let moves = taken_back.lock().moves.clone();
        let (helped, lines) = (!moves.is_empty(), Vec::new());
        let news = Vec::new();
        Self { state, side: Side::First, helped, stopped: false, moves, taken_back, lines, news, game, adviser: None }
    }

    /// Takes back its last move and everything after it, if possible.
    fn undo(&self) -> Result<(), &'static str> {
        let mut undo = self.taken_back.lock();
        if let Some(reason) = undo.refused {
            return Err(reason);
        }
        let own = |(side, _): &(Side, String)| *side == self.side;
        let last = self.moves.iter().rposition(own).ok_or("you have made no move")?;
        undo.moves = self.moves[..last].to_vec();
        undo.asked = true;
        Ok(())
    }

    /// Returns the move of the strongest built-in player here.
    fn hint(&mut self, limits: SearchLimits) -> Result<String, String> {
        let mut adviser = self.adviser.take().map_or_else(|| champion(self.game), Ok)?;
        let found = adviser.search(&self.state.position(), &Task::from(limits), &mut |_| {});
        self.adviser = Some(adviser);
        found?.map(|m| m.letters).ok_or_else(|| "the game is over".to_owned())
    }

    /// Plays a move in either notation, and returns it as the judge writes it.
    fn play(&mut self, text: &str) -> Result<String, String> {
        let played = self.state.read_any(text).and_then(|judged| self.state.answer(&judged));
        let judged = played.map_err(|error| error.to_string())?;
        self.moves.push((self.side, judged.clone()));
        Ok(judged)
    }

    fn ask(&mut self, prompt: &str) -> Result<String, String> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor: Editor<MoveHelper, DefaultHistory> =
            Editor::with_config(config).map_err(|error| error.to_string())?;
        editor.set_helper(Some(MoveHelper { moves: legal(self.state.as_ref()) }));
        for line in &self.lines {
            let _ = editor.add_history_entry(line);
        }
        match editor.readline(prompt) {
            Ok(line) => Ok(line.trim().to_owned()),
            Err(ReadlineError::Interrupted) => {
                process::interrupt();
                Err("broken off".to_owned())
            }
            Err(ReadlineError::Eof) => Ok(RESIGN.to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Gives a game up.
const RESIGN: &str = "resign";

fn legal(state: &dyn GameState) -> Vec<String> {
    let written = |judged: String| {
        let mut next = state.boxed_clone();
        let letters = next.answer(&judged).ok().and_then(|_| next.letters());
        letters.unwrap_or(judged)
    };
    let mut moves: Vec<String> = state.legal().into_iter().map(written).collect();
    moves.dedup();
    moves
}

impl Player for HumanPlayer {
    fn ready(&mut self, side: Side, preamble: &str) -> Result<(), String> {
        self.side = side;
        if self.state.has_secrets() {
            self.news.extend(preamble.lines().map(|line| line.trim_start_matches("INFO ").to_owned()));
        }
        Ok(())
    }

    /// The moves of a game with secrets arrive by none of the other methods.
    fn see(&mut self, state: &dyn GameState) {
        if state.has_secrets() {
            self.state = state.boxed_clone();
        }
    }

    fn inform(&mut self, line: &str) {
        self.news.push(line.to_owned());
    }

    fn choose(&mut self, own: TimeControl, _: TimeControl) -> Result<String, String> {
        let mut out = anstream::stdout();
        for line in self.news.drain(..) {
            let _ = writeln!(out, "{} {line}", paint(show::FAINT, "INFO"));
        }
        let view = if self.state.has_secrets() { self.state.view_of(self.side) } else { self.state.view() };
        let _ = write!(out, "{}", draw::board(&view));
        if !std::mem::replace(&mut self.helped, true) {
            let _ = writeln!(out, "{}", paint(show::FAINT, help(self.game)));
        }
        let seat = self.state.seats()[self.side.index()];
        let prompt = format!("{seat}, {}> ", show::time(own.left));
        loop {
            let line = self.ask(&prompt)?;
            match line.as_str() {
                "" => {}
                "?" => {
                    let moves = legal(self.state.as_ref());
                    let _ = writeln!(out, "{}", show::folded(&format!("{} legal   ", moves.len()), &moves.join("  ")));
                }
                HINT => {
                    let found = self.hint(SearchLimits::time(HINT_TIME));
                    let said = found.unwrap_or_else(|reason| format!("no hint: {reason}"));
                    let _ = writeln!(out, "{} {said}", paint(show::FAINT, "hint"));
                }
                RESIGN => {
                    self.stopped = true;
                    return Ok(line);
                }
                UNDO => match self.undo() {
                    Ok(()) => {
                        self.stopped = true;
                        return Ok(line);
                    }
                    Err(reason) => {
                        let _ = writeln!(out, "{} {reason}", paint(show::WARN, "no:"));
                    }
                },
                _ => match self.play(&line) {
                    Ok(judged) => {
                        self.lines.push(line);
                        return Ok(judged);
                    }
                    Err(reason) => {
                        let _ = writeln!(out, "{} {reason}", paint(show::WARN, "no:"));
                    }
                },
            }
        }
    }

    fn opponent(&mut self, arguments: &str) -> Result<(), String> {
        let judged = self.state.answer(arguments).map_err(|error| error.to_string())?;
        self.moves.push((self.side.other(), judged));
        Ok(())
    }

    fn has_resigned(&self) -> bool {
        self.stopped
    }
}

struct MoveHelper {
    moves: Vec<String>,
}

impl Completer for MoveHelper {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, completions(&self.moves, &line[..pos])))
    }
}

/// The moves that begin with the typed text, in either case.
fn completions(moves: &[String], typed: &str) -> Vec<String> {
    let typed = typed.trim_start();
    let begins = |m: &&String| m.get(..typed.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(typed));
    moves.iter().filter(begins).cloned().collect()
}

impl Hinter for MoveHelper {
    type Hint = String;
}

impl Highlighter for MoveHelper {}

impl Validator for MoveHelper {}

impl Helper for MoveHelper {}

/// A built-in player that answers a person quickly.
pub(super) struct Hurried(pub Box<dyn Player>);

impl Player for Hurried {
    fn ready(&mut self, side: Side, preamble: &str) -> Result<(), String> {
        self.0.ready(side, preamble)
    }

    fn see(&mut self, state: &dyn GameState) {
        self.0.see(state);
    }

    fn choose(&mut self, own: TimeControl, opponent: TimeControl) -> Result<String, String> {
        self.0.choose(TimeControl { left: own.left.min(HURRIED_CLOCK), ..own }, opponent)
    }

    fn opponent(&mut self, arguments: &str) -> Result<(), String> {
        self.0.opponent(arguments)
    }

    fn evaluation(&self) -> Option<Evaluation> {
        self.0.evaluation()
    }
}

#[cfg(test)]
mod tests {
    use agon_catalog::Setup;

    use super::*;

    #[test]
    fn moves_are_completed_as_people_write_them() {
        let state = Game::RENJU.initial_state(&Setup::default()).unwrap();
        let check = |typed: &str, wanted: &[&str]| {
            assert_eq!(completions(&legal(state.as_ref()), typed), wanted, "{typed}");
        };
        check("h", &["H8"]);
        check("", &["H8"]);
        check("a", &[]);
        let bacteria = legal(Game::BACTERIA.initial_state(&Setup::default()).unwrap().as_ref());
        assert!(bacteria.contains(&"a7b6".to_owned()) && bacteria.contains(&"a7c7".to_owned()), "{bacteria:?}");
        assert_eq!(completions(&bacteria, "A7C7"), ["a7c7"]);
    }

    fn person() -> HumanPlayer {
        let start = Game::RENJU.initial_state(&Setup::default()).unwrap();
        HumanPlayer::new(Game::RENJU, start, TakenBack::default())
    }

    #[test]
    fn a_person_takes_moves_back() {
        let mut player = person();
        assert_eq!(player.undo(), Err("you have made no move"));
        for (own, reply) in [("h8", "7 8"), ("7 9", "6 8")] {
            player.play(own).unwrap();
            player.opponent(reply).unwrap();
        }
        assert_eq!(player.undo(), Ok(()));
        let taken_back = player.taken_back.clone();
        assert_eq!(taken_back.take(), Some(vec!["8 8".to_owned(), "7 8".to_owned()]));
        assert_eq!(taken_back.take(), None, "only once");
        // The next bout begins there, and there is a way back.
        let next =
            HumanPlayer::new(Game::RENJU, Game::RENJU.initial_state(&Setup::default()).unwrap(), taken_back.clone());
        assert_eq!(next.undo(), Ok(()));
        assert_eq!(taken_back.take(), Some(Vec::new()));
        let refused = HumanPlayer { taken_back: TakenBack::refused("no way back"), ..player };
        assert_eq!(refused.undo(), Err("no way back"));
    }

    #[test]
    fn a_person_plays_in_either_notation() {
        let mut player = person();
        assert_eq!(player.play("h8"), Ok("8 8".to_owned()));
        player.opponent("7 8").unwrap();
        assert_eq!(player.play("H8"), Err("H8 (8,8) is taken by Black".to_owned()));
        assert_eq!(player.play("7 9"), Ok("7 9".to_owned()));
        assert!(player.opponent("7 9").is_err());
    }

    #[test]
    fn the_strongest_player_gives_hints() {
        let position = "15/15/15/15/15/15/6W1W6/4BBBB7/15/15/15/15/15/15/15 B 0 6";
        let mut player = HumanPlayer::new(Game::RENJU, Game::RENJU.state_at(position).unwrap(), TakenBack::default());
        for _ in 0..2 {
            let hint = player.hint(SearchLimits::nodes(1_000)).unwrap();
            assert!(["D8", "I8"].contains(&hint.as_str()), "{hint}");
        }
    }
}
