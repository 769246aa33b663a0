//! One game on the site, from its programs to its row in the store.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::game::Bout;
use agon_arena::openings::{self, OpeningError};
use agon_arena::plan::Plan;
use agon_arena::store::StoreError;
use agon_arena::store::site::{BoutKind, NewBout, PlayedBout, SiteContest};
use agon_game::Side;
use agon_referee::agent::{AgentError, Language};
use agon_referee::bout::Afterwards;
use agon_referee::limits::GameLimits;
use agon_referee::process::ProcessorSet;
use agon_referee::record::Record;
use agon_referee::verdict::Verdict;
use agon_rules::catalog::{Game, Setup, SetupError};
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
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error("cannot write the source: {0}")]
    Source(std::io::Error),
    #[error("the game was broken off: {0}")]
    Interrupted(String),
}

/// What is played, and under which limits.
pub struct BoutTerms {
    /// The contest.
    pub contest: i64,
    /// Its game.
    pub game: Game,
    /// Its parameters, with the opening of this game if there is one, and the seed.
    pub setup: Setup,
    /// Its limits.
    pub limits: GameLimits,
}

impl BoutTerms {
    /// Those of a game of a contest.
    ///
    /// # Errors
    /// [`PlayError::Opening`] when no opening can be drawn.
    pub fn of_contest(site: &Site, contest: &SiteContest, seed: u64) -> Result<Self, PlayError> {
        let mut parameters = contest.parameters.clone();
        if contest.openings > 0 {
            let opening = openings::draw(contest.game, &parameters, contest.openings, seed)?;
            parameters.insert(openings::PARAMETER.to_owned(), opening);
        }
        let limits = contest.limits(site.options.limits);
        Ok(Self { contest: contest.id, game: contest.game, setup: Setup { seed, parameters }, limits })
    }

    /// Those of a game of a final.
    ///
    /// # Errors
    /// [`PlayError::Opening`] when no opening can be drawn.
    pub fn of_plan(contest: i64, plan: &Plan, seed: u64) -> Result<Self, PlayError> {
        Ok(Self { contest, game: plan.game, setup: openings::setup(plan, seed)?, limits: plan.limits })
    }
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
pub fn builtin(terms: &BoutTerms, name: &str) -> Result<SitePlayer, PlayError> {
    let agent = PreparedAgent::prepare(agents::read(terms.game, name)?, &terms.limits)?;
    Ok(SitePlayer { agent, label: name.to_owned() })
}

/// Compiles a source, or finds it compiled before. One that does not compile is a player that loses.
///
/// # Errors
/// [`PlayError`] when it cannot even be tried.
pub fn submitted(
    site: &Site,
    terms: &BoutTerms,
    version: i64,
    language: Language,
    source: &str,
    label: String,
) -> Result<SitePlayer, PlayError> {
    let file = SourceFile::write(site, version, source)?;
    let text = format!("{language}:{}", file.0.display());
    let agent = PreparedAgent::prepare(agents::read(terms.game, &text)?, &terms.limits)?;
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
    kind: BoutKind,
    terms: &BoutTerms,
    seats: [(i64, Option<u32>); 2],
    players: [&SitePlayer; 2],
    apart: Option<&[ProcessorSet; 2]>,
    begun: impl FnOnce(i64),
) -> Result<(i64, Record), PlayError> {
    let new = NewBout { contest: terms.contest, kind, seed: terms.setup.seed, seats };
    let id = site.writer().begin_bout(&new, now())?;
    begun(id);
    let result = referee(site, id, terms, players, apart);
    site.metrics.game_ended(terms.game, kind, result.is_ok());
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
    terms: &BoutTerms,
    players: [&SitePlayer; 2],
    apart: Option<&[ProcessorSet; 2]>,
) -> Result<(Record, Value), PlayError> {
    let BoutTerms { game, setup, limits, .. } = terms;
    let broken = |error: SetupError| PlayError::Interrupted(error.to_string());
    let mut bout = Bout::new(*game, setup.clone(), *limits).map_err(broken)?;
    let agents = players.map(|player| &player.agent);
    let names = players.map(|player| player.label.clone());
    let facts = vec![viewer::limits(limits, bout.contest().interaction())];
    let mut show = site.live.begin(id, *game, names, facts);
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
