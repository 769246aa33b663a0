//! Fingerprints of many sources, and what any two of them share.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use agon_referee::agent::Language;

use super::tokens::{SourceToken, tokens};
use super::{K, WINDOW};

/// Two sources that share fewer fingerprints are unrelated.
const FEWEST: u32 = 4;

/// A fingerprint that this number of owners have, and more than half of all, counts for no owner.
const OWNERS: usize = 5;

/// How many different tokens a run must contain: rows of numbers mean nothing.
const VARIETY: usize = 5;

/// Places of one hash in a source that are looked at for shared regions.
const PLACES: usize = 8;

/// Tokens that are compared for shared regions at most: a source that repeats itself a thousand times is not to keep
/// anybody busy.
const WORK: usize = 4_000_000;

/// Sources to compare with each other.
#[derive(Debug, Default)]
pub struct SourceCorpus {
    starter: HashSet<u64>,
    sources: Vec<CorpusSource>,
}

#[derive(Debug)]
struct CorpusSource {
    owner: i64,
    program: i64,
    prints: Vec<u64>,
}

/// How alike two sources are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Likeness {
    /// Both, by their numbers in the corpus, the smaller number first.
    pub sources: [usize; 2],
    pub shared: u32,
    /// The shared part of the fingerprints of each.
    pub parts: [f64; 2],
}

impl Likeness {
    /// The value that ranks pairs: the larger of the two shared parts. A copy inside a larger program is still a copy.
    pub fn part(&self) -> f64 {
        self.parts[0].max(self.parts[1])
    }

    /// Less of a pair that is more alike.
    fn rank(&self, other: &Self) -> Ordering {
        let alike = other.part().total_cmp(&self.part()).then(other.shared.cmp(&self.shared));
        alike.then(self.sources.cmp(&other.sources))
    }
}

/// A part that two sources share, in bytes of each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedRegion {
    /// Where it is in each of the two.
    pub places: [Range<usize>; 2],
    /// The number of its tokens.
    pub tokens: usize,
}

/// The hash of each run of [`K`] tokens; `None` for a meaningless run.
fn hashes(tokens: &[SourceToken], starter: &HashSet<u64>) -> Vec<Option<u64>> {
    let hash = |run: &[SourceToken]| {
        let mut classes: Vec<u32> = run.iter().map(|token| token.class).collect();
        let hash = classes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, class| {
            (hash ^ u64::from(*class)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
        });
        classes.sort_unstable();
        classes.dedup();
        (classes.len() >= VARIETY && !starter.contains(&hash)).then_some(hash)
    };
    tokens.windows(K).map(hash).collect()
}

/// The fingerprints: of each window the smallest hash, of equal ones the last.
fn winnow(hashes: &[Option<u64>]) -> Vec<u64> {
    // A meaningless run is never the smallest while there is anything else.
    let key = |at: usize| hashes[at].unwrap_or(u64::MAX);
    let mut prints = Vec::new();
    let mut smallest: Option<usize> = None;
    for end in 0..hashes.len() {
        let start = (end + 1).saturating_sub(WINDOW);
        let chosen = match smallest {
            Some(at) if at >= start => {
                if key(end) <= key(at) {
                    end
                } else {
                    at
                }
            }
            // The smallest has left the window.
            _ => (start..=end).rev().min_by_key(|&at| key(at)).unwrap_or(end),
        };
        // A source with fewer hashes than a window has is one window.
        let full = end + 1 >= WINDOW || end + 1 == hashes.len();
        if full && (smallest != Some(chosen) || end + 1 == WINDOW || end + 1 == hashes.len()) {
            prints.extend(hashes[chosen]);
        }
        smallest = Some(chosen);
    }
    prints.sort_unstable();
    prints.dedup();
    prints
}

impl SourceCorpus {
    /// A corpus that knows the starter code, which counts for no owner.
    pub fn new<'a>(starter: impl IntoIterator<Item = (Language, &'a str)>) -> Self {
        let none = HashSet::new();
        let all = starter.into_iter().flat_map(|(language, source)| hashes(&tokens(language, source), &none));
        Self { starter: all.flatten().collect(), sources: Vec::new() }
    }

    /// Adds a source, a version of a program of an owner, and returns its number: they count from 0.
    pub fn add(&mut self, owner: i64, program: i64, language: Language, source: &str) -> usize {
        let prints = winnow(&hashes(&tokens(language, source), &self.starter));
        self.sources.push(CorpusSource { owner, program, prints });
        self.sources.len() - 1
    }

    /// The pairs of sources of different owners that are most alike, those first; of two programs the two versions that
    /// are.
    pub fn likeness(&self, most: usize) -> Vec<Likeness> {
        let mut places: HashMap<u64, Vec<u32>> = HashMap::new();
        for (at, source) in self.sources.iter().enumerate() {
            for print in &source.prints {
                places.entry(*print).or_default().push(at as u32);
            }
        }
        let owners: HashSet<i64> = self.sources.iter().map(|source| source.owner).collect();
        let common = (owners.len() / 2).max(OWNERS - 1);
        places.retain(|_, found| {
            let of: HashSet<i64> = found.iter().map(|&at| self.sources[at as usize].owner).collect();
            of.len() <= common
        });
        let own = |source: &CorpusSource| source.prints.iter().filter(|print| places.contains_key(print)).count();
        let counts: Vec<usize> = self.sources.iter().map(own).collect();
        let mut best: HashMap<[i64; 2], Likeness> = HashMap::new();
        let mut shared = vec![0_u32; self.sources.len()];
        for (at, source) in self.sources.iter().enumerate() {
            shared.fill(0);
            for print in &source.prints {
                let Some(found) = places.get(print) else { continue };
                let behind = found.partition_point(|&other| other as usize <= at);
                for &other in &found[behind..] {
                    shared[other as usize] += 1;
                }
            }
            for (other, &count) in shared.iter().enumerate() {
                if count >= FEWEST && self.sources[other].owner != source.owner {
                    let parts = [at, other].map(|source| f64::from(count) / counts[source] as f64);
                    let found = Likeness { sources: [at, other], shared: count, parts };
                    let mut programs = [source.program, self.sources[other].program];
                    programs.sort_unstable();
                    let known = best.entry(programs).or_insert(found);
                    if found.rank(known).is_lt() {
                        *known = found;
                    }
                }
            }
        }
        let mut pairs: Vec<Likeness> = best.into_values().collect();
        pairs.sort_unstable_by(Likeness::rank);
        pairs.truncate(most);
        pairs
    }
}

/// The regions that two sources share, the longest first, none within another: runs of at least [`K`] equal tokens that
/// are not starter code.
pub fn shared_regions(corpus: &SourceCorpus, sources: [(Language, &str); 2]) -> Vec<SharedRegion> {
    let both = sources.map(|(language, source)| tokens(language, source));
    let [one, other] = both.each_ref().map(|tokens| hashes(tokens, &corpus.starter));
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, hash) in other.iter().enumerate() {
        if let Some(hash) = hash {
            places.entry(*hash).or_default().push(at);
        }
    }
    // Runs of equal hashes: their tokens are equal, too, and none is starter code.
    let (mut runs, mut work) = (Vec::new(), 0);
    for (at, hash) in one.iter().enumerate() {
        let Some(hash) = hash else { continue };
        for &there in places.get(hash).into_iter().flatten().take(PLACES) {
            let goes_on = at > 0 && there > 0 && one[at - 1].is_some() && one[at - 1] == other[there - 1];
            if !goes_on && work < WORK {
                let equal = |(one, other): &(&Option<u64>, &Option<u64>)| one.is_some() && one == other;
                let length = one[at..].iter().zip(&other[there..]).take_while(equal).count();
                work += length;
                runs.push(([at, there], length + K - 1));
            }
        }
    }
    runs.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
    let mut taken = both.each_ref().map(|tokens| vec![false; tokens.len()]);
    let mut regions = Vec::new();
    for (from, length) in runs {
        // What is left of a run after a longer one has taken part of it.
        let free = |step: &usize| !taken[0][from[0] + step] && !taken[1][from[1] + step];
        let steps: Vec<usize> = (0..length).skip_while(|step| !free(step)).take_while(free).collect();
        let (Some(&first), true) = (steps.first(), steps.len() >= K) else { continue };
        let mut places = [0..0, 0..0];
        for side in 0..2 {
            let range = from[side] + first..from[side] + first + steps.len();
            taken[side][range.clone()].fill(true);
            places[side] = both[side][range.start].place.start..both[side][range.end - 1].place.end;
        }
        regions.push(SharedRegion { places, tokens: steps.len() });
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    const PYTHON: Language = Language::Python3;

    const SEARCH: &str = "
def evaluate(board, side):
    total = 0
    for row in range(len(board)):
        for column in range(len(board[row])):
            if board[row][column] == side:
                total += weights[row][column] * 3 - distance(row, column)
            elif board[row][column] != EMPTY:
                total -= weights[row][column] * 2
    return total
";

    const MOVES: &str = "
def moves(board, side):
    found = []
    while len(found) < limit:
        for place in places(board):
            if not board.blocked(place) and board.free(place) > 1:
                found.append((place, side, board.free(place)))
        side, board = other(side), board.copy().swap()
    return sorted(found, key=lambda one: (one[2], -one[0]))
";

    const TIME: &str = "
class Clock:
    def __init__(self, left, moves):
        self.left, self.moves, self.used = left, moves, []
    def budget(self):
        try:
            return min(self.left / (self.moves + 4) * 1.5, self.left - 0.05)
        except ZeroDivisionError:
            raise RuntimeError('no moves') from None
    def spend(self, seconds):
        self.left -= seconds
        self.used.append(seconds if seconds > 0 else -seconds)
        return self.left > 0 or len(self.used) == 0
";

    /// The shared part of the only two sources in a corpus; 0 if they share nothing.
    fn part(starter: &[&str], one: &str, other: &str) -> f64 {
        let mut corpus = SourceCorpus::new(starter.iter().map(|source| (PYTHON, *source)));
        corpus.add(1, 1, PYTHON, one);
        corpus.add(2, 2, PYTHON, other);
        corpus.likeness(9).first().map_or(0.0, Likeness::part)
    }

    fn renamed(source: &str) -> String {
        let names = [
            "board", "side", "row", "column", "total", "weights", "found", "place", "left", "moves", "used", "seconds",
        ];
        let source = source.replace('\n', "\n\n    # so it goes\n");
        names.iter().enumerate().fold(source, |source, (at, name)| source.replace(name, &format!("v{at}")))
    }

    #[test]
    fn a_renamed_and_reordered_copy_is_found() {
        let original = [SEARCH, MOVES, TIME].concat();
        let copy = renamed(&[TIME, SEARCH, MOVES].concat());
        assert!(part(&[], &original, &copy) > 0.8, "{}", part(&[], &original, &copy));
        assert!((part(&[], &original, &original) - 1.0).abs() < 1e-9);
        // Within a larger program it is a copy still.
        let larger = [TIME, MOVES, &renamed(SEARCH)].concat();
        assert!(part(&[], &[SEARCH, "\nprint(evaluate([], 0))\n"].concat(), &larger) > 0.6);
    }

    #[test]
    fn different_programs_are_not_alike() {
        assert!(part(&[], &[SEARCH, "x = 1"].concat(), &[MOVES, TIME].concat()) < 0.1);
        assert!(part(&[], MOVES, TIME) < 0.1);
    }

    #[test]
    fn starter_code_is_nobodys_own() {
        let (one, other) = ([SEARCH, MOVES].concat(), [SEARCH, TIME].concat());
        assert!(part(&[], &one, &other) > 0.3);
        assert!(part(&[SEARCH], &one, &other) < 0.1);
    }

    #[test]
    fn what_most_have_is_nobodys_own() {
        let mut corpus = SourceCorpus::new([]);
        for owner in 0..8 {
            corpus.add(owner, owner, PYTHON, &[SEARCH, if owner < 2 { TIME } else { "" }].concat());
        }
        let pairs = corpus.likeness(99);
        assert_eq!(pairs.len(), 1, "{pairs:?}");
        assert_eq!(pairs[0].sources, [0, 1]);
        // Sources of one owner are not compared.
        let mut corpus = SourceCorpus::new([]);
        for program in 0..2 {
            corpus.add(1, program, PYTHON, SEARCH);
        }
        assert_eq!(corpus.likeness(9), []);
        // Of two programs, the versions that are most alike count.
        corpus.add(2, 2, PYTHON, &[SEARCH, MOVES, TIME].concat());
        corpus.add(3, 3, PYTHON, &[MOVES, TIME].concat());
        corpus.add(3, 3, PYTHON, &[SEARCH, MOVES].concat());
        let pairs = corpus.likeness(9);
        assert_eq!(pairs.iter().filter(|pair| pair.sources[0] == 2).count(), 1, "{pairs:?}");
    }

    #[test]
    fn shared_regions_are_found_on_both_sides() {
        let (one, other) = ([SEARCH, MOVES].concat(), renamed(&[TIME, SEARCH].concat()));
        let corpus = SourceCorpus::new([]);
        let regions = shared_regions(&corpus, [(PYTHON, &one), (PYTHON, &other)]);
        let [left, right] = regions[0].places.clone();
        assert!(one[left.clone()].contains("weights[row][column] * 3") && !one[left].contains("found"));
        assert!(other[right].contains("v5[v2][v3] * 3"));
        assert!(regions[0].tokens > 60, "{}", regions[0].tokens);
        let corpus = SourceCorpus::new([(PYTHON, SEARCH)]);
        assert_eq!(shared_regions(&corpus, [(PYTHON, &one), (PYTHON, &other)]), [], "it is starter code");
    }

    /// The guarantee of winnowing: a shared run of `K + WINDOW - 1` tokens is found wherever it is.
    #[test]
    fn a_long_shared_run_always_shares_a_fingerprint() {
        let row: Vec<SourceToken> = (0..400_u32).map(|at| SourceToken { class: at * at % 97, place: 0..0 }).collect();
        let none = HashSet::new();
        let all: HashSet<u64> = winnow(&hashes(&row, &none)).into_iter().collect();
        for from in 0..=row.len() - (K + WINDOW - 1) {
            let part = winnow(&hashes(&row[from..from + K + WINDOW - 1], &none));
            assert!(part.iter().any(|print| all.contains(print)), "from {from}");
        }
    }
}
