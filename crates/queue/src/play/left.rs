//! Games that an earlier process had handed to the fleet.

use agon_site::finals::{self};
use agon_site::store::{BoutKind, SiteBout};

use super::game::{builtin, play_entered};
use super::terms::{BoutTerms, PlayError};
use super::worker::Worker;

impl Worker {
    /// Plays a game that an earlier process had handed to the fleet.
    pub(super) fn left(&self, bout: &SiteBout, seed: u64) -> Result<(), PlayError> {
        let site = &self.site;
        let terms = match bout.kind {
            BoutKind::Final { id, slot } => {
                let found = site.look(|store| {
                    let Some(one) = store.final_by_id(id)? else { return Ok(None) };
                    let slot = finals::slot(&one.plan, &store.final_bouts(id)?, slot);
                    Ok(slot.map(|slot| (one, slot)))
                })?;
                found.map(|(one, slot)| BoutTerms::of_plan(bout.competition, &one.plan, &slot)).transpose()?
            }
            _ => match (site.competition(bout.competition), site.writer().opening_of(bout.id)?) {
                (Some(competition), Some(opening)) => {
                    Some(BoutTerms::of_competition(site, &competition, seed).opened(opening))
                }
                (Some(competition), None) => {
                    Some(BoutTerms::of_competition(site, &competition, seed).begun_before(&competition)?)
                }
                (None, _) => None,
            },
        };
        let Some(terms) = terms else { return Ok(site.writer().abandon_bout(bout.id)?) };
        for seat in &bout.seats {
            // Frozen or disqualified meanwhile; a final's game is forfeited when it is chosen again.
            if site.writer().program(seat.program)?.is_some_and(|program| !program.may_play()) {
                return Ok(site.writer().abandon_bout(bout.id)?);
            }
        }
        let seated = |side: usize| -> Result<_, PlayError> {
            let seat = &bout.seats[side];
            let Some(number) = seat.version else { return builtin(self.place(), &terms, &seat.name).map(Some) };
            let versions = site.writer().versions(seat.program)?;
            let Some(version) = versions.iter().find(|version| version.number == number) else { return Ok(None) };
            Ok(self.version(&terms, version.id)?.map(|(.., player)| player))
        };
        // Deleted meanwhile.
        let (Some(first), Some(second)) = (seated(0)?, seated(1)?) else {
            return Ok(site.writer().abandon_bout(bout.id)?);
        };
        play_entered(site, self.place(), bout.id, bout.kind, &terms, [&first, &second], &mut |_| {})?;
        site.announce_change();
        Ok(())
    }
}
