//! Agents of a game: from the text that names one, or its [`AgentSpec`], to a seat.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use agon_catalog::{Capability, Game, NamedBuiltin, Pace, petri};
use agon_engines::petri::{Native, PetriProgram};
use agon_game::seed::seat_seed;
use agon_game::{Interaction, Player, Side};
use agon_protocols::bridge;
use agon_referee::agent::settings::{self, SetAgent};
use agon_referee::agent::{AgentError, AgentSpec, AgentTerms, BuildMode, Identity, Prepared, Seat};
use agon_referee::clock::{CLOCK_VARIABLE, ms_text};
use agon_referee::crash::OwnSources;
use agon_referee::limits::{GameLimits, READY_VARIABLE, STAY_VARIABLE};
use agon_referee::process::ProgramSpec;
use agon_referee::record::{AgentNote, PERSON};
use agon_referee::verdict::Fault;

/// An agent as a user gives it to a game or a series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedAgent {
    /// Its own name and clock, if the user gives them.
    pub terms: AgentTerms,
    pub spec: AgentSpec,
    /// The text that names it, without the name and the clock.
    pub text: String,
}

/// Reads an agent of a game or a series: its name and clock, if given (`name=new clock=10+0.1 ./bot`), and the agent
/// itself.
///
/// # Errors
/// As [`parse`].
pub fn named(game: Game, text: &str) -> Result<NamedAgent, AgentError> {
    let SetAgent { terms, settings, agent } = settings::split(text)?;
    let given = terms != AgentTerms::default();
    let text = if given { format!("{settings}{agent}") } else { text.to_owned() };
    Ok(NamedAgent { spec: parse(game, &text)?, terms, text })
}

/// Reads the text that names an agent of a game.
///
/// # Errors
/// [`AgentError`] when there is no such agent, or none for this game.
pub fn parse(game: Game, text: &str) -> Result<AgentSpec, AgentError> {
    let spec = AgentSpec::parse(text, &game.builtin_names())?;
    match &spec {
        AgentSpec::Builtin { nodes, threads, .. } => {
            find(game, &spec)?;
            if let Some(threads) = threads
                && !searches_in_parallel(game, &spec)
            {
                let (setting, name) = (format!("threads={threads}"), builtin_name(&spec));
                return Err(AgentError::Setting {
                    setting,
                    reason: format!("{name} plays on one thread: leave it out"),
                });
            }
            if nodes.is_some() && game.pace(&builtin_name(&spec)) == Some(Pace::Fixed) {
                let reason = format!("{} does not search: leave it out", builtin_name(&spec));
                return Err(AgentError::Setting { setting: "nodes=".to_owned(), reason });
            }
        }
        AgentSpec::Bridge { protocol, .. } if bridge::game(*protocol) != game => {
            let reason =
                format!("{} is spoken by engines of {}, not of {game}", protocol.name(), bridge::game(*protocol));
            return Err(AgentError::Bridge { name: text.to_owned(), reason });
        }
        _ => {}
    }
    Ok(spec)
}

/// The built-in player of a game, if the agent is one.
fn find(game: Game, spec: &AgentSpec) -> Result<Option<NamedBuiltin>, AgentError> {
    let builtin = matches!(spec, AgentSpec::Builtin { .. }).then(|| game.find(&builtin_name(spec)));
    builtin.transpose().map_err(|error| AgentError::Builtin { reason: error.to_string() })
}

/// Whether a built-in player can search on several threads: all but the weaker levels, whose strength no setting may
/// change.
fn searches_in_parallel(game: Game, spec: &AgentSpec) -> bool {
    game.can(Capability::ParallelSearch) && game.pace(&builtin_name(spec)) == Some(Pace::Clock)
}

/// The catalogue's name for a built-in player: its text without nodes and threads.
pub fn builtin_name(spec: &AgentSpec) -> String {
    match spec {
        AgentSpec::Builtin { name, level, .. } => {
            AgentSpec::Builtin { name: name.clone(), level: *level, nodes: None, threads: None }.to_string()
        }
        other => other.to_string(),
    }
}

/// A digest of what would run: see [`Identity`].
///
/// # Errors
/// [`AgentError::Unreadable`] when a source file cannot be read.
pub fn fingerprint(spec: &AgentSpec) -> Result<String, AgentError> {
    Identity::of_agent(spec).map(|(fingerprint, _)| fingerprint)
}

/// Makes a player from a seed.
pub type MakePlayer = Box<dyn Fn(u64) -> Box<dyn Player> + Send + Sync>;

/// An agent of a game, ready to be seated in any number of games under the same limits.
pub struct PreparedAgent {
    limits: GameLimits,
    spec: AgentSpec,
    builtin: Option<NamedBuiltin>,
    /// Creates the player of a session from the seed, if no text names it.
    player: Option<MakePlayer>,
    /// The program of the petri dish, if no text names it.
    program: Option<&'static dyn PetriProgram>,
    prepared: Prepared,
    /// The text that names it in records, if it differs from its own.
    known_as: Option<String>,
    /// The name for headings, if it is not its own.
    title: Option<String>,
    /// Whether it is a person rather than a program.
    person: bool,
}

impl PreparedAgent {
    /// Makes an agent ready: a source file is compiled, or its compiled program is found. A source that does not
    /// compile can be seated all the same, and loses every game with verdict CE.
    ///
    /// # Errors
    /// [`AgentError`] when the game has no such built-in, or a compiler or a file is missing.
    pub fn prepare(game: Game, spec: AgentSpec, limits: &GameLimits) -> Result<Self, AgentError> {
        Self::prepare_as(BuildMode::Release, game, spec, limits)
    }

    /// Like [`Self::prepare`], with a source compiled in this mode.
    ///
    /// # Errors
    /// As [`Self::prepare`].
    pub fn prepare_as(mode: BuildMode, game: Game, spec: AgentSpec, limits: &GameLimits) -> Result<Self, AgentError> {
        let (builtin, mut prepared) = (find(game, &spec)?, spec.prepare_as(mode, limits)?);
        let clock = limits.common_clock();
        if let Prepared::Program(program) = &mut prepared {
            if !clock.is_sudden_death() {
                program.environment.push((CLOCK_VARIABLE.to_owned(), clock.to_string().into()));
            }
            if limits.ready_ms != GameLimits::ALPHANO.ready_ms {
                program.environment.push((READY_VARIABLE.to_owned(), ms_text(limits.ready_ms).into()));
            }
        }
        let (player, program) = (None, None);
        let (known_as, title, person) = (None, None, false);
        Ok(Self { limits: *limits, spec, builtin, player, program, prepared, known_as, title, person })
    }

    /// The same agent, with a program that learns that it must wait for another game after FINISH.
    pub fn staying(mut self) -> Self {
        if let Prepared::Program(program) = &mut self.prepared {
            program.environment.push((STAY_VARIABLE.to_owned(), "1".into()));
        }
        self
    }

    /// The same program with a changed start; `None` for anything else.
    pub fn started_otherwise(&self, change: impl FnOnce(&mut ProgramSpec)) -> Option<Self> {
        let Prepared::Program(program) = &self.prepared else { return None };
        let mut program = program.clone();
        change(&mut program);
        Some(Self {
            limits: self.limits,
            spec: self.spec.clone(),
            builtin: None,
            player: None,
            program: None,
            prepared: Prepared::Program(program),
            known_as: self.known_as.clone(),
            title: self.title.clone(),
            person: false,
        })
    }

    /// The same agent, seated under other limits.
    pub fn with_limits(mut self, limits: GameLimits) -> Self {
        self.limits = limits;
        self
    }

    /// A program of the petri dish that is one of Agon's own, whether or not it has a name.
    pub fn of_program(program: &'static dyn PetriProgram, limits: &GameLimits) -> Self {
        let builtin = Some(NamedBuiltin::Program(Arc::new(Native(program))));
        Self { builtin, program: Some(program), ..Self::of_name(program.name(), limits) }
    }

    /// A person, who may resign.
    pub fn of_person(name: &str, player: MakePlayer, limits: &GameLimits) -> Self {
        Self { person: true, ..Self::of_player(name, player, limits) }
    }

    /// A player of this process under a name.
    pub fn of_player(name: &str, player: MakePlayer, limits: &GameLimits) -> Self {
        Self { player: Some(player), ..Self::of_name(name, limits) }
    }

    fn of_name(name: &str, limits: &GameLimits) -> Self {
        let (spec, prepared) = (AgentSpec::builtin(name), Prepared::Builtin(name.to_owned()));
        let (builtin, player, program) = (None, None, None);
        let (known_as, title, person) = (None, None, false);
        Self { limits: *limits, spec, builtin, player, program, prepared, known_as, title, person }
    }

    /// Seats the agent for one game drawn from `seed`: starts its program or creates its player.
    ///
    /// # Errors
    /// [`AgentError`] when its program cannot be started.
    pub fn seat(&self, interaction: Interaction, side: Side, seed: u64) -> Result<Seat, AgentError> {
        let seed = seat_seed(seed, side);
        match interaction {
            Interaction::Session => {
                let player = |_: &str, seed| match &self.player {
                    Some(make) => Some(make(seed)),
                    None => self.builtin.as_ref()?.player_at(seed, self.spec.nodes(), self.spec.threads()),
                };
                Seat::take(&self.prepared, &self.limits, seed, &player)
            }
            Interaction::PerAction => {
                let program = |_: &str| self.builtin.as_ref()?.program();
                Seat::take_stateless(&self.prepared, &self.limits, seed, &program)
            }
        }
    }

    /// The program of the petri dish, if it is one of Agon's own.
    pub fn program(&self) -> Option<&'static dyn PetriProgram> {
        let named = matches!(self.builtin, Some(NamedBuiltin::Program(_)));
        self.program.or_else(|| named.then(|| petri::program(&self.spec.to_string()).ok())?)
    }

    /// Why its source does not compile, if it does not.
    pub const fn fault(&self) -> Option<&Fault> {
        match &self.prepared {
            Prepared::Broken(fault) => Some(fault),
            _ => None,
        }
    }

    /// The author's files in the call stacks of its program.
    pub fn own_sources(&self) -> OwnSources {
        match &self.prepared {
            Prepared::Program(program) => OwnSources::new(program),
            Prepared::Builtin(_) | Prepared::Broken(_) => OwnSources::default(),
        }
    }

    pub const fn spec(&self) -> &AgentSpec {
        &self.spec
    }

    /// The agent as a record names it.
    pub fn note(&self) -> AgentNote {
        let jail = match &self.prepared {
            Prepared::Program(program) => Some(program.jail.level),
            Prepared::Builtin(_) | Prepared::Broken(_) => None,
        };
        let agent = self.known_as.clone().unwrap_or_else(|| self.spec.to_string());
        let kind = if self.person { PERSON } else { self.spec.kind() };
        let name = self.title.clone().filter(|title| *title != agent);
        AgentNote { agent, kind: kind.to_owned(), jail, name }
    }

    /// The same agent, named by this text in records: on another machine its path is different.
    pub fn known_as(mut self, text: String) -> Self {
        self.known_as = Some(text);
        self
    }

    /// The same agent with this title in headings.
    pub fn titled(mut self, title: Option<String>) -> Self {
        self.title = title.or(self.title);
        self
    }

    /// The agent's name in a heading: the name it was given, or the file name of its source.
    pub fn short_name(&self) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        let file = match &self.spec {
            AgentSpec::Source { path, .. } => path.file_name().map(Path::new),
            _ => None,
        };
        file.map_or_else(|| self.spec.to_string(), |name| name.display().to_string())
    }
}

/// The names of agents in a heading or a table. Those that are alike, as `bot.cpp` of two folders, have as much of
/// their folders as sets them apart.
pub fn distinct_names(agents: &[&PreparedAgent]) -> Vec<String> {
    let path = |agent: &PreparedAgent| match (&agent.title, &agent.spec) {
        (None, AgentSpec::Source { path, .. }) => std::path::absolute(path).ok(),
        _ => None,
    };
    let paths: Vec<_> = agents.iter().map(|agent| path(agent)).collect();
    let short: Vec<String> = agents.iter().map(|agent| agent.short_name()).collect();
    let end_of = |path: &Path, parts: usize| {
        let all: Vec<_> = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
        all[all.len().saturating_sub(parts)..].iter().collect::<PathBuf>().display().to_string()
    };
    let mut names = short.clone();
    for at in 0..agents.len() {
        let is_alike = |&other: &usize| other != at && short[other] == short[at];
        let alike: Vec<usize> = (0..agents.len()).filter(is_alike).collect();
        let Some(path) = paths[at].as_deref().filter(|_| !alike.is_empty()) else { continue };
        let others = || alike.iter().filter_map(|&other| paths[other].as_deref().filter(|other| *other != path));
        let deepest = path.components().count();
        let apart = (2..deepest).find(|&parts| others().all(|other| end_of(other, parts) != end_of(path, parts)));
        if let Some(parts) = apart.filter(|_| others().next().is_some()) {
            names[at] = end_of(path, parts);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use std::fs;

    use agon_referee::agent::Language;

    use super::*;

    #[test]
    fn bots_of_the_same_file_name_are_named_by_their_folders() {
        let folder = tempfile::tempdir().unwrap();
        let bot = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "print(1)").unwrap();
            PreparedAgent::prepare(Game::RENJU, AgentSpec::source(Language::Python3, path), &GameLimits::default())
        };
        let [a, b, c, d] = ["new/bot.py", "old/bot.py", "deep/old/bot.py", "other.py"].map(|name| bot(name).unwrap());
        let check = |agents: &[&PreparedAgent], names: &[&str]| assert_eq!(distinct_names(agents), names);
        check(&[&a, &d], &["bot.py", "other.py"]);
        check(&[&a, &b], &["new/bot.py", "old/bot.py"]);
        check(&[&b, &b], &["bot.py", "bot.py"]);
        let names = distinct_names(&[&b, &c]);
        assert!(names[0].ends_with("/old/bot.py") && names[1] == "deep/old/bot.py", "{names:?}");
        let named = bot("old/bot.py").unwrap().titled(Some("mine".to_owned()));
        check(&[&a, &named], &["bot.py", "mine"]);
    }

    #[test]
    fn a_changed_source_is_another_agent() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.py");
        let print = |contents: &str, text: String| {
            fs::write(&path, contents).unwrap();
            fingerprint(&parse(Game::RENJU, &text).unwrap()).unwrap()
        };
        let source = |contents: &str| print(contents, path.display().to_string());
        assert_ne!(source("print(1)"), source("print(2)"));
        assert_eq!(source("print(1)"), source("print(1)"));
        let command = |contents: &str| print(contents, format!("sh {}", path.display()));
        assert_ne!(command("exit 0"), command("exit 1"));
    }
}
