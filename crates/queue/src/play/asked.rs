//! Games that authors have requested.

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};
use std::time::Instant;

use agon_referee::agent::AgentError;
use agon_site::store::{AskedBout, BoutKind};
use agon_site::{openings as openings_of, secret};

use super::game::{builtin, play};
use super::rests::Rest;
use super::terms::{BoutTerms, PlayError};
use super::worker::{Worker, caught};

impl Worker {
    /// Plays the next game that an author has requested, if there is one. One that cannot be begun rests, and the next
    /// one is played.
    pub(super) fn asked(&self) -> Result<bool, PlayError> {
        let site = &self.site;
        loop {
            let choosing = site.choosing();
            let now = Instant::now();
            let resting: Vec<i64> =
                self.rests().iter().filter(|(_, rest)| rest.until > now).map(|(&id, _)| id).collect();
            let Some(asked) = site.writer().next_asked(&resting)? else { return Ok(false) };
            match caught(|| self.asked_game(&asked, choosing)) {
                Ok(true) => {
                    self.rests().remove(&asked.id);
                    return Ok(true);
                }
                Ok(false) => {}
                Err(error @ (PlayError::Stopped | PlayError::Store(_))) => return Err(error),
                Err(error) if site.is_stopping() => return Err(error),
                // The fleet has what is missing here.
                Err(PlayError::Agent(AgentError::NoCompiler { .. })) if site.options.fleet.is_some() => {}
                Err(error) => tracing::error!(id = asked.id, "a game that was asked for was not played: {error}"),
            }
            let mut rests = self.rests();
            let rest = Rest::after(rests.get(&asked.id).copied(), Instant::now());
            rests.insert(asked.id, rest);
        }
    }

    fn rests(&self) -> MutexGuard<'_, HashMap<i64, Rest>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays this game, unless it cannot be played; `choosing` is held until it has a row.
    fn asked_game(&self, asked: &AskedBout, choosing: MutexGuard<'_, ()>) -> Result<bool, PlayError> {
        let site = &self.site;
        let mut choosing = Some(choosing);
        let AskedBout { id, competition, programs, versions } = *asked;
        let competition = site.competition(competition).filter(|competition| !competition.game.is_missing());
        let Some(competition) = competition else { return Ok(false) };
        let terms = BoutTerms::of_competition(site, &competition, secret::number() >> 1);
        let seated = |side: usize| -> Result<_, PlayError> {
            if let Some(version) = versions[side] {
                return self.version(&terms, version);
            }
            let program = site.writer().program(programs[side])?;
            let Some(name) = program.and_then(|program| program.builtin) else { return Ok(None) };
            Ok(Some((programs[side], 0, builtin(self.place(), &terms, &name)?)))
        };
        let (Some(first), Some(second)) = (seated(0)?, seated(1)?) else { return Ok(false) };
        let numbers = [first.1, second.1].map(|number| Some(number).filter(|number| *number > 0));
        let seats = [(first.0, numbers[0]), (second.0, numbers[1])];
        let players = [&first.2, &second.2];
        let known = |side: usize| -> Result<Option<bool>, PlayError> {
            let Some(version) = versions[side] else { return Ok(Some(true)) };
            Ok(site.writer().version(version)?.and_then(|version| version.reads_openings))
        };
        let reads = self.reads(&terms, [(versions[0], known(0)?), (versions[1], known(1)?)], players)?;
        let opening =
            openings_of::opening(&competition, seats.map(|(program, _)| program), id as u32, terms.setup.seed, reads)?;
        let terms = terms.opened(opening);
        play(site, self.place(), BoutKind::Asked { id }, &terms, seats, players, |_| drop(choosing.take()))?;
        Ok(true)
    }
}
