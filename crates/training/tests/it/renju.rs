//! From games of renju to a network.

use std::sync::Arc;

use agon_engines::renju::book::Symmetry;
use agon_engines::renju::{Champion, Evaluation, Kinds, Pairs, PatternBoard};
use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::renju::{Board as Stones, POINTS, Point, Renju};
use agon_search::{Engine, Stop};
use agon_training::export::compare;
use agon_training::record::PositionRecord;
use agon_training::renju::{Openings, RenjuGames, RenjuRecord};
use agon_training::selfplay::Selfplay;
use agon_training::{OpeningPlies, Trainer, TrainingConfig};
use proptest::prelude::*;

const GAMES: RenjuGames = RenjuGames { beginning: Openings::Random, openings: OpeningPlies::up_to(8) };

const SELFPLAY: Selfplay<RenjuGames> = Selfplay { nodes: 60, imbalance: 2_000, seed: 5, games: GAMES };

/// Plays a block of games with an engine that has a small table.
fn play(selfplay: Selfplay<RenjuGames>, block: usize, stop: &Stop) -> Option<Vec<RenjuRecord>> {
    let mut champion = Champion::classic();
    champion.set_memory(1 << 16);
    selfplay.block(&mut champion, block, stop)
}

#[test]
fn games_follow_from_the_seed() {
    let play = |selfplay, block| play(selfplay, block, &Stop::default()).unwrap();
    let once = play(SELFPLAY, 3);
    assert!(once == play(SELFPLAY, 3));
    assert!(once != play(SELFPLAY, 4));
    assert!(once != play(Selfplay { seed: 6, ..SELFPLAY }, 3));
}

#[test]
fn games_begin_as_the_champions_do() {
    let selfplay = Selfplay { games: RenjuGames { beginning: Openings::Champions, ..GAMES }, ..SELFPLAY };
    let records = play(selfplay, 0, &Stop::default()).unwrap();
    assert!(records == play(selfplay, 0, &Stop::default()).unwrap());
    assert!(records.len() > 40);
    let centre = Point::new(8, 8).unwrap();
    for record in &records {
        let stones = record.stones();
        assert!(stones.stones(Side::First).contains(centre));
        // White's second move next to the first, and Black's third next to both.
        let beside =
            |side| stones.stones(side).iter().any(|point| point != centre && point.distance_from_centre() == 1);
        assert!(beside(Side::First) || beside(Side::Second), "{record:?}");
    }
}

/// From the book's positions, some of them deep.
#[test]
fn games_begin_where_the_book_was_practised() {
    let selfplay = Selfplay { games: RenjuGames { beginning: Openings::Practised, ..GAMES }, ..SELFPLAY };
    let records = play(selfplay, 0, &Stop::default()).unwrap();
    assert!(records == play(selfplay, 0, &Stop::default()).unwrap());
    // A game's first position has fewer stones than the last one before it.
    let mut firsts = vec![u32::from(records[0].ply)];
    firsts.extend(records.windows(2).filter(|pair| pair[0].ply >= pair[1].ply).map(|pair| u32::from(pair[1].ply)));
    assert!(firsts.len() > 8 && firsts.iter().any(|&ply| ply > GAMES.openings.most), "{firsts:?}");
}

#[test]
fn games_that_are_given_up_are_not_kept() {
    let stop = Stop::default();
    stop.raise();
    assert_eq!(play(SELFPLAY, 3, &stop), None);
}

#[test]
fn records_describe_the_game() {
    let records: Vec<RenjuRecord> = (0..3).flat_map(|block| play(SELFPLAY, block, &Stop::default()).unwrap()).collect();
    let mut followed = 0;
    for pair in records.windows(2) {
        let [before, after] = [&pair[0], &pair[1]];
        let stays = |side| {
            let [old, new] = [before, after].map(|record| record.stones().stones(side));
            old.iter().all(|point| new.contains(point))
        };
        // Stones stay, so where they do not, the next game has begun.
        if after.ply > before.ply && Side::BOTH.into_iter().all(stays) {
            let expected = if after.turn == before.turn { before.half_points } else { 2 - before.half_points };
            assert_eq!(after.half_points, expected, "{before:?} {after:?}");
            followed += 1;
        }
    }
    assert!(followed > 60 && records.len() > followed + 10, "{followed} of {}", records.len());
    for record in &records {
        let position = Renju::new(record.stones(), record.turn, 0, record.ply.into()).unwrap();
        assert!(position.outcome().is_none() && position.wins().is_empty(), "nothing was to be learnt: {record:?}");
    }
}

fn any_record() -> impl Strategy<Value = RenjuRecord> {
    let stones = prop::collection::vec(0..3_usize, POINTS);
    (stones, any::<bool>(), any::<i16>(), 0..3_u8, any::<u8>()).prop_map(|(owners, white, value, half_points, ply)| {
        let mut stones = Stones::EMPTY;
        for (point, owner) in Point::all().zip(owners) {
            if let Some(side) = owner.checked_sub(1) {
                stones.place(point, Side::BOTH[side]);
            }
        }
        RenjuRecord::new(&stones, Side::BOTH[usize::from(white)], value, half_points, ply)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn records_read_back(record in any_record()) {
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        prop_assert_eq!(bytes.len(), RenjuRecord::BYTES);
        let read = RenjuRecord::read(&bytes);
        prop_assert_eq!(read, Some(record));
        prop_assert_eq!(read.map(|read| read.stones()), Some(record.stones()));
    }

    /// The same for every image of the stones, and another one for the other side or other stones.
    #[test]
    fn keys_distinguish_boards(record in any_record()) {
        let stones = agon_rules::renju::Stones::from_board(&record.stones());
        let key = |stones: &Stones, turn| RenjuRecord::new(stones, turn, 5, 0, 9).key();
        for symmetry in Symmetry::ALL {
            prop_assert_eq!(key(&symmetry.stones(&stones).board(), record.turn), record.key());
        }
        prop_assert_ne!(key(&record.stones(), record.turn.other()), record.key());
        let mut more = record.stones();
        let free = (0..POINTS).filter_map(Point::from_index).find(|&point| more.owner(point).is_none());
        if let Some(point) = free {
            more.place(point, Side::First);
            prop_assert_ne!(key(&more, record.turn), record.key());
        }
    }

    #[test]
    fn what_is_no_record_is_refused(record in any_record(), byte in 0..45_usize, digits in 243_u8..) {
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        let changed = |at: usize, to: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = to;
            RenjuRecord::read(&bytes)
        };
        // Five points in base three, half points, a side.
        prop_assert_eq!(changed(byte, digits), None);
        prop_assert_eq!(changed(47, 3), None);
        prop_assert_eq!(changed(47, 8), None);
        prop_assert_eq!(RenjuRecord::read(&bytes[1..]), None);
    }
}

#[test]
fn the_features_are_those_of_the_position() {
    let record = play(SELFPLAY, 0, &Stop::default()).unwrap()[0];
    let expected = Kinds::from_board(&PatternBoard::new(&record.stones()), record.turn);
    assert!(PositionRecord::board(&record, 0) == expected);
}

/// Random stones; those of one side are in one place and so work together, and that side has won.
fn examples(count: usize) -> Vec<RenjuRecord> {
    let mut stream = Stream::new(1, "lessons");
    let record = |i: usize| {
        let ahead = Side::BOTH[stream.below(2)];
        let turn = Side::BOTH[stream.below(2)];
        let mut stones = Stones::EMPTY;
        for number in 0..10 {
            let side = Side::BOTH[number % 2];
            loop {
                let (first, size) = if side == ahead { (6, 4) } else { (1, 15) };
                let mut draw = || first + stream.below(size);
                let point = Point::new(draw(), draw()).unwrap();
                if stones.owner(point).is_none() {
                    stones.place(point, side);
                    break;
                }
            }
        }
        let won = turn == ahead;
        RenjuRecord::new(&stones, turn, if won { 400 } else { -400 }, 2 * u8::from(won), 1 + (i % 10) as u8)
    };
    (0..count).map(record).collect()
}

#[test]
fn what_works_together_is_learnt_and_survives_rounding() {
    let config = TrainingConfig {
        hidden: 32,
        symmetric: false,
        epochs: 3,
        batch: 64,
        rate: 0.005,
        decay: 0.0,
        value_share: 0.5,
        lambda: 0.0,
        scale: 400,
        held_out: 10,
        seed: 1,
    };
    let mut trainer = Trainer::<RenjuRecord, Pairs>::new(examples(2_000), config);
    let before = trainer.error();
    while !trainer.is_done() {
        trainer.epoch(|_, _| true).unwrap();
    }
    let after = trainer.epochs().last().unwrap().validation;
    assert!(after < before / 2.0, "from {before} to {after}");
    let network = Arc::new(trainer.quantised(String::new()).unwrap());
    let difference = compare(&trainer, &network, 500);
    assert!(difference.positions > 100 && difference.mean < 10.0, "{difference:?}");
    // An engine that receives it plays with it, and trusts its values.
    let mut evaluation = Evaluation::read(&network.write()).unwrap();
    let right = trainer.validation().iter().filter(|record| {
        let value = evaluation.value(&mut PatternBoard::new(&record.stones()), record.turn);
        (value > 0) == (record.half_points == 2)
    });
    assert!(right.count() * 10 > trainer.validation().len() * 8);
}
