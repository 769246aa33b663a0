//! The README and the page on failing bots: their commands run from top to bottom in an empty folder, and print what
//! they show.

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::agon::run::{BINARY, environment, folder, root, word};
use crate::agon::tutorial::without_figures;

/// How to treat a line that cannot run as it is.
#[derive(Clone, Copy)]
enum Treatment {
    /// The rest of the line is run by the binary of the tests.
    RunBuilt,
    /// The file of the repository is there.
    LookFor(&'static str),
    /// With these options it prints an address, and Ctrl-C ends it.
    Serve(&'static str),
}

/// The beginnings of such lines, each with its treatment and the reason.
const TREATMENTS: [(&str, Treatment, &str); 5] = [
    ("cargo run --release -- ", Treatment::RunBuilt, "it builds for minutes what the tests have built"),
    ("cargo install --path crates/cli", Treatment::LookFor("crates/cli/src/main.rs"), "it builds for minutes"),
    ("scripts/test", Treatment::LookFor("scripts/test"), "it runs this test"),
    ("agon board", Treatment::Serve("--no-open --listen 127.0.0.1:0"), "it serves and opens a browser"),
    ("agon serve", Treatment::Serve("--listen 127.0.0.1:0"), "it serves"),
];

/// A part of the page that does something.
enum Step {
    /// Lines of a shell.
    Script(String),
    /// A line that cannot run as it is.
    Treated(String, Treatment),
    /// A command, and the lines of its output that the page shows.
    Shown(String, Vec<String>),
}

fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for (at, block) in page.split("```").enumerate().filter(|(at, _)| at % 2 == 1) {
        let (kind, text) = block.split_once('\n').unwrap();
        match kind {
            "sh" => {
                let mut script = String::new();
                for line in text.lines() {
                    if let Some((_, treatment, _)) = TREATMENTS.iter().find(|(start, ..)| line.starts_with(start)) {
                        steps.push(Step::Script(std::mem::take(&mut script)));
                        let command = line.split(" #").next().unwrap().trim_end();
                        steps.push(Step::Treated(command.to_owned(), *treatment));
                    } else {
                        script += &format!("{line}\n");
                    }
                }
                steps.push(Step::Script(script));
            }
            "console" => {
                for line in text.lines() {
                    match (line.strip_prefix("$ "), steps.last_mut()) {
                        (Some(command), _) => steps.push(Step::Shown(command.to_owned(), Vec::new())),
                        (None, Some(Step::Shown(_, output))) => output.push(line.to_owned()),
                        _ => panic!("no command before this output: {line}"),
                    }
                }
            }
            _ => panic!("block {at} is `{kind}`: it runs as `sh` or is shown as `console`"),
        }
    }
    steps.retain(|step| !matches!(step, Step::Script(script) if script.is_empty()));
    steps
}

/// The `agon` of the shell: games get a clock that a busy machine keeps, and a new bot does not use it up.
const AGON: &str = "#!/bin/sh
case \"$*\" in *--clock*) exec BINARY \"$@\" ;; esac
case $1 in
    new) BINARY \"$@\" && exec sed -i 's/MAX_DEPTH = 64/MAX_DEPTH = 3/' */bot.* ;;
    check | play) exec BINARY \"$@\" --clock 10m ;;
    *) exec BINARY \"$@\" ;;
esac
";

/// A run of a shell in the folder `work` of a place, where `agon` is that of the folder `tools`.
fn shell(script: &str, place: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-euc", &format!("PATH=$PWD/../tools:$PATH\n{script}")]);
    command.current_dir(place.join("work")).stdin(Stdio::null());
    for (name, value) in environment() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// The output of a script that succeeds.
fn run(script: &str, place: &Path) -> String {
    ended(script, place, &[0])
}

/// The output of a script that exits with one of these codes.
fn ended(script: &str, place: &Path, codes: &[i32]) -> String {
    let output = shell(script, place).output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.code().is_some_and(|code| codes.contains(&code)), "{script}: {}\n{out}{err}", output.status);
    out
}

/// A process that is killed if the test fails before its end.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(command: &str, options: &str, place: &Path) {
    let mut server =
        shell(&format!("exec {command} {options}"), place).stdout(Stdio::piped()).spawn().map(Server).unwrap();
    let mut lines = BufReader::new(server.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let address = lines.find_map(|line| Some(line.split("http://").nth(1)?.split(['/', ' ']).next()?.to_owned()));
    let address = address.unwrap_or_else(|| panic!("{command}: no address"));
    let page = ureq::get(format!("http://{address}/")).call().unwrap();
    assert_eq!(page.status(), 200, "{command}");
    kill_process(Pid::from_child(&server.0), Signal::INT).unwrap();
    assert!(server.0.wait().unwrap().success(), "{command}");
}

#[test]
fn the_readme_is_true() {
    let steps = steps(&fs::read_to_string(root().join("README.md")).unwrap());
    for (start, ..) in TREATMENTS {
        let used = steps.iter().any(|step| matches!(step, Step::Treated(command, _) if command.starts_with(start)));
        assert!(used, "the README has no `{start}`: take it from TREATMENTS");
    }
    hold(steps);
}

#[test]
fn the_page_about_failing_bots_is_true() {
    hold(steps(&fs::read_to_string(root().join("docs/failing.md")).unwrap()));
}

/// Runs the commands of a page from top to bottom in an empty folder, and looks for the lines that it shows.
fn hold(steps: Vec<Step>) {
    let home = folder();
    let place = home.path();
    fs::create_dir(place.join("tools")).unwrap();
    fs::write(place.join("tools/agon"), AGON.replace("BINARY", &word(BINARY))).unwrap();
    fs::set_permissions(place.join("tools/agon"), Permissions::from_mode(0o755)).unwrap();
    fs::create_dir(place.join("work")).unwrap();
    // In a checkout, and in an unpacked release.
    symlink(root().join("examples"), place.join("work/examples")).unwrap();
    for step in steps {
        match step {
            Step::Script(script) => drop(run(&script, place)),
            Step::Treated(command, Treatment::RunBuilt) => {
                let words = command.split_once(" -- ").unwrap().1;
                run(&format!("agon {words}"), place);
            }
            Step::Treated(command, Treatment::LookFor(file)) => {
                assert!(root().join(file).is_file(), "{command}: {file} is missing");
            }
            Step::Treated(command, Treatment::Serve(options)) => serve(&command, options, place),
            Step::Shown(command, shown) => {
                // The answer may be no.
                let output = ended(&command, place, &[0, 1]);
                let plain = without_figures(&output);
                let mut lines = plain.lines();
                for line in shown.iter().filter(|line| *line != "…") {
                    let wanted = without_figures(line);
                    assert!(lines.any(|line| line == wanted.trim_end()), "{command}: no line `{line}` in\n{output}");
                }
            }
        }
    }
}
