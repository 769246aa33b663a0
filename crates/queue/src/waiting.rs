//! Why something is waiting to be played, and until when.

use agon_arena::store::StoreError;
use agon_catalog::Setup;
use agon_game::Interaction;
use agon_referee::limits::GameLimits;
use agon_site::clock::now;
use agon_site::finals::{self, FinalStep};
use agon_site::store::{Competition, CompetitionPhase, SiteBout, SiteFinal, SiteStore};

use crate::site_queue::SiteQueue;

/// What is waiting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaitingWork {
    /// This number of checks.
    Checks(u32),
    /// A final.
    Final { id: i64, title: String },
    /// This number of games requested by authors.
    Asked(u32),
    /// The ladder of a competition.
    Ladder { competition: i64 },
}

/// Why it is waiting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaitReason {
    /// The site is read-only, or its disk is full.
    Stopped,
    /// Nothing plays: the site has no workers, and no machine of its fleet is there.
    NoWorkers,
    /// All workers play.
    Busy {
        /// The games that they play.
        games: Vec<i64>,
        /// When the first of them has ended, or rests, at the latest; unknown if a clock can grow.
        until: Option<i64>,
    },
    /// The round's other games are being played, on which the next round depends.
    Round { games: Vec<i64> },
    /// It is the turn of checks.
    Checks(u32),
    /// It is the turn of a final.
    Final(i64),
    /// Its host has paused it.
    Paused,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    pub what: WaitingWork,
    pub why: WaitReason,
}

/// When a game has ended at the latest, or rests for others, as far as that is known.
fn ends_by(site: &SiteQueue, bout: &SiteBout, now: i64) -> Option<i64> {
    let limits = site.competition(bout.competition)?.limits(site.options.limits);
    let interaction = bout.game.initial_state(&Setup::default()).ok()?.interaction();
    match interaction {
        Interaction::PerAction => Some(now + site.options.slice.as_secs() as i64),
        Interaction::Session => bout_seconds(&limits).map(|seconds| bout.begun + seconds),
    }
}

/// How long a game with these limits takes at most; `None` if its clocks can grow.
fn bout_seconds(limits: &GameLimits) -> Option<i64> {
    let clock = limits.common_clock();
    let each = limits.ready_ms + clock.base_ms + limits.exit_ms;
    clock.is_sudden_death().then(|| (2 * each).div_ceil(1000) as i64)
}

/// What is waiting, and why, in order. Only the competitions in `visible` and their games are named.
///
/// # Errors
/// [`StoreError`].
pub fn read(site: &SiteQueue, store: &SiteStore, visible: &[Competition]) -> Result<Vec<Waiting>, StoreError> {
    let (now, mut all) = (now(), Vec::new());
    let sees = |competition: i64| visible.iter().any(|known| known.id == competition);
    let running = store.running()?;
    let stopped = if !site.may_play() {
        Some(WaitReason::Stopped)
    } else if site.capacity() == 0 {
        Some(WaitReason::NoWorkers)
    } else if running.len() >= site.capacity() {
        let until = running.iter().map(|bout| ends_by(site, bout, now)).min_by_key(|until| until.unwrap_or(i64::MAX));
        let games = running.iter().filter(|bout| sees(bout.competition)).map(|bout| bout.id).collect();
        Some(WaitReason::Busy { games, until: until.flatten() })
    } else {
        None
    };
    let going_on = store.running_finals()?;
    // The final whose games come before those of the finals after it.
    let mut ahead = None;
    for one in going_on.iter().filter(|one| sees(one.competition)) {
        let bouts = store.final_bouts(one.id)?;
        let games: Vec<i64> = bouts
            .iter()
            .filter(|bout| bout.winner.is_none())
            .filter_map(|bout| bout.bout.as_ref().map(|bout| bout.id))
            .collect();
        let step = finals::next(&one.plan, &bouts);
        let is_next = matches!(step, FinalStep::Play(_));
        let why = match (step, &stopped, ahead) {
            // One whose games are being played does not wait.
            (FinalStep::Play(_), ..) if !games.is_empty() => None,
            (FinalStep::Play(_), None | Some(WaitReason::Busy { .. }), Some(other)) => Some(WaitReason::Final(other)),
            (FinalStep::Play(_), stopped, _) => stopped.clone(),
            (FinalStep::Wait, ..) => Some(WaitReason::Round { games }),
            (FinalStep::Done, ..) => None,
        };
        if is_next {
            ahead.get_or_insert(one.id);
        }
        let what = WaitingWork::Final { id: one.id, title: one.title.clone() };
        all.extend(why.map(|why| Waiting { what, why }));
    }
    let going_on: Vec<SiteFinal> = going_on.into_iter().filter(|one| sees(one.competition)).collect();
    let before = stopped.or_else(|| going_on.first().map(|one| WaitReason::Final(one.id)));
    let queued = store.check_queue()?.queued;
    if let Some(why) = before.clone().filter(|_| queued > 0) {
        all.push(Waiting { what: WaitingWork::Checks(queued), why });
    }
    let before = before.or_else(|| (queued > 0).then_some(WaitReason::Checks(queued)));
    let asked = store.open_asked()?;
    if let Some(why) = before.clone().filter(|_| asked > 0) {
        all.push(Waiting { what: WaitingWork::Asked(asked), why });
    }
    for competition in visible {
        let open = competition.phase(now) == CompetitionPhase::Running || competition.plays_first_games(now);
        let why = match (site.competitions.is_paused(competition.id), going_on.first()) {
            (true, _) => WaitReason::Paused,
            (false, Some(one)) => WaitReason::Final(one.id),
            (false, None) => continue,
        };
        if open {
            all.push(Waiting { what: WaitingWork::Ladder { competition: competition.id }, why });
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_ends_when_both_clocks_have_run_down() {
        let limits = GameLimits { clock_ms: 10_000, ready_ms: 3000, exit_ms: 2000, ..GameLimits::default() };
        assert_eq!(bout_seconds(&limits), Some(30));
    }
}
