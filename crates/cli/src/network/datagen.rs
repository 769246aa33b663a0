//! `agon datagen`: games of an engine against itself, as positions to learn from.

use std::io::Write as _;
use std::time::Instant;

use agon_search::Stop;
use agon_training::bacteria::selfplay::GAMES;
use agon_training::bacteria::{BacteriaRecord, Selfplay};
use agon_training::dataset::Writer;
use agon_training::generate::generate;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::DatagenArgs;
use super::player::Player;
use crate::args::{Format, jobs};
use crate::{Answer, show, signals};

/// Memory of a player's tables, in bytes: a search of some thousand nodes fills no more.
const TABLE_BYTES: usize = 1 << 20;

/// Plays until the file is full.
pub fn run(args: &DatagenArgs) -> anyhow::Result<Answer> {
    let player = Player::read(&args.net)?;
    let Selfplay { nodes, opening, imbalance, adjudicate, seed } = selfplay(args);
    let text = format!(
        "net {} nodes {nodes} opening {opening} imbalance {imbalance} adjudicate {adjudicate} seed {seed}",
        player.name
    );
    let mut writer = Writer::open::<BacteriaRecord>(&args.out, &text)?;
    let (begun, start) = (writer.records(), Instant::now());
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} positions, {per_sec}, {eta} left")?;
    // Drawn on standard error, and only on a terminal.
    let bar = ProgressBar::new(args.positions).with_style(style).with_position(begun);
    bar.reset_eta();
    let jobs = jobs(args.jobs);
    let worker = || {
        let mut analyst = player.evaluation.analyst();
        analyst.set_memory(TABLE_BYTES);
        let stop = stop.clone();
        move |block| selfplay(args).block(analyst.as_mut(), block, &stop)
    };
    generate(&mut writer, jobs, args.positions, &stop, worker, |writer| bar.set_position(writer.records()))?;
    bar.finish_and_clear();

    let seconds = start.elapsed().as_secs_f64();
    let (records, games, made) = (writer.records(), writer.blocks() * GAMES, writer.records() - begun);
    let mut out = anstream::stdout();
    match args.format {
        Format::Json => writeln!(
            out,
            "{}",
            json!({ "positions": records, "games": games, "made": made, "seconds": seconds, "text": text })
        )?,
        Format::Text => writeln!(
            out,
            "{}: {} positions of {} games; {} made now, {:.0} a second",
            args.out.display(),
            show::count(records),
            show::count(games as u64),
            show::count(made),
            made as f64 / seconds.max(1e-9)
        )?,
    }
    if stop.is_raised() && records < args.positions {
        anstream::eprintln!("stopped; the same command goes on from here");
        return Ok(Answer::Stopped);
    }
    Ok(Answer::Done)
}

const fn selfplay(args: &DatagenArgs) -> Selfplay {
    Selfplay {
        nodes: args.nodes,
        opening: args.opening,
        imbalance: args.imbalance,
        adjudicate: args.adjudicate,
        seed: args.seed,
    }
}
