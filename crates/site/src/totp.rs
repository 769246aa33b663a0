//! Codes of an authenticator app (TOTP, RFC 6238), which a host may have to give after the password, and recovery codes
//! for those who have lost the app.

use agon_message::messages;
use totp_rs::{Builder, Secret, Totp};

use crate::error::Refusal;
use crate::secret::{self, SecretDigest};
use crate::store::{EventKind, Origin, SiteStore};
use agon_arena::store::StoreError;

/// How many recovery codes are created at once.
pub const RECOVERY_CODES: usize = 10;

/// Characters of a recovery code: 48 bits.
const CODE_CHARS: usize = 12;

/// The maximum number of characters typed as a code.
pub const MAX_TYPED_CHARS: usize = 40;

messages! {
    /// How a code was verified.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum CodeProof {
        /// With the app.
        App = "with a code of the app",
        /// With a recovery code, and how many are left.
        Recovery { left: u32 } = "with a recovery code, {left} left",
    }
}

/// A code of six digits for each 30 s; those of the 30 s before and after count too, since clocks differ.
fn of_secret(secret: &[u8]) -> Option<Totp> {
    Builder::new().with_secret(secret.to_vec()).with_skew(1).build().ok()
}

/// The step whose code this is, at a time.
fn step(secret: &[u8], code: &str, now: i64) -> Option<i64> {
    of_secret(secret)?.check(code, now.max(0) as u64).map(|step| step as i64)
}

/// The code of a secret at a time, as an app shows it.
pub fn code(secret: &[u8], now: i64) -> Option<String> {
    Some(of_secret(secret)?.generate(now.max(0) as u64).to_string())
}

/// The secret as people type it: Base32 in groups of four.
pub fn readable(secret: &[u8]) -> String {
    let text = Secret::new(secret.into()).to_base32();
    let groups: Vec<&str> = text.as_bytes().chunks(4).filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(" ")
}

/// The link with which an app takes the secret, for an account of a site at a host.
pub fn link(secret: &[u8], name: &str, host: &str) -> String {
    let escaped = |text: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
        text.bytes().map(one).collect::<String>()
    };
    let issuer = escaped(&format!("Agon {host}").replace(':', " "));
    let (label, secret) = (escaped(&name.replace(':', " ")), readable(secret).replace(' ', ""));
    format!("otpauth://totp/{issuer}:{label}?secret={secret}&issuer={issuer}")
}

/// What was typed, without the spaces and dashes that people put between the parts of a code.
fn plain(typed: &str) -> String {
    let kept = typed.chars().take(MAX_TYPED_CHARS).filter(|c| !c.is_whitespace() && *c != '-');
    kept.flat_map(char::to_lowercase).collect()
}

/// New recovery codes, and their digests.
fn recovery_codes() -> (Vec<String>, Vec<SecretDigest>) {
    let words: Vec<String> = (0..RECOVERY_CODES).map(|_| secret::word()[..CODE_CHARS].to_owned()).collect();
    let digests = words.iter().map(|word| secret::digest(word)).collect();
    let shown = words.iter().map(|word| {
        let (one, other) = word.split_at(CODE_CHARS / 2);
        format!("{one}-{other}")
    });
    (shown.collect(), digests)
}

messages! {
    /// Why two-factor sign-in is not set up.
    pub enum TotpError {
        AlreadyOn = "two-factor sign-in is already on; turn it off first",
    }
}

/// Begins to set up the app of an account, and returns its secret; an earlier beginning counts no longer.
pub fn begin(store: &mut SiteStore, account: i64) -> Result<Vec<u8>, Refusal> {
    let secret = secret::bytes().to_vec();
    if store.begin_totp(account, &secret)? { Ok(secret) } else { Err(Refusal::conflict(TotpError::AlreadyOn)) }
}

/// Completes the setup with a code of the app, and returns the recovery codes, which the store does not keep; `None` if
/// the code is wrong.
pub fn confirm(
    store: &mut SiteStore,
    account: i64,
    typed: &str,
    origin: &Origin,
    now: i64,
) -> Result<Option<Vec<String>>, Refusal> {
    let begun = store.totp(account)?.filter(|totp| totp.confirmed.is_none()).ok_or(Refusal::NotFound)?;
    let Some(step) = step(&begun.secret, &plain(typed), now) else { return Ok(None) };
    let (codes, digests) = recovery_codes();
    if !store.confirm_totp(account, &begun.secret, step, &digests, now)? {
        return Err(Refusal::NotFound);
    }
    store.note_event(EventKind::TotpOn, Some(account), origin, "", now)?;
    Ok(Some(codes))
}

/// Verifies that what was typed is a code of an account's app, or one of its recovery codes, which is then used up: no
/// code works twice.
///
/// # Errors
/// [`StoreError`].
pub fn prove(store: &mut SiteStore, account: i64, typed: &str, now: i64) -> Result<Option<CodeProof>, StoreError> {
    let Some(totp) = store.totp(account)?.filter(|totp| totp.confirmed.is_some()) else { return Ok(None) };
    let typed = plain(typed);
    if let Some(step) = step(&totp.secret, &typed, now) {
        return Ok(store.use_totp_step(account, step)?.then_some(CodeProof::App));
    }
    let used = typed.len() == CODE_CHARS && store.use_recovery_code(account, &secret::digest(&typed))?;
    Ok(used.then(|| CodeProof::Recovery { left: totp.codes.saturating_sub(1) }))
}

/// Creates new recovery codes, replacing all earlier ones.
pub fn renew(store: &mut SiteStore, account: i64, origin: &Origin, now: i64) -> Result<Vec<String>, Refusal> {
    if !store.has_totp(account)? {
        return Err(Refusal::NotFound);
    }
    let (codes, digests) = recovery_codes();
    store.set_recovery_codes(account, &digests)?;
    store.note_event(EventKind::RecoveryCodesMade, Some(account), origin, "", now)?;
    Ok(codes)
}

/// Stops requiring codes from an account; false if none were required.
pub fn remove(store: &mut SiteStore, account: i64, origin: &Origin, now: i64) -> Result<bool, Refusal> {
    let removed = store.remove_totp(account)?;
    if removed {
        store.note_event(EventKind::TotpOff, Some(account), origin, "", now)?;
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A store with an account that has set up an app, the app's secret, and the recovery codes.
    fn set_up(now: i64) -> (tempfile::TempDir, SiteStore, i64, Vec<u8>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SiteStore::open(&folder.path().join("site.db")).unwrap();
        let ada = store.create_account("ada", "x", true, 1).unwrap().unwrap();
        let secret = begin(&mut store, ada).unwrap();
        assert!(!store.has_totp(ada).unwrap(), "until a first code has come");
        let origin = Origin::request(Some(ada), "192.0.2.1");
        assert_eq!(confirm(&mut store, ada, "abc", &origin, now).unwrap(), None);
        let first = code(&secret, now).unwrap();
        let codes = confirm(&mut store, ada, &first, &origin, now).unwrap().unwrap();
        assert!(confirm(&mut store, ada, &first, &origin, now).is_err(), "it is done");
        assert!(matches!(begin(&mut store, ada), Err(Refusal::Conflict(_))));
        assert_eq!(prove(&mut store, ada, &first, now).unwrap(), None, "the first code is used up, too");
        (folder, store, ada, secret, codes)
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B, its last six digits.
        let secret = b"12345678901234567890";
        for (time, wanted) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            assert_eq!(code(secret, time).as_deref(), Some(wanted));
            assert_eq!(step(secret, wanted, time), Some(time / 30));
            assert_eq!(step(secret, wanted, time + 30), Some(time / 30), "a clock may be late");
            assert_eq!(step(secret, wanted, time + 90), None);
        }
        assert_eq!(readable(secret), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
        let link = link(secret, "Zoë 1", "127.0.0.1:8080");
        let wanted = "otpauth://totp/Agon%20127.0.0.1%208080:Zo%C3%AB%201?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
                      &issuer=Agon%20127.0.0.1%208080";
        assert_eq!(link, wanted);
    }

    #[test]
    fn no_code_counts_twice() {
        let now = 1_800_000_000;
        let (_folder, mut store, ada, secret, codes) = set_up(now);
        let later = now + 60;
        let next = code(&secret, later).unwrap();
        let spaced = format!(" {} {} ", &next[..3], &next[3..]);
        assert_eq!(prove(&mut store, ada, &spaced, later).unwrap(), Some(CodeProof::App));
        for seconds in [0, 29, 30] {
            assert_eq!(prove(&mut store, ada, &next, later + seconds).unwrap(), None, "a replay");
        }
        // Nor does the code of an earlier step than the last used one.
        let before = code(&secret, later - 30).unwrap();
        assert_eq!(prove(&mut store, ada, &before, later).unwrap(), None);
        let typed = codes[3].to_uppercase();
        assert_eq!(prove(&mut store, ada, &typed, later).unwrap(), Some(CodeProof::Recovery { left: 9 }));
        assert_eq!(prove(&mut store, ada, &typed, later).unwrap(), None);
        for wrong in ["", "000000x", "-", &"9".repeat(5000), "\u{661}\u{662}\u{663}\u{664}\u{665}\u{666}"] {
            assert_eq!(prove(&mut store, ada, wrong, later).unwrap(), None, "{wrong}");
        }
    }

    #[test]
    fn new_recovery_codes_end_the_earlier_ones() {
        let now = 1_800_000_000;
        let (_folder, mut store, ada, secret, codes) = set_up(now);
        let origin = Origin::request(Some(ada), "192.0.2.1");
        let new = renew(&mut store, ada, &origin, now).unwrap();
        assert_eq!((new.len(), store.totp(ada).unwrap().unwrap().codes), (RECOVERY_CODES, 10));
        assert_eq!(prove(&mut store, ada, &codes[0], now).unwrap(), None);
        assert!(remove(&mut store, ada, &origin, now).unwrap() && !remove(&mut store, ada, &origin, now).unwrap());
        assert!(!store.has_totp(ada).unwrap());
        for typed in [&new[0], &code(&secret, now + 300).unwrap()] {
            assert_eq!(prove(&mut store, ada, typed, now + 300).unwrap(), None, "nothing is asked for");
        }
        let kinds: Vec<EventKind> =
            store.events(&crate::store::EventFilter::default(), 9).unwrap().iter().map(|event| event.kind).collect();
        assert_eq!(kinds, [EventKind::TotpOff, EventKind::RecoveryCodesMade, EventKind::TotpOn]);
    }
}
