//! The fleet that plays games for the site, for the host.

use std::sync::Arc;

use agon_site::clock::ago;
use agon_site::queue::about;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use crate::auth::Host;
use crate::fleet_overview::{ApiFleet, ApiFleetRun, ApiFleetWorker};
use crate::layout::Page;
use crate::site::{Site, SiteResult};

/// The machines, what they play, and why they do not.
pub async fn show(State(site): State<Arc<Site>>, host: Host) -> SiteResult<Response> {
    let fleet = ApiFleet::read(&site).await?;
    let body = html! {
        h1 { "Fleet" }
        p { @match &fleet.server {
            Some(server) => {
                "Games of this site are played by the workers of the NATS server at " code { (server) } "."
            }
            None => { "The NATS server has not been reached yet." }
        } @if site.options.workers > 0 { " Besides, " (site.options.workers) " at once are played here." } }
        @if let Some(idle) = &fleet.idle { p.problem role="alert" { "It plays nothing: " (idle) ". Games wait." } }
        dl.facts {
            div { dt { "Workers" } dd { (fleet.workers.len()) } }
            div { dt { "Busy" } dd { (fleet.busy) span.faint { " of " (fleet.slots) } } }
            div { dt { "Games a minute" } dd { (rate(fleet.games_per_minute)) } }
            div { dt { "Handed out" } dd { (fleet.runs.iter().map(|run| run.out).sum::<usize>()) } }
            @if let Some(left) = fleet.seconds_left { div { dt { "Left" } dd { (about(left)) } } }
        }
        @for fault in fleet.faults.iter().chain(fleet.runs.iter().flat_map(|run| &run.faults)) { p.problem { (fault) } }
        h2 { "Machines" }
        @if fleet.workers.is_empty() {
            p { "None. Start some with " code { "agon worker --nats " (fleet.server.as_deref().unwrap_or("URL")) } "." }
        }
        @else { (workers(&fleet.workers, &fleet.runs)) }
        @if !fleet.quarantined.is_empty() {
            h2 { "In quarantine" }
            p { "None of their games counts. A machine that has been mended comes back under another name." }
            ul { @for worker in &fleet.quarantined { li {
                strong { (worker.worker) } ": " (worker.why)
                @if let Some(since) = worker.since { span.faint { " · " (ago(since)) } }
            } } }
        }
        h2 { "What is played" }
        @if fleet.runs.is_empty() { p { "Nothing at the moment." } } @else { (runs(&fleet.runs)) }
        h2 { "Given up" }
        @if fleet.given_up.is_empty() { p { "Nothing in the last week." } }
        @else { ul { @for job in &fleet.given_up { li {
            (job.game) ", game " @for (at, game) in job.games.iter().enumerate() { @if at > 0 { ", " } (game) }
            ": " (job.why)
            span.faint { " · " (ago(job.at as i64)) }
        } } } }
        p.faint {
            "How to start workers, and what each refusal means: " code { "docs/fleet.md" } ". "
            "The same as JSON: " code { "/api/v1/host/fleet" } "."
        }
    };
    Ok(Page::new("Fleet", body).show(&host.0.visitor))
}

/// Games a minute in a few digits.
fn rate(games: f64) -> String {
    if games < 10.0 { format!("{games:.1}") } else { format!("{games:.0}") }
}

fn workers(workers: &[ApiFleetWorker], runs: &[ApiFleetRun]) -> Markup {
    // A run that is over says nothing any more.
    let known = |name: &str| runs.iter().find(|run| run.run == name);
    html! {
        div.scroll { table.wide {
            thead {
                tr {
                    th.name scope="col" { "Worker" } th scope="col" { "Busy" } th scope="col" { "Played" }
                    th scope="col" { "A minute" }
                    th scope="col" { "Nodes a second" } th scope="col" { "Late" } th scope="col" { "Disturbed" }
                    th scope="col" { "Audits" }
                    th.name scope="col" { "Jail" } th.name scope="col" { "Agon" } th.name scope="col" { "State" }
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
                            @if !machine.bound { span.faint { ", unbound" } }
                        }
                    }
                    None => { td {} td {} }
                }
                td { @if worker.timed > 0 { (worker.disturbed) "/" (worker.timed) } }
                td { @if worker.audited > 0 { (worker.differed) "/" (worker.audited) } }
                td.name { (worker.jail.as_deref().unwrap_or("no programs")) }
                td.name { (worker.agon) }
                td.name {
                    @if worker.draining {
                        "draining"
                    } @else if worker.busy > 0 {
                        "playing"
                    } @else {
                        "idle"
                    }
                }
            } } }
        } }
        @let refusals: Vec<_> = workers
            .iter()
            .flat_map(|worker| worker.refuses.iter().map(move |refusal| (worker, refusal)))
            .collect();
        @for worker in workers {
            @if let Some(why) = &worker.trouble { p.problem { strong { (worker.name) } " goes: " (why) } }
        }
        p.faint {
            "Late: by how much the machine missed a timer at worst. "
            "Disturbed: timed games in which another process kept a player from its processor. "
            "Audits: how many replayed games differed, of how many."
        }
        @if !refusals.is_empty() { ul { @for (worker, refusal) in refusals { @if let Some(run) = known(&refusal.run) {
            li { strong { (worker.name) } " refuses the games of " (run.game) " (" (run.title) "): " (refusal.why) }
        } } } }
    }
}

fn runs(runs: &[ApiFleetRun]) -> Markup {
    html! { div.scroll { table.wide {
        thead { tr { th.name scope="col" { "Game" } th.name scope="col" { "What" } th.name scope="col" { "From" }
            th scope="col" { "Out" } th scope="col" { "Played" } th scope="col" { "A minute" } } }
        tbody { @for run in runs { tr {
            th.name scope="row" { (run.game) } td.name { (run.title) } td.name { (run.host) }
            td { (run.out) } td { (run.played) } td { (rate(run.games_per_minute)) }
        } } }
    } } }
}
