//! A host's own games: rules that are uploaded and checked, and become games of the site at once.

use std::sync::Arc;

use agon_boards::layout::{Page, problem};
use agon_boards::text::{game_title, rich, t};
use agon_catalog::Game;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};

use crate::auth::Host;
use crate::error::SiteError;
use crate::layout::ShowPage as _;
use crate::own_rules::{
    CHECK_TIMEOUT, CheckAnswer, MAX_RULES_BYTES, MAX_RULES_FILES, Refusal, SentRules, Uploaded, is_beside, keep,
    kept_files,
};
use crate::site::{Site, SiteResult};

/// Reads the form. A file takes precedence over pasted text, and keeps its own name if none was typed; samples and a
/// page may come with it.
async fn read(mut form: Multipart) -> SiteResult<SentRules> {
    let (mut typed, mut chosen) = (SentRules::default(), None);
    while let Some(field) = form.next_field().await.map_err(|error| SiteError::unreadable(error.body_text()))? {
        let (name, file) = (field.name().unwrap_or_default().to_owned(), field.file_name().map(str::to_owned));
        let bytes = field.bytes().await.map_err(|error| SiteError::unreadable(error.body_text()))?;
        // Rules that are not text fail their check, which reports the mistake.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match name.as_str() {
            "file" => typed.file = text,
            "source" => typed.source = text,
            "upload" if file.as_deref().is_some_and(is_beside) => {
                typed.beside.push((file.unwrap_or_default(), text));
            }
            "upload" if !bytes.is_empty() => chosen = Some((file.unwrap_or_default(), text)),
            _ => {}
        }
    }
    if let Some((file, text)) = chosen {
        typed.source = text;
        if typed.file.trim().is_empty() {
            typed.file = file;
        }
    }
    Ok(typed)
}

/// Why rules are not kept, in words.
fn words(refusal: Refusal) -> String {
    match refusal {
        Refusal::Name => t!("own-games-name"),
        Refusal::Empty => t!("own-games-empty"),
        Refusal::TooLong => t!("own-games-too-long", size = MAX_RULES_BYTES >> 10),
        Refusal::Known => t!("own-games-known"),
        Refusal::TooMany => t!("own-games-too-many", most = MAX_RULES_FILES),
        Refusal::Late => t!("own-games-late", seconds = CHECK_TIMEOUT.as_secs()),
        Refusal::Fails => t!("own-games-fails"),
        Refusal::NoMoves => t!("own-games-no-moves"),
    }
}

/// The result of a check: a row for each law, and a summary of random games.
fn answer(answer: &CheckAnswer) -> Markup {
    let report = match answer {
        CheckAnswer::Error(text) if text.is_empty() => return html! {},
        CheckAnswer::Error(text) => return html! { pre tabindex="0" lang="en" { (text) } },
        CheckAnswer::Report(report) => report,
    };
    html! {
        table.laws {
            @for law in &report.laws {
                tr {
                    td { @if law.problem.is_none() { "✓" } @else { strong { (t!("own-games-broken")) } } }
                    td lang="en" { (law.law) @if let Some(problem) = &law.problem { br; span.fault { (problem) } } }
                }
            }
        }
        @if let Some([shortest, mean, longest]) = report.plies {
            p.faint {
                (t!(
                    "own-games-played",
                    games = report.games,
                    shortest = format!("{shortest:.0}"),
                    mean = format!("{mean:.1}"),
                    longest = format!("{longest:.0}"),
                    choices = format!("{:.1}", report.choices)
                ))
            }
        }
    }
}

pub(crate) async fn show(State(site): State<Arc<Site>>, host: Host) -> SiteResult<Response> {
    Ok(page(&site, &SentRules::default(), None, None).show(&host.0.visitor))
}

/// Checks rules and keeps them.
pub(crate) async fn upload(
    State(site): State<Arc<Site>>,
    host: Host,
    form: Result<Multipart, MultipartRejection>,
) -> SiteResult<Response> {
    let typed = read(form.map_err(|error| SiteError::unreadable(error.body_text()))?).await?;
    let (folder, program) = (site.options.rules_folder(), site.options.program.clone());
    let mut sent = typed.clone();
    sent.file = typed.file.trim().to_owned();
    sent.source = typed.source.replace("\r\n", "\n");
    let checked = site.rooms.boards.dishes.run(move |effort| keep(&folder, &program, &sent, effort)).await?;
    let done = checked.map_err(SiteError::internal)?;
    let kept = matches!(done, Uploaded::Kept(..));
    let ladder = match &done {
        Uploaded::Kept(file, _) => Some(site.open_game(file).await?),
        Uploaded::Refused(..) => None,
    };
    let typed = if kept { SentRules::default() } else { typed };
    let page = page(&site, &typed, Some(&done), ladder.as_deref());
    Ok(if kept { page } else { page.with_status(StatusCode::UNPROCESSABLE_ENTITY) }.show(&host.0.visitor))
}

fn page(site: &Site, typed: &SentRules, done: Option<&Uploaded>, ladder: Option<&str>) -> Page {
    let files = kept_files(&site.options.rules_folder());
    let own = Game::all().into_iter().filter(|game| game.is_program());
    let body = html! {
        h1 { (t!("own-games-title")) }
        @match done {
            Some(Uploaded::Kept(_, found)) => {
                @let path = format!("/ladder/{}", ladder.unwrap_or_default());
                p.notice role="status" { (rich!("own-games-kept", ladder = html! { a href=(path) { (path) } })) }
                (answer(found))
            }
            Some(Uploaded::Refused(why, found)) => { (problem(Some(&words(*why)))) (answer(found)) }
            None => {}
        }
        @let check = html! { code { "agon game check" } };
        p { (rich!("own-games-hint", page = html! { code { "docs/own-game.md" } }, check = check)) }
        ul.plain {
            @for game in own { li { (game_title(game)) " " code { (game.name()) } } }
            @for file in &files { li { code { (file) } } }
        }
        form.stack method="post" action="/host/games" enctype="multipart/form-data" data-rules=(MAX_RULES_BYTES)
            data-large=(t!("own-games-too-long", size = MAX_RULES_BYTES >> 10)) {
            label {
                (t!("own-games-file"))
                input name="file" maxlength="60" placeholder=(t!("own-games-example")) value=(typed.file);
            }
            label.drop {
                @let [sample, page] = ["sample.py", "README.md"].map(|name| html! { code { (name) } });
                span { (rich!("own-games-choose", sample = sample, page = page)) }
                input type="file" name="upload" multiple;
            }
            label {
                (t!("own-games-source"))
                textarea name="source" rows="16" data-lines="" spellcheck="false" { "\n" (typed.source) }
            }
            p.faint { (t!("own-games-limits", size = MAX_RULES_BYTES >> 10, most = MAX_RULES_FILES)) }
            p { button.primary { (t!("own-games-upload")) } }
        }
    };
    Page::new(t!("own-games-title"), body).with_script("rules.js")
}
