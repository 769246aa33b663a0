//! `agon check` finds broken bots before their first game, and passes every sample.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use agon_catalog::Game;
use agon_jail::Level;
use agon_referee::agent::Language;
use agon_referee::process::find_program;
use serde_json::Value;

use crate::agon::run::{
    ALPHANO_TIMES, Ran, command, file, finish, folder, is_slow, jail, quick_bot, search_path, shallow_sample, text,
};

/// No check takes so long unless it hangs.
const TIMEOUT: Duration = Duration::from_mins(5);

/// A bot: one of tests/bots or the sample of the dish, broken by replacing texts of it.
struct Broken {
    game: &'static str,
    extension: &'static str,
    /// The replacements.
    changes: Vec<(&'static str, String)>,
    options: Vec<&'static str>,
    /// Variables of the check.
    variables: Vec<(&'static str, &'static str)>,
}

fn broken(game: &'static str, changes: &[(&'static str, &str)]) -> Broken {
    let changes = changes.iter().map(|&(from, to)| (from, to.to_owned())).collect();
    Broken { game, extension: "py", changes, options: Vec::new(), variables: Vec::new() }
}

impl Broken {
    fn with(mut self, options: &[&'static str]) -> Self {
        self.options.extend(options);
        self
    }

    /// For a bot that is to be late: it is soon.
    fn with_alphano_times(mut self) -> Self {
        self.variables.push(ALPHANO_TIMES);
        self
    }

    fn source(&self) -> String {
        let mut source = match self.game {
            "petri" => shallow_sample(self.game, self.extension),
            game => quick_bot(&format!("{game}.{}", self.extension)),
        };
        for (from, to) in &self.changes {
            assert!(source.contains(from), "the bot of {} has no `{from}`", self.game);
            source = source.replace(from, to);
        }
        source
    }
}

fn checked(game: &str, bot: &Path, options: &[&str]) -> (Ran, Value) {
    checked_with(game, bot, options, &[])
}

/// Like [`checked`], with these variables.
fn checked_with(game: &str, bot: &Path, options: &[&str], variables: &[(&str, &str)]) -> (Ran, Value) {
    let mut run = command(&["check", text(bot), "--game", game, "--format", "json"]);
    let ran = finish(run.args(options).envs(variables.iter().copied()).timeout(TIMEOUT));
    assert!(ran.code < 2, "{} {}", ran.out, ran.err);
    let found = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out));
    (ran, found)
}

/// Checks a bot and expects a finding with this in it.
#[track_caller]
fn finds(bot: &Broken, expected: &str) {
    let place = folder();
    let path = file(&place, &format!("bot.{}", bot.extension), &bot.source());
    fs::write(place.path().join("weights.bin"), "1").unwrap();
    let (ran, found) = checked_with(bot.game, &path, &bot.options, &bot.variables);
    assert_eq!((ran.code, found["ready"].as_bool()), (1, Some(false)), "{expected}: {found}");
    assert!(found["findings"].to_string().contains(expected), "`{expected}` is not in {found:#}");
    for finding in found["findings"].as_array().unwrap() {
        let details = finding["details"].as_array().unwrap().iter().filter_map(Value::as_str);
        let said: Vec<&str> = details.filter(|line| !line.starts_with(' ')).collect();
        assert!(said.iter().enumerate().all(|(at, line)| !said[..at].contains(line)), "twice: {finding:#}");
    }
}

#[test]
fn the_game_in_which_a_bot_has_failed_is_kept() {
    let place = folder();
    let bot = broken("bacteria", &[("(words[1] == \"FIRST\") != first_moves", "False")]);
    let path = file(&place, "bot.py", &bot.source());
    let ran = |arguments: &[&str]| {
        let state = place.path().join("state");
        finish(command(arguments).env("AGON_STATE", state).timeout(TIMEOUT))
    };
    let check = ["check", text(&path), "--game", "bacteria"];
    let found: Value = serde_json::from_str(&ran(&[&check[..], &["--format", "json"]].concat()).out).unwrap();
    let record = found["record"].as_str().unwrap();
    let asked = ran(&["ask", record, text(&path)]);
    assert!(asked.code == 1 && asked.out.contains("in the game  `MOVE"), "{}{}", asked.out, asked.err);
    let out = ran(&check).out;
    assert!(out.contains("\nreplay   agon replay ") && out.contains("\nagain    agon ask "), "{out}");
}

const OK: &str = "print(\"OK\", flush=True)";
const DOMINO: &str = "print(\"MOVE\", x, y, flush=True)";
const START: &str = "def main():\n";
const TURN: &str = "        elif command == \"TURN\":\n";

/// The clock of bots that use it up.
const SHORT: [&str; 2] = ["--clock", "2s"];

#[test]
fn a_bot_that_hangs_on_ready() {
    let bot = broken("domineering", &[(OK, "import time; time.sleep(60)")]).with_alphano_times();
    finds(&bot, "no OK to READY within 3 s");
}

#[test]
fn a_bot_that_hangs_on_its_fifth_turn() {
    let hang = "if len(turns) == 5: __import__('time').sleep(60)";
    let text = format!("{TURN}            turns.append(1)\n            {hang}\n");
    let start = "turns = []\n\n\ndef main():\n";
    finds(&broken("domineering", &[(TURN, &text), (START, start)]).with(&SHORT), "no answer within");
}

#[test]
fn a_bot_that_prints_debug_text() {
    let text = format!("print('best', x, y); {DOMINO}");
    finds(&broken("domineering", &[(DOMINO, &text)]), "print debug text to standard error");
}

#[test]
fn a_bot_that_prints_a_banner() {
    finds(&broken("domineering", &[(START, "print('my bot 1.0', flush=True)\n\n\ndef main():\n")]), "to READY");
}

#[test]
fn a_bot_that_writes_small_letters() {
    finds(&broken("domineering", &[("\"MOVE\"", "\"move\"")]), "MOVE and its numbers in the format");
}

#[test]
fn a_bot_that_forgets_to_flush() {
    finds(&broken("domineering", &[(", flush=True", "")]).with_alphano_times(), "it had not flushed its answer");
}

#[test]
fn a_bot_that_exits_early() {
    let text = format!("{DOMINO}\n            if x > 6: break");
    finds(&broken("domineering", &[(DOMINO, &text)]), "Keep reading until FINISH");
}

#[test]
fn a_bot_that_crashes_on_a_pass() {
    let opp = "            if x >= 0:\n                lay(1 - me, x, y)";
    let text = "            assert x >= 0\n            lay(1 - me, x, y)";
    finds(&broken("domineering", &[(opp, text)]), "AssertionError");
}

#[test]
fn a_bot_that_crashes_when_it_moves_second() {
    let opp = "        elif command == \"OPP\":\n";
    let text = format!("{opp}            assert me == FIRST, 'I move first'\n");
    finds(&broken("domineering", &[(opp, &text)]), "I move first");
}

#[test]
fn a_bot_with_an_illegal_first_move_of_renju() {
    let near = "near = max(abs(x - 8), abs(y - 8)) <= reach";
    finds(&broken("renju", &[(near, "near = True")]), "answered `MOVE");
}

#[test]
fn a_bot_that_plays_forbidden_points() {
    let rule = "not (me == BLACK and may_be_forbidden(x, y))";
    finds(&broken("renju", &[(rule, "True")]), "look for double threes, double fours and overlines before each move");
}

#[test]
fn a_bot_that_mistakes_rows_for_columns() {
    let opp = "(SIDE * x1 + y1, SIDE * x2 + y2)";
    finds(&broken("bacteria", &[(opp, "(SIDE * y1 + x1, SIDE * y2 + x2)")]), "rows before columns");
}

#[test]
fn a_bot_that_ignores_its_seat() {
    finds(&broken("bacteria", &[("(words[1] == \"FIRST\") != first_moves", "False")]), "plays second");
}

#[test]
fn a_bot_that_leaks_memory() {
    let text = format!("{TURN}            kept.append(b'x' * (40 << 20))\n");
    let start = "kept = []\n\n\ndef main():\n";
    let bot = broken("domineering", &[(TURN, &text), (START, start)]).with(&["--memory", "200"]);
    finds(&bot, "exceeded the memory limit");
}

#[test]
fn a_bot_that_uses_its_clock_up() {
    let text = format!("{TURN}            __import__('time').sleep(0.2)\n");
    finds(&broken("domineering", &[(TURN, &text)]).with(&SHORT), "TLE");
}

#[test]
fn a_bot_whose_child_outlives_it() {
    let start = "import subprocess\n\nsubprocess.Popen(['sleep', '100'])\n\n\ndef main():\n";
    finds(&broken("domineering", &[(START, start)]), "left processes running when it exited: `sleep`");
}

#[test]
fn a_bot_whose_helper_ends_with_its_pipe_is_ready() {
    let start = "import subprocess\n\nhelper = subprocess.Popen(['cat'], stdin=subprocess.PIPE)\n\n\ndef main():\n";
    let bot = broken("domineering", &[(START, start)]);
    let place = folder();
    let (ran, found) = checked_with(bot.game, &file(&place, "bot.py", &bot.source()), &bot.options, &bot.variables);
    assert_eq!((ran.code, found["ready"].as_bool()), (0, Some(true)), "{found:#}");
}

#[test]
fn a_bot_that_reads_a_file_beside_its_source() {
    let start = "open('weights.bin')\n\n\ndef main():\n";
    finds(
        &broken("domineering", &[(START, start)]),
        "`weights.bin` exists beside your bot, but only the bot is copied",
    );
}

#[test]
fn a_bot_that_writes_to_its_folder() {
    if jail() == Level::Full {
        let start = "open('log.txt', 'w').write('1')\n\n\ndef main():\n";
        finds(&broken("domineering", &[(START, start)]), "it wrote into its own folder: `log.txt`");
    }
}

#[test]
fn a_bot_that_needs_a_network() {
    if jail() != Level::None {
        let start = "import socket\n\nsocket.create_connection(('192.0.2.1', 80), 2)\n\n\ndef main():\n";
        finds(&broken("domineering", &[(START, start)]), "Programs have no network access");
    }
}

#[test]
fn a_bot_that_does_not_compile() {
    let bot = Broken { extension: "c", ..broken("domineering", &[("int main(void)", "int main(void")]) };
    finds(&bot, "C20 does not compile it");
}

#[test]
fn a_bot_that_compiles_too_slowly() {
    let place = folder();
    let check = |source: &str, path: &str| {
        let bot = file(&place, "bot.c", source);
        let (ran, found) = checked_with("domineering", &bot, &[], &[("PATH", path)]);
        assert_eq!(ran.code, 1, "{found}");
        assert!(found["findings"].to_string().contains("gcc did not finish within 30 s"), "{found:#}");
    };
    // A compiler that waits leaves the processor to other tests.
    let waiting = file(&place, "gcc", "#!/bin/sh\nexec sleep 100\n");
    fs::set_permissions(&waiting, fs::Permissions::from_mode(0o755)).unwrap();
    let path = search_path();
    check("int main(void) { return 0; }\n", &format!("{}:{}", text(place.path()), text(&path)));
    if is_slow() {
        // Each level includes itself twice.
        let twice = "#include __FILE__\n#include __FILE__\n";
        let source = format!("#if __INCLUDE_LEVEL__ < 60\n{twice}#endif\nint main(void) {{ return 0; }}\n");
        check(&source, text(&path));
    }
}

#[test]
fn a_bot_with_too_long_an_answer() {
    let text = DOMINO.replace("x, y", "x, y, ' ' * 5000");
    finds(&broken("domineering", &[(DOMINO, &text)]), "longer than 4096 bytes");
}

#[test]
fn a_bot_that_answers_twice() {
    // In one write, so that the second is there when the first is read.
    let twice = "print(f\"MOVE {x} {y}\\nMOVE {x} {y}\", flush=True)";
    finds(&broken("domineering", &[(DOMINO, twice)]), "one line for each TURN");
    // The second comes after the first was read, and is the answer to the next TURN.
    let late = "print(\"MOVE 1 1\", flush=True)";
    finds(&broken("domineering", &[(DOMINO, late)]), "same answer as to the turn before");
}

#[test]
fn a_bot_that_ignores_finish() {
    let end = "if \"AGON_STAY\" not in os.environ:\n                break";
    let bot = broken("domineering", &[(end, "import time; time.sleep(60)")]).with_alphano_times();
    finds(&bot, "did not exit within 2000 ms of FINISH");
}

#[test]
fn a_bot_that_needs_a_variable_of_its_author() {
    let start = "os.environ['MY_BOT_HOME']\n\n\ndef main():\n";
    finds(&broken("domineering", &[(START, start)]), "none of your own variables");
}

#[test]
fn a_bot_that_depends_on_its_home() {
    let start = "open(os.path.expanduser('~/state'), 'w')\n\n\ndef main():\n";
    finds(&broken("domineering", &[(START, start)]), "it fails with HOME=/nonexistent");
}

#[test]
fn a_bot_that_depends_on_its_current_folder() {
    if jail() == Level::Full {
        let start = "open('program.py')\n\n\ndef main():\n";
        finds(&broken("domineering", &[(START, start)]), "it fails with another current folder");
    }
}

#[test]
fn a_bot_that_passes_over_lines_that_it_does_not_know() {
    let place = folder();
    let bot = broken("bacteria", &[("command == \"POSITION\"", "command == \"none\"")]);
    let path = file(&place, "bot.py", &bot.source());
    let (ran, found) = checked("bacteria", &path, &[]);
    assert_eq!((ran.code, found["ready"].as_bool()), (0, Some(true)), "{found:#}");
    assert!(found["notes"].to_string().contains("It does not read POSITION lines"), "{found:#}");
    // Situations that cannot be set up may come up anyway.
    assert!(found["steps"].to_string().contains(" more games, against greedy and itself"), "{found:#}");
}

#[test]
fn a_bot_without_a_move_that_cannot_be_led_there() {
    // It plays the move that captures most, like a first bot, and does not know PASS.
    let bot = "\
import sys
N = range(7)
def near(x, y, d):
    return [(a, b) for a in N for b in N if max(abs(a - x), abs(b - y)) <= d]
def play(me, x, y, a, b):
    if max(abs(a - x), abs(b - y)) > 1:
        board[x][y] = 0
    for i, j in near(a, b, 1):
        if board[i][j] == 3 - me:
            board[i][j] = me
    board[a][b] = me
def gain(m):
    x, y, a, b = m
    return sum(board[i][j] == 3 - me for i, j in near(a, b, 1)) + (max(abs(a - x), abs(b - y)) < 2) / 2
board = [[0] * 7 for _ in N]
board[0][0] = board[6][6] = 1
board[0][6] = board[6][0] = 2
for line in sys.stdin:
    word, *rest = line.split()
    if word == 'READY':
        me = 1 if rest == ['FIRST'] else 2
        print('OK', flush=True)
    elif word == 'OPP' and rest[0] != '-1':
        play(3 - me, *[int(n) - 1 for n in rest[:4]])
    elif word == 'TURN':
        own = [(x, y) for x in N for y in N if board[x][y] == me]
        m = max(((x, y, a, b) for x, y in own for a, b in near(x, y, 2) if not board[a][b]), key=gain)
        play(me, *m)
        print('MOVE', *[n + 1 for n in m], flush=True)
    elif word == 'FINISH':
        break
";
    let place = folder();
    let path = file(&place, "bot.py", bot);
    let (_, found) = checked("bacteria", &path, &[]);
    assert_eq!(found["ready"].as_bool(), Some(false), "{found:#}");
    assert!(found["findings"][0]["steps"][0].as_str().unwrap().contains(", seed "), "{found:#}");
}

#[test]
fn what_a_program_wrote_is_not_folded_and_cells_act() {
    let place = folder();
    let words = "far ".repeat(40);
    let bot = broken("domineering", &[(START, "raise ValueError('far ' * 40)\n\n\ndef main():\n")]);
    let path = file(&place, "bot.py", &bot.source());
    let ran = finish(&mut command(&["check", text(&path), "--game", "domineering"]));
    assert!(ran.out.contains("\n         File \"bot.py\", line "), "its own name: {}", ran.out);
    assert!(ran.code == 1 && ran.out.contains(&format!("\n       ValueError: {}", words.trim_end())), "{}", ran.out);
    let path = file(&place, "cell.py", &broken("petri", &[]).source());
    let ran = finish(command(&["check", text(&path), "--game", "petri"]).timeout(TIMEOUT));
    assert!(ran.code == 0 && ran.out.contains(" actions; slowest move "), "{}", ran.out);
}

#[test]
fn a_cell_that_crashes_on_a_full_dish() {
    let look = "return dish[y][x] if 0 <= y < len(dish) and 0 <= x < len(dish[0]) else WALL";
    finds(&broken("petri", &[(look, "return dish[y][x]")]), "IndexError");
}

/// Dividing is illegal in some of the rare inputs, and a finding shows the cell's input.
#[test]
fn a_cell_that_always_divides() {
    let place = folder();
    let cell = "import sys\nprint('4 8 0' if sys.stdin.read().strip() == 'BEGIN' else 'DIVIDE N')\n";
    let (ran, found) = checked("petri", &file(&place, "cell.py", cell), &[]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let steps = found["steps"].as_array().unwrap();
    let failed = |name: &str| steps.iter().any(|step| step["name"] == name && step["outcome"] == "failed");
    for situation in ["no-energy", "no-room", "full-dish"] {
        assert!(failed(&format!("the situation {situation}")), "{situation}: {found:#}");
    }
    let cell = cell.replace("'DIVIDE N'", "'HELLO'");
    let (_, found) = checked("petri", &file(&place, "other.py", &cell), &[]);
    let details = found["findings"][0]["details"].as_array().unwrap();
    assert!(details.iter().any(|line| line.as_str().unwrap().ends_with(" 4 8")), "{found:#}");
}

#[test]
fn a_cell_that_prints_debug_text() {
    let answer = "print(choose(";
    finds(&broken("petri", &[(answer, "print('debug'); print(choose(")]), "a cell rested");
}

#[test]
fn a_cell_that_draws_random_numbers_of_its_own() {
    let choose = "    if space and energy >= 5:\n";
    let text = format!("    import random\n    if random.random() < 0.5:\n        return 'REST'\n{choose}");
    finds(&broken("petri", &[(choose, &text)]), "had another answer");
}

/// The samples of these languages pass.
#[track_caller]
fn samples_pass(game: Game, wanted: impl Fn(Language) -> bool) {
    let place = folder();
    for (extension, _) in game.samples {
        let name = format!("sample.{extension}");
        // The others are commands: see `a_bot_of_another_language_is_built_and_passes`.
        let Some(language) = Language::by_extension(Path::new(&name)) else { continue };
        let path = file(&place, &name, &shallow_sample(game.name(), extension));
        if wanted(language) && find_program(language.compiler()).is_some() {
            let (ran, found) = checked(game.name(), &path, &[]);
            assert_eq!(ran.code, 0, "{game} {language}: {:#}", found["findings"]);
            let skipped = found["steps"].as_array().unwrap().iter().filter(|step| step["outcome"] == "skipped").count();
            assert_eq!(skipped, 0, "{game} {language}: {found:#}");
        }
    }
}

/// All languages where there is time for it, else the fastest to start and the most usual.
fn is_usual(language: Language) -> bool {
    is_slow() || matches!(language, Language::Cpp20 | Language::Python3)
}

#[test]
fn the_samples_of_bacteria_pass() {
    samples_pass(Game::BACTERIA, is_usual);
}

#[test]
fn the_samples_of_domineering_pass() {
    samples_pass(Game::DOMINEERING, is_usual);
}

#[test]
fn the_samples_of_renju_pass() {
    samples_pass(Game::RENJU, is_usual);
}

#[test]
fn the_samples_of_the_dish_pass() {
    samples_pass(Game::PETRI, is_usual);
}

#[test]
fn a_check_says_that_a_bot_is_ready() {
    let mut run = command(&["check", "agents/domineering/sample.py", "--game", "domineering", "--clock", "4s"]);
    let ran = finish(run.timeout(TIMEOUT));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let head = "check of agents/domineering/sample.py for domineering\n";
    for part in [head, "ok    answers READY", "\nready to submit\n"] {
        assert!(ran.out.contains(part), "`{part}` is not in: {}", ran.out);
    }
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let check = |bot: &str, expected: &str| {
        let ran = finish(&mut command(&["check", bot, "--game", "renju"]));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{bot}");
        assert!(ran.err.contains(expected), "{bot}: {}", ran.err);
    };
    check("champion:3", "is a built-in player, which needs no check");
    check("none.py", "no such file: `none.py`");
}
