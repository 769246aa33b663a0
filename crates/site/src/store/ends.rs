//! The end of a game: its result and record are stored and counted, all or nothing.

use rusqlite::{OptionalExtension, params};

use super::SiteStore;
use super::games::{BOUT, PlayedBout, bout, note_failure, rated};
use super::ratings;
use super::repeats::{self, GameKey};
use agon_arena::store::{Packer, StoreError, reason};
use agon_referee::verdict::Verdict;

impl SiteStore {
    /// Ends a game: stores its result, its record, and for a game of the ladder both ratings, all or nothing; the
    /// ratings follow the order in which games were begun, and a game that repeats an earlier one is not rated. A game
    /// that has already ended, was abandoned, or was played by a worker in quarantine, stays as it is, and the result
    /// is false.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn end_bout(&mut self, id: i64, played: &PlayedBout, now: i64) -> Result<bool, StoreError> {
        let record = Packer::default().pack(&played.record);
        let transaction = self.begin()?;
        let sql = format!("{BOUT} WHERE bout.id = ?1 AND ended IS NULL");
        let Some(bout) = transaction.query_row(&sql, [id], bout).optional()? else { return Ok(false) };
        if let Some(worker) = &played.worker
            && transaction
                .query_row("SELECT EXISTS (SELECT 1 FROM quarantine WHERE worker = ?1)", [worker], |row| row.get(0))?
        {
            return Ok(false);
        }
        let mut rated = rated(&bout, played.winner, played.verdicts);
        if let (Some(_), Some(digest)) = (&rated, played.game_digest) {
            let key = GameKey { digest, winner: played.winner, verdicts: played.verdicts };
            if !repeats::counts(&transaction, &bout, key)? {
                rated = None;
            }
        }
        let after = match &rated {
            Some(rated) => ratings::count(&transaction, id, rated)?.map(Some),
            None => [None; 2],
        };
        transaction.execute(
            "UPDATE bout SET ended = ?2, winner = ?3, reason = ?4, first_verdict = ?5, second_verdict = ?6, plies = ?7,
             first_ms = ?8, second_ms = ?9, first_rating = ?10, second_rating = ?11, worker = ?12, game_digest = ?13,
             reason_keyed = ?14
             WHERE id = ?1",
            params![
                id,
                now,
                played.winner.to_string(),
                played.reason.text,
                played.verdicts[0].name(),
                played.verdicts[1].name(),
                played.plies,
                played.time_ms[0],
                played.time_ms[1],
                after[0],
                after[1],
                played.worker,
                played.game_digest,
                reason::keyed(&played.reason)?,
            ],
        )?;
        transaction.execute("INSERT INTO record (bout, text) VALUES (?1, ?2)", params![id, record])?;
        if let Some(rated) = &rated {
            ratings::settle(&transaction, id, rated)?;
            for (seat, verdict) in bout.seats.iter().zip(played.verdicts) {
                note_failure(&transaction, seat, verdict != Verdict::Ok, now)?;
            }
        }
        transaction.commit()?;
        Ok(true)
    }
}
