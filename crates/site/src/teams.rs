//! Teams: creating them, inviting, joining, leaving, and removing members.

use crate::clock::now;
use crate::error::{FieldError, Refusal};
use crate::identity::Identity;
use crate::names::{Named, check_account_name, composed};
use crate::store::{SiteStore, TeamError, TeamLimits, TeamMember};

pub const LIMITS: TeamLimits = TeamLimits { teams: 5, members: 20 };

/// As many as for a person's name.
pub const MAX_NAME_CHARS: usize = 24;

impl From<TeamError> for Refusal {
    fn from(error: TeamError) -> Self {
        match error {
            TeamError::Taken | TeamError::UnknownAccount | TeamError::Already { .. } => {
                FieldError::new("name", error).into()
            }
            TeamError::Teams { .. } | TeamError::Full { .. } | TeamError::Last => Self::conflict(error),
            TeamError::MembersOnly | TeamError::NotAsked | TeamError::Outside | TeamError::LongestMember => {
                Self::forbidden(error)
            }
        }
    }
}

/// Makes a team whose first member is this account, and returns its number.
pub fn create(store: &mut SiteStore, account: i64, name: &str) -> Result<i64, Refusal> {
    let checked = check_account_name(name.trim(), MAX_NAME_CHARS, Named::Team);
    let name = checked.map_err(|wrong| FieldError::new("name", wrong))?;
    Ok(store.create_team(&name, account, LIMITS, now())??)
}

/// Invites an account; for members.
pub fn ask(store: &mut SiteStore, who: &Identity, team: i64, name: &str) -> Result<(), Refusal> {
    if !who.teams.iter().any(|own| own.id == team) {
        return Err(TeamError::MembersOnly.into());
    }
    Ok(store.ask_to_join(team, &composed(name.trim()), LIMITS, now())??)
}

/// Joins a team that has asked.
pub fn join(store: &mut SiteStore, account: i64, team: i64) -> Result<(), Refusal> {
    if store.join_team(team, account, LIMITS, now())?? { Ok(()) } else { Err(TeamError::NotAsked.into()) }
}

/// Leaves a team, or declines to join it.
pub fn leave(store: &mut SiteStore, account: i64, team: i64) -> Result<(), Refusal> {
    if !store.members(team)?.iter().any(|member| member.account == account) {
        return Err(TeamError::Outside.into());
    }
    Ok(store.leave_team(team, account)??)
}

/// Takes another member out of a team, or takes a question back.
pub fn remove(store: &mut SiteStore, who: &Identity, team: i64, other: i64) -> Result<(), Refusal> {
    let members = store.members(team)?;
    let found = members.iter().find(|member| member.account == other);
    if !found.is_some_and(|found| may_remove(&members, found, who)) {
        return Err(TeamError::LongestMember.into());
    }
    Ok(store.leave_team(team, other)??)
}

/// Whether this identity may remove another member from a team: the host and its longest-standing member may, and every
/// member may withdraw invitations that have not been answered.
pub fn may_remove(members: &[TeamMember], member: &TeamMember, who: &Identity) -> bool {
    let Some(own) = who.account.as_ref().filter(|own| own.id != member.account) else { return false };
    let first = members.first().is_some_and(|first| first.account == own.id && first.joined.is_some());
    let inside = members.iter().any(|other| other.account == own.id && other.joined.is_some());
    who.is_host() || first || inside && member.joined.is_none()
}

/// Whether this identity sees whom a team has invited: its members and the host do.
pub fn sees_asked(who: &Identity, team: i64) -> bool {
    who.is(Some(team)) || who.is_host()
}
