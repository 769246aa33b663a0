//! `agon fleet`: the machines of a fleet and their games.

use std::io::{IsTerminal, Write as _};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use agon_arena::store::Quarantine;
use agon_fleet::notice::Measured;
use agon_fleet::{Drained, FleetWatch, Overview, drain};
use agon_referee::text::line;
use clap::{Args, Subcommand};
use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType};

use crate::exit::Exit;
use crate::nats::{FLEET_KEY, NatsAccess, fleet_key, state_file, timing};
use crate::options::{Format, OutputArgs};
use crate::show::{self, ERROR, STRONG, WARN, paint};
use crate::signals;
use crate::table::{TableLook, table};

/// How long workers and runs have to publish their status.
const STATUS_WAIT: Duration = Duration::from_millis(1500);

const REDRAW_INTERVAL: Duration = Duration::from_secs(1);

const FLEET_HELP: &str = "\
On a terminal the table is redrawn until Ctrl-C; elsewhere it is printed once.
With --format json: one object.

Examples:
  agon fleet --nats nats://arena.example.org
  agon fleet --nats nats://127.0.0.1 --format json
  agon fleet --nats nats://127.0.0.1 drain arena-1f3a";

#[derive(Args, Debug)]
#[command(after_help = FLEET_HELP)]
pub(crate) struct FleetCommand {
    /// The NATS server of the fleet
    #[arg(long, value_name = "URL")]
    nats: String,

    #[command(flatten)]
    access: NatsAccess,

    #[command(flatten)]
    output: OutputArgs,

    #[command(subcommand)]
    order: Option<Order>,
}

const DRAIN_HELP: &str = "\
A worker obeys only orders that a key signs which it trusts.

Examples:
  agon fleet --nats nats://127.0.0.1 drain arena-1f3a
  agon fleet --nats nats://127.0.0.1 drain arena-1f3a --fleet-key fleet.key";

#[derive(Subcommand, Debug)]
enum Order {
    /// Make a worker finish its games and exit, as SIGTERM does
    #[command(after_help = DRAIN_HELP)]
    Drain {
        /// Its name
        worker: String,

        #[arg(
            help = "File with the private key that signs the order [default: fleet.key among your state files, made \
                    if missing]",
            long,
            value_name = "FILE"
        )]
        fleet_key: Option<PathBuf>,
    },
}

pub(crate) fn run(args: &FleetCommand) -> anyhow::Result<Exit> {
    let fleet = args.access.join(&args.nats, "agon fleet", None)?;
    if let Some(Order::Drain { worker, fleet_key: named }) = &args.order {
        let key = fleet_key(named.as_deref(), &state_file(FLEET_KEY)?)?;
        let why = match drain(&fleet, worker, &key)? {
            Drained::Yes => {
                anstream::println!("{} finishes its games, then exits", line(worker));
                return Ok(Exit::Done);
            }
            Drained::Missing => format!("no worker is called {} (see `agon fleet`)", line(worker)),
            Drained::Refused(why) => format!("{} does not stop: {} (see --fleet-key)", line(worker), line(&why)),
        };
        anstream::eprintln!("{}", paint(ERROR, why));
        return Ok(Exit::No);
    }
    let watch = FleetWatch::new(&fleet, timing().max_silence);
    thread::sleep(STATUS_WAIT);
    let mut out = anstream::stdout();
    if args.output.format == Format::Json {
        writeln!(out, "{}", crate::output::json(serde_json::to_value(watch.overview())?))?;
        return Ok(Exit::Done);
    }
    if !std::io::stdout().is_terminal() {
        write!(out, "{}", text(&watch.overview()))?;
        return Ok(Exit::Done);
    }
    let stop = signals::stop()?;
    let mut drawn = 0;
    while !stop.is_raised() {
        let shown = text(&watch.overview());
        if drawn > 0 {
            execute!(std::io::stdout(), MoveToPreviousLine(drawn), Clear(ClearType::FromCursorDown))?;
        }
        write!(out, "{shown}")?;
        out.flush()?;
        drawn = shown.lines().count() as u16;
        thread::sleep(REDRAW_INTERVAL);
    }
    Ok(Exit::Done)
}

/// How late timers fire on a worker's machine, and whether its games are pinned to processors.
fn late(found: &Measured) -> String {
    let unpinned = if found.bound { "" } else { ", not pinned" };
    format!("{:.1} ms{unpinned}", found.late_us as f64 / 1000.0)
}

/// A fleet as tables.
fn text(overview: &Overview) -> String {
    let Overview { workers, runs, slots, busy, per_minute, left_s, dead, faults } = overview;
    let left = left_s.map_or_else(String::new, |seconds| format!(", {} left", show::span(seconds)));
    let mut text = format!(
        "{}: {busy} of {} busy, {} per minute{left}\n",
        paint(STRONG, show::counted(workers.len() as u64, "worker")),
        show::counted(*slots as u64, "slot"),
        show::counted(per_minute.round() as u64, "game"),
    );
    if !workers.is_empty() {
        let head = ["worker", "busy", "played", "per minute", "nodes/s", "late", "disturbed", "jail", "agon", "state"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(workers.iter().map(|worker| {
            let state = if worker.draining {
                "draining".to_owned()
            } else if worker.busy > 0 {
                "playing".to_owned()
            } else {
                worker.refused.values().next().map_or_else(|| "idle".to_owned(), |why| line(why))
            };
            vec![
                line(&worker.worker),
                format!("{}/{}", worker.busy, worker.slots),
                show::count(worker.played),
                format!("{:.0}", worker.per_minute),
                worker.measured.as_ref().map_or_else(String::new, |found| show::count(found.nodes_per_second)),
                worker.measured.as_ref().map_or_else(String::new, late),
                if worker.timed == 0 { String::new() } else { format!("{}/{}", worker.disturbed, worker.timed) },
                line(worker.jail.as_deref().unwrap_or("no programs")),
                line(&worker.agon),
                state,
            ]
        }));
        text += &table(&rows, 1, &[0, 7, 8, 9], TableLook::Plain(1));
    }
    if !runs.is_empty() {
        let head = ["run", "from", "what", "played", "of", "in play", "per minute"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(runs.iter().map(|run| {
            vec![
                line(&run.run),
                line(&run.host),
                line(&format!("{} of {}: {}", run.title, run.game, run.agents.join(", "))),
                show::count(run.played),
                show::count(run.games),
                show::count(run.out as u64),
                format!("{:.0}", run.per_minute),
            ]
        }));
        text += &format!("\n{}", table(&rows, 1, &[0, 1, 2], TableLook::Plain(1)));
    }
    for worker in workers {
        for (run, why) in &worker.refused {
            text += &format!("{} does not play run {}: {}\n", line(&worker.worker), line(run), line(why));
        }
    }
    for worker in workers {
        if let Some(why) = &worker.trouble {
            text += &format!("{} {} leaves: {}\n", paint(WARN, "unfit:"), line(&worker.worker), line(why));
        }
    }
    for run in runs {
        for Quarantine { worker, why } in &run.quarantined {
            let what = format!("{worker}, of run {}: {why}", run.run);
            text += &format!("{} {}\n", paint(ERROR, "in quarantine:"), line(&what));
        }
    }
    for fault in faults.iter().chain(runs.iter().flat_map(|run| &run.faults)) {
        text += &format!("{} {}\n", paint(WARN, "fault:"), line(fault));
    }
    for job in dead {
        let slots: Vec<String> = job.slots.iter().map(u32::to_string).collect();
        let games = if slots.len() == 1 { "game" } else { "games" };
        let what = format!("{games} {} of run {}: {}", slots.join(", "), job.run, job.why);
        text += &format!("{} {}\n", paint(ERROR, "given up:"), line(&what));
    }
    text
}

#[cfg(test)]
mod tests {
    use agon_fleet::notice::{RunStatus, WorkerStatus};
    use serde_json::json;

    use super::*;

    #[test]
    fn measurements_and_quarantine_are_shown() {
        let worker: WorkerStatus = serde_json::from_value(json!({
            "worker": "one", "host": "here", "agon": "1.0.0", "data": "", "slots": 2, "processors": 1, "games": [],
            "labels": [], "jail": "full", "languages": [], "busy": 1, "hands": {}, "played": 70, "per_minute": 7.0,
            "refused": {}, "draining": true, "leaving": false, "now_ms": 0, "timed": 40, "disturbed": 9,
            "measured": { "nodes_per_second": 1_500_000, "bound": false, "late_us": 2300, "lost": 0.1 },
            "trouble": "this machine is shared",
        }))
        .unwrap();
        let run: RunStatus = serde_json::from_value(json!({
            "run": "0a", "revision": "", "host": "there", "title": "match", "game": "renju", "agents": ["a", "b"],
            "played": 3, "games": 9, "out": 2, "per_minute": 1.0, "faults": [], "ended": false, "now_ms": 0,
            "quarantined": [{ "worker": "liar", "why": "game 7 has other moves" }],
        }))
        .unwrap();
        let overview = Overview {
            slots: 2,
            busy: 1,
            per_minute: 1.0,
            left_s: None,
            dead: Vec::new(),
            faults: Vec::new(),
            workers: vec![worker],
            runs: vec![run],
        };
        let shown = anstream::adapter::strip_str(&text(&overview)).to_string();
        for part in [
            "2.3 ms, not pinned",
            "9/40",
            "unfit: one leaves: this machine is shared",
            "in quarantine: liar, of run 0a: game 7 has other moves",
        ] {
            assert!(shown.contains(part), "`{part}` is not in:\n{shown}");
        }
    }
}
