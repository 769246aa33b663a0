//! `agon lab learn`: a campaign of games, training and gates, generation after generation.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;

use agon_arena::stats::sprt::{Sprt, Status};
use agon_arena::stats::{Interval, Pentanomial};
use agon_catalog::{Capability, Game};
use agon_jobs::Progress as _;
use agon_training::bacteria::BacteriaGames;
use agon_training::campaign::{
    Campaign, CampaignEvent, CampaignFile, CampaignGames, CampaignLimits, CampaignOptions, CampaignStatus,
    CampaignStep, GateRecord, GateVerdict, GenerationRecord, Judgement, LiveStep, Schedule, ladder, recorded_options,
};
use agon_training::renju::RenjuGames;
use agon_training::{Epoch, OpeningPlies};
use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::datagen::{Beginning, within_game};
use super::train::{hidden, within};
use crate::arena::tables;
use crate::exit::Exit;
use crate::options::{Format, JobsArgs, OutputArgs, even, game_of, only_for, up_to};
use crate::progress::Bar;
use crate::show::{self, FAINT, GOOD, STRONG, paint};
use crate::signals;
use crate::span::{A_DAY, TimeSpan, time};

#[derive(Args, Debug)]
#[command(after_help = LEARN_HELP)]
pub(crate) struct LearnArgs {
    /// The game
    #[arg(value_parser = game_of(&Game::which_can(Capability::Networks)))]
    pub game: Game,
    /// The folder of the campaign; an existing campaign is resumed
    #[arg(long, value_name = "DIR")]
    pub work: PathBuf,
    /// Show the progress of the campaign, running or not, and change nothing
    #[arg(long)]
    pub status: bool,
    /// Total number of generations; may be raised later
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = up_to::<u16>(999))]
    pub generations: u16,
    /// Priority for processor time
    #[arg(long, value_name = "HOW", default_value = "idle")]
    pub priority: Priority,
    #[command(flatten)]
    pub jobs: JobsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub games: LearnGamesArgs,
    #[command(flatten)]
    pub training: LearnTrainingArgs,
    #[command(flatten)]
    pub gate: LearnGateArgs,
}

/// The priority of a campaign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Priority {
    /// Only time that no other program wants
    Idle,
    /// The same as any other program
    Normal,
}

/// The games that are learnt from.
#[derive(Args, Debug)]
pub(crate) struct LearnGamesArgs {
    /// Random seed [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    pub seed: Option<u64>,
    /// The network that plays the first games: a net file, `classic` (hand-written), or `champion` (built in)
    /// [default: champion]
    #[arg(long, value_name = "NET")]
    pub net: Option<String>,
    /// Positions of each generation; several numbers, separated by commas, are for one generation each, the last for
    /// all later ones [default: 4000000, in renju 1000000]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = up_to::<u64>(1_000_000_000))]
    pub positions: Vec<u64>,
    /// Nodes of the search for a move of these games, for each generation as --positions [default: 1000,1000,5000,
    /// in renju 400]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = up_to::<u64>(1_000_000_000))]
    pub nodes: Vec<u64>,
    /// Number of random plies at the beginning of a game: the maximum, or minimum and maximum; drawn for each game
    /// [default: 6-16, in renju 6-11]
    #[arg(long, value_name = "PLIES")]
    pub openings: Option<OpeningPlies>,
    /// The maximum lead of one side after them, in hundredths [default: 300]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=20_000))]
    pub imbalance: Option<i32>,
    /// Adjudicate a game when both sides' searches see a lead of this much, in hundredths of a cell [default: 20000, a
    /// proof]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=20_000),
          help_heading = only_for(Capability::Adjudication))]
    pub adjudicate: Option<i32>,
    /// How the first stones are drawn [default: random]
    #[arg(long, value_name = "HOW", help_heading = only_for(Capability::Beginnings))]
    pub beginning: Option<Beginning>,
}

/// How networks learn.
#[derive(Args, Debug)]
pub(crate) struct LearnTrainingArgs {
    /// Learn from the positions of the last N generations [default: 5]
    #[arg(long, value_name = "N", value_parser = up_to::<u16>(999))]
    pub window: Option<u16>,
    /// Size of half the hidden layer: a multiple of 32 [default: 256, in renju 64]
    #[arg(long, value_name = "N", value_parser = hidden)]
    pub hidden: Option<usize>,
    /// Make networks that are the same under the symmetries of the board (`agon lab train --symmetric`)
    #[arg(long)]
    pub symmetric: bool,
    /// Epochs: how often every position is used, each time under a random symmetry of the board [default: 12, in renju
    /// 6]
    #[arg(long, value_name = "N", value_parser = up_to::<u32>(10_000))]
    pub epochs: Option<u32>,
    /// Batch size: positions per step [default: 4096, in renju 1024]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=1 << 20))]
    pub batch: Option<u32>,
    /// Maximum learning rate [default: 0.002, in renju 0.006]
    #[arg(long, value_name = "X", value_parser = within::<f64, 0, 1>)]
    pub rate: Option<f64>,
    /// The weight decay [default: 0, in renju 0.1]
    #[arg(long, value_name = "X", value_parser = within::<f64, 0, 1>)]
    pub decay: Option<f64>,
    /// Weight of the search's score in the training target, for each generation as --positions; the rest is the game
    /// result [default: 1, in renju 0.75]
    #[arg(long, value_name = "X", value_delimiter = ',', value_parser = within::<f64, 0, 1>)]
    pub value_share: Vec<f64>,
    /// λ of λ-returns: each score is averaged with those after it in its game and with the result, and what scores
    /// mean is fitted to the results of each generation; 0 is the score alone, which means what --scale says [default:
    /// 0.95, in renju 0]
    #[arg(long, value_name = "X", value_parser = within::<f64, 0, 1>)]
    pub lambda: Option<f64>,
    /// The value, in hundredths (of a cell in Bacteria War), that means odds of e : 1 to win [default: 500, in renju
    /// 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=1_000))]
    pub scale: Option<i32>,
    /// Hold out one board of N for validation [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=10_000))]
    pub held_out: Option<u16>,
    /// Start each training from the newest accepted network, whose size is kept, instead of random weights
    #[arg(long)]
    pub warm_start: bool,
}

/// The tests of a new network against the newest accepted one.
#[derive(Args, Debug)]
pub(crate) struct LearnGateArgs {
    /// Nodes of the search for a move in the gate [default: 5000]
    #[arg(long, value_name = "N", value_parser = up_to::<u64>(1_000_000_000))]
    pub gate_nodes: Option<u64>,
    /// Maximum number of games of the gate, an even number [default: 8000]
    #[arg(long, value_name = "N", value_parser = even(2_000_000))]
    pub gate_games: Option<u64>,
    /// Random plies before a game of a gate; in renju stones near the middle [default: 5]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=60))]
    pub gate_openings: Option<u32>,
    /// Play a second gate by the clock: each player's time for a whole game
    #[arg(long, value_name = "TIME", value_parser = time(A_DAY))]
    pub gate_clock: Option<TimeSpan>,
    /// Maximum number of games of that gate, an even number [default: 1000]
    #[arg(long, value_name = "N", value_parser = even(2_000_000))]
    pub gate_clock_games: Option<u64>,
    /// Elo difference of H0 in both gates [default: 0]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo0: Option<f64>,
    /// Elo difference of H1 [default: 10]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: Option<f64>,
    /// Probability of accepting H1 when H0 holds (type I error) [default: 0.05]
    #[arg(long, value_name = "P")]
    pub alpha: Option<f64>,
    /// Probability of accepting H0 when H1 holds (type II error) [default: 0.05]
    #[arg(long, value_name = "P")]
    pub beta: Option<f64>,
}

const LEARN_HELP: &str = "\
In each generation the newest accepted network plays itself, a new one learns
from the positions (of each board once), and plays against it at a fixed number
of nodes until an SPRT has decided; if it is stronger, it plays the next games.
Everything runs at idle priority, unless --priority is normal.

After Ctrl-C, or a kill at any moment, `agon lab learn GAME --work DIR` resumes
with the same options. DIR/campaign.toml has these options, DIR/001.toml the
results of the first generation, DIR/001.net its network, and DIR/accepted.net
the newest accepted network.

Examples:
  agon lab learn bacteria --work campaign --jobs 1
  agon lab learn bacteria --work campaign --status
  agon lab learn renju --work stones --net classic --hidden 32 --generations 3
  agon lab learn bacteria --work wide --hidden 256 --gate-clock 10s";

pub(crate) fn run(args: &LearnArgs) -> anyhow::Result<Exit> {
    if args.status {
        return status(args);
    }
    match args.game.name() {
        "renju" => learn::<RenjuGames>(args, |games, given| {
            if let Some(openings) = given.openings {
                games.openings = within_game(openings, &(3..=30)).map_err(|error| anyhow!("--openings: {error}"))?;
            }
            if let Some(beginning) = given.beginning {
                games.beginning = beginning.into();
            }
            if given.openings.is_some() && given.beginning == Some(Beginning::Practised) {
                bail!("--beginning practised draws its own number of stones: leave --openings out");
            }
            Ok(())
        }),
        _ => learn::<BacteriaGames>(args, |games, given| {
            if let Some(openings) = given.openings {
                games.openings = within_game(openings, &(0..=60)).map_err(|error| anyhow!("--openings: {error}"))?;
            }
            set(&mut games.adjudicate, given.adjudicate);
            Ok(())
        }),
    }
}

fn set<T>(option: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *option = given;
    }
}

fn set_schedule<T: Clone>(schedule: &mut Schedule<T>, given: &[T]) {
    if let Ok(given) = Schedule::try_from(given.to_vec()) {
        *schedule = given;
    }
}

/// The recorded options of the campaign, else the defaults, with the given options set.
fn options<S: CampaignGames>(args: &LearnArgs, of_game: OfGame<S>) -> anyhow::Result<CampaignOptions<S>> {
    let mut options = recorded_options::<S>(&args.work)?.unwrap_or_else(S::defaults);
    let LearnArgs { games, training, gate, .. } = args;
    set(&mut options.seed, games.seed);
    set(&mut options.net, games.net.clone());
    set_schedule(&mut options.positions, &games.positions);
    set_schedule(&mut options.nodes, &games.nodes);
    set(&mut options.imbalance, games.imbalance);
    of_game(&mut options.games, games)?;
    set(&mut options.window, training.window.map(usize::from));
    set(&mut options.hidden, training.hidden);
    set(&mut options.epochs, training.epochs);
    set(&mut options.batch, training.batch.map(|batch| batch as usize));
    set(&mut options.rate, training.rate);
    set(&mut options.decay, training.decay);
    set_schedule(&mut options.value_share, &training.value_share);
    set(&mut options.lambda, training.lambda);
    set(&mut options.scale, training.scale);
    set(&mut options.held_out, training.held_out.map(usize::from));
    options.symmetric |= training.symmetric;
    options.warm_start |= training.warm_start;
    set(&mut options.gate_nodes, gate.gate_nodes);
    set(&mut options.gate_games, gate.gate_games);
    set(&mut options.gate_openings, gate.gate_openings);
    if let Some(clock) = gate.gate_clock {
        options.gate_clock = Some(clock.ms());
    }
    set(&mut options.gate_clock_games, gate.gate_clock_games);
    set(&mut options.elo0, gate.elo0);
    set(&mut options.elo1, gate.elo1);
    set(&mut options.alpha, gate.alpha);
    set(&mut options.beta, gate.beta);
    Ok(options)
}

/// Sets the given options of one kind of games.
type OfGame<S> = fn(&mut S, &LearnGamesArgs) -> anyhow::Result<()>;

fn learn<S: CampaignGames>(args: &LearnArgs, of_game: OfGame<S>) -> anyhow::Result<Exit> {
    let options = options::<S>(args, of_game)?;
    let CampaignOptions { elo0, elo1, alpha, beta, .. } = options;
    let sprt = Sprt { elo0, elo1, alpha, beta, ..Sprt::default() }.checked()?;
    let judge = move |counts: [u64; 5]| {
        let pairs = Pentanomial { counts, copies: 0 };
        let Interval { low, value, high } = pairs.elo();
        let decided = match sprt.status(&pairs) {
            Status::Continue => None,
            Status::H0 => Some(false),
            Status::H1 => Some(true),
        };
        Judgement { llr: sprt.llr(&pairs), elo: [low, value, high], decided }
    };
    let campaign = Campaign::open(&args.work, options)?;
    let stop = signals::stop()?;
    // Threads have the priority of the one that starts them.
    if args.priority == Priority::Idle && !agon_jail::run_in_background() {
        anstream::eprintln!("the system refuses idle priority: the campaign takes processor time from other programs");
    }
    let format = args.output.format;
    let mut records = CampaignStatus::read(&args.work)?.map(|status| status.records).unwrap_or_default();
    records.retain(|record| record.accepted.is_some());
    if format == Format::Text {
        write!(anstream::stdout(), "{}", table(&records, &sprt))?;
    }
    let bar = Bar::new("{msg} {wide_bar} {human_pos}/{human_len} {per_sec} {eta}")?;
    let mut listener = |event: CampaignEvent<'_>| {
        if let CampaignEvent::Finished(record) = event {
            records.push(record.clone());
        }
        bar.suspend(|| report(format, event, &records, &sprt))?;
        if let Some(message) = message(event) {
            bar.set_message(message);
        }
        Ok(())
    };
    let limits = CampaignLimits { generations: args.generations.into(), threads: args.jobs.threads() };
    let done = campaign.run(limits, &judge, &stop, &bar, &mut listener)?;
    drop(bar);
    if !done {
        anstream::eprintln!("stopped; the same command resumes");
        return Ok(Exit::Stopped);
    }
    Ok(Exit::Done)
}

/// The test of the gates of a campaign in its folder.
fn recorded_test(campaign: &CampaignFile) -> Sprt {
    let usual = Sprt::default();
    let number = |name: &str, usual: f64| campaign.number(name).unwrap_or(usual);
    Sprt {
        elo0: number("elo0", usual.elo0),
        elo1: number("elo1", usual.elo1),
        alpha: number("alpha", usual.alpha),
        beta: number("beta", usual.beta),
        scale: usual.scale,
    }
}

/// What the test has said of a gate.
const fn decision(gate: &GateRecord) -> Status {
    match gate.verdict {
        GateVerdict::Accepted => Status::H1,
        GateVerdict::Rejected => Status::H0,
        GateVerdict::Undecided => Status::Continue,
    }
}

/// A gate for programs, with the hypotheses of its test.
fn gate_json(gate: &GateRecord, test: &Sprt) -> Value {
    let mut value = json!(gate);
    value["sprt"] = tables::sprt_json(test, gate.llr, decision(gate), gate.counts);
    value
}

/// The name of a step, as text and in JSON.
const fn name(step: CampaignStep) -> &'static str {
    match step {
        CampaignStep::Selfplay => "self-play",
        CampaignStep::Training => "training",
        CampaignStep::Gate => "gate",
        CampaignStep::ClockGate => "clock gate",
    }
}

/// What stands beside the bar.
fn message(event: CampaignEvent<'_>) -> Option<String> {
    match event {
        CampaignEvent::Begun(step, record) => Some(format!("generation {}, {}", record.generation, name(step))),
        CampaignEvent::Epoch(number, Epoch { training, validation }, record) => Some(format!(
            "generation {}, epoch {number}: {training:.5} learnt from, {validation:.5} held out",
            record.generation
        )),
        CampaignEvent::Done(..) | CampaignEvent::Finished(_) => None,
    }
}

/// Prints an event; as text only finished generations.
fn report(format: Format, event: CampaignEvent<'_>, records: &[GenerationRecord], test: &Sprt) -> io::Result<()> {
    let mut out = anstream::stdout();
    let line = match (format, event) {
        (Format::Text, CampaignEvent::Finished(_)) => {
            let rungs = ladder(records);
            let last = records.last().zip(rungs.last());
            last.map_or_else(String::new, |(record, rung)| row(record, *rung, test))
        }
        (Format::Text, _) => return Ok(()),
        (Format::Json, event) => crate::output::json(json_line(event, records, test)) + "\n",
    };
    out.write_all(line.as_bytes())?;
    out.flush()
}

/// An event as a line of JSON.
fn json_line(event: CampaignEvent<'_>, records: &[GenerationRecord], test: &Sprt) -> Value {
    match event {
        CampaignEvent::Begun(step, record) => {
            json!({ "event": "begun", "generation": record.generation, "step": name(step) })
        }
        CampaignEvent::Epoch(number, Epoch { training, validation }, record) => json!({
            "event": "epoch", "generation": record.generation, "epoch": number, "training": training,
            "validation": validation,
        }),
        CampaignEvent::Done(step, record) => {
            let gate = |gate: Option<&GateRecord>| json!(gate.map(|gate| gate_json(gate, test)));
            let (key, result) = match step {
                CampaignStep::Selfplay => ("selfplay", json!(record.selfplay)),
                CampaignStep::Training => ("training", json!(record.training)),
                CampaignStep::Gate => ("gate", gate(record.gates.first())),
                CampaignStep::ClockGate => ("gate", gate(record.gates.last())),
            };
            json!({ "event": "done", "generation": record.generation, "step": name(step), key: result })
        }
        CampaignEvent::Finished(record) => json!({
            "event": "generation", "generation": record.generation, "accepted": record.accepted,
            "net": record.network(), "ladder": ladder(records).last().copied().flatten(),
        }),
    }
}

/// Shows a campaign.
fn status(args: &LearnArgs) -> anyhow::Result<Exit> {
    let (work, word, game) = (args.work.display(), show::pasted(&args.work), args.game.name());
    let Some(status) = CampaignStatus::read(&args.work)? else {
        bail!("there is no campaign in `{work}`: begin one with `agon lab learn {game} --work {word}`");
    };
    let found = &status.campaign.game;
    if found != game {
        bail!("`{work}` holds a campaign of {found}: `agon lab learn {found} --work {word} --status`");
    }
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => writeln!(out, "{}", crate::output::json(json_status(&status)))?,
        Format::Text => {
            write!(out, "{}", table(&status.records, &recorded_test(&status.campaign)))?;
            if let Some(LiveStep { generation, step, done, all }) = status.live {
                let (done, all) = (show::count(done), show::count(all));
                let what = match step {
                    CampaignStep::Selfplay => "positions",
                    CampaignStep::Training => "epochs",
                    CampaignStep::Gate | CampaignStep::ClockGate => "pairs of games at most",
                };
                writeln!(out, "generation {generation}, {}: {done} of {all} {what}", name(step))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// A campaign as JSON.
fn json_status(CampaignStatus { campaign, records, live }: &CampaignStatus) -> Value {
    let test = recorded_test(campaign);
    let generations = records.iter().zip(ladder(records)).map(|(record, rung)| {
        let GenerationRecord { generation, accepted, selfplay, training, gates, .. } = record;
        let gates: Vec<Value> = gates.iter().map(|gate| gate_json(gate, &test)).collect();
        json!({
            "generation": generation, "accepted": accepted, "ladder": rung, "selfplay": selfplay, "training": training,
            "gates": gates,
        })
    });
    let live = live.map(|LiveStep { generation, step, done, all }| {
        json!({ "generation": generation, "step": name(step), "done": done, "all": all })
    });
    json!({
        "game": campaign.game, "start": campaign.start, "options": campaign.options,
        "generations": generations.collect::<Vec<_>>(), "live": live,
    })
}

/// The heading of the table, and a row for each generation.
fn table(records: &[GenerationRecord], test: &Sprt) -> String {
    let heading =
        cells(["", "played by", "nodes", "positions", "a second", "learnt", "held out", "gate", "ladder", ""]);
    let mut text = paint(STRONG, heading.trim_end()) + "\n";
    for (record, rung) in records.iter().zip(ladder(records)) {
        text += &row(record, rung, test);
    }
    text
}

/// A generation in one line, as far as it is, and what the test says of each of its gates.
fn row(record: &GenerationRecord, rung: Option<f64>, test: &Sprt) -> String {
    let none = String::new;
    let games = record.selfplay.as_ref();
    let losses = record.training.as_ref().and_then(|training| training.losses.last().copied());
    let loss = |at: usize| losses.map_or_else(none, |losses| format!("{:.5}", losses[at]));
    let gates: Vec<String> = record
        .gates
        .iter()
        .map(|gate| {
            let [low, value, high] = gate.elo;
            tables::interval(&Interval { low, value, high }, 0)
        })
        .collect();
    let line = cells([
        &record.generation.to_string(),
        games.map_or("", |games| &games.player),
        &games.map_or_else(none, |games| show::count(games.nodes)),
        &games.map_or_else(none, |games| show::count(games.positions)),
        &games.and_then(|games| games.per_second).map_or_else(none, |rate| show::count(rate as u64)),
        &loss(0),
        &loss(1),
        &gates.join(", "),
        &rung.map_or_else(none, |rung| show::signed(rung, 0)),
        "",
    ]);
    let verdict = match record.accepted {
        Some(true) => paint(GOOD, "accepted"),
        Some(false) => paint(FAINT, "not accepted"),
        None => "…".to_owned(),
    };
    let decisions = record.gates.iter().map(|gate| {
        let by = if gate.clock_ms.is_some() { "gate by the clock" } else { "gate" };
        let said = tables::likelihood_ratio(test, gate.llr, &test.verdict(decision(gate)));
        format!("     {}\n", paint(FAINT, format!("{by}: {said}")))
    });
    line + &verdict + "\n" + &decisions.collect::<String>()
}

/// The cells of a line, each below the heading of its column.
fn cells([number, player, nodes, positions, rate, learnt, held_out, gate, ladder, verdict]: [&str; 10]) -> String {
    let mut line = String::new();
    let _ = write!(
        line,
        "{number:>3}  {player:<16} {nodes:>6} {positions:>11} {rate:>8} {learnt:>8} {held_out:>8}  {gate:<21} \
         {ladder:>6}  {verdict}"
    );
    line
}
