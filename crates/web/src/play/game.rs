//! One game on the site, from its programs to its row in the store.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::game::Bout;
use agon_arena::store::StoreError;
use agon_arena::store::site::{NewBout, PlayedBout};
use agon_game::Side;
use agon_referee::agent::{AgentError, Language};
use agon_referee::bout::Afterwards;
use agon_referee::process::ProcessorSet;
use agon_referee::record::Record;
use agon_referee::verdict::Verdict;
use agon_rules::catalog::{Game, Setup};
use serde_json::{Value, json};

use crate::clock::now;
use crate::site::Site;
use crate::viewer;

/// A game that could not be played, by no fault of its programs.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PlayError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error("cannot write the source: {0}")]
    Source(std::io::Error),
    #[error("the game was broken off: {0}")]
    Interrupted(String),
}

/// A program that can sit down, and the name under which everybody sees it.
pub struct SitePlayer {
    /// The program itself.
    pub agent: PreparedAgent,
    /// Its name, with the number of its version.
    pub label: String,
}

/// Makes a built-in player ready.
///
/// # Errors
/// [`AgentError`] when there is none of that name.
pub fn builtin(site: &Site, game: Game, name: &str) -> Result<SitePlayer, PlayError> {
    let agent = PreparedAgent::prepare(agents::read(game, name)?, &site.options.limits)?;
    Ok(SitePlayer { agent, label: name.to_owned() })
}

/// Compiles a source, or finds it compiled before. One that does not compile is a player that loses.
///
/// # Errors
/// [`PlayError`] when it cannot even be tried.
pub fn submitted(
    site: &Site,
    game: Game,
    version: i64,
    language: Language,
    source: &str,
    label: String,
) -> Result<SitePlayer, PlayError> {
    let file = SourceFile::write(site, version, source)?;
    let text = format!("{language}:{}", file.0.display());
    let agent = PreparedAgent::prepare(agents::read(game, &text)?, &site.options.limits)?;
    Ok(SitePlayer { agent, label })
}

/// A source while it is compiled. What is compiled lies in the cache afterwards, under its content.
struct SourceFile(PathBuf);

impl SourceFile {
    fn write(site: &Site, version: i64, source: &str) -> Result<Self, PlayError> {
        let folder = site.options.data.join("compiling");
        fs::create_dir_all(&folder).map_err(PlayError::Source)?;
        // Two workers may need the same version at once.
        let file = Self(folder.join(format!("{version}-{:?}", std::thread::current().id())));
        fs::write(&file.0, source).map_err(PlayError::Source)?;
        Ok(file)
    }
}

impl Drop for SourceFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Plays a game from beginning to end, shown live, and stores it. `begun` is told its number as soon as it has one.
///
/// # Errors
/// [`PlayError`] when it was broken off; then it is as if it had not been begun.
pub fn play(
    site: &Arc<Site>,
    new: &NewBout,
    players: [&SitePlayer; 2],
    apart: Option<&[ProcessorSet; 2]>,
    begun: impl FnOnce(i64),
) -> Result<(i64, Record), PlayError> {
    let id = site.writer().begin_bout(new, now())?;
    begun(id);
    let result = referee(site, id, new, players, apart);
    match result {
        Ok((record, outcome)) => {
            site.live.end(id, Some(&outcome));
            Ok((id, record))
        }
        Err(error) => {
            site.live.end(id, None);
            site.writer().abandon_bout(id)?;
            Err(error)
        }
    }
}

fn referee(
    site: &Arc<Site>,
    id: i64,
    new: &NewBout,
    players: [&SitePlayer; 2],
    apart: Option<&[ProcessorSet; 2]>,
) -> Result<(Record, Value), PlayError> {
    let limits = site.options.limits;
    let setup = Setup { seed: new.seed, ..Setup::default() };
    let mut bout = Bout::new(new.game, setup, limits).map_err(|error| PlayError::Interrupted(error.to_string()))?;
    let agents = players.map(|player| &player.agent);
    let names = players.map(|player| player.label.clone());
    let facts = vec![viewer::limits(&limits, bout.contest().interaction())];
    let mut show = site.live.begin(id, new.game, names, facts);
    let mut seats = bout.seats(agents, apart)?;
    let mut record = bout.play(agents, &mut seats, Afterwards::Exit, &mut show);
    let interrupted = Side::BOTH.map(|side| record.result.verdicts[side.index()].verdict == Verdict::Interrupted);
    if interrupted != [false; 2] {
        return Err(PlayError::Interrupted(record.result.reason));
    }
    // The agent's text is a path on this machine, and means nothing to anybody else.
    for (note, player) in record.header.agents.iter_mut().zip(players) {
        note.agent.clone_from(&player.label);
    }
    let outcome = viewer::result(&record, bout.contest().seats());
    let result = &record.result;
    let played = PlayedBout {
        winner: result.winner,
        reason: result.reason.clone(),
        verdicts: result.verdicts.each_ref().map(|judged| judged.verdict),
        plies: result.plies,
        time_ms: result.time_ms,
        record: record.write(),
    };
    site.writer().end_bout(id, &played, now())?;
    Ok((record, json!({ "result": outcome })))
}
