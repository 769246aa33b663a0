//! A pool: every saved version of a program, rated on one scale against opponents that stay.
//!
//! A pool is a folder: `pool.json` names the game, its terms, the versions and the opponents; `v3/` has the source of
//! version 3, which keeps playing after its author has changed it; `games.db` is a store with one match for every two
//! members that have met. Everything else follows from these, so a pool that is killed resumes where it was: it loses
//! only the games in progress.

mod choice;
mod standing;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use agon_catalog::Game;
use agon_jobs::file::{FileError, write_atomically};
use agon_referee::agent::sources::Sources;
use agon_referee::agent::{AgentError, AgentSpec};
use serde::{Deserialize, Serialize};

use crate::agents;
use crate::game::now;
use crate::plan::{Entrant, Plan, usual_openings};
use crate::store::{Store, StoreError};
use crate::tally::Tally;
pub use standing::{MemberStanding, Phase, PoolStanding, WeakSpot};

/// Maximum number of versions of a pool.
const MAX_VERSIONS: usize = 400;

/// A saved version of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Version {
    /// From 1.
    pub number: u32,
    /// The digest of its sources: see [`agents::fingerprint`].
    pub digest: String,
    /// When it was saved, in seconds since 1970 (UTC).
    pub saved: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// Its source in the pool's folder, from then on.
    pub source: PathBuf,
    /// The words before the agent and the arguments behind it, as the user gave them.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub before: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub arguments: Vec<String>,
    /// Whether it reads OPENING lines.
    pub openings: bool,
}

impl Version {
    /// `v3`
    pub fn name(&self) -> String {
        format!("v{}", self.number)
    }
}

/// An agent that versions play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opponent {
    pub name: String,
    /// The user's name for it; a source is copied into the pool's folder.
    pub agent: String,
    pub openings: bool,
}

/// The contents of `pool.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct PoolFile {
    /// A match without agents: the game and its terms.
    terms: Plan,
    versions: Vec<Version>,
    opponents: Vec<Opponent>,
}

/// A folder of versions and their games.
#[derive(Clone, PartialEq, Debug)]
pub struct Pool {
    folder: PathBuf,
    file: PoolFile,
}

#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    #[error("no pool in `{}`: create one with `agon pool add BOT --game GAME --against AGENT`", .0.display())]
    Missing(PathBuf),
    #[error("`{}` is a pool already", .0.display())]
    Exists(PathBuf),
    #[error("`{}` is not a pool: {source}", path.display())]
    Unreadable { path: PathBuf, source: serde_json::Error },
    #[error("`{agent}` is not a source file or a folder of them; a pool keeps the sources of its versions")]
    NoSource { agent: String },
    #[error("identical to v{0}, which is in the pool")]
    Known(u32),
    #[error("`{name}` is in the pool already")]
    KnownOpponent { name: String },
    #[error("the pool is full: {MAX_VERSIONS} versions")]
    Full,
    #[error("the pool has no opponents: name one with `agon pool against AGENT`")]
    NoOpponents,
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot write to the pool `{}`: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

impl Pool {
    /// Whether a folder contains a pool.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Begins a pool; `terms` is a match of any agents under its terms.
    ///
    /// # Errors
    /// [`PoolError::Exists`], or when the folder cannot be written.
    pub fn begin(folder: &Path, terms: &Plan) -> Result<Self, PoolError> {
        if Self::is_in(folder) {
            return Err(PoolError::Exists(folder.to_owned()));
        }
        fs::create_dir_all(folder).map_err(|source| PoolError::Write { path: folder.to_owned(), source })?;
        let terms = Plan { agents: Vec::new(), games: 0, test: None, ..terms.clone() };
        let folder = fs::canonicalize(folder).map_err(|source| PoolError::Write { path: folder.to_owned(), source })?;
        let pool = Self { folder, file: PoolFile { terms, versions: Vec::new(), opponents: Vec::new() } };
        // This comes before the file that makes it a pool, so that anyone who reads that file finds a complete store.
        drop(Store::open(&pool.store())?);
        pool.save()?;
        Ok(pool)
    }

    /// Reads the pool of a folder.
    ///
    /// # Errors
    /// [`PoolError::Missing`] or [`PoolError::Unreadable`].
    pub fn open(folder: &Path) -> Result<Self, PoolError> {
        let path = folder.join(FILE);
        let text = fs::read_to_string(&path).map_err(|_| PoolError::Missing(folder.to_owned()))?;
        let file = serde_json::from_str(&text).map_err(|source| PoolError::Unreadable { path, source })?;
        let folder = fs::canonicalize(folder).map_err(|_| PoolError::Missing(folder.to_owned()))?;
        Ok(Self { folder, file })
    }

    fn save(&self) -> Result<(), PoolError> {
        let text = serde_json::to_string_pretty(&self.file).expect("a pool can be written as JSON");
        Ok(write_atomically(&self.folder.join(FILE), text + "\n")?)
    }

    pub const fn game(&self) -> Game {
        self.file.terms.game
    }

    /// The match whose terms its games have.
    pub const fn terms(&self) -> &Plan {
        &self.file.terms
    }

    pub fn versions(&self) -> &[Version] {
        &self.file.versions
    }

    pub fn opponents(&self) -> &[Opponent] {
        &self.file.opponents
    }

    /// The file of the store of its games.
    pub fn store(&self) -> PathBuf {
        self.folder.join("games.db")
    }

    /// Saves the program as it is now as a new version; `openings` says whether it reads OPENING lines.
    ///
    /// # Errors
    /// [`PoolError::Known`] if it is already saved, [`PoolError::NoSource`] for a command.
    pub fn add(&mut self, agent: &str, note: Option<&str>, openings: bool) -> Result<&Version, PoolError> {
        let spec = agents::parse(self.game(), agent)?;
        let digest = agents::fingerprint(&spec)?;
        if let Some(known) = self.file.versions.iter().find(|version| version.digest == digest) {
            return Err(PoolError::Known(known.number));
        }
        if self.file.versions.len() == MAX_VERSIONS {
            return Err(PoolError::Full);
        }
        let number = self.file.versions.last().map_or(0, |last| last.number) + 1;
        let Some(source) = self.copied(&spec, &format!("v{number}"))? else {
            return Err(PoolError::NoSource { agent: agent.to_owned() });
        };
        let AgentSpec::Source { arguments, settings, .. } = spec else {
            return Err(PoolError::NoSource { agent: agent.to_owned() });
        };
        let (before, note) = (settings.to_string(), note.map(str::to_owned));
        self.file.versions.push(Version { number, digest, saved: now(), note, source, before, arguments, openings });
        self.save()?;
        Ok(&self.file.versions[self.file.versions.len() - 1])
    }

    /// Adds an opponent.
    ///
    /// # Errors
    /// [`PoolError::KnownOpponent`] when the name is taken.
    pub fn add_opponent(&mut self, agent: &str, openings: bool) -> Result<&Opponent, PoolError> {
        let named = agents::named(self.game(), agent)?;
        let name = named.terms.name.clone().unwrap_or_else(|| named.text.clone());
        if self.file.opponents.iter().any(|known| known.name == name) {
            return Err(PoolError::KnownOpponent { name });
        }
        let number = self.file.opponents.len() + 1;
        let agent = match (self.copied(&named.spec, &format!("opponent-{number}"))?, &named.spec) {
            (Some(source), AgentSpec::Source { language, arguments, settings, .. }) => {
                let (path, settings) = (self.folder.join(source), settings.clone());
                AgentSpec::Source { language: *language, path, arguments: arguments.clone(), settings }.to_string()
            }
            _ => named.text,
        };
        let openings = openings || matches!(named.spec, AgentSpec::Builtin { .. } | AgentSpec::Bridge { .. });
        self.file.opponents.push(Opponent { name, agent, openings });
        self.save()?;
        Ok(&self.file.opponents[self.file.opponents.len() - 1])
    }

    /// Copies the sources of an agent into a folder of the pool; where its file or folder is there, from the pool on.
    fn copied(&self, spec: &AgentSpec, name: &str) -> Result<Option<PathBuf>, PoolError> {
        let AgentSpec::Source { language, path, .. } = spec else { return Ok(None) };
        let own = path.file_name().map_or_else(|| "bot".into(), PathBuf::from);
        let place = PathBuf::from(name).join(own);
        let write = |file: &Path, text: &[u8]| {
            file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(file, text))
        };
        let to = self.folder.join(&place);
        let refused = |source| PoolError::Write { path: to.clone(), source };
        if path.is_dir() {
            // A package of Python has the folder's name in the names of its files.
            let sources = Sources::read(*language, path)?;
            let prefix = place.file_name().map(|name| format!("{}/", name.display())).unwrap_or_default();
            for (file, text) in &sources.files {
                let file = sources
                    .main
                    .strip_prefix(&prefix)
                    .map_or(file.as_str(), |_| file.strip_prefix(&prefix).unwrap_or(file));
                write(&to.join(file), text).map_err(refused)?;
            }
        } else {
            let text = fs::read(path).map_err(|source| AgentError::Unreadable { path: path.clone(), source })?;
            write(&to, &text).map_err(refused)?;
        }
        Ok(Some(place))
    }

    /// Number of members: versions first, then opponents.
    pub const fn members(&self) -> usize {
        self.file.versions.len() + self.file.opponents.len()
    }

    /// The name of a member: `v3`, or that of an opponent.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn name(&self, member: usize) -> String {
        match self.file.versions.get(member) {
            Some(version) => version.name(),
            None => self.file.opponents[member - self.file.versions.len()].name.clone(),
        }
    }

    fn entrant(&self, member: usize) -> Result<Entrant, AgentError> {
        let (agent, openings) = match self.file.versions.get(member) {
            Some(version) => {
                let path = self.folder.join(&version.source).display().to_string();
                let words: Vec<String> = [path].into_iter().chain(version.arguments.iter().cloned()).collect();
                let text = agon_referee::agent::settings::joined(&words);
                (format!("{}{text}", version.before), version.openings)
            }
            None => {
                let opponent = &self.file.opponents[member - self.file.versions.len()];
                (opponent.agent.clone(), opponent.openings)
            }
        };
        let mut entrant = Entrant::read(&agent, self.game())?.named(self.name(member));
        entrant.openings |= openings;
        Ok(entrant)
    }

    /// The match of two members, of this many games.
    ///
    /// # Errors
    /// [`AgentError`] when one of them cannot be read.
    pub fn plan(&self, members: [usize; 2], games: u32) -> Result<Plan, AgentError> {
        let agents = vec![self.entrant(members[0])?, self.entrant(members[1])?];
        let terms = &self.file.terms;
        let openings = if terms.openings == 0 { usual_openings(terms.game, &agents) } else { terms.openings };
        Ok(Plan { agents, games, openings, ..terms.clone() })
    }

    /// All games of the pool.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn standing(&self) -> Result<PoolStanding, PoolError> {
        let mut met = BTreeMap::new();
        let path = self.store();
        if path.is_file() {
            let names: BTreeMap<String, usize> = (0..self.members()).map(|at| (self.name(at), at)).collect();
            let store = Store::read(&path)?;
            let (runs, _) = store.runs()?;
            for run in &runs {
                let members: Vec<usize> =
                    run.plan.agents.iter().filter_map(|it| names.get(&it.name).copied()).collect();
                let [a, b] = members[..] else { continue };
                let (bouts, _) = store.readable(run.id)?;
                let known = met.get(&[a, b]).is_some_and(|(_, known): &(Tally, Vec<_>)| known.len() > bouts.len());
                if !known {
                    met.insert([a, b], (Tally::of(&run.plan, &bouts), bouts));
                }
            }
        }
        Ok(PoolStanding::new(self.versions().len(), self.members(), met))
    }
}

/// The file that makes a folder a pool.
const FILE: &str = "pool.json";
