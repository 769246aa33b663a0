//! The upkeep of shared games.

use agon_arena::store::StoreError;
use agon_site::store::{SharedChange, SiteStore};

use super::acts::flagged;
use super::followers::SharedGames;
use crate::limits::{JOIN_TIMEOUT, OPEN_GAMES};

/// How long a game is kept after its last move, and one in which the two have not both moved, in milliseconds.
const KEPT: i64 = 30 * 86_400_000;
const UNBEGUN: i64 = 86_400_000;

/// Games that are ended in one step.
const STEP: u32 = 100;

/// Ends games in which the side to move has no time left and which no one watches, and removes abandoned ones.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn tidy(store: &mut SiteStore, games: &SharedGames, now_ms: i64) -> Result<(), StoreError> {
    for game in store.overdue_shared_games(now_ms, STEP)? {
        let Some(ended) = flagged(&game, now_ms) else { continue };
        if store.change_shared_game(&ended, None, OPEN_GAMES)? == SharedChange::Kept
            && let Some(ended) = store.shared_game(&game.id)?
        {
            games.publish(&ended, now_ms);
        }
    }
    let removed = store.drop_shared_games(now_ms - KEPT, now_ms - UNBEGUN, now_ms - JOIN_TIMEOUT.as_millis() as i64)?;
    if removed > 0 {
        tracing::info!(removed, "abandoned games of two people are no longer kept");
    }
    Ok(())
}
