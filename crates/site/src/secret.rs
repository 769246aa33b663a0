//! Secrets: passwords, and the random words of sessions, tokens and invitations.

use std::sync::LazyLock;

use agon_game::hash::hex;
use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use sha2::{Digest, Sha256};

/// What the store has of a random word.
pub type SecretDigest = [u8; 32];

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without random numbers nothing here may go on.
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}

pub fn number() -> u64 {
    u64::from_le_bytes(random())
}

/// A new secret of an authenticator app: 160 bits, as RFC 4226 recommends.
pub fn bytes() -> [u8; 20] {
    random()
}

/// A new random word, 256 bits as 64 hexadecimal digits.
pub fn word() -> String {
    hex(&random::<32>())
}

/// The digest of a word. A fast one will do, since 2²⁵⁶ words cannot be tried.
pub fn digest(word: &str) -> SecretDigest {
    Sha256::digest(word).into()
}

/// Argon2id of a password, as a PHC string with its parameters and its salt. Takes some 30 ms and 19 MiB.
pub fn hash(password: &str) -> String {
    let salt = SaltString::encode_b64(&random::<16>()).expect("16 bytes are a salt");
    Argon2::default().hash_password(password.as_bytes(), &salt).expect("the parameters are valid").to_string()
}

/// Whether a password is that of a hash. Without one it takes as long and says no, so that the time taken does not
/// reveal which accounts exist.
pub fn verify(password: &str, hashed: Option<&str>) -> bool {
    static NO_ACCOUNT: LazyLock<String> = LazyLock::new(|| hash(&word()));
    let parsed = PasswordHash::new(hashed.unwrap_or(&NO_ACCOUNT));
    let fits = parsed.is_ok_and(|parsed| Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok());
    fits && hashed.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_fits_its_own_hash_alone() {
        let hashed = hash("correct horse");
        assert!(hashed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hashed}");
        assert_ne!(hashed, hash("correct horse"), "the salt differs");
        assert!(verify("correct horse", Some(&hashed)));
        assert!(!verify("correct house", Some(&hashed)) && !verify("correct horse", None));
        assert!(!verify("", Some("")) && !verify("x", Some("$argon2id$")));
        assert_ne!(word(), word());
    }
}
