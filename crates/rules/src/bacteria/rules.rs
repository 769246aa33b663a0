//! The rules, as the traits of positions.

use std::sync::Arc;

use agon_game::alternating::POSITION;
use agon_game::{Cell, GameScore, Gauge, GridStyle, MoveError, Observer, Outcome, Position, Show, Side, View};
use agon_message::{Reason, messages};

use super::board::{CELLS, Cells, WIDTH, bit, neighbours, ring};
use super::position::{Bacteria, PLY_LIMIT, TURN_KEY, cell_key, computed_hash, infection_key};
use super::{BacteriaNotation, Move, notation, perft};

impl Position for Bacteria {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn ply(&self) -> u32 {
        u32::from(self.ply)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| {
            let [first, second] = self.counts();
            Outcome::by_score(first, second)
        })
    }

    /// Lists divisions in the order of their destinations, each once and from the lowest-numbered of its sources; then
    /// leaps in the order of their sources and destinations.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let own = self.own();
        self.list(moves, |to| {
            let sources = neighbours(to) & own;
            Cells(sources & sources.wrapping_neg())
        });
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move, observer: &mut impl Observer) {
        let mover = self.turn();
        let opponent = mover.other();
        self.ply = self.ply.wrapping_add(1);
        self.clock = self.clock.saturating_add(1);
        self.hash ^= TURN_KEY;
        if m.is_pass() {
            return;
        }
        let (from, to) = (m.from(), m.to());
        let mut own = self.cells(mover);
        if bit(to) & ring(from) == 0 {
            self.clock = 0;
        } else {
            own &= !bit(from);
            self.hash ^= cell_key(mover, from);
            observer.change(from, Some(mover), None);
        }
        self.hash ^= cell_key(mover, to);
        observer.change(to, None, Some(mover));
        let infected = neighbours(to) & self.cells(opponent);
        for cell in Cells(infected) {
            self.hash ^= infection_key(cell);
            observer.change(cell, Some(opponent), Some(mover));
        }
        self.cells[mover.index()] = own | bit(to) | infected;
        self.cells[opponent.index()] ^= infected;
    }

    fn is_legal(&self, m: Move) -> bool {
        if self.is_over() {
            return false;
        }
        if m.is_pass() {
            return self.within_two() == 0;
        }
        let (from, to) = (m.from(), m.to());
        bit(from) & self.own() != 0 && bit(to) & self.empty() & (neighbours(from) | ring(from)) != 0
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::read_move(self, text)
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn computed_hash(&self) -> u64 {
        computed_hash(self.cells, self.turn())
    }

    fn count_moves(&self) -> u64 {
        self.perft(1)
    }

    fn perft(&self, depth: u32) -> u64 {
        // No line ends beyond the limit, and no shorter one ever meets it: asking here spares asking at every node.
        if depth > 0 && self.ply().saturating_add(depth) > u32::from(PLY_LIMIT) {
            return 0;
        }
        perft::lines(self.own(), self.cells(self.turn().other()), depth)
    }
}

impl Show for Bacteria {
    const SEATS: [&'static str; 2] = ["O", "X"];
    const POSITION_NOTE: Option<&'static str> = Some("in the FEN, x is O and o is X");

    /// Returns the position of a game that does not begin at the start, for programs that know such lines.
    fn preamble(&self) -> String {
        if *self == Self::start() { String::new() } else { format!("{POSITION} {self}\n") }
    }

    fn score(&self) -> Option<[GameScore; 2]> {
        Some(self.counts().map(GameScore::from))
    }

    /// Lists a division with each of its sources.
    fn accepted_moves(&self, moves: &mut Vec<Move>) {
        self.all_sources(moves);
    }

    fn written() -> Reason {
        Arc::new(BacteriaNotation::Written)
    }

    fn letters(m: Move) -> String {
        notation::write_letters(m)
    }

    fn read_letters(&self, text: &str) -> Option<Move> {
        notation::read_letters(self, text)
    }

    fn exchanged(m: Move) -> String {
        notation::write_uai(m)
    }

    fn end_reason(&self) -> Option<Reason> {
        Some(Arc::new(match self.counts() {
            [0, 0] => BacteriaEnding::BothVanished,
            [0, _] => BacteriaEnding::FirstVanished,
            [_, 0] => BacteriaEnding::SecondVanished,
            _ if self.empty() == 0 => BacteriaEnding::Full,
            _ if self.ply >= PLY_LIMIT => BacteriaEnding::LastTurn,
            _ => return None,
        }))
    }

    fn view(&self) -> View {
        let cells = (0..CELLS).map(|cell| {
            let owner = Side::BOTH.into_iter().find(|&side| self.cells(side) & bit(cell) != 0);
            let glyph = match owner {
                Some(Side::First) => 'O',
                Some(Side::Second) => 'X',
                None => '.',
            };
            Cell { owner, glyph, ..Cell::default() }
        });
        View {
            seats: Self::SEATS,
            rows: WIDTH,
            columns: WIDTH,
            origin: 1,
            first_letter: Some('a'),
            grid: GridStyle::Squares,
            cells: cells.collect(),
            gauges: vec![Gauge { name: "cells", amounts: self.counts().map(GameScore::from) }],
            ..View::default()
        }
    }
}

messages! {
    /// Why a game is over.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum BacteriaEnding {
        /// A draw, which no move can make.
        BothVanished = "both kinds have vanished",
        /// X is left.
        FirstVanished = "O has vanished",
        /// O is left.
        SecondVanished = "X has vanished",
        /// The board is full.
        Full = "no empty cell is left",
        /// The maximum number of turns was reached.
        LastTurn = "both sides have acted 200 times",
    }
}
