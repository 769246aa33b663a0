//! Programs for the workers: archives of sources, named by their digests and compiled where they are played.

use std::collections::HashMap;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Component, Path};
use std::sync::{Arc, Mutex};

use agon_arena::plan::Entrant;
use agon_arena::runner::{Here, Roster};
use agon_arena::{Plan, agents};
use agon_game::hash::hex;
use agon_referee::agent::sources::Sources;
use agon_referee::agent::{AgentSpec, Language, PackedFolder, PortableAgent, SourceArchive};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::archive::ProgramArchive;
use crate::error::FleetError;
use crate::fetch::{self, Fetcher};
use crate::lock::lock;

/// The bytes of archives that a worker keeps.
const MAX_KEPT_BYTES: usize = 32 << 20;

/// The longest archive of a program that a worker fetches; sources are read up to 64 MiB where they come from.
pub(crate) const MAX_PROGRAM_BYTES: usize = 80 << 20;

const MAX_FILES: usize = 4000;

const MAX_FOLDER_DEPTH: usize = 20;

/// Checks that every agent of a plan can be played by other machines: a built-in player, or sources.
///
/// # Errors
/// [`FleetError::Agent`] for the first that cannot.
pub fn check_agents(plan: &Plan) -> Result<(), FleetError> {
    plan.agents.iter().try_for_each(|entrant| packed(plan, entrant).map(drop))
}

/// The agents of a plan as workers see them, and the sources of its programs.
///
/// # Errors
/// [`FleetError::Agent`] for an agent that other machines cannot play.
pub(crate) fn pack_all(plan: &Plan) -> Result<(Vec<PortableAgent>, Vec<ProgramArchive>), FleetError> {
    let packed = plan.agents.iter().map(|entrant| packed(plan, entrant)).collect::<Result<Vec<_>, _>>()?;
    let (agents, archives): (Vec<_>, Vec<_>) = packed.into_iter().unzip();
    Ok((agents, archives.into_iter().flatten().collect()))
}

/// A source as workers see it: a single file, or the folder that its text is.
///
/// # Errors
/// [`FleetError::Agent`] when it cannot be packed.
pub(crate) fn pack_text(
    label: &str,
    language: Language,
    text: &str,
) -> Result<(SourceArchive, ProgramArchive), FleetError> {
    let refusal = |why: String| FleetError::Agent { name: label.to_owned(), why };
    let mut archive = tar::Builder::new(Vec::new());
    let (name, written) = match PackedFolder::unpack(text) {
        Some(folder) => {
            let mut all = folder.files().iter();
            let add = |(file, text): &(String, String)| {
                append(&mut archive, &format!("{}/{file}", folder.name()), text.as_bytes())
            };
            (folder.name().to_owned(), all.try_for_each(add))
        }
        // The compiler gets it under the name that the language requires.
        None => ("program".to_owned(), append(&mut archive, "program", text.as_bytes())),
    };
    let written = written.and_then(|()| archive.into_inner());
    let archive = ProgramArchive::new(written.map_err(|error| refusal(error.to_string()))?);
    let sources = SourceArchive::new(language, name, archive.sha256.clone());
    Ok((sources.ok_or_else(|| refusal("its file has no name of its own".to_owned()))?, archive))
}

/// An agent as workers see it, and its sources, unless it is built in.
fn packed(plan: &Plan, entrant: &Entrant) -> Result<(PortableAgent, Option<ProgramArchive>), FleetError> {
    let refusal = |why: String| FleetError::Agent { name: entrant.name.clone(), why };
    let agent = agents::parse(plan.game, &entrant.agent).map_err(|error| refusal(error.to_string()))?;
    let known_as = agent.to_string();
    match &agent {
        AgentSpec::Builtin { nodes: Some(_), .. } => {
            Err(refusal("it searches a number of nodes, which workers are not sent; leave out nodes=".to_owned()))
        }
        AgentSpec::Builtin { threads: Some(_), .. } => {
            Err(refusal("it searches on several threads, which workers are not sent; leave out threads=".to_owned()))
        }
        AgentSpec::Builtin { .. } => Ok((PortableAgent { known_as, sources: None }, None)),
        AgentSpec::Source { arguments, settings, .. } if !arguments.is_empty() || !settings.is_empty() => {
            Err(refusal("it has arguments or settings, which workers are not sent; leave them out".to_owned()))
        }
        AgentSpec::Source { language, path, .. } => {
            let (name, archive) = pack(*language, path).map_err(|error| refusal(error.to_string()))?;
            let archive = ProgramArchive::new(archive);
            let sources = SourceArchive::new(*language, name, archive.sha256.clone());
            let sources = sources.ok_or_else(|| refusal("its file has no name of its own".to_owned()))?;
            Ok((PortableAgent { known_as, sources: Some(sources) }, Some(archive)))
        }
        AgentSpec::Command { .. } | AgentSpec::Bridge { .. } => {
            Err(refusal("it is a command, which they may not have; give its source file".to_owned()))
        }
    }
}

/// Packs the sources into an archive, and returns their name in it. Equal sources make equal archives.
fn pack(language: Language, path: &Path) -> io::Result<(String, Vec<u8>)> {
    let sources = Sources::read(language, path).map_err(io::Error::other)?;
    // The name of `.` and of `..` is that of the folder.
    let named = path.canonicalize()?;
    let name = named.file_name().map_or_else(|| sources.main.clone(), |name| name.to_string_lossy().into_owned());
    let mut archive = tar::Builder::new(Vec::new());
    for (file, content) in &sources.files {
        let place = if sources.folder { format!("{name}/{file}") } else { name.clone() };
        append(&mut archive, &place, content)?;
    }
    Ok((name, archive.into_inner()?))
}

/// Adds a file with only its name and content.
fn append(archive: &mut tar::Builder<Vec<u8>>, place: &str, content: &[u8]) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_mtime(0);
    archive.append_data(&mut header, place, content)
}

/// The archives that were fetched last: a program of a site plays again soon, and reading two of them costs the server
/// 2 ms of processor time.
#[derive(Default)]
pub(crate) struct Archives(Mutex<HashMap<String, Arc<Vec<u8>>>>);

impl Archives {
    /// The archive with this digest; `fetch` gets it if it is not kept.
    fn get(&self, sha256: &str, fetch: impl FnOnce() -> Result<Vec<u8>, String>) -> Result<Arc<Vec<u8>>, String> {
        let kept = || lock(&self.0);
        if let Some(archive) = kept().get(sha256) {
            return Ok(Arc::clone(archive));
        }
        let archive = Arc::new(fetch()?);
        if hex(&Sha256::digest(&*archive)) == sha256 {
            let mut kept = kept();
            if kept.values().map(|archive| archive.len()).sum::<usize>() + archive.len() > MAX_KEPT_BYTES {
                kept.clear();
            }
            kept.insert(sha256.to_owned(), Arc::clone(&archive));
        }
        Ok(archive)
    }
}

/// Fetches and compiles the agents of a plan. Returns them with the folder that holds their sources. A program that
/// does not compile is an error unless `broken` are allowed.
///
/// # Errors
/// Returns why an agent cannot play here, in words.
pub(crate) fn prepare(
    fetcher: &Fetcher,
    run: &str,
    archives: &Archives,
    plan: &Plan,
    notices: &[PortableAgent],
    broken: bool,
) -> Result<(Roster, TempDir), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no folder for programs: {error}"))?;
    let fetch = |(number, (entrant, notice)): (usize, (&Entrant, &PortableAgent))| {
        let place = folder.path().join(number.to_string());
        if let Some(sources) = &notice.sources {
            let archive = archives.get(&sources.sha256, || download(fetcher, run, &sources.sha256));
            let unpacked = archive.and_then(|archive| unpack(&archive, sources, &place));
            unpacked.map_err(|why| format!("agent `{}`: {why}", entrant.name))?;
        }
        let spec = notice.spec(&place);
        // The programs of a site are known only by the digests of their sources.
        if !entrant.fingerprint.is_empty()
            && agents::fingerprint(&spec).map_err(|error| error.to_string())? != entrant.fingerprint
        {
            return Err(format!("agent `{}` differs here", entrant.name));
        }
        Ok(Here { spec, known_as: notice.known_as.clone() })
    };
    let here: Vec<Here> = plan.agents.iter().zip(notices).enumerate().map(fetch).collect::<Result<_, String>>()?;
    let roster = Roster::from_elsewhere(plan, &here).map_err(|error| error.to_string())?;
    if !broken && let Some((at, fault)) = roster.broken().next() {
        // It compiles on the sender's machine: here it would lose games because of the machine.
        let (name, why) = (&plan.agents[at].name, fault.short_reason());
        return Err(format!("agent `{name}` does not compile here: {why}"));
    }
    Ok((roster, folder))
}

fn download(fetcher: &Fetcher, run: &str, sha256: &str) -> Result<Vec<u8>, String> {
    let archive = fetcher.fetch(run, &fetch::program(sha256), MAX_PROGRAM_BYTES);
    archive.map_err(|error| format!("a program cannot be fetched: {error}"))
}

/// Unpacks sources to a new folder: only files and folders with plain names, all newly created.
fn unpack(archive: &[u8], sources: &SourceArchive, place: &Path) -> Result<(), String> {
    if hex(&Sha256::digest(archive)) != sources.sha256 {
        return Err("its archive has another digest".to_owned());
    }
    unpack_files(archive, sources.name(), place).map_err(|error| format!("it cannot be unpacked: {error}"))
}

fn unpack_files(archive: &[u8], top: &str, place: &Path) -> io::Result<()> {
    let refused = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    // Fails if anything exists there, even a link.
    DirBuilder::new().mode(0o755).create(place)?;
    let mut bytes = 0;
    for (number, entry) in tar::Archive::new(archive).entries()?.enumerate() {
        let mut entry = entry?;
        if number >= MAX_FILES {
            return Err(refused("it has too many files"));
        }
        if !entry.header().entry_type().is_file() {
            return Err(refused("it has a link, or something else that is no file"));
        }
        let path = entry.path()?.into_owned();
        let mut parts = Vec::new();
        for part in path.components() {
            let Component::Normal(part) = part else { return Err(refused("a file of it leads out of its folder")) };
            parts.push(part);
        }
        if parts.first().is_none_or(|part| *part != top) || parts.len() > MAX_FOLDER_DEPTH {
            return Err(refused("a file of it lies elsewhere"));
        }
        let (name, folders) = parts.split_last().ok_or_else(|| refused("a file of it has no name"))?;
        let mut folder = place.to_owned();
        for part in folders {
            folder.push(part);
            match DirBuilder::new().mode(0o755).create(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_folder(&folder) => {}
                made => made?,
            }
        }
        let mut content = Vec::new();
        entry.by_ref().take(MAX_PROGRAM_BYTES as u64 + 1).read_to_end(&mut content)?;
        bytes += content.len();
        if bytes > MAX_PROGRAM_BYTES {
            return Err(refused("its files are too long"));
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o644).open(folder.join(name))?;
        file.write_all(&content)?;
    }
    Ok(())
}

/// Returns true if it is a folder and not a link.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

#[cfg(test)]
mod tests {
    use tar::EntryType::{Directory, Fifo, Link, Regular, Symlink};

    use super::*;

    #[test]
    fn an_archive_is_fetched_once_and_few_are_kept() {
        let archives = Archives::default();
        let digest = |content: &[u8]| hex(&Sha256::digest(content));
        let some = b"some".to_vec();
        let found = archives.get(&digest(&some), || Ok(some.clone())).unwrap();
        assert_eq!(*found, some);
        let again = archives.get(&digest(&some), || Err("it is there".to_owned())).unwrap();
        assert_eq!(*again, some);
        // A different object is fetched again, and one that cannot be fetched is not kept.
        assert_eq!(*archives.get("digest", || Ok(some.clone())).unwrap(), some);
        assert_eq!(archives.get("digest", || Err("gone".to_owned())), Err("gone".to_owned()));
        let large = vec![0; MAX_KEPT_BYTES];
        archives.get(&digest(&large), || Ok(large.clone())).unwrap();
        assert_eq!(archives.0.lock().unwrap().len(), 1);
    }

    fn source_archive(language: Language, name: String, archive: &[u8]) -> Option<SourceArchive> {
        SourceArchive::new(language, name, hex(&Sha256::digest(archive)))
    }

    /// Returns an archive with one entry, whose header contains what a careless reader would believe.
    fn archive_of(path: &str, kind: tar::EntryType, link: &str, content: &[u8]) -> Vec<u8> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        let name = &mut header.as_gnu_mut().unwrap().name;
        name[..path.len()].copy_from_slice(path.as_bytes());
        if !link.is_empty() {
            header.set_link_name_literal(link).unwrap();
        }
        header.set_cksum();
        let mut archive = tar::Builder::new(Vec::new());
        archive.append(&header, content).unwrap();
        archive.into_inner().unwrap()
    }

    #[test]
    fn an_archive_writes_nothing_outside_of_its_folder() {
        let place = tempfile::tempdir().unwrap();
        let outside = place.path().join("outside");
        fs::write(&outside, "secret").unwrap();
        let absolute = outside.to_str().unwrap();
        let cases = [
            ("bot.c", Regular, "", true),
            (absolute, Regular, "", false),
            ("../outside", Regular, "", false),
            ("bot.c/../../outside", Regular, "", false),
            ("other.c", Regular, "", false),
            ("./bot.c", Regular, "", false),
            ("bot.c", Symlink, absolute, false),
            ("bot.c", Symlink, "../outside", false),
            ("bot.c", Link, absolute, false),
            ("bot.c", Fifo, "", false),
            ("bot.c", Directory, "", false),
        ];
        for (number, (path, kind, link, good)) in cases.into_iter().enumerate() {
            let content: &[u8] = if kind == Regular { b"source" } else { b"" };
            let archive = archive_of(path, kind, link, content);
            let sources = source_archive(Language::C20, "bot.c".to_owned(), &archive).unwrap();
            let folder = place.path().join(number.to_string());
            let unpacked = unpack(&archive, &sources, &folder);
            assert_eq!(unpacked.is_ok(), good, "{path} {kind:?} {link}: {unpacked:?}");
            assert_eq!(fs::read_to_string(&outside).unwrap(), "secret", "{path}");
            if good {
                assert_eq!(fs::read(folder.join("bot.c")).unwrap(), b"source");
                assert!(unpack(&archive, &sources, &folder).is_err(), "a folder is made anew");
            }
        }
        // Whatever exists there already must not be overwritten.
        let archive = archive_of("bot.c", Regular, "", b"source");
        let sources = source_archive(Language::C20, "bot.c".to_owned(), &archive).unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink(place.path(), &link).unwrap();
        assert!(unpack(&archive, &sources, &link).is_err());
        let twice = [&archive[..archive.len() - 1024], &archive[..]].concat();
        let sources = source_archive(Language::C20, "bot.c".to_owned(), &twice).unwrap();
        assert!(unpack(&twice, &sources, &place.path().join("twice")).is_err(), "no file is written twice");
    }

    #[test]
    fn sources_come_back_as_they_were() {
        let place = tempfile::tempdir().unwrap();
        let check = |path: &Path, language: Language, name: &str| {
            let (packed, archive) = pack(language, path).unwrap();
            assert_eq!(packed, name);
            assert_eq!(pack(language, path).unwrap().1, archive, "equal sources make equal archives");
            let sources = SourceArchive::new(language, packed, hex(&Sha256::digest(&archive))).unwrap();
            let other = tempfile::tempdir().unwrap();
            unpack(&archive, &sources, &other.path().join("0")).unwrap();
            let notice = PortableAgent { known_as: String::new(), sources: Some(sources) };
            let AgentSpec::Source { language: found, path: there, .. } = notice.spec(&other.path().join("0")) else {
                panic!("sources")
            };
            assert_eq!(found, language);
            assert_eq!(Sources::read(language, &there).unwrap(), Sources::read(language, path).unwrap());
            let error = unpack(&archive[1..], notice.sources.as_ref().unwrap(), &other.path().join("1")).unwrap_err();
            assert_eq!(error, "its archive has another digest");
        };
        let file = place.path().join("my bot.py");
        fs::write(&file, "print('OK')").unwrap();
        check(&file, Language::Pypy3, "my bot.py");
        let folder = place.path().join("walker");
        fs::create_dir_all(folder.join("parts")).unwrap();
        fs::write(folder.join("walker.cpp"), "int main() {}").unwrap();
        fs::write(folder.join("parts/a.h"), "").unwrap();
        check(&folder, Language::Cpp20, "walker");
    }
}
