//! What a program reads in a rare situation, for authors who feed it by hand.

use agon_catalog::{Game, Setup, SetupError, Situation, SituationStart};
use agon_referee::protocol::JudgeCommand;

use super::opponent::is_pass;

/// The time on both clocks, in milliseconds.
const CLOCK_MS: u32 = 10_000;

/// Everything the program reads, from the first line to FINISH, or the input of one action.
///
/// # Errors
/// [`SetupError`] when the game has no such situation.
pub fn input(game: Game, situation: &Situation) -> Result<String, SetupError> {
    let (parameters, side) = match situation.start {
        SituationStart::Input(text) => return Ok(text.to_owned()),
        SituationStart::Game { parameters, side } => (parameters, side),
    };
    let parameters = parameters.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut state = game.initial_state(&Setup { seed: 1, parameters })?;
    let mut text = format!("{}{}\n", state.preamble_of(side), JudgeCommand::Ready(side));
    if state.turn() == Some(side.other()) {
        let legal = state.legal();
        let chosen = legal.iter().find(|text| is_pass(text)).or(legal.first()).cloned();
        if let Some(arguments) = chosen.and_then(|chosen| state.answer(&chosen).ok()) {
            text += &format!("{}\n", JudgeCommand::Opp { arguments, time: 1 });
        }
    }
    let turn = JudgeCommand::Turn { mine: CLOCK_MS, theirs: CLOCK_MS };
    Ok(format!("{text}{turn}\n{}\n", JudgeCommand::Finish))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_situation_of_every_game_can_be_set_up() {
        for game in Game::all() {
            for situation in game.situations {
                let text = input(game, situation).unwrap_or_else(|error| panic!("{game} {}: {error}", situation.name));
                assert!(!text.is_empty(), "{game} {}", situation.name);
                let SituationStart::Game { parameters, side } = situation.start else { continue };
                let parameters = parameters.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
                let state = game.initial_state(&Setup { seed: 1, parameters }).unwrap();
                let legal = state.legal();
                assert!(!legal.is_empty() && state.turn().is_some(), "{game} {}", situation.name);
                // A side that must pass has nothing else to do.
                if situation.name.ends_with("must-pass") {
                    assert_eq!(state.turn(), Some(side), "{game} {}", situation.name);
                    let free = legal.iter().filter(|text| !is_pass(text)).count();
                    assert_eq!(free, 0, "{game} {}: {legal:?}", situation.name);
                }
            }
        }
    }

    #[test]
    fn a_program_is_fed_what_the_judge_would_write() {
        let situation = Game::BACTERIA.situations.iter().find(|situation| situation.name == "opponent-passes").unwrap();
        assert_eq!(
            input(Game::BACTERIA, situation).unwrap(),
            "POSITION xoo4/ooo4/ooo4/7/7/7/7 x 0 20\nREADY SECOND\nOPP -1 -1 -1 -1 1\nTURN 10000 10000\nFINISH\n"
        );
    }
}
