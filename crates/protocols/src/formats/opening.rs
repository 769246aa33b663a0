//! Openings that are parameters of a game, and the rule set of a game of renju.
//!
//! SGF has no properties for swaps and offers. The game is written from the empty board, so that every program replays
//! it;
//! `ON`, the format's property for the opening played, names the opening rule and all decisions, `LB` marks the offered
//! fifth moves on the board before one of them is played, and `RU` names the rule set.

use agon_catalog::renju::{self, OPENING_RULE, RULES};
use agon_catalog::{Game, OPENING, Setup};
use agon_game::{MoveError, Position as _};
use agon_message::English;
use agon_rules::renju::opening_rules::{OpeningGame, OpeningRule};
use agon_rules::renju::{Move, Point, Renju, RuleSet};

use super::error::{FileError, FileProblem};
use super::point;
use super::tree::{Collection, GameTree, TreeMove, TreeNode};

/// Stones before fifth moves are offered.
const BEFORE_OFFERS: usize = 4;

/// Makes moves of the opening with which a game begins.
///
/// # Errors
/// [`FileError`] when the rules refuse one.
pub fn unfold_opening(tree: &mut GameTree) -> Result<(), FileError> {
    let setup = Setup { seed: tree.seed, parameters: tree.parameters.clone() };
    let mut opening: Vec<String> = setup.opening().map(str::to_owned).collect();
    tree.parameters.remove(OPENING.name);
    let opened = if tree.game == Game::RENJU { opened(tree, &setup)? } else { None };
    if let Some(opened) = &opened {
        opening.splice(0..0, opened.stones().iter().map(|stone| stone.letters()));
    }
    if let Some(rules) = rule_set(tree) {
        tree.set_plain(0, "RU", rules_text(rules));
    }
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
    if let Some(opened) = opened {
        name_opening(tree, &opened);
    }
    Ok(())
}

/// Names an opening rule and its decisions in a game that begins with the stones, and marks the offers.
pub(super) fn name_opening(tree: &mut GameTree, opened: &OpeningGame) {
    tree.set_plain(0, "ON", &format!("{}: {}", opened.rule().title(), opened.text()));
    for (offer, letter) in opened.offers().iter().zip('A'..) {
        tree.add_value(BEFORE_OFFERS, "LB", format!("{}:{letter}", point::to_sgf(*offer)));
    }
}

/// Takes the opening by an opening rule out of the parameters of a game of renju.
fn opened(tree: &mut GameTree, setup: &Setup) -> Result<Option<OpeningGame>, FileError> {
    let refused =
        |error: agon_catalog::SetupError| FileError::at(tree.place, FileProblem::Rules(English(error.to_string())));
    let opened = renju::opening(setup).map_err(refused)?;
    tree.parameters.remove(OPENING_RULE.name);
    if let Some(opened) = &opened {
        tree.parameters.insert(RULES.name.to_owned(), opened.rules().name().to_owned());
    }
    Ok(opened)
}

/// Makes a parameter of the opening rule that a file names, with its decisions, if the game has begun with its stones
/// and no variation leaves it.
pub fn fold_opening(tree: &mut GameTree) {
    if tree.game != Game::RENJU || tree.position.is_some() {
        return;
    }
    let text = tree.plain(0, "ON");
    let Some((title, decisions)) = text.split_once(':') else { return };
    let Ok(rule) = title.trim().parse::<OpeningRule>() else { return };
    let rules = rule_set(tree).unwrap_or_else(|| rule.rules());
    let Ok(game) = OpeningGame::under(rule, rules).continued(decisions) else { return };
    let count = game.stones().len();
    let children = tree.children();
    let is_stone = |number: usize, stone: &Point| {
        let node = tree.nodes.get(number + 1).filter(|node| node.parent == number && children[number] == 1);
        let made = node.and_then(|node| node.made.as_ref()).and_then(|made| point::judged(&made.judged));
        made == Some(Move::Stone(*stone))
    };
    if !game.is_complete() || !game.stones().iter().enumerate().all(|(number, stone)| is_stone(number, stone)) {
        return;
    }
    tree.nodes.drain(1..=count);
    for node in &mut tree.nodes[1..] {
        node.parent = node.parent.saturating_sub(count);
    }
    if rules == rule.rules() {
        tree.parameters.remove(RULES.name);
    }
    tree.parameters.insert(OPENING_RULE.name.to_owned(), format!("{rule} {}", game.text()));
}

/// The rule set that a game's parameters name.
fn rule_set(tree: &GameTree) -> Option<RuleSet> {
    if tree.game == Game::RENJU { tree.parameters.get(RULES.name)?.parse().ok() } else { None }
}

const fn rules_text(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::Alphano | RuleSet::Renju => "renju",
        RuleSet::Standard => "standard gomoku",
        RuleSet::Freestyle => "freestyle gomoku",
    }
}

/// Games of renju that were read, each under the rule set that its file names, or that its first stones need.
pub(super) fn with_rules(mut collection: Collection) -> Collection {
    for tree in &mut collection.games {
        if tree.game != Game::RENJU || tree.position.is_some() || tree.parameters.contains_key(RULES.name) {
            continue;
        }
        let named = tree.plain(0, "RU").to_ascii_lowercase();
        let rules = match () {
            () if named.contains("freestyle") => Some(RuleSet::Freestyle),
            () if named.contains("standard") => Some(RuleSet::Standard),
            () => begins_anywhere(tree).then_some(RuleSet::Renju),
        };
        if let Some(rules) = rules {
            tree.parameters.insert(RULES.name.to_owned(), rules.name().to_owned());
        }
    }
    collection
}

/// Returns true if ALPHANO's first three turns do not allow the first stones, which are legal otherwise.
fn begins_anywhere(tree: &GameTree) -> bool {
    if !tree.parameters.is_empty() {
        return false;
    }
    let moves: Vec<Move> = tree.main_moves().take(3).map_while(|made| point::judged(&made.judged)).collect();
    // By turns, Black first: files with other starts are another matter.
    let in_turn = tree.main_moves().zip(agon_game::Side::BOTH.into_iter().cycle()).take(3);
    in_turn.into_iter().all(|(made, side)| made.side == side)
        && Renju::after(&moves).is_err()
        && Renju::after_anywhere(&moves).is_ok_and(|position| position.outcome().is_none())
}
