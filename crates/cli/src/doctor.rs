//! `agon doctor`: what this machine can enforce and measure, with a remedy for each problem.

use std::fs;
use std::io::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use agon_jail::{Lack, Level, Obstacle, Probe, cgroup};
use agon_referee::agent::{Language, containment, toolchain};
use agon_referee::process::{Process, ProcessEvent, ProgramSpec, wait_for_event};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::options::Format;
use crate::show::{self, FAINT, GOOD, STRONG, WARN, paint};

struct Finding {
    subject: &'static str,
    found: String,
    /// Remedy, if anything is lacking.
    remedy: Option<String>,
    data: Value,
}

const INDENT: usize = 24;

pub(crate) fn run(format: Format) -> anyhow::Result<Exit> {
    let mut findings = vec![cores(), load(), memory(), jail()];
    findings.extend(Language::ALL.into_iter().map(compiler));
    findings.extend([timer(), wake(), noise(), round_trip()?]);
    let mut out = anstream::stdout();
    if format == Format::Json {
        let all: serde_json::Map<String, Value> = findings
            .into_iter()
            .map(|finding| {
                let value = json!({ "found": finding.found, "remedy": finding.remedy, "data": finding.data });
                (finding.subject.to_owned(), value)
            })
            .collect();
        writeln!(out, "{}", crate::output::json(all.into()))?;
        return Ok(Exit::Done);
    }
    for finding in findings {
        let sign = if finding.remedy.is_none() { paint(GOOD, "ok  ") } else { paint(WARN, "note") };
        let beside = |text: &str| show::folded(&" ".repeat(INDENT), text);
        let found = beside(&finding.found);
        writeln!(out, "{sign} {} {}", paint(STRONG, format!("{:<18}", finding.subject)), found.trim_start())?;
        if let Some(remedy) = finding.remedy {
            writeln!(out, "{}", paint(FAINT, beside(&remedy)))?;
        }
    }
    Ok(Exit::Done)
}

fn cores() -> Finding {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    Finding {
        subject: "cores",
        found: format!("{cores} for this program"),
        remedy: (cores < 2).then(|| "with one core, only --jobs 1 keeps clocks accurate".to_owned()),
        data: json!(cores),
    }
}

fn load() -> Finding {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    let busy = load > 0.5;
    Finding {
        subject: "load",
        found: format!("{load:.2} in the last minute"),
        remedy: busy.then(|| "other programs are running: end them before you measure strength".to_owned()),
        data: json!(load),
    }
}

fn memory() -> Finding {
    let mechanism = cgroup::mechanism();
    let watched = mechanism == "watched";
    Finding {
        subject: "memory limit",
        found: if watched { "watched, 50 times a second".to_owned() } else { format!("held by {mechanism}") },
        remedy: watched.then(|| {
            "no control group can be made here: run as root, or under `systemd-run --user --scope -p Delegate=yes`; \
             in a container, with a writable /sys/fs/cgroup of its own"
                .to_owned()
        }),
        data: json!(mechanism),
    }
}

/// Checks the strongest level of the jail, the obstacles to stronger ones, and missing features.
fn jail() -> Finding {
    jail_finding(&agon_jail::probe())
}

fn jail_finding(Probe { level, obstacles, lacks }: &Probe) -> Finding {
    let what = match level {
        Level::Full => "full: programs cannot see or reach anything of this machine",
        Level::Landlock => "landlock: programs reach neither your files nor a network, but see other processes",
        Level::None => "none: programs run with all your rights",
    };
    let mut found = what.to_owned();
    for Obstacle { level, why, .. } in obstacles {
        found += &format!("; no {level}: {why}");
    }
    for Lack { what, .. } in lacks {
        found += &format!("; {what}");
    }
    let listed: Vec<Value> = obstacles
        .iter()
        .map(|Obstacle { level, why, remedy }| json!({ "level": level.name(), "why": why, "remedy": remedy }))
        .collect();
    let lacking: Vec<Value> =
        lacks.iter().map(|Lack { what, remedy }| json!({ "what": what, "remedy": remedy })).collect();
    Finding {
        subject: "jail",
        found,
        remedy: obstacles
            .first()
            .map(|obstacle| obstacle.remedy.clone())
            .or_else(|| lacks.first().map(|lack| lack.remedy.to_owned())),
        data: json!({ "level": level.name(), "obstacles": listed, "lacks": lacking }),
    }
}

fn compiler(language: Language) -> Finding {
    let path = toolchain::compiler(language).map(|path| path.display().to_string());
    Finding {
        subject: language.name(),
        found: path.clone().unwrap_or_else(str::to_owned),
        remedy: path.is_err().then(|| language.remedy().to_owned()),
        data: json!(path.ok()),
    }
}

/// Measures the cost of reading the clock, and its resolution.
fn timer() -> Finding {
    const READS: u32 = 200_000;
    let start = Instant::now();
    let (mut last, mut step) = (start, Duration::MAX);
    for _ in 0..READS {
        let now = Instant::now();
        let passed = now - last;
        if !passed.is_zero() {
            step = step.min(passed);
        }
        last = now;
    }
    let cost = start.elapsed() / READS;
    let slow = cost > Duration::from_nanos(500);
    Finding {
        subject: "clock",
        found: format!("{} ns per reading, steps of {} ns", cost.as_nanos(), step.as_nanos()),
        remedy: slow.then(|| "reading the clock is slow: see /sys/devices/system/clocksource, tsc is best".to_owned()),
        data: json!({ "cost_ns": cost.as_nanos() as u64, "step_ns": step.as_nanos() as u64 }),
    }
}

/// Measures the delay of a sleep of one millisecond.
fn wake() -> Finding {
    let late = |_| {
        let start = Instant::now();
        thread::sleep(Duration::from_millis(1));
        start.elapsed().saturating_sub(Duration::from_millis(1))
    };
    spread("wake-up", (0..200).map(late).collect(), Duration::from_millis(5), "late after a sleep")
}

/// Measures how long a busy program is kept from running.
fn noise() -> Finding {
    let start = Instant::now();
    let (mut last, mut gaps) = (start, Vec::new());
    while start.elapsed() < Duration::from_millis(800) {
        let now = Instant::now();
        if now - last > Duration::from_micros(100) {
            gaps.push(now - last);
        }
        last = now;
    }
    let (lost, longest) = (gaps.iter().sum::<Duration>(), gaps.iter().max().copied().unwrap_or_default());
    let share = lost.as_secs_f64() / start.elapsed().as_secs_f64();
    let noisy = share > 0.02 || longest > Duration::from_millis(10);
    Finding {
        subject: "scheduling noise",
        found: format!(
            "{:.1} % of the time lost, at most {:.1} ms at once",
            share * 100.0,
            longest.as_secs_f64() * 1e3
        ),
        remedy: noisy
            .then(|| "this machine is shared: use long clocks, and check for moves marked disturbed".to_owned()),
        data: json!({ "share": share, "longest_ms": longest.as_secs_f64() * 1e3 }),
    }
}

const ROUND_TRIP: Duration = Duration::from_secs(1);

fn round_trip() -> anyhow::Result<Finding> {
    let words = vec!["cat".to_owned()];
    let jail = containment::of_command(&words, None, &[]);
    let program = ProgramSpec { words, environment: Vec::new(), jail, build: None, source: None };
    let mut cat = Process::start(&program, None)?;
    let mut times = Vec::new();
    for _ in 0..500 {
        let asked = cat.write(b"TURN 10000 10000\n", ROUND_TRIP)?;
        let deadline = asked.written + ROUND_TRIP;
        let seen = wait_for_event(&mut [Some(&mut cat), None], &[Some(deadline), None], asked.written);
        anyhow::ensure!(matches!(seen.event, ProcessEvent::Line(_)), "`cat` does not answer");
        times.push(seen.when - asked.from);
    }
    Ok(spread("round trip", times, Duration::from_millis(5), "for a line to a program and back"))
}

/// The middle and the worst of some times.
fn spread(subject: &'static str, mut times: Vec<Duration>, worst: Duration, what: &str) -> Finding {
    times.sort_unstable();
    let micros = |time: Duration| time.as_nanos() as f64 / 1e3;
    let (median, maximum) = (times[times.len() / 2], times[times.len() - 1]);
    Finding {
        subject,
        found: format!("{:.0} µs {what}, {:.0} µs at worst", micros(median), micros(maximum)),
        remedy: (maximum > worst)
            .then(|| "the machine is busy or throttled: agents may lose on time without fault".to_owned()),
        data: json!({ "median_us": micros(median), "worst_us": micros(maximum) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jail_that_lacks_something_is_not_called_whole() {
        let finding =
            |lacks: &[Lack]| jail_finding(&Probe { level: Level::Full, obstacles: Vec::new(), lacks: lacks.to_vec() });
        let whole = finding(&[]);
        assert_eq!((whole.remedy, &whole.data["lacks"]), (None, &json!([])));
        let lack = Lack { what: "programs have no /proc", remedy: "unmask it" };
        let lacking = finding(&[lack]);
        assert_eq!(lacking.remedy.as_deref(), Some("unmask it"));
        assert!(lacking.found.starts_with("full: ") && lacking.found.ends_with("; programs have no /proc"));
        assert_eq!(lacking.data["lacks"], json!([{ "what": "programs have no /proc", "remedy": "unmask it" }]));
    }
}
