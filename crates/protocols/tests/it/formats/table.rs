//! The table of docs/positions.md shows for each format what it keeps: every cell is tested here.

use std::fs;

use agon_protocols::formats::{self, Collection, FileFormat, Limits};

use super::read;
use super::texts::RIF;

/// A column of the table: a game that has it, and whether a collection has it still.
struct Column {
    title: &'static str,
    sgf: &'static str,
    has: fn(&Collection) -> bool,
}

fn any(collection: &Collection, names: &[&str]) -> bool {
    let nodes = collection.games.iter().flat_map(|game| &game.nodes);
    nodes.flat_map(|node| &node.properties).any(|property| names.contains(&&*property.name))
}

const COLUMNS: [Column; 13] = [
    Column {
        title: "moves",
        sgf: "(;B[hh];W[hg];B[ig])",
        has: |all| all.games.iter().any(|game| game.main_line().len() == 3),
    },
    Column {
        title: "PASS",
        sgf: "(;B[hh];W[hg];B[ig];W[];B[gg])",
        has: |all| all.games[0].main_moves().any(|made| made.judged == "-1 -1"),
    },
    Column { title: "variations", sgf: "(;B[hh](;W[hg])(;W[gg];B[ig]))", has: |all| all.games[0].lines().len() == 2 },
    Column {
        title: "position",
        sgf: "(;AB[hh]AW[hg]PL[B];B[ig])",
        has: |all| all.games.iter().any(|game| game.position.is_some()),
    },
    Column {
        title: "players",
        sgf: "(;PB[ada]PW[bob];B[hh])",
        has: |all| all.games[0].names().iter().all(|name| !name.is_empty()),
    },
    Column { title: "result", sgf: "(;RE[B+R];B[hh])", has: |all| any(all, &["RE"]) },
    Column { title: "event, date", sgf: "(;EV[cup]DT[2024-01-02];B[hh])", has: |all| any(all, &["DT"]) },
    Column { title: "comments", sgf: "(;B[hh]C[good])", has: |all| any(all, &["C", "GC"]) },
    Column { title: "marks", sgf: "(;B[hh]TR[hh])", has: |all| any(all, &["TR"]) },
    Column { title: "texts on points", sgf: "(;B[hh]LB[hg:a];W[hg])", has: |all| any(all, &["LB"]) },
    Column { title: "times", sgf: "(;B[hh]EMT[1.5])", has: |all| any(all, &["EMT"]) },
    Column { title: "other properties", sgf: "(;B[hh]XY[z])", has: |all| any(all, &["XY"]) },
    Column { title: "several games", sgf: "(;B[hh])(;B[hh];W[hg])", has: |all| all.games.len() == 2 },
];

const FEN: &str = "x5o/7/7/7/7/7/o5x x 0 1 moves b7 f7 b6\nx5o/7/7/7/7/7/o5x x 0 1\n";

const JSON: &str = "{\"board\": [[3,3],[0,1]], \"to_move\": \"H\"}\n{\"board\": [[3,1],[0,1]], \"to_move\": \"V\"}\n";

/// For read-only formats, a file with everything that it can express.
const READ_ONLY: [(&str, &str); 3] = [("rif", RIF), ("epd", FEN), ("json", JSON)];

fn table() -> Vec<Vec<String>> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/positions.md");
    let page = fs::read_to_string(page).unwrap();
    let rows = page.lines().skip_while(|line| !line.starts_with("| kept |")).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).filter(|row: &Vec<String>| !row[0].starts_with('-')).collect()
}

/// Whether the column's information survives writing and reading a format.
fn is_kept(ending: &str, column: &Column) -> bool {
    let mut games = read(column.sgf).unwrap();
    if ending == "fen" {
        games.games.iter_mut().for_each(|game| drop(game.check().unwrap()));
    }
    let Ok((bytes, notes)) = formats::write(&games, ending) else { return false };
    let format = FileFormat::by_ending(ending).unwrap();
    let again = formats::read(&bytes, format, None, &Limits::FILE).unwrap();
    let kept = (column.has)(&again);
    // Losses are reported.
    let is_said = kept || !notes.is_empty() || column.title == "several games";
    assert!(is_said, ".{ending} loses {} in silence", column.title);
    kept
}

#[test]
fn every_cell_is_true() {
    let table = table();
    let endings = &table[0][1..];
    assert_eq!(table.len(), COLUMNS.len() + 1, "{table:?}");
    let written = FileFormat::ENDINGS.iter().filter(|(.., is_written)| *is_written);
    for (ending, ..) in written {
        assert!(endings.contains(&format!("`.{ending}`")), "the table has no .{ending}");
    }
    let mut wrong = Vec::new();
    for (row, column) in table[1..].iter().zip(&COLUMNS) {
        assert_eq!(row[0], column.title);
        for (cell, ending) in row[1..].iter().zip(endings) {
            let ending = ending.trim_matches(|c| c == '`' || c == '.');
            let sample = READ_ONLY.iter().find(|(known, _)| *known == ending);
            let kept = match sample {
                Some((_, text)) => (column.has)(&read(text).unwrap()),
                None => is_kept(ending, column),
            };
            if kept != (cell == "✓") {
                wrong.push(format!("{} in .{ending}: `{cell}`, and it is {kept}", column.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
