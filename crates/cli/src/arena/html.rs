//! The results of a run as a part of a page.

use std::fmt::Write as _;

use agon_arena::plan::Kind;
use agon_arena::stats::Interval;
use agon_arena::{Plan, Standings, Summary, Tally};
use agon_catalog::Setup;
use agon_game::Interaction;

use super::tables::{
    FAILURES, Rows, adjudicated, agent_stats, between_two, contest_score, crosstable, failures, is_text, own_settings,
    standings, uncounted, warnings,
};
use crate::page::{dates, escaped, limits};
use crate::show::counted;

/// Returns the names of the seats in a run's games, and the interaction.
pub(crate) fn seats(plan: &Plan) -> ([&'static str; 2], Interaction) {
    let setup = Setup { seed: plan.seed, parameters: plan.parameters.clone() };
    let state = plan.game.initial_state(&setup);
    state.map_or((["first", "second"], Interaction::Session), |state| (state.seats(), state.interaction()))
}

/// Returns the kind of run, its game, and its agents: `Match of Renju: new – old`.
fn heading(plan: &Plan) -> String {
    let kind = match (plan.test, plan.kind, plan.agents.len()) {
        (Some(_), ..) => "SPRT",
        (None, Kind::Swiss { .. }, _) => "Swiss tournament",
        (None, _, 2) => "Match",
        (None, Kind::RoundRobin, _) => "Round-robin tournament",
        (None, Kind::Gauntlet, _) => "Gauntlet",
    };
    let who = match plan.agents.as_slice() {
        [first, second] => format!("{} – {}", first.name, second.name),
        agents => format!("{} agents", agents.len()),
    };
    format!("{kind} of {}: {who}", plan.game.title())
}

pub(crate) fn title(plan: &Plan, bouts: &[Summary]) -> String {
    let days = dates(bouts.iter().map(|bout| bout.started));
    if days.is_empty() { heading(plan) } else { format!("{}, {days}", heading(plan)) }
}

/// All results as a part of a page; `agon` is the version of the judge.
pub(crate) fn html(plan: &Plan, tally: &Tally, bouts: &[Summary], agon: &str) -> String {
    let ([first, second], interaction) = seats(plan);
    let facts = [
        counted(tally.bouts(), "game"),
        dates(bouts.iter().map(|bout| bout.started)),
        limits(&plan.limits, interaction).to_string(),
        format!("seed {}", plan.seed),
        plan.opening_file.as_ref().map_or_else(String::new, |file| format!("openings of {}", file.name)),
        format!("refereed by Agon {agon}"),
    ];
    let facts: Vec<&str> = facts.iter().map(String::as_str).filter(|fact| !fact.is_empty()).collect();
    let mut html = format!(
        "<h1>{}</h1>\n<p class=\"faint\">{}</p>\n<p class=\"faint\">{first} moves first, {second} second; the agents \
         of a pair of games swap seats.</p>\n",
        escaped(&heading(plan)),
        escaped(&facts.join(" · ")),
    );
    for own in own_settings(plan) {
        let _ = writeln!(html, "<p class=\"faint\">{}</p>", escaped(&own));
    }
    if plan.agents.len() == 2 {
        for line in anstream::adapter::strip_str(&between_two(plan, tally)).to_string().lines() {
            let _ = writeln!(html, "<p>{}</p>", escaped(line));
        }
    }
    if let Some(uncounted) = uncounted(tally) {
        let _ = writeln!(html, "<p class=\"faint\">{}</p>", escaped(&uncounted));
    }
    if let Some(line) = adjudicated(bouts) {
        let _ = writeln!(html, "<p>{}</p>", escaped(&line));
    }
    for warning in warnings(plan, tally) {
        let _ = writeln!(html, "<p><strong>{}</strong></p>", escaped(&warning));
    }
    html += "<h2>Standings</h2>\n";
    html += &html_table("standings", &standings(plan, tally, bouts));
    if tally.is_measured() {
        html += &ratings(plan, tally);
    }
    html += "<h2>Crosstable</h2>\n";
    html += &html_table("crosstable", &crosstable(plan, tally));
    if !plan.game.has_sessions() {
        html += "<h2>ALPHANO score</h2>\n";
        html += &html_table("ALPHANO score", &contest_score(plan, tally));
    }
    html += "<h2>Agents</h2>\n";
    html += &html_table("agents", &agent_stats(plan, tally));
    let failed = failures(plan, tally.failures(), FAILURES);
    if !failed.is_empty() {
        html += "<h2>Failures</h2>\n";
    }
    for line in failed {
        let _ = writeln!(html, "<p>{}</p>", escaped(&line));
    }
    html
}

/// Returns rows as a table that scrolls in its own box, by keyboard too; the first text column names the row.
pub(crate) fn html_table(label: &str, rows: &Rows) -> String {
    let texts: Vec<bool> = rows[0].iter().map(|heading| is_text(heading)).collect();
    let names = texts.iter().position(|&text| text);
    let row = |row: &Vec<String>, heading: bool| {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(at, cell)| {
                let (tag, scope) = match (heading, Some(at) == names) {
                    // The corner above the places is empty.
                    (true, _) if cell.is_empty() => ("td", ""),
                    (true, _) => ("th", " scope=\"col\""),
                    (false, true) => ("th", " scope=\"row\""),
                    (false, false) => ("td", ""),
                };
                let class = if texts[at] { " class=\"name\"" } else { "" };
                format!("<{tag}{scope}{class}>{}</{tag}>", escaped(cell))
            })
            .collect();
        format!("<tr>{}</tr>\n", cells.concat())
    };
    let body: Vec<String> = rows[1..].iter().map(|cells| row(cells, false)).collect();
    boxed(label, "scroll", &row(&rows[0], true), &body.concat())
}

/// Returns a table in a box that scrolls, by keyboard too.
pub(crate) fn boxed(label: &str, class: &str, head: &str, body: &str) -> String {
    format!(
        "<div class=\"{class}\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\"><table>\n<thead>{head}</thead>\n\
         <tbody>\n{body}</tbody></table></div>\n"
    )
}

/// Returns the ratings of each group of agents connected by games, on separate scales.
fn ratings(plan: &Plan, tally: &Tally) -> String {
    let ratings = tally.ratings(&plan.anchors());
    let places = Standings::new(plan, tally);
    let several = ratings.groups().len() > 1;
    let mut html = String::new();
    for number in 0..ratings.groups().len() {
        let agents = places.rows.iter().map(|row| row.agent).filter(|&agent| ratings.group_of(agent) == number);
        let rated: Vec<_> = agents.map(|agent| (plan.agents[agent].name.clone(), ratings.of(agent))).collect();
        let group = if several { format!(" of group {}", number + 1) } else { String::new() };
        html += &rating_bars(&group, &rated);
    }
    html
}

/// Ratings with their intervals on one scale.
pub(crate) fn rating_bars(group: &str, rated: &[(String, Interval)]) -> String {
    let low = rated.iter().map(|(_, interval)| interval.low).fold(f64::INFINITY, f64::min);
    let high = rated.iter().map(|(_, interval)| interval.high).fold(f64::NEG_INFINITY, f64::max);
    let place = |rating: f64| if high > low { 100.0 * (rating - low) / (high - low) } else { 50.0 };
    let mut body = String::new();
    let html = format!("<h2>Ratings{group}, from {low:.0} to {high:.0}</h2>\n");
    for (name, interval) in rated {
        let (from, to) = (place(interval.low), place(interval.high));
        let _ = writeln!(
            body,
            "<tr><th scope=\"row\" class=\"name\">{}</th><td>{:.0}</td><td><div class=\"bar\" aria-hidden=\"true\">\
             <i style=\"left:{from:.1}%;width:{:.1}%\"></i><b style=\"left:calc({:.1}% - .17rem)\"></b></div></td>\
             </tr>",
            escaped(name),
            interval.value,
            to - from,
            place(interval.value),
        );
    }
    let head = "<tr><th scope=\"col\" class=\"name\">agent</th><th scope=\"col\">rating</th>\
                <th scope=\"col\" class=\"name\">95 %</th></tr>";
    html + &boxed(&format!("ratings{group}"), "scroll", head, &body)
}
