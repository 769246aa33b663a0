//! The ladders of games whose rules are a program: each version of the rules has one of its own, side by side.

use agon_arena::store::StoreError;
use agon_catalog::Game;

use crate::builtins::builtins;
use crate::store::{Competition, EntryRule, ReplayRule, SiteStore};

/// The name of a game without the digest of its rules.
pub fn plain_name(game: Game) -> &'static str {
    game.name().split('@').next().unwrap_or_default()
}

/// Whether a competition is the ladder of its game: its name is the game's name, possibly with the number of a version.
pub fn is_ladder(competition: &Competition) -> bool {
    let rest = competition.slug.strip_prefix(plain_name(competition.game));
    rest.is_some_and(|rest| rest.is_empty() || version(rest).is_some())
}

fn version(rest: &str) -> Option<u32> {
    rest.strip_prefix('-')?.parse().ok()
}

/// Opens the ladders of all games whose rules are given as a program and that have none yet. The first version of rules
/// gets the address `NAME`, the next ones `NAME-2`, `NAME-3`: old games keep their rules, and ladders their address.
/// Returns the new addresses.
///
/// # Errors
/// [`StoreError`].
pub fn open_ladders(store: &mut SiteStore, now: i64) -> Result<Vec<String>, StoreError> {
    let mut opened = Vec::new();
    let is_served = |game: &Game| game.is_program() && !game.is_missing() && !game.builtins.is_empty();
    for game in Game::all().into_iter().filter(is_served) {
        let known = store.competitions()?;
        if known.iter().any(|one| one.game == game && is_ladder(one)) {
            continue;
        }
        let name = plain_name(game);
        let is_free = |slug: &String| known.iter().all(|one| one.slug != *slug);
        let number = (1..=u32::MAX).find(|number| is_free(&address(name, *number))).unwrap_or(1);
        let title = if number == 1 { game.title().to_owned() } else { format!("{} ({number})", game.title()) };
        let competition = Competition {
            id: 0,
            slug: address(name, number),
            title,
            game,
            parameters: [].into(),
            openings: 0,
            balanced: false,
            clock_ms: None,
            memory_mib: None,
            languages: None,
            opens: None,
            closes: None,
            daily: None,
            entry: EntryRule::Open,
            replays: ReplayRule::Always,
            description: String::new(),
            created: now,
        };
        if let Some(id) = store.put_competition(&competition)? {
            store.enter_builtins(id, &builtins(&competition), now)?;
            opened.push(competition.slug);
        }
    }
    Ok(opened)
}

/// The address of a version's ladder.
fn address(name: &str, number: u32) -> String {
    if number == 1 { name.to_owned() } else { format!("{name}-{number}") }
}
