//! With which openings the games of a competition begin.
//!
//! A program that reads no OPENING lines begins at the start. Where nothing is drawn, two such games of the same
//! versions in the same seats would be identical, so they play only one.

use std::collections::BTreeMap;

use agon_arena::opening_file::{self, OpeningFile};
use agon_arena::openings::{self, OpeningError};

use crate::store::{BegunGames, Competition};

/// The parameters of an opening, by name; empty for the start of the competition.
pub type Opening = BTreeMap<String, String>;

/// Whether programs must read OPENING lines to play from the openings of a competition.
pub fn are_read(competition: &Competition) -> bool {
    if competition.balanced {
        return opening_file::balanced(competition.game).first().is_some_and(opening_file::FileOpening::is_read);
    }
    competition.openings > 0
}

/// The opening of a game of two programs; `number` counts the games with openings that these versions have had in these
/// seats, so that they repeat no opening before all have been played. `reads` is whether both read OPENING lines.
///
/// # Errors
/// [`OpeningError`] when none can be drawn.
pub fn opening(
    competition: &Competition,
    programs: [i64; 2],
    number: u32,
    seed: u64,
    reads: bool,
) -> Result<Opening, OpeningError> {
    let mut opening = Opening::new();
    if are_read(competition) && !reads {
        return Ok(opening);
    }
    if competition.balanced {
        // Both seatings of two programs have the same openings in the same order.
        let [one, other] = [programs[0].min(programs[1]), programs[0].max(programs[1])];
        let order = (one as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other as u64;
        let file = OpeningFile::balanced(competition.game, &competition.parameters, order);
        if let Some(chosen) = file.as_ref().and_then(|file| file.opening(number.into())) {
            chosen.apply(&mut opening);
        }
    } else if competition.openings > 0 {
        let moves = openings::draw(competition.game, &competition.parameters, competition.openings, seed)?;
        opening.insert(openings::PARAMETER.to_owned(), moves);
    }
    Ok(opening)
}

/// Whether another game of two versions in these seats would only repeat an earlier one. If there are openings, a
/// version that reads no OPENING lines plays once; if there are none, versions continue until they have repeated a
/// game.
pub fn is_over(competition: &Competition, begun: BegunGames, reads: bool) -> bool {
    let has_openings = competition.balanced || competition.openings > 0;
    match (has_openings, are_read(competition) && !reads) {
        (_, true) => begun.plain > 0,
        (true, false) => false,
        (false, false) => begun.repeated,
    }
}

#[cfg(test)]
mod tests {
    use agon_catalog::Game;

    use super::*;
    use crate::competition::CompetitionSettings;

    fn competition(game: Game, openings: Option<u32>) -> Competition {
        let settings = CompetitionSettings {
            game: game.name().to_owned(),
            title: "Friday".to_owned(),
            openings,
            ..CompetitionSettings::default()
        };
        settings.check(None).unwrap()
    }

    #[test]
    fn openings_are_balanced_unless_the_host_wants_others() {
        let check = |game, openings, wanted: (bool, u32, bool)| {
            let found = competition(game, openings);
            assert_eq!((found.balanced, found.openings, are_read(&found)), wanted, "{game} {openings:?}");
        };
        check(Game::BACTERIA, None, (true, 0, true));
        check(Game::RENJU, None, (true, 0, true));
        check(Game::DOMINEERING, None, (false, 0, false));
        check(Game::PETRI, None, (false, 0, false));
        check(Game::RENJU, Some(0), (false, 0, false));
        check(Game::RENJU, Some(5), (false, 5, true));
    }

    #[test]
    fn two_programs_play_each_opening_once_from_either_seat() {
        let renju = competition(Game::RENJU, None);
        let all = |programs: [i64; 2]| -> Vec<Opening> {
            (0..94).map(|number| opening(&renju, programs, number, 1, true).unwrap()).collect()
        };
        let (there, back) = (all([3, 8]), all([8, 3]));
        assert_eq!(there, back);
        let mut different = there.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), 94);
        assert_ne!(there, all([3, 9]));
        assert_eq!(opening(&renju, [3, 8], 0, 1, false).unwrap(), Opening::new());
        let boards = Competition { balanced: true, ..competition(Game::DOMINEERING, None) };
        assert!(opening(&boards, [3, 8], 0, 1, false).unwrap().contains_key("board"), "every program is sent a board");
    }

    #[test]
    fn what_would_only_be_repeated_is_not_played() {
        let begun = |opened, plain, repeated| BegunGames { opened, plain, repeated };
        let (drawn, plain) = (competition(Game::RENJU, Some(5)), competition(Game::RENJU, Some(0)));
        assert!(!is_over(&drawn, begun(0, 0, false), false) && is_over(&drawn, begun(0, 1, false), false));
        assert!(!is_over(&drawn, begun(9, 1, true), true));
        assert!(!is_over(&plain, begun(0, 9, false), true) && is_over(&plain, begun(0, 9, true), true));
    }
}
