//! Log likelihood ratios against an optimiser of another kind, for all counts and bounds.

use agon_arena::stats::Pentanomial;
use agon_arena::stats::sprt::{MAX_ELO, Scale, Sprt, Status};
use proptest::prelude::*;

use crate::statistics::reference::{self, Hypothesis};

pub fn test(elo0: f64, elo1: f64, scale: Scale) -> Sprt {
    Sprt { elo0, elo1, scale, ..Sprt::default() }
}

pub fn llr(test: &Sprt, counts: [u64; 5]) -> f64 {
    test.llr(&Pentanomial { counts, copies: 0 })
}

pub fn reference_llr(test: &Sprt, counts: [u64; 5]) -> f64 {
    let hypothesis = |elo: f64| match test.scale {
        Scale::Logistic => Hypothesis::Logistic(elo),
        Scale::Normalized => Hypothesis::Normalized(elo),
    };
    reference::llr(counts, hypothesis(test.elo1), hypothesis(test.elo0))
}

/// To four digits, of the ratio or of a hundredth if it is almost 0.
pub fn agree(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() <= 5e-5 * wanted.abs().max(0.01)
}

#[track_caller]
fn check(test: &Sprt, counts: [u64; 5]) {
    let (found, wanted) = (llr(test, counts), reference_llr(test, counts));
    assert!(agree(found, wanted), "{counts:?} {test:?}: {found} is not {wanted}");
}

#[test]
fn a_ratio_far_from_the_data_has_its_sign() {
    // The first guess by linearising was +4.15.
    let far = test(0.0, 400.0, Scale::Normalized);
    let found = llr(&far, [2, 3, 10, 12, 8]);
    assert!((found + 6.3783).abs() < 1e-4, "{found}");
    let lost = Pentanomial { counts: [6, 0, 0, 0, 0], copies: 0 };
    assert_eq!(test(0.0, 250.0, Scale::Normalized).status(&lost), Status::H0);
    check(&far, [2, 3, 10, 12, 8]);
}

/// Counts of all kinds: one cell, all won or lost, few and many pairs, much and little spread.
const COUNTS: [[u64; 5]; 16] = [
    [1, 0, 0, 0, 0],
    [0, 0, 0, 1, 0],
    [13, 0, 0, 0, 0],
    [0, 0, 0, 0, 13],
    [0, 40_000, 0, 0, 0],
    [0, 0, 1000, 0, 0],
    [0, 0, 0, 0, 5000],
    [1, 1, 1, 1, 1],
    [3, 0, 0, 0, 4],
    [0, 2, 90, 4, 0],
    [2, 3, 10, 12, 8],
    [700, 0, 1, 0, 900],
    [0, 17, 8, 0, 8],
    [210, 1000, 2100, 1070, 260],
    [1500, 800, 90, 3, 0],
    [20_000, 1, 0, 0, 3],
];

#[test]
fn all_counts_and_bounds_agree_with_another_optimiser() {
    let logistic = [(-600.0, 600.0), (-600.0, -500.0), (-10.0, 0.0), (0.0, 2.0), (0.0, 300.0), (500.0, 600.0)];
    let normalized =
        [(-900.0, 900.0), (-400.0, 0.0), (-3.0, 0.0), (0.0, 4.0), (0.0, 250.0), (0.0, 400.0), (600.0, 2000.0)];
    for counts in COUNTS {
        for (elo0, elo1) in logistic {
            check(&test(elo0, elo1, Scale::Logistic), counts);
        }
        for (elo0, elo1) in normalized {
            check(&test(elo0, elo1, Scale::Normalized), counts);
        }
    }
}

fn any_scale() -> impl Strategy<Value = Scale> {
    prop_oneof![Just(Scale::Logistic), Just(Scale::Normalized)]
}

/// Counts of any size, some of them 0, and not all.
fn any_counts() -> impl Strategy<Value = [u64; 5]> {
    let count = prop_oneof![Just(0_u64), 0..5_u64, 0..200_u64, 0..20_000_u64];
    let filled = proptest::array::uniform5(count);
    filled.prop_filter("no pairs", |counts| counts.iter().sum::<u64>() > 0)
}

fn any_test(most: f64) -> impl Strategy<Value = Sprt> {
    let bounds = (-most..most, 0.01..1.0_f64);
    (bounds, any_scale()).prop_map(move |((elo0, share), scale)| test(elo0, elo0 + share * (most - elo0), scale))
}

/// The value of a score for a test: the share of points, or that in standard deviations.
fn seen(test: &Sprt, counts: [u64; 5]) -> f64 {
    let pairs = Pentanomial { counts, copies: 0 };
    let regular = counts.map(|count| (count as f64).max(1e-3));
    let all: f64 = regular.iter().sum();
    let mean: f64 = (0..5).map(|at| at as f64 / 4.0 * regular[at] / all).sum();
    let variance: f64 = (0..5).map(|at| (at as f64 / 4.0 - mean).powi(2) * regular[at] / all).sum();
    match test.scale {
        Scale::Logistic => agon_arena::stats::difference(mean),
        Scale::Normalized => (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / 10_f64.ln(),
    }
    .clamp(-1e9, 1e9)
        * f64::from(u8::from(pairs.pairs() > 0))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn ratios_agree_with_another_optimiser(counts in any_counts(), test in any_test(900.0)) {
        let (found, wanted) = (llr(&test, counts), reference_llr(&test, counts));
        prop_assert!(agree(found, wanted), "{found} is not {wanted}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    /// A result beyond both hypotheses favours the closer one, and there is always an answer.
    #[test]
    fn a_ratio_has_the_sign_of_the_data(counts in any_counts(), test in any_test(MAX_ELO)) {
        let (found, seen) = (llr(&test, counts), seen(&test, counts));
        prop_assert!(found.is_finite());
        let slack = 1e-9 * (1.0 + found.abs());
        if seen <= test.elo0 {
            prop_assert!(found < slack, "{found} of {seen}");
        }
        if seen >= test.elo1 {
            prop_assert!(found > -slack, "{found} of {seen}");
        }
    }

    /// A better result of a pair never lowers the ratio of logistic bounds. It may lower that of normalized ones: a win
    /// beside draws widens the spread.
    #[test]
    fn a_ratio_grows_with_the_data(
        counts in any_counts(), test in any_test(MAX_ELO), from in 0..5_usize, to in 0..5_usize,
    ) {
        let test = Sprt { scale: Scale::Logistic, ..test };
        let (low, high) = (from.min(to), from.max(to));
        // Without the traces of scores that never came.
        let mut counts = counts.map(|count| count + 1);
        counts[low] += 1;
        let mut better = counts;
        better[low] -= 1;
        better[high] += 1;
        let (before, after) = (llr(&test, counts), llr(&test, better));
        prop_assert!(after >= before - 1e-9 * (1.0 + before.abs()), "{before} {after} {better:?}");
    }

    /// The view of the opponent is the opposite one.
    #[test]
    fn a_ratio_turns_with_the_seats(counts in any_counts(), test in any_test(MAX_ELO)) {
        let mut reversed = counts;
        reversed.reverse();
        let turned = Sprt { elo0: -test.elo1, elo1: -test.elo0, ..test };
        let (there, back) = (llr(&test, counts), llr(&turned, reversed));
        prop_assert!((there + back).abs() <= 1e-7 * (1.0 + there.abs()), "{there} {back}");
    }

    /// As many pairs again of the same kind are as much evidence again.
    #[test]
    fn a_ratio_grows_with_the_number_of_pairs(counts in any_counts(), test in any_test(MAX_ELO)) {
        let counts = counts.map(|count| count + 1);
        let (once, thrice) = (llr(&test, counts), llr(&test, counts.map(|count| 3 * count)));
        prop_assert!((3.0 * once - thrice).abs() <= 1e-7 * (1.0 + thrice.abs()), "{once} {thrice}");
    }
}
