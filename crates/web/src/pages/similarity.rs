//! How alike the submitted sources are; for the host alone.

use std::sync::Arc;

use agon_arena::similarity::SharedRegion;
use agon_arena::store::StoreError;
use agon_site::clock::ago;
use agon_site::similarity::{ComparedSources, SimilarityReport, compare_pair};
use agon_site::store::SubmittedSource;
use agon_site::unlikely;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use crate::auth::Host;
use crate::layout::Page;
use crate::site::{Site, SiteResult};

pub async fn show(State(site): State<Arc<Site>>, host: Host) -> Response {
    let (report, running) = site.similarity.state();
    let body = html! {
        h1 { "Similarity" }
        p {
            "Compares all versions that have been submitted, whatever became of them, "
            "with those of other people and teams for the same game. "
            "Names, numbers, strings, comments and the order of parts make no difference; what is in the samples, "
            "or in the programs of most, is left out. "
            "A high share is a reason to read both, and no proof."
        }
        @if running { p.notice { "All sources are being compared. " a href="/host/similarity" { "Look again" } "." } }
        form.row method="post" action="/host/similarity" { button.primary disabled[running] { "Compare all sources" } }
        @if let Some(report) = &report {
            (table(report))
        } @else if !running {
            p { "Nothing has been compared since the site was started." }
        }
    };
    Page::new("Similarity", body).show(&host.0.visitor)
}

fn table(report: &SimilarityReport) -> Markup {
    html! {
        p.faint {
            (report.versions) " versions, compared " (ago(report.made)) " in "
            (format!("{:.1}", report.took.as_secs_f64())) " s. "
            "A share is the part of a program's fingerprints that the other one has, too."
        }
        @if report.pairs.is_empty() { p { "No two programs of different owners have much in common." } } @else {
            div.scroll { table.wide {
                thead {
                    tr {
                        th scope="col" { "Share" } th.name scope="col" { "One" } th scope="col" { "of it" }
                        th.name scope="col" { "The other" } th scope="col" { "of it" } th.name scope="col" { "Game" }
                        th.name scope="col" { "" }
                    }
                }
                tbody { @for pair in &report.pairs { tr {
                    td.strong { (percent(pair.likeness.part())) }
                    @for side in 0..2 {
                        th.name scope="row" { (label(&pair.versions[side])) }
                        td { (percent(pair.likeness.parts[side])) }
                    }
                    td.name { (pair.versions[0].game.title()) }
                    td.name {
                        a href={ "/host/similarity/" (pair.versions[0].version) "/" (pair.versions[1].version) } {
                            "Side by side"
                        }
                    }
                } } }
            } }
        }
    }
}

fn percent(part: f64) -> String {
    format!("{:.0} %", 100.0 * part)
}

fn label(version: &SubmittedSource) -> Markup {
    html! {
        a href={ "/program/" (version.program) } { (version.name) " v" (version.number) }
        span.faint {
            " by " a href={ "/host/accounts/" (version.account) } { (version.owner) } " · " (version.language)
        }
    }
}

pub async fn compare(State(site): State<Arc<Site>>, _: Host) -> SiteResult<Response> {
    site.compare_sources().await;
    Ok(Redirect::to("/host/similarity").into_response())
}

/// Results between two programs that their other results do not explain.
pub async fn unlikely(State(site): State<Arc<Site>>, host: Host) -> SiteResult<Response> {
    let contests = site.contests();
    let read = site.read(move |store| {
        let all = contests.iter().map(|contest| Ok((contest.title.clone(), unlikely::report(store, contest.id)?)));
        all.collect::<Result<Vec<_>, StoreError>>()
    });
    let mut all = read.await?;
    all.retain(|(_, pairs)| !pairs.is_empty());
    let body = html! {
        h1 { "Unlikely results" }
        p {
            "Pairs of programs whose rated games ended otherwise than the games of both against all others suggest. "
            "Versions that lose on purpose show up here, and so do programs that suit each other badly: "
            "a reason to watch the games, and no proof."
        }
        @if all.is_empty() { p { "There are none." } }
        @for (title, pairs) in &all {
            h2 { (title) }
            div.scroll { table.wide {
                thead {
                    tr {
                        th.name scope="col" { "Won" } th.name scope="col" { "Against" } th scope="col" { "Points" }
                        th scope="col" { "Games" } th scope="col" { "Expected" } th scope="col" { "Deviations" }
                        th.name scope="col" { "" }
                    }
                }
                tbody { @for pair in pairs { tr {
                    @for program in &pair.programs {
                        th.name scope="row" {
                            a href={ "/program/" (program.id) } { (program.name) }
                            @if let (Some(account), Some(owner)) = (program.account, &program.owner) {
                                span.faint { " by " a href={ "/host/accounts/" (account) } { (owner) } }
                            }
                        }
                    }
                    td { (pair.points) } td { (pair.games) } td { (format!("{:.1}", pair.expected)) }
                    td.strong { (format!("{:.1}", pair.deviations)) }
                    td.name { a href={ "/versus/" (pair.programs[0].id) "/" (pair.programs[1].id) } { "Games" } }
                } } }
            } }
        }
    };
    Ok(Page::new("Unlikely results", body).show(&host.0.visitor))
}

/// Two versions side by side.
pub async fn pair(
    State(site): State<Arc<Site>>,
    host: Host,
    Path((one, other)): Path<(i64, i64)>,
) -> SiteResult<Response> {
    let ComparedSources { versions, sources, regions } =
        site.consult(move |store| compare_pair(store, one, other)).await?;
    let body = html! {
        h1 { (versions[0].name) " v" (versions[0].number) " – " (versions[1].name) " v" (versions[1].number) }
        p {
            @match regions.len() {
                0 => "They share nothing but what is in the samples.",
                1 => "They share one part, which is marked.",
                _ => { "They share " (regions.len()) " parts, which are marked; the longest is number 1." }
            }
            " A number leads to the same part in the other program. " a href="/host/similarity" { "All pairs" }
        }
        div.sides { @for side in 0..2 {
            section {
                h2 { (label(&versions[side])) } pre.card tabindex="0" { (marked(&sources[side], &regions, side)) }
            }
        } }
    };
    Ok(Page::new("Side by side", body).show(&host.0.visitor))
}

/// A source with its shared regions marked.
fn marked(source: &str, regions: &[SharedRegion], side: usize) -> Markup {
    let mut ordered: Vec<(usize, &SharedRegion)> = (1..).zip(regions).collect();
    ordered.sort_by_key(|(_, region)| region.places[side].start);
    let starts = ordered.iter().map(|(_, region)| region.places[side].start).chain([source.len()]);
    let [here, there] = [["a", "b"][side], ["a", "b"][1 - side]];
    let first = ordered.first().map_or(source.len(), |(_, region)| region.places[side].start);
    html! {
        (&source[..first])
        @for ((number, region), next) in ordered.iter().zip(starts.skip(1)) {
            mark id={ (here) (number) } {
                a href={ "#" (there) (number) } aria-label={ "part " (number) " in the other program" } { (number) } " "
                (&source[region.places[side].clone()])
            }
            (&source[region.places[side].end..next])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marked_source_is_the_source() {
        let region = |one: std::ops::Range<usize>, other: std::ops::Range<usize>| SharedRegion {
            places: [one, other],
            tokens: 1,
        };
        let regions = [region(4..6, 0..1), region(0..2, 3..4)];
        let text = marked("a<b c;d", &regions, 0).into_string();
        let wanted = |id: &str, number: u32, text: &str| {
            format!(
                "<mark id=\"{id}\"><a href=\"#b{number}\" aria-label=\"part {number} in the other program\">\
                {number}</a> {text}</mark>"
            )
        };
        assert_eq!(text, format!("{}b {}d", wanted("a2", 2, "a&lt;"), wanted("a1", 1, "c;")));
        assert_eq!(marked("<x>", &[], 1).into_string(), "&lt;x&gt;");
    }
}
