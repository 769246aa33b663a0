//! Node count and speed of the champion of Bacteria War.

use std::io::Write as _;

use agon_engines::bacteria::bench;
use serde_json::json;

use super::args::BenchArgs;
use super::time::processor_time;
use crate::exit::Exit;
use crate::network::Setting;
use crate::options::Format;
use crate::show;

pub(super) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    let depth = args.depth.unwrap_or(bench::DEPTH);
    let tuning = Setting::tuning(&args.settings)?;
    let bytes = args.hash.map_or(bench::TABLE_BYTES, |memory| (memory as usize) << 20);
    let start = processor_time()?;
    let nodes = bench::champion_nodes(tuning, depth, bytes)?;
    let time = processor_time()?.saturating_sub(start);
    let all: u64 = nodes.iter().sum();
    let speed = all as f64 / time.as_secs_f64();
    match args.output.format {
        Format::Json => {
            let ms = time.as_secs_f64() * 1000.0;
            writeln!(
                out,
                "{}",
                crate::output::json(
                    json!({ "depth": depth, "nodes": all, "positions": nodes, "ms": ms, "nps": speed })
                )
            )?;
        }
        Format::Text => {
            for (position, nodes) in bench::POSITIONS.iter().zip(nodes) {
                writeln!(out, "{:>12}  {position}", show::count(nodes))?;
            }
            let speed = show::count(speed as u64);
            writeln!(out, "{:>12}  nodes in {}, {speed} per second", show::count(all), show::time(time))?;
        }
    }
    Ok(Exit::Done)
}
