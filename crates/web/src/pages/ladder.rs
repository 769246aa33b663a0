//! The ladder of a competition, and the list of games.

use std::sync::Arc;

use agon_arena::store::StoreError;
use agon_arena::transcript;
use agon_boards::layout::{Page, coded};
use agon_boards::picture::illustration;
use agon_boards::text::{ParameterText, ago, game_summary, game_title, localized, rich, t};
use agon_catalog::Setup;
use agon_game::Interaction;
use agon_referee::agent::Language;
use agon_site::clock::now;
use agon_site::openings;
use agon_site::store::{Competition, CompetitionPhase, FIRST_GAMES, PlacedProgram, ReplayRule, SiteSeat, SiteStore};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;

use super::finals::{self, state_words};
use super::parts::seat_name;
use super::preview::{Preview, game_picture};
use super::{notices, parts, standings};
use crate::error::SiteError;
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

const ROWS: u32 = 100;

const GAMES: u32 = 25;

#[derive(Deserialize)]
pub(crate) struct LadderQuery {
    #[serde(default)]
    from: u32,
    /// `mine`: programs of the own account; `team`: of its teams.
    #[serde(default)]
    show: String,
    /// The name of a language.
    #[serde(default)]
    language: String,
    /// The name of a group.
    #[serde(default)]
    group: String,
}

/// Which programs of a ladder are shown.
#[derive(Clone, PartialEq, Eq)]
enum Filter {
    All,
    Mine,
    Team,
    /// Those of a language, of a group, or of both.
    Of(Option<Language>, Option<String>),
}

impl Filter {
    /// The requested filter. An unknown word shows all.
    fn from_query(query: &LadderQuery, visitor: &Visitor) -> Self {
        let group = Some(query.group.clone()).filter(|group| !group.is_empty());
        match (query.show.as_str(), Language::by_name(&query.language), group) {
            ("mine", ..) if visitor.account.is_some() => Self::Mine,
            ("team", ..) if !visitor.teams.is_empty() => Self::Team,
            (_, None, None) => Self::All,
            (_, language, group) => Self::Of(language, group),
        }
    }

    /// The language and the group to which it is limited.
    fn parts(&self) -> (Option<Language>, Option<&str>) {
        match self {
            Self::Of(language, group) => (*language, group.as_deref()),
            _ => (None, None),
        }
    }

    /// The programs with their places.
    fn read(
        &self,
        store: &SiteStore,
        competition: i64,
        from: u32,
        owners: &[i64],
    ) -> Result<Vec<PlacedProgram>, StoreError> {
        match self {
            Self::All => store.ladder(competition, from, ROWS),
            Self::Of(language, group) => store.ladder_of(competition, *language, group.as_deref(), ROWS),
            Self::Mine => store.ladder_of_accounts(competition, &owners[..1]),
            Self::Team => store.ladder_of_accounts(competition, &owners[1..]),
        }
    }
}

/// A competition and its ladder.
pub(crate) async fn ladder(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(slug): Path<String>,
    Query(query): Query<LadderQuery>,
) -> SiteResult<Response> {
    let competition = site.competition_at(&slug).ok_or(SiteError::NotFound)?;
    let (id, game) = (competition.id, competition.game);
    let from = query.from;
    let own = visitor.owner_id("");
    let filter = Filter::from_query(&query, &visitor);
    let owners: Vec<i64> = visitor.owners().collect();
    let chosen = filter.clone();
    let read = site.read(move |store| {
        let entered = own.map_or(Ok(false), |own| store.has_entered(id, own))?;
        let own_group = own.map_or(Ok(None), |own| store.group_of(id, own))?;
        let ladder = (chosen.read(store, id, from, &owners)?, store.ladder_size(id)?, (store.groups(id)?, own_group));
        let mut to_come = store.finals_to_come()?;
        to_come.retain(|coming| coming.competition == id);
        let finals = (store.finals_of(id)?, to_come, store.has_league(id)?);
        let rest = (store.recent(id, i64::MAX, 10)?, finals, entered, store.repeated_games(id)?);
        let to_play = (store.unsettled(id)?, store.unchecked(id)?);
        Ok((ladder, rest, to_play, store.best_builtins(id, ROWS)?))
    });
    let (ladder, rest, ((unrated, unsettled), unchecked), builtins) = read.await?;
    let ((programs, size, groups), (recent, (finals, to_come, has_league), entered, repeated)) = (ladder, rest);
    let phase = competition.phase(now());
    let body = html! {
        div.headline {
            span.thumb { (illustration(game)) }
            div {
                h1 { (competition_title(&competition)) }
                p {
                    @if competition.title != game.title() { (game_title(game)) ": " } (game_summary(game)) "."
                }
                p.actions {
                    @if phase == CompetitionPhase::Running {
                        a.button.primary href={ "/submit?competition=" (competition.slug) } { (t!("front-submit")) }
                    }
                    a.button href={ "/rules/" (competition.slug) } { (t!("layout-rules")) }
                    a.button href={ "/games?competition=" (competition.slug) } { (t!("layout-games")) }
                    @if has_league { a.button href={ "/ladder/" (slug) "/league" } { (t!("league-title")) } }
                    a.button href={ "/tv?competition=" (competition.slug) } { (t!("tv-title")) }
                    @if visitor.is_host() { a.button href={ "/host/competitions/" (id) } { (t!("ladder-change")) } }
                }
            }
        }
        (notices::removals(&visitor, Some(id)))
        @if phase == CompetitionPhase::Running && site.queue.competitions.is_paused(id) {
            p.notice role="status" { (t!("ladder-paused")) }
        }
        @if phase == CompetitionPhase::Closed && unchecked + unsettled + unrated > 0 {
            p.notice role="status" { (after_closing(&site, &competition, unchecked, unsettled, unrated)) }
        }
        (terms(&site, &competition, entered))
        (finals::to_come(&to_come))
        @if !finals.is_empty() {
            ul.plain {
                @for one in &finals { li {
                    a href={ "/final/" (one.id) } { (one.title) }
                    span.faint { " · " (state_words(one.state)) " · " (ago(one.created)) }
                } }
            }
        }
        (filters(&competition, &filter, (&groups.0, groups.1.as_deref()), &visitor))
        section data-part="ladder" {
            @if programs.iter().all(|row| row.program.builtin.is_some()) { (empty(&competition, &filter, phase)) }
            @else { (standings::table(&site, &programs, &visitor)) }
        }
        @if filter == Filter::All {
            nav.pages aria-label=(t!("pages-label")) {
                @if from > 0 { a href={ "?from=" (from.saturating_sub(ROWS)) } rel="prev" { (t!("ladder-better")) } }
                @if from.saturating_add(ROWS) < size {
                    a href={ "?from=" (from + ROWS) } rel="next" { (t!("ladder-weaker")) }
                }
            }
        }
        p.faint {
            (t!("ladder-pace"))
            @if repeated > 0 { " " (t!("ladder-repeated", count = repeated)) }
        }
        section data-part="levels" { (standings::levels(&site, &builtins)) }
        (feats(&site, id))
        @if !recent.is_empty() {
            h2 { (t!("games-last")) }
            div data-part="recent" { (parts::games(&site, &recent, None, false)) }
            p { a href={ "/games?competition=" (competition.slug) } { (t!("games-all")) } }
        }
    };
    let title = t!("ladder-title", title = competition_title(&competition));
    let preview = Preview {
        title: &title,
        text: &format!("{}: {}", game_title(game), game_summary(game)),
        path: &format!("/ladder/{slug}"),
        picture: &game_picture(game),
    };
    Ok(Page::new(&*title, body).with_head(preview.head(&site)).with_script("page.js").show(&visitor))
}

/// What stood out in the last games.
fn feats(site: &Site, competition: i64) -> Markup {
    let feats = site.queue.ratings.feats(competition);
    let card = |title: String, bout: i64, value: Markup, seat: &SiteSeat, about: String| {
        html! {
            section.card {
                h3 { (title) }
                p { span.strong { (value) } " · " (seat_name(seat, None)) }
                p.faint { a href={ "/game/" (bout) } { (about) } }
            }
        }
    };
    let against = |opponent: &SiteSeat| t!("feats-against", name = opponent.label());
    let moves = |count: u32| html! { (t!("front-moves", count = count)) };
    html! {
        @if feats.is_any() {
            section data-part="feats" {
                h2 { (t!("feats-title", count = feats.games)) }
                div.tops.small-cards {
                    @if let Some(feat) = &feats.streak {
                        @let value = html! { (t!("feats-wins", count = feat.value)) };
                        (card(t!("feats-streak"), feat.bout, value, &feat.seat, t!("feats-streak-end")))
                    }
                    @if let Some(feat) = &feats.upset {
                        @let value = html! { (format!("+{:.0} Elo", feat.value)) };
                        (card(t!("feats-upset"), feat.bout, value, &feat.seat, against(&feat.opponent)))
                    }
                    @if let Some(feat) = &feats.longest {
                        (card(t!("feats-longest"), feat.bout, moves(feat.value), &feat.seat, against(&feat.opponent)))
                    }
                    @if let Some(feat) = &feats.shortest {
                        (card(t!("feats-shortest"), feat.bout, moves(feat.value), &feat.seat, against(&feat.opponent)))
                    }
                }
            }
        }
    }
}

/// What remains to be played after the closing: versions accepted in time still get their first games.
fn after_closing(site: &Site, competition: &Competition, unchecked: u32, unsettled: u32, unrated: u32) -> Markup {
    let goes_on = competition.plays_first_games(now())
        && !site.queue.competitions.is_paused(competition.id)
        && site.queue.plays();
    html! {
        @if goes_on && unchecked > 0 { (t!("ladder-unchecked", count = unchecked)) " " }
        @if goes_on && unchecked + unsettled > 0 { (t!("ladder-first-games", count = unsettled, games = FIRST_GAMES)) }
        @else if unrated > 0 { (t!("ladder-never-rated", count = unrated)) }
    }
}

/// A name as a value of an address.
fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    name.bytes().map(|byte| if plain(byte) { char::from(byte).into() } else { format!("%{byte:02X}") }).collect()
}

/// Filters by owner, by language and by group; `own_group` is the visitor's group.
fn filters(
    competition: &Competition,
    filter: &Filter,
    (groups, own_group): (&[String], Option<&str>),
    visitor: &Visitor,
) -> Markup {
    let path = format!("/ladder/{}", competition.slug);
    let current = |one: Filter| (*filter == one).then_some("page");
    let (language, group) = filter.parts();
    html! {
        div.filters {
            ul.tabs {
                li { a href=(path) aria-current=[current(Filter::All)] { (t!("filter-all")) } }
                @if visitor.account.is_some() {
                    li { a href={ (path) "?show=mine" } aria-current=[current(Filter::Mine)] { (t!("filter-mine")) } }
                }
                @if !visitor.teams.is_empty() {
                    li { a href={ (path) "?show=team" } aria-current=[current(Filter::Team)] { (t!("filter-team")) } }
                }
                @if let Some(group) = own_group {
                    li {
                        a href={ (path) "?group=" (encoded(group)) }
                            aria-current=[current(Filter::Of(None, Some(group.to_owned())))] {
                            (t!("filter-own-group", group = group))
                        }
                    }
                }
            }
            form.row action=(path) {
                select name="language" aria-label=(t!("ladder-language")) {
                    option value="" { (t!("filter-any")) }
                    @for one in competition.languages.as_deref().unwrap_or(&Language::ALL) {
                        option value=(one.name()) selected[language == Some(*one)] { (one.title()) }
                    }
                }
                @if !groups.is_empty() {
                    select name="group" aria-label=(t!("filter-group")) {
                        option value="" { (t!("filter-any-group")) }
                        @for one in groups { option value=(one) selected[group == Some(one.as_str())] { (one) } }
                    }
                }
                button { (t!("filter-show")) }
            }
        }
    }
}

/// Why no user's program is shown, and what can be done.
fn empty(competition: &Competition, filter: &Filter, phase: CompetitionPhase) -> Markup {
    html! {
        p.empty {
            @match filter {
                Filter::All => (t!("ladder-none")),
                Filter::Mine => (t!("ladder-none-mine")),
                Filter::Team => (t!("ladder-none-team")),
                Filter::Of(Some(language), _) => (t!("ladder-none-language", language = language.title())),
                Filter::Of(None, group) => {
                    (t!("ladder-none-group", group = group.as_deref().unwrap_or_default()))
                }
            }
            @if phase == CompetitionPhase::Running {
                " " a href={ "/submit?competition=" (competition.slug) } { (t!("teams-submit")) }
            }
        }
    }
}

/// The terms of a competition: when it is open, to whom, and under which limits.
fn terms(site: &Site, competition: &Competition, entered: bool) -> Markup {
    let limits = competition.limits(site.options.limits);
    let interaction =
        competition.game.initial_state(&Setup::default()).map_or(Interaction::Session, |start| start.interaction());
    let standing = competition.closes.is_none() && competition.opens.is_none();
    html! {
        @for paragraph in competition.description.split("\n\n").filter(|text| !text.trim().is_empty()) {
            p.text { (parts::linked(paragraph)) }
        }
        @if !standing { p { strong { (parts::when(competition)) } } }
        details.terms-box { summary { (t!("rules-terms")) } dl.terms {
            dt { (t!("terms-limits")) }
            dd {
                (localized(&transcript::limits(&limits, interaction)))
                @if let Some(daily) = competition.daily { ", " (t!("terms-daily", count = daily)) }
            }
            @for parameter in competition.game.parameters {
                @if let Some(value) = competition.parameters.get(parameter.name) {
                    @let meaning = ParameterText::new(competition.game, parameter).meaning;
                    dt { (parameter.name) } dd { (value) span.faint { " · " (coded(&meaning)) } }
                }
            }
            @if competition.openings > 0 || competition.balanced {
                dt { (t!("terms-openings")) }
                dd {
                    @if !competition.balanced {
                        (rich!("terms-drawn", count = competition.openings, line = html! { code { "OPENING" } }))
                    } @else if openings::are_read(competition) {
                        (rich!("terms-balanced", line = html! { code { "OPENING" } }))
                    } @else { (t!("terms-balanced-boards")) }
                    @if openings::are_read(competition) { ". " (t!("terms-openings-unread")) }
                }
            }
            @if let Some(languages) = &competition.languages {
                dt { (t!("terms-languages")) }
                dd { (languages.iter().map(|language| language.title()).collect::<Vec<_>>().join(", ")) }
            }
            @if competition.entry.is_by_invitation() {
                dt { (t!("terms-entry")) }
                dd {
                    @if entered { (t!("terms-entered")) } @else { (t!("terms-invited")) }
                    @if competition.is_private() { " · " (t!("terms-private")) }
                }
            }
            @if competition.replays == ReplayRule::After {
                dt { (t!("terms-moves")) } dd { (t!("terms-hidden")) }
            }
        } }
    }
}

#[derive(Deserialize)]
pub(crate) struct GamesQuery {
    #[serde(alias = "contest", alias = "game")]
    competition: Option<String>,
    before: Option<i64>,
}

/// The games that are being played, and the last ones.
pub(crate) async fn games(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<GamesQuery>,
) -> SiteResult<Response> {
    let chosen =
        query.competition.as_deref().map(|slug| visitor.competition_at(slug).ok_or(SiteError::NotFound)).transpose()?;
    let (competitions, only) = (Arc::clone(&visitor.competitions), chosen.as_ref().map(|competition| competition.id));
    let before = query.before.unwrap_or(i64::MAX);
    let read = site.read(move |store| {
        let mut recent = Vec::new();
        for competition in competitions.iter().filter(|competition| only.is_none_or(|only| only == competition.id)) {
            recent.extend(store.recent(competition.id, before, GAMES)?);
        }
        recent.sort_by_key(|bout| std::cmp::Reverse(bout.id));
        recent.truncate(GAMES as usize);
        Ok((store.running()?, recent))
    });
    let (running, recent) = read.await?;
    let running: Vec<_> = running
        .into_iter()
        .filter(|bout| visitor.sees(bout.competition) && only.is_none_or(|only| only == bout.competition))
        .collect();
    let of = chosen.as_ref().map(|competition| format!("competition={}&", competition.slug)).unwrap_or_default();
    let body = html! {
        h1 {
            @if let Some(competition) = &chosen { (t!("games-of", title = competition_title(competition))) }
            @else { (t!("layout-games")) }
        }
        ul.tabs {
            li { a href="/games" aria-current=[chosen.is_none().then_some("page")] { (t!("filter-all")) } }
            @for competition in visitor.competitions.iter() {
                li {
                    a href={ "/games?competition=" (competition.slug) }
                        aria-current=[(only == Some(competition.id)).then_some("page")] {
                        (crate::layout::short_title(competition))
                    }
                }
            }
        }
        @if !running.is_empty() {
            h2 { (t!("front-playing")) } div data-part="running" { (parts::games(&site, &running, None, true)) }
            h2 { (t!("games-played")) }
        }
        @if recent.is_empty() { p.empty { (t!("games-none")) } }
        @else { (parts::games(&site, &recent, None, true)) }
        @if let Some(last) = recent.last().filter(|_| recent.len() == GAMES as usize) {
            nav.pages aria-label=(t!("pages-label")) {
                a href={ "?" (of) "before=" (last.id) } rel="next" { (t!("games-older")) }
            }
        }
    };
    Ok(Page::new(t!("layout-games"), body).with_script("page.js").show(&visitor))
}
