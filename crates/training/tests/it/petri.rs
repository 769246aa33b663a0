//! Tuning, as small as it can be.

use agon_engines::petri::{CHAMPION, Champion, PetriProgram, Policy, SLIME};
use agon_jobs::Stop;
use agon_rules::petri::Species;
use agon_training::petri::exploit::{all_dishes, both_seats};
use agon_training::petri::{
    Attacker, Budget, Exploit, GameTally, League, LeagueJob, LeagueRules, LearningRules, PolicyTraining, Reinforcement,
    ReinforcementJob, Role, worth,
};

/// The dishes of a tournament, or one in `step` of them: with `AGON_SLOW` always all.
fn dishes(step: usize) -> Vec<(usize, usize)> {
    all_dishes().step_by(if slow() { 1 } else { step }).collect()
}

fn slow() -> bool {
    std::env::var_os("AGON_SLOW").is_some()
}

fn small(seed: u64) -> PolicyTraining {
    PolicyTraining { samples: 4, bouts: 3, ..PolicyTraining::new(Policy::sketch(), vec![Policy::sketch()], 0.3, seed) }
}

/// A generation; returns the score of every trial of every candidate.
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

#[test]
fn with_focus_little_is_spent_on_who_always_loses() {
    let rivals = Policy::attackers()[..2].to_vec();
    let met = |focus| {
        let training = PolicyTraining::against(Policy::sketch(), rivals.clone(), 0.3, 1);
        let training = PolicyTraining { focus, bouts: 2000, standing: vec![0.98, 0.5], ..training };
        training.trials().iter().filter(|trial| trial.opponent == 0).count()
    };
    let ([plain, focused], shares) = ([1, 2].map(met), [200, 24]);
    assert!(plain.abs_diff(shares[0]) < 50 && focused.abs_diff(shares[1]) < 20, "{plain} {focused}");
}

#[test]
fn noise_changes_the_games_of_rivals_alone() {
    let play = |training: &PolicyTraining| {
        let pool = training.pool();
        let pool: Vec<_> = pool.iter().map(AsRef::as_ref).collect();
        training.play(&pool, 1, &Stop::default()).expect("it is not stopped")
    };
    let noisy = |training: PolicyTraining| PolicyTraining { noise: 0.5, samples: 2, bouts: 3, ..training };
    let check = |training: PolicyTraining, changes: bool| {
        let training = noisy(training);
        let plain = PolicyTraining { noise: 0.0, ..training.clone() };
        assert_eq!(play(&training) != play(&plain), changes);
    };
    check(PolicyTraining::against(Policy::sketch(), Policy::attackers(), 0.3, 3), true);
    check(PolicyTraining::new(Policy::sketch(), vec![], 0.3, 3), false);
}

#[test]
fn an_attacker_takes_what_it_says_and_no_less_than_its_start() {
    let species = [Species::new(7, 5, 0).expect("twelve points")];
    let (starts, budget) = ([Policy::sketch(), Policy::attackers().remove(3)], Budget::Generations(1));
    let dishes = dishes(7);
    let exploit = Exploit {
        target: &SLIME,
        dishes: &dishes,
        starts: &starts,
        species: &species,
        network: false,
        wide: false,
        budget,
        seed: 1,
    };
    let attackers = exploit.run(2, &Stop::default(), &());
    let [attacker] = &*attackers else { panic!("{attackers:?}") };
    assert_eq!((attacker.start, attacker.generations, attacker.policy.species), (1, 1, species[0]));
    assert!(attacker.tally.share() >= attacker.before.share().max(0.9), "{attacker:?}");
    let games = attacker.tally.wins + attacker.tally.draws + attacker.tally.losses;
    assert_eq!((games as usize, all_dishes().count()), (2 * dishes.len(), 17 * 17));
    let trials = both_seats(dishes.iter().copied());
    let again = GameTally::from_trials(&Champion::following(attacker.policy.clone()), &SLIME, &trials);
    assert_eq!(again, attacker.tally);
    // In the wider family it starts from the same games.
    let wide = Exploit { wide: true, ..exploit }.run(2, &Stop::default(), &()).remove(0);
    assert_eq!((wide.before, wide.start), (attacker.before, attacker.start));
    assert!(wide.policy.extras.is_some() && attacker.policy.extras.is_none());
    // A network learns from each start, with its points, by reinforcement.
    let networks = Exploit { network: true, ..exploit }.run(2, &Stop::default(), &());
    let from: Vec<(usize, Species)> = networks.iter().map(|network| (network.start, network.policy.species)).collect();
    assert_eq!(from, [(0, starts[0].species), (1, starts[1].species)]);
    assert!(networks.iter().all(|network| network.generations == 1 && network.curve.len() == 1));
    let is_small = |&(width, height): &(usize, usize)| width * height < 100;
    assert_eq!(all_dishes().filter(is_small).count(), 112);
    let small_dishes = dishes.iter().copied().filter(is_small).count() as u32;
    for Attacker { small, tally, .. } in networks.iter().chain([attacker]) {
        assert_eq!(small.wins + small.draws + small.losses, 2 * small_dishes, "{tally:?}");
        assert!(small.wins <= tally.wins && small.losses <= tally.losses);
    }
}

/// The claims of docs/engines/petri.md about them. Without `AGON_SLOW` on one dish in eight, with the wins on those.
#[test]
fn those_that_beat_the_first_champion_lose_to_this_one() {
    let dishes = dishes(8);
    let expected = if slow() { [24, 68, 17, 5, 19, 21, 21, 2] } else { [2, 9, 0, 1, 0, 2, 2, 0] };
    let trials = both_seats(dishes.iter().copied());
    let attackers: Vec<Champion> = Policy::attackers().into_iter().map(Champion::following).collect();
    let [.., first] = &*attackers else { panic!("no attackers") };
    let wins = |at: usize, target: &dyn PetriProgram| GameTally::from_trials(&attackers[at], target, &trials).wins;
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|at| wins(at, &*CHAMPION)), expected);
    // More than 400 of 578 on all dishes.
    assert!([6, 7].iter().all(|&at| wins(at, first) as usize > 400 * dishes.len() / all_dishes().count()));
}

#[test]
fn a_draw_is_half_a_win() {
    let check = |wins, draws, losses, share: f64| {
        assert!((GameTally { wins, draws, losses }.share() - share).abs() < 1e-12, "{wins} {draws} {losses}");
    };
    check(1, 0, 0, 1.0);
    check(1, 2, 1, 0.5);
    check(0, 1, 1, 0.25);
    check(0, 0, 0, 0.0);
}

fn rules() -> LeagueRules {
    let species = vec![[4, 8, 0], [7, 5, 0]];
    LeagueRules {
        species,
        dishes: vec![(5, 5), (6, 4)],
        bouts: 2,
        generations: 2,
        main_generations: None,
        wide: false,
        step: 0.2,
        noise: 0.05,
        seed: 5,
    }
}

#[test]
fn a_stopped_league_goes_on_where_it_was() {
    let new = || League::new(vec![Policy::sketch(), Policy::attackers().remove(0)], rules());
    let (mut through, mut stopped) = (new(), new());
    (0..7).for_each(|_| assert!(through.advance(2, &Stop::default())));
    // Within the second round.
    (0..3).for_each(|_| assert!(stopped.advance(1, &Stop::default())));
    let text = toml::to_string(&stopped).expect("a league is written");
    let mut resumed: League = toml::from_str(&text).expect("and read");
    assert!(resumed == stopped && resumed.is_of_one_kind_with(&new()));
    (0..4).for_each(|_| assert!(resumed.advance(1, &Stop::default())));
    assert_eq!(resumed, through);
    assert_eq!((through.round, through.generations(), through.members.len()), (3, 7, 5));
    let roles: Vec<Role> = through.members.iter().map(|member| member.role).collect();
    assert_eq!(roles, [Role::Founder, Role::Founder, Role::Exploiter, Role::Main, Role::Exploiter]);
    let points = |member: usize| through.members[member].policy.species.hp();
    assert_eq!((points(2), points(4)), (4, 7), "the exploiters' allocations take turns");
    let other = LeagueRules { seed: 6, ..rules() };
    assert!(!resumed.is_of_one_kind_with(&League::new(vec![Policy::sketch()], other)));

    let stop = Stop::default();
    stop.raise();
    let before = through.clone();
    assert!(!through.advance(1, &stop) && through.members == before.members && through.round == before.round);
}

#[test]
fn main_policies_of_a_wide_league_are_wide_and_learn_as_long_as_the_rules_say() {
    let rules = LeagueRules { main_generations: Some(3), wide: true, ..rules() };
    assert_eq!([0, 1, 2, 4].map(|rounds| rules.generations_of(rounds)), [0, 2, 5, 10]);
    let mut league = League::new(vec![Policy::sketch(), Policy::attackers().remove(3)], rules);
    for generation in 1..=5 {
        assert!(league.advance(2, &Stop::default()));
        assert_eq!(league.generations(), generation);
        let text = toml::to_string(&league).expect("a league is written");
        assert_eq!(toml::from_str::<League>(&text).expect("and read"), league);
        if generation == 3 {
            // The main policy meets all members, itself as it was included.
            let text: toml::Table = text.parse().expect("a table");
            let pool = PolicyTraining::new(Policy::sketch(), vec![], 0.2, 1).pool().len();
            assert_eq!(text["learner"]["standing"].as_array().map(Vec::len), Some(pool + 3), "{text}");
        }
    }
    let wide: Vec<(Role, bool)> =
        league.members[2..].iter().map(|member| (member.role, member.policy.extras.is_some())).collect();
    assert_eq!((league.round, wide), (2, vec![(Role::Exploiter, false), (Role::Main, true)]));
}

#[test]
fn a_league_knows_its_worst_opponents_and_its_equilibrium() {
    let mut league = League::new(vec![Policy::sketch(); 4], rules());
    // Stone, scissors and paper, and one that loses to all.
    league.payoffs =
        vec![vec![0.5, 1.0, 0.0, 1.0], vec![0.0, 0.5, 1.0, 1.0], vec![1.0, 0.0, 0.5, 1.0], vec![0.0, 0.0, 0.0, 0.5]];
    let equilibrium = league.equilibrium();
    let third = |share: f64| (share - 1.0 / 3.0).abs() < 0.02;
    assert!(equilibrium[..3].iter().all(|&share| third(share)) && equilibrium[3] < 0.02, "{equilibrium:?}");
    assert!((league.floor(0) - 2.0 / 3.0).abs() < 1e-12 && league.floor(3).abs() < 1e-12);
    assert_eq!(league.main(), 2, "the youngest of equals");
    league.payoffs[1] = vec![0.4, 0.5, 1.0, 1.0];
    assert_eq!(league.main(), 1);
}

#[test]
fn a_league_lives_in_its_files() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let sketch = folder.path().join("sketch.toml");
    std::fs::write(&sketch, Policy::sketch().to_string()).expect("written");
    let out = folder.path().join("main.toml");
    let job = |rounds| LeagueJob { out: out.clone(), founders: vec![sketch.clone()], rules: rules(), rounds };
    let run = |job: &LeagueJob| job.run(1, &Stop::default(), &());
    run(&job(1)).expect("a league");
    let league = run(&job(2)).expect("the same one");
    assert_eq!((league.round, league.members.len(), league.payoffs.len()), (2, 3, 3));
    for (a, row) in league.payoffs.iter().enumerate() {
        for (b, share) in row.iter().enumerate() {
            assert!((share + league.payoffs[b][a] - 1.0).abs() < 1e-12, "{a} {b}: {:?}", league.payoffs);
        }
    }
    let text = std::fs::read_to_string(&out).expect("a policy");
    assert!(text.starts_with("# agon lab train petri --league --out "), "{text}");
    assert_eq!(Policy::read(&text).expect("a policy"), league.members[league.main()].policy);
    // Without named founders it continues with the existing ones; with others it does not.
    let unnamed = LeagueJob { founders: vec![], ..job(3) };
    assert_eq!(run(&unnamed).expect("the same league").members[..3], league.members[..]);
    let more = LeagueJob { founders: vec![sketch.clone(), sketch.clone()], ..job(4) };
    assert!(run(&more).is_err());
    let other = LeagueJob { rules: LeagueRules { noise: 0.1, ..rules() }, ..job(3) };
    let error = run(&other).expect_err("another league").to_string();
    assert!(error.contains("main.toml.league is of another"), "{error}");
}

fn learning() -> LearningRules {
    LearningRules { dishes: vec![(4, 5), (5, 5)], games: 3, kept: 200.0, seed: 3, ..LearningRules::default() }
}

#[test]
fn a_network_begins_as_its_base_and_learns_alike_on_any_number_of_threads() {
    let base = Policy::attackers()[0].clone();
    let new = || Reinforcement::new(base.clone(), Policy::attackers()[1..3].to_vec(), learning());
    let trials = both_seats([(5, 5), (6, 4), (10, 10)].into_iter());
    let take = |policy: &Policy, trials: &_| {
        let opponent = Champion::following(Policy::attackers()[1].clone());
        GameTally::from_trials(&Champion::following(policy.clone()), &opponent, trials)
    };
    assert_eq!(take(&new().policy(), &trials), take(&base, &trials));

    let stop = Stop::default();
    let [mut one, mut two] = [new(), new()];
    for _ in 0..14 {
        let seen = [(&mut one, 1), (&mut two, 2)].map(|(training, threads)| training.advance(threads, &stop));
        assert_eq!(seen[0], seen[1]);
        assert!(seen[0].is_some_and(|seen| seen.decisions > 10 && seen.entropy > 0.0), "{seen:?}");
    }
    assert_eq!(one, two);
    assert!(one.policy() != new().policy(), "nothing was learned");
    stop.raise();
    assert_eq!(one.advance(1, &stop), None);
    assert_eq!(one, two);
}

#[test]
fn a_stopped_network_goes_on_from_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let job = |name: &str, iterations| ReinforcementJob {
        out: folder.path().join(name),
        from: None,
        rivals: vec![],
        rules: learning(),
        iterations,
    };
    let run = |job: ReinforcementJob| job.run(1, &Stop::default(), &()).expect("files");
    let through = run(job("through.toml", 13));
    run(job("stopped.toml", 11));
    assert_eq!(run(job("stopped.toml", 13)), through);
    let text = |name| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let written = Policy::read(&text("stopped.toml")).expect("a policy");
    assert_eq!(written, through.policy());
    assert!(text("stopped.toml").starts_with("# agon lab train petri --network --out "));
    let other = ReinforcementJob { rules: LearningRules { seed: 4, ..learning() }, ..job("stopped.toml", 13) };
    assert!(other.run(1, &Stop::default(), &()).is_err());
}
