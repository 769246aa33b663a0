//! How near the enemy is, and who is stronger where.

use agon_rules::petri::{Place, Sight};

/// The most rows that are looked at: beyond them nobody matters to the cell.
const ROWS: usize = 64;

/// The part of the dish around the cell, 64 × 64 at most, as a bit for every cell of either colony.
pub struct Outlook {
    own: [u64; ROWS],
    enemies: [u64; ROWS],
    left: i32,
    top: i32,
    rows: usize,
}

impl Outlook {
    pub fn new(sight: &Sight<'_>) -> Self {
        let here = sight.place();
        let first = |at: u8, length: usize| usize::from(at).saturating_sub(32).min(length.saturating_sub(64));
        let (left, top) = (first(here.x, sight.width()), first(here.y, sight.height()));
        let rows = (sight.height() - top).min(ROWS);
        let (mut own, mut enemies) = ([0; ROWS], [0; ROWS]);
        for row in 0..rows {
            [own[row], enemies[row]] = sight.colonies(top + row, left);
        }
        Self { own, enemies, left: left as i32, top: top as i32, rows }
    }

    /// Steps to the nearest enemy, as the king of chess goes; `None` when there is none in sight.
    pub fn distance(&self, from: Place) -> Option<i32> {
        let (x, y) = (i32::from(from.x) - self.left, i32::from(from.y) - self.top);
        let mut nearest = i32::MAX;
        // Row by row away from the square, until no row can be nearer than what has been found.
        for away in 0..self.rows as i32 {
            if away >= nearest {
                break;
            }
            let mut bits = 0;
            for row in [y - away, y + away] {
                if (0..self.rows as i32).contains(&row) {
                    bits |= self.enemies[row as usize];
                }
            }
            if bits != 0 {
                let right = (bits >> x).trailing_zeros() as i32;
                let left = (bits << (63 - x)).leading_zeros() as i32;
                nearest = nearest.min(right.min(left).max(away));
            }
        }
        (nearest < i32::MAX).then_some(nearest)
    }

    /// How many cells of either colony are at most two steps away, own ones first.
    pub fn strength(&self, at: Place) -> [u32; 2] {
        let (x, y) = (i32::from(at.x) - self.left, i32::from(at.y) - self.top);
        let window = if x >= 2 { 0b11111 << (x - 2) } else { 0b11111 >> (2 - x) };
        let rows = (y - 2).max(0) as usize..(y + 3).min(self.rows as i32) as usize;
        [&self.own, &self.enemies].map(|side| side[rows.clone()].iter().map(|bits| (bits & window).count_ones()).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_game::seed::Stream;
    use agon_rules::petri::{Scene, Thing};

    /// Compares with looking at every square, all over a dish strewn at random.
    fn check(width: u8, height: u8, density: usize) {
        let mut random = Stream::new(u64::from(width), "outlook");
        let mut rows: Vec<String> = (0..height)
            .map(|_| (0..width).map(|_| ['o', 'x', 'c'].get(random.below(density)).unwrap_or(&'.')).collect())
            .collect();
        let middle = Place { x: width / 2, y: height / 2 };
        rows[usize::from(middle.y)].replace_range(usize::from(middle.x)..=usize::from(middle.x), "o");
        let input = format!("{width} {height}\n{}\n\n{} {} 4 8", rows.join("\n"), middle.x, middle.y);
        let scene = Scene::read(input.as_bytes()).expect("an input");
        let sight = scene.sight();
        let outlook = Outlook::new(&sight);
        let steps = |a: Place, b: Place| i32::from(a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)));
        for x in middle.x.saturating_sub(2)..(middle.x + 3).min(width) {
            for y in middle.y.saturating_sub(2)..(middle.y + 3).min(height) {
                let at = Place { x, y };
                let away = |thing: Thing| {
                    sight.columns().filter(move |&(_, there)| there == thing).map(move |(place, _)| steps(at, place))
                };
                assert_eq!(outlook.distance(at), away(Thing::Enemy).min(), "{at:?} of\n{input}");
                let strength = [Thing::Own, Thing::Enemy].map(|thing| away(thing).filter(|&s| s <= 2).count() as u32);
                assert_eq!(outlook.strength(at), strength, "{at:?} of\n{input}");
            }
        }
    }

    #[test]
    fn masks_see_what_the_eye_sees() {
        check(4, 4, 6);
        check(10, 4, 40);
        check(4, 33, 6);
        check(64, 64, 500);
        check(150, 80, 500);
        // No enemy at all.
        check(5, 3, 1000);
    }
}
