//! Speed of solving boards.

use std::time::Duration;

use agon_engines::domineering::Solver;
use agon_engines::domineering::champion::TABLE_BYTES;
use agon_game::Position;
use agon_game::seed::Stream;
use agon_rules::domineering::board::DEFAULT_MAX_WEIGHT;
use agon_rules::domineering::cells::SIZE;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use agon_search::SearchLimits;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::args::BenchArgs;
use super::time::processor_time;
use crate::exit::Exit;
use crate::options::Format;
use crate::show::{self, STRONG, paint};
use crate::solve::GoalArg;

/// A goal, and how many plies were played before.
type Series = (GoalArg, u32);

/// Without a goal: everything that the champion promises.
const PROMISES: [Series; 3] = [(GoalArg::Win, 0), (GoalArg::Score, 0), (GoalArg::Score, 4)];

/// Shares are counted within these times, in seconds.
const WITHIN: [f64; 3] = [0.5, 1.0, 5.0];

/// Percentages of boards that take at most the printed times; the last is the maximum.
const PERCENTILES: [usize; 4] = [50, 90, 99, 100];

struct Solved {
    time: Duration,
    nodes: u64,
    proved: bool,
}

pub(super) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    let chosen = args.goal.map(|goal| [(goal, args.plies)]);
    for &(goal, plies) in chosen.as_ref().map_or(&PROMISES[..], |one| &one[..]) {
        let solved = series(args, goal, plies)?;
        print(&mut out, args.output.format, (goal, plies), solved)?;
    }
    Ok(Exit::Done)
}

fn series(args: &BenchArgs, goal: GoalArg, plies: u32) -> anyhow::Result<Vec<Solved>> {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")?;
    // Drawn on standard error, and only on a terminal.
    let bar = ProgressBar::new(args.boards).with_style(style).with_message(name((goal, plies)));
    let limits = SearchLimits { time: Some(args.time.into()), nodes: args.nodes, ..SearchLimits::default() };
    let mut solved = Vec::new();
    for seed in (0..args.boards).map(|i| args.seed.wrapping_add(i)) {
        let position = opening(seed, plies)?;
        let start = processor_time()?;
        let mut solver = Solver::new(position.board(), TABLE_BYTES);
        let proved = match goal {
            GoalArg::Win => solver.outcome(&position, limits).is_ok(),
            GoalArg::Score => solver.value(&position, limits).is_ok(),
        };
        solved.push(Solved { time: processor_time()?.saturating_sub(start), nodes: solver.nodes(), proved });
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(solved)
}

/// The board of the seed, with dominoes placed at random while there are any.
fn opening(seed: u64, plies: u32) -> anyhow::Result<Domineering> {
    let mut position = Domineering::new(WeightedBoard::drawn(SIZE, SIZE, DEFAULT_MAX_WEIGHT, seed)?, Bonus::default());
    let mut stream = Stream::new(seed, "opening");
    for _ in 0..plies {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        // The PASS is the last.
        let dominoes = moves.len().saturating_sub(1);
        if dominoes == 0 {
            break;
        }
        position.play_unchecked(moves[stream.below(dominoes)], &mut ());
    }
    Ok(position)
}

fn print(out: &mut impl std::io::Write, format: Format, series: Series, solved: Vec<Solved>) -> anyhow::Result<()> {
    let boards = solved.len();
    let proved = solved.iter().filter(|solved| solved.proved).count();
    let nodes: u64 = solved.iter().map(|solved| solved.nodes).sum();
    let within = WITHIN.map(|seconds| {
        let quick = |solved: &&Solved| solved.proved && solved.time.as_secs_f64() <= seconds;
        solved.iter().filter(quick).count() as f64 / boards as f64
    });
    let mut times: Vec<Duration> = solved.into_iter().map(|solved| solved.time).collect();
    times.sort_unstable();
    let times = PERCENTILES.map(|percent| times[(boards * percent).div_ceil(100) - 1]);
    match format {
        Format::Json => {
            let within: serde_json::Map<_, _> =
                WITHIN.iter().zip(within).map(|(seconds, share)| (seconds.to_string(), share.into())).collect();
            let [median, p90, p99, max] = times.map(|time| time.as_secs_f64() * 1000.0);
            writeln!(
                out,
                "{}",
                crate::output::json(json!({
                    "series": name(series), "boards": boards, "proved": proved, "within_s": within, "median_ms": median,
                    "p90_ms": p90, "p99_ms": p99, "max_ms": max, "nodes": nodes,
                }))
            )?;
        }
        Format::Text => {
            let within = WITHIN.iter().zip(within);
            let within = within.map(|(seconds, share)| format!("{:.1} % in {seconds} s", 100.0 * share));
            let named = ["median", "90 %", "99 %", "most"].iter().zip(times);
            let times = named.map(|(name, time)| format!("{name} {}", show::time(time)));
            writeln!(
                out,
                "{}   {proved} of {boards} boards solved, {} nodes\n  {}\n  {}",
                paint(STRONG, name(series)),
                show::count(nodes),
                within.collect::<Vec<_>>().join(", "),
                times.collect::<Vec<_>>().join(", "),
            )?;
        }
    }
    Ok(())
}

fn name((goal, plies): Series) -> String {
    let goal = match goal {
        GoalArg::Win => "win",
        GoalArg::Score => "score",
    };
    format!("{goal}, ply {plies}")
}
