//! What the author of a version that failed its check needs to find the cause: an archive with the source, the record
//! of the check game, the conversation, the error stream, and instructions to replay the game.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use agon_arena::transcript::{failed_actions, said, without_cache};
use agon_game::Side;
use agon_referee::agent::{Language, PackedFolder, quoted};
use agon_referee::record::Record;
use agon_referee::verdict::Verdict;
use agon_site::store::{SiteProgram, SiteVersion};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A version that has failed.
pub struct FailedVersion {
    pub program: SiteProgram,
    pub version: SiteVersion,
    pub source: String,
    /// The record of its check game, as its author may have it; `None` if the version did not compile, or the record is
    /// no longer kept.
    pub record: Option<String>,
    /// The address of the site, from which commands fetch the rules of a game of others.
    pub site: String,
}

/// A file's extension for a language.
fn extension(language: Language) -> &'static str {
    let all = ["c", "cpp", "py", "java", "rs", "js", "rb"];
    let is_of = |text: &&str| Language::by_extension(Path::new(&format!("a.{text}"))) == Some(language);
    // PyPy has that of CPython.
    all.into_iter().find(is_of).unwrap_or("py")
}

impl FailedVersion {
    /// The name of the archive without its extension, and of its folder.
    pub fn name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        format!("{}-v{}", self.program.name.chars().map(plain).collect::<String>(), self.version.number)
    }

    /// The archive: a folder in tar, packed by gzip.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn pack(&self) -> io::Result<Vec<u8>> {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
        for (name, text) in self.files()? {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            header.set_mtime(self.version.submitted.unsigned_abs());
            archive.append_data(&mut header, format!("{}/{name}", self.name()), text.as_bytes())?;
        }
        archive.into_inner()?.finish()
    }

    /// The files: their names and contents.
    fn files(&self) -> io::Result<Vec<(String, String)>> {
        let (source, sources) = self.sources();
        let record = self.record.as_deref().map(Record::read).transpose().map_err(io::Error::other)?;
        let mut files = vec![
            ("README.txt".to_owned(), self.read_me(&source, record.as_ref())),
            ("message.txt".to_owned(), format!("{}\n", self.version.message.text())),
        ];
        files.extend(sources);
        if let (Some(record), Some(text)) = (&record, &self.record) {
            let side = checked(record);
            let spoken = record.entries.iter().filter(|entry| entry.side == side);
            let conversation: Vec<String> = spoken.map(|entry| said(entry) + "\n").collect();
            files.push(("game.jsonl".to_owned(), text.clone()));
            files.push(("conversation.txt".to_owned(), conversation.concat()));
            files.push(("stderr.txt".to_owned(), without_cache(&record.result.stderr[side.index()])));
        }
        Ok(files)
    }

    /// What an agent of it names, and its files: one, or those of a folder.
    fn sources(&self) -> (String, Vec<(String, String)>) {
        if let Some(folder) = PackedFolder::unpack(&self.source) {
            let named = |(file, text): &(String, String)| (format!("{}/{file}", folder.name()), text.clone());
            return (folder.name().to_owned(), folder.files().iter().map(named).collect());
        }
        let name = format!("program.{}", extension(self.version.language));
        (name.clone(), vec![(name, self.source.clone())])
    }

    /// What happened, what the files are, and how to repeat it.
    fn read_me(&self, source: &str, record: Option<&Record>) -> String {
        let (program, version) = (&self.program, &self.version);
        let mut text = format!("{} version {} failed its check.\n\n", program.name, version.number);
        let _ = writeln!(text, "{}\n", version.message.text().trim_end());
        let _ = writeln!(text, "{source:<18} the source, {}", version.language);
        let _ = writeln!(text, "message.txt        what the compiler or the judge said");
        let agent = quoted(&format!("{}:{source}", version.language.name()));
        let server =
            if program.game.is_program() { format!(" --server {}", quoted(&self.site)) } else { String::new() };
        let Some(record) = record else {
            let opponent = agon_site::builtins::weakest(program.game);
            let _ = writeln!(text, "\nTo compile and play it at home:\n");
            let _ = writeln!(text, "  agon play {} --first {agent} --second {opponent}{server}", program.game.name());
            return text;
        };
        text += "conversation.txt   what it read (>) and answered (<), with seconds since the start\n\
                 stderr.txt         the end of its error stream\n\
                 game.jsonl         the record of the check game\n\n";
        let _ = writeln!(text, "To step through the game:\n\n  agon replay game.jsonl{server}\n");
        let header = &record.header;
        let (side, opponent) = (checked(record), &header.agents[checked(record).other().index()].agent);
        let clock = if program.game.has_sessions() {
            format!("--clock {}ms", header.limits.clock_ms)
        } else {
            format!("--invocation {}ms", header.limits.invocation_ms)
        };
        let mut parameters = String::new();
        for (name, value) in &header.parameters {
            let _ = write!(parameters, " --set {}", quoted(&format!("{name}={value}")));
        }
        // The opponent of the check's own games plays nowhere else.
        if program.game.find(opponent).is_ok() {
            let seats = match side {
                Side::First => format!("--first {agent} --second {}", quoted(opponent)),
                Side::Second => format!("--first {} --second {agent}", quoted(opponent)),
            };
            text += "To play it again, from the same seed and under the same limits:\n\n";
            let _ = writeln!(
                text,
                "  agon play {} {seats} --seed {} {clock} --memory {}{parameters}{server}\n",
                header.game, header.seed, header.limits.memory_mib
            );
        }
        if program.game.has_turns() {
            text += "To give it the last input again, once it is mended:\n\n";
            let _ = writeln!(text, "  agon ask game.jsonl {agent}{server}\n");
        }
        text += "To check it as the site does:\n\n";
        let _ = writeln!(text, "  agon check {agent} --game {}{server}", header.game);
        if let Some(failed) = failed_actions(record).iter().find(|failed| failed.side == side) {
            text += "\nTo give it again the first input at which it failed:\n\n";
            let _ = writeln!(text, "  agon petri ask {agent} --record game.jsonl --action {}", failed.action);
        }
        text
    }
}

/// The side of the checked program; in a game against itself, the one that failed.
fn checked(record: &Record) -> Side {
    let is_program = |side: &Side| record.header.agents[side.index()].is_program();
    let failed = |side: &Side| record.result.verdicts[side.index()].verdict != Verdict::Ok;
    let mut programs = Side::BOTH.into_iter().filter(is_program);
    let first = programs.clone().next().unwrap_or(Side::First);
    programs.find(failed).unwrap_or(first)
}
