//! Campaigns: what is promoted, what is refused, and that a stop at any moment changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use agon_rules::bacteria::Bacteria;
use agon_search::Stop;
use agon_training::bacteria::BacteriaGames;
use agon_training::campaign::{
    Campaign, CampaignError, CampaignEvent, CampaignGames, CampaignLimits, CampaignOptions, CampaignStatus,
    CampaignStep, GateVerdict, GenerationRecord, Judgement, LiveStep, Schedule, ladder, recorded_options,
};
use agon_training::contender::read_network;
use agon_training::renju::RenjuGames;
use agon_training::{OpeningPlies, TrainedGame};
use tempfile::TempDir;

/// A campaign that takes a moment.
fn options<S: CampaignGames>(games: S) -> CampaignOptions<S> {
    CampaignOptions {
        net: "classic".to_owned(),
        positions: Schedule::constant(300),
        nodes: Schedule::constant(20),
        imbalance: 2_000,
        hidden: 32,
        epochs: 2,
        batch: 64,
        held_out: 10,
        gate_nodes: 20,
        gate_games: 12,
        ..CampaignOptions::new(games, 300, 32, 300)
    }
}

fn bacteria() -> CampaignOptions<BacteriaGames> {
    options(BacteriaGames { openings: OpeningPlies::from_to(2, 6), adjudicate: 3_000 })
}

/// Decides so after two pairs.
fn judge(decision: Option<bool>) -> impl Fn([u64; 5]) -> Judgement + Sync {
    move |counts| {
        let pairs: u64 = counts.iter().sum();
        Judgement { llr: pairs as f64, elo: [-5.0, 10.0, f64::INFINITY], decided: decision.filter(|_| pairs >= 2) }
    }
}

/// Runs a campaign, which is stopped at the event with this number; whether it came to its end.
fn run<S: CampaignGames>(
    folder: &Path,
    options: CampaignOptions<S>,
    generations: usize,
    decision: Option<bool>,
    stop_at: Option<usize>,
) -> bool {
    let campaign = Campaign::open(folder, options).unwrap();
    let (stop, mut events) = (Stop::default(), 0);
    let raise = stop.clone();
    let mut listener = |_: CampaignEvent<'_>| {
        if stop_at == Some(events) {
            raise.raise();
        }
        events += 1;
        Ok(())
    };
    let limits = CampaignLimits { generations, threads: 2 };
    campaign.run(limits, &judge(decision), &stop, &(), &mut listener).unwrap()
}

/// All files, without measurements.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = |entry: fs::DirEntry| {
        let (name, bytes) = (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
        let text = String::from_utf8(bytes.clone())
            .ok()
            .filter(|_| entry.path().extension().is_some_and(|ending| ending == "toml"));
        let kept = text.map(|text| text.lines().filter(|line| !line.starts_with("per_second")).collect::<String>());
        (name, kept.map_or(bytes, String::into_bytes))
    };
    fs::read_dir(folder).unwrap().map(|entry| file(entry.unwrap())).collect()
}

fn records(folder: &Path) -> Vec<GenerationRecord> {
    CampaignStatus::read(folder).unwrap().unwrap().records
}

#[test]
fn what_is_stronger_plays_the_next_games() {
    let folder = TempDir::new().unwrap();
    assert!(run(folder.path(), bacteria(), 2, Some(true), None));
    let records = records(folder.path());
    let [first, second] = &records[..] else { panic!("{records:?}") };
    assert_eq!([first.accepted, second.accepted], [Some(true); 2]);
    let player = |record: &GenerationRecord| record.selfplay.clone().unwrap().player;
    assert_eq!(player(first), "classic");
    assert!(first.network().unwrap().starts_with(&player(second)));
    assert_eq!(second.gates[0].against, player(second));
    assert_eq!(second.gates[0].counts.iter().sum::<u64>(), 2);
    // Every generation has its own games, and also learns from earlier ones.
    let seeds = [first, second].map(|record| record.selfplay.clone().unwrap().seed);
    assert_eq!(seeds, [1_001_000_000_000, 1_002_000_000_000]);
    let training = second.training.clone().unwrap();
    assert_eq!(training.data.iter().map(|data| data.generation).collect::<Vec<_>>(), [1, 2]);
    let all: u64 = training.data.iter().map(|data| data.positions).sum();
    assert_eq!((training.learnt + training.held_out + training.duplicates) as u64, all);
    assert_eq!(training.losses.len(), 2);
    let path = |name: &str| folder.path().join(name);
    let accepted = read_network::<Bacteria>(path("accepted.net").to_str().unwrap()).unwrap();
    assert_eq!(Some(accepted.hash().as_str()), second.network());
    assert!(fs::read_to_string(path("002.svg")).unwrap().starts_with("<svg"));
    assert!(!path("001.checkpoint").exists() && !path("002.checkpoint").exists());
    assert_eq!(ladder(&records), [Some(10.0), Some(20.0)]);
}

#[test]
fn a_ladder_adds_what_was_accepted() {
    let folder = TempDir::new().unwrap();
    assert!(run(folder.path(), bacteria(), 1, Some(true), None));
    let record = records(folder.path()).remove(0);
    let step = |elo, accepted| {
        let mut record = GenerationRecord { accepted: Some(accepted), ..record.clone() };
        record.gates[0].elo = elo;
        record
    };
    let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
    let steps = [
        step([5.0, 30.0, 50.0], true),
        step([-20.0, -10.0, 5.0], false),
        step([40.0, high, high], true),
        step([low, low, -60.0], false),
        step([low, low, 300.0], false),
        GenerationRecord { accepted: None, gates: Vec::new(), ..record.clone() },
    ];
    assert_eq!(ladder(&steps), [Some(30.0), Some(20.0), Some(70.0), Some(10.0), Some(70.0), None]);
}

#[test]
fn what_is_not_stronger_does_not() {
    for (decision, verdict) in [(Some(false), GateVerdict::Rejected), (None, GateVerdict::Undecided)] {
        let folder = TempDir::new().unwrap();
        let options = CampaignOptions { window: 1, gate_clock: Some(1), ..bacteria() };
        assert!(run(folder.path(), options, 2, decision, None));
        let records = records(folder.path());
        for record in &records {
            assert_eq!((record.accepted, record.selfplay.clone().unwrap().player.as_str()), (Some(false), "classic"));
            // A network that has not passed the first gate does not reach the second.
            assert_eq!(record.gates.iter().map(|gate| gate.verdict).collect::<Vec<_>>(), [verdict]);
            let generations = record.training.clone().unwrap().data.into_iter().map(|data| data.generation);
            assert!(generations.eq([record.generation]));
        }
        assert_eq!(ladder(&records), [Some(10.0), Some(10.0)]);
        assert!(!folder.path().join("accepted.net").exists());
    }
}

#[test]
fn a_stop_at_any_moment_changes_nothing() {
    let straight = TempDir::new().unwrap();
    assert!(run(straight.path(), bacteria(), 2, Some(true), None));
    let expected = files(straight.path());
    // Each of two generations has nine events: of games, two epochs, a gate and its end. Without `AGON_SLOW` a run is
    // stopped at every kind of event in one of the generations.
    let slow = std::env::var_os("AGON_SLOW").is_some();
    for stop_at in (0..18).filter(|stop_at| slow || stop_at % 2 == 0) {
        let folder = TempDir::new().unwrap();
        let stopped = !run(folder.path(), bacteria(), 2, Some(true), Some(stop_at));
        assert!(run(folder.path(), bacteria(), 2, Some(true), None));
        let found = files(folder.path());
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(&expected), "stopped at event {stop_at}: {stopped}");
        for (name, bytes) in &expected {
            assert!(found[name] == *bytes, "{name} differs, stopped at event {stop_at}: {stopped}");
        }
    }
    // A finished campaign is left as it is, and may get more generations.
    assert!(run(straight.path(), bacteria(), 2, Some(false), Some(0)));
    assert!(files(straight.path()) == expected);
    assert!(run(straight.path(), bacteria(), 3, Some(true), None));
    assert_eq!(records(straight.path()).len(), 3);
}

/// As if it had been killed between the network and its record, and with an incomplete line in the gate's file.
#[test]
fn what_a_kill_tears_is_mended() {
    let folder = TempDir::new().unwrap();
    assert!(run(folder.path(), bacteria(), 1, Some(true), None));
    let expected = files(folder.path());
    let path = |name: &str| folder.path().join(name);
    let record = records(folder.path()).remove(0);
    let write = |record: &GenerationRecord| fs::write(path("001.toml"), toml::to_string(record).unwrap()).unwrap();

    fs::write(path("001.nodes.gate"), "").unwrap();
    write(&GenerationRecord { accepted: None, gates: Vec::new(), ..record.clone() });
    assert!(run(folder.path(), bacteria(), 1, Some(true), None));
    assert!(files(folder.path()) == expected, "the gate");

    let training =
        record.training.clone().map(|training| agon_training::campaign::TrainingRecord { network: None, ..training });
    write(&GenerationRecord { accepted: None, gates: Vec::new(), training, ..record });
    assert!(run(folder.path(), bacteria(), 1, Some(true), None));
    assert!(files(folder.path()) == expected, "the training");
}

#[test]
fn a_campaign_has_its_options_and_no_others() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    assert!(run(path, bacteria(), 1, Some(true), None));
    assert_eq!(recorded_options::<BacteriaGames>(path).unwrap(), Some(bacteria()));
    let refused = |options, expected: &str| {
        let error = Campaign::open(path, options).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(CampaignOptions { hidden: 64, ..bacteria() }, "--hidden 32, not 64: leave them out");
    refused(CampaignOptions { gate_clock: Some(5), ..bacteria() }, "--gate-clock none, not 5");
    let games = BacteriaGames { adjudicate: 9, ..bacteria().games };
    let nodes = Schedule::try_from(vec![20, 30]).unwrap();
    refused(CampaignOptions { games, nodes, ..bacteria() }, "--adjudicate 3000, not 9; --nodes 20, not 20,30");
    let renju = recorded_options::<RenjuGames>(path).unwrap_err();
    assert!(matches!(renju, CampaignError::Game { .. }), "{renju}");
    // One at a time.
    let open = Campaign::open(path, bacteria()).unwrap();
    assert!(matches!(Campaign::open(path, bacteria()), Err(CampaignError::Busy(_))));
    drop(open);
    // It learns from what was recorded.
    let positions = path.join("001.positions");
    fs::write(&positions, [fs::read(&positions).unwrap(), vec![0]].concat()).unwrap();
    let campaign = Campaign::open(path, bacteria()).unwrap();
    let limits = CampaignLimits { generations: 2, threads: 1 };
    let altered = campaign.run(limits, &judge(None), &Stop::default(), &(), &mut |_| Ok(())).unwrap_err();
    assert!(altered.to_string().contains("001.positions` is not the file that was recorded"), "{altered}");
    drop(campaign);
    fs::remove_file(path.join("campaign.toml")).unwrap();
    assert!(matches!(Campaign::open(path, bacteria()), Err(CampaignError::Headless(_))));
}

#[test]
fn a_folder_shows_how_far_its_campaign_is() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    assert_eq!(CampaignStatus::read(path).unwrap(), None);
    // Begun, then stopped before the second epoch.
    assert!(!run(path, bacteria(), 1, Some(true), Some(3)));
    let live = || CampaignStatus::read(path).unwrap().unwrap().live;
    let step = CampaignStep::Training;
    assert_eq!(live(), Some(LiveStep { generation: 1, step, done: 1, all: 2 }));
    assert!(run(path, bacteria(), 1, Some(true), None));
    assert_eq!(live(), None);
}

#[test]
fn a_campaign_learns_returns_and_says_what_scores_meant() {
    let network = |lambda| {
        let folder = TempDir::new().unwrap();
        assert!(run(folder.path(), CampaignOptions { lambda, gate_games: 2, ..bacteria() }, 1, None, None));
        let read = |name| fs::read_to_string(folder.path().join(name)).unwrap();
        (read("001.txt"), read("campaign.toml"))
    };
    let (scores, begun) = network(0.0);
    assert!(scores.contains("--lambda 0 ") && !scores.contains("odds of e : 1"), "{scores}");
    // As in campaigns older than λ; they continue.
    assert!(!begun.contains("lambda"), "{begun}");
    let (returns, begun) = network(0.5);
    assert!(returns.contains("--lambda 0.5 ") && returns.contains(", odds of e : 1 at "), "{returns}");
    assert!(begun.contains("lambda = 0.5"), "{begun}");
    let hash = |history: &str| history.lines().last().unwrap().to_owned();
    assert_ne!(hash(&scores), hash(&returns));
}

#[test]
fn renju_learns_in_the_same_way() {
    let defaults = RenjuGames::defaults();
    let folder = TempDir::new().unwrap();
    let options = CampaignOptions {
        positions: Schedule::constant(100),
        gate_games: 2,
        warm_start: true,
        ..options(defaults.games)
    };
    assert!(run(folder.path(), options, 2, None, None));
    let records = records(folder.path());
    assert_eq!(records.iter().map(|record| record.game.as_str()).collect::<Vec<_>>(), ["renju"; 2]);
    assert!(records.iter().all(|record| record.network().is_some() && record.gates.len() == 1));
}

#[test]
fn the_champion_itself_begins_where_nothing_else_is_said() {
    let defaults = BacteriaGames::defaults();
    assert_eq!(defaults.value_share.at(1).to_bits(), 1.0_f64.to_bits());
    assert_eq!([1, 2, 3, 9].map(|generation| defaults.nodes.at(generation)), [1_000, 1_000, 5_000, 5_000]);
    let folder = TempDir::new().unwrap();
    let options = CampaignOptions { net: defaults.net, gate_games: 2, warm_start: true, ..bacteria() };
    assert!(run(folder.path(), options, 1, None, None));
    let start = read_network::<Bacteria>(folder.path().join("000.net").to_str().unwrap()).unwrap();
    assert_eq!(start.hash(), Bacteria::champion().hash());
    // The size of its starting network is kept.
    let record = &records(folder.path())[0];
    let network = read_network::<Bacteria>(folder.path().join("001.net").to_str().unwrap()).unwrap();
    assert_eq!(network.shape().hidden, start.shape().hidden);
    assert!(start.hash().starts_with(record.training.clone().unwrap().start.unwrap().as_str()));
}
