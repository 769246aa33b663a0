//! Actions for which programs gave no valid answer or none at all, grouped by kind.
//!
//! A cell whose program raises an exception does so in hundreds of actions. Its author needs one of them in full: which
//! actor it was, what the program was shown, and what it wrote.

use agon_game::{GameState, Side};
use agon_message::Stated;

use crate::record::Record;
use crate::report::Way;

/// Kinds of failures of one side that a record distinguishes.
const MAX_KINDS: usize = 16;

/// The failed actions of one kind: the first of them, and how many there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedActions {
    pub side: Side,
    /// How many actions of this kind there are.
    pub count: u32,
    /// The number of the first of them in the game, from 1.
    pub action: u32,
    /// The place of the actor, if the game gives it: column and row, as programs count.
    pub actor: Option<(usize, usize)>,
    /// What the program was shown.
    pub input: String,
    /// Its answer, and how many bytes were left out.
    pub answer: String,
    /// How many bytes of the answer the record leaves out.
    pub cut: u64,
    /// Why the actor did not do that.
    pub remark: Stated,
    /// The end of its error stream at the time; empty if it wrote nothing, or if a record distinguishes no more kinds.
    pub stderr: String,
}

/// The failed actions of both sides in a record, each kind once; `start` is the game where the first action is due.
///
/// The kind of the very first failure comes first, the others follow by their number.
pub fn failures(record: &Record, start: &dyn GameState) -> Vec<FailedActions> {
    let mut state = start.boxed_clone();
    let mut found: Vec<(String, FailedActions)> = Vec::new();
    for entry in record.entries.iter().filter(|entry| entry.way == Way::From && entry.moment.is_some()) {
        if let Some(remark) = &entry.remark {
            let kind = kind(&remark.text);
            match found.iter_mut().find(|(known, failed)| failed.side == entry.side && *known == kind) {
                Some((_, failed)) => failed.count += 1,
                None => {
                    let mut input = String::new();
                    state.prompt(&mut input);
                    let failed = FailedActions {
                        side: entry.side,
                        count: 1,
                        action: state.ply() + 1,
                        actor: state.actor(),
                        input,
                        answer: entry.line.clone(),
                        cut: entry.cut,
                        remark: remark.clone(),
                        stderr: entry.stderr.clone().unwrap_or_default(),
                    };
                    found.push((kind, failed));
                }
            }
        }
        if state.answer(&entry.line).is_err() {
            break;
        }
    }
    let mut failures = Vec::with_capacity(found.len());
    for side in Side::BOTH {
        let mut of_side: Vec<FailedActions> =
            found.iter().filter(|(_, failed)| failed.side == side).map(|(_, failed)| failed.clone()).collect();
        if let [_, others @ ..] = of_side.as_mut_slice() {
            others.sort_by_key(|failed| std::cmp::Reverse(failed.count));
        }
        failures.extend(of_side);
    }
    failures
}

/// The kinds of failures that a bout has had so far.
#[derive(Default)]
pub(crate) struct FailureKinds {
    seen: [Vec<String>; 2],
}

impl FailureKinds {
    /// Whether this is the first failure of its kind, among the first [`MAX_KINDS`].
    pub(crate) fn is_new(&mut self, side: Side, remark: &str) -> bool {
        let seen = &mut self.seen[side.index()];
        if seen.len() == MAX_KINDS {
            return false;
        }
        let kind = kind(remark);
        let new = !seen.contains(&kind);
        if new {
            seen.push(kind);
        }
        new
    }
}

/// A remark without the numbers that differ from one action to the next; exit codes and signals stay.
fn kind(remark: &str) -> String {
    let mut kind = String::with_capacity(remark.len());
    let mut number = false;
    for c in remark.chars() {
        let kept = ["exit code ", "signal "].iter().any(|name| kind.ends_with(name))
            || kind.ends_with(|last: char| last.is_ascii_digit());
        if c.is_ascii_digit() && !kept {
            number = true;
            continue;
        }
        if std::mem::take(&mut number) {
            kind.push('#');
        }
        kind.push(c);
    }
    if number {
        kind.push('#');
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_make_a_kind() {
        let check = |a: &str, b: &str, same: bool| assert_eq!(kind(a) == kind(b), same, "{a} | {b}");
        check("5 energy needed and only 3 left", "5 energy needed and only 12 left", true);
        check("no output, exit code 1: KeyError: (3, 4)", "no output, exit code 1: KeyError: (10, 0)", true);
        check("no output, exit code 1", "no output, exit code 3", false);
        check("no output, exit code 11", "no output, exit code 12", false);
        check("died by signal 6, SIGABRT", "died by signal 11, SIGSEGV", false);
        check("a living cell is there: N", "a living cell is there: S", false);
        let mut kinds = FailureKinds::default();
        assert!(kinds.is_new(Side::First, "1 left") && !kinds.is_new(Side::First, "2 left"));
        assert!(kinds.is_new(Side::Second, "1 left"));
        let new = (0..100_u8).filter(|&n| kinds.is_new(Side::First, &char::from(n + 150).to_string())).count();
        assert_eq!(new, MAX_KINDS - 1);
    }
}
