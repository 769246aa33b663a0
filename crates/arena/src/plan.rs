//! The plan of a run: everything that decides its bouts, and nothing else.

use std::collections::BTreeMap;
use std::path::Path;

use agon_catalog::Game;
use agon_game::hash::hex;
use agon_referee::agent::{AgentError, AgentSpec, Identity};
use agon_referee::clock::Clock;
use agon_referee::limits::GameLimits;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::agents::{self, NamedAgent};
use crate::opening_file::{FileOpening, OpeningChoice, OpeningFile, OpeningFileError};
use crate::slot::Slot;
use crate::stats::sprt::Sprt;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name")]
pub enum Kind {
    /// Everybody meets everybody. Of two agents this is a match.
    RoundRobin,
    /// The first agent meets every other.
    Gauntlet,
    /// Every round pairs agents of equal standing that have not met.
    Swiss { rounds: u32 },
}

/// An agent of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entrant {
    /// The name that tables show; no two are alike.
    pub name: String,
    /// The agent as the user names it.
    pub agent: String,
    /// A fixed rating in Elo points that the others are measured against; `None` if it is measured.
    pub rating: Option<f64>,
    /// Whether it understands OPENING lines (see [`agon_game::Alternating::opened`]); every built-in and every bridge
    /// does.
    pub openings: bool,
    /// Digest of what would run: a bot whose source has changed is another agent, even with the same name.
    pub fingerprint: String,
    /// Its own clock, if it differs from the clock of the limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// What the digest was computed from, for display; `None` in plans of earlier versions and for agents from other
    /// machines.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub identity: Option<Identity>,
}

/// A run: a match, a sequential test, or a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    #[serde(with = "game_name")]
    pub game: Game,
    pub parameters: BTreeMap<String, String>,
    pub agents: Vec<Entrant>,
    pub kind: Kind,
    /// Bouts of each pairing, of a Swiss tournament in each round; an even number, since bouts come in pairs.
    pub games: u32,
    /// Opening plies played for both sides, the same in both bouts of a pair; 0 for none.
    pub openings: u32,
    /// The openings of a file, which replace drawn ones.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opening_file: Option<OpeningFile>,
    /// The limits of every bout.
    pub limits: GameLimits,
    /// The seed of the openings, the boards and the agents' own seeds.
    pub seed: u64,
    /// Keeps programs running from bout to bout; ALPHANO starts them for every bout.
    pub stay: bool,
    /// A sequential test that ends the run, between two agents.
    pub test: Option<Sprt>,
}

impl Entrant {
    /// The agent that a text names, with the text as its name.
    ///
    /// # Errors
    /// [`AgentError`] when there is no such agent, or its source cannot be read.
    pub fn read(agent: &str, game: Game) -> Result<Self, AgentError> {
        let named = agents::named(game, agent)?;
        let text = named.text.clone();
        Self::from_named(named, &text, &[])
    }

    /// An agent with additional arguments, under this name unless it has one of its own.
    ///
    /// # Errors
    /// [`AgentError`] when it takes no arguments, or its source cannot be read.
    pub fn from_named(named: NamedAgent, name: &str, arguments: &[String]) -> Result<Self, AgentError> {
        let NamedAgent { terms, spec, text } = named;
        let spec = spec.with_arguments(arguments)?;
        let (fingerprint, identity) = Identity::of_agent(&spec)?;
        Ok(Self {
            name: terms.name.unwrap_or_else(|| name.to_owned()),
            agent: if arguments.is_empty() { text } else { spec.to_string() },
            rating: None,
            openings: matches!(spec, AgentSpec::Builtin { .. } | AgentSpec::Bridge { .. }),
            fingerprint,
            clock: terms.clock,
            identity: (identity.files > 0).then_some(identity),
        })
    }

    /// Holds the place of an agent that cannot be read, so that the rest of a plan can be checked.
    pub fn unread(agent: &str) -> Self {
        Self {
            name: agent.to_owned(),
            agent: agent.to_owned(),
            rating: None,
            openings: true,
            fingerprint: String::new(),
            clock: None,
            identity: None,
        }
    }

    /// The same agent under another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

/// The number of opening plies if none is given: the game's usual number if every agent understands them, else 0.
pub fn usual_openings(game: Game, agents: &[Entrant]) -> u32 {
    if agents.iter().all(|agent| agent.openings) { game.openings.usual_plies } else { 0 }
}

impl Plan {
    /// A match of `games` bouts between two agents under ALPHANO's limits, with the game's usual openings where both
    /// agents understand them.
    pub fn of_match(game: Game, agents: [Entrant; 2], games: u32) -> Self {
        let agents = Vec::from(agents);
        Self {
            game,
            parameters: BTreeMap::new(),
            openings: usual_openings(game, &agents),
            opening_file: None,
            agents,
            kind: Kind::RoundRobin,
            games,
            limits: GameLimits::default(),
            seed: 1,
            stay: false,
            test: None,
        }
    }

    /// The limits of a bout between these agents in the first and the second seat, by their places.
    pub fn limits_of(&self, seats: [usize; 2]) -> GameLimits {
        self.limits.with_seat_clocks(seats.map(|at| self.agents[at].clock))
    }

    /// The clock of an agent, by its place.
    pub fn clock_of(&self, agent: usize) -> Clock {
        self.agents[agent].clock.unwrap_or(self.limits.common_clock())
    }

    /// The limits of a bout of an agent, by its place, against another one of its kind.
    pub fn limits_for(&self, agent: usize) -> GameLimits {
        self.agents[agent].clock.map_or(self.limits, |clock| self.limits.with_clock(clock))
    }

    /// Uses the openings of a file, as many as the pairs need, instead of drawn ones.
    ///
    /// # Errors
    /// [`OpeningFileError`] names the first line that is not an opening of this game.
    pub fn open_with(&mut self, path: &Path, choice: OpeningChoice) -> Result<(), OpeningFileError> {
        let mut file = OpeningFile::read(path, self.game, &self.parameters, choice, self.seed)?;
        file.keep(self.pairs_each());
        (self.openings, self.opening_file) = (0, Some(file));
        Ok(())
    }

    /// The number of rounds.
    pub const fn rounds(&self) -> u32 {
        match self.kind {
            Kind::RoundRobin | Kind::Gauntlet => self.games / 2,
            Kind::Swiss { rounds } => rounds,
        }
    }

    /// The number of bouts in each round.
    pub const fn bouts_per_round(&self) -> u64 {
        let agents = self.agents.len() as u64;
        match self.kind {
            Kind::RoundRobin => agents * agents.saturating_sub(1),
            Kind::Gauntlet => 2 * agents.saturating_sub(1),
            Kind::Swiss { .. } => (agents / 2).saturating_mul(self.games as u64),
        }
    }

    /// The number of bouts in all; a test may end the run sooner.
    pub const fn bouts(&self) -> u64 {
        self.bouts_per_round().saturating_mul(self.rounds() as u64)
    }

    /// The number of pairs of bouts for each pairing, in all rounds.
    pub const fn pairs_each(&self) -> u64 {
        match self.kind {
            Kind::RoundRobin | Kind::Gauntlet => self.games as u64 / 2,
            Kind::Swiss { rounds } => (self.games as u64 / 2).saturating_mul(rounds as u64),
        }
    }

    /// The opening of a bout, if there is a file of them: every pairing plays the same ones in the same order.
    pub fn file_opening(&self, slot: &Slot) -> Option<&FileOpening> {
        let file = self.opening_file.as_ref()?;
        let bouts = self.bouts_per_round().max(1);
        let (round, bout) = (u64::from(slot.number) / bouts, u64::from(slot.number) % bouts);
        let pairs = match self.kind {
            Kind::RoundRobin | Kind::Gauntlet => 1,
            Kind::Swiss { .. } => (u64::from(self.games) / 2).max(1),
        };
        file.opening(round * pairs + bout / 2 % pairs)
    }

    /// The kind of run in one word: `match`, `sprt`, or the kind of tournament.
    pub fn title(&self) -> &'static str {
        match (self.test, self.kind, self.agents.len()) {
            (Some(_), ..) => "sprt",
            (None, Kind::Swiss { .. }, _) => "swiss",
            (None, _, 2) => "match",
            (None, Kind::RoundRobin, _) => "round-robin",
            (None, Kind::Gauntlet, _) => "gauntlet",
        }
    }

    /// The digest that identifies a run. Two plans that differ only in their length, the bounds of their tests, or
    /// fixed ratings are the same run: it can be extended or judged anew, and keeps the bouts it has played.
    ///
    /// # Panics
    /// Never: everything in a plan can be written as JSON.
    pub fn digest(&self) -> String {
        let mut same = self.clone();
        same.games = match self.kind {
            // Its rounds are not a prefix of those of a longer tournament.
            Kind::Swiss { .. } => self.games,
            _ => 0,
        };
        if let Kind::Swiss { rounds } = &mut same.kind {
            *rounds = 0;
        }
        same.test = self.test.map(|_| Sprt::default());
        same.agents.iter_mut().for_each(|agent| (agent.rating, agent.identity) = (None, None));
        same.opening_file = self.opening_file.as_ref().map(OpeningFile::bare);
        hex(&Sha256::digest(serde_json::to_string(&same).expect("a plan can be written as JSON")))
    }

    /// Whether this plan could use the other plan's bouts between common agents: everything but the agents, the length
    /// and the pairing must be equal. The rounds of a Swiss tournament follow from all of its bouts, so it can use
    /// none.
    pub fn shares_bouts(&self, other: &Self) -> bool {
        let bare = |plan: &Self| {
            let test = plan.test.map(|_| Sprt::default());
            let opening_file = plan.opening_file.as_ref().map(OpeningFile::bare);
            Self { agents: Vec::new(), kind: Kind::RoundRobin, games: 0, opening_file, test, ..plan.clone() }
        };
        let swiss = [self, other].iter().any(|plan| matches!(plan.kind, Kind::Swiss { .. }));
        !swiss && bare(self) == bare(other)
    }

    /// The digest of the user's texts: equal for plans with the same texts, whatever programs these name.
    pub fn text_digest(&self) -> String {
        let mut same = self.clone();
        same.agents.iter_mut().for_each(|agent| agent.fingerprint.clear());
        same.digest()
    }

    pub fn anchors(&self) -> Vec<Option<f64>> {
        self.agents.iter().map(|agent| agent.rating).collect()
    }
}

mod game_name {
    use agon_catalog::Game;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
    pub(super) fn serialize<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(game.name())
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Game, D::Error> {
        let name = String::deserialize(deserializer)?;
        Game::recorded(&name).map_err(D::Error::custom)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::opening_file::OpeningOrder;

    pub(crate) fn plan(kind: Kind, agents: usize, games: u32) -> Plan {
        let entrant = |at: usize| Entrant::read("random", Game::BACTERIA).unwrap().named(format!("r{at}"));
        let mut plan = Plan::of_match(Game::BACTERIA, [entrant(0), entrant(1)], games);
        plan.agents = (0..agents).map(entrant).collect();
        plan.kind = kind;
        plan
    }

    #[test]
    fn a_run_is_known_by_what_decides_its_bouts() {
        let base = plan(Kind::RoundRobin, 2, 10);
        let check = |change: &dyn Fn(&mut Plan), same: bool| {
            let mut other = base.clone();
            change(&mut other);
            assert_eq!(base.digest() == other.digest(), same, "{other:?}");
        };
        check(&|plan| plan.games = 200, true);
        check(&|plan| plan.agents[0].rating = Some(2000.0), true);
        check(&|plan| plan.seed += 1, false);
        check(&|plan| plan.limits.clock_ms = 100, false);
        check(&|plan| plan.agents[1].clock = Some(Clock::for_game(100)), false);
        check(&|plan| plan.agents[0].fingerprint = "changed".to_owned(), false);
        check(&|plan| plan.agents[0].identity = None, true);
        check(&|plan| plan.openings = 0, false);
        check(&|plan| plan.test = Some(Sprt::default()), false);
        let tested = Plan { test: Some(Sprt::default()), ..base.clone() };
        let bounds = Sprt { elo0: -10.0, elo1: 2.5, alpha: 0.01, ..Sprt::default() };
        assert_eq!(Plan { test: Some(bounds), ..base.clone() }.digest(), tested.digest());
    }

    #[test]
    fn bouts_are_shared_by_plans_that_play_alike() {
        let base = plan(Kind::RoundRobin, 2, 10);
        let check = |other: Plan, wanted: bool| assert_eq!(base.shares_bouts(&other), wanted, "{other:?}");
        check(plan(Kind::RoundRobin, 5, 20), true);
        check(plan(Kind::Gauntlet, 3, 10), true);
        check(plan(Kind::Swiss { rounds: 2 }, 4, 10), false);
        check(Plan { seed: 2, ..base.clone() }, false);
        check(Plan { stay: true, ..base.clone() }, false);
        check(Plan { test: Some(Sprt::default()), ..base.clone() }, false);
    }

    #[test]
    fn the_contents_of_a_file_of_openings_are_known() {
        let base = plan(Kind::RoundRobin, 2, 10);
        let file = |name: &str, sha256: &str, openings: usize| OpeningFile {
            name: name.to_owned(),
            sha256: sha256.to_owned(),
            order: OpeningOrder::Sequential,
            start: None,
            max_plies: None,
            count: 9,
            openings: vec![FileOpening::default(); openings],
        };
        let plain = base.digest();
        let base = Plan { opening_file: Some(file("a", "1", 1)), ..base };
        assert_ne!(base.digest(), plain);
        let other = |name: &str, sha256: &str, order| {
            let changed = Some(OpeningFile { order, ..file(name, sha256, 3) });
            Plan { opening_file: changed, ..base.clone() }.digest()
        };
        assert_eq!(base.digest(), other("b", "1", OpeningOrder::Sequential));
        assert_ne!(base.digest(), other("a", "2", OpeningOrder::Sequential));
        assert_ne!(base.digest(), other("a", "1", OpeningOrder::Random));
        for (start, max_plies) in [(Some(2), None), (None, Some(2))] {
            let changed = Some(OpeningFile { start, max_plies, ..file("a", "1", 1) });
            assert_ne!(base.digest(), Plan { opening_file: changed, ..base.clone() }.digest());
        }
    }

    /// A plan of an earlier release has the digest that it had, or its games would be lost.
    #[test]
    fn a_plan_without_a_file_is_written_as_before() {
        let text = serde_json::to_string(&plan(Kind::RoundRobin, 2, 10)).unwrap();
        assert!(!text.contains("opening_file"), "{text}");
        assert_eq!(serde_json::from_str::<Plan>(&text).unwrap().opening_file, None);
    }
}
