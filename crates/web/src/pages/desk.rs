//! The desk of a competition's host, one page for each task; the overview shows how far people have come and what needs
//! a decision.

use std::sync::Arc;

use agon_arena::Plan;
use agon_boards::layout::{Page, coded, problem, sentence};
use agon_boards::text::{ago, localized, read_time, rich, stated, t, time, until};
use agon_site::clock::now;
use agon_site::error::FieldError;
use agon_site::finals::FinalForm;
use agon_site::league::MOVING;
use agon_site::queue::about;
use agon_site::store::{
    Competition, CompetitionPhase, DeskEntrant, EntrantStage, FinalState, FinalToCome, IDLE_SECONDS, SiteFinal,
};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};

use super::finals::state_words;
use super::parts::{self, SavedQuery};
use crate::auth::Host;
use crate::error::SiteError;
use crate::layout::{ShowPage as _, competition_title};
use crate::once::once;
use crate::site::{Site, SiteResult};

/// Maximum number of stuck people that the overview names.
const MAX_NAMED: usize = 12;

/// A page of the desk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DeskTab {
    Overview,
    People,
    Rules,
    Final,
    Settings,
}

impl DeskTab {
    const ALL: [Self; 5] = [Self::Overview, Self::People, Self::Rules, Self::Final, Self::Settings];

    fn title(self) -> String {
        match self {
            Self::Overview => t!("desk-overview"),
            Self::People => t!("desk-people"),
            Self::Rules => t!("desk-rules"),
            Self::Final => t!("competitions-final"),
            Self::Settings => t!("competitions-settings"),
        }
    }

    pub(super) fn address(self, competition: i64) -> String {
        let page = match self {
            Self::Overview => "",
            Self::People => "/people",
            Self::Rules => "/rules",
            Self::Final => "/final",
            Self::Settings => "/settings",
        };
        format!("/host/competitions/{competition}{page}")
    }
}

/// The finals of a competition, as its desk shows them.
pub(super) struct KnownFinals {
    pub begun: Vec<SiteFinal>,
    /// The scheduled final.
    pub to_come: Option<FinalToCome>,
    /// Why one could not begin, if that is still so.
    pub wrong: Option<FieldError>,
}

impl KnownFinals {
    /// A title for the next one that none has.
    pub(super) fn next_title(&self, competition: &Competition) -> String {
        let first = t!("finals-of", title = competition_title(competition));
        let begun = self.begun.iter().map(|one| one.title.as_str());
        let known: Vec<&str> = begun.chain(self.to_come.iter().map(|coming| coming.form.title.as_str())).collect();
        // The titles of divisions begin with that of their final.
        let is_free =
            |title: &String| known.iter().all(|known| *known != title && !known.starts_with(&format!("{title} · ")));
        let numbered = (2..).map(|number| format!("{first} {number}"));
        [first.clone()].into_iter().chain(numbered).find(is_free).unwrap_or(first)
    }
}

/// The beginning of every page of the desk.
pub(super) fn head(competition: &Competition, tab: DeskTab) -> Markup {
    html! {
        h1 { (competition_title(competition)) }
        p.faint {
            (parts::when(competition)) " · "
            a href={ "/ladder/" (competition.slug) } { (t!("competitions-page")) } " · "
            a href="/host/competitions" { (t!("competitions-all")) }
        }
        nav aria-label=(t!("competitions-parts")) { ul.tabs {
            @for page in DeskTab::ALL { li {
                a href=(page.address(competition.id)) aria-current=[(page == tab).then_some("page")] { (page.title()) }
            } }
        } }
    }
}

/// Label of a stage.
pub(super) fn stage_words(stage: EntrantStage) -> String {
    match stage {
        EntrantStage::Removed => t!("roster-removed"),
        EntrantStage::NoPassword => t!("desk-no-password"),
        EntrantStage::NothingSubmitted => t!("desk-nothing-submitted"),
        EntrantStage::Checking => t!("desk-checking"),
        EntrantStage::Failed => t!("desk-failed"),
        EntrantStage::Resting => t!("desk-resting"),
        EntrantStage::Idle => t!("desk-idle", days = IDLE_SECONDS / 86_400),
        EntrantStage::Playing => t!("desk-playing"),
    }
}

/// The first page's data about a competition.
struct Glance {
    people: Vec<DeskEntrant>,
    finals: Vec<SiteFinal>,
    unchecked: u32,
    running: usize,
    invitations: usize,
    has_league: bool,
}

pub(crate) async fn overview(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Query(query): Query<SavedQuery>,
) -> SiteResult<Response> {
    let competition = site.competition(id).ok_or(SiteError::NotFound)?;
    let read = site.read(move |store| {
        Ok(Glance {
            people: store.desk(id, now())?,
            finals: store.finals_of(id)?,
            unchecked: store.unchecked(id)?,
            running: store.running()?.iter().filter(|bout| bout.competition == id).count(),
            has_league: store.has_league(id)?,
            invitations: store.invitations(now())?.iter().filter(|one| one.competition == Some(id)).count(),
        })
    });
    let glance = read.await?;
    let paused = site.queue.competitions.is_paused(id);
    let phase = competition.phase(now());
    let body = html! {
        (head(&competition, DeskTab::Overview))
        @if query.saved.is_some() { p.notice role="status" { (t!("competitions-saved")) } }
        (to_decide(&site, &competition, &glance))
        (stages(id, &glance.people))
        (in_need(&glance.people))
        h2 { (t!("desk-queue")) }
        p {
            (t!("desk-queue-now", checks = glance.unchecked, games = glance.running))
            " " a href="/queue" { (t!("desk-queue-page")) }
        }
        div.actions {
            form method="post" action={ "/host/competitions/" (id) "/pause" } {
                input type="hidden" name="yes" value=(if paused { "no" } else { "yes" });
                button title=(t!("competitions-pause-hint")) {
                    @if paused { (t!("competitions-go-on")) } @else { (t!("competitions-pause")) }
                }
            }
            form method="post" action={ "/host/competitions/" (id) "/league" } {
                input type="hidden" name="yes" value=(if glance.has_league { "no" } else { "yes" });
                button title=(t!("league-hint", moving = MOVING)) {
                    @if glance.has_league { (t!("league-end")) } @else { (t!("league-begin")) }
                }
            }
            @if phase == CompetitionPhase::Closed {
                form method="post" action={ "/host/competitions/" (id) "/reopen" } {
                    button title=(t!("competitions-reopen-hint")) { (t!("competitions-reopen")) }
                }
            }
            @if phase == CompetitionPhase::Running {
                @let form = html! {
                    form method="post" action={ "/host/competitions/" (id) "/close" } {
                        button.danger { (t!("competitions-close")) }
                    }
                };
                (parts::confirmed(&t!("competitions-close"), &t!("competitions-close-sure"), &form))
            }
        }
        @if !glance.finals.is_empty() { h2 { (t!("finals-title")) } (list_of_finals(&glance.finals)) }
    };
    Ok(Page::new(competition_title(&competition), body).show(&host.0.visitor))
}

/// What needs the host's decision.
fn to_decide(site: &Site, competition: &Competition, glance: &Glance) -> Markup {
    let id = competition.id;
    let phase = competition.phase(now());
    let shortage = site.queue.maintenance.storage().shortage;
    let mut todo: Vec<Markup> = Vec::new();
    if let Some(shortage) = shortage {
        todo.push(html! { (sentence(&localized(&shortage))) });
    }
    if let Some(idle) = site.options.fleet.as_ref().and_then(|_| site.queue.fleet.idle()) {
        todo.push(html! { a href="/host/fleet" { (t!("host-fleet-idle", why = idle)) } });
    }
    if glance.people.is_empty() && glance.invitations == 0 && phase != CompetitionPhase::Closed {
        let link = html! { a href=(DeskTab::People.address(id)) { (t!("desk-invite-link")) } };
        todo.push(rich!("desk-invite", link = link));
    }
    if site.queue.competitions.is_paused(id) {
        todo.push(html! { (t!("desk-paused")) });
    }
    if phase == CompetitionPhase::Closed && glance.finals.is_empty() {
        todo.push(html! {
            (t!("competitions-closed")) " "
            a href=(DeskTab::Final.address(id)) { (t!("desk-begin-final")) } " "
        });
    }
    html! {
        @if !todo.is_empty() {
            section.card.decisions aria-label=(t!("desk-decide")) {
                h2 { (t!("desk-decide")) }
                ul { @for one in &todo { li { (one) } } }
            }
        }
    }
}

/// How many have come how far; each number links to the people.
fn stages(competition: i64, people: &[DeskEntrant]) -> Markup {
    let count = |stage| people.iter().filter(|one| one.stage == stage).count();
    html! {
        h2 { (t!("desk-people-count", count = people.len())) }
        @if people.is_empty() { p.empty { (t!("roster-none")) } } @else {
            ul.reached { @for stage in EntrantStage::ALL.into_iter().rev() {
                @let count = count(stage);
                @if count > 0 { li data-reached=(stage.name()) {
                    a href={ (DeskTab::People.address(competition)) "?stage=" (stage.name()) } {
                        strong { (count) } " " (stage_words(stage))
                    }
                } }
            } }
        }
    }
}

/// Whose program has failed its check or rests, and why.
fn in_need(people: &[DeskEntrant]) -> Markup {
    let needy = [EntrantStage::Failed, EntrantStage::Resting];
    let all: Vec<&DeskEntrant> = people.iter().filter(|one| needy.contains(&one.stage)).collect();
    html! {
        @if !all.is_empty() {
            h2 { (t!("desk-stuck")) }
            ul.plain { @for one in all.iter().take(MAX_NAMED) { li {
                a href={ "/host/accounts/" (one.entrant.account) } { (one.entrant.name) }
                @if let Some(version) = &one.version {
                    " · " a href={ "/version/" (version.id) } { (version.label) } " · " (stage_words(one.stage))
                    @if let Some(plays) = &one.plays { "; " (t!("desk-plays", version = plays)) }
                    span.faint {
                        " · " (ago(version.submitted))
                        @if let Some(seen) = one.entrant.seen { " · " (t!("desk-seen-ago", ago = ago(seen))) }
                    }
                    br;
                    @if one.stage == EntrantStage::Resting { (t!("desk-rests")) }
                    @else if let Some(first) = version.message.lines.first() { (coded(&stated(first))) }
                }
            } } }
            @if all.len() > MAX_NAMED { p.faint { (t!("desk-more", count = all.len() - MAX_NAMED)) } }
        }
    }
}

/// The finals of a competition.
pub(super) fn list_of_finals(finals: &[SiteFinal]) -> Markup {
    html! {
        ul.plain { @for one in finals { li {
            a href={ "/final/" (one.id) } { (one.title) }
            @if one.state == FinalState::Running { " " span.live-mark { (t!("finals-state-running")) } }
            span.faint {
                " · " (t!("finals-programs", count = one.plan.agents.len())) " · "
                @if one.state != FinalState::Running { (state_words(one.state)) " · " }
                (ago(one.created))
            }
        } } }
    }
}

/// The page from which a final is begun; the form is open if the host is filling it in.
pub(super) fn final_page(
    competition: &Competition,
    known: &KnownFinals,
    form: &Markup,
    is_open: bool,
    wrong: Option<&str>,
) -> Page {
    let scheduled = known.to_come.as_ref().is_some_and(|coming| !coming.failed);
    let body = html! {
        (head(competition, DeskTab::Final))
        (problem(wrong))
        @if competition.phase(now()) == CompetitionPhase::Closed { p { (t!("competitions-closed")) } }
        @if let Some(coming) = &known.to_come { (to_come(coming, known.wrong.as_ref())) }
        @if scheduled {
            details open[is_open] {
                summary { (t!("desk-begin-another")) }
                p.faint { (t!("desk-final-replaces")) }
                (form)
            }
        } @else {
            h2 { (t!("desk-begin-final")) }
            (form)
        }
        @if !known.begun.is_empty() { h2 { (t!("finals-title")) } (list_of_finals(&known.begun)) }
    };
    Page::new(competition_title(competition), body)
}

/// A final that begins by itself, or could not.
fn to_come(coming: &FinalToCome, wrong: Option<&FieldError>) -> Markup {
    html! {
        section.card {
            h2 { (coming.form.title) }
            @if coming.failed {
                p.notice.bad role="status" {
                    (t!("desk-final-failed"))
                    @if let Some(wrong) = wrong { ": " (localized(&*wrong.reason)) }
                }
            } @else {
                p { (t!("desk-final-begins", left = until(coming.begins))) " (" (time(coming.begins)) ")" }
                p.faint { (t!("desk-final-then")) }
                p.actions {
                    a.button href={ "/final/" (coming.number) } { (t!("desk-final-page")) }
                    a.button href={ "/final/" (coming.number) "/screen" } { (t!("finals-screen")) }
                }
            }
            form method="post" action={ "/host/competitions/" (coming.competition) "/finals/cancel" } {
                button.danger { (t!("desk-final-cancel")) }
            }
        }
    }
}

/// The preview of a final.
pub(super) fn sure_page(
    competition: &Competition,
    form: &FinalForm,
    plans: &[(String, Plan)],
    seconds: Option<f64>,
) -> Page {
    let games: u64 = plans.iter().map(|(_, plan)| plan.bouts()).sum();
    let (rounds, per_pair, champions) = (form.rounds.to_string(), form.games.to_string(), form.champions.to_string());
    let fields = [
        ("title", form.title.as_str()),
        ("kind", &form.kind),
        ("rounds", &rounds),
        ("games", &per_pair),
        ("seed", &form.seed),
        ("champions", &champions),
        ("divisions", &form.divisions),
        ("one_each", if form.one_each { "true" } else { "false" }),
        ("begins", &form.begins),
    ];
    let body = html! {
        (head(competition, DeskTab::Final))
        section.card {
            h2 { (t!("desk-final-sure")) }
            ul { @for (title, plan) in plans { li {
                strong { (title) } " · " (t!("finals-programs", count = plan.agents.len())) " · "
                (t!("desk-final-games", count = plan.bouts()))
                br; span.faint {
                    (plan.agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", "))
                }
            } } }
            p {
                @match seconds {
                    Some(seconds) => (t!("desk-final-time", games = games, time = localized(&about(seconds)))),
                    None => (t!("desk-final-no-time", games = games)),
                }
                " "
                @match read_time(&form.begins) {
                    Some(begins) => { (t!("desk-final-at")) " " (time(begins)) ". " (t!("desk-final-then")) },
                    None => (t!("desk-final-at-once")),
                }
            }
            form method="post" action={ "/host/competitions/" (competition.id) "/finals" } {
                (once())
                @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
                button.primary name="sure" value="yes" {
                    @if form.begins.is_empty() { (t!("finals-begin")) } @else { (t!("desk-final-put-off")) }
                } " "
                button name="sure" value="no" { (t!("desk-final-back")) }
            }
        }
    };
    Page::new(competition_title(competition), body)
}
