//! A game for the tests only: tic-tac-toe, its rules and its row.

use std::fmt;
use std::str::FromStr;

use agon_catalog::{
    Builtin, Capability, CatalogPosition, CurveRules, Game, GameEntry, GameStart, Illustrations, OPENING, OpeningRules,
    PositionFace, Setup, SetupError, TypedEngine,
};
use agon_engines::random::Random;
use agon_game::position::read_numbers;
use agon_game::{Cell, English, GridStyle, MoveError, Observer, Outcome, Position, Reason, Show, Side, View};

pub static TIC_TAC_TOE: GameEntry = GameEntry {
    name: "tic-tac-toe",
    title: "Tic-tac-toe",
    short_title: "Tic-tac-toe",
    summary: "three in a row win on 3 x 3",
    rules: &[
        "MOVE x y puts a stone on row x and column y, from 1 to 3.",
        "Three in a row win; a full board is a draw.",
    ],
    page: "crates/cli/tests/games/tic_tac_toe.md",
    illustrations: Illustrations::NONE,
    source: "https://en.wikipedia.org/wiki/Tic-tac-toe",
    example: "2 2/1 1",
    seats: TicTacToe::SEATS,
    samples: &[("py", include_str!("tic_tac_toe.py"))],
    situations: &[],
    parameters: &[OPENING],
    can_be_drawn: true,
    start: GameStart::Position(PositionFace::of::<TicTacToe>()),
    builtins: &[Builtin::engine("random", "every legal move with equal probability", |_| {
        TypedEngine::<TicTacToe>::boxed(Random::new(0))
    })],
    programs: |_| None,
    defaults: ["random", "random"],
    openings: OpeningRules::ANY,
    size: None,
    capabilities: &[Capability::Lines],
    curve: CurveRules::PLAIN,
};

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(u16);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TicTacToe {
    stones: [u16; 2],
}

impl CatalogPosition for TicTacToe {
    const GAME: Game = Game(&TIC_TAC_TOE);

    fn start(_: &Setup) -> Result<Self, SetupError> {
        Ok(Self::default())
    }
}

impl Position for TicTacToe {
    type Move = Place;

    fn turn(&self) -> Side {
        Side::BOTH[self.ply() as usize % 2]
    }

    fn ply(&self) -> u32 {
        (self.stones[0] | self.stones[1]).count_ones()
    }

    fn outcome(&self) -> Option<Outcome> {
        let has_line = |side: &Side| LINES.iter().any(|line| self.stones[side.index()] & line == *line);
        let draw = (self.ply() == 9).then_some(Outcome::Draw);
        Side::BOTH.into_iter().find(has_line).map(Outcome::Win).or(draw)
    }

    fn legal_moves(&self, moves: &mut Vec<Place>) {
        let taken = self.stones[0] | self.stones[1];
        if self.outcome().is_none() {
            moves.extend((0..9).filter(|place| taken >> place & 1 == 0).map(Place));
        }
    }

    fn play_unchecked(&mut self, Place(place): Place, observer: &mut impl Observer) {
        let side = self.turn();
        self.stones[side.index()] |= 1 << place;
        observer.change(place.into(), None, Some(side));
    }

    fn read_move(&self, text: &str) -> Result<Place, MoveError> {
        let [row, column] = read_numbers(text, "a row and a column from 1 to 3")?;
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let found = moves.into_iter().find(|m| m.to_string() == format!("{row} {column}"));
        found.ok_or_else(|| MoveError::illegal(text, "there is no empty cell"))
    }

    fn hash(&self) -> u64 {
        self.computed_hash()
    }

    fn computed_hash(&self) -> u64 {
        agon_game::hash::mix((u64::from(self.stones[0]) << 9) | u64::from(self.stones[1]))
    }
}

impl Show for TicTacToe {
    const SEATS: [&'static str; 2] = ["X", "O"];

    fn end_reason(&self) -> Option<Reason> {
        Some(English::reason(match self.outcome()? {
            Outcome::Win(side) => format!("{} has three in a row", Self::SEATS[side.index()]),
            Outcome::Draw => "the board is full".to_owned(),
        }))
    }

    fn view(&self) -> View {
        let cell = |place: u16| {
            let owner = Side::BOTH.into_iter().find(|side| self.stones[side.index()] >> place & 1 == 1);
            let glyph = owner.map_or('.', |side| ['X', 'O'][side.index()]);
            Cell { owner, glyph, ..Cell::default() }
        };
        View {
            seats: Self::SEATS,
            rows: 3,
            columns: 3,
            origin: 1,
            first_letter: None,
            grid: GridStyle::Squares,
            cells: (0..9).map(cell).collect(),
            ..View::default()
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0 / 3 + 1, self.0 % 3 + 1)
    }
}

impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:03o} {:03o}", self.stones[0], self.stones[1])
    }
}

impl FromStr for TicTacToe {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = |word: &str| u16::from_str_radix(word, 8).ok().filter(|stones| *stones <= 0o777);
        let stones = text.split_once(' ').and_then(|(first, second)| Some([read(first)?, read(second)?]));
        let stones = stones.filter(|[first, second]| first & second == 0);
        stones.map(|stones| Self { stones }).ok_or_else(|| "two octal numbers without a common bit expected".to_owned())
    }
}
