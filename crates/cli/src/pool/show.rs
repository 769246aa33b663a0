//! The list of a pool, with a plot of its ratings.

use std::fmt::Write as _;
use std::io::Write as _;

use agon_arena::pool::{MemberStanding, Phase, Pool, PoolStanding, WeakSpot};
use agon_arena::stats::Interval;
use agon_referee::agent::quoted;
use agon_referee::text::line;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::options::Format;
use crate::output;
use crate::show::{FAINT, GOOD, STRONG, WARN, counted, folded, paint};

/// Columns of the plot.
const PLOT_WIDTH: usize = 28;

/// Characters of a name and of a note.
const MAX_NAME: usize = 20;
const MAX_NOTE: usize = 24;

/// The likelihood from which on one version counts as weaker than another.
const LIKELY: f64 = 0.9;

/// Below this likelihood of being stronger two versions are level.
const LEVEL: f64 = 0.6;

/// Prints a pool.
pub(super) fn print(pool: &Pool, standing: &PoolStanding, format: Format) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    match format {
        Format::Json => writeln!(out, "{}", output::json(json_of(pool, standing)))?,
        Format::Text => write!(out, "{}", text(pool, standing))?,
    }
    Ok(())
}

fn json_of(pool: &Pool, standing: &PoolStanding) -> Value {
    let versions = pool.versions();
    let member = |at: usize| {
        let MemberStanding { rating, games, points, failures } = standing.of(at);
        let mut json = json!({
            "name": pool.name(at), "rating": rating.map(|it| [it.low, it.value, it.high]), "games": games,
            "points": points, "failures": failures,
        });
        if let Some(version) = versions.get(at) {
            json["version"] = json!(version.number);
            json["digest"] = json!(version.digest);
            json["saved"] = json!(version.saved);
            json["note"] = json!(version.note);
            json["source"] = json!(version.source);
        }
        json
    };
    let best = standing.best();
    let latest = weaker(pool, standing).map(|(at, best, likelihood)| {
        json!({
            "name": pool.name(at), "weaker_than": pool.name(best), "likelihood": likelihood,
            "weak_spot": standing.weak_spot(at, best).map(|spot| json!({
                "opponent": pool.name(spot.opponent), "points": spot.own, "best_points": spot.best, "games": spot.phase,
            })),
        })
    });
    json!({
        "game": pool.game().name(), "games": standing.games(), "best": best.map(|at| pool.name(at)),
        "behind": latest, "members": (0..pool.members()).map(member).collect::<Vec<_>>(),
    })
}

fn text(pool: &Pool, standing: &PoolStanding) -> String {
    let members: Vec<MemberStanding> = (0..pool.members()).map(|at| standing.of(at)).collect();
    let mut text = format!("{}\n", paint(STRONG, heading(pool, standing)));
    let rated = members.iter().filter_map(|member| member.rating);
    let (low, high) =
        rated.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it.low), high.max(it.high)));
    let best = standing.best();
    for (at, member) in members.iter().enumerate() {
        if at == pool.versions().len() {
            text.push('\n');
        }
        let rating = member.rating.map_or_else(
            || "not rated".to_owned(),
            |it| format!("{:>5.0} ±{:>4.0}", it.value, (it.high - it.low) / 2.0),
        );
        let plot = member.rating.map_or_else(|| " ".repeat(PLOT_WIDTH), |it| plot(it, low, high));
        let name = cut(&line(&pool.name(at)), MAX_NAME);
        let games = format!("{:>5}", member.games);
        let row = match pool.versions().get(at) {
            Some(version) => {
                let note = version.note.as_deref().map_or(String::new(), |note| cut(&line(note), MAX_NOTE));
                format!("{name:<5} {}  {rating:<12}  {plot}  {games}  {note}", date(version.saved))
            }
            None => format!("{name:<17} {rating:<12}  {plot}  {games}"),
        };
        let row = row.trim_end();
        let _ = match best {
            Some(best) if best == at => writeln!(text, "{}", paint(GOOD, row)),
            _ if at >= pool.versions().len() => writeln!(text, "{}", paint(FAINT, row)),
            _ => writeln!(text, "{row}"),
        };
    }
    if let Some(best) = best {
        let style = if weaker(pool, standing).is_some() { WARN } else { GOOD };
        let words = folded("", &conclusion(pool, standing, best));
        let lines: Vec<String> = words.lines().map(|line| paint(style, line)).collect();
        let _ = writeln!(text, "\n{}", lines.join("\n"));
    } else {
        let _ = writeln!(text, "\nno games yet: `agon pool play` plays them");
    }
    for failed in failures(pool, &members) {
        let _ = writeln!(text, "{}", paint(WARN, failed));
    }
    text
}

/// Lists how often versions failed in their games, and the commands that show why.
fn failures(pool: &Pool, members: &[MemberStanding]) -> Vec<String> {
    let versions = members.iter().take(pool.versions().len()).enumerate();
    let failed = versions.filter(|(_, member)| member.failures > 0);
    let mut lines: Vec<String> = failed
        .map(|(at, member)| {
            let games = counted(member.games, "game");
            format!("{} failed in {} of {games}", line(&pool.name(at)), member.failures)
        })
        .collect();
    if !lines.is_empty() {
        lines.push(format!("why      agon results --faults --db {}", quoted(&pool.store().display().to_string())));
    }
    lines
}

/// `renju: 9 versions, 5 opponents, 400 games`
pub(super) fn heading(pool: &Pool, standing: &PoolStanding) -> String {
    format!(
        "{}: {}, {}, {}",
        pool.game().name(),
        counted(pool.versions().len() as u64, "version"),
        counted(pool.opponents().len() as u64, "opponent"),
        counted(standing.games(), "game"),
    )
}

/// Returns which version is best, and where the last one is behind it.
pub(super) fn conclusion(pool: &Pool, standing: &PoolStanding, best: usize) -> String {
    let rivals = (0..pool.versions().len()).filter(|&at| at != best && standing.of(at).rating.is_some());
    let rival = rivals.max_by(|&a, &b| standing.los(a, best).total_cmp(&standing.los(b, best)));
    let name = pool.name(best);
    let mut words = match rival {
        Some(rival) => {
            let likelihood = standing.los(best, rival);
            let likely = percent(likelihood);
            if likelihood < LEVEL {
                format!("{name} and {} are level so far; play more games", pool.name(rival))
            } else {
                format!("{name} is your best version ({likely} likely stronger than {})", pool.name(rival))
            }
        }
        None => format!("{name} is your only version with games"),
    };
    if let Some((at, best, likelihood)) = weaker(pool, standing) {
        let (own, name) = (pool.name(at), pool.name(best));
        let sure = if likelihood >= LIKELY { "is weaker than" } else { "may be weaker than" };
        let _ = write!(words, "; {own} {sure} {name} ({} likely)", percent(likelihood));
        if let Some(WeakSpot { opponent, own, best, phase }) = standing.weak_spot(at, best) {
            let opponent = line(&pool.name(opponent));
            let _ = write!(
                words,
                ": it scored {} of {} against {opponent}, {name} {} of {}",
                points(own[0]),
                own[1],
                points(best[0]),
                best[1]
            );
            words += match phase {
                Some(Phase::Long) => ", and loses more in long games",
                Some(Phase::Short) => ", and loses more in short games",
                None => "",
            };
        }
    }
    words
}

/// The newest version, the best one, and the likelihood that the newest is weaker, if it is not the best itself.
fn weaker(pool: &Pool, standing: &PoolStanding) -> Option<(usize, usize, f64)> {
    let best = standing.best()?;
    let newest = (0..pool.versions().len()).rfind(|&at| standing.of(at).rating.is_some())?;
    (newest != best).then(|| (newest, best, standing.los(best, newest)))
}

/// `83 %`, and never all.
fn percent(likelihood: f64) -> String {
    format!("{:.0} %", (100.0 * likelihood).min(99.0))
}

/// `12` or `7.5`
pub(super) fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

/// `2026-11-29`
pub(super) fn date(saved: u64) -> String {
    let time = Timestamp::from_second(saved as i64).unwrap_or(Timestamp::UNIX_EPOCH);
    time.to_zoned(TimeZone::UTC).date().to_string()
}

/// A rating with its interval on a scale: `    ──●──   `.
fn plot(rating: Interval, low: f64, high: f64) -> String {
    let place = |value: f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        (share.clamp(0.0, 1.0) * (PLOT_WIDTH - 1) as f64).round() as usize
    };
    let (from, at, to) = (place(rating.low), place(rating.value), place(rating.high));
    let mark = |column: usize| match column {
        _ if column == at => '●',
        _ if (from..=to).contains(&column) => '─',
        _ => ' ',
    };
    (0..PLOT_WIDTH).map(mark).collect()
}

/// The beginning of a text that fits.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_drawn_with_its_interval() {
        let interval = |low, value, high| Interval { low, value, high };
        let drawn = plot(interval(1000.0, 1500.0, 2000.0), 1000.0, 2000.0);
        assert_eq!((drawn.chars().count(), drawn.chars().filter(|&c| c == '●').count()), (PLOT_WIDTH, 1));
        assert!(drawn.starts_with('─') && drawn.ends_with('─'), "{drawn}");
        assert!(plot(interval(1000.0, 1000.0, 1000.0), 1000.0, 2000.0).starts_with("● "));
        assert_eq!(plot(interval(5.0, 5.0, 5.0), 5.0, 5.0).trim(), "●");
    }

    #[test]
    fn points_and_names_are_short() {
        assert_eq!([points(12.0), points(7.5)], ["12", "7.5"]);
        assert_eq!([cut("abc", 3), cut("abcd", 3)], ["abc", "ab…"]);
        assert_eq!(date(0), "1970-01-01");
    }
}
