//! The file of a game's record.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use agon_catalog::Game;
use agon_game::Side;
use agon_referee::fault_kind::FaultKind;
use agon_referee::folders;
use agon_referee::record::Record;
use anyhow::Context;

use crate::{debug, failed, rules, show};

/// The folder of the records for which the user names no file.
fn records() -> anyhow::Result<PathBuf> {
    Ok(folders::state()?.join("records"))
}

/// Checks that a record without a named file could be saved: that the existing part of its folder is writable.
///
/// # Errors
/// The reason why it could not.
pub(crate) fn check() -> anyhow::Result<()> {
    let folder = records()?;
    let refused = || format!("cannot write to the folder `{}`", folder.display());
    for above in folder.ancestors() {
        match fs::metadata(above) {
            Ok(found) if found.is_dir() => {
                let trial = above.join(format!(".agon-{}", std::process::id()));
                fs::create_dir(&trial).with_context(refused)?;
                return fs::remove_dir(&trial).with_context(refused);
            }
            Ok(_) => return Err(io::Error::from(io::ErrorKind::NotADirectory)).with_context(refused),
            // The parent folder decides.
            Err(_) => {}
        }
    }
    Ok(())
}

/// Returns the commands that show a game from its record, and repeat its last question.
pub(crate) fn what_next(record: &Record, path: &Path) -> String {
    let path = show::pasted(path);
    let rules = Game::by_name(&record.header.game).map(rules::option).unwrap_or_default();
    let mut text = format!("replay   agon replay {path}{rules}\n");
    if let Some(remedy) = failed::remedy(record, &path) {
        text += &format!("again    {remedy}\n");
        // A traceback has the line already.
        let signal = |side: Side| {
            let kind = record.result.verdicts[side.index()].kind.as_ref();
            debug::is_worth(record, side) && kind.is_some_and(|kind| matches!(kind, FaultKind::Signal { .. }))
        };
        if Side::BOTH.into_iter().any(signal) {
            text += &format!("debug    {remedy} --debug\n");
        }
    }
    text
}

/// Writes the record where the user wants it; one that needs explaining is always kept, under a name that no other game
/// has.
pub(crate) fn keep(record: &Record, wanted: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let path = match wanted {
        Some(path) => path.to_owned(),
        None if record.is_clean() && !failed::wants_explaining(record) => return Ok(None),
        None => records()?.join(name(record)),
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    }
    fs::write(&path, record.write()).with_context(|| format!("cannot write the record `{}`", path.display()))?;
    Ok(Some(path))
}

/// The name of a record that the user has not named: the game, when it began, both agents, and a digest of its text.
fn name(record: &Record) -> String {
    const MAX_AGENT_CHARS: usize = 24;
    const DIGEST_CHARS: usize = 12;
    let header = &record.header;
    let [first, second] = header.agents.each_ref().map(|agent| {
        let text = agent.agent.rsplit('/').next().unwrap_or_default();
        let plain = |c: char| if c.is_alphanumeric() || ".-_".contains(c) { c } else { '_' };
        let name: String = text.chars().map(plain).take(MAX_AGENT_CHARS).collect();
        name.trim_start_matches('.').to_owned()
    });
    let digest = record.digest();
    format!("{}-{}-{first}-{second}-{}.jsonl", header.game, header.started, &digest[..DIGEST_CHARS])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use agon_arena::agents::{self, PreparedAgent};
    use agon_arena::game::Bout;
    use agon_catalog::Setup;
    use agon_referee::bout::Afterwards;
    use agon_referee::limits::GameLimits;

    use super::*;

    #[test]
    fn no_two_games_have_one_name() {
        let game = Game::BACTERIA;
        let limits = GameLimits::default();
        let agent = |text: &str| PreparedAgent::prepare(game, agents::parse(game, text).unwrap(), &limits).unwrap();
        let played = |agents: [&str; 2]| {
            let agents = agents.map(agent);
            let agents = agents.each_ref();
            let mut bout = Bout::new(game, Setup { seed: 1, parameters: BTreeMap::new() }, limits).unwrap();
            let mut seats = bout.seats(agents, None).unwrap();
            let mut record = bout.play(agents, &mut seats, Afterwards::Exit, &mut ());
            record.header.started = 7;
            record
        };
        let record = played(["greedy", "random"]);
        let named = name(&record);
        let digest = named.strip_prefix("bacteria-7-greedy-random-").and_then(|rest| rest.strip_suffix(".jsonl"));
        assert_eq!(digest.map(str::len), Some(12), "{named}");
        assert_eq!(name(&record), named);
        let mut other = record.clone();
        other.header.agents[0].agent = "python3 ../bots/über bot.py --depth 3 and much more".to_owned();
        let shown = "bacteria-7-über_bot.py_--depth_3_an-random-";
        assert!(name(&other).starts_with(shown), "{}", name(&other));
        let mut again = record;
        again.entries.pop();
        assert_ne!(name(&again), named, "another game of the same agents");
    }
}
