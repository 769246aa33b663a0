//! Limits on how often a visitor may do something.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_boards::limits::LimitedActor;
use agon_message::messages;

messages! {
    /// Actions with a limited rate; the message names what there were too many of.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub enum LimitedAction {
        SignIn = "sign-in attempts",
        /// The code of an app after the password.
        Code = "wrong two-factor codes",
        SignUp = "new accounts from your address",
        SignUpNetwork = "new accounts from your network",
        Submit = "submissions",
        Change = "changes",
        Api = "requests",
        /// Asking about the position on a board.
        Board = "questions about positions",
        /// Opening a stream of events.
        Watch = "event streams from your address",
        /// Downloading everything of one's own.
        Export = "exports",
        /// Opening a game for two people.
        Invite = "games opened from your address",
        InviteNetwork = "games opened from your network",
    }
}

impl LimitedAction {
    pub const ALL: [Self; 12] = [
        Self::SignIn,
        Self::Code,
        Self::SignUp,
        Self::SignUpNetwork,
        Self::Submit,
        Self::Change,
        Self::Api,
        Self::Board,
        Self::Watch,
        Self::Export,
        Self::Invite,
        Self::InviteNetwork,
    ];

    /// How many may come at once, and how long it takes until one more may. A whole class may be behind one address.
    pub const fn allowance(self) -> (f64, Duration) {
        match self {
            Self::SignIn => (30.0, Duration::from_secs(20)),
            // Three of a million codes are valid: someone who knows the password needs more than a year.
            Self::Code => (10.0, Duration::from_mins(5)),
            Self::Submit => (10.0, Duration::from_secs(10)),
            Self::SignUp => (60.0, Duration::from_secs(10)),
            Self::SignUpNetwork => (180.0, Duration::from_secs(4)),
            Self::Change => (120.0, Duration::from_millis(500)),
            Self::Api => (60.0, Duration::from_millis(500)),
            Self::Board => (500.0, Duration::from_millis(10)),
            Self::Watch => (2000.0, Duration::from_millis(20)),
            Self::Export => (4.0, Duration::from_mins(1)),
            Self::Invite => (40.0, Duration::from_mins(1)),
            Self::InviteNetwork => (120.0, Duration::from_secs(20)),
        }
    }

    pub const fn whose(self) -> &'static str {
        match self {
            Self::SignIn => "address, of wrong passwords alone",
            Self::Code => "account, of wrong codes alone",
            Self::SignUp | Self::Change | Self::Board | Self::Watch | Self::Invite => "address",
            Self::SignUpNetwork | Self::InviteNetwork => "network (/24, /48)",
            Self::Submit | Self::Export => "account",
            Self::Api => "account, or address without one",
        }
    }
}

/// The rest of an allowance, and when that was.
#[derive(Clone, Copy)]
struct Bucket {
    left: f64,
    seen: Instant,
}

/// Buckets of tokens, one for each actor and action.
#[derive(Default)]
pub(crate) struct RateLimits(Mutex<HashMap<(LimitedAction, LimitedActor), Bucket>>);

/// How many buckets are kept before full ones are dropped.
const MAX_BUCKETS: usize = 100_000;

impl RateLimits {
    /// Takes one from the allowance.
    ///
    /// # Errors
    /// How long it takes until one is available again.
    pub(crate) fn take(&self, action: LimitedAction, actor: LimitedActor) -> Result<(), Duration> {
        self.take_at(action, actor, Instant::now())
    }

    /// Gives one back to the allowance.
    pub(crate) fn give_back(&self, action: LimitedAction, actor: LimitedActor) {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = buckets.get_mut(&(action, actor)) {
            bucket.left = (bucket.left + 1.0).min(action.allowance().0);
        }
    }

    /// Gives everyone the whole allowance again.
    #[cfg(test)]
    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn take_at(&self, action: LimitedAction, actor: LimitedActor, now: Instant) -> Result<(), Duration> {
        let (burst, every) = action.allowance();
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|(action, _), bucket| {
                let (burst, every) = action.allowance();
                bucket.left + now.duration_since(bucket.seen).div_duration_f64(every) < burst
            });
        }
        let bucket = buckets.entry((action, actor)).or_insert(Bucket { left: burst, seen: now });
        let gained = now.saturating_duration_since(bucket.seen).div_duration_f64(every);
        *bucket = Bucket { left: (bucket.left + gained).min(burst), seen: now };
        if bucket.left < 1.0 {
            return Err(every.mul_f64(1.0 - bucket.left));
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_used_up_and_comes_back() {
        let (limits, start) = (RateLimits::default(), Instant::now());
        let actor = LimitedActor::Account(1);
        for _ in 0..10 {
            assert_eq!(limits.take_at(LimitedAction::Submit, actor, start), Ok(()));
        }
        assert_eq!(limits.take_at(LimitedAction::Submit, actor, start), Err(Duration::from_secs(10)));
        assert_eq!(
            limits.take_at(LimitedAction::Submit, LimitedActor::Account(2), start),
            Ok(()),
            "others have their own"
        );
        assert_eq!(limits.take_at(LimitedAction::SignIn, actor, start), Ok(()), "and so has every action");
        let later = start + Duration::from_secs(10);
        assert_eq!(limits.take_at(LimitedAction::Submit, actor, later), Ok(()));
        assert!(limits.take_at(LimitedAction::Submit, actor, later).is_err());
        limits.give_back(LimitedAction::Submit, actor);
        assert_eq!(limits.take_at(LimitedAction::Submit, actor, later), Ok(()));
    }
}
