//! From games to a network.

use std::collections::BTreeSet;
use std::sync::Arc;

use agon_engines::bacteria::search::Tuning;
use agon_engines::bacteria::{Evaluation, Windows, opening};
use agon_game::seed::Stream;
use agon_game::{Position as _, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::BOARD;
use agon_search::nnue::simd::Kernel;
use agon_search::nnue::{Features, Network};
use agon_search::{Engine, Stop};
use agon_training::bacteria::{BacteriaGames, BacteriaRecord};
use agon_training::distinct::DataSplit;
use agon_training::export::compare;
use agon_training::passes::ImageViews;
use agon_training::selfplay::Selfplay;
use agon_training::teacher::teach;
use agon_training::trainer::{CheckpointError, StartError};
use agon_training::{OpeningPlies, PositionRecord as _, Trainer, TrainingConfig, duel};
use tempfile::TempDir;

const SELFPLAY: Selfplay<BacteriaGames> = Selfplay {
    nodes: 100,
    imbalance: 1_000,
    seed: 5,
    games: BacteriaGames { openings: OpeningPlies::up_to(8), adjudicate: 3_000 },
};

/// An engine with a small table, which is soon forgotten.
fn engine() -> Box<dyn Engine<Bacteria>> {
    let mut engine = Evaluation::Classic.tuned(Tuning::default());
    engine.set_memory(1 << 16);
    engine
}

fn play(selfplay: Selfplay<BacteriaGames>, block: usize) -> Option<Vec<BacteriaRecord>> {
    selfplay.block(engine().as_mut(), block, &Stop::default())
}

#[test]
fn games_follow_from_the_seed() {
    let once = play(SELFPLAY, 3).unwrap();
    assert!(once == play(SELFPLAY, 3).unwrap());
    assert!(once != play(SELFPLAY, 4).unwrap());
    assert!(once != play(Selfplay { seed: 6, ..SELFPLAY }, 3).unwrap());
    let stop = Stop::default();
    stop.raise();
    let stopped = SELFPLAY.block(engine().as_mut(), 3, &stop);
    assert_eq!(stopped, None);
}

#[test]
fn records_describe_the_game() {
    let records = play(SELFPLAY, 0).unwrap();
    assert!(records.len() > 500, "{}", records.len());
    for pair in records.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        if after.ply <= before.ply {
            continue;
        }
        // One game: a win for the mover is a loss for the other, one ply later.
        let swapped = (after.ply - before.ply) % 2 == 1;
        let expected = if swapped { 2 - before.half_points } else { before.half_points };
        assert_eq!(after.half_points, expected, "{before:?} {after:?}");
        if after.ply == before.ply + 1 {
            assert_eq!(after.cells[1] & before.cells[0], after.cells[1] & before.cells[0] & !after.cells[0]);
            assert!(after.cells[1].count_ones() >= before.cells[0].count_ones(), "no move costs a cell");
        }
    }
    // The search is mostly right.
    let sure = records.iter().filter(|record| record.value.abs() > 1_000);
    let (right, all) = sure.fold((0, 0), |(right, all), record| {
        (right + usize::from((record.value > 0) == (record.half_points == 2)), all + 1)
    });
    assert!(all > 50 && right * 10 > all * 8, "{right} of {all}");
}

#[test]
fn a_duel_with_oneself_is_even() {
    let [mut a, mut b] = [engine(), engine()];
    for number in 0..3 {
        let start = opening::position(&mut Stream::new(number, "duel"), 4, [1, 1]);
        assert_eq!(duel::pair(&duel::task(200, None), [a.as_mut(), b.as_mut()], start), 2);
    }
}

/// Random boards; the side with more cells has won.
fn examples(count: usize) -> Vec<BacteriaRecord> {
    let mut stream = Stream::new(1, "lessons");
    let record = |i: usize| {
        let (a, b, c) = (stream.next() & BOARD, stream.next() & BOARD, stream.next() & BOARD);
        let (own, other) = if stream.below(2) == 0 { (a & b, c & !(a & b)) } else { (a & b & !c, c) };
        let lead = own.count_ones().cmp(&other.count_ones());
        let lead_in_cells = own.count_ones() as i16 - other.count_ones() as i16;
        BacteriaRecord {
            cells: [own, other],
            value: 100 * lead_in_cells,
            half_points: (lead as i8 + 1) as u8,
            ply: 1 + (i % 10) as u16,
        }
    };
    (0..count).map(record).collect()
}

fn config() -> TrainingConfig {
    TrainingConfig {
        hidden: 32,
        symmetric: false,
        epochs: 4,
        batch: 128,
        rate: 0.005,
        decay: 0.0,
        value_share: 0.5,
        lambda: 0.0,
        scale: 400,
        held_out: 10,
        seed: 1,
    }
}

type BacteriaTrainer = Trainer<BacteriaRecord, Windows>;

fn learn(trainer: &mut BacteriaTrainer, epochs: usize) {
    for _ in 0..epochs {
        trainer.epoch(|_, _| true).unwrap();
    }
}

#[test]
fn counting_is_learnt_and_survives_rounding() {
    let mut trainer = BacteriaTrainer::new(examples(10_000), config());
    let [training, validation] = trainer.counts();
    assert!(training + validation == 10_000 && validation > 900 && validation < 1_100, "{validation} held out");
    let before = trainer.error();
    learn(&mut trainer, 4);
    let after = trainer.epochs().last().unwrap().validation;
    assert!(trainer.is_done() && after < before / 5.0, "from {before} to {after}");
    let network = Arc::new(trainer.quantised(String::new()).unwrap());
    let difference = compare(&trainer, &network, 500);
    assert!(difference.positions == 500 && difference.mean < 20.0, "{difference:?}");
    // An engine that receives it plays with it.
    assert!(Evaluation::read(&network.write()).is_ok());
}

/// Whether a board is held out follows from the board alone, so no file or game can bring it to both sides.
#[test]
fn boards_are_learnt_from_once_and_never_held_out_too() {
    let records = examples(4_000);
    let turned = |record: &BacteriaRecord, symmetry| BacteriaRecord {
        cells: record.images(symmetry),
        value: record.value + 1,
        ..*record
    };
    let again = records.iter().enumerate().map(|(at, record)| turned(record, at % 8));
    let twice: Vec<BacteriaRecord> = records.iter().copied().chain(again).collect();
    let split = DataSplit::new(twice, 10);
    let once = DataSplit::new(records, 10);
    assert_eq!(split.duplicates, 4_000 + once.duplicates);
    let boards = |records: &[BacteriaRecord]| records.iter().map(BacteriaRecord::key).collect::<BTreeSet<u64>>();
    let (training, validation) = (boards(&split.training), boards(&split.validation));
    assert!(training.is_disjoint(&validation));
    assert_eq!((training, validation), (boards(&once.training), boards(&once.validation)));
    let share = split.validation.len() as f64 / split.training.len() as f64;
    assert!((0.09..0.14).contains(&share), "{share}");
    // The later record of a board is the one that counts.
    assert!(split.training.iter().all(|record| record.value.rem_euclid(100) == 1), "only the second ones");
}

#[test]
fn what_a_network_has_learnt_is_where_the_next_begins() {
    let mut trainer = BacteriaTrainer::new(examples(10_000), config());
    let drawn = trainer.error();
    learn(&mut trainer, 4);
    let learnt = trainer.error();
    let network = trainer.quantised(String::new()).unwrap();
    let fresh = |config| BacteriaTrainer::new(examples(10_000), config).starting_from(&network);
    let begun = fresh(TrainingConfig { seed: 2, ..config() }).unwrap().error();
    assert!((begun - learnt).abs() < (drawn - learnt) / 20.0, "{begun} after {learnt}, {drawn} before");
    assert_eq!(
        fresh(TrainingConfig { hidden: 64, ..config() }).err(),
        Some(StartError::Hidden { found: 32, expected: 64 })
    );
    // Its odds are kept, in whatever unit they are stored.
    let other = fresh(TrainingConfig { scale: 300, ..config() }).unwrap().quantised(String::new()).unwrap();
    assert_eq!((other.scale(), other.weights().rows), (300, network.weights().rows));
    // A checkpoint records the start of its training.
    let folder = TempDir::new().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    fresh(config()).unwrap().save(&checkpoint).unwrap();
    let mut other = BacteriaTrainer::new(examples(10_000), config());
    assert!(matches!(other.resume(&checkpoint), Err(CheckpointError::Other(_))));
}

/// A network's values for all images of a board.
fn says(network: &Network, record: &BacteriaRecord) -> Vec<i32> {
    let says = |symmetry| {
        let turned = BacteriaRecord { cells: record.images(symmetry), ..*record };
        let mut images = ImageViews::new(network.shape().images);
        let stage = <Windows as Features<Bacteria>>::stage(turned.board(0));
        network.value_of_features(Kernel::widest(), images.of::<_, Windows>(&turned), &[], stage)
    };
    (0..BacteriaRecord::SYMMETRIES).map(says).collect()
}

#[test]
fn a_symmetric_network_says_the_same_of_all_images() {
    let config = TrainingConfig { hidden: 256, symmetric: true, ..config() };
    let mut trainer = BacteriaTrainer::new(examples(10_000), config.clone());
    let before = trainer.error();
    learn(&mut trainer, 4);
    let after = trainer.error();
    assert!(after < before / 5.0, "from {before} to {after}");
    let network = Arc::new(trainer.quantised(String::new()).unwrap());
    assert_eq!((network.shape().hidden, network.shape().images), (256, 8));
    assert!(compare(&trainer, &network, 500).mean < 20.0);
    for record in &examples(50) {
        let said = says(&network, record);
        assert!(said.iter().all(|value| *value == said[0]), "{said:?}");
    }
    // The next one starts from it; one that gives each image another value is not accepted.
    let again = |network: &Network| BacteriaTrainer::new(examples(10_000), config.clone()).starting_from(network);
    let begun = again(&network).unwrap().error();
    assert!((begun - after).abs() < before / 20.0, "{begun} after {after}");
    let free = BacteriaTrainer::new(examples(100), TrainingConfig { hidden: 256, ..self::config() });
    let free = free.quantised(String::new()).unwrap();
    assert_eq!(again(&free).err(), Some(StartError::NotSymmetric));
    let asymmetric = BacteriaTrainer::new(examples(100), TrainingConfig { hidden: 256, ..self::config() });
    assert_eq!(asymmetric.starting_from(&network).err(), Some(StartError::Symmetric));
}

#[test]
fn teachers_say_their_mean_of_all_images() {
    let records = examples(5_000);
    let mut teacher = BacteriaTrainer::new(records.clone(), config());
    learn(&mut teacher, 1);
    let other = BacteriaTrainer::new(records.clone(), TrainingConfig { seed: 9, ..config() });
    let teachers = [&teacher, &other].map(|trainer| Arc::new(trainer.quantised(String::new()).unwrap()));
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| teach::<BacteriaRecord, Windows>(&teachers, &records, 7))
    };
    let taught = on(1);
    assert!(taught == on(3), "the same on any number of cores");
    // A checkpoint records its teachers.
    let folder = TempDir::new().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let fresh = || BacteriaTrainer::new(records.clone(), config());
    fresh().taught_by(&teachers).save(&checkpoint).unwrap();
    assert!(fresh().taught_by(&teachers).resume(&checkpoint).is_ok());
    assert!(matches!(fresh().taught_by(&teachers[..1]).resume(&checkpoint), Err(CheckpointError::Other(_))));
    assert!(matches!(fresh().resume(&checkpoint), Err(CheckpointError::Other(_))));
    assert!(taught.len() > 2 * records.len() && taught.len() <= 3 * records.len(), "{}", taught.len());
    for record in &taught[..500] {
        let said: Vec<i32> = teachers.iter().flat_map(|teacher| says(teacher, record)).collect();
        let mean = f64::from(said.iter().sum::<i32>()) / said.len() as f64;
        assert!((f64::from(record.value) - mean).abs() <= 0.5, "{} where the mean is {mean}", record.value);
    }
    // Each record, and up to two plies of a line that begins with it.
    let mut lines = taught.iter().peekable();
    for record in &records {
        let mut last = *lines.next().unwrap();
        assert_eq!((last.cells, last.ply), (record.cells, record.ply));
        while let Some(next) =
            lines.next_if(|next| next.ply == last.ply + 1 && next.half_points == 1 && reaches(&last, next))
        {
            last = *next;
        }
    }
    assert!(lines.next().is_none());
}

/// Whether a legal move leads from one record's board to the other's.
fn reaches(before: &BacteriaRecord, after: &BacteriaRecord) -> bool {
    let mover = before.turn();
    let cells = |record: &BacteriaRecord| {
        if record.turn() == Side::First { record.cells } else { [record.cells[1], record.cells[0]] }
    };
    let position = Bacteria::from_cells(cells(before), before.ply).unwrap();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().any(|m| {
        let mut next = position.clone();
        next.play_unchecked(m, &mut ());
        after.turn() != mover && Side::BOTH.map(|side| next.cells(side)) == cells(after)
    })
}

#[test]
fn a_training_goes_on_where_it_stopped() {
    let folder = TempDir::new().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let fresh = |seed| BacteriaTrainer::new(examples(1_000), TrainingConfig { seed, ..config() });
    let mut straight = fresh(1);
    learn(&mut straight, 3);

    let mut stopped = fresh(1);
    stopped.resume(&checkpoint).unwrap();
    learn(&mut stopped, 2);
    stopped.save(&checkpoint).unwrap();
    assert!(stopped.epoch(|step, _| step < 3).is_none());

    let mut resumed = fresh(1);
    resumed.resume(&checkpoint).unwrap();
    assert_eq!(resumed.epochs(), &straight.epochs()[..2]);
    learn(&mut resumed, 1);
    assert!(resumed.model().weights == straight.model().weights && resumed.epochs() == straight.epochs());

    assert!(matches!(fresh(2).resume(&checkpoint), Err(CheckpointError::Other(_))));
    std::fs::write(&checkpoint, b"").unwrap();
    assert!(matches!(fresh(1).resume(&checkpoint), Err(CheckpointError::Other(_))));
}
