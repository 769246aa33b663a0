//! The board of the search: what a stone of either side would make on every empty point, updated incrementally.
//!
//! A stone affects the forty points within five steps on its four lines. Each of these has a key of its surroundings in
//! each direction; the stone adds its digit, the tables of [`super::shape`] give the new shape, and the point's
//! [class](super::class) is looked up again only if the shape has changed.

use agon_game::Side;
use agon_game::hash::split_mix;
use agon_rules::renju as rules;
use agon_rules::renju::{Axis, POINTS, Point, PointSet, RuleSet, SIZE, Window};

use super::class::{Class, ClassTable, Classes, SETS, Trait};
use super::lines::{LINE_CODES, LineCodes, codes_at};
use super::shape::{self, Shape, ShapeTable, Shapes, WORTH};

/// Distance between the numbers of adjacent points on a line, in the order of [`Axis::ALL`].
const STEPS: [i16; 4] = [1, SIZE as i16, SIZE as i16 + 1, 1 - SIZE as i16];

/// Number of steps at which a stone affects a line.
const REACH: u8 = 5;

/// Maximum number of points affected by a stone, including its own.
const TOUCHED: usize = 1 + 8 * REACH as usize;

/// Room for every point and every other number of eight bits, so that no index needs a check.
const ROOM: usize = 256;

/// Number of points on the board before and after each point, in each direction, up to [`REACH`].
const SPANS: [[[u8; 2]; 4]; ROOM] = {
    let mut spans = [[[0; 2]; 4]; ROOM];
    let mut cell = 0;
    while cell < POINTS {
        let (left, up) = ((cell % SIZE) as u8, (cell / SIZE) as u8);
        let (right, down) = (SIZE as u8 - 1 - left, SIZE as u8 - 1 - up);
        spans[cell] = [
            [nearest(left, REACH), nearest(right, REACH)],
            [nearest(up, REACH), nearest(down, REACH)],
            [nearest(left, up), nearest(right, down)],
            [nearest(left, down), nearest(right, up)],
        ];
        cell += 1;
    }
    spans
};

const fn nearest(a: u8, b: u8) -> u8 {
    let least = if a < b { a } else { b };
    if least < REACH { least } else { REACH }
}

/// The digits beyond the edge in each key, each counted once: Black's key holds them twice, White's once.
const EDGES: [[u16; 4]; ROOM] = {
    let mut edges = [[0; 4]; ROOM];
    let mut cell = 0;
    while cell < POINTS {
        let mut direction = 0;
        while direction < 4 {
            let [before, after] = SPANS[cell][direction];
            let mut steps = 1;
            while steps <= REACH {
                if steps > before {
                    edges[cell][direction] += WORTH[(REACH - steps) as usize];
                }
                if steps > after {
                    edges[cell][direction] += WORTH[(REACH + steps - 1) as usize];
                }
                steps += 1;
            }
            direction += 1;
        }
        cell += 1;
    }
    edges
};

/// Index of the codes of each point, in each direction.
static CODES_AT: [[u32; 4]; ROOM] = {
    let mut at = [[0; 4]; ROOM];
    let mut number = 0;
    while number < 4 * ROOM {
        at[number / 4][number % 4] = codes_at(SPANS[number / 4][number % 4]);
        number += 1;
    }
    at
};

/// A point on a line of another.
#[derive(Clone, Copy)]
struct Neighbour {
    cell: u8,
    direction: u8,
    /// Weight of the other point in its key in this direction.
    worth: u16,
    /// The digits beyond the edge in that key, as in [`EDGES`].
    edge: u16,
}

/// The points affected by a stone, other than its own.
struct Neighbours {
    count: usize,
    all: [Neighbour; TOUCHED - 1],
    /// The same as a set, including the stone's own point.
    set: PointSet,
}

static NEIGHBOURS: [Neighbours; ROOM] = {
    const NONE: Neighbour = Neighbour { cell: 0, direction: 0, worth: 0, edge: 0 };
    let mut table = [const { Neighbours { count: 0, all: [NONE; TOUCHED - 1], set: PointSet::EMPTY } }; ROOM];
    let mut cell = 0;
    while cell < POINTS {
        let neighbours = &mut table[cell];
        neighbours.set.insert(cell as u8);
        let mut direction = 0;
        while direction < 4 {
            let [before, after] = SPANS[cell][direction];
            let mut steps = -(before as i16);
            while steps <= after as i16 {
                if steps != 0 {
                    let other = (cell as i16 + steps * STEPS[direction]) as u8;
                    // Seen from a point before it, the stone is after it, and vice versa.
                    let at = if steps < 0 { REACH as i16 - steps - 1 } else { REACH as i16 - steps };
                    neighbours.all[neighbours.count] = Neighbour {
                        cell: other,
                        direction: direction as u8,
                        worth: WORTH[at as usize],
                        edge: EDGES[other as usize][direction],
                    };
                    neighbours.set.insert(other);
                    neighbours.count += 1;
                }
                steps += 1;
            }
            direction += 1;
        }
        cell += 1;
    }
    table
};

/// An empty point: sixteen bytes, copied as one.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct State {
    /// Its surroundings in each direction, as Black's key (see [`super::shape`]).
    keys: [u16; 4],
    /// For both sides, four bits for the shape in each direction.
    shapes: [u16; 2],
    classes: [Class; 2],
}

impl State {
    /// State of an occupied point that was never affected.
    const TAKEN: Self = Self { keys: [0; 4], shapes: [0; 2], classes: [Class::TAKEN; 2] };

    /// Adds a stone's digit to the key in one direction, and returns whether that changes a shape.
    #[inline]
    fn touch(&mut self, neighbour: Neighbour, digit: u16, shapes: [&'static ShapeTable; 2]) -> bool {
        let Neighbour { direction, worth, edge, .. } = neighbour;
        let key = &mut self.keys[usize::from(direction) % 4];
        *key += digit * worth;
        let (black, white) = (*key, key.wrapping_sub(edge));
        let codes = [shapes[0][black as usize], shapes[1][white as usize]];
        let (shift, old) = (4 * direction, self.shapes);
        self.shapes = std::array::from_fn(|of| old[of] & !(15 << shift) | (codes[of] as u16) << shift);
        self.shapes != old
    }
}

/// The points that have each trait, for both sides; the words of eight traits are adjacent, so that a point's traits
/// are changed together.
type Sets = [[[u64; SETS]; 4]; 2];

/// The changes made by a stone, for undo.
#[derive(Clone)]
struct Placed {
    cell: u8,
    side: Side,
    sets: Sets,
    /// The state of its point, and of those that it touched, in the order of [`NEIGHBOURS`].
    state: State,
    touched: [State; TOUCHED - 1],
}

impl Placed {
    const NONE: Self = Self {
        cell: 0,
        side: Side::First,
        sets: [[[0; SETS]; 4]; 2],
        state: State::TAKEN,
        touched: [State::TAKEN; TOUCHED - 1],
    };
}

/// The stones of both sides, and what a stone of either would make on every empty point.
///
/// It ignores turns and the end of the game. Stones are taken back in reverse order, and only those placed since it was
/// created.
#[derive(Clone)]
pub struct PatternBoard {
    /// For an occupied point, the state when the stone was placed, which is restored when it is taken back.
    states: [State; ROOM],
    sets: Sets,
    stones: [PointSet; 2],
    hash: u64,
    /// Changes made by the stones placed since the board was created, and their number; the remaining entries are
    /// spare.
    placed: Vec<Placed>,
    depth: usize,
    shapes: [&'static ShapeTable; 2],
    classes: [&'static ClassTable; 2],
    codes: &'static LineCodes,
    /// The points that may have changed since the board was last valued, and which value that was.
    changed: PointSet,
    valued: u64,
    rules: RuleSet,
}

impl PatternBoard {
    /// Creates a board with the stones of the rules' board.
    pub fn new(stones: &rules::Board) -> Self {
        let mut board = Self::empty(stones.rules());
        for side in Side::BOTH {
            for point in stones.stones(side).iter() {
                board.place(point.index() as u8, side);
            }
        }
        board.depth = 0;
        board
    }

    fn empty(rules: RuleSet) -> Self {
        let (shapes, classes) = (Shapes::under(rules), Classes::under(rules));
        let mut board = Self {
            states: [State::TAKEN; ROOM],
            sets: [[[0; SETS]; 4]; 2],
            stones: [PointSet::EMPTY; 2],
            hash: RULE_KEYS[rules as usize],
            placed: Vec::new(),
            depth: 0,
            shapes: Side::BOTH.map(|side| shapes.of(side)),
            classes: Side::BOTH.map(|side| classes.of(side)),
            codes: &LINE_CODES,
            changed: PointSet::ALL,
            valued: 0,
            rules,
        };
        for cell in 0..POINTS as u8 {
            let edges = EDGES[cell as usize];
            board.states[cell as usize].keys = edges.map(|edge| 2 * edge);
            for side in Side::BOTH {
                let keys = edges.map(|edge| 2 * edge - edge * side.index() as u16);
                let codes = keys.map(|key| board.shapes[side.index()][key as usize] as u16);
                let shapes = codes.into_iter().rev().fold(0, |shapes, code| shapes << 4 | code);
                board.states[cell as usize].shapes[side.index()] = shapes;
                board.reclass(side, cell, board.classes[side.index()][shapes as usize]);
            }
        }
        board
    }

    /// Returns the rule set.
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The stones as the rules see them.
    pub fn to_rules(&self) -> rules::Board {
        let mut board = rules::Board::empty(self.rules);
        for side in Side::BOTH {
            for point in self.stones[side.index()].iter().filter_map(|cell| Point::from_index(cell.into())) {
                board.place(point, side);
            }
        }
        board
    }

    /// Puts a stone on an empty point, even one that is forbidden to Black.
    pub fn place(&mut self, cell: u8, side: Side) {
        debug_assert!(self.is_open(cell), "{cell} is taken");
        if self.depth == self.placed.len() {
            self.placed.push(Placed::NONE);
        }
        let placed = &mut self.placed[self.depth];
        (placed.cell, placed.side, placed.sets, placed.state) = (cell, side, self.sets, self.states[cell as usize]);
        for of in Side::BOTH {
            self.reclass(of, cell, Class::default());
        }
        self.stones[side.index()].toggle(cell);
        self.hash ^= STONE_KEYS[side.index()][cell as usize];
        let taken = self.stones[0].or(self.stones[1]);
        let neighbours = &NEIGHBOURS[cell as usize];
        self.changed = self.changed.or(neighbours.set);
        let digit = side.index() as u16 + 1;
        let (states, shapes) = (&mut self.states, self.shapes);
        // All keys and shapes first, then the consequences of those that have changed: this mispredicts fewer branches.
        let (mut others, mut count) = ([0; TOUCHED - 1], 0);
        for (neighbour, kept) in neighbours.all[..neighbours.count].iter().zip(&mut self.placed[self.depth].touched) {
            let state = &mut states[neighbour.cell as usize];
            *kept = *state;
            // An occupied point keeps its state; adding 0 is cheaper than branching.
            let differs = state.touch(*neighbour, digit * u16::from(!taken.contains(neighbour.cell)), shapes);
            others[count] = neighbour.cell;
            count += usize::from(differs);
        }
        self.depth += 1;
        for &other in &others[..count] {
            let shapes = self.states[other as usize].shapes;
            for of in Side::BOTH {
                self.reclass(of, other, self.classes[of.index()][shapes[of.index()] as usize]);
            }
        }
    }

    /// Takes back the last stone placed, if any.
    pub fn take_back(&mut self) {
        let Some(depth) = self.depth.checked_sub(1) else { return };
        self.depth = depth;
        let Placed { cell, side, sets, state, touched } = &self.placed[depth];
        let neighbours = &NEIGHBOURS[*cell as usize];
        self.changed = self.changed.or(neighbours.set);
        for (neighbour, state) in neighbours.all[..neighbours.count].iter().zip(touched) {
            self.states[neighbour.cell as usize] = *state;
        }
        self.states[*cell as usize] = *state;
        self.sets = *sets;
        self.hash ^= STONE_KEYS[side.index()][*cell as usize];
        self.stones[side.index()].toggle(*cell);
    }

    #[inline]
    fn reclass(&mut self, side: Side, cell: u8, class: Class) {
        let old = std::mem::replace(&mut self.states[cell as usize].classes[side.index()], class);
        let changed = old.traits() ^ class.traits();
        if changed != 0 {
            for (number, word) in self.sets[side.index()][(cell >> 6) as usize].iter_mut().enumerate() {
                *word ^= u64::from(changed >> number & 1) << (cell & 63);
            }
        }
    }

    /// The empty points where a stone of this side has this trait.
    #[inline]
    pub fn having(&self, side: Side, a_trait: Trait) -> PointSet {
        let sets = &self.sets[side.index()];
        PointSet::from_words(std::array::from_fn(|word| sets[word][a_trait as usize]))
    }

    /// Returns the points that may differ from the value with the number `last`, and assigns the number `next` to this
    /// one: numbers are never reused, and never 0.
    #[inline]
    pub(super) fn changed_since(&mut self, last: u64, next: u64) -> PointSet {
        let changed = std::mem::replace(&mut self.changed, PointSet::EMPTY);
        if std::mem::replace(&mut self.valued, next) == last { changed } else { PointSet::ALL }
    }

    /// Returns Black's keys of the four lines through an empty point; for an occupied one, those when it was placed.
    #[inline]
    pub(super) fn keys(&self, cell: u8) -> [u16; 4] {
        self.states[cell as usize].keys
    }

    /// The codes of the four lines through an empty point (see [`super::lines`]).
    #[inline]
    pub fn line_codes(&self, cell: u8) -> [u16; 4] {
        let (keys, at) = (self.states[cell as usize].keys, CODES_AT[cell as usize]);
        std::array::from_fn(|direction| self.codes.code(at[direction], keys[direction]))
    }

    /// Returns the class of a stone of this side on an empty point; [`Class::default`] for an occupied one.
    #[inline]
    pub fn class(&self, side: Side, cell: u8) -> Class {
        self.states[cell as usize].classes[side.index()]
    }

    /// Returns the shape that a stone of this side would make on a line through an empty point.
    #[inline]
    pub fn shape(&self, side: Side, cell: u8, direction: Axis) -> Shape {
        let code = self.states[cell as usize].shapes[side.index()] >> (4 * direction as u16) & 15;
        Shape::ALL[code as usize % Shape::ALL.len()]
    }

    #[inline]
    pub const fn stones(&self, side: Side) -> PointSet {
        self.stones[side.index()]
    }

    #[inline]
    pub fn empties(&self) -> PointSet {
        PointSet::ALL.without(self.stones[0].or(self.stones[1]))
    }

    /// The points whose lines a stone on this point touches, and its own.
    pub(super) fn touched(cell: u8) -> PointSet {
        NEIGHBOURS[cell as usize].set
    }

    /// Returns true if a point is empty.
    #[inline]
    pub fn is_open(&self, cell: u8) -> bool {
        !self.stones[0].or(self.stones[1]).contains(cell)
    }

    /// Returns a hash of the stones and the rule set only.
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns true if a side may put a stone on an empty point: White anywhere, Black unless it is forbidden.
    #[inline]
    pub fn may_play(&mut self, side: Side, cell: u8) -> bool {
        side == Side::Second || !self.is_forbidden(cell)
    }

    /// Returns true if an empty point is forbidden to Black. Exact: if the shapes leave a doubt, with two or more
    /// threes, article 9.3 is followed to its end.
    #[inline]
    pub fn is_forbidden(&mut self, cell: u8) -> bool {
        let class = self.class(Side::First, cell);
        class.has(Trait::Forbidden) || class.has(Trait::MaybeForbidden) && self.is_double_three(cell)
    }

    pub fn forbidden(&mut self) -> PointSet {
        let doubts = self.having(Side::First, Trait::MaybeForbidden);
        let mut forbidden = self.having(Side::First, Trait::Forbidden);
        for cell in doubts.iter().filter(|&cell| self.is_double_three(cell)) {
            forbidden.insert(cell);
        }
        forbidden
    }

    /// Returns true if at least two of the threes that a black stone makes on a point can be raised to a straight four
    /// by a stone that Black may play (statement, "double three"; article 9.3).
    #[cold]
    fn is_double_three(&mut self, cell: u8) -> bool {
        let keys = self.states[cell as usize].keys;
        let lines: Vec<usize> =
            (0..4).filter(|&line| self.shape(Side::First, cell, Axis::ALL[line]) == Shape::Three).collect();
        self.place(cell, Side::First);
        let (mut valid, mut hopeful) = (0, lines.len());
        for line in lines {
            // Once no two lines can be left, the answer is known.
            if valid + hopeful < 2 {
                break;
            }
            hopeful -= 1;
            let mut raises = shape::window(Side::First, keys[line]).raises();
            while raises != 0 {
                let steps = raises.trailing_zeros() as i16 - Window::CENTRE as i16;
                raises &= raises - 1;
                let raise = (i16::from(cell) + steps * STEPS[line]) as u8;
                // A stone that makes a five elsewhere does not make a straight four.
                if !self.class(Side::First, raise).has(Trait::Five) && !self.is_forbidden(raise) {
                    valid += 1;
                    break;
                }
            }
        }
        self.take_back();
        valid >= 2
    }
}

/// Returns the change of [`PatternBoard::hash`] by a stone.
#[inline]
pub(super) const fn stone_key(side: Side, cell: u8) -> u64 {
    STONE_KEYS[side.index()][cell as usize]
}

/// Keys of the rule sets. Both of renju have one, since they differ in the first turns alone.
const RULE_KEYS: [u64; 4] =
    [0, 0, split_mix(0x666f_7572_7321, 2 * ROOM as u64), split_mix(0x666f_7572_7321, 2 * ROOM as u64 + 1)];

/// Zobrist's keys: one for each stone on each point.
const STONE_KEYS: [[u64; ROOM]; 2] = {
    let mut keys = [[0; ROOM]; 2];
    let mut number = 0;
    while number < 2 * ROOM {
        keys[number / ROOM][number % ROOM] = split_mix(0x666f_7572_7321, number as u64);
        number += 1;
    }
    keys
};
