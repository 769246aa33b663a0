//! A run as a worker sees it: whether it can play it, and if not, why.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::Plan;
use agon_arena::runner::Roster;
use agon_catalog::Game;
use agon_referee::agent::Language;
use agon_referee::process::find_program;
use tempfile::TempDir;
use tokio::io::AsyncReadExt as _;

use crate::connect::Fleet;
use crate::identity;
use crate::lease::Standing;
use crate::notice::{RunNotice, RunStatus};
use crate::{programs, subjects};

/// How long a machine leaves a run alone that it could not play.
const REST: Duration = Duration::from_mins(1);

/// A run that somebody coordinates.
pub struct Offer {
    pub run: String,
    /// Tells its notice from an earlier one.
    pub revision: String,
    /// What the worker's slots share.
    pub standing: Arc<Standing>,
    /// When its coordinator was heard of last.
    heard: Mutex<Instant>,
    state: Mutex<OfferState>,
}

enum OfferState {
    /// Nobody has looked at it yet.
    New,
    Ready(Arc<Playable>),
    /// Why it is not played, and until when, if not for ever.
    Refused(String, Option<Instant>),
}

/// A run that this machine can play.
pub struct Playable {
    pub plan: Plan,
    pub roster: Roster,
    /// Whether each job brings its own two agents and limits.
    pub single: bool,
    /// How long this worker may be silent before its job is handed out again.
    pub ack_wait: Duration,
    /// Where the sources of programs lie, as long as they may be asked for.
    _sources: TempDir,
}

/// What a worker can play.
pub struct Abilities {
    /// The games that it takes; all if there are none named.
    pub games: Vec<Game>,
    pub labels: Vec<String>,
    pub processors: usize,
    /// Why programs are not run here, if they are not.
    pub no_programs: Option<String>,
}

impl Offer {
    /// A run that has just been heard of.
    pub fn new(status: &RunStatus) -> Self {
        Self {
            run: status.run.clone(),
            revision: status.revision.clone(),
            standing: Arc::default(),
            heard: Mutex::new(Instant::now()),
            state: Mutex::new(OfferState::New),
        }
    }

    pub fn hear(&self) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// How long nothing has been heard of its coordinator.
    pub fn silent(&self) -> Duration {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Why it is not played here, if that is so.
    pub fn refusal(&self) -> Option<String> {
        // While it is being looked at, nothing is known; a compiler may take its time.
        match &*self.state.try_lock().ok()? {
            OfferState::Refused(why, _) => Some(why.clone()),
            OfferState::New | OfferState::Ready(_) => None,
        }
    }

    /// Leaves it alone for a while.
    pub fn rest(&self, why: String) {
        let again = Instant::now() + REST;
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = OfferState::Refused(why, Some(again));
    }

    /// The run made ready to be played here; `None` where it cannot be. The first to ask looks at it, compiles what is to
    /// be compiled, and tells `news` what has come of it; others wait for that.
    pub fn playable(
        &self,
        fleet: &Fleet,
        abilities: &Abilities,
        news: impl Fn(Result<&Plan, &str>),
    ) -> Option<Arc<Playable>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            OfferState::Ready(playable) => return Some(Arc::clone(playable)),
            OfferState::Refused(_, None) => return None,
            OfferState::Refused(_, Some(again)) if Instant::now() < *again => return None,
            OfferState::New | OfferState::Refused(..) => {}
        }
        match examine(fleet, &self.run, abilities) {
            Ok(playable) => {
                news(Ok(&playable.plan));
                let playable = Arc::new(playable);
                *state = OfferState::Ready(Arc::clone(&playable));
                Some(playable)
            }
            Err(Refusal { why, again }) => {
                news(Err(&why));
                *state = OfferState::Refused(why, again.then(|| Instant::now() + REST));
                None
            }
        }
    }
}

/// Why a run is not played here.
struct Refusal {
    why: String,
    /// Whether it may be otherwise in a while.
    again: bool,
}

impl Refusal {
    fn for_ever(why: impl Into<String>) -> Self {
        Self { why: why.into(), again: false }
    }

    fn for_now(why: impl Into<String>) -> Self {
        Self { why: why.into(), again: true }
    }
}

fn examine(fleet: &Fleet, run: &str, abilities: &Abilities) -> Result<Playable, Refusal> {
    let text = fleet.wait(async {
        let objects = fleet.objects().await.map_err(|error| error.to_string())?;
        let mut text = Vec::new();
        let mut object = objects.get(subjects::notice(run)).await.map_err(|error| error.to_string())?;
        object.read_to_end(&mut text).await.map_err(|error| error.to_string())?;
        Ok::<_, String>(text)
    });
    let text = text.map_err(|error| Refusal::for_now(format!("its notice cannot be read: {error}")))?;
    let notice: RunNotice = serde_json::from_slice(&text)
        .map_err(|error| Refusal::for_ever(format!("its notice is not of this version of Agon: {error}")))?;
    suits(&notice, abilities).map_err(Refusal::for_ever)?;
    for language in notice.languages.iter().flatten() {
        runs_here(language).map_err(Refusal::for_now)?;
    }
    let RunNotice { plan, agents, languages, ack_wait_ms, .. } = notice;
    let (here, sources) = programs::fetch(fleet, &plan, &agents).map_err(Refusal::for_now)?;
    let roster = Roster::from_elsewhere(&plan, &here).map_err(|error| Refusal::for_now(error.to_string()))?;
    if let Some((at, fault)) = roster.broken().next() {
        // It compiles where it comes from: here it would lose games for the machine's sake.
        let (name, why) = (&plan.agents[at].name, fault.reason.lines().next().unwrap_or_default());
        return Err(Refusal::for_now(format!("agent `{name}` does not compile here: {why}")));
    }
    let single = languages.is_some();
    Ok(Playable { plan, roster, single, ack_wait: Duration::from_millis(ack_wait_ms), _sources: sources })
}

/// Whether this worker is meant, by what the notice says alone.
fn suits(notice: &RunNotice, abilities: &Abilities) -> Result<(), String> {
    let plan = &notice.plan;
    if notice.agon != identity::VERSION {
        return Err(format!("this is agon {}, and the run is of {}: use the same", identity::VERSION, notice.agon));
    }
    if notice.data != identity::data_digest() {
        return Err("the networks or books that are built in are others here: use the same program".to_owned());
    }
    if notice.languages.is_none() && plan.check().is_err() || notice.agents.len() != plan.agents.len() {
        return Err("its plan cannot be played".to_owned());
    }
    if !abilities.games.is_empty() && !abilities.games.contains(&plan.game) {
        return Err(format!("{} is not among its --games", plan.game));
    }
    let programs = notice.agents.iter().any(|agent| agent.sources.is_some());
    if let Some(why) = &abilities.no_programs
        && (programs || notice.languages.as_ref().is_some_and(|languages| !languages.is_empty()))
    {
        return Err(format!("it takes no programs: {why}"));
    }
    if let Some(label) = notice.labels.iter().find(|label| !abilities.labels.contains(label)) {
        return Err(format!("it has no label {label}"));
    }
    if notice.processors > abilities.processors {
        let (needs, has) = (notice.processors, abilities.processors);
        return Err(format!("the run wants {needs} processors for each agent, and it gives {has} (--processors)"));
    }
    Ok(())
}

/// Whether programs of this language can be compiled and run here.
fn runs_here(language: &str) -> Result<(), String> {
    let known = Language::by_name(language).ok_or_else(|| format!("{language} is no language here"))?;
    let compiler = known.compiler();
    match find_program(compiler) {
        Some(_) => Ok(()),
        None => Err(format!("{language} needs `{compiler}`, which is not installed: {}", known.remedy())),
    }
}

#[cfg(test)]
mod tests {
    use agon_arena::plan::Entrant;
    use agon_referee::agent::{PortableAgent, SourceArchive};

    use super::*;

    fn notice() -> RunNotice {
        let game = Game::DOMINEERING;
        let agents = ["greedy", "random"].map(|name| Entrant::read(name, game).unwrap());
        let plan = Plan::of_match(game, agents, 2);
        let known_as = |entrant: &Entrant| PortableAgent { known_as: entrant.agent.clone(), sources: None };
        RunNotice {
            run: "0".to_owned(),
            revision: "0".to_owned(),
            agents: plan.agents.iter().map(known_as).collect(),
            plan,
            agon: identity::VERSION.to_owned(),
            data: identity::data_digest().to_owned(),
            processors: 1,
            labels: vec!["fast".to_owned()],
            languages: None,
            ack_wait_ms: 1000,
        }
    }

    #[test]
    fn a_worker_takes_what_it_would_play_alike() {
        let check = |change: &dyn Fn(&mut RunNotice, &mut Abilities), told: Option<&str>| {
            let mut abilities = Abilities {
                games: Vec::new(),
                labels: vec!["fast".to_owned(), "big".to_owned()],
                processors: 1,
                no_programs: Some("no jail".to_owned()),
            };
            let mut notice = notice();
            change(&mut notice, &mut abilities);
            match (suits(&notice, &abilities), told) {
                (Ok(()), None) => {}
                (Err(why), Some(part)) => assert!(why.contains(part), "{why}"),
                (found, _) => panic!("{found:?} is not {told:?}"),
            }
        };
        check(&|_, _| {}, None);
        check(&|notice, _| notice.agon = "9.9.9".to_owned(), Some("and the run is of 9.9.9: use the same"));
        check(&|notice, _| notice.data = "0".to_owned(), Some("the networks or books"));
        check(&|notice, _| notice.processors = 2, Some("wants 2 processors for each agent, and it gives 1"));
        check(&|_, abilities| abilities.labels.clear(), Some("it has no label fast"));
        check(&|_, abilities| abilities.games = vec![Game::RENJU], Some("domineering is not among its --games"));
        check(&|notice, _| notice.agents.truncate(1), Some("its plan cannot be played"));
        let sources = SourceArchive::new(Language::C20, "a.c".to_owned(), String::new()).unwrap();
        // Jobs that bring their own programs are refused by what they may be.
        let site = |notice: &mut RunNotice, languages: &[&str]| {
            notice.languages = Some(languages.iter().map(ToString::to_string).collect());
            notice.plan.agents.clear();
            notice.agents.clear();
        };
        check(&|notice, _| site(notice, &[]), None);
        check(&|notice, _| site(notice, &["C20"]), Some("it takes no programs: no jail"));
        let program = |notice: &mut RunNotice| notice.agents[0].sources = Some(sources.clone());
        check(&|notice, _| program(notice), Some("it takes no programs: no jail"));
        check(
            &|notice, abilities| {
                program(notice);
                abilities.no_programs = None;
            },
            None,
        );
    }
}
