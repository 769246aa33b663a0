//! The boards as a folder that any file server can host: pages, scripts and engines, without a server behind them. Once
//! a browser has opened it, it works without the network.

use std::path::{Path, PathBuf};
use std::{fs, io};

use agon_catalog::Game;
use agon_message::Locale;
use maud::html;
use serde_json::json;

use super::host::BoardHost;
use super::pages::{self, Offered};
use crate::layout::Page;
use crate::text::within;
use crate::{assets, engines};

/// Why a folder is not written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error(
        "this build has no engine for the browser: run `scripts/wasm` in the source folder, then `cargo build` again"
    )]
    Engines,
    #[error("cannot write {}: {source}", .path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// The script that keeps the folder in the browser, below the list of files.
const OFFLINE: &str = include_str!("../assets/offline.js");

/// The pages of a folder: `index` and the boards.
fn names() -> impl Iterator<Item = &'static str> {
    ["index", "petri", "puzzles", "analysis"]
        .into_iter()
        .chain(Game::by_hand().filter(|game| !game.is_program()).map(Game::name))
}

/// The folder of a language below the top, and the way back.
const fn ways(locale: Locale) -> (&'static str, &'static str) {
    match locale {
        Locale::English => ("", ""),
        Locale::Korean => ("ko/", "../"),
    }
}

/// The file of a board's address on a site, if a folder has it.
pub fn file_of(address: &str, locale: Locale) -> Option<String> {
    let name = if address == "/board" { "index" } else { address.strip_prefix("/board/")? };
    names().any(|known| known == name).then(|| format!("{}{name}.html", ways(locale).0))
}

/// The addresses of boards on a site that a folder has.
pub fn addresses() -> impl Iterator<Item = String> {
    names().map(|name| if name == "index" { "/board".to_owned() } else { format!("/board/{name}") })
}

/// A page with addresses relative to its own; `home` is the site's first page from the top of the folder.
fn relative(name: &str, locale: Locale, home: Option<&str>) -> String {
    let root = ways(locale).1;
    let home = home.map(|home| format!("{root}{home}"));
    let languages = html! {
        @for other in Locale::ALL.into_iter().filter(|&other| other != locale) {
            " · " a href={ (root) (ways(other).0) (name) ".html" } lang=(other.code()) { (other.name()) }
        }
    };
    let text = page(name).text_alone(home.as_deref(), &languages);
    let mut text = text.replace("\"/assets/", &format!("\"{root}assets/"));
    for name in names() {
        for end in ['"', '#'] {
            text = text.replace(&format!("\"/board/{name}{end}"), &format!("\"{name}.html{end}"));
        }
    }
    text.replace("\"/board\"", "\"index.html\"")
}

fn page(name: &str) -> Page {
    if name == "index" {
        pages::start(BoardHost::Folder)
    } else {
        pages::titled(name, BoardHost::Folder, |_| Offered::default()).expect("the names are those of pages")
    }
}

/// Writes the folder, which is created if it is missing, and returns the number of its files. Files with the same names
/// are replaced.
///
/// # Errors
/// [`FolderError`] of a build without engines for the browser, and of a file that cannot be written.
pub fn write_folder(folder: &Path) -> Result<usize, FolderError> {
    write_below(folder, None)
}

/// The same for a folder within a site of files, whose first page is `home` from there.
///
/// # Errors
/// As [`write_folder`].
pub fn write_below(folder: &Path, home: Option<&str>) -> Result<usize, FolderError> {
    if engines::files().is_empty() {
        return Err(FolderError::Engines);
    }
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for locale in Locale::ALL {
        for name in names() {
            let text = within(locale, || relative(name, locale, home));
            files.push((format!("{}{name}.html", ways(locale).0), text.into_bytes()));
        }
    }
    let own = assets::names().filter_map(|name| Some((name, assets::find(name)?.1)));
    files.extend(own.map(|(name, content)| (assets::address(name)[1..].to_owned(), content)));
    for file in engines::files() {
        files.push((file.address()[1..].to_owned(), file.content().to_vec()));
    }
    let icon = json!({ "src": &assets::address("icon.svg")[1..], "sizes": "any", "type": "image/svg+xml" });
    let manifest = json!({
        "name": "Agon", "short_name": "Agon", "start_url": "index.html", "display": "standalone",
        "background_color": "#171b21", "theme_color": "#171b21", "icons": [icon],
    });
    files.push(("manifest.webmanifest".to_owned(), manifest.to_string().into_bytes()));
    let list: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    // A folder with other pages is another one to the browsers that keep it.
    let kept =
        agon_game::hash::fnv1a(&files.iter().map(|(_, content)| String::from_utf8_lossy(content)).collect::<String>());
    let offline = format!("const KEPT = 'agon-{kept:016x}';\nconst FILES = {};\n{OFFLINE}", json!(list));
    files.push(("offline.js".to_owned(), offline.into_bytes()));
    for (name, content) in &files {
        write(&folder.join(name), content)?;
    }
    Ok(files.len())
}

fn write(path: &Path, content: &[u8]) -> Result<(), FolderError> {
    let failed = |source| FolderError::Write { path: path.to_owned(), source };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::write(path, content).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The addresses below `assets` in a text.
    fn addresses(text: &str) -> impl Iterator<Item = &str> {
        text.split("assets/").skip(1).filter_map(|rest| rest.split(['"', '\'']).next())
    }

    #[test]
    fn a_folder_has_every_file_that_its_pages_name() {
        let folder = tempfile::tempdir().unwrap();
        let written = write_folder(folder.path());
        if engines::files().is_empty() {
            assert!(matches!(written, Err(FolderError::Engines)));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
            return;
        }
        assert!(written.unwrap() > 60);
        for below in ["", "ko/"] {
            for name in names() {
                let text = fs::read_to_string(folder.path().join(format!("{below}{name}.html"))).unwrap();
                assert!(!text.contains("\"/"), "{below}{name}: an address from the top of the server");
                for address in addresses(&text) {
                    assert!(folder.path().join("assets").join(address).exists(), "{below}{name}: {address}");
                }
            }
        }
        let korean = fs::read_to_string(folder.path().join("ko/renju.html")).unwrap();
        assert!(korean.contains("lang=\"ko\"") && korean.contains("data-root=\"../\""));
    }
}
