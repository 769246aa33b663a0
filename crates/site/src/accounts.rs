//! Accounts: who may sign up, tokens, invitations, and the host's actions on accounts.

use std::sync::LazyLock;

use agon_message::{Stated, messages};

use crate::clock::now;
use crate::error::{FieldError, Refusal};
use crate::names::{Named, check_account_name, check_line, check_name, composed};
use crate::secret::{self, SecretDigest};
use crate::store::{
    Competition, EventDetail, EventKind, Origin, RosterBefore, SiteAccount, SiteInvitation, SiteStore, TokenScope,
    TokenScopes,
};
use agon_arena::store::StoreError;

pub const MAX_NAME_CHARS: usize = 24;
pub const MIN_PASSWORD_CHARS: usize = 8;
pub const MAX_PASSWORD_CHARS: usize = 200;
pub const MAX_ANNOUNCEMENT_CHARS: usize = 300;

/// Tokens of one account.
pub const MAX_TOKENS: usize = 20;

const MAX_TOKEN_NAME_CHARS: usize = 40;
const MAX_NOTE_CHARS: usize = 60;
/// Accounts of one invitation.
const MAX_INVITATION_USES: u32 = 1000;

/// How long an invitation is valid.
const INVITATION_SECONDS: i64 = 30 * 86_400;

/// People of one list.
pub const MAX_ROSTER: usize = 200;

/// The name of a group of a competition.
pub const MAX_GROUP_CHARS: usize = 30;

/// How long the links of a list are valid.
pub const ROSTER_SECONDS: i64 = 30 * 86_400;

/// How long a link for a new password is valid.
const RECOVERY_SECONDS: i64 = 86_400;

/// The setting for who may sign up.
const OPEN: &str = "sign_up_open";

/// The setting for the address under which browsers reach the site.
const ADDRESS: &str = "address";

/// The address under which browsers reached the site when it was last started.
pub fn address(store: &SiteStore) -> Result<Option<String>, StoreError> {
    store.setting(ADDRESS)
}

pub fn set_address(store: &mut SiteStore, address: &str) -> Result<(), StoreError> {
    store.set_setting(ADDRESS, address)
}

/// Whether anyone may sign up.
pub fn is_open(store: &SiteStore) -> Result<bool, StoreError> {
    Ok(store.setting(OPEN)?.is_none_or(|value| value == "yes"))
}

pub fn set_open(store: &mut SiteStore, open: bool, origin: &Origin) -> Result<(), StoreError> {
    store.set_setting(OPEN, if open { "yes" } else { "no" })?;
    let detail = if open { EventDetail::Open } else { EventDetail::ByInvitationOnly };
    store.note_event(EventKind::SettingChanged, None, origin, &detail, now())
}

messages! {
    /// Why a password is rejected.
    #[derive(PartialEq, Eq)]
    pub enum PasswordError {
        TooShort { least: usize } = "password is too short; use at least {least} characters",
        TooLong { limit: usize } = "password is too long; the limit is {limit} characters",
        IsName = "password is the same as the name, which everybody sees",
        Common = "password is too common; choose another one",
    }

    /// Why a token is not created.
    pub enum TokenError {
        NoScopes = "choose at least one scope",
        Expired = "expiry time has already passed",
        HostScope = "the scope `host` is for administrators only",
        TooMany { limit: usize } = "limit of {limit} tokens reached; revoke one first",
    }

    /// Why an account, an invitation or an announcement is rejected.
    pub enum AccountError {
        Unknown { name: String } = "no account is named `{name}`",
        Note { limit: usize } = "say whom it is for, in one line of at most {limit} characters",
        Uses { limit: u32 } = "an invitation is for 1 to {limit} accounts",
        Group { limit: usize } = "group name must be one line of at most {limit} characters",
        Announcement { limit: usize } = "an announcement is one line of at most {limit} characters",
        TeamPassword = "a team has no password",
        AdministratorPassword = "an administrator gets a new password on the page of the account only",
        Frozen = "this account is frozen",
        FreezeSelf = "you cannot freeze your own account",
        DeleteSelf = "you cannot delete your own account here",
        NamesDiffer = "names don't match; nothing was deleted",
        LastAdministrator = "you are the only administrator; make someone else one first",
    }

    /// Why a list of names is rejected.
    pub enum RosterError {
        Size { limit: usize } = "a list has 1 to {limit} names, one per line",
        Twice { name: String } = "`{name}` is in the list twice",
        Taken { name: String } =
            "`{name}` is taken, looks like a taken name, or belongs to an administrator or a team",
    }
}

/// The 5 000 commonest passwords that are long enough, in small letters and in order: from the list that Royce Williams
/// has gathered and Django comes with.
static COMMON_PASSWORDS: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// # Errors
/// What is wrong with a password for the account with this name.
pub fn check_password(password: &str, name: &str) -> Result<(), PasswordError> {
    let small = password.to_lowercase();
    match password.chars().count() {
        0..MIN_PASSWORD_CHARS => Err(PasswordError::TooShort { least: MIN_PASSWORD_CHARS }),
        MIN_PASSWORD_CHARS..=MAX_PASSWORD_CHARS if small == name.to_lowercase() => Err(PasswordError::IsName),
        MIN_PASSWORD_CHARS..=MAX_PASSWORD_CHARS if COMMON_PASSWORDS.binary_search(&small.as_str()).is_ok() => {
            Err(PasswordError::Common)
        }
        MIN_PASSWORD_CHARS..=MAX_PASSWORD_CHARS => Ok(()),
        _ => Err(PasswordError::TooLong { limit: MAX_PASSWORD_CHARS }),
    }
}

/// Makes a token of an account: its number and its word, which the store does not keep.
pub fn make_token(
    store: &mut SiteStore,
    account: &SiteAccount,
    name: &str,
    scopes: TokenScopes,
    expires: Option<i64>,
    origin: &Origin,
) -> Result<(i64, String), Refusal> {
    let name = check_name(name.trim(), MAX_TOKEN_NAME_CHARS, Named::Token);
    let name = name.map_err(|wrong| FieldError::new("name", wrong))?;
    if scopes.is_empty() {
        return Err(FieldError::new("scopes", TokenError::NoScopes).into());
    }
    if expires.is_some_and(|expires| expires <= now()) {
        return Err(FieldError::new("expires", TokenError::Expired).into());
    }
    if scopes.has(TokenScope::Host) && !account.host {
        return Err(Refusal::forbidden(TokenError::HostScope));
    }
    if store.tokens(account.id)?.len() >= MAX_TOKENS {
        return Err(Refusal::conflict(TokenError::TooMany { limit: MAX_TOKENS }));
    }
    let word = secret::word();
    let token = store.add_token(account.id, &name, scopes, &secret::digest(&word), (now(), expires))?;
    let scopes: Vec<&str> = scopes.iter().map(TokenScope::name).collect();
    let detail = EventDetail::Token { name, scopes: scopes.join(", ") };
    store.note_event(EventKind::TokenMade, Some(account.id), origin, &detail, now())?;
    Ok((token, word))
}

/// Revokes a token of an account; false if none has that number.
pub fn revoke_token(store: &mut SiteStore, account: i64, token: i64, origin: &Origin) -> Result<bool, StoreError> {
    let name = store.tokens(account)?.into_iter().find(|known| known.id == token).map(|known| known.name);
    let revoked = store.delete_token(account, token)?;
    if revoked {
        let name = name.unwrap_or_default();
        store.note_event(EventKind::TokenRevoked, Some(account), origin, name, now())?;
    }
    Ok(revoked)
}

/// Makes an invitation, and returns its word, which the store does not keep.
pub fn make_invitation(
    store: &mut SiteStore,
    note: &str,
    uses: u32,
    host: bool,
    competition: Option<i64>,
    origin: &Origin,
) -> Result<String, Refusal> {
    let note = check_line(note, MAX_NOTE_CHARS, "note", AccountError::Note { limit: MAX_NOTE_CHARS })?;
    if !(1..=MAX_INVITATION_USES).contains(&uses) {
        return Err(FieldError::new("uses", AccountError::Uses { limit: MAX_INVITATION_USES }).into());
    }
    // Into a competition one comes by a code that a class types from a blackboard.
    let word = if competition.is_some() && !host { secret::code() } else { secret::word() };
    let invitation = SiteInvitation { id: 0, note, host, uses, expires: now() + INVITATION_SECONDS, competition };
    store.add_invitation(&secret::digest(&word), &invitation, now())?;
    let detail =
        if host { EventDetail::ForAdministrators { count: uses } } else { EventDetail::ForAccounts { count: uses } };
    store.note_event(EventKind::InvitationMade, None, origin, &detail, now())?;
    Ok(word)
}

/// Creates a link with which the owner of an account sets a new password, and returns its word, which the store does
/// not keep.
pub fn make_recovery(store: &mut SiteStore, account: i64, origin: &Origin) -> Result<String, Refusal> {
    let (found, _) = store.account(account)?.ok_or(Refusal::NotFound)?;
    if found.team {
        return Err(Refusal::forbidden(AccountError::TeamPassword));
    }
    if found.frozen {
        return Err(Refusal::forbidden(AccountError::Frozen));
    }
    let word = secret::word();
    store.add_recovery(account, &secret::digest(&word), now() + RECOVERY_SECONDS)?;
    store.note_event(EventKind::RecoveryMade, Some(account), origin, "", now())?;
    Ok(word)
}

/// The account of a person, by the name as it is typed.
pub fn named(store: &SiteStore, name: &str) -> Result<Option<(SiteAccount, String)>, StoreError> {
    match store.account_by_name(name)? {
        None => store.account_by_name(&composed(name)),
        found => Ok(found),
    }
}

/// # Errors
/// What is wrong with an announcement.
pub fn check_announcement(text: &str) -> Result<String, FieldError> {
    check_line(text, MAX_ANNOUNCEMENT_CHARS, "text", AccountError::Announcement { limit: MAX_ANNOUNCEMENT_CHARS })
}

/// Freezes an account, or ends that; not one's own.
pub fn set_frozen(store: &mut SiteStore, id: i64, frozen: bool, origin: &Origin) -> Result<(), Refusal> {
    if origin.account == Some(id) {
        return Err(Refusal::forbidden(AccountError::FreezeSelf));
    }
    store.account(id)?.ok_or(Refusal::NotFound)?;
    store.freeze_account(id, frozen)?;
    let kind = if frozen { EventKind::AccountFrozen } else { EventKind::AccountReleased };
    Ok(store.note_event(kind, Some(id), origin, "", now())?)
}

/// Deletes an account with everything that belongs to it, if this is its name and it is not the administrator's own.
pub fn delete(store: &mut SiteStore, id: i64, name: &str, origin: &Origin) -> Result<(), Refusal> {
    let (account, _) = store.account(id)?.ok_or(Refusal::NotFound)?;
    if origin.account == Some(id) {
        return Err(Refusal::forbidden(AccountError::DeleteSelf));
    }
    if account.name != name.trim() {
        return Err(FieldError::new("name", AccountError::NamesDiffer).into());
    }
    store.note_event(EventKind::AccountDeleted, Some(id), origin, "", now())?;
    Ok(store.delete_account(id)?)
}

/// Deletes the user's own account with everything that belongs to it, if this is its name. The last administrator
/// stays.
pub fn delete_own(store: &mut SiteStore, id: i64, name: &str, origin: &Origin) -> Result<(), Refusal> {
    let (account, _) = store.account(id)?.ok_or(Refusal::NotFound)?;
    if account.name != composed(name.trim()) {
        return Err(FieldError::new("name", AccountError::NamesDiffer).into());
    }
    if account.host && store.accounts()?.iter().filter(|other| other.host && !other.frozen).count() < 2 {
        return Err(Refusal::forbidden(AccountError::LastAdministrator));
    }
    store.note_event(EventKind::AccountDeleted, Some(id), origin, &EventDetail::ByItself, now())?;
    Ok(store.delete_account(id)?)
}

/// A person of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RosterEntry {
    pub name: String,
    /// The word of the link with which the person sets a password; `None` for someone who has a password.
    pub word: Option<String>,
    /// What existed of the account before.
    pub before: RosterBefore,
}

/// The names of a list with their groups: a line each, or the first two columns of comma-separated values; a heading
/// `name` is none.
pub fn roster_names(text: &str) -> Vec<(String, String)> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let columns = |line: &str| {
        let mut fields = line.split([',', ';', '\t']).map(|field| composed(field.trim().trim_matches('"').trim()));
        (fields.next().unwrap_or_default(), fields.next().unwrap_or_default())
    };
    let rows = lines.map(columns).filter(|(name, _)| !name.is_empty());
    let heading = |name: &str| ["name", "이름"].contains(&name.to_lowercase().as_str());
    rows.enumerate().filter(|(at, (name, _))| *at > 0 || !heading(name)).map(|(_, row)| row).collect()
}

/// What is wrong with the name of a group.
pub fn check_group(name: &str) -> Result<String, FieldError> {
    match name.trim() {
        "" => Ok(String::new()),
        name => check_line(name, MAX_GROUP_CHARS, "group", AccountError::Group { limit: MAX_GROUP_CHARS }),
    }
}

/// Removes a person or a team from a competition, or readmits it; its programs rest meanwhile.
pub fn set_removed(
    store: &mut SiteStore,
    competition: &Competition,
    account: i64,
    removed: bool,
    origin: &Origin,
) -> Result<(), Refusal> {
    if store.entrants(competition.id)?.iter().all(|one| one.account != account) {
        return Err(Refusal::NotFound);
    }
    store.set_removed(competition.id, account, removed, now())?;
    let kind = if removed { EventKind::TakenOut } else { EventKind::LetIn };
    Ok(store.note_event(kind, Some(account), origin, competition.title.as_str(), now())?)
}

/// Puts accounts into groups of a competition; an empty name removes an account from its group.
pub fn set_groups(store: &mut SiteStore, competition: i64, groups: &[(i64, String)]) -> Result<(), Refusal> {
    let checked: Result<Vec<(i64, String)>, FieldError> =
        groups.iter().map(|(account, name)| Ok((*account, check_group(name)?))).collect();
    Ok(store.set_groups(competition, &checked?)?)
}

/// Creates an account for each name of a list, admits it to the competition if there is one, and returns the links with
/// which each sets a password; also for existing accounts, except those of administrators. Either all are created or
/// none.
pub fn make_roster(
    store: &mut SiteStore,
    text: &str,
    competition: Option<i64>,
    origin: &Origin,
) -> Result<Vec<RosterEntry>, Refusal> {
    let names = roster_names(text);
    if names.is_empty() || names.len() > MAX_ROSTER {
        return Err(FieldError::new("names", RosterError::Size { limit: MAX_ROSTER }).into());
    }
    let mut checked: Vec<String> = Vec::new();
    let mut groups: Vec<String> = Vec::new();
    for (name, group) in &names {
        groups.push(check_group(group)?);
        let name = check_account_name(name, MAX_NAME_CHARS, Named::Listed { name: name.clone() });
        let name = name.map_err(|wrong| FieldError::new("names", wrong))?;
        if checked.contains(&name) {
            return Err(FieldError::new("names", RosterError::Twice { name }).into());
        }
        checked.push(name);
    }
    let words: Vec<String> = checked.iter().map(|_| secret::code()).collect();
    let rows: Vec<(&str, &str, SecretDigest)> = (checked.iter().zip(&groups).zip(&words))
        .map(|((name, group), word)| (name.as_str(), group.as_str(), secret::digest(word)))
        .collect();
    let expires = now() + ROSTER_SECONDS;
    let before = store.enter_roster(&rows, competition, expires, now())?;
    let before = before.map_err(|name| FieldError::new("names", RosterError::Taken { name }))?;
    let entry = |((name, word), before)| RosterEntry {
        name,
        word: Some(word).filter(|_| before != RosterBefore::Password),
        before,
    };
    let entries: Vec<RosterEntry> = checked.into_iter().zip(words).zip(before).map(entry).collect();
    let detail = EventDetail::List { count: entries.len() };
    store.note_event(EventKind::InvitationMade, None, origin, &detail, now())?;
    Ok(entries)
}

/// Makes a new link with which a person of a competition sets a password, in place of the earlier one: as those of a
/// list. An administrator's password is changed on the page of the account only.
pub fn reissue(store: &mut SiteStore, competition: i64, account: i64, origin: &Origin) -> Result<RosterEntry, Refusal> {
    let entrant = store.entrants(competition)?.into_iter().find(|one| one.account == account);
    let entrant = entrant.ok_or(Refusal::NotFound)?;
    let (found, _) = store.account(account)?.ok_or(Refusal::NotFound)?;
    if found.team {
        return Err(Refusal::forbidden(AccountError::TeamPassword));
    }
    if found.host {
        return Err(Refusal::forbidden(AccountError::AdministratorPassword));
    }
    if found.frozen {
        return Err(Refusal::forbidden(AccountError::Frozen));
    }
    let word = secret::code();
    store.add_recovery(account, &secret::digest(&word), now() + ROSTER_SECONDS)?;
    store.note_event(EventKind::RecoveryMade, Some(account), origin, "", now())?;
    let before = if entrant.has_password { RosterBefore::Password } else { RosterBefore::Link };
    Ok(RosterEntry { name: found.name, word: Some(word), before })
}

/// Changes a password, and ends all tokens and all sessions of the account except the requesting one.
pub fn change_password(
    store: &mut SiteStore,
    account: i64,
    hash: &str,
    keep: &[u8],
    origin: &Origin,
) -> Result<(), StoreError> {
    store.set_password(account, hash, keep)?;
    store.note_event(EventKind::PasswordChanged, Some(account), origin, "", now())
}

/// Sets a new password through a link, which uses up the link; false if there is no such link.
pub fn recover(store: &mut SiteStore, digest: &[u8], hash: &str, origin: &Origin) -> Result<bool, StoreError> {
    let Some(account) = store.recovered(digest, now())? else { return Ok(false) };
    let used = store.use_recovery(digest, hash, now())?;
    if used {
        store.note_event(EventKind::PasswordChanged, Some(account.id), origin, &EventDetail::ByLink, now())?;
    }
    Ok(used)
}

/// Creates an account, by an invitation if there is one, and returns its number: `None` if there is no such invitation,
/// the inner `None` if the name is taken.
pub fn sign_up(
    store: &mut SiteStore,
    name: &str,
    hash: &str,
    invitation: Option<&[u8]>,
    origin: &Origin,
) -> Result<Option<Option<i64>>, StoreError> {
    let made = match invitation {
        Some(digest) => store.accept_invitation(digest, name, hash, now())?,
        None => Some(store.create_account(name, hash, false, now())?),
    };
    if let Some(Some(id)) = made {
        let detail = match invitation {
            Some(_) => Stated::from(&EventDetail::ByInvitation),
            None => Stated::default(),
        };
        store.note_event(EventKind::SignedUp, Some(id), origin, detail, now())?;
        if store.account(id)?.is_some_and(|(account, _)| account.host) {
            store.note_event(EventKind::RoleChanged, Some(id), origin, &EventDetail::Administrator, now())?;
        }
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_list_are_lines_or_the_first_column() {
        let check = |text: &str, wanted: &[(&str, &str)]| {
            let wanted: Vec<_> = wanted.iter().map(|(name, group)| ((*name).to_owned(), (*group).to_owned())).collect();
            assert_eq!(roster_names(text), wanted, "{text}");
        };
        check("ada\nbob\n\n", &[("ada", ""), ("bob", "")]);
        check("\u{feff}이름,반\r\n김철수,1\r\n\"이영희\",\"2\"\r\n", &[("김철수", "1"), ("이영희", "2")]);
        check("Name;Group\nada;x\n", &[("ada", "x")]);
        check("ada\tx\nname\n", &[("ada", "x"), ("name", "")]);
        // As a keyboard that decomposes characters types it.
        check("\u{1112}\u{1161}\u{11ab}", &[("한", "")]);
        check("", &[]);
    }

    #[test]
    fn passwords_that_are_guessed_first_are_refused() {
        assert!(COMMON_PASSWORDS.is_sorted() && COMMON_PASSWORDS.len() > 4000);
        for (password, wanted) in [
            ("short", PasswordError::TooShort { least: 8 }),
            ("password", PasswordError::Common),
            ("PassWord1", PasswordError::Common),
            ("iloveyou", PasswordError::Common),
            ("ada lovelace", PasswordError::IsName),
        ] {
            assert_eq!(check_password(password, "Ada Lovelace"), Err(wanted), "{password}");
        }
        assert_eq!(check_password("correct horse", "ada"), Ok(()));
        assert!(check_password(&"a".repeat(MAX_PASSWORD_CHARS + 1), "ada").is_err());
    }
}
