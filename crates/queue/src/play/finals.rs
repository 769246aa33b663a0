//! Games of finals.

use agon_site::clock::now;
use agon_site::finals::{self, FinalStep};
use agon_site::store::{BoutKind, FinalState, NewBout, SiteProgram, SiteVersion};

use super::game::{builtin, play};
use super::terms::{BoutTerms, PlayError};
use super::worker::Worker;

impl Worker {
    /// Plays the next game of the running finals; returns whether there was one to play.
    pub(super) fn of_final(&self) -> Result<bool, PlayError> {
        let site = &self.site;
        // Held until the game has a row, so that two workers do not choose the same.
        let mut choosing = Some(site.choosing());
        let all = site.writer().running_finals()?;
        let mut found = None;
        // One that waits for the last games of a round holds up no other.
        for one in all.into_iter().filter(|one| !site.competitions.lacks_rules(one.competition)) {
            let bouts = site.writer().final_bouts(one.id)?;
            match finals::next(&one.plan, &bouts) {
                FinalStep::Play(slot) => {
                    found = Some((one, slot));
                    break;
                }
                FinalStep::Wait => {}
                FinalStep::Done => {
                    site.writer().end_final(one.id, FinalState::Complete)?;
                    site.announce_change();
                    return Ok(true);
                }
            }
        }
        let Some((one, slot)) = found else { return Ok(false) };
        let terms = BoutTerms::of_plan(one.competition, &one.plan, &slot)?;
        let entered = |side: usize| -> Result<_, PlayError> {
            let agent = &one.plan.agents[slot.seats[side]].agent;
            let store = site.writer();
            let Ok(id) = agent.parse() else {
                return Ok(store.builtin(one.competition, agent)?.map(|found| (found, None)));
            };
            let Some(version) = store.version(id)? else { return Ok(None) };
            Ok(store.program(version.program)?.map(|program| (program, Some(version))))
        };
        let stop = || -> Result<bool, PlayError> {
            tracing::warn!(id = one.id, "a final is stopped: one of its programs is not known");
            site.writer().end_final(one.id, FinalState::Stopped)?;
            Ok(true)
        };
        let found = [entered(0)?, entered(1)?];
        let gone = found.each_ref().map(Option::is_none);
        if (0..2).any(|side| gone[side] && one.is_builtin(slot.seats[side])) {
            return stop();
        }
        let out = found.each_ref().map(|found| found.as_ref().is_none_or(|(program, _)| !program.may_play()));
        let [Some(first), Some(second)] = found else {
            // The others play on when a participant deletes an account.
            site.writer().forfeit_slot(one.id, slot.number, out)?;
            site.announce_change();
            return Ok(true);
        };
        let kind = BoutKind::Final { id: one.id, slot: slot.number };
        if out != [false; 2] {
            // Frozen or disqualified since it began: the rest of its games is forfeited.
            let number = |version: &SiteVersion| version.number;
            let seats = [&first, &second].map(|(program, version)| (program.id, version.as_ref().map(number)));
            let new = NewBout { competition: one.competition, kind, seed: slot.seed, seats };
            site.writer().forfeit_bout(&new, out, now())?;
            site.announce_change();
            return Ok(true);
        }
        let seated = |(program, version): &(SiteProgram, Option<SiteVersion>)| match (version, &program.builtin) {
            (Some(version), _) => self.version(&terms, version.id),
            (None, Some(name)) => Ok(Some((program.id, 0, builtin(self.place(), &terms, name)?))),
            (None, None) => Ok(None),
        };
        let (Some(first), Some(second)) = (seated(&first)?, seated(&second)?) else { return stop() };
        let numbers = [first.1, second.1].map(|number| Some(number).filter(|number| *number > 0));
        let seats = [(first.0, numbers[0]), (second.0, numbers[1])];
        play(site, self.place(), kind, &terms, seats, [&first.2, &second.2], |_| drop(choosing.take()))?;
        // Others may have waited for this one.
        site.announce_change();
        Ok(true)
    }
}
