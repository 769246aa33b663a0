//! Compression of the stored records.

use agon_referee::record::MAX_RECORD_BYTES;

/// The fastest level shrinks a record to a fifth, and higher ones little further.
const LEVEL: i32 = 1;

/// Compresses records. Creating one costs more than compressing a record with it.
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

/// Decompresses a record. A damaged one must not be able to claim all memory.
///
/// # Errors
/// What is wrong with it, in words.
pub fn unpack(bytes: &[u8]) -> Result<String, String> {
    let claimed = zstd::zstd_safe::get_frame_content_size(bytes).ok().flatten();
    if let Some(claimed) = claimed.filter(|&claimed| claimed > MAX_RECORD_BYTES as u64) {
        return Err(format!("the record has {} MiB, and only {} MiB are read", claimed >> 20, MAX_RECORD_BYTES >> 20));
    }
    let text = zstd::bulk::decompress(bytes, MAX_RECORD_BYTES)
        .map_err(|error| format!("the record does not unpack: {error}"))?;
    String::from_utf8(text).map_err(|error| format!("the record is no text: {error}"))
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
        assert!(unpack(&packed[1..]).unwrap_err().starts_with("the record does not unpack: "));
        let packed = Packer::default().pack(&"x".repeat(MAX_RECORD_BYTES + (1 << 20)));
        assert_eq!(unpack(&packed).unwrap_err(), "the record has 65 MiB, and only 64 MiB are read");
    }
}
