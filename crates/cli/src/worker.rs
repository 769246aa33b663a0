//! `agon worker`: plays games for a fleet.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::runner::{RunError, RunOptions, cores};
use agon_catalog::Game;
use agon_fleet::{Fleet, Trust, WorkerEvent, WorkerOptions, default_memory_mib, public_keys};
use agon_referee::signing::PublicKey;
use agon_referee::text::line;
use anyhow::bail;
use clap::Args;

use crate::amount::{self, DiskSize};
use crate::exit::Exit;
use crate::jail::JailArgs;
use crate::nats::{NatsAccess, share, state_file, timing};
use crate::options::game;
use crate::show::{self, STRONG, WARN, paint};
use crate::signals;

const REPORT_INTERVAL: Duration = Duration::from_mins(1);

const WORKER_HELP: &str = "\
A worker plays games of every series that runs with --nats on the same server,
one in each slot, and sends the records back; it plays both games of a pair.
Ctrl-C or SIGTERM: it finishes its games, then exits; a second one kills them,
and other workers play them. It exits by itself, with exit code 1, if the
machine disturbs the clocks of too many games.
Programs run in jail level full. If that does not work here, the worker takes
only games between built-in players, unless --jail names a weaker level.
It plays only what a coordinator signs that --trust names: `agon key show FILE`
prints the key, and a series that waits for workers does, too. It signs what it
plays, with the NKey of --nats-key or a key of its own.

Examples:
  agon worker --nats nats://worker:PASSWORD@HOST --trust fleet.key.pub
  agon worker --nats tls://HOST --nats-key desk.nk --trust keys.txt
  agon worker --nats nats://127.0.0.1 --insecure --slots 4";

#[derive(Args, Debug)]
#[command(after_help = WORKER_HELP)]
pub(crate) struct WorkerArgs {
    /// The NATS server of the fleet
    #[arg(long, value_name = "URL")]
    nats: String,

    #[command(flatten)]
    access: NatsAccess,

    #[arg(
        help = "Public key of a coordinator whose games it plays, or a file with such keys, one in each line; `first` \
                trusts the first one it hears",
        long,
        value_name = "KEY"
    )]
    trust: Vec<String>,

    /// Accept a server that lets anyone in; without --trust also trust the first coordinator that it hears
    #[arg(long)]
    insecure: bool,

    /// Most memory for one program; games that allow more are left to others [default: half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = amount::size)]
    max_memory: Option<DiskSize>,

    /// Share of games by the clock that this machine may disturb before the worker exits; `100%`: it never does
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "20%")]
    max_disturbed: f64,

    /// Number of games played at once [default: as many as there are processors for]
    #[arg(long, value_name = "N")]
    slots: Option<usize>,

    /// Processors for each agent; both agents of a game share them if there are too few
    #[arg(long, value_name = "N", default_value_t = 1)]
    processors: usize,

    /// Play only these games [default: all]
    #[arg(long, value_name = "GAMES", value_parser = game(), value_delimiter = ',')]
    games: Vec<Game>,

    /// Labels this worker offers; a series can ask for workers with certain labels
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    labels: Vec<String>,

    /// Name of the worker [default: the machine's name and some digits]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Play even if there are too few processors for these games at once
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    jail: JailArgs,
}

/// The word that trusts the first coordinator.
const FIRST: &str = "first";

impl WorkerArgs {
    /// Whose games it plays.
    fn trust(&self) -> anyhow::Result<Trust> {
        match &*self.trust {
            [] if self.insecure => Ok(Trust::first()),
            [] => bail!(
                "a worker plays only the games of coordinators that it trusts; name a key with --trust (`agon key show \
                 FILE` prints it), or trust the first one with --trust {FIRST}"
            ),
            [first] if first == FIRST => Ok(Trust::first()),
            keys if keys.iter().any(|key| key == FIRST) => {
                bail!("--trust {FIRST} means nothing beside other keys; leave one of them out")
            }
            keys => {
                let keys: Vec<Vec<PublicKey>> = keys.iter().map(|key| read_keys(key)).collect::<anyhow::Result<_>>()?;
                Ok(Trust::Keys(keys.concat()))
            }
        }
    }
}

/// The keys that a text or a file names.
fn read_keys(text: &str) -> anyhow::Result<Vec<PublicKey>> {
    let several = if Path::new(text).is_file() { public_keys(Path::new(text)) } else { None };
    match several {
        Some(keys) => Ok(keys),
        None => Ok(vec![PublicKey::find(text)?]),
    }
}

pub(crate) fn run(args: &WorkerArgs) -> anyhow::Result<Exit> {
    let trust = Arc::new(args.trust()?);
    let max_memory_mib = args.max_memory.map_or_else(default_memory_mib, |DiskSize(bytes)| bytes >> 20);
    if max_memory_mib == 0 {
        bail!("--max-memory gives programs less than 1 MiB");
    }
    let slots = args.slots.unwrap_or_else(|| (cores::allowed().len() / args.processors.max(1)).max(1));
    let options =
        RunOptions { concurrency: slots, threads: args.processors, force: args.force, ..RunOptions::default() };
    options.check()?;
    let run_stop = signals::run_stop()?;
    let jail = args.jail.of_worker()?;
    let name = args.name.as_deref().map_or_else(WorkerOptions::random_name, WorkerOptions::clean_name);
    let fleet = args.access.join(&args.nats, &name, Some(&state_file("worker.nk")?))?;
    if !args.insecure {
        Fleet::check_closed(&args.access.options(&args.nats))?;
    }
    let programs = match &jail {
        Ok(level) => format!("jail {level}"),
        Err(why) => {
            anstream::eprintln!("{} {}", paint(WARN, "no programs:"), line(why));
            "no programs".to_owned()
        }
    };
    let at = fleet.at();
    anstream::println!("worker {}: {}, {programs}, at {at}", paint(STRONG, &name), show::counted(slots as u64, "slot"));
    anstream::println!("its key: {}", fleet.public_key());
    let (games, labels) = (args.games.clone(), args.labels.clone());
    let (max_disturbed, timing) = (args.max_disturbed, timing());
    let worker = WorkerOptions {
        name,
        options,
        games,
        labels,
        jail,
        trust,
        max_memory_mib,
        measures: true,
        max_disturbed,
        timing,
    };
    let (sender, events) = mpsc::channel();
    let fit = thread::scope(|scope| {
        let reporter = scope.spawn(move || report(&events));
        let sender = sender;
        agon_fleet::work(&fleet, &worker, &run_stop, &sender)?;
        drop(sender);
        Ok::<_, RunError>(reporter.join().unwrap_or(true))
    })?;
    Ok(if fit { Exit::Done } else { Exit::No })
}

/// Prints events until the worker ends. Returns whether its machine is fit for games with clocks.
fn report(events: &Receiver<WorkerEvent>) -> bool {
    let mut fit = true;
    let (mut played, mut reported, mut next) = (0, 0, Instant::now() + REPORT_INTERVAL);
    loop {
        // The worker goes on after a closed pipe.
        let mut out = anstream::stdout();
        match events.recv_timeout(next.saturating_duration_since(Instant::now())) {
            Ok(WorkerEvent::Joined { run, what }) => drop(writeln!(out, "run {run}: {}", line(&what))),
            Ok(WorkerEvent::Refused { run, why }) => {
                anstream::eprintln!("run {run}: {} {}", paint(WARN, "not played here:"), line(&why));
            }
            Ok(WorkerEvent::Trusts(key)) => {
                anstream::eprintln!("{} {key}, the first coordinator heard", paint(WARN, "trusts:"));
            }
            Ok(WorkerEvent::Denied(what)) => {
                anstream::eprintln!("{} {}", paint(WARN, "the server refuses:"), line(&what));
            }
            Ok(WorkerEvent::Played(count)) => played = count,
            Ok(WorkerEvent::Unfit(why)) => {
                fit = false;
                anstream::eprintln!("{} {}", paint(WARN, "stops playing:"), line(&why));
            }
            Ok(WorkerEvent::Undelivered(count)) => {
                let games = show::counted(count as u64, "game");
                anstream::eprintln!("{} {games}: no coordinator has taken them", paint(WARN, "not delivered:"));
            }
            Err(RecvTimeoutError::Timeout) => {
                next = Instant::now() + REPORT_INTERVAL;
                if played > reported {
                    let now = show::counted(played - reported, "game");
                    let _ = writeln!(out, "{now} in the last minute, {} in all", show::count(played));
                    reported = played;
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                let _ = writeln!(out, "{} played", show::counted(played, "game"));
                return fit;
            }
        }
    }
}
