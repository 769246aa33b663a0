//! Programs, their versions, and the queue of submissions.

use std::borrow::Cow;

use agon_catalog::Game;
use agon_referee::agent::Language;
use rusqlite::types::{FromSqlError, FromSqlResult, ToSqlOutput, Type, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SiteStore;
use super::competitions::{Competition, CompetitionPhase, competition_by_id, game, is_entrant, is_removed};
use super::ladder::{RATED, STANDS, UNRATED};
use crate::check_message::CheckMessage;
use crate::names::in_order;
use agon_arena::stats::elo;
use agon_arena::store::StoreError;
use agon_message::messages;

messages! {
    /// The state of a version's check.
    #[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum CheckState {
        /// It waits for a worker.
        Queued = "queued",
        /// It is being compiled, or plays its check game.
        Checking = "checking",
        /// It did not compile, or failed its check game.
        Failed = "failed",
        Passed = "passed",
    }
}

impl CheckState {
    /// Its name, in the store and outside.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Checking => "checking",
            Self::Failed => "failed",
            Self::Passed => "passed",
        }
    }

    /// Whether it will not change any more.
    pub const fn is_settled(self) -> bool {
        matches!(self, Self::Failed | Self::Passed)
    }
}

impl rusqlite::types::FromSql for CheckState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let all = [Self::Queued, Self::Checking, Self::Failed, Self::Passed];
        let name = value.as_str()?;
        all.into_iter().find(|state| state.name() == name).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for CheckState {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

/// A program on the site: a user's, or one of the built-in players.
#[allow(clippy::struct_excessive_bools, reason = "each stands for a column")]
#[derive(Clone, PartialEq, Debug)]
pub struct SiteProgram {
    pub id: i64,
    /// The competition that it is in.
    pub competition: i64,
    pub game: Game,
    pub name: String,
    /// Its owner; `None` if it is built in.
    pub account: Option<i64>,
    /// The name of that account.
    pub owner: Option<String>,
    /// Whether that account is a team.
    pub team: bool,
    /// Whether that account is frozen, and its programs play no games.
    pub frozen: bool,
    /// Its name in the registry of engines, if it is built in.
    pub builtin: Option<String>,
    /// Whether games leave its rating unchanged.
    pub fixed: bool,
    /// Whether it has been disqualified.
    pub barred: bool,
    /// Whether its author has withdrawn it: it plays no games and has no place.
    pub withdrawn: bool,
    /// Whether everyone may play against it on a board.
    pub by_hand: bool,
    /// The version that plays, and its number.
    pub active: Option<(i64, u32)>,
    pub rating: f64,
    /// Rated games, won ones, drawn ones, and those with another verdict than OK.
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
    pub faults: u32,
    /// Games that repeat earlier ones, and are not rated.
    pub repeats: u32,
    /// Its last results, the newest at the end: W, D, L.
    pub form: String,
    pub created: i64,
}

/// A program on a ladder.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedProgram {
    /// Its place among the programs of users that are shown with it, from 1; those with the same rating share one.
    /// `None` for a built-in player and for a program without a rated game.
    pub place: Option<u32>,
    pub program: SiteProgram,
}

/// Gives places to programs in the order of the ladder. The first one with a place gets `first`, and as many as
/// `before` with a place come before it.
fn placed(programs: Vec<SiteProgram>, first: u32, before: u32) -> Vec<PlacedProgram> {
    let (mut last, mut count): (Option<(f64, u32)>, u32) = (None, before);
    let place = |program: SiteProgram| {
        let place = program.is_ranked().then(|| {
            count += 1;
            let place = match last {
                Some((rating, place)) if rating.total_cmp(&program.rating).is_eq() => place,
                Some(_) => count,
                None => first,
            };
            last = Some((program.rating, place));
            place
        });
        PlacedProgram { place, program }
    };
    programs.into_iter().map(place).collect()
}

impl SiteProgram {
    /// Whether it takes a place on its ladder: it is a user's program and has had a rated game.
    pub const fn is_ranked(&self) -> bool {
        self.builtin.is_none() && self.games > 0
    }

    /// Whether it is not disqualified and its owner not frozen.
    pub const fn may_play(&self) -> bool {
        !self.barred && !self.frozen
    }

    /// Rated games that it has lost.
    pub const fn losses(&self) -> u32 {
        self.games - self.wins - self.draws
    }
}

/// A version of a program, without its source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteVersion {
    /// Its number among all versions.
    pub id: i64,
    pub program: i64,
    /// Its number within the program, from 1.
    pub number: u32,
    /// Its language.
    pub language: Language,
    pub state: CheckState,
    pub message: CheckMessage,
    pub bout: Option<i64>,
    /// Rated games that it has played.
    pub games: u32,
    pub submitted: i64,
    /// Whether its check was abandoned without a result; it can be repeated.
    pub given_up: bool,
    /// Whether it reads OPENING lines; `None` if unknown.
    pub reads_openings: Option<bool>,
}

messages! {
    /// Why a submission is rejected.
    #[derive(Clone, PartialEq, Eq)]
    pub enum SubmissionError {
        Daily { limit: u32 } = "daily limit reached: {limit} submissions in 24 hours",
        Programs { limit: u32 } =
            "limit of {limit} programs in this competition reached; submit a new version of one of them, or withdraw \
             one",
        Waiting { count: u32 } =
            "{count} of your programs are still being checked; submit again when one has finished",
        Same { number: u32 } = "identical to version {number}, which is already playing",
        Nowhere = "no such competition",
        Coming { opens: i64 } = "this competition has not opened yet",
        Closed { closes: i64 } = "this competition is closed",
        RulesMissing = "the rules of this game are missing on this site; ask the host to give them again",
        Removed = "the host has removed this account from the competition",
        Uninvited = "this competition is by invitation: open the link from its host, then submit again",
        Language { language: Language, accepted: String } =
            "this competition does not accept {language}; it accepts {accepted}",
    }
}

/// How much one account may submit; a team is an account of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubmissionLimits {
    /// Versions within 24 hours.
    pub daily: u32,
    pub programs: u32,
    /// Versions that wait at once.
    pub waiting: u32,
}

/// A source that has been submitted.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// Its owner: a person or a team.
    pub account: i64,
    pub competition: i64,
    /// The name of the program, which is created if the account has none with that name.
    pub name: &'a str,
    /// Its language.
    pub language: Language,
    pub source: &'a str,
}

const PROGRAM: &str = "program.id, contest.game, program.name, program.account, account.name, builtin, fixed, barred, \
                       active, (SELECT number FROM version WHERE version.id = active), rating, games, wins, draws, \
                       faults, form, program.created, contest.id, coalesce(account.team, 0), \
                       coalesce(account.frozen, 0), by_hand, program.repeats, withdrawn IS NOT NULL";

// The optimizer might begin at the few competitions, and sort all their programs.
const FROM: &str = "program CROSS JOIN contest ON contest.id = program.contest
                    LEFT JOIN account ON account.id = program.account";

const VERSION: &str = "id, program, number, language, state, message, bout, games, submitted, given_up, \
                       reads_openings, message_keyed";

/// The programs of the account `?1` in the competition `?2` that take one of its places there.
pub(super) const TAKEN_PLACES: &str =
    "SELECT count(*) FROM program WHERE account = ?1 AND contest = ?2 AND withdrawn IS NULL";

/// The first layout in which sources are not in the table of versions.
const SOURCES_APART: u32 = 15;

/// The versions that wait, in the order in which they are checked: people take turns, so that frequent submitters wait
/// for the others, and first versions come first. A frozen account's versions wait until it is unfrozen. Both states
/// are named because the queue's index is for these: otherwise every version ever submitted would be read.
const QUEUE: &str = "
    WITH open AS (
        SELECT version.id AS id, number, state, coalesce(submitter, program.account) AS person
        FROM version CROSS JOIN program ON program.id = version.program
        WHERE state IN ('queued', 'checking')
          AND NOT EXISTS (SELECT 1 FROM account WHERE account.id = program.account AND frozen)
    ), busy AS (
        SELECT person, count(*) AS checks FROM open WHERE state = 'checking' GROUP BY person
    ), queue AS (
        SELECT id, number, coalesce(checks, 0) + row_number() OVER (PARTITION BY open.person ORDER BY id) AS turn
        FROM open LEFT JOIN busy ON busy.person = open.person WHERE state = 'queued'
    ), places AS (
        SELECT id, row_number() OVER (ORDER BY turn, number > 1, id) AS place FROM queue
    )";

/// [`QUEUE`] without the versions of games whose rules are missing, which wait until the rules are back.
fn queue() -> Cow<'static, str> {
    let missing = Game::all().into_iter().filter(|game| game.is_missing());
    // Names of such games are small letters, digits, `-` and `@`.
    let names: Vec<String> = missing.map(|game| format!("'{}'", game.name().replace('\'', ""))).collect();
    if names.is_empty() {
        return QUEUE.into();
    }
    let games = names.join(", ");
    let known = format!(
        "AND program.contest NOT IN (SELECT id FROM contest WHERE game IN ({games}))\n          AND NOT EXISTS"
    );
    QUEUE.replacen("AND NOT EXISTS", &known, 1).into()
}

/// The programs named from `?1` to `?2`, or whose owner is: ranges of indexes, which compare without case. Of either
/// kind no more than `?3` are read.
const FOUND: &str = "
    SELECT id FROM (SELECT id FROM program WHERE name BETWEEN ?1 AND ?2 ORDER BY name, id LIMIT ?3)
    UNION
    SELECT id FROM (SELECT program.id FROM account CROSS JOIN program ON program.account = account.id
                    WHERE account.name BETWEEN ?1 AND ?2 ORDER BY account.name LIMIT ?3)";

fn program(row: &Row) -> rusqlite::Result<SiteProgram> {
    let active: Option<i64> = row.get(8)?;
    let number: Option<u32> = row.get(9)?;
    Ok(SiteProgram {
        id: row.get(0)?,
        game: game(row, 1)?,
        name: row.get(2)?,
        account: row.get(3)?,
        owner: row.get(4)?,
        builtin: row.get(5)?,
        fixed: row.get(6)?,
        barred: row.get(7)?,
        active: active.zip(number),
        rating: row.get(10)?,
        games: row.get(11)?,
        wins: row.get(12)?,
        draws: row.get(13)?,
        faults: row.get(14)?,
        form: row.get(15)?,
        created: row.get(16)?,
        competition: row.get(17)?,
        team: row.get(18)?,
        frozen: row.get(19)?,
        by_hand: row.get(20)?,
        repeats: row.get(21)?,
        withdrawn: row.get(22)?,
    })
}

fn version(row: &Row) -> rusqlite::Result<SiteVersion> {
    let language: String = row.get(3)?;
    let unknown =
        || rusqlite::Error::FromSqlConversionFailure(3, Type::Text, format!("no language `{language}`").into());
    Ok(SiteVersion {
        id: row.get(0)?,
        program: row.get(1)?,
        number: row.get(2)?,
        language: Language::by_name(&language).ok_or_else(unknown)?,
        state: row.get(4)?,
        message: CheckMessage::of_row(row, 5, 11)?,
        bout: row.get(6)?,
        games: row.get(7)?,
        submitted: row.get(8)?,
        given_up: row.get(9)?,
        reads_openings: row.get(10)?,
    })
}

/// The competition of a submission if it takes it, as far as that does not depend on earlier submissions.
fn admit(
    connection: &Connection,
    submission: &Submission,
    now: i64,
) -> rusqlite::Result<Result<Competition, SubmissionError>> {
    let Some(competition) = competition_by_id(connection, submission.competition)? else {
        return Ok(Err(SubmissionError::Nowhere));
    };
    let (opens, closes) = (competition.opens.unwrap_or_default(), competition.closes.unwrap_or_default());
    match competition.phase(now) {
        CompetitionPhase::Coming => return Ok(Err(SubmissionError::Coming { opens })),
        CompetitionPhase::Closed => return Ok(Err(SubmissionError::Closed { closes })),
        CompetitionPhase::Running => {}
    }
    if competition.game.is_missing() {
        return Ok(Err(SubmissionError::RulesMissing));
    }
    if is_removed(connection, competition.id, submission.account)? {
        return Ok(Err(SubmissionError::Removed));
    }
    if competition.entry.is_by_invitation() && !is_entrant(connection, competition.id, submission.account)? {
        return Ok(Err(SubmissionError::Uninvited));
    }
    let refused = competition.languages.clone().filter(|taken| !taken.contains(&submission.language));
    Ok(match refused {
        Some(taken) => {
            let accepted = taken.iter().map(Language::to_string).collect::<Vec<_>>().join(", ");
            Err(SubmissionError::Language { language: submission.language, accepted })
        }
        None => Ok(competition),
    })
}

impl SiteStore {
    /// Enters the built-in players of a competition, each with its name in the registry, its rating, and whether that
    /// is fixed. Existing ones keep their games; a fixed rating is updated.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn enter_builtins(
        &mut self,
        competition: i64,
        builtins: &[(String, f64, bool)],
        now: i64,
    ) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        for (name, rating, fixed) in builtins {
            transaction.execute(
                "INSERT INTO program (contest, name, builtin, fixed, rating, entered, created)
                 VALUES (?1, ?2, ?2, ?3, ?4, ?4, ?5)
                 ON CONFLICT (contest, builtin) WHERE builtin IS NOT NULL
                 DO UPDATE SET fixed = excluded.fixed, entered = excluded.entered,
                     rating = CASE WHEN excluded.fixed THEN excluded.rating ELSE rating END",
                params![competition, name, fixed, rating, now],
            )?;
        }
        Ok(transaction.commit()?)
    }

    /// Takes a submission into the queue and returns the number of its version; the inner error is why it is refused.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn submit(
        &mut self,
        submission: &Submission,
        limits: &SubmissionLimits,
        now: i64,
    ) -> Result<Result<i64, SubmissionError>, StoreError> {
        self.submit_by(submission.account, submission, limits, now)
    }

    /// The same with the person who sends it for the account: a member for a team.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn submit_by(
        &mut self,
        person: i64,
        submission: &Submission,
        limits: &SubmissionLimits,
        now: i64,
    ) -> Result<Result<i64, SubmissionError>, StoreError> {
        let &Submission { account, competition, name, language, source } = submission;
        let transaction = self.begin()?;
        let own_daily = match admit(&transaction, submission, now)? {
            Ok(competition) => competition.daily,
            Err(refused) => return Ok(Err(refused)),
        };
        // A competition with its own limit counts separately.
        let (today, waiting): (u32, u32) = transaction.query_row(
            "SELECT count(*) FILTER (WHERE submitted > ?2 AND CASE WHEN ?4 THEN contest.id = ?3 ELSE daily IS NULL END),
                    count(*) FILTER (WHERE state IN ('queued', 'checking'))
             FROM version JOIN program ON program.id = version.program JOIN contest ON contest.id = contest
             WHERE account = ?1",
            params![account, now - 86_400, competition, own_daily.is_some()],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let deleted: u32 = transaction.query_row(
            "SELECT count(*) FROM deleted_version JOIN contest ON contest.id = contest
             WHERE account = ?1 AND submitted > ?2 AND CASE WHEN ?4 THEN contest.id = ?3 ELSE daily IS NULL END",
            params![account, now - 86_400, competition, own_daily.is_some()],
            |row| row.get(0),
        )?;
        let daily = own_daily.unwrap_or(limits.daily);
        if today + deleted >= daily {
            return Ok(Err(SubmissionError::Daily { limit: daily }));
        }
        if waiting >= limits.waiting {
            return Ok(Err(SubmissionError::Waiting { count: limits.waiting }));
        }
        let find = "SELECT id, withdrawn IS NOT NULL FROM program WHERE account = ?1 AND contest = ?2 AND name = ?3";
        let read = |row: &Row| Ok((row.get(0)?, row.get(1)?));
        let found: Option<(i64, bool)> =
            transaction.query_row(find, params![account, competition, name], read).optional()?;
        if found.is_none_or(|(_, withdrawn)| withdrawn) {
            let taken: u32 = transaction.query_row(TAKEN_PLACES, params![account, competition], |row| row.get(0))?;
            if taken >= limits.programs {
                return Ok(Err(SubmissionError::Programs { limit: limits.programs }));
            }
        }
        let program = match found {
            Some((program, withdrawn)) => {
                if withdrawn {
                    // It plays again as soon as this version has passed; the one that was withdrawn may have a fault.
                    let sql = "UPDATE program SET withdrawn = NULL, withdrawn_version = NULL WHERE id = ?1";
                    transaction.execute(sql, [program])?;
                }
                program
            }
            None => transaction.query_row(
                "INSERT INTO program (account, contest, name, rating, entered, created)
                     VALUES (?1, ?2, ?3, ?4, ?4, ?5) RETURNING id",
                params![account, competition, name, elo::START, now],
                |row| row.get(0),
            )?,
        };
        let same = "SELECT number FROM version JOIN program ON active = version.id
                    JOIN source ON source.version = version.id
                    WHERE program.id = ?1 AND language = ?2 AND source.text = ?3";
        let same: Option<u32> =
            transaction.query_row(same, params![program, language.name(), source], |row| row.get(0)).optional()?;
        if let Some(number) = same {
            return Ok(Err(SubmissionError::Same { number }));
        }
        let version = transaction.query_row(
            "INSERT INTO version (program, number, language, state, submitted, submitter)
             SELECT ?1, 1 + coalesce(max(number), 0), ?2, ?3, ?4, ?5 FROM version WHERE program = ?1 RETURNING id",
            params![program, language.name(), CheckState::Queued, now, person],
            |row| row.get(0),
        )?;
        transaction.execute("INSERT INTO source (version, text) VALUES (?1, ?2)", params![version, source])?;
        transaction.commit()?;
        Ok(Ok(version))
    }

    /// Takes the next version in turn to be checked.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn take_submission(&mut self) -> Result<Option<SiteVersion>, StoreError> {
        let next = format!("{} SELECT id FROM places WHERE place = 1", queue());
        let sql = format!("UPDATE version SET state = 'checking' WHERE id = ({next}) RETURNING {VERSION}");
        Ok(self.connection.prepare_cached(&sql)?.query_row([], version).optional()?)
    }

    /// Returns a version to the queue whose check was interrupted through no fault of its own.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn return_submission(&mut self, version: i64) -> Result<(), StoreError> {
        let sql = "UPDATE version SET state = 'queued' WHERE id = ?1 AND state = 'checking'";
        self.connection.execute(sql, [version])?;
        Ok(())
    }

    /// Records whether a version reads OPENING lines.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn note_reads_openings(&mut self, version: i64, reads: bool) -> Result<(), StoreError> {
        self.connection.execute("UPDATE version SET reads_openings = ?2 WHERE id = ?1", params![version, reads])?;
        Ok(())
    }

    /// Records what the check of a version has found; a version that may play becomes the active one of its program
    /// unless a later one already is.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn settle_submission(
        &mut self,
        version: i64,
        found: Result<(), CheckMessage>,
        bout: Option<i64>,
        now: i64,
    ) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        let passed = found.is_ok();
        let state = if passed { CheckState::Passed } else { CheckState::Failed };
        let message = found.err().unwrap_or_default();
        let settled = transaction.execute(
            "UPDATE version SET state = ?2, message = ?3, bout = ?4, settled = ?5, message_keyed = ?6
             WHERE id = ?1 AND state = 'checking'",
            params![version, state, message.text(), bout, now, message.keyed()?],
        )?;
        if settled == 1 && passed {
            // A withdrawn program plays it when it returns.
            transaction.execute(
                "UPDATE program SET active = iif(withdrawn IS NULL, ?1, NULL),
                     withdrawn_version = iif(withdrawn IS NULL, NULL, ?1)
                 WHERE id = (SELECT program FROM version WHERE id = ?1)
                   AND coalesce(active, withdrawn_version, 0) < ?1",
                [version],
            )?;
        }
        if settled == 1 && !passed {
            // If the version played and was checked again, the last one before it that has passed plays.
            transaction.execute(
                "UPDATE program SET active = (SELECT max(id) FROM version
                                              WHERE program = program.id AND state = 'passed')
                 WHERE active = ?1",
                [version],
            )?;
            transaction.execute(
                "UPDATE program SET withdrawn_version = (SELECT max(id) FROM version
                                                         WHERE program = program.id AND state = 'passed')
                 WHERE withdrawn_version = ?1",
                [version],
            )?;
        }
        Ok(transaction.commit()?)
    }

    /// Ends a check that no machine could finish, so that its author may repeat it. `bout` is its game, if that exists.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn give_up_check(
        &mut self,
        version: i64,
        why: &CheckMessage,
        bout: Option<i64>,
        now: i64,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE version SET state = 'failed', given_up = 1, message = ?2, message_keyed = ?5, bout = ?3,
                          settled = ?4
                   WHERE id = ?1 AND state = 'checking'";
        self.connection.execute(sql, params![version, why.text(), bout, now, why.keyed()?])?;
        Ok(())
    }

    /// Returns a version to the queue whose check was abandoned; returns whether it was.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn check_again(&mut self, version: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE version SET state = 'queued', given_up = 0, message = '', message_keyed = NULL, bout = NULL,
                       settled = NULL, requeued = unixepoch()
                   WHERE id = ?1 AND state = 'failed' AND given_up";
        Ok(self.connection.execute(sql, [version])? == 1)
    }

    /// Makes another version of a program the active one; returns whether a version with that number has passed its
    /// check.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn activate(&mut self, program: i64, number: u32) -> Result<bool, StoreError> {
        let changed = self.connection.execute(
            "UPDATE program SET active = version.id FROM version
             WHERE version.program = program.id AND program.id = ?1 AND number = ?2 AND state = 'passed'
                 AND withdrawn IS NULL",
            params![program, number],
        )?;
        // Choosing a version that rests makes it try again.
        self.connection.execute(
            "UPDATE version SET failures = 0, resting = NULL WHERE program = ?1 AND number = ?2",
            params![program, number],
        )?;
        Ok(changed == 1)
    }

    /// The programs of an account and its teams whose version rests because it has failed again and again: number,
    /// name, version, and since when.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn resting_of(&self, account: i64) -> Result<Vec<(i64, String, u32, i64)>, StoreError> {
        let sql = "SELECT program.id, program.name, version.number, version.resting
                   FROM program JOIN version ON version.id = active
                   WHERE account IN (SELECT ?1 UNION ALL SELECT team FROM member
                                     WHERE account = ?1 AND joined IS NOT NULL)
                     AND resting IS NOT NULL ORDER BY program.id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        Ok(statement.query_map([account], read)?.collect::<Result<_, _>>()?)
    }

    /// The newest versions of programs of an account and of its teams whose check has failed, unless the account has
    /// dismissed it since: the version, the program's name with its number, and what was found; the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn failed_of(&self, account: i64) -> Result<Vec<(i64, String, CheckMessage)>, StoreError> {
        let sql = "SELECT version.id, program.name || ' v' || version.number, version.message, version.message_keyed
                   FROM program JOIN version ON version.id =
                        (SELECT max(id) FROM version WHERE version.program = program.id)
                   WHERE account IN (SELECT ?1 UNION ALL SELECT team FROM member
                                     WHERE account = ?1 AND joined IS NOT NULL)
                     AND version.state = 'failed' AND withdrawn IS NULL
                     AND coalesce(version.settled, version.submitted) > (SELECT dismissed FROM account WHERE id = ?1)
                   ORDER BY version.id DESC";
        let read = |row: &Row| Ok((row.get(0)?, row.get(1)?, CheckMessage::of_row(row, 2, 3)?));
        Ok(self.connection.prepare_cached(sql)?.query_map([account], read)?.collect::<Result<_, _>>()?)
    }

    /// How many versions an account has submitted since a time, except to competitions that count separately. Versions
    /// of deleted programs count for a day.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn submitted_by(&self, account: i64, since: i64) -> Result<u32, StoreError> {
        let sql = "SELECT (SELECT count(*) FROM program JOIN version ON version.program = program.id
                           JOIN contest ON contest.id = program.contest
                           WHERE program.account = ?1 AND submitted > ?2 AND daily IS NULL)
                   + (SELECT count(*) FROM deleted_version JOIN contest ON contest.id = contest
                      WHERE account = ?1 AND submitted > ?2 AND daily IS NULL)";
        Ok(self.connection.prepare_cached(sql)?.query_row([account, since], |row| row.get(0))?)
    }

    /// Returns a settled version to the queue; returns whether it was settled. One that plays continues until it has
    /// failed.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rejudge(&mut self, version: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE version SET state = 'queued', given_up = 0, message = '', message_keyed = NULL, bout = NULL,
                       settled = NULL, failures = 0, resting = NULL, requeued = unixepoch()
                   WHERE id = ?1 AND state IN ('failed', 'passed')";
        Ok(self.connection.execute(sql, [version])? == 1)
    }

    /// The running competition that an account, or one of its teams, has last entered or submitted to.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn last_competition(&self, account: i64, now: i64) -> Result<Option<i64>, StoreError> {
        let sql = "WITH own AS (SELECT ?1 AS account UNION ALL
                                SELECT team FROM member WHERE account = ?1 AND joined IS NOT NULL)
                   SELECT contest.id FROM (
                       SELECT contest, max(submitted) AS at FROM program JOIN version ON version.program = program.id
                       WHERE program.account IN (SELECT account FROM own)
                       AND (contest, account) NOT IN (SELECT contest, account FROM removal) GROUP BY contest
                       UNION ALL
                       SELECT contest, created FROM entrant
                       WHERE account IN (SELECT account FROM own)
                       AND (contest, account) NOT IN (SELECT contest, account FROM removal)
                   ) JOIN contest ON contest.id = contest
                   WHERE coalesce(opens, 0) <= ?2 AND coalesce(closes, ?2 + 1) > ?2 ORDER BY at DESC LIMIT 1";
        Ok(self.connection.prepare_cached(sql)?.query_row(params![account, now], |row| row.get(0)).optional()?)
    }

    /// Removes a program from all games, or readmits it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn bar_program(&mut self, program: i64, barred: bool) -> Result<(), StoreError> {
        self.connection.execute("UPDATE program SET barred = ?2 WHERE id = ?1", params![program, barred])?;
        Ok(())
    }

    /// Lets everyone play against a program on a board, or only its author.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_by_hand(&mut self, program: i64, open: bool) -> Result<(), StoreError> {
        self.connection.execute("UPDATE program SET by_hand = ?2 WHERE id = ?1", params![program, open])?;
        Ok(())
    }

    /// How many versions wait, including those being checked; with a version, how many of them come before it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn waiting(&self, before: Option<i64>) -> Result<u32, StoreError> {
        let sql = format!(
            "{} SELECT (SELECT count(*) FROM open WHERE state = 'checking' AND id IS NOT ?1)
                 + coalesce((SELECT place - 1 FROM places WHERE id = ?1),
                            (SELECT count(*) FROM places WHERE ?1 IS NULL))",
            queue()
        );
        Ok(self.connection.prepare_cached(&sql)?.query_row([before], |row| row.get(0))?)
    }

    /// A program.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn program(&self, id: i64) -> Result<Option<SiteProgram>, StoreError> {
        let sql = format!("SELECT {PROGRAM} FROM {FROM} WHERE program.id = ?1");
        Ok(self.connection.prepare_cached(&sql)?.query_row([id], program).optional()?)
    }

    /// The program that a built-in player is here.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn builtin(&self, competition: i64, name: &str) -> Result<Option<SiteProgram>, StoreError> {
        let sql = format!("SELECT {PROGRAM} FROM {FROM} WHERE program.contest = ?1 AND builtin = ?2");
        Ok(self.connection.prepare_cached(&sql)?.query_row(params![competition, name], program).optional()?)
    }

    /// The programs of an account, by competition and name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn programs_of(&self, account: i64) -> Result<Vec<SiteProgram>, StoreError> {
        let sql = format!("SELECT {PROGRAM} FROM {FROM} WHERE program.account = ?1");
        let mut all: Vec<SiteProgram> =
            self.connection.prepare_cached(&sql)?.query_map([account], program)?.collect::<Result<_, _>>()?;
        all.sort_by(|one, other| one.competition.cmp(&other.competition).then(in_order(&one.name, &other.name)));
        Ok(all)
    }

    /// The programs whose name, or whose owner's name, begins with this text; in the order of their names.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn find_programs(&self, text: &str, most: u32) -> Result<Vec<SiteProgram>, StoreError> {
        let sql = format!(
            "SELECT {PROGRAM} FROM {FROM} WHERE program.id IN ({FOUND}) ORDER BY program.name, program.id LIMIT ?3"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let last = format!("{text}{}", char::MAX);
        let mut all: Vec<SiteProgram> =
            statement.query_map(params![text, last, most], program)?.collect::<Result<_, _>>()?;
        all.sort_by(|one, other| in_order(&one.name, &other.name).then(one.id.cmp(&other.id)));
        Ok(all)
    }

    /// The ladder of a competition from the place `from` on: programs that may play, the best first and those without a
    /// rated game last.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ladder(&self, competition: i64, from: u32, most: u32) -> Result<Vec<PlacedProgram>, StoreError> {
        let mut programs = self.rows_of_ladder(competition, RATED, from, most)?;
        let (mut first, mut before) = (1, 0);
        if let Some(ranked) = programs.iter().find(|program| program.is_ranked()).filter(|_| from > 0) {
            first = self.users_place(competition, ranked.rating)?;
            // Programs with its rating on the page before share its place.
            let sql = format!(
                "SELECT count(*) FROM program WHERE {STANDS} AND builtin IS NULL AND {RATED}
                               AND rating = ?2 AND id < ?3"
            );
            let values = params![competition, ranked.rating, ranked.id];
            let tied: u32 = self.connection.prepare_cached(&sql)?.query_row(values, |row| row.get(0))?;
            before = first - 1 + tied;
        }
        let rest = most.saturating_sub(programs.len() as u32);
        if rest > 0 {
            let sql = format!("SELECT count(*) FROM program WHERE {STANDS} AND {RATED}");
            let rated: u32 = self.connection.prepare_cached(&sql)?.query_row([competition], |row| row.get(0))?;
            programs.extend(self.rows_of_ladder(competition, UNRATED, from.saturating_sub(rated), rest)?);
        }
        Ok(placed(programs, first, before))
    }

    /// The place of a program on the ladder of its competition; `None` if it is built in, is not on the ladder, or has
    /// had no rated game.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn place_of(&self, program: &SiteProgram) -> Result<Option<u32>, StoreError> {
        if !program.is_ranked() || !program.may_play() || program.active.is_none() {
            return Ok(None);
        }
        self.users_place(program.competition, program.rating).map(Some)
    }

    /// The programs of a part of a ladder.
    fn rows_of_ladder(
        &self,
        competition: i64,
        part: &str,
        from: u32,
        most: u32,
    ) -> Result<Vec<SiteProgram>, StoreError> {
        let sql = format!(
            "SELECT {PROGRAM} FROM {FROM} WHERE program.id IN (
                 SELECT id FROM program WHERE {STANDS} AND {part} ORDER BY rating DESC, id LIMIT ?2 OFFSET ?3)
             ORDER BY rating DESC, program.id"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map(params![competition, most, from], program)?.collect::<Result<_, _>>()?)
    }

    /// The programs of some accounts in a competition, in the order of its ladder: the best first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ladder_of_accounts(&self, competition: i64, accounts: &[i64]) -> Result<Vec<PlacedProgram>, StoreError> {
        let mut all = Vec::new();
        for account in accounts {
            all.extend(self.programs_of(*account)?.into_iter().filter(|program| program.competition == competition));
        }
        all.sort_by(|one, other| {
            other
                .is_ranked()
                .cmp(&one.is_ranked())
                .then(other.rating.total_cmp(&one.rating))
                .then(one.id.cmp(&other.id))
        });
        all.into_iter().map(|program| Ok(PlacedProgram { place: self.place_of(&program)?, program })).collect()
    }

    /// The best programs of users whose active version is of a language, and whose authors the host has put into a
    /// group; without either, of any.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ladder_of(
        &self,
        competition: i64,
        language: Option<Language>,
        group: Option<&str>,
        most: u32,
    ) -> Result<Vec<PlacedProgram>, StoreError> {
        let sql = format!(
            "SELECT {PROGRAM} FROM {FROM} WHERE program.contest = ?1 AND NOT barred AND builtin IS NULL
             AND NOT coalesce(account.frozen, 0) AND withdrawn IS NULL
             AND (?2 IS NULL OR (SELECT language FROM version WHERE version.id = active) = ?2)
             AND (?3 IS NULL OR program.account IN (SELECT account FROM grouping WHERE contest = ?1 AND name = ?3))
             ORDER BY games = 0, rating DESC, program.id LIMIT ?4"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let values = params![competition, language.map(Language::name), group, most];
        let all = statement.query_map(values, program)?;
        Ok(placed(all.collect::<Result<_, _>>()?, 1, 0))
    }

    /// The strongest built-in players of a competition.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn best_builtins(&self, competition: i64, most: u32) -> Result<Vec<SiteProgram>, StoreError> {
        let sql = format!(
            "SELECT {PROGRAM} FROM {FROM} WHERE program.contest = ?1 AND NOT barred AND builtin IS NOT NULL
             ORDER BY rating DESC, program.id LIMIT ?2"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map(params![competition, most], program)?.collect::<Result<_, _>>()?)
    }

    /// The best programs of users that may play, with their places; those without a rated game come last.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn best(&self, competition: i64, most: u32) -> Result<Vec<PlacedProgram>, StoreError> {
        let sql = format!(
            "SELECT {PROGRAM} FROM {FROM} WHERE program.contest = ?1 AND NOT barred AND builtin IS NULL
             AND active IS NOT NULL AND NOT coalesce(account.frozen, 0)
             ORDER BY games = 0, rating DESC, program.id LIMIT ?2"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let all = statement.query_map(params![competition, most], program)?;
        Ok(placed(all.collect::<Result<_, _>>()?, 1, 0))
    }

    /// The versions of a program, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn versions(&self, program: i64) -> Result<Vec<SiteVersion>, StoreError> {
        let sql = format!("SELECT {VERSION} FROM version WHERE program = ?1 ORDER BY number DESC");
        Ok(self.connection.prepare_cached(&sql)?.query_map([program], version)?.collect::<Result<_, _>>()?)
    }

    /// A version by its number among all.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn version(&self, id: i64) -> Result<Option<SiteVersion>, StoreError> {
        let sql = format!("SELECT {VERSION} FROM version WHERE id = ?1");
        Ok(self.connection.prepare_cached(&sql)?.query_row([id], version).optional()?)
    }

    /// The source of a version.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn source(&self, version: i64) -> Result<Option<String>, StoreError> {
        let sql = if self.layout < SOURCES_APART {
            "SELECT source FROM version WHERE id = ?1"
        } else {
            "SELECT text FROM source WHERE version = ?1"
        };
        Ok(self.connection.prepare_cached(sql)?.query_row([version], |row| row.get(0)).optional()?)
    }
}

#[cfg(test)]
mod tests {
    use agon_message::Stated;

    use super::super::competitions::enter;
    use super::super::{EntryRule, Forfeit, RENJU, new_store, query_plan};
    use super::*;

    const LIMITS: SubmissionLimits = SubmissionLimits { daily: 4, programs: 2, waiting: 2 };

    fn submission(account: i64, name: &'static str, source: &'static str) -> Submission<'static> {
        Submission { account, competition: RENJU, name, language: Language::Python3, source }
    }

    #[test]
    fn what_a_check_has_found_is_kept_with_its_keys() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let id = store.submit(&submission(ada, "bot", "x"), &LIMITS, 9).unwrap().unwrap();
        store.take_submission().unwrap().unwrap();
        let found: CheckMessage = [Stated::from(&Forfeit::First), "line 3".into()].into_iter().collect();
        store.settle_submission(id, Err(found.clone()), None, 10).unwrap();
        assert_eq!(store.version(id).unwrap().unwrap().message, found);
        // As earlier layouts stored it.
        store.connection.execute("UPDATE version SET message_keyed = NULL WHERE id = ?1", [id]).unwrap();
        assert_eq!(store.version(id).unwrap().unwrap().message, found.text().as_str().into());
    }

    #[test]
    fn a_version_that_fails_lets_the_one_before_play_on() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let mut pass = |source, found: Result<(), &str>| {
            let id = store.submit(&submission(ada, "bot", source), &LIMITS, 9).unwrap().unwrap();
            assert_eq!(store.take_submission().unwrap().unwrap().id, id);
            store.settle_submission(id, found.map_err(CheckMessage::from), None, 10).unwrap();
            let version = store.version(id).unwrap().unwrap();
            (version.number, version.state, store.program(version.program).unwrap().unwrap().active.map(|v| v.1))
        };
        assert_eq!(pass("1", Err("it fails")), (1, CheckState::Failed, None));
        assert_eq!(pass("2", Ok(())), (2, CheckState::Passed, Some(2)));
        assert_eq!(pass("3", Err("it fails")), (3, CheckState::Failed, Some(2)));
        assert_eq!(pass("4", Ok(())), (4, CheckState::Passed, Some(4)));
        let program = store.programs_of(ada).unwrap()[0].clone();
        assert!(store.activate(program.id, 2).unwrap());
        assert!(!store.activate(program.id, 3).unwrap(), "a failed version does not play");
        assert_eq!(store.program(program.id).unwrap().unwrap().active.unwrap().1, 2);
        store.delete_account(ada).unwrap();
        assert_eq!(store.program(program.id).unwrap(), None);
    }

    #[test]
    fn submissions_have_limits() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let mut submit = |name, source, now| store.submit(&submission(ada, name, source), &LIMITS, now).unwrap();
        let first = submit("a", "1", 100).unwrap();
        submit("b", "1", 100).unwrap();
        assert_eq!(submit("a", "2", 100), Err(SubmissionError::Waiting { count: 2 }));
        for _ in 0..2 {
            let id = store.take_submission().unwrap().unwrap().id;
            store.settle_submission(id, Ok(()), None, 100).unwrap();
        }
        assert_eq!(store.take_submission().unwrap(), None);
        let mut submit = |name, source, now| store.submit(&submission(ada, name, source), &LIMITS, now).unwrap();
        assert_eq!(submit("a", "1", 100), Err(SubmissionError::Same { number: 1 }));
        assert_eq!(submit("c", "1", 100), Err(SubmissionError::Programs { limit: 2 }));
        submit("A", "2", 100).unwrap();
        let second = submit("a", "3", 100).unwrap();
        assert!(second > first);
        for _ in 0..2 {
            let id = store.take_submission().unwrap().unwrap().id;
            store.settle_submission(id, Ok(()), None, 100).unwrap();
        }
        let mut submit = |name, source, now| store.submit(&submission(ada, name, source), &LIMITS, now).unwrap();
        assert_eq!(submit("a", "4", 101), Err(SubmissionError::Daily { limit: 4 }));
        submit("a", "4", 100 + 86_400).unwrap();
    }

    #[test]
    fn a_competition_has_rules_for_submissions() {
        let (_folder, mut store) = new_store();
        let [ada, bob] = ["ada", "bob"].map(|name| store.create_account(name, "x", false, 1).unwrap().unwrap());
        let mut competition = store.competition(RENJU).unwrap().unwrap();
        competition.opens = Some(100);
        competition.closes = Some(200);
        competition.entry = EntryRule::Invited;
        competition.languages = Some(vec![Language::Python3]);
        competition.daily = Some(1);
        store.put_competition(&competition).unwrap().unwrap();
        enter(&store.connection, RENJU, ada, 50).unwrap();
        let of = |account, competition, language, now, store: &mut SiteStore| {
            let submission = Submission { account, competition, name: "bot", language, source: "1" };
            let version = store.submit(&submission, &LIMITS, now).unwrap()?;
            store.take_submission().unwrap().unwrap();
            store.settle_submission(version, Err("it fails".into()), None, now).unwrap();
            Ok(version)
        };
        let python = Language::Python3;
        assert_eq!(of(ada, RENJU, python, 99, &mut store), Err(SubmissionError::Coming { opens: 100 }));
        assert_eq!(of(ada, RENJU, python, 200, &mut store), Err(SubmissionError::Closed { closes: 200 }));
        assert_eq!(of(bob, RENJU, python, 150, &mut store), Err(SubmissionError::Uninvited));
        let wrong = SubmissionError::Language { language: Language::C20, accepted: python.to_string() };
        assert_eq!(wrong.to_string(), "this competition does not accept C20; it accepts PYTHON3");
        assert_eq!(of(ada, RENJU, Language::C20, 150, &mut store), Err(wrong));
        assert_eq!(of(ada, 99, python, 150, &mut store), Err(SubmissionError::Nowhere));
        of(ada, RENJU, python, 150, &mut store).unwrap();
        assert_eq!(of(ada, RENJU, python, 150, &mut store), Err(SubmissionError::Daily { limit: 1 }));
        for _ in 0..LIMITS.daily {
            of(ada, 1, python, 150, &mut store)
                .expect("the site's number counts what contests do not count themselves");
        }
        assert_eq!(of(ada, 1, python, 150, &mut store), Err(SubmissionError::Daily { limit: LIMITS.daily }));
    }

    #[test]
    fn searches_and_the_queue_read_no_whole_table() {
        let (_folder, store) = new_store();
        for sql in [FOUND, &format!("{QUEUE} SELECT id FROM places WHERE place = 1")] {
            let plan = query_plan(&store, sql);
            assert!(!plan.contains("SCAN program") && !plan.contains("SCAN version"), "{plan}");
            assert!(!plan.contains("SCAN account"), "{plan}");
        }
    }

    #[test]
    fn people_take_turns_in_the_queue() {
        let (_folder, mut store) = new_store();
        let [ada, bob, eve] =
            ["ada", "bob", "eve"].map(|name| store.create_account(name, "x", false, 1).unwrap().unwrap());
        let limits = SubmissionLimits { daily: 99, programs: 99, waiting: 99 };
        let mut enter = |person, account, name, source| {
            store.submit_by(person, &submission(account, name, source), &limits, 9).unwrap().unwrap()
        };
        // Many versions of one person, some for another account; then one version each of two others.
        let much = [enter(ada, ada, "a", "1"), enter(ada, ada, "a", "2"), enter(ada, bob, "t", "1")];
        let (of_bob, of_eve) = (enter(bob, bob, "b", "1"), enter(eve, eve, "e", "1"));
        assert_eq!(store.waiting(None).unwrap(), 5);
        let before = |store: &SiteStore, ids: &[i64]| -> Vec<u32> {
            ids.iter().map(|id| store.waiting(Some(*id)).unwrap()).collect()
        };
        assert_eq!(before(&store, &[much[0], of_bob, of_eve, much[1], much[2]]), [0, 1, 2, 3, 4]);
        let next = |store: &mut SiteStore| store.take_submission().unwrap().map(|version| version.id);
        assert_eq!(next(&mut store), Some(much[0]));
        assert_eq!(before(&store, &[of_bob, of_eve, much[1]]), [1, 2, 3], "one is being checked");
        assert_eq!([next(&mut store), next(&mut store)], [Some(of_bob), Some(of_eve)]);
        // Someone with a running check waits behind a newcomer; of equal turns a first version comes first.
        let newcomer = store.create_account("new", "x", false, 1).unwrap().unwrap();
        let late = store.submit(&submission(newcomer, "n", "1"), &limits, 9).unwrap().unwrap();
        assert_eq!(next(&mut store), Some(late));
        store.settle_submission(much[0], Ok(()), None, 10).unwrap();
        assert_eq!(next(&mut store), Some(much[1]));
        store.freeze_account(bob, true).unwrap();
        assert_eq!((next(&mut store), store.waiting(None).unwrap()), (None, 3), "a frozen account's wait");
        store.freeze_account(bob, false).unwrap();
        assert_eq!(next(&mut store), Some(much[2]));
        assert_eq!(next(&mut store), None);
    }

    #[test]
    fn programs_of_frozen_accounts_are_not_among_the_best() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let id = store.submit(&submission(ada, "bot", "1"), &LIMITS, 9).unwrap().unwrap();
        store.take_submission().unwrap().unwrap();
        store.settle_submission(id, Ok(()), None, 10).unwrap();
        assert_eq!(store.best(RENJU, 9).unwrap().len(), 1);
        store.freeze_account(ada, true).unwrap();
        assert_eq!(store.best(RENJU, 9).unwrap(), []);
        assert!(store.programs_of(ada).unwrap()[0].frozen);
    }

    #[test]
    fn a_search_takes_its_text_as_it_is() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        for name in ["100%", "100x"] {
            store.submit(&submission(ada, name, "1"), &LIMITS, 9).unwrap().unwrap();
        }
        let found = |text: &str| -> Vec<String> {
            store.find_programs(text, 9).unwrap().into_iter().map(|program| program.name).collect()
        };
        assert_eq!(found("100%"), ["100%"]);
        assert_eq!(found("ADA").len(), 2, "by the owner's name");
        assert_eq!(found("100").len(), 2, "each once, though there are two reasons");
        assert_eq!((found("00").len(), found("ad").len(), found("100X")), (0, 2, vec!["100x".to_owned()]));
        assert_eq!(found("_").len(), 0);
    }
}
