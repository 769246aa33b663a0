//! A run as a worker sees it: whether it can play it, and if not, why.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agon_arena::Plan;
use agon_arena::runner::Roster;
use agon_catalog::Game;
use agon_referee::agent::Language;
use agon_referee::process::find_program;
use agon_referee::signing::PublicKey;
use tempfile::TempDir;

use crate::fetch::{self, Fetcher};
use crate::lease::{Author, Standing};
use crate::lock::lock;
use crate::notice::{RunNotice, RunStatus};
use crate::programs::{self, Archives};
use crate::wire::GameTerms;
use crate::{bounds, identity};

/// The longest notice that is read; openings of a file are part of a notice.
const MAX_NOTICE_BYTES: usize = 64 << 20;

/// A run that has a coordinator.
pub(crate) struct Offer {
    pub run: String,
    /// Announcer, who signs its notice and its jobs.
    pub author: Author,
    /// Shared by the worker's slots.
    pub standing: Arc<Standing>,
    /// Time of its coordinator's last status.
    last_status: Mutex<Instant>,
    state: Mutex<OfferState>,
}

enum OfferState {
    New,
    Ready(Arc<Playable>),
    /// Reason why it is not played, and until when; `None` if it never will be.
    Refused(String, Option<Instant>),
}

/// A run that this machine can play.
pub(crate) struct Playable {
    pub plan: Plan,
    pub roster: Roster,
    /// True if each job brings its own two agents and limits.
    pub single: bool,
    /// Permitted silence of this worker before its job is handed out again.
    pub lease: Duration,
    /// Holds the sources of the programs.
    _sources: TempDir,
}

pub(crate) struct Abilities {
    /// The games that it takes; all if empty.
    pub games: Vec<Game>,
    pub labels: Vec<String>,
    pub processors: usize,
    /// Reason why it runs no programs, if so.
    pub no_programs: Option<String>,
    /// The memory that one program may use at most.
    pub max_memory_mib: u64,
}

impl Offer {
    pub(crate) fn new(status: &RunStatus, key: PublicKey) -> Self {
        Self {
            run: status.run.clone(),
            author: Author { key, revision: status.revision.clone() },
            standing: Arc::default(),
            last_status: Mutex::new(Instant::now()),
            state: Mutex::new(OfferState::New),
        }
    }

    pub(crate) fn note_status(&self) {
        *lock(&self.last_status) = Instant::now();
    }

    /// The time since its coordinator last published its status.
    pub(crate) fn silence(&self) -> Duration {
        lock(&self.last_status).elapsed()
    }

    /// Returns why it is not played here, if so.
    pub(crate) fn refusal(&self) -> Option<String> {
        // Unknown while it is being examined; a compiler may take long.
        match &*self.state.try_lock().ok()? {
            OfferState::Refused(why, _) => Some(why.clone()),
            OfferState::New | OfferState::Ready(_) => None,
        }
    }

    /// Refuses it for a while.
    pub(crate) fn refuse(&self, why: String, pause: Duration) {
        let again = Instant::now() + pause;
        *lock(&self.state) = OfferState::Refused(why, Some(again));
    }

    /// The run, ready to be played here; `None` if it cannot be. The first caller examines it, compiles its programs,
    /// and reports the plan or the refusal to `news`; others wait for that.
    pub(crate) fn playable(
        &self,
        fetcher: &Fetcher,
        abilities: &Abilities,
        news: impl Fn(Result<&Plan, &str>),
    ) -> Option<Arc<Playable>> {
        let mut state = lock(&self.state);
        match &*state {
            OfferState::Ready(playable) => return Some(Arc::clone(playable)),
            OfferState::Refused(_, None) => return None,
            OfferState::Refused(_, Some(again)) if Instant::now() < *again => return None,
            OfferState::New | OfferState::Refused(..) => {}
        }
        match examine(fetcher, &self.run, &self.author, abilities) {
            Ok(playable) => {
                news(Ok(&playable.plan));
                let playable = Arc::new(playable);
                *state = OfferState::Ready(Arc::clone(&playable));
                Some(playable)
            }
            Err((why, again)) => {
                news(Err(&why));
                *state = OfferState::Refused(why, again.then(|| Instant::now() + fetcher.timing.retry_run));
                None
            }
        }
    }
}

/// Reason why a run is not played here, and whether that may change soon.
type Refusal = (String, bool);

fn examine(fetcher: &Fetcher, run: &str, author: &Author, abilities: &Abilities) -> Result<Playable, Refusal> {
    let for_now = |why: String| (why, true);
    let for_ever = |why: String| (why, false);
    let text = fetcher.fetch(run, fetch::NOTICE, MAX_NOTICE_BYTES);
    let text = text.map_err(|error| for_now(format!("its notice cannot be read: {error}")))?;
    // Its coordinator may have been restarted meanwhile.
    let notice = RunNotice::read(&text, run, &author.revision, &author.key).map_err(for_now)?;
    suits(&notice, abilities).map_err(for_ever)?;
    notice.languages.iter().flatten().try_for_each(|language| runs_here(language)).map_err(for_now)?;
    let RunNotice { plan, agents, languages, lease_ms, .. } = notice;
    let lease = bounds::lease(lease_ms).map_err(for_ever)?;
    let prepared = programs::prepare(fetcher, run, &Archives::default(), &plan, &agents, false);
    let (roster, sources) = prepared.map_err(for_now)?;
    let single = languages.is_some();
    Ok(Playable { plan, roster, single, lease, _sources: sources })
}

/// Checks by its notice alone whether this worker may play a run.
fn suits(notice: &RunNotice, abilities: &Abilities) -> Result<(), String> {
    let plan = &notice.plan;
    if notice.agon != identity::VERSION {
        return Err(format!("this is agon {}, and the run needs agon {}", identity::VERSION, notice.agon));
    }
    if notice.data != identity::data_digest() {
        return Err(
            "its built-in networks or books differ from those of the run: use the same build of agon".to_owned()
        );
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
    bounds::check_plan(plan, programs, abilities.max_memory_mib)?;
    if let Some(label) = notice.labels.iter().find(|label| !abilities.labels.contains(label)) {
        return Err(format!("it has no label {label}"));
    }
    if notice.processors > abilities.processors {
        let (needs, has) = (notice.processors, abilities.processors);
        return Err(format!(
            "the run needs {needs} processors for each agent, and this worker gives {has} (--processors)"
        ));
    }
    Ok(())
}

/// Checks that this worker may play a game that brings its own terms, in a run that it plays; an error says why not.
pub(crate) fn suits_single(terms: &GameTerms, game: Game, abilities: &Abilities) -> Result<(), String> {
    if terms.plan.game != game {
        return Err(format!("it is {}, and its run is {game}", terms.plan.game));
    }
    let programs = terms.agents.iter().any(|agent| agent.sources.is_some());
    if programs && let Some(why) = &abilities.no_programs {
        return Err(format!("this worker takes no programs: {why}"));
    }
    bounds::check_plan(&terms.plan, programs, abilities.max_memory_mib)
}

/// Checks that programs in this language can be compiled and run here.
fn runs_here(language: &str) -> Result<(), String> {
    let known =
        Language::by_name(language).ok_or_else(|| format!("{language} is not a language of this version of Agon"))?;
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
    use agon_referee::signing::PrivateKey;

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
            lease_ms: 1000,
        }
    }

    #[test]
    fn a_worker_takes_what_it_would_play_alike() {
        let check = |change: &dyn Fn(&mut RunNotice, &mut Abilities), wanted: Option<&str>| {
            let mut abilities = Abilities {
                games: Vec::new(),
                labels: vec!["fast".to_owned(), "big".to_owned()],
                processors: 1,
                no_programs: Some("no jail".to_owned()),
                max_memory_mib: 1024,
            };
            let mut notice = notice();
            change(&mut notice, &mut abilities);
            match (suits(&notice, &abilities), wanted) {
                (Ok(()), None) => {}
                (Err(why), Some(part)) => assert!(why.contains(part), "{why}"),
                (found, _) => panic!("{found:?} is not {wanted:?}"),
            }
        };
        check(&|_, _| {}, None);
        check(&|notice, _| notice.agon = "9.9.9".to_owned(), Some("and the run needs agon 9.9.9"));
        check(&|notice, _| notice.data = "0".to_owned(), Some("built-in networks or books"));
        check(&|notice, _| notice.processors = 2, Some("needs 2 processors for each agent, and this worker gives 1"));
        check(&|_, abilities| abilities.labels.clear(), Some("it has no label fast"));
        check(&|_, abilities| abilities.games = vec![Game::RENJU], Some("domineering is not among its --games"));
        check(&|notice, _| notice.agents.truncate(1), Some("its plan cannot be played"));
        let sources = SourceArchive::new(Language::C20, "a.c".to_owned(), String::new()).unwrap();
        // Jobs that bring their own programs are refused according to their languages.
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
        check(
            &|notice, abilities| {
                program(notice);
                (abilities.no_programs, notice.plan.limits.memory_mib) = (None, 1 << 40);
            },
            Some("1099511627776 MiB each, and this worker gives 1024 MiB (--max-memory)"),
        );
    }

    #[test]
    fn a_job_asks_for_no_more_than_its_run() {
        let mut abilities = Abilities {
            games: Vec::new(),
            labels: Vec::new(),
            processors: 1,
            no_programs: Some("no jail".to_owned()),
            max_memory_mib: 1024,
        };
        let RunNotice { plan, agents, .. } = notice();
        let mut terms = GameTerms { plan, agents, check: false };
        assert_eq!(suits_single(&terms, Game::DOMINEERING, &abilities), Ok(()));
        assert!(suits_single(&terms, Game::RENJU, &abilities).is_err());
        terms.agents[0].sources = SourceArchive::new(Language::C20, "a.c".to_owned(), String::new());
        assert!(suits_single(&terms, Game::DOMINEERING, &abilities).unwrap_err().contains("takes no programs"));
        abilities.no_programs = None;
        assert_eq!(suits_single(&terms, Game::DOMINEERING, &abilities), Ok(()));
        terms.plan.limits.memory_mib = 1 << 40;
        assert!(suits_single(&terms, Game::DOMINEERING, &abilities).unwrap_err().contains("--max-memory"));
    }

    #[test]
    fn a_notice_is_its_coordinators_and_of_its_run_and_start() {
        let [key, other] = [0, 1].map(|_| PrivateKey::generate().unwrap());
        let object = notice().write(&key);
        let read = |object: &[u8], run: &str, revision: &str, key: &PrivateKey| {
            RunNotice::read(object, run, revision, &key.public())
        };
        assert_eq!(read(&object, "0", "0", &key), Ok(notice()));
        assert!(read(&object, "0", "0", &other).unwrap_err().contains("is not signed by the key"));
        assert!(read(&object, "1", "0", &key).is_err());
        assert!(read(&object, "0", "1", &key).unwrap_err().contains("of an earlier start"));
        let changed = String::from_utf8(object).unwrap().replace("greedy", "silent");
        assert!(read(changed.as_bytes(), "0", "0", &key).is_err());
        // Versions before 2 wrote the notice itself.
        let old = serde_json::to_vec(&notice()).unwrap();
        assert!(read(&old, "0", "0", &key).unwrap_err().contains("not from this version of Agon"));
    }
}
