//! The ways of naming a program that docs/play.md lists: each plays, or the message names the remedy.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use agon_jail::Level;

use crate::agon::run::{command, finish, folder, jail, passing, quick_bot, root};

/// The rows of the table: the text, and what happens.
fn rows() -> Vec<(String, String)> {
    let page = fs::read_to_string(root().join("docs/play.md")).unwrap();
    let section = page.split("## Ways of naming a program\n").nth(1).unwrap().split("\n### ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let row = row.replace("\\|", "\0");
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('\0', "|")).collect();
        (cells[1].trim_matches('`').to_owned(), cells[2].clone())
    })
    .collect()
}

fn write(place: &Path, name: &str, content: &str) {
    let path = place.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn runnable(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Makes the files that the page lists.
fn files(place: &Path) {
    let bot = passing("");
    for name in ["bot.py", "runner", "fast/board.py"] {
        write(place, name, if name.ends_with("board.py") { "SIDE = 8\n" } else { &bot });
    }
    runnable(&place.join("runner"));
    write(place, "bot.c", &quick_bot("domineering.c"));
    write(place, "compiled", "\u{7f}ELF");
    write(place, "notes.txt", "to do\n");
    for name in ["bot.zip", "bot.jar", "bot.go", "bot.lua", "old/bot.class"] {
        write(place, name, "PK");
    }
    write(place, "run.sh", "exec python3 bot.py\n");
    fs::create_dir(place.join("empty")).unwrap();
    write(place, "bots/new.py", &passing("if sys.argv[1:] not in ([], ['--depth', '3']): sys.exit(str(sys.argv))"));
    write(place, "bots/level.py", &passing("int(os.environ['LEVEL'])"));
    write(place, "bots/weights.py", &passing("open(os.path.join(os.path.dirname(__file__), 'weights.bin'))"));
    write(place, "bots/weights.bin", "1");
    write(place, "fast/main.py", &passing("import board"));
    write(place, "pkg/__init__.py", "");
    write(place, "pkg/board.py", "SIDE = 8\n");
    write(place, "pkg/__main__.py", &passing("from .board import SIDE"));
    let mut made = std::process::Command::new("python3");
    let made = made.args(["-m", "venv", "--without-pip", "venv"]).current_dir(place).status().unwrap();
    assert!(made.success(), "python3 -m venv");
    let packages = fs::read_dir(place.join("venv/lib")).unwrap().next().unwrap().unwrap().path();
    fs::write(packages.join("site-packages/numbers_of_mine.py"), "ONE = 1\n").unwrap();
    write(place, "bots/venv.py", &passing("import numbers_of_mine"));
}

/// Programs that start, and fail because a file of theirs is not visible.
const MISSING_FILES: [&str; 2] = ["bots/weights.py", "bots/venv.py"];

#[test]
fn each_way_of_naming_a_program_plays_or_names_the_remedy() {
    let place = folder();
    files(place.path());
    let rows = rows();
    assert!(rows.len() >= 30, "{} ways", rows.len());
    let mut wrong = Vec::new();
    for (text, expected) in &rows {
        let mut run = command(&["play", "domineering", "--first", text, "--second", "random", "--seed", "3"]);
        let ran = finish(run.args(["--format", "json"]).current_dir(place.path()));
        let found = format!("{}{}", ran.out.replace("\\\"", "\""), ran.err);
        let fits = match expected.as_str() {
            "plays" => ran.code == 0 && ran.out.contains("\"verdicts\":[\"OK\",\"OK\"]"),
            // A missing file is noticed while the program plays.
            message => found.contains(message) && (ran.code == 2) != MISSING_FILES.contains(&text.as_str()),
        };
        if !(fits || jail() == Level::None && text.contains("venv")) {
            wrong.push(format!("{text}: {expected}\n  {} {found}", ran.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_all_programs_see_is_named_once() {
    let place = folder();
    files(place.path());
    let mut run = command(&["play", "domineering", "--first", "bots/weights.py", "--second", "bot.py"]);
    let ran = finish(run.args(["--see", "bots/weights.bin", "--format", "json"]).current_dir(place.path()));
    assert!(ran.json()["verdicts"] == serde_json::json!(["OK", "OK"]), "{}", ran.out);
    let mut run = command(&["play", "domineering", "--first", "greedy", "--second", "random", "--see", "bots"]);
    let ran = finish(run.current_dir(place.path()));
    assert_eq!((ran.code, ran.err.as_str()), (2, "error: --see: no agent here is a program: leave it out\n"));
    // In a file, too; and a changed file makes another agent.
    write(
        place.path(),
        "cup.toml",
        "game = 'domineering'\ngames = 2\n[[agent]]\nagent = 'bots/weights.py'\n\
         see = ['bots/weights.bin']\n[[agent]]\nagent = 'random'\n",
    );
    let played = |expected: u64| {
        let ran = finish(command(&["tournament", "cup.toml"]).current_dir(place.path()));
        let played = format!("({expected} games played now)");
        assert!(ran.code == 0 && ran.out.contains(&played), "{}{}", ran.out, ran.err);
    };
    played(2);
    played(0);
    write(place.path(), "bots/weights.bin", "2");
    played(2);
}

/// A shell script as a bot, whatever interpreter it names; it requires this version.
fn shell_bot(version: &str) -> String {
    let moves = "READY) echo OK;; TURN) echo MOVE -1 -1;; FINISH) exit;;";
    format!("test \"$VERSION\" = {version} || exit 9\nwhile read word rest; do case $word in {moves} esac; done\n")
}

/// An installation with `bin` and `lib` whose interpreter needs the files in `lib`; it accepts any syntax.
fn interpreter(whole: &Path, name: &str, version: &str) {
    let lib = "$(dirname \"$(readlink -f \"$0\")\")/../lib/version";
    let run = "case $1 in -m | --check) exit;; esac\nexport VERSION\nexec sh \"$@\"";
    let path = format!("bin/{name}");
    write(whole, &path, &format!("#!/bin/sh\n. \"{lib}\"\n{run}\n"));
    runnable(&whole.join(path));
    write(whole, "lib/version", &format!("VERSION={version}\n"));
}

fn script(path: &Path, text: &str) {
    write(path.parent().unwrap(), path.file_name().unwrap().to_str().unwrap(), text);
    runnable(path);
}

/// A home with version managers as they lay out their files. The programs are ours: they find versions where those of
/// the managers do.
fn managers(home: &Path) {
    let at = |name: &str| home.join(name);
    for version in ["3.12.1", "3.9.9"] {
        interpreter(&at(&format!(".pyenv/versions/{version}")), "python3", version);
    }
    write(home, ".pyenv/version", "3.12.1\n");
    script(
        &at(".pyenv/libexec/pyenv"),
        "#!/bin/sh\n# pyenv exec NAME\nshift\nname=$1\nshift\nfile=$PYENV_ROOT/version\n\
         test -f .python-version && file=.python-version\nversion=${PYENV_VERSION:-$(cat \"$file\")}\n\
         exec \"$PYENV_ROOT/versions/$version/bin/$name\" \"$@\"\n",
    );
    fs::create_dir_all(at(".pyenv/bin")).unwrap();
    symlink("../libexec/pyenv", at(".pyenv/bin/pyenv")).unwrap();
    let shim = "set -e\nprogram=\"${0##*/}\"\nexec \"$PYENV_ROOT/libexec/pyenv\" exec \"$program\" \"$@\"\n";
    script(&at(".pyenv/shims/python3"), &format!("#!/bin/sh\n{shim}"));

    let conda = at("miniconda3");
    interpreter(&conda, "python", "base");
    interpreter(&conda.join("envs/ml"), "python3", "ml");
    symlink("python3", conda.join("envs/ml/bin/python")).unwrap();
    write(&conda, "conda-meta/history", "");
    script(
        &conda.join("condabin/conda"),
        "#!/bin/sh\n# conda run --no-capture-output -n NAME PROGRAM\nroot=$(dirname \"$0\")/..\n\
         . \"$root/lib/version\"\nshift 3\nPATH=$root/envs/$1/bin:$PATH\nshift\nexec \"$@\"\n",
    );

    for version in ["v20.11.0", "v18.1.0"] {
        interpreter(&at(&format!(".nvm/versions/node/{version}")), "node", version);
    }
    write(home, ".nvm/nvm.sh", "use() { node=$NVM_DIR/versions/node/v$NODE_VERSION/bin; }\n");
    let run = ". \"$NVM_DIR/nvm.sh\"\nuse\nname=$1\nshift\nexec \"$node/$name\" \"$@\"\n";
    script(&at(".nvm/nvm-exec"), &format!("#!/bin/sh\n{run}"));

    interpreter(&at(".local/share/uv/python/cpython-3.12-linux-x86_64-gnu"), "python3.12", "3.12.1");
    fs::create_dir_all(at(".local/bin")).unwrap();
    let python = at(".local/share/uv/python/cpython-3.12-linux-x86_64-gnu/bin/python3.12");
    symlink(&python, at(".local/bin/python3.12")).unwrap();
    symlink(python, at(".local/bin/python3")).unwrap();

    for (name, version) in [("bot.py", "3.12.1"), ("old.py", "3.9.9"), ("local/main.py", "3.9.9"), ("ml.py", "ml")] {
        write(&at("bots"), name, &shell_bot(version));
    }
    write(&at("bots"), "local/.python-version", "3.9.9\n");
    for (name, version) in [("bot.js", "v20.11.0"), ("old.js", "v18.1.0")] {
        write(&at("bots"), name, &shell_bot(version));
    }
    script(&at("bots/runner"), &format!("#!/usr/bin/env python3\n{}", shell_bot("3.12.1")));
    script(&at("bots/script"), &format!("#!/usr/bin/env node\n{}", shell_bot("v20.11.0")));
}

#[test]
fn programs_of_version_managers_play() {
    let place = folder();
    let home = fs::canonicalize(place.path()).unwrap().join("me");
    managers(&home);
    let page = fs::read_to_string(root().join("docs/play.md")).unwrap();
    let section = page.split("### Version managers\n").nth(1).unwrap().split("\n### ").next().unwrap();
    let mut tried = Vec::new();
    for row in section.lines().filter(|line| line.starts_with("| ") && line.contains("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let text = cells[2].trim_matches('`').replace("/home/me", &home.to_str().unwrap().replace(' ', "\\ "));
        let first = match cells[1] {
            "pyenv" => [".pyenv/shims", ".pyenv/bin"].as_slice(),
            "conda" => &["miniconda3/envs/ml/bin", "miniconda3/condabin"],
            "nvm" => &[".nvm/versions/node/v20.11.0/bin"],
            "uv" => &[".local/bin"],
            other => panic!("{other}"),
        };
        let path = first.iter().map(|folder| home.join(folder)).chain(["/usr/bin", "/bin"].map(Into::into));
        let mut run = command(&["play", "domineering", "--first", &text, "--second", "random", "--seed", "3"]);
        run.args(["--ready", "30s", "--format", "json"]).current_dir(home.join("bots")).env("HOME", &home);
        run.env("PATH", std::env::join_paths(path).unwrap());
        for variable in ["PYENV_ROOT", "PYENV_VERSION", "NVM_DIR"] {
            run.env_remove(variable);
        }
        let ran = finish(&mut run);
        let found = format!("{}{}", ran.out.replace("\\\"", "\""), ran.err);
        let fits = if cells[3].starts_with("plays") {
            ran.code == 0 && ran.out.contains("\"verdicts\":[\"OK\",\"OK\"]")
        } else {
            ran.code == 2 && found.contains(cells[3])
        };
        assert!(fits, "{row}: {} {found}", ran.code);
        tried.push(cells[1].to_owned());
    }
    assert!(tried.len() >= 19, "{tried:?}");
}
