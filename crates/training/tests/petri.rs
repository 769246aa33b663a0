//! Tuning, as small as it can be.

use agon_engines::petri::{Champion, Policy};
use agon_training::petri::{PolicyTraining, worth};

fn small(seed: u64) -> PolicyTraining {
    PolicyTraining { samples: 4, bouts: 3, ..PolicyTraining::new(Policy::sketch(), vec![Policy::sketch()], 0.3, seed) }
}

/// A generation; what it says of every trial of every candidate.
fn advance(training: &mut PolicyTraining) -> Vec<Vec<f64>> {
    let (pool, trials) = (training.pool(), training.trials());
    let candidates = training.candidates().into_iter().map(Champion::following);
    let worths: Vec<Vec<f64>> = candidates
        .map(|champion| trials.iter().map(|bout| worth(&champion, pool[bout.opponent].as_ref(), bout)).collect())
        .collect();
    training.learn(&worths);
    worths
}

#[test]
fn a_stopped_training_goes_on_where_it_was() {
    let mut through = small(7);
    (0..4).for_each(|_| drop(advance(&mut through)));
    let mut stopped = small(7);
    (0..2).for_each(|_| drop(advance(&mut stopped)));
    let mut resumed = stopped.clone();
    assert!(resumed.is_of_one_kind_with(&small(7)) && !resumed.is_of_one_kind_with(&small(8)));
    (0..2).for_each(|_| drop(advance(&mut resumed)));
    assert_eq!(resumed, through);
    assert_eq!(resumed.policy().to_string(), through.policy().to_string());
}

#[test]
fn a_bout_is_worth_between_nothing_and_all() {
    let mut training = small(1);
    for _ in 0..3 {
        let worths = advance(&mut training);
        assert!(worths.iter().flatten().all(|worth| (0.0..=1.0).contains(worth)), "{worths:?}");
    }
    assert!((0.0..=1.0).contains(&training.worth()));
}

#[test]
fn the_pool_leaves_out_what_is_held_out() {
    let pool = small(1).pool();
    let names: Vec<&str> = pool.iter().map(|program| program.name()).collect();
    assert_eq!((names[0], names[names.len() - 1]), ("amoeba", "champion"));
    assert!(names.contains(&"coordinated:punch3") && !names.contains(&"coordinated:6/5/1"), "{names:?}");
}
