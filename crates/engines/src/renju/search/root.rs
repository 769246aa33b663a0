//! The root: a win by fours or threats before anything else, then its moves in iterative deepening.

use agon_game::Side;
use agon_rules::renju::{Move, POINTS, Renju};
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::iterate::{AspirationWindow, PvLine, RootSearch, SearchResult};
use agon_search::value::{INFINITY, WIN, score};
use agon_search::{Info, Meter, SearchLimits, Stopped, Task};

use super::state::{Last, MAX_DEPTH, RenjuSearcher, RootMove, as_move, win_in};
use crate::renju::{Trait, threats};

/// Nodes that the searches for fours and for threats may visit at the root, if time allows.
const ROOT_NODES: u64 = 50_000;

/// Nodes of the searches for fours along a line that is reported: with no time left a move must not cost more than they
/// do.
const LINE_NODES: u64 = 1_000;

impl RootSearch for RenjuSearcher<'_> {
    type Move = Move;

    const MAX_DEPTH: i32 = MAX_DEPTH;

    fn meter(&self) -> &Meter {
        &self.meter
    }

    fn seldepth(&self) -> i32 {
        self.seldepth
    }

    fn hashfull(&self) -> u32 {
        self.tt.hashfull()
    }

    fn aspiration_delta(&self) -> i32 {
        self.tuning.aspiration_delta
    }

    /// Four times as wide with every failure, on the side that failed.
    fn widen(&self, (low, high): AspirationWindow, guess: i32, value: i32, failures: u32) -> AspirationWindow {
        let half = self.tuning.aspiration_delta << (2 * failures);
        let half = if half > MAX_EVALUATION { 2 * INFINITY } else { half };
        if value <= low { ((guess - half).max(-INFINITY), high) } else { (low, (guess + half).min(INFINITY)) }
    }

    /// Tries the root moves from place `rank` on, puts the best there, and returns its value.
    fn search_root(&mut self, rank: usize, (mut alpha, beta): AspirationWindow, depth: i32) -> Result<i32, Stopped> {
        let side = self.side;
        self.seldepth = self.seldepth.max(depth);
        let wide = 24.max(12 + 2 * depth as usize);
        let mut best = -WIN;
        for number in rank..self.root_moves.len() {
            // Moves that look bad are searched only if all that look good lose.
            if number >= rank + wide && best > -MAX_EVALUATION && self.root_moves[number].cell.is_some() {
                continue;
            }
            let cell = self.root_moves[number].cell;
            let value = match cell {
                // A PASS lets the other side end the game: it is searched only if that would be welcome.
                None if self.passed => 0,
                None if alpha >= 0 => continue,
                None => -self.node(side.other(), -beta, -alpha, depth - 1, 1, Last::Pass)?,
                Some(cell) => {
                    self.board.place(cell, side);
                    let found = self.search_root_move(side, cell, number > rank, (alpha, beta), depth);
                    self.board.take_back();
                    found?
                }
            };
            self.root_moves[number].value = value;
            best = best.max(value);
            if value > alpha || number == rank {
                alpha = alpha.max(value);
                let first = self.root_moves.remove(number);
                self.root_moves.insert(rank, first);
            }
            if value >= beta {
                break;
            }
        }
        Ok(best)
    }

    fn pv(&mut self, rank: usize, _value: i32) -> Option<PvLine<Move>> {
        let first = self.root_moves.get(rank)?.clone();
        Some(PvLine { moves: self.principal_variation(&first), value: first.value })
    }

    fn interrupted_pv(&mut self, _last: Option<&PvLine<Move>>) -> Option<PvLine<Move>> {
        self.pv(0, 0)
    }

    fn first_guess(&self) -> Option<Move> {
        self.root_moves.first().map(RootMove::as_move)
    }

    fn is_solved(&self, value: i32, depth: i32) -> bool {
        value.abs() > MAX_EVALUATION && (depth > 6 || value > 0)
    }

    fn time_scale(&self, _best: Move, stability: i32, fall: i32) -> f64 {
        (1.2 - 0.1 * f64::from(stability)).max(0.6) + f64::from(fall.clamp(0, 400)) / 400.0
    }
}

impl RenjuSearcher<'_> {
    /// Searches for an immediate win, by fours, or by threats.
    pub(super) fn forced_win(&mut self, task: &Task) -> Option<SearchResult<Move>> {
        let line = self.winning_line(task)?;
        let value = win_in(line.len() as i32);
        Some(SearchResult { line: line.into_iter().map(as_move).collect(), value, depth: 1, nodes: self.meter.nodes() })
    }

    /// The report of such a win.
    pub(super) fn info(&self, found: &SearchResult<Move>) -> Info<Move> {
        Info {
            depth: found.depth,
            seldepth: found.depth,
            multipv: 1,
            score: score(found.value),
            nodes: found.nodes,
            hashfull: Some(self.hashfull()),
            elapsed: self.meter.elapsed(),
            pv: found.line.clone(),
        }
    }

    /// Finds its line, with at most a quarter of the task's limits.
    fn winning_line(&mut self, task: &Task) -> Option<Vec<u8>> {
        let side = self.side;
        let (board, search, skill) = (&mut self.board, &mut *self.search, self.skill);
        if let Some(five) = board.having(side, Trait::Five).first() {
            return Some(vec![five]);
        }
        let time = task.limits.soft.or(task.limits.time).map(|time| time / 4);
        let nodes = |price: u64| task.limits.nodes.map_or(ROOT_NODES, |nodes| (nodes / 4 / price).min(ROOT_NODES));
        let limits = |nodes| SearchLimits { time, nodes: Some(nodes), ..SearchLimits::default() };
        let meter = |nodes| Meter::new(limits(nodes)).stopped_by(task.stop.clone());
        let by_fours = search.fours.wins_within(board, side, meter(nodes(1).min(skill.fours)));
        self.meter.add(search.fours.nodes());
        search.stats.root_nodes += search.fours.nodes();
        if by_fours == Ok(true) {
            return Some(search.fours.line().collect());
        }
        if !skill.threats {
            return None;
        }
        let by_threats = search.threats.wins_within(board, side, meter(nodes(threats::FOURS)));
        self.meter.add(search.threats.all_nodes());
        search.stats.root_nodes += search.threats.all_nodes();
        if by_threats != Ok(Some(true)) {
            return None;
        }
        search.threats.line(board, limits(ROOT_NODES)).ok()
    }

    /// Orders the moves of the root: only relevant defences if there is a threat.
    pub(super) fn list_root(&mut self, position: &Renju) {
        let side = self.side;
        let fives = self.board.having(side.other(), Trait::Five);
        let defences = if fives.is_empty() { self.defences(side).unwrap_or(None) } else { Some(fives) };
        let mut cells: Vec<u8> = self.candidates(side, defences, Last::NullMove, None).collect();
        cells.retain(|&cell| self.board.may_play(side, cell));
        self.root_moves = cells.into_iter().map(|cell| RootMove { cell: Some(cell), value: -WIN }).collect();
        if position.may_pass() {
            self.root_moves.push(RootMove { cell: None, value: -WIN });
        }
    }

    fn search_root_move(
        &mut self,
        side: Side,
        cell: u8,
        narrow: bool,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) -> Result<i32, Stopped> {
        let (other, last) = (side.other(), Last::Stone { cell, calm: false });
        if narrow {
            self.stack[1].cut_node = true;
            let value = -self.node(other, -alpha - 1, -alpha, depth - 1, 1, last)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        self.stack[1].cut_node = false;
        Ok(-self.node(other, -beta, -alpha, depth - 1, 1, last)?)
    }

    /// The line that begins with a move, followed through the table; a win by fours to its end.
    fn principal_variation(&mut self, first: &RootMove) -> Vec<Move> {
        let Some(cell) = first.cell else { return vec![Move::Pass] };
        let mut line = vec![as_move(cell)];
        self.board.place(cell, self.side);
        let (mut placed, mut side, mut nodes) = (1, self.side.other(), LINE_NODES);
        while placed < MAX_DEPTH {
            if !self.board.having(side.other(), Trait::Five).is_empty()
                && self.board.having(side, Trait::Five).is_empty()
            {
                let block =
                    self.board.having(side.other(), Trait::Five).iter().find(|&cell| self.board.may_play(side, cell));
                let Some(block) = block else { break };
                line.push(as_move(block));
                self.board.place(block, side);
            } else if self.line_wins(side, &mut nodes) {
                line.extend(self.search.fours.line().map(as_move));
                break;
            } else {
                let tt_move = self.tt.probe(self.key(side, false)).map(|entry| entry.best_move);
                let Some(cell) = tt_move.and_then(|m| m.checked_sub(1)).and_then(|cell| u8::try_from(cell).ok()) else {
                    break;
                };
                if usize::from(cell) >= POINTS || !self.board.is_open(cell) || !self.board.may_play(side, cell) {
                    break;
                }
                line.push(as_move(cell));
                self.board.place(cell, side);
            }
            placed += 1;
            side = side.other();
        }
        for _ in 0..placed {
            self.board.take_back();
        }
        line
    }

    /// Returns true if a side, to move, wins by fours, within the nodes left for a line.
    fn line_wins(&mut self, side: Side, left: &mut u64) -> bool {
        let most = (self.tuning.fours_nodes as u64).min(*left);
        let won = self.search.fours.wins(&mut self.board, side, SearchLimits::nodes(most));
        *left -= self.search.fours.nodes().min(*left);
        won == Ok(true)
    }
}
