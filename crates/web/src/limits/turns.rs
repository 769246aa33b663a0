//! Places for which people wait in turn: those with many requests wait behind those with few, for accounts and networks
//! alike, so that no one can keep all places.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_boards::limits::{Full, LimitedActor};
use tokio::sync::oneshot;

/// How many may have a place, and how many may wait for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TurnBound {
    /// Places in all, for one account and for one network.
    pub all: usize,
    pub account: usize,
    pub network: usize,
    /// Waiting requests of one account, of one network, and in all.
    pub waiting_account: usize,
    pub waiting_network: usize,
    pub waiting: usize,
    /// How long a visitor waits.
    pub max_wait: Duration,
}

/// The holder of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Holder {
    account: LimitedActor,
    network: LimitedActor,
}

#[derive(Debug)]
struct Waiter {
    holder: Holder,
    number: u64,
    wake: oneshot::Sender<TurnPlace>,
}

#[derive(Default, Debug)]
struct State {
    running: Vec<Holder>,
    waiting: Vec<Waiter>,
    /// When accounts and networks had their last turns, measured in turns.
    served: HashMap<LimitedActor, u64>,
    count: u64,
}

/// Accounts and networks whose last turns are remembered.
const MAX_SERVED: usize = 4096;

/// Places of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    bound: TurnBound,
    state: Arc<Mutex<State>>,
}

/// A place that is held until the value is dropped.
#[derive(Debug)]
pub(crate) struct TurnPlace {
    turns: Turns,
    holder: Holder,
}

impl State {
    fn count_of(&self, actor: LimitedActor) -> usize {
        self.running.iter().filter(|holder| [holder.account, holder.network].contains(&actor)).count()
    }

    /// Whose turn it is among those who wait and may have another place.
    fn next(&self, bound: &TurnBound) -> Option<usize> {
        let last = |actor| self.served.get(&actor).copied().unwrap_or_default();
        let may = |holder: &Holder| {
            self.running.len() < bound.all
                && self.count_of(holder.account) < bound.account
                && self.count_of(holder.network) < bound.network
        };
        let able = (0..self.waiting.len()).filter(|&at| may(&self.waiting[at].holder));
        able.min_by_key(|&at| {
            let Waiter { holder: Holder { account, network }, number, .. } = self.waiting[at];
            (self.count_of(network), last(network), self.count_of(account), last(account), number)
        })
    }
}

impl Turns {
    pub(crate) fn new(bound: TurnBound) -> Self {
        Self { bound, state: Arc::default() }
    }

    /// Waits for a place.
    ///
    /// # Errors
    /// [`Full`] where too many wait already, or it took too long.
    pub(crate) async fn take(&self, account: LimitedActor, network: LimitedActor) -> Result<TurnPlace, Full> {
        let (wake, woken) = oneshot::channel();
        {
            let mut state = self.state();
            state.waiting.retain(|waiter| !waiter.wake.is_closed());
            let waiting = |actor: LimitedActor| {
                let of = |waiter: &&Waiter| [waiter.holder.account, waiter.holder.network].contains(&actor);
                state.waiting.iter().filter(of).count()
            };
            if waiting(account) >= self.bound.waiting_account || waiting(network) >= self.bound.waiting_network {
                return Err(Full::Own);
            }
            if state.waiting.len() >= self.bound.waiting {
                return Err(Full::All);
            }
            state.count += 1;
            let number = state.count;
            state.waiting.push(Waiter { holder: Holder { account, network }, number, wake });
        }
        self.serve();
        match tokio::time::timeout(self.bound.max_wait, woken).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(Full::All),
        }
    }

    /// Gives free places to those whose turn it is.
    fn serve(&self) {
        loop {
            let (wake, place) = {
                let mut state = self.state();
                let Some(at) = state.next(&self.bound) else { return };
                let Waiter { holder, wake, .. } = state.waiting.remove(at);
                if wake.is_closed() {
                    continue;
                }
                state.running.push(holder);
                state.count += 1;
                let turn = state.count;
                if state.served.len() >= MAX_SERVED {
                    state.served.clear();
                }
                for actor in [holder.account, holder.network] {
                    state.served.insert(actor, turn);
                }
                (wake, TurnPlace { turns: self.clone(), holder })
            };
            // If the next one has gone meanwhile, the place goes to the one after.
            drop(wake.send(place));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TurnPlace {
    fn drop(&mut self) {
        {
            let mut state = self.turns.state();
            if let Some(at) = state.running.iter().position(|holder| *holder == self.holder) {
                state.running.swap_remove(at);
            }
        }
        self.turns.serve();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUND: TurnBound = TurnBound {
        all: 2,
        account: 1,
        network: 1,
        waiting_account: 2,
        waiting_network: 4,
        waiting: 8,
        max_wait: Duration::from_hours(1),
    };

    fn network(number: u8) -> LimitedActor {
        LimitedActor::network_of(std::net::IpAddr::from([203, 0, number, 1]))
    }

    #[tokio::test]
    async fn who_has_many_requests_waits_behind_those_with_few() {
        let turns = Turns::new(BOUND);
        let first = turns.take(LimitedActor::Account(1), network(1)).await.unwrap();
        let second = turns.take(LimitedActor::Account(2), network(2)).await.unwrap();
        // Two accounts of two networks hold all places, and ask for more; then another one comes.
        let ask = |account: i64, from: u8| {
            let turns = turns.clone();
            tokio::spawn(async move {
                let place = turns.take(LimitedActor::Account(account), network(from)).await;
                place.map(|place| (account, place))
            })
        };
        let mut greedy = Vec::new();
        for account in [1, 2, 1, 2] {
            greedy.push(ask(account, account as u8));
        }
        while turns.state().waiting.len() < 4 {
            tokio::task::yield_now().await;
        }
        let refused = turns.take(LimitedActor::Account(1), network(1)).await;
        assert_eq!(refused.err(), Some(Full::Own), "two of an account wait");
        let late = ask(3, 3);
        while turns.state().waiting.len() < 5 {
            tokio::task::yield_now().await;
        }
        drop(first);
        let (account, place) = late.await.unwrap().unwrap();
        assert_eq!(account, 3, "it has waited least, and had nothing yet");
        // One network has one place, whatever its accounts.
        drop(place);
        let (account, _third) = greedy.remove(0).await.unwrap().unwrap();
        assert_eq!(account, 1);
        assert_eq!(turns.state().running.len(), 2);
        drop(second);
        let (account, _) = greedy.remove(0).await.unwrap().unwrap();
        assert_eq!(account, 2);
    }

    #[tokio::test]
    async fn one_who_goes_leaves_the_turn_and_no_wait_is_endless() {
        let turns = Turns::new(TurnBound { all: 1, ..BOUND });
        let first = turns.take(LimitedActor::Account(1), network(1)).await.unwrap();
        let gone = tokio::spawn({
            let turns = turns.clone();
            async move { turns.take(LimitedActor::Account(2), network(2)).await }
        });
        while turns.state().waiting.is_empty() {
            tokio::task::yield_now().await;
        }
        gone.abort();
        assert!(gone.await.is_err());
        drop(first);
        drop(turns.take(LimitedActor::Account(3), network(3)).await.unwrap());
        let hasty = Turns::new(TurnBound { all: 0, max_wait: Duration::ZERO, ..BOUND });
        assert_eq!(hasty.take(LimitedActor::Account(1), network(1)).await.err(), Some(Full::All));
    }
}
