//! The steps of `.ci/run`.

use std::fs;
use std::process::Command;

use super::root;

#[test]
fn hosted_ci_runs_every_step() {
    let help = Command::new(root().join(".ci/run")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, steps) = help.trim().rsplit_once("steps: ").unwrap();
    // `tests` installs what `setup` installs.
    let steps: Vec<&str> = steps.split(' ').filter(|step| *step != "setup").collect();
    assert!(steps.contains(&"lint") && steps.contains(&"tests"), "{steps:?}");
    let hosted = fs::read_to_string(root().join(".github/workflows/ci.yml")).unwrap();
    assert!(hosted.contains(&format!("step: [{}]\n", steps.join(", "))), "{steps:?}");
}
