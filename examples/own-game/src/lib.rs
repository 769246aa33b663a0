//! Othello: its rules as a `Position`, and its row of the catalogue.

mod search;

use std::fmt;
use std::str::FromStr;

use agon_catalog::{
    Builtin, Capability, CatalogPosition, CurveRules, Expected, Game, GameEntry, GameStart, Illustrations, OPENING,
    OpeningRules, POSITION, PositionFace, Setup, SetupError, TypedEngine,
};
use agon_engines::random::Random;
use agon_game::position::read_numbers;
use agon_game::{
    Cell, English, GameScore, GridStyle, MoveError, Observer, Outcome, Position, Reason, Show, Side, View,
};

pub use search::Search;

/// The row: all that Agon knows of the game.
pub static OTHELLO: GameEntry = GameEntry {
    name: "othello",
    title: "Othello",
    short_title: "Othello",
    summary: "stones flip between two of the other colour on 8 x 8; more stones win",
    rules: &[
        "MOVE row column, both from 1 to 8 from the upper left corner, puts a stone that flips at least one.",
        "Black moves first. The middle has White on 4 4 and 5 5, Black on 4 5 and 5 4.",
        "MOVE -1 -1 passes; it is legal only without any other move. Two passes end the game; more stones win.",
    ],
    page: "examples/own-game/README.md",
    illustrations: Illustrations::NONE,
    source: "https://en.wikipedia.org/wiki/Reversi",
    example: START,
    seats: Othello::SEATS,
    samples: &[("py", include_str!("../../games/othello/sample.py"))],
    situations: &[],
    parameters: &[OPENING, POSITION],
    can_be_drawn: true,
    start: GameStart::Position(PositionFace::of::<Othello>()),
    builtins: &[
        Builtin::engine("random", "every legal move with equal probability", |_| {
            TypedEngine::<Othello>::boxed(Random::new(0))
        }),
        Builtin::engine("search", "looks some moves ahead, counts corners, mobility and stones", |_| {
            TypedEngine::<Othello>::boxed(Search)
        })
        .timed(),
    ],
    programs: |_| None,
    defaults: ["search", "random"],
    openings: OpeningRules::ANY,
    size: None,
    capabilities: &[Capability::Lines],
    curve: CurveRules::PLAIN,
};

/// 64 places from the upper left corner, the side to move, and `p` after a pass or `e` after the last one.
const START: &str = "...........................WB......BW........................... B";

/// The eight directions: rows and columns.
const STEPS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// A place from 0 to 63, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed(Option<u8>);

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Othello {
    cells: [Option<Side>; 64],
    turn: Side,
    ply: u32,
    passed: bool,
    over: bool,
}

impl Othello {
    /// The stones that a stone of `side` on this place flips.
    fn flips(&self, place: usize, side: Side, mut flip: impl FnMut(usize)) {
        if self.cells[place].is_some() {
            return;
        }
        for (down, right) in STEPS {
            let at = |n: i32| {
                let (row, column) = (place as i32 / 8 + n * down, place as i32 % 8 + n * right);
                ((0..8).contains(&row) && (0..8).contains(&column)).then_some((row * 8 + column) as usize)
            };
            let owner = |n: i32| at(n).and_then(|at| self.cells[at]);
            let run = (1..8).take_while(|&n| owner(n) == Some(side.other())).count() as i32;
            if run > 0 && owner(run + 1) == Some(side) {
                (1..=run).filter_map(at).for_each(&mut flip);
            }
        }
    }

    /// Whether a stone may be put there.
    fn is_legal(&self, place: usize) -> bool {
        let mut flipped = false;
        self.flips(place, self.turn, |_| flipped = true);
        flipped
    }

    fn places(&self) -> impl Iterator<Item = u8> + '_ {
        (0..64).filter(|&place| self.is_legal(place.into()))
    }

    /// How many stones a side has.
    pub fn stones(&self, side: Side) -> i32 {
        self.cells.iter().filter(|cell| **cell == Some(side)).count() as i32
    }

    /// The owner of the stone there, from 0 to 63.
    pub const fn owner(&self, place: usize) -> Option<Side> {
        self.cells[place]
    }
}

impl Position for Othello {
    type Move = Placed;

    fn turn(&self) -> Side {
        self.turn
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| Outcome::by_score(self.stones(Side::First), self.stones(Side::Second)))
    }

    fn legal_moves(&self, moves: &mut Vec<Placed>) {
        if self.over {
            return;
        }
        let before = moves.len();
        moves.extend(self.places().map(|place| Placed(Some(place))));
        if moves.len() == before {
            moves.push(Placed(None));
        }
    }

    fn play_unchecked(&mut self, m: Placed, observer: &mut impl Observer) {
        let side = self.turn;
        if let Some(place) = m.0 {
            let place = usize::from(place);
            let mut flipped = Vec::with_capacity(20);
            self.flips(place, side, |at| flipped.push(at));
            for at in flipped.into_iter().chain([place]) {
                observer.change(at, self.cells[at], Some(side));
                self.cells[at] = Some(side);
            }
            self.passed = false;
        } else {
            self.over = self.passed;
            self.passed = true;
        }
        self.turn = side.other();
        self.ply += 1;
    }

    fn read_move(&self, text: &str) -> Result<Placed, MoveError> {
        let [row, column] = read_numbers(text, "row and column")?;
        if self.over {
            return Err(MoveError::Over { text: text.to_owned() });
        }
        let refused = |reason: &str| Err(MoveError::illegal(text, reason));
        if [row, column] == [-1, -1] {
            return match self.places().next() {
                None => Ok(Placed(None)),
                Some(_) => refused("a pass, although there is a legal move"),
            };
        }
        if ![row, column].iter().all(|number| (1..=8).contains(number)) {
            return refused("row and column expected, both from 1 to 8");
        }
        let place = ((row - 1) * 8 + column - 1) as usize;
        match (self.cells[place], self.is_legal(place)) {
            (Some(_), _) => refused("the place is taken"),
            (None, false) => refused("it flips no stone"),
            (None, true) => Ok(Placed(Some(place as u8))),
        }
    }

    fn hash(&self) -> u64 {
        self.computed_hash()
    }

    fn computed_hash(&self) -> u64 {
        agon_game::hash::fnv1a(&self.to_string())
    }
}

impl Show for Othello {
    const SEATS: [&'static str; 2] = ["Black", "White"];

    fn preamble(&self) -> String {
        if self.to_string() == START { String::new() } else { format!("POSITION {self}\n") }
    }

    fn score(&self) -> Option<[GameScore; 2]> {
        Some(Side::BOTH.map(|side| GameScore::from(self.stones(side))))
    }

    fn end_reason(&self) -> Option<Reason> {
        let [first, second] = Side::BOTH.map(|side| self.stones(side));
        self.over.then(|| English::reason(format!("neither side has a move; {first} to {second} stones")))
    }

    fn view(&self) -> View {
        let cell = |owner: &Option<Side>| Cell { owner: *owner, glyph: letter(*owner), ..Cell::default() };
        View {
            seats: Self::SEATS,
            rows: 8,
            columns: 8,
            origin: 1,
            first_letter: None,
            grid: GridStyle::Squares,
            cells: self.cells.iter().map(cell).collect(),
            ..View::default()
        }
    }
}

const fn letter(owner: Option<Side>) -> char {
    match owner {
        None => '.',
        Some(Side::First) => 'B',
        Some(Side::Second) => 'W',
    }
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(place) => write!(f, "{} {}", place / 8 + 1, place % 8 + 1),
            None => f.write_str("-1 -1"),
        }
    }
}

impl fmt::Display for Othello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: String = self.cells.iter().map(|cell| letter(*cell)).collect();
        let end = match (self.over, self.passed) {
            (true, _) => "e",
            (false, true) => "p",
            (false, false) => "",
        };
        write!(f, "{cells} {}{end}", letter(Some(self.turn)))
    }
}

impl FromStr for Othello {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "64 places of `.`, `B` and `W`, a blank, `B` or `W`, and `p` or `e` behind a pass";
        let refused = || format!("{expected} expected");
        let owner = |letter: char| match letter {
            '.' => Some(None),
            'B' => Some(Some(Side::First)),
            'W' => Some(Some(Side::Second)),
            _ => None,
        };
        let (board, turn) = text.trim().split_once(' ').ok_or_else(refused)?;
        let cells: Option<Vec<Option<Side>>> = board.chars().map(owner).collect();
        let cells = cells.and_then(|cells| cells.try_into().ok()).ok_or_else(refused)?;
        let (letter, end) = turn.split_at_checked(1).ok_or_else(refused)?;
        let turn = letter.chars().next().and_then(owner).flatten().ok_or_else(refused)?;
        let (passed, over) = match end {
            "" => (false, false),
            "p" => (true, false),
            "e" => (true, true),
            _ => return Err(refused()),
        };
        Ok(Self { cells, turn, ply: 0, passed, over })
    }
}

impl Default for Othello {
    fn default() -> Self {
        START.parse().expect("the start reads")
    }
}

impl CatalogPosition for Othello {
    const GAME: Game = Game(&OTHELLO);

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        match setup.given(POSITION.name).filter(|text| *text != POSITION.default) {
            None => Ok(Self::default()),
            Some(text) => text.parse().map_err(|problem| SetupError::Value {
                name: POSITION.name,
                problem: format!("`{text}`: {problem}").into(),
                expected: Expected::Own("a position".into()),
            }),
        }
    }
}
