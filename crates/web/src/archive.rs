//! The public pages of a site as files, which any web space serves without Agon.
//!
//! It opens a copy of the store, requests its pages as a guest, and makes their links lead from file to file. Whatever
//! needs a server is left out: forms, streams. The boards are included if this build has engines for the browser.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use agon_boards::board::folder;
use agon_boards::engines;
use agon_boards::text::{t, within};
use agon_message::Locale;
use agon_site::store::{Competition, EntryRule, SiteStore};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode, header};
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

use crate::ServeError;
use crate::options::SiteOptions;
use crate::router::router;
use crate::site::Site;

/// The pages that lead to all others.
const STARTS: [&str; 3] = ["/", "/finals", "/rules"];

/// The paths of the pages that are kept.
const KEPT: [&str; 8] = ["/ladder/", "/final/", "/program/", "/game/", "/versus/", "/rules/", "/team/", "/person/"];

/// The paths that only a server can answer.
const LIVE: [&str; 3] = ["/events", "/evaluation", "/ask"];

/// The folder of the boards, and the way from there to the first page.
const BOARDS: &str = "board";
const HOME: &str = "../index.html";

/// The files of the pages.
const ASSETS: &str = "/assets/";

/// The most pages of an archive.
const MAX_PAGES: usize = 1_000_000;

/// Bytes of an address that is followed.
const MAX_ADDRESS_BYTES: usize = 120;

/// The temporary copy of the store.
const COPY: &str = ".site";

/// Writes the public pages of a site into a new folder, including those of private competitions with these addresses,
/// and returns their number. `news` receives how many are written, and how many are known.
///
/// # Errors
/// [`ServeError`] when there is no such private competition, the store cannot be copied, or the folder already exists
/// or cannot be written.
pub fn export_static(
    store: &SiteStore,
    folder: &Path,
    language: Locale,
    private: &[String],
    news: &mut dyn FnMut(usize, usize),
) -> Result<usize, ServeError> {
    let competitions = store.competitions()?;
    let mut shown = Vec::new();
    for slug in private {
        let competition = competitions.iter().find(|competition| competition.slug == *slug && competition.is_private());
        let competition = competition.ok_or_else(|| {
            let all: Vec<&str> =
                competitions.iter().filter(|one| one.is_private()).map(|one| one.slug.as_str()).collect();
            let known =
                if all.is_empty() { "there is none".to_owned() } else { format!("there is {}", all.join(", ")) };
            ServeError::NotPrivate { slug: slug.clone(), known }
        })?;
        shown.push(Competition { entry: EntryRule::Invited, ..competition.clone() });
    }
    fs::create_dir(folder)?;
    let copy = folder.join(COPY);
    fs::create_dir(&copy)?;
    let mut options = SiteOptions::new(copy.clone(), SocketAddr::from((Ipv4Addr::LOCALHOST, 80)));
    (options.workers, options.read_only) = (0, true);
    store.back_up(&options.store())?;
    if !shown.is_empty() {
        let mut copied = SiteStore::open(&options.store())?;
        shown.iter().try_for_each(|competition| copied.put_competition(competition).map(drop))?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let pages = runtime.block_on(async {
        let site = Site::open(options)?;
        let pages = crawl(router(&site), folder, language, news).await;
        site.stop();
        drop::<Arc<Site>>(site);
        pages
    })?;
    drop(runtime);
    fs::remove_dir_all(&copy)?;
    Ok(pages)
}

/// Whether the page at an address is kept.
fn is_kept(address: &str) -> bool {
    let path = address.split('?').next().unwrap_or_default();
    let below = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| !rest.is_empty());
    let short = address.len() <= MAX_ADDRESS_BYTES;
    short
        && (STARTS.contains(&address) || KEPT.iter().any(|folder| below(folder)))
        && !LIVE.iter().any(|live| path.ends_with(live))
}

/// The file of an address, in an archive of this language.
fn file_of(address: &str, language: Locale) -> String {
    if address == "/" {
        return "index.html".to_owned();
    }
    if let Some(board) = folder::file_of(address, language) {
        return format!("{BOARDS}/{board}");
    }
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let path = path.trim_matches('/');
    if let Some(game) = path.strip_suffix("/record") {
        return format!("{game}.jsonl");
    }
    let of_rules = path.starts_with("rules/") && ["/files/", "/pictures/"].iter().any(|part| path.contains(part));
    if path.starts_with("assets/") || of_rules || Path::new(path).extension() == Some("csv".as_ref()) {
        return path.to_owned();
    }
    let query: String = query.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    if query.is_empty() { format!("{path}.html") } else { format!("{path}-{query}.html") }
}

/// The way from one file to another.
fn way(from: &str, to: &str) -> String {
    format!("{}{to}", "../".repeat(from.matches('/').count()))
}

/// Attributes that lead somewhere, by the address in them.
fn links(page: &str) -> Vec<String> {
    let mut all = Vec::new();
    for start in [" href=\"/", " src=\"/"] {
        for (at, _) in page.match_indices(start) {
            let rest = &page[at + start.len() - 1..];
            let address = rest.split(['"', '#']).next().unwrap_or_default().replace("&amp;", "&");
            all.push(address);
        }
    }
    all
}

/// Whether this is the name of an attribute, with the blank before it.
fn is_attribute(name: &str) -> bool {
    name.strip_prefix(' ').is_some_and(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
}

/// A page as a file among others: links lead to files, and whatever needs a server is gone.
fn rewritten(page: &str, file: &str, known: &BTreeSet<String>, language: Locale) -> String {
    let mut text = String::with_capacity(page.len());
    let mut rest = page;
    // Forms ask a server.
    while let Some(at) = rest.find("<form") {
        text += &rest[..at];
        rest = rest[at..].find("</form>").map_or("", |end| &rest[at + end + "</form>".len()..]);
    }
    text += rest;
    let mut done = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("=\"/") {
        let name_at = rest[..at].rfind(' ').unwrap_or(at);
        let name = &rest[name_at..at];
        let value = &rest[at + 2..];
        let Some(end) = value.find('"') else { break };
        let (value, after) = (&value[..end], &value[end + 1..]);
        let (address, fragment) = value.split_once('#').map_or((value, ""), |(address, name)| (address, name));
        let address = address.replace("&amp;", "&");
        done += &rest[..name_at];
        if [" href", " src"].contains(&name) && known.contains(&address) {
            let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
            done += &format!("{name}=\"{}{fragment}\"", way(file, &file_of(&address, language)));
        } else if !is_attribute(name) {
            // A text that looks like one.
            done += &rest[name_at..=at + 2 + end];
        }
        rest = after;
    }
    without_controls(&(done + rest))
}

/// Around a link that forms a whole paragraph.
const ALONE: (&str, &str) = ("<p class=\"faint\">", "</p>");

/// A page without buttons, cards and navigation that lead nowhere.
fn without_controls(page: &str) -> String {
    let head = page.find("</header>").unwrap_or_default();
    let (mut text, mut at) = (String::with_capacity(page.len()), 0);
    while let Some(begin) = page[at..].find("<a").map(|begin| at + begin) {
        let Some(tag) = page[begin..].find('>').map(|end| &page[begin..=begin + end]) else { break };
        let is_link = tag.starts_with("<a ") || tag == "<a>";
        let end = page[begin..].find("</a>");
        let is_control = ["button", "primary", "join", "card"].iter().any(|name| tag.contains(name));
        let is_alone = page[..begin].ends_with(ALONE.0)
            && end.is_some_and(|end| page[begin + end + "</a>".len()..].starts_with(ALONE.1));
        let dead = is_link && !tag.contains(" href=") && (begin < head || is_control || is_alone);
        let end = end.filter(|_| dead);
        text += &page[at..begin];
        match end {
            Some(length) => at = begin + length + "</a>".len(),
            None => {
                text += tag;
                at = begin + tag.len();
            }
        }
    }
    (text + &page[at..])
        .replace("<li></li>", "")
        .replace("<li class=\"narrow\"></li>", "")
        .replace(&format!("{}{}", ALONE.0, ALONE.1), "")
}

async fn fetched(router: &Router, address: &str, language: Locale) -> Result<Option<(bool, Bytes)>, ServeError> {
    let request =
        Request::get(address).header(header::HOST, "localhost").header(header::ACCEPT_LANGUAGE, language.code());
    let Ok(request) = request.body(Body::empty()) else { return Ok(None) };
    let Ok(response) = router.clone().oneshot(request).await;
    if response.status() != StatusCode::OK {
        return Ok(None);
    }
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let page = kind.starts_with("text/html");
    let body = response.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
    Ok(Some((page, body)))
}

/// Requests every reachable page, writes them, and then makes their links lead to files.
async fn crawl(
    router: Router,
    folder: &Path,
    language: Locale,
    news: &mut dyn FnMut(usize, usize),
) -> Result<usize, ServeError> {
    let (mut known, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut open: VecDeque<String> = STARTS.map(str::to_owned).into();
    seen.extend(open.iter().cloned());
    let mut pages = Vec::new();
    while let Some(address) = open.pop_front() {
        let Some((is_page, body)) = fetched(&router, &address, language).await? else { continue };
        let file = folder.join(file_of(&address, language));
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        fs::write(&file, &body)?;
        known.insert(address.clone());
        news(known.len(), seen.len());
        if !is_page {
            continue;
        }
        if pages.len() >= MAX_PAGES {
            return Err(io::Error::other(format!("the site has more than {MAX_PAGES} pages")).into());
        }
        for link in links(&String::from_utf8_lossy(&body)) {
            if (is_kept(&link) || link.starts_with(ASSETS)) && seen.insert(link.clone()) {
                open.push_back(link);
            }
        }
        // Modules import each other by their names, which no page has.
        pages.push(address);
    }
    for name in agon_boards::assets::names() {
        let address = agon_boards::assets::address(name);
        if seen.insert(address.clone())
            && let Some((_, body)) = fetched(&router, &address, language).await?
        {
            let file = folder.join(file_of(&address, language));
            fs::create_dir_all(file.parent().unwrap_or(folder))?;
            fs::write(&file, &body)?;
            known.insert(address);
        }
    }
    if !engines::files().is_empty() {
        folder::write_below(&folder.join(BOARDS), Some(HOME))?;
        known.extend(folder::addresses());
    }
    // An archive stays as it is.
    let (for_a_while, archived) = within(language, || (t!("layout-read-only"), t!("layout-archive")));
    for address in &pages {
        let name = file_of(address, language);
        let file = folder.join(&name);
        let page = fs::read_to_string(&file)?.replace(&for_a_while, &archived);
        fs::write(&file, rewritten(&page, &name, &known, language))?;
    }
    Ok(pages.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_files() {
        let check = |address: &str, file: &str| assert_eq!(file_of(address, Locale::English), file, "{address}");
        check("/", "index.html");
        check("/ladder/renju", "ladder/renju.html");
        check("/ladder/renju?from=50", "ladder/renju-from-50.html");
        check("/game/7/record", "game/7.jsonl");
        check("/final/3/standings.csv", "final/3/standings.csv");
        check("/assets/0a/style.css", "assets/0a/style.css");
        check("/board", "board/index.html");
        check("/board/renju", "board/renju.html");
        assert_eq!(file_of("/board/analysis", Locale::Korean), "board/ko/analysis.html");
        assert!(is_kept("/game/7") && is_kept("/finals") && is_kept("/game/7/record"));
        assert!(!is_kept("/game/7/events") && !is_kept("/signin") && !is_kept("/game/") && !is_kept("/api/v1/site"));
    }

    #[test]
    fn links_lead_from_file_to_file_and_what_needs_a_server_is_gone() {
        let known = ["/", "/game/7", "/assets/0a/style.css"].map(str::to_owned).into();
        let page = "<link href=\"/assets/0a/style.css\"><a href=\"/game/7#ply=3\">7</a><a href=\"/signin\">in</a>\
                    <a class=\"button primary\" href=\"/submit\">go</a><a class=\"card way\" href=\"/games\">all</a>\
                    <p class=\"faint\"><a href=\"/join\">code</a></p><form action=\"/search\"><input></form>\
                    <a href=\"/\">start</a><p data-events=\"/x\">a=\"/b\"</p>";
        let wanted = "<link href=\"../assets/0a/style.css\"><a href=\"../game/7.html#ply=3\">7</a><a>in</a>\
                      <a href=\"../index.html\">start</a><p>a=\"/b\"</p>";
        assert_eq!(rewritten(page, "ladder/renju.html", &known, Locale::English), wanted);
        assert_eq!(links(page), ["/assets/0a/style.css", "/game/7", "/signin", "/submit", "/games", "/join", "/"]);
        let head = "<header><li><a href=\"/signin\">in</a></li><li><a href=\"/\">Agon</a></li></header><p>x";
        let wanted = "<header><li><a href=\"index.html\">Agon</a></li></header><p>x";
        assert_eq!(rewritten(head, "finals.html", &known, Locale::English), wanted);
    }
}
