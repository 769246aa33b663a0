//! Games of ladders.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_arena::store::StoreError;
use agon_site::clock::now;
use agon_site::league::LeagueWeek;
use agon_site::store::{BoutKind, Candidate, Competition, CompetitionPhase, LadderPlayer, SiteStore};
use agon_site::{openings as openings_of, secret};

use super::draw::{self, Due};
use super::game::{SitePlayer, builtin, play};
use super::slices::Pauses;
use super::terms::{BoutTerms, PlayError};
use super::worker::{AFTER_FAILURE, Worker};
use crate::shares::LadderTurn;

/// A ladder's game that may rest: its used time does not grow meanwhile.
struct LadderPauses<'a> {
    worker: &'a Worker,
    competition: i64,
    turn: &'a LadderTurn<'a>,
}

impl Pauses for LadderPauses<'_> {
    fn pause(&self, kind: BoutKind) {
        self.turn.rest(true, Instant::now());
        self.worker.play_beside(kind, Some(self.competition));
        self.turn.rest(false, Instant::now());
    }
}

impl Worker {
    /// Plays the next game of a ladder: of the one that has used the least of the workers' time. Beside the resting
    /// game of the ladder `beside`, only ladders that have used less and whose games have a clock are played.
    pub(super) fn ladder(&mut self, beside: Option<i64>) -> Result<bool, PlayError> {
        let site = Arc::clone(&self.site);
        let (now, at) = (now(), Instant::now());
        let due = |competition: &Competition| match competition.phase(now) {
            CompetitionPhase::Running => Some(Due::All),
            _ => competition.plays_first_games(now).then_some(Due::FirstGames),
        };
        let used = |competition: &Competition| site.shares.used(competition.id, at);
        let limit = beside.map(|competition| site.shares.used(competition, at));
        let mut open: Vec<(Duration, Due, Competition)> = site
            .competitions
            .all()
            .iter()
            .filter(|competition| !site.competitions.is_paused(competition.id))
            .filter(|competition| {
                limit.is_none_or(|limit| competition.game.has_sessions() && used(competition) < limit)
            })
            .filter_map(|competition| Some((used(competition), due(competition)?, competition.clone())))
            .collect();
        // Among those that have used equally much, another one is first each time.
        let from = self.stream.below(open.len().max(1));
        open.rotate_left(from);
        open.sort_by_key(|(used, ..)| *used);
        for (_, due, competition) in &open {
            match self.ladder_game(competition, *due, now) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(error) => {
                    // The pause that follows is time of this ladder: it holds up no other one.
                    site.shares.charge(competition.id, AFTER_FAILURE, Instant::now());
                    return Err(error);
                }
            }
        }
        Ok(false)
    }

    /// Plays the next game of this ladder, if it has one that can be played here.
    fn ladder_game(&mut self, competition: &Competition, due: Due, now: i64) -> Result<bool, PlayError> {
        let site = Arc::clone(&self.site);
        let candidates = site.look(|store| store.candidates(competition.id))?;
        let groups = site.look(|store| {
            let week = LeagueWeek::of(now).begins;
            if store.has_league(competition.id)? {
                store.league_groups(competition.id, week)
            } else {
                Ok(HashMap::new())
            }
        })?;
        let drawn = site.look(|store| {
            let mut failed = None;
            let drawn = draw::next(&candidates, due, now, &mut self.stream, |seats| {
                let seats = seats.map(|seat| &candidates[seat]);
                are_apart(&groups, seats)
                    || is_over(store, competition, seats).unwrap_or_else(|error| {
                        failed = Some(error);
                        true
                    })
            });
            failed.map_or(Ok(drawn), Err)
        })?;
        let Some(seats) = drawn else { return Ok(false) };
        let seats = seats.map(|seat| &candidates[seat]);
        let terms = BoutTerms::of_competition(&site, competition, secret::number() >> 1);
        let players = [self.player(&terms, seats[0])?, self.player(&terms, seats[1])?];
        let [Some(first), Some(second)] = &players else { return Ok(false) };
        if !self.can_play(&terms, [first, second]) {
            return Ok(false);
        }
        let both = seats.map(|seat| (seat.program, seat.version.map(|(_, number)| number)));
        let known = seats.map(|seat| (seat.version.map(|(id, _)| id), seat.reads_openings));
        let reads = self.reads(&terms, known, [first, second])?;
        // Held until the game has a row, so that no two of the same versions begin alike.
        let mut choosing = Some(site.choosing());
        let begun = site.writer().begun_between(both.map(|(program, version)| LadderPlayer { program, version }))?;
        if openings_of::is_over(competition, begun, reads) {
            return Ok(false);
        }
        let programs = seats.map(|seat| seat.program);
        let opening = openings_of::opening(competition, programs, begun.opened, terms.setup.seed, reads)?;
        let terms = terms.opened(opening);
        let turn = site.shares.begin(competition.id, Instant::now());
        let pauses = LadderPauses { worker: self, competition: competition.id, turn: &turn };
        let chosen = |_| drop(choosing.take());
        play(&site, self.place_with(&pauses), BoutKind::Ladder, &terms, both, [first, second], chosen)?;
        Ok(true)
    }

    /// A drawn program, ready to sit down; `None` when it has been deleted meanwhile.
    fn player(&self, terms: &BoutTerms, candidate: &Candidate) -> Result<Option<SitePlayer>, PlayError> {
        if let Some(name) = &candidate.builtin {
            return builtin(self.place(), terms, name).map(Some);
        }
        let Some((id, _)) = candidate.version else { return Ok(None) };
        Ok(self.version(terms, id)?.map(|(.., player)| player))
    }
}

/// Whether a league keeps these candidates apart: for a week, a program plays within its group. Who is in none yet
/// plays everyone.
fn are_apart(groups: &HashMap<i64, u32>, both: [&Candidate; 2]) -> bool {
    match both.map(|one| groups.get(&one.program)) {
        [Some(one), Some(other)] => one != other,
        [None, None] => false,
        _ => both.iter().any(|one| one.builtin.is_some()),
    }
}

/// Whether these candidates in their seats would only repeat an earlier game, as far as is known.
fn is_over(store: &SiteStore, competition: &Competition, seats: [&Candidate; 2]) -> Result<bool, StoreError> {
    let players =
        seats.map(|seat| LadderPlayer { program: seat.program, version: seat.version.map(|(_, number)| number) });
    // What is not known is tested before the game.
    let reads = seats.iter().all(|seat| seat.reads_openings != Some(false));
    Ok(openings_of::is_over(competition, store.begun_between(players)?, reads))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_league_keeps_groups_apart() {
        let groups = HashMap::from([(1, 0), (2, 0), (3, 1)]);
        let candidate = |program: i64| Candidate {
            program,
            version: Some((program, 1)),
            games: 0,
            reads_openings: None,
            builtin: (program == 9).then(|| "random".to_owned()),
            owners: Vec::new(),
            rating: 1500.0,
            lead: 0,
            last: 0,
        };
        let apart = |one, other| are_apart(&groups, [&candidate(one), &candidate(other)]);
        assert!(!apart(1, 2) && apart(1, 3) && apart(3, 2));
        assert!(!apart(4, 5) && !apart(1, 4), "4 and 5 join with the next week");
        assert!(apart(1, 9) && !apart(4, 9));
        assert!(!are_apart(&HashMap::new(), [&candidate(1), &candidate(3)]), "there is no league");
    }
}
