//! The judge of one attack: it plays the games and checks the results. It runs in a separate process.

use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;
use std::time::Duration;

use agon_catalog::{Game, Setup};
use agon_game::{GameState, Side};
use agon_jail::Level;
use agon_referee::agent::{AgentSpec, Prepared, Seat};
use agon_referee::bout::{self, Afterwards, Played, Report, Spectator};
use agon_referee::limits::GameLimits;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;

use crate::escapes::attack::{Attack, Written};
use crate::escapes::house::{CANARY, House, PASSWORD};

/// Limits that only a hanging program reaches, however loaded the machine is.
pub const ROOMY: GameLimits = GameLimits {
    clock_ms: 30_000,
    ready_ms: 30_000,
    exit_ms: 30_000,
    memory_mib: 128,
    freeze: false,
    invocation_ms: 30_000,
    recheck_percent: 0,
    ..GameLimits::ALPHANO
};

/// The most of its time that an honest program may have lost in a game; it needs a few milliseconds, and the clock of a
/// program is that of the wall, which runs on when the machine is busy with something else.
const UNTOUCHED: Duration = Duration::from_secs(20);

/// Processor time that a program which is frozen on the opponent's turns may use there in a game, before it is frozen;
/// one that is not uses several times as much. A busy machine may take it for a moment; then another game decides.
const STOLEN: Duration = Duration::from_millis(300);

/// The abstract name on which an attack listens, as in `programs/network.c`.
const LISTENER: &str = "agon-escape-listener";

/// Targets on the judge's machine that an attack must not reach.
struct Bait {
    tcp: TcpListener,
    udp: UdpSocket,
    path: UnixListener,
    name: UnixListener,
}

impl Bait {
    fn lay(house: &Path) -> Self {
        let name = SocketAddr::from_abstract_name(abstract_name()).unwrap();
        let bait = Self {
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            path: UnixListener::bind(house.join("home/socket")).unwrap(),
            name: UnixListener::bind_addr(&name).unwrap(),
        };
        bait.tcp.set_nonblocking(true).unwrap();
        bait.udp.set_nonblocking(true).unwrap();
        bait.path.set_nonblocking(true).unwrap();
        bait.name.set_nonblocking(true).unwrap();
        bait
    }

    /// No program has connected.
    fn check(&self) {
        let untouched = |what: &str, error: Option<std::io::Error>| {
            assert!(error.is_some_and(|error| error.kind() == ErrorKind::WouldBlock), "a program has reached {what}");
        };
        untouched("the judge's TCP port", self.tcp.accept().err());
        untouched("the judge's UDP port", self.udp.recv(&mut [0; 8]).err());
        untouched("the judge's socket in the file system", self.path.accept().err());
        untouched("the judge's abstract socket", self.name.accept().err());
    }
}

fn abstract_name() -> String {
    format!("agon-escapes-{}", std::process::id())
}

/// Checks during a game whether a program's listening sockets can be reached from outside.
struct Outside;

impl Spectator for Outside {
    fn moved(&mut self, _: &dyn GameState, _: &Played) {
        let name = SocketAddr::from_abstract_name(LISTENER).unwrap();
        assert!(
            UnixStream::connect_addr(&name).is_err(),
            "the abstract socket of a program can be reached from outside"
        );
    }
}

/// Plays an attack at a level; panics if it reached something, or changed the game for anyone else. `house` is the
/// folder of a [`House`] in which the attacking program has this name.
pub fn play(attack: &Attack, level: Level, house: &House, name: &str) {
    if attack.needs_group && agon_jail::cgroup::mechanism() == "watched" {
        return eprintln!("{} is not held without control groups", attack.name);
    }
    if attack.name == "more-processors" {
        let mut first = rustix::thread::CpuSet::new();
        first.set(0);
        rustix::thread::sched_setaffinity(None, &first).unwrap();
    }
    let bait = Bait::lay(house.path());
    let attacker = format!("{} {} {}", command(attack, house, name), attack.name, targets(house, &bait));
    let opponent = format!("'{}' honest {}", house.opponent().display(), if attack.freeze { "slow" } else { "" });
    let memory_mib = if attack.written() == Written::Java { 512 } else { ROOMY.memory_mib };
    let clock_ms = if attack.verdicts == [Verdict::Tle] { 1_000 } else { ROOMY.clock_ms };
    let limits = GameLimits { memory_mib, clock_ms, freeze: attack.freeze, ..ROOMY };
    let mut stolen = Duration::MAX;
    for game in 1..=attack.games {
        if stolen < STOLEN {
            break;
        }
        let report = bout([&attacker, &opponent], &limits, &mut Outside);
        let open = attack.is_open(level);
        check(attack, level, &report, game);
        if let Some(why) = open {
            eprintln!("{} is not held at level {level}: {why}", attack.name);
        }
        bait.check();
        if attack.measured {
            stolen = stolen.min(used_on_turns_of_the_opponent(&report));
        }
    }
    // Without a group, the judge stops one process after the other.
    if attack.measured && agon_jail::cgroup::mechanism() != "watched" {
        assert!(stolen < STOLEN, "{} ran for {stolen:?} on the opponent's turns", attack.name);
    }
    agon_jail::retire_all();
}

fn used_on_turns_of_the_opponent(report: &Report) -> Duration {
    let answers = report.entries.iter().filter(|entry| entry.side == Side::Second);
    answers.filter_map(|entry| entry.moment.map(|moment| moment.opponent_cpu)).sum()
}

/// The command that starts the attacking program.
fn command(attack: &Attack, house: &House, name: &str) -> String {
    let bots = house.bots();
    match attack.written() {
        Written::C => format!("'{}'", house.attacker(name).display()),
        Written::Python => format!("/usr/bin/python3 '{}'", bots.join("attacks.py").display()),
        Written::Java => format!(
            "java -Xlog:disable -Xmx64m -Xss1m -XX:MaxDirectMemorySize=4g -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
             -cp '{}' Attacks",
            bots.display()
        ),
    }
}

/// What an attack knows about the outside world. A jail shows a program the paths in its words, so these do not look
/// like paths.
fn targets(house: &House, bait: &Bait) -> String {
    let paths = [
        ("secret", house.secret()),
        ("db", house.database()),
        ("source", house.source()),
        ("cached", house.cached()),
        ("opponent", house.opponent()),
        ("old", house.old()),
        ("socket", house.home().join("socket")),
    ];
    let numbers = [
        ("judge", std::process::id()),
        ("tcp", bait.tcp.local_addr().unwrap().port().into()),
        ("udp", bait.udp.local_addr().unwrap().port().into()),
    ];
    let paths = paths.iter().map(|(key, path)| format!("{key}@{}", path.display()));
    let numbers = numbers.iter().map(|(key, number)| format!("{key}@{number}"));
    paths.chain(numbers).chain([format!("abstract@{}", abstract_name())]).collect::<Vec<_>>().join(" ")
}

/// Plays a game of Bacteria War between two agents named as a user names them.
pub fn bout(agents: [&str; 2], limits: &GameLimits, spectator: &mut dyn Spectator) -> Report {
    let seat = |text: &str| {
        let prepared = AgentSpec::parse(text, &[]).unwrap().prepare(limits).unwrap();
        Seat::take(&prepared, limits, 1, &|_, _| None).unwrap()
    };
    let mut state = Game::BACTERIA.initial_state(&Setup::default()).unwrap();
    let mut seats = agents.map(seat);
    bout::play(state.as_mut(), &mut seats, limits, Afterwards::Exit, spectator)
}

fn check(attack: &Attack, level: Level, report: &Report, game: u32) {
    let [attacker, opponent] = &report.verdicts;
    let said = &report.stderr[0];
    let context = format!("game {game}: {attacker:?}\n{said}");
    let has_line = |line: &str| said.lines().any(|found| found == line);
    assert!(has_line(&format!("started {}", attack.name)), "the attack was never made: {context}");
    assert_eq!(opponent.verdict, Verdict::Ok, "the opponent: {opponent:?}; {context}");
    let open = attack.is_open(level).is_some();
    let right = open || attack.may_end(level, attacker.verdict);
    assert!(right, "expected {:?}: {context}", attack.verdicts);
    if attacker.verdict == Verdict::Ok {
        assert!(has_line(&format!("ended {}", attack.name)), "the attack was not made to its end: {context}");
        assert!([Winner::First, Winner::Second, Winner::Draw].contains(&report.winner), "no winner: {context}");
    } else {
        assert_eq!(report.winner, Winner::Second, "{}: {context}", report.reason);
    }
    let left = &report.remains[0].processes;
    assert!(!attack.leaves || attacker.verdict != Verdict::Ok || !left.is_empty(), "nothing is seen to run: {context}");
    assert_eq!(report.remains[1].processes, [""; 0], "left by the opponent: {context}");
    // What the judge has heard from the opponent is what the opponent has said.
    let moves = |line: &str| line.strip_prefix("moved ").map(str::to_owned);
    let made: Vec<String> = report.stderr[1].lines().filter_map(moves).collect();
    let from = |side: Side| report.entries.iter().filter(move |entry| entry.side == side && entry.moment.is_some());
    let heard: Vec<&String> = from(Side::Second).map(|entry| &entry.line).collect();
    assert_eq!(heard, made.iter().collect::<Vec<_>>(), "moves of the opponent: {context}");
    assert!(report.time[1] < UNTOUCHED, "the opponent has lost {:?}; {context}", report.time[1]);
    // A manipulated terminal, or a leak, appears in what the judge would show of it.
    for secret in [CANARY, PASSWORD.1] {
        assert!(!said.contains(secret), "a secret is out: {context}");
    }
    if !open {
        assert!(!said.lines().any(|line| line.starts_with("reached ")), "not held: {context}");
    }
}

/// Prepares a source file or folder as a bot, as a user names it, and plays a game with it. Returns the message with
/// which it was refused; panics when it was not, or when the game has another end than that.
pub fn refused(source: &str, opponent: &Path) -> String {
    let agent = AgentSpec::parse(source, &[]).unwrap();
    let prepared = agent.prepare(&ROOMY).unwrap();
    let Prepared::Broken(fault) = &prepared else { panic!("it was compiled") };
    assert_eq!(fault.verdict, Verdict::Ce, "{fault:?}");
    let honest = AgentSpec::parse(&format!("'{}' honest", opponent.display()), &[]).unwrap();
    let honest = honest.prepare(&ROOMY).unwrap();
    let mut state = Game::BACTERIA.initial_state(&Setup::default()).unwrap();
    let mut seats = [&prepared, &honest].map(|prepared| Seat::take(prepared, &ROOMY, 1, &|_, _| None).unwrap());
    let report = bout::play(state.as_mut(), &mut seats, &ROOMY, Afterwards::Exit, &mut ());
    assert_eq!(report.verdicts.each_ref().map(|judged| judged.verdict), [Verdict::Ce, Verdict::Ok]);
    assert_eq!(report.winner, Winner::Second);
    agon_jail::retire_all();
    fault.reason.text.clone()
}
