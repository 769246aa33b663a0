//! The results of a run as text, JSON and CSV.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use agon_arena::export::csv_field;
use agon_arena::failures::{Failure, Failures};
use agon_arena::plan::{Entrant, Kind};
use agon_arena::runner::RunEnd;
use agon_arena::stats::sprt::{Sprt, Status};
use agon_arena::stats::{Interval, Pentanomial};
use agon_arena::tally::{AgentStats, MAX_COPIES, Wdl, sequential_elo};
use agon_arena::{Plan, Standings, Summary, Tally};
use agon_referee::record::Winner;
use agon_referee::text::line;
use serde_json::{Value, json};

use crate::show::{ERROR, FAINT, GOOD, STRONG, WARN, count, counted, paint, signed};
use crate::table::{self, TableLook};

/// Rows of a table, the first of them its heading.
pub(crate) type Rows = Vec<Vec<String>>;

pub(crate) fn text(plan: &Plan, tally: &Tally, bouts: &[Summary]) -> String {
    // A test ends by itself; of any other run the rest can still be played.
    let games = match plan.bouts() {
        all if plan.test.is_none() && tally.bouts() < all => {
            format!("{} of {}", count(tally.bouts()), counted(all, "game"))
        }
        _ => counted(tally.bouts(), "game"),
    };
    let mut text = format!("{} of {}: {games}\n", paint(STRONG, plan.title()), plan.game.title());
    if let Some(uncounted) = uncounted(tally) {
        text += &paint(FAINT, uncounted + "\n");
    }
    text += &openings(plan).unwrap_or_default();
    for line in own_settings(plan) {
        text += &paint(FAINT, line + "\n");
    }
    if tally.bouts() == 0 {
        return text;
    }
    if plan.agents.len() == 2 {
        text += &between_two(plan, tally);
    } else {
        text += &table(&standings(plan, tally, bouts));
        text += &table(&crosstable(plan, tally));
    }
    if !plan.game.has_sessions() {
        text += &table(&contest_score(plan, tally));
    }
    text += &table(&agent_stats(plan, tally));
    for failure in failures(plan, tally.failures(), FAILURES) {
        text += &format!("{} {failure}\n", paint(ERROR, "failed"));
    }
    if let Some(line) = adjudicated(bouts) {
        text += &(line + "\n");
    }
    for warning in warnings(plan, tally) {
        text += &paint(WARN, warning + "\n");
    }
    text
}

/// Describes each agent that has a name or a clock of its own, one per line: `new: nodes=300 champion, clock
/// 10s+100ms`.
pub(crate) fn own_settings(plan: &Plan) -> Vec<String> {
    let own = |agent: &Entrant| {
        let text = (agent.agent != agent.name).then(|| line(&agent.agent));
        let clock = agent.clock.map(|clock| format!("clock {clock}"));
        let own: Vec<String> = text.into_iter().chain(clock).collect();
        (!own.is_empty()).then(|| format!("{}: {}", line(&agent.name), own.join(", ")))
    };
    plan.agents.iter().filter_map(own).collect()
}

/// The file of openings and how far it reaches, in a line; `None` of a plan without one.
pub(crate) fn openings(plan: &Plan) -> Option<String> {
    let file = plan.opening_file.as_ref()?;
    let pairs = plan.pairs_each();
    let (times, left) = file.used_by(pairs);
    let openings = counted(file.count.into(), "opening");
    let start = file.start.map(|start| format!("from number {start}"));
    let plies = file.max_plies.map(|plies| format!("cut after {plies} {}", if plies == 1 { "ply" } else { "plies" }));
    let chosen: Vec<String> = start.into_iter().chain(plies).collect();
    let chosen = if chosen.is_empty() { String::new() } else { format!(" ({})", chosen.join(", ")) };
    let name = line(&file.name) + &chosen;
    let pairs = counted(pairs, "pair");
    Some(if times > 1 {
        let (are, each) = if file.count == 1 { ("is", "it") } else { ("are", "each") };
        paint(WARN, format!("{openings} of {name} {are} too few for {pairs}: {each} is played up to {times} times"))
            + "\n"
    } else {
        paint(FAINT, format!("{openings} of {name} for {pairs}: {} left", count(left))) + "\n"
    })
}

/// The same as JSON.
pub(crate) fn openings_json(plan: &Plan) -> Option<Value> {
    let file = plan.opening_file.as_ref()?;
    let (times, left) = file.used_by(plan.pairs_each());
    let mut value = json!({
        "file": file.name, "sha256": file.sha256, "order": file.order,
        "count": file.count, "times": times, "left": left,
    });
    for (name, number) in [("start", file.start), ("plies", file.max_plies)] {
        if let Some(number) = number {
            value[name] = number.into();
        }
    }
    Some(value)
}

/// Returns the number of adjudicated games as text, if there are any.
pub(crate) fn adjudicated(bouts: &[Summary]) -> Option<String> {
    let ended = || bouts.iter().filter(|bout| bout.is_adjudicated());
    let (all, draws) = (ended().count() as u64, ended().filter(|bout| bout.winner == Winner::Draw).count() as u64);
    let of = format!("{} and {}", counted(draws, "draw"), counted(all - draws, "win"));
    (all > 0).then(|| format!("{} of {} adjudicated: {of}", count(all), counted(bouts.len() as u64, "game")))
}

pub(crate) const FAILURES: usize = 10;

/// Lists why agents failed, one line per kind, most frequent first.
pub(crate) fn failures(plan: &Plan, failures: &Failures, most: usize) -> Vec<String> {
    let all = failures.most_first();
    let describe = |failure: &&Failure| {
        let at = match failure.moves {
            Some([low, high]) if low == high => format!(" on move {low}"),
            Some([low, high]) => format!(" on moves {low} to {high}"),
            None => String::new(),
        };
        let reason =
            if failure.reason.text.is_empty() { String::new() } else { format!(": {}", line(&failure.reason.text)) };
        let games = match failure.games {
            1 => format!("in game {}", failure.first),
            games => format!("(×{games}), first in game {}", failure.first),
        };
        format!("{}: {}{at}{reason} {games}", line(&plan.agents[failure.agent].name), failure.verdict)
    };
    let mut lines: Vec<String> = all.iter().take(most).map(describe).collect();
    if all.len() > most {
        lines.push(format!("{}: see `agon export --failed`", counted((all.len() - most) as u64, "other failure")));
    }
    lines
}

/// Returns the number of repeated games, with the remedy if there are more than a few.
fn repeated(plan: &Plan, tally: &Tally) -> Option<String> {
    let (repeated, games) = (tally.repeated(), tally.bouts());
    let repeats = if repeated == 1 {
        "repeats an earlier one move for move and does not count"
    } else {
        "repeat earlier ones move for move and do not count"
    };
    let said = format!("{} of {games} {repeats}", counted(repeated, "game"));
    match repeated {
        0 => None,
        few if few * MANY_REPEATS < games => Some(said),
        _ => Some(format!("{said}. {}", remedy(plan))),
    }
}

/// Repeated games among this number of games that are worth advice.
const MANY_REPEATS: u64 = 10;

/// Returns how to avoid repeated games.
pub(crate) fn remedy(plan: &Plan) -> String {
    let understood = plan.agents.iter().all(|agent| agent.openings);
    match plan.game.openings.usual_plies {
        0 => "Bots that draw their choices from AGON_SEED play different games".to_owned(),
        _ if plan.opening_file.is_some() => "A file with more openings makes more games differ".to_owned(),
        _ if plan.openings > 0 => {
            format!("More opening moves make more games differ: --openings {}", plan.openings + 2)
        }
        _ if understood => "Openings make games differ: --openings 4".to_owned(),
        _ => {
            "Openings make games differ: --openings-understood, if the bots read OPENING lines as the samples do; else \
              let a bot seed its random numbers from AGON_SEED"
                .to_owned()
        }
    }
}

/// Lists the caveats of the numbers, one per line.
pub(crate) fn warnings(plan: &Plan, tally: &Tally) -> Vec<String> {
    let mut warnings: Vec<String> = groups(plan, tally).into_iter().collect();
    warnings.extend(repeated(plan, tally));
    if tally.void() > 0 {
        let were = if tally.void() == 1 { "was void, without a winner" } else { "were void, without a winner" };
        warnings.push(format!("{} {were}", counted(tally.void(), "game")));
    }
    warnings
}

/// Lists the groups of agents that are not connected by games, if there are several.
fn groups(plan: &Plan, tally: &Tally) -> Option<String> {
    let ratings = tally.ratings(&plan.anchors());
    let groups = ratings.groups();
    if groups.len() < 2 {
        return None;
    }
    let names = |group: &Vec<usize>| {
        let shown: Vec<String> = group.iter().take(GROUP_NAMES).map(|&at| line(&plan.agents[at].name)).collect();
        let more = if group.len() > GROUP_NAMES { ", …" } else { "" };
        format!("{}{more}", shown.join(", "))
    };
    let mut shown: Vec<String> = groups.iter().take(GROUPS).map(names).collect();
    if groups.len() > GROUPS {
        shown.push(format!("and {} more", groups.len() - GROUPS));
    }
    Some(format!(
        "no game connects these {} groups of agents: {}. Each group is rated apart: its ratings say nothing about \
         those of another one",
        groups.len(),
        shown.join(" | ")
    ))
}

/// Groups of agents that are named, and names in each.
const GROUPS: usize = 8;
const GROUP_NAMES: usize = 8;

/// Games that are stored and not counted, where there are any: `3 extra games after the decision`.
pub(crate) fn uncounted(tally: &Tally) -> Option<String> {
    let extra = (tally.extra() > 0).then(|| {
        let after = if tally.repeats() {
            "after the test gave up"
        } else if tally.decided() {
            "after the decision"
        } else {
            "beyond the length asked for"
        };
        format!("{} {after}", counted(tally.extra(), "extra game"))
    });
    let waiting = (tally.waiting() > 0).then(|| format!("{} of incomplete pairs", counted(tally.waiting(), "game")));
    let all: Vec<String> = extra.into_iter().chain(waiting).collect();
    (!all.is_empty()).then(|| format!("not counted: {}", all.join(", ")))
}

/// Games that are stored from when the run was longer, in words; `None` if there are none.
pub(crate) fn beyond(games: u64, plan: &Plan) -> Option<String> {
    let do_not = if games == 1 { "does not" } else { "do not" };
    (games > 0)
        .then(|| format!("{} beyond the {} asked for {do_not} count", counted(games, "more game"), count(plan.bouts())))
}

/// Returns the log likelihood ratio with its bounds, and its decision between the hypotheses.
pub(crate) fn decision(tally: &Tally) -> Option<String> {
    let decision = tally.test()?;
    let word = match decision.status {
        Status::Continue if tally.repeats() => paint(
            WARN,
            format!("given up: the last {MAX_COPIES} pairs were copies of earlier ones ({})", decision.test.setting()),
        ),
        status => {
            let style = match status {
                Status::Continue => FAINT,
                Status::H0 => WARN,
                Status::H1 => GOOD,
            };
            paint(style, decision.test.verdict(status))
        }
    };
    Some(likelihood_ratio(&decision.test, decision.llr, &word))
}

/// Returns `LLR +3.07 in [−2.94, +2.94]: ` followed by a word.
pub(crate) fn likelihood_ratio(test: &Sprt, llr: f64, word: &str) -> String {
    let (low, high) = test.bounds();
    let [llr, low, high] = [llr, low, high].map(|value| signed(value, 2));
    format!("LLR {llr} in [{low}, {high}]: {word}")
}

pub(crate) fn between_two(plan: &Plan, tally: &Tally) -> String {
    let cell = tally.against(0, 1);
    let pairs = tally.pairs(0, 1);
    let [first, second] = [0, 1].map(|at| line(&plan.agents[at].name));
    let mut text = format!(
        "{} – {}: {}, {}, {}, {:.1} %\n",
        paint(STRONG, first),
        second,
        counted(cell.wins, "win"),
        counted(cell.draws, "draw"),
        if cell.losses == 1 { "1 loss".to_owned() } else { format!("{} losses", count(cell.losses)) },
        100.0 * cell.points() / cell.bouts().max(1) as f64
    );
    if tally.is_one_pair(0, 1) {
        text += &paint(
            WARN,
            format!("no Elo: all {} pairs are the same, which is too little evidence\n", pairs.pairs() + pairs.copies),
        );
    } else if pairs.pairs() > 0 {
        text += &format!(
            "Elo {}, likelihood of superiority {:.1} %\n{}\n",
            paint(STRONG, interval(&pairs.elo(), 1)),
            100.0 * pairs.los(),
            paint(FAINT, format!("{}, 95 % intervals from them", pair_counts(&pairs))),
        );
    }
    if let Some(decision) = decision(tally) {
        text += &format!("{decision}\n");
    }
    let undecided = tally.test().is_some_and(|test| test.status == Status::Continue) && !tally.repeats();
    if undecided && pairs.pairs() >= plan.bouts() / 2 {
        text += if pairs.elo().low > 0.0 {
            "the games are over before the test could decide: go on with a larger -n\n"
        } else {
            "the games are over: keep the old one, or go on with a larger -n\n"
        };
    }
    text
}

/// Returns the Elo line while a series is being played; `None` before the first pair.
pub(crate) fn elo(tally: &Tally) -> Option<String> {
    let pairs = tally.pairs(0, 1);
    if tally.is_one_pair(0, 1) {
        return Some(format!("no Elo: all {} pairs are the same", pairs.pairs() + pairs.copies));
    }
    (pairs.pairs() > 0).then(|| format!("Elo {}", interval(&pairs.elo(), 1)))
}

/// `LL 1, LD 0, DD or WL 5, WD 1, WW 3 (10 pairs)`
pub(crate) fn pair_counts(pairs: &Pentanomial) -> String {
    let names = ["LL", "LD", "DD or WL", "WD", "WW"];
    let counts: Vec<String> = names.iter().zip(pairs.counts).map(|(name, n)| format!("{name} {n}")).collect();
    format!("{} ({})", counts.join(", "), counted(pairs.pairs(), "pair"))
}

/// `+35.2 (+10.1 to +60.9)`
pub(crate) fn interval(interval: &Interval, digits: usize) -> String {
    let signed = |value: f64| match value {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        value => signed(value, digits),
    };
    format!("{} ({} to {})", signed(interval.value), signed(interval.low), signed(interval.high))
}

pub(crate) fn standings(plan: &Plan, tally: &Tally, bouts: &[Summary]) -> Rows {
    let standings = Standings::new(plan, tally);
    let ratings = tally.ratings(&plan.anchors());
    let sequential = sequential_elo(plan.agents.len(), bouts);
    // Without Elo, there is no rating.
    let measured = tally.is_measured();
    let swiss = matches!(plan.kind, Kind::Swiss { .. });
    let mut rows = vec![vec!["", "agent", "points", "%", "W", "D", "L", "rating", "95 %", "ALPHANO Elo"]];
    rows[0].push(if swiss { "Buchholz" } else { "S–B" });
    // A bye brings the points of its round without a game.
    let byes = plan.agents.len() % 2 == 1 && swiss;
    if byes {
        rows[0].insert(7, "byes");
    }
    let grouped = ratings.groups().len() > 1;
    if grouped {
        rows[0].push("group");
    }
    let mut rows: Rows = rows.into_iter().map(|row| row.into_iter().map(str::to_owned).collect()).collect();
    for row in &standings.rows {
        let rating = ratings.of(row.agent);
        let is_given = plan.agents[row.agent].rating.is_some();
        rows.push(vec![
            row.place.map_or_else(|| "–".to_owned(), |place| place.to_string()),
            plan.agents[row.agent].name.clone(),
            format!("{:.1}", row.points),
            format!("{:.1}", 100.0 * row.share()),
            row.bouts.wins.to_string(),
            row.bouts.draws.to_string(),
            row.bouts.losses.to_string(),
            if is_given || measured { format!("{:.0}", rating.value) } else { "–".to_owned() },
            match (is_given, measured) {
                (true, _) => "given".to_owned(),
                (false, true) => format!("± {:.0}", (rating.high - rating.low) / 2.0),
                (false, false) => "–".to_owned(),
            },
            format!("{:.0}", sequential[row.agent]),
            format!("{:.1}", if swiss { row.buchholz } else { row.sonneborn }),
        ]);
        if byes && let Some(cells) = rows.last_mut() {
            cells.insert(7, tally.agent(row.agent).byes.to_string());
        }
        if grouped && let Some(cells) = rows.last_mut() {
            cells.push((ratings.group_of(row.agent) + 1).to_string());
        }
    }
    rows
}

/// The score of each agent against each other, in the order of the standings.
pub(crate) fn crosstable(plan: &Plan, tally: &Tally) -> Rows {
    let order: Vec<usize> = Standings::new(plan, tally).rows.iter().map(|row| row.agent).collect();
    let mut heading = vec![String::new(), "points against".to_owned()];
    heading.extend((1..=order.len()).map(|place| place.to_string()));
    let mut rows = vec![heading];
    for (place, &agent) in order.iter().enumerate() {
        let mut row = vec![(place + 1).to_string(), plan.agents[agent].name.clone()];
        row.extend(order.iter().map(|&other| {
            let cell = tally.against(agent, other);
            if cell.bouts() == 0 { "·".to_owned() } else { format!("{} of {}", cell.points(), cell.bouts()) }
        }));
        rows.push(row);
    }
    rows
}

/// The score of the petri dish on ALPHANO: games won against each other colony; draws count for neither side.
pub(crate) fn contest_score(plan: &Plan, tally: &Tally) -> Rows {
    let agents = plan.agents.len();
    let wins = |agent: usize| (0..agents).map(|other| tally.against(agent, other).wins).sum::<u64>();
    let mut order: Vec<usize> = (0..agents).collect();
    order.sort_by_key(|&agent| (std::cmp::Reverse(wins(agent)), agent));
    let mut heading = vec![String::new(), "ALPHANO score".to_owned(), "wins".to_owned()];
    heading.extend((1..=agents).map(|place| place.to_string()));
    let mut rows = vec![heading];
    for (place, &agent) in order.iter().enumerate() {
        let mut row = vec![(place + 1).to_string(), plan.agents[agent].name.clone(), wins(agent).to_string()];
        row.extend(order.iter().map(|&other| {
            let cell = tally.against(agent, other);
            if cell.bouts() == 0 { "·".to_owned() } else { cell.wins.to_string() }
        }));
        rows.push(row);
    }
    rows
}

pub(crate) fn agent_stats(plan: &Plan, tally: &Tally) -> Rows {
    let heading =
        ["agent", "as first", "as second", "time a game", "least left", "faults", "defeats", "delay", "disturbed"];
    let mut rows: Rows = vec![heading.map(str::to_owned).to_vec()];
    for (at, agent) in plan.agents.iter().enumerate() {
        let stats: &AgentStats = tally.agent(at);
        let counts = |counts: &BTreeMap<&'static str, u64>| {
            let texts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
            if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
        };
        let seat = |cell: Wdl| format!("+{} ={} −{}", cell.wins, cell.draws, cell.losses);
        let games = stats.bouts.max(1) as f64;
        rows.push(vec![
            agent.name.clone(),
            seat(stats.by_seat[0]),
            seat(stats.by_seat[1]),
            format!("{:.1} ms", stats.time_ms / games),
            stats.least_left_ms.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.0} ms")),
            counts(&stats.faults),
            counts(&stats.defeats),
            format!("{:.2} ms", stats.delay_ms / games),
            stats.disturbed.to_string(),
        ]);
    }
    rows
}

/// Returns true if the column with this heading contains text, not numbers.
pub(crate) fn is_text(heading: &str) -> bool {
    matches!(heading, "agent" | "points against" | "ALPHANO score" | "faults" | "defeats" | "note")
}

fn table(rows: &Rows) -> String {
    let shown = rows[1..].iter().map(|row| row.iter().map(|cell| line(cell)).collect::<Vec<_>>());
    let all: Rows = std::iter::once(rows[0].clone()).chain(shown).collect();
    let names: Vec<usize> = (0..rows[0].len()).filter(|&at| is_text(&rows[0][at])).collect();
    // The place, if there is one, and the name.
    let keys = names.first().map_or(0, |name| name + 1);
    table::table(&all, keys, &names, TableLook::Ruled)
}

pub(crate) fn json(plan: &Plan, run: i64, tally: &Tally, bouts: &[Summary], ending: Option<RunEnd>) -> Value {
    let ratings = tally.ratings(&plan.anchors());
    let sequential = sequential_elo(plan.agents.len(), bouts);
    // Many copies of one pair do not show how far its result can be trusted.
    let is_measured = tally.is_measured();
    let agents: Vec<Value> = (0..plan.agents.len())
        .map(|at| {
            let rating = ratings.of(at);
            let [value, low, high] = [rating.value, rating.low, rating.high].map(|elo| is_measured.then_some(elo));
            json!({
                "name": plan.agents[at].name, "agent": plan.agents[at].agent,
                "clock": plan.clock_of(at).to_string(), "conduct": tally.agent(at),
                "rating": value, "rating_low": low, "rating_high": high,
                "contest_elo": sequential[at], "group": ratings.group_of(at) + 1,
            })
        })
        .collect();
    let names = |group: &Vec<usize>| group.iter().map(|&at| plan.agents[at].name.clone()).collect::<Vec<_>>();
    let mut value = json!({
        "run": run, "game": plan.game.name(), "kind": plan.title(), "seed": plan.seed, "clock_ms": plan.limits.clock_ms,
        "clock": plan.limits.clock_text(),
        "games": tally.bouts(), "void": tally.void(), "agents": agents,
        // Ratings of different groups cannot be compared.
        "groups": ratings.groups().iter().map(names).collect::<Vec<_>>(),
        "standings": Standings::new(plan, tally).rows, "copies": tally.copies(), "repeated_games": tally.repeated(),
        "failures": tally.failures().most_first(),
        "ending": ending.map(|ending| match ending {
            RunEnd::Complete => "complete",
            RunEnd::Decided => "decided",
            RunEnd::Repeats => "repeats",
            RunEnd::Stopped => "stopped",
        }),
    });
    if let Some(file) = openings_json(plan) {
        value["opening_file"] = file;
    }
    if plan.agents.len() == 2 {
        let (cell, pairs) = (tally.against(0, 1), tally.pairs(0, 1));
        let spread = |interval: Interval| json!([interval.low, interval.value, interval.high]);
        value["wins"] = cell.wins.into();
        value["draws"] = cell.draws.into();
        value["losses"] = cell.losses.into();
        value["pairs"] = json!(pairs.counts);
        value["different_pairs"] = pairs.pairs().into();
        value["elo"] = if is_measured { spread(pairs.elo()) } else { Value::Null };
        value["normalized_elo"] = pairs.normalized_elo().filter(|_| is_measured).map_or(Value::Null, spread);
        value["los"] = if is_measured { pairs.los().into() } else { Value::Null };
    }
    if let adjudicated @ 1.. = bouts.iter().filter(|bout| bout.is_adjudicated()).count() {
        value["adjudicated"] = adjudicated.into();
    }
    if let Some(test) = sprt(tally) {
        value["sprt"] = test;
        value["extra_games"] = tally.extra().into();
        value["waiting_games"] = tally.waiting().into();
    }
    value
}

/// The state of a sequential test, with its hypotheses.
pub(crate) fn sprt(tally: &Tally) -> Option<Value> {
    let decision = tally.test()?;
    Some(sprt_json(&decision.test, decision.llr, decision.status, decision.pairs.counts))
}

/// Returns a test's judgement of these pairs as JSON.
pub(crate) fn sprt_json(test: &Sprt, llr: f64, status: Status, pairs: [u64; 5]) -> Value {
    let (low, high) = test.bounds();
    json!({
        "llr": llr, "bounds": [low, high], "pairs": pairs, "status": status, "decision": test.verdict(status),
        "hypotheses": { "H0": test.hypothesis(Status::H0), "H1": test.hypothesis(Status::H1) },
        "elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta, "scale": test.scale,
    })
}

pub(crate) fn csv(plan: &Plan, bouts: &[Summary]) -> String {
    let mut text = "slot,first,second,winner,reason,first_verdict,second_verdict,first_score,second_score,plies,\
                    first_ms,second_ms,seed\n"
        .to_owned();
    for bout in bouts {
        let [first, second] = bout.seats.map(|at| csv_field(&plan.agents[at].name));
        let score = bout.score.map_or([String::new(), String::new()], |score| score.map(|points| points.to_string()));
        let _ = writeln!(
            text,
            "{},{first},{second},{},{},{},{},{},{},{},{},{},{}",
            bout.slot,
            bout.winner,
            csv_field(&bout.reason.text),
            bout.verdicts[0],
            bout.verdicts[1],
            score[0],
            score[1],
            bout.plies,
            bout.time_ms[0],
            bout.time_ms[1],
            bout.seed,
        );
    }
    text
}
