//! One game on the site, from its programs to its row in the store.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use agon_analysis::game_log::write_message;
use agon_arena::agents::PreparedAgent;
use agon_arena::game::Bout;
use agon_arena::summary::game_digest;
use agon_arena::transcript;
use agon_catalog::{Game, Setup, SetupError};
use agon_fleet::{FleetPlayer, GameQueue};
use agon_game::Side;
use agon_message::Stated;
use agon_referee::agent::{AgentSpec, Language, PackedFolder};
use agon_referee::bout::Afterwards;
use agon_referee::limits::GameLimits;
use agon_referee::process::ProcessorSet;
use agon_referee::record::Record;
use agon_referee::replay::{self, ReplayError};
use agon_referee::verdict::{Fault, Verdict};
use agon_site::clock::now;
use agon_site::store::{BoutKind, NewBout, PlayedBout};
use serde_json::{Value, json};

use super::away;
use super::slices::{Pauses, Sliced};
use super::terms::{BoutTerms, PlayError, judged_message};
use crate::site_queue::SiteQueue;

/// Where a game is played.
#[derive(Clone, Copy)]
pub(super) enum BoutPlace<'a> {
    Here {
        /// The separate processors of each side, if there are any.
        apart: Option<&'a [ProcessorSet; 2]>,
        /// Plays something else while a long game rests.
        pauses: Option<&'a dyn Pauses>,
    },
    Fleet(&'a GameQueue),
}

/// A program that can sit down.
pub(super) enum SitePlayer {
    Here {
        agent: Box<PreparedAgent>,
        /// The name under which everybody sees it, with the number of its version.
        label: String,
        /// The file it was compiled from, for a build that shows where it crashes.
        source: Option<SourceFile>,
    },
    /// On another machine, which is going to compile it.
    Away(FleetPlayer),
}

impl SitePlayer {
    /// Why it does not compile, if that is known.
    pub(super) const fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Here { agent, .. } => agent.fault(),
            Self::Away(_) => None,
        }
    }
}

/// Makes a built-in player ready.
///
/// # Errors
/// [`PlayError`] when none has that name.
pub(super) fn builtin(place: BoutPlace, terms: &BoutTerms, name: &str) -> Result<SitePlayer, PlayError> {
    match place {
        BoutPlace::Here { .. } => {
            let agent = Box::new(PreparedAgent::prepare(terms.game, AgentSpec::builtin(name), &terms.limits)?);
            Ok(SitePlayer::Here { agent, label: name.to_owned(), source: None })
        }
        BoutPlace::Fleet(_) => Ok(SitePlayer::Away(FleetPlayer::Builtin(name.to_owned()))),
    }
}

/// Compiles a source, or finds an earlier build; for the fleet it is compiled where it is played. One that does not
/// compile becomes a player that loses.
///
/// # Errors
/// [`PlayError`] when it cannot even be tried.
pub(super) fn submitted(
    site: &SiteQueue,
    place: BoutPlace,
    terms: &BoutTerms,
    version: i64,
    language: Language,
    source: &str,
    label: String,
) -> Result<SitePlayer, PlayError> {
    if let BoutPlace::Fleet(_) = place {
        return Ok(SitePlayer::Away(FleetPlayer::Program { label, language, source: source.to_owned() }));
    }
    let file = SourceFile::write(site, version, source)?;
    let agent = Box::new(file.compiled(terms.game, &terms.limits, language)?);
    Ok(SitePlayer::Here { agent, label, source: Some(file) })
}

/// A source prepared on this machine.
///
/// # Errors
/// [`PlayError`] when it cannot even be tried.
pub fn compiled(
    site: &SiteQueue,
    game: Game,
    limits: &GameLimits,
    version: i64,
    language: Language,
    source: &str,
) -> Result<PreparedAgent, PlayError> {
    SourceFile::write(site, version, source)?.compiled(game, limits, language)
}

/// A source while it is compiled: a file, or a folder. The compiled program is in the cache afterwards, under its
/// content.
pub(super) struct SourceFile {
    /// What is removed afterwards.
    kept: PathBuf,
    /// What is compiled: the same, or the folder in it.
    path: PathBuf,
}

impl SourceFile {
    fn write(site: &SiteQueue, version: i64, source: &str) -> Result<Self, PlayError> {
        let folder = &site.options.compiling;
        fs::create_dir_all(folder).map_err(PlayError::Source)?;
        // Two workers may need the same version at once.
        let kept = folder.join(format!("{version}-{:?}", std::thread::current().id()));
        let mut file = Self { path: kept.clone(), kept };
        match PackedFolder::unpack(source) {
            Some(several) => file.path = several.write(&file.kept).map_err(PlayError::Source)?,
            None => fs::write(&file.path, source).map_err(PlayError::Source)?,
        }
        Ok(file)
    }

    fn compiled(&self, game: Game, limits: &GameLimits, language: Language) -> Result<PreparedAgent, PlayError> {
        Ok(PreparedAgent::prepare(game, AgentSpec::source(language, self.path.clone()), limits)?)
    }
}

impl Drop for SourceFile {
    fn drop(&mut self) {
        let _ = if self.kept.is_dir() { fs::remove_dir_all(&self.kept) } else { fs::remove_file(&self.kept) };
    }
}

/// How far a game has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoutNews {
    Entered(i64),
    /// Its programs have started or are starting.
    Begun(i64),
}

/// Plays a game from beginning to end, shown live, and stores it. `news` hears how far it has come.
///
/// # Errors
/// [`PlayError`] when it was broken off; then it is as if it had not been begun.
pub(super) fn play(
    site: &Arc<SiteQueue>,
    place: BoutPlace,
    kind: BoutKind,
    terms: &BoutTerms,
    seats: [(i64, Option<u32>); 2],
    players: [&SitePlayer; 2],
    mut news: impl FnMut(BoutNews),
) -> Result<(i64, Record), PlayError> {
    let new = NewBout { competition: terms.competition, kind, seed: terms.setup.seed, seats };
    let id = {
        let mut store = site.writer();
        let id = store.begin_bout(&new, now())?;
        if let Some(opening) = &terms.opening {
            store.note_opening(id, opening)?;
        }
        id
    };
    site.note_change();
    news(BoutNews::Entered(id));
    Ok((id, play_entered(site, place, id, kind, terms, players, &mut news)?))
}

/// The same for a game that is already in the store.
///
/// # Errors
/// As [`play`].
pub(super) fn play_entered(
    site: &Arc<SiteQueue>,
    place: BoutPlace,
    id: i64,
    kind: BoutKind,
    terms: &BoutTerms,
    players: [&SitePlayer; 2],
    news: &mut dyn FnMut(BoutNews),
) -> Result<Record, PlayError> {
    let result = match (place, players) {
        (
            BoutPlace::Here { apart, pauses },
            [SitePlayer::Here { agent: one, label: first, .. }, SitePlayer::Here { agent: other, label: second, .. }],
        ) => {
            news(BoutNews::Begun(id));
            referee(site, (id, kind), terms, [one, other], [first, second], (apart, pauses))
                .map(|record| (record, None))
        }
        (BoutPlace::Fleet(queue), [SitePlayer::Away(first), SitePlayer::Away(second)]) => {
            let check = kind == BoutKind::Check;
            let begun = &mut || news(BoutNews::Begun(id));
            let played = away::play(site, queue, id, terms, [first, second], check, begun);
            played.map(|(record, receipt)| (record, Some((queue, receipt))))
        }
        _ => Err(PlayError::Interrupted("its players are not where it is played".to_owned())),
    };
    let stored = result.and_then(|(record, receipt)| {
        let worker = receipt.as_ref().map(|(_, receipt)| receipt.worker().to_owned());
        Ok((store(site, id, kind, terms, record, worker)?, receipt))
    });
    // The fleet's games are awaited again after the next start.
    if !matches!(stored, Err(PlayError::Stopped)) {
        (site.on_end)(terms.game, kind, stored.is_ok());
        site.note_change();
    }
    match stored {
        Ok(((record, outcome), receipt)) => {
            if let Some((queue, receipt)) = receipt {
                queue.stored(receipt);
            }
            site.live.end(id, Some(&outcome));
            Ok(record)
        }
        Err(error) => {
            site.live.end(id, None);
            if !matches!(error, PlayError::Stopped) {
                site.writer().abandon_bout(id)?;
            }
            Err(error)
        }
    }
}

fn referee(
    site: &Arc<SiteQueue>,
    (id, kind): (i64, BoutKind),
    terms: &BoutTerms,
    agents: [&PreparedAgent; 2],
    labels: [&String; 2],
    (apart, pauses): (Option<&[ProcessorSet; 2]>, Option<&dyn Pauses>),
) -> Result<Record, PlayError> {
    let BoutTerms { game, setup, limits, .. } = terms;
    let broken = |error: SetupError| PlayError::Interrupted(error.to_string());
    let mut record = agon_arena::game::play_until_judged(|| -> Result<Record, PlayError> {
        let mut bout = Bout::new(*game, setup.clone(), *limits).map_err(broken)?;
        let interaction = bout.state().interaction();
        let facts = vec![Stated::from(&transcript::limits(limits, interaction))];
        let show = site.live.begin(id, *game, labels.map(String::clone), facts);
        let mut show = Sliced::new(show, kind, interaction, site.options.slice, pauses);
        let mut seats = bout.seats(agents, apart)?;
        Ok(bout.play(agents, &mut seats, Afterwards::Exit, &mut show))
    })?;
    // The agent's text is a path on this machine and means nothing elsewhere.
    for (note, label) in record.header.agents.iter_mut().zip(labels) {
        note.agent.clone_from(label);
    }
    Ok(record)
}

/// Stores a game of a check that no one has seen, as if it had just been played; its number, unless the record does not
/// hold.
///
/// # Errors
/// [`PlayError`] when the store cannot be written.
pub(super) fn keep(
    site: &Arc<SiteQueue>,
    terms: &BoutTerms,
    seats: [(i64, Option<u32>); 2],
    stand_in: Option<&str>,
    record: Record,
) -> Result<Option<i64>, PlayError> {
    let header = &record.header;
    let setup = Setup { seed: header.seed, parameters: header.parameters.clone() };
    let terms =
        BoutTerms { competition: terms.competition, game: terms.game, setup, limits: header.limits, opening: None };
    let new = NewBout { competition: terms.competition, kind: BoutKind::Check, seed: header.seed, seats };
    let id = {
        let mut store = site.writer();
        let id = store.begin_bout(&new, now())?;
        if let Some(name) = stand_in {
            store.note_stand_in(id, name)?;
        }
        id
    };
    let stored = store(site, id, BoutKind::Check, &terms, record, None);
    site.note_change();
    if let Err(error) = stored {
        tracing::warn!(id, "the failed game of a check is not shown: {error}");
        site.writer().abandon_bout(id)?;
        return Ok(None);
    }
    Ok(Some(id))
}

/// Stores a game that has ended: its record, and its result for those who watch it.
///
/// # Errors
/// [`PlayError`] when it does not count: it was aborted, or its record does not hold.
pub fn store(
    site: &Arc<SiteQueue>,
    id: i64,
    kind: BoutKind,
    terms: &BoutTerms,
    record: Record,
    worker: Option<String>,
) -> Result<(Record, Value), PlayError> {
    let result = &record.result;
    let is = |verdict: Verdict| Side::BOTH.map(|side| result.verdicts[side.index()].verdict == verdict);
    // A game that a busy machine left undecided to the end is stored as undecided and does not count: playing it again
    // and again would hold up everything else.
    if is(Verdict::Interrupted) != [false; 2] && !result.is_of_machine() {
        return Err(PlayError::Interrupted(record.result.reason.text));
    }
    if kind == BoutKind::Check && is(Verdict::Ce)[0] {
        return Err(PlayError::DoesNotCompile(judged_message(&result.verdicts[0])));
    }
    let mut state =
        terms.game.initial_state(&terms.setup).map_err(|error| PlayError::Interrupted(error.to_string()))?;
    let outcome = transcript::result(&record, state.seats());
    // Later readers need not prove it again; the fleet has proved the games that it has played.
    if worker.is_none() {
        let broken = |error: ReplayError| PlayError::Interrupted(format!("its record does not hold: {error}"));
        replay::prove(&record, state.as_mut()).map_err(broken)?;
    }
    let played = PlayedBout {
        winner: result.winner,
        reason: result.reason.clone(),
        verdicts: result.verdicts.each_ref().map(|judged| judged.verdict),
        plies: result.plies,
        time_ms: result.time_ms,
        record: record.write(),
        worker,
        game_digest: Some(game_digest(&record)),
    };
    if !site.writer().end_bout(id, &played, now())? && played.worker.is_some() {
        // Its programs were deleted meanwhile, or its worker has been found out.
        return Err(PlayError::Interrupted("its result counts no longer".to_owned()));
    }
    let mut end = json!({});
    write_message(&mut end, "result", &outcome);
    Ok((record, end))
}
