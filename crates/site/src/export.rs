//! Everything on a site, or everything that belongs to some accounts, as one archive: JSON Lines, sources, records,
//! standings. It is written while it is read, so its size costs no memory.

use std::collections::HashMap;
use std::io::{self, Write};

use agon_arena::export::csv_field;
use agon_arena::store::StoreError;
use agon_referee::agent::{Language, PackedFolder};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};

use crate::access::redacted;
use crate::clock::now;
use crate::finals::{self, FinalTable};
use crate::store::{ExportTable, PlacedProgram, SiteStore};

/// Games in one file: how many are in memory at once.
const GAMES_PER_FILE: usize = 1000;

/// Programs read at once for standings.
const ROWS: u32 = 1000;

/// The number of the format; it changes when a reader would fail.
const FORMAT: u32 = 1;

/// Why there is no export.
#[derive(Debug, thiserror::Error)]
pub enum SiteExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot write the export: {0}")]
    Io(#[from] io::Error),
}

/// An archive that is being written: tar, by gzip.
struct Archive<W: Write> {
    tar: tar::Builder<GzEncoder<W>>,
    made: u64,
}

impl<W: Write> Archive<W> {
    fn new(out: W, made: i64) -> Self {
        Self { tar: tar::Builder::new(GzEncoder::new(out, Compression::fast())), made: made as u64 }
    }

    fn add(&mut self, path: &str, content: &[u8]) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(self.made);
        self.tar.append_data(&mut header, path, content)
    }

    fn finish(self) -> io::Result<()> {
        self.tar.into_inner()?.finish()?.flush()
    }
}

/// Writes an export: of the whole site, or of what belongs to these accounts, without the output of their opponents'
/// programs.
///
/// # Errors
/// [`SiteExportError`]; what was written is then not a valid archive.
pub fn export(store: &SiteStore, accounts: Option<&[i64]>, out: impl Write) -> Result<(), SiteExportError> {
    store.snapshot(|store| write(store, accounts, Archive::new(out, now())))?
}

fn write<W: Write>(
    store: &SiteStore,
    accounts: Option<&[i64]>,
    mut archive: Archive<W>,
) -> Result<(), SiteExportError> {
    let mut counts = Map::new();
    let mut problems = String::new();
    for table in ExportTable::ALL {
        let is_known = match table {
            ExportTable::Groups => store.has_groups()?,
            ExportTable::Messages => store.has_messages()?,
            ExportTable::Leagues => store.has_leagues(),
            _ => true,
        };
        if !is_known {
            continue;
        }
        let (mut text, mut count, mut file) = (Vec::new(), 0, 0);
        let several = table == ExportTable::Games;
        let mut own = Vec::new();
        if several && accounts.is_some() {
            store.export_rows(ExportTable::Programs, accounts, |row| -> Result<(), StoreError> {
                own.extend(row["id"].as_i64());
                Ok(())
            })?;
        }
        store.export_rows(table, accounts, |mut row| -> Result<(), SiteExportError> {
            match table {
                ExportTable::Versions => add_source(&mut archive, store, &mut row)?,
                ExportTable::Games => {
                    let open = ["first", "second"].map(|seat| {
                        accounts.is_none() || row[seat].as_i64().is_some_and(|program| own.contains(&program))
                    });
                    add_record(&mut archive, store, &mut row, open, &mut problems)?;
                }
                _ => {}
            }
            text.extend(Value::Object(row).to_string().bytes());
            text.push(b'\n');
            count += 1;
            if several && count % GAMES_PER_FILE == 0 {
                file += 1;
                archive.add(&format!("games/{file:05}.jsonl"), &text)?;
                text.clear();
            }
            Ok(())
        })?;
        match table {
            ExportTable::Games if text.is_empty() => {}
            ExportTable::Games => archive.add(&format!("games/{:05}.jsonl", file + 1), &text)?,
            _ => archive.add(&format!("{}.jsonl", table.name()), &text)?,
        }
        counts.insert(table.name().to_owned(), count.into());
    }
    if accounts.is_none() {
        add_standings(&mut archive, store)?;
    }
    if !problems.is_empty() {
        archive.add("problems.txt", problems.as_bytes())?;
    }
    let about = json!({
        "format": FORMAT, "agon": env!("CARGO_PKG_VERSION"), "made": now(), "accounts": accounts, "rows": counts,
    });
    archive.add("export.json", format!("{about:#}\n").as_bytes())?;
    Ok(archive.finish()?)
}

/// The source of a version, and its path in the row.
fn add_source<W: Write>(
    archive: &mut Archive<W>,
    store: &SiteStore,
    row: &mut Map<String, Value>,
) -> Result<(), SiteExportError> {
    let id = row["id"].as_i64().unwrap_or_default();
    let Some(source) = store.source(id)? else { return Ok(()) };
    let extension = match row["language"].as_str().and_then(Language::by_name) {
        Some(Language::C20) => "c",
        Some(Language::Cpp20) => "cpp",
        Some(Language::Python3 | Language::Pypy3) => "py",
        Some(Language::Java) => "java",
        Some(Language::Rust) => "rs",
        Some(Language::JavaScript) => "js",
        Some(Language::Ruby) => "rb",
        None => "txt",
    };
    let path = match PackedFolder::unpack(&source) {
        Some(folder) => {
            let path = format!("sources/{id}");
            for (file, text) in folder.files() {
                archive.add(&format!("{path}/{file}"), text.as_bytes())?;
            }
            path
        }
        None => {
            let path = format!("sources/{id}.{extension}");
            archive.add(&path, source.as_bytes())?;
            path
        }
    };
    row.insert("source".to_owned(), path.into());
    Ok(())
}

/// The record of a game, and its path in the row. An unreadable record is reported and does not affect the others.
fn add_record<W: Write>(
    archive: &mut Archive<W>,
    store: &SiteStore,
    row: &mut Map<String, Value>,
    open: [bool; 2],
    problems: &mut String,
) -> Result<(), SiteExportError> {
    let id = row["id"].as_i64().unwrap_or_default();
    let text = match store.record_of_bout(id) {
        Ok(Some(text)) if open == [true; 2] => text,
        Ok(Some(text)) => match redacted(&text, open) {
            Ok(text) => text,
            Err(problem) => {
                *problems += &format!("the record of game {id}: {problem}\n");
                return Ok(());
            }
        },
        // Records are kept for a time.
        Ok(None) => return Ok(()),
        Err(StoreError::Damaged { what, problem }) => {
            *problems += &format!("{what}: {problem}\n");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let path = format!("records/{id}.jsonl");
    archive.add(&path, text.as_bytes())?;
    row.insert("record".to_owned(), path.into());
    Ok(())
}

/// The ladder of each competition and the standings of each final.
fn add_standings<W: Write>(archive: &mut Archive<W>, store: &SiteStore) -> Result<(), SiteExportError> {
    let has_groups = store.has_groups()?;
    for competition in store.competitions()? {
        let mut text = "place,program,owner,elo,games,won,drawn,lost,faults,group\r\n".to_owned();
        let groups = if has_groups { store.grouped(competition.id)? } else { HashMap::new() };
        let mut from = 0;
        loop {
            let programs = store.ladder(competition.id, from, ROWS)?;
            from += programs.len() as u32;
            for PlacedProgram { place, program } in &programs {
                let place = place.map_or_else(String::new, |place| place.to_string());
                let owner = program.owner.as_deref().unwrap_or_default();
                let group = program.account.and_then(|account| groups.get(&account)).map_or("", String::as_str);
                let [name, owner, group] = [&program.name, owner, group].map(csv_field);
                let (losses, faults) = (program.losses(), program.faults);
                let (rating, games, wins, draws) = (program.rating, program.games, program.wins, program.draws);
                text +=
                    &format!("{place},{name},{owner},{rating:.1},{games},{wins},{draws},{losses},{faults},{group}\r\n");
            }
            if programs.len() < ROWS as usize {
                break;
            }
        }
        archive.add(&format!("standings/{}.csv", competition.slug), text.as_bytes())?;
    }
    for one in store.finals()? {
        let (id, outs, bouts) = (one.id, store.final_outs(one.id)?, store.final_bouts(one.id)?);
        let text = finals::standings(&FinalTable::new(one, bouts, &outs));
        archive.add(&format!("standings/final-{id}.csv"), text.as_bytes())?;
    }
    Ok(())
}
