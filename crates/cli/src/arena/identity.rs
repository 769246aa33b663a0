//! The programs of a series' agents, and their differences from those of an earlier one.

use std::fmt::Write as _;

use agon_arena::plan::Entrant;
use agon_arena::store::Run;
use agon_arena::{Plan, Store};
use agon_catalog::Game;
use agon_referee::text::line;
use serde_json::{Value, json};

use crate::show::{FAINT, STRONG, WARN, count, counted, paint};

/// Returns the notice before a series whose texts named other programs in an earlier one.
pub(super) fn notice(store: &Store, plan: &Plan) -> anyhow::Result<Option<String>> {
    let Some(earlier) = store.replaced_by(plan)? else { return Ok(None) };
    let Run { id, plan: before, agon, .. } = &earlier;
    let changed = plan.agents.iter().zip(&before.agents).filter(|(now, then)| now.fingerprint != then.fingerprint);
    let mut text = String::new();
    for (now, then) in changed {
        let why = match (&now.identity, &then.identity) {
            (Some(now), Some(then)) => now.differences(then),
            (None, _) => format!("it is a part of Agon, and that was {}", line(agon)),
            (Some(_), None) => format!("Agon {} looked at fewer of its files", line(agon)),
        };
        let why = if why.is_empty() { String::new() } else { format!(": {}", line(&why)) };
        let _ = writeln!(text, "`{}` is another program than in run {id}{why}", line(&now.name));
    }
    let _ = write!(text, "so this is a new series; `agon results {id}` shows the old one");
    Ok(Some(paint(WARN, text)))
}

/// Lists the agents of a run, and the files that identify each program.
pub(super) fn text(plan: &Plan) -> String {
    let mut text = String::new();
    for entrant in &plan.agents {
        let _ = writeln!(text, "{}  {}", paint(STRONG, line(&entrant.name)), summary(entrant, plan.game));
        let Some(identity) = &entrant.identity else { continue };
        let width = identity.listed.iter().map(|file| count(file.bytes).len()).max().unwrap_or(0);
        for file in &identity.listed {
            let by = if file.by_time { "by size and time" } else { file.digest.as_str() };
            let _ = writeln!(text, "  {:>width$} bytes  {by:<16}  {}", count(file.bytes), line(&file.path));
        }
        let more = identity.files.saturating_sub(identity.listed.len() as u64);
        if more > 0 {
            let _ = writeln!(text, "  {}", paint(FAINT, format!("and {}", counted(more, "other file"))));
        }
    }
    text
}

fn summary(entrant: &Entrant, game: Game) -> String {
    let agent = if entrant.agent == entrant.name { String::new() } else { format!("{}  ", line(&entrant.agent)) };
    let what = match &entrant.identity {
        Some(identity) => format!("{}, {} bytes", counted(identity.files, "file"), count(identity.bytes)),
        None if game.find(&entrant.agent).is_ok() => "a part of Agon".to_owned(),
        None => "its words, and the files that are words".to_owned(),
    };
    format!("{agent}{}  {what}", line(&entrant.fingerprint))
}

pub(super) fn json(plan: &Plan, run: i64) -> Value {
    let agents = plan.agents.iter().map(|entrant| {
        json!({
            "name": entrant.name, "agent": entrant.agent, "fingerprint": entrant.fingerprint,
            "identity": entrant.identity,
        })
    });
    json!({ "run": run, "agents": agents.collect::<Vec<_>>() })
}
