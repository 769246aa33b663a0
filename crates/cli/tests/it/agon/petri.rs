//! The petri dish by the command line: every command of it, and cells in every language.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::agon::run::{BINARY, agon, agon_reading, file, folder, text, word};

/// A run that must succeed: its output.
#[track_caller]
fn printed(words: &[&str]) -> String {
    let ran = agon(words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}");
    ran.out
}

/// The result of a run, as JSON.
#[track_caller]
fn result(words: &[&str]) -> Value {
    agon(&[words, &["--format", "json"]].concat()).json()
}

/// A run that must be refused with this in its message.
#[track_caller]
fn refused(words: &[&str], input: &str, message: &str) {
    let ran = agon_reading(words, input);
    assert!(ran.code == 2 && ran.err.contains(message), "{words:?}: {} {}", ran.code, ran.err);
}

/// The answers of both programs to all that they were asked in a game, BEGIN included.
fn answers(words: &[&str]) -> Vec<String> {
    let folder = folder();
    let record = folder.path().join("game.jsonl");
    // A late program rests, and a busy machine makes programs late.
    printed(&[&["play", "petri", "--show", "none", "--invocation", "10m", "--out", text(&record)], words].concat());
    printed(&["replay", text(&record)]);
    let record = fs::read_to_string(&record).unwrap();
    let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines = lines.filter(|line| line["from"].is_string());
    lines.map(|line| format!("{} {}", line["from"], line["line"].as_str().unwrap_or_default().trim_end())).collect()
}

/// The command that is a species as a program.
fn species(name: &str) -> String {
    format!("'{BINARY}' agent petri {name}")
}

const GAMES: &str = include_str!("../../../../rules/tests/data/petri/games.jsonl");

#[test]
fn recorded_games_pass_through_inspect() {
    let ran = agon_reading(&["inspect", "petri"], GAMES);
    assert_eq!((ran.code, ran.out.lines().count(), GAMES.lines().count()), (0, 176, 176));
    for (game, answer) in GAMES.lines().zip(ran.out.lines()) {
        let game: Value = serde_json::from_str(game).unwrap();
        let answer: Value = serde_json::from_str(answer).unwrap();
        for key in ["final", "boards", "states"] {
            assert_eq!(answer[key], game[key], "{key} of game {}", game["id"]);
        }
    }
}

#[test]
fn inspect_says_what_is_wrong_and_goes_on() {
    let ask = |question: &str| agon_reading(&["inspect", "petri"], question).out.trim_end().to_owned();
    let check = |question: &str, answer: &str| assert_eq!(ask(question), answer, "{question}");
    let game = |actions: &str| {
        format!(r#"{{"width": 4, "height": 4, "maxTurns": 1, "species": [[4,8,0],[4,8,0]], "actions": {actions}}}"#)
    };
    check(&game("[]"), r#"{"final":{"winner":null,"cells":[1,1],"turns":0},"boards":[],"states":[]}"#);
    check(&game(r#"[[2, "REST"]]"#), r#"{"error":"action 1: seat 2, but seat 1 is to act"}"#);
    check(&game(r#"[[1, ""], [2, ""], [1, ""]]"#), r#"{"error":"action 3: the game is over"}"#);
    check(&game("[]").replace("[4,8,0]]", "[4,8,1]]"), r#"{"error":"4 + 8 + 1 is 13, not 12"}"#);
    let narrow = game("[]").replace("\"width\": 4", "\"width\": 2");
    check(&narrow, r#"{"error":"a dish cannot be 2 wide or high: 3 to 255"}"#);
    assert_eq!(ask(&format!("nonsense\n{}", game("[]"))).lines().count(), 2);
    let moved = game(r#"[[1, "MOVE W"], [2, "REST"]]"#);
    let published = moved.replace("\"actions\"", "\"rules\": \"published\", \"actions\"");
    assert_ne!(ask(&moved), ask(&published), "in the published driver a move is free");
}

#[test]
fn a_species_is_a_program() {
    let check = |words: &[&str], input: &str, answer: &str| {
        let ran = agon_reading(&[&["agent", "petri"], words].concat(), input);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, answer, ""), "{words:?} {input:?}");
    };
    let dish = "4 4\n....\n.o..\n..x.\n....\n\n1 1 5 2";
    check(&["amoeba"], "BEGIN", "5 7 0\n");
    check(&["amoeba"], dish, "ATTACK SE 2\n");
    // The command line, not the species, decides whether it stays alive.
    check(&["clojure"], "BEGIN", "4 6 2\n");
    check(&["clojure", "--loop"], "BEGIN\n", "4 6 2 LOOP\n");
    let two = format!("BEGIN\n{dish}\n{dish}\nEND\nnever read");
    check(&["amoeba", "--loop"], &two, "5 7 0 LOOP\nATTACK SE 2\nATTACK SE 2\n");
    check(&["amoeba", "--loop"], "", "");
    refused(&["agent", "petri", "amoeba"], "HELLO", "BEGIN or a dish expected: `HELLO`: width and height");
    refused(&["agent", "petri", "amoeba", "--loop"], "4 4\n...", "row 0 `...`");
    refused(&["agent", "petri", "noname"], "", "petri has no built-in player `noname`; it has hungry,");
    refused(&["agent", "bacteria", "greedy", "--loop"], "", "--loop is for petri");
}

#[test]
fn species_answer_as_programs_as_they_do_within() {
    let check = |name: &str, word: &str| {
        let common = ["--turns", "7", "--seed", "5", "--second", "slime"];
        let within = answers(&[&["--first", name], &common[..]].concat());
        let program = format!("{} {word}", species(name));
        let mut outside = answers(&[&["--first", &program], &common[..]].concat());
        assert!(within.len() > 30, "{name}: {within:?}");
        let announced = |answers: &[String]| answers[0].trim_end_matches(" LOOP").to_owned();
        assert_eq!(announced(&outside), announced(&within));
        outside[0].clone_from(&within[0]);
        assert_eq!(outside, within, "{name} {word}");
    };
    for name in ["coordinated", "amoeba", "clojure", "champion"] {
        check(name, "");
        check(name, "--loop");
    }
    // A program that is run anew gets the very seed that the species within draws from.
    check("node480", "");
    check("evolution", "");
}

#[test]
fn sample_cells_play_alike_in_every_language() {
    let play = |extension: &str| {
        let cell = format!("agents/petri/sample.{extension}");
        answers(&["--first", &cell, "--second", "coordinated", "--turns", "6", "--seed", "1"])
    };
    let expected = play("c");
    assert!(expected.len() > 20, "{expected:?}");
    for extension in ["cpp", "py", "java", "js", "rb", "rs"] {
        assert_eq!(play(extension), expected, "sample.{extension}");
    }
}

/// The claims of docs/petri.md about them.
#[test]
fn the_strategies_that_are_explained_win_and_lose() {
    let wins = |strategy: &str, opponent: &str| {
        let program = format!("python3 agents/petri/strategies.py {strategy}");
        let words = ["petri", "score", &program, opponent, "--games", "2", "--invocation", "20s"];
        let score = result(&words);
        assert_eq!(score["faults"], json!([null, null]), "{score}");
        score["wins"].clone()
    };
    for (strategy, beaten) in [("swarm", "slime"), ("phalanx", "sample"), ("bombers", "hungry")] {
        assert_eq!(wins(strategy, beaten), json!([2, 0]), "{strategy}");
        assert_eq!(wins(strategy, "champion"), json!([0, 2]), "{strategy}");
    }
}

#[test]
fn a_game_is_shown_turn_by_turn() {
    let words = ["play", "petri", "--size", "6x5", "--turns", "20", "--seed", "3"];
    let out = printed(&words);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "Battle for the Petri Dish: 1 coordinated – 2 evolution");
    let turns = lines.iter().filter(|line| line.contains(" 1 DIVIDE") || line.contains("REST")).count();
    assert!((10..=40).contains(&turns), "{out}");
    assert!(out.contains(" actions, seed 3\n"), "{out}");
    let board = printed(&[&words[..], &["--show", "board"]].concat());
    assert!(board.contains("cells  1") && board.contains("energy 1") && board.contains("used 1 0."), "{board}");
    let json = result(&words);
    assert_eq!(json["agents"], json!(["coordinated", "evolution"]));
    assert_eq!(json["invocations"]["rechecked"], json!([0, 0]));
}

#[test]
fn what_cannot_be_is_refused() {
    let check = |words: &[&str], message: &str| refused(words, "", message);
    check(&["play", "petri", "--width", "3"], "width is `3`; 4 to 255 expected");
    check(&["play", "petri", "--turns", "9", "--set", "turns=9"], "parameter `turns` is given twice");
    check(&["play", "petri", "--size", "3x9"], "width is `3`; 4 to 255 expected");
    check(&["play", "petri", "--size", "9", "--set", "width=9"], "parameter `width` is given twice");
    check(&["play", "petri", "--size", "9", "--width", "9"], "cannot be used with");
    check(&["play", "bacteria", "--width", "7"], "bacteria has no parameter `width`; it has opening, position");
    check(&["play", "petri", "--check-stateless=101"], "101 is not from 0 to 100");
    check(&["play", "petri", "--first", "greedy"], "no agent is named `greedy`: it is not a built-in (hungry,");
    check(&["perft", "petri", "3"], "petri has many actors per turn; its lines of play cannot be counted");
    check(&["petri", "score", "amoeba", "noname"], "no agent is named `noname`");
    check(&["petri", "score", "amoeba", "slime", "--height", "256"], "height is `256`; 4 to 255 expected");
    check(&["petri", "league", "--size", "10x"], "WIDTHxHEIGHT expected, as 10x4, or 6 for a square");
    check(&["petri", "league", "--size", "3"], "width is `3`; 4 to 255 expected");
    check(&["petri", "league", "--size", "3x9"], "width is `3`; 4 to 255 expected");
}

#[test]
fn a_gauntlet_counts_wins_and_can_say_no() {
    let words = ["petri", "gauntlet", "coordinated", "--against", "hungry", "--size", "10x4", "--games", "4"];
    let counted = result(&words);
    assert_eq!((&counted["opponents"][0]["wins"], &counted["dishes"]), (&json!([4]), &json!(["10x4"])));
    assert!(printed(&words).contains("hungry"), "{words:?}");
    assert_eq!(agon(&[&words[..], &["--least", "100"]].concat()).code, 0);
    let lost = ["petri", "gauntlet", "hungry", "--against", "coordinated", "--size", "10x4", "--games", "4"];
    assert_eq!(agon(&[&lost[..], &["--least", "1"]].concat()).code, 1);
    // Variants have names too.
    assert_eq!(result(&["petri", "score", "coordinated:punch3", "hungry", "--games", "2"])["wins"], json!([2, 0]));
}

#[test]
fn a_policy_is_tuned_step_by_step() {
    let folder = folder();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let train = |out: &str, generations: &str| {
        let words = ["train", "petri", "--out", out, "--generations", generations, "--species", "4/8/0", "--seed", "3"];
        result(&words)
    };
    let (whole, parts) = (file("whole.toml"), file("parts.toml"));
    assert_eq!(train(&whole, "2")["generations"], json!(2));
    train(&parts, "1");
    train(&parts, "2");
    let policy = |name: &str| {
        let text = fs::read_to_string(name).unwrap();
        assert!(text.starts_with("# agon lab train petri --out "), "{text}");
        text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(policy(&whole), policy(&parts));
    let words = ["petri", "gauntlet", "--policy", &whole, "--against", "hungry", "--size", "10x4", "--games", "2"];
    assert_eq!(result(&words)["games"], json!(2));
    let other = ["train", "petri", "--out", &whole, "--seed", "4"];
    refused(&other, "", "is of another start, rivals, dishes, bouts, step or seed: remove it, or choose another --out");
    let wide = file("wide.toml");
    let words = ["train", "petri", "--out", &wide, "--from", &whole, "--wide", "--generations", "1"];
    assert_eq!(result(&words)["generations"], json!(1));
    let text = fs::read_to_string(&wide).unwrap();
    assert!(text.contains(" --wide --generations 1 ") && text.contains("[extras]"), "{text}");
    refused(&["train", "petri", "--out", &file("no"), "--species", "6/6"], "", "HP/ENERGY/ACIDITY expected");
}

#[test]
fn an_attacker_is_trained_and_kept() {
    let folder = folder();
    let out = folder.path().join("attackers");
    let words = ["petri", "exploit", "hungry", "--generations", "1", "--species", "7/5/0", "--species", "4/8/0"];
    let attacked = result(&[&words[..], &["--out", text(&out)]].concat());
    let attackers = attacked["attackers"].as_array().unwrap();
    assert_eq!(attackers.iter().map(|attacker| &attacker["species"]).collect::<Vec<_>>(), ["7/5/0", "4/8/0"]);
    let best = attackers.iter().map(|attacker| attacker["share"].as_f64().unwrap()).fold(0.0, f64::max);
    assert!(best > 0.9 && attacked["best"] == json!(best), "{attacked}");
    // The written policy is the one that took that much.
    let kept = out.join("7-5-0.toml");
    let alone = ["petri", "exploit", "hungry", "--generations", "0", "--species", "7/5/0", "--from", text(&kept)];
    let again = result(&alone);
    assert_eq!(again["attackers"][0]["before"], attackers[0]["after"]);
    assert_eq!(agon(&[&alone[..], &["--most", "50"]].concat()).code, 1);
    let strong = ["petri", "exploit", "--policy", text(&kept), "--generations", "0", "--species", "2/10/0"];
    assert_eq!(agon(&[&strong[..], &["--most", "99"]].concat()).code, 0);
    // In the wider family, too.
    let wide = folder.path().join("wide");
    result(&["petri", "exploit", "hungry", "--wide", "--generations", "0", "--species", "7/5/0", "--out", text(&wide)]);
    assert!(fs::read_to_string(wide.join("7-5-0.toml")).unwrap().contains("[extras]"));

    // A network starts from a copy where the program follows a policy, and plays as it does.
    let network = ["petri", "exploit", "--network", "--policy", text(&kept), "--generations", "0"];
    let copied = result(&network);
    let share = |at: usize| copied["attackers"][at]["share"].as_f64().unwrap();
    assert_eq!((copied["attackers"].as_array().unwrap().len(), share(0)), (2, 0.5), "{copied}");
    refused(&[&network[..], &["--species", "7/5/0"]].concat(), "", "cannot be used with");

    refused(&["petri", "exploit", "noname"], "", "no built-in player `noname`");
    refused(&["petri", "exploit", "--minutes", "0"], "", "--minutes 0: a positive number expected");
    refused(&["petri", "exploit", "--species", "4/8/1"], "", "4 + 8 + 1 is 13, not 12");
    refused(&["petri", "exploit", "--policy", "nowhere.toml"], "", "nowhere.toml");
}

#[test]
fn a_league_goes_on_and_shows_its_ladder() {
    let folder = folder();
    let out = folder.path().join("main.toml");
    let league = |rounds| {
        let words = ["train", "petri", "--league", "--out", text(&out), "--generations", "1", "--games", "2"];
        [&words[..], &["--size", "5x5", "--size", "8x4", "--rounds", rounds]].concat()
    };
    let members = |raised: &Value| raised["members"].as_array().unwrap().len();
    let first = members(&result(&league("1")));
    let raised = result(&league("2"));
    assert_eq!((&raised["rounds"], members(&raised)), (&json!(2), first + 1));
    assert_eq!(raised["payoffs"].as_array().unwrap().len(), first + 1);
    let ladder = printed(&league("2"));
    assert!(ladder.contains("exploiter") && ladder.contains("founder"), "{ladder}");
    let main = raised["members"][0]["species"].as_str().unwrap();
    let policy = fs::read_to_string(&out).unwrap();
    assert!(policy.contains(&format!("species = [{}]", main.replace('/', ", "))), "{policy}");
    let other = [&league("3")[..], &["--seed", "2"]].concat();
    refused(&other, "", "main.toml.league is of another");
    let none = folder.path().join("none.toml");
    refused(&["train", "petri", "--out", text(&none), "--rounds", "3"], "", "--league");
    refused(&["train", "petri", "--out", text(&none), "--main-generations", "3"], "", "--league");
    let wide = ["train", "petri", "--league", "--wide", "--out", text(&none), "--size", "5x5", "--games", "2"];
    let raised = result(&[&wide[..], &["--generations", "1", "--main-generations", "2", "--rounds", "2"]].concat());
    assert_eq!(raised["rounds"], json!(2));
    let population = fs::read_to_string(folder.path().join("none.toml.league")).unwrap();
    assert!(population.contains("main_generations = 2") && population.contains("[extras]"), "{population}");
    fs::remove_file(folder.path().join("none.toml.league")).unwrap();
    let two = ["train", "petri", "--out", text(&none), "--species", "4/8/0", "--species", "7/5/0"];
    refused(&two, "", "--species 7/5/0: one policy has one; --league takes several");
    let wrong = ["train", "petri", "--league", "--out", text(&none), "--species", "4/8/1"];
    refused(&wrong, "", "4 + 8 + 1 is 13, not 12");
}

#[test]
fn a_state_is_found_out_and_an_honest_cell_is_not_accused() {
    let folder = folder();
    let file = folder.path().join("state").display().to_string();
    let play = |act: &str| {
        let cell = format!("sh -c 'case \"$(cat)\" in BEGIN) echo 4 8 0 ;; *) {act} ;; esac'");
        let words = ["play", "petri", "--first", &cell, "--turns", "8", "--check-stateless=100", "--show", "none"];
        printed(&[&words[..], WITHOUT_JAIL].concat())
    };
    let counts =
        format!("echo x >>\"{file}\"; if [ $(($(wc -l <\"{file}\") % 2)) = 0 ]; then echo REST; else echo MOVE N; fi");
    let cheat = play(&counts);
    assert!(cheat.contains("answers differ when asked again: it keeps a state"), "{cheat}");
    let honest = play("if [ $((AGON_SEED % 2)) = 0 ]; then echo REST; else echo DIVIDE E; fi");
    assert!(honest.contains("first  0 of ") && !honest.contains("keeps a state"), "{honest}");
}

#[test]
fn a_failure_at_begin_is_explained() {
    let out = printed(&["play", "petri", "--first", "echo 4 8", "--second", "amoeba", "--show", "none"]);
    let reason = "\n  answered `4 8` to BEGIN: three numbers HP ENERGY ACIDITY expected";
    assert!(out.contains(reason) && out.contains("limits   40000 ms an invocation, 1024 MiB"), "{out}");
}

#[test]
fn a_changed_record_is_refused() {
    let folder = folder();
    let record = folder.path().join("game.jsonl");
    let page = folder.path().join("game.html");
    printed(&["play", "petri", "--turns", "5", "--show", "none", "--out", text(&record)]);
    assert!(printed(&["replay", text(&record), "--out", text(&page)]).contains("proved"));
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("DIVIDE"));
    assert!(page.contains(r#""origin":0,"#), "programs count from 0");
    let lines = fs::read_to_string(&record).unwrap();
    fs::write(&record, lines.replacen("REST", "MOVE N", 1)).unwrap();
    let ran = agon(&["replay", text(&record)]);
    assert!(ran.code == 1 && ran.err.contains("the seal is broken"), "{} {}", ran.code, ran.err);
}

#[test]
fn a_score_counts_wins_however_many_games_are_played_at_once() {
    let words = ["petri", "score", "slime", "node480", "--games", "21", "--seed", "7"];
    let score = result(&[&words[..], &["--jobs", "1"]].concat());
    assert_eq!(result(&[&words[..], &["--jobs", "3"]].concat()), score);
    let number = |value: &Value| value.as_u64().unwrap();
    let wins = [number(&score["wins"][0]), number(&score["wins"][1])];
    assert!(wins[0] > 0 && wins[1] > 0 && wins[0] + wins[1] + number(&score["draws"]) == 21, "{score}");
    let sizes = [&score["games"], &score["width"], &score["height"], &score["turns"], &score["seed"]].map(number);
    assert_eq!(sizes, [21, 10, 4, 150, 7]);
    let out = printed(&["petri", "score", "coordinated", "hungry", "--games", "10"]);
    assert_eq!(out, "coordinated 10 : 0 hungry   0 draws in 10 games on 10 × 4\n");
}

#[test]
fn a_program_is_scored_through_the_referee() {
    let dish = ["--games", "4", "--size", "5x4", "--turns", "12"];
    let program = species("amoeba");
    let played = result(&[&["petri", "score", &program, "coordinated"], &dish[..]].concat());
    // Neither of them draws anything, so it is the same as within, but for the time that starting them takes.
    let within = result(&[&["petri", "score", "amoeba", "coordinated"], &dish[..]].concat());
    let [played, within] = [played, within].map(|mut score| {
        score.as_object_mut().unwrap().remove("starting_ms");
        score
    });
    assert_eq!(played, within);
    let folder = folder();
    let failing = begins_once(&folder);
    let failed = result(&[&["petri", "score", &failing, "hungry"], &dish[..], WITHOUT_JAIL].concat());
    assert_eq!(failed["wins"], json!([0, 4]));
    assert!(failed["faults"][0].as_str().unwrap().starts_with("RE: answered `4 8` to BEGIN"), "{failed}");
}

/// In a jail, nothing that a program writes is kept.
const WITHOUT_JAIL: &[&str] = &["--jail", "none"];

/// A program that begins correctly when it is tried, and never again.
fn begins_once(folder: &TempDir) -> String {
    let script = file(folder, "cell.sh", "[ -e \"$0.tried\" ] && exec echo 4 8\ntouch \"$0.tried\"\necho 4 8 0\n");
    format!("sh '{}'", text(&script))
}

#[test]
fn programs_that_cannot_begin_stop_a_series() {
    let folder = folder();
    let bad = file(&folder, "bad.c", "int main(void) { return x; }\n");
    let bad = text(&bad);
    let check = |words: &[&str]| {
        let ran = agon(&[words, &["--games", "1"]].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words:?}");
        for part in [
            format!("agent `{bad}`: C20 does not compile it:\nbad.c: In function"),
            "agent `echo 4 8`: not ready to play: RE: answered `4 8` to BEGIN: ".to_owned(),
        ] {
            assert!(ran.err.contains(&part), "`{part}` is missing:\n{}", ran.err);
        }
    };
    check(&["petri", "score", bad, "echo 4 8"]);
    check(&["petri", "league", "echo 4 8", bad]);
    check(&["petri", "gauntlet", "echo 4 8", "--against", "hungry", "--against", bad]);
}

#[test]
fn the_league_takes_all_species_and_any_program() {
    let folder = folder();
    let failing = begins_once(&folder);
    // A name is quoted for a shell only if necessary.
    let named = format!("sh {}", word(failing.trim_start_matches("sh ").trim_matches('\'')));
    let words = ["petri", "league", &*failing, "--games", "2", "--size", "6x5", "--size", "5x5", "--turns", "40"];
    let words = [&words[..], WITHOUT_JAIL].concat();
    let league = result(&words);
    let dishes = league["dishes"].as_array().unwrap();
    assert_eq!(dishes.len(), 2);
    for dish in dishes {
        let standing = dish["standing"].as_array().unwrap();
        assert_eq!((standing.len(), &standing[11]["name"]), (12, &json!(named)));
        let wins: Vec<u64> = standing.iter().map(|line| line["wins"].as_u64().unwrap()).collect();
        assert!(wins.is_sorted_by(|a, b| a >= b) && wins.iter().sum::<u64>() <= 132, "{dish}");
        for line in &standing[..11] {
            assert_eq!(line["against"][&named], 2, "{line}");
        }
    }
    fs::remove_file(folder.path().join("cell.sh.tried")).unwrap();
    let out = printed(&words);
    assert!(out.contains("6 × 5, 40 turns, 2 games of every pair") && out.contains("coordinated"), "{out}");
    assert!(out.contains(&format!("{named} failed: RE: answered `4 8` to BEGIN")), "{out}");
}

/// Chooses a species, answers twice, and then fails in two ways.
const FAILING: &str = r#"
import os, sys
data = sys.stdin.read()
if data == "BEGIN":
    print("5 7 0")
    sys.exit()
x, y, hp, energy = map(int, data.split("\n")[-1].split())
print("cell", x, y, "has energy", energy, file=sys.stderr)
if (x, y) == (1, 1):
    print("MOVE W")
elif energy < 5:
    print("JUMP")
else:
    raise KeyError((x, energy))
"#;

/// Plays the failing cell, and returns its file and the record.
fn failing_game(folder: &tempfile::TempDir) -> (String, String) {
    let cell = file(folder, "cell.py", FAILING).display().to_string();
    let record = folder.path().join("game.jsonl").display().to_string();
    // Far more time than Python needs on a busy machine.
    let game = ["--second", "hungry", "--seed", "3", "--turns", "6", "--invocation", "60s"];
    let words = [&["play", "petri", "--first", &cell, "--show", "none", "--record", &record], &game[..]].concat();
    let out = printed(&words);
    let seen_text = [
        "first      5 × rested: no output, exit code 1: KeyError: (0, 6)\n",
        "first, action 3, the cell on (0,1), the first of 5 alike\n  input\n    10 4\n    ..........\n    o...",
        "\n    0 1 5 6\n  answer  nothing\n  end of its error stream\n    cell 0 1 has energy 6\n    Traceback",
        "    KeyError: (0, 6)\n",
        "replay   agon replay ",
    ];
    let mut rest = out.as_str();
    for part in seen_text {
        let at = rest.find(part).unwrap_or_else(|| panic!("`{part}` is not seen_text in time:\n{out}"));
        rest = &rest[at + part.len()..];
    }
    assert!(
        rest.ends_with(&format!("again    agon petri ask {} --record {} --action 3\n", word(&cell), word(&record))),
        "{rest}"
    );
    assert!(out.lines().count() <= 24 && !out.contains("second     "), "{out}");
    (cell, record)
}

#[test]
fn a_cell_that_fails_shows_its_input_its_answer_and_its_error_stream() {
    let folder = folder();
    let (cell, record) = failing_game(&folder);
    let shown = printed(&["replay", &record]);
    assert!(shown.contains("first, action 3, the cell on (0,1), the first of 5 alike\n  input\n    10 4\n"), "{shown}");
    assert!(shown.contains("\n    KeyError: (0, 6)\n"), "{shown}");
    let failures = result(&["replay", &record])["failures"].clone();
    assert_eq!(failures[0]["side"], "first");
    assert_eq!([&failures[0]["action"], &failures[0]["count"]], [3, 5]);
    assert_eq!((&failures[0]["cell"], &failures[0]["answer"]), (&json!([0, 1]), &json!("")));
    assert!(failures[0]["input"].as_str().unwrap().ends_with("\n\n0 1 5 6"), "{failures}");
    assert!(failures[0]["stderr"].as_str().unwrap().ends_with("KeyError: (0, 6)\n"), "{failures}");
    let page = folder.path().join("game.html").display().to_string();
    printed(&["replay", &record, "--out", &page]);
    let page = fs::read_to_string(page).unwrap();
    for part in ["cell.py, action 3, the cell on (0,1), the first of 5 alike", "\"0 1 5 6\"", "\"KeyError: (0, 6)\""] {
        assert!(page.contains(part), "`{part}` is not on the page");
    }
    let lines = fs::read_to_string(&record).unwrap();
    assert_eq!(lines.matches(r#""stderr":"cell "#).count(), 1, "the first of its kind alone");
    // A game of a program that fails is kept without being asked for.
    let kept = result(&["play", "petri", "--first", &cell, "--turns", "2", "--invocation", "60s"]);
    assert_eq!(kept["failures"][0]["action"], 3);
    assert!(fs::metadata(kept["record"].as_str().unwrap()).is_ok(), "{kept}");
}

#[test]
fn a_recorded_input_is_given_to_a_program_again() {
    let folder = folder();
    let (cell, record) = failing_game(&folder);
    let ask = |words: &[&'static str]| [&["petri", "ask", &cell, "--record", &record], words].concat();
    let out = printed(&ask(&[]));
    assert!(out.starts_with("action 3 of "), "{out}");
    for part in [
        ": the cell on (0,1) of first\n  input\n    10 4\n",
        "\n  answer       nothing\n  end of its error stream\n    cell 0 1 has energy 6\n",
        "\n  judge        REST instead: no output, exit code 1: KeyError: (0, 6)\n  time         ",
        "\n  in the game  nothing (no output, exit code 1: KeyError: (0, 6))\n",
    ] {
        assert!(out.contains(part), "`{part}` is not in\n{out}");
    }
    let moved = result(&ask(&["--action", "1"]));
    assert_eq!([&moved["answer"], &moved["done"], &moved["recorded"]["answer"]], ["MOVE W\n", "MOVE W", "MOVE W\n"]);
    assert_eq!((&moved["remark"], &moved["cell"]), (&json!(null), &json!([1, 1])));
    assert_eq!(moved["stderr"], "cell 1 1 has energy 7\n");
    assert_eq!(result(&ask(&["--action", "4", "--cell", "0,1"]))["action"], 6);
    // Any other program can be asked instead: one that stays alive, and a species.
    let other = |program: &str| result(&["petri", "ask", program, "--record", &record, "--action", "6"]);
    assert_eq!(other("amoeba")["done"], other(&format!("{} --loop", species("amoeba")))["done"]);
    assert_eq!(other("false")["begin"], "no output, exit code 1");
    // `agon ask` asks the same, and says by its exit code that the answer does not count.
    let plain = agon(&["ask", &record, &cell]);
    assert_eq!(plain.code, 1, "{}", plain.err);
    assert!(
        plain.out.contains("\n  judge        REST instead: no output, exit code 1: KeyError: (0, 6)\n"),
        "{}",
        plain.out
    );
    let all = agon(&["ask", &record, &cell, "--all"]);
    assert!(all.code == 1 && all.out.contains(" as in the game\n"), "{} {}", all.out, all.err);
}

#[test]
fn what_cannot_be_asked_again_is_refused() {
    let folder = folder();
    let (cell, record) = failing_game(&folder);
    let check = |words: &[&str], message: &str| {
        refused(&[&["petri", "ask", &cell, "--record"], words].concat(), "", message);
    };
    check(&[&record, "--action", "99"], "--action 99: the game of");
    check(&[&record, "--action", "99"], " actions, numbered from 1");
    check(&[&record, "--action", "2"], "is one of hungry, a built-in player; the next of a program is 3");
    check(&[&record, "--cell", "5,2"], "--cell 5,2: no program's cell acts on this square from action 1 on, of ");
    check(&[&record, "--cell", "5"], "X,Y expected, column and row counted from 0, as 3,1");
    check(&["nowhere.jsonl"], "cannot read `nowhere.jsonl`");
    let game = folder.path().join("other.jsonl").display().to_string();
    printed(&["play", "bacteria", "--show", "none", "--record", &game]);
    check(&[&game], "is a record of bacteria: a record of petri expected");
    printed(&["play", "petri", "--turns", "2", "--show", "none", "--record", &game]);
    check(&[&game], "has no action of a program: coordinated and evolution are built-in players");
    fs::write(&game, "{}\n").unwrap();
    check(&[&game], "is not a record of a game: line 1 is not a header");
    let broken = file(&folder, "broken.py", "def f(:\n").display().to_string();
    refused(&["petri", "ask", &broken, "--record", &record], "", "cannot be asked: CE: PYTHON3 does not compile it");
}

#[test]
fn a_network_is_trained_and_gone_on_with() {
    let folder = folder();
    let out = folder.path().join("net.toml");
    let train = |generations| {
        let words = ["train", "petri", "--network", "--out", text(&out), "--size", "4x4", "--games", "1"];
        [&words[..], &["--generations", generations]].concat()
    };
    let said = printed(&train("1"));
    assert!(said.contains("1 generations against 12 rivals, worth "), "{said}");
    assert_eq!(result(&train("2"))["generations"], 2);
    let written = fs::read_to_string(&out).expect("a policy");
    assert!(written.contains("\n# 2 iterations, worth ") && written.contains("\nnetwork = \"\"\"\n"), "{written:.300}");
    // It is a policy like any other.
    let games = ["petri", "gauntlet", "--policy", text(&out), "--against", "hungry", "--games", "2", "--size", "10x4"];
    printed(&[&games[..], &["--least", "100"]].concat());
    fs::write(&out, written.replace("network = \"\"\"", "network = \"\"\"AAAA")).expect("a file");
    refused(&["petri", "gauntlet", "--policy", text(&out)], "", "`network` is missing, or not as it should be");

    let none = folder.path().join("none.toml");
    refused(&["train", "petri", "--network", "--league", "--out", text(&none)], "", "--league");
    refused(&["train", "petri", "--network", "--wide", "--out", text(&none)], "", "--wide");
    refused(&["train", "petri", "--rate", "0.1", "--out", text(&none)], "", "--network");
    let rate = ["train", "petri", "--network", "--rate", "0", "--out", text(&none)];
    refused(&rate, "", "--rate 0: a positive number expected");
}
