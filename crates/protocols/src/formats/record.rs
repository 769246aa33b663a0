//! Agon's records: one, or several one after the other.

use agon_catalog::Game;
use agon_game::{Outcome, Side};
use agon_message::English;
use agon_referee::record::{Record, Termination, Winner};
use agon_referee::replay;
use agon_referee::text::line;
use agon_referee::verdict::Verdict;

use super::error::{FileError, FileProblem, Limits};
use super::result::{self, WonBy};
use super::tree::{Collection, GameTree, TreeMove};

/// Reads records, and proves each by the rules.
///
/// # Errors
/// [`FileError`] names the first that is none.
pub fn read(text: &str, limits: &Limits) -> Result<Collection, FileError> {
    let mut games: Vec<GameTree> = Vec::new();
    let mut nodes = 0;
    for (begun, one) in records(text) {
        let refused = |error: &dyn std::fmt::Display| {
            let problem = English(error.to_string());
            FileError::whole(match begun {
                1 => FileProblem::Rules(problem),
                line => FileProblem::RecordAt { line, problem },
            })
        };
        if games.len() >= limits.games {
            return Err(FileError::at(begun, FileProblem::TooManyGames { limit: limits.games }));
        }
        let record = Record::read(&one).map_err(|error| refused(&error))?;
        let mut tree = of_record(&record).map_err(|error| refused(&error))?;
        let mut state = tree.start()?;
        replay::prove(&record, state.as_mut()).map_err(|error| refused(&error))?;
        tree.place = begun.into();
        nodes += tree.nodes.len();
        limits.check(begun, nodes, tree.nodes.len() - 1)?;
        games.push(tree);
    }
    Ok(Collection::from_games(games))
}

/// The texts of a file's records, and the lines at which they begin.
fn records(text: &str) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if all.is_empty() || line.trim_start().starts_with("{\"record\":") {
            all.push((number, String::new()));
        }
        if let Some((_, one)) = all.last_mut() {
            one.push_str(line);
            one.push('\n');
        }
    }
    all
}

/// The game of a record. Its opening is a parameter; [`unfold_opening`](super::opening::unfold_opening) turns it into
/// moves.
///
/// # Errors
/// [`FileError`] when this version does not know the game, or its rules refuse a move.
pub fn of_record(record: &Record) -> Result<GameTree, FileError> {
    let header = &record.header;
    let game = Game::by_name(&header.game)
        .ok_or_else(|| FileError::whole(FileProblem::UnknownGame { game: header.game.clone() }))?;
    let mut tree = GameTree::new(game, 1);
    (tree.parameters, tree.seed) = (header.parameters.clone(), header.seed);
    let mut state = tree.start()?;
    let moves = replay::moves(record, state.as_mut()).map_err(|error| FileError::whole(FileProblem::rules(&error)))?;
    for (number, played) in moves.into_iter().enumerate() {
        tree.push(number, Some(TreeMove { side: played.side, judged: played.arguments }), 1);
    }
    for (name, agent) in ["PB", "PW"].into_iter().zip(&header.agents) {
        tree.set_plain(0, name, &line(agent.shown()));
    }
    if let Some((outcome, won_by)) = result_of(record) {
        tree.set_plain(0, "RE", &result::write(outcome, won_by));
    }
    Ok(tree)
}

/// Returns how the game of a record ended; `None` if it was stopped.
fn result_of(record: &Record) -> Option<(Outcome, WonBy)> {
    let result = &record.result;
    let winner = match result.winner {
        Winner::First => Side::First,
        Winner::Second => Side::Second,
        Winner::Draw => return Some((Outcome::Draw, WonBy::Rules)),
        Winner::Void => return None,
    };
    let won_by = match (result.termination, result.verdicts[winner.other().index()].verdict) {
        (Some(Termination::Resignation), _) => WonBy::Resignation,
        (Some(Termination::Time), _) | (None, Verdict::Tle) => WonBy::Time,
        (_, Verdict::Ok) => WonBy::Rules,
        _ => WonBy::Forfeit,
    };
    Some((Outcome::Win(winner), won_by))
}
