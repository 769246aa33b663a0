//! The participants of a demonstration: fictitious people and teams, and their programs.

use agon_arena::stats::elo;
use agon_catalog::{Game, Pace};
use agon_game::seed::Stream;
use agon_referee::agent::Language;
use std::path::Path;

use crate::builtins::builtins;
use crate::store::Competition;

/// The name of the administrator's account.
pub(super) const HOST: &str = "organiser";

/// Names of accounts. No person is called so.
const PEOPLE: [&str; 30] = [
    "brisk-heron",
    "quartz-otter",
    "푸른고래",
    "lucid-wren",
    "mossy-ferret",
    "nimble-carp",
    "느린거북",
    "opal-badger",
    "plucky-newt",
    "quiet-ibex",
    "rusty-plover",
    "둥근조약돌",
    "sable-lynx",
    "tidal-gecko",
    "umber-finch",
    "vivid-marten",
    "졸린수달",
    "wry-toucan",
    "amber-vole",
    "bold-osprey",
    "crisp-tapir",
    "반짝반딧불",
    "dusky-shrew",
    "eager-mantis",
    "fuzzy-stoat",
    "gentle-skink",
    "높새바람",
    "hasty-loris",
    "ivory-moth",
    "jolly-crane",
];

/// Names of teams.
const TEAMS: [&str; 5] = ["Night Shift", "Table Nine", "돌다리", "Left Hemisphere", "구름공방"];

/// Names of programs.
const PROGRAMS: [&str; 40] = [
    "Lantern",
    "Pebble",
    "Mosaic",
    "Kestrel",
    "나침반",
    "Drizzle",
    "Anvil",
    "Thimble",
    "Cobalt",
    "Juniper",
    "등대",
    "Marble",
    "Ember",
    "Sextant",
    "Bramble",
    "Quiver",
    "조약돌",
    "Tundra",
    "Saffron",
    "Gizmo",
    "Harbor",
    "Nettle",
    "Origami",
    "소나기",
    "Pylon",
    "Quill",
    "Rivet",
    "Sprocket",
    "Tinder",
    "Umbra",
    "달팽이",
    "Vector",
    "Willow",
    "Yonder",
    "Zephyr",
    "Acorn",
    "Beacon",
    "Cinder",
    "Dynamo",
    "Fathom",
];

/// Who plays the games of a version.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Actor {
    /// A built-in player of this name, for a version whose text is a sample.
    Builtin(String),
    /// The sample in Python.
    Sample,
    /// The same, with a mistake that ends it before its move with this number.
    Faulty(u32),
}

/// A version to be submitted.
pub(super) struct ScriptedVersion {
    /// On which day.
    pub day: u32,
    pub actor: Actor,
    pub language: Language,
    pub source: String,
}

/// A program to be submitted.
pub(super) struct ScriptedProgram {
    /// The place of its owner in [`Cast::owners`].
    pub owner: usize,
    pub name: String,
    pub versions: Vec<ScriptedVersion>,
}

/// A person, or a team of the persons at these places.
pub(super) struct Owner {
    pub name: &'static str,
    pub members: Vec<usize>,
}

/// The people, then the teams.
pub(super) struct Cast {
    pub owners: Vec<Owner>,
    people: usize,
}

/// The most people of a cast.
pub const MAX_PEOPLE: usize = PEOPLE.len();

/// The numbers below `count` in random order.
pub(super) fn shuffled(count: usize, stream: &mut Stream) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        all.swap(at, stream.below(at + 1));
    }
    all
}

impl Cast {
    pub(super) fn new(seed: u64, people: usize) -> Self {
        let mut stream = Stream::new(seed, "demo: teams");
        let person = |name| Owner { name, members: Vec::new() };
        let mut owners: Vec<Owner> = PEOPLE.into_iter().take(people).map(person).collect();
        let people = owners.len();
        let order = shuffled(people, &mut stream);
        let teams = TEAMS.iter().zip(order.chunks(3));
        owners.extend(teams.map(|(name, members)| Owner { name, members: members.to_vec() }));
        Self { owners, people }
    }

    pub(super) fn is_team(&self, owner: usize) -> bool {
        owner >= self.people
    }

    /// The programs of a competition, whose versions come between two days. `share` of the people take part, and teams
    /// if they may.
    pub(super) fn programs(
        &self,
        competition: &Competition,
        share: f64,
        days: [u32; 2],
        python: bool,
        stream: &mut Stream,
    ) -> Vec<ScriptedProgram> {
        let rungs = rungs(competition);
        let names = shuffled(PROGRAMS.len(), stream);
        let people = shuffled(self.people, stream);
        let count = ((self.people as f64 * share).round() as usize).clamp(2, self.people.max(2));
        // Teams enter time-limited competitions; permanent ladders are for single players.
        let teams = if competition.closes.is_some() { self.people..self.owners.len() } else { 0..0 };
        let owners = people.into_iter().take(count).chain(teams);
        owners
            .enumerate()
            .map(|(at, owner)| {
                let name = PROGRAMS[names[at % names.len()]].to_owned();
                let versions = versions(competition.game, &name, &rungs, days, python, stream);
                ScriptedProgram { owner, name, versions }
            })
            .collect()
    }
}

/// The built-in players of a demonstration, the weakest first: those that are not too strong for a class and ignore the
/// clock, so that they are quick and play identically on every machine.
pub(super) fn rungs(competition: &Competition) -> Vec<String> {
    let mut all = builtins(competition);
    all.sort_by(|one, other| one.1.total_cmp(&other.1));
    let steady = |(name, ..): &(String, f64, bool)| competition.game.pace(name) != Some(Pace::Clock);
    all.retain(steady);
    let most = (all.len() * 3 / 5).max(2);
    all.truncate(most);
    all.into_iter().map(|(name, ..)| name).collect()
}

fn versions(
    game: Game,
    name: &str,
    rungs: &[String],
    [from, to]: [u32; 2],
    python: bool,
    stream: &mut Stream,
) -> Vec<ScriptedVersion> {
    let count = 1 + stream.below(4) as u32;
    let mut day = from + stream.below(1 + (to - from) as usize / 2) as u32;
    let (mut rung, language) = (stream.below(rungs.len().div_ceil(2)), offered(game, stream));
    let mut all = Vec::new();
    for number in 1..=count {
        let actor = match stream.below(8) {
            0 if python && number == 1 && game.has_turns() => Actor::Faulty(3 + stream.below(9) as u32),
            1 if python && number == 1 && game.has_turns() => Actor::Sample,
            _ => Actor::Builtin(rungs[rung].clone()),
        };
        let language = if matches!(actor, Actor::Builtin(_)) { language } else { Language::Python3 };
        let source = source(game, name, number, &actor, language);
        all.push(ScriptedVersion { day, actor, language, source });
        rung = (rung + stream.below(3)).min(rungs.len() - 1);
        day += 2 + stream.below(9) as u32;
        if day > to {
            break;
        }
    }
    all
}

/// A language that has a sample here, and whose compiler is there.
fn offered(game: Game, stream: &mut Stream) -> Language {
    let named = |(extension, _): &(&str, &str)| Language::by_extension(Path::new(&format!("sample.{extension}")));
    let there = |language: &Language| agon_referee::process::find_program(language.compiler()).is_some();
    let all: Vec<Language> = game.samples.iter().filter_map(named).filter(there).collect();
    if all.is_empty() { Language::Python3 } else { all[stream.below(all.len())] }
}

/// Ends the sample before its `n`th move, as a mistake would.
fn mistake(moves: u32) -> String {
    format!(
        "moves_left = [None] * {moves}\n\n\n\
         def print(*words, say=print, **options):\n    \
             if words and words[0] == \"MOVE\":\n        \
                 moves_left.pop()\n        \
                 assert moves_left, \"no plan for this move\"\n    \
             say(*words, **options)\n\n\n"
    )
}

/// The text of a version: a sample with a heading that names its owner and who played its games.
fn source(game: Game, name: &str, number: u32, actor: &Actor, language: Language) -> String {
    let text = game
        .samples
        .iter()
        .find(|(extension, _)| Language::by_extension(Path::new(&format!("sample.{extension}"))) == Some(language));
    let sample = text.map_or_else(|| game.sample(), |(_, text)| *text);
    let mark = if matches!(language, Language::Python3 | Language::Pypy3 | Language::Ruby) { "#" } else { "//" };
    let (who, before) = match actor {
        Actor::Builtin(player) => {
            let who = format!("The built-in player {player} played the games of the demonstration; this is a sample.");
            (who, String::new())
        }
        Actor::Sample => ("The sample as it is.".to_owned(), String::new()),
        Actor::Faulty(moves) => ("The sample with a mistake.".to_owned(), mistake(*moves)),
    };
    format!("{mark} {name}, version {number}. {who}\n{before}{sample}")
}

/// The text of the sample that plays for an actor that is a program, with a fixed depth of search: it answers at once,
/// and every demonstration has the same games.
pub(super) fn program(game: Game, actor: &Actor) -> Option<String> {
    let sample = game.sample().replace("MAX_DEPTH = 64", "MAX_DEPTH = 1");
    match actor {
        Actor::Builtin(_) => None,
        Actor::Sample => Some(sample),
        Actor::Faulty(moves) => Some(format!("{}{sample}", mistake(*moves))),
    }
}

/// The place of the opponent among the others, as ALPHANO draws it.
pub(super) fn opponent(rating: f64, others: &[f64], stream: &mut Stream) -> Option<usize> {
    elo::opponent(rating, others, stream)
}
