//! Positions solved by another program: the rules must allow its moves, and lead to its values.

use std::collections::HashMap;

use agon_game::{Position, Side};

use crate::domineering::{after, moves, read};
use agon_rules::domineering::Domineering;

struct Solved {
    position: Domineering,
    /// In points, first minus second, from here on.
    value: i32,
    best: Vec<String>,
}

fn solved() -> Vec<Solved> {
    include_str!("../../data/domineering/solved.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split(" | ").collect();
            let [position, value, best, _] = fields[..] else { panic!("`{line}`: four columns expected") };
            Solved {
                position: read(position),
                value: value.parse().expect("a value"),
                best: best.split(", ").map(ToOwned::to_owned).collect(),
            }
        })
        .collect()
}

/// The best that both sides can still get, in points, first minus second.
fn value(position: &Domineering, known: &mut HashMap<u64, i32>) -> i32 {
    if let Some(&value) = known.get(&position.future_key()) {
        return value;
    }
    let values = moves(position).into_iter().map(|m| value_of(position, &after(position, m), known));
    let best = match position.turn() {
        Side::First => values.max(),
        Side::Second => values.min(),
    };
    // Nothing is won after the end.
    let best = best.unwrap_or(0);
    known.insert(position.future_key(), best);
    best
}

/// The gain of the move from `before` to `next`, and the best from there.
fn value_of(before: &Domineering, next: &Domineering, known: &mut HashMap<u64, i32>) -> i32 {
    (next.lead() - before.lead()).halves() / 2 + value(next, known)
}

#[test]
fn every_best_move_is_legal() {
    let solved = solved();
    assert_eq!(solved.len(), 176);
    for Solved { position, best, .. } in &solved {
        assert_eq!(position.outcome(), None, "{position}");
        for text in best {
            assert!(position.read_move(text).is_ok(), "{text} in {position}");
        }
    }
}

/// By brute force through the rules when few cells are left: the value and the whole set of best moves.
#[test]
fn small_positions_have_the_values_found_elsewhere() {
    let small = |solved: &Solved| solved.position.empty().count_ones() <= 28;
    let small: Vec<Solved> = solved().into_iter().filter(small).collect();
    assert_eq!(small.len(), 54);
    for Solved { position, value: expected, mut best } in small {
        let mut known = HashMap::new();
        assert_eq!(value(&position, &mut known), expected, "{position}");
        let mut found: Vec<String> = moves(&position)
            .into_iter()
            .filter(|&m| value_of(&position, &after(&position, m), &mut known) == expected)
            .map(|m| m.to_string())
            .collect();
        found.sort_unstable();
        best.sort_unstable();
        assert_eq!(found, best, "{position}");
    }
}
