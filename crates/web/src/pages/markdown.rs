//! Pages that come with rules by users: the subset of Markdown for such pages.
//!
//! Anything not understood is shown as it is, and nothing is interpreted as HTML.

use maud::{Markup, html};

use super::parts;

/// A part of a page.
#[derive(PartialEq, Eq, Debug)]
enum Block<'a> {
    Heading(usize, &'a str),
    Code(String),
    Table(Vec<Vec<&'a str>>),
    List(Vec<String>),
    Paragraph(String),
}

/// The parts of a text.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    // Whether the line continues the part before it.
    let mut open = false;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        let marks = trimmed.bytes().take_while(|byte| *byte == b'#').count();
        if trimmed.is_empty() {
            open = false;
            continue;
        }
        if trimmed.starts_with("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|line| !line.trim_start().starts_with("```")).collect();
            blocks.push(Block::Code(code.join("\n")));
            open = false;
        } else if let Some(title) = trimmed[marks..].strip_prefix(' ').filter(|_| (1..=6).contains(&marks)) {
            blocks.push(Block::Heading(marks, title.trim()));
            open = false;
        } else if let Some(row) = trimmed.strip_prefix('|') {
            let cells = row.strip_suffix('|').unwrap_or(row).split('|').map(str::trim).collect();
            match blocks.last_mut() {
                Some(Block::Table(rows)) if open => rows.push(cells),
                _ => blocks.push(Block::Table(vec![cells])),
            }
            open = true;
        } else if let Some(item) = trimmed.strip_prefix("- ").or_else(|| trimmed.strip_prefix("* ")) {
            match blocks.last_mut() {
                Some(Block::List(items)) if open => items.push(item.to_owned()),
                _ => blocks.push(Block::List(vec![item.to_owned()])),
            }
            open = true;
        } else {
            match blocks.last_mut() {
                Some(Block::Paragraph(words)) if open => *words += &format!(" {trimmed}"),
                Some(Block::List(items)) if open => {
                    if let Some(item) = items.last_mut() {
                        *item += &format!(" {trimmed}");
                    }
                }
                _ => blocks.push(Block::Paragraph(trimmed.to_owned())),
            }
            open = true;
        }
    }
    blocks
}

/// The rendered page; its headings are below those of the surrounding page.
pub(super) fn shown(text: &str) -> Markup {
    html! { @for block in blocks(text) {
        @match block {
            Block::Heading(1 | 2, title) => h3 { (inline(title)) },
            Block::Heading(_, title) => h4 { (inline(title)) },
            Block::Code(code) => pre.card tabindex="0" { (code) },
            Block::Table(rows) => (table(&rows)),
            Block::List(items) => ul { @for item in items { li { (inline(&item)) } } },
            Block::Paragraph(words) => p { (inline(&words)) },
        }
    } }
}

/// A table, whose first row is its head if a row of hyphens follows.
fn table(rows: &[Vec<&str>]) -> Markup {
    let is_line =
        |row: &Vec<&str>| row.iter().all(|cell| cell.contains('-') && cell.trim_matches(['-', ':']).is_empty());
    let head = rows.first().filter(|_| rows.get(1).is_some_and(is_line));
    html! { div.scroll { table.wide {
        @if let Some(head) = head { thead { tr { @for cell in head { th scope="col" { (inline(cell)) } } } } }
        tbody { @for row in &rows[if head.is_some() { 2 } else { 0 }..] {
            tr { @for cell in row { td { (inline(cell)) } } }
        } }
    } } }
}

/// The text between two marks, and the rest.
fn within<'a>(text: &'a str, open: &str, close: &str) -> Option<(&'a str, &'a str)> {
    text.strip_prefix(open)?.split_once(close).filter(|(inner, _)| !inner.is_empty())
}

/// A line of text: code, strong words, links.
fn inline(text: &str) -> Markup {
    let mut parts: Vec<Markup> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '[']) {
        let (before, marked) = rest.split_at(at);
        parts.push(parts::linked(before));
        let link = within(marked, "[", "](").and_then(|(words, tail)| Some((words, tail.split_once(')')?)));
        let (part, tail) = if let Some((code, tail)) = within(marked, "`", "`") {
            (html! { code { (code) } }, tail)
        } else if let Some((words, tail)) = within(marked, "**", "**") {
            (html! { strong { (words) } }, tail)
        } else if let Some((words, (address, tail))) = link {
            let outside = address.starts_with("https://") || address.starts_with("http://");
            // Other files of the rules are not on the site.
            let part = html! {
                @if outside { a href=(address) rel="nofollow noopener" { (words) } } @else { (words) }
            };
            (part, tail)
        } else {
            (html! { (&marked[..1]) }, &marked[1..])
        };
        parts.push(part);
        rest = tail;
    }
    parts.push(parts::linked(rest));
    html! { @for part in parts { (part) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_shown_with_its_marks() {
        let check = |text: &str, expected: &str| assert_eq!(shown(text).into_string(), expected, "{text}");
        check(
            "# Heap\n\nTake `1` to **3**\nof them.",
            "<h3>Heap</h3><p>Take <code>1</code> to <strong>3</strong> of them.</p>",
        );
        check("- a\n  b\n- c\n\nd", "<ul><li>a b</li><li>c</li></ul><p>d</p>");
        check("```\n# x\n\n<b>\n```\ny", "<pre class=\"card\" tabindex=\"0\"># x\n\n&lt;b&gt;</pre><p>y</p>");
        check(
            "[rules](https://example.org/a), [page](README.md)",
            "<p><a href=\"https://example.org/a\" rel=\"nofollow noopener\">rules</a>, page</p>",
        );
        check("2 * 3 [x] `", "<p>2 * 3 [x] `</p>");
        let table = shown("| a | b |\n|---|:--|\n| 1 | `2` |").into_string();
        assert!(table.contains("<th scope=\"col\">a</th>") && table.contains("<td><code>2</code></td>"), "{table}");
        assert!(!table.contains("---"), "{table}");
    }

    #[test]
    fn nothing_in_a_page_is_html() {
        let page = shown("<script>x</script>\n\n# <b>\n\n| <i> |\n\n[a](javascript:x) [\"](https://a\"onclick=b)")
            .into_string();
        assert!(!page.contains("<script") && !page.contains("<b>") && !page.contains("<i>"), "{page}");
        assert!(!page.contains("javascript:") && !page.contains("\"onclick"), "{page}");
    }

    #[test]
    fn pages_of_the_examples_leave_no_marks() {
        for page in [
            include_str!("../../../../examples/games/othello/README.md"),
            include_str!("../../../external/starters/README.md"),
        ] {
            let shown = shown(page).into_string();
            let outside: String =
                shown.split("<pre").map(|part| part.split("</pre>").last().unwrap_or_default()).collect();
            assert!(!outside.contains(['`', '#', '|']) && shown.contains("<h3>"), "{shown}");
        }
    }
}
