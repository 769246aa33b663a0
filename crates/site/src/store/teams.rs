//! Teams: accounts without a password. A program of a team belongs to every member, so the owner of a program is an
//! account either way. A member invites another account, which accepts or declines.

use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::SiteStore;
use super::accounts::{insert, unless_taken};
use super::finals::keep_results;
use crate::names::in_order;
use agon_arena::store::StoreError;
use agon_message::messages;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteTeam {
    /// The number of its account.
    pub id: i64,
    pub name: String,
}

/// A member of a team, or an account that has been asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamMember {
    pub account: i64,
    pub name: String,
    /// Since when; `None` for an account that has not accepted yet.
    pub joined: Option<i64>,
}

messages! {
    /// Why a team cannot be created or changed.
    #[derive(Clone, PartialEq, Eq)]
    pub enum TeamError {
        Taken = "this name is taken or looks like one that is; choose another one",
        Teams { limit: u32 } = "an account can be in at most {limit} teams; leave one first",
        Full { limit: u32 } = "a team has at most {limit} members, including those invited",
        UnknownAccount = "no account has this name",
        Already { name: String } = "`{name}` is already a member or has been invited",
        Last = "you are the last member and the team has programs: invite someone before you leave, or ask the host to \
                delete the team",
        MembersOnly = "only members of the team can do this",
        NotAsked = "this team has not invited you",
        Outside = "you are not a member of this team",
        LongestMember = "only the longest-standing member can remove others from a team",
    }
}

/// How large teams may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TeamLimits {
    pub teams: u32,
    /// Members of a team, including invited accounts.
    pub members: u32,
}

fn team(row: &Row) -> rusqlite::Result<SiteTeam> {
    Ok(SiteTeam { id: row.get(0)?, name: row.get(1)? })
}

fn by_name(mut teams: Vec<SiteTeam>) -> Vec<SiteTeam> {
    teams.sort_by(|one, other| in_order(&one.name, &other.name));
    teams
}

/// Whether an account can be in one more team.
fn has_room(transaction: &Transaction, account: i64, limits: TeamLimits) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) < ?2 FROM member WHERE account = ?1 AND joined IS NOT NULL";
    transaction.query_row(sql, params![account, limits.teams], |row| row.get(0))
}

/// Deletes an account with everything that belongs to it, except the results of its finals.
fn delete(transaction: &Transaction, account: i64) -> rusqlite::Result<()> {
    keep_results(transaction, account)?;
    // A program names its active version, which goes first.
    transaction.execute("UPDATE program SET active = NULL WHERE account = ?1", [account])?;
    transaction.execute("DELETE FROM account WHERE id = ?1", [account])?;
    Ok(())
}

impl SiteStore {
    /// Makes a team whose first member is this account.
    ///
    /// # Errors
    /// [`StoreError`]; the inner error is for the user.
    pub fn create_team(
        &mut self,
        name: &str,
        account: i64,
        limits: TeamLimits,
        now: i64,
    ) -> Result<Result<i64, TeamError>, StoreError> {
        let transaction = self.begin()?;
        if !has_room(&transaction, account, limits)? {
            return Ok(Err(TeamError::Teams { limit: limits.teams }));
        }
        let made = unless_taken(insert(&transaction, name, "", (false, true), now))?;
        let Some(id) = made else { return Ok(Err(TeamError::Taken)) };
        let sql = "INSERT INTO member (team, account, asked, joined) VALUES (?1, ?2, ?3, ?3)";
        transaction.execute(sql, params![id, account, now])?;
        transaction.commit()?;
        Ok(Ok(id))
    }

    /// Invites an account to a team.
    ///
    /// # Errors
    /// [`StoreError`]; the inner error is for the user.
    pub fn ask_to_join(
        &mut self,
        team: i64,
        name: &str,
        limits: TeamLimits,
        now: i64,
    ) -> Result<Result<(), TeamError>, StoreError> {
        let transaction = self.begin()?;
        let count: u32 =
            transaction.query_row("SELECT count(*) FROM member WHERE team = ?1", [team], |row| row.get(0))?;
        if count >= limits.members {
            return Ok(Err(TeamError::Full { limit: limits.members }));
        }
        let sql = "SELECT id FROM account WHERE name = ?1 AND NOT team";
        let found: Option<i64> = transaction.query_row(sql, [name], |row| row.get(0)).optional()?;
        let Some(account) = found else { return Ok(Err(TeamError::UnknownAccount)) };
        let sql = "INSERT INTO member (team, account, asked) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        if transaction.execute(sql, params![team, account, now])? == 0 {
            return Ok(Err(TeamError::Already { name: name.to_owned() }));
        }
        transaction.commit()?;
        Ok(Ok(()))
    }

    /// Makes an invited account a member; false if it was not invited.
    ///
    /// # Errors
    /// [`StoreError`]; the inner error is for the user.
    pub fn join_team(
        &mut self,
        team: i64,
        account: i64,
        limits: TeamLimits,
        now: i64,
    ) -> Result<Result<bool, TeamError>, StoreError> {
        let transaction = self.begin()?;
        if !has_room(&transaction, account, limits)? {
            return Ok(Err(TeamError::Teams { limit: limits.teams }));
        }
        let sql = "UPDATE member SET joined = ?3 WHERE team = ?1 AND account = ?2 AND joined IS NULL";
        let joined = transaction.execute(sql, params![team, account, now])? == 1;
        transaction.commit()?;
        Ok(Ok(joined))
    }

    /// Removes a member from a team, or withdraws an invitation. A team without programs is deleted with its last
    /// member; one with programs keeps the member.
    ///
    /// # Errors
    /// [`StoreError`]; the inner error is for the user.
    pub fn leave_team(&mut self, team: i64, account: i64) -> Result<Result<(), TeamError>, StoreError> {
        let transaction = self.begin()?;
        transaction.execute("DELETE FROM member WHERE team = ?1 AND account = ?2", [team, account])?;
        let sql = "SELECT EXISTS (SELECT 1 FROM member WHERE team = ?1 AND joined IS NOT NULL),
                          EXISTS (SELECT 1 FROM program WHERE account = ?1)";
        match transaction.query_row(sql, [team], |row| Ok((row.get(0)?, row.get(1)?)))? {
            (true, _) => {}
            (false, true) => return Ok(Err(TeamError::Last)),
            (false, false) => delete(&transaction, team)?,
        }
        transaction.commit()?;
        Ok(Ok(()))
    }

    /// Deletes an account with everything that belongs to it: programs, versions, games, records, and the teams that
    /// have no other member. The results of finals stay, under [`DELETED`](super::DELETED).
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn delete_account(&mut self, account: i64) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        let alone: Vec<i64> = {
            let sql = "SELECT team FROM member WHERE account = ?1 AND joined IS NOT NULL AND NOT EXISTS (
                           SELECT 1 FROM member other
                           WHERE other.team = member.team AND other.account <> ?1 AND other.joined IS NOT NULL)";
            let mut statement = transaction.prepare(sql)?;
            statement.query_map([account], |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        for id in alone.into_iter().chain([account]) {
            delete(&transaction, id)?;
        }
        Ok(transaction.commit()?)
    }

    /// The teams that an account is in, without frozen ones.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn teams_of(&self, account: i64) -> Result<Vec<SiteTeam>, StoreError> {
        let sql = "SELECT account.id, account.name FROM member JOIN account ON account.id = member.team
                   WHERE member.account = ?1 AND joined IS NOT NULL AND NOT frozen";
        Ok(by_name(self.connection.prepare_cached(sql)?.query_map([account], team)?.collect::<Result<_, _>>()?))
    }

    /// The teams that have asked an account to join.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn teams_asking(&self, account: i64) -> Result<Vec<SiteTeam>, StoreError> {
        let sql = "SELECT account.id, account.name FROM member JOIN account ON account.id = member.team
                   WHERE member.account = ?1 AND joined IS NULL AND NOT frozen";
        Ok(by_name(self.connection.prepare_cached(sql)?.query_map([account], team)?.collect::<Result<_, _>>()?))
    }

    /// The members of a team, the longest-standing first, and then the invited accounts.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn members(&self, team: i64) -> Result<Vec<TeamMember>, StoreError> {
        let sql = "SELECT account.id, account.name, joined FROM member JOIN account ON account.id = member.account
                   WHERE member.team = ?1 ORDER BY joined IS NULL, joined, account.id";
        let member = |row: &Row| Ok(TeamMember { account: row.get(0)?, name: row.get(1)?, joined: row.get(2)? });
        Ok(self.connection.prepare_cached(sql)?.query_map([team], member)?.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use agon_referee::agent::Language;

    use super::super::Recipients;
    use super::super::competitions::enter;
    use super::super::{EntryRule, RENJU, Submission, SubmissionError, SubmissionLimits, new_store};
    use super::*;

    const LIMITS: TeamLimits = TeamLimits { teams: 2, members: 3 };

    fn people(store: &mut SiteStore) -> [i64; 3] {
        ["ada", "bob", "eve"].map(|name| store.create_account(name, "x", false, 1).unwrap().unwrap())
    }

    fn names(teams: &[SiteTeam]) -> Vec<&str> {
        teams.iter().map(|team| team.name.as_str()).collect()
    }

    #[test]
    fn members_join_by_accepting() {
        let (_folder, mut store) = new_store();
        let [ada, bob, eve] = people(&mut store);
        let team = store.create_team("Stones", ada, LIMITS, 2).unwrap().unwrap();
        assert_eq!(store.create_team("stones", bob, LIMITS, 2).unwrap(), Err(TeamError::Taken));
        assert_eq!(store.create_team("ADA", bob, LIMITS, 2).unwrap(), Err(TeamError::Taken), "one space of names");
        assert_eq!(store.create_account("stones", "x", false, 2).unwrap(), None);
        assert_eq!(store.join_team(team, bob, LIMITS, 3).unwrap(), Ok(false), "not asked");
        assert_eq!(store.ask_to_join(team, "Bob", LIMITS, 3).unwrap(), Ok(()));
        assert_eq!(
            (names(&store.teams_of(bob).unwrap()), names(&store.teams_asking(bob).unwrap())),
            (vec![], vec!["Stones"])
        );
        assert_eq!(store.join_team(team, bob, LIMITS, 4).unwrap(), Ok(true));
        assert_eq!(
            (names(&store.teams_of(bob).unwrap()), names(&store.teams_asking(bob).unwrap())),
            (vec!["Stones"], vec![])
        );
        assert_eq!(store.ask_to_join(team, "bob", LIMITS, 5).unwrap(), Err(TeamError::Already { name: "bob".into() }));
        assert_eq!(
            store.ask_to_join(team, "stones", LIMITS, 5).unwrap(),
            Err(TeamError::UnknownAccount),
            "a team is no person"
        );
        store.ask_to_join(team, "eve", LIMITS, 5).unwrap().unwrap();
        assert_eq!(store.ask_to_join(team, "unknown", LIMITS, 5).unwrap(), Err(TeamError::Full { limit: 3 }));
        let members: Vec<_> =
            store.members(team).unwrap().into_iter().map(|member| (member.account, member.joined)).collect();
        assert_eq!(members, [(ada, Some(2)), (bob, Some(4)), (eve, None)]);
        store.freeze_account(team, true).unwrap();
        assert_eq!(store.teams_of(bob).unwrap(), [], "a frozen team has no members who act for it");
    }

    #[test]
    fn a_team_may_enter_where_a_member_may() {
        let (_folder, mut store) = new_store();
        let [ada, bob, _] = people(&mut store);
        let team = store.create_team("Stones", ada, LIMITS, 2).unwrap().unwrap();
        let mut competition = store.competition(RENJU).unwrap().unwrap();
        competition.entry = EntryRule::Invited;
        store.put_competition(&competition).unwrap().unwrap();
        enter(&store.connection, RENJU, bob, 3).unwrap();
        let limits = SubmissionLimits { daily: 4, programs: 2, waiting: 2 };
        let submission =
            Submission { account: team, competition: RENJU, name: "bot", language: Language::Python3, source: "1" };
        store.ask_to_join(team, "bob", LIMITS, 3).unwrap().unwrap();
        assert_eq!(store.submit(&submission, &limits, 4).unwrap(), Err(SubmissionError::Uninvited));
        store.join_team(team, bob, LIMITS, 4).unwrap().unwrap();
        store.submit(&submission, &limits, 5).unwrap().unwrap();
        // When a team is removed, a member who is in individually stays in.
        assert_eq!(store.send_message(Recipients::Competition(RENJU), "to both", 6).unwrap(), 2);
        assert_eq!(store.last_competition(ada, 6).unwrap(), Some(RENJU));
        store.set_removed(RENJU, team, true, 7).unwrap();
        assert_eq!(store.send_message(Recipients::Competition(RENJU), "to bob", 8).unwrap(), 1);
        assert_eq!([ada, bob].map(|account| store.last_competition(account, 8).unwrap()), [None, Some(RENJU)]);
    }

    #[test]
    fn an_account_is_in_a_limited_number_of_teams() {
        let (_folder, mut store) = new_store();
        let [ada, bob, _] = people(&mut store);
        for name in ["one", "two"] {
            store.create_team(name, ada, LIMITS, 2).unwrap().unwrap();
        }
        assert_eq!(store.create_team("three", ada, LIMITS, 2).unwrap(), Err(TeamError::Teams { limit: 2 }));
        let team = store.create_team("three", bob, LIMITS, 2).unwrap().unwrap();
        store.ask_to_join(team, "ada", LIMITS, 2).unwrap().unwrap();
        assert_eq!(store.join_team(team, ada, LIMITS, 3).unwrap(), Err(TeamError::Teams { limit: 2 }));
    }

    #[test]
    fn a_team_ends_with_its_last_member_unless_it_has_programs() {
        let (_folder, mut store) = new_store();
        let [ada, bob, _] = people(&mut store);
        let team = store.create_team("Stones", ada, LIMITS, 2).unwrap().unwrap();
        store.ask_to_join(team, "bob", LIMITS, 2).unwrap().unwrap();
        assert_eq!(store.leave_team(team, bob).unwrap(), Ok(()), "declined");
        assert_eq!(store.leave_team(team, ada).unwrap(), Ok(()));
        assert_eq!(store.account(team).unwrap(), None);
        let team = store.create_team("Stones", ada, LIMITS, 2).unwrap().unwrap();
        let limits = SubmissionLimits { daily: 4, programs: 2, waiting: 2 };
        let submission =
            Submission { account: team, competition: RENJU, name: "bot", language: Language::Python3, source: "1" };
        let version = store.submit(&submission, &limits, 3).unwrap().unwrap();
        assert_eq!(store.leave_team(team, ada).unwrap(), Err(TeamError::Last));
        assert_eq!(names(&store.teams_of(ada).unwrap()), ["Stones"], "who cannot leave is a member still");
        store.ask_to_join(team, "bob", LIMITS, 3).unwrap().unwrap();
        assert_eq!(store.leave_team(team, ada).unwrap(), Err(TeamError::Last), "one who was asked is no member yet");
        store.join_team(team, bob, LIMITS, 4).unwrap().unwrap();
        store.delete_account(bob).unwrap();
        assert_eq!(store.members(team).unwrap().len(), 1, "ada has it");
        store.take_submission().unwrap().unwrap();
        store.settle_submission(version, Ok(()), None, 5).unwrap();
        store.delete_account(ada).unwrap();
        assert_eq!((store.account(team).unwrap(), store.version(version).unwrap()), (None, None));
    }
}
