//! What a host wants to know after an incident: who signed in from where, who was refused, who changed a password or a
//! right.
//!
//! The newest events of each kind are kept, so that a flood of one kind hides no other.

use std::fmt;

use rusqlite::types::{FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, ToSql, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use agon_arena::store::{StoreError, reason};
use agon_message::{Stated, messages};

use super::SiteStore;

/// Events of each kind that are kept.
pub const MAX_EVENTS_OF_KIND: u32 = 5000;

messages! {
    /// What happened.
    #[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum EventKind {
        /// An account was created.
        SignedUp = "signed up",
        /// A session was begun.
        SignedIn = "signed in",
        /// A wrong password or code, or a frozen account.
        SignInRefused = "sign-in refused",
        PasswordChanged = "password changed",
        /// A link for a new password was created.
        RecoveryMade = "password link created",
        TokenMade = "token created",
        TokenRevoked = "token revoked",
        /// An account became an administrator's.
        RoleChanged = "role changed",
        InvitationMade = "invitation created",
        AccountFrozen = "account frozen",
        /// An account was unfrozen.
        AccountReleased = "account unfrozen",
        AccountDeleted = "account deleted",
        Exported = "export",
        /// Codes of an app became required after the password, or no longer are.
        TotpOn = "two-factor sign-in turned on",
        TotpOff = "two-factor sign-in turned off",
        /// New recovery codes were created.
        RecoveryCodesMade = "recovery codes created",
        SettingChanged = "setting changed",
        /// A program of the account stopped playing, or plays again.
        Disqualified = "program disqualified",
        Readmitted = "program readmitted",
        /// Its author withdrew a program, let it return, renamed or deleted it.
        ProgramWithdrawn = "program withdrawn",
        ProgramReturned = "program returned",
        ProgramRenamed = "program renamed",
        ProgramDeleted = "program deleted",
        /// The account was removed from a competition, or readmitted.
        TakenOut = "removed from a competition",
        LetIn = "readmitted to a competition",
    }
}

messages! {
    /// More about an event.
    #[derive(Clone, PartialEq, Eq)]
    pub enum EventDetail {
        // Who signed up, or set a password.
        ByLink = "by a link",
        ByInvitation = "by an invitation",
        ByItself = "by itself",
        Administrator = "administrator, by an invitation",
        // Sign-ins.
        SignedUp = "signed up",
        WrongPassword = "wrong password",
        NoSuchName = "no such name",
        Frozen = "the account is frozen",
        WrongCode = "wrong code",
        // Invitations.
        ForAccounts { count: u32 } = "for {count} accounts",
        ForAdministrators { count: u32 } = "for {count} administrators",
        List { count: usize } = "a list of {count} accounts",
        // Settings.
        Open = "anybody may sign up",
        ByInvitationOnly = "sign-up by invitation only",
        ReadOnly = "read-only",
        NotReadOnly = "no longer read-only",
        // Exports.
        OwnPrograms = "own programs",
        WholeSite = "the whole site",
        // A program.
        Renamed { from: String, to: String } = "{from} → {to}",
        // A token.
        Token { name: String, scopes: String } = "{name}: {scopes}",
    }
}

impl EventKind {
    pub const ALL: [Self; 25] = [
        Self::SignedUp,
        Self::SignedIn,
        Self::SignInRefused,
        Self::PasswordChanged,
        Self::RecoveryMade,
        Self::TokenMade,
        Self::TokenRevoked,
        Self::RoleChanged,
        Self::InvitationMade,
        Self::AccountFrozen,
        Self::AccountReleased,
        Self::AccountDeleted,
        Self::Exported,
        Self::TotpOn,
        Self::TotpOff,
        Self::RecoveryCodesMade,
        Self::SettingChanged,
        Self::Disqualified,
        Self::Readmitted,
        Self::ProgramWithdrawn,
        Self::ProgramReturned,
        Self::ProgramRenamed,
        Self::ProgramDeleted,
        Self::TakenOut,
        Self::LetIn,
    ];

    /// Its name, in the store and outside.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SignedUp => "signed-up",
            Self::SignedIn => "signed-in",
            Self::SignInRefused => "sign-in-refused",
            Self::PasswordChanged => "password-changed",
            Self::RecoveryMade => "recovery-made",
            Self::TokenMade => "token-made",
            Self::TokenRevoked => "token-revoked",
            Self::RoleChanged => "role-changed",
            Self::InvitationMade => "invitation-made",
            Self::AccountFrozen => "account-frozen",
            Self::AccountReleased => "account-released",
            Self::AccountDeleted => "account-deleted",
            Self::Exported => "exported",
            Self::TotpOn => "totp-on",
            Self::TotpOff => "totp-off",
            Self::RecoveryCodesMade => "recovery-codes-made",
            Self::SettingChanged => "setting-changed",
            Self::Disqualified => "disqualified",
            Self::Readmitted => "readmitted",
            Self::ProgramWithdrawn => "program-withdrawn",
            Self::ProgramReturned => "program-returned",
            Self::ProgramRenamed => "program-renamed",
            Self::ProgramDeleted => "program-deleted",
            Self::TakenOut => "taken-out",
            Self::LetIn => "let-in",
        }
    }

    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl rusqlite::types::FromSql for EventKind {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::by_name(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for EventKind {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

/// Who does something, and from where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The account that acts; `None` without signing in.
    pub account: Option<i64>,
    /// The address that the request came from, or the command line.
    pub from: String,
}

/// The origin of an administrator's actions on the site's own machine.
pub const COMMAND_LINE: &str = "command line";

impl Origin {
    /// A request from an address.
    pub fn request(account: Option<i64>, address: impl fmt::Display) -> Self {
        Self { account, from: address.to_string() }
    }

    /// Anyone who can use the site's machine.
    pub fn command_line() -> Self {
        Self { account: None, from: COMMAND_LINE.to_owned() }
    }
}

/// An event as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteEvent {
    pub id: i64,
    pub at: i64,
    pub kind: EventKind,
    /// The account that it is about, and its name at that time.
    pub account: Option<i64>,
    pub name: String,
    /// The name of the acting account, if that is another one.
    pub by: String,
    pub from: String,
    /// More about it: an [`EventDetail`], or a name.
    pub detail: Stated,
}

/// Selects events.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    pub kind: Option<EventKind>,
    /// The name of an account that it is about, or that has done it; empty for all.
    pub name: String,
    /// Events before this number, for paging.
    pub before: Option<i64>,
}

fn event(row: &Row) -> rusqlite::Result<SiteEvent> {
    Ok(SiteEvent {
        id: row.get(0)?,
        at: row.get(1)?,
        kind: row.get(2)?,
        account: row.get(3)?,
        name: row.get(4)?,
        by: row.get(5)?,
        from: row.get(6)?,
        detail: reason::stated(row, 7, 8)?.unwrap_or_default(),
    })
}

/// Records an event, and deletes the oldest of its kind beyond the limit.
pub(super) fn note(
    connection: &Connection,
    kind: EventKind,
    account: Option<i64>,
    origin: &Origin,
    detail: &Stated,
    now: i64,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO event (at, kind, account, name, actor, origin, detail, detail_keyed) VALUES (?1, ?2, ?3,
                   coalesce((SELECT name FROM account WHERE id = ?3), ''),
                   coalesce((SELECT name FROM account WHERE id = ?4 AND id IS NOT ?3), ''), ?5, ?6, ?7)";
    let (text, keyed) = (&detail.text, reason::keyed(detail)?);
    let values = params![now, kind, account, origin.account, origin.from, text, keyed];
    connection.prepare_cached(sql)?.execute(values)?;
    let sql = "DELETE FROM event WHERE kind = ?1 AND id <=
                   (SELECT id FROM event WHERE kind = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)";
    connection.prepare_cached(sql)?.execute(params![kind, MAX_EVENTS_OF_KIND])?;
    Ok(())
}

impl SiteStore {
    /// Records an event.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn note_event(
        &mut self,
        kind: EventKind,
        account: Option<i64>,
        origin: &Origin,
        detail: impl Into<Stated>,
        now: i64,
    ) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        note(&transaction, kind, account, origin, &detail.into(), now)?;
        Ok(transaction.commit()?)
    }

    /// Events, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn events(&self, filter: &EventFilter, most: u32) -> Result<Vec<SiteEvent>, StoreError> {
        let sql = "SELECT id, at, kind, account, name, actor, origin, detail, detail_keyed FROM event
                   WHERE id < ?1 AND (?2 IS NULL OR kind = ?2)
                     AND (?3 = '' OR name = ?3 COLLATE NOCASE OR actor = ?3 COLLATE NOCASE)
                   ORDER BY id DESC LIMIT ?4";
        let mut statement = self.connection.prepare_cached(sql)?;
        let before = filter.before.unwrap_or(i64::MAX);
        let rows = statement.query_map(params![before, filter.kind, filter.name, most], event)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::new_store;
    use super::*;

    #[test]
    fn a_flood_of_one_kind_drops_its_oldest_and_no_other() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let origin = Origin::request(None, "192.0.2.1");
        store.note_event(EventKind::RoleChanged, Some(ada), &origin, "", 1).unwrap();
        let transaction = store.begin().unwrap();
        for at in 0..i64::from(MAX_EVENTS_OF_KIND) + 50 {
            note(&transaction, EventKind::SignInRefused, None, &origin, &"no such name".into(), at).unwrap();
        }
        transaction.commit().unwrap();
        let kept = |kind| store.events(&EventFilter { kind, ..EventFilter::default() }, u32::MAX).unwrap();
        let refused = kept(Some(EventKind::SignInRefused));
        assert_eq!(refused.len(), MAX_EVENTS_OF_KIND as usize);
        assert_eq!(refused.last().unwrap().at, 50, "the oldest are gone");
        assert_eq!(kept(Some(EventKind::RoleChanged)).len(), 1);
        assert_eq!(kept(None).len(), MAX_EVENTS_OF_KIND as usize + 1);
    }

    #[test]
    fn events_keep_their_names_and_are_found_by_them() {
        let (_folder, mut store) = new_store();
        let [ada, host] =
            ["ada", "host"].map(|name| store.create_account(name, "x", name == "host", 1).unwrap().unwrap());
        let [own, by_host] = [ada, host].map(|account| Origin::request(Some(account), "192.0.2.1"));
        store.note_event(EventKind::TokenMade, Some(ada), &own, "laptop", 2).unwrap();
        store.note_event(EventKind::AccountDeleted, Some(ada), &by_host, "", 3).unwrap();
        store.note_event(EventKind::TotpOff, Some(host), &Origin::command_line(), "", 4).unwrap();
        store.delete_account(ada).unwrap();
        let named = |name: &str| store.events(&EventFilter { name: name.to_owned(), ..EventFilter::default() }, 9);
        let of_ada = named("ADA").unwrap();
        assert_eq!(of_ada.iter().map(|event| event.by.as_str()).collect::<Vec<_>>(), ["host", ""]);
        assert_eq!((of_ada[1].name.as_str(), of_ada[1].detail.text.as_str()), ("ada", "laptop"));
        assert_eq!(named("host").unwrap().iter().map(|event| event.at).collect::<Vec<_>>(), [4, 3]);
        assert_eq!(named("").unwrap()[0].from, "command line");
        let before = EventFilter { before: Some(of_ada[0].id), ..EventFilter::default() };
        assert_eq!(store.events(&before, 9).unwrap().len(), 1);
        for kind in EventKind::ALL {
            assert_eq!(EventKind::by_name(kind.name()), Some(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
    }
}
