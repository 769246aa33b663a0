//! `agon lab opening-rules`: how well the champion decides in openings.

use std::io::Write as _;

use agon_engines::renju::opening_trials::{SwapTrial, draw};
use agon_engines::renju::{Champion, OpeningNodes, OpeningPlayer};
use agon_game::seed::Stream;
use agon_jobs::Progress as _;
use agon_referee::process;
use agon_rules::renju::Opening;
use agon_rules::renju::opening_rules::OpeningRule;
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::options::{Format, OutputArgs, up_to};
use crate::progress::Bar;
use crate::signals;

const HELP: &str = "\
Openings are drawn by each rule up to a swap, the champion decides with its
usual nodes, and a search of --factor times the nodes values both colours. A
decision is right if the chosen colour is worth no less than the other; it is
clear if that value is at least half of what a point for a three is worth.

--values prints what the 26 openings of renju are worth to Black if it offers
one to ten fifth moves, in hundredths, instead.

Examples:
  agon lab opening-rules --positions 200
  agon lab opening-rules --values --factor 4";

#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(crate) struct OpeningRulesArgs {
    /// Number of openings
    #[arg(long, short = 'n', value_name = "N", default_value_t = 200, value_parser = up_to::<u32>(100_000))]
    pub positions: u32,
    /// Nodes of the long searches, as a multiple of the usual ones
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to::<u32>(10_000))]
    pub factor: u32,
    /// Random seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print the values of the 26 openings instead
    #[arg(long)]
    pub values: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// From this value on, in hundredths, a decision is clear.
const CLEAR: i32 = 50;

fn player(nodes: OpeningNodes) -> OpeningPlayer {
    OpeningPlayer::new(Box::new(Champion::default()), nodes, 0)
}

pub(crate) fn run(args: &OpeningRulesArgs) -> anyhow::Result<Exit> {
    signals::watch()?;
    if args.values { values(args) } else { trials(args) }
}

fn values(args: &OpeningRulesArgs) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    let mut player = player(OpeningNodes::default().times(args.factor.into()));
    for opening in Opening::ALL {
        if process::interrupted() {
            return Ok(Exit::Stopped);
        }
        let Some(values) = player.values(opening.stones()) else { continue };
        match args.output.format {
            Format::Json => {
                let row = json!({ "opening": opening.to_string(), "code": opening.code(), "values": values });
                writeln!(out, "{}", crate::output::json(row))?;
            }
            Format::Text => {
                let values: Vec<String> = values.iter().map(|value| format!("{value:>5}")).collect();
                writeln!(out, "{:>3} {:<10}{}", opening.code(), opening.to_string(), values.join(""))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Decisions of one rule.
#[derive(Clone, Copy, Default)]
struct Count {
    all: u32,
    right: u32,
    /// Those where one colour is clearly better, and the right ones among them.
    clear: u32,
    clear_right: u32,
    /// What the wrong ones cost, in hundredths.
    lost: i64,
}

fn trials(args: &OpeningRulesArgs) -> anyhow::Result<Exit> {
    let bar = Bar::new("{elapsed} {wide_bar} {pos} of {len} openings")?;
    bar.set_length(args.positions.into());
    let mut stream = Stream::new(args.seed, "swaps");
    let mut counts = [Count::default(); OpeningRule::ALL.len()];
    for number in 0..args.positions as usize {
        let game = draw(number, &mut stream);
        let at = OpeningRule::ALL.iter().position(|&rule| rule == game.rule()).unwrap_or_default();
        let nodes = OpeningNodes::default();
        let trial = SwapTrial::new(game, &mut player(nodes), &mut player(nodes.times(args.factor.into())));
        if process::interrupted() {
            return Ok(Exit::Stopped);
        }
        let Some(trial) = trial else { continue };
        let count = &mut counts[at];
        count.all += 1;
        count.right += u32::from(trial.is_right());
        count.clear += u32::from(trial.value.abs() >= CLEAR);
        count.clear_right += u32::from(trial.value.abs() >= CLEAR && trial.is_right());
        count.lost += i64::from(trial.chosen().min(0).abs());
        bar.set_position(number as u64 + 1);
    }
    drop(bar);
    report(args, &counts)?;
    Ok(Exit::Done)
}

fn report(args: &OpeningRulesArgs, counts: &[Count]) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let total = counts.iter().fold(Count::default(), |sum, one| Count {
        all: sum.all + one.all,
        right: sum.right + one.right,
        clear: sum.clear + one.clear,
        clear_right: sum.clear_right + one.clear_right,
        lost: sum.lost + one.lost,
    });
    let named = OpeningRule::ALL.iter().map(|rule| rule.name()).zip(counts).chain([("all", &total)]);
    for (name, Count { all, right, clear, clear_right, lost }) in named.filter(|(_, count)| count.all > 0) {
        match args.output.format {
            Format::Json => {
                let clears = json!({ "positions": clear, "right": clear_right });
                let row = json!({ "rule": name, "positions": all, "right": right, "clear": clears, "lost": lost });
                writeln!(out, "{}", crate::output::json(row))?;
            }
            Format::Text => {
                let mean = *lost as f64 / f64::from(*all) / 100.0;
                let rights = share(*right, *all);
                let clears = share(*clear_right, *clear);
                writeln!(out, "{name:<13} right {rights}, where it is clear {clears}, mean loss {mean:.2}")?;
            }
        }
    }
    Ok(())
}

/// `38 of 40 (95.0 %)`.
fn share(part: u32, whole: u32) -> String {
    let percent = 100.0 * f64::from(part) / f64::from(whole.max(1));
    format!("{part:>3} of {whole:>3} ({percent:.1} %)")
}
