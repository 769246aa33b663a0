//! The network in a search: what is kept from position to position is what a fresh look would say.

use std::sync::Arc;

use agon_engines::bacteria::{Evaluation, Windows, evaluation};
use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::bacteria::Bacteria;
use agon_search::Evaluate;
use agon_search::nnue::network::{NetworkShape, NetworkWeights, PoolWeights};
use agon_search::nnue::simd::{Kernel, Width};
use agon_search::nnue::{Evaluator, Features, List, NetError, Network, Turnover};

/// A network of random numbers: every feature matters.
fn network(hidden: usize, narrow: bool) -> Arc<Network> {
    let mut stream = Stream::new(7, "network");
    let mut draw =
        |count: usize, most: usize| (0..count).map(|_| stream.below(2 * most + 1) as i16 - most as i16).collect();
    let (count, stages) = (Windows::COUNT, Windows::STAGES);
    let weights = NetworkWeights {
        rows: draw(count * hidden, 60),
        bias: draw(hidden, 200),
        weight_one: 64,
        outputs: draw(2 * hidden * stages, 127),
        output_bias: (0..stages as i32).map(|stage| 1_000 * stage).collect(),
        pool: PoolWeights::default(),
        scale: 400,
    };
    let shape = NetworkShape { features: Windows::NAME.to_owned(), count, hidden, stages, points: 0, narrow };
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

fn fresh(network: &Arc<Network>, position: &Bacteria) -> i32 {
    let mut evaluator = Evaluator::<Bacteria, Windows>::new(Arc::clone(network)).unwrap();
    evaluator.reset(position);
    evaluator.value(position)
}

/// Goes up and down the tree, asking for values only now and then.
#[test]
fn what_is_kept_is_what_a_fresh_look_says() {
    for (hidden, narrow) in [(32, false), (64, true), (96, false), (96, true)] {
        let network = network(hidden, narrow);
        let mut kept = Evaluator::<Bacteria, Windows>::new(Arc::clone(&network)).unwrap();
        let mut asked = 0;
        wander(8, |root, stream| {
            kept.reset(root);
            let mut line = vec![root.clone()];
            for _ in 0..12 {
                let position = line.last().unwrap().clone();
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                if moves.is_empty() || (line.len() > 1 && stream.below(3) == 0) {
                    if line.len() > 1 {
                        line.pop();
                        kept.pop();
                    }
                } else {
                    let mut next = position;
                    kept.push();
                    next.play_unchecked(moves[stream.below(moves.len())], &mut kept);
                    line.push(next);
                }
                if stream.below(2) == 0 {
                    let position = line.last().unwrap();
                    assert_eq!(kept.value(position), fresh(&network, position), "{position}");
                    asked += 1;
                }
            }
        });
        assert!(asked > 1_000);
    }
}

#[test]
fn every_width_says_the_same() {
    for narrow in [false, true] {
        check_widths(&network(64, narrow));
    }
}

fn check_widths(network: &Arc<Network>) {
    let mut all: Vec<_> = Width::ALL
        .into_iter()
        .filter_map(Kernel::new)
        .map(|kernel| Evaluator::<Bacteria, Windows>::with_kernel(Arc::clone(network), kernel).unwrap())
        .collect();
    wander(4, |position, _| {
        let values: Vec<i32> = all
            .iter_mut()
            .map(|evaluator| {
                evaluator.reset(position);
                evaluator.value(position)
            })
            .collect();
        assert!(values.iter().all(|value| *value == values[0]), "{values:?} at {position}");
    });
}

#[test]
fn the_sides_are_alike() {
    let network = network(32, true);
    wander(4, |position, _| {
        let cells = [position.cells(Side::Second), position.cells(Side::First)];
        let other = position.turn().other() as u16;
        let mirrored = Bacteria::from_cells(cells, other).unwrap();
        assert_eq!(fresh(&network, position), fresh(&network, &mirrored), "{position}");
    });
}

/// The features of a list, sorted.
fn sorted(list: &List) -> Vec<u16> {
    let mut features = list.as_slice().to_vec();
    features.sort_unstable();
    features
}

/// What a search adds up of a position.
fn summed(position: &Bacteria) -> [List; 2] {
    let mut views = <[List; 2]>::default();
    Windows::summed(Windows::board(position), &mut views);
    views
}

#[test]
fn changes_lead_from_board_to_board() {
    let mut last = Bacteria::start();
    wander(4, |position, _| {
        let mut turnover = <[Turnover; 2]>::default();
        Windows::changed(Windows::board(&last), Windows::board(position), &mut turnover);
        for ((before, after), turnover) in summed(&last).iter().zip(&summed(position)).zip(&turnover) {
            assert_eq!(before.as_slice().len(), Windows::SUMMED);
            let mut changed = sorted(before);
            changed.retain(|feature| !turnover.lost.as_slice().contains(feature));
            changed.extend(turnover.gained.as_slice());
            changed.sort_unstable();
            assert_eq!(changed, sorted(after), "from {last} to {position}");
        }
        last = position.clone();
    });
}

#[test]
fn joined_features_stand_for_all_that_are_present() {
    wander(4, |position, _| {
        let mut present = <[List; 2]>::default();
        Windows::present(Windows::board(position), &mut present);
        for (joined, present) in summed(position).iter().zip(&present) {
            let mut parts = List::default();
            for &feature in joined.as_slice() {
                assert!(usize::from(feature) < Windows::JOINED);
                Windows::parts(feature.into(), &mut parts);
            }
            assert_eq!(parts.as_slice().len(), Windows::ACTIVE);
            assert_eq!(sorted(&parts), sorted(present), "{position}");
        }
    });
}

#[test]
fn networks_of_something_else_are_refused() {
    let features = "something else".to_owned();
    let shape = NetworkShape { features, count: 1, hidden: 32, stages: 1, points: 0, narrow: false };
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

/// The one that is built in reads, and knows who is ahead.
#[test]
fn the_champion_knows_who_is_ahead() {
    let network = Arc::clone(evaluation::built_in().network());
    let check = |fen: &str, ahead: bool| {
        let position: Bacteria = fen.parse().unwrap();
        let value = fresh(&network, &position);
        assert_eq!(value > 200, ahead, "{value} at {fen}");
        assert_eq!(value < -200, !ahead, "{value} at {fen}");
    };
    check("xxxx3/xxxx3/xx5/7/7/6o/5oo x 0 9", true);
    check("oooo3/oooo3/oo5/7/7/6x/5xx x 0 9", false);
    check("xxxx3/xxxx3/xx5/7/7/6o/5oo o 0 9", false);
}
