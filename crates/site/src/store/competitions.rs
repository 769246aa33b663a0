//! Competitions: what is played, under which limits, when, and by whom. Each has its own ladder.

use std::collections::{BTreeMap, HashMap};

use agon_catalog::Game;
use agon_referee::agent::Language;
use agon_referee::clock::Clock;
use agon_referee::limits::GameLimits;
use rusqlite::types::{FromSqlError, FromSqlResult, ToSqlOutput, Type, ValueRef};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, ToSql, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SiteStore;
use crate::names::in_order;
use agon_arena::store::StoreError;

/// Who may enter a competition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryRule {
    Open,
    /// Those who have followed an invitation to it.
    Invited,
    /// The same, and it is hidden from everyone else except the host.
    Private,
}

impl EntryRule {
    /// Its name, in the store and in forms.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Invited => "invited",
            Self::Private => "private",
        }
    }

    /// The rule of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Open, Self::Invited, Self::Private].into_iter().find(|rule| rule.name() == name)
    }

    /// Whether an invitation is the only way to enter.
    pub const fn is_by_invitation(self) -> bool {
        matches!(self, Self::Invited | Self::Private)
    }
}

/// When everyone may see the moves of games; results are visible at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReplayRule {
    /// From the first move on.
    Always,
    /// After the competition has closed; until then only the authors of both programs and the host see them.
    After,
}

impl ReplayRule {
    /// Its name, in the store and in forms.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::After => "after",
        }
    }

    /// The rule of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Always, Self::After].into_iter().find(|rule| rule.name() == name)
    }
}

impl rusqlite::types::FromSql for EntryRule {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::by_name(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

impl rusqlite::types::FromSql for ReplayRule {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::by_name(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for EntryRule {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl ToSql for ReplayRule {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

/// Parts of a competition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompetitionPart {
    Bout,
    Program,
    Version,
    Final,
}

/// For how long after its closing a competition plays the first games of versions that were accepted in time.
const SETTLING_SECONDS: i64 = 3 * 86_400;

/// Whether a competition takes submissions and plays games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CompetitionPhase)]
pub enum CompetitionPhase {
    Coming,
    Running,
    Closed,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Competition {
    pub id: i64,
    /// Its name in addresses: lower-case letters, digits, hyphens.
    pub slug: String,
    pub title: String,
    pub game: Game,
    /// The game's parameters; those left out have their defaults.
    pub parameters: BTreeMap<String, String>,
    /// Plies that are drawn for both sides before each game; 0 for none.
    pub openings: u32,
    /// Whether games begin with the balanced openings of the game; then no openings are drawn.
    pub balanced: bool,
    /// A program's time in milliseconds for its whole game, or of the petri dish for an action, if it is not the
    /// site's.
    pub clock_ms: Option<u64>,
    /// Memory of a program in MiB, if it is not the site's.
    pub memory_mib: Option<u64>,
    /// The allowed languages; `None` for all that the site offers.
    pub languages: Option<Vec<Language>>,
    /// When it opens; `None` if it has always been open.
    pub opens: Option<i64>,
    /// When it closes; `None` if it never does.
    pub closes: Option<i64>,
    /// Submissions of an account within 24 hours, if not as many as the site takes.
    pub daily: Option<u32>,
    pub entry: EntryRule,
    pub replays: ReplayRule,
    /// The host's description.
    pub description: String,
    pub created: i64,
}

impl Competition {
    /// Whether only its members and the host see it.
    pub const fn is_private(&self) -> bool {
        matches!(self.entry, EntryRule::Private)
    }

    /// Whether it is open at that time. The moment at which it closes no longer belongs to it.
    pub fn phase(&self, now: i64) -> CompetitionPhase {
        if self.closes.is_some_and(|closes| now >= closes) {
            CompetitionPhase::Closed
        } else if self.opens.is_some_and(|opens| now < opens) {
            CompetitionPhase::Coming
        } else {
            CompetitionPhase::Running
        }
    }

    /// Whether versions accepted before it closed still get their first games.
    pub fn plays_first_games(&self, now: i64) -> bool {
        let since = self.closes.map(|closes| now - closes);
        self.phase(now) == CompetitionPhase::Closed && since.is_some_and(|since| since < SETTLING_SECONDS)
    }

    /// The limits of its games on a site with these.
    pub fn limits(&self, site: GameLimits) -> GameLimits {
        let memory_mib = self.memory_mib.unwrap_or(site.memory_mib);
        match (self.game.has_sessions(), self.clock_ms) {
            (_, None) => GameLimits { memory_mib, ..site },
            (false, Some(invocation_ms)) => GameLimits { memory_mib, invocation_ms, ..site },
            (true, Some(clock_ms)) => GameLimits { memory_mib, ..site }.with_clock(Clock::for_game(clock_ms)),
        }
    }
}

const COMPETITION: &str =
    "SELECT id, slug, title, game, parameters, openings, clock_ms, memory_mb, languages, opens, closes, daily,
        entry, replays, description, created, balanced FROM contest";

/// A game by its name in a row.
pub(super) fn game(row: &Row, at: usize) -> rusqlite::Result<Game> {
    let name: String = row.get(at)?;
    let unknown = || rusqlite::Error::FromSqlConversionFailure(at, Type::Text, format!("no game `{name}`").into());
    // A stored game outlives its rules: they may have changed, or not be given this time.
    Game::recorded(&name).ok().or_else(|| agon_catalog::stand_in(&name)).ok_or_else(unknown)
}

/// A competition by its number.
pub(super) fn competition_by_id(connection: &Connection, id: i64) -> rusqlite::Result<Option<Competition>> {
    connection.prepare_cached(&format!("{COMPETITION} WHERE id = ?1"))?.query_row([id], competition).optional()
}

/// Whether an account, or one of a team's members, has been admitted to a competition and not removed.
pub(super) fn is_entrant(connection: &Connection, competition: i64, account: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM entrant WHERE contest = ?1 AND (account = ?2 OR account IN (
                   SELECT account FROM member WHERE team = ?2 AND joined IS NOT NULL))
               AND NOT EXISTS (SELECT 1 FROM removal WHERE contest = ?1
                               AND removal.account IN (entrant.account, ?2)))";
    connection.prepare_cached(sql)?.query_row([competition, account], |row| row.get(0))
}

/// Whether the host has removed an account from a competition.
pub(super) fn is_removed(connection: &Connection, competition: i64, account: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM removal WHERE contest = ?1 AND account = ?2)";
    connection.prepare_cached(sql)?.query_row([competition, account], |row| row.get(0))
}

/// Readmits an account that the host has removed from a competition, with all its programs.
pub(super) fn let_in_again(connection: &Connection, competition: i64, account: i64) -> rusqlite::Result<()> {
    let sql = "DELETE FROM removal WHERE contest = ?1 AND account = ?2";
    if connection.execute(sql, [competition, account])? == 1 {
        let sql = "UPDATE program SET barred = 0 WHERE contest = ?1 AND account = ?2";
        connection.execute(sql, [competition, account])?;
    }
    Ok(())
}

/// Admits an account to a competition; returns whether it was new there.
pub(super) fn enter(connection: &Connection, competition: i64, account: i64, now: i64) -> rusqlite::Result<bool> {
    let sql = "INSERT INTO entrant (contest, account, created) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    Ok(connection.execute(sql, [competition, account, now])? == 1)
}

fn competition(row: &Row) -> rusqlite::Result<Competition> {
    let wrong = |at, problem: String| rusqlite::Error::FromSqlConversionFailure(at, Type::Text, problem.into());
    let parameters: String = row.get(4)?;
    let parameters = serde_json::from_str(&parameters).map_err(|error| wrong(4, error.to_string()))?;
    let language = |name: &str| Language::by_name(name).ok_or_else(|| wrong(8, format!("no language `{name}`")));
    let languages: Option<String> = row.get(8)?;
    let languages = languages.map(|names| names.split(' ').map(language).collect::<Result<_, _>>()).transpose()?;
    Ok(Competition {
        id: row.get(0)?,
        slug: row.get(1)?,
        title: row.get(2)?,
        game: game(row, 3)?,
        parameters,
        openings: row.get(5)?,
        clock_ms: row.get::<_, Option<i64>>(6)?.map(|ms| ms as u64),
        memory_mib: row.get::<_, Option<i64>>(7)?.map(|mb| mb as u64),
        languages,
        opens: row.get(9)?,
        closes: row.get(10)?,
        daily: row.get(11)?,
        entry: row.get(12)?,
        replays: row.get(13)?,
        description: row.get(14)?,
        created: row.get(15)?,
        balanced: row.get(16)?,
    })
}

/// A competition that the host has removed an account from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteRemoval {
    pub competition: i64,
    /// The title of that competition.
    pub title: String,
    pub account: i64,
    /// The name of that account if it is a team.
    pub team: Option<String>,
}

impl SiteStore {
    /// The competitions that the host has removed an account or its teams from.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn removals_of(&self, account: i64) -> Result<Vec<SiteRemoval>, StoreError> {
        let sql = "SELECT contest.id, title, account.id, iif(account.team, account.name, NULL)
                   FROM removal JOIN contest ON contest.id = removal.contest
                   JOIN account ON account.id = removal.account
                   WHERE removal.account IN (SELECT ?1 UNION ALL SELECT team FROM member
                                             WHERE member.account = ?1 AND joined IS NOT NULL)
                   ORDER BY account.team, contest.id";
        let read = |row: &Row| {
            Ok(SiteRemoval { competition: row.get(0)?, title: row.get(1)?, account: row.get(2)?, team: row.get(3)? })
        };
        Ok(self.connection.prepare_cached(sql)?.query_map([account], read)?.collect::<Result<_, _>>()?)
    }

    /// All competitions, in the order of their creation: first those that every site has from the start.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn competitions(&self) -> Result<Vec<Competition>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{COMPETITION} ORDER BY id"))?;
        Ok(statement.query_map([], competition)?.collect::<Result<_, _>>()?)
    }

    /// The names of the games of all competitions.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn games(&self) -> Result<Vec<String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT DISTINCT game FROM contest ORDER BY id")?;
        Ok(statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// A competition.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn competition(&self, id: i64) -> Result<Option<Competition>, StoreError> {
        Ok(competition_by_id(&self.connection, id)?)
    }

    /// The competition of this address.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn competition_by_slug(&self, slug: &str) -> Result<Option<Competition>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{COMPETITION} WHERE slug = ?1"))?;
        Ok(statement.query_row([slug], competition).optional()?)
    }

    /// Creates a competition if its number is 0, else changes the one with that number, but not its game; returns its
    /// number, or `None` if another one has that address.
    ///
    /// # Errors
    /// [`StoreError`].
    ///
    /// # Panics
    /// Never: JSON can hold every map of texts.
    pub fn put_competition(&mut self, competition: &Competition) -> Result<Option<i64>, StoreError> {
        let parameters = serde_json::to_string(&competition.parameters).expect("a map of texts can be written as JSON");
        let names = |all: &Vec<Language>| all.iter().map(|language| language.name()).collect::<Vec<_>>().join(" ");
        let sql = "INSERT INTO contest (id, slug, title, game, parameters, openings, clock_ms, memory_mb, languages,
                       opens, closes, daily, entry, replays, description, created, balanced)
                   VALUES (nullif(?1, 0), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
                   ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, title = excluded.title,
                       parameters = excluded.parameters, openings = excluded.openings, clock_ms = excluded.clock_ms,
                       memory_mb = excluded.memory_mb, languages = excluded.languages, opens = excluded.opens,
                       closes = excluded.closes, daily = excluded.daily, entry = excluded.entry,
                       replays = excluded.replays, description = excluded.description,
                       balanced = excluded.balanced
                   RETURNING id";
        let values = params![
            competition.id,
            competition.slug,
            competition.title,
            competition.game.name(),
            parameters,
            competition.openings,
            competition.clock_ms.map(|ms| ms as i64),
            competition.memory_mib.map(|mb| mb as i64),
            competition.languages.as_ref().map(names),
            competition.opens,
            competition.closes,
            competition.daily,
            competition.entry,
            competition.replays,
            competition.description,
            competition.created,
            competition.balanced,
        ];
        let transaction = self.connection.transaction()?;
        let before: Option<String> = transaction
            .query_row("SELECT slug FROM contest WHERE id = ?1", [competition.id], |row| row.get(0))
            .optional()?;
        let put = match transaction.query_row(sql, values, |row| row.get(0)) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => return Ok(None),
            put => put?,
        };
        // The address of now is that of no other one.
        transaction.execute("DELETE FROM contest_address WHERE slug = ?1", [&competition.slug])?;
        if let Some(before) = before.filter(|before| *before != competition.slug) {
            let sql = "INSERT INTO contest_address (slug, contest) VALUES (?1, ?2)
                       ON CONFLICT (slug) DO UPDATE SET contest = excluded.contest";
            transaction.execute(sql, params![before, competition.id])?;
        }
        transaction.commit()?;
        Ok(Some(put))
    }

    /// The private competitions that none of these accounts has entered, itself, through a team or with a program.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn hidden_competitions(&self, accounts: &[i64]) -> Result<Vec<i64>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT id FROM contest WHERE entry = 'private' ORDER BY id")?;
        let all = statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        let sql = "SELECT EXISTS (SELECT 1 FROM program WHERE contest = ?1 AND account = ?2)
                   AND NOT EXISTS (SELECT 1 FROM removal WHERE contest = ?1 AND account = ?2)";
        let mut plays = self.connection.prepare_cached(sql)?;
        let mut hidden = Vec::new();
        for competition in all {
            let mut seen = false;
            for account in accounts {
                seen |= is_entrant(&self.connection, competition, *account)?
                    || plays.query_row([competition, *account], |row| row.get(0))?;
            }
            if !seen {
                hidden.push(competition);
            }
        }
        Ok(hidden)
    }

    /// The competition that something of a site belongs to, by its number.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn competition_of(&self, part: CompetitionPart, id: i64) -> Result<Option<i64>, StoreError> {
        let sql = match part {
            CompetitionPart::Bout => "SELECT contest FROM bout WHERE id = ?1",
            CompetitionPart::Program => "SELECT contest FROM program WHERE id = ?1",
            CompetitionPart::Version => {
                "SELECT contest FROM version JOIN program ON program.id = version.program WHERE version.id = ?1"
            }
            CompetitionPart::Final => {
                "SELECT contest FROM final WHERE id = ?1
                 UNION SELECT contest FROM final_to_come WHERE number = ?1
                 UNION SELECT contest FROM final_to_come, json_each(form, '$.numbers') AS own WHERE own.value = ?1"
            }
        };
        Ok(self.connection.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?)
    }

    /// The address of now of a competition that had this one before.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn moved_competition(&self, slug: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT contest.slug FROM contest_address JOIN contest ON contest.id = contest_address.contest
                   WHERE contest_address.slug = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([slug], |row| row.get(0)).optional()?)
    }

    /// Deletes a competition that no program of a user has entered; whether it was deleted.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn delete_competition(&mut self, id: i64) -> Result<bool, StoreError> {
        let sql = "DELETE FROM contest WHERE id = ?1
                   AND NOT EXISTS (SELECT 1 FROM program WHERE contest = ?1 AND builtin IS NULL)";
        Ok(self.connection.execute(sql, [id])? == 1)
    }

    /// Admits an account to a competition by an invitation, which uses it once, unless the account is already in.
    /// Returns the competition, or `None` if there is no such invitation to one, or it is used up or has expired.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn enter_by_invitation(&mut self, digest: &[u8], account: i64, now: i64) -> Result<Option<i64>, StoreError> {
        let transaction = self.begin()?;
        let sql =
            "SELECT contest FROM invitation WHERE digest = ?1 AND uses > 0 AND expires > ?2 AND contest IS NOT NULL";
        let competition: Option<i64> = transaction.query_row(sql, params![digest, now], |row| row.get(0)).optional()?;
        let Some(competition) = competition else { return Ok(None) };
        if is_removed(&transaction, competition, account)? {
            return Ok(None);
        }
        if enter(&transaction, competition, account, now)? {
            transaction.execute("UPDATE invitation SET uses = uses - 1 WHERE digest = ?1", [digest])?;
        }
        transaction.commit()?;
        Ok(Some(competition))
    }

    /// Whether an account, or one of a team's members, has been admitted to a competition.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn has_entered(&self, competition: i64, account: i64) -> Result<bool, StoreError> {
        Ok(is_entrant(&self.connection, competition, account)?)
    }

    /// The competitions that an account has entered, by an invitation, a list or a program: the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn entered_competitions(&self, account: i64) -> Result<Vec<i64>, StoreError> {
        let sql = "SELECT contest FROM (SELECT contest FROM entrant WHERE account = ?1
                                        UNION SELECT contest FROM program WHERE account = ?1)
                   WHERE contest NOT IN (SELECT contest FROM removal WHERE account = ?1) ORDER BY contest DESC";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map([account], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// How many programs of users are in a competition.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn count_programs(&self, competition: i64) -> Result<u32, StoreError> {
        let sql = "SELECT count(*) FROM program WHERE contest = ?1 AND builtin IS NULL";
        Ok(self.connection.prepare_cached(sql)?.query_row([competition], |row| row.get(0))?)
    }

    /// Takes an account out of a competition, where its programs play no more, or lets it in again with its programs.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_removed(&mut self, competition: i64, account: i64, removed: bool, now: i64) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        if removed {
            // Those who only have a program there are listed without it, too.
            let sql = "SELECT min(created) FROM program WHERE contest = ?1 AND account = ?2";
            let since: Option<i64> = transaction.query_row(sql, [competition, account], |row| row.get(0))?;
            enter(&transaction, competition, account, since.unwrap_or(now))?;
            let sql = "INSERT INTO removal (contest, account, created) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
            transaction.execute(sql, [competition, account, now])?;
            let sql = "UPDATE program SET barred = 1 WHERE contest = ?1 AND account = ?2";
            transaction.execute(sql, [competition, account])?;
        } else {
            let_in_again(&transaction, competition, account)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// How many accounts have been admitted to a competition.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn count_entrants(&self, competition: i64) -> Result<u32, StoreError> {
        let sql = "SELECT count(*) FROM entrant WHERE contest = ?1
                   AND account NOT IN (SELECT account FROM removal WHERE contest = ?1)";
        Ok(self.connection.prepare_cached(sql)?.query_row([competition], |row| row.get(0))?)
    }

    /// The participants of a competition: those admitted by an invitation, and those with a program there; by group and
    /// name. Removed ones are included.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn entrants(&self, competition: i64) -> Result<Vec<SiteEntrant>, StoreError> {
        let sql = "WITH own AS (SELECT account, count(*) AS programs, min(created) AS since FROM program
                               WHERE contest = ?1 AND account IS NOT NULL GROUP BY account),
                        known AS (SELECT account FROM entrant WHERE contest = ?1 UNION SELECT account FROM own)
                   SELECT account.id, account.name, account.team, coalesce(own.programs, 0),
                          coalesce(entrant.created, own.since), coalesce(grouping.name, ''),
                          removal.account IS NOT NULL, account.password <> '',
                          max(coalesce(account.seen, 0),
                              coalesce((SELECT max(begun) FROM session WHERE session.account = account.id), 0))
                   FROM known JOIN account ON account.id = known.account
                   LEFT JOIN own ON own.account = account.id
                   LEFT JOIN entrant ON entrant.contest = ?1 AND entrant.account = account.id
                   LEFT JOIN grouping ON grouping.contest = ?1 AND grouping.account = account.id
                   LEFT JOIN removal ON removal.contest = ?1 AND removal.account = account.id
                   ORDER BY account.id";
        let read = |row: &Row| {
            Ok(SiteEntrant {
                account: row.get(0)?,
                name: row.get(1)?,
                team: row.get(2)?,
                programs: row.get(3)?,
                since: row.get(4)?,
                group: row.get(5)?,
                removed: row.get(6)?,
                has_password: row.get(7)?,
                seen: Some(row.get(8)?).filter(|seen| *seen > 0),
            })
        };
        let mut all: Vec<SiteEntrant> =
            self.connection.prepare_cached(sql)?.query_map([competition], read)?.collect::<Result<_, _>>()?;
        all.sort_by(|one, other| {
            let groups = in_order(&one.group, &other.group);
            one.group.is_empty().cmp(&other.group.is_empty()).then(groups).then(in_order(&one.name, &other.name))
        });
        Ok(all)
    }

    /// Puts accounts into groups of a competition; an empty name removes an account from its group.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_groups(&mut self, competition: i64, groups: &[(i64, String)]) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        for (account, name) in groups {
            group(&transaction, competition, *account, name)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// The group of an account in a competition.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn group_of(&self, competition: i64, account: i64) -> Result<Option<String>, StoreError> {
        let sql = "SELECT name FROM grouping WHERE contest = ?1 AND account = ?2";
        Ok(self.connection.prepare_cached(sql)?.query_row([competition, account], |row| row.get(0)).optional()?)
    }

    /// The groups of the accounts of a competition that are in one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn grouped(&self, competition: i64) -> Result<HashMap<i64, String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT account, name FROM grouping WHERE contest = ?1")?;
        let all = statement.query_map([competition], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(all.collect::<Result<_, _>>()?)
    }

    /// The groups of a competition, by name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn groups(&self, competition: i64) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT DISTINCT name FROM grouping WHERE contest = ?1";
        let mut all: Vec<String> = self
            .connection
            .prepare_cached(sql)?
            .query_map([competition], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        all.sort_by(|one, other| in_order(one, other));
        Ok(all)
    }
}

/// A person or a team in a competition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteEntrant {
    pub account: i64,
    pub name: String,
    pub team: bool,
    /// How many programs it has there.
    pub programs: u32,
    /// When it entered.
    pub since: i64,
    /// The group into which the host has put it; empty for none.
    pub group: String,
    /// Whether the host has removed it.
    pub removed: bool,
    /// True if it has set a password; a team never has one.
    pub has_password: bool,
    /// About when its last request came; `None` if it has sent none, and for a team.
    pub seen: Option<i64>,
}

/// Puts an account into a group of a competition, or into none if the name is empty.
pub(super) fn group(connection: &Connection, competition: i64, account: i64, name: &str) -> rusqlite::Result<()> {
    if name.is_empty() {
        connection.execute("DELETE FROM grouping WHERE contest = ?1 AND account = ?2", [competition, account])?;
    } else {
        let sql = "INSERT INTO grouping (contest, account, name) SELECT ?1, id, ?3 FROM account WHERE id = ?2
                   ON CONFLICT DO UPDATE SET name = excluded.name";
        connection.execute(sql, params![competition, account, name])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{SiteInvitation, new_store};
    use super::*;

    #[test]
    fn every_game_has_a_competition_of_its_name_from_the_beginning() {
        let (_folder, store) = new_store();
        let competitions = store.competitions().unwrap();
        let found: Vec<_> = competitions.iter().map(|one| (one.slug.as_str(), one.title.as_str(), one.game)).collect();
        let games: Vec<_> = Game::all().into_iter().map(|game| (game.name(), game.title(), game)).collect();
        assert_eq!(found, games);
        for competition in competitions {
            assert_eq!(
                (competition.phase(0), competition.phase(i64::MAX)),
                (CompetitionPhase::Running, CompetitionPhase::Running)
            );
            assert_eq!(competition.limits(GameLimits::default()), GameLimits::default());
        }
    }

    #[test]
    fn a_competition_is_kept_as_it_was_made() {
        let (_folder, mut store) = new_store();
        let mut competition = Competition {
            id: 0,
            slug: "friday".into(),
            title: "Friday".into(),
            game: Game::DOMINEERING,
            parameters: [("rows".to_owned(), "6".to_owned())].into(),
            openings: 2,
            balanced: false,
            clock_ms: Some(5000),
            memory_mib: Some(64),
            languages: Some(vec![Language::Python3, Language::Cpp20]),
            opens: Some(100),
            closes: Some(200),
            daily: Some(3),
            entry: EntryRule::Invited,
            replays: ReplayRule::After,
            description: "On Friday.".into(),
            created: 50,
        };
        competition.id = store.put_competition(&competition).unwrap().unwrap();
        assert_eq!(store.competition_by_slug("friday").unwrap().as_ref(), Some(&competition));
        let limits = competition.limits(GameLimits::default());
        assert_eq!((limits.clock_ms, limits.memory_mib), (5000, 64));
        let dish = Competition { game: Game::PETRI, ..competition.clone() }.limits(GameLimits::default());
        assert_eq!((dish.clock_ms, dish.invocation_ms), (GameLimits::default().clock_ms, 5000));
        let phases = [99, 100, 199, 200].map(|now| competition.phase(now));
        assert_eq!(
            phases,
            [CompetitionPhase::Coming, CompetitionPhase::Running, CompetitionPhase::Running, CompetitionPhase::Closed]
        );
        assert_eq!(
            store.put_competition(&Competition { id: 0, ..competition.clone() }).unwrap(),
            None,
            "the address is taken"
        );
        assert_eq!(store.put_competition(&Competition { slug: "renju".into(), ..competition.clone() }).unwrap(), None);
        let changed = Competition { title: "Monday".into(), closes: None, languages: None, ..competition };
        assert_eq!(store.put_competition(&changed).unwrap(), Some(changed.id));
        assert_eq!(store.competition(changed.id).unwrap().as_ref(), Some(&changed));
        let [ada, bob, eve] =
            ["ada", "bob", "eve"].map(|name| store.create_account(name, "x", false, 1).unwrap().unwrap());
        let note = String::new();
        let link = SiteInvitation { id: 0, note, host: false, uses: 2, expires: 70, competition: Some(changed.id) };
        store.add_invitation(b"link", &link, 1).unwrap();
        store.add_invitation(b"site", &SiteInvitation { competition: None, ..link.clone() }, 1).unwrap();
        assert_eq!(store.enter_by_invitation(b"site", ada, 60).unwrap(), None, "it leads into no contest");
        assert_eq!(store.enter_by_invitation(b"link", ada, 70).unwrap(), None, "it has expired");
        for _ in 0..3 {
            assert_eq!(store.enter_by_invitation(b"link", ada, 60).unwrap(), Some(changed.id), "used once by each");
        }
        assert_eq!(store.count_entrants(changed.id).unwrap(), 1);
        // Signing up by the invitation also enters.
        let zoe = store.accept_invitation(b"link", "zoe", "x", 60).unwrap().flatten().unwrap();
        assert!(store.has_entered(changed.id, zoe).unwrap());
        assert_eq!(store.enter_by_invitation(b"link", bob, 60).unwrap(), None, "it is used up");
        assert!(!store.has_entered(changed.id, eve).unwrap());
        let group_of = |store: &SiteStore| -> Vec<(String, String)> {
            let all = store.entrants(changed.id).unwrap();
            all.into_iter().map(|entrant| (entrant.name, entrant.group)).collect()
        };
        let named = |pairs: [(&str, &str); 2]| pairs.map(|(name, group)| (name.to_owned(), group.to_owned()));
        assert_eq!(group_of(&store), named([("ada", ""), ("zoe", "")]));
        store.set_groups(changed.id, &[(zoe, "A".to_owned()), (ada, "B".to_owned()), (ada, String::new())]).unwrap();
        assert_eq!(group_of(&store), named([("zoe", "A"), ("ada", "")]), "who has no group comes last");
        assert_eq!(store.groups(changed.id).unwrap(), ["A"]);
        assert_eq!(store.grouped(changed.id).unwrap(), HashMap::from([(zoe, "A".to_owned())]));
        // A removed person cannot come back by a link, is not counted, and is readmitted with all programs.
        store.set_removed(changed.id, zoe, true, 61).unwrap();
        assert_eq!(
            (store.has_entered(changed.id, zoe).unwrap(), store.count_entrants(changed.id).unwrap()),
            (false, 1)
        );
        store.add_invitation(b"more", &SiteInvitation { competition: Some(changed.id), ..link.clone() }, 61).unwrap();
        assert_eq!(store.enter_by_invitation(b"more", zoe, 62).unwrap(), None);
        let removed = |store: &SiteStore| -> Vec<(String, bool)> {
            let all = store.entrants(changed.id).unwrap();
            all.into_iter().map(|one| (one.name, one.removed)).collect()
        };
        assert_eq!(removed(&store), [("zoe".to_owned(), true), ("ada".to_owned(), false)]);
        store.set_removed(changed.id, zoe, false, 63).unwrap();
        assert!(store.has_entered(changed.id, zoe).unwrap());
        store.delete_account(zoe).unwrap();
        assert_eq!(store.groups(changed.id).unwrap(), [] as [&str; 0]);
        assert_eq!((store.has_entered(changed.id, ada).unwrap(), store.count_entrants(changed.id).unwrap()), (true, 1));
        assert!(store.delete_competition(changed.id).unwrap());
        assert_eq!(
            (store.competition(changed.id).unwrap(), store.has_entered(changed.id, ada).unwrap()),
            (None, false)
        );
    }
}
