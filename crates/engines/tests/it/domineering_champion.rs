//! The champion never lets a win go.

use std::time::Duration;

use agon_engines::domineering::champion::LEVELS;
use agon_engines::domineering::{Champion, Greedy, Solver, Uct};
use agon_engines::random::Random;
use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side, TimeControl};
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use agon_search::{Engine, Score, SearchLimits, Task};
use rayon::prelude::*;

/// Time enough on any machine: these positions take milliseconds.
const CLOCK: TimeControl = TimeControl::sudden_death(Duration::from_mins(10));
const TABLE: usize = 16 << 20;

/// The board of the seed, after a number of dominoes at random.
fn opening(seed: u64, plies: u32) -> Domineering {
    let mut position = Domineering::new(WeightedBoard::drawn(8, 8, 3, seed).expect("a board"), Bonus::default());
    let mut stream = Stream::new(seed, "opening");
    for _ in 0..plies {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        // The PASS is the last.
        position.play_unchecked(moves[stream.below(moves.len() - 1)], &mut ());
    }
    position
}

fn play(mut position: Domineering, players: &mut [&mut dyn Engine<Domineering>; 2]) -> Domineering {
    while position.outcome().is_none() {
        let m = players[position.turn().index()].best_move(&position, &Task::clock(CLOCK)).expect("not over");
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        assert!(legal.contains(&m), "{m} in {position}");
        position.play_unchecked(m, &mut ());
    }
    position
}

/// The side that wins in the position of the seed, which the champion takes and wins with against each opponent.
fn win_from(seed: u64) -> Side {
    let start = opening(seed, 12);
    let outcome = Solver::new(start.board(), TABLE).outcome(&start, SearchLimits::default()).expect("no limits");
    let side = outcome.winner().expect("no draws at a bonus of 2.5");
    let opponents: [Box<dyn Engine<Domineering>>; 4] = [
        Box::new(Random::new(seed)),
        Box::new(Greedy::new(seed)),
        Box::new(Uct::visiting(200)),
        Box::new(Champion::new(TABLE)),
    ];
    for (name, mut opponent) in ["random", "greedy", "uct", "champion"].into_iter().zip(opponents) {
        let mut champion = Champion::new(TABLE);
        let mut players: [&mut dyn Engine<Domineering>; 2] = match side {
            Side::First => [&mut champion, &mut *opponent],
            Side::Second => [&mut *opponent, &mut champion],
        };
        let end = play(start, &mut players);
        assert_eq!(end.outcome(), Some(Outcome::Win(side)), "against {name}, from {start}: {end}");
    }
    side
}

#[test]
fn a_won_position_is_won() {
    let games: u64 = if std::env::var_os("AGON_SLOW").is_some() { 200 } else { 12 };
    let firsts = (0..games).into_par_iter().filter(|&seed| win_from(seed) == Side::First).count() as u64;
    assert!(0 < firsts && firsts < games, "only one side wins: {firsts} of {games}");
}

/// Against itself it plays for the score once it has won, so the game ends at its value.
#[test]
fn against_itself_the_winner_gets_its_score() {
    for seed in 0..4 {
        let start = opening(seed, 14);
        let value = Solver::new(start.board(), TABLE).value(&start, SearchLimits::default()).expect("no limits");
        let winner = Solver::new(start.board(), TABLE).outcome(&start, SearchLimits::default()).expect("no limits");
        let end = play(start, &mut [&mut Champion::new(TABLE), &mut Champion::new(TABLE)]);
        let got = (end.lead() - start.lead()).halves() / 2;
        // The loser may give points away for a chance to turn the game.
        match winner {
            Outcome::Win(Side::Second) => assert!(got <= value, "{got} of {value} from {start}"),
            _ => assert!(got >= value, "{got} of {value} from {start}"),
        }
    }
}

/// A lost game is a fight: opponents that look a few plies ahead let more of their wins go than against a player of
/// their own kind.
#[test]
fn a_lost_game_is_made_hard() {
    let games: u64 = if std::env::var_os("AGON_SLOW").is_some() { 60 } else { 8 };
    let lost_games: Vec<(u64, Domineering, Side)> = (0..games)
        .into_par_iter()
        .map(|seed| {
            let start = opening(100 + seed, 10);
            let outcome =
                Solver::new(start.board(), TABLE).outcome(&start, SearchLimits::default()).expect("no limits");
            (seed, start, outcome.winner().expect("no draws at a bonus of 2.5").other())
        })
        .collect();
    // How many of its won games an opponent of this level loses to the player.
    let turned = |level: u8, player: &(dyn Fn() -> Champion + Sync)| {
        let turned = |&&(seed, start, lost): &&(u64, Domineering, Side)| {
            let (mut mine, mut theirs) = (player(), Champion::at(level));
            theirs.set_seed(seed);
            let end = match lost {
                Side::First => play(start, &mut [&mut mine, &mut theirs]),
                Side::Second => play(start, &mut [&mut theirs, &mut mine]),
            };
            end.outcome() == Some(Outcome::Win(lost))
        };
        lost_games.par_iter().filter(turned).count()
    };
    let levels = [1, 3];
    let by_champion: usize = levels.map(|level| turned(level, &|| Champion::new(TABLE))).iter().sum();
    let by_equals: usize = levels.map(|level| turned(level, &|| Champion::at(level))).iter().sum();
    assert!(by_champion > by_equals, "{by_champion} of {} lost games turned, {by_equals} by equals", 2 * games);
}

/// With time enough, one position has one move; and without any time, there is a legal one all the same.
#[test]
fn its_game_is_always_the_same() {
    let start = opening(5, 12);
    let play = || play(start, &mut [&mut Champion::new(TABLE), &mut Champion::new(TABLE)]);
    assert_eq!(play(), play());
    let no_time = TimeControl::sudden_death(Duration::ZERO);
    let players: [&mut dyn Engine<Domineering>; 3] =
        [&mut Champion::new(TABLE), &mut Champion::at(7), &mut Uct::default()];
    for player in players {
        assert!(player.best_move(&opening(5, 0), &Task::clock(no_time)).expect("not over").anchor().is_some());
    }
}

/// A higher level is a better player: over both seats of some boards it takes more points off the one that is three
/// levels lower than it loses.
#[test]
fn a_higher_level_plays_better() {
    for level in (4..LEVELS).step_by(3) {
        let mut lead = 0;
        for seed in 0..8 {
            let start = opening(seed, 2);
            let mut high = Champion::at(level);
            let mut low = Champion::at(level - 3);
            for player in [&mut high, &mut low] {
                player.set_seed(seed);
            }
            lead += play(start, &mut [&mut high, &mut low]).lead().halves();
            lead -= play(start, &mut [&mut low, &mut high]).lead().halves();
        }
        assert!(lead > 0, "level {level} is {lead} half points ahead of level {}", level - 3);
    }
}

/// The tree search finds more than common sense does.
#[test]
fn uct_beats_greedy() {
    let mut wins = [0; 2];
    for seed in 0..6 {
        let start = opening(seed, 2);
        let (mut uct, mut greedy) = (Uct::visiting(300), Greedy::new(seed));
        wins[usize::from(play(start, &mut [&mut uct, &mut greedy]).outcome() != Some(Outcome::Win(Side::First)))] += 1;
        wins[usize::from(play(start, &mut [&mut greedy, &mut uct]).outcome() != Some(Outcome::Win(Side::Second)))] += 1;
    }
    assert!(wins[0] >= 2 * wins[1], "{wins:?}");
}

/// After a PASS the leader wins by another one; even a player that cannot prove anything knows that.
#[test]
fn a_pass_that_wins_is_played() {
    let board = WeightedBoard::from_rows("3 3\n3 3\n").expect("a board");
    let position = Domineering::bare(board, Bonus::default(), [], Side::Second, true).expect("on the board");
    let players: [&mut dyn Engine<Domineering>; 3] =
        [&mut Champion::at(1), &mut Champion::at(9), &mut Uct::visiting(50)];
    for player in players {
        assert_eq!(player.best_move(&position, &Task::clock(CLOCK)).expect("not over").anchor(), None);
    }
}

/// The scores that a search reports, last first, in the view of the side to move.
fn scores(position: &Domineering, limits: SearchLimits) -> Vec<Score> {
    let mut scores = Vec::new();
    let task = Task { limits, ..Task::default() };
    Champion::new(TABLE).search(position, &task, &mut |info| scores.insert(0, info.score)).expect("not over");
    scores
}

/// Its evaluation is the lead at the end: as it proves it, or as far as it sees while nothing is proved.
#[test]
fn it_reports_the_lead_that_it_proves_or_sees() {
    for seed in 0..4 {
        let position = opening(seed, 14);
        let value = Solver::new(position.board(), TABLE).value(&position, SearchLimits::default()).expect("no limits");
        let lead = 50 * position.lead().halves() + 100 * value;
        let seen = if position.turn() == Side::First { lead } else { -lead };
        assert_eq!(scores(&position, SearchLimits::default()).first(), Some(&Score::Centi(seen)), "{position}");
    }
    let empty = opening(1, 0);
    let reported = scores(&empty, SearchLimits::nodes(50_000));
    assert!(reported.iter().all(|score| matches!(score, Score::Centi(centi) if centi.abs() < 10_000)), "{reported:?}");
    assert!(!reported.is_empty(), "nothing is proved of an empty board, and yet it says what it sees");
}
