//! The submission of a program.

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use agon_message::messages;
use agon_referee::agent::{Language, PackedFolder};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use crate::archives::MAX_SOURCE_BYTES;
use crate::archives::unpack;
use crate::competition::CompetitionError;
use crate::error::FieldError;
use crate::names::{Named, check_name};
use crate::store::Competition;

pub const MAX_NAME_CHARS: usize = 32;

const MAX_SOURCE_KIB: usize = MAX_SOURCE_BYTES >> 10;

messages! {
    /// Why a draft cannot be submitted.
    pub enum DraftError {
        SourceEmpty = "source is empty; choose a file or paste the program",
        SourceTooLarge { kib: usize, limit_kib: usize } = "source is {kib} KiB; the limit is {limit_kib} KiB",
        SourceOverLimit { limit_kib: usize } = "source is too large; the limit is {limit_kib} KiB",
        SourceHasNul = "source contains a NUL byte; submit a text file",
        SourceNotUtf8 { byte: usize } = "source is not valid UTF-8 (byte {byte})",
        SourceIsFolder = "source begins with `agon-folder`, which is reserved; submit the folder or an archive of it",
        SourceAndFiles = "more than one of source, files and archive was sent; send one of them",
        ArchiveNotBase64 = "archive is not valid base64",
        UnknownLanguage { name: String } = "unknown language: `{name}`",
        NoLanguage = "the file name does not show the language; choose one",
        LanguageNotInstalled { language: Language, compiler: &'static str } =
            "{language} is not available here: `{compiler}` is not installed",
    }
}

/// The source as it is kept, if it can be submitted. Browsers send the lines of a form with CR LF.
///
/// # Errors
/// What is wrong with the field `source`.
pub fn check_source(source: &str) -> Result<String, FieldError> {
    if source.trim().is_empty() {
        return Err(FieldError::new("source", DraftError::SourceEmpty));
    }
    if source.len() > MAX_SOURCE_BYTES {
        let kib = source.len().div_ceil(1024);
        return Err(FieldError::too_large("source", DraftError::SourceTooLarge { kib, limit_kib: MAX_SOURCE_KIB }));
    }
    if source.contains('\0') {
        return Err(FieldError::new("source", DraftError::SourceHasNul));
    }
    if PackedFolder::is_packed(source) {
        return Err(FieldError::new("source", DraftError::SourceIsFolder));
    }
    Ok(source.replace("\r\n", "\n"))
}

/// A source to submit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Submission)]
pub struct SubmissionDraft {
    /// The competition, by its place in addresses; each game has one of its own name.
    #[serde(alias = "game")]
    #[schema(example = "renju")]
    #[serde(rename = "contest")]
    pub competition: String,
    /// The name of the program. One that the account has already makes a new version of that program.
    #[schema(max_length = 32, example = "bot")]
    pub name: String,
    /// The language; may be left out if the name of the file determines it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(example = "PYTHON3")]
    pub language: String,
    /// The source, at most 1 MiB.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// In place of the source, the files of a folder: the text of each by its name, at most 100 files and 1 MiB
    /// together. The main file is called `main`, with the extension of its language.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(example = json!({}))]
    pub files: BTreeMap<String, String>,
    /// In place of both, a folder as a `.zip` or `.tar.gz` file in base64.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub archive: String,
    /// The team that should own the program; otherwise it is the account's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub team: String,
    /// The name of the file or folder that it comes from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(example = "bot.py")]
    pub file: String,
}

pub struct CheckedSubmission {
    pub competition: i64,
    pub name: String,
    /// Its language.
    pub language: Language,
    pub source: String,
    /// The team that owns the program; empty for the user's own program.
    pub team: String,
}

/// A folder as it is kept, if it can be submitted.
fn checked_folder(folder: &PackedFolder) -> Result<String, FieldError> {
    let packed = folder.pack();
    if packed.len() > MAX_SOURCE_BYTES {
        let kib = packed.len().div_ceil(1024);
        return Err(FieldError::too_large("files", DraftError::SourceTooLarge { kib, limit_kib: MAX_SOURCE_KIB }));
    }
    if folder.files().iter().all(|(_, text)| text.trim().is_empty()) {
        return Err(FieldError::new("files", DraftError::SourceEmpty));
    }
    Ok(packed)
}

impl SubmissionDraft {
    /// Takes the files of a folder in place of a source.
    pub fn put_folder(&mut self, folder: &PackedFolder) {
        self.source.clear();
        folder.name().clone_into(&mut self.file);
        self.files = folder.files().iter().cloned().collect();
    }

    /// The folder that is submitted, if it is one.
    fn folder(&self) -> Result<Option<PackedFolder>, FieldError> {
        let sent = [!self.source.is_empty(), !self.files.is_empty(), !self.archive.is_empty()];
        if sent.into_iter().filter(|sent| *sent).count() > 1 {
            return Err(FieldError::new("source", DraftError::SourceAndFiles));
        }
        if !self.archive.is_empty() {
            let bytes = STANDARD.decode(&self.archive);
            let bytes = bytes.map_err(|_| FieldError::new("archive", DraftError::ArchiveNotBase64))?;
            return unpack(&self.file, &bytes).map(Some).map_err(|wrong| FieldError::new("archive", wrong));
        }
        if self.files.is_empty() {
            return Ok(None);
        }
        let files = self.files.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())).collect();
        PackedFolder::new(&self.file, files).map(Some).map_err(|wrong| FieldError::new("files", wrong))
    }

    /// Checks everything possible without compiling; `offered` are the languages that can be played.
    ///
    /// # Errors
    /// What is wrong, for the one who typed it.
    pub fn check(self, competitions: &[Competition], offered: &[Language]) -> Result<CheckedSubmission, FieldError> {
        let competition = competitions.iter().find(|competition| competition.slug == self.competition);
        let unknown = || CompetitionError::unknown(&self.competition);
        let competition = competition.ok_or_else(unknown)?.id;
        let name = check_name(self.name.trim(), MAX_NAME_CHARS, Named::Program);
        let name = name.map_err(|wrong| FieldError::new("name", wrong))?;
        let folder = self.folder()?;
        let source = match &folder {
            Some(folder) => checked_folder(folder)?,
            None => check_source(&self.source)?,
        };
        let chosen = match self.language.as_str() {
            "" if folder.is_none() => {
                Language::by_extension(Path::new(&self.file)).ok_or(DraftError::NoLanguage).map(Some)
            }
            "" => Ok(None),
            name => {
                Language::by_name(name).ok_or_else(|| DraftError::UnknownLanguage { name: name.to_owned() }).map(Some)
            }
        };
        let chosen = chosen.map_err(|wrong| FieldError::new("language", wrong))?;
        let chosen = match &folder {
            // Of a folder, there must be a main file of the language.
            Some(folder) => folder.main(chosen).map_err(|wrong| FieldError::new("files", wrong))?.0,
            None => chosen.ok_or_else(|| FieldError::new("language", DraftError::NoLanguage))?,
        };
        if !offered.contains(&chosen) {
            let missing = DraftError::LanguageNotInstalled { language: chosen, compiler: chosen.compiler() };
            return Err(FieldError::new("language", missing));
        }
        Ok(CheckedSubmission { competition, name, language: chosen, source, team: self.team.trim().to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use crate::store::SiteStore;

    use super::*;

    #[test]
    fn a_draft_that_cannot_be_submitted_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let competitions = SiteStore::open(&folder.path().join("site.db")).unwrap().competitions().unwrap();
        let good = SubmissionDraft {
            competition: "renju".into(),
            name: "bot".into(),
            language: String::new(),
            source: "print()".into(),
            file: "bot.py".into(),
            files: BTreeMap::new(),
            archive: String::new(),
            team: String::new(),
        };
        let check = |draft: SubmissionDraft, wanted: &str| {
            let found = draft.check(&competitions, &Language::ALL).err().unwrap().reason.to_string();
            assert!(found.contains(wanted), "`{wanted}` is not in `{found}`");
        };
        assert!(good.clone().check(&competitions, &Language::ALL).is_ok());
        check(SubmissionDraft { competition: "chess".into(), ..good.clone() }, "no such competition: `chess`");
        check(SubmissionDraft { name: " ".into(), ..good.clone() }, "program name is missing");
        check(SubmissionDraft { name: "a\u{7}".into(), ..good.clone() }, "contains '\\u{7}'");
        check(SubmissionDraft { name: "a\u{202e}b".into(), ..good.clone() }, "contains '\\u{202e}'");
        check(SubmissionDraft { name: "x".repeat(33), ..good.clone() }, "the limit is 32 characters");
        check(SubmissionDraft { source: "\n ".into(), ..good.clone() }, "source is empty");
        check(SubmissionDraft { source: "x".repeat(MAX_SOURCE_BYTES + 1), ..good.clone() }, "is 1025 KiB");
        check(SubmissionDraft { source: "x\0".into(), ..good.clone() }, "NUL byte");
        check(SubmissionDraft { file: "bot.txt".into(), ..good.clone() }, "does not show the language");
        check(SubmissionDraft { language: "COBOL".into(), ..good.clone() }, "unknown language: `COBOL`");
        assert_eq!(
            SubmissionDraft { source: "a\r\nb".into(), ..good }
                .check(&competitions, &Language::ALL)
                .ok()
                .unwrap()
                .source,
            "a\nb"
        );
    }

    #[test]
    fn a_folder_is_submitted_by_its_main_file() {
        let folder = tempfile::tempdir().unwrap();
        let competitions = SiteStore::open(&folder.path().join("site.db")).unwrap().competitions().unwrap();
        let draft = |language: &str, files: &[(&str, &str)]| {
            let draft = SubmissionDraft {
                competition: "renju".into(),
                name: "bot".into(),
                language: language.into(),
                files: files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect(),
                file: "my_bot".into(),
                ..SubmissionDraft::default()
            };
            let checked = draft.check(&competitions, &[Language::Python3, Language::Pypy3]);
            checked.map(|checked| (checked.language, checked.source)).map_err(|wrong| wrong.reason.to_string())
        };
        let (language, source) = draft("", &[("main.py", "import board\r\n"), ("board.py", "x = 1\n")]).unwrap();
        assert_eq!(language, Language::Python3);
        assert_eq!(source, "agon-folder 1 my_bot\n--- board.py 6\nx = 1\n\n--- main.py 13\nimport board\n\n");
        assert_eq!(draft("PYPY3", &[("main.py", "1")]).unwrap().0, Language::Pypy3);
        let refused = |language: &str, files: &[(&str, &str)], wanted: &str| {
            let found = draft(language, files).unwrap_err();
            assert!(found.contains(wanted), "{found}");
        };
        refused("", &[("a.py", "1"), ("b.py", "1")], "no main file");
        refused("JAVA", &[("main.py", "1")], "no main file of JAVA");
        refused("", &[("main.cpp", "1")], "CPP20 is not available here");
        refused("", &[("main.py", " ")], "source is empty");
        refused("", &[("main.py", &"x".repeat(MAX_SOURCE_BYTES))], "the limit is 1024 KiB");
        let archive = |archive: &str| {
            let draft =
                SubmissionDraft { archive: archive.into(), file: "bot.zip".into(), ..SubmissionDraft::default() };
            draft.folder().unwrap_err().reason.to_string()
        };
        assert_eq!(archive("%"), "archive is not valid base64");
        assert!(archive("UEsDBA==").contains("damaged"));
        assert!(check_source(&source).unwrap_err().reason.to_string().contains("reserved"));
    }
}
