//! Reads a program's input for one action.

use agon_game::Side;

use super::grid::{Grid, MAX_SIDE, Square};
use super::{Dish, Place, Refusal, Sight};

/// A dish, as a program reads it from its input.
#[derive(Clone, Debug)]
pub struct Scene {
    grid: Grid,
    place: Place,
    hp: u8,
    energy: u8,
}

impl Scene {
    /// Reads `W H`, H rows of `o`, `x`, `.` and `c`, an empty line, and `x y hp energy`. One newline after that is
    /// allowed, as programs that stay alive receive one.
    ///
    /// Accepts any size from 1 × 1 to 255 × 255.
    ///
    /// ```
    /// use agon_rules::petri::Scene;
    /// let input = "4 4\n....\n.o..\n..x.\n....\n\n1 1 5 7";
    /// assert_eq!(Scene::read(input.as_bytes()).unwrap().sight().to_string(), input);
    /// ```
    ///
    /// # Errors
    /// [`SceneError`] quotes the wrong line.
    pub fn read(input: &[u8]) -> Result<Self, SceneError> {
        let input = input.strip_suffix(b"\n").unwrap_or(input);
        let mut lines = input.split(|&byte| byte == b'\n');
        let first = lines.next().unwrap_or_default();
        let [width, height] =
            numbers(first).filter(|sides| !sides.contains(&0)).ok_or_else(|| SceneError::Size(quote(first)))?;
        let (width, height) = (usize::from(width), usize::from(height));
        debug_assert!(width <= MAX_SIDE && height <= MAX_SIDE);
        let mut grid = Grid::new(width, height);
        for y in 0..height {
            let row = lines.next().unwrap_or_default();
            if row.len() != width {
                return Err(SceneError::Row { y, row: quote(row) });
            }
            for (x, &byte) in row.iter().enumerate() {
                let square = match byte {
                    b'.' => continue,
                    b'c' => Square::Corpse,
                    b'o' => Square::First,
                    b'x' => Square::Second,
                    _ => return Err(SceneError::Row { y, row: quote(row) }),
                };
                grid.put(Place { x: x as u8, y: y as u8 }, square);
            }
        }
        let gap = lines.next();
        if gap != Some(b"") {
            return Err(SceneError::Gap(quote(gap.unwrap_or_default())));
        }
        let last = lines.next().unwrap_or_default();
        let [x, y, hp, energy] = numbers(last).ok_or_else(|| SceneError::Cell(quote(last)))?;
        let place = Place { x, y };
        if grid.look(place) != Square::First {
            return Err(SceneError::Cell(quote(last)));
        }
        match lines.next() {
            None => Ok(Self { grid, place, hp, energy }),
            Some(more) => Err(SceneError::More(quote(more))),
        }
    }

    /// Returns why the cell would rest if its program answered this; `None` if that is a legal action.
    ///
    /// ```
    /// use agon_rules::petri::Scene;
    /// let scene = Scene::read(b"4 4\nooo.\nooo.\nooo.\n...x\n\n1 1 5 7").unwrap();
    /// assert_eq!(scene.refusal(b"REST"), None);
    /// assert_eq!(scene.refusal(b"DIVIDE E").unwrap().to_string(), "a living cell is there: E");
    /// assert_eq!(scene.refusal(b"ATTACK W 3"), None, "its own colony is no obstacle");
    /// ```
    pub fn refusal(&self, output: &[u8]) -> Option<Refusal> {
        Dish::seen(&self.sight()).answer(output)?.refusal
    }

    /// Returns the cell's view.
    pub const fn sight(&self) -> Sight<'_> {
        Sight::new(&self.grid, Side::First, self.place, self.hp, self.energy)
    }
}

/// Parses exactly `N` numbers from 0 to 255, separated by single spaces.
fn numbers<const N: usize>(line: &[u8]) -> Option<[u8; N]> {
    let mut numbers = [0; N];
    let mut words = line.split(|&byte| byte == b' ');
    for number in &mut numbers {
        let word = words.next().filter(|word| word.iter().all(u8::is_ascii_digit))?;
        *number = std::str::from_utf8(word).ok()?.parse().ok()?;
    }
    words.next().is_none().then_some(numbers)
}

fn quote(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

/// Reason why a text is not a valid input.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SceneError {
    #[error("`{0}`: width and height from 1 to 255 expected")]
    Size(String),
    #[error("row {y} `{row}`: one of `o`, `x`, `.` and `c` for every column expected")]
    Row { y: usize, row: String },
    #[error("`{0}`: an empty line expected after the rows")]
    Gap(String),
    #[error("`{0}`: x, y, hp and energy of a cell `o` expected")]
    Cell(String),
    #[error("`{0}`: nothing more expected")]
    More(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, error: &str) {
        let read = Scene::read(input.as_bytes()).map(|scene| scene.sight().to_string());
        assert_eq!(read.map_err(|error| error.to_string()), Err(error.to_owned()), "{input:?}");
    }

    #[test]
    fn an_action_is_refused_as_on_the_dish() {
        let refusal = |input: &str, output: &str| {
            let refusal = Scene::read(input.as_bytes()).unwrap().refusal(output.as_bytes());
            refusal.map(|refusal| refusal.to_string())
        };
        let said = |text: &str| Some(text.to_owned());
        let weak = "5 4\n.....\n.ox..\n.....\n.....\n\n1 1 1 0";
        assert_eq!(refusal(weak, "MOVE S"), said("1 energy needed and only 0 left"));
        assert_eq!(refusal(weak, "EXPLODE"), said("0 energy is not more than 1 hit points"));
        assert_eq!(refusal(weak, "hello"), said("the first word must be REST, MOVE, DIVIDE, ATTACK, EAT or EXPLODE"));
        let corner = "4 4\no...\n....\n....\n...x\n\n0 0 5 7";
        assert_eq!(refusal(corner, "MOVE N"), said("the dish ends there: N"));
        assert_eq!(["MOVE SE", "DIVIDE S", "REST"].map(|output| refusal(corner, output)), [None, None, None]);
        assert_eq!(refusal(corner, "EAT S"), said("no corpse is there: S"));
        let corpse = "4 5\n....\n.o..\n..c.\n....\n...x\n\n1 1 5 2";
        assert_eq!([refusal(corpse, "EAT SE"), refusal(corpse, "MOVE SE")], [None, None]);
        let full = "4 4\noxox\nxoxo\noxox\nxoxo\n\n3 3 2 12";
        assert_eq!([refusal(full, "ATTACK N 1"), refusal(full, "EXPLODE")], [None, None]);
        assert_eq!(refusal(full, "DIVIDE N"), said("a living cell is there: N"));
    }

    #[test]
    fn broken_inputs_are_refused_with_what_is_wrong() {
        check("", "``: width and height from 1 to 255 expected");
        check("BEGIN", "`BEGIN`: width and height from 1 to 255 expected");
        check("0 4\n", "`0 4`: width and height from 1 to 255 expected");
        check("256 4\n", "`256 4`: width and height from 1 to 255 expected");
        check("2 1\no\n\n0 0 1 1", "row 0 `o`: one of `o`, `x`, `.` and `c` for every column expected");
        check("2 1\noy\n\n0 0 1 1", "row 0 `oy`: one of `o`, `x`, `.` and `c` for every column expected");
        check("2 2\nox", "row 1 ``: one of `o`, `x`, `.` and `c` for every column expected");
        check("2 1\nox\n0 0 1 1", "`0 0 1 1`: an empty line expected after the rows");
        check("2 1\nox\n\n1 0 1 1", "`1 0 1 1`: x, y, hp and energy of a cell `o` expected");
        check("2 1\nox\n\n2 0 1 1", "`2 0 1 1`: x, y, hp and energy of a cell `o` expected");
        check("2 1\nox\n\n0 0 1", "`0 0 1`: x, y, hp and energy of a cell `o` expected");
        check("2 1\nox\n\n0 0 1 1\n\n", "``: nothing more expected");
    }
}
