//! The network in a search: its sums match the features of the position.

use std::collections::BTreeSet;
use std::sync::Arc;

use agon_engines::bacteria::windows::turned;
use agon_engines::bacteria::{Evaluation, Windows, evaluation};
use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::{Cells, WIDTH};
use agon_search::Evaluate;
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::nnue::features::SYMMETRIES;
use agon_search::nnue::network::{NetworkShape, NetworkWeights, PoolWeights};
use agon_search::nnue::simd::{Kernel, Width};
use agon_search::nnue::{Evaluator, Features, Joined, List, NetError, Network};

/// A network of random numbers: every feature matters.
fn network(hidden: usize, images: usize, narrow: bool) -> Arc<Network> {
    let mut stream = Stream::new(7, "network");
    let mut draw =
        |count: usize, most: usize| (0..count).map(|_| stream.below(2 * most + 1) as i16 - most as i16).collect();
    let (count, stages, part) = (Windows::COUNT, Windows::STAGES, hidden / images);
    let weights = NetworkWeights {
        rows: draw(count * part, 60),
        bias: draw(part, 200),
        weight_one: 64,
        outputs: draw(2 * part * stages, 127),
        output_bias: (0..stages as i32).map(|stage| 1_000 * stage).collect(),
        pool: PoolWeights::default(),
        scale: 400,
    };
    let shape = NetworkShape { features: Windows::NAME.to_owned(), count, hidden, images, stages, points: 0, narrow };
    Arc::new(Network::new(shape, &weights, String::new()).unwrap())
}

/// Random games.
fn wander(games: u64, mut visit: impl FnMut(&Bacteria, &mut Stream)) {
    for game in 0..games {
        let mut stream = Stream::new(game, "wander");
        let mut position = Bacteria::start();
        while position.outcome().is_none() && position.ply() < 120 {
            visit(&position, &mut stream);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            position.play_unchecked(moves[stream.below(moves.len())], &mut ());
        }
    }
}

fn evaluator(network: &Arc<Network>) -> Evaluator<Bacteria, Windows> {
    Evaluator::new(Arc::clone(network)).unwrap()
}

/// The image of a position under a symmetry.
fn image(position: &Bacteria, symmetry: usize) -> Bacteria {
    let turn = |cells: u64| {
        Cells(cells).fold(0, |image, cell| {
            let (row, column) = turned((cell / WIDTH, cell % WIDTH), symmetry);
            image | 1 << (row * WIDTH + column)
        })
    };
    let cells = Side::BOTH.map(|side| turn(position.cells(side)));
    Bacteria::from_cells(cells, position.ply() as u16).unwrap()
}

/// A network's value from the features of the position, and of its images.
fn by_features(network: &Network, position: &Bacteria) -> i32 {
    let images: Vec<[List; 2]> = (0..SYMMETRIES)
        .map(|symmetry| {
            let mut views = <[List; 2]>::default();
            Windows::present(Windows::board(&image(position, symmetry)), &mut views);
            if position.turn() == Side::Second {
                views.swap(0, 1);
            }
            views
        })
        .collect();
    let stage = Windows::stage(Windows::board(position));
    let value = network.value_of_features(Kernel::widest(), &images, &[], stage);
    value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

#[test]
fn a_search_hears_what_the_features_say() {
    for (hidden, images, narrow) in [(32, 1, false), (96, 1, true), (256, 8, true), (512, 8, true)] {
        let network = network(hidden, images, narrow);
        let mut evaluator = evaluator(&network);
        let mut values = BTreeSet::new();
        wander(3, |position, _| {
            let value = evaluator.value(position);
            assert_eq!(value, by_features(&network, position), "{position}");
            // Once more, from memory.
            assert_eq!(value, evaluator.value(position), "{position}");
            values.insert(value);
        });
        assert!(values.len() > 100, "{}", values.len());
    }
}

#[test]
fn a_symmetric_network_says_the_same_of_all_images() {
    let [mut symmetric, mut other] =
        [(256, 8), (32, 1)].map(|(hidden, images)| evaluator(&network(hidden, images, true)));
    let mut differ = false;
    wander(1, |position, _| {
        let images = || (0..SYMMETRIES).map(|symmetry| image(position, symmetry));
        let same: BTreeSet<i32> = images().map(|image| symmetric.value(&image)).collect();
        assert_eq!(same.len(), 1, "{same:?} at {position}");
        differ |= images().any(|image| other.value(&image) != other.value(position));
    });
    assert!(differ);
}

#[test]
fn every_width_says_the_same() {
    for (hidden, images, narrow) in [(64, 1, false), (64, 1, true), (512, 8, true)] {
        check_widths(&network(hidden, images, narrow));
    }
}

fn check_widths(network: &Arc<Network>) {
    let mut all: Vec<_> = Width::ALL
        .into_iter()
        .filter_map(Kernel::new)
        .map(|kernel| Evaluator::<Bacteria, Windows>::with_kernel(Arc::clone(network), kernel).unwrap())
        .collect();
    wander(4, |position, _| {
        let values: Vec<i32> = all.iter_mut().map(|evaluator| evaluator.value(position)).collect();
        assert!(values.iter().all(|value| *value == values[0]), "{values:?} at {position}");
    });
}

#[test]
fn the_sides_are_alike() {
    let mut evaluator = evaluator(&network(32, 1, true));
    wander(4, |position, _| {
        let cells = [position.cells(Side::Second), position.cells(Side::First)];
        let other = position.turn().other() as u16;
        let mirrored = Bacteria::from_cells(cells, other).unwrap();
        assert_eq!(evaluator.value(position), evaluator.value(&mirrored), "{position}");
    });
}

/// The features of a list, sorted.
fn sorted(list: &List) -> Vec<u32> {
    let mut features = list.as_slice().to_vec();
    features.sort_unstable();
    features
}

#[test]
fn joined_features_stand_for_all_that_are_present() {
    wander(4, |position, _| {
        let mut joined = <[Joined; 2]>::default();
        Windows::joined(Windows::board(position), &mut joined);
        for symmetry in 0..SYMMETRIES {
            let mut present = <[List; 2]>::default();
            Windows::present(Windows::board(&image(position, symmetry)), &mut present);
            for (joined, present) in joined.iter().zip(&present) {
                let mut parts = List::default();
                let turning = joined.turning.iter().map(|images| images[symmetry]);
                for feature in turning.chain(joined.fixed.as_slice().iter().copied()) {
                    assert!((feature as usize) < Windows::JOINED);
                    Windows::parts(feature as usize, &mut parts);
                }
                assert_eq!(parts.as_slice().len(), Windows::ACTIVE);
                assert_eq!(sorted(&parts), sorted(present), "{position}, symmetry {symmetry}");
            }
        }
    });
}

#[test]
fn networks_of_something_else_are_refused() {
    let features = "something else".to_owned();
    let shape = NetworkShape { features, count: 1, hidden: 32, images: 1, stages: 1, points: 0, narrow: false };
    let weights = NetworkWeights {
        rows: vec![0; 32],
        bias: vec![0; 32],
        weight_one: 1,
        outputs: vec![0; 64],
        output_bias: vec![0],
        pool: PoolWeights::default(),
        scale: 1,
    };
    let other = Network::new(shape, &weights, String::new()).unwrap();
    assert!(matches!(Evaluation::read(&other.write()), Err(NetError::Features { .. })));
    assert!(matches!(Evaluation::read(b"no net"), Err(NetError::Magic)));
}

/// The built-in network can be read, and knows who is ahead.
#[test]
fn the_champion_knows_who_is_ahead() {
    let mut evaluation = evaluation::built_in();
    let mut check = |fen: &str, ahead: bool| {
        let position: Bacteria = fen.parse().unwrap();
        let value = evaluation.value(&position);
        assert_eq!(value > 200, ahead, "{value} at {fen}");
        assert_eq!(value < -200, !ahead, "{value} at {fen}");
    };
    check("xxxx3/xxxx3/xx5/7/7/6o/5oo x 0 9", true);
    check("oooo3/oooo3/oo5/7/7/6x/5xx x 0 9", false);
    check("xxxx3/xxxx3/xx5/7/7/6o/5oo o 0 9", false);
}
