//! Teams: who makes them, asks, joins, leaves, and takes others out of them.

use std::sync::Arc;

use agon_site::store::{TeamError, TeamLimits, TeamMember};

use crate::clock::now;
use crate::error::{FieldError, SiteError};
use crate::pages::draft::check_name;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// How large teams may become.
pub const LIMITS: TeamLimits = TeamLimits { teams: 5, members: 20 };

/// The most characters of a name: as many as of a person's.
pub const LONGEST_NAME: usize = 24;

/// What the store refuses, for the one who asked.
fn refused(error: &TeamError) -> SiteError {
    let text = error.to_string();
    match error {
        TeamError::Taken | TeamError::Nobody | TeamError::Already { .. } => FieldError::new("name", text).into(),
        TeamError::Teams { .. } | TeamError::Full { .. } | TeamError::Last => SiteError::Conflict(text),
    }
}

/// Makes a team whose first member is this account, and returns its number.
pub async fn create(site: &Arc<Site>, account: i64, name: &str) -> SiteResult<i64> {
    let name = name.trim().to_owned();
    check_name(&name, LONGEST_NAME, "the team's name").map_err(|wrong| FieldError::new("name", wrong))?;
    let made = site.write(move |store| store.create_team(&name, account, LIMITS, now())).await?;
    made.map_err(|error| refused(&error))
}

/// Asks somebody to join; for members.
pub async fn ask(site: &Arc<Site>, visitor: &Visitor, team: i64, name: &str) -> SiteResult<()> {
    if !visitor.teams.iter().any(|own| own.id == team) {
        return Err(SiteError::Forbidden("This is for the members of the team."));
    }
    let name = name.trim().to_owned();
    let asked = site.write(move |store| store.ask_to_join(team, &name, LIMITS, now())).await?;
    asked.map_err(|error| refused(&error))
}

/// Joins a team that has asked.
pub async fn join(site: &Arc<Site>, account: i64, team: i64) -> SiteResult<()> {
    match site.write(move |store| store.join_team(team, account, LIMITS, now())).await? {
        Ok(true) => Ok(()),
        Ok(false) => Err(SiteError::Forbidden("This team has not asked you.")),
        Err(error) => Err(refused(&error)),
    }
}

/// Leaves a team, or declines to join it.
pub async fn leave(site: &Arc<Site>, account: i64, team: i64) -> SiteResult<()> {
    let read = site.read(move |store| Ok(store.members(team)?.iter().any(|member| member.account == account)));
    if !read.await? {
        return Err(SiteError::Forbidden("You are not in this team."));
    }
    take_out(site, team, account).await
}

/// Takes somebody else out of a team, or takes back that he was asked.
pub async fn remove(site: &Arc<Site>, visitor: &Visitor, team: i64, other: i64) -> SiteResult<()> {
    let members = site.read(move |store| store.members(team)).await?;
    let found = members.iter().find(|member| member.account == other);
    if !found.is_some_and(|found| may_remove(&members, found, visitor)) {
        return Err(SiteError::Forbidden("The member who has been longest in a team may take others out of it."));
    }
    take_out(site, team, other).await
}

async fn take_out(site: &Arc<Site>, team: i64, account: i64) -> SiteResult<()> {
    let left = site.write(move |store| store.leave_team(team, account)).await?;
    left.map_err(|error| refused(&error))
}

/// Whether a visitor may take somebody else out of a team: the host and the member who has been longest in it may, and every
/// member where somebody has been asked and has not answered.
pub fn may_remove(members: &[TeamMember], member: &TeamMember, visitor: &Visitor) -> bool {
    let Some(own) = visitor.account.as_ref().filter(|own| own.id != member.account) else { return false };
    let first = members.first().is_some_and(|first| first.account == own.id && first.joined.is_some());
    let inside = members.iter().any(|other| other.account == own.id && other.joined.is_some());
    visitor.is_host() || first || inside && member.joined.is_none()
}

/// Whether a visitor may see whom a team has asked: that is its own business, and the host's.
pub fn sees_asked(visitor: &Visitor, team: i64) -> bool {
    visitor.is(Some(team)) || visitor.is_host()
}
