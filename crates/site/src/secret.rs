//! Secrets: passwords, and the random words of sessions, tokens and invitations.

use std::sync::{LazyLock, Mutex, PoisonError};

use agon_game::hash::hex;
use argon2::password_hash::{Output, ParamsString, PasswordHash, Salt, SaltString};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use sha2::{Digest, Sha256};

/// The store's digest of a random word.
pub type SecretDigest = [u8; 32];

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Nothing here may continue without random numbers.
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

/// The letters of codes (Crockford's base 32): none looks like another one.
const CODE_LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The letters of a code.
const CODE_LENGTH: usize = 10;

/// A new random word that people can type: 50 bits, for words that are known for a while and can only be tried by
/// requests.
pub fn code() -> String {
    random::<CODE_LENGTH>().into_iter().map(|byte| char::from(CODE_LETTERS[usize::from(byte % 32)])).collect()
}

/// A code in two halves, for reading it out.
pub fn in_halves(code: &str) -> String {
    let (first, second) = code.split_at_checked(CODE_LENGTH / 2).unwrap_or((code, ""));
    if code.len() == CODE_LENGTH { format!("{first}-{second}") } else { code.to_owned() }
}

/// The word that a person has typed: in capitals, with blanks and hyphens, with letters that look like digits, or as
/// the link that ends with it.
pub fn typed(text: &str) -> String {
    let word = text.trim().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let letters = word.chars().filter(|c| !c.is_whitespace() && *c != '-').flat_map(char::to_lowercase);
    letters
        .map(|c| match c {
            'o' => '0',
            'i' | 'l' => '1',
            c => c,
        })
        .collect()
}

/// The digest of a word. A fast one is enough, since no one can try 2²⁵⁶ words, nor 2⁵⁰ by requests.
pub fn digest(word: &str) -> SecretDigest {
    Sha256::digest(word).into()
}

/// The memory of finished hashes, for the next ones: an allocator may keep what it is given back, separately for each
/// thread.
static BLOCKS: Mutex<Vec<Vec<Block>>> = Mutex::new(Vec::new());

/// How many such blocks are kept at most: as many as hashes are computed at once.
const MAX_KEPT: usize = 2;

/// Argon2id of a password, of the length of the output.
fn compute(password: &str, salt: &[u8], params: Params, output: &mut [u8]) -> Result<(), argon2::Error> {
    let blocks = || BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut memory = blocks().pop().unwrap_or_default();
    memory.resize(params.block_count(), Block::new());
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let done = argon.hash_password_into_with_memory(password.as_bytes(), salt, output, &mut memory);
    let mut kept = blocks();
    if kept.len() < MAX_KEPT {
        kept.push(memory);
    }
    done
}

/// Argon2id of a password, as a PHC string with its parameters and its salt. Takes some 30 ms and 19 MiB.
pub fn hash(password: &str) -> String {
    let (bytes, params, mut output) = (random::<16>(), Params::default(), [0; Params::DEFAULT_OUTPUT_LEN]);
    compute(password, &bytes, params.clone(), &mut output).expect("the parameters are valid");
    let salt = SaltString::encode_b64(&bytes).expect("16 bytes are a salt");
    let hashed = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&params).expect("they are numbers"),
        salt: Some(salt.as_salt()),
        hash: Some(Output::new(&output).expect("32 bytes are an output")),
    };
    hashed.to_string()
}

/// Whether a password belongs to a hash; `None` if the hash is not Argon2id.
fn fits(password: &str, hashed: &str) -> Option<bool> {
    let parsed = PasswordHash::new(hashed).ok()?;
    if parsed.algorithm != Algorithm::Argon2id.ident() || parsed.version != Some(Version::V0x13.into()) {
        return None;
    }
    let (params, expected) = (Params::try_from(&parsed).ok()?, parsed.hash?);
    let mut buffer = [0; Salt::MAX_LENGTH];
    let salt = parsed.salt?.decode_b64(&mut buffer).ok()?;
    let mut output = vec![0; expected.len()];
    compute(password, salt, params, &mut output).ok()?;
    // Compared in constant time.
    Some(Output::new(&output).ok()? == expected)
}

/// Whether a password belongs to a hash. Without a hash it takes as long and returns false, so that the time does not
/// reveal which accounts exist.
pub fn verify(password: &str, hashed: Option<&str>) -> bool {
    static NO_ACCOUNT: LazyLock<String> = LazyLock::new(|| hash(&word()));
    fits(password, hashed.unwrap_or(&NO_ACCOUNT)) == Some(true) && hashed.is_some()
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};

    use super::*;

    #[test]
    fn codes_are_read_as_people_type_them() {
        let made = code();
        assert!(made.len() == CODE_LENGTH && made.bytes().all(|letter| CODE_LETTERS.contains(&letter)), "{made}");
        assert_ne!(made, code());
        assert_eq!(typed(&in_halves(&made)), made);
        for text in
            ["k01m2-3xyz9", " K0IM2 3XYZ9 ", "kolm23xyz9", "https://agon.example/join/k01m23xyz9", "k01m2-3xyz9/"]
        {
            assert_eq!(typed(text), "k01m23xyz9", "{text}");
        }
        assert_eq!(
            (typed(""), in_halves("abc"), in_halves("k01m23xyz9")),
            (String::new(), "abc".into(), "k01m2-3xyz9".into())
        );
    }

    #[test]
    fn a_password_fits_its_own_hash_alone() {
        let hashed = hash("correct horse");
        assert!(hashed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hashed}");
        assert_ne!(hashed, hash("correct horse"), "the salt differs");
        assert!(verify("correct horse", Some(&hashed)));
        assert!(!verify("correct house", Some(&hashed)) && !verify("correct horse", None));
        assert!(!verify("", Some("")) && !verify("x", Some("$argon2id$")));
        assert!(BLOCKS.lock().unwrap().len() <= MAX_KEPT);
        // The library's own result, as earlier versions stored it.
        let salt = SaltString::encode_b64(b"0123456789abcdef").unwrap();
        let theirs = Argon2::default().hash_password(b"correct horse", &salt).unwrap().to_string();
        assert!(verify("correct horse", Some(&theirs)) && !verify("correct house", Some(&theirs)));
        let parsed = PasswordHash::new(&hashed).unwrap();
        assert!(Argon2::default().verify_password(b"correct horse", &parsed).is_ok());
        assert_ne!(word(), word());
    }
}
