//! The meaning of a search's value in a book.

use agon_game::Side;
use agon_search::evaluate::MAX_EVALUATION;

/// Hundredths that mean odds of e : 1.
const SCALE: f64 = 400.0;

/// Maximum number of stones at which a value is not discounted,
const FEW: u32 = 12;

/// and with this many or more it counts half,
const MANY: u32 = 28;

/// less this many hundredths to Black.
const LATE: f64 = 200.0;

/// A search's value to the side to move, discounted by the number of stones on the board, in the hundredths of an
/// opening's.
///
/// Values mean less the more stones there are, and flatter Black, whose attacks run dry: in 508 457 positions from
/// games that began in positions of the practised book a value of +600 to Black was worth 0.83 points with fewer than
/// 14 stones, 0.63 with 20 to 27 and 0.56 with 28 to 39, and a value of 0 half a point, 0.40 and 0.37. Without the
/// discount the best line of the tree is the longest, since it is the best of the most mistakes.
pub(super) fn discounted(value: i32, turn: Side, stones: u32) -> i32 {
    if value.abs() > MAX_EVALUATION {
        return value;
    }
    let late = (f64::from(stones.clamp(FEW, MANY) - FEW)) / f64::from(MANY - FEW);
    let black = f64::from(if turn == Side::First { value } else { -value });
    let black = (black / (1.0 + late) - LATE * late).round() as i32;
    (if turn == Side::First { black } else { -black }).clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

/// The chance to win that a value means.
pub(super) fn chance(value: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(value) / SCALE).exp())
}

#[cfg(test)]
mod tests {
    use agon_search::value::WIN;

    use super::*;

    #[test]
    fn late_values_are_discounted() {
        assert_eq!([3, 12].map(|stones| discounted(640, Side::First, stones)), [640; 2]);
        assert_eq!([28, 60].map(|stones| discounted(640, Side::First, stones)), [120; 2]);
        // For White the same position.
        assert_eq!(discounted(-640, Side::Second, 28), -120);
        assert_eq!([WIN, -WIN].map(|value| discounted(value, Side::First, 40)), [WIN, -WIN]);
        // Higher values stay higher or equal, and nothing becomes decided.
        for stones in [0, 17, 40] {
            let values: Vec<i32> = (-MAX_EVALUATION..=MAX_EVALUATION)
                .step_by(50)
                .map(|value| discounted(value, Side::Second, stones))
                .collect();
            assert!(values.is_sorted() && values.iter().all(|value| value.abs() <= MAX_EVALUATION));
        }
    }
}
