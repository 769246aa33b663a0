//! What the rules say of the moves of a tree.

use agon_catalog::{Capability, Setup};
use agon_game::{GameState, Outcome, Position as _, Side};
use agon_rules::renju::sgf::WonBy;
use agon_rules::renju::{Move, Renju};

use super::error::FileError;
use super::sgf::{changed, sets_up};
use super::tree::{GameTree, Note, TreeNode};
use super::{point, result};

impl GameTree {
    /// The game before its first move.
    ///
    /// # Errors
    /// [`FileError`] when it cannot begin so.
    pub fn start(&self) -> Result<Box<dyn GameState>, FileError> {
        let state = match &self.position {
            Some(position) => self.game.state_at(position),
            None => self.game.initial_state(&Setup { seed: self.seed, parameters: self.parameters.clone() }),
        };
        state.map_err(|error| FileError::at(self.line, error.to_string()))
    }

    /// Plays all moves by the rules, and writes each as the judge does. What they refuse in a variation is removed and
    /// returned, and so is what follows the end of the game. Of renju a stone on a point that is forbidden to Black
    /// stays, as the last of its line: by it Black has lost. Where the file does not say how the main line ended, the
    /// property RE does afterwards.
    ///
    /// # Errors
    /// [`FileError`] when the main line is refused.
    pub fn check(&mut self) -> Result<Vec<Note>, FileError> {
        self.play(true)
    }

    /// As [`check`](Self::check), but of the main line, too, what the rules refuse is removed and returned.
    ///
    /// # Errors
    /// [`FileError`] when the game cannot begin as it says, or no move of it is left.
    pub fn check_what_is_legal(&mut self) -> Result<Vec<Note>, FileError> {
        let moves = self.nodes.len();
        let notes = self.play(false)?;
        let is_empty = self.nodes.iter().all(|node| node.made.is_none());
        match notes.iter().find(|note| note.is_left_out) {
            Some(note) if is_empty && moves > self.nodes.len() => {
                let (_, why) = note.text.split_once(": ").unwrap_or(("", &note.text));
                Err(FileError::whole(why.to_owned()))
            }
            _ => Ok(notes),
        }
    }

    fn play(&mut self, is_strict: bool) -> Result<Vec<Note>, FileError> {
        let mut notes = Vec::new();
        let below = self.below();
        let mut gone = vec![false; self.nodes.len()];
        let mut main = vec![false; self.nodes.len()];
        for (number, node) in
            self.nodes.iter().enumerate().skip(1).take_while(|(number, node)| node.parent + 1 == *number)
        {
            main[number] = node.made.is_some() || node.problem.is_some();
        }
        // The states on the way to the node, each with its number.
        let mut way = vec![(0, Place { state: self.start()?, plies: 0, lost: None })];
        let mut end = None;
        for number in 0..self.nodes.len() {
            let parent = self.nodes[number].parent;
            if number > 0 && gone[parent] {
                gone[number] = true;
                continue;
            }
            while number > 0 && way.last().is_some_and(|&(at, _)| at != parent) {
                way.pop();
            }
            let Some((_, before)) = way.last() else { break };
            let mut now = before.again();
            let line = self.nodes[number].line;
            match self.step(number, &mut now) {
                Ok(note) => notes.extend(note.map(|text| Note::remark(line, text))),
                Err(Refused { text, is_after_end, .. }) if !is_strict || !main[number] || is_after_end => {
                    gone[number] = true;
                    let lost =
                        if below[number] == 1 { "1 move".to_owned() } else { format!("{} moves", below[number]) };
                    notes.push(Note::left_out(line, format!("{lost} from here on: {text}")));
                    continue;
                }
                Err(Refused { text, line, .. }) => return Err(FileError { line, problem: text }),
            }
            if main[number] {
                let ending = now.state.ending().map(|ending| ending.outcome);
                end = match now.lost {
                    Some(side) => Some((Outcome::Win(side.other()), WonBy::Forfeit)),
                    None => ending.map(|outcome| (outcome, WonBy::Rules)),
                };
            }
            if number == 0 {
                way.clear();
            }
            way.push((number, now));
        }
        self.remove(gone);
        if let Some((outcome, won_by)) = end.filter(|_| self.result().is_none()) {
            self.set_plain(0, "RE", &result::write(outcome, won_by));
        }
        Ok(notes)
    }

    /// Removes what follows where stones are set up within the game. Returns what that was.
    pub fn remove_setups(&mut self) -> Vec<Note> {
        let below = self.below();
        let gone: Vec<bool> = self.nodes.iter().zip(0..).map(|(node, number)| number > 0 && sets_up(node)).collect();
        let first = gone.iter().enumerate().filter(|&(number, &is_gone)| is_gone && !gone[self.nodes[number].parent]);
        let note = |(number, _): (usize, &bool)| {
            let text = format!("stones that are set up within the game, and {} moves from there on", below[number]);
            Note::left_out(self.nodes[number].line, text)
        };
        let notes = first.map(note).collect();
        self.remove(gone);
        notes
    }

    /// How many moves there are from each node on, its own among them.
    fn below(&self) -> Vec<usize> {
        let is_move = |node: &TreeNode| node.made.is_some() || node.problem.is_some();
        let mut below: Vec<usize> = self.nodes.iter().map(|node| usize::from(is_move(node))).collect();
        for number in (1..below.len()).rev() {
            below[self.nodes[number].parent] += below[number];
        }
        below
    }

    /// Plays what a node says. Returns why its move loses, if it is one that the rules forbid.
    fn step(&mut self, number: usize, now: &mut Place) -> Result<Option<String>, Refused> {
        let game = self.game;
        let node = &mut self.nodes[number];
        if number > 0 && sets_up(node) {
            let position = now.state.position().parse::<Renju>().map_err(|error| Refused::new(error.to_string()))?;
            let position = changed(&position, node, None).map_err(Refused::new)?;
            now.state = game.state_at(&position.to_string()).map_err(|error| Refused::new(error.to_string()))?;
        }
        let line = node.line;
        if let Some(problem) = &node.problem {
            return Err(Refused { line: Some(line), ..Refused::new(problem.clone()) });
        }
        let Some(made) = &mut node.made else { return Ok(None) };
        now.plies += 1;
        let shown = point::judged(&made.judged).filter(|_| game.can(Capability::GameFiles));
        let shown = shown.map_or_else(|| made.judged.clone(), Move::letters);
        let at = |problem: &dyn ToString| format!("move {}, {shown}: {}", now.plies, problem.to_string());
        let Some(turn) = now.state.turn().filter(|_| now.lost.is_none()) else {
            return Err(Refused { is_after_end: true, ..Refused::new(at(&"the game is over")) });
        };
        if turn != made.side {
            let seat = now.state.seats()[made.side.index()];
            return Err(Refused::new(format!("line {line}: move {} is not {seat}'s", now.plies)));
        }
        let arguments = now.state.read_any(&made.judged);
        let error = match arguments.and_then(|arguments| now.state.answer(&arguments)) {
            Ok(judged) => {
                made.judged = judged;
                return Ok(None);
            }
            Err(error) => error,
        };
        let forbidden = forbidden(now.state.as_ref(), &made.judged).filter(|_| game.can(Capability::ForbiddenPoints));
        let Some(why) = forbidden else { return Err(Refused::new(at(&error))) };
        now.lost = Some(turn);
        node.is_lost = true;
        Ok(Some(format!("move {}, {shown}, is forbidden ({why}): Black loses by it", now.plies)))
    }
}

/// Where a line of play stands.
struct Place {
    state: Box<dyn GameState>,
    plies: usize,
    /// Who has lost by a move that the rules forbid.
    lost: Option<Side>,
}

impl Place {
    fn again(&self) -> Self {
        Self { state: self.state.boxed_clone(), plies: self.plies, lost: self.lost }
    }
}

/// Why a move is refused.
struct Refused {
    text: String,
    /// The line of the file, where the text does not name the move.
    line: Option<usize>,
    /// Whether the game had ended before it.
    is_after_end: bool,
}

impl Refused {
    fn new(text: String) -> Self {
        Self { text, line: None, is_after_end: false }
    }
}

/// Why Black, to move, must not put this stone in this position of renju.
fn forbidden(state: &dyn GameState, judged: &str) -> Option<String> {
    let position: Renju = state.position().parse().ok()?;
    let stone = point::judged(judged)?.point().filter(|_| position.turn() == Side::First)?;
    let is_open = position.board().owner(stone).is_none();
    position.forbidden(stone).filter(|_| is_open).map(|reason| reason.to_string())
}
