//! The pictures of the rules pages: drawn here, and compared with the files by a test.
//!
//! `scripts/rules-pictures` rewrites the files.

use std::fs;
use std::path::Path;

use agon_catalog::{Game, Setup};
use agon_game::{Alternating, Position};
use agon_game::{GameState, GridStyle, Mark, View};
use agon_rules::bacteria::Bacteria;
use agon_rules::renju::Renju;

/// A picture: the name of its file, and what it shows.
type Picture = (&'static str, View);

/// A game of this set-up after these moves.
fn after(game: Game, parameters: &[(&str, &str)], moves: &[&str]) -> Box<dyn GameState> {
    let parameters = parameters.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut state = game.initial_state(&Setup { seed: 1, parameters }).unwrap();
    for m in moves {
        state.answer(m).unwrap();
    }
    state
}

fn bacteria() -> Vec<Picture> {
    let view = |moves: &[&str]| after(Game::BACTERIA, &[], moves).view();
    // The example of the page.
    let game = ["1 1 3 3", "1 7 2 6", "7 7 5 5", "2 6 4 4"];
    let jailed: Bacteria = "xoo4/ooo4/ooo4/7/7/7/7 x 0 20".parse().unwrap();
    let mut moves = Vec::new();
    jailed.legal_moves(&mut moves);
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["-1 -1 -1 -1"], "O must pass");
    vec![
        ("bacteria-start", view(&[])),
        ("bacteria-leap", view(&game[..1])),
        ("bacteria-division", view(&game[..2])),
        ("bacteria-before", view(&game[..3])),
        ("bacteria-infection", view(&game)),
        ("bacteria-pass", Alternating::new(jailed).view()),
    ]
}

/// The board of the page's example.
const BOARD: &str = "1 0 3 2 1 1 0 2/2 2 1 0 3 0 1 1/0 3 3 1 2 2 0 0/1 1 0 3 3 1 2 1/\
                                3 0 2 0 1 0 3 2/2 1 1 2 0 3 0 1/0 2 3 1 1 2 1 0/1 0 0 2 3 1 0 3";

fn domineering() -> Vec<Picture> {
    let game = ["4 4", "4 3", "1 3", "7 5", "-1 -1", "-1 -1"];
    let view = |moves: &[&str]| after(Game::DOMINEERING, &[("board", BOARD)], moves).view();
    let small = |moves: &[&str]| after(Game::DOMINEERING, &[("board", "1 2 0/0 3 1/2 1 1")], moves);
    let forced = small(&["2 1", "1 3", "1 1"]);
    let full = small(&["2 1", "1 3", "1 1", "-1 -1", "3 1"]);
    assert!(forced.ending().is_none() && full.ending().is_some());
    vec![
        ("domineering-start", view(&[])),
        ("domineering-first", view(&game[..1])),
        ("domineering-second", view(&game[..2])),
        ("domineering-end", view(&game)),
        ("domineering-forced", forced.view()),
        ("domineering-full", full.view()),
    ]
}

/// The points where turns 2 and 3 may be played, as numbers.
fn beginning() -> View {
    let mut view = after(Game::RENJU, &[], &["8 8"]).view();
    for (at, cell) in view.cells.iter_mut().enumerate().filter(|(_, cell)| cell.owner.is_none()) {
        let far = |n: usize| (n + 1).abs_diff(8);
        let distance = far(at / view.columns).max(far(at % view.columns));
        if distance <= 2 {
            cell.mark = None;
            cell.weight = Some(if distance == 1 { 2 } else { 3 });
        }
    }
    view
}

/// A board of renju with Black to move: rows of `B`, `W` and `.`, digits for empty points with this number. Crosses for
/// points forbidden by the rules must appear exactly where `x` is.
fn board(rows: [&str; 15]) -> View {
    let mut lines = Vec::new();
    let (mut crosses, mut numbers) = (Vec::new(), Vec::new());
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), 15, "{row}");
        for (column, c) in row.chars().enumerate() {
            match c {
                'x' => crosses.push(at * 15 + column),
                '1'..='9' => numbers.push((at * 15 + column, c as u8 - b'0')),
                _ => {}
            }
        }
        let stones = row.replace(|c| !matches!(c, 'B' | 'W'), ".");
        let runs = stones.split_inclusive(['B', 'W']).map(|run| {
            let empty = run.matches('.').count();
            let number = if empty > 0 { empty.to_string() } else { String::new() };
            number + run.trim_start_matches('.')
        });
        lines.push(runs.collect::<String>());
    }
    let position: Renju = format!("{} B", lines.join("/")).parse().unwrap();
    let mut view = Alternating::new(position).view();
    assert_eq!(view.grid, GridStyle::Crossings);
    let forbidden: Vec<usize> = (0..225).filter(|&at| view.cells[at].mark == Some(Mark::Forbidden)).collect();
    assert_eq!(forbidden, crosses);
    for (index, number) in numbers {
        view.cells[index].mark = None;
        view.cells[index].weight = Some(number);
    }
    for cell in view.cells.iter_mut().filter(|cell| cell.mark == Some(Mark::Star)) {
        cell.mark = None;
    }
    view
}

#[rustfmt::skip]
fn renju() -> Vec<Picture> {
    let game = ["8 8", "7 8", "8 9", "9 9", "8 10", "8 11", "8 7", "-1 -1", "8 6"];
    let terms = board([
        "...............",
        ".WBB1BB..2BBBB2",
        "...............",
        "...............",
        "...............",
        "...............",
        "...............",
        "..3BBB3...BB4B.",
        "...............",
        "...............",
        "...............",
        "...............",
        "...............",
        ".WBBB....BBxBBB",
        "...............",
    ]);
    let forbidden = board([
        "...............",
        ".BBxBBB...W....",
        "..........B....",
        "..........B....",
        "..........B....",
        "......WBBBx....",
        "...............",
        "...............",
        "..B............",
        ".BxB...........",
        "..B............",
        "...............",
        ".....B.BxB.B...",
        "...............",
        "...............",
    ]);
    let allowed = board([
        "...............",
        "....B..........",
        "....B..........",
        "....B..........",
        "....xBB1.W.....",
        "....B...B......",
        "....B....B.....",
        "...............",
        "...............",
        ".............B.",
        "...B.........B.",
        "...B.......W.B.",
        "BBB2.....BBBB3.",
        ".............B.",
        ".............B.",
    ]);
    vec![
        ("renju-beginning", beginning()),
        ("renju-terms", terms),
        ("renju-forbidden", forbidden),
        ("renju-allowed", allowed),
        ("renju-end", after(Game::RENJU, &[], &game).view()),
    ]
}

fn petri() -> Vec<Picture> {
    let view = |species: [&str; 2], size: [&str; 2], answers: &[&str]| {
        let mut state = after(Game::PETRI, &[("width", size[0]), ("height", size[1])], &[]);
        for (side, species) in agon_game::Side::BOTH.into_iter().zip(species) {
            state.begin(side, species.as_bytes()).unwrap();
        }
        for answer in answers {
            state.answer(answer).unwrap();
            assert_eq!(state.remark(), None, "{answer}");
        }
        state.view()
    };
    // The example of the page.
    let game = ["DIVIDE W", "MOVE W", "MOVE SE", "REST", "ATTACK W 2", "EXPLODE"];
    let fight = |actions: usize| view(["3 8 1", "2 10 0"], ["6", "4"], &game[..actions]);
    vec![
        ("petri-start", view(["5 7 0", "4 8 0"], ["10", "4"], &[])),
        ("petri-division", fight(1)),
        ("petri-before", fight(5)),
        ("petri-explosion", fight(6)),
    ]
}

#[test]
fn the_pictures_of_the_rules_are_what_the_program_draws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules/pictures");
    let write = std::env::var_os("AGON_WRITE_PICTURES").is_some();
    let mut files = Vec::new();
    for (name, view) in [bacteria(), domineering(), renju(), petri()].concat() {
        let file = folder.join(format!("{name}.svg"));
        let drawn = agon_cli::svg(&view);
        if write {
            fs::write(&file, &drawn).unwrap();
        }
        let kept = fs::read_to_string(&file).unwrap_or_default();
        assert!(kept == drawn, "{} is not what the program draws: run scripts/rules-pictures", file.display());
        files.push(format!("{name}.svg"));
    }
    let left: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !files.contains(name))
        .collect();
    assert!(left.is_empty(), "no picture of the rules: {left:?}");
}
