//! Sign-ins whose password was right, and that wait for the code of an app.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_site::secret::SecretDigest;

/// How much time a user has for the code.
pub(crate) const CODE_TIMEOUT: Duration = Duration::from_mins(5);

/// How many codes may be tried before the password is required again.
pub(crate) const MAX_CODE_TRIES: u32 = 5;

/// How many sign-ins wait at once: one more drops the oldest.
pub(crate) const MAX_PENDING: usize = 1000;

struct PendingSignIn {
    account: i64,
    /// The hash of the password that was right: another one ends the sign-in.
    hash: String,
    begun: Instant,
    tries: u32,
}

/// A site's waiting sign-ins, by the digest of the form's word.
#[derive(Default)]
pub(crate) struct PendingSignIns(Mutex<HashMap<SecretDigest, PendingSignIn>>);

impl PendingSignIns {
    pub(crate) fn begin(&self, digest: SecretDigest, account: i64, hash: String) {
        self.begin_at(digest, account, hash, Instant::now());
    }

    /// Whose sign-in it is and the hash of its password, if a code may be tried; the try counts.
    pub(crate) fn try_code(&self, digest: &SecretDigest) -> Option<(i64, String)> {
        self.try_code_at(digest, Instant::now())
    }

    pub(crate) fn end(&self, digest: &SecretDigest) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(digest);
    }

    fn begin_at(&self, digest: SecretDigest, account: i64, hash: String, now: Instant) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_PENDING {
            all.retain(|_, pending| now.saturating_duration_since(pending.begun) < CODE_TIMEOUT);
        }
        if all.len() >= MAX_PENDING
            && let Some(oldest) = all.iter().min_by_key(|(_, pending)| pending.begun).map(|(digest, _)| *digest)
        {
            all.remove(&oldest);
        }
        all.insert(digest, PendingSignIn { account, hash, begun: now, tries: 0 });
    }

    fn try_code_at(&self, digest: &SecretDigest, now: Instant) -> Option<(i64, String)> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pending = all.get_mut(digest)?;
        if now.saturating_duration_since(pending.begun) >= CODE_TIMEOUT || pending.tries >= MAX_CODE_TRIES {
            all.remove(digest);
            return None;
        }
        pending.tries += 1;
        Some((pending.account, pending.hash.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: usize) -> SecretDigest {
        let mut digest = SecretDigest::default();
        digest[..8].copy_from_slice(&number.to_le_bytes());
        digest
    }

    #[test]
    fn a_sign_in_waits_for_few_codes_and_not_for_long() {
        let (all, start) = (PendingSignIns::default(), Instant::now());
        let hash = || "hash".to_owned();
        all.begin_at(digest(1), 7, hash(), start);
        for _ in 0..MAX_CODE_TRIES {
            assert_eq!(all.try_code_at(&digest(1), start), Some((7, hash())));
        }
        assert_eq!(all.try_code_at(&digest(1), start), None, "the password is asked for again");
        all.begin_at(digest(2), 8, hash(), start);
        assert_eq!(all.try_code_at(&digest(2), start + CODE_TIMEOUT), None, "it was too late");
        all.begin_at(digest(3), 9, hash(), start);
        all.end(&digest(3));
        assert_eq!(all.try_code_at(&digest(3), start), None);
    }

    #[test]
    fn as_many_wait_as_it_says() {
        let (all, start) = (PendingSignIns::default(), Instant::now());
        for number in 0..=MAX_PENDING {
            all.begin_at(digest(number), 1, String::new(), start + Duration::from_millis(number as u64));
        }
        assert_eq!(all.0.lock().unwrap().len(), MAX_PENDING);
        assert_eq!(all.try_code_at(&digest(0), start), None, "the oldest has gone");
        assert_eq!(all.try_code_at(&digest(MAX_PENDING), start).map(|(account, _)| account), Some(1));
    }
}
