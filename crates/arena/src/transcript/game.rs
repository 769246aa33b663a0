//! A game as the viewer wants it: recorded, or while it is played.

use agon_analysis::game_log::{self, GameFact, GameLog, GameResult, LoggedMove, write_message};
use agon_catalog::{Capability, Game, POSITION, Setup};
use agon_game::{GameState, Interaction, MoveError, Outcome, Side};
use agon_jail::Level;
use agon_message::Stated;
use agon_referee::bout::Played;
use agon_referee::record::{AgentNote, Record, Winner};
use agon_referee::text::line;
use agon_rules::renju::opening_rules::OpeningGame;
use agon_rules::renju::{Opening, Point};
use serde_json::{Value, json};

use super::by_own_names;
use super::facts::{date, limits};
use super::failing::failing;

/// A recorded game with explanations of what failed in it. Programs' thoughts and output are shown for the sides in
/// `open`.
///
/// # Errors
/// [`MoveError`] when the moves do not belong to the game.
pub fn game(
    record: &Record,
    start: &dyn GameState,
    moves: &[Played],
    failures: &[Value],
    open: [bool; 2],
) -> Result<Value, MoveError> {
    let mut state = start.boxed_clone();
    let mut log = GameLog::new(start);
    let header = &record.header;
    let names = header.agents.each_ref().map(AgentNote::shown);
    let mut game = log.head(start, names, &facts(record, start.interaction(), opening(record, moves).as_ref()));
    let mut steps = Vec::new();
    for played in moves {
        state.answer(&played.arguments)?;
        let mut played = played.clone();
        if !open[played.side.index()] {
            (played.evaluation, played.messages) = (None, None);
        }
        let agent = &header.agents[played.side.index()];
        played.messages = played.messages.map(|said| by_own_names(&said, agent));
        steps.extend(log.played(state.as_ref(), logged(played)));
    }
    steps.extend(log.step(state.as_ref()));
    write_message(&mut game, "result", &result(record, start.seats()));
    game["failures"] = failures.into();
    if let Some(failing) = failing(record, start, moves, open) {
        game["failing"] = failing;
    }
    game["places"] = log.new_places();
    game["steps"] = steps.into();
    Ok(game)
}

/// The opening of a game of renju by its name; `None` of other games, and of other first stones.
fn opening(record: &Record, moves: &[Played]) -> Option<GameFact> {
    let game = Game::by_name(&record.header.game).filter(|game| game.can(Capability::GameFiles))?;
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    if setup.given(POSITION.name).is_some() {
        return None;
    }
    let mut state = game.initial_state(&Setup::default()).ok()?;
    let by_rule = agon_catalog::renju::opening(&setup).ok()?;
    let opened = by_rule.iter().flat_map(OpeningGame::stones).map(|stone| stone.letters());
    let texts = opened.chain(setup.opening().map(str::to_owned)).chain(moves.iter().map(|made| made.arguments.clone()));
    let stones = texts.map_while(|text| stone(state.as_mut(), &text)).take(3).collect::<Vec<_>>();
    let name = Opening::of(stones.try_into().ok()?)?;
    Some(GameFact::OpeningName { code: name.code(), name })
}

/// The point of a move, as the judge or as people write it.
fn stone(state: &mut dyn GameState, text: &str) -> Option<Point> {
    let arguments = state.read_any(text).ok()?;
    state.answer(&arguments).ok()?;
    Point::from_letters(&state.letters()?).ok()
}

/// When and under which limits a game was played, and the name of its opening.
fn facts(record: &Record, interaction: Interaction, opening: Option<&GameFact>) -> Vec<Stated> {
    let header = &record.header;
    let jail = record.jail().map(|level| match level {
        Level::Full => GameFact::JailFull,
        Level::Landlock => GameFact::JailLandlock,
        Level::None => GameFact::JailNone,
    });
    let facts = [
        Some(date(header.started).into()),
        opening.map(Stated::from),
        Some(Stated::from(&limits(&header.limits, interaction))),
        jail.as_ref().map(Stated::from),
        Some(Stated::from(&GameFact::Seed { seed: header.seed.to_string() })),
        Some(Stated::from(&GameFact::Agon { version: line(&header.agon) })),
    ];
    facts.into_iter().flatten().filter(|fact| !fact.text.is_empty()).collect()
}

/// Adds to what is said of a whole game.
pub fn add_fact(game: &mut Value, fact: &GameFact) {
    let Stated { text, keyed } = Stated::from(fact);
    for (part, value) in [("facts", json!(text)), ("facts_message", json!(keyed))] {
        if let Some(all) = game[part].as_array_mut() {
            all.push(value);
        }
    }
}

/// Who won, and why, in one sentence.
pub fn result(record: &Record, seats: [&str; 2]) -> GameResult {
    let outcome = match record.result.winner {
        Winner::First => Some(Outcome::Win(Side::First)),
        Winner::Second => Some(Outcome::Win(Side::Second)),
        Winner::Draw => Some(Outcome::Draw),
        Winner::Void => None,
    };
    let names = record.header.agents.each_ref().map(AgentNote::shown);
    game_log::result(outcome, seats, names, record.result.reason.clone())
}

/// A move of a bout, for a log.
pub fn logged(played: Played) -> LoggedMove {
    let Played { side, arguments, moment, clocks, remark, evaluation, messages } = played;
    LoggedMove { side, arguments, wall: moment.wall, clocks, remark, evaluation, messages }
}
