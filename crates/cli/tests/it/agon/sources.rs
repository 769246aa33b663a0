//! Bots of several files.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::agon::run::{agon, folder, text};

/// A folder of sources in another.
fn sources(place: &TempDir, name: &str, files: &[(&str, &str)]) -> String {
    let folder = place.path().join(name);
    for (name, content) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    text(&folder).to_owned()
}

/// The verdict on an agent that begins a game.
#[track_caller]
fn verdict(agent: &str) -> Value {
    let ran = agon(&["play", "bacteria", "--first", agent, "--second", "random", "--format", "json"]);
    assert_eq!(ran.code, 0, "{agent}: {}", ran.err);
    ran.json()["verdicts"][0].clone()
}

/// A bot of several files that answers READY and nothing else, in a language, and the file that answers.
fn passing(place: &TempDir, language: &str) -> (String, &'static str) {
    let part = |name, content| (name, content);
    let (files, helper): (Vec<(&str, &str)>, &str) = match language {
        "python" => (
            vec![
                part(
                    "main.py",
                    "import sys\nfrom parts.words import answer\nfor line in sys.stdin:\n    if \
                        line.startswith('FINISH'): break\n    print(answer(line), end='', flush=True)\n",
                ),
                part("parts/words.py", "def answer(line):\n    return 'OK\\n' if line.startswith('READY') else ''\n"),
            ],
            "parts/words.py",
        ),
        _ => (
            vec![
                part(
                    "main.cpp",
                    "#include \"parts/words.h\"\n#include <iostream>\n#include <string>\nint main() { std::string \
                        line; while (std::getline(std::cin, line)) { if (line == \"FINISH\") break; std::cout << \
                        answer(line) << std::flush; } }\n",
                ),
                part(
                    "parts/words.h",
                    "#pragma once\n#include <string>\nstd::string answer(const std::string &line);\n",
                ),
                part(
                    "parts/words.cpp",
                    "#include \"parts/words.h\"\nstd::string answer(const std::string &line) { return line[0] == 'R' ? \
                        \"OK\\n\" : \"\"; }\n",
                ),
            ],
            "parts/words.cpp",
        ),
    };
    (sources(place, language, &files), helper)
}

#[test]
fn a_folder_with_a_main_file_is_a_bot() {
    let place = folder();
    for language in ["python", "cpp"] {
        let (bot, helper) = passing(&place, language);
        // It answers READY, and then nothing: the clock is short.
        let ready = |message: &str| {
            let db = place.path().join(format!("{language}.db"));
            let words =
                ["match", &*bot, "random", "--game", "bacteria", "-n", "2", "--clock", "50ms", "--db", text(&db)];
            let ran = agon(&words);
            assert!(format!("{}{}", ran.out, ran.err).contains(message), "{bot}: {}{}", ran.out, ran.err);
        };
        ready("×2), first in game 0");
        // A compiled bot is compiled again when a file next to the main file changes.
        let path = Path::new(&bot).join(helper);
        fs::write(&path, fs::read_to_string(&path).unwrap().replace("OK", "NO")).unwrap();
        ready("answered `NO` to READY");
    }
}

#[test]
fn the_remedy_is_shown_where_a_bot_misses_its_other_files() {
    #[track_caller]
    fn refused(agent: &str, message: &str) {
        let place = folder();
        let db = place.path().join("games.db");
        let ran = agon(&["match", agent, "random", "--game", "bacteria", "--db", text(&db)]);
        assert!(ran.code == 2 && ran.err.contains(message), "{agent}: {}", ran.err);
    }
    let place = folder();
    let (python, _) = passing(&place, "python");
    let (cpp, _) = passing(&place, "cpp");
    let several = "(a bot of several files is named by its folder, with a main file in it)";
    refused(&format!("{python}/main.py"), "`parts` exists beside your bot, but only the bot is copied: write `see=");
    refused(&format!("{cpp}/main.cpp"), several);
    let two = sources(&place, "two", &[("main.c", ""), ("main.py", "")]);
    refused(&two, "main.c and main.py are main files; name the language, as C20:");
    assert_eq!(verdict(&format!("PYTHON3:{two}")), json!("RE"));
    refused(&sources(&place, "none", &[("notes.txt", "")]), "it has no source file (main.cpp, main.py, Main.java");
    refused(
        &sources(&place, "zip", &[("bot.zip", "")]).replace("zip", "zip/bot.zip"),
        "is packed: unpack it, and name the folder",
    );
}
