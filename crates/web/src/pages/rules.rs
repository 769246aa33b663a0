//! The rules of games and of competitions: the terms, what a program reads and writes, and its possible starting
//! points.

use std::path::Path as FilePath;
use std::sync::Arc;

use agon_boards::headers::CachePolicy;
use agon_boards::layout::{Page, coded};
use agon_boards::picture::illustration_png;
use agon_boards::text::{
    ParameterText, example_caption, game_rules, game_summary, game_title, locale, localized, picture_caption, rich, t,
    within,
};
use agon_catalog::{Game, Setup};
use agon_external::RulesFile;
use agon_game::{GameState, GaugeName, Side};
use agon_message::Locale;
use agon_referee::agent::Language;
use agon_referee::limits::GameLimits;
use agon_referee::protocol::JudgeCommand;
use agon_site::own_games::plain_name;
use agon_site::store::{Competition, EntryRule, ReplayRule};
use axum::extract::{Path, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};

use super::preview::{Preview, game_picture, picture_answer};
use super::trial::{self, TrialForm};
use super::{markdown, parts};
use crate::error::SiteError;
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Plies of the game that is shown as an example.
const MAX_EXAMPLE_PLIES: u32 = 4;

/// The time of each move in the example, in milliseconds.
const EXAMPLE_MS: u32 = 12;

/// Each program's answer to BEGIN in the example of a game that asks per action.
const EXAMPLE_BEGIN: &str = "4 4 4";

pub(crate) async fn list(visitor: Visitor) -> Response {
    let body = html! {
        h1 { (t!("rules-title")) }
        ul.plain { @for game in Game::all().into_iter().filter(|game| !game.is_missing()) {
            li {
                a href={ "/rules/" (game.name()) } { (game_title(game)) }
                // Versions of one game have the same title.
                @if game.is_program() { " " code { (game.name()) } }
                span.faint { " – " (game_summary(game)) }
            }
        } }
        @let own: Vec<_> = visitor.competitions.iter().filter(|one| one.slug != plain_name(one.game)).collect();
        @if !own.is_empty() {
            h2 { (t!("rules-competitions")) }
            ul.plain { @for competition in own {
                li {
                    a href={ "/rules/" (competition.slug) } { (competition_title(competition)) }
                    span.faint { " – " (game_title(competition.game)) ", " (parts::when(competition)) }
                }
            } }
        }
    };
    Page::new(t!("rules-title"), body).show(&visitor)
}

/// The largest page of a game that is shown, in bytes.
const MAX_PAGE_BYTES: u64 = 256 << 10;

/// The page that comes with the rules of a user's game.
fn page_of(game: Game) -> Option<String> {
    let path = FilePath::new(game.page);
    let fits = path.extension()? == "md" && std::fs::metadata(path).ok()?.len() <= MAX_PAGE_BYTES;
    if fits { std::fs::read_to_string(path).ok() } else { None }
}

/// The rules of a game or of a competition, and what a program writes and reads.
pub(crate) async fn show(
    visitor: Visitor,
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
) -> SiteResult<Response> {
    let competition = visitor.competitions.iter().find(|competition| competition.slug == name).cloned();
    let game = competition.as_ref().map(|competition| competition.game).or_else(|| Game::by_name(&name));
    let game = game.ok_or(SiteError::NotFound)?;
    let own = competition.as_ref().filter(|competition| competition.slug != plain_name(game));
    let title = own.map_or_else(|| game_title(game), |competition| competition.title.clone());
    let limits =
        competition.as_ref().map_or(site.options.limits, |competition| competition.limits(site.options.limits));
    let offered = parts::offered(&site, competition.as_ref());
    let setup =
        Setup { seed: 1, parameters: competition.as_ref().map(|own| own.parameters.clone()).unwrap_or_default() };
    let slug = competition.as_ref().map_or(game.name(), |competition| &competition.slug);
    let body = html! {
        h1 { (title) }
        @if let Some(competition) = own {
            p.faint { (game_title(game)) " · " (parts::when(competition)) }
            @if !competition.description.is_empty() { p.description { (parts::linked(&competition.description)) } }
        }
        p { (game_summary(game)) }
        h2 { (t!("rules-title")) }
        ul { @for line in game_rules(game) { li { (coded(&line)) } } }
        (pictures(game))
        @if !game.is_program() {
            p { (rich!("rules-full", link = html! { a href=(game.source) rel="noopener" { (t!("rules-source")) } })) }
        } @else if let Some(page) = page_of(game) {
            details open { summary { (t!("rules-page")) } (markdown::shown(&page)) }
        }
        (terms(&site, game, &limits, competition.as_ref(), &offered))
        h2 { (t!("rules-protocol")) }
        (protocol(game, &limits, &setup))
        (worked_example(game))
        @if let Some(competition) = &competition {
            h2 id="try" { (t!("trial-title")) }
            @if visitor.account.is_some() { (trial::form(competition, &offered, &TrialForm::default())) }
            @else {
                p {
                    (rich!(
                        "trial-sign-in",
                        link = html! {
                            a href={ "/signin?next=/rules/" (competition.slug) } { (t!("trial-sign-in-link")) }
                        },
                    ))
                }
            }
        }
        h2 { (t!("rules-samples")) }
        p { (at_home(&site, game, slug)) }
        @if let Some(files) = agon_external::files_of(game) { (downloads(game, slug, files)) }
        @for (language, text) in samples(game, &offered) {
            details open[language == Language::Python3] {
                summary { (language.title()) }
                p {
                    a.button href={ "/submit?competition=" (slug) "&sample=" (language.name()) } { (t!("rules-open")) }
                }
                pre.card tabindex="0" { (text) }
            }
        }
    };
    let preview = Preview {
        title: &t!("rules-of", title = &title),
        text: &game_summary(game),
        path: &format!("/rules/{name}"),
        picture: &game_picture(game),
    };
    let head = preview.head(&site);
    Ok(Page::new(preview.title, body).with_head(head).with_script("lines.js").show(&visitor))
}

/// The pictures of a game's rules, each with a sentence.
fn pictures(game: Game) -> Markup {
    html! {
        @if !game.illustrations.pictures.is_empty() {
            div.rule-pictures { @for picture in game.illustrations.pictures {
                @let caption = picture_caption(game, picture);
                @let size = |name: &str| attribute(picture.svg, name);
                figure {
                    img src={ "/rules/" (game.name()) "/pictures/" (picture.name) ".svg?" (locale().code()) }
                        alt=(caption.replace('`', "")) loading="lazy" width=[size("width")] height=[size("height")];
                    figcaption { (coded(&caption)) }
                }
            } }
        }
    }
}

/// The first attribute of this name in a drawing: that of its root.
fn attribute<'a>(svg: &'a str, name: &str) -> Option<&'a str> {
    svg.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

/// A line of an example, whose head says who sends it to whom.
fn spoken_line(line: &str) -> String {
    let mut words = line.split_whitespace();
    let head = match (words.next(), words.next()) {
        (Some("to"), Some("first")) => t!("rules-to-first"),
        (Some("to"), Some("second")) => t!("rules-to-second"),
        (Some("to"), Some("both")) => t!("rules-to-both"),
        (Some("from"), Some("first")) => t!("rules-from-first"),
        (Some("from"), Some("second")) => t!("rules-from-second"),
        _ => return line.to_owned(),
    };
    format!("{head:<12} {}", words.collect::<Vec<_>>().join(" "))
}

/// A whole game, line by line.
fn worked_example(game: Game) -> Markup {
    html! {
        @if let Some(lines) = game.illustrations.example() {
            h3 { (t!("rules-example")) }
            p { (coded(&example_caption(game))) }
            details {
                summary { (t!("rules-example-lines")) }
                pre.card tabindex="0" { @for line in lines.lines() { (spoken_line(line)) "\n" } }
            }
        }
    }
}

/// A picture of the rules, in the language that its query names.
pub(crate) async fn rule_picture(
    Path((name, file)): Path<(String, String)>,
    RawQuery(language): RawQuery,
) -> SiteResult<Response> {
    let language = language.and_then(|code| Locale::parse(&code)).unwrap_or(Locale::English);
    let game = Game::by_name(&name).ok_or(SiteError::NotFound)?;
    let wanted = file.strip_suffix(".svg").ok_or(SiteError::NotFound)?;
    let mut pictures = game.illustrations.pictures.iter();
    let picture = pictures.find(|picture| picture.name == wanted).ok_or(SiteError::NotFound)?;
    let quantities = [GaugeName::Cells, GaugeName::Points, GaugeName::Energy];
    let svg = quantities.iter().fold(picture.svg.to_owned(), |svg, name| {
        let own = within(language, || localized(name));
        svg.replace(&format!(" {name}</text>"), &format!(" {own}</text>"))
    });
    let response = ([(header::CONTENT_TYPE, "image/svg+xml; charset=utf-8")], svg).into_response();
    Ok(CachePolicy::ONE_DAY.on(response))
}

/// The commands with which programs are begun and tried at home. The rules of a game of others come from here.
fn at_home(site: &Site, game: Game, slug: &str) -> Markup {
    let server = format!(" --server {} --game {slug}", site.options.address(""));
    let [from, of] =
        if game.is_program() { [server.clone(), server] } else { [format!(" {game}"), format!(" --game {game}")] };
    let check = html! { code { "agon check BOT" (of) } };
    if game.samples.is_empty() {
        return rich!("rules-by-hand", check = check);
    }
    rich!("rules-at-home", make = html! { code { "agon new" (from) } }, check = check)
}

/// The rules of a game of others, its samples and its page, as files.
fn downloads(game: Game, slug: &str, files: &[RulesFile]) -> Markup {
    html! {
        p { (rich!("rules-files", name = html! { code { (game.name()) } })) }
        ul.plain { @for file in files {
            li { a href={ "/rules/" (slug) "/files/" (file.name.replace('/', "%2F")) } download { (file.name) } }
        } }
    }
}

/// A file of a game of others.
pub(crate) async fn file(visitor: Visitor, Path((name, file)): Path<(String, String)>) -> SiteResult<Response> {
    let competition = visitor.competitions.iter().find(|competition| competition.slug == name);
    let game = competition.map(|competition| competition.game).or_else(|| Game::by_name(&name));
    let files = game.and_then(agon_external::files_of).ok_or(SiteError::NotFound)?;
    let found = files.iter().find(|known| known.name == file).ok_or(SiteError::NotFound)?;
    let short = file.rsplit('/').next().unwrap_or_default();
    let disposition = format!("attachment; filename=\"{}\"", short.replace(['"', '\\'], "_"));
    let kind = if std::str::from_utf8(&found.bytes).is_ok() { "text/plain; charset=utf-8" } else { OCTETS };
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition.as_str())];
    Ok((headers, found.bytes.as_slice()).into_response())
}

/// The type of binary files.
const OCTETS: &str = "application/octet-stream";

/// The picture of a game.
pub(crate) async fn picture(State(site): State<Arc<Site>>, Path(name): Path<String>) -> SiteResult<Response> {
    let game = Game::by_name(&name).ok_or(SiteError::NotFound)?;
    let png = site.rooms.records.run(move |_| illustration_png(game)).await?.ok_or(SiteError::NotFound)?;
    Ok(picture_answer(png.to_vec(), CachePolicy::ONE_DAY))
}

/// The programs that newcomers start from, in the languages that are offered.
pub(crate) fn samples(game: Game, offered: &[Language]) -> Vec<(Language, &'static str)> {
    let language = |extension: &str| Language::by_extension(FilePath::new(&format!("sample.{extension}")));
    let all = game.samples.iter().filter_map(|(extension, text)| Some((language(extension)?, *text)));
    all.filter(|(language, _)| offered.contains(language)).collect()
}

/// A competition's conditions for its programs.
fn terms(
    site: &Site,
    game: Game,
    limits: &GameLimits,
    competition: Option<&Competition>,
    offered: &[Language],
) -> Markup {
    let languages: Vec<&str> = offered.iter().map(|language| language.title()).collect();
    html! {
        h2 { (t!("rules-terms")) }
        dl.terms {
            dt { (t!("rules-time")) }
            dd {
                @if game.has_sessions() { (t!("rules-clock", clock = limits.clock_ms, ready = limits.ready_ms)) }
                @else { (t!("rules-invocation", time = limits.invocation_ms)) }
            }
            dt { (t!("rules-memory")) } dd { (limits.memory_mib) " MiB" }
            dt { (t!("rules-languages")) }
            dd { @if languages.is_empty() { (t!("rules-no-language")) } @else { (languages.join(", ")) } }
            @if let Some(competition) = competition {
                dt { (t!("rules-openings")) }
                dd {
                    @if competition.balanced { (t!("rules-balanced")) }
                    @else if competition.openings > 0 { (t!("rules-drawn", plies = competition.openings)) }
                    @else { (t!("rules-start")) }
                }
                @for (name, value) in &competition.parameters {
                    @if let Some(known) = game.parameters.iter().find(|known| known.name == name) {
                        dt { (coded(&ParameterText::new(game, known).meaning)) } dd { (value) }
                    }
                }
                dt { (t!("rules-entry")) }
                dd {
                    @match competition.entry {
                        EntryRule::Open => (t!("rules-entry-open")),
                        EntryRule::Invited => (t!("rules-entry-invited")),
                        EntryRule::Private => (t!("rules-entry-private")),
                    }
                }
                dt { (t!("rules-replays")) }
                dd {
                    @match competition.replays {
                        ReplayRule::Always => (t!("rules-replays-always")),
                        ReplayRule::After => (t!("rules-replays-after")),
                    }
                }
                dt { (t!("rules-daily")) }
                dd { (t!("rules-daily-count", count = competition.daily.unwrap_or(site.options.submissions.daily))) }
            }
        }
    }
}

/// What a program reads and writes, with the beginning of a game.
fn protocol(game: Game, limits: &GameLimits, setup: &Setup) -> Markup {
    let clock = u32::try_from(limits.clock_ms).unwrap_or(u32::MAX);
    // In a user's game that lists its moves, turns hide nothing.
    let hides = game.is_program() && !game.has_turns();
    html! {
        @if game.has_sessions() {
            p { (t!("rules-lines")) }
            @if game.is_program() { p { (t!("rules-info")) } }
            ul {
                li { (t!("rules-ready", ready = limits.ready_ms)) }
                li { (t!("rules-turn", clock = limits.clock_ms)) }
                li { (if hides { t!("rules-hidden") } else { t!("rules-opp") }) }
                li { (t!("rules-finish")) }
            }
        } @else {
            p { (t!("rules-anew", time = limits.invocation_ms, memory = limits.memory_mib)) }
        }
        // The rules of a game of others are a program, which no page starts.
        @let start = if game.is_program() { None } else { game.initial_state(setup).ok() };
        @if let Some(lines) = start.map(|state| example(state, game.has_turns(), clock)) {
            pre.card tabindex="0" { @for (judge, line) in lines {
                span.faint { (if judge { t!("rules-judge") } else { t!("rules-program") }) "\t" } (line) "\n"
            } }
        }
    }
}

/// The beginning of a game as its first program sees it: each line, and whether the judge says it.
fn example(mut state: Box<dyn GameState>, turns: bool, clock: u32) -> Vec<(bool, String)> {
    let mut lines = Vec::new();
    if !turns {
        lines.push((true, "BEGIN".to_owned()));
        lines.push((false, EXAMPLE_BEGIN.to_owned()));
        if Side::BOTH.into_iter().all(|side| state.begin(side, EXAMPLE_BEGIN.as_bytes()).is_ok()) {
            let mut prompt = String::new();
            state.prompt(&mut prompt);
            lines.extend(prompt.lines().map(|line| (true, line.to_owned())));
            lines.push((false, "REST".to_owned()));
        }
        return lines;
    }
    lines.extend(state.preamble().lines().map(|line| (true, line.to_owned())));
    lines.push((true, JudgeCommand::Ready(Side::First).to_string()));
    lines.push((false, "OK".to_owned()));
    let mut left = [clock; 2];
    for _ in 0..MAX_EXAMPLE_PLIES {
        let Some(side) = state.turn() else { break };
        let legal = state.legal();
        let Some(arguments) = legal.get(legal.len() / 2).cloned() else { break };
        if side == Side::First {
            lines.push((true, JudgeCommand::Turn { mine: left[0], theirs: left[1] }.to_string()));
            lines.push((false, format!("MOVE {arguments}")));
        }
        let Ok(shown) = state.answer(&arguments) else { break };
        left[side.index()] = left[side.index()].saturating_sub(EXAMPLE_MS);
        if side == Side::Second {
            lines.push((true, JudgeCommand::Opp { arguments: shown, time: EXAMPLE_MS }.to_string()));
        }
    }
    lines.push((true, "…".to_owned()));
    lines.push((true, JudgeCommand::Finish.to_string()));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_an_example_of_its_conversation() {
        for game in Game::all() {
            let state = game.initial_state(&Setup { seed: 1, ..Setup::default() }).unwrap();
            let lines = example(state, game.has_turns(), 10_000);
            let said = |judge: bool| lines.iter().filter(|(by, _)| *by == judge).count();
            assert!(said(true) > 3 && said(false) > 1, "{game}: {lines:?}");
            if game.has_turns() {
                assert!(lines.contains(&(true, "TURN 10000 10000".to_owned())), "{game}: {lines:?}");
                assert!(lines.contains(&(true, "TURN 9988 9988".to_owned())), "{game}: {lines:?}");
                let is_move = |(judge, line): &&(bool, String)| !judge && line.starts_with("MOVE ");
                assert_eq!(lines.iter().filter(is_move).count(), 2, "{game}: {lines:?}");
            }
        }
    }

    #[test]
    fn samples_are_of_the_languages_that_are_offered() {
        let all = samples(Game::RENJU, &Language::ALL);
        assert!(
            all.len() >= 4 && all.iter().any(|(language, text)| *language == Language::Python3 && !text.is_empty())
        );
        assert_eq!(samples(Game::RENJU, &[Language::Python3]).len(), 1);
    }
}
