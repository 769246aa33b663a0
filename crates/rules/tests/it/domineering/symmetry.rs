//! The rules treat left and right alike, and up and down, and the two sides differ only in the orientation of their
//! dominoes.

use agon_game::{Outcome, Position, laws};
use agon_rules::domineering::Domineering;

use crate::domineering::{SIZES, read, start};

type Rows = Vec<Vec<char>>;

/// The position with both grids moved by `turn`, and the halves of dominoes renamed by `rename`.
fn moved(position: &Domineering, turn: impl Fn(Rows) -> Rows, rename: impl Fn(char) -> char) -> Vec<String> {
    let text = position.to_string();
    let mut fields: Vec<String> = text.split(' ').map(ToOwned::to_owned).collect();
    for field in &mut fields[..2] {
        let rows = field.split('/').map(|row| row.chars().map(&rename).collect()).collect();
        *field = turn(rows).iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/");
    }
    fields
}

fn left_right(position: &Domineering) -> Domineering {
    let turn = |rows: Rows| rows.into_iter().map(|row| row.into_iter().rev().collect()).collect();
    read(
        &moved(position, turn, |c| {
            if c == '<' {
                '>'
            } else if c == '>' {
                '<'
            } else {
                c
            }
        })
        .join(" "),
    )
}

fn up_down(position: &Domineering) -> Domineering {
    let turn = |rows: Rows| rows.into_iter().rev().collect();
    read(
        &moved(position, turn, |c| {
            if c == '^' {
                'v'
            } else if c == 'v' {
                '^'
            } else {
                c
            }
        })
        .join(" "),
    )
}

/// Rows become columns and H becomes V. The second player is now the one who had no bonus, so the bonus is removed.
fn transposed(position: &Domineering) -> Domineering {
    let turn = |rows: Rows| (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
    let mut fields = moved(position, turn, |c| match c {
        '<' => '^',
        '^' => '<',
        '>' => 'v',
        'v' => '>',
        other => other,
    });
    fields[2] = if fields[2] == "H" { "V".to_owned() } else { "H".to_owned() };
    fields[4] = fields[4].strip_prefix('-').map_or_else(|| format!("-{}", fields[4]), ToOwned::to_owned);
    read(&fields.join(" "))
}

#[test]
fn rules_commute_with_symmetries() {
    for (rows, columns) in SIZES {
        for seed in 0..2 {
            let start = start(rows, columns, seed);
            laws::symmetric(&start, 3, seed, left_right, |outcome| outcome);
            laws::symmetric(&start, 3, seed, up_down, |outcome| outcome);
            laws::symmetric(&start, 3, seed, |position| left_right(&up_down(position)), |outcome| outcome);
            laws::symmetric(&start, 3, seed, transposed, |outcome| match outcome {
                Outcome::Win(side) => Outcome::Win(side.other()),
                Outcome::Draw => Outcome::Draw,
            });
        }
    }
}

#[test]
fn images_are_other_positions() {
    let position = read("123/456 <>^/..v H 0 2.5 2");
    let check = |image: Domineering, expected: &str| assert_eq!(image.to_string(), expected);
    check(left_right(&position), "321/654 ^<>/v.. H 0 2.5 2");
    check(up_down(&position), "456/123 ..^/<>v H 0 2.5 2");
    check(transposed(&position), "14/25/36 ^./v./<> V 0 -2.5 2");
    assert_eq!(transposed(&transposed(&position)), position);
    assert_ne!(left_right(&position).hash(), position.hash());
}
