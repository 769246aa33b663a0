//! Sign-ins that are not over.

use crate::failures::SignInFailures;
use crate::pending::PendingSignIns;

#[derive(Default)]
pub(crate) struct SignIns {
    /// Wrong passwords.
    pub failures: SignInFailures,
    /// Sign-ins that wait for a code.
    pub pending: PendingSignIns,
}
