//! The submission of a program.

use std::path::Path;

use agon_message::messages;
use agon_referee::agent::Language;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::competition::CompetitionError;
use crate::error::FieldError;
use crate::names::{Named, check_name};
use crate::store::Competition;

pub const MAX_SOURCE_BYTES: usize = 1 << 20;
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
    pub source: String,
    /// The team that should own the program; otherwise it is the account's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub team: String,
    /// The name of the file that it comes from.
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

impl SubmissionDraft {
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
        let source = check_source(&self.source)?;
        let chosen = match self.language.as_str() {
            "" => Language::by_extension(Path::new(&self.file)).ok_or(DraftError::NoLanguage),
            name => Language::by_name(name).ok_or_else(|| DraftError::UnknownLanguage { name: name.to_owned() }),
        };
        let available = chosen.and_then(|language| {
            let compiler = language.compiler();
            if offered.contains(&language) {
                Ok(language)
            } else {
                Err(DraftError::LanguageNotInstalled { language, compiler })
            }
        });
        let chosen = available.map_err(|wrong| FieldError::new("language", wrong))?;
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
}
