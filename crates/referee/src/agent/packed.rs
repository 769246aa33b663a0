//! A folder of sources as one text, as a site keeps it.
//!
//! The first line names the folder; then each file has a line with its name and its bytes, its text, and a line feed:
//!
//! ```text
//! agon-folder 1 my_bot
//! --- board.py 8
//! size = 8
//! --- main.py 12
//! import board
//! ```
//!
//! Lengths, not the lines with names, say where a file ends, so a file may hold such lines itself.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use agon_message::messages;

use super::language::Language;
use super::sources::{MainFile, choose_main, is_left_out};
use crate::text::is_hidden;

/// Files of a folder.
pub const MAX_FILES: usize = 100;

/// Folders inside one another.
pub const MAX_DEPTH: usize = 8;

/// The name of a file, with its folders.
pub const MAX_NAME_BYTES: usize = 120;

/// The beginning of a text that is a folder.
const HEAD: &str = "agon-folder 1 ";

/// The folder of files that come without the name of one.
const UNNAMED: &str = "program";

messages! {
    /// Why files are not accepted as a folder.
    #[derive(Clone, PartialEq, Eq)]
    pub enum PackError {
        Empty = "the folder has no files",
        Count { limit: usize } = "the folder has more than {limit} files",
        Name { name: String } =
            "invalid file name: `{name}`; use letters, digits, spaces and ._+- and stay inside the folder",
        NameTooLong { name: String, limit: usize } = "file name is too long: `{name}`; the limit is {limit} bytes",
        Depth { name: String, limit: usize } = "`{name}` is more than {limit} folders deep",
        Twice { name: String } = "`{name}` is there twice; names that differ only in case count as one",
        NotText { name: String } =
            "`{name}` is not a text file (UTF-8 without NUL bytes); submit sources and texts only",
        NoMain = "the folder has no main file: name it main with the extension of its language, such as main.py",
        NoMainOf { language: Language } = "the folder has no main file of {language}",
        Mains { names: String } = "{names} are main files; choose the language",
    }
}

/// The files of a folder, and its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedFolder {
    name: String,
    /// Name and text of each, in the order of the names.
    files: Vec<(String, String)>,
}

impl PackedFolder {
    /// The folder of these files, without hidden ones and what compilers leave. If all of them lie in one folder, it is
    /// that one.
    ///
    /// # Errors
    /// The first thing that is wrong with a file.
    pub fn new(name: &str, files: Vec<(String, Vec<u8>)>) -> Result<Self, PackError> {
        // A name that leads upwards is refused, not left out.
        let left_out = |part: &str| part == "__MACOSX" || part != ".." && is_left_out(part);
        let files = files.into_iter().map(|(name, text)| (name.trim_start_matches("./").to_owned(), text));
        let mut files: Vec<(String, Vec<u8>)> = files.filter(|(name, _)| !name.split('/').any(left_out)).collect();
        let mut name = if is_name(name) { name.to_owned() } else { UNNAMED.to_owned() };
        while let Some(outer) = common_folder(&files) {
            for (file, _) in &mut files {
                file.drain(..=outer.len());
            }
            name = outer;
        }
        if files.is_empty() {
            return Err(PackError::Empty);
        }
        if files.len() > MAX_FILES {
            return Err(PackError::Count { limit: MAX_FILES });
        }
        files.sort();
        let mut texts: Vec<(String, String)> = Vec::with_capacity(files.len());
        let mut seen = std::collections::HashSet::new();
        for (file, bytes) in files {
            check_name(&file)?;
            if !seen.insert(file.to_lowercase()) {
                return Err(PackError::Twice { name: file });
            }
            let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
            let Some(text) = text else { return Err(PackError::NotText { name: file }) };
            texts.push((file, text.replace("\r\n", "\n")));
        }
        Ok(Self { name, files: texts })
    }

    /// Whether a text is a folder, judging by its beginning.
    pub fn is_packed(text: &str) -> bool {
        text.starts_with(HEAD)
    }

    /// The folder that a text is; `None` for a single source.
    pub fn unpack(text: &str) -> Option<Self> {
        let (name, mut rest) = text.strip_prefix(HEAD)?.split_once('\n')?;
        let mut files = Vec::new();
        while !rest.is_empty() {
            let (head, after) = rest.strip_prefix("--- ")?.split_once('\n')?;
            let (file, bytes) = head.rsplit_once(' ')?;
            let text = after.get(..bytes.parse().ok()?)?;
            rest = after[text.len()..].strip_prefix('\n')?;
            files.push((file.to_owned(), text.to_owned()));
        }
        // A text from elsewhere must not lead out of the folder that it is written to.
        let is_fit = is_name(name) && !files.is_empty() && files.iter().all(|(file, _)| check_name(file).is_ok());
        is_fit.then(|| Self { name: name.to_owned(), files })
    }

    /// The folder as one text.
    pub fn pack(&self) -> String {
        let mut text = format!("{HEAD}{}\n", self.name);
        for (file, content) in &self.files {
            let _ = writeln!(text, "--- {file} {}\n{content}", content.len());
        }
        text
    }

    /// A text of either kind for readers: of a folder, each file after a line with its name.
    pub fn readable(text: &str) -> Cow<'_, str> {
        let Some(folder) = Self::unpack(text) else { return text.into() };
        let files = folder.files.iter().map(|(file, text)| format!("--- {file}\n{text}\n"));
        files.collect::<String>().into()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Name and text of each file, in the order of the names.
    pub fn files(&self) -> &[(String, String)] {
        &self.files
    }

    /// Language and name of the main file, in this language if one is given.
    ///
    /// # Errors
    /// If there is none, or several.
    pub fn main(&self, language: Option<Language>) -> Result<(Language, String), PackError> {
        let names = self.files.iter().map(|(file, _)| file.clone()).filter(|file| !file.contains('/'));
        match choose_main(names, Some(&self.name), language) {
            MainFile::One(language, name) => Ok((language, name)),
            MainFile::Several(all) => {
                Err(PackError::Mains { names: all.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(", ") })
            }
            MainFile::Unnamed(_) | MainFile::Missing => Err(match language {
                Some(language) => PackError::NoMainOf { language },
                None => PackError::NoMain,
            }),
        }
    }

    /// Writes the files below a new folder of its name in this one, and returns the path of that.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&self, parent: &Path) -> io::Result<PathBuf> {
        let folder = parent.join(&self.name);
        for (file, text) in &self.files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            fs::write(path, text)?;
        }
        Ok(folder)
    }
}

/// The folder that all these files lie in, if they lie in one.
fn common_folder(files: &[(String, Vec<u8>)]) -> Option<String> {
    let outer = files.first()?.0.split_once('/')?.0.to_owned();
    let inside = |file: &str| file.split_once('/').is_some_and(|(first, _)| first == outer);
    (is_name(&outer) && files.iter().all(|(file, _)| inside(file))).then_some(outer)
}

/// Whether this is one part of a file's name that every machine takes, and that no compiler reads as an option.
fn is_name(part: &str) -> bool {
    let fits = |c: char| (c.is_alphanumeric() || "._+- ".contains(c)) && !is_hidden(c);
    !part.is_empty() && part.len() <= MAX_NAME_BYTES && !part.starts_with(['.', '-', ' ']) && part.chars().all(fits)
}

fn check_name(name: &str) -> Result<(), PackError> {
    if name.len() > MAX_NAME_BYTES {
        return Err(PackError::NameTooLong { name: name.chars().take(40).collect(), limit: MAX_NAME_BYTES });
    }
    if !name.split('/').all(is_name) {
        return Err(PackError::Name { name: name.to_owned() });
    }
    if name.split('/').count() > MAX_DEPTH + 1 {
        return Err(PackError::Depth { name: name.to_owned(), limit: MAX_DEPTH });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> Result<PackedFolder, PackError> {
        PackedFolder::new(
            "my_bot",
            files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().into())).collect(),
        )
    }

    #[test]
    fn a_folder_is_one_text_and_back() {
        let all = folder(&[("main.py", "import board\n"), ("lib/board.py", "--- main.py 3\nabc\n"), ("e.txt", "")]);
        let all = all.unwrap();
        let text = all.pack();
        assert!(text.starts_with("agon-folder 1 my_bot\n--- e.txt 0\n\n--- lib/board.py 18\n"), "{text}");
        assert_eq!(PackedFolder::unpack(&text), Some(all.clone()));
        assert!(PackedFolder::readable(&text).contains("--- main.py\nimport board\n"));
        assert_eq!(PackedFolder::readable("print(1)"), "print(1)");
        assert_eq!(all.main(None), Ok((Language::Python3, "main.py".to_owned())));
        let place = tempfile::tempdir().unwrap();
        let written = all.write(place.path()).unwrap();
        assert_eq!(written, place.path().join("my_bot"));
        assert_eq!(fs::read_to_string(written.join("lib/board.py")).unwrap(), "--- main.py 3\nabc\n");
        for broken in
            ["print(1)", "agon-folder 1 x\n", "agon-folder 1 x\n--- a.py 9\nab\n", "agon-folder 1 ..\n--- a 0\n\n"]
        {
            assert_eq!(PackedFolder::unpack(broken), None, "{broken}");
        }
        for name in ["../a.py", "/a.py", "a//b.py", "lib/../../a.py", "-o", "a\\b.py", ""] {
            let text = format!("agon-folder 1 x\n--- {name} 1\nx\n");
            assert_eq!(PackedFolder::unpack(&text), None, "{name}");
        }
    }

    #[test]
    fn what_is_not_the_bots_is_left_out() {
        let all = folder(&[
            ("bot/main.cpp", "1"),
            ("bot/board.h", "2"),
            ("bot/.git/config", "3"),
            ("bot/__pycache__/a.pyc", "4"),
            ("__MACOSX/bot/main.cpp", "5"),
        ]);
        let all = all.unwrap();
        // A folder too many is no folder of the program.
        assert_eq!(all.name(), "bot");
        assert_eq!(all.files().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["board.h", "main.cpp"]);
        let named = folder(&[("my_bot.cpp", "1"), ("board.cpp", "2")]).unwrap();
        assert_eq!(named.main(None), Ok((Language::Cpp20, "my_bot.cpp".to_owned())));
    }

    #[test]
    fn what_cannot_be_a_bot_is_refused_with_the_reason() {
        #[track_caller]
        fn check(files: &[(&str, &str)], wanted: &str) {
            let found = folder(files).and_then(|folder| folder.main(None)).unwrap_err().to_string();
            assert!(found.contains(wanted), "{found}");
        }
        check(&[], "has no files");
        check(&[("main.py", ""), ("../x.py", "")], "invalid file name: `../x.py`");
        check(&[("main.py", ""), ("-x.py", "")], "invalid file name: `-x.py`");
        check(&[("main.py", ""), ("Main.py", "")], "`main.py` is there twice");
        check(&[("main.py", "a\0")], "`main.py` is not a text file");
        check(&[("a.py", ""), ("b.py", "")], "no main file: name it main");
        check(&[("main.py", ""), ("main.c", "")], "main.c, main.py are main files; choose the language");
        check(&[("main.py", ""), ("a/b/c/d/e/f/g/h/i/j.py", "")], "more than 8 folders deep");
        let long = "x".repeat(200);
        check(&[("main.py", ""), (&long, "")], "is too long");
        let many: Vec<String> = (0..=MAX_FILES).map(|n| format!("f{n}.py")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), "")).collect();
        check(&many, "more than 100 files");
    }
}
