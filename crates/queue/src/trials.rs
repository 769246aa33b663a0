//! Sources that are tried without being submitted: checked like a submission, and played against a level. They and
//! their results live in memory, only for their author.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_arena::bot_check::BotCheck;
use agon_message::Stated;
use agon_referee::agent::Language;
use agon_site::secret;
use serde_json::Value;

/// Trials of all accounts that wait.
pub const MAX_WAITING_TRIALS: usize = 16;

/// Trials whose results are kept; the oldest go.
pub const MAX_KEPT_TRIALS: usize = 100;

/// The name of the author's program in the game of a trial; its page has it in the author's language.
pub const OWN_NAME: &str = "your program";

/// A source to try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrialSource {
    pub account: i64,
    pub competition: i64,
    pub language: Language,
    pub source: String,
    /// The built-in player of a game after the check; `None` for no game.
    pub rival: Option<String>,
}

/// The findings of a trial.
#[derive(Clone, Debug)]
pub enum TrialFound {
    /// It does not compile, or cannot be tried: the reason.
    Refused(Stated),
    Checked {
        check: Box<BotCheck>,
        game: Option<Box<TrialGame>>,
    },
}

/// The game of a trial, as the viewer draws it.
#[derive(Clone, Debug)]
pub struct TrialGame {
    pub drawn: Value,
    /// How it ended.
    pub reason: Stated,
}

#[derive(Clone, Debug)]
pub enum TrialState {
    Waiting,
    Running,
    Done(Arc<TrialFound>),
}

struct Trial {
    word: String,
    source: Arc<TrialSource>,
    state: TrialState,
}

/// Why a source is not tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrialRefusal {
    /// The account has an unfinished one.
    Own,
    /// All places are taken.
    Full,
}

#[derive(Default)]
pub struct Trials(Mutex<VecDeque<Trial>>);

impl Trials {
    fn all(&self) -> MutexGuard<'_, VecDeque<Trial>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a source, and returns the word under which its author finds it.
    ///
    /// # Errors
    /// [`TrialRefusal`].
    pub fn begin(&self, source: TrialSource) -> Result<String, TrialRefusal> {
        let mut all = self.all();
        let open = |trial: &&Trial| !matches!(trial.state, TrialState::Done(_));
        if all.iter().filter(open).any(|trial| trial.source.account == source.account) {
            return Err(TrialRefusal::Own);
        }
        if all.iter().filter(open).count() >= MAX_WAITING_TRIALS {
            return Err(TrialRefusal::Full);
        }
        while all.len() >= MAX_KEPT_TRIALS {
            let Some(oldest) = all.iter().position(|trial| matches!(trial.state, TrialState::Done(_))) else { break };
            all.remove(oldest);
        }
        let word = secret::word();
        all.push_back(Trial { word: word.clone(), source: Arc::new(source), state: TrialState::Waiting });
        Ok(word)
    }

    /// Whether one is waiting.
    pub(crate) fn is_waiting(&self) -> bool {
        self.all().iter().any(|trial| matches!(trial.state, TrialState::Waiting))
    }

    /// The next one, for a worker.
    pub fn take(&self) -> Option<(String, Arc<TrialSource>)> {
        let mut all = self.all();
        let next = all.iter_mut().find(|trial| matches!(trial.state, TrialState::Waiting))?;
        next.state = TrialState::Running;
        Some((next.word.clone(), Arc::clone(&next.source)))
    }

    pub(crate) fn settle(&self, word: &str, found: TrialFound) {
        if let Some(trial) = self.all().iter_mut().find(|trial| trial.word == word) {
            trial.state = TrialState::Done(Arc::new(found));
        }
    }

    /// A trial of an account.
    pub fn find(&self, word: &str, account: i64) -> Option<(Arc<TrialSource>, TrialState)> {
        let all = self.all();
        let found = all.iter().find(|trial| trial.word == word && trial.source.account == account)?;
        Some((Arc::clone(&found.source), found.state.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(account: i64) -> TrialSource {
        let source = "print(1)".to_owned();
        TrialSource { account, competition: 3, language: Language::Python3, source, rival: None }
    }

    #[test]
    fn a_trial_is_its_accounts_and_there_are_few_at_once() {
        let trials = Trials::default();
        let word = trials.begin(source(1)).unwrap();
        assert_eq!(trials.begin(source(1)), Err(TrialRefusal::Own));
        assert!(trials.find(&word, 2).is_none() && trials.find("other", 1).is_none());
        for account in 2..=MAX_WAITING_TRIALS as i64 {
            trials.begin(source(account)).unwrap();
        }
        assert_eq!(trials.begin(source(99)), Err(TrialRefusal::Full));
        assert!(trials.is_waiting());
        let (taken, _) = trials.take().unwrap();
        assert_eq!(taken, word, "the first comes first");
        assert!(matches!(trials.find(&word, 1), Some((_, TrialState::Running))));
        trials.settle(&word, TrialFound::Refused("it does not compile".into()));
        assert!(matches!(trials.find(&word, 1), Some((_, TrialState::Done(_)))));
        assert!(trials.begin(source(1)).is_ok());
    }

    #[test]
    fn old_trials_go() {
        let trials = Trials::default();
        let first = trials.begin(source(1)).unwrap();
        for _ in 0..MAX_KEPT_TRIALS {
            let (word, _) = trials.take().unwrap();
            trials.settle(&word, TrialFound::Refused(Stated::default()));
            trials.begin(source(1)).unwrap();
        }
        assert!(trials.find(&first, 1).is_none());
        assert_eq!(trials.all().len(), MAX_KEPT_TRIALS);
    }
}
