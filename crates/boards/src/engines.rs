//! The engines for the browser: the files that a page loads to search where its visitor is, as far as this build has
//! them.
//!
//! Each file is gzipped and named by its own digest, so that it is loaded again only when it has changed. The worker
//! unpacks it, so any file server can send it.

use std::sync::LazyLock;

use agon_analysis::puzzles::PuzzleTask;
use agon_catalog::{Capability, Game, Setup};
use agon_engines::files;
use agon_game::hash::hex;
use agon_game::{GaugeName, MoveError, SeatName};
use agon_message::Locale;
use agon_rules::bacteria::BacteriaEnding;
use agon_rules::domineering::DomineeringEnding;
use agon_rules::petri::DishEnding;
use agon_rules::renju::opening_rules::StepText;
use agon_rules::renju::{Axis, ForbiddenReason, ForbiddenStep, RenjuEnding};
use maud::{Markup, html};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use zlib_rs::{DeflateConfig, ReturnCode, Strategy, compress_bound, compress_slice};

use crate::text::{inline_json, locale, localized, t, templates};

/// The engines, the reader and writer of game files, and the engines for several threads, compressed; empty in a build
/// without a previous `scripts/wasm`, and without threads if it had no compiler for them.
#[cfg(browser_engines)]
const WASM: &[(&str, &[u8])] = &[
    ("agon.wasm.gz", include_bytes!("../engine/agon.wasm.gz")),
    ("agon-files.wasm.gz", include_bytes!("../engine/agon-files.wasm.gz")),
    #[cfg(browser_threads)]
    ("agon-threads.wasm.gz", include_bytes!("../engine/agon-threads.wasm.gz")),
];
#[cfg(not(browser_engines))]
const WASM: &[(&str, &[u8])] = &[];

/// The scripts that run them, the same as in the package for other pages.
pub(crate) const SCRIPTS: [(&str, &str, &str); 3] = [
    ("agon.js", "text/javascript", include_str!("../../wasm/js/agon.js")),
    ("engines.js", "text/javascript", include_str!("../../wasm/js/engines.js")),
    (WORKER, "text/javascript", include_str!("../../wasm/js/worker.js")),
];

/// The script of the worker, which alone may compile WebAssembly.
pub(crate) const WORKER: &str = "worker.js";

/// The engines for several threads.
const THREADS: &str = "agon-threads.wasm.gz";

/// The games whose networks, policies and books engines in a browser read, and the folder with games of all.
const GAMES: [&str; 4] = ["bacteria", "games", "petri", "renju"];

/// The size of gzip's header and trailer.
const GZIP_BYTES: usize = 32;

/// The beginning of a file that is packed in several ways.
const SAMPLE_BYTES: usize = 256 << 10;

/// A packed file.
pub struct EngineFile {
    /// The path of a network or book in the source tree; empty for programs.
    pub name: &'static str,
    /// The name in an address.
    pub file: String,
    digest: String,
    content: LazyLock<Vec<u8>, Box<dyn FnOnce() -> Vec<u8> + Send>>,
}

impl EngineFile {
    fn new(name: &'static str, file: String, raw: &[u8], pack: Box<dyn FnOnce() -> Vec<u8> + Send>) -> Self {
        Self { name, file, digest: hex(&Sha256::digest(raw)[..8]), content: LazyLock::new(pack) }
    }

    /// The address below a page's own root.
    pub fn address(&self) -> String {
        format!("/assets/{}/{}", self.digest, self.file)
    }

    pub fn content(&self) -> &[u8] {
        &self.content
    }
}

/// A file as gzip. The weights of a network become a tenth smaller without searching for repetitions, which are only
/// random there; the beginning of a file identifies it.
fn packed(raw: &[u8]) -> Vec<u8> {
    let beginning = &raw[..raw.len().min(SAMPLE_BYTES)];
    let strategies = [Strategy::Default, Strategy::Rle];
    let best = strategies.into_iter().min_by_key(|&strategy| packed_by(strategy, beginning).len());
    packed_by(best.unwrap_or_default(), raw)
}

fn packed_by(strategy: Strategy, raw: &[u8]) -> Vec<u8> {
    let mut room = vec![0; compress_bound(raw.len()) + GZIP_BYTES];
    let gzip = DeflateConfig { window_bits: 31, strategy, ..DeflateConfig::best_compression() };
    let (packed, code) = compress_slice(&mut room, raw, gzip);
    assert_eq!(code, ReturnCode::Ok, "there is room");
    packed.to_vec()
}

static FILES: LazyLock<Vec<EngineFile>> = LazyLock::new(|| {
    let wasm = WASM.iter().map(|&(name, wasm)| EngineFile::new("", name.to_owned(), wasm, Box::new(|| wasm.to_vec())));
    let mut files: Vec<EngineFile> = wasm.collect();
    for file in files::loadable().filter(|_| !WASM.is_empty()) {
        let of = file.name.split('/').nth(1).and_then(|name| name.split('.').next());
        if of.is_some_and(|game| GAMES.contains(&game)) {
            let name = format!("{}.gz", file.name.replace('/', "-"));
            files.push(EngineFile::new(file.name, name, file.bytes(), Box::new(|| packed(file.bytes()))));
        }
    }
    files
});

/// All files; none in a build without engines for the browser.
pub fn files() -> &'static [EngineFile] {
    &FILES
}

/// The packed file of an address.
pub(crate) fn find(digest: &str, file: &str) -> Option<&'static EngineFile> {
    FILES.iter().find(|one| one.file == file && one.digest == digest)
}

/// Where searches run unless the visitor chooses otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchPlace {
    /// In the browser: a site whose visitors are many.
    Here,
    /// On the server: a machine of the user's own, whose native engines are faster and have more threads.
    Server,
    /// There is no server.
    Only,
}

impl SearchPlace {
    const fn name(self) -> &'static str {
        match self {
            Self::Here => "here",
            Self::Server => "server",
            Self::Only => "only",
        }
    }
}

/// The addresses for the scripts of a page, `worker` that of [`WORKER`]; empty in a build without engines for the
/// browser.
pub(crate) fn addresses(usual: SearchPlace, worker: &str) -> Markup {
    let [wasm, games, ..] = FILES.as_slice() else { return html! {} };
    let data = FILES.iter().filter(|file| !file.name.is_empty());
    let files: Map<String, Value> = data.map(|file| (file.name.to_owned(), file.address().into())).collect();
    let threads = FILES.iter().find(|file| file.file == THREADS).map(EngineFile::address);
    let mut all = json!({
        "wasm": wasm.address(), "threads": threads, "games": games.address(), "worker": worker, "files": files,
        "usual": usual.name(),
    });
    // Engines know English only.
    if locale() != Locale::English {
        all["said"] = words_of_games().into();
    }
    html! { script type="application/json" id="engines" { (inline_json(&all)) } }
}

/// The texts of the engines in the language of the page: names of seats and gauges, and messages by their keys.
fn words_of_games() -> Map<String, Value> {
    let mut words = Map::new();
    let games = Game::by_hand().filter(|game| !game.is_program());
    for game in games.chain(Game::which_can(Capability::Actions)) {
        words.extend(game.seats.map(|seat| (seat.to_owned(), localized(&SeatName::from(seat)).into())));
        if let Ok(state) = game.initial_state(&Setup::default()) {
            let gauges = state.view().gauges.into_iter().map(|gauge| gauge.name);
            words.extend(gauges.map(|name| (name.to_owned(), localized(&GaugeName::from(name)).into())));
        }
    }
    let messages = [
        templates::<ForbiddenStep>(),
        templates::<StepText>(),
        templates::<Axis>(),
        templates::<SeatName>(),
        templates::<PuzzleTask>(),
        templates::<MoveError>(),
        templates::<ForbiddenReason>(),
        templates::<BacteriaEnding>(),
        templates::<DomineeringEnding>(),
        templates::<RenjuEnding>(),
        templates::<DishEnding>(),
    ];
    words.extend(messages.into_iter().flatten().map(|(key, text)| (key.to_owned(), text.into())));
    words
}

/// The choice where searches run, and which it is.
pub(crate) fn choice(usual: SearchPlace) -> Markup {
    html! {
        @if FILES.is_empty() {
            p.faint { (t!("boards-engine-none")) }
        } @else if usual == SearchPlace::Only {
            p.faint { (t!("boards-engine-only")) " " span id="engine-note" role="status" {} }
        } @else {
            label { (t!("boards-engine-place")) " "
                select id="engine-place" {
                    option value="here" { (t!("boards-engine-here")) }
                    option value="server" { (t!("boards-engine-server")) }
                }
            }
            p.faint id="engine-note" role="status" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;
    use crate::text::within;

    #[test]
    fn packed_files_are_whole() {
        let check = |content: &[u8], most: usize| {
            let packed = packed(content);
            let mut unpacked = Vec::new();
            GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
            assert!(unpacked == content && packed.len() <= most, "{} bytes", packed.len());
        };
        let network = files::all().into_iter().find(|file| file.name == "nets/bacteria/champion.net").unwrap().bytes();
        check(&network[..1 << 20], 590_000);
        check("H8 H9 ".repeat(1000).as_bytes(), 100);
        check(b"", GZIP_BYTES);
    }

    /// A folder without a server translates what the engines say itself.
    #[test]
    fn korean_folders_have_the_texts_of_the_engines() {
        let words = within(Locale::Korean, words_of_games);
        assert_eq!(words["forbidden-step-three"], "삼({axis}): {stones}");
        assert_eq!([&words["axis-row"], &words["renju-ending-passed"]], ["가로", "양쪽이 연달아 패스"]);
        assert_eq!(words["puzzle-task-exact"], "{seat} 차례: 이기는 유일한 도미노를 찾으세요");
        assert_eq!([&words["Black"], &words["cells"], &words["H"]], ["흑", "칸", "H"]);
    }
}
