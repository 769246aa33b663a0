//! A file of games, and where each position is in them.

use std::collections::BTreeMap;

use agon_catalog::{Game, Setup};
use agon_game::Side;

use super::cells::{MoveCells, TurnedPosition, cells_back, key, turned_cells};

const HEADER: &str = "agon games 1 ";

/// The most moves of a game: their number is a byte.
pub const MAX_MOVES: usize = u8::MAX as usize;

/// A game of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// The number of its start.
    pub start: u8,
    /// The levels of both players.
    pub levels: [u8; 2],
    pub winner: Option<Side>,
    pub(super) moves: Vec<MoveCells>,
}

impl PlayedGame {
    /// The number of its moves.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }
}

/// A game that is to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGame {
    /// The parameters with which it begins.
    pub parameters: BTreeMap<String, String>,
    /// The levels of both players.
    pub levels: [u8; 2],
    pub winner: Option<Side>,
    /// The moves in the judge's notation.
    pub moves: Vec<String>,
}

/// Why bytes are not games, or games cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GamesError {
    #[error("the first line is not `agon games 1` and the name of this game")]
    Header,
    #[error("start {0} is not one of this game")]
    Start(usize),
    #[error("game {0} is cut off, or has a move that is not legal")]
    Game(usize),
    #[error("more than 255 starts")]
    Starts,
}

/// Where a position stands in a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    key: u64,
    game: u32,
    ply: u8,
    /// A way of turning that leads to the key.
    way: u8,
}

/// The games of a file.
#[derive(Debug)]
pub struct PlayedGames<P> {
    starts: Vec<(BTreeMap<String, String>, P)>,
    games: Vec<PlayedGame>,
    /// In the order of their keys.
    places: Vec<Place>,
}

impl<P> Default for PlayedGames<P> {
    fn default() -> Self {
        Self { starts: Vec::new(), games: Vec::new(), places: Vec::new() }
    }
}

/// What was played from a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlayedCells {
    /// The move as the board stands.
    pub cells: MoveCells,
    pub games: u32,
    pub wins: [u32; 2],
    pub draws: u32,
}

impl<P: TurnedPosition> PlayedGames<P> {
    /// # Errors
    /// [`GamesError`] with the first game that is wrong.
    pub fn read(bytes: &[u8]) -> Result<Self, GamesError> {
        let mut rest = bytes;
        let mut line = || -> Option<&str> {
            let end = rest.iter().position(|&byte| byte == b'\n')?;
            let line = std::str::from_utf8(&rest[..end]).ok()?;
            rest = &rest[end + 1..];
            Some(line)
        };
        let named = line().and_then(|line| line.strip_prefix(HEADER));
        named.filter(|name| *name == P::GAME.name()).ok_or(GamesError::Header)?;
        let mut starts = Vec::new();
        let count: usize = loop {
            let text = line().ok_or(GamesError::Header)?;
            if let Some(count) = text.strip_prefix("games ") {
                break count.parse().map_err(|_| GamesError::Header)?;
            }
            let given = text.strip_prefix("start").ok_or(GamesError::Header)?.trim();
            let pair = given.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
            let setup = Setup { seed: 0, parameters: pair.into_iter().collect() };
            let position = P::start(&setup).map_err(|_| GamesError::Start(starts.len()))?;
            starts.push((setup.parameters, position));
        };
        let mut all = Self { starts, ..Self::default() };
        let mut bytes = rest.iter().copied();
        for number in 0..count {
            let game = all.read_game(number, &mut bytes).ok_or(GamesError::Game(number))?;
            all.games.push(game);
        }
        all.places.sort_unstable();
        Ok(all)
    }

    fn read_game(&mut self, number: usize, bytes: &mut impl Iterator<Item = u8>) -> Option<PlayedGame> {
        let [start, first, second, winner, plies] = std::array::from_fn(|_| bytes.next());
        let mut position = self.starts.get(usize::from(start?))?.1.clone();
        let winner = match winner? {
            0 => None,
            1 => Some(Side::First),
            2 => Some(Side::Second),
            _ => return None,
        };
        let mut moves = Vec::new();
        for ply in 0..plies? {
            let m = position.read(bytes)?;
            let (key, ways) = key(&position);
            self.places.push(Place { key, game: number as u32, ply, way: ways[0] });
            moves.push(position.move_cells(m));
            position.play_unchecked(m, &mut ());
        }
        Some(PlayedGame { start: start?, levels: [first?, second?], winner, moves })
    }

    /// All games.
    pub fn games(&self) -> &[PlayedGame] {
        &self.games
    }

    /// The parameters with which a game begins.
    pub fn parameters(&self, game: &PlayedGame) -> &BTreeMap<String, String> {
        &self.starts[usize::from(game.start)].0
    }

    /// The places of a position, and the ways of turning it that lead to its key.
    fn found(&self, position: &P) -> (&[Place], Vec<u8>) {
        let (key, ways) = key(position);
        let from = self.places.partition_point(|place| place.key < key);
        let count = self.places[from..].partition_point(|place| place.key == key);
        (&self.places[from..from + count], ways)
    }

    /// What was played from a position, the most frequent first.
    pub(super) fn played(&self, position: &P) -> Vec<PlayedCells> {
        let (places, ways) = self.found(position);
        let size = position.size();
        let mut found: Vec<PlayedCells> = Vec::new();
        for &place in places {
            let game = &self.games[place.game as usize];
            let there = turned_cells(place.way, size, game.moves[usize::from(place.ply)]);
            let back = |&way: &u8| in_order(cells_back(way, size, there), P::WAYS);
            let mut here: Vec<MoveCells> = ways.iter().map(back).collect();
            here.sort_unstable();
            here.dedup();
            for cells in here {
                let at = found.iter().position(|one| one.cells == cells).unwrap_or_else(|| {
                    found.push(PlayedCells { cells, games: 0, wins: [0; 2], draws: 0 });
                    found.len() - 1
                });
                found[at].games += 1;
                match game.winner {
                    Some(side) => found[at].wins[side.index()] += 1,
                    None => found[at].draws += 1,
                }
            }
        }
        found.sort_by_key(|one| (std::cmp::Reverse(one.games), one.cells));
        found
    }

    /// Games with a position, those of the strongest players first, each with its moves as the board stands.
    pub(super) fn examples(&self, position: &P, count: usize) -> Vec<(&PlayedGame, Vec<String>)> {
        let (places, ways) = self.found(position);
        let mut places = places.to_vec();
        let strength = |place: &Place| {
            let [first, second] = self.games[place.game as usize].levels;
            u16::from(first) + u16::from(second)
        };
        places.sort_by_key(|place| (std::cmp::Reverse(strength(place)), place.game));
        places.dedup_by_key(|place| place.game);
        let games = places.into_iter().take(count).map(|place| {
            let game = &self.games[place.game as usize];
            // A board that is drawn stays as it is.
            let way = if self.parameters(game).is_empty() { Some(place.way) } else { None };
            (game, self.moves(game, way.zip(ways.first().copied())))
        });
        games.collect()
    }

    /// The moves of a game in the judge's notation, turned by the first way and back by the second one.
    fn moves(&self, game: &PlayedGame, ways: Option<(u8, u8)>) -> Vec<String> {
        let mut position = self.starts[usize::from(game.start)].1.clone();
        let size = position.size();
        let turned =
            |cells| ways.map_or(cells, |(there, here)| cells_back(here, size, turned_cells(there, size, cells)));
        let mut moves = Vec::with_capacity(game.moves.len());
        for &cells in &game.moves {
            let Some(m) = position.move_of(in_order(turned(cells), P::WAYS)) else { break };
            moves.push(m.to_string());
            position.play_unchecked(m, &mut ());
        }
        moves
    }
}

/// The cells of a move after turning: of a domino the upper or left one comes first.
fn in_order(cells: MoveCells, ways: u8) -> MoveCells {
    if ways == 4 && cells[0] > cells[1] { [cells[1], cells[0]] } else { cells }
}

/// The bytes of a file with these games.
///
/// # Errors
/// [`GamesError`] with the first game that cannot be written.
pub fn written<P: TurnedPosition>(game: Game, games: &[NewGame]) -> Result<Vec<u8>, GamesError> {
    let mut starts: Vec<&BTreeMap<String, String>> = games.iter().map(|game| &game.parameters).collect();
    starts.sort_unstable();
    starts.dedup();
    if starts.len() > MAX_MOVES {
        return Err(GamesError::Starts);
    }
    let mut text = format!("{HEADER}{}\n", game.name());
    for start in &starts {
        let given: Vec<String> = start.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        text += &format!("start{}\n", given.concat());
    }
    let mut bytes = format!("{text}games {}\n", games.len()).into_bytes();
    for (number, game) in games.iter().enumerate() {
        let wrong = || GamesError::Game(number);
        let start = starts.iter().position(|start| *start == &game.parameters).ok_or_else(wrong)?;
        let setup = Setup { seed: 0, parameters: game.parameters.clone() };
        let mut position = P::start(&setup).map_err(|_| GamesError::Start(start))?;
        let winner = game.winner.map_or(0, |side| 1 + side.index() as u8);
        let plies = u8::try_from(game.moves.len()).map_err(|_| wrong())?;
        bytes.extend([start as u8, game.levels[0], game.levels[1], winner, plies]);
        for text in &game.moves {
            let m = position.read_move(text).map_err(|_| wrong())?;
            position.write(m, &mut bytes);
            position.play_unchecked(m, &mut ());
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use agon_engines::files;
    use agon_game::Position as _;
    use agon_rules::bacteria::Bacteria;
    use agon_rules::domineering::Domineering;
    use agon_rules::renju::{Move, Renju};

    use super::*;

    fn game(parameters: &[(&str, &str)], winner: Option<Side>, moves: &[&str]) -> NewGame {
        let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        NewGame { parameters, levels: [3, 4], winner, moves: moves.iter().map(|&text| text.to_owned()).collect() }
    }

    fn read<P: TurnedPosition>(games: &[NewGame]) -> PlayedGames<P> {
        PlayedGames::read(&written::<P>(P::GAME, games).unwrap()).unwrap()
    }

    /// Letters, games, wins and draws of each move.
    fn shown<P: TurnedPosition>(all: &PlayedGames<P>, position: &P) -> Vec<(String, u32, [u32; 2], u32)> {
        let letters = |one: &PlayedCells| P::letters(position.move_of(one.cells).unwrap());
        all.played(position).iter().map(|one| (letters(one), one.games, one.wins, one.draws)).collect()
    }

    #[test]
    fn games_of_renju_are_counted_however_their_board_is_turned() {
        let all = read::<Renju>(&[
            game(&[], Some(Side::First), &["8 8", "7 8", "7 9"]),
            game(&[], Some(Side::Second), &["8 8", "8 7", "9 7", "-1 -1"]),
            game(&[], None, &["8 8", "9 9"]),
        ]);
        let position = Renju::after(&["H8", "H7"].map(|text| Move::from_letters(text).unwrap())).unwrap();
        // Both sides of a position that is its own mirror image.
        let both = |point: &str| (point.to_owned(), 2, [1, 1], 0);
        assert_eq!(shown(&all, &position), [both("G7"), both("I7")]);
        let examples = all.examples(&position, 5);
        assert_eq!(
            examples.iter().map(|(game, _)| game.winner).collect::<Vec<_>>(),
            [Some(Side::First), Some(Side::Second)]
        );
        assert!(examples.iter().all(|(_, moves)| moves[..2] == ["8 8", "9 8"]), "{examples:?}");
        let start = shown(&all, &Renju::default());
        assert_eq!(start, [("H8".to_owned(), 3, [1, 1], 1)]);
    }

    #[test]
    fn divisions_to_one_cell_are_one_move() {
        let all = read::<Bacteria>(&[
            game(&[], Some(Side::First), &["1 1 1 2", "1 7 1 5"]),
            game(&[], Some(Side::First), &["7 7 6 7", "1 7 3 7"]),
        ]);
        let start = Bacteria::start();
        let found = all.played(&start);
        assert_eq!(found.iter().map(|one| one.games).collect::<Vec<_>>(), [2; 4], "{found:?}");
        let mut after = start;
        after.play_unchecked(after.read_move("1 1 1 2").unwrap(), &mut ());
        // The second game is the first one, turned.
        assert_eq!(all.played(&after).iter().map(|one| one.games).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn boards_of_domineering_are_mirrored_and_not_turned() {
        let board = [("board", "1 2 3/3 2 1/0 0 0")];
        let all = read::<Domineering>(&[game(&board, None, &["1 1", "2 3"])]);
        let of = |text: &str| shown(&all, &text.parse::<Domineering>().unwrap());
        assert_eq!(of("123/321/000 .../.../... H 0 0 0"), [("1 1".to_owned(), 1, [0, 0], 1)]);
        // The same board from below and from the right.
        assert_eq!(of("000/123/321 .../.../... H 0 0 0")[0].0, "3 2");
        assert_eq!(of("321/123/000 .../.../... H 0 0 0")[0].0, "1 2");
        assert_eq!(of("130/220/310 .../.../... H 0 0 0"), []);
    }

    #[test]
    fn files_that_are_spoilt_are_refused() {
        let bytes = written::<Renju>(Game::RENJU, &[game(&[], None, &["8 8", "7 8"])]).unwrap();
        let check = |bytes: &[u8], expected: GamesError| {
            assert_eq!(PlayedGames::<Renju>::read(bytes).unwrap_err(), expected, "{bytes:?}");
        };
        check(b"agon games 1 bacteria\ngames 0\n", GamesError::Header);
        check(b"agon games 1 renju\nstart\n", GamesError::Header);
        check(b"agon games 1 renju\nstart rules=x\ngames 0\n", GamesError::Start(0));
        check(&bytes[..bytes.len() - 1], GamesError::Game(0));
        // The same point twice.
        check(&[&bytes[..bytes.len() - 1], &[112]].concat(), GamesError::Game(0));
        let illegal = game(&[], None, &["8 8", "8 8"]);
        assert_eq!(written::<Renju>(Game::RENJU, &[illegal]), Err(GamesError::Game(0)));
    }

    #[test]
    fn the_games_that_come_with_the_program_are_legal() {
        fn count<P: TurnedPosition>() -> usize {
            let name = format!("books/games/{}.games", P::GAME.name());
            let file = files::games().into_iter().find(|file| file.name == name).unwrap();
            let all = PlayedGames::<P>::read(file.bytes()).unwrap();
            let start = P::start(&Setup { seed: 0, parameters: all.starts[0].0.clone() }).unwrap();
            let from_start: u32 = all.played(&start).iter().map(|one| one.games).sum();
            assert!(from_start > 0, "{name}");
            all.games().len()
        }
        let bytes: usize = files::games().iter().map(|file| file.bytes().len()).sum();
        assert!(bytes <= 300 << 10, "{bytes} bytes");
        assert!(count::<Renju>() >= 1_000 && count::<Bacteria>() >= 500 && count::<Domineering>() >= 100);
    }
}
