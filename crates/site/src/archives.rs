//! Archives that authors submit: zip, and tar packed by gzip.

use std::io::{self, Cursor, Read};

use agon_message::messages;
use agon_referee::agent::packed::MAX_FILES;
use agon_referee::agent::{PackError, PackedFolder};
use flate2::read::GzDecoder;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// The most bytes of a program: of a file, or of all files of a folder together.
pub const MAX_SOURCE_BYTES: usize = 1 << 20;

/// Entries that are read of an archive: files, folders, and what is left out.
const MAX_ENTRIES: usize = 20 * MAX_FILES;

messages! {
    /// Why an archive is not accepted.
    #[derive(Clone, PartialEq, Eq)]
    pub enum ArchiveError {
        Damaged = "the archive is damaged or not a .zip or .tar.gz file",
        Encrypted { name: String } = "`{name}` is encrypted; pack the folder without a password",
        Method { name: String } = "`{name}` is packed by an unusual method; pack the folder as an ordinary .zip",
        Link { name: String } = "`{name}` is a link; submit files and folders only",
        Entries { limit: usize } = "the archive has more than {limit} entries",
        TooLarge { limit_kib: usize } = "the files of the archive are too large; the limit is {limit_kib} KiB together",
        Pack(error: PackError),
    }
}

/// Whether a file is an archive, judging by its first bytes.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(ZIP) || bytes.starts_with(GZIP)
}

const ZIP: &[u8] = b"PK\x03\x04";
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The folder in an archive; `file` is the name of the archive, which names the folder if nothing else does.
///
/// # Errors
/// Why it cannot be submitted.
pub fn unpack(file: &str, bytes: &[u8]) -> Result<PackedFolder, ArchiveError> {
    let files = if bytes.starts_with(ZIP) { unzip(bytes)? } else { untar(bytes)? };
    let stem = file.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
    PackedFolder::new(stem, files).map_err(ArchiveError::Pack)
}

type Files = Vec<(String, Vec<u8>)>;

/// Files as they are read, within the bounds.
#[derive(Default)]
struct Found {
    files: Files,
    entries: usize,
    bytes: usize,
}

impl Found {
    fn count(&mut self) -> Result<(), ArchiveError> {
        self.entries += 1;
        if self.entries > MAX_ENTRIES { Err(ArchiveError::Entries { limit: MAX_ENTRIES }) } else { Ok(()) }
    }

    /// Reads no more than may be submitted, whatever the archive says of its size.
    fn read(&mut self, name: String, content: impl Read) -> Result<(), ArchiveError> {
        let left = MAX_SOURCE_BYTES - self.bytes;
        let mut read = Vec::new();
        let bytes = content.take(left as u64 + 1).read_to_end(&mut read).map_err(|_| ArchiveError::Damaged)?;
        if bytes > left {
            return Err(ArchiveError::TooLarge { limit_kib: MAX_SOURCE_BYTES >> 10 });
        }
        self.bytes += bytes;
        self.files.push((name, read));
        Ok(())
    }
}

fn untar(bytes: &[u8]) -> Result<Files, ArchiveError> {
    let damaged = |_: io::Error| ArchiveError::Damaged;
    // Headers take space, too; more than this is not read.
    let limit = (MAX_SOURCE_BYTES + 2048 * MAX_ENTRIES) as u64;
    let mut archive = tar::Archive::new(GzDecoder::new(bytes).take(limit));
    let mut found = Found::default();
    for entry in archive.entries().map_err(damaged)? {
        let entry = entry.map_err(damaged)?;
        found.count()?;
        let name = String::from_utf8(entry.path_bytes().into_owned());
        let name = name.unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned());
        let kind = entry.header().entry_type();
        if kind.is_file() {
            found.read(name, entry)?;
        } else if kind.is_symlink() || kind.is_hard_link() {
            return Err(ArchiveError::Link { name });
        }
    }
    Ok(found.files)
}

/// The kind of file in the mode that Unix gives it, and that of a link.
const KIND: u32 = 0o170_000;
const LINK: u32 = 0o120_000;

/// Reads a zip file: stored and deflated files.
fn unzip(bytes: &[u8]) -> Result<Files, ArchiveError> {
    let damaged = |_: ZipError| ArchiveError::Damaged;
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    let mut found = Found::default();
    for at in 0..archive.len() {
        found.count()?;
        let entry = archive.by_index_raw(at).map_err(damaged)?;
        // Some programs of Windows write another separator.
        let name = String::from_utf8_lossy(entry.name_raw()).replace('\\', "/");
        if entry.unix_mode().is_some_and(|mode| mode & KIND == LINK) {
            return Err(ArchiveError::Link { name });
        }
        if name.ends_with('/') {
            continue;
        }
        if entry.encrypted() {
            return Err(ArchiveError::Encrypted { name });
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(ArchiveError::Method { name });
        }
        drop(entry);
        found.read(name, archive.by_index(at).map_err(damaged)?)?;
    }
    Ok(found.files)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn names(folder: &PackedFolder) -> Vec<&str> {
        folder.files().iter().map(|(name, _)| name.as_str()).collect()
    }

    /// A tar.gz of these files; a text that begins with `->` is a link.
    fn tar_gz(files: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (name, text) in files {
            let mut header = tar::Header::new_gnu();
            header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_mode(0o644);
            if let Some(target) = text.strip_prefix("->") {
                header.set_entry_type(tar::EntryType::Symlink);
                header.set_link_name(target).unwrap();
            }
            let text = if text.starts_with("->") { "" } else { text };
            header.set_size(text.len() as u64);
            header.set_cksum();
            archive.append(&header, text.as_bytes()).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap()
    }

    /// A zip of these files, deflated, with the modes that Unix would give them.
    fn zip(files: &[(&str, &str, u32)]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text, mode) in files {
            let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
            match (name.strip_suffix('/'), mode & KIND == LINK) {
                (Some(folder), _) => archive.add_directory(folder, options).unwrap(),
                (None, true) => archive.add_symlink(*name, *text, options).unwrap(),
                (None, false) => {
                    archive.start_file(*name, options).unwrap();
                    archive.write_all(text.as_bytes()).unwrap();
                }
            }
        }
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn both_kinds_of_archives_are_folders() {
        let tar = tar_gz(&[("./my_bot/main.py", "import board\n"), ("./my_bot/lib/board.py", "x = 1\n")]);
        let zip = zip(&[
            ("my_bot/", "", 0o40_755),
            ("my_bot/main.py", "import board\n", 0o100_644),
            ("my_bot/lib/board.py", "x = 1\n", 0),
        ]);
        for bytes in [tar, zip] {
            assert!(is_archive(&bytes));
            let folder = unpack("upload.tar.gz", &bytes).unwrap();
            assert_eq!((folder.name(), names(&folder)), ("my_bot", vec!["lib/board.py", "main.py"]));
            assert_eq!(folder.files()[1].1, "import board\n");
        }
        let flat = tar_gz(&[("main.py", "1"), ("board.py", "2")]);
        assert_eq!(unpack("C/my_bot.tar.gz", &flat).unwrap().name(), "my_bot");
    }

    #[test]
    fn archives_that_harm_are_refused() {
        #[track_caller]
        fn check(bytes: &[u8], wanted: &str) {
            let found = unpack("bot.zip", bytes).unwrap_err().to_string();
            assert!(found.contains(wanted), "{found}");
        }
        check(&tar_gz(&[("main.py", ""), ("data", "->/etc/passwd")]), "`data` is a link");
        check(&zip(&[("main.py", "", 0), ("data", "/etc/passwd", 0o120_777)]), "`data` is a link");
        check(&tar_gz(&[("main.py", ""), ("../../x.py", "")]), "invalid file name: `../../x.py`");
        check(&zip(&[("main.py", "", 0), ("..\\x.py", "", 0)]), "invalid file name: `../x.py`");
        // A bomb ends where the limit is.
        let much = " ".repeat(MAX_SOURCE_BYTES);
        check(&zip(&[("main.py", &much, 0), ("more.py", "1", 0)]), "the limit is 1024 KiB");
        check(&tar_gz(&[("main.py", &much), ("more.py", "1")]), "the limit is 1024 KiB");
        let whole = zip(&[("main.py", "print(1)", 0)]);
        for cut in 4..whole.len() {
            assert!(unpack("bot.zip", &whole[..cut]).is_err(), "{cut}");
        }
        check(&[0x1f, 0x8b, 8, 0], "damaged");
        let mut encrypted = zip(&[("main.py", "1", 0)]);
        let at = encrypted.windows(4).position(|word| word == b"PK\x01\x02").unwrap();
        encrypted[at + 8] = 1;
        check(&encrypted, "`main.py` is encrypted");
    }
}
