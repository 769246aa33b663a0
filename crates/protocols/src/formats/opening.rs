//! Openings that are parameters of a game.

use agon_catalog::{OPENING, Setup};
use agon_game::MoveError;

use super::error::{FileError, FileProblem};
use super::tree::{GameTree, TreeMove, TreeNode};

/// Makes moves of the opening with which a game begins.
///
/// # Errors
/// [`FileError`] when the rules refuse one.
pub fn unfold_opening(tree: &mut GameTree) -> Result<(), FileError> {
    let setup = Setup { seed: tree.seed, parameters: tree.parameters.clone() };
    let opening: Vec<String> = setup.opening().map(str::to_owned).collect();
    tree.parameters.remove(OPENING.name);
    if opening.is_empty() {
        return Ok(());
    }
    let refused = |error: MoveError| FileError::at(tree.place, FileProblem::rules(&error));
    let mut state = tree.start()?;
    let mut whole = GameTree { nodes: tree.nodes[..1].to_vec(), ..tree.clone() };
    for (number, text) in opening.iter().enumerate() {
        let side = state.turn().ok_or_else(|| FileError::at(tree.place, FileProblem::OpeningEnds))?;
        let arguments = state.read_any(text).map_err(refused)?;
        let judged = state.answer(&arguments).map_err(refused)?;
        whole.push(number, Some(TreeMove { side, judged }), tree.place);
    }
    let shift = opening.len();
    for node in tree.nodes.drain(1..) {
        whole.nodes.push(TreeNode { parent: node.parent + shift, ..node });
    }
    *tree = whole;
    Ok(())
}
