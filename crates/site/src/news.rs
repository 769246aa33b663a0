//! What has happened to the programs that someone follows or owns since a time.

use std::collections::{BTreeMap, BTreeSet};

use agon_arena::store::StoreError;

use crate::store::{CheckState, Followed, OwnResult, SiteProgram, SiteStore, SiteVersion};

/// Rated games of a program that are counted, the newest ones.
const MAX_GAMES: u32 = 500;

/// Opponents among whom the strongest beaten one is looked for.
const MAX_OPPONENTS: usize = 40;

/// Programs with news.
const MAX_PROGRAMS: usize = 60;

/// A program, and what has happened to it since a time.
#[derive(Clone, Debug)]
pub struct ProgramNews {
    pub program: SiteProgram,
    pub place: Option<u32>,
    /// Rated games, those won, those drawn; up to 500 of them.
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
    /// How much its rating has changed by them; `None` if it had none before.
    pub rise: Option<f64>,
    /// The versions that have passed their check.
    pub versions: Vec<u32>,
    /// The strongest opponent that it has beaten, and the number of that game.
    pub best: Option<(SiteProgram, i64)>,
    /// The number of the last game.
    pub last: Option<i64>,
}

impl ProgramNews {
    /// Whether anything has happened.
    pub const fn is_any(&self) -> bool {
        self.games > 0 || !self.versions.is_empty()
    }

    fn read(store: &SiteStore, program: SiteProgram, since: i64) -> Result<Self, StoreError> {
        let results = store.results_of(program.id, MAX_GAMES)?;
        let at = results.iter().position(|one| one.begun <= since).unwrap_or(results.len());
        let (new, before) = results.split_at(at);
        // Points are 0, ½ or 1.
        let drawn = new.iter().filter(|one| one.points > 0.25 && one.points < 0.75).count() as u32;
        let won = |one: &&OwnResult| one.points > 0.75;
        // The newest game against each opponent that was beaten.
        let mut beaten = BTreeMap::new();
        for one in new.iter().filter(won) {
            if beaten.len() < MAX_OPPONENTS || beaten.contains_key(&one.opponent) {
                beaten.entry(one.opponent).or_insert(one.bout);
            }
        }
        let mut best: Option<(SiteProgram, i64)> = None;
        for (opponent, bout) in beaten {
            let Some(opponent) = store.program(opponent)? else { continue };
            if best.as_ref().is_none_or(|(other, _)| other.rating < opponent.rating) {
                best = Some((opponent, bout));
            }
        }
        let passed = |one: &&SiteVersion| one.submitted > since && one.state == CheckState::Passed;
        Ok(Self {
            place: store.place_of(&program)?,
            games: new.len() as u32,
            wins: new.iter().filter(won).count() as u32,
            draws: drawn,
            rise: new.first().zip(before.first()).map(|(last, before)| last.rating - before.rating),
            versions: store.versions(program.id)?.iter().filter(passed).map(|one| one.number).collect(),
            best,
            last: new.first().map(|one| one.bout),
            program,
        })
    }
}

/// The programs that are followed, each once, and their news since a time. Programs of hidden competitions and those
/// without a version that has passed are left out.
///
/// # Errors
/// [`StoreError`].
pub fn of(
    store: &SiteStore,
    followed: &[Followed],
    hidden: &[i64],
    since: i64,
) -> Result<Vec<ProgramNews>, StoreError> {
    let (mut found, mut met) = (Vec::new(), BTreeSet::new());
    for one in followed {
        let programs = match *one {
            Followed::Program(id) => store.program(id)?.into_iter().collect(),
            Followed::Person(id) => store.programs_of(id)?,
        };
        for program in programs {
            if found.len() < MAX_PROGRAMS
                && !hidden.contains(&program.competition)
                && (program.active.is_some() || program.builtin.is_some() || program.games > 0)
                && met.insert(program.id)
            {
                found.push(ProgramNews::read(store, program, since)?);
            }
        }
    }
    Ok(found)
}
