//! Progress of a growing proof, and an estimate of the rest, from the effort so far.

use std::collections::HashMap;
use std::path::Path;

use agon_engines::renju::book::{self, notation};
use agon_jobs::{FileError, WorkFile};
use agon_rules::renju::Stones;

use super::finding::{Effort, Finding};

/// Number of the hardest refuted fourth moves from which the difficulty of the next one is estimated.
const HARDEST: usize = 20;

/// Progress of the proof of an opening.
#[derive(Clone, PartialEq, Debug)]
pub struct OpeningStatus {
    /// Refuted fourth moves of White, with the effort for each.
    pub refuted: Vec<(Option<u8>, Effort)>,
    /// Open fourth moves, with the effort so far and at about half of it.
    pub open: Vec<OpenFourth>,
    /// Searches that are left by [`estimate`]; `None` where too little is refuted for one.
    pub left: Option<f64>,
}

/// A fourth move that is not refuted yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenFourth {
    /// Point; `None` is a PASS.
    pub cell: Option<u8>,
    /// Effort spent on it.
    pub effort: Effort,
    /// Last effort recorded before half of its searches.
    pub before: Option<Effort>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ProofStatus {
    pub openings: Vec<OpeningStatus>,
    /// Number of positions in the tree for which Black's moves were chosen.
    pub positions: usize,
    /// Positions that were searched for wins by threats, and those that are won.
    pub searched: (usize, usize),
    /// Average seconds per search, over all threads together; `None` without records.
    pub pace: Option<f64>,
}

impl ProofStatus {
    /// Reads a work file, which may be one that a job is writing.
    ///
    /// # Errors
    /// [`FileError`] if the file cannot be read or is not a work file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        Ok(Self::from_findings(&WorkFile::read(path)?))
    }

    pub fn from_findings(findings: &[Finding]) -> Self {
        let mut efforts: HashMap<Stones, Vec<Effort>> = HashMap::new();
        let (mut positions, mut searched, mut won) = (0, 0, 0);
        for finding in findings {
            match finding {
                Finding::Spent(stones, effort) => efforts.entry(*stones).or_default().push(*effort),
                Finding::Moves(..) => positions += 1,
                Finding::Leaf(_, _, verdict) => {
                    searched += 1;
                    won += usize::from(verdict.is_ok());
                }
                Finding::Zone(..) => {}
            }
        }
        let pace = pace(efforts.values());
        let openings = book::openings().iter().map(|opening| OpeningStatus::new(opening, &efforts)).collect();
        Self { openings, positions, searched: (searched, won), pace }
    }
}

impl OpeningStatus {
    fn new(opening: &Stones, efforts: &HashMap<Stones, Vec<Effort>>) -> Self {
        let (mut refuted, mut open) = (Vec::new(), Vec::new());
        for cell in [None].into_iter().chain(opening.empties().iter().map(Some)) {
            let stones = cell.map_or(*opening, |cell| opening.with(agon_game::Side::Second, cell));
            let noted = efforts.get(&stones).map_or(&[][..], Vec::as_slice);
            match noted.last() {
                Some(effort) if effort.proof == 0 => refuted.push((cell, *effort)),
                last => {
                    let effort = last.copied().unwrap_or_default();
                    let before = noted.iter().rfind(|noted| noted.searches <= effort.searches / 2).copied();
                    open.push(OpenFourth { cell, effort, before });
                }
            }
        }
        let searches: Vec<u64> = refuted.iter().map(|(_, effort)| effort.searches).collect();
        let spent: Vec<u64> = open.iter().map(|open| open.effort.searches).collect();
        let left = estimate(&searches, &spent);
        Self { refuted, open, left }
    }

    /// Returns the effort for the refuted moves, and for the open ones.
    pub fn spent(&self) -> [Effort; 2] {
        let sum = |efforts: &mut dyn Iterator<Item = Effort>| {
            efforts.fold(Effort::default(), |sum, effort| Effort {
                searches: sum.searches + effort.searches,
                time: sum.time + effort.time,
                proof: sum.proof.saturating_add(effort.proof),
            })
        };
        let refuted = sum(&mut self.refuted.iter().map(|(_, effort)| *effort));
        [refuted, sum(&mut self.open.iter().map(|open| open.effort))]
    }
}

/// Returns the average seconds per search. The first record of a move may include searches of earlier runs, which were
/// read without delay, so it is used only if there is no other.
fn pace<'a>(noted: impl Iterator<Item = &'a Vec<Effort>> + Clone) -> Option<f64> {
    let sum = |noted: &mut dyn Iterator<Item = (Effort, Effort)>| {
        let (searches, time) = noted.fold((0, 0), |(searches, time), (before, after)| {
            (searches + after.searches.saturating_sub(before.searches), time + after.time.saturating_sub(before.time))
        });
        (searches > 0).then(|| time as f64 / 1000.0 / searches as f64)
    };
    let steps = sum(&mut noted.clone().flat_map(|noted| noted.windows(2).map(|pair| (pair[0], pair[1]))));
    steps.or_else(|| sum(&mut noted.filter_map(|noted| Some((Effort::default(), *noted.last()?)))))
}

/// Estimates the number of searches left, if the fourth moves get harder at the rate of the hardest refuted ones, which
/// is a straight line through the logarithms of their searches. Each open move costs what the line predicts for its
/// rank, at least a third more than was spent on it, minus what was spent. `None` with fewer than three refuted moves.
pub fn estimate(refuted: &[u64], open: &[u64]) -> Option<f64> {
    let mut hardest = refuted.to_vec();
    hardest.sort_unstable();
    let hardest = hardest.split_off(hardest.len().saturating_sub(HARDEST));
    if hardest.len() < 3 {
        return None;
    }
    let logarithms: Vec<f64> = hardest.iter().map(|&searches| (searches.max(1) as f64).ln()).collect();
    let count = logarithms.len() as f64;
    let middle = (count - 1.0) / 2.0;
    let mean = logarithms.iter().sum::<f64>() / count;
    let (mut up, mut across) = (0.0, 0.0);
    for (place, logarithm) in logarithms.iter().enumerate() {
        let from = place as f64 - middle;
        up += from * (logarithm - mean);
        across += from * from;
    }
    let slope = up / across;
    let mut spent = open.to_vec();
    spent.sort_unstable();
    let left = spent.iter().enumerate().map(|(place, &spent)| {
        let spent = spent as f64;
        let line = slope.mul_add(count + place as f64 - middle, mean).exp();
        line.max(spent * 4.0 / 3.0) - spent
    });
    Some(left.sum())
}

pub fn name(cell: Option<u8>) -> String {
    cell.map_or_else(|| "PASS".to_owned(), notation::cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_goes_on_as_it_began() {
        // Each twice as hard as the one before: 16 and 32 are next.
        let doubled = [1, 2, 4, 8];
        assert_eq!(estimate(&doubled, &[]), Some(0.0));
        assert!((estimate(&doubled, &[0, 0]).unwrap() - 48.0).abs() < 1e-6);
        assert!((estimate(&doubled, &[0, 10]).unwrap() - 38.0).abs() < 1e-6);
        // More was spent than the line predicts.
        assert!((estimate(&doubled, &[300]).unwrap() - 100.0).abs() < 1e-6);
        assert_eq!(estimate(&[5, 7], &[0]), None);
    }

    #[test]
    fn the_last_line_counts_and_half_of_it_is_remembered() {
        let opening = book::openings()[0];
        let cell = opening.empties().first().unwrap();
        let stones = opening.with(agon_game::Side::Second, cell);
        let spent = |searches, proof| Finding::Spent(stones, Effort { searches, time: 10 * searches, proof });
        let mut findings = vec![spent(10, 9), spent(40, 8), spent(60, 11), spent(100, 7)];
        let read = |finding: &Finding| finding.to_string().parse::<Finding>().unwrap();
        assert_eq!(findings.iter().map(read).collect::<Vec<_>>(), findings);
        let status = &ProofStatus::from_findings(&findings).openings[0];
        assert_eq!((status.refuted.len(), status.open.len()), (0, 223));
        let open = status.open.iter().find(|open| open.cell == Some(cell)).unwrap();
        assert_eq!((open.effort.proof, open.before.map(|before| before.proof)), (7, Some(8)));
        findings.push(spent(120, 0));
        let status = &ProofStatus::from_findings(&findings).openings[0];
        assert_eq!((status.refuted.len(), status.open.len()), (1, 222));
        assert_eq!(status.spent()[0], Effort { searches: 120, time: 1200, proof: 0 });
        // The first 10 may have been read, not searched.
        assert_eq!(ProofStatus::from_findings(&findings).pace, Some(0.01));
        let read = Finding::Spent(stones, Effort { searches: 10, time: 0, proof: 9 });
        assert_eq!(ProofStatus::from_findings(&[read.clone(), findings[4].clone()]).pace, Some(1.2 / 110.0));
        assert_eq!(ProofStatus::from_findings(&[read]).pace, Some(0.0));
    }
}
