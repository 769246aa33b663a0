//! Checking the moves of a tree against the rules.

use agon_catalog::{Capability, Setup};
use agon_game::{GameState, Outcome, Position as _, SeatName, Side};
use agon_message::English;
use agon_rules::renju::{Move, Renju};

use super::error::{FileError, FileProblem, Place};
use super::point;
use super::result::{self, WonBy};
use super::sgf::{changed, is_game_info, is_setup, sets_up};
use super::tree::{FileRemark, GameTree, MoveCount, Note, TreeNode};

/// The most games that one is split into.
const MAX_SETUPS: usize = 100;

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
        state.map_err(|error| FileError::at(self.place, error))
    }

    /// Plays all moves by the rules, and rewrites each in the judge's notation. Illegal moves in variations are removed
    /// and returned, and so are moves after the end of the game. In renju, a stone on a point that is forbidden to
    /// Black stays, as the last of its line, because it loses. If the file does not say how the main line ended, the
    /// property RE is set.
    ///
    /// # Errors
    /// [`FileError`] when the main line is refused.
    pub fn check(&mut self) -> Result<Vec<Note>, FileError> {
        self.play(true).map(|(notes, _)| notes)
    }

    /// Like [`check`](Self::check), but illegal moves in the main line are removed and returned as well.
    ///
    /// # Errors
    /// [`FileError`] when the game cannot begin in the given way, or none of its moves is left.
    pub fn check_what_is_legal(&mut self) -> Result<Vec<Note>, FileError> {
        let (moves, unread) = (self.nodes.len(), self.unread());
        let (notes, refused) = self.play(false)?;
        let is_empty = self.nodes.iter().all(|node| node.made.is_none());
        match refused {
            Some(problem) if is_empty && moves > self.nodes.len() => {
                // An error of the rules names its move.
                let place = unread.filter(|unread| unread.problem == problem).and_then(|unread| unread.place);
                Err(FileError { place, problem })
            }
            _ => Ok(notes),
        }
    }

    /// Plays all moves. Returns the notes, and why the first move that is left out is refused.
    fn play(&mut self, is_strict: bool) -> Result<(Vec<Note>, Option<FileProblem>), FileError> {
        let (mut notes, mut refused) = (Vec::new(), None);
        let below = self.below();
        let mut gone = vec![false; self.nodes.len()];
        let mut main = vec![false; self.nodes.len()];
        for (number, node) in
            self.nodes.iter().enumerate().skip(1).take_while(|(number, node)| node.parent + 1 == *number)
        {
            main[number] = node.made.is_some() || node.problem.is_some();
        }
        // The states on the way to the node, each with its number.
        let mut way = vec![(0, Standing { state: self.start()?, plies: 0, lost: None })];
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
            let place = self.nodes[number].place;
            match self.step(number, &mut now) {
                Ok(note) => notes.extend(note.map(|remark| Note::remark(place, remark))),
                Err(Refused { problem, is_after_end, .. }) if !is_strict || !main[number] || is_after_end => {
                    gone[number] = true;
                    let moves = MoveCount::new(below[number]);
                    notes.push(Note::left_out(place, FileRemark::Refused { moves, problem: problem.clone() }));
                    refused.get_or_insert(problem);
                    continue;
                }
                Err(Refused { problem, place, .. }) => return Err(FileError { place, problem }),
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
        Ok((notes, refused))
    }

    /// Splits off games in which stones are set up: they start there, up to a limited number. Returns these, with
    /// remarks.
    pub fn split_setups(&mut self) -> (Vec<Self>, Vec<Note>) {
        let below = self.below();
        let mut gone = vec![false; self.nodes.len()];
        let (mut games, mut notes): (Vec<Self>, Vec<Note>) = (Vec::new(), Vec::new());
        // Target game of each node, and its number there.
        let mut places: Vec<Option<(usize, usize)>> = vec![None; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate().skip(1) {
            gone[number] = sets_up(node) || gone[node.parent];
            if sets_up(node) {
                let begun = if games.len() < MAX_SETUPS { self.begun_at(number).ok() } else { None };
                let Some(mut game) = begun else {
                    let moves = MoveCount::new(below[number]);
                    notes.push(Note::left_out(node.place, FileRemark::SetUpLater { moves }));
                    continue;
                };
                let made = node.made.clone();
                let at = if made.is_some() { game.push(0, made, node.place) } else { 0 };
                places[number] = Some((games.len(), at));
                games.push(game);
                if games.len() > 1 {
                    continue;
                }
                notes.push(Note::remark(node.place, FileRemark::SplitGame));
            } else if let Some((game, parent)) = places[node.parent] {
                let nodes = &mut games[game].nodes;
                places[number] = Some((game, nodes.len()));
                nodes.push(TreeNode { parent, ..node.clone() });
            }
        }
        self.remove(gone);
        (games, notes)
    }

    /// The game that begins where a node sets up stones, without its moves.
    fn begun_at(&self, number: usize) -> Result<Self, FileError> {
        let mut way = vec![number];
        while let Some(&at) = way.last().filter(|&&at| self.nodes[at].parent > 0) {
            way.push(self.nodes[at].parent);
        }
        let place = self.nodes[number].place;
        let mut state = self.start()?;
        for &at in way.iter().rev() {
            let node = &self.nodes[at];
            if sets_up(node) {
                let position = state.position().parse::<Renju>().map_err(|error| FileError::at(place, error))?;
                let position = changed(&position, node, None).map_err(|error| FileError::at(place, error))?;
                let changed = self.game.state_at(&position.to_string());
                state = changed.map_err(|error| FileError::at(place, error))?;
            }
            if let Some(made) = node.made.as_ref().filter(|_| at != number) {
                let answered = state.answer(&made.judged);
                answered.map_err(|error| FileError::at(place, FileProblem::rules(&error)))?;
            }
        }
        let mut game = Self::new(self.game, place);
        (game.number, game.position) = (self.number, Some(state.position()));
        let of_game = self.header().iter().filter(|property| is_game_info(&property.name) && property.name != "RE");
        let of_place = self.nodes[number].properties.iter().filter(|property| !is_setup(&property.name));
        game.nodes[0].properties = of_game.chain(of_place).cloned().collect();
        Ok(game)
    }

    /// Returns the number of moves from each node on, including its own.
    fn below(&self) -> Vec<usize> {
        let is_move = |node: &TreeNode| node.made.is_some() || node.problem.is_some();
        let mut below: Vec<usize> = self.nodes.iter().map(|node| usize::from(is_move(node))).collect();
        for number in (1..below.len()).rev() {
            below[self.nodes[number].parent] += below[number];
        }
        below
    }

    /// Applies a node. Returns why its move loses, if the rules forbid it.
    fn step(&mut self, number: usize, now: &mut Standing) -> Result<Option<FileRemark>, Refused> {
        let game = self.game;
        let node = &mut self.nodes[number];
        if number > 0 && sets_up(node) {
            let position = now.state.position().parse::<Renju>().map_err(|error| Refused::new(error.into()))?;
            let position = changed(&position, node, None).map_err(Refused::new)?;
            let changed = game.state_at(&position.to_string());
            now.state = changed.map_err(|error| Refused::new(error.into()))?;
        }
        let place = node.place;
        if let Some(problem) = &node.problem {
            return Err(Refused { place: Some(place), ..Refused::new(problem.clone()) });
        }
        let Some(made) = &mut node.made else { return Ok(None) };
        now.plies += 1;
        let shown = point::judged(&made.judged).filter(|_| game.can(Capability::GameFiles));
        let shown = shown.map_or_else(|| made.judged.clone(), Move::letters);
        let number = now.plies;
        let at = |problem: String| FileProblem::Move { number, shown: shown.clone(), problem: English(problem) };
        let Some(turn) = now.state.turn().filter(|_| now.lost.is_none()) else {
            return Err(Refused { is_after_end: true, ..Refused::new(at("the game is over".to_owned())) });
        };
        if turn != made.side {
            let seat = SeatName::from(now.state.seats()[made.side.index()]);
            return Err(Refused { place: Some(place), ..Refused::new(FileProblem::Turn { number, seat }) });
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
        let Some(why) = forbidden else { return Err(Refused::new(at(error.to_string()))) };
        now.lost = Some(turn);
        node.is_lost = true;
        Ok(Some(FileRemark::Forbidden { number, shown, why: English(why) }))
    }
}

/// The state of a line of play.
struct Standing {
    state: Box<dyn GameState>,
    plies: usize,
    /// Side that has lost by a forbidden move.
    lost: Option<Side>,
}

impl Standing {
    fn again(&self) -> Self {
        Self { state: self.state.boxed_clone(), plies: self.plies, lost: self.lost }
    }
}

/// Reason why a move is refused.
struct Refused {
    problem: FileProblem,
    /// The position in the file, if the text does not name the move.
    place: Option<Place>,
    /// True if the game had ended before it.
    is_after_end: bool,
}

impl Refused {
    const fn new(problem: FileProblem) -> Self {
        Self { problem, place: None, is_after_end: false }
    }
}

/// Returns why Black, to move, must not put this stone in this position of renju.
fn forbidden(state: &dyn GameState, judged: &str) -> Option<String> {
    let position: Renju = state.position().parse().ok()?;
    let stone = point::judged(judged)?.point().filter(|_| position.turn() == Side::First)?;
    let is_open = position.board().owner(stone).is_none();
    position.forbidden(stone).filter(|_| is_open).map(|reason| reason.to_string())
}
