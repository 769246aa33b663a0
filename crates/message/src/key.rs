//! Keys of messages, derived from the names of their types at compile time.

/// The length of a name in [`kebab`] case.
pub const fn kebab_length(name: &str) -> usize {
    let bytes = name.as_bytes();
    let (mut at, mut length) = (0, bytes.len());
    while at < bytes.len() {
        if at > 0 && bytes[at].is_ascii_uppercase() {
            length += 1;
        }
        at += 1;
    }
    length
}

/// A name in camel case as words with hyphens: `SourceErrorEmpty` is `source-error-empty`.
pub const fn kebab<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
    let bytes = name.as_bytes();
    let (mut key, mut at, mut to) = ([b'-'; LENGTH], 0, 0);
    while at < bytes.len() {
        if at > 0 && bytes[at].is_ascii_uppercase() {
            to += 1;
        }
        key[to] = bytes[at].to_ascii_lowercase();
        at += 1;
        to += 1;
    }
    key
}
