//! What the checks of versions are doing, and their followers. The state of a check is read once for all of them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use agon_message::messages;
use agon_site::queue::RoughTime;
use tokio::sync::watch;

messages! {
    /// What the check of a version is doing.
    #[derive(Clone, PartialEq, Eq)]
    pub enum CheckProgress {
        Next = "is next in the queue",
        NextIn { time: RoughTime } = "is next in the queue: {time} until its check begins",
        Behind { before: u32 } = "is in the queue behind {before}",
        BehindFor { before: u32, time: RoughTime } = "is in the queue behind {before}: {time} until its check begins",
        Playing = "is playing its check game",
        HandedOut = "is waiting for a machine of the fleet, or compiled there",
        Compiling = "is being compiled",
        Failed = "has failed",
        Passed = "has passed: it is on the ladder",
    }
}

/// What the check of a version is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckStage {
    Compiling,
    /// It has been handed to the fleet, where a machine is going to compile it.
    HandedOut,
    Playing(i64),
}

/// What running checks are doing, by version.
#[derive(Default)]
pub struct CheckStages(Mutex<HashMap<i64, CheckStage>>);

impl CheckStages {
    /// What the check of a version is doing, if it runs.
    pub fn stage(&self, version: i64) -> Option<CheckStage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&version).copied()
    }

    /// Sets what the check of a version is doing; `None` when it is over.
    pub fn set(&self, version: i64, stage: Option<CheckStage>) {
        let mut stages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match stage {
            Some(stage) => stages.insert(version, stage),
            None => stages.remove(&version),
        };
    }
}

/// The state of a version's check, as it is sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckNews {
    /// The text that each follower gets in its language.
    pub words: CheckProgress,
    /// The rest, as JSON.
    pub data: serde_json::Value,
    /// Whether nothing more will happen.
    pub settled: bool,
}

type Latest = Option<CheckNews>;

/// The versions that are watched.
#[derive(Default)]
pub struct CheckFollowers(Mutex<HashMap<i64, watch::Sender<Latest>>>);

impl CheckFollowers {
    fn all(&self) -> MutexGuard<'_, HashMap<i64, watch::Sender<Latest>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows a version. The first follower gets the sender for its news, and arranges for them to be published.
    pub fn follow(&self, version: i64) -> (watch::Receiver<Latest>, Option<watch::Sender<Latest>>) {
        let mut all = self.all();
        if let Some(known) = all.get(&version) {
            return (known.subscribe(), None);
        }
        let sender = watch::Sender::new(None);
        let receiver = sender.subscribe();
        all.insert(version, sender.clone());
        (receiver, Some(sender))
    }

    /// Ends the publishing for a version if no one follows it any more, or in any case: `true` if it has ended.
    pub fn end(&self, version: i64, sender: &watch::Sender<Latest>, certainly: bool) -> bool {
        let mut all = self.all();
        let ends = certainly || sender.is_closed();
        if ends {
            all.remove(&version);
        }
        ends
    }

    /// How many versions are followed.
    pub fn count(&self) -> usize {
        self.all().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_who_watch_a_version_share_what_is_read() {
        let followers = CheckFollowers::default();
        let (first, publisher) = followers.follow(7);
        let publisher = publisher.expect("the first one has it read");
        let (second, none) = followers.follow(7);
        assert!(none.is_none());
        publisher.send_replace(Some(CheckNews {
            words: CheckProgress::Compiling,
            data: serde_json::json!({}),
            settled: false,
        }));
        assert_eq!(first.borrow().clone(), second.borrow().clone());
        drop(first);
        assert!(!followers.end(7, &publisher, false), "the second still watches");
        drop(second);
        assert!(followers.end(7, &publisher, false));
        assert_eq!(followers.count(), 0);
    }
}
