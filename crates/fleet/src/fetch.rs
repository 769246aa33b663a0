//! Notices of runs and sources of programs, as workers get them from a coordinator: part by part, since a message has a
//! maximal size.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};
use std::thread;

use async_nats::HeaderMap;
use bytes::Bytes;

use crate::archive::ProgramArchive;
use crate::connect::Fleet;
use crate::keys::Kind;
use crate::subjects::{self, Verb};
use crate::timing::Timing;
use crate::wire::{self, FetchForm, OBJECT_BYTES};

/// The name of the notice of a run.
pub(crate) const NOTICE: &str = "notice";

/// Maximum length of a part: many workers may ask at once.
const PART_BYTES: usize = 128 << 10;

/// Maximum number of requests for a missing part.
const MAX_ATTEMPTS: usize = 4;

/// The name of the sources with this digest.
pub(crate) fn program(sha256: &str) -> String {
    format!("program.{sha256}")
}

/// Objects that a coordinator provides for its workers.
#[derive(Default)]
pub(crate) struct ArchiveCache {
    notices: BTreeMap<String, Bytes>,
    /// The sources of programs, by their names: kept while a job, a run or a game to be replayed needs them.
    programs: HashMap<String, Weak<ProgramArchive>>,
}

impl ArchiveCache {
    pub(crate) fn put_notice(&mut self, run: &str, notice: Vec<u8>) {
        self.notices.insert(run.to_owned(), notice.into());
    }

    /// Keeps the sources of a program as long as the returned handle, or a copy of it, exists.
    pub(crate) fn put_program(&mut self, archive: ProgramArchive) -> Arc<ProgramArchive> {
        let name = program(&archive.sha256);
        if let Some(kept) = self.programs.get(&name).and_then(Weak::upgrade) {
            return kept;
        }
        self.programs.retain(|_, kept| kept.strong_count() > 0);
        let archive = Arc::new(archive);
        self.programs.insert(name, Arc::downgrade(&archive));
        archive
    }

    /// A part of an object of a run, and the length of the whole.
    pub(crate) fn part(&self, run: &str, name: &str, offset: usize) -> Option<(Bytes, usize)> {
        if name == NOTICE {
            let whole = self.notices.get(run)?;
            let end = whole.len().min(offset.saturating_add(PART_BYTES));
            return (offset < end).then(|| (whole.slice(offset..end), whole.len()));
        }
        let whole = self.programs.get(name)?.upgrade()?;
        let end = whole.content.len().min(offset.saturating_add(PART_BYTES));
        (offset < end).then(|| (Bytes::copy_from_slice(&whole.content[offset..end]), whole.content.len()))
    }
}

/// A part of an object as a message; without content if it is not there.
pub(crate) fn part_message(part: Option<(Bytes, usize)>) -> (HeaderMap, Bytes) {
    let mut headers = HeaderMap::new();
    let (content, bytes) = part.unwrap_or_default();
    headers.insert(OBJECT_BYTES, bytes.to_string().as_str());
    (headers, content)
}

/// Fetches objects.
#[derive(Clone)]
pub(crate) struct Fetcher {
    pub fleet: Fleet,
    pub worker: String,
    pub timing: Timing,
}

impl Fetcher {
    /// An object of a run, of at most this length; an error says why there is none.
    pub(crate) fn fetch(&self, run: &str, name: &str, max_bytes: usize) -> Result<Vec<u8>, String> {
        let (mut content, mut attempts) = (Vec::new(), 0);
        let identity = self.fleet.identity();
        let subject = subjects::to_run(&identity.user, Verb::Fetch, run);
        loop {
            let form = FetchForm { worker: self.worker.clone(), name: name.to_owned(), offset: content.len() };
            let payload = wire::json(&form);
            let headers = identity.sign(Kind::Request, &subject, &payload);
            let request = self.fleet.request(subject.clone(), headers, payload, self.timing.answer);
            let Ok(message) = self.fleet.wait(request) else {
                attempts += 1;
                if attempts == MAX_ATTEMPTS {
                    return Err("its coordinator does not answer".to_owned());
                }
                thread::sleep(self.timing.retry);
                continue;
            };
            let bytes = message.headers.as_ref().and_then(|headers| headers.get(OBJECT_BYTES));
            let bytes: usize = bytes.and_then(|bytes| bytes.as_str().parse().ok()).unwrap_or(0);
            if bytes > max_bytes {
                return Err(format!("it has more than {} KiB", max_bytes >> 10));
            }
            if message.payload.is_empty() || content.len() + message.payload.len() > bytes {
                return Err("its coordinator does not have it".to_owned());
            }
            content.extend_from_slice(&message.payload);
            if content.len() == bytes {
                return Ok(content);
            }
            attempts = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_read_part_by_part() {
        let mut archives = ArchiveCache::default();
        let notice: Vec<u8> = (0..3 * PART_BYTES / 2).map(|number| number as u8).collect();
        archives.put_notice("r", notice.clone());
        let (first, bytes) = archives.part("r", NOTICE, 0).unwrap();
        let (second, _) = archives.part("r", NOTICE, first.len()).unwrap();
        assert_eq!((first.len(), bytes), (PART_BYTES, notice.len()));
        assert_eq!([first, second].concat(), notice);
        for (run, name, offset) in
            [("q", NOTICE, 0), ("r", NOTICE, notice.len()), ("r", "x", 0), ("r", NOTICE, usize::MAX)]
        {
            assert_eq!(archives.part(run, name, offset), None, "{run} {name} {offset}");
        }
    }

    #[test]
    fn a_program_is_there_as_long_as_someone_needs_it() {
        let mut archives = ArchiveCache::default();
        let of = |content: &[u8]| ProgramArchive::new(content.to_vec());
        let first = archives.put_program(of(b"sources"));
        let name = program(&first.sha256);
        assert_eq!(archives.part("r", &name, 0), Some((Bytes::from_static(b"sources"), 7)));
        let second = archives.put_program(of(b"sources"));
        drop(first);
        assert!(archives.part("r", &name, 0).is_some());
        drop(second);
        assert_eq!(archives.part("r", &name, 0), None);
        let _other = archives.put_program(of(b"other"));
        assert_eq!(archives.programs.len(), 1);
    }
}
