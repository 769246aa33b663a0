//! The games of `examples/games` and the starters: they obey all laws, their counts are the known ones, and their
//! built-in players find the obvious.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agon_catalog::{Capability, Game, Setup};
use agon_external::{STARTERS, check_all, load, starter_files};
use agon_game::{GameState, GridStyle, Side, View};
use agon_search::{SearchLimits, Task};

fn example(name: &str) -> Game {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games").join(name);
    load(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn starter(folder: &Path, language: &str, name: &str) -> PathBuf {
    let starter = STARTERS.iter().find(|starter| starter.language == language).unwrap();
    let folder = folder.join(name);
    fs::create_dir(&folder).unwrap();
    for (file, text) in starter_files(starter, name) {
        fs::write(folder.join(file), text).unwrap();
    }
    folder
}

#[track_caller]
fn keeps_all_laws(game: Game, games: u32) {
    let report = check_all(game, games, 1, &BTreeMap::new()).unwrap();
    assert!(report.passes(), "{game}: {:?}", report.findings);
    assert_eq!(report.games, games, "{game}: every game ends");
    let refused = game.state_at("x").err().unwrap().to_string();
    assert!(refused.ends_with("that SAVE wrote") || refused.ends_with("save no positions"), "{refused}");
    assert!(report.plies[0] > 0.0 && report.plies[2] >= report.plies[1], "{report:?}");
}

#[test]
fn othello() {
    let game = example("othello");
    keeps_all_laws(game, 3);
    assert_eq!((game.title(), game.seats), ("Othello", ["Black", "White"]));
    assert_eq!(game.builtin_names(), ["random", "greedy", "mcts"]);
    assert!(game.can(Capability::Turns) && game.can(Capability::Lines) && game.has_openings());
    // https://www.aartbik.com/strategy.php has these counts.
    let mut counts = vec![4, 12, 56, 244, 1_396];
    if std::env::var_os("AGON_SLOW").is_some() {
        counts.extend([8_200, 55_092, 390_216, 3_005_288]);
    }
    let position = game.position(None, &Setup::default()).unwrap();
    for (depth, count) in (1..).zip(counts) {
        assert_eq!((depth, position.count(depth), position.failure()), (depth, count, None));
    }
    let divided = position.count_divided(3);
    assert_eq!(divided.iter().map(|below| below.nodes).collect::<Vec<_>>(), [14; 4]);
}

#[test]
fn breakthrough() {
    let game = example("breakthrough");
    keeps_all_laws(game, 3);
    let at = |size: &str| Setup { seed: 1, parameters: [("size".to_owned(), size.to_owned())].into() };
    assert_eq!(game.initial_state(&at("5")).unwrap().legal().len(), 13);
    let refused = game.initial_state(&at("9")).err().unwrap().to_string();
    assert_eq!(refused, "size is `9`; 5 to 8 expected");
    // The first move of an opening is White's, and both agents learn of it.
    let mut setup = at("5");
    setup.parameters.insert("opening".to_owned(), "4 1 3 1/2 2 3 1".to_owned());
    let state = game.initial_state(&setup).unwrap();
    assert_eq!(state.preamble(), "INFO size 5\nOPENING 4 1 3 1\nOPENING 2 2 3 1\n");
    assert_eq!((state.turn(), state.ply()), (Some(Side::First), 2));
}

#[test]
fn y_is_played_on_hexagons() {
    let game = example("y");
    keeps_all_laws(game, 2);
    let at = |size: &str| Setup { seed: 1, parameters: [("size".to_owned(), size.to_owned())].into() };
    let mut state = game.initial_state(&at("3")).unwrap();
    let view = state.view();
    assert_eq!((view.grid, view.rows, view.columns), (GridStyle::Hexagons, 3, 3));
    assert_eq!(view.holes(), [0, 1, 3]);
    assert_eq!((state.legal().len(), state.preamble().as_str()), (6, "INFO size 3\n"));
    // The right side of the triangle touches all three, through its two corners.
    for stone in ["1 3", "2 2", "3 3", "3 1"] {
        state.answer(stone).unwrap();
    }
    assert!(state.ending().is_none());
    let mut swapped = game.initial_state(&at("3")).unwrap();
    swapped.answer("2 3").unwrap();
    assert!(swapped.legal().contains(&"swap".to_owned()));
    swapped.answer("swap").unwrap();
    let place = swapped.view().place(2, 3).unwrap();
    assert_eq!((swapped.view().cells[place].owner, swapped.turn()), (Some(Side::Second), Some(Side::First)));
    state.answer("2 3").unwrap();
    assert_eq!(state.ending().unwrap().outcome.winner(), Some(Side::First));
    let refused = state.boxed_clone().answer("2 1").unwrap_err().to_string();
    assert!(refused.contains("the game is over") || refused.contains("over"), "{refused}");
}

#[test]
fn hex_is_won_by_a_chain() {
    let game = example("hex");
    keeps_all_laws(game, 1);
    let at = Setup { seed: 1, parameters: [("size".to_owned(), "3".to_owned())].into() };
    let mut state = game.initial_state(&at).unwrap();
    state.answer("1 2").unwrap();
    let mut swapped = state.boxed_clone();
    swapped.answer("swap").unwrap();
    assert_eq!(swapped.view().cells[3].owner, Some(Side::Second), "mirrored at the diagonal");
    assert_eq!(game.state_at(&swapped.position()).unwrap().position(), swapped.position());
    for stone in ["1 1", "2 2", "2 1", "3 1"] {
        // 1 2, 2 2 and 3 1 are a chain from the top to the bottom.
        state.answer(stone).unwrap();
    }
    assert_eq!(state.ending().unwrap().outcome.winner(), Some(Side::First));
}

#[test]
fn morris_is_played_on_a_graph() {
    let game = example("morris");
    keeps_all_laws(game, 1);
    let mut state = game.initial_state(&Setup::default()).unwrap();
    let view = state.view();
    assert_eq!((view.grid, view.cells.len(), view.graph.edges.len()), (GridStyle::Graph, 24, 32));
    // A mill takes a stone at once.
    for stone in ["a1", "b2", "a4", "d2", "a7"] {
        state.answer(stone).unwrap();
    }
    assert_eq!((state.turn(), state.legal()), (Some(Side::First), vec!["take b2".to_owned(), "take d2".to_owned()]));
    state.answer("take d2").unwrap();
    assert_eq!(state.turn(), Some(Side::Second));
    let point = state.view().graph.places.iter().position(|place| place.name == "d2").unwrap();
    assert_eq!(state.view().cells[point].owner, None);
    // Stones on the board move along lines, unless three are left.
    let late = game.state_at("111000000000000000002220 1 0 0 0 40").unwrap();
    assert!(late.legal().contains(&"a1 g7".to_owned()), "three stones fly: {:?}", late.legal());
    let four = game.state_at("111100000000000000002220 1 0 0 0 40").unwrap();
    assert!(!four.legal().contains(&"a1 g7".to_owned()), "{:?}", four.legal());
}

#[test]
fn goofspiel_hides_the_first_choice() {
    let game = example("goofspiel");
    keeps_all_laws(game, 2);
    assert_eq!(game.builtin_names(), ["random"], "the others would see the cards");
    assert!(!game.has_turns() && !game.can(Capability::Actions));
    let mut state = game.initial_state(&Setup::default()).unwrap();
    assert!(state.has_secrets());
    assert!(state.preamble_of(Side::Second).starts_with("INFO cards 13\nINFO prize "));
    state.answer("11").unwrap();
    assert_eq!((state.news(Side::First), state.news(Side::Second)), (&[][..], &[][..]));
    let cards = |view: &View, owner: Option<Side>, name: &str| {
        view.hands.iter().find(|hand| hand.owner == owner && hand.name == name).unwrap().cards.join(" ")
    };
    let bids = |view: &View| Side::BOTH.map(|side| cards(view, Some(side), "bids"));
    assert_eq!(bids(&state.public_view()), ["?", ""], "a bid is seen, but not which");
    let hands = |view: &View| Side::BOTH.map(|side| cards(view, Some(side), "").replace(' ', ""));
    assert_eq!(hands(&state.view_of(Side::Second)), ["????????????", "12345678910111213"]);
    let public = agon_game::Public::from_state(state.as_ref()).unwrap();
    assert_eq!((public.letters().as_deref(), public.legal().len()), (Some("(hidden)"), 0));
    assert!(!public.position().contains("11"));
    state.answer("3").unwrap();
    assert_eq!(state.news(Side::First)[0], "bids 11 3");
    assert_eq!(bids(&state.public_view()), ["11", "3"]);
    // A record as the player of one side saw the game.
    let start = game.initial_state(&Setup::default()).unwrap();
    let mut seen = agon_game::Public::seen_by(start.as_ref(), Side::Second, ["11".to_owned(), "3".to_owned()]);
    assert_eq!(seen.answer("(hidden)").unwrap(), "(hidden)");
    assert_eq!((bids(&seen.view()), seen.letters().as_deref()), (["?".into(), String::new()], Some("(hidden)")));
    assert_eq!(seen.answer("3").unwrap(), "3");
    assert_eq!((bids(&seen.view()), seen.letters().as_deref()), (["11".into(), "3".into()], Some("3")));
    assert!(seen.answer("1").is_err(), "the record ends here");
    let refused = state.answer("11").unwrap_err().to_string();
    assert_eq!(refused, "a card that you still have expected");
    assert_eq!(state.failure(), None, "that is the agent's fault");
}

#[test]
fn pig_follows_from_its_seed_and_its_moves() {
    let game = example("pig");
    keeps_all_laws(game, 3);
    let rolled = |seed: u64| {
        let mut state = game.initial_state(&Setup { seed, parameters: [].into() }).unwrap();
        let mut rolls = Vec::new();
        for _ in 0..20 {
            state.answer("roll").unwrap();
            rolls.extend_from_slice(state.news(Side::First));
        }
        rolls
    };
    assert_eq!(rolled(7), rolled(7));
    assert_ne!(rolled(7), rolled(8));
    // A player that looks ahead does not see what will be drawn.
    let start = game.initial_state(&Setup { seed: 7, parameters: [].into() }).unwrap();
    let imagined = (0..10).map(|seed| {
        let mut state = start.with_chance(seed);
        state.answer("roll").unwrap();
        state.news(Side::First)[0].clone()
    });
    assert!(imagined.collect::<std::collections::HashSet<_>>().len() > 1);
}

#[test]
fn starters_in_all_languages_are_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    for starter_of in STARTERS {
        let path = starter(folder.path(), starter_of.language, &format!("stones-{}", starter_of.language));
        let game = load(&path).unwrap_or_else(|error| panic!("{error}"));
        keeps_all_laws(game, 3);
        assert_eq!(game.samples.len(), 1, "the sample beside the rules");
        let mut state = game.initial_state(&Setup::default()).unwrap();
        assert_eq!(state.preamble(), "INFO stones 21\n");
        state.answer("3").unwrap();
        assert_eq!((state.position().as_str(), state.legal()), ("18 second", vec!["1".into(), "2".into(), "3".into()]));
        for text in ["seven first", "7", "7 third", "7 first x", "-1 first", "99 second"] {
            let refused = game.state_at(text).err().unwrap_or_else(|| panic!("{game}: {text}")).to_string();
            assert!(refused.ends_with("this is no state that SAVE wrote"), "{refused}");
        }
    }
}

#[test]
fn mcts_finds_the_only_winning_move() {
    let folder = tempfile::tempdir().unwrap();
    let game = load(&starter(folder.path(), "python", "mcts-stones")).unwrap();
    let task = Task::from(SearchLimits::nodes(1_500));
    for (position, best) in [("7 first", "3"), ("6 second", "2"), ("5 first", "1")] {
        let mut engine = game.find("mcts").unwrap().engine(1).unwrap();
        let mut infos = Vec::new();
        let found = engine.search(position, &task, &mut |info| infos.push(info.clone())).unwrap().unwrap();
        assert_eq!((position, found.judged.as_str()), (position, best));
        let last = infos.last().unwrap();
        assert_eq!((last.nodes, last.pv[0].judged.as_str()), (1_500, best));
        // The same seed is the same search.
        let mut again = game.find("mcts").unwrap().engine(1).unwrap();
        let mut nodes = Vec::new();
        again.search(position, &task, &mut |info| nodes.push(info.score)).unwrap();
        assert_eq!(nodes, infos.iter().map(|info| info.score).collect::<Vec<_>>());
    }
    let refused = game.state_at("seven first").err().unwrap().to_string();
    assert!(refused.contains("is not a position of mcts-stones@"), "{refused}");
    assert_eq!(game.find("mcts:9").err().unwrap().to_string(), "`mcts:9`: the levels of mcts are 1 to 5");
}

#[test]
fn mcts_without_a_limit_reports_lines_until_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let game = load(&starter(folder.path(), "python", "endless-stones")).unwrap();
    let task = Task { multipv: 3, ..Task::default() };
    let mut infos = Vec::new();
    let mut engine = game.find("mcts").unwrap().engine(1).unwrap();
    let hear = |info: &agon_search::Info<agon_catalog::TextMove>| {
        infos.push((info.multipv, info.nodes, info.pv[0].judged.clone()));
        if info.multipv == 1 && info.nodes >= 1_000 {
            task.stop.raise();
        }
    };
    let found = engine.search("7 first", &task, &mut { hear }).unwrap().unwrap();
    assert_eq!(found.judged, "3", "it leaves four");
    let reports: Vec<_> = infos.chunks(3).collect();
    assert!(reports.len() > 5, "{infos:?}");
    for report in reports {
        assert_eq!(report.iter().map(|line| line.0).collect::<Vec<_>>(), [3, 2, 1], "the best line comes last");
        let firsts: std::collections::BTreeSet<_> = report.iter().map(|line| line.2.as_str()).collect();
        assert_eq!(firsts.len(), 3, "{report:?}");
    }
    assert!(infos[0].1 < 100, "the first lines come soon: {infos:?}");
}

#[test]
fn a_state_that_cannot_be_saved_is_named_by_its_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = starter(folder.path(), "python", "unsaved");
    let rules = fs::read_to_string(path.join("rules.py")).unwrap();
    fs::write(path.join("rules.py"), rules.replace("has moves view save playout", "has moves view")).unwrap();
    let game = load(&path).unwrap();
    keeps_all_laws(game, 2);
    assert_eq!(game.builtin_names(), ["random", "greedy"]);
    let mut state = game.initial_state(&Setup { seed: 5, parameters: [].into() }).unwrap();
    state.answer("2").unwrap();
    state.answer("1").unwrap();
    assert_eq!(state.position(), "seed 5 stones=21 moves 2/1");
    let again = game.state_at(&state.position()).unwrap();
    assert_eq!((again.turn(), again.ply(), again.legal()), (Some(Side::First), 2, state.legal()));
    // Copies of one state go on by themselves, whichever process is asked.
    let mut copies = [state.boxed_clone(), state.boxed_clone()];
    copies[0].answer("3").unwrap();
    copies[1].answer("1").unwrap();
    let positions = copies.map(|copy| copy.position());
    assert_eq!(positions, ["seed 5 stones=21 moves 2/1/3", "seed 5 stones=21 moves 2/1/1"]);
    assert_eq!(game.position(None, &Setup::default()).unwrap().count(3), 27);
}
