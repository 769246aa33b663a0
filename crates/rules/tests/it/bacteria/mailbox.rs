//! A second implementation, written straight from the words of the rules on a two-dimensional array, and compared with
//! the first along random games.

use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Show, Side};
use agon_rules::bacteria::Bacteria;

use crate::bacteria::dish::{FENS, after, dish, legal_moves, random_dish};

/// A dish as the rules describe it: rows and columns from 1, and how often each side has acted.
#[derive(Clone, PartialEq, Debug)]
struct Mailbox {
    board: [[Option<Side>; 8]; 8],
    turn: Side,
    acted: [u32; 2],
}

type Place = (usize, usize);

fn places() -> impl Iterator<Item = Place> + Clone {
    (1..=7).flat_map(|x| (1..=7).map(move |y| (x, y)))
}

fn distance(a: Place, b: Place) -> usize {
    a.0.abs_diff(b.0).max(a.1.abs_diff(b.1))
}

impl Mailbox {
    fn of(position: &Bacteria) -> Self {
        let mut board = [[None; 8]; 8];
        for ((x, y), cell) in places().zip(position.view().cells) {
            board[x][y] = cell.owner;
        }
        let (all, turn) = (position.ply(), position.turn());
        Self { board, turn, acted: [all.div_ceil(2), all / 2] }
    }

    fn count(&self, owner: Option<Side>) -> usize {
        places().filter(|&(x, y)| self.board[x][y] == owner).count()
    }

    fn outcome(&self) -> Option<Outcome> {
        let [first, second] = Side::BOTH.map(|side| self.count(Some(side)));
        let over = first == 0 || second == 0 || self.count(None) == 0 || self.acted == [200, 200];
        over.then(|| match first.cmp(&second) {
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
        })
    }

    fn accepts(&self, from: Place, to: Place) -> bool {
        self.outcome().is_none()
            && self.board[from.0][from.1] == Some(self.turn)
            && self.board[to.0][to.1].is_none()
            && (distance(from, to) == 1 || distance(from, to) == 2)
    }

    fn accepts_pass(&self) -> bool {
        self.outcome().is_none() && places().all(|from| places().all(|to| !self.accepts(from, to)))
    }

    fn act(&mut self) {
        self.acted[self.turn.index()] += 1;
        self.turn = self.turn.other();
    }

    fn play(&mut self, from: Place, to: Place) {
        if distance(from, to) == 2 {
            self.board[from.0][from.1] = None;
        }
        self.board[to.0][to.1] = Some(self.turn);
        for (x, y) in places() {
            if distance((x, y), to) == 1 && self.board[x][y] == Some(self.turn.other()) {
                self.board[x][y] = Some(self.turn);
            }
        }
        self.act();
    }
}

/// Both accept the same of all texts that could be moves, and go on to the same board and outcome.
fn check(position: &Bacteria) {
    let mailbox = Mailbox::of(position);
    assert_eq!(position.outcome(), mailbox.outcome(), "{position}");
    let mut accepted = Vec::new();
    for from in places() {
        for to in places() {
            let text = format!("{} {} {} {}", from.0, from.1, to.0, to.1);
            let read = position.read_move(&text);
            assert_eq!(read.is_ok(), mailbox.accepts(from, to), "`{text}` at {position}");
            let Ok(m) = read else { continue };
            assert_eq!(m.to_string(), text, "a move is returned as it was given");
            accepted.push(m);
            let mut then = mailbox.clone();
            then.play(from, to);
            let next = after(position, m);
            assert_eq!(Mailbox::of(&next), then, "`{text}` at {position}");
            assert_eq!(next.outcome(), then.outcome(), "`{text}` at {position}");
        }
    }
    let pass = position.read_move("-1 -1 -1 -1");
    assert_eq!(pass.is_ok(), mailbox.accepts_pass(), "PASS at {position}");
    if let Ok(m) = pass {
        accepted.push(m);
        let mut then = mailbox;
        then.act();
        assert_eq!(Mailbox::of(&after(position, m)), then, "PASS at {position}");
    }

    let mut all = Vec::new();
    position.all_sources(&mut all);
    let unsorted = all.clone();
    all.sort_unstable();
    accepted.sort_unstable();
    assert_eq!(all, accepted, "every accepted move is listed once at {position}");

    // Of the sources of one division only the lowest-numbered is kept.
    let mut kept = Vec::new();
    for m in unsorted {
        if m.is_leap() || kept.last().is_none_or(|last: &agon_rules::bacteria::Move| last.to() != m.to()) {
            kept.push(m);
        }
    }
    assert_eq!(legal_moves(position), kept, "legal moves at {position}");
}

#[test]
fn random_games_agree() {
    let mut stream = Stream::new(3, "mailbox");
    for fen in FENS {
        let mut position = dish(fen);
        loop {
            check(&position);
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position = after(&position, moves[stream.below(moves.len())]);
        }
    }
}

#[test]
fn random_boards_agree() {
    let mut stream = Stream::new(4, "mailbox");
    for _ in 0..300 {
        check(&random_dish(&mut stream));
    }
}
