//! `agon perft`: counting lines of play.

use std::io::Write as _;
use std::time::Instant;

use agon_rules::catalog::Setup;
use serde_json::json;

use crate::args::{self, Format, PerftArgs};
use crate::{Answer, show};

/// Counts, and prints the counts.
pub fn run(args: &PerftArgs) -> anyhow::Result<Answer> {
    let mut out = anstream::stdout();
    let setup = Setup { seed: args.seed, parameters: args::parameters(&args.parameters)? };
    let position = args.game.position(args.position.as_deref(), &setup)?;
    if args.divide {
        if args.depth == 0 {
            anyhow::bail!("--divide needs a depth of at least 1");
        }
        let start = Instant::now();
        let moves = position.count_divided(args.depth);
        let (nodes, time) = (moves.iter().map(|(_, nodes)| nodes).sum(), start.elapsed());
        match args.format {
            Format::Json => {
                let moves: serde_json::Map<_, _> = moves.into_iter().map(|(m, nodes)| (m, nodes.into())).collect();
                let line = json!({ "position": position.text(), "depth": args.depth, "nodes": nodes, "moves": moves });
                writeln!(out, "{line}")?;
            }
            Format::Text => {
                for (m, nodes) in &moves {
                    writeln!(out, "{m:<14} {:>20}", show::count(*nodes))?;
                }
                writeln!(out, "{:<14} {:>20}   {}", "total", show::count(nodes), rate(nodes, time))?;
            }
        }
        return Ok(Answer::Done);
    }
    for depth in 0..=args.depth {
        let start = Instant::now();
        let (nodes, time) = (position.count(depth), start.elapsed());
        match args.format {
            Format::Json => {
                let ms = time.as_secs_f64() * 1000.0;
                writeln!(out, "{}", json!({ "position": position.text(), "depth": depth, "nodes": nodes, "ms": ms }))?;
            }
            Format::Text => writeln!(out, "{depth:>2} {:>20}   {}", show::count(nodes), rate(nodes, time))?,
        }
    }
    Ok(Answer::Done)
}

fn rate(nodes: u64, time: std::time::Duration) -> String {
    let millions = nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6;
    let digits = usize::from(millions < 10.0);
    show::paint(show::FAINT, format!("{}, {millions:.digits$} M/s", show::time(time)))
}
