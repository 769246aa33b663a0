//! Victory by continuous threats (VCT): every stone makes a four or a three, and the attack continues whatever the
//! other side does. It is a tree, because a four has one answer but a three has several. The tree is searched depth
//! first by proof numbers (df-pn; A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications", 2002),
//! which suits trees with both forced and unforced branches.
//!
//! # More than fours and threes
//! [`Threats::widen`] makes it try every stone that threatens a win by fours, as the last module defines for a three:
//! even one that only makes twos may do so, where they meet. This finds wins that no order of fours and threes
//! achieves.
//!
//! # Which answers matter
//! A three is a threat because its side would win by fours if the other side did nothing (T. Thomsen's λ² of λ-search,
//! "Lambda Search in Game Trees", 2000; the fours are λ¹). That win is a line: fours *aᵢ* and their only answers *dᵢ*.
//! A defence *d* has no effect, and need not be searched, unless
//!
//! - it lies on a point of that line, or on one where a five of it would be;
//! - or it helps to a four of the defender's own: then there is a moment of the line at which *d* would be a four or
//!   more (or an overline or a double four of Black's). Those points are collected as the line is played;
//! - or it changes what is forbidden to Black. A white stone cannot make a three or a four of Black's, so it matters
//!   only where one of Black's *aᵢ* makes two threes and article 9.3 decides; a black stone, only where White's line
//!   ends on a forbidden point. In these two cases every point is looked at.

use agon_game::Side;
use agon_rules::renju::PointSet;
use agon_search::{Meter, ProofTable, SearchLimits, Stopped};

use super::fours::{PASS, SIDE_KEYS};
use super::{Fours, PatternBoard, Trait};

/// Bytes of the table of proof numbers, at most.
pub const TABLE_BYTES: usize = 64 << 20;

/// Nodes that one search for fours may visit: nearly all need fewer, and one that does not must not hold up the rest.
const FOUR_NODES: u64 = 2_000;

/// About how many nodes of its searches for fours come with a node, so that a clock of nodes of all kinds can be
/// shared.
pub const FOURS: u64 = 20;

/// Estimated number of leaves to prove for a quiet stone, where a four has 1 and a three 2.
const QUIET_PROOF: u32 = 4;

/// A number of leaves that is as good as infinite; 24 bits.
const INFINITE: u32 = (1 << 24) - 1;

/// Proof and disproof number of a node: how many leaves must at least be proved, or disproved, to decide it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ProofNumbers {
    proof: u32,
    disproof: u32,
}

impl ProofNumbers {
    const PROVED: Self = Self { proof: 0, disproof: INFINITE };
    const DISPROVED: Self = Self { proof: INFINITE, disproof: 0 };

    const fn word(self) -> u64 {
        (self.proof as u64) << 24 | self.disproof as u64
    }

    const fn from_word(word: u64) -> Self {
        Self { proof: (word >> 24) as u32 & INFINITE, disproof: word as u32 & INFINITE }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mover {
    /// The attacker: one good move is enough.
    Attacker,
    /// The defender: every move must fail.
    Defender,
}

/// A move and the known result of the position after it.
#[derive(Clone, Copy)]
struct ThreatMove {
    cell: u8,
    numbers: ProofNumbers,
}

/// A node once its moves are generated.
enum Expanded {
    Known(ProofNumbers),
    Children(Vec<ThreatMove>),
}

/// The search for wins by threats, with its table.
#[derive(Clone, Debug)]
pub struct Threats {
    table: ProofTable,
    fours: Fours,
    meter: Meter,
    /// Nodes of the searches for fours since the search began.
    four_nodes: u64,
    side: Side,
    /// True if a search for fours was abandoned: a position without a proof is then not disproved.
    unsure: bool,
    /// True if every stone that threatens a win by fours is tried, not only fours and threes.
    wide: bool,
}

impl Threats {
    /// A search whose tables take at most `bytes`, a third of them for fours.
    pub fn new(table_bytes: usize) -> Self {
        Self {
            table: ProofTable::new(table_bytes / 3 * 2),
            fours: Fours::new(table_bytes / 3),
            meter: Meter::new(SearchLimits::default()),
            four_nodes: 0,
            side: Side::First,
            unsure: false,
            wide: false,
        }
    }

    /// Selects whether to try every stone that threatens a win by fours, or only those that make a four or a three.
    /// Proofs of either search are wins; the wide one is slower.
    pub const fn widen(&mut self, wide: bool) {
        self.wide = wide;
    }

    /// The most bytes that its tables grow to.
    pub const fn max_bytes(&self) -> usize {
        self.table.max_bytes() + self.fours.max_bytes()
    }

    /// Returns whether `side`, to move, wins by threats: `Some(false)` if no order of fours and threes wins, `None` if
    /// undecided. The board is restored.
    ///
    /// # Errors
    /// [`Stopped`] when a limit was reached before that was known.
    pub fn wins(
        &mut self,
        board: &mut PatternBoard,
        side: Side,
        limits: SearchLimits,
    ) -> Result<Option<bool>, Stopped> {
        self.wins_within(board, side, Meter::new(limits))
    }

    /// The same as part of another search, with its meter.
    ///
    /// # Errors
    /// See [`Threats::wins`].
    pub fn wins_within(&mut self, board: &mut PatternBoard, side: Side, meter: Meter) -> Result<Option<bool>, Stopped> {
        self.meter = meter;
        (self.side, self.unsure, self.four_nodes) = (side, false, 0);
        let numbers = self.prove(board, Mover::Attacker)?;
        Ok(if numbers.proof == 0 { Some(true) } else { (!self.unsure).then_some(false) })
    }

    /// Returns a move with which `side`, to move, wins by threats or immediately, if there is one.
    ///
    /// # Errors
    /// [`Stopped`] when a limit was reached before that was known.
    pub fn winning_move(
        &mut self,
        board: &mut PatternBoard,
        side: Side,
        limits: SearchLimits,
    ) -> Result<Option<u8>, Stopped> {
        if self.wins(board, side, limits)? != Some(true) {
            return Ok(None);
        }
        if self.wins_by_fours(board)? { Ok(self.fours.line().next()) } else { self.proved_move(board).map(Some) }
    }

    /// Nodes that the last search visited, those of the searches for fours not counted.
    pub const fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// Returns the same, including the searches for fours.
    pub const fn all_nodes(&self) -> u64 {
        self.meter.nodes() + self.four_nodes
    }

    /// The search for fours that this one uses.
    pub const fn fours(&mut self) -> &mut Fours {
        &mut self.fours
    }

    /// Returns a line of the win that [`Threats::wins`] has just found, with an answer to each threat that took long to
    /// refute; [`PASS`] if Black has no legal answer.
    ///
    /// # Errors
    /// [`Stopped`] when the tables have forgotten too much to find it again within the limits.
    pub fn line(&mut self, board: &mut PatternBoard, limits: SearchLimits) -> Result<Vec<u8>, Stopped> {
        self.meter = Meter::new(limits);
        let (mut line, mut placed) = (Vec::new(), 0);
        let walked = self.walk(board, &mut line, &mut placed);
        for _ in 0..placed {
            board.take_back();
        }
        walked.map(|()| line)
    }

    /// Plays on from a proved position, and counts the stones that it places.
    fn walk(&mut self, board: &mut PatternBoard, line: &mut Vec<u8>, placed: &mut usize) -> Result<(), Stopped> {
        let mut place = |board: &mut PatternBoard, line: &mut Vec<u8>, cell: u8, side: Side| {
            board.place(cell, side);
            line.push(cell);
            *placed += 1;
        };
        while !self.wins_by_fours(board)? {
            let cell = self.proved_move(board)?;
            place(board, line, cell, self.side);
            let Expanded::Children(children) = self.expand(board, Mover::Defender)? else {
                // Every answer loses by fours: it may as well pass.
                line.push(PASS);
                if self.wins_by_fours(board)? {
                    line.extend(self.fours.line());
                }
                return Ok(());
            };
            let hardest = children.iter().max_by_key(|child| {
                self.table.probe(self.child_key(board, Mover::Defender, child.cell)).map_or(0, |word| word >> 56)
            });
            let Some(child) = hardest else { return Ok(()) };
            place(board, line, child.cell, self.side.other());
        }
        line.extend(self.fours.line());
        Ok(())
    }

    /// A move of the attacker's that is proved to win.
    fn proved_move(&mut self, board: &mut PatternBoard) -> Result<u8, Stopped> {
        loop {
            let Expanded::Children(children) = self.expand(board, Mover::Attacker)? else { return Err(Stopped) };
            if let Some(child) = children.iter().find(|child| child.numbers.proof == 0) {
                return Ok(child.cell);
            }
            if self.prove(board, Mover::Attacker)?.proof != 0 {
                return Err(Stopped);
            }
            // After another proof, the move is in the table, unless the table is far too small.
            self.meter.node()?;
        }
    }

    fn prove(&mut self, board: &mut PatternBoard, mover: Mover) -> Result<ProofNumbers, Stopped> {
        self.search(board, mover, ProofNumbers { proof: INFINITE, disproof: INFINITE })
    }

    /// Searches a node until its numbers reach one of the bounds.
    fn search(
        &mut self,
        board: &mut PatternBoard,
        mover: Mover,
        bounds: ProofNumbers,
    ) -> Result<ProofNumbers, Stopped> {
        self.meter.node()?;
        let before = self.meter.nodes();
        let key = self.key(board, mover);
        let mut children = match self.expand(board, mover)? {
            Expanded::Known(numbers) => {
                self.remember(key, numbers, before);
                return Ok(numbers);
            }
            Expanded::Children(children) => children,
        };
        loop {
            let (numbers, chosen, second) = choose(mover, &children);
            if numbers.proof >= bounds.proof
                || numbers.disproof >= bounds.disproof
                || numbers.proof == 0
                || numbers.disproof == 0
            {
                self.remember(key, numbers, before);
                return Ok(numbers);
            }
            let child = children[chosen];
            // A little more than the second best, so that the search does not jump to and fro.
            let beyond = second.saturating_add(1 + second / 4);
            let inner = match mover {
                Mover::Attacker => ProofNumbers {
                    proof: bounds.proof.min(beyond),
                    disproof: rest(bounds.disproof, numbers.disproof, child.numbers.disproof),
                },
                Mover::Defender => ProofNumbers {
                    proof: rest(bounds.proof, numbers.proof, child.numbers.proof),
                    disproof: bounds.disproof.min(beyond),
                },
            };
            let (side, next) = match mover {
                Mover::Attacker => (self.side, Mover::Defender),
                Mover::Defender => (self.side.other(), Mover::Attacker),
            };
            board.place(child.cell, side);
            let found = self.search(board, next, inner);
            board.take_back();
            children[chosen].numbers = found?;
        }
    }

    fn expand(&mut self, board: &mut PatternBoard, mover: Mover) -> Result<Expanded, Stopped> {
        match mover {
            Mover::Attacker => self.expand_attack(board),
            Mover::Defender => self.expand_defence(board),
        }
    }

    /// The attacker's threats; proved at once if it wins by fours.
    fn expand_attack(&mut self, board: &mut PatternBoard) -> Result<Expanded, Stopped> {
        let (side, other) = (self.side, self.side.other());
        if self.wins_by_fours(board)? {
            return Ok(Expanded::Known(ProofNumbers::PROVED));
        }
        let fives = board.having(other, Trait::Five);
        let moves = match (fives.first(), fives.len()) {
            // The previous threat may remain after this one is stopped: this shows when the other side is to move.
            (Some(block), 1) => [block].into_iter().collect(),
            (None, _) => board.having(side, Trait::Four).or(board.having(side, Trait::Three)),
            _ => PointSet::EMPTY,
        };
        // Whether a quiet stone threatens anything is determined when it is tried, by a search for the defence.
        let quiet = self.wide && fives.is_empty();
        let moves = if quiet { moves.or(board.having(side, Trait::Quiet)) } else { moves };
        let mut children = Vec::with_capacity(moves.len() as usize);
        for cell in moves.iter() {
            if !board.may_play(side, cell) {
                continue;
            }
            let class = board.class(side, cell);
            let proof = if class.has(Trait::Four) {
                1
            } else if class.has(Trait::Three) {
                2
            } else {
                QUIET_PROOF
            };
            children.push(self.child(board, Mover::Attacker, cell, ProofNumbers { proof, disproof: 1 }));
        }
        Ok(if children.is_empty() { Expanded::Known(ProofNumbers::DISPROVED) } else { Expanded::Children(children) })
    }

    /// The defences that do not lose at once to fours; see the module's text for which are looked at.
    fn expand_defence(&mut self, board: &mut PatternBoard) -> Result<Expanded, Stopped> {
        let (side, other) = (self.side, self.side.other());
        if !board.having(other, Trait::Five).is_empty() {
            return Ok(Expanded::Known(ProofNumbers::DISPROVED));
        }
        let fives = board.having(side, Trait::Five);
        if let Some(five) = fives.first() {
            if fives.len() > 1 || !board.may_play(other, five) {
                return Ok(Expanded::Known(ProofNumbers::PROVED));
            }
            let guess = ProofNumbers { proof: 1, disproof: 1 };
            return Ok(Expanded::Children(vec![self.child(board, Mover::Defender, five, guess)]));
        }
        if !self.wins_by_fours(board)? {
            return Ok(Expanded::Known(ProofNumbers::DISPROVED));
        }
        let line: Vec<u8> = self.fours.line().collect();
        let defences = relevant(board, side, &line);
        let mut children = Vec::new();
        for cell in defences.iter() {
            if !board.may_play(other, cell) {
                continue;
            }
            board.place(cell, other);
            let fails = self.wins_by_fours(board);
            board.take_back();
            if !fails? {
                let guess = ProofNumbers { proof: 1, disproof: 1 };
                let child = self.child(board, Mover::Defender, cell, guess);
                if child.numbers == ProofNumbers::DISPROVED {
                    return Ok(Expanded::Known(ProofNumbers::DISPROVED));
                }
                children.push(child);
            }
        }
        Ok(if children.is_empty() { Expanded::Known(ProofNumbers::PROVED) } else { Expanded::Children(children) })
    }

    /// Returns true if the attacker, to move, wins by fours, within one search for them.
    fn wins_by_fours(&mut self, board: &mut PatternBoard) -> Result<bool, Stopped> {
        let found = self.fours.wins_within(board, self.side, self.meter.within(FOUR_NODES));
        self.four_nodes += self.fours.nodes();
        if found.is_err() {
            // A search that ran out of time must not be stored as a failure.
            if self.meter.is_late() {
                return Err(Stopped);
            }
            self.unsure = true;
        }
        Ok(found == Ok(true))
    }

    fn child(&self, board: &mut PatternBoard, mover: Mover, cell: u8, guess: ProofNumbers) -> ThreatMove {
        let known = self.table.probe(self.child_key(board, mover, cell));
        ThreatMove { cell, numbers: known.map_or(guess, ProofNumbers::from_word) }
    }

    /// The key behind a move of the node's side.
    fn child_key(&self, board: &PatternBoard, mover: Mover, cell: u8) -> u64 {
        let (side, next) = match mover {
            Mover::Attacker => (self.side, Mover::Defender),
            Mover::Defender => (self.side.other(), Mover::Attacker),
        };
        self.key(board, next) ^ super::pattern_board::stone_key(side, cell)
    }

    fn key(&self, board: &PatternBoard, mover: Mover) -> u64 {
        let turn = if mover == Mover::Defender { 0x3c6e_f372_fe94_f82b } else { 0 };
        // Positions not proved by fours and threes may be proved by other stones.
        let wide = if self.wide { 0xa54f_f53a_5f1d_36f1 } else { 0 };
        board.hash() ^ SIDE_KEYS[self.side.index()] ^ turn ^ wide
    }

    fn remember(&mut self, key: u64, numbers: ProofNumbers, before: u64) {
        let worth = (self.meter.nodes() - before + 1).ilog2();
        self.table.store(key, u64::from(worth) << 56 | numbers.word());
    }
}

/// A node's numbers, its most promising child, and the number that the second best has.
fn choose(mover: Mover, children: &[ThreatMove]) -> (ProofNumbers, usize, u32) {
    // Proving an attack is like disproving a defence: the least of one number, the sum of the other.
    let least_of = |child: &ThreatMove| match mover {
        Mover::Attacker => child.numbers.proof,
        Mover::Defender => child.numbers.disproof,
    };
    let sum_of = |child: &ThreatMove| match mover {
        Mover::Attacker => child.numbers.disproof,
        Mover::Defender => child.numbers.proof,
    };
    let (mut chosen, mut least, mut second, mut sum) = (0, INFINITE, INFINITE, 0_u32);
    let mut endless = false;
    for (number, child) in children.iter().enumerate() {
        let value = least_of(child);
        if value < least {
            (second, least, chosen) = (least, value, number);
        } else {
            second = second.min(value);
        }
        endless |= sum_of(child) == INFINITE && value == 0;
        sum = sum.saturating_add(sum_of(child)).min(INFINITE - 1);
    }
    let sum = if endless { INFINITE } else { sum };
    let numbers = match mover {
        Mover::Attacker => ProofNumbers { proof: least, disproof: sum },
        Mover::Defender => ProofNumbers { proof: sum, disproof: least },
    };
    (numbers, chosen, second)
}

/// Returns the part of a bound that is left for a child, after the sum of its siblings.
fn rest(bound: u32, sum: u32, own: u32) -> u32 {
    if bound == INFINITE { INFINITE } else { bound.saturating_sub(sum.saturating_sub(own)) }
}

/// The points on which a defence may matter to this line of fours; see the module's text.
pub(super) fn relevant(board: &mut PatternBoard, side: Side, line: &[u8]) -> PointSet {
    let other = side.other();
    let mut points = PointSet::EMPTY;
    let mut exact = true;
    let mut placed = 0;
    let collect = |board: &PatternBoard, points: &mut PointSet| {
        for a_trait in [Trait::Five, Trait::Four, Trait::Forbidden] {
            *points = points.or(board.having(other, a_trait));
        }
    };
    collect(board, &mut points);
    for (number, &cell) in line.iter().enumerate() {
        if cell == PASS {
            exact = false;
            break;
        }
        let mover = if number % 2 == 0 { side } else { other };
        exact &=
            (mover, side) != (Side::First, Side::First) || !board.class(Side::First, cell).has(Trait::MaybeForbidden);
        board.place(cell, mover);
        placed += 1;
        points.insert(cell);
        points = points.or(board.having(side, Trait::Five));
        collect(board, &mut points);
    }
    for _ in 0..placed {
        board.take_back();
    }
    let points = if exact { points } else { PointSet::ALL };
    points.and(board.empties())
}
