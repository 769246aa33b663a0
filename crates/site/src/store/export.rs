//! Everything on a site, or everything that belongs to some accounts, as rows of JSON. Each table lists the columns
//! that it exports: passwords, sessions, tokens and invitations are not included, and a new column is never exported by
//! oversight.

use rusqlite::types::ValueRef;
use rusqlite::{Row, params};
use serde_json::{Map, Value};

use super::SiteStore;
use super::migrations::{BY_HAND, LEAGUES, OPENINGS, REPEATS, STAND_INS, WITHDRAWALS};
use agon_arena::store::StoreError;

/// A table of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportTable {
    Accounts,
    /// Members and invited accounts of each team.
    Members,
    Competitions,
    /// Those admitted to a competition by an invitation; only for the host.
    Entrants,
    /// The groups into which hosts have put people and teams.
    Groups,
    /// Programs; for the whole site, including built-in ones.
    Programs,
    Versions,
    Games,
    /// Finals; only for the host.
    Finals,
    /// The groups of weekly leagues.
    Leagues,
    /// Games that authors have requested.
    Asked,
    /// Games of two people by link, without the keys of the seats.
    Shared,
    /// Announcements; only for the host.
    Announcements,
    /// Messages of the host to accounts.
    Messages,
}

/// Columns whose text is JSON.
const NESTED: [&str; 2] = ["parameters", "plan"];

impl ExportTable {
    /// The largest ones come last.
    pub const ALL: [Self; 14] = [
        Self::Accounts,
        Self::Members,
        Self::Competitions,
        Self::Entrants,
        Self::Groups,
        Self::Programs,
        Self::Finals,
        Self::Leagues,
        Self::Asked,
        Self::Shared,
        Self::Announcements,
        Self::Messages,
        Self::Versions,
        Self::Games,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Accounts => "accounts",
            Self::Members => "members",
            Self::Competitions => "contests",
            Self::Entrants => "entrants",
            Self::Groups => "groups",
            Self::Programs => "programs",
            Self::Versions => "versions",
            Self::Games => "games",
            Self::Finals => "finals",
            Self::Leagues => "leagues",
            Self::Asked => "asked",
            Self::Shared => "shared",
            Self::Announcements => "announcements",
            Self::Messages => "messages",
        }
    }

    /// The query for its rows; `?1` is NULL for the whole site, or the numbers of accounts as a JSON array. Columns
    /// missing from an earlier layout of the store are left out.
    fn sql(self, whole: bool, layout: u32) -> String {
        let own = "(?1 IS NULL OR account IN (SELECT value FROM json_each(?1)))";
        let programs = format!("SELECT id FROM program WHERE {own}");
        match self {
            Self::Accounts => "SELECT id, name, team, host, frozen, created FROM account
                               WHERE ?1 IS NULL OR id IN (SELECT value FROM json_each(?1)) ORDER BY id"
                .to_owned(),
            Self::Members => "SELECT member.team, member.account, account.name, asked, joined FROM member
                              JOIN account ON account.id = member.account
                              WHERE ?1 IS NULL OR member.team IN (SELECT value FROM json_each(?1)) ORDER BY 1, 2"
                .to_owned(),
            Self::Competitions => {
                let balanced = if layout >= OPENINGS { ", balanced" } else { "" };
                format!(
                    "SELECT id, slug, title, game, parameters, openings, clock_ms, memory_mb, languages, opens, closes,
                        daily, entry, replays, description, created{balanced}
                 FROM contest WHERE ?1 IS NULL OR id IN (SELECT contest FROM program WHERE {own}) ORDER BY id"
                )
            }
            Self::Entrants => "SELECT contest, account, created FROM entrant WHERE ?1 IS NULL ORDER BY 1, 2".to_owned(),
            Self::Groups => {
                format!("SELECT contest, account, name FROM grouping WHERE {own} ORDER BY 1, 2")
            }
            Self::Programs => {
                let by_hand = if layout >= BY_HAND { ", by_hand" } else { "" };
                let withdrawn = if layout >= WITHDRAWALS { ", withdrawn" } else { "" };
                format!(
                    "SELECT id, contest, name, account, builtin, fixed, barred{by_hand}{withdrawn}, active, rating,
                            games, firsts, wins, draws, faults, form, last, created
                     FROM program WHERE {own} ORDER BY id"
                )
            }
            Self::Versions => format!(
                "SELECT id, program, number, language, state, message, bout AS game, games, submitted, settled
                 FROM version WHERE program IN ({programs}) ORDER BY id"
            ),
            Self::Games => {
                // For some accounts, through the indexes of both seats: a table of a million games is not read for ten.
                let which = if whole {
                    "?1 IS NULL".to_owned()
                } else {
                    format!(
                        "id IN (SELECT id FROM bout WHERE first IN ({programs})
                                UNION SELECT id FROM bout WHERE second IN ({programs}))"
                    )
                };
                let stand_in = if layout >= STAND_INS { ", stand_in" } else { "" };
                let repeats = if layout >= REPEATS { ", repeats" } else { "" };
                format!(
                    "SELECT id, contest, kind, seed, first, second, first_version, second_version, begun, ended, winner,
                            reason, first_verdict, second_verdict, plies, first_ms, second_ms, first_rating,
                            second_rating, final, slot, asked{stand_in}{repeats}
                     FROM bout WHERE ended IS NOT NULL AND {which} ORDER BY id"
                )
            }
            Self::Finals => {
                "SELECT id, contest, title, plan, state, created FROM final WHERE ?1 IS NULL ORDER BY id".to_owned()
            }
            Self::Leagues => {
                format!(
                    "SELECT contest, week, division, number, program FROM league_place WHERE program IN ({programs})
                     ORDER BY 1, 2, 3, 4"
                )
            }
            Self::Asked => {
                format!("SELECT id, account, first, second, games, created FROM asked_bout WHERE {own} ORDER BY id")
            }
            Self::Shared => "SELECT id, game, parameters, seed, first, second, base_ms, increment_ms, first_ms,
                                    second_ms, moves, moved_ms, winner, reason
                             FROM shared_game
                             WHERE ?1 IS NULL OR id IN (
                                 SELECT id FROM shared_game WHERE first IN (SELECT value FROM json_each(?1))
                                 UNION SELECT id FROM shared_game WHERE second IN (SELECT value FROM json_each(?1)))
                             ORDER BY moved_ms, id"
                .to_owned(),
            Self::Announcements => "SELECT id, text, created FROM announcement WHERE ?1 IS NULL ORDER BY id".to_owned(),
            Self::Messages => format!("SELECT id, account, text, sent, read FROM message WHERE {own} ORDER BY id"),
        }
    }
}

fn read(row: &Row, names: &[String]) -> rusqlite::Result<Map<String, Value>> {
    let mut object = Map::new();
    for (at, name) in names.iter().enumerate() {
        let value = match row.get_ref(at)? {
            ValueRef::Integer(number) => number.into(),
            ValueRef::Real(number) => number.into(),
            ValueRef::Text(text) => {
                let text = String::from_utf8_lossy(text).into_owned();
                let nested = NESTED.contains(&name.as_str()).then(|| serde_json::from_str(&text).ok()).flatten();
                nested.unwrap_or(Value::String(text))
            }
            // No table here has bytes.
            ValueRef::Null | ValueRef::Blob(_) => Value::Null,
        };
        object.insert(name.clone(), value);
    }
    Ok(object)
}

impl SiteStore {
    /// Whether it has groups: a store opened for reading may come from a version without them.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    pub fn has_groups(&self) -> Result<bool, StoreError> {
        Ok(self.connection.table_exists(None, "grouping")?)
    }

    /// Whether it has messages of the host, likewise.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    pub fn has_messages(&self) -> Result<bool, StoreError> {
        Ok(self.connection.table_exists(None, "message")?)
    }

    /// Whether it has weekly leagues, likewise.
    pub(crate) const fn has_leagues(&self) -> bool {
        self.layout >= LEAGUES
    }

    /// Passes each row of a table to `each`, as an object with its columns; for some accounts, only what belongs to
    /// them.
    ///
    /// # Errors
    /// [`StoreError`], and what `each` fails with, which ends it.
    pub fn export_rows<E: From<StoreError>>(
        &self,
        table: ExportTable,
        accounts: Option<&[i64]>,
        mut each: impl FnMut(Map<String, Value>) -> Result<(), E>,
    ) -> Result<(), E> {
        let of = accounts.map(|accounts| Value::from(accounts).to_string());
        // A store opened for reading may come from a version before them.
        let sql = table.sql(accounts.is_none(), self.layout);
        let mut statement = self.connection.prepare(&sql).map_err(StoreError::from)?;
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = statement.query(params![of]).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            each(read(row, &names).map_err(StoreError::from)?)?;
        }
        Ok(())
    }

    /// Lets `job` see the store as it is now, whatever is written meanwhile.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn snapshot<T>(&self, job: impl FnOnce(&Self) -> T) -> Result<T, StoreError> {
        let transaction = self.connection.unchecked_transaction()?;
        let answer = job(self);
        transaction.commit()?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SiteInvitation, TokenScopes, new_store};
    use super::*;

    fn rows(store: &SiteStore, table: ExportTable, accounts: Option<&[i64]>) -> Vec<Map<String, Value>> {
        let mut all = Vec::new();
        let each = |row| -> Result<(), StoreError> {
            all.push(row);
            Ok(())
        };
        store.export_rows(table, accounts, each).unwrap();
        all
    }

    #[test]
    fn every_table_can_be_read_and_gives_no_secret_away() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "$argon2id$secret", false, 1).unwrap().unwrap();
        store.begin_session(ada, b"session", 1).unwrap();
        store.add_token(ada, "laptop", TokenScopes::default(), b"token", (1, None)).unwrap();
        let link = SiteInvitation { id: 0, note: "class".into(), host: true, uses: 1, expires: 50, competition: None };
        store.add_invitation(b"link", &link, 1).unwrap();
        for table in ExportTable::ALL {
            for accounts in [None, Some(&[ada][..])] {
                let text = format!("{:?}", rows(&store, table, accounts));
                assert!(["argon2", "password", "digest"].iter().all(|word| !text.contains(word)), "{text}");
            }
        }
        assert_eq!(rows(&store, ExportTable::Accounts, Some(&[ada])).len(), 1);
        let competitions = rows(&store, ExportTable::Competitions, None);
        assert_eq!((competitions.len(), &competitions[0]["parameters"]), (4, &serde_json::json!({})));
    }

    #[test]
    fn a_snapshot_stays_as_it_is() {
        let (folder, mut store) = new_store();
        let reader = SiteStore::read(&folder.path().join("site.db")).unwrap();
        let counts = reader.snapshot(|reader| {
            let before = rows(reader, ExportTable::Accounts, None).len();
            store.create_account("ada", "x", false, 1).unwrap().unwrap();
            (before, rows(reader, ExportTable::Accounts, None).len())
        });
        assert_eq!(counts.unwrap(), (0, 0));
        assert_eq!(rows(&reader, ExportTable::Accounts, None).len(), 1);
    }
}
