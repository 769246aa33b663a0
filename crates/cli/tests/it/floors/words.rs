//! `scripts/lint`: widths, words and subjects of commits. Git's hooks and `.ci/run` call it as well.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::root;

/// Its output, and the faults that it finds.
fn lint(arguments: &[&str]) -> (String, String) {
    let ran = Command::new(root().join("scripts/lint")).args(arguments).output().unwrap();
    let (out, faults) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap());
    assert_eq!(ran.status.code(), Some(i32::from(!faults.is_empty())), "{out}{faults}");
    (out, faults)
}

#[test]
fn every_file_keeps_to_the_width_and_the_words() {
    let (out, faults) = lint(&["--text", root().to_str().unwrap()]);
    assert_eq!(faults, "");
    let files: usize = out.split(' ').next().unwrap().parse().unwrap();
    assert!(files > 500, "{out}");
}

/// The faults of a folder with one file of one line.
fn faults_of(file: &str, line: &str) -> Vec<String> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("\n{line}\n")).unwrap();
    let (_, faults) = lint(&["--text", folder.path().to_str().unwrap()]);
    let of_file = faults.lines().filter_map(|fault| fault.strip_prefix(&format!("{file}:2: ")));
    of_file.map(str::to_owned).collect()
}

#[test]
fn faults_are_found() {
    let check = |file: &str, line: &str, wanted: &[&str]| {
        let found = faults_of(file, line);
        let starts =
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(found, start)| found.starts_with(start));
        assert!(starts, "`{line}`: {found:?}");
    };
    check("a.rs", "/// What it is Told.", &["`told`"]);
    check("a.rs", "let is_told = soManyOf(x); // so\u{a0}many", &["`so many`", "`told`"]);
    check("a.rs", "fn untold(contest: &Contest) {}", &[]);
    check("a.md", "rules of the contest", &["`the contest`"]);
    check("docs/style.md", "not `told`", &[]);
    check("a.rs", "    pub(crate) const MOST_LINES: usize = 3;", &["`MOST_LINES`"]);
    check("a.rs", "pub static IDLE_PATIENCE: Duration = x;", &["`IDLE_PATIENCE`", "`patience`"]);
    check("a.rs", "const MAX_LINES: usize = 3;", &[]);
    check("a.rs", "take(MOST_LINES)", &[]);
    check("a.rs", &"x".repeat(121), &["121 characters"]);
    check("a.rs", &"é".repeat(120), &[]);
    check("a.md", &"x".repeat(121), &[]);
}

#[test]
fn subjects_of_commits_are_checked() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = folder.path().join("message");
    let check = |message: &str, wanted: &str| {
        fs::write(&file, message).unwrap();
        let (_, faults) = lint(&["--message", file.to_str().unwrap()]);
        assert!(if wanted.is_empty() { faults.is_empty() } else { faults.contains(wanted) }, "{message}: {faults}");
    };
    check("renju: search replies to fours first\n\nA body of any width.\n", "");
    check("site, web: embed `x` in pages", "");
    check("docs: address a host", "");
    check("# a comment\nMerge branch 'main'", "");
    check(&format!("tests: {}", "x".repeat(66)), "73 characters");
    check(&format!("tests: {}", "x".repeat(65)), "");
    check("search replies to fours first", "write `area: imperative`");
    check("renju: search replies.", "write `area: imperative`");
    check("renju: Search replies", "write `area: imperative`");
    check("benchmarks: the third trial", "`the` is not an imperative");
    check("site: adds a page", "`adds` is not an imperative");
    check("site: added a page", "`added` is not an imperative");
    check("site: adding a page", "`adding` is not an imperative");
}

/// The output of `git` in a folder, and whether it succeeds.
fn git(folder: &Path, words: &[&str]) -> (bool, String) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]).args(words).current_dir(folder);
    // If the tests run in a hook, these name the repository of the hook.
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        command.env_remove(name);
    }
    let ran = command.output().unwrap();
    (ran.status.success(), String::from_utf8_lossy(&ran.stderr).into_owned())
}

#[test]
fn hooks_refuse_a_commit_with_a_fault() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let place = folder.path();
    fs::create_dir_all(place.join("scripts/hooks")).unwrap();
    for script in ["scripts/lint", "scripts/hooks/pre-commit", "scripts/hooks/commit-msg"] {
        fs::copy(root().join(script), place.join(script)).unwrap();
    }
    let commit = |text: &str, subject: &str| {
        fs::write(place.join("a.md"), text).unwrap();
        assert!(git(place, &["add", "a.md"]).0);
        git(place, &["commit", "-q", "-m", subject])
    };
    assert!(git(place, &["init", "-q"]).0);
    assert!(git(place, &["config", "core.hooksPath", "scripts/hooks"]).0);
    let (done, said) = commit("Somebody plays.\n", "docs: describe players");
    assert!(!done && said.contains("a.md:1: `somebody`"), "{said}");
    let (done, said) = commit("A player moves.\n", "docs: describes players");
    assert!(!done && said.contains("`describes` is not an imperative"), "{said}");
    let (done, said) = commit("A player moves.\n", "docs: describe players");
    assert!(done, "{said}");
}
