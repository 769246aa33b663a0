//! Targets from the scores and results of games: scores in odds that the results support, averaged with later ones.

use crate::PositionRecord;
use crate::model::sigmoid;

/// The most that expected points may differ from a certain win or loss: a score is finite.
const CERTAIN: f64 = 1e-6;

/// Steps of Newton's method; five or six are enough.
const STEPS: usize = 40;

/// Returns the value, in the unit of these scores, that means odds of e : 1 according to the results of the games: the
/// maximum likelihood of a logistic regression with one weight. Scores that are proofs are ignored, because they say
/// nothing about the others. `None` if higher scores do not win more often, or always do.
pub fn calibrated_scale<R: PositionRecord>(records: &[R], proof: i32) -> Option<f64> {
    let known = || records.iter().filter(|record| record.value().abs() < proof);
    let mut weight = 0.0_f64;
    for _ in 0..STEPS {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for record in known() {
            let value = f64::from(record.value());
            let points = 1.0 / (1.0 + (-weight * value).exp());
            slope += value * (f64::from(record.half_points()) / 2.0 - points);
            curvature += value * value * points * (1.0 - points);
        }
        let step = slope / curvature;
        if !step.is_finite() {
            return None;
        }
        weight += step;
        if step.abs() <= 1e-9 * weight.abs() {
            break;
        }
    }
    let scale = weight.recip();
    (1.0..=1e6).contains(&scale).then_some(scale)
}

/// Replaces the scores of records, in the order of their games, by their λ-returns (Sutton, "Learning to predict by the
/// methods of temporal differences", 1988). A score of `found` meant odds of e : 1 before; one of `scale` does so
/// after.
pub fn set_returns<R: PositionRecord>(records: &mut [R], lambda: f32, found: f32, scale: f32) {
    for game in records.chunk_by_mut(|before, after| before.ply() < after.ply()) {
        let Some(last) = game.last() else { continue };
        // Points of the side to move at the record.
        let (mut side, mut ply, mut after) = (last.turn(), last.ply() + 1, f32::from(last.half_points()) / 2.0);
        for record in game.iter_mut().rev() {
            if record.turn() != side {
                (side, after) = (record.turn(), 1.0 - after);
            }
            // Plies without a record are treated as if they had the same score.
            let share = lambda.powi((ply - record.ply()) as i32);
            ply = record.ply();
            after = share * after + (1.0 - share) * sigmoid(record.value() as f32 / found);
            let points = f64::from(after).clamp(CERTAIN, 1.0 - CERTAIN);
            record.set_value((f64::from(scale) * (points / (1.0 - points)).ln()).round() as i16);
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_search::evaluate::MAX_EVALUATION;

    use super::*;
    use crate::bacteria::BacteriaRecord;

    fn record(ply: u16, value: i16, half_points: u8) -> BacteriaRecord {
        BacteriaRecord { cells: [1, 2], value, half_points, ply }
    }

    #[test]
    fn the_scale_is_found_again() {
        // In 1 000 games each, the wins match odds of e : 1 at 250.
        let records: Vec<BacteriaRecord> = (-8..=8)
            .flat_map(|step: i16| {
                let won = (1_000.0 * sigmoid(f32::from(step) * 100.0 / 250.0)).round() as usize;
                (0..1_000).map(move |game| record(10, 100 * step, 2 * u8::from(game < won)))
            })
            .chain((0..500).map(|_| record(10, MAX_EVALUATION as i16, 0)))
            .collect();
        let scale = calibrated_scale(&records, MAX_EVALUATION).unwrap();
        assert!((scale - 250.0).abs() < 1.0, "{scale}");
    }

    #[test]
    fn scores_that_foretell_nothing_have_no_scale() {
        let check =
            |records: &[BacteriaRecord]| assert_eq!(calibrated_scale(records, MAX_EVALUATION), None, "{records:?}");
        check(&[]);
        check(&[record(3, 0, 2)]);
        check(&[record(3, 100, 0), record(4, 100, 0), record(3, 100, 2)]);
    }

    #[test]
    fn returns_end_in_the_result_and_do_not_leave_their_game() {
        // Two games: won by the first side, which is to move at even plies, then won by the second.
        let games = [record(4, 0, 2), record(5, 0, 0), record(6, 0, 2), record(4, 300, 0), record(7, 0, 2)];
        let returns = |lambda| {
            let mut records = games;
            set_returns(&mut records, lambda, 100.0, 200.0);
            records.map(|record| sigmoid(f32::from(record.value) / 200.0))
        };
        let close = |found: [f32; 5], expected: [f32; 5]| {
            let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.002);
            assert!(near, "{found:?}, not {expected:?}");
        };
        let score = sigmoid(3.0);
        close(returns(0.0), [0.5, 0.5, 0.5, score, 0.5]);
        close(returns(1.0), [1.0, 0.0, 1.0, 0.0, 1.0]);
        // The result has weight one half at the last record; three plies lie between the last two.
        close(returns(0.5), [0.5625, 0.375, 0.75, 0.125 * 0.25 + 0.875 * score, 0.75]);
    }

    #[test]
    fn lambda_zero_only_changes_the_unit_of_scores() {
        let mut records = [record(1, 150, 2), record(2, -80, 0), record(3, 0, 2), record(4, 20_000, 0)];
        set_returns(&mut records, 0.0, 100.0, 300.0);
        assert_eq!(records.map(|record| record.value), [450, -240, 0, 4_145]);
    }
}
