//! Checks that every game must pass.
//!
//! Call [`obey`] from a game's tests with its starting positions. It plays random games and, at every position,
//! checks what the [`Position`] trait promises.

use crate::seed::Stream;
use crate::{Change, Position, Show};

/// Plays `games` random games from `start` and checks every law at every position.
///
/// - legal = accepted: each move is listed once, survives writing and reading in both notations, and is playable;
/// - [`Position::is_legal`] holds of exactly the moves whose texts are accepted;
/// - moves are listed exactly while the outcome is unknown, and an ended game refuses every move;
/// - a pass counts as a move; sides alternate; each move adds one ply;
/// - the incremental hash equals the computed one; equal positions have equal hashes;
/// - the observer sees each changed cell once, and its changes turn the old view into the new one;
/// - bulk counts equal plain counts;
/// - a reason exists exactly if an outcome does.
///
/// # Panics
/// If a law is broken, with the position and the law.
pub fn obey<P: Show>(start: &P, games: usize, seed: u64) {
    wander(start, games, seed, |position| {
        for m in check(position) {
            step(position, m);
        }
    });
}

/// Checks one position and returns its legal moves.
fn check<P: Show>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(
        moves.is_empty(),
        position.outcome().is_some(),
        "moves are listed exactly while the game goes on: {position:?}"
    );
    assert_eq!(
        position.outcome().is_some(),
        position.end_reason().is_some(),
        "an end has a reason, and only an end: {position:?}"
    );
    assert_eq!(position.count_moves(), moves.len() as u64, "count_moves = legal_moves at {position:?}");
    assert_eq!(position.hash(), position.computed_hash(), "kept hash = computed hash at {position:?}");
    let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    for (m, text) in moves.iter().zip(&texts) {
        assert_eq!(position.read_move(text).as_ref(), Ok(m), "a legal move reads back at {position:?}");
    }
    let mut accepted = Vec::new();
    position.accepted_moves(&mut accepted);
    for &m in moves.iter().chain(&accepted) {
        assert!(position.is_legal(m), "{m} is legal at {position:?}");
    }
    let mut letters: Vec<String> = moves.iter().map(|&m| P::letters(m)).collect();
    for (m, text) in moves.iter().zip(&letters) {
        assert_eq!(position.read_any(text).as_ref(), Ok(m), "a legal move reads back from `{text}` at {position:?}");
        assert_eq!(position.read_any(&m.to_string()).as_ref(), Ok(m), "and from the judge's notation at {position:?}");
    }
    letters.sort_unstable();
    assert!(letters.windows(2).all(|pair| pair[0] != pair[1]), "no two moves have the same letters at {position:?}");
    texts.sort_unstable();
    assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "no move is listed twice at {position:?}");
    for nonsense in ["", " ", "x", "1", "1 2 3 4 5 6 7", "99999999999999999999 1", "-1", "1,1"] {
        assert!(position.read_move(nonsense).is_err(), "`{nonsense}` is not a move at {position:?}");
        assert!(position.read_any(nonsense).is_err(), "`{nonsense}` is not a move at {position:?}");
    }
    if moves.is_empty() {
        for text in ["-1 -1", "-1 -1 -1 -1", "1 1", "1 1 2 2"] {
            assert!(position.read_move(text).is_err(), "an ended game takes no move: {position:?}");
        }
    }
    let view = position.view();
    assert_eq!(view.cells.len(), view.rows * view.columns, "a view has all its cells");
    moves
}

/// Plays one move and checks what changed.
fn step<P: Show>(before: &P, m: P::Move) {
    let mut position = before.clone();
    let mut changes: Vec<Change> = Vec::new();
    position.play_unchecked(m, &mut changes);

    let mut unobserved = before.clone();
    unobserved.play_unchecked(m, &mut ());
    assert_eq!(unobserved, position, "an observer changes nothing");

    let mut checked = before.clone();
    assert_eq!(checked.play(m), Ok(()), "a legal move can be played, checked, at {before:?}");
    assert_eq!(checked, position, "a checked move does the same");
    assert_eq!(unobserved.hash(), position.hash(), "equal positions have equal hashes");
    assert_eq!(position.ply(), before.ply() + 1, "a move is one ply");
    assert_eq!(position.turn(), before.turn().other(), "sides alternate");
    let mut earlier = Vec::new();
    before.legal_moves(&mut earlier);
    // Where many moves are legal, proving each is slow.
    let stride = earlier.len().div_ceil(8).max(1);
    for other in earlier.into_iter().step_by(stride) {
        let is_accepted = position.read_move(&other.to_string()).is_ok();
        assert_eq!(position.is_legal(other), is_accepted, "whether {other} is legal at {position:?}");
    }

    let mut owners: Vec<_> = before.view().cells.iter().map(|cell| cell.owner).collect();
    let mut seen = vec![false; owners.len()];
    for change in &changes {
        assert!(!std::mem::replace(&mut seen[change.cell], true), "{change:?} is reported twice");
        assert_ne!(change.before, change.after, "{change:?} is no change");
        assert_eq!(owners[change.cell], change.before, "{change:?} starts from the board as it was");
        owners[change.cell] = change.after;
    }
    let after: Vec<_> = position.view().cells.iter().map(|cell| cell.owner).collect();
    assert_eq!(owners, after, "the changes of {m} turn the old board into the new");
}

/// Checks that the bulk counts of [`Position::perft`] equal the plain ones, to `depth`.
///
/// # Panics
/// If they differ.
pub fn counts_agree<P: Position>(position: &P, depth: u32) {
    for depth in 0..=depth {
        assert_eq!(position.perft(depth), position.plain_perft(depth), "perft {depth} of {position:?}");
    }
}

/// Checks that a position survives being written and read, along `games` random games from `start`.
///
/// # Panics
/// If the text of a position reads as another one, or not at all.
pub fn round_trips<P: Position, E: std::fmt::Debug>(
    start: &P,
    games: usize,
    seed: u64,
    read: impl Fn(&str) -> Result<P, E>,
) {
    wander(start, games, seed, |position| {
        let text = position.to_string();
        match read(&text) {
            Ok(again) => assert_eq!(&again, position, "`{text}` reads as another position"),
            Err(error) => panic!("`{text}` does not read: {error:?}"),
        }
    });
}

/// Checks that the rules commute with a symmetry, along `games` random games from `start`: the images of a position's
/// successors are its image's successors, and `outcome` maps the position's outcome to its image's.
///
/// # Panics
/// If they do not.
pub fn symmetric<P: Position>(
    start: &P,
    games: usize,
    seed: u64,
    image: impl Fn(&P) -> P,
    outcome: impl Fn(crate::Outcome) -> crate::Outcome,
) {
    wander(start, games, seed, |position| {
        let mirrored = image(position);
        assert_eq!(position.outcome().map(&outcome), mirrored.outcome(), "outcomes of {position:?} and its image");
        let mut images: Vec<String> = position.successors().iter().map(|(_, next)| image(next).to_string()).collect();
        let mut nexts: Vec<String> = mirrored.successors().iter().map(|(_, next)| next.to_string()).collect();
        images.sort_unstable();
        nexts.sort_unstable();
        assert_eq!(images, nexts, "successors of {position:?} and of its image {mirrored:?}");
    });
}

/// Visits every position of some random games.
fn wander<P: Position>(start: &P, games: usize, seed: u64, visit: impl Fn(&P)) {
    for game in 0..games {
        let mut stream = Stream::new(seed.wrapping_add(game as u64), "laws");
        let mut position = start.clone();
        loop {
            visit(&position);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[stream.below(moves.len())], &mut ());
        }
    }
}
