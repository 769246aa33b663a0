//! Parts of several pages.

use agon_arena::stats::Interval;
use agon_boards::layout::coded;
use agon_boards::text::{ago, rich, stated, t, time, until};
use agon_referee::agent::Language;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use agon_site::clock::now;
use agon_site::store::{Competition, CompetitionPhase, Meeting, PlacedProgram, SiteBout, SiteProgram, SiteSeat};
use maud::{Markup, html};
use serde::Deserialize;

use crate::layout::short_title;
use crate::site::Site;

/// What a form's redirect to its page contains.
#[derive(Deserialize)]
pub(crate) struct SavedQuery {
    /// What has just been done.
    #[serde(default)]
    pub saved: Option<String>,
}

/// The languages that a program of a competition may be written in here.
pub(super) fn offered(site: &Site, competition: Option<&Competition>) -> Vec<Language> {
    let taken = competition.and_then(|competition| competition.languages.clone());
    let mut offered = site.queue.languages();
    offered.retain(|language| taken.as_ref().is_none_or(|taken| taken.contains(language)));
    offered
}

/// A source with its lines numbered; lines named in a message are marked.
pub(super) fn numbered(source: &str, message: &str) -> Markup {
    numbered_in(None, source, message)
}

/// The same for one of several files, which its number keeps apart from the others.
pub(super) fn numbered_in(file: Option<usize>, source: &str, message: &str) -> Markup {
    let wrong = lines_named(message);
    let prefix = file.map(|file| format!("F{file}")).unwrap_or_default();
    html! {
        ol.source { @for (number, line) in (1..).zip(source.lines()) {
            li id={ (prefix) "L" (number) } class=[wrong.contains(&number).then_some("wrong")] { code { (line) } }
        } }
    }
}

/// The lines that a compiler's message names: `bot.cpp:3:5: error`, `File "bot.py", line 3`.
fn lines_named(message: &str) -> Vec<usize> {
    let number = |text: &str| {
        let digits = &text[..text.bytes().take_while(u8::is_ascii_digit).count()];
        digits.parse::<usize>().ok().filter(|number| *number > 0)
    };
    let mut all = Vec::new();
    for line in message.lines() {
        let word = line.find(", line ").and_then(|at| number(&line[at + 7..]));
        // The number after the file's name, which has its extension before the colon.
        let colon = line.match_indices(':').find_map(|(at, _)| {
            let named = line[..at].rsplit(['/', ' ']).next().is_some_and(|name| name.contains('.'));
            number(&line[at + 1..]).filter(|_| named)
        });
        all.extend(word.or(colon));
    }
    all
}

/// A text of a person, whose addresses are links.
pub(super) fn linked(text: &str) -> Markup {
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
pub(super) fn when(competition: &Competition) -> Markup {
    let (opens, closes) = (competition.opens.unwrap_or_default(), competition.closes.unwrap_or_default());
    match competition.phase(now()) {
        CompetitionPhase::Coming if competition.closes.is_some() => {
            rich!("when-coming-closes", opens = time(opens), left = until(opens), closes = time(closes))
        }
        CompetitionPhase::Coming => rich!("when-coming", opens = time(opens), left = until(opens)),
        CompetitionPhase::Running if competition.closes.is_some() => {
            rich!("when-running", closes = time(closes), left = until(closes))
        }
        CompetitionPhase::Running => rich!("when-always"),
        CompetitionPhase::Closed => rich!("when-closed", closes = time(closes), since = ago(closes)),
    }
}

/// A program's name, and whose it is.
pub(super) fn program(program: &SiteProgram) -> Markup {
    html! {
        a href={ "/program/" (program.id) } { (program.name) }
        " · " (owner(program))
    }
}

pub(super) fn owner(program: &SiteProgram) -> Markup {
    html! { span.faint {
        @match (&program.owner, program.account) {
            (Some(team), Some(account)) if program.team => {
                (rich!("owner-by", name = html! { a href={ "/team/" (account) } { (team) } }))
            }
            (Some(person), Some(account)) => {
                (rich!("owner-by", name = html! { a href={ "/person/" (account) } { (person) } }))
            }
            (Some(person), None) => { (t!("owner-by", name = person)) }
            (None, _) => { (t!("owner-builtin")) }
        }
    } }
}

/// The name of a seat's player, and a link to more about it.
pub(super) fn seat_name(seat: &SiteSeat, class: Option<&str>) -> Markup {
    html! {
        @if seat.stands_in { span class=[class] { (seat.name) } }
        @else { a href={ "/program/" (seat.program) } class=[class] { (seat.label()) } }
    }
}

fn seat(seat: &SiteSeat, won: bool) -> Markup {
    html! {
        (seat_name(seat, won.then_some("won")))
        @if let Some(verdict) = seat.verdict.filter(|verdict| *verdict != Verdict::Ok) {
            " " abbr.verdict title=(verdict_words(verdict.name())) { (verdict) }
        }
    }
}

/// A verdict in words.
pub(super) fn verdict_words(name: &str) -> String {
    match name {
        "TLE" => t!("verdict-tle"),
        "MLE" => t!("verdict-mle"),
        "CE" => t!("verdict-ce"),
        "RE" => t!("verdict-re"),
        _ => t!("verdict-interrupted"),
    }
}

/// Games in a table; `of` is the program from whose side they are shown.
pub(super) fn games(site: &Site, bouts: &[SiteBout], of: Option<i64>, several: bool) -> Markup {
    html! {
        div.scroll {
            table.wide.cards.games-table {
                thead { tr {
                    th scope="col" { (t!("column-game")) }
                    @if several { td {} }
                    th.name scope="col" { (t!("column-first")) } th.name scope="col" { (t!("column-second")) }
                    th scope="col" { (t!("column-result")) } th scope="col" { (t!("column-moves")) }
                    th.name scope="col" { (t!("column-reason")) }
                    th scope="col" { (t!("column-played")) }
                } }
                tbody {
                    @for bout in bouts {
                        tr {
                            th.number scope="row" { a href={ "/game/" (bout.id) } { (bout.id) } }
                            @if several {
                                td.name {
                                    @if let Some(own) = site.competition(bout.competition) { (short_title(&own)) }
                                }
                            }
                            td.name { (seat(&bout.seats[0], bout.winner == Some(Winner::First))) }
                            td.name { (seat(&bout.seats[1], bout.winner == Some(Winner::Second))) }
                            td.result { (result(bout, of)) }
                            td data-label=(t!("column-moves")) { (bout.plies) }
                            td.name.reason { (coded(&stated(&bout.reason))) }
                            td.when { (ago(bout.begun)) }
                        }
                    }
                }
            }
        }
    }
}

/// The result of a game, from the side of the program `of` if there is one.
pub(super) fn result(bout: &SiteBout, of: Option<i64>) -> Markup {
    let Some(winner) = bout.winner else { return html! { a href={ "/game/" (bout.id) } { (t!("result-live")) } } };
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
    let shown = match text {
        "won" => t!("result-won"),
        "lost" => t!("result-lost"),
        "void" => t!("result-void"),
        score => score.to_owned(),
    };
    html! { span class={ "outcome " (text) } { (shown) } }
}

/// The last results of a program, as small squares.
pub(super) fn form(form: &str) -> Markup {
    let words = |letter| match letter {
        'W' => "won",
        'D' => "drawn",
        _ => "lost",
    };
    let named = |letter| match letter {
        'W' => t!("result-won"),
        'D' => t!("result-drawn"),
        _ => t!("result-lost"),
    };
    let sign = |letter| match letter {
        'W' => t!("form-won"),
        'D' => t!("form-drawn"),
        _ => t!("form-lost"),
    };
    let label = form.chars().map(named).collect::<Vec<_>>().join(", ");
    html! {
        @if !form.is_empty() {
            span.form role="img" aria-label=(t!("form-label", results = label)) {
                @for letter in form.chars() { i class=(words(letter)) aria-hidden="true" { (sign(letter)) } }
            }
        }
    }
}

/// A button that asks before it acts: its name, its question, and the form that acts.
pub(super) fn confirmed(name: &str, question: &str, form: &Markup) -> Markup {
    html! {
        details.confirm {
            summary.button { (name) }
            div.question { p { (question) } (form) }
        }
    }
}

/// The same for the row of a table, in which a question has no room: it opens over the page, and says of whom or what.
pub(super) fn confirmed_over(id: &str, name: &str, whom: &str, question: &str, form: &Markup) -> Markup {
    html! {
        button.small type="button" popovertarget=(id) { (name) }
        div.question popover="auto" id=(id) role="dialog" aria-label=(name) {
            p { strong { (whom) } }
            p { (question) }
            div.actions {
                (form)
                button type="button" popovertarget=(id) popovertargetaction="hide" { (t!("pages-cancel")) }
            }
        }
    }
}

/// A place, or that there is none.
pub(super) fn place(place: Option<u32>) -> String {
    place.map_or_else(|| "–".to_owned(), |place| place.to_string())
}

/// Places with a medal.
const MEDALS: u32 = 3;

/// A place, with a medal if it has one.
pub(super) fn medal(place: Option<u32>) -> Markup {
    html! {
        @match place {
            Some(place @ 1..=MEDALS) => span class={ "medal " "place" (place) } { (place) },
            _ => (self::place(place)),
        }
    }
}

/// Whether anyone can be on a podium.
pub(super) fn has_podium(programs: &[PlacedProgram]) -> bool {
    programs.iter().any(|row| row.place.is_some())
}

/// The best three of a ladder, which have their places there.
pub(super) fn podium(programs: &[PlacedProgram]) -> Markup {
    let best = programs.iter().filter_map(|row| Some((row.place?, &row.program)));
    html! {
        ol.podium { @for (place, program) in best.take(3) {
            li class={ "place" (place) } {
                span.medal aria-hidden="true" { (place) }
                span { (self::program(program)) }
                span.strong { (format!("{:.0}", program.rating)) }
                (form(&program.form))
            }
        } }
    }
}

/// A rating less certain than this, in Elo from end to end, says nothing about a program.
const WIDEST: f64 = 1_000.0;

/// Whether a rating is meaningful.
pub(super) fn is_known(rating: &Interval) -> bool {
    rating.high - rating.low <= WIDEST
}

/// A rating and its interval.
pub(super) fn rating(rating: &Interval) -> Markup {
    html! {
        @if is_known(rating) {
            (format!("{:.0}", rating.value)) " "
            span.faint { (format!("{:.0}–{:.0}", rating.low, rating.high)) }
        } @else {
            span.faint { (t!("rating-few")) }
        }
    }
}

/// How much a rating has changed within a day; empty if it has not.
pub(super) fn change(by: i32) -> Markup {
    html! {
        @if by > 0 { span.up { span aria-hidden="true" { "▲" } span.unseen { (t!("change-up")) " " } (by) } }
        @else if by < 0 { span.down { span aria-hidden="true" { "▼" } span.unseen { (t!("change-down")) " " } (-by) } }
    }
}

/// The share of the points in the games of two programs, from 0 to 1.
pub(super) fn share(meeting: &Meeting) -> f64 {
    (f64::from(meeting.wins) + f64::from(meeting.draws) / 2.0) / f64::from(meeting.games.max(1))
}

/// A share from 0 to 1 as a bar.
pub(super) fn share_bar(share: f64) -> Markup {
    let share = share.clamp(0.0, 1.0) * 100.0;
    html! {
        svg.share viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" {
            rect.all width="100" height="4" {}
            rect.part width=(format!("{share:.1}")) height="4" {}
        }
    }
}

/// The share of points, from 0 to 1.
pub(super) fn score(program: &SiteProgram) -> f64 {
    (f64::from(program.wins) + f64::from(program.draws) / 2.0) / f64::from(program.games.max(1))
}

#[cfg(test)]
mod tests {
    use super::{lines_named, linked};

    #[test]
    fn a_message_of_a_compiler_names_lines() {
        let check = |message: &str, wanted: &[usize]| assert_eq!(lines_named(message), wanted, "{message}");
        check("bot.cpp:3:5: error: expected `;`\nbot.cpp:7: note", &[3, 7]);
        check("  File \"bot.py\", line 12\n    def f(:\nSyntaxError: invalid", &[12]);
        check("error[E0425]: cannot find\n --> bot.rs:4:9", &[4]);
        check("CPP20 does not compile it:", &[]);
        check("TLE: no answer within 10000 ms at 10:30", &[]);
        check("", &[]);
    }

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
