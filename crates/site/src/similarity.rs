//! The report on how alike all submitted sources are. It is created in the background when the host asks for it, and
//! kept until the next one.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::similarity::{Likeness, SharedRegion, SourceCorpus, shared_regions};
use agon_arena::store::StoreError;
use agon_catalog::Game;
use agon_referee::agent::{Language, PackedFolder};

use crate::clock::now;
use crate::error::Refusal;
use crate::store::{SiteStore, SubmittedSource};

/// Pairs in a report.
const MAX_PAIRS: usize = 200;

/// A corpus that knows the samples.
fn corpus() -> SourceCorpus {
    let samples = Game::all().into_iter().flat_map(|game| game.samples);
    let language = |extension: &str| Language::by_extension(Path::new(&format!("sample.{extension}")));
    SourceCorpus::new(samples.filter_map(|(extension, text)| Some((language(extension)?, *text))))
}

/// Two versions that are alike.
pub struct SimilarPair {
    pub versions: [SubmittedSource; 2],
    pub likeness: Likeness,
}

pub struct SimilarityReport {
    pub made: i64,
    pub took: Duration,
    /// How many versions were compared.
    pub versions: usize,
    /// The pairs that are most alike, those first.
    pub pairs: Vec<SimilarPair>,
}

/// The last report, and whether the next one is being created.
#[derive(Default)]
pub struct SimilarityReports(Mutex<(Option<Arc<SimilarityReport>>, bool)>);

impl SimilarityReports {
    /// The last report, and whether the next one is being created.
    pub fn state(&self) -> (Option<Arc<SimilarityReport>>, bool) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a report may be started: not while another is being created. Whoever starts one must finish it.
    pub fn begin(&self) -> bool {
        !std::mem::replace(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).1, true)
    }

    /// Finishes what was started, with or without a report.
    pub fn finish(&self, report: Option<SimilarityReport>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 = false;
        if let Some(report) = report {
            state.0 = Some(Arc::new(report));
        }
    }
}

/// Compares all submissions, game by game.
///
/// # Errors
/// [`StoreError`].
pub fn report(store: &SiteStore) -> Result<SimilarityReport, StoreError> {
    let begun = Instant::now();
    let all = store.submitted_sources()?;
    let mut pairs = Vec::new();
    for game in Game::all() {
        let (mut corpus, mut versions) = (corpus(), Vec::new());
        for version in all.iter().filter(|version| version.game == game) {
            // One source at a time is held in memory.
            if let Some(source) = store.source(version.version)? {
                corpus.add(version.account, version.program, version.language, &PackedFolder::readable(&source));
                versions.push(version);
            }
        }
        pairs.extend(
            corpus
                .likeness(MAX_PAIRS)
                .into_iter()
                .map(|likeness| SimilarPair { versions: likeness.sources.map(|at| versions[at].clone()), likeness }),
        );
    }
    pairs.sort_by(|one, other| other.likeness.part().total_cmp(&one.likeness.part()));
    pairs.truncate(MAX_PAIRS);
    Ok(SimilarityReport { made: now(), took: begun.elapsed(), versions: all.len(), pairs })
}

/// Two versions that are compared.
pub struct ComparedSources {
    pub versions: [SubmittedSource; 2],
    pub sources: [String; 2],
    /// What they share, the longest first.
    pub regions: Vec<SharedRegion>,
}

pub fn compare_pair(store: &SiteStore, one: i64, other: i64) -> Result<ComparedSources, Refusal> {
    let all = store.submitted_sources()?;
    let find = |id: i64| all.iter().find(|version| version.version == id).cloned().ok_or(Refusal::NotFound);
    let versions = [find(one)?, find(other)?];
    let found = store.source(one)?.zip(store.source(other)?).ok_or(Refusal::NotFound)?;
    let [first, second] = [found.0, found.1].map(|source| PackedFolder::readable(&source).into_owned());
    let sources = [(versions[0].language, first.as_str()), (versions[1].language, second.as_str())];
    let regions = shared_regions(&corpus(), sources);
    Ok(ComparedSources { versions, sources: [first, second], regions })
}
