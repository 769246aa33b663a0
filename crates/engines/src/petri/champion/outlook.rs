//! Distance of the enemy, and the balance of strength.

use agon_rules::petri::{Direction, Place, Sight};

/// Extent of the window around the cell in every direction.
const REACH: i32 = 4;

/// Rows and columns of the window.
const SIDE: u32 = 2 * REACH as u32 + 1;

/// The columns of the dish that are looked at for an enemy far away: beyond them none matters to the cell.
const COLUMNS: usize = 64;

/// Squares of the window, a bit each, row by row.
type Squares = u128;

/// Squares of the window in a direction.
struct Way {
    /// The squares at most 0, 1, 2 and 3 steps from the target.
    around: [Squares; 4],
    /// The three rows beyond the target, three squares each.
    ahead: Squares,
    /// The three rows behind the cell in the same form.
    behind: Squares,
}

/// Returns the squares within a number of steps from one, given by its offset from the middle of the window.
const fn block(dx: i32, dy: i32, steps: i32) -> Squares {
    let mut squares = 0;
    let mut y = REACH + dy - steps;
    while y <= REACH + dy + steps {
        let mut x = REACH + dx - steps;
        while x <= REACH + dx + steps {
            assert!(x >= 0 && y >= 0 && x < SIDE as i32 && y < SIDE as i32);
            squares |= 1 << (y as u32 * SIDE + x as u32);
            x += 1;
        }
        y += 1;
    }
    squares
}

/// The ways in the order of the directions.
static WAYS: [Way; 8] = {
    const NONE: Way = Way { around: [0; 4], ahead: 0, behind: 0 };
    let mut ways = [NONE; 8];
    let mut at = 0;
    while at < 8 {
        let (dx, dy) = (Direction::ALL[at].dx() as i32, Direction::ALL[at].dy() as i32);
        let mut steps = 0;
        while steps < 4 {
            ways[at].around[steps as usize] = block(dx, dy, steps);
            steps += 1;
        }
        ways[at].ahead = block(3 * dx, 3 * dy, 1);
        ways[at].behind = block(-2 * dx, -2 * dy, 1);
        at += 1;
    }
    ways
};

/// The cell's view of both colonies: a window around it, and the rest of the dish if no cell is near.
pub(super) struct Outlook<'a> {
    sight: &'a Sight<'a>,
    own: Squares,
    enemies: Squares,
}

impl<'a> Outlook<'a> {
    pub(super) fn new(sight: &'a Sight<'a>) -> Self {
        let here = sight.place();
        let (x, y) = (usize::from(here.x), i32::from(here.y));
        // Left of the dish the window is empty.
        let (from, shift) = (x.saturating_sub(REACH as usize), (REACH as usize).saturating_sub(x));
        let (mut own, mut enemies) = (0, 0);
        for row in 0..SIDE {
            let Ok(line) = usize::try_from(y - REACH + row as i32) else { continue };
            let [ours, theirs] =
                sight.colonies(line, from).map(|bits| Squares::from(bits << shift & ((1 << SIDE) - 1)));
            own |= ours << (row * SIDE);
            enemies |= theirs << (row * SIDE);
        }
        Self { sight, own, enemies }
    }

    /// Steps of a chess king from the cell to the nearest enemy; `None` if none is in sight.
    pub(super) fn distance(&self) -> Option<i32> {
        let within = |steps: &i32| {
            const BLOCKS: [Squares; 5] = [0, block(0, 0, 1), block(0, 0, 2), block(0, 0, 3), block(0, 0, 4)];
            self.enemies & BLOCKS[*steps as usize] != 0
        };
        (1..=REACH).find(within).or_else(|| self.far(self.sight.place()))
    }

    /// The same from the neighbouring square.
    pub(super) fn distance_from(&self, target: Direction) -> Option<i32> {
        let around = &WAYS[target as usize].around;
        let near = around.iter().position(|&squares| self.enemies & squares != 0).map(|steps| steps as i32);
        near.or_else(|| self.far(self.sight.place().step(target)))
    }

    /// The same from any square next to the cell, over the whole height of the dish.
    fn far(&self, from: Place) -> Option<i32> {
        let (width, height) = (self.sight.width(), self.sight.height() as i32);
        let left = usize::from(self.sight.place().x).saturating_sub(COLUMNS / 2).min(width.saturating_sub(COLUMNS));
        let (x, y) = (i32::from(from.x) - left as i32, i32::from(from.y));
        let mut nearest = i32::MAX;
        // Scans row by row away from the square, until no row can be nearer than the best find.
        for away in 0..height.min(COLUMNS as i32) {
            if away >= nearest {
                break;
            }
            let mut bits = 0;
            for row in [y - away, y + away] {
                if (0..height).contains(&row) {
                    bits |= self.sight.colonies(row as usize, left)[1];
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

    /// Returns the number of cells of either colony within `steps` steps of the neighbouring square, at most 3 steps;
    /// own ones first.
    pub(super) fn strength(&self, target: Direction, steps: usize) -> [u32; 2] {
        self.count(WAYS[target as usize].around[steps])
    }

    /// The same within two steps of the cell itself.
    pub(super) fn strength_here(&self) -> [u32; 2] {
        self.count(const { block(0, 0, 2) })
    }

    /// Returns the number of cells of either colony right beyond the neighbouring square, in three rows of three; own
    /// ones first.
    pub(super) fn ahead(&self, target: Direction) -> [u32; 2] {
        self.count(WAYS[target as usize].ahead)
    }

    /// The same right behind the cell, facing that direction.
    pub(super) fn behind(&self, target: Direction) -> [u32; 2] {
        self.count(WAYS[target as usize].behind)
    }

    const fn count(&self, squares: Squares) -> [u32; 2] {
        [(self.own & squares).count_ones(), (self.enemies & squares).count_ones()]
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
        let rows: Vec<String> = (0..height)
            .map(|_| (0..width).map(|_| ['o', 'x', 'c'].get(random.below(density)).unwrap_or(&'.')).collect())
            .collect();
        let columns = [0, 1, width / 2, width - 1];
        let cells = columns.into_iter().flat_map(|x| [0, 3, height / 2, height - 1].map(|y| Place { x, y }));
        for here in cells.filter(|place| place.y < height) {
            let mut rows = rows.clone();
            rows[usize::from(here.y)].replace_range(usize::from(here.x)..=usize::from(here.x), "o");
            let input = format!("{width} {height}\n{}\n\n{} {} 4 8", rows.join("\n"), here.x, here.y);
            let scene = Scene::read(input.as_bytes()).expect("an input");
            let sight = scene.sight();
            let outlook = Outlook::new(&sight);
            // Returns the number of cells within a number of steps of a place, which may be outside the dish.
            let point = |place: Place| [i32::from(place.x), i32::from(place.y)];
            let steps =
                |[x, y]: [i32; 2], place: Place| (x - i32::from(place.x)).abs().max((y - i32::from(place.y)).abs());
            let away = |thing: Thing, at: [i32; 2]| {
                let there = sight.columns().filter(move |&(_, there)| there == thing);
                there.map(move |(place, _)| steps(at, place))
            };
            let within = |at: [i32; 2], most: i32| {
                [Thing::Own, Thing::Enemy].map(|thing| away(thing, at).filter(|&steps| steps <= most).count() as u32)
            };
            let nearest = |at: [i32; 2]| away(Thing::Enemy, at).min();
            let at = point(here);
            assert_eq!(outlook.distance(), nearest(at), "{here:?} of\n{input}");
            assert_eq!(outlook.strength_here(), within(at, 2), "{here:?} of\n{input}");
            for way in Direction::ALL {
                let go = |steps: i32| [at[0] + steps * i32::from(way.dx()), at[1] + steps * i32::from(way.dy())];
                let place = here.step(way);
                if place.x < width && place.y < height {
                    assert_eq!(outlook.distance_from(way), nearest(go(1)), "{place:?} of\n{input}");
                }
                for radius in 0..4 {
                    assert_eq!(outlook.strength(way, radius as usize), within(go(1), radius), "{way:?} of\n{input}");
                }
                assert_eq!(outlook.ahead(way), within(go(3), 1), "{way:?} of\n{input}");
                assert_eq!(outlook.behind(way), within(go(-2), 1), "{way:?} of\n{input}");
            }
        }
    }

    #[test]
    fn masks_see_what_the_eye_sees() {
        check(4, 4, 6);
        check(10, 4, 40);
        check(4, 33, 6);
        check(33, 40, 700);
        // No enemy.
        check(5, 3, 1000);
    }

    #[test]
    fn enemies_are_seen_up_to_half_of_64_columns_away() {
        let far = |columns: usize| {
            let input = format!(
                "150 3\n{0}\no{1}x{2}\n{0}\n\n0 1 4 8",
                ".".repeat(150),
                ".".repeat(columns),
                ".".repeat(148 - columns)
            );
            Outlook::new(&Scene::read(input.as_bytes()).expect("an input").sight()).distance()
        };
        assert_eq!([0, 10, 62, 63].map(far), [Some(1), Some(11), Some(63), None]);
    }
}
