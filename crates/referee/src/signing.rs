//! Signatures of records: who published one, and that it has not been changed since.
//!
//! The seal of a record is its digest, which anyone can compute again. A host with a private key signs the seal, and
//! anyone with the host's public key can verify that a record is the host's.
//!
//! Source: Ed25519, RFC 8032. The signed text is [`message`]; keys and signatures are written in lower-case
//! hexadecimal.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::str::FromStr;

use agon_game::hash::hex;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

/// How the text of a public key begins.
const PUBLIC: &str = "ed25519:";

/// How the text of a private key begins.
const PRIVATE: &str = "ed25519-private:";

/// The key with which anyone can verify a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublicKey([u8; 32]);

/// The secret key that signs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PrivateKey([u8; 32]);

/// A seal's signature and its signer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordSignature {
    /// The signer's key.
    pub key: PublicKey,
    pub signature: [u8; 64],
}

/// A text or a file that holds no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error(
        "`{text}` is not a public key: `{PUBLIC}` and 64 hexadecimal digits expected, or a file with that, as \
         `agon key new` makes it"
    )]
    Public { text: String },
    #[error("`{path}` holds no private key; make one with `agon key new FILE`")]
    Private { path: String },
    #[error("`{path}` holds a public key; a private one is needed to sign (`agon key new FILE` makes both)")]
    NotPrivate { path: String },
    #[error("cannot read the key `{path}`: {source}; `agon key new FILE` makes one")]
    Unreadable { path: String, source: io::Error },
    #[error("`{path}` exists already; a key is never overwritten, so name another file")]
    Exists { path: String },
    #[error("cannot write the key `{path}`: {source}")]
    Unwritable { path: String, source: io::Error },
    #[error("the system gives no random numbers: {problem}")]
    Random { problem: String },
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PUBLIC}{}", hex(&self.0))
    }
}

impl FromStr for PublicKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let bytes = text.strip_prefix(PUBLIC).and_then(bytes::<32>);
        let key = bytes.filter(|bytes| VerifyingKey::from_bytes(bytes).is_ok());
        key.map(Self).ok_or_else(|| KeyError::Public { text: text.to_owned() })
    }
}

impl PublicKey {
    /// The key named by a text or a file: the key itself, a file with it, or one with its private key.
    ///
    /// # Errors
    /// [`KeyError`] when it is neither.
    pub fn find(text: &str) -> Result<Self, KeyError> {
        if text.starts_with(PUBLIC) {
            return text.parse();
        }
        let content = read(text)?;
        match content.trim() {
            private if private.starts_with(PRIVATE) => Ok(PrivateKey::of_text(private, text)?.public()),
            public if public.starts_with(PUBLIC) => public.parse(),
            _ => Err(KeyError::Public { text: text.to_owned() }),
        }
    }

    /// Whether this is the key's signature, in hexadecimal, of these bytes in this context.
    pub fn verifies(&self, context: &str, bytes: &[u8], signature: &str) -> bool {
        let Some(signature) = self::bytes::<64>(signature) else { return false };
        let signature = Signature::from_bytes(&signature);
        let message = in_context(context, bytes);
        VerifyingKey::from_bytes(&self.0).is_ok_and(|key| key.verify_strict(&message, &signature).is_ok())
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateKey of {}", self.public())
    }
}

impl PrivateKey {
    /// A new key from the system's random numbers.
    ///
    /// # Errors
    /// [`KeyError::Random`] when it has none.
    pub fn generate() -> Result<Self, KeyError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| KeyError::Random { problem: error.to_string() })?;
        Ok(Self(bytes))
    }

    pub fn public(&self) -> PublicKey {
        PublicKey(SigningKey::from_bytes(&self.0).verifying_key().to_bytes())
    }

    /// Writes it to a new file that its owner alone can read.
    ///
    /// # Errors
    /// [`KeyError::Exists`] when there is such a file, [`KeyError::Unwritable`] when it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), KeyError> {
        let name = || path.display().to_string();
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(|source| {
            match source.kind() {
                io::ErrorKind::AlreadyExists => KeyError::Exists { path: name() },
                _ => KeyError::Unwritable { path: name(), source },
            }
        })?;
        writeln!(file, "{PRIVATE}{}", hex(&self.0)).map_err(|source| KeyError::Unwritable { path: name(), source })
    }

    /// Reads the key of a file.
    ///
    /// # Errors
    /// [`KeyError`] when it cannot be read, or holds no private key.
    pub fn read(path: &str) -> Result<Self, KeyError> {
        Self::of_text(read(path)?.trim(), path)
    }

    /// Reads the key of a file, which is created with a new key if it does not exist.
    ///
    /// # Errors
    /// [`KeyError`] when the file can be neither read nor created, or contains no private key.
    pub fn read_or_new(path: &Path) -> Result<Self, KeyError> {
        if !path.exists() {
            let key = Self::generate()?;
            // A process killed here leaves no partial key; another process may be faster.
            let mut part = path.as_os_str().to_owned();
            part.push(format!(".{}", hex(&key.public().0[..6])));
            let part = Path::new(&part);
            key.write(part)?;
            let made = fs::hard_link(part, path);
            let _ = fs::remove_file(part);
            if let Err(source) = made
                && source.kind() != io::ErrorKind::AlreadyExists
            {
                return Err(KeyError::Unwritable { path: path.display().to_string(), source });
            }
        }
        Self::read(&path.to_string_lossy())
    }

    /// Signs bytes other than the seal of a record; returns the signature in hexadecimal. The context says what they
    /// are, so that a signature of one thing never passes for that of another.
    pub fn sign_bytes(&self, context: &str, bytes: &[u8]) -> String {
        hex(&SigningKey::from_bytes(&self.0).sign(&in_context(context, bytes)).to_bytes())
    }

    /// A secret for one purpose, always the same, from which the key cannot be computed.
    pub fn secret(&self, purpose: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.0);
        hash.update(purpose);
        hash.finalize().into()
    }

    fn of_text(text: &str, path: &str) -> Result<Self, KeyError> {
        if text.starts_with(PUBLIC) {
            return Err(KeyError::NotPrivate { path: path.to_owned() });
        }
        let bytes = text.strip_prefix(PRIVATE).and_then(bytes::<32>);
        bytes.map(Self).ok_or_else(|| KeyError::Private { path: path.to_owned() })
    }

    /// Signs the seal of a record.
    pub(crate) fn sign(&self, seal: &str) -> RecordSignature {
        let key = SigningKey::from_bytes(&self.0);
        RecordSignature {
            key: PublicKey(key.verifying_key().to_bytes()),
            signature: key.sign(&message(seal)).to_bytes(),
        }
    }
}

impl RecordSignature {
    /// A signature from its texts; `None` if they are not one.
    pub(crate) fn of_texts(key: &str, signature: &str) -> Option<Self> {
        Some(Self { key: key.parse().ok()?, signature: bytes(signature)? })
    }

    /// The signature itself, in hexadecimal.
    pub(crate) fn text(&self) -> String {
        hex(&self.signature)
    }

    /// Whether it is this key's signature of this seal.
    pub(crate) fn fits(&self, seal: &str) -> bool {
        let signature = Signature::from_bytes(&self.signature);
        VerifyingKey::from_bytes(&self.key.0).is_ok_and(|key| key.verify_strict(&message(seal), &signature).is_ok())
    }
}

/// The signed text: these words and the seal's digest in hexadecimal. The words keep a signature of a record from being
/// taken for one of something else.
pub fn message(seal: &str) -> Vec<u8> {
    format!("agon record sha256:{seal}").into_bytes()
}

/// The signed text when there is no record: the context never begins as [`message`] does.
fn in_context(context: &str, bytes: &[u8]) -> Vec<u8> {
    [b"agon ", context.as_bytes(), b"\n", bytes].concat()
}

/// The most of a file that is looked at for a key, in bytes.
const MAX_KEY_FILE_BYTES: u64 = 4096;

fn read(path: &str) -> Result<String, KeyError> {
    let file = fs::File::open(path);
    let text = file.and_then(|file| io::read_to_string(io::Read::take(file, MAX_KEY_FILE_BYTES)));
    text.map_err(|source| KeyError::Unreadable { path: path.to_owned(), source })
}

/// Exactly `N` bytes in lower-case hexadecimal.
fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let digits = text.as_bytes();
    let mut bytes = [0; N];
    if digits.len() != 2 * N {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8032, 7.1, test 2.
    #[test]
    fn keys_are_those_of_the_standard() {
        let private = "ed25519-private:4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
        let public = "ed25519:3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
        let key = PrivateKey::of_text(private, "").unwrap();
        assert_eq!(key.public().to_string(), public);
        assert_eq!(key.public(), public.parse().unwrap());
        let signed = key.sign("12ab");
        assert!(signed.fits("12ab") && !signed.fits("12ac"));
        assert_eq!(RecordSignature::of_texts(public, &signed.text()), Some(signed));
        assert!(!format!("{key:?}").contains(&private[16..]));
    }

    #[test]
    fn a_signature_is_of_one_context() {
        let key = PrivateKey::generate().unwrap();
        let signed = key.sign_bytes("fleet job", b"12ab");
        let public = key.public();
        assert!(public.verifies("fleet job", b"12ab", &signed));
        assert!(!public.verifies("fleet notice", b"12ab", &signed) && !public.verifies("fleet job", b"12ac", &signed));
        assert!(!public.verifies("fleet job", b"12ab", &signed[1..]));
        assert!(!PrivateKey::generate().unwrap().public().verifies("fleet job", b"12ab", &signed));
        assert_ne!(key.secret("one"), key.secret("other"));
    }

    #[test]
    fn a_key_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fleet.key");
        let key = PrivateKey::read_or_new(&path).unwrap();
        assert_eq!(PrivateKey::read_or_new(&path).unwrap(), key);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no part of it is left");
        fs::write(&path, "junk").unwrap();
        assert!(PrivateKey::read_or_new(&path).is_err());
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "ed25519:", "ed25519:00", "ED25519:3d", &format!("ed25519:{}", "G".repeat(64))] {
            assert!(text.parse::<PublicKey>().is_err(), "{text}");
        }
        assert_ne!(PrivateKey::generate().unwrap(), PrivateKey::generate().unwrap());
    }
}
