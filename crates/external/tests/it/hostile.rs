//! Rules that hang, crash, cheat or answer nonsense: the game is interrupted with the reason, no agent is blamed, and
//! everything ends in time.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use agon_catalog::{Game, Setup};
use agon_external::load;
use agon_game::GameState;
use agon_referee::agent::Seat;
use agon_referee::agent::builtin::BuiltinPlayer;
use agon_referee::bout::{self, Afterwards, Report};
use agon_referee::limits::GameLimits;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;

/// A game of six moves, `a` or `b`; `HOSTILE` is done before each answer.
const RULES: &str = r#"
import os, random, sys, time
GAME = "name NAME\nplies 20\nhas moves view save playout"
n = 0
def situation():
    return ["score %d 0" % n, "end first six moves" if n >= 6 else "turn " + ("first", "second")[n % 2]]
def answer(word, rest):
    global n
    if word == "GAME": return GAME.split("\n")
    if word == "START": n = 0; return situation()
    if word == "PLAY":
        if rest.split(" ", 2)[2] not in ("a", "b"): return ["no a or b expected"]
        n += 1
        return situation()
    if word == "MOVES": return ["move a", "move b"] if n < 6 else []
    if word == "VIEW": return ["row " + "x" * n + "."]
    if word == "SAVE": return ["state %d" % n]
    if word == "LOAD": n = int(rest); return situation()
    if word == "PLAYOUT": return ["end first six moves"]
    return ["no such question"]
def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    lines = answer(word, rest)
    HOSTILE
    write("\n".join(lines + ([] if lines and lines[0].startswith("no ") else ["ok"])) + "\n")
"#;

/// How far such rules get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// They are no game.
    Refused,
    /// None of their games begins.
    NotBegun,
    /// Their game is interrupted.
    Interrupted,
    /// They harm no game.
    Harmless,
    /// The jail decides whether they can do it.
    Contained,
}

use Fate::{Contained, Harmless, Interrupted, NotBegun, Refused};

/// What each kind does at its question, and the resulting message.
const KINDS: [(&str, &str, Fate, &str); 26] = [
    ("silent-at-once", "time.sleep(60)", Refused, "within 10 s; check that they flush each answer ("),
    ("no-program", "raise ValueError('broken')", Refused, "ValueError: broken"),
    ("no-game", "lines = ['hello']", Refused, "`hello`, where `name`"),
    ("renju", "pass", Refused, "as a built-in one"),
    ("start-refused", "lines = ['no luck'] if word == 'START' else lines", NotBegun, "luck"),
    ("start-nonsense", "lines = ['turn third'] if word == 'START' else lines", NotBegun, "`turn third`"),
    ("silent", "time.sleep(60 if word == 'PLAY' else 0)", Interrupted, "did not answer `PLAY first"),
    ("slow", "[(write('x'), time.sleep(0.1)) for _ in range(600) if word == 'PLAY']", Interrupted, "within 5 s"),
    ("endless-line", "[write('x' * 10000) for _ in range(900) if word == 'PLAY']", Interrupted, "longer than 65536"),
    ("endless-lines", "[write('score 1 1\\n' * 1000) for _ in range(900) if word == 'PLAY']", Interrupted, "bytes"),
    ("exits", "os._exit(3) if word == 'PLAY' else 0", Interrupted, "ended with exit code 3"),
    ("crashes", "{}[word] if word == 'PLAY' else 0", Interrupted, "KeyError"),
    ("third-seat", "lines = ['turn third'] if word == 'PLAY' else lines", Interrupted, "`turn first` or `turn second`"),
    ("two-ends", "lines = lines + ['end first a', 'end second b'] if word == 'PLAY' else lines", Interrupted, "second"),
    ("forged-end", "lines = ['end first'] if word == 'PLAY' else lines", Interrupted, "the reason of the end is empty"),
    ("end-of-none", "lines = ['end both x'] if word == 'PLAY' else lines", Interrupted, "`end first`, `end second`"),
    ("two-answers", "write('turn first\\nok\\n') if word == 'PLAY' else 0", Interrupted, ""),
    ("no-score", "lines = ['turn first', 'score many 1'] if word == 'PLAY' else lines", Interrupted, "two numbers"),
    ("refuses-its-own", "lines = ['no way'] if word == 'PLAY' else lines", Interrupted, "which they list as legal"),
    ("lists-nothing", "lines = [] if word == 'MOVES' else lines", Interrupted, "the rules list no moves"),
    (
        "never-ends",
        "lines = ['turn first'] if word == 'PLAY' else ['move a'] if word == 'MOVES' else lines",
        Interrupted,
        "after 20 moves, their own bound",
    ),
    ("no-text", "sys.stdout.buffer.write(b'\\xff\\xfe\\n') if word == 'PLAY' else 0", Interrupted, "no UTF-8"),
    ("steers-terminals", "lines = lines + ['move \\x1b[2J'] if word == 'PLAY' else lines", Interrupted, "not printed"),
    ("bad-board", "lines = ['picture'] if word == 'VIEW' else lines", Harmless, ""),
    ("memory", "x = bytearray(3 << 30) if word == 'PLAY' else 0", Contained, ""),
    ("forks", "[os.fork() or time.sleep(9) for _ in range(200) if word == 'PLAY']", Contained, ""),
];

fn rules(folder: &Path, name: &str, hostile: &str) -> PathBuf {
    let path = folder.join(format!("{name}.py"));
    fs::write(&path, RULES.replace("NAME", name).replace("HOSTILE", hostile)).unwrap();
    path
}

/// A game of two built-in players.
fn played(game: Game, state: &mut dyn GameState) -> Report {
    let player = |seed| BuiltinPlayer::new(game.find("random").unwrap().player(seed).unwrap());
    let mut seats = [Seat::Builtin(player(1)), Seat::Builtin(player(2))];
    state.view();
    bout::play(state, &mut seats, &GameLimits::default(), Afterwards::Exit, &mut ())
}

#[track_caller]
fn tried(folder: &Path, name: &str, hostile: &str, fate: Fate, words: &str) {
    let said = |text: &str| assert!(text.contains(words), "{name}: `{words}` is not in: {text}");
    let game = match load(&rules(folder, name, hostile)) {
        Ok(game) => game,
        Err(error) => {
            assert_eq!(fate, Refused, "{name}: {error}");
            return said(&error.to_string());
        }
    };
    let mut state = match game.initial_state(&Setup::default()) {
        Ok(state) => state,
        Err(error) => {
            assert_eq!(fate, NotBegun, "{name}: {error}");
            return said(&error.to_string());
        }
    };
    let report = played(game, state.as_mut());
    let verdicts = report.verdicts.each_ref().map(|judged| judged.verdict);
    match fate {
        Harmless => assert_eq!((verdicts, report.winner), ([Verdict::Ok; 2], Winner::First), "{name}: {report:?}"),
        Contained => assert!(verdicts[0] == verdicts[1], "{name}: no agent is blamed: {report:?}"),
        Interrupted => {
            assert_eq!((verdicts, report.winner), ([Verdict::Interrupted; 2], Winner::Void), "{name}: {report:?}");
            said(&report.reason.text);
        }
        Refused | NotBegun => panic!("{name}: a game was played: {report:?}"),
    }
}

#[test]
fn hostile_rules_blame_no_agent() {
    let folder = tempfile::tempdir().unwrap();
    let started = Instant::now();
    thread::scope(|scope| {
        for kinds in KINDS.chunks(KINDS.len().div_ceil(6)) {
            let folder = folder.path();
            scope.spawn(move || {
                for &(name, hostile, fate, words) in kinds {
                    tried(folder, name, hostile, fate, words);
                }
            });
        }
    });
    assert!(started.elapsed() < Duration::from_mins(5), "they end in time");
}

#[test]
fn honest_rules_play_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let game = load(&rules(folder.path(), "honest", "pass")).unwrap();
    let mut state = game.initial_state(&Setup::default()).unwrap();
    let report = played(game, state.as_mut());
    assert_eq!((report.winner, report.plies, report.reason.text.as_str()), (Winner::First, 6, "six moves"));
    assert_eq!(load(&folder.path().join("honest.py")).unwrap(), game, "loaded once");
    let changed = load(&rules(folder.path(), "honest", "pass # changed")).unwrap();
    assert_ne!(changed, game, "changed rules are another game");
    assert_eq!(Game::recorded(game.name()).unwrap(), game);
}

/// Replaying detects rules whose randomness does not come from their numbers.
#[test]
fn rules_that_change_with_each_run_prove_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = "lines = ['score %d 0' % random.getrandbits(20), lines[-1]] if word == 'PLAY' else lines";
    let game = load(&rules(folder.path(), "drawn", drawn)).unwrap();
    let report = agon_external::check(game, 1, 1, &std::collections::BTreeMap::new()).unwrap();
    let problem = report.findings[0].problem.as_deref().unwrap_or_default();
    assert!(problem.contains("; score ") && !problem.contains("Some"), "{report:?}");
}
