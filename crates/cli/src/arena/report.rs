//! `agon report`: a page with the tables of a run and every game on its board.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

use agon_arena::stats::elo;
use agon_arena::store::Filter;
use agon_arena::tally::elo_steps;
use agon_arena::{Plan, Summary, Tally};
use agon_referee::record::{Record, Winner};
use agon_referee::replay;
use agon_rules::catalog::Setup;
use anyhow::Context;
use serde_json::{Value, json};

use super::args::ReportArgs;
use super::{export, tables};
use crate::exit::Exit;
use crate::left_out::LeftOut;
use crate::output;
use crate::page::{self, VIEWER, escaped};

/// Writes the page.
pub fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let (store, run) = export::open(&args.stored)?;
    output::check(&args.out, "the report", false)?;
    let plan = store.run(run)?.plan;
    let mut left_out = LeftOut::default();
    let mut games: Vec<(bool, u32, Value)> = Vec::new();
    // With their records, those are found unreadable whose row of the tables is.
    let unreadable = store.records::<anyhow::Error>(run, Filter::All, |bout, text| {
        let failed = !bout.is_clean();
        if failed || games.len() < args.games {
            match game(text) {
                Ok(game) => games.push((!failed, bout.slot, game)),
                Err(error) => left_out.add(format!("game {} of run {run}: {error:#}", bout.slot)),
            }
        }
        Ok(())
    })?;
    left_out.extend(unreadable);
    let (bouts, _) = store.readable(run)?;
    let tally = Tally::of(&plan, &bouts);
    games.sort_by_key(|&(clean, slot, _)| (clean, slot));
    games.truncate(args.games);
    games.sort_by_key(|&(_, slot, _)| slot);

    let mut body = tables::html(&plan, &tally, &bouts);
    body += &over_time(&plan, &bouts);
    body += "<h2>Defeats</h2>\n";
    body += &defeats(&plan, &bouts);
    let shown = games.len();
    let _ = write!(
        body,
        "<h2>Games</h2>\n<p class=\"faint\">{shown} of {} games. Choose one; the arrow keys go through it.</p>\n\
         <select id=\"choice\" aria-label=\"game\">\n",
        bouts.len()
    );
    let by_slot = |slot: u32| bouts.iter().find(|bout| bout.slot == slot);
    for (at, (_, slot, _)) in games.iter().enumerate() {
        let Some(bout) = by_slot(*slot) else { continue };
        let names = bout.seats.map(|at| plan.agents[at].name.as_str());
        let label = format!("{slot}: {} – {}, {}: {}", names[0], names[1], bout.winner, bout.reason);
        let _ = writeln!(body, "<option value=\"{at}\">{}</option>", escaped(&label));
    }
    body += "</select>\n<div class=\"game\" id=\"game\"></div>\n";
    let games: Vec<&Value> = games.iter().map(|(_, _, game)| game).collect();
    let script = format!(
        "{VIEWER}\nconst games = {};\nconst choice = document.getElementById('choice');\n\
         const show = () => games.length && mount(document.getElementById('game'), games[choice.value || 0]);\n\
         choice.addEventListener('change', show);\nshow();",
        page::inline_json(&json!(games))
    );
    let title = format!("{} of {}", plan.title(), plan.game.title());
    fs::write(&args.out, page::page(&title, &body, &script))
        .with_context(|| format!("cannot write `{}`", args.out.display()))?;
    writeln!(anstream::stdout(), "{}: {shown} of {} games on their boards", args.out.display(), bouts.len())?;
    Ok(left_out.exit())
}

/// A record as the viewer wants it.
fn game(text: &str) -> anyhow::Result<Value> {
    let record = Record::read(text)?;
    let game = agon_rules::catalog::Game::by_name(&record.header.game)
        .with_context(|| format!("`{}` is no game of this version", record.header.game))?;
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    let mut start = game.contest(&setup)?;
    replay::begin(&record, start.as_mut());
    let moves = replay::prove(&record, game.contest(&setup)?.as_mut())?;
    page::game(&record, start.as_ref(), &moves)
}

/// Each agent's contest Elo after each of its games, as a drawing.
fn over_time(plan: &Plan, bouts: &[Summary]) -> String {
    const WIDTH: f64 = 900.0;
    const HEIGHT: f64 = 260.0;
    let agents = plan.agents.len();
    let mut lines = vec![vec![(0.0, elo::START)]; agents];
    for (number, seats, after) in elo_steps(agents, bouts) {
        for (agent, rating) in seats.into_iter().zip(after) {
            lines[agent].push((number as f64 + 1.0, rating));
        }
    }
    let all = lines.iter().flatten().map(|point| point.1);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), r| (low.min(r), high.max(r)));
    let (low, high) = (low - 10.0, high + 10.0);
    let x = |n: f64| 50.0 + (WIDTH - 60.0) * n / (bouts.len().max(1)) as f64;
    let y = |rating: f64| HEIGHT - 20.0 - (HEIGHT - 40.0) * (rating - low) / (high - low);
    let mut svg = format!(
        "<h2>Contest Elo, game by game</h2>\n<div class=\"scroll\"><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         role=\"img\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    for rating in [low, f64::midpoint(low, high), high] {
        let _ = writeln!(
            svg,
            "<line x1=\"50\" x2=\"{}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#ded9cd\"/><text x=\"4\" y=\"{2:.1}\" \
             font-size=\"12\">{rating:.0}</text>",
            WIDTH - 10.0,
            y(rating),
            y(rating) + 4.0
        );
    }
    for (agent, points) in lines.iter().enumerate() {
        let hue = 360 * agent / agents.max(1) + 205;
        let path: Vec<String> = points.iter().map(|&(n, rating)| format!("{:.1},{:.1}", x(n), y(rating))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"hsl({hue} 60% 45%)\" stroke-width=\"1.8\"/>",
            path.join(" ")
        );
    }
    svg += "</svg></div>\n<p>";
    for (agent, entrant) in plan.agents.iter().enumerate() {
        let hue = 360 * agent / agents.max(1) + 205;
        let _ = write!(svg, "<span style=\"color:hsl({hue} 60% 40%)\">■</span> {} &nbsp; ", escaped(&entrant.name));
    }
    svg + "</p>\n"
}

/// Which reasons decided games against whom.
fn defeats(plan: &Plan, bouts: &[Summary]) -> String {
    let mut counts: std::collections::BTreeMap<(usize, &str), u64> = std::collections::BTreeMap::new();
    for bout in bouts {
        let loser = match bout.winner {
            Winner::First => bout.seats[1],
            Winner::Second => bout.seats[0],
            _ => continue,
        };
        *counts.entry((loser, bout.reason.as_str())).or_default() += 1;
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|&((agent, _), count)| (agent, std::cmp::Reverse(count)));
    let mut html = "<div class=\"scroll\"><table>\n<tr><th class=\"name\">lost by</th><th class=\"name\">because</th>\
                    <th>games</th></tr>\n"
        .to_owned();
    for ((agent, reason), count) in rows {
        let name = escaped(&plan.agents[agent].name);
        let _ = writeln!(
            html,
            "<tr><td class=\"name\">{name}</td><td class=\"name\">{}</td><td>{count}</td></tr>",
            escaped(reason)
        );
    }
    html + "</table></div>\n"
}
