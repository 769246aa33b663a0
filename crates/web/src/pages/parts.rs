//! Parts of several pages.

use std::sync::Arc;

use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use agon_site::clock::now;
use agon_site::store::{Competition, CompetitionPhase, SiteBout, SiteProgram, SiteSeat};
use maud::{Markup, html};

use crate::layout::short_title;
use crate::site::Site;
use crate::text::{ago, rich, time, until};
use crate::visitor::Visitor;

/// A path of this site: nothing else is led to.
pub fn own_path(next: &str) -> &str {
    // Browsers drop tabs and line ends from an address, and take a backslash for a slash.
    let own = next.starts_with('/') && !next.starts_with("//") && !next.contains(|c: char| c == '\\' || c.is_control());
    if own { next } else { "/" }
}

/// A text of a person, whose addresses are links.
pub fn linked(text: &str) -> Markup {
    html! { @for (at, line) in text.lines().enumerate() {
        @if at > 0 { "\n" }
        @for (at, word) in line.split(' ').enumerate() {
            @if at > 0 { " " }
            @let end = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
            @if end.starts_with("https://") || end.starts_with("http://") {
                a href=(end) rel="nofollow noopener" { (end) } (&word[end.len()..])
            } @else { (word) }
        }
    } }
}

/// When a competition is open.
pub fn when(contest: &Competition) -> Markup {
    let (opens, closes) = (contest.opens.unwrap_or_default(), contest.closes.unwrap_or_default());
    match contest.phase(now()) {
        CompetitionPhase::Coming if contest.closes.is_some() => {
            rich!("when-coming-closes", opens = time(opens), left = until(opens), closes = time(closes))
        }
        CompetitionPhase::Coming => rich!("when-coming", opens = time(opens), left = until(opens)),
        CompetitionPhase::Running if contest.closes.is_some() => {
            rich!("when-running", closes = time(closes), left = until(closes))
        }
        CompetitionPhase::Running => rich!("when-always"),
        CompetitionPhase::Closed => rich!("when-closed", closes = time(closes), since = ago(closes)),
    }
}

/// A program's name, and whose it is.
pub fn program(program: &SiteProgram) -> Markup {
    html! {
        a href={ "/program/" (program.id) } { (program.name) }
        " " (owner(program))
    }
}

pub fn owner(program: &SiteProgram) -> Markup {
    html! { span.faint {
        @match (&program.owner, program.account) {
            (Some(team), Some(account)) if program.team => { "by " a href={ "/team/" (account) } { (team) } }
            (Some(person), _) => { "by " (person) }
            (None, _) => { "built in" }
        }
    } }
}

fn seat(seat: &SiteSeat, won: bool) -> Markup {
    html! {
        a href={ "/program/" (seat.program) } class=[won.then_some("won")] { (seat.label()) }
        @if let Some(verdict) = seat.verdict.filter(|verdict| *verdict != Verdict::Ok) {
            " " span.verdict { (verdict) }
        }
    }
}

/// Games in a table; `of` is the program from whose side they are shown.
pub fn games(site: &Site, bouts: &[SiteBout], of: Option<i64>, several: bool) -> Markup {
    html! {
        div.scroll {
            table.wide {
                thead { tr {
                    th scope="col" { "Game" }
                    @if several { th.name scope="col" { "" } }
                    th.name scope="col" { "First" } th.name scope="col" { "Second" }
                    th scope="col" { "Result" } th scope="col" { "Moves" } th.name scope="col" { "Reason" }
                    th scope="col" { "Played" }
                } }
                tbody {
                    @for bout in bouts {
                        tr {
                            th scope="row" { a href={ "/game/" (bout.id) } { (bout.id) } }
                            @if several {
                                td.name {
                                    @if let Some(contest) = site.contest(bout.contest) { (short_title(&contest)) }
                                }
                            }
                            td.name { (seat(&bout.seats[0], bout.winner == Some(Winner::First))) }
                            td.name { (seat(&bout.seats[1], bout.winner == Some(Winner::Second))) }
                            td { (result(bout, of)) }
                            td { (bout.plies) }
                            td.name.reason { (bout.reason) }
                            td { (ago(bout.begun)) }
                        }
                    }
                }
            }
        }
    }
}

fn result(bout: &SiteBout, of: Option<i64>) -> Markup {
    let Some(winner) = bout.winner else { return html! { a href={ "/game/" (bout.id) } { "live" } } };
    let second = of == Some(bout.seats[1].program);
    let text = match (winner, of) {
        (Winner::Draw, _) => "½–½",
        (Winner::Void, _) => "void",
        (Winner::First, None) => "1–0",
        (Winner::Second, None) => "0–1",
        (Winner::First, Some(_)) => {
            if second {
                "lost"
            } else {
                "won"
            }
        }
        (Winner::Second, Some(_)) => {
            if second {
                "won"
            } else {
                "lost"
            }
        }
    };
    html! { span class={ "outcome " (text) } { (text) } }
}

/// The last results of a program, as small squares.
pub fn form(form: &str) -> Markup {
    let words = |letter| match letter {
        'W' => "won",
        'D' => "drawn",
        _ => "lost",
    };
    let label = form.chars().map(words).collect::<Vec<_>>().join(", ");
    html! {
        @if !form.is_empty() {
            span.form role="img" aria-label={ "last games, the newest at the end: " (label) } {
                @for letter in form.chars() { i class=(words(letter)) aria-hidden="true" { (letter) } }
            }
        }
    }
}

/// The ladder's rows, from the `first`th place on.
pub fn ladder(site: &Arc<Site>, programs: &[SiteProgram], first: u32, visitor: &Visitor) -> Markup {
    let together = programs.first().map(|program| site.together(program.contest)).unwrap_or_default();
    html! {
        div.scroll {
            table.wide.ladder {
                thead { tr {
                    th scope="col" { "#" } th.name scope="col" { "Program" }
                    th scope="col" { abbr title="Elo of the competition: from 1500, K = 32" { "Elo" } }
                    th scope="col" {
                        abbr title="Maximum likelihood over all games (Bradley–Terry), with its 95 % interval" {
                            "All games"
                        }
                    }
                    th scope="col" { "Games" } th scope="col" { "Won" } th scope="col" { "Faults" }
                    th.name scope="col" { "Form" }
                } }
                tbody {
                    @for (place, program) in (first..).zip(programs) {
                        tr class=[row_class(program, visitor)] {
                            td { (place) }
                            th.name scope="row" { (self::program(program)) }
                            td.strong {
                                (format!("{:.0}", program.rating))
                                @if program.fixed {
                                    abbr.faint title="A fixed point: games leave it as it is" { " ⚓" }
                                }
                            }
                            td {
                                @if let Some(rating) = together.get(&program.id).filter(|_| !program.fixed) {
                                    (format!("{:.0}", rating.value)) " "
                                    span.faint { (format!("{:.0}–{:.0}", rating.low, rating.high)) }
                                }
                            }
                            td { (program.games) }
                            td { @if program.games > 0 { (format!("{:.0} %", 100.0 * score(program))) } }
                            td class=[(program.faults > 0).then_some("bad")] { (program.faults) }
                            td.name { (form(&program.form)) }
                        }
                    }
                }
            }
        }
    }
}

fn row_class(program: &SiteProgram, visitor: &Visitor) -> Option<&'static str> {
    if visitor.is(program.account) {
        Some("own")
    } else if program.builtin.is_some() {
        Some("builtin")
    } else {
        None
    }
}

/// The share of points, from 0 to 1.
pub fn score(program: &SiteProgram) -> f64 {
    (f64::from(program.wins) + f64::from(program.draws) / 2.0) / f64::from(program.games.max(1))
}

#[cfg(test)]
mod tests {
    use super::linked;

    #[test]
    fn addresses_in_a_text_are_links_and_nothing_else_is() {
        let shown = |text: &str| linked(text).into_string();
        assert_eq!(
            shown("see https://a.example/b?c=d, then"),
            "see <a href=\"https://a.example/b?c=d\" rel=\"nofollow noopener\">https://a.example/b?c=d</a>, then"
        );
        assert_eq!(shown("a\nb <i>"), "a\nb &lt;i&gt;");
        assert_eq!(shown("javascript:alert(1) ftp://x"), "javascript:alert(1) ftp://x");
        assert!(shown("http://x\"onclick=y").contains("href=\"http://x&quot;onclick=y\""));
    }
}
