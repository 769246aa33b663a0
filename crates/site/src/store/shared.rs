//! Games of two people, each of whom has a link with the key of a seat. They are not rated, and kept for a while only.

use std::collections::BTreeMap;

use agon_catalog::{Game, Setup};
use agon_game::Side;
use agon_message::Stated;
use agon_referee::record::Termination;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, params};

use super::SiteStore;
use super::competitions::game;
use agon_arena::store::{StoreError, reason};

/// One of the two seats of a shared game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedSeat {
    /// The digest of the key with which its owner plays.
    pub key: [u8; 32],
    /// The account of its owner, if that person had signed in.
    pub account: Option<i64>,
    /// The account's name; not stored with the game.
    pub name: Option<String>,
    /// Whether its owner has joined.
    pub joined: bool,
    /// Whether its owner wants to play again.
    pub again: bool,
}

/// The clocks of a shared game, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedClock {
    /// Each side's time at the start.
    pub base_ms: u64,
    pub increment_ms: u64,
    /// Each side's time left when the side to move began to think.
    pub left_ms: [u64; 2],
}

/// How a shared game has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedEnd {
    /// Who has won; `None` for a draw.
    pub winner: Option<Side>,
    pub reason: Stated,
    /// How the two players ended it, if its rules did not.
    pub termination: Option<Termination>,
}

/// A player's offer to the other one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SharedOffer {
    /// To end the game in a draw.
    Draw,
    /// To take back the offering player's last move and everything after it.
    TakeBack,
}

impl SharedOffer {
    /// Its spelling in the store and on boards.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::TakeBack => "takeback",
        }
    }
}

/// A pending offer, valid until the next move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenOffer {
    pub offer: SharedOffer,
    pub by: Side,
    /// Whether the other player has declined it.
    pub declined: bool,
}

/// A game of two people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedGame {
    /// The word in its address, with which anyone may watch it.
    pub id: String,
    pub version: i64,
    pub game: Game,
    pub setup: Setup,
    pub seats: [SharedSeat; 2],
    /// The clocks, if it has any.
    pub clock: Option<SharedClock>,
    /// The moves made, in the judge's notation.
    pub moves: Vec<String>,
    /// Who is to move; `None` when it is over.
    pub turn: Option<Side>,
    /// When the side to move began to think, in milliseconds since 1970 (UTC).
    pub moved_ms: i64,
    /// What one of the two has offered the other.
    pub offer: Option<OpenOffer>,
    /// How it has ended, if it has.
    pub end: Option<SharedEnd>,
    /// The game in which the two have begun to play again.
    pub next: Option<String>,
}

const SHARED: &str = "SELECT shared_game.id, version, game, parameters, seed, first_key, second_key, first, second,
        one.name, two.name, first_joined, second_joined, first_again, second_again, base_ms, increment_ms, first_ms,
        second_ms, moves, turn, moved_ms, winner, reason, next, termination, offer, offered_by, declined, reason_keyed
    FROM shared_game LEFT JOIN account one ON one.id = first LEFT JOIN account two ON two.id = second";

fn side(row: &Row, at: usize) -> rusqlite::Result<Option<Side>> {
    let number: Option<u8> = row.get(at)?;
    let wrong = || rusqlite::Error::FromSqlConversionFailure(at, Type::Integer, "no side".into());
    number.map(|number| Side::BOTH.get(usize::from(number)).copied().ok_or_else(wrong)).transpose()
}

/// The one with this name; `None` if the column is empty.
fn named<T: Copy>(row: &Row, at: usize, all: &[T], name: impl Fn(T) -> &'static str) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(at)?;
    let wrong = || rusqlite::Error::FromSqlConversionFailure(at, Type::Text, "no such name".into());
    text.map(|text| all.iter().copied().find(|&one| name(one) == text).ok_or_else(wrong)).transpose()
}

fn shared(row: &Row) -> rusqlite::Result<SharedGame> {
    let parameters: String = row.get(3)?;
    let parameters: BTreeMap<String, String> = serde_json::from_str(&parameters)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(3, Type::Text, Box::new(error)))?;
    let seat = |at: usize| -> rusqlite::Result<SharedSeat> {
        let (key, account, name) = (row.get(5 + at)?, row.get(7 + at)?, row.get(9 + at)?);
        Ok(SharedSeat { key, account, name, joined: row.get(11 + at)?, again: row.get(13 + at)? })
    };
    let ms = |at: usize| row.get::<_, i64>(at).map(|ms| ms.max(0) as u64);
    let clock = match row.get::<_, Option<i64>>(15)? {
        Some(_) => Some(SharedClock { base_ms: ms(15)?, increment_ms: ms(16)?, left_ms: [ms(17)?, ms(18)?] }),
        None => None,
    };
    let moves: String = row.get(19)?;
    let end = match reason::stated(row, 23, 29)? {
        Some(reason) => {
            let termination = named(row, 25, &Termination::ALL, Termination::name)?;
            Some(SharedEnd { winner: side(row, 22)?, reason, termination })
        }
        None => None,
    };
    let offer = named(row, 26, &[SharedOffer::Draw, SharedOffer::TakeBack], SharedOffer::name)?;
    let offer = match offer.zip(side(row, 27)?) {
        Some((offer, by)) => Some(OpenOffer { offer, by, declined: row.get(28)? }),
        None => None,
    };
    Ok(SharedGame {
        id: row.get(0)?,
        version: row.get(1)?,
        game: game(row, 2)?,
        setup: Setup { seed: row.get::<_, i64>(4)? as u64, parameters },
        seats: [seat(0)?, seat(1)?],
        clock,
        moves: moves.split('/').filter(|text| !text.is_empty()).map(str::to_owned).collect(),
        turn: side(row, 20)?,
        moved_ms: row.get(21)?,
        offer,
        end,
        next: row.get(24)?,
    })
}

const CHANGE: &str =
    "UPDATE shared_game SET version = version + 1, first = ?3, second = ?4, first_joined = ?5, second_joined = ?6,
        first_again = ?7, second_again = ?8, first_ms = ?9, second_ms = ?10, moves = ?11, turn = ?12, moved_ms = ?13,
        winner = ?14, reason = ?15, next = ?16, termination = ?17, offer = ?18, offered_by = ?19, declined = ?20,
        reason_keyed = ?21
    WHERE id = ?1 AND version = ?2";

/// Writes the changes to a game over its expected version; returns how many games that were.
fn change(transaction: &rusqlite::Transaction<'_>, game: &SharedGame) -> Result<usize, StoreError> {
    let index = |side: Side| side.index() as i64;
    let left = |side: usize| game.clock.map(|clock| clock.left_ms[side] as i64);
    let [first, second] = &game.seats;
    Ok(transaction.prepare_cached(CHANGE)?.execute(params![
        game.id,
        game.version,
        first.account,
        second.account,
        first.joined,
        second.joined,
        first.again,
        second.again,
        left(0),
        left(1),
        game.moves.join("/"),
        game.turn.map(index),
        game.moved_ms,
        game.end.as_ref().and_then(|end| end.winner).map(index),
        game.end.as_ref().map(|end| &end.reason.text),
        game.next,
        game.end.as_ref().and_then(|end| end.termination).map(Termination::name),
        game.offer.map(|open| open.offer.name()),
        game.offer.map(|open| index(open.by)),
        game.offer.is_some_and(|open| open.declined),
        game.end.as_ref().map(|end| reason::keyed(&end.reason)).transpose()?.flatten(),
    ])?)
}

fn insert(transaction: &rusqlite::Transaction<'_>, new: &SharedGame, opener: i64) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO shared_game (id, version, game, parameters, seed, first_key, second_key, base_ms, increment_ms,
                   first_joined, second_joined, first_again, second_again, moves, moved_ms, opener)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, 0, 0, '', 0, ?10)";
    let parameters = serde_json::to_string(&new.setup.parameters).expect("a map of texts can be written as JSON");
    let [first, second] = new.seats.each_ref().map(|seat| &seat.key[..]);
    let clock = new.clock.map(|clock| [clock.base_ms as i64, clock.increment_ms as i64]);
    let (base, increment) = (clock.map(|[base, _]| base), clock.map(|[_, increment]| increment));
    transaction.prepare_cached(sql)?.execute(params![
        new.id,
        new.version - 1,
        new.game.name(),
        parameters,
        new.setup.seed as i64,
        first,
        second,
        base,
        increment,
        opener,
    ])?;
    // The rest is what changes.
    change(transaction, &SharedGame { version: new.version - 1, ..new.clone() })?;
    Ok(())
}

/// Limits of games that are not over: for each person who opens them, and in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedBound {
    pub each: u32,
    pub all: u32,
}

/// How many more games than another visitor someone may have open before even a game in progress gives way to the
/// other's.
const MANY_GAMES: u32 = 20;

/// A game whose last move is younger is being played, in milliseconds.
const PLAYED_MS: i64 = 600_000;

/// Ends games to make room for another one, as far as necessary; false if none can be ended.
fn make_room(
    transaction: &rusqlite::Transaction<'_>,
    new: &SharedGame,
    opener: i64,
    bound: SharedBound,
) -> Result<bool, StoreError> {
    let count = "SELECT count(*) FILTER (WHERE opener = ?1), count(*) FROM shared_game WHERE reason IS NULL";
    let (own, all): (u32, u32) = transaction.query_row(count, [opener], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let whose = if own >= bound.each {
        Some((opener, own))
    } else if all >= bound.all {
        let sql = "SELECT opener, count(*) AS count FROM shared_game WHERE reason IS NULL
                   GROUP BY opener ORDER BY count DESC, max(moved_ms) DESC LIMIT 1";
        Some(transaction.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?)
    } else {
        None
    };
    if let Some((whose, count)) = whose {
        let sql = "DELETE FROM shared_game WHERE id = (
                       SELECT id FROM shared_game WHERE reason IS NULL AND opener = ?1
                         AND (?3 OR moves NOT LIKE '%/%' OR moved_ms < ?2)
                       ORDER BY first_joined AND second_joined, moves LIKE '%/%', moved_ms LIMIT 1)";
        // A visitor with that many games must not keep another from playing one.
        let any = count > own + MANY_GAMES;
        if transaction.execute(sql, params![whose, new.moved_ms - PLAYED_MS, any])? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The result of changing a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SharedChange {
    Kept,
    /// It has changed meanwhile.
    Outdated,
    /// There is no room for the players' next game.
    Full,
}

impl SiteStore {
    /// Opens a game. If its opener has as many open games as allowed, or the site as many as it takes, it replaces
    /// another one: of that opener, or of the one who has most. The first to go are games that wait for the other
    /// player, then those that have hardly begun, then those idle the longest. A game in progress goes only if its
    /// opener has far more games than the new one's. False if none can be replaced.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open_shared_game(&mut self, new: &SharedGame, opener: i64, bound: SharedBound) -> Result<bool, StoreError> {
        let transaction = self.begin()?;
        if !make_room(&transaction, new, opener, bound)? {
            return Ok(false);
        }
        insert(&transaction, new, opener)?;
        transaction.commit()?;
        Ok(true)
    }

    /// A game.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn shared_game(&self, id: &str) -> Result<Option<SharedGame>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{SHARED} WHERE shared_game.id = ?1"))?;
        Ok(statement.query_row([id], shared).optional()?)
    }

    /// Writes a changed game, and opens the players' next game if there is one: for the opener of the first one, and as
    /// [`Self::open_shared_game`] does.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn change_shared_game(
        &mut self,
        changed: &SharedGame,
        next: Option<&SharedGame>,
        bound: SharedBound,
    ) -> Result<SharedChange, StoreError> {
        let transaction = self.begin()?;
        if change(&transaction, changed)? == 0 {
            return Ok(SharedChange::Outdated);
        }
        if let Some(next) = next {
            let sql = "SELECT opener FROM shared_game WHERE id = ?1";
            let opener = transaction.prepare_cached(sql)?.query_row([&changed.id], |row| row.get(0))?;
            if !make_room(&transaction, next, opener, bound)? {
                return Ok(SharedChange::Full);
            }
            insert(&transaction, next, opener)?;
        }
        transaction.commit()?;
        Ok(SharedChange::Kept)
    }

    /// The games in which the side to move has no time left, up to a limit.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn overdue_shared_games(&self, now_ms: i64, most: u32) -> Result<Vec<SharedGame>, StoreError> {
        let sql = format!(
            "{SHARED} WHERE reason IS NULL AND moves LIKE '%/%'
               AND moved_ms + CASE turn WHEN 0 THEN first_ms ELSE second_ms END <= ?1 LIMIT ?2"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map(params![now_ms, most], shared)?.collect::<Result<_, _>>()?)
    }

    /// Restarts the thinking time of the side to move in every game with a clock: while the site was stopped, or took
    /// no moves, they could not move. Returns how many games that are.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn resume_shared_games(&mut self, now_ms: i64) -> Result<usize, StoreError> {
        let sql =
            "UPDATE shared_game SET moved_ms = ?1 WHERE reason IS NULL AND base_ms IS NOT NULL AND moves LIKE '%/%'";
        Ok(self.connection.execute(sql, [now_ms])?)
    }

    /// Removes the games without a move since a time, those that have hardly begun and been idle since another time,
    /// and those that have waited for the other player since a third; returns how many there were.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn drop_shared_games(
        &mut self,
        before_ms: i64,
        unbegun_before_ms: i64,
        unjoined_before_ms: i64,
    ) -> Result<usize, StoreError> {
        let old = self.connection.execute("DELETE FROM shared_game WHERE moved_ms < ?1", [before_ms])?;
        let sql = "DELETE FROM shared_game WHERE reason IS NULL AND moved_ms < ?1 AND moves NOT LIKE '%/%'";
        let unbegun = self.connection.execute(sql, [unbegun_before_ms])?;
        Ok(old + unbegun + self.drop_unjoined_games(unjoined_before_ms)?)
    }

    /// Removes the games that wait for the other player since a time; how many there were.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn drop_unjoined_games(&mut self, before_ms: i64) -> Result<usize, StoreError> {
        let sql = "DELETE FROM shared_game
                   WHERE reason IS NULL AND moved_ms < ?1 AND NOT (first_joined AND second_joined)";
        Ok(self.connection.execute(sql, [before_ms])?)
    }

    /// How many games are not over, and how many of these wait for the other player.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open_shared_games(&self) -> Result<(u32, u32), StoreError> {
        let sql = "SELECT count(*), count(*) FILTER (WHERE NOT (first_joined AND second_joined))
                   FROM shared_game WHERE reason IS NULL";
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::new_store;
    use super::*;

    const MANY: SharedBound = SharedBound { each: 9, all: 9 };

    fn seat(key: u8, account: Option<i64>) -> SharedSeat {
        let name = account.map(|_| "ada".to_owned());
        SharedSeat { key: [key; 32], account, name, joined: account.is_some(), again: false }
    }

    fn new(id: &str, account: i64) -> SharedGame {
        SharedGame {
            id: id.to_owned(),
            version: 1,
            game: Game::DOMINEERING,
            setup: Setup { seed: u64::MAX - 3, parameters: [("rows".to_owned(), "5".to_owned())].into() },
            seats: [seat(1, Some(account)), seat(2, None)],
            clock: Some(SharedClock { base_ms: 60_000, increment_ms: 2_000, left_ms: [60_000, 60_000] }),
            moves: Vec::new(),
            turn: Some(Side::First),
            moved_ms: 1_000,
            offer: None,
            end: None,
            next: None,
        }
    }

    #[test]
    fn a_game_is_kept_as_it_is() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "hash", false, 7).unwrap().unwrap();
        let mut game = new("a", ada);
        assert!(store.open_shared_game(&game, 1, MANY).unwrap());
        assert_eq!(store.shared_game("a").unwrap().as_ref(), Some(&game));
        game.seats[1].joined = true;
        game.moves = vec!["1 1".to_owned(), "2 3".to_owned()];
        game.turn = None;
        game.clock.as_mut().unwrap().left_ms = [5, 7];
        game.offer = Some(OpenOffer { offer: SharedOffer::TakeBack, by: Side::Second, declined: true });
        let (winner, reason) = (Some(Side::Second), "H resigns".into());
        game.end = Some(SharedEnd { winner, reason, termination: Some(Termination::Resignation) });
        assert_eq!(store.change_shared_game(&game, None, MANY).unwrap(), SharedChange::Kept);
        assert_eq!(store.change_shared_game(&game, None, MANY).unwrap(), SharedChange::Outdated);
        game.version = 2;
        assert_eq!(store.shared_game("a").unwrap().as_ref(), Some(&game));
        // Ended games leave room, and the next one is opened with the change that leads to it.
        let next = SharedGame { clock: None, ..new("c", ada) };
        game.next = Some("c".to_owned());
        assert_eq!(store.change_shared_game(&game, Some(&next), MANY).unwrap(), SharedChange::Kept);
        assert_eq!(store.shared_game("c").unwrap(), Some(next));
        // Games outlive the accounts of their players.
        store.delete_account(ada).unwrap();
        let left = store.shared_game("c").unwrap().unwrap();
        assert_eq!((left.seats[0].account, left.seats[0].name.as_deref(), left.seats[0].joined), (None, None, true));
    }

    #[test]
    fn abandoned_games_are_removed() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "hash", false, 7).unwrap().unwrap();
        let moves = |count: usize| vec!["1 1".to_owned(); count];
        for (id, count, moved_ms, end) in [
            ("begun", 2, 1_000, false),
            ("unbegun", 1, 1_000, false),
            ("fresh", 0, 5_000, false),
            ("resigned", 0, 1_000, true),
            ("old", 9, 100, true),
        ] {
            let end = end.then(|| SharedEnd { winner: None, reason: "a draw".into(), termination: None });
            let game = SharedGame { moves: moves(count), moved_ms, end, ..new(id, ada) };
            store.open_shared_game(&game, 1, MANY).unwrap();
        }
        let overdue = |store: &SiteStore, now_ms| -> Vec<String> {
            store.overdue_shared_games(now_ms, 9).unwrap().into_iter().map(|game| game.id).collect()
        };
        assert_eq!((overdue(&store, 60_999), overdue(&store, 61_000)), (Vec::new(), vec!["begun".to_owned()]));
        assert_eq!(store.resume_shared_games(2_000).unwrap(), 1);
        assert_eq!((overdue(&store, 61_999), overdue(&store, 62_000)), (Vec::new(), vec!["begun".to_owned()]));
        assert_eq!(store.drop_shared_games(1_000, 5_000, 0).unwrap(), 2);
        let there = |store: &SiteStore, id: &str| store.shared_game(id).unwrap().is_some();
        let all = ["begun", "unbegun", "fresh", "resigned", "old"].map(|id| there(&store, id));
        assert_eq!(all, [true, false, true, true, false]);
        // A game that no one joined goes sooner; one that two play stays.
        let both =
            |game: SharedGame| SharedGame { seats: game.seats.map(|seat| SharedSeat { joined: true, ..seat }), ..game };
        store.open_shared_game(&both(SharedGame { moved_ms: 5_000, ..new("both", ada) }), 1, MANY).unwrap();
        let (open, waiting) = store.open_shared_games().unwrap();
        assert_eq!(open - waiting, 1);
        assert_eq!(store.drop_unjoined_games(9_000_000).unwrap(), waiting as usize);
        assert_eq!(
            (store.open_shared_games().unwrap(), there(&store, "both"), there(&store, "fresh")),
            ((1, 0), true, false)
        );
    }

    #[test]
    fn all_games_cannot_be_held_by_joining_ones_own() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "hash", false, 7).unwrap().unwrap();
        let bound = SharedBound { each: 3, all: 5 };
        let joined =
            |game: SharedGame| SharedGame { seats: game.seats.map(|seat| SharedSeat { joined: true, ..seat }), ..game };
        let there = |store: &SiteStore, id: &str| store.shared_game(id).unwrap().is_some();
        let mut now = 1_000_000;
        let mut open = |store: &mut SiteStore, id: &str, opener: i64, change: &dyn Fn(SharedGame) -> SharedGame| {
            now += 1;
            store.open_shared_game(&change(SharedGame { moved_ms: now, ..new(id, ada) }), opener, bound).unwrap()
        };
        let as_it_is = |game: SharedGame| game;
        // One waits for a friend; two others play, and have moved just now.
        assert!(open(&mut store, "waits", 7, &as_it_is));
        let played = |game: SharedGame| joined(SharedGame { moves: vec!["1 1".to_owned(); 2], ..game });
        assert!(open(&mut store, "played", 8, &played));
        // One network joins its own games, as many as it likes.
        for number in 0..20 {
            assert!(open(&mut store, &format!("own{number}"), 1, &joined));
        }
        assert_eq!(store.open_shared_games().unwrap().0, 5);
        assert!(there(&store, "waits") && there(&store, "played") && there(&store, "own19"));
        // Another one is let in, and those with most make room for it.
        assert!(open(&mut store, "new", 2, &as_it_is));
        assert!(there(&store, "waits") && there(&store, "played") && there(&store, "new") && !there(&store, "own17"));
        // Of a visitor's own games, those in progress stay; idle ones go first.
        let bound = SharedBound { each: 2, all: 9 };
        let open = |store: &mut SiteStore, id: &str, change: &dyn Fn(SharedGame) -> SharedGame| {
            store.open_shared_game(&change(SharedGame { moved_ms: 2_000_000, ..new(id, ada) }), 8, bound).unwrap()
        };
        assert!(open(&mut store, "idle", &joined));
        assert!(open(&mut store, "next", &played) && !there(&store, "idle"));
        // The game that was in progress at first is idle by now.
        assert!(open(&mut store, "last", &played) && !there(&store, "played") && there(&store, "next"));
        assert!(!open(&mut store, "more", &played), "two are played");
        // Playing again opens a game as a link does.
        let end = SharedEnd { winner: None, reason: "a draw".into(), termination: None };
        let mut over = SharedGame { moved_ms: 2_000_000, end: Some(end), ..new("over", ada) };
        assert!(store.open_shared_game(&over, 8, SharedBound { each: 9, all: 9 }).unwrap());
        over.next = Some("rematch".to_owned());
        let next = SharedGame { moved_ms: 2_000_000, ..new("rematch", ada) };
        assert_eq!(store.change_shared_game(&over, Some(&next), bound).unwrap(), SharedChange::Full);
        assert_eq!(store.shared_game("over").unwrap().unwrap().next, None, "nothing has changed");
        let later = SharedGame { moved_ms: 2_000_000 + PLAYED_MS + 1, ..next };
        assert_eq!(store.change_shared_game(&over, Some(&later), bound).unwrap(), SharedChange::Kept);
        assert!(there(&store, "rematch"));
        assert!(!(there(&store, "next") && there(&store, "last")), "one of two that rest has made room");
    }
}
