//! Benefit of more threads for a search: nodes per second, and the time to reach a depth.

use std::io::Write as _;
use std::time::{Duration, Instant};

use agon_engines::{bacteria, renju};
use agon_search::{SearchLimits, Task};
use anyhow::{Context, anyhow};
use serde_json::json;

use super::args::BenchArgs;
use crate::exit::Exit;
use crate::options::Format;
use crate::show;

/// Default depth for each position, in plies: deep enough that the cost of starting threads is negligible.
const DEPTH: [u32; 2] = [16, 6];

#[derive(Clone, Copy, Default)]
struct Spent {
    nodes: u64,
    time: Duration,
}

impl Spent {
    fn speed(self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Searches every position on one thread and then on `threads`, so that other work of the machine slows both.
pub(super) fn run(args: &BenchArgs, threads: usize) -> anyhow::Result<Exit> {
    let (texts, usual, bytes): (Vec<String>, _, _) = match args.game.name() {
        "bacteria" => (bacteria::bench::POSITIONS.map(str::to_owned).into(), DEPTH[0], bacteria::bench::TABLE_BYTES),
        _ => {
            let read = |game| renju::bench::position(game).map(|position| position.to_string());
            let texts = renju::bench::GAMES.map(read).into_iter().collect::<Result<_, _>>()?;
            (texts, DEPTH[1], renju::bench::TABLE_BYTES)
        }
    };
    let depth = args.depth.unwrap_or(usual);
    let bytes = args.hash.map_or(bytes, |memory| (memory as usize) << 20);
    let mut spent = [Spent::default(); 2];
    for text in &texts {
        for (spent, threads) in spent.iter_mut().zip([1, threads]) {
            let found = search(args, text, threads, depth, bytes)?;
            spent.nodes += found.nodes;
            spent.time += found.time;
        }
    }
    let [one, many] = spent;
    let speed = many.speed() / one.speed();
    let time = many.time.as_secs_f64() / one.time.as_secs_f64();
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => {
            let side = |threads: usize, spent: Spent| {
                json!({ "threads": threads, "nodes": spent.nodes, "ms": spent.time.as_secs_f64() * 1e3,
                        "nps": spent.speed() })
            };
            let line = json!({
                "depth": depth, "searches": [side(1, one), side(threads, many)], "nps_ratio": speed, "time_ratio": time,
            });
            writeln!(out, "{}", crate::output::json(line))?;
        }
        Format::Text => {
            for (threads, spent) in [(1, one), (threads, many)] {
                writeln!(
                    out,
                    "{threads:>3} thread{}  {:>14} nodes to depth {depth} in {}, {} per second",
                    if threads == 1 { " " } else { "s" },
                    show::count(spent.nodes),
                    show::time(spent.time),
                    show::count(spent.speed() as u64),
                )?;
            }
            writeln!(out, "{speed:.2} times the nodes per second, {time:.2} times the time to depth {depth}")?;
        }
    }
    Ok(Exit::Done)
}

/// One search with empty tables; making them is not measured.
fn search(args: &BenchArgs, text: &str, threads: usize, depth: u32, bytes: usize) -> anyhow::Result<Spent> {
    let name = args.game.builtins.last().map_or("", |builtin| builtin.name);
    let mut engine = args.game.find(name)?.engine(0).with_context(|| format!("{name} does not search"))?;
    engine.set_memory(bytes);
    engine.set_threads(threads);
    let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
    let mut nodes = 0;
    let start = Instant::now();
    let found = engine.search(text, &Task::from(limits), &mut |info| nodes = info.nodes);
    found.map_err(|error| anyhow!("`{text}`: {error}"))?;
    Ok(Spent { nodes, time: start.elapsed() })
}
