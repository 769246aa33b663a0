//! A new game: tic-tac-toe, held to the laws and played at random by a referee's face.
//!
//! `cargo run -p agon-game --example new_game`

use std::fmt;

use agon_game::position::read_numbers;
use agon_game::seed::Stream;
use agon_game::{
    Alternating, Cell, English, GameState, GridStyle, MoveError, Observer, Outcome, Position, Reason, Show, Side, View,
};

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place(u16);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct TicTacToe {
    stones: [u16; 2],
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

/// What a referee and a person see of it.
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
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.0 / 3 + 1, self.0 % 3 + 1)
    }
}

impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:03o} {:03o}", self.stones[0], self.stones[1])
    }
}

fn main() -> Result<(), MoveError> {
    agon_game::laws::obey(&TicTacToe::default(), 100, 1);
    println!("perft 9: {}", TicTacToe::default().perft(9));
    let mut game = Alternating::new(TicTacToe::default());
    let mut random = Stream::new(1, "example");
    while game.turn().is_some() {
        let moves = game.legal();
        game.answer(&moves[random.below(moves.len())])?;
    }
    for row in game.view().cells.chunks(3) {
        println!("{}", row.iter().map(|cell| cell.glyph).collect::<String>());
    }
    println!("{}", game.ending().map_or(String::new(), |ending| ending.reason.to_string()));
    Ok(())
}
