//! Node counts and speed of renju's searches.

use std::io::Write as _;

use agon_engines::renju::bench;
use serde_json::json;

use super::args::BenchArgs;
use super::time::processor_time;
use crate::exit::Exit;
use crate::network::Setting;
use crate::options::Format;
use crate::show;

pub(super) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    let depth = args.depth.unwrap_or(bench::DEPTH);
    let tuning = Setting::tuning(&args.settings)?;
    let bytes = args.hash.map_or(bench::TABLE_BYTES, |memory| (memory as usize) << 20);
    // The tables of shapes are built on first use.
    bench::stones(1)?;
    let mut last = processor_time()?;
    let mut timed = |count: u64| -> anyhow::Result<(u64, f64)> {
        let now = processor_time()?;
        let seconds = now.saturating_sub(std::mem::replace(&mut last, now)).as_secs_f64();
        Ok((count, seconds))
    };
    let stones = timed(bench::stones(2_000)?)?;
    let fours = timed(bench::fours(10)?)?;
    let threats = timed(bench::threats(20_000)?)?;
    let bench::Searched { nodes: positions, stats } = bench::tuned_search(tuning, depth, bytes)?;
    let search = timed(positions.iter().sum())?;
    let parts = [("stones placed and taken back", stones), ("fours", fours), ("threats", threats), ("search", search)];
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => {
            let part = |(count, seconds): (u64, f64)| {
                let speed = count as f64 / seconds;
                json!({ "nodes": count, "ms": seconds * 1e3, "nps": speed })
            };
            let line = json!({
                "depth": depth, "nodes": search.0, "positions": positions, "search": part(search),
                "threats": part(threats), "fours": part(fours), "stones": part(stones),
                "stats": {
                    "root_nodes": stats.root_nodes, "fours_nodes": stats.fours_nodes,
                    "fours_searches": stats.fours_searches, "fours_wins": stats.fours_wins, "leaves": stats.leaves,
                    "expanded": stats.expanded, "answering": stats.answering, "moves": stats.moves,
                    "cutoffs": stats.cutoffs, "first_cutoffs": stats.first_cutoffs,
                },
            });
            writeln!(out, "{}", crate::output::json(line))?;
        }
        Format::Text => {
            for (game, nodes) in bench::GAMES.iter().zip(positions) {
                writeln!(out, "{}", show::folded(&format!("{:>12}  ", show::count(nodes)), game))?;
            }
            for (name, (count, seconds)) in parts {
                let speed = show::count((count as f64 / seconds) as u64);
                let time = show::time(std::time::Duration::from_secs_f64(seconds));
                writeln!(out, "{:>12}  {name}, in {time}: {speed} per second", show::count(count))?;
            }
            let percent = |part: u64, whole: u64| format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64);
            let tree = search.0.saturating_sub(stats.root_nodes + stats.fours_nodes);
            for (share, what) in [
                (percent(tree, search.0), "of these nodes in the tree"),
                (percent(stats.fours_nodes, search.0), "in its searches for fours"),
                (percent(stats.fours_wins, stats.fours_searches), "of these searches find a win"),
                (percent(stats.root_nodes, search.0), "in searches for fours and threats at the root"),
                (percent(stats.answering, stats.expanded), "of the nodes with moves answer a threat"),
                (percent(stats.first_cutoffs, stats.cutoffs), "of the cutoffs by the first move"),
            ] {
                writeln!(out, "{share:>12}  {what}")?;
            }
            let moves = stats.moves as f64 / stats.expanded.max(1) as f64;
            writeln!(out, "{moves:>12.2}  moves tried a node")?;
        }
    }
    Ok(Exit::Done)
}
