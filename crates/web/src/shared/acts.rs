//! What the players of a shared game do. Each act makes what the game becomes of what it was, or is refused.

use agon_arena::store::site::{SharedEnd, SharedGame};
use agon_game::Side;
use axum::http::StatusCode;
use subtle::ConstantTimeEq as _;

use crate::analysis::{BoardQuestion, QuestionError};
use crate::secret;

/// Moves that cost no time: the clocks run when both sides have made their first one, and so are there.
const FREE: usize = 2;

/// Something that the owner of a seat does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SharedAct {
    /// Comes, signed in to this account if to any.
    Join(Option<i64>),
    /// Makes a move, after so many.
    Move {
        /// The moves that were seen.
        ply: usize,
        /// The move, in either notation.
        text: String,
    },
    /// Gives up.
    Resign,
    /// Wants to play again, with the seats swapped, in a game of this name if the other one wants it, too.
    Again {
        /// The name of the next game.
        next: String,
    },
}

fn refused(status: StatusCode, detail: &impl ToString) -> QuestionError {
    QuestionError { status, ..QuestionError::new(detail) }
}

/// The game as boards ask about it.
pub fn question(game: &SharedGame) -> BoardQuestion {
    BoardQuestion {
        game: game.game.name().to_owned(),
        parameters: game.setup.parameters.clone(),
        seed: game.setup.seed,
        moves: game.moves.clone(),
        ..BoardQuestion::default()
    }
}

/// The seat that a key is for. How long the answer takes tells nothing of the right one.
pub fn seat_of(game: &SharedGame, key: &str) -> Option<Side> {
    let digest = secret::digest(key);
    let [first, second] = game.seats.each_ref().map(|seat| bool::from(seat.key[..].ct_eq(&digest)));
    if first { Some(Side::First) } else { second.then_some(Side::Second) }
}

/// When the side to move has no time left; none while no clock runs.
pub fn due_ms(game: &SharedGame) -> Option<i64> {
    let (clock, turn) = (game.clock?, game.turn?);
    let runs = game.moves.len() >= FREE && game.end.is_none();
    runs.then(|| game.moved_ms.saturating_add(clock.left_ms[turn.index()] as i64))
}

/// The game lost on time, if it is.
pub fn flagged(game: &SharedGame, now_ms: i64) -> Option<SharedGame> {
    let turn = game.turn.filter(|_| due_ms(game).is_some_and(|due| due <= now_ms))?;
    let mut ended = lost(game, turn, "has no time left");
    if let Some(clock) = &mut ended.clock {
        clock.left_ms[turn.index()] = 0;
    }
    Some(ended)
}

/// The game as lost by a side, and why.
fn lost(game: &SharedGame, side: Side, why: &str) -> SharedGame {
    let names = game.game.contest(&game.setup).map(|contest| contest.view().seats);
    let name = names.map_or("a side", |names| names[side.index()]);
    let end = SharedEnd { winner: Some(side.other()), reason: format!("{name} {why}") };
    SharedGame { turn: None, end: Some(end), ..game.clone() }
}

/// What a game becomes by an act of a side, and the next game if it begins one.
///
/// # Errors
/// [`QuestionError`] for what may not be done.
pub fn act(
    game: &SharedGame,
    side: Side,
    act: &SharedAct,
    now_ms: i64,
) -> Result<(SharedGame, Option<SharedGame>), QuestionError> {
    let own = side.index();
    match act {
        SharedAct::Join(account) => {
            let mut changed = game.clone();
            let seat = &mut changed.seats[own];
            seat.joined = true;
            seat.account = seat.account.or(*account);
            Ok((changed, None))
        }
        SharedAct::Move { ply, text } => played(game, side, *ply, text, now_ms).map(|changed| (changed, None)),
        SharedAct::Resign => {
            over(game)?;
            Ok((lost(game, side, "resigns"), None))
        }
        SharedAct::Again { next } => {
            if game.end.is_none() {
                return Err(refused(StatusCode::CONFLICT, &"the game is not over yet"));
            }
            if game.next.is_some() {
                return Ok((game.clone(), None));
            }
            let mut changed = game.clone();
            changed.seats[own].again = true;
            if !changed.seats[side.other().index()].again {
                return Ok((changed, None));
            }
            changed.next = Some(next.clone());
            let begun = next_game(&changed, next, now_ms)?;
            Ok((changed, Some(begun)))
        }
    }
}

/// Refuses what is done in a game that is over.
fn over(game: &SharedGame) -> Result<(), QuestionError> {
    match &game.end {
        None => Ok(()),
        Some(end) => Err(refused(StatusCode::CONFLICT, &format!("the game is over: {}", end.reason))),
    }
}

fn played(game: &SharedGame, side: Side, ply: usize, text: &str, now_ms: i64) -> Result<SharedGame, QuestionError> {
    over(game)?;
    if ply != game.moves.len() || game.turn != Some(side) {
        return Err(refused(StatusCode::CONFLICT, &"it is not your turn"));
    }
    let mut question = question(game);
    question.moves.push(text.to_owned());
    let after = question.play()?;
    let mut changed = SharedGame { turn: after.contest.turn(), moved_ms: now_ms, ..game.clone() };
    if let Some(clock) = changed.clock.as_mut().filter(|_| ply >= FREE) {
        let used = u64::try_from(now_ms - game.moved_ms).unwrap_or(0);
        let left = &mut clock.left_ms[side.index()];
        *left = left.saturating_sub(used) + clock.increment_ms;
    }
    changed.moves.extend(after.moves.last().map(|made| made.judged.clone()));
    changed.end =
        after.contest.ending().map(|ending| SharedEnd { winner: ending.outcome.winner(), reason: ending.reason });
    Ok(changed)
}

/// The game in which the two play again. The keys go with those who have them, and the seats are swapped.
fn next_game(game: &SharedGame, id: &str, now_ms: i64) -> Result<SharedGame, QuestionError> {
    let mut seats = game.seats.clone();
    seats.reverse();
    for seat in &mut seats {
        seat.again = false;
    }
    let mut next = SharedGame {
        id: id.to_owned(),
        version: 1,
        seats,
        moves: Vec::new(),
        moved_ms: now_ms,
        end: None,
        next: None,
        ..game.clone()
    };
    if let Some(clock) = &mut next.clock {
        clock.left_ms = [clock.base_ms; 2];
    }
    next.turn = question(&next).play()?.contest.turn();
    Ok(next)
}

#[cfg(test)]
mod tests {
    use agon_arena::store::site::{SharedClock, SharedSeat};
    use agon_rules::catalog::{Game, Setup};

    use super::*;

    fn game(rows: u32, clock: Option<SharedClock>) -> SharedGame {
        let seat = |key| SharedSeat { key: secret::digest(key), account: None, name: None, joined: true, again: false };
        let parameters = ["rows", "columns"].map(|name| (name.to_owned(), rows.to_string())).into();
        SharedGame {
            id: "a".to_owned(),
            version: 1,
            game: Game::Domineering,
            setup: Setup { seed: 3, parameters },
            seats: [seat("one"), seat("two")],
            clock,
            moves: Vec::new(),
            turn: Some(Side::First),
            moved_ms: 0,
            end: None,
            next: None,
        }
    }

    fn moved(game: &SharedGame, side: Side, text: &str, now_ms: i64) -> SharedGame {
        let made = SharedAct::Move { ply: game.moves.len(), text: text.to_owned() };
        act(game, side, &made, now_ms).unwrap().0
    }

    #[test]
    fn a_key_opens_its_seat() {
        let game = game(3, None);
        assert_eq!(
            ["one", "two", "three", ""].map(|key| seat_of(&game, key)),
            [Some(Side::First), Some(Side::Second), None, None]
        );
    }

    #[test]
    fn moves_are_judged_by_the_rules_and_the_turn() {
        let start = game(3, None);
        let refused = |game: &SharedGame, side, ply, text: &str, detail: &str| {
            let made = SharedAct::Move { ply, text: text.to_owned() };
            let error = act(game, side, &made, 0).unwrap_err();
            assert!(error.detail.contains(detail), "{error}");
        };
        refused(&start, Side::Second, 0, "1 1", "not your turn");
        refused(&start, Side::First, 1, "1 1", "not your turn");
        refused(&start, Side::First, 0, "9 9", "move 1, 9 9:");
        let one = moved(&start, Side::First, "1 1", 5);
        assert_eq!((&one.moves[..], one.turn, one.moved_ms), (&["1 1".to_owned()][..], Some(Side::Second), 5));
        let (left, _) = act(&one, Side::First, &SharedAct::Resign, 6).unwrap();
        let end = left.end.clone().unwrap();
        assert_eq!((end.winner, &end.reason[..], left.turn), (Some(Side::Second), "H resigns", None));
        refused(&left, Side::Second, 1, "1 3", "the game is over: H resigns");
        // Played to its end, the rules say who has won.
        let ended = moved(&moved(&game(2, None), Side::First, "pass", 1), Side::Second, "pass", 2);
        assert_eq!(ended.end.unwrap().reason, "both players passed one after the other");
    }

    #[test]
    fn the_clocks_run_when_both_have_moved() {
        let clock = SharedClock { base_ms: 10_000, increment_ms: 1_000, left_ms: [10_000; 2] };
        let start = game(4, Some(clock));
        let one = moved(&start, Side::First, "1 1", 500_000);
        assert_eq!((due_ms(&start), due_ms(&one), flagged(&one, 900_000)), (None, None, None));
        let two = moved(&one, Side::Second, "3 4", 900_000);
        assert_eq!((two.clock.unwrap().left_ms, due_ms(&two)), ([10_000; 2], Some(910_000)));
        let three = moved(&two, Side::First, "4 1", 904_000);
        assert_eq!((three.clock.unwrap().left_ms, due_ms(&three)), ([7_000, 10_000], Some(914_000)));
        assert_eq!(flagged(&three, 913_999), None);
        let lost = flagged(&three, 914_000).unwrap();
        assert_eq!(lost.end, Some(SharedEnd { winner: Some(Side::First), reason: "V has no time left".to_owned() }));
        assert_eq!((lost.clock.unwrap().left_ms, flagged(&lost, 999_999)), ([7_000, 0], None));
    }

    #[test]
    fn the_two_play_again_with_the_seats_swapped() {
        let clock = SharedClock { base_ms: 10_000, increment_ms: 0, left_ms: [1, 2] };
        let again = SharedAct::Again { next: "b".to_owned() };
        let start = game(3, Some(clock));
        assert_eq!(act(&start, Side::First, &again, 7).unwrap_err().status, StatusCode::CONFLICT);
        let (ended, _) = act(&moved(&start, Side::First, "1 1", 5), Side::First, &SharedAct::Resign, 6).unwrap();
        let (offered, none) = act(&ended, Side::Second, &again, 7).unwrap();
        assert_eq!((none, offered.next.as_deref(), offered.seats[1].again), (None, None, true));
        let (over, next) = act(&offered, Side::First, &again, 8).unwrap();
        let next = next.unwrap();
        assert_eq!((over.next.as_deref(), &next.id[..], next.turn), (Some("b"), "b", Some(Side::First)));
        assert_eq!((seat_of(&next, "two"), next.moves.len(), next.end.is_some()), (Some(Side::First), 0, false));
        assert_eq!((next.clock.unwrap().left_ms, next.seats[0].again), ([10_000; 2], false));
        // Asked for once more, nothing happens.
        assert_eq!(act(&over, Side::Second, &again, 9).unwrap(), (over, None));
    }
}
