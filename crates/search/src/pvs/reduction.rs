//! Late-move reductions.

use super::tuning::Tuning;

/// Depths and move numbers above this are treated like the last one in the table.
const MOST: usize = 64;

/// Reductions by depth and number of the move, in hundredths of a ply: a base and a slope times the product of both
/// logarithms, as chess programs have them.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Box<[[i16; MOST]; MOST]>);

impl Reductions {
    pub fn new(tuning: &Tuning) -> Self {
        let mut table = Box::new([[0; MOST]; MOST]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, reduction) in row.iter_mut().enumerate().skip(1) {
                let logs = (depth as f64).ln() * (count as f64).ln();
                *reduction = (f64::from(tuning.late_base) + f64::from(tuning.late_slope) * logs) as i16;
            }
        }
        Self(table)
    }

    /// In hundredths of a ply.
    #[inline]
    pub fn of(&self, depth: i32, count: i32) -> i32 {
        i32::from(self.0[(depth as usize).min(MOST - 1)][(count as usize).min(MOST - 1)])
    }
}
