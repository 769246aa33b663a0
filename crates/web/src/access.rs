//! Who sees what of a game.

use agon_site::store::{CompetitionPhase, ReplayRule, SiteBout};

use crate::clock::now;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// What is told to those who may not see the moves yet.
pub const HIDDEN: &str = "The moves of this contest's games are shown when it has closed.";

/// Whether a visitor may see the program in each seat from inside: what it was told, and what it wrote to its error stream.
pub fn inside(visitor: &Visitor, bout: &SiteBout) -> [bool; 2] {
    bout.seats.each_ref().map(|seat| visitor.is_host() || seat.account.is_some() && visitor.is(seat.account))
}

/// Whether a visitor may see the moves of a game: live, in its record, by evaluations of its positions. Results are for everybody.
pub fn may_watch(site: &Site, visitor: &Visitor, bout: &SiteBout) -> bool {
    let Some(contest) = site.contest(bout.contest) else { return false };
    let hidden = contest.replays == ReplayRule::After && contest.phase(now()) != CompetitionPhase::Closed;
    !hidden || visitor.is_host() || inside(visitor, bout) != [false; 2]
}

/// Refuses what tells the moves of a game to those who may not see them yet.
///
/// # Errors
/// [`SiteError::Forbidden`].
pub fn watching(site: &Site, visitor: &Visitor, bout: &SiteBout) -> SiteResult<()> {
    if may_watch(site, visitor, bout) { Ok(()) } else { Err(SiteError::Forbidden(HIDDEN)) }
}
