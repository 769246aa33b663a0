//! Renju's network in a search: the incremental value equals a fresh one.

use std::sync::Arc;

use agon_engines::renju::{Evaluation, Kinds, NetworkEvaluation, Pairs, PatternBoard, network};
use agon_game::Side;
use agon_game::seed::Stream;
use agon_rules::renju::{self as rules, Point, Renju, SIZE};
use agon_search::nnue::network::{NetworkShape, NetworkWeights, PoolWeights};
use agon_search::nnue::simd::{Kernel, LANES, Width};
use agon_search::nnue::{Features, List, NetError, Network};

/// A network of random numbers: every feature matters, those of points too if it sees them.
fn random_network(hidden: usize, sees_points: bool) -> Arc<Network> {
    let mut stream = Stream::new(7, "network");
    let mut draw =
        |count: usize, most: usize| (0..count).map(|_| stream.below(2 * most + 1) as i16 - most as i16).collect();
    let (count, stages) = (Pairs::COUNT, Pairs::STAGES);
    let (points, pools) = if sees_points { (Pairs::POINTS, 1) } else { (0, 0) };
    let weights = NetworkWeights {
        rows: draw(count * hidden, 40),
        bias: draw(hidden, 200),
        weight_one: 64,
        outputs: draw(2 * hidden * stages, 127),
        output_bias: (0..stages as i32).map(|stage| 1_000 * stage).collect(),
        pool: PoolWeights {
            rows: draw(points * LANES, 120),
            bias: draw(pools * LANES, 100),
            dense: draw(pools * stages * LANES * 2 * hidden, 200),
            dense_bias: draw(pools * stages * 2 * hidden, 100),
        },
        scale: 400,
    };
    let shape =
        NetworkShape { features: Pairs::NAME.to_owned(), count, hidden, images: 1, stages, points, narrow: false };
    Arc::new(Network::new(shape, &weights, String::new()).unwrap())
}

/// Puts stones at random and takes them back, like a search, and visits the board now and then.
fn wander(walks: u64, mut visit: impl FnMut(&mut PatternBoard, Side, &mut Stream)) {
    for walk in 0..walks {
        let mut stream = Stream::new(walk, "wander");
        let mut board = PatternBoard::new(&rules::Board::EMPTY);
        let mut placed = 0;
        for _ in 0..300 {
            let open: Vec<u8> = board.empties().iter().filter(|&cell| near(cell)).collect();
            if stream.below(3) > 0 && !open.is_empty() {
                board.place(open[stream.below(open.len())], Side::BOTH[stream.below(2)]);
                placed += 1;
            } else if placed > 0 {
                board.take_back();
                placed -= 1;
            }
            if stream.below(3) == 0 {
                visit(&mut board, Side::BOTH[stream.below(2)], &mut stream);
            }
        }
    }
}

/// Whether a point is in the middle, where lines meet, or on one edge.
fn near(cell: u8) -> bool {
    let (row, column) = (usize::from(cell) / SIZE, usize::from(cell) % SIZE);
    row < 8 && (3..12).contains(&column)
}

/// The network's value of a board that it sees for the first time, as the kit computes it.
fn fresh(network: &Network, board: &PatternBoard, turn: Side) -> i32 {
    let kinds = Kinds::from_board(board, turn);
    let (mut views, mut points) = (<[List; 2]>::default(), Vec::new());
    Pairs::present(kinds, &mut views);
    Pairs::points(&kinds, &mut points);
    network.value_of_features(Kernel::widest(), &[views], &points, Pairs::stage(kinds))
}

#[test]
fn what_is_kept_is_what_a_fresh_look_says() {
    for (hidden, sees_points) in [(32, false), (64, false), (96, false), (32, true), (64, true)] {
        let network = random_network(hidden, sees_points);
        let mut kept = NetworkEvaluation::new(Arc::clone(&network)).unwrap();
        let (mut asked, mut lowest, mut highest) = (0, i32::MAX, i32::MIN);
        wander(6, |board, turn, _| {
            let value = kept.value(board, turn);
            assert_eq!(value, fresh(&network, board, turn), "hidden {hidden}, {:?}", board.to_rules());
            (asked, lowest, highest) = (asked + 1, lowest.min(value), highest.max(value));
        });
        assert!(asked > 400 && lowest < highest, "{asked} values from {lowest} to {highest}");
    }
}

#[test]
fn every_width_says_the_same() {
    let network = random_network(64, true);
    let mut all: Vec<_> = Width::ALL
        .into_iter()
        .filter_map(Kernel::new)
        .map(|kernel| NetworkEvaluation::with_kernel(Arc::clone(&network), kernel).unwrap())
        .collect();
    wander(3, |board, turn, _| {
        let values: Vec<i32> = all.iter_mut().map(|evaluation| evaluation.value(board, turn)).collect();
        assert!(values.iter().all(|value| *value == values[0]), "{values:?} at {:?}", board.to_rules());
    });
}

/// The same stones turned and mirrored.
fn image(stones: &rules::Board, symmetry: usize) -> rules::Board {
    let mut image = rules::Board::EMPTY;
    for side in Side::BOTH {
        for point in stones.stones(side).iter() {
            let (mut row, mut column) = (usize::from(point.row()), usize::from(point.column()));
            if symmetry & 1 != 0 {
                row = SIZE + 1 - row;
            }
            if symmetry & 2 != 0 {
                column = SIZE + 1 - column;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            image.place(Point::new(row, column).expect("a point of the board"), side);
        }
    }
    image
}

#[test]
fn symmetries_change_nothing() {
    let network = random_network(32, true);
    let mut evaluation = NetworkEvaluation::new(network).unwrap();
    wander(2, |board, turn, stream| {
        let mut turned = PatternBoard::new(&image(&board.to_rules(), stream.below(8)));
        assert_eq!(evaluation.value(board, turn), evaluation.value(&mut turned, turn), "{:?}", board.to_rules());
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

/// The built-in network can be read, knows that a three is worth more to the side to move, and who is ahead.
#[test]
fn the_champion_knows_who_is_ahead() {
    let mut evaluation = network::built_in();
    let mut check = |text: &str, ahead: bool| {
        let position: Renju = text.parse().unwrap();
        let value = evaluation.value(&mut PatternBoard::new(position.board()), agon_game::Position::turn(&position));
        assert_eq!(value > 200, ahead, "{value} at {text}");
        assert_eq!(value < -200, !ahead, "{value} at {text}");
    };
    // White's twos work together and Black's stones are scattered; and the other way round.
    check("15/15/15/3B11/15/5W1W7/6W8/5W1W3B3/15/2B12/15/11B3/15/15/15 W", true);
    check("15/15/15/3B11/15/5W1W7/6W8/5W1W3B3/15/2B12/15/11B3/15/15/15 B", false);
    check("15/15/15/3W11/15/5B1B7/6B8/5B9/15/2W12/15/11W3/15/15/15 B", true);
    check("15/15/15/3W11/15/5B1B7/6B8/5B9/15/2W12/15/11W3/15/15/15 W", false);
}
