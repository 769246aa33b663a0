//! The actions of a shared game's players. Each action turns the game's state into the next one, or is refused.

use agon_boards::analysis::{BoardQuestion, QuestionError};
use agon_files::{EndedBy, GameEnd};
use agon_game::{SeatName, Side};
use agon_message::{Stated, messages};
use agon_referee::record::Termination;
use agon_referee::report::BoutReason;
use agon_site::secret;
use agon_site::store::{OpenOffer, SharedEnd, SharedGame, SharedOffer};
use axum::http::StatusCode;
use subtle::ConstantTimeEq as _;

/// How many moves cost no time: the clocks run once both sides have made their first move, and so are there.
const FREE: usize = 2;

/// Something that the owner of a seat does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SharedAct {
    /// Comes, signed in to this account if to any.
    Join(Option<i64>),
    /// Makes a move at this ply.
    Move {
        /// The moves that were seen.
        ply: usize,
        /// The move, in either notation.
        text: String,
    },
    Resign,
    /// Offers something to the other player; this also accepts the same offer of that player.
    Offer(SharedOffer),
    /// Answers the other player's offer, or withdraws one's own.
    Answer {
        /// The moves that were seen.
        ply: usize,
        accept: bool,
    },
    /// Wants to play again, with the seats swapped, in a game of this name if the other player wants it, too.
    Again {
        /// The name of the next game.
        next: String,
    },
}

messages! {
    /// Why an action is refused.
    #[derive(Clone, PartialEq, Eq)]
    pub(crate) enum ActError {
        NotYourTurn = "it is not your turn",
        Over { reason: Stated } = "the game is over: {reason}",
        NotOver = "the game is not over yet",
        Declined = "this was declined; offer it again after the next move",
        AnswerFirst = "answer the other player's offer first",
        NoDraws { game: &'static str } = "{game} has no draws",
        NoOwnMove = "you have made no move yet",
        NothingToTakeBack = "there is no move to take back",
        OfferClosed = "this offer is no longer open",
        OthersToAnswer = "the other player answers your offer",
    }
}

/// The game as boards ask about it.
pub(crate) fn question(game: &SharedGame) -> BoardQuestion {
    BoardQuestion {
        game: game.game.name().to_owned(),
        parameters: game.setup.parameters.clone(),
        seed: game.setup.seed,
        moves: game.moves.clone(),
        ..BoardQuestion::default()
    }
}

/// How the two ended a game, if its rules did not.
pub(crate) fn written_end(game: &SharedGame) -> Option<GameEnd> {
    let end = game.end.as_ref()?;
    let termination = match end.termination? {
        Termination::Resignation => EndedBy::Resignation,
        Termination::Time => EndedBy::Time,
        Termination::Agreement => EndedBy::Agreement,
        Termination::Adjudication => EndedBy::Adjudication,
    };
    Some(GameEnd { winner: end.winner.map(Side::index), termination })
}

/// The seat of a key. The time taken does not depend on the right one.
pub(crate) fn seat_of(game: &SharedGame, key: &str) -> Option<Side> {
    let digest = secret::digest(key);
    let [first, second] = game.seats.each_ref().map(|seat| bool::from(seat.key[..].ct_eq(&digest)));
    if first { Some(Side::First) } else { second.then_some(Side::Second) }
}

/// When the side to move runs out of time; `None` while no clock runs.
pub(super) fn due_ms(game: &SharedGame) -> Option<i64> {
    let (clock, turn) = (game.clock?, game.turn?);
    let runs = game.moves.len() >= FREE && game.end.is_none();
    runs.then(|| game.moved_ms.saturating_add(clock.left_ms[turn.index()] as i64))
}

/// The game lost on time, if it is.
pub(crate) fn flagged(game: &SharedGame, now_ms: i64) -> Option<SharedGame> {
    let turn = game.turn.filter(|_| due_ms(game).is_some_and(|due| due <= now_ms))?;
    let mut ended = lost(game, turn, Termination::Time);
    if let Some(clock) = &mut ended.clock {
        clock.left_ms[turn.index()] = 0;
    }
    Some(ended)
}

/// The game as lost by a side, on time or by resignation.
fn lost(game: &SharedGame, side: Side, how: Termination) -> SharedGame {
    let names = game.game.initial_state(&game.setup).map(|state| state.view().seats);
    let side_name = SeatName::from(names.map_or("a side", |names| names[side.index()]));
    let reason = match how {
        Termination::Time => BoutReason::TimeIsOver { side: side_name },
        _ => BoutReason::Resigned { side: side_name },
    };
    let end = SharedEnd { winner: Some(side.other()), reason: Stated::from(&reason), termination: Some(how) };
    SharedGame { turn: None, offer: None, end: Some(end), ..game.clone() }
}

/// The state of a game after a side's action, and the next game if it begins one.
///
/// # Errors
/// [`QuestionError`] for what may not be done.
pub(crate) fn act(
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
            Ok((lost(game, side, Termination::Resignation), None))
        }
        SharedAct::Offer(offer) => offered(game, side, *offer, now_ms).map(|changed| (changed, None)),
        SharedAct::Answer { ply, accept } => answered(game, side, *ply, *accept, now_ms).map(|changed| (changed, None)),
        SharedAct::Again { next } => {
            if game.end.is_none() {
                return conflict(ActError::NotOver);
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

fn conflict<T>(error: ActError) -> Result<T, QuestionError> {
    Err(QuestionError { status: StatusCode::CONFLICT, ..QuestionError::from_message(error) })
}

fn offered(game: &SharedGame, side: Side, offer: SharedOffer, now_ms: i64) -> Result<SharedGame, QuestionError> {
    over(game)?;
    match game.offer {
        Some(open) if open.declined && (open.offer, open.by) == (offer, side) => {
            return conflict(ActError::Declined);
        }
        Some(open) if !open.declined && open.by == side => return Ok(game.clone()),
        Some(open) if !open.declined && open.offer == offer => return accepted(game, open, now_ms),
        Some(open) if !open.declined => return conflict(ActError::AnswerFirst),
        _ => {}
    }
    if offer == SharedOffer::Draw && !game.game.can_be_drawn {
        return conflict(ActError::NoDraws { game: game.game.title() });
    }
    if offer == SharedOffer::TakeBack && back_to(game, side)?.is_none() {
        return conflict(ActError::NoOwnMove);
    }
    Ok(SharedGame { offer: Some(OpenOffer { offer, by: side, declined: false }), ..game.clone() })
}

fn answered(game: &SharedGame, side: Side, ply: usize, accept: bool, now_ms: i64) -> Result<SharedGame, QuestionError> {
    over(game)?;
    let Some(open) = game.offer.filter(|open| !open.declined && ply == game.moves.len()) else {
        return conflict(ActError::OfferClosed);
    };
    match (open.by == side, accept) {
        (true, true) => conflict(ActError::OthersToAnswer),
        (true, false) => Ok(SharedGame { offer: None, ..game.clone() }),
        (false, true) => accepted(game, open, now_ms),
        (false, false) => Ok(SharedGame { offer: Some(OpenOffer { declined: true, ..open }), ..game.clone() }),
    }
}

/// The game after an offer that is accepted.
fn accepted(game: &SharedGame, open: OpenOffer, now_ms: i64) -> Result<SharedGame, QuestionError> {
    match open.offer {
        SharedOffer::Draw => {
            let reason = Stated::from(&BoutReason::Agreed);
            let end = SharedEnd { winner: None, reason, termination: Some(Termination::Agreement) };
            Ok(SharedGame { turn: None, offer: None, end: Some(end), ..game.clone() })
        }
        SharedOffer::TakeBack => {
            let Some(left) = back_to(game, open.by)? else { return conflict(ActError::NothingToTakeBack) };
            let mut changed = SharedGame { turn: Some(open.by), moved_ms: now_ms, offer: None, ..game.clone() };
            // The time that has been used stays used.
            if let Some((clock, turn)) = changed.clock.as_mut().zip(game.turn).filter(|_| game.moves.len() >= FREE) {
                let used = u64::try_from(now_ms - game.moved_ms).unwrap_or(0);
                let rest = &mut clock.left_ms[turn.index()];
                *rest = rest.saturating_sub(used).max(1);
            }
            changed.moves.truncate(left);
            Ok(changed)
        }
    }
}

/// How many moves are left when a side takes its last one back; `None` if it has made none.
fn back_to(game: &SharedGame, side: Side) -> Result<Option<usize>, QuestionError> {
    let played = question(game).play()?;
    Ok(played.moves.iter().rposition(|made| made.side == side.index()))
}

/// Refuses actions in a game that is over.
fn over(game: &SharedGame) -> Result<(), QuestionError> {
    match &game.end {
        None => Ok(()),
        Some(end) => conflict(ActError::Over { reason: end.reason.clone() }),
    }
}

fn played(game: &SharedGame, side: Side, ply: usize, text: &str, now_ms: i64) -> Result<SharedGame, QuestionError> {
    over(game)?;
    if ply != game.moves.len() || game.turn != Some(side) {
        return conflict(ActError::NotYourTurn);
    }
    let mut question = question(game);
    question.moves.push(text.to_owned());
    let after = question.play()?;
    let mut changed = SharedGame { turn: after.state.turn(), moved_ms: now_ms, ..game.clone() };
    if let Some(clock) = changed.clock.as_mut().filter(|_| ply >= FREE) {
        let used = u64::try_from(now_ms - game.moved_ms).unwrap_or(0);
        let left = &mut clock.left_ms[side.index()];
        *left = left.saturating_sub(used) + clock.increment_ms;
    }
    changed.moves.extend(after.moves.last().map(|made| made.judged.clone()));
    // A move answers the other player's offer; one's own offer of a draw stands until the other player has moved.
    changed.offer = game.offer.filter(|open| {
        open.by == side && open.offer == SharedOffer::Draw && !open.declined && after.state.turn().is_some()
    });
    changed.end = after.state.ending().map(|ending| SharedEnd {
        winner: ending.outcome.winner(),
        reason: Stated::from(&*ending.reason),
        termination: None,
    });
    Ok(changed)
}

/// The game in which the two play again. The keys stay with their owners, and the seats are swapped.
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
        offer: None,
        end: None,
        next: None,
        ..game.clone()
    };
    if let Some(clock) = &mut next.clock {
        clock.left_ms = [clock.base_ms; 2];
    }
    next.turn = question(&next).play()?.state.turn();
    Ok(next)
}

#[cfg(test)]
mod tests {
    use agon_catalog::{Game, Setup};
    use agon_site::store::{SharedClock, SharedSeat};

    use super::*;

    fn game(rows: u32, clock: Option<SharedClock>) -> SharedGame {
        let seat = |key| SharedSeat { key: secret::digest(key), account: None, name: None, joined: true, again: false };
        let parameters = ["rows", "columns"].map(|name| (name.to_owned(), rows.to_string())).into();
        SharedGame {
            id: "a".to_owned(),
            version: 1,
            game: Game::DOMINEERING,
            setup: Setup { seed: 3, parameters },
            seats: [seat("one"), seat("two")],
            clock,
            moves: Vec::new(),
            turn: Some(Side::First),
            moved_ms: 0,
            offer: None,
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
            assert!(error.reason.to_string().contains(detail), "{error}");
        };
        refused(&start, Side::Second, 0, "1 1", "not your turn");
        refused(&start, Side::First, 1, "1 1", "not your turn");
        refused(&start, Side::First, 0, "9 9", "move 1, 9 9:");
        let one = moved(&start, Side::First, "1 1", 5);
        assert_eq!((&one.moves[..], one.turn, one.moved_ms), (&["1 1".to_owned()][..], Some(Side::Second), 5));
        let (left, _) = act(&one, Side::First, &SharedAct::Resign, 6).unwrap();
        let end = left.end.clone().unwrap();
        assert_eq!((end.winner, &end.reason.text[..], left.turn), (Some(Side::Second), "H resigns", None));
        refused(&left, Side::Second, 1, "1 3", "the game is over: H resigns");
        // Played to its end, the rules say who has won.
        let ended = moved(&moved(&game(2, None), Side::First, "pass", 1), Side::Second, "pass", 2);
        assert_eq!(ended.end.unwrap().reason.text, "both players passed one after the other");
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
        let end = SharedEnd {
            winner: Some(Side::First),
            reason: Stated::from(&BoutReason::TimeIsOver { side: "V".into() }),
            termination: Some(Termination::Time),
        };
        assert_eq!(lost.end, Some(end));
        assert_eq!((lost.clock.unwrap().left_ms, flagged(&lost, 999_999)), ([7_000, 0], None));
    }

    #[test]
    fn moves_are_taken_back_if_the_other_one_agrees() {
        let clock = SharedClock { base_ms: 10_000, increment_ms: 0, left_ms: [10_000; 2] };
        let back = SharedAct::Offer(SharedOffer::TakeBack);
        let answer = |ply, accept| SharedAct::Answer { ply, accept };
        let refused = |game: &SharedGame, side, made: &SharedAct, detail: &str| {
            let error = act(game, side, made, 0).unwrap_err();
            assert!(error.status == StatusCode::CONFLICT && error.reason.to_string().contains(detail), "{error}");
        };
        let start = game(4, Some(clock));
        refused(&start, Side::First, &back, "no move yet");
        let two = moved(&moved(&start, Side::First, "1 1", 5), Side::Second, "3 4", 1_000);
        // The side that has just moved takes that move back, the side to move also the answer to it.
        for (side, left) in [(Side::Second, 1), (Side::First, 0)] {
            let asked = act(&two, side, &back, 2_000).unwrap().0;
            assert_eq!((&asked.moves, asked.offer.unwrap().by), (&two.moves, side));
            assert_eq!(act(&asked, side, &back, 2_000).unwrap().0, asked, "asked twice");
            refused(&asked, side, &answer(2, true), "the other player answers");
            refused(&asked, side.other(), &answer(1, true), "no longer open");
            let taken = act(&asked, side.other(), &answer(2, true), 4_000).unwrap().0;
            assert_eq!((taken.moves.len(), taken.turn, taken.offer), (left, Some(side), None));
            // First has thought for three seconds.
            assert_eq!((taken.clock.unwrap().left_ms, taken.moved_ms), ([7_000, 10_000], 4_000));
            let declined = act(&asked, side.other(), &answer(2, false), 4_000).unwrap().0;
            assert_eq!((declined.moves.len(), declined.offer.unwrap().declined), (2, true));
            refused(&declined, side, &back, "declined");
            assert_eq!(act(&declined, side.other(), &back, 4_000).unwrap().0.offer.unwrap().by, side.other());
            let withdrawn = act(&asked, side, &answer(2, false), 4_000).unwrap().0;
            assert_eq!(withdrawn, two);
            let both = act(&asked, side.other(), &back, 4_000).unwrap().0;
            assert_eq!(both.moves.len(), left, "both want it");
        }
        // A move answers, and afterwards a player may ask again.
        let asked = act(&two, Side::Second, &back, 2_000).unwrap().0;
        assert_eq!(moved(&asked, Side::First, "4 1", 3_000).offer, None);
    }

    #[test]
    fn a_draw_is_agreed_where_there_are_draws() {
        let draw = SharedAct::Offer(SharedOffer::Draw);
        let answer = |ply, accept| SharedAct::Answer { ply, accept };
        let why = act(&game(3, None), Side::First, &draw, 0).unwrap_err().reason.to_string();
        assert_eq!(why, "Domineering has no draws");
        let renju = SharedGame { game: Game::RENJU, setup: Setup::default(), ..game(3, None) };
        let asked = act(&renju, Side::First, &draw, 1).unwrap().0;
        // It stands while the offering player moves, and is void when the other one does.
        let one = moved(&asked, Side::First, "8 8", 2);
        assert_eq!(one.offer, asked.offer);
        assert_eq!(moved(&one, Side::Second, "7 8", 3).offer, None);
        let back = SharedAct::Offer(SharedOffer::TakeBack);
        assert!(
            act(&one, Side::Second, &back, 3)
                .unwrap_err()
                .reason
                .to_string()
                .contains("answer the other player's offer")
        );
        let end = act(&one, Side::Second, &answer(1, true), 4).unwrap().0.end.unwrap();
        assert_eq!((end.winner, end.termination), (None, Some(Termination::Agreement)));
        assert_eq!(end.reason.text, "both players agree to a draw");
        let declined = act(&one, Side::Second, &answer(1, false), 4).unwrap().0;
        assert_eq!((declined.end, declined.turn), (None, Some(Side::Second)));
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
        // Asking again changes nothing.
        assert_eq!(act(&over, Side::Second, &again, 9).unwrap(), (over, None));
    }
}
