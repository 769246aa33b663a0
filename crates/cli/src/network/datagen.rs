//! `agon datagen`: games of an engine against itself, as positions to learn from.

use std::io::Write as _;
use std::time::Instant;

use agon_engines::renju::{Champion, Tuning};
use agon_search::{Analyst, Stop};
use agon_training::dataset::Writer;
use agon_training::generate::generate;
use agon_training::{PositionRecord, bacteria, renju};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::args::{BacteriaDatagenArgs, Beginning, DatagenArgs, DatagenCommand, RenjuDatagenArgs};
use super::player::{BacteriaPlayer, RenjuPlayer};
use crate::args::{Format, jobs};
use crate::{Answer, show, signals};

/// Memory of a player's tables, in bytes: a search of some thousand nodes fills no more.
const TABLE_BYTES: usize = 1 << 20;

/// Plays until the file is full.
pub fn run(command: &DatagenCommand) -> anyhow::Result<Answer> {
    match command {
        DatagenCommand::Bacteria(args) => bacteria(args),
        DatagenCommand::Renju(args) => renju(args),
    }
}

fn bacteria(args: &BacteriaDatagenArgs) -> anyhow::Result<Answer> {
    let &BacteriaDatagenArgs { ref datagen, opening, imbalance, adjudicate } = args;
    let &DatagenArgs { nodes, seed, .. } = datagen;
    let player = BacteriaPlayer::read(&datagen.net)?;
    let text = format!(
        "net {} nodes {nodes} opening {opening} imbalance {imbalance} adjudicate {adjudicate} seed {seed}",
        player.name
    );
    let selfplay = bacteria::Selfplay { nodes, opening, imbalance, adjudicate, seed };
    fill(datagen, &text, bacteria::selfplay::GAMES, |stop| {
        let mut analyst = player.evaluation.analyst();
        analyst.set_memory(TABLE_BYTES);
        move |block| selfplay.block(analyst.as_mut(), block, &stop)
    })
}

fn renju(args: &RenjuDatagenArgs) -> anyhow::Result<Answer> {
    let &RenjuDatagenArgs { ref datagen, beginning, opening, imbalance } = args;
    let &DatagenArgs { nodes, seed, .. } = datagen;
    let player = RenjuPlayer::read(&datagen.net)?;
    let (beginning, how) = match beginning {
        Beginning::Random => (renju::Beginning::Random, ""),
        Beginning::Champions => (renju::Beginning::Champions, "champions "),
        Beginning::Practised => (renju::Beginning::Practised, "practised "),
    };
    let text = format!("net {} nodes {nodes} {how}opening {opening} imbalance {imbalance} seed {seed}", player.name);
    let selfplay = renju::Selfplay { nodes, beginning, opening, imbalance, seed };
    fill(datagen, &text, renju::selfplay::GAMES, |stop| {
        let mut analyst = Champion::new(player.evaluation.clone(), Tuning::default());
        analyst.set_memory(TABLE_BYTES);
        move |block| selfplay.block(&mut analyst, block, &stop)
    })
}

/// Fills a file with the blocks that workers make, of so many games each; `text` says how they are made.
fn fill<R: PositionRecord, W: FnMut(usize) -> Option<Vec<R>>>(
    args: &DatagenArgs,
    text: &str,
    games: usize,
    worker: impl Fn(Stop) -> W + Sync,
) -> anyhow::Result<Answer> {
    let mut writer = Writer::open::<R>(&args.out, text)?;
    let (begun, start) = (writer.records(), Instant::now());
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} positions, {per_sec}, {eta} left")?;
    // Drawn on standard error, and only on a terminal.
    let bar = ProgressBar::new(args.positions).with_style(style).with_position(begun);
    bar.reset_eta();
    let worker = || worker(stop.clone());
    generate(&mut writer, jobs(args.jobs), args.positions, &stop, worker, |writer| bar.set_position(writer.records()))?;
    bar.finish_and_clear();

    let seconds = start.elapsed().as_secs_f64();
    let (records, games, made) = (writer.records(), writer.blocks() * games, writer.records() - begun);
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
