//! The trial of a source that is not submitted: the check, and a game against a level, which no one else sees.

use std::sync::Arc;
use std::time::Duration;

use agon_arena::agents::PreparedAgent;
use agon_arena::bot_check::CheckPlace;
use agon_arena::game::Bout;
use agon_arena::transcript::{self, without_cache};
use agon_catalog::SetupError;
use agon_message::Stated;
use agon_referee::agent::AgentError;
use agon_referee::bout::Afterwards;
use agon_referee::record::Record;
use agon_site::secret;
use agon_site::store::BoutKind;

use super::game::{BoutPlace, SitePlayer, builtin, submitted};
use super::rehearsal::check;
use super::slices::{Pauses, Sliced};
use super::terms::{BoutTerms, PlayError};
use crate::site_queue::SiteQueue;
use crate::trials::{OWN_NAME, TrialFound, TrialGame, TrialSource};

/// The number of a source that is not a version.
const NO_VERSION: i64 = 0;

/// Tries the next source that waits, if there is one.
pub(super) fn try_next(site: &Arc<SiteQueue>, pauses: Option<&dyn Pauses>) -> bool {
    let Some((word, source)) = site.trials.take() else { return false };
    let found = tried(site, &source, pauses).unwrap_or_else(|error| {
        tracing::warn!("a source was not tried: {error}");
        TrialFound::Refused(without_cache(&error.to_string()).into())
    });
    site.trials.settle(&word, found);
    true
}

fn tried(site: &Arc<SiteQueue>, source: &TrialSource, pauses: Option<&dyn Pauses>) -> Result<TrialFound, PlayError> {
    let Some(competition) = site.competition(source.competition) else {
        return Ok(TrialFound::Refused(Stated::default()));
    };
    let terms = BoutTerms::of_competition(site, &competition, secret::number() >> 1);
    let place = BoutPlace::Here { apart: None, pauses };
    let own = submitted(site, place, &terms, NO_VERSION, source.language, &source.source, OWN_NAME.to_owned());
    let own = match own {
        Err(PlayError::Agent(error @ AgentError::NoCompiler { .. })) => {
            return Ok(TrialFound::Refused(error.to_string().into()));
        }
        own => own?,
    };
    let SitePlayer::Here { agent: own, source: _source, .. } = own else {
        return Ok(TrialFound::Refused(Stated::default()));
    };
    if let Some(fault) = own.fault() {
        return Ok(TrialFound::Refused(fault.reason.map_texts(&|text| without_cache(text))));
    }
    let check = Box::new(check(&own, &terms)?);
    let game = match &source.rival {
        Some(rival) => Some(Box::new(game((place, site.options.slice), &terms, &own, rival)?)),
        None => None,
    };
    Ok(TrialFound::Checked { check, game })
}

/// A game in which the author's program has the first seat.
fn game(
    (place, slice): (BoutPlace, Duration),
    terms: &BoutTerms,
    own: &PreparedAgent,
    rival: &str,
) -> Result<TrialGame, PlayError> {
    let (BoutPlace::Here { pauses, .. }, SitePlayer::Here { agent: other, .. }) =
        (place, builtin(place, terms, rival)?)
    else {
        return Err(PlayError::Interrupted("its rival is elsewhere".to_owned()));
    };
    let broken = |error: SetupError| PlayError::Interrupted(error.to_string());
    let agents = [own, &*other];
    let mut record = agon_arena::game::play_until_judged(|| -> Result<Record, PlayError> {
        let mut bout = Bout::new(terms.game, terms.setup.clone(), terms.limits).map_err(broken)?;
        let mut seats = bout.seats(agents, None)?;
        // It has the priority of checks.
        let mut unseen = Sliced::new((), BoutKind::Check, bout.state().interaction(), slice, pauses);
        Ok(bout.play(agents, &mut seats, Afterwards::Exit, &mut unseen))
    })?;
    for (note, name) in record.header.agents.iter_mut().zip([OWN_NAME, rival]) {
        name.clone_into(&mut note.agent);
    }
    let (start, moves) = transcript::replayed(&record).map_err(PlayError::Interrupted)?;
    // The author is the one who looks.
    let open = [true, true];
    let failures = transcript::failures(&record, start.as_ref(), open, CheckPlace::Site);
    let drawn = transcript::game(&record, start.as_ref(), &moves, &failures, open)
        .map_err(|error| PlayError::Interrupted(error.to_string()))?;
    Ok(TrialGame { drawn, reason: record.result.reason })
}
