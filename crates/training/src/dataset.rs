//! Files of records.
//!
//! All numbers are little-endian. A file starts with `AGONDATA`, a version (4 bytes), the length of a text (4 bytes)
//! and that text, which names the records and how they were made. Blocks follow, each with the games of one unit of
//! work in order:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | the length of the frame |
//! | 4 | how many records are in it |
//! | n | a zstd frame with the records, and a checksum of them |
//!
//! Files are only ever appended to. At worst, an interruption leaves a torn block at the end; [`Writer::open`] removes
//! it and returns the number of whole blocks, so that the work continues with the next one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use agon_jobs::FileError;

use crate::PositionRecord;

const MAGIC: &[u8; 8] = b"AGONDATA";
const VERSION: u32 = 1;
/// Records hardly compress further above this.
const LEVEL: i32 = 6;
/// Larger than any block: a length above it is a torn header.
const MAX_FRAME_BYTES: u32 = 1 << 28;

#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{0} is no file of records, or of another version")]
    Header(PathBuf),
    #[error("{path} was made by `{found}`, not by `{expected}`: write to another file")]
    Other { path: PathBuf, found: String, expected: String },
    #[error("{path}: block {block} is damaged")]
    Block { path: PathBuf, block: usize },
}

#[derive(Debug)]
pub struct Writer {
    file: File,
    path: PathBuf,
    blocks: usize,
    records: u64,
}

impl Writer {
    /// Opens a file for appending, or creates it; `text` describes how its records are made.
    ///
    /// # Errors
    /// [`DataError`] if the file is something else, or its records were made differently.
    pub fn open<R: PositionRecord>(path: &Path, text: &str) -> Result<Self, DataError> {
        let io = FileError::on::<io::Error>("write", path);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(&io)?;
        let expected = header::<R>(text);
        let length = file.metadata().map_err(&io)?.len();
        // Torn within the header: the file contains nothing yet.
        if length < expected.len() as u64 {
            let mut begun = Vec::new();
            file.read_to_end(&mut begun).map_err(&io)?;
            if !expected.starts_with(&begun) {
                return Err(DataError::Header(path.to_owned()));
            }
            file.set_len(0).map_err(&io)?;
            file.seek(SeekFrom::Start(0)).map_err(&io)?;
            file.write_all(&expected).map_err(&io)?;
            return Ok(Self { file, path: path.to_owned(), blocks: 0, records: 0 });
        }
        let (found, mut end) = read_header(path, &mut file)?;
        let expected = full_text::<R>(text);
        if found != expected {
            return Err(DataError::Other { path: path.to_owned(), found, expected });
        }
        let (mut blocks, mut records) = (0, 0);
        while let Some((frame, count)) = block_header(&mut file).map_err(&io)? {
            let next = end + 8 + u64::from(frame);
            if frame > MAX_FRAME_BYTES || next > length {
                break;
            }
            file.seek(SeekFrom::Start(next)).map_err(&io)?;
            (end, blocks, records) = (next, blocks + 1, records + u64::from(count));
        }
        file.set_len(end).map_err(&io)?;
        file.seek(SeekFrom::Start(end)).map_err(&io)?;
        Ok(Self { file, path: path.to_owned(), blocks, records })
    }

    pub const fn blocks(&self) -> usize {
        self.blocks
    }

    pub const fn records(&self) -> u64 {
        self.records
    }

    /// Appends a block.
    ///
    /// # Errors
    /// [`DataError::File`] when the system refuses.
    pub fn append<R: PositionRecord>(&mut self, records: &[R]) -> Result<(), DataError> {
        let io = FileError::on::<io::Error>("write", &self.path);
        let mut plain = Vec::with_capacity(records.len() * R::BYTES);
        for record in records {
            record.write(&mut plain);
        }
        let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL).map_err(&io)?;
        encoder.include_checksum(true).map_err(&io)?;
        encoder.write_all(&plain).map_err(&io)?;
        let frame = encoder.finish().map_err(&io)?;
        let mut block = Vec::with_capacity(frame.len() + 8);
        block.extend((frame.len() as u32).to_le_bytes());
        block.extend((records.len() as u32).to_le_bytes());
        block.extend(frame);
        // In one write, so that a kill seldom tears it.
        self.file.write_all(&block).map_err(&io)?;
        self.blocks += 1;
        self.records += records.len() as u64;
        Ok(())
    }
}

/// Returns the number of records in the whole blocks of a file, which may be growing; `None` if it is not a file of
/// records.
pub fn count(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let (_, mut end) = read_header(path, &mut file).ok()?;
    let mut records = 0;
    while let Ok(Some((frame, count))) = block_header(&mut file) {
        end += 8 + u64::from(frame);
        if frame > MAX_FRAME_BYTES || end > length {
            break;
        }
        file.seek(SeekFrom::Start(end)).ok()?;
        records += u64::from(count);
    }
    Some(records)
}

/// Reads all records of a file, and its description of how they were made. A torn block at its end is ignored.
///
/// # Errors
/// [`DataError`] if it is not such a file, or is damaged.
pub fn read<R: PositionRecord>(path: &Path) -> Result<(Vec<R>, String), DataError> {
    let io = FileError::on::<io::Error>("read", path);
    let mut file = BufReader::new(File::open(path).map_err(&io)?);
    let (text, _) = read_header(path, &mut file)?;
    if text.split('\n').next() != Some(R::NAME) {
        return Err(DataError::Other { path: path.to_owned(), found: text, expected: R::NAME.to_owned() });
    }
    let mut records = Vec::new();
    let mut block = 0;
    while let Some((frame, count)) = block_header(&mut file).map_err(&io)? {
        let damaged = || DataError::Block { path: path.to_owned(), block };
        if frame > MAX_FRAME_BYTES {
            return Err(damaged());
        }
        let mut compressed = Vec::new();
        (&mut file).take(frame.into()).read_to_end(&mut compressed).map_err(&io)?;
        if compressed.len() < frame as usize {
            break;
        }
        // The declared size limits the decompressed size of a damaged frame.
        let size = count as usize * R::BYTES;
        let mut plain = Vec::new();
        let decoder = zstd::Decoder::new(compressed.as_slice()).map_err(|_| damaged())?;
        decoder.take(size as u64 + 1).read_to_end(&mut plain).map_err(|_| damaged())?;
        if plain.len() != size {
            return Err(damaged());
        }
        for bytes in plain.chunks_exact(R::BYTES) {
            records.push(R::read(bytes).ok_or_else(damaged)?);
        }
        block += 1;
    }
    Ok((records, text))
}

fn full_text<R: PositionRecord>(text: &str) -> String {
    format!("{}\n{text}", R::NAME)
}

fn header<R: PositionRecord>(text: &str) -> Vec<u8> {
    let text = full_text::<R>(text);
    [MAGIC.as_slice(), &VERSION.to_le_bytes(), &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
}

/// The text of a file, and where its first block begins.
fn read_header(path: &Path, file: &mut impl Read) -> Result<(String, u64), DataError> {
    let refused = || DataError::Header(path.to_owned());
    let mut head = [0; 16];
    file.read_exact(&mut head).map_err(|_| refused())?;
    let length = u32::from_le_bytes([head[12], head[13], head[14], head[15]]);
    if !head.starts_with(MAGIC) || head[8..12] != VERSION.to_le_bytes() || length > 1 << 16 {
        return Err(refused());
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text).map_err(|_| refused())?;
    Ok((String::from_utf8(text).map_err(|_| refused())?, 16 + u64::from(length)))
}

/// The length of the next block's frame and its records; `None` at the end, torn or not.
fn block_header(file: &mut impl Read) -> io::Result<Option<(u32, u32)>> {
    let mut head = [0; 8];
    let mut filled = 0;
    while filled < head.len() {
        match file.read(&mut head[filled..]) {
            Ok(0) => return Ok(None),
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    Ok(Some((number(0), number(4))))
}
