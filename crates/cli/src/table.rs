//! Tables for people, folded to the width of the terminal: long names are wrapped, and columns that do not fit follow
//! in another table.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use crate::show;

/// Style of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableLook {
    /// Lines above, below, and under the heading.
    Ruled,
    /// A line under the heading, and one blank more than this after each column.
    Plain(u16),
}

/// Names are folded to at least this number of characters.
const MIN_NAME_WIDTH: usize = 14;

/// Names are folded to at most this share of the columns, so that numbers have room beside them.
const NAMES_SHARE: usize = 2;

const PLAIN: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table, its first row the heading, each line ending in a newline. The first `keys` columns are repeated if it is
/// cut into several; the columns of `names` contain texts, the others numbers.
pub(crate) fn table(rows: &[Vec<String>], keys: usize, names: &[usize], look: TableLook) -> String {
    fitted(rows, keys, names, look, show::columns().unwrap_or(usize::MAX))
}

fn fitted(rows: &[Vec<String>], keys: usize, names: &[usize], look: TableLook, columns: usize) -> String {
    let count = rows.first().map_or(0, Vec::len);
    // Blanks around a column, or after it, and one between two columns.
    let padding = match look {
        TableLook::Ruled => 3,
        TableLook::Plain(blanks) => usize::from(blanks) + 1,
    };
    let columns = columns.saturating_add(1);
    let natural: Vec<usize> =
        (0..count).map(|at| padding + rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0)).collect();
    // A word is broken only if it takes more than its share.
    let longest = |at: usize| {
        let words = rows.iter().flat_map(|row| row[at].split(' ')).map(|word| word.chars().count());
        words.max().unwrap_or(0).clamp(MIN_NAME_WIDTH, (columns / NAMES_SHARE).max(MIN_NAME_WIDTH))
    };
    let least = |at: usize| if names.contains(&at) { natural[at].min(longest(at) + padding) } else { natural[at] };
    let mut parts: Vec<Vec<usize>> = vec![(0..keys).collect()];
    let width = |part: &[usize]| part.iter().map(|&at| least(at)).sum::<usize>();
    for at in keys..count {
        let part = parts.last_mut().expect("never empty");
        if part.len() > keys && width(part) + least(at) > columns {
            parts.push((0..keys).chain([at]).collect());
        } else {
            part.push(at);
        }
    }
    let drawn = parts.iter().map(|part| {
        let mut left = columns.saturating_sub(width(part));
        let widths = part.iter().map(|&at| {
            let more = left.min(natural[at] - least(at));
            left -= more;
            (at, least(at) + more - padding)
        });
        draw(rows, &widths.collect::<Vec<_>>(), names, look)
    });
    drawn.collect()
}

fn draw(rows: &[Vec<String>], widths: &[(usize, usize)], names: &[usize], look: TableLook) -> String {
    let mut table = Table::new();
    let row = |row: &Vec<String>| widths.iter().map(|&(at, width)| wrapped(&row[at], width)).collect::<Vec<_>>();
    let style = match look {
        TableLook::Ruled => UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()),
        TableLook::Plain(_) => PLAIN,
    };
    table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(row(&rows[0])).add_rows(rows[1..].iter().map(row));
    for (column, (at, _)) in table.column_iter_mut().zip(widths) {
        let alignment = if names.contains(at) { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(alignment);
        if let TableLook::Plain(blanks) = look {
            column.set_padding((0, blanks));
        }
    }
    if look == TableLook::Ruled { format!("{table}\n") } else { table.trim_fmt() + "\n" }
}

/// A text in lines of at most `width` characters, broken at blanks if possible, else after a mark such as `/`.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut rest: Vec<char> = word.chars().collect();
        let line = lines.last_mut().expect("never empty");
        if !line.is_empty() && line.chars().count() + 1 + rest.len() > width {
            lines.push(String::new());
        } else if !line.is_empty() {
            line.push(' ');
        }
        while !rest.is_empty() {
            let line = lines.last_mut().expect("never empty");
            let room = width.max(1).saturating_sub(line.chars().count()).max(1);
            let mark = rest.iter().take(room).rposition(|c| "/\\_-.:,=".contains(*c)).map(|at| at + 1);
            let fits = rest.len() <= room;
            let end = mark.filter(|at| !fits && at * 2 >= room).unwrap_or(room).min(rest.len());
            line.extend(rest.drain(..end));
            if !rest.is_empty() {
                lines.push(String::new());
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(agents: usize) -> Vec<Vec<String>> {
        let heading =
            ["", "points against"].into_iter().map(str::to_owned).chain((1..=agents).map(|at| at.to_string()));
        let row = |place: usize| {
            let name = format!("python3 ./a_rather_long_name_of_a_bot_{place}.py --depth 6 --threads 2");
            [place.to_string(), name].into_iter().chain((1..=agents).map(|at| format!("{at} of 100"))).collect()
        };
        std::iter::once(heading.collect()).chain((1..=agents).map(row)).collect()
    }

    #[test]
    fn a_table_fits() {
        for look in [TableLook::Ruled, TableLook::Plain(1), TableLook::Plain(2)] {
            for columns in [80, 60, 100] {
                for agents in 1..20 {
                    let rows = rows(agents);
                    let text = fitted(&rows, 2, &[1], look, columns);
                    let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
                    assert!(widest <= columns, "{widest} in {columns}:\n{text}");
                    // Nothing is omitted, and every part has the names.
                    let all: String = text.split_whitespace().collect();
                    for place in 1..=agents {
                        let cell = format!("{place}of100");
                        assert!(all.matches(&cell).count() >= agents, "{cell}:\n{text}");
                    }
                    let names = all.matches("bot_1.py").count();
                    assert_eq!(names, all.matches("against").count(), "{text}");
                }
            }
        }
    }

    #[test]
    fn what_fits_is_left_as_it_is() {
        let rows = rows(3);
        let wide = fitted(&rows, 2, &[1], TableLook::Ruled, usize::MAX);
        assert_eq!(fitted(&rows, 2, &[1], TableLook::Ruled, 200), wide);
        assert!(wide.contains("python3 ./a_rather_long_name_of_a_bot_3.py --depth 6 --threads 2"), "{wide}");
    }

    #[test]
    fn long_texts_are_folded() {
        assert_eq!(wrapped("ab cd ef", 5), "ab cd\nef");
        assert_eq!(wrapped("abcdefgh i", 3), "abc\ndef\ngh\ni");
        assert_eq!(wrapped("a bcdefg", 3), "a\nbcd\nefg");
        assert_eq!(wrapped("", 3), "");
        assert_eq!(wrapped("bots/champion_7.py --depth 6", 10), "bots/\nchampion_\n7.py\n--depth 6");
    }

    #[test]
    fn a_name_that_has_room_is_not_broken() {
        let rows = [["", "agent", "points"], ["1", "bots/search_v12.py --depth 6", "10.5"]];
        let rows: Vec<Vec<String>> = rows.map(|row| row.map(str::to_owned).to_vec()).to_vec();
        let text = fitted(&rows, 2, &[1], TableLook::Ruled, 40);
        assert!(text.contains("bots/search_v12.py ") && text.lines().all(|line| line.chars().count() <= 40), "{text}");
    }
}
