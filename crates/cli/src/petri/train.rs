//! `agon lab train petri`: tunes the policy of the champion.

use std::io::Write as _;
use std::path::PathBuf;

use agon_arena::petri::DishSize;
use agon_rules::petri::{DishSetup, Species};
use agon_training::petri::{
    League, LeagueJob, LeagueRules, LearningRules, Member, PolicyJob, ReinforcementJob, Role, TrainedPolicy, exploit,
};
use clap::Args;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::options::{BoardSize, Format, JobsArgs, OutputArgs, size, up_to};
use crate::output;
use crate::progress::Bar;
use crate::show::{self, paint};
use crate::signals;
use crate::table::{TableLook, table};

#[derive(Args, Debug)]
#[command(after_help = TRAIN_HELP)]
pub(crate) struct PetriTrainArgs {
    /// The policy to write; beside it, OUT.checkpoint, from which a stopped training resumes
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The policy to start from [default: one written by hand; with --network the main policy of the league]
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// How it spends its points [default: as the policy that it starts from]; with --league how the exploiters do, in
    /// turn [default: 7/5/0, 4/8/0, 6/6/0 and 5/7/0]
    #[arg(long, value_name = "HP/ENERGY/ACIDITY", value_parser = points)]
    pub species: Vec<[u8; 3]>,
    /// Tune a policy of the wider family, with more weights; with --league every main policy
    #[arg(long)]
    pub wide: bool,
    /// A policy that joins the pool of opponents, with --league as a founder; may be given several times [default with
    /// --league and --network: the known attackers]
    #[arg(long = "rival", value_name = "FILE")]
    pub rivals: Vec<PathBuf>,
    /// Size of a dish to tune on, as often as the others named; may be given several times
    /// [default: 16 sizes up to 40x40; with --network all with sides of 4 to 15]
    #[arg(long = "size", alias = "dish", value_name = "WxH", value_parser = size)]
    pub dishes: Vec<BoardSize>,
    /// Raise a population that attacks its best member, in place of a policy against a pool; OUT is that member, and
    /// OUT.league the population
    #[arg(long, conflicts_with = "from")]
    pub league: bool,
    /// Train a network that corrects the policy, by reinforcement learning; OUT is the policy with its network
    #[arg(long, conflicts_with_all = ["league", "wide", "species", "step"])]
    pub network: bool,
    /// Divisor of the weights before an action is drawn, while a network learns
    #[arg(long, value_name = "X", default_value_t = 0.5, requires = "network")]
    pub temperature: f32,
    /// Learning rate of the network
    #[arg(long, value_name = "X", default_value_t = 0.001, requires = "network")]
    pub rate: f32,
    /// Total number of rounds of the league; one policy learns in each
    #[arg(long, value_name = "N", default_value_t = 40, requires = "league",
          value_parser = clap::value_parser!(u32).range(..=100_000))]
    pub rounds: u32,
    /// Noise on the weights of an opponent in a game of the league
    #[arg(long, value_name = "X", default_value_t = 0.05, requires = "league")]
    pub noise: f64,
    /// Games of each candidate in a generation; with --network, of each generation
    #[arg(long, short = 'n', alias = "bouts", value_name = "N", default_value_t = 32,
          value_parser = up_to::<u16>(10_000))]
    pub games: u16,
    /// Total number of generations; with --league, of each round
    #[arg(long, value_name = "N", default_value_t = 400, default_value_if("league", "true", "40"),
          value_parser = up_to::<u32>(1_000_000))]
    pub generations: u32,
    /// Generations of a main policy in the league [default: as an exploiter]
    #[arg(long, value_name = "N", requires = "league", value_parser = up_to::<u32>(1_000_000))]
    pub main_generations: Option<u32>,
    /// Spread of the first samples around the start
    #[arg(long, value_name = "X", default_value_t = 0.3)]
    pub step: f64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: u64,
    #[command(flatten)]
    pub jobs: JobsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

const TRAIN_HELP: &str = "\
The weights of the champion's policy are tuned by evolution (sep-CMA-ES): in a
generation 24 candidates play the same games on dishes of many sizes against a
pool of species, variants and rivals. Some variants and sizes are held out, for
`agon petri gauntlet` to measure with.

With --league the pool learns too. In every other round an exploiter is trained
against the main policy alone; in the others the main policy goes on against all
that came before and the pool, most against those that it loses to. The main
policy is the member that wins most against its three worst opponents, whatever
its points. At the end the ladder and the payoffs are printed; `agon petri
exploit` measures the result.

With --network the policy plays by chance against itself, its own snapshots and
the rivals, and a small network learns from every decision (proximal policy
optimisation): its output is added to the weights of the actions.

After Ctrl-C the same command resumes. The same start, rivals, sizes, games,
step and seed give the same policy after the same number of generations, on any
machine.

Examples:
  agon lab train petri --species 4/8/0 --generations 200 --out mine.toml
  agon petri gauntlet --policy mine.toml --games 20";

/// `6/6/0`.
fn points(text: &str) -> Result<[u8; 3], String> {
    let numbers: Result<Vec<u8>, _> = text.split('/').map(str::parse).collect();
    let numbers = numbers.ok().and_then(|numbers| <[u8; 3]>::try_from(numbers).ok());
    numbers.ok_or_else(|| format!("`{text}`: HP/ENERGY/ACIDITY expected, as 6/6/0"))
}

/// The same, where the sum must be 12.
pub(super) fn allocation(text: &str) -> Result<Species, String> {
    let [hp, energy, acidity] = points(text)?;
    Species::new(hp, energy, acidity).map_err(|error| error.to_string())
}

impl PetriTrainArgs {
    fn dishes(&self) -> Vec<(usize, usize)> {
        self.dishes.iter().map(|&BoardSize { width, height }| (width as usize, height as usize)).collect()
    }
}

pub(crate) fn run(args: &PetriTrainArgs) -> anyhow::Result<Exit> {
    anyhow::ensure!(args.step > 0.0 && args.step.is_finite(), "--step {}: a positive number expected", args.step);
    for &BoardSize { width, height } in &args.dishes {
        DishSize { width, height, turns: DishSetup::TURNS.into() }.check()?;
    }
    anyhow::ensure!(
        args.noise >= 0.0 && args.noise.is_finite(),
        "--noise {}: a number that is not negative expected",
        args.noise
    );
    output::check(&args.out, "the policy")?;
    if args.league {
        return raise(args);
    }
    if args.network {
        return reinforce(args);
    }
    if let [_, second, ..] = *args.species {
        let [hp, energy, acidity] = second;
        anyhow::bail!("--species {hp}/{energy}/{acidity}: one policy has one; --league takes several");
    }
    let job = PolicyJob {
        out: args.out.clone(),
        from: args.from.clone(),
        species: args.species.first().copied(),
        wide: args.wide,
        rivals: args.rivals.clone(),
        dishes: args.dishes(),
        bouts: args.games,
        generations: args.generations,
        step: args.step,
        seed: args.seed,
    };
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} {pos}/{len} generations, worth {msg}, {eta} left")?;
    let TrainedPolicy { generations, worth, pool } = job.run(args.jobs.threads(), &stop, &bar)?;
    drop(bar);
    if generations < args.generations {
        anstream::eprintln!("stopped after {generations} generations; the same command resumes");
        return Ok(Exit::Stopped);
    }
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => {
            writeln!(
                out,
                "{}",
                crate::output::json(
                    json!({ "generations": generations, "worth": worth, "pool": pool, "out": args.out })
                )
            )?;
        }
        Format::Text => {
            let out_file = args.out.display();
            writeln!(out, "{generations} generations against {pool} opponents, worth {worth:.3}: {out_file}")?;
            writeln!(out, "measure it with agon petri gauntlet --policy {}", show::pasted(&args.out))?;
        }
    }
    Ok(Exit::Done)
}

fn reinforce(args: &PetriTrainArgs) -> anyhow::Result<Exit> {
    for (name, value) in [("temperature", args.temperature), ("rate", args.rate)] {
        anyhow::ensure!(value > 0.0 && value.is_finite(), "--{name} {value}: a positive number expected");
    }
    let mut rules = LearningRules {
        games: args.games.into(),
        temperature: args.temperature,
        rate: args.rate,
        seed: args.seed,
        ..LearningRules::default()
    };
    if !args.dishes.is_empty() {
        rules.dishes = args.dishes();
    }
    let job = ReinforcementJob {
        out: args.out.clone(),
        from: args.from.clone(),
        rivals: args.rivals.clone(),
        rules,
        iterations: args.generations,
    };
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} {pos}/{len} generations, worth {msg}, {eta} left")?;
    let training = job.run(args.jobs.threads(), &stop, &bar)?;
    drop(bar);
    let (generations, worth, seen) = (training.iteration, training.worth(), training.seen);
    if generations < args.generations {
        anstream::eprintln!("stopped after {generations} generations; the same command resumes");
        return Ok(Exit::Stopped);
    }
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => {
            let whole = json!({ "generations": generations, "worth": worth, "entropy": seen.entropy,
                                "explained": seen.explained, "out": args.out });
            writeln!(out, "{whole}")?;
        }
        Format::Text => {
            let rivals = show::counted(training.rivals.len() as u64, "rival");
            let out_file = args.out.display();
            writeln!(out, "{generations} generations against {rivals}, worth {worth:.3}: {out_file}")?;
            writeln!(out, "measure it with agon petri exploit --policy {}", show::pasted(&args.out))?;
        }
    }
    Ok(Exit::Done)
}

const LEAGUE_SPECIES: [[u8; 3]; 4] = [[7, 5, 0], [4, 8, 0], [6, 6, 0], [5, 7, 0]];

const LADDER: usize = 20;

/// Runs a league until it has as many rounds as wanted, and prints its ladder.
fn raise(args: &PetriTrainArgs) -> anyhow::Result<Exit> {
    let species = if args.species.is_empty() { LEAGUE_SPECIES.to_vec() } else { args.species.clone() };
    for &[hp, energy, acidity] in &species {
        Species::new(hp, energy, acidity)?;
    }
    let rules = LeagueRules {
        species,
        dishes: args.dishes(),
        bouts: args.games.into(),
        generations: args.generations,
        main_generations: args.main_generations,
        wide: args.wide,
        step: args.step,
        noise: args.noise,
        seed: args.seed,
    };
    let job = LeagueJob { out: args.out.clone(), founders: args.rivals.clone(), rules, rounds: args.rounds };
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} {pos}/{len} generations, {msg}, {eta} left")?;
    let league = job.run(args.jobs.threads(), &stop, &bar)?;
    drop(bar);
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => writeln!(out, "{}", crate::output::json(league_json(&league)))?,
        Format::Text => {
            let heading = format!("{} after {}", args.out.display(), show::counted(league.round.into(), "round"));
            writeln!(out, "{}\n{}", paint(show::STRONG, heading), ladder(&league))?;
        }
    }
    if league.round < args.rounds {
        anstream::eprintln!("stopped after {} rounds; the same command resumes", league.round);
        return Ok(Exit::Stopped);
    }
    if args.output.format == Format::Text {
        writeln!(out, "measure it with agon petri exploit --policy {}", show::pasted(&args.out))?;
    }
    Ok(Exit::Done)
}

/// The members that have met all others, those first whose worst opponents take least.
fn order(league: &League) -> Vec<usize> {
    let mut order: Vec<usize> = (0..league.payoffs.len()).collect();
    order.sort_by(|&a, &b| league.floor(b).total_cmp(&league.floor(a)).then(b.cmp(&a)));
    order
}

fn league_json(league: &League) -> Value {
    let equilibrium = league.equilibrium();
    let member = |&at: &usize| {
        let Member { role, parent, policy } = &league.members[at];
        json!({ "member": at, "species": exploit::points(policy.species), "role": role, "parent": parent,
                "floor": league.floor(at), "equilibrium": equilibrium[at] })
    };
    let members: Vec<Value> = order(league).iter().map(member).collect();
    json!({ "rounds": league.round, "main": league.main(), "members": members, "payoffs": league.payoffs })
}

/// A table: the share that each member wins of its worst opponents and, in percent, of the first of the ladder.
fn ladder(league: &League) -> String {
    let mut order = order(league);
    order.truncate(LADDER);
    let equilibrium = league.equilibrium();
    let heads = ["member", "points", "role", "parent", "floor %", "equilibrium %"].map(str::to_owned);
    let columns = order.iter().map(ToString::to_string);
    let mut rows: Vec<Vec<String>> = vec![heads.into_iter().chain(columns).collect()];
    for &at in &order {
        let Member { role, parent, policy } = &league.members[at];
        let role = match role {
            Role::Founder => "founder",
            Role::Exploiter => "exploiter",
            Role::Main => "main",
        };
        let percent = |share: f64| format!("{:.0}", 100.0 * share);
        let parent = parent.map_or_else(String::new, |parent| parent.to_string());
        let head = [at.to_string(), exploit::points(policy.species), role.to_owned(), parent];
        let head = head.into_iter().chain([league.floor(at), equilibrium[at]].map(percent));
        let payoffs =
            order.iter().map(|&other| if other == at { "·".to_owned() } else { percent(league.payoffs[at][other]) });
        rows.push(head.chain(payoffs).collect());
    }
    table(&rows, 2, &[1, 2], TableLook::Plain(1))
}
