//! The built-in players: one table for each game.
//!
//! A player is named by its name alone, `greedy`, or, where it has levels, with the level it is to play at: `champion:3`.
//! [`find`] reads both and returns something that can be made; the judge's seats, UAI, Gomocup and every command make
//! their engines by it, so that one name is one engine.

use agon_game::{Player, Position, Stateless};
use agon_rules::bacteria::Bacteria;
use agon_rules::catalog::Game;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;
use agon_search::Engine;

use crate::petri::{Native, PetriProgram, VARIANTS};
use crate::random::Random;
use crate::seated::{Start, no_board};
use crate::{Seated, bacteria, domineering, petri, renju};

/// What is known of a built-in player without making it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltinEntry {
    pub name: &'static str,
    /// How it plays, in a line.
    pub summary: &'static str,
    /// The highest of its levels, if it has levels: they begin at 1, and at the highest it plays as well as it can, as
    /// it does when no level is named.
    pub levels: Option<u8>,
    /// Whether its clock decides how long it thinks; of one with levels, at the highest.
    pub timed: bool,
}

/// A row of a game's table.
#[derive(Clone, Copy, Debug)]
struct Builtin<M> {
    entry: BuiltinEntry,
    make: M,
}

/// Makes an engine at a level, which those without levels do not look at.
type MakeEngine<P> = fn(u8) -> Box<dyn Engine<P>>;

/// Makes a program of the petri dish.
type MakeProgram = fn() -> &'static dyn PetriProgram;

/// Why a text names no built-in player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    #[error(
        "{game} has no built-in player `{name}`; it has {}{}", names(*.game).join(", "),
        nearest(*.game, .name).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
    )]
    Unknown { game: Game, name: String },
    #[error("`{name}:{level}`: {name} has no levels; name it without one")]
    NoLevels { name: &'static str, level: String },
    #[error("`{name}:{level}`: the levels of {name} are 1 to {highest}")]
    Level { name: &'static str, level: String, highest: u8 },
}

const fn builtin<M>(name: &'static str, summary: &'static str, make: M) -> Builtin<M> {
    Builtin { entry: BuiltinEntry { name, summary, levels: None, timed: false }, make }
}

/// One that thinks as long as its clock allows.
const fn timed<M>(name: &'static str, summary: &'static str, make: M) -> Builtin<M> {
    Builtin { entry: BuiltinEntry { name, summary, levels: None, timed: true }, make }
}

const fn levelled<M>(name: &'static str, summary: &'static str, highest: u8, make: M) -> Builtin<M> {
    Builtin { entry: BuiltinEntry { name, summary, levels: Some(highest), timed: true }, make }
}

/// The same for every game.
const fn random<P: Position>() -> Builtin<MakeEngine<P>> {
    builtin("random", "every legal move with equal probability", |_| Box::new(Random::new(0)))
}

static BACTERIA: [Builtin<MakeEngine<Bacteria>>; 4] = [
    random(),
    builtin("greedy", "most cells after the opponent's best reply", |_| Box::new(bacteria::Greedy::new(0))),
    timed("classic", "the champion's search with a hand-made evaluation", |_| {
        Box::new(bacteria::Champion::<bacteria::Classic>::default())
    }),
    levelled("champion", "a deep search", bacteria::level::HIGHEST, bacteria::level::at),
];
static DOMINEERING: [Builtin<MakeEngine<Domineering>>; 4] = [
    random(),
    builtin("greedy", "the best-paid place that hurts the other most", |_| Box::new(domineering::Greedy::new(0))),
    timed("uct", "a Monte Carlo tree search that asks the strips instead of playing games out", |_| {
        Box::new(domineering::Uct::default())
    }),
    levelled("champion", "proves who wins, then plays perfectly", domineering::champion::LEVELS, |level| {
        Box::new(domineering::Champion::at(level))
    }),
];
static RENJU: [Builtin<MakeEngine<Renju>>; 4] = [
    random(),
    builtin("greedy", "makes and stops fours and threes, one move deep", |_| Box::new(renju::Greedy::new(0))),
    timed("classic", "the champion's search with a hand-made evaluation", |_| Box::new(renju::Champion::classic())),
    levelled("champion", "finds wins by fours and threes, and searches deep", renju::champion::LEVELS, |level| {
        Box::new(renju::Champion::at(level))
    }),
];
static PETRI: [Builtin<MakeProgram>; 11] = [
    builtin("hungry", "4 7 1, in R: divides towards the enemy, walks to food, seldom fights", || &petri::HUNGRY),
    builtin("slimbomber", "1 7 4, in JavaScript: keeps from its friends, explodes among enemies", || {
        &petri::SLIMBOMBER
    }),
    builtin("clojure", "4 6 2, in Clojure, kept alive: explodes when it can, divides, attacks", || &petri::CLOJURE),
    builtin("midground", "2 10 0, in JavaScript: cuts off the enemy's half, then divides towards it", || {
        &petri::MIDGROUND
    }),
    builtin("sample", "5 7 0, the cell that newcomers were given: divides, explodes, attacks, eats", || &petri::SAMPLE),
    builtin("node480", "4 8 0, in JavaScript: explodes when outnumbered, divides at random, attacks", || {
        &petri::NODE480
    }),
    builtin("slime", "4 8 0, in Java: divides wherever there is room; does not see column 0", || &petri::SLIME),
    builtin("evolution", "4 8 0, in Java: always attacks at full strength; does not see column 0", || {
        &petri::EVOLUTION
    }),
    builtin("amoeba", "5 7 0, in Ruby: divides towards enemies and corpses, eats, attacks", || &petri::AMOEBA),
    builtin("coordinated", "6 6 0, in Java: some cells move and some divide; all attack one enemy", || {
        &petri::COORDINATED
    }),
    builtin("champion", "weighs every action by a policy tuned against all of these and their variants", || {
        &*petri::CHAMPION
    }),
];

/// The built-in players of a game, from the weakest to the strongest.
pub fn builtins(game: Game) -> Vec<BuiltinEntry> {
    fn entries<M>(table: &[Builtin<M>]) -> Vec<BuiltinEntry> {
        table.iter().map(|builtin| builtin.entry).collect()
    }
    match game {
        Game::Bacteria => entries(&BACTERIA),
        Game::Domineering => entries(&DOMINEERING),
        Game::Renju => entries(&RENJU),
        Game::Petri => entries(&PETRI),
    }
}

pub fn names(game: Game) -> Vec<&'static str> {
    builtins(game).iter().map(|entry| entry.name).collect()
}

/// The built-in that a mistyped name was probably meant to be, with the level that followed it.
fn nearest(game: Game, text: &str) -> Option<String> {
    let (name, level) = text.find(':').map_or((text, ""), |at| text.split_at(at));
    let near = names(game).into_iter().map(|known| (strsim::osa_distance(&name.to_lowercase(), known), known));
    // One slip of the fingers in three letters.
    let close = near.filter(|&(distance, known)| distance <= known.chars().count() / 3);
    close.min_by_key(|&(distance, _)| distance).map(|(_, known)| format!("{known}{level}"))
}

/// Who plays a game when nobody is named: the first seat's player and the second's.
pub const fn defaults(game: Game) -> [&'static str; 2] {
    match game {
        Game::Bacteria | Game::Domineering | Game::Renju => ["greedy", "greedy"],
        Game::Petri => ["coordinated", "evolution"],
    }
}

/// An engine that a text names, at its level.
#[derive(Debug)]
pub struct NamedEngine<P: Position> {
    level: u8,
    make: MakeEngine<P>,
}

impl<P: Position> NamedEngine<P> {
    /// Makes the engine, its choices drawn from the seed.
    pub fn make(&self, seed: u64) -> Box<dyn Engine<P>> {
        let mut engine = (self.make)(self.level);
        engine.set_seed(seed);
        engine
    }
}

/// The row and the level that a text names.
fn read<M: Copy>(game: Game, table: &[Builtin<M>], text: &str) -> Result<(M, u8), NameError> {
    let (name, level) = text.split_once(':').map_or((text, None), |(name, level)| (name, Some(level)));
    let Some(Builtin { entry, make }) = table.iter().find(|builtin| builtin.entry.name == name) else {
        return Err(NameError::Unknown { game, name: text.to_owned() });
    };
    let name = entry.name;
    let level = match (level, entry.levels) {
        (None, levels) => levels.unwrap_or(1),
        (Some(level), None) => return Err(NameError::NoLevels { name, level: level.to_owned() }),
        (Some(level), Some(highest)) => match level.parse() {
            Ok(number) if (1..=highest).contains(&number) => number,
            _ => return Err(NameError::Level { name, level: level.to_owned(), highest }),
        },
    };
    Ok((*make, level))
}

fn engine<P: Position>(game: Game, table: &[Builtin<MakeEngine<P>>], text: &str) -> Result<NamedEngine<P>, NameError> {
    read(game, table, text).map(|(make, level)| NamedEngine { level, make })
}

/// The engine of Bacteria War that a text names.
///
/// # Errors
/// [`NameError`] when there is none of that name, or not at such a level.
pub fn bacteria(text: &str) -> Result<NamedEngine<Bacteria>, NameError> {
    engine(Game::Bacteria, &BACTERIA, text)
}

/// The engine of domineering that a text names.
///
/// # Errors
/// As [`bacteria()`].
pub fn domineering(text: &str) -> Result<NamedEngine<Domineering>, NameError> {
    engine(Game::Domineering, &DOMINEERING, text)
}

/// The engine of renju that a text names.
///
/// # Errors
/// As [`bacteria()`].
pub fn renju(text: &str) -> Result<NamedEngine<Renju>, NameError> {
    engine(Game::Renju, &RENJU, text)
}

/// The program of the petri dish that a text names: a species, the champion, or a variant, which is not listed.
///
/// ```
/// use agon_engines::registry;
/// assert_eq!(registry::petri("clojure")?.begin().to_string(), "4 6 2 LOOP");
/// assert_eq!(registry::petri("coordinated:4/8/0")?.begin().to_string(), "4 8 0");
/// assert!(registry::petri("nobody").is_err());
/// # Ok::<(), registry::NameError>(())
/// ```
///
/// # Errors
/// As [`bacteria()`].
pub fn petri(text: &str) -> Result<&'static dyn PetriProgram, NameError> {
    match VARIANTS.iter().find(|variant| variant.name() == text) {
        Some(variant) => Ok(variant),
        None => read(Game::Petri, &PETRI, text).map(|(make, _)| make()),
    }
}

/// A built-in player that a text names.
pub enum Named {
    /// An engine of Bacteria War.
    Bacteria(NamedEngine<Bacteria>),
    Domineering(NamedEngine<Domineering>),
    Renju(NamedEngine<Renju>),
    /// A program of the petri dish.
    Petri(&'static dyn PetriProgram),
}

impl Named {
    /// The player for a whole session, its choices drawn from the seed; `None` of one that is asked for every action.
    pub fn player(&self, seed: u64) -> Option<Box<dyn Player>> {
        fn seated<P: Position + 'static>(start: Start<P>, named: &NamedEngine<P>, seed: u64) -> Box<dyn Player> {
            Box::new(Seated::new(start, named.make(seed)))
        }
        Some(match self {
            Self::Bacteria(named) => seated(no_board, named, seed),
            Self::Domineering(named) => seated(domineering::start, named, seed),
            Self::Renju(named) => seated(no_board, named, seed),
            Self::Petri(_) => return None,
        })
    }

    /// The program that is asked for every action; `None` of a player for a whole session.
    pub fn program(&self) -> Option<Box<dyn Stateless>> {
        match *self {
            Self::Petri(program) => Some(Box::new(Native(program))),
            _ => None,
        }
    }
}

/// The built-in player of a game that a text names, as `NAME` or `NAME:LEVEL`.
///
/// # Errors
/// [`NameError`] when there is no such player, or not at such a level.
///
/// ```
/// use agon_engines::registry::find;
/// use agon_rules::catalog::Game;
/// assert!(find(Game::Domineering, "champion:3")?.player(1).is_some());
/// assert!(find(Game::Petri, "amoeba")?.program().is_some());
/// let error = find(Game::Domineering, "champion:0").err().map(|error| error.to_string());
/// assert_eq!(error.as_deref(), Some("`champion:0`: the levels of champion are 1 to 10"));
/// # Ok::<(), agon_engines::registry::NameError>(())
/// ```
pub fn find(game: Game, text: &str) -> Result<Named, NameError> {
    Ok(match game {
        Game::Bacteria => Named::Bacteria(bacteria(text)?),
        Game::Domineering => Named::Domineering(domineering(text)?),
        Game::Renju => Named::Renju(renju(text)?),
        Game::Petri => Named::Petri(petri(text)?),
    })
}

/// What ends the thinking of a built-in player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// It looks at no clock: every machine plays the same.
    Fixed,
    /// Numbers of nodes: every machine plays the same, unless the clock runs low.
    Nodes,
    Clock,
}

/// What ends the thinking of the built-in player that a text names; `None` where it names none.
///
/// ```
/// use agon_engines::registry::{Pace, pace};
/// use agon_rules::catalog::Game;
/// assert_eq!(pace(Game::Renju, "greedy"), Some(Pace::Fixed));
/// assert_eq!(pace(Game::Renju, "champion:3"), Some(Pace::Nodes));
/// assert_eq!(pace(Game::Renju, "champion"), Some(Pace::Clock));
/// assert_eq!(pace(Game::Renju, "./bot"), None);
/// ```
pub fn pace(game: Game, text: &str) -> Option<Pace> {
    find(game, text).ok()?;
    let (name, level) = text.split_once(':').unwrap_or((text, ""));
    // A variant of the petri dish is not listed.
    let entry = builtins(game).into_iter().find(|entry| entry.name == name);
    Some(match entry {
        Some(BuiltinEntry { timed: true, levels: Some(highest), .. })
            if level.parse().is_ok_and(|it: u8| it < highest) =>
        {
            Pace::Nodes
        }
        Some(BuiltinEntry { timed: true, .. }) => Pace::Clock,
        _ => Pace::Fixed,
    })
}

#[cfg(test)]
mod tests {
    use agon_search::Task;

    use super::*;

    #[test]
    fn every_listed_player_exists() {
        for game in Game::ALL {
            for BuiltinEntry { name, levels, .. } in builtins(game) {
                let found = find(game, name).unwrap();
                assert_ne!(found.player(1).is_some(), found.program().is_some(), "{game} {name}");
                for level in 1..=levels.unwrap_or(0) {
                    assert!(find(game, &format!("{name}:{level}")).is_ok(), "{game} {name} {level}");
                }
            }
            for name in defaults(game) {
                assert!(names(game).contains(&name), "{game} {name}");
            }
            assert!(find(game, "nobody").is_err());
        }
        for Builtin { entry, make } in &PETRI {
            assert_eq!(make().name(), entry.name);
        }
    }

    #[test]
    fn a_game_that_is_over_has_no_move() {
        fn check<P: Position>(table: &[Builtin<MakeEngine<P>>], over: &P) {
            for Builtin { entry, make } in table {
                for level in [1, entry.levels.unwrap_or(1)] {
                    assert_eq!(make(level).best_move(over, &Task::default()), None, "{} {level}", entry.name);
                }
            }
        }
        check(&BACTERIA, &"7/7/7/7/7/7/6x o".parse().unwrap());
        check(&DOMINEERING, &"1/1 ./. H 2 0 0".parse().unwrap());
        check(&RENJU, &"15/15/15/15/15/15/15/4BBBBB6/4WWWW7/15/15/15/15/15/15 W".parse().unwrap());
    }

    #[test]
    fn what_is_no_name_is_refused() {
        let check = |text: &str, told: &str| {
            let error = domineering(text).unwrap_err().to_string();
            assert!(error.starts_with(told), "`{told}` is not in: {error}");
        };
        check("nobody", "domineering has no built-in player `nobody`; it has random, greedy");
        check("nobody:3", "domineering has no built-in player `nobody:3`");
        let meant = |text: &str, wanted: &str| {
            let told = find(Game::Domineering, text).err().map(|error| error.to_string());
            assert!(told.as_ref().is_some_and(|told| told.ends_with(wanted)), "{told:?}");
        };
        meant("champoin:3", "random, greedy, uct, champion; did you mean `champion:3`?");
        meant("Greddy", "; did you mean `greedy`?");
        meant("nobody", "random, greedy, uct, champion");
        check("", "domineering has no built-in player ``");
        check("greedy:1", "`greedy:1`: greedy has no levels; name it without one");
        for level in ["0", "11", "256", "-1", "", "x", "3:3", " 3", "1.5"] {
            let text = format!("champion:{level}");
            check(&text, &format!("`{text}`: the levels of champion are 1 to 10"));
        }
    }
}
