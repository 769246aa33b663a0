//! Games as the browser draws them: the ES module that draws the data of [`agon_arena::transcript`], the texts around
//! it, and the style of every page.
//!
//! The same module draws recorded games in self-contained pages (`agon replay`, `agon report`), and recorded and live
//! ones on the site.

mod spoken;

pub use spoken::{spoken, spoken_step, words};

/// The ES module for drawings above a board: arrows, marks, values.
pub(crate) const SHAPES: &str = include_str!("shapes.js");

/// The ES module that draws a board of any size, and takes moves on it.
pub(crate) const BOARD: &str = include_str!("board.js");

/// The ES module that plays a game by itself.
pub(crate) const PLAYBACK: &str = include_str!("playback.js");

/// The ES module that shows games, step by step.
pub(crate) const VIEWER: &str = include_str!("viewer.js");

/// The ES module that draws evaluations as a curve.
pub(crate) const CURVE: &str = include_str!("curve.js");

/// All of them in one text, for a page in a single file: such a page has no address from which a module could import
/// another one.
pub fn single_script() -> String {
    let without_imports = |module: &str| {
        let own = |line: &&str| !line.starts_with("import ") && !line.starts_with("export {");
        module.lines().filter(own).collect::<Vec<_>>().join("\n")
    };
    let inner = |module: &str| without_imports(module).replace("\nexport ", "\n");
    format!("{}\n{}\n{}\n{}\n", inner(SHAPES), inner(BOARD), inner(PLAYBACK), without_imports(VIEWER))
}

/// The style sheet of every page.
pub const STYLE: &str = include_str!("style.css");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_script_imports_nothing() {
        let script = single_script();
        assert_eq!(script.lines().find(|line| line.starts_with("import ")), None);
        assert!(script.contains("\nfunction board(host, form") && script.contains("export function mount("));
    }
}
