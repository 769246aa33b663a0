//! The pictures of docs/board.md: each view at two widths, light and dark. `scripts/board-pictures` retakes them.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::Table;

/// Name, path, and the script that leads to the view.
const VIEWS: [(&str, &str, &str); 5] = [
    ("play", "/board/renju#first=human&second=human&moves=H8/H9/J8/O1/I9/O15/I10/A15", ""),
    (
        "analysis",
        "/board/analysis#game=renju&moves=8.8/7.8/7.9/7.7/6.8",
        "document.querySelector('[data-sign=\"!\"]').click()",
    ),
    (
        "studies",
        "/board/analysis#game=domineering&rows=6&columns=6&seed=3",
        "document.querySelector('[data-view=files]').click()",
    ),
    ("puzzles", "/board/puzzles#game=renju&number=1", ""),
    ("editor", "/board/analysis#game=bacteria&moves=b6/f6", "document.querySelector('[data-view=editor]').click()"),
];

const WIDTHS: [u32; 2] = [360, 1280];

#[test]
fn every_view_has_its_pictures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let file = |name: &str, width: u32, dark: bool| {
        folder.join(format!("board-{name}-{width}-{}.png", if dark { "dark" } else { "light" }))
    };
    if std::env::var_os("AGON_WRITE_PICTURES").is_some() {
        take(&file);
    }
    for (name, ..) in VIEWS {
        for width in WIDTHS {
            for dark in [false, true] {
                let file = file(name, width, dark);
                let png = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
                // The width is in the header.
                let found = u32::from_be_bytes(png[16..20].try_into().unwrap());
                assert_eq!(found, width, "{}: run scripts/board-pictures", file.display());
            }
        }
    }
}

/// Takes the pictures of all views.
fn take(file: &dyn Fn(&str, u32, bool) -> std::path::PathBuf) {
    let table = Table::new();
    let browser = &table.browser;
    for (name, path, script) in VIEWS {
        for width in WIDTHS {
            for dark in [false, true] {
                browser.shape(width, dark);
                table.open(path);
                browser.until("document.getElementById('status').textContent !== ''", &json!(true));
                if name == "analysis" {
                    browser.until(
                        "/^depth (1\\d|[89])/.test(document.getElementById('progress').textContent)",
                        &json!(true),
                    );
                }
                browser.run(script);
                if name == "analysis" {
                    browser.until(
                        "/^depth (1\\d|[89])/.test(document.getElementById('progress').textContent)",
                        &json!(true),
                    );
                }
                browser.until("document.getAnimations().length", &json!(0));
                fs::write(file(name, width, dark), browser.picture()).unwrap();
            }
        }
    }
}
