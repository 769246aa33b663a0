//! The check of a new version: a game that everyone may watch, and those that no one sees.

use std::sync::Arc;

use agon_arena::openings;
use agon_arena::runner::queue::MAX_DELIVERIES;
use agon_message::Stated;
use agon_referee::agent::{AgentError, Language, toolchain};
use agon_referee::record::Record;
use agon_referee::verdict::{AgentVerdict, Headline, Verdict};
use agon_site::check_message::CheckMessage;
use agon_site::clock::now;
use agon_site::store::{BoutKind, SiteProgram, SiteVersion};
use agon_site::{builtins, secret};

use super::game::{BoutNews, BoutPlace, SitePlayer, builtin, keep, play, submitted};
use super::rehearsal::{Rehearsed, reads_openings, rehearse, where_it_failed};
use super::terms::{Abandoned, BoutTerms, PlayError, judged_message};
use super::worker::{Table, Worker};
use crate::checks::CheckStage;
use crate::fleet::FleetLink;
use crate::site_queue::SiteQueue;

/// The fewest plies of an opening for testing whether a program reads it.
const MIN_TRIED_PLIES: u32 = 3;

impl Worker {
    /// The fleet, if a program in this language can be played there but not here.
    fn elsewhere(&self, language: Language) -> Option<Arc<FleetLink>> {
        let here = matches!(self.table, Table::Fleet(_)) || toolchain::compiler(language).is_ok();
        self.site.fleet.link().filter(|_| !here && self.site.fleet.runs(language))
    }

    pub(super) fn check(&self, version: &SiteVersion) -> Result<(), PlayError> {
        let site = &self.site;
        let (program, source) = {
            let store = site.writer();
            (store.program(version.program)?, store.source(version.id)?)
        };
        // Deleted meanwhile: there is nothing left to settle.
        let (Some(program), Some(source)) = (program, source) else { return Ok(()) };
        let Some(competition) = site.competition(program.competition) else { return Ok(()) };
        let opponent = site.writer().builtin(competition.id, builtins::weakest(competition.game))?;
        let Some(opponent) = opponent else { return Ok(()) };
        let terms = BoutTerms::of_competition(site, &competition, secret::number() >> 1);
        let elsewhere = self.elsewhere(version.language);
        let place = elsewhere.as_ref().map_or_else(|| self.place(), |link| BoutPlace::Fleet(&link.queue));
        let settle =
            |found: Result<(), CheckMessage>, bout| site.writer().settle_submission(version.id, found, bout, now());
        site.set_stage(version.id, Some(CheckStage::Compiling));
        let label = format!("{} v{}", program.name, version.number);
        let own = match submitted(site, place, &terms, version.id, version.language, &source, label) {
            // A language that is not offered here is no failure of the judge.
            Err(PlayError::Agent(error @ AgentError::NoCompiler { .. })) => {
                return Ok(settle(Err(error.to_string().as_str().into()), None)?);
            }
            own => own?,
        };
        if let Some(fault) = own.fault() {
            return Ok(settle(Err(judged_message(&AgentVerdict::from(Some(fault.clone())))), None)?);
        }
        let other = builtin(place, &terms, &opponent.name)?;
        let seats = [(program.id, Some(version.number)), (opponent.id, None)];
        let shown = |news| {
            let stage = match news {
                BoutNews::Entered(_) => CheckStage::HandedOut,
                BoutNews::Begun(bout) => CheckStage::Playing(bout),
            };
            site.set_stage(version.id, Some(stage));
        };
        let (bout, record) = match play(site, place, BoutKind::Check, &terms, seats, [&own, &other], shown) {
            Err(PlayError::DoesNotCompile(message)) => return Ok(settle(Err(message), None)?),
            // It may be what kills the workers, or they were ended one after the other.
            Err(PlayError::GivenUp(_)) => {
                let why = Stated::from(&Abandoned::HandedOut { times: MAX_DELIVERIES });
                return Ok(site.writer().give_up_check(version.id, &[why].into_iter().collect(), None, now())?);
            }
            played => played?,
        };
        let judged = &record.result.verdicts[0];
        let rehearsed = || match judged.verdict {
            Verdict::Interrupted => Err(PlayError::Undecided(judged_message(judged))),
            Verdict::Ok => {
                let found = rehearse(&own, &terms)?;
                if found.is_ok() {
                    self.note_reads_openings(version.id, &own, &other, &terms, seats)?;
                }
                Ok(found)
            }
            verdict => {
                let message = headlined(judged_message(judged), verdict);
                let message = message.lines.into_iter().chain(where_it_failed(&own, &terms, &record)).collect();
                Ok(Err(Rehearsed { message, game: None }))
            }
        };
        let Rehearsed { message, game } = match rehearsed() {
            Ok(Ok(())) => return Ok(settle(Ok(()), Some(bout))?),
            Ok(Err(found)) => found,
            // After some tries it is abandoned, and other work continues.
            Err(PlayError::Undecided(why)) => {
                let why = headlined(why, Verdict::Interrupted);
                return Ok(site.writer().give_up_check(version.id, &why, Some(bout), now())?);
            }
            Err(error) => return Err(error),
        };
        // Its author is shown the game in which it failed, not the one before.
        let failed = match game {
            Some(game) => keep_failed(site, &terms, (&program, version), &opponent, *game)?,
            None => None,
        };
        Ok(settle(Err(message), failed.or(Some(bout)))?)
    }

    /// Finds out whether a version reads OPENING lines: on another machine by a game that begins with some.
    fn note_reads_openings(
        &self,
        version: i64,
        own: &SitePlayer,
        other: &SitePlayer,
        terms: &BoutTerms,
        seats: [(i64, Option<u32>); 2],
    ) -> Result<(), PlayError> {
        let site = &self.site;
        let reads = match own {
            SitePlayer::Here { agent, .. } => reads_openings(agent, terms)?,
            SitePlayer::Away(_) if terms.game.has_openings() => {
                let plies = terms.game.openings.usual_plies.max(MIN_TRIED_PLIES);
                let seed = terms.setup.seed;
                let moves = openings::draw(terms.game, &terms.setup.parameters, plies, seed)?;
                let opening = [(openings::PARAMETER.to_owned(), moves)].into();
                let competition = site.competition(terms.competition).ok_or(PlayError::Stopped)?;
                let opened = BoutTerms::of_competition(site, &competition, seed).opened(opening);
                let elsewhere = site.fleet.link();
                let place = elsewhere.as_ref().map_or_else(|| self.place(), |link| BoutPlace::Fleet(&link.queue));
                let (_, record) = play(site, place, BoutKind::Check, &opened, seats, [own, other], |_| {})?;
                let judged = &record.result.verdicts[0];
                if judged.is_of_machine() {
                    return Err(PlayError::Undecided(judged.lines().into_iter().collect()));
                }
                judged.verdict == Verdict::Ok
            }
            SitePlayer::Away(_) => false,
        };
        Ok(site.writer().note_reads_openings(version, reads)?)
    }
}

/// Stores the game in which a program failed its check. An opponent of the check's own has the row of the weakest
/// built-in player, and its name.
fn keep_failed(
    site: &Arc<SiteQueue>,
    terms: &BoutTerms,
    (program, version): (&SiteProgram, &SiteVersion),
    weakest: &SiteProgram,
    mut record: Record,
) -> Result<Option<i64>, PlayError> {
    let (mut seats, mut stand_in) = ([(weakest.id, None); 2], None);
    for (agent, seat) in record.header.agents.iter_mut().zip(&mut seats) {
        if agent.is_program() {
            // Against itself it has both seats.
            agent.agent = format!("{} v{}", program.name, version.number);
            *seat = (program.id, Some(version.number));
        } else if let Some(opponent) = site.writer().builtin(terms.competition, &agent.agent)? {
            *seat = (opponent.id, None);
        } else {
            stand_in = Some(agent.agent.clone());
        }
    }
    keep(site, terms, seats, stand_in.as_deref(), record)
}

/// The message with the verdict before its reason.
fn headlined(mut message: CheckMessage, verdict: Verdict) -> CheckMessage {
    if let Some(reason) = message.lines.first_mut() {
        *reason = Stated::from(&Headline::Fault { verdict, reason: reason.clone() });
    }
    message
}
