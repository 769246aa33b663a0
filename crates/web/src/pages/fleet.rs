//! The fleet that plays games for the site, for the host.

use std::sync::Arc;

use agon_boards::layout::Page;
use agon_boards::text::{ago, localized, rich, t};
use agon_site::queue::about;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use crate::auth::Host;
use crate::fleet_overview::{ApiFleet, ApiFleetRun, ApiFleetWorker};
use crate::layout::ShowPage as _;
use crate::site::{Site, SiteResult};

/// The machines, what they play, and why they do not.
pub(crate) async fn show(State(site): State<Arc<Site>>, host: Host) -> SiteResult<Response> {
    let fleet = ApiFleet::read(&site).await?;
    let body = html! {
        h1 { (t!("fleet-title")) }
        p { @match &fleet.server {
            Some(server) => {
                (rich!("fleet-server", server = html! { code { (server) } }))
            }
            None => { (t!("fleet-unreached")) }
        } @if site.options.workers > 0 { " " (t!("fleet-here", count = site.options.workers)) } }
        @if let Some(idle) = &fleet.idle { p.problem role="alert" { (t!("fleet-idle", why = idle)) } }
        dl.facts {
            div { dt { (t!("fleet-workers")) } dd { (fleet.workers.len()) } }
            div { dt { (t!("fleet-busy")) } dd { (fleet.busy) span.faint { " / " (fleet.slots) } } }
            div { dt { (t!("fleet-rate")) } dd { (rate(fleet.games_per_minute)) } }
            div { dt { (t!("fleet-out")) } dd { (fleet.runs.iter().map(|run| run.out).sum::<usize>()) } }
            @if let Some(left) = fleet.seconds_left {
                div { dt { (t!("fleet-left")) } dd { (localized(&about(left))) } }
            }
        }
        @for fault in fleet.faults.iter().chain(fleet.runs.iter().flat_map(|run| &run.faults)) { p.problem { (fault) } }
        h2 { (t!("fleet-machines")) }
        @if fleet.workers.is_empty() {
            p {
                (rich!(
                    "fleet-none",
                    command = html! { code { "agon worker --nats " (fleet.server.as_deref().unwrap_or("URL")) } },
                ))
            }
        }
        @else { (workers(&fleet.workers, &fleet.runs)) }
        @if !fleet.quarantined.is_empty() {
            h2 { (t!("fleet-quarantine")) }
            p { (t!("fleet-quarantine-hint")) }
            ul { @for worker in &fleet.quarantined { li {
                strong { (worker.worker) } ": " (worker.why)
                @if let Some(since) = worker.since { span.faint { " · " (ago(since)) } }
            } } }
        }
        h2 { (t!("fleet-played")) }
        @if fleet.runs.is_empty() { p { (t!("fleet-nothing")) } } @else { (runs(&fleet.runs)) }
        h2 { (t!("fleet-given-up")) }
        @if fleet.given_up.is_empty() { p { (t!("fleet-nothing-week")) } }
        @else { ul { @for job in &fleet.given_up { li {
            (job.game) ", " (t!("fleet-job-game")) " "
            @for (at, game) in job.games.iter().enumerate() { @if at > 0 { ", " } (game) }
            ": " (job.why)
            span.faint { " · " (ago(job.at as i64)) }
        } } } }
        p.faint {
            (rich!(
                "fleet-docs",
                page = html! { code { "docs/fleet.md" } },
                json = html! { code { "/api/v1/host/fleet" } },
            ))
        }
    };
    Ok(Page::new(t!("fleet-title"), body).show(&host.0.visitor))
}

/// Games a minute in a few digits.
fn rate(games: f64) -> String {
    if games < 10.0 { format!("{games:.1}") } else { format!("{games:.0}") }
}

fn workers(workers: &[ApiFleetWorker], runs: &[ApiFleetRun]) -> Markup {
    // A finished run reports nothing any more.
    let known = |name: &str| runs.iter().find(|run| run.run == name);
    html! {
        div.scroll { table.wide {
            thead {
                tr {
                    th.name scope="col" { (t!("fleet-worker")) }
                    th scope="col" { (t!("fleet-busy")) }
                    th scope="col" { (t!("fleet-games")) }
                    th scope="col" { (t!("fleet-a-minute")) }
                    th scope="col" { (t!("fleet-nodes")) }
                    th scope="col" { (t!("fleet-late")) }
                    th scope="col" { (t!("fleet-disturbed")) }
                    th scope="col" { (t!("fleet-audits")) }
                    th.name scope="col" { (t!("fleet-jail")) }
                    th.name scope="col" { "Agon" }
                    th.name scope="col" { (t!("fleet-state")) }
                }
            }
            tbody { @for worker in workers { tr {
                th.name scope="row" {
                    (worker.name) @if !worker.labels.is_empty() { span.faint { " " (worker.labels.join(", ")) } }
                }
                td { (worker.busy) "/" (worker.slots) }
                td { (worker.played) }
                td { (rate(worker.games_per_minute)) }
                @match &worker.machine {
                    Some(machine) => {
                        td { (format!("{:.2} M", machine.nodes_per_second as f64 / 1e6)) }
                        td {
                            (format!("{:.1}", machine.late_ms)) " ms"
                            @if !machine.bound { span.faint { (t!("fleet-unbound")) } }
                        }
                    }
                    None => { td {} td {} }
                }
                td { @if worker.timed > 0 { (worker.disturbed) "/" (worker.timed) } }
                td { @if worker.audited > 0 { (worker.differed) "/" (worker.audited) } }
                td.name { (worker.jail.clone().unwrap_or_else(|| t!("fleet-no-programs"))) }
                td.name { (worker.agon) }
                td.name {
                    @if worker.draining {
                        (t!("fleet-draining"))
                    } @else if worker.busy > 0 {
                        (t!("fleet-playing"))
                    } @else {
                        (t!("fleet-idle-state"))
                    }
                }
            } } }
        } }
        @let refusals: Vec<_> = workers
            .iter()
            .flat_map(|worker| worker.refuses.iter().map(move |refusal| (worker, refusal)))
            .collect();
        @for worker in workers {
            @if let Some(why) = &worker.trouble {
                p.problem { (rich!("fleet-goes", name = html! { strong { (worker.name) } }, why = why)) }
            }
        }
        p.faint {
            (t!("fleet-hint"))
        }
        @if !refusals.is_empty() { ul { @for (worker, refusal) in refusals { @if let Some(run) = known(&refusal.run) {
            li {
                (rich!(
                    "fleet-refuses",
                    name = html! { strong { (worker.name) } },
                    game = run.game.as_str(),
                    title = run.title.as_str(),
                    why = refusal.why.as_str(),
                ))
            }
        } } } }
    }
}

fn runs(runs: &[ApiFleetRun]) -> Markup {
    html! { div.scroll { table.wide {
        thead { tr { th.name scope="col" { (t!("fleet-game")) }
        th.name scope="col" { (t!("fleet-what")) }
        th.name scope="col" { (t!("fleet-from")) }
            th scope="col" { (t!("fleet-run-out")) }
            th scope="col" { (t!("fleet-games")) }
            th scope="col" { (t!("fleet-a-minute")) } } }
        tbody { @for run in runs { tr {
            th.name scope="row" { (run.game) } td.name { (run.title) } td.name { (run.host) }
            td { (run.out) } td { (run.played) } td { (rate(run.games_per_minute)) }
        } } }
    } } }
}
