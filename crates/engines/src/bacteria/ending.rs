//! Proofs of endings: the exact value of positions with few empty cells.
//!
//! Leaps fill no cell, so a game can go back and forth, and a plain search does not reach its end. So two searches
//! alternate, each deeper than before: what margin can the side to move *force*, ending the game within a number of
//! plies whatever the other side does, and what can the other side force? In both, an unfinished game counts for the
//! defender, so a forced margin is proved, at any depth. Where the two meet, the margin is exact.
//!
//! The searches are alpha-beta with null windows (MTD(f): Plaat, Schaeffer, Pijls and de Bruin, 1996) and prune only
//! what is proved. Forced margins stay in the table, whatever the depth.

use agon_game::Position;
use agon_game::hash::MIX_FACTORS;
use agon_rules::bacteria::board::{BOARD, CELLS, Cells, bit, dilate, neighbours, ring, size};
use agon_rules::bacteria::{Bacteria, Move, PLY_LIMIT};
use agon_search::{Meter, SearchLimits, Stop, Stopped};

use super::moves::{is_enclosed, pack, reach, unpack};

/// With more empty cells hardly anything is proved.
pub const MAX_EMPTY: u32 = 12;

/// Maximum number of plies ahead within which the end of a game is forced.
const MAX_DEPTH: i32 = 80;

/// An unfinished game, larger than any margin.
const UNDECIDED: i32 = CELLS as i32 + 1;

/// Proved final margin for the side to move, in cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Margin {
    /// Margin that it can force.
    pub low: i32,
    /// Maximum that its opponent allows.
    pub high: i32,
    /// A move that forces `low`.
    pub best: Option<Move>,
}

impl Margin {
    pub const fn is_exact(&self) -> bool {
        self.low == self.high
    }

    /// Returns true if the game-theoretic result is proved.
    pub const fn is_decided(&self) -> bool {
        self.low > 0 || self.high < 0 || self.is_exact()
    }
}

/// The side to move in a search: the attacker must end the game, the defender need not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mover {
    Attacker,
    Defender,
}

impl Mover {
    const fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }

    /// Returns the value of an unfinished game for the side to move.
    const fn undecided(self) -> i32 {
        match self {
            Self::Attacker => -UNDECIDED,
            Self::Defender => UNDECIDED,
        }
    }
}

/// Proved bounds of a position, for its side to move.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// Margin that the attacker forces: valid at any depth.
    forced: i8,
    /// Margin that is not forced within `depth` plies.
    unforced: i8,
    depth: i8,
    best: u16,
}

const FREE: Entry = Entry { key: 0, forced: 0, unforced: 0, depth: -1, best: 0 };

#[derive(Clone, Copy, Debug)]
struct Child {
    score: i32,
    /// The packed move.
    word: u16,
    /// The cells behind it, in the view of its mover.
    own: u64,
    opponent: u64,
}

/// A prover of endings, with its table.
#[derive(Debug)]
pub struct Ending {
    table: Vec<Entry>,
    /// Moves that decided nodes, by mover and packed move.
    history: [Vec<i32>; 2],
    children: Vec<Child>,
    meter: Meter,
}

/// The words of packed moves.
const WORDS: usize = 1 << 12;

impl Ending {
    /// A prover whose table takes at most this many bytes.
    pub fn new(bytes: usize) -> Self {
        let entries = (bytes / size_of::<Entry>()).max(1);
        let entries = if entries.is_power_of_two() { entries } else { entries.next_power_of_two() / 2 };
        let history = [vec![0; WORDS + 1], vec![0; WORDS + 1]];
        let meter = Meter::new(SearchLimits::default());
        Self { table: vec![FREE; entries], history, children: Vec::new(), meter }
    }

    /// Nodes of the last proof.
    pub const fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// Proves the value of a position as far as the limits allow. Nothing is proved if the limit of plies could end the
    /// game first, or with more than [`MAX_EMPTY`] empty cells.
    ///
    /// ```
    /// use agon_engines::bacteria::Ending;
    /// use agon_search::{SearchLimits, Stop};
    /// let position = "xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxoo/xxxxxo1 o 0 30".parse()?;
    /// let margin = Ending::new(1 << 16).prove(&position, SearchLimits::default(), &Stop::default());
    /// // The division fills the board, and nothing is infected any more.
    /// assert_eq!((margin.low, margin.high), (-41, -41));
    /// # Ok::<(), agon_rules::bacteria::FenError>(())
    /// ```
    pub fn prove(&mut self, position: &Bacteria, limits: SearchLimits, stop: &Stop) -> Margin {
        self.meter = Meter::new(limits).stopped_by(stop.clone());
        let (own, opponent) = (position.cells(position.turn()), position.cells(position.turn().other()));
        let lead = size(own) as i32 - size(opponent) as i32;
        if position.outcome().is_some() {
            return Margin { low: lead, high: lead, best: None };
        }
        let mut margin = Margin { low: -(CELLS as i32), high: CELLS as i32, best: None };
        let left = i32::from(PLY_LIMIT) - position.ply() as i32;
        let empty = size(position.empty());
        if empty > MAX_EMPTY || left < 2 * MAX_DEPTH {
            return margin;
        }
        for half in &mut self.history {
            half.fill(0);
        }
        // Last results of both searches, from which the next ones start.
        let mut guesses = [lead, lead];
        for depth in 1..=MAX_DEPTH {
            for (guess, mover) in guesses.iter_mut().zip([Mover::Attacker, Mover::Defender]) {
                if self.narrow([own, opponent], depth, mover, guess, &mut margin).is_err() {
                    return self.with_best(position, margin);
                }
                if margin.is_exact() {
                    return self.with_best(position, margin);
                }
            }
        }
        self.with_best(position, margin)
    }

    /// Searches for one side at this depth, by MTD(f).
    fn narrow(
        &mut self,
        [own, opponent]: [u64; 2],
        depth: i32,
        mover: Mover,
        guess: &mut i32,
        margin: &mut Margin,
    ) -> Result<(), Stopped> {
        let (mut low, mut high) = (-UNDECIDED, UNDECIDED);
        while low < high {
            let beta = (*guess).max(low + 1);
            let value = self.node([own, opponent], depth, beta, mover)?;
            if value >= beta {
                low = value;
            } else {
                high = value;
            }
            *guess = value;
            match mover {
                Mover::Attacker => margin.low = margin.low.max(low),
                Mover::Defender => margin.high = margin.high.min(high),
            }
            // No side can force more than the other is proved to allow.
            let settled = match mover {
                Mover::Attacker => high <= margin.low,
                Mover::Defender => low >= margin.high,
            };
            if settled || margin.is_exact() {
                break;
            }
        }
        // If nothing is forced, the last guess means nothing.
        if guess.abs() >= UNDECIDED {
            *guess = size(own) as i32 - size(opponent) as i32;
        }
        Ok(())
    }

    fn with_best(&self, position: &Bacteria, margin: Margin) -> Margin {
        let (own, opponent) = (position.cells(position.turn()), position.cells(position.turn().other()));
        let entry = self.entry(key([own, opponent], Mover::Attacker));
        let best = entry.filter(|entry| i32::from(entry.forced) == margin.low);
        Margin { best: best.and_then(|entry| unpack(position, entry.best)), ..margin }
    }

    /// Returns the index of a key's entry; its lowest bit is always set.
    fn slot(&self, key: u64) -> usize {
        (key >> 1) as usize & (self.table.len() - 1)
    }

    fn entry(&self, key: u64) -> Option<&Entry> {
        Some(&self.table[self.slot(key)]).filter(|entry| entry.key == key)
    }

    /// Returns true if the side to move gets at least `beta`; fail-soft.
    fn node(&mut self, [own, opponent]: [u64; 2], depth: i32, beta: i32, mover: Mover) -> Result<i32, Stopped> {
        self.meter.node()?;
        let empty = BOARD & !(own | opponent);
        let lead = size(own) as i32 - size(opponent) as i32;
        let room = size(empty) as i32;
        if own == 0 || opponent == 0 || empty == 0 {
            return Ok(lead);
        }
        // A ply fills one cell at most, and infects eight.
        let ends =
            depth >= room || size(opponent) as i32 <= 8 * ((depth + 1) / 2) || size(own) as i32 <= 8 * (depth / 2);
        if depth <= 0 || !ends {
            return Ok(mover.undecided());
        }
        // An enclosed side stays so while the other fills the board (see `known_result`): that much is forced.
        let mut best = -UNDECIDED;
        match mover {
            Mover::Attacker if is_enclosed(opponent, empty) => {
                best = lead + room;
                if best >= beta {
                    return Ok(best);
                }
            }
            Mover::Defender if is_enclosed(own, empty) && lead - room < beta => return Ok(lead - room),
            _ => {}
        }
        let key = key([own, opponent], mover);
        let mut first = 0;
        if let Some(entry) = self.entry(key) {
            first = entry.best;
            let (forced, unforced) = (i32::from(entry.forced), i32::from(entry.unforced));
            let deep = i32::from(entry.depth) >= depth;
            match mover {
                Mover::Attacker if forced >= beta => return Ok(forced),
                Mover::Attacker if deep && unforced < beta => return Ok(unforced),
                Mover::Defender if forced < beta => return Ok(forced),
                Mover::Defender if deep && unforced >= beta => return Ok(unforced),
                _ => {}
            }
        }
        let start = self.children.len();
        let found = self.search_children([own, opponent], depth, beta, mover, first, best);
        self.children.truncate(start);
        let (best, word) = found?;
        self.store(key, (best, word), depth, beta, mover);
        Ok(best)
    }

    /// Returns the best value and move word; the word is 0 if no move improves on the known value.
    fn search_children(
        &mut self,
        [own, opponent]: [u64; 2],
        depth: i32,
        beta: i32,
        mover: Mover,
        first: u16,
        known: i32,
    ) -> Result<(i32, u16), Stopped> {
        let start = self.children.len();
        self.list([own, opponent], mover, first);
        let (mut best, mut best_word) = (known, 0);
        for at in start..self.children.len() {
            let rest = &self.children[at..];
            let Some((next, _)) = rest.iter().enumerate().max_by_key(|(_, child)| child.score) else { break };
            self.children.swap(at, at + next);
            let Child { word, own, opponent, .. } = self.children[at];
            let value = -self.node([opponent, own], depth - 1, 1 - beta, mover.other())?;
            if value > best {
                (best, best_word) = (value, word);
                if value >= beta {
                    let count = &mut self.history[mover as usize][usize::from(word)];
                    *count += depth * depth - *count / 64;
                    break;
                }
            }
        }
        Ok((best, best_word))
    }

    /// Lists the moves by gain, minus the cells a leap leaves in danger, and by the nodes they have decided.
    fn list(&mut self, [own, opponent]: [u64; 2], mover: Mover, first: u16) {
        let empty = BOARD & !(own | opponent);
        let near = dilate(own);
        let history = &self.history[mover as usize];
        let start = self.children.len();
        let children = &mut self.children;
        let mut put = |word: u16, worth: i32, own: u64, opponent: u64| {
            let score = if word == first { i32::MAX } else { 64 * worth + history[usize::from(word)] / 16 };
            children.push(Child { score, word, own, opponent });
        };
        for to in Cells(reach(own) & empty) {
            let infected = neighbours(to) & opponent;
            let (gain, after) = (2 * size(infected) as i32, own | infected | bit(to));
            if near & bit(to) != 0 {
                put(
                    pack(Move::new((neighbours(to) & own).trailing_zeros() as usize, to)),
                    gain + 1,
                    after,
                    opponent & !infected,
                );
            }
            for from in Cells(ring(to) & own) {
                let risk = size(neighbours(from) & own) as i32;
                put(pack(Move::new(from, to)), gain - risk, after & !bit(from), opponent & !infected);
            }
        }
        if self.children.len() == start {
            let word = pack(Move::PASS);
            self.children.push(Child { score: 0, word, own, opponent });
        }
    }

    fn store(&mut self, key: u64, (best, word): (i32, u16), depth: i32, beta: i32, mover: Mover) {
        let slot = self.slot(key);
        let entry = &mut self.table[slot];
        let (best, depth) = (best as i8, depth as i8);
        if entry.key != key {
            let nothing = mover.undecided() as i8;
            *entry = Entry { key, forced: nothing, unforced: -nothing, depth: -1, best: word };
        }
        if word != 0 {
            entry.best = word;
        }
        let reached = i32::from(best) >= beta;
        match mover {
            Mover::Attacker if reached => entry.forced = entry.forced.max(best),
            Mover::Defender if !reached => entry.forced = entry.forced.min(best),
            _ if depth > entry.depth => (entry.unforced, entry.depth) = (best, depth),
            Mover::Attacker if depth == entry.depth => entry.unforced = entry.unforced.min(best),
            Mover::Defender if depth == entry.depth => entry.unforced = entry.unforced.max(best),
            _ => {}
        }
    }
}

/// A key that is hardly ever that of another position, and never 0.
fn key([own, opponent]: [u64; 2], mover: Mover) -> u64 {
    let asked = u64::from(mover == Mover::Attacker) << 63;
    let mixed = own.wrapping_mul(MIX_FACTORS[0]) ^ (opponent ^ asked).wrapping_mul(MIX_FACTORS[1]).rotate_left(31);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(MIX_FACTORS[0]);
    (mixed ^ mixed >> 32) | 1
}
