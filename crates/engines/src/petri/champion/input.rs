//! Inputs of the network: the set of those that are 1.
//!
//! The cell looks along every direction in which it can act, and for a rest along its front: the dish is rotated so
//! that this direction is east or south-east, and mirrored so that the enemies are on the right. What the network
//! learns in one direction then applies to all eight.

use agon_rules::petri::{Direction, Place, Sight, SquareSum, Thing};

use super::row::ROWS;

/// Extent of the window around the cell in every direction.
const REACH: i32 = 3;

/// Columns of the window, and rows.
const SIDE: i32 = 2 * REACH + 1;

pub(super) const WINDOW: usize = (SIDE * SIDE) as usize;

/// Possible contents of a square in the window: an own cell, an enemy, a corpse, or nothing because it is outside the
/// dish.
const KINDS: usize = 4;

/// The views there are: along the front, along a row or column, along a diagonal.
const VIEWS: usize = 3;

/// The first inputs after those of the windows, which each view has separately.
const BODY: usize = VIEWS * KINDS * WINDOW;

/// Hit points and energy are capped here.
const MAX_POINTS: usize = 8;

/// Inputs of the share of own cells among all.
const LEAD: usize = BODY + MAX_POINTS * (MAX_POINTS + 1);
/// Features: empty share of the dish.
const ROOM: usize = LEAD + 16;
/// Features: lengths of the dish's sides, along the first axis and along the second.
const LENGTHS: usize = ROOM + 8;
/// Features: centroid of the enemies along either axis.
const ENEMIES: usize = LENGTHS + 2 * LENGTH_BOUNDS.len();
/// Features: centroid of the own colony.
const OWN: usize = ENEMIES + 2 * OFFSETS;
const ALWAYS: usize = OWN + 2 * OFFSETS;

/// Number of inputs of a network.
pub(super) const INPUTS: usize = ALWAYS + VIEWS;

/// Upper bounds of the classes of lengths; the last class has none.
const LENGTH_BOUNDS: [usize; 12] = [4, 5, 6, 7, 8, 9, 11, 13, 15, 17, 20, usize::MAX];

/// The bounds of the classes of distances from a middle, in half squares; there is one more beyond the last.
const OFFSET_BOUNDS: [i32; 5] = [1, 3, 6, 12, 20];

/// Number of classes: the nearest, and the others on both sides.
const OFFSETS: usize = 2 * OFFSET_BOUNDS.len() + 1;

/// Number of outputs of a network: one for each row of a policy, and one for a rest.
pub(super) const OUTPUTS: usize = ROWS.len() + 1;

/// The output of a rest.
pub(super) const REST: usize = ROWS.len();

/// One of the eight symmetries of a square: mirrored at the vertical and at the horizontal axis, then at the diagonal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DishFrame(u8);

impl DishFrame {
    /// The view in which this step is between east and south-east.
    const fn facing(dx: i32, dy: i32) -> Self {
        let transposed = dy.abs() > dx.abs();
        Self((dx < 0) as u8 | ((dy < 0) as u8) << 1 | (transposed as u8) << 2)
    }

    /// The view in which the direction is east or south-east, and the other step is on its right.
    fn along(direction: Direction, [x, y]: [i32; 2]) -> Self {
        let (dx, dy) = (i32::from(direction.dx()), i32::from(direction.dy()));
        ALONG[direction as usize][usize::from(dx * y < dy * x)]
    }

    /// Maps a step.
    const fn map(self, dx: i32, dy: i32) -> [i32; 2] {
        let x = if self.0 & 1 == 0 { dx } else { -dx };
        let y = if self.0 & 2 == 0 { dy } else { -dy };
        if self.0 & 4 == 0 { [x, y] } else { [y, x] }
    }
}

/// Frames that map a direction to the east or south-east: the one that preserves left and right, and the one that swaps
/// them.
static ALONG: [[DishFrame; 2]; 8] = {
    let mut frames = [[DishFrame(0); 2]; 8];
    let mut at = 0;
    while at < 64 {
        let (direction, frame) = (Direction::ALL[at / 8], DishFrame(at as u8 % 8));
        let [x, y] = frame.map(direction.dx() as i32, direction.dy() as i32);
        if x == 1 && y >= 0 && (y == 0) == (direction.dx() == 0 || direction.dy() == 0) {
            frames[direction as usize][frame.0.count_ones() as usize % 2] = frame;
        }
        at += 1;
    }
    frames
};

/// Image of every square of the window under each symmetry.
static IMAGES: [[u8; WINDOW]; 8] = {
    let mut images = [[0; WINDOW]; 8];
    let mut frame = 0;
    while frame < 8 {
        let mut at = 0;
        while at < WINDOW {
            let [x, y] = DishFrame(frame as u8).map(at as i32 % SIDE - REACH, at as i32 / SIDE - REACH);
            images[frame][at] = ((y + REACH) * SIDE + x + REACH) as u8;
            at += 1;
        }
        frame += 1;
    }
    images
};

/// Weight of an enemy in the position of the front, by its distance in steps.
const NEARNESS: [i32; REACH as usize + 1] = [0, 9, 4, 1];

#[derive(Clone, Debug)]
pub struct CellView {
    /// Contents of the window: one of the [`KINDS`], or [`KINDS`] for an empty square.
    things: [u8; WINDOW],
    /// Position of the enemies in the window, or in the dish if there are none in the window.
    front: [i32; 2],
    /// Inputs that are the same along every direction.
    common: [u16; 3],
    lengths: [u16; 2],
    /// The middles of the enemies and of the own cells, in half squares from the cell.
    middles: [[i32; 2]; 2],
}

/// Inputs that are 1 when the cell looks along the front or along a direction.
#[derive(Clone, Debug)]
pub struct CellInputs {
    inputs: [u16; Self::MAX_INPUTS],
    count: usize,
}

impl CellInputs {
    /// Maximum number of inputs that are 1 at once.
    pub const MAX_INPUTS: usize = WINDOW + 10;

    fn push(&mut self, input: usize) {
        self.inputs[self.count] = input as u16;
        self.count += 1;
    }
}

impl std::ops::Deref for CellInputs {
    type Target = [u16];

    fn deref(&self) -> &[u16] {
        &self.inputs[..self.count]
    }
}

impl CellView {
    pub const WINDOW: usize = WINDOW;

    pub fn new(sight: &Sight<'_>) -> Self {
        let here = sight.place();
        let mut things = [KINDS as u8; WINDOW];
        let mut front = [0, 0];
        for (at, thing) in things.iter_mut().enumerate() {
            let (dx, dy) = (at as i32 % SIDE - REACH, at as i32 / SIDE - REACH);
            let (x, y) = (here.x.checked_add_signed(dx as i8), here.y.checked_add_signed(dy as i8));
            *thing = match x.zip(y).and_then(|(x, y)| sight.look(Place { x, y })) {
                Some(Thing::Own) => 0,
                Some(Thing::Enemy) => 1,
                Some(Thing::Corpse) => 2,
                None => 3,
                Some(Thing::Empty) => continue,
            };
            if *thing == 1 {
                let weight = NEARNESS[dx.abs().max(dy.abs()) as usize];
                front = [front[0] + weight * dx, front[1] + weight * dy];
            }
        }
        // Rounded towards the cell, so that a mirrored dish gives the mirrored middle.
        let middle = |thing| {
            let SquareSum { count, x, y } = sight.sum_of(thing);
            let count = count.max(1) as i32;
            [(x, here.x), (y, here.y)].map(|(sum, at)| 2 * (sum as i32 - count * i32::from(at)) / count)
        };
        let middles = [Thing::Enemy, Thing::Own].map(middle);
        let hp = usize::from(sight.hp()).clamp(1, MAX_POINTS) - 1;
        let count = |thing| sight.sum_of(thing).count as usize;
        let living = count(Thing::Own) + count(Thing::Enemy);
        let common = [
            BODY + hp * (MAX_POINTS + 1) + usize::from(sight.energy()).min(MAX_POINTS),
            LEAD + (16 * count(Thing::Own) / living.max(1)).min(15),
            ROOM + (8 * count(Thing::Empty) / (sight.width() * sight.height())).min(7),
        ];
        let class = |length| LENGTH_BOUNDS.iter().take_while(|&&bound| bound < length).count() as u16;
        Self {
            things,
            front: if front == [0, 0] { middles[0] } else { front },
            common: common.map(|input| input as u16),
            lengths: [sight.width(), sight.height()].map(class),
            middles,
        }
    }

    /// Returns its inputs along a direction, or along the front.
    pub fn inputs(&self, along: Option<Direction>) -> CellInputs {
        let [x, y] = self.front;
        let (view, frame) = match along {
            None => (0, DishFrame::facing(x, y)),
            Some(direction) => {
                let straight = direction.dx() == 0 || direction.dy() == 0;
                (if straight { 1 } else { 2 }, DishFrame::along(direction, self.front))
            }
        };
        let mut inputs = CellInputs { inputs: [0; CellInputs::MAX_INPUTS], count: 0 };
        for (&thing, image) in self.things.iter().zip(IMAGES[usize::from(frame.0)]) {
            if usize::from(thing) < KINDS {
                inputs.push((view * KINDS + usize::from(thing)) * WINDOW + usize::from(image));
            }
        }
        self.common.iter().for_each(|&input| inputs.push(input.into()));
        for (axis, length) in self.lengths.into_iter().enumerate() {
            let axis = axis ^ usize::from(frame.0 >> 2);
            inputs.push(LENGTHS + axis * LENGTH_BOUNDS.len() + usize::from(length));
        }
        for (first, [dx, dy]) in [ENEMIES, OWN].into_iter().zip(self.middles) {
            for (axis, offset) in frame.map(dx, dy).into_iter().enumerate() {
                let away = OFFSET_BOUNDS.iter().take_while(|&&bound| bound <= offset.abs()).count();
                let class = if offset < 0 { OFFSET_BOUNDS.len() - away } else { OFFSET_BOUNDS.len() + away };
                inputs.push(first + axis * OFFSETS + class);
            }
        }
        inputs.push(ALWAYS + view);
        inputs
    }

    /// Returns the number of a square, given by its columns and rows from the cell, in the window aligned with the
    /// front, below `WINDOW`; `None` outside the window.
    pub fn square(&self, dx: i32, dy: i32) -> Option<usize> {
        let [x, y] = self.front;
        let DishFrame(frame) = DishFrame::facing(x, y);
        let inside = dx.abs() <= REACH && dy.abs() <= REACH;
        inside.then(|| usize::from(IMAGES[usize::from(frame)][((dy + REACH) * SIDE + dx + REACH) as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_game::seed::Stream;
    use agon_rules::petri::Scene;

    /// The same dish, rotated and mirrored.
    fn scene(rows: &[[char; 9]; 9], frame: DishFrame) -> Scene {
        let mut turned = [['.'; 9]; 9];
        for (y, row) in rows.iter().enumerate() {
            for (x, &thing) in row.iter().enumerate() {
                let [x, y] = frame.map(x as i32 - 4, y as i32 - 4).map(|at| (at + 4) as usize);
                turned[y][x] = thing;
            }
        }
        let rows: Vec<String> = turned.iter().map(|row| row.iter().collect()).collect();
        Scene::read(format!("9 9\n{}\n\n4 4 5 3", rows.join("\n")).as_bytes()).expect("an input")
    }

    #[test]
    fn a_turned_dish_is_seen_alike() {
        let mut random = Stream::new(5, "views");
        for _ in 0..20 {
            let mut rows = [['.'; 9]; 9];
            for thing in rows.as_flattened_mut() {
                *thing = ['.', 'o', 'x', 'c'][random.below(4)];
            }
            rows[4][4] = 'o';
            let plain = CellView::new(&scene(&rows, DishFrame(0)).sight());
            let [x, y] = plain.front;
            // On such a line there are two views that are as good.
            if x.abs() == y.abs() || x == 0 || y == 0 {
                continue;
            }
            for frame in (0..8).map(DishFrame) {
                let view = CellView::new(&scene(&rows, frame).sight());
                let seen = |view: &CellView, along| {
                    let mut inputs = view.inputs(along).to_vec();
                    inputs.sort_unstable();
                    inputs
                };
                assert_eq!(seen(&view, None), seen(&plain, None), "{rows:?} {frame:?}");
                for direction in Direction::ALL {
                    let [dx, dy] = frame.map(direction.dx().into(), direction.dy().into());
                    let image = Direction::towards(dx, dy);
                    assert_eq!(seen(&view, image), seen(&plain, Some(direction)), "{rows:?} {frame:?} {direction}");
                }
            }
        }
    }

    #[test]
    fn directions_lead_east_and_south_east() {
        for direction in Direction::ALL {
            for front in [[2, 1], [1, 2], [-2, 1], [-1, 2], [2, -1], [1, -2], [-2, -1], [-1, -2]] {
                let frame = DishFrame::along(direction, front);
                let [x, y] = frame.map(direction.dx().into(), direction.dy().into());
                assert_eq!([x, y], [1, i32::from(direction.dx() != 0 && direction.dy() != 0)], "{direction}");
                let [front_x, front_y] = frame.map(front[0], front[1]);
                assert!(x * front_y - y * front_x >= 0, "{direction} {front:?}");
            }
        }
    }
}
