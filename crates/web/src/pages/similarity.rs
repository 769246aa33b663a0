//! How alike the submitted sources are; only for the host.

use std::sync::Arc;

use agon_arena::similarity::SharedRegion;
use agon_arena::store::StoreError;
use agon_boards::layout::Page;
use agon_boards::text::{ago, game_title, rich, t};
use agon_site::similarity::{ComparedSources, SimilarityReport, compare_pair};
use agon_site::store::SubmittedSource;
use agon_site::unlikely;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use crate::auth::Host;
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};

pub(crate) async fn show(State(site): State<Arc<Site>>, host: Host) -> Response {
    let (report, running) = site.similarity.state();
    let body = html! {
        h1 { (t!("similarity-title")) }
        p {
            (t!("similarity-hint"))
        }
        @if running { p.notice { (t!("similarity-running")) a href="/host/similarity" { (t!("similarity-again")) } } }
        form.row method="post" action="/host/similarity" {
            button.primary disabled[running] { (t!("similarity-compare")) }
        }
        @if let Some(report) = &report {
            (table(report))
        } @else if !running {
            p { (t!("similarity-nothing")) }
        }
    };
    Page::new(t!("similarity-title"), body).show(&host.0.visitor)
}

fn table(report: &SimilarityReport) -> Markup {
    html! {
        p.faint {
            (t!(
                "similarity-made",
                versions = report.versions,
                ago = ago(report.made),
                seconds = format!("{:.1}", report.took.as_secs_f64()),
            ))
        }
        @if report.pairs.is_empty() { p { (t!("similarity-none")) } } @else {
            div.scroll { table.wide {
                thead {
                    tr {
                        th scope="col" { (t!("similarity-share")) }
                        th.name scope="col" { (t!("similarity-one")) }
                        th scope="col" { (t!("similarity-of-it")) }
                        th.name scope="col" { (t!("similarity-other")) }
                        th scope="col" { (t!("similarity-of-it")) }
                        th.name scope="col" { (t!("similarity-game")) }
                        td {}
                    }
                }
                tbody { @for pair in &report.pairs { tr {
                    td.strong { (percent(pair.likeness.part())) }
                    @for side in 0..2 {
                        th.name scope="row" { (label(&pair.versions[side])) }
                        td { (percent(pair.likeness.parts[side])) }
                    }
                    td.name { (game_title(pair.versions[0].game)) }
                    td.name {
                        a href={ "/host/similarity/" (pair.versions[0].version) "/" (pair.versions[1].version) } {
                            (t!("similarity-pair"))
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
            " "
            (rich!(
                "similarity-by",
                owner = html! { a href={ "/host/accounts/" (version.account) } { (version.owner) } },
            ))
            " · " (version.language.title())
        }
    }
}

pub(crate) async fn compare(State(site): State<Arc<Site>>, _: Host) -> SiteResult<Response> {
    site.compare_sources().await;
    Ok(Redirect::to("/host/similarity").into_response())
}

/// Results between two programs that their other results do not explain.
pub(crate) async fn unlikely(State(site): State<Arc<Site>>, host: Host) -> SiteResult<Response> {
    let competitions = site.competitions();
    let read = site.read(move |store| {
        let all =
            competitions.iter().map(|competition| Ok((competition.clone(), unlikely::report(store, competition.id)?)));
        all.collect::<Result<Vec<_>, StoreError>>()
    });
    let mut all = read.await?;
    all.retain(|(_, pairs)| !pairs.is_empty());
    let body = html! {
        h1 { (t!("unlikely-title")) }
        p {
            (t!("unlikely-hint"))
        }
        @if all.is_empty() { p { (t!("unlikely-none")) } }
        @for (competition, pairs) in &all {
            h2 { (competition_title(competition)) }
            div.scroll { table.wide {
                thead {
                    tr {
                        th.name scope="col" { (t!("unlikely-won")) }
                        th.name scope="col" { (t!("unlikely-against")) }
                        th scope="col" { (t!("unlikely-points")) }
                        th scope="col" { (t!("unlikely-games")) }
                        th scope="col" { (t!("unlikely-expected")) }
                        th scope="col" { (t!("unlikely-deviations")) }
                        td {}
                    }
                }
                tbody { @for pair in pairs { tr {
                    @for program in &pair.programs {
                        th.name scope="row" {
                            a href={ "/program/" (program.id) } { (program.name) }
                            @if let (Some(account), Some(owner)) = (program.account, &program.owner) {
                                span.faint {
                                    " "
                                    (rich!(
                                        "similarity-by",
                                        owner = html! { a href={ "/host/accounts/" (account) } { (owner) } },
                                    ))
                                }
                            }
                        }
                    }
                    td { (pair.points) } td { (pair.games) } td { (format!("{:.1}", pair.expected)) }
                    td.strong { (format!("{:.1}", pair.deviations)) }
                    td.name {
                        a href={ "/versus/" (pair.programs[0].id) "/" (pair.programs[1].id) } { (t!("unlikely-games")) }
                    }
                } } }
            } }
        }
    };
    Ok(Page::new(t!("unlikely-title"), body).show(&host.0.visitor))
}

/// Two versions side by side.
pub(crate) async fn pair(
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
                0 => (t!("pair-nothing")),
                1 => (t!("pair-one")),
                count => (t!("pair-parts", count = count)),
            }
            " " (t!("pair-number")) " " a href="/host/similarity" { (t!("pair-all")) }
        }
        div.sides { @for side in 0..2 {
            section {
                h2 { (label(&versions[side])) } pre.card tabindex="0" { (marked(&sources[side], &regions, side)) }
            }
        } }
    };
    Ok(Page::new(t!("similarity-pair"), body).show(&host.0.visitor))
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
                a href={ "#" (there) (number) } aria-label=(t!("pair-part", number = number)) { (number) } " "
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
