//! The games that come with Agon, and what was played in them from a position, however the board is turned.
//!
//! # The file
//! Lines of text, then the games in binary, as `agon lab games` writes them; `books/games/README.txt` has the commands.
//!
//! ```text
//! agon games 1 domineering
//! start board=3 3 0 …         a start, with the parameter that it needs; of other games `start`
//! games 240
//! ```
//! A game has the number of its start, the levels of both players, the winner (0 none, 1 first, 2 second) and the
//! number of moves, a byte each; then its moves, see [`TurnedPosition::write`].

mod answer;
mod cells;
mod games;

use std::sync::LazyLock;

use agon_catalog::Game;
use agon_engines::files;
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;

pub use answer::{PlayedAnswer, played_in};
pub use cells::TurnedPosition;
pub use games::{GamesError, MAX_MOVES, NewGame, PlayedGame, PlayedGames, written};

static RENJU: LazyLock<PlayedGames<Renju>> = LazyLock::new(|| own(Game::RENJU));
static BACTERIA: LazyLock<PlayedGames<Bacteria>> = LazyLock::new(|| own(Game::BACTERIA));
static DOMINEERING: LazyLock<PlayedGames<Domineering>> = LazyLock::new(|| own(Game::DOMINEERING));

/// The games of the program; none where a browser was not given the file.
fn own<P: TurnedPosition>(game: Game) -> PlayedGames<P> {
    let file = files::games().into_iter().find(|file| file.name.ends_with(&format!("/{}.games", game.name())));
    file.and_then(|file| PlayedGames::read(file.bytes()).ok()).unwrap_or_default()
}
