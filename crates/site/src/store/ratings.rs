//! Elo in the order in which games were begun, whatever the order in which they end.
//!
//! A game that ends after later games of its programs is put into its place: everything after it is recomputed. So the
//! speed of machines does not affect ratings, and a removed game leaves no trace.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::SiteStore;
use agon_arena::stats::elo;
use agon_arena::store::StoreError;

/// How many of a program's last results are remembered.
const FORM: u32 = 10;

/// How a game of the ladder counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct RatedResult {
    pub competition: i64,
    pub programs: [i64; 2],
    /// The numbers of their versions; `None` for a built-in player.
    pub versions: [Option<u32>; 2],
    /// Half points of both.
    pub halves: [u8; 2],
    /// Which sides got another verdict than OK.
    pub failed: [bool; 2],
}

/// Adds a game to the totals of both programs, and returns their ratings after it, as if no later one had ended. Once
/// its row has ratings, call [`settle`].
pub(super) fn count(connection: &Connection, bout: i64, rated: &RatedResult) -> Result<[f64; 2], StoreError> {
    add(connection, rated, 1)?;
    let mut ratings = [0.0; 2];
    let mut fixed = [false; 2];
    for side in 0..2 {
        let sql = "SELECT rating, fixed FROM program WHERE id = ?1";
        let read =
            connection.prepare_cached(sql)?.query_row([rated.programs[side]], |row| Ok((row.get(0)?, row.get(1)?)));
        (ratings[side], fixed[side]) = read?;
    }
    let after = elo::after(ratings[0], ratings[1], f64::from(rated.halves[0]) / 2.0);
    let after = [after.0, after.1];
    for side in (0..2).filter(|side| !fixed[*side]) {
        ratings[side] = after[side];
    }
    for side in [0, 1] {
        if has_later(connection, rated.programs[side], bout)? {
            continue;
        }
        let sql = "SELECT form FROM program WHERE id = ?1";
        let form: String = connection.prepare_cached(sql)?.query_row([rated.programs[side]], |row| row.get(0))?;
        let sql = "UPDATE program SET rating = ?2, form = ?3 WHERE id = ?1";
        let form = longer_form(&form, rated.halves[side]);
        connection.prepare_cached(sql)?.execute(params![rated.programs[side], ratings[side], form])?;
    }
    Ok(ratings)
}

/// Puts a counted game, whose row has ratings, into its place, if later ones have ended before it.
pub(super) fn settle(connection: &Connection, bout: i64, rated: &RatedResult) -> Result<(), StoreError> {
    let mut late = false;
    for program in rated.programs {
        if has_later(connection, program, bout)? {
            read_form(connection, program)?;
            late = true;
        }
    }
    if !late {
        return Ok(());
    }
    rate_anew(connection, rated.competition, bout, &rated.programs)
}

/// Recomputes the ratings of these programs from this game on: at once, or later if many games came after it.
pub(super) fn rate_anew(
    connection: &Connection,
    competition: i64,
    from: i64,
    programs: &[i64],
) -> Result<(), StoreError> {
    let newest: i64 = connection.prepare_cached("SELECT max(id) FROM bout")?.query_row([], |row| row.get(0))?;
    if newest - from <= FEW {
        return rate_from(connection, competition, from, Some(programs));
    }
    note_late(connection, competition, from)
}

/// Leaves recomputing a competition's ratings from this game on to [`SiteStore::rate_late`].
pub(super) fn note_late(connection: &Connection, competition: i64, from: i64) -> Result<(), StoreError> {
    let sql = "INSERT INTO setting (name, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE
               SET value = min(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))";
    connection.prepare_cached(sql)?.execute(params![format!("{LATE}{competition}"), from.to_string()])?;
    Ok(())
}

/// Removes a game from the totals of both programs, except their ratings and last results.
pub(super) fn discount(connection: &Connection, rated: &RatedResult) -> Result<(), StoreError> {
    add(connection, rated, -1)
}

/// Adds a game to the totals of both programs, except their ratings and last results.
pub(super) fn recount(connection: &Connection, rated: &RatedResult) -> Result<(), StoreError> {
    add(connection, rated, 1)
}

/// Adds a game to the totals of both programs, or removes it.
fn add(connection: &Connection, rated: &RatedResult, games: i32) -> Result<(), StoreError> {
    for side in 0..2 {
        let (program, opponent) = (rated.programs[side], rated.programs[1 - side]);
        let of = |counts: bool| if counts { games } else { 0 };
        let (wins, draws) = (of(rated.halves[side] == 2), of(rated.halves[side] == 1));
        connection
            .prepare_cached(
                "UPDATE program SET games = games + ?2, firsts = firsts + ?3, wins = wins + ?4, draws = draws + ?5,
                     faults = faults + ?6 WHERE id = ?1",
            )?
            .execute(params![program, games, of(side == 0), wins, draws, of(rated.failed[side])])?;
        connection
            .prepare_cached(
                "INSERT INTO meeting (program, opponent, games, wins, draws) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE
                     SET games = games + excluded.games, wins = wins + excluded.wins, draws = draws + excluded.draws",
            )?
            .execute(params![program, opponent, games, wins, draws])?;
        let none = "DELETE FROM meeting WHERE program = ?1 AND opponent = ?2 AND games = 0";
        if games < 0 {
            connection.prepare_cached(none)?.execute([program, opponent])?;
        }
        let sql = "UPDATE version SET games = games + ?3 WHERE program = ?1 AND number = ?2";
        connection.prepare_cached(sql)?.execute(params![program, rated.versions[side], games])?;
    }
    Ok(())
}

/// How many games may have been begun after one that ends late for all of them to be recomputed at once. Beyond that it
/// is left to [`SiteStore::rate_late`]: hundreds of late games, of a worker in quarantine, are recomputed together.
const FEW: i64 = 2000;

/// The setting for the game from which a competition must be recomputed; the competition's number follows.
const LATE: &str = "rate_from ";

impl SiteStore {
    /// Puts games into their places that ended long after later ones. Returns whether there were any.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rate_late(&mut self) -> Result<bool, StoreError> {
        let transaction = self.begin()?;
        let late: Vec<(i64, i64)> = {
            let sql = "SELECT CAST(substr(name, length(?1) + 1) AS INTEGER), CAST(value AS INTEGER) FROM setting
                       WHERE substr(name, 1, length(?1)) = ?1";
            let mut statement = transaction.prepare_cached(sql)?;
            statement.query_map([LATE], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?
        };
        for (competition, from) in &late {
            rate_from(&transaction, *competition, *from, None)?;
            transaction.execute("DELETE FROM setting WHERE name = ?1", [format!("{LATE}{competition}")])?;
        }
        transaction.commit()?;
        Ok(!late.is_empty())
    }
}

/// Whether a program has had a rated game that was begun after this one.
fn has_later(connection: &Connection, program: i64, bout: i64) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM bout WHERE first = ?1 AND id > ?2 AND first_rating IS NOT NULL)
                   OR EXISTS (SELECT 1 FROM bout WHERE second = ?1 AND id > ?2 AND second_rating IS NOT NULL)";
    Ok(connection.prepare_cached(sql)?.query_row(params![program, bout], |row| row.get(0))?)
}

/// The rating of a program before a game: the one after its last rated game of those begun before it.
fn before(connection: &Connection, program: i64, bout: i64) -> Result<f64, StoreError> {
    let sql = "SELECT rating FROM (
                   SELECT * FROM (SELECT id, first_rating AS rating FROM bout
                       WHERE first = ?1 AND id < ?2 AND first_rating IS NOT NULL ORDER BY id DESC LIMIT 1)
                   UNION ALL
                   SELECT * FROM (SELECT id, second_rating AS rating FROM bout
                       WHERE second = ?1 AND id < ?2 AND second_rating IS NOT NULL ORDER BY id DESC LIMIT 1))
               ORDER BY id DESC LIMIT 1";
    let last = connection.prepare_cached(sql)?.query_row(params![program, bout], |row| row.get(0)).optional()?;
    if let Some(rating) = last {
        return Ok(rating);
    }
    let entered = "SELECT entered FROM program WHERE id = ?1";
    Ok(connection.prepare_cached(entered)?.query_row([program], |row| row.get(0))?)
}

/// A rated game as it is stored.
struct RatedBout {
    id: i64,
    programs: [i64; 2],
    /// Points of the first seat.
    score: f64,
    after: [f64; 2],
}

/// Recomputes the ratings of these programs from this game of a competition on, and those of all programs affected by
/// that; if none are named, those of all programs. A rated game is one whose row has ratings, whatever their values.
pub(super) fn rate_from(
    connection: &Connection,
    competition: i64,
    from: i64,
    programs: Option<&[i64]>,
) -> Result<(), StoreError> {
    let fixed: HashMap<i64, f64> = {
        let mut statement = connection.prepare_cached("SELECT id, rating FROM program WHERE contest = ?1 AND fixed")?;
        statement.query_map([competition], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?
    };
    // The ratings that have changed, as of the last recomputed game.
    let mut changed: HashMap<i64, f64> = HashMap::new();
    for program in programs.unwrap_or_default().iter().filter(|program| !fixed.contains_key(program)) {
        changed.insert(*program, before(connection, *program, from)?);
    }
    let sql = "SELECT id, first, second, CASE winner WHEN 'first' THEN 1.0 WHEN 'draw' THEN 0.5 ELSE 0.0 END,
                      first_rating, second_rating
               FROM bout WHERE contest = ?1 AND id >= ?2 AND kind = 'ladder' AND first_rating IS NOT NULL ORDER BY id";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![competition, from], |row| {
        let programs = [row.get(1)?, row.get(2)?];
        Ok(RatedBout { id: row.get(0)?, programs, score: row.get(3)?, after: [row.get(4)?, row.get(5)?] })
    })?;
    // Read before they are written to.
    for bout in rows.collect::<Result<Vec<_>, _>>()? {
        if programs.is_some() && !bout.programs.iter().any(|program| changed.contains_key(program)) {
            continue;
        }
        let standing = |program: i64| match fixed.get(&program).or_else(|| changed.get(&program)) {
            Some(rating) => Ok(*rating),
            None => before(connection, program, bout.id),
        };
        let standings = [standing(bout.programs[0])?, standing(bout.programs[1])?];
        let after = elo::after(standings[0], standings[1], bout.score);
        let mut after = [after.0, after.1];
        for side in 0..2 {
            if fixed.contains_key(&bout.programs[side]) {
                after[side] = standings[side];
            } else if changed.contains_key(&bout.programs[side]) || after[side].to_bits() != bout.after[side].to_bits()
            {
                changed.insert(bout.programs[side], after[side]);
            }
        }
        let sql = "UPDATE bout SET first_rating = ?2, second_rating = ?3 WHERE id = ?1";
        connection.prepare_cached(sql)?.execute(params![bout.id, after[0], after[1]])?;
    }
    let mut update = connection.prepare_cached("UPDATE program SET rating = ?2 WHERE id = ?1")?;
    for (program, rating) in changed {
        update.execute(params![program, rating])?;
    }
    Ok(())
}

/// Reads the last results of a program again: W, D and L, the newest at the end.
pub(super) fn read_form(connection: &Connection, program: i64) -> Result<(), StoreError> {
    let half = |seat: &str, other: &str| {
        format!(
            "SELECT * FROM (SELECT id, CASE winner WHEN '{seat}' THEN 'W' WHEN '{other}' THEN 'L' ELSE 'D' END AS letter
             FROM bout WHERE {seat} = ?1 AND {seat}_rating IS NOT NULL ORDER BY id DESC LIMIT {FORM})"
        )
    };
    let sql = format!(
        "UPDATE program SET form = (SELECT coalesce(group_concat(letter, ''), '') FROM (SELECT letter FROM (
             SELECT * FROM ({} UNION ALL {}) ORDER BY id DESC LIMIT {FORM}) ORDER BY id))
         WHERE id = ?1",
        half("first", "second"),
        half("second", "first")
    );
    connection.prepare_cached(&sql)?.execute([program])?;
    Ok(())
}

/// The results of a program with one more at the end.
fn longer_form(form: &str, halves: u8) -> String {
    let letter = [b'L', b'D', b'W'][usize::from(halves)] as char;
    let from = (form.len() + 1).saturating_sub(FORM as usize);
    format!("{}{letter}", &form[from..])
}

#[cfg(test)]
mod tests {
    use agon_game::seed::Stream;
    use agon_referee::record::Winner;

    use super::super::games::tests::won;
    use super::super::{BoutKind, NewBout, PlayedBout, RENJU, SiteStore, new_store};

    /// Everything that the order of games could change.
    fn standings(store: &SiteStore) -> Vec<String> {
        let read = |sql: &str| -> Vec<String> {
            let mut statement = store.connection.prepare(sql).unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
        };
        let programs =
            "SELECT concat_ws(' ', id, rating, games, firsts, wins, draws, faults, form) FROM program ORDER BY id";
        let bouts =
            "SELECT concat_ws(' ', id, first, second, winner, first_rating, second_rating) FROM bout ORDER BY id";
        [read(programs), read(bouts)].concat()
    }

    #[test]
    fn games_that_end_long_after_later_ones_are_rated_together() {
        let players: Vec<(String, f64, bool)> = (0..4).map(|at| (format!("p{at}"), 1500.0, false)).collect();
        let play = |late: &[usize]| {
            let (folder, mut store) = new_store();
            store.enter_builtins(RENJU, &players, 1).unwrap();
            let ids: Vec<i64> =
                players.iter().map(|(name, ..)| store.builtin(RENJU, name).unwrap().unwrap().id).collect();
            let begun: Vec<i64> = (0..40)
                .map(|at: usize| {
                    let seats = [ids[at % 4], ids[(at + 1 + at / 4 % 3) % 4]].map(|id| (id, None));
                    let new = NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 1, seats };
                    store.begin_bout(&new, 5).unwrap()
                })
                .collect();
            let winner = |at: usize| won([Winner::First, Winner::Second, Winner::Draw][at % 3]);
            for at in (0..40).filter(|at| !late.contains(at)) {
                assert!(store.end_bout(begun[at], &winner(at), 6).unwrap());
            }
            // As if thousands of others had been begun.
            store.connection.execute("UPDATE sqlite_sequence SET seq = seq + 5000 WHERE name = 'bout'", []).unwrap();
            let seats = [ids[0], ids[1]].map(|id| (id, None));
            let last = NewBout { competition: RENJU, kind: BoutKind::Asked { id: 0 }, seed: 1, seats };
            store.connection.pragma_update(None, "foreign_keys", false).unwrap();
            store.begin_bout(&last, 5).unwrap();
            for &at in late {
                assert!(store.end_bout(begun[at], &winner(at), 6).unwrap());
            }
            (folder, store)
        };
        let (_folder, mut store) = play(&[]);
        assert!(!store.rate_late().unwrap());
        let wanted = standings(&store);
        let (_folder, mut store) = play(&[20, 3, 31, 7]);
        assert_ne!(standings(&store), wanted);
        assert!(store.rate_late().unwrap());
        assert_eq!(standings(&store), wanted);
        assert!(!store.rate_late().unwrap());
    }

    #[test]
    fn ratings_follow_the_order_in_which_games_were_begun() {
        let players: Vec<(String, f64, bool)> =
            (0..7).map(|at| (format!("p{at}"), 1400.0 + 20.0 * f64::from(at), at == 6)).collect();
        // 60 games, begun in this order, whose results arrive in that of `order`.
        let play = |order: &[usize]| {
            let (folder, mut store) = new_store();
            store.enter_builtins(RENJU, &players, 1).unwrap();
            let ids: Vec<i64> =
                players.iter().map(|(name, ..)| store.builtin(RENJU, name).unwrap().unwrap().id).collect();
            let mut stream = Stream::new(7, "games");
            let mut begun = Vec::new();
            for _ in 0..60 {
                let one = stream.below(7);
                let seats = [one, (one + 1 + stream.below(6)) % 7].map(|at| (ids[at], None));
                let new = NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 1, seats };
                let winner = [Winner::First, Winner::Second, Winner::Draw, Winner::Void][stream.below(4)];
                begun.push((store.begin_bout(&new, 5).unwrap(), won(winner)));
            }
            for &at in order {
                let (id, played): &(i64, PlayedBout) = &begun[at];
                assert!(store.end_bout(*id, played, 6).unwrap());
            }
            (folder, store)
        };
        let mut order: Vec<usize> = (0..60).collect();
        let (_folder, store) = play(&order);
        let wanted = standings(&store);
        let mut stream = Stream::new(8, "arrival");
        for round in 0..20 {
            // The last ones first, then in random order.
            order.reverse();
            let (_folder, store) = play(&order);
            assert_eq!(standings(&store), wanted, "round {round}: {order:?}");
            for at in (1..60).rev() {
                order.swap(at, stream.below(at + 1));
            }
        }
    }
}
