//! Compression of the stored records.

use super::StoreError;

/// The fastest level shrinks a record to a fifth, and higher ones little further.
const LEVEL: i32 = 1;

/// The most that a record unpacks to, in bytes; a damaged one must not claim all memory. A bout of a thousand answers,
/// each as long as an answer may be, stays below.
const LARGEST: usize = 64 << 20;

/// Packs records. To make one costs more than to pack a record with it.
pub struct Packer(zstd::bulk::Compressor<'static>);

impl Default for Packer {
    /// A packer; panics if memory runs out.
    fn default() -> Self {
        Self(zstd::bulk::Compressor::new(LEVEL).expect("the level exists"))
    }
}

impl Packer {
    /// Packs a record's text.
    ///
    /// # Panics
    /// If memory runs out.
    pub fn pack(&mut self, text: &str) -> Vec<u8> {
        self.0.compress(text.as_bytes()).expect("compressing into memory cannot fail")
    }
}

/// Unpacks it again.
pub(super) fn unpack(bytes: &[u8]) -> Result<String, StoreError> {
    let damaged = |problem: String| StoreError::Damaged { what: "a record in the store".to_owned(), problem };
    let text = zstd::bulk::decompress(bytes, LARGEST).map_err(|error| damaged(error.to_string()))?;
    String::from_utf8(text).map_err(|error| damaged(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_and_junk_does_not() {
        let text = "{\"at_us\":12,\"to\":\"first\",\"line\":\"READY FIRST\"}\n".repeat(200);
        let packed = Packer::default().pack(&text);
        assert!(packed.len() * 5 < text.len(), "{}", packed.len());
        assert_eq!(unpack(&packed).unwrap(), text);
        assert!(matches!(unpack(&packed[1..]), Err(StoreError::Damaged { .. })));
    }
}
