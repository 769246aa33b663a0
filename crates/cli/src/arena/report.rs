//! `agon report`: a page with the tables of a run and its games on their boards.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

use agon_arena::store::Filter;
use agon_arena::{Plan, Summary, Tally};
use agon_catalog::Setup;
use agon_game::Side;
use agon_referee::record::{Record, Winner};
use agon_referee::replay;
use anyhow::Context;

use super::args::ReportArgs;
use super::{chart, export, html};
use crate::exit::{Exit, in_one_line};
use crate::left_out::LeftOut;
use crate::output;
use crate::page::{self, escaped};

/// Browsers take long to open more.
const MAX_GAMES_BYTES: usize = 48 << 20;

/// Maximum number of listed reasons for defeats, and of listed games for each.
const MAX_REASONS: usize = 200;
const MAX_EXAMPLES: usize = 12;

/// The games of a page as the viewer wants them, by their slots.
type Shown = BTreeMap<u32, String>;

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let (store, run) = export::open(&args.stored)?;
    output::check(&args.out, "the report")?;
    let stored = store.run(run)?;
    let plan = stored.plan;
    let (mut bouts, _) = store.readable(run)?;
    let tally = Tally::of(&plan, &bouts);
    bouts.retain(|bout| tally.counts(bout));
    let wanted = chosen(&bouts, args.games);
    let mut left_out = LeftOut::default();
    let mut kept = Vec::new();
    // Reading records also finds games whose row in the table is damaged.
    let unreadable = store.records::<anyhow::Error>(run, Filter::All, |bout, text| {
        if let Some(&rank) = wanted.get(&bout.slot) {
            match game(text, bout, &plan) {
                Ok(game) => kept.push((rank, bout.slot, game)),
                Err(error) => left_out.add(format!("game {} of run {run}: {}", bout.slot, in_one_line(&error))),
            }
        }
        Ok(())
    })?;
    left_out.extend(unreadable);
    kept.sort_unstable_by_key(|&(rank, ..)| rank);
    let mut bytes = 0;
    let games: Shown = kept
        .into_iter()
        .take_while(|(.., game)| {
            bytes += game.len();
            bytes <= MAX_GAMES_BYTES
        })
        .map(|(_, slot, game)| (slot, game))
        .collect();

    let mut body = html::html(&plan, &tally, &bouts, &stored.agon);
    body += &chart::over_time(&plan, &bouts);
    body += "<h2>Defeats</h2>\n";
    body += &defeats(&plan, &bouts, &games);
    body += "<h2>Games</h2>\n";
    body += &list(&plan, &bouts, &games);
    body += &page::viewer(games.len());
    for game in games.values() {
        body += game;
    }
    fs::write(&args.out, page::page(&html::title(&plan, &bouts), &body))
        .with_context(|| format!("cannot write `{}`", args.out.display()))?;
    writeln!(anstream::stdout(), "{}: {} of {} games with boards", args.out.display(), games.len(), bouts.len())?;
    Ok(left_out.exit())
}

/// The slots of the games to show, with their rank: one game of every reason for a defeat, then failed ones, then the
/// others.
fn chosen(bouts: &[Summary], most: usize) -> BTreeMap<u32, usize> {
    let mut known = HashSet::new();
    let mut ranked: Vec<(u8, u32)> = Vec::new();
    for bout in bouts {
        let rank = match (known.insert(defeat(bout)), bout.is_clean()) {
            (true, false) => 0,
            (true, true) => 1,
            (false, false) => 2,
            (false, true) => 3,
        };
        ranked.push((rank, bout.slot));
    }
    ranked.sort_unstable();
    ranked.into_iter().take(most).enumerate().map(|(rank, (_, slot))| (slot, rank)).collect()
}

/// Returns the agent that lost, and the reason, without the parts that differ from game to game.
fn defeat(bout: &Summary) -> Option<(usize, String)> {
    let loser = match bout.winner {
        Winner::First => Side::Second,
        Winner::Second => Side::First,
        Winner::Draw | Winner::Void => return None,
    };
    let kind = match (bout.verdicts[loser.index()], bout.fault(loser)) {
        (verdict, Some(fault)) => match &fault.kind {
            Some(kind) => format!("{verdict}: {}", kind.name()),
            None => format!("{verdict}: {}", fault.reason),
        },
        (_, None) => bout.reason.kind().to_string(),
    };
    Some((bout.seats[loser.index()], kind))
}

/// A record as the viewer wants it, its agents under the names that they have in the run.
fn game(text: &str, bout: &Summary, plan: &Plan) -> anyhow::Result<String> {
    let mut record = Record::read(text)?;
    let game = agon_catalog::Game::recorded(&record.header.game)
        .with_context(|| format!("`{}` is not a game of this version", record.header.game))?;
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    let mut start = game.initial_state(&setup)?;
    replay::begin(&record, start.as_mut());
    let moves = replay::prove(&record, game.initial_state(&setup)?.as_mut())?;
    for (agent, at) in record.header.agents.iter_mut().zip(bout.seats) {
        agent.agent.clone_from(&plan.agents[at].name);
    }
    Ok(page::data(bout.slot, &page::game(&record, start.as_ref(), &moves)?))
}

/// A game's number, which links to the position after a ply if the page contains the game.
fn link(slot: u32, ply: u32, games: &Shown) -> String {
    let ply = if ply > 0 { format!("&amp;ply={ply}") } else { String::new() };
    if games.contains_key(&slot) { format!("<a href=\"#game={slot}{ply}\">{slot}</a>") } else { slot.to_string() }
}

/// Lists the reasons of defeats by opponent, with the games; repeated games are not counted, as in the table of agents.
fn defeats(plan: &Plan, bouts: &[Summary], games: &Shown) -> String {
    let mut reasons: BTreeMap<(usize, String), Vec<&Summary>> = BTreeMap::new();
    for bout in Tally::counted(bouts) {
        if let Some(defeat) = defeat(bout) {
            reasons.entry(defeat).or_default().push(bout);
        }
    }
    if reasons.is_empty() {
        return "<p>No game was lost.</p>\n".to_owned();
    }
    let mut rows: Vec<_> = reasons.into_iter().collect();
    rows.sort_by_key(|((agent, _), lost)| (*agent, std::cmp::Reverse(lost.len())));
    let mut body = String::new();
    for ((agent, reason), lost) in rows.iter_mut().take(MAX_REASONS) {
        // Games in the page come first, at their last ply.
        lost.sort_by_key(|bout| (!games.contains_key(&bout.slot), bout.slot));
        let mut links: Vec<String> =
            lost.iter().take(MAX_EXAMPLES).map(|bout| link(bout.slot, bout.plies, games)).collect();
        if lost.len() > MAX_EXAMPLES {
            links.push("…".to_owned());
        }
        let _ = writeln!(
            body,
            "<tr><th scope=\"row\" class=\"name\">{}</th><td class=\"name\">{}</td><td>{}</td>\
             <td class=\"name\">{}</td></tr>",
            escaped(&plan.agents[*agent].name),
            escaped(reason),
            lost.len(),
            links.join(", "),
        );
    }
    let left = rows.len().saturating_sub(MAX_REASONS);
    let head = head(&[("loser", true), ("because", true), ("times", false), ("games", true)]);
    let mut table = html::boxed("defeats", "scroll", &head, &body);
    if left > 0 {
        let _ = writeln!(table, "<p class=\"faint\">… and {left} other reasons</p>");
    }
    table
}

fn head(columns: &[(&str, bool)]) -> String {
    let cells = columns.iter().map(|(name, text)| {
        let class = if *text { " class=\"name\"" } else { "" };
        format!("<th scope=\"col\"{class}>{}</th>", escaped(name))
    });
    format!("<tr>{}</tr>", cells.collect::<String>())
}

fn list(plan: &Plan, bouts: &[Summary], games: &Shown) -> String {
    let ([first, second], _) = html::seats(plan);
    let mut body = String::new();
    for bout in bouts.iter().filter(|bout| games.contains_key(&bout.slot)) {
        let names = bout.seats.map(|at| escaped(&plan.agents[at].name));
        let winner = match bout.winner {
            Winner::First => first,
            Winner::Second => second,
            Winner::Draw => "draw",
            Winner::Void => "none",
        };
        let _ = writeln!(
            body,
            "<tr><th scope=\"row\">{}</th><td class=\"name\">{}</td><td class=\"name\">{}</td>\
             <td class=\"name\">{winner}</td><td class=\"name\">{}</td><td>{}</td><td class=\"date\">{}</td></tr>",
            link(bout.slot, 0, games),
            names[0],
            names[1],
            escaped(&bout.reason.text),
            bout.plies,
            page::date(bout.started),
        );
    }
    let columns = [
        ("game", false),
        (first, true),
        (second, true),
        ("winner", true),
        ("because", true),
        ("plies", false),
        ("begun", false),
    ];
    let mut text = format!("<p class=\"faint\">{} of {} games. Choose one by its number.", games.len(), bouts.len());
    if games.len() < bouts.len() {
        text += " Those that failed come first, and one of every reason for a defeat. The others: \
                 <code>agon export --slot NUMBER</code>.";
    }
    text + "</p>\n" + &html::boxed("games", "scroll games", &head(&columns), &body)
}

#[cfg(test)]
mod tests {
    use agon_arena::summary::SideFault;
    use agon_message::Stated;
    use agon_referee::fault_kind::FaultKind;
    use agon_referee::verdict::Verdict;
    use agon_rules::renju::{Axis, RenjuEnding, RenjuWin};

    use super::*;

    fn bout(slot: u32, reason: Stated, fault: Option<FaultKind>) -> Summary {
        let fault = fault.map(|kind| SideFault { reason: reason.text.as_str().into(), kind: Some(kind) });
        let verdict = if fault.is_some() { Verdict::Re } else { Verdict::Ok };
        Summary {
            slot,
            seats: [0, 1],
            seed: 1,
            winner: Winner::Second,
            reason,
            verdicts: [verdict, Verdict::Ok],
            faults: fault.map(|fault| Box::new([Some(fault), None])),
            termination: None,
            score: None,
            plies: 0,
            time_ms: [0.0; 2],
            delay_ms: [0.0; 2],
            disturbed: [0; 2],
            started: 0,
            game_digest: 0,
        }
    }

    #[test]
    fn defeats_are_grouped_by_kind() {
        let check = |reason: Stated, fault, shown: &str| {
            assert_eq!(defeat(&bout(0, reason, fault)), Some((0, shown.to_owned())));
        };
        let five = |from: &str, to: &str| {
            let [from, to] = [from, to].map(str::to_owned);
            Stated::from(&RenjuEnding::Row { kind: RenjuWin::WhiteFive, line: Axis::Row, from, to })
        };
        check(five("D8", "H8"), None, "White has made a five");
        check(five("A1", "E1"), None, "White has made a five");
        let passed = Stated::from(&RenjuEnding::Passed);
        check(passed.clone(), None, &passed.text);
        // From a store written before reasons had keys.
        check("O has vanished".into(), None, "O has vanished");
        let taken = || Stated::from("first failed: RE: answered `MOVE 8 8`: H8 (8,8) is not empty");
        check(taken(), Some(FaultKind::Illegal { rule: None }), "RE: an illegal move");
    }

    #[test]
    fn every_reason_is_shown_before_all_failures_are() {
        let failed = |slot, kind| bout(slot, "any words".into(), Some(kind));
        let bouts = [
            bout(0, "five".into(), None),
            bout(1, "five".into(), None),
            failed(2, FaultKind::NoMove),
            failed(3, FaultKind::NoMove),
            failed(4, FaultKind::TooLong),
        ];
        let first = |most: usize| chosen(&bouts, most).into_keys().collect::<Vec<_>>();
        assert_eq!(first(2), [2, 4]);
        assert_eq!(first(3), [0, 2, 4]);
        assert_eq!(first(4), [0, 2, 3, 4]);
        assert_eq!(first(9), [0, 1, 2, 3, 4]);
    }
}
