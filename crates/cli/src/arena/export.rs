//! `agon export`: writes the records of a stored run.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

use agon_arena::export::ExportError;
use agon_arena::store::Filter;
use agon_arena::{Store, Summary, Tally, export};
use agon_catalog::Capability;
use agon_referee::record::Record;
use anyhow::{Context, bail};

use super::args::{ExportArgs, ExportFormat, StoredRun};
use super::{pgn, tables};
use crate::convert;
use crate::exit::{Exit, in_one_line};
use crate::left_out::LeftOut;
use crate::output;

pub(crate) fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let (store, run) = open(&args.stored)?;
    let filter = if args.failed { Filter::Failed } else { Filter::All };
    let plan = store.run(run)?.plan;
    if args.extra && plan.test.is_none() {
        bail!("--extra is for an SPRT, and run {run} is none: all of its games count");
    }
    let tally = export::tally(&store, run, &plan)?;
    match (args.format, plan.game) {
        (ExportFormat::Pgn, game) if !game.has_turns() => bail!(
            "PGN lists the moves of two players in turn, but in petri every cell acts in every turn: use --format jsonl"
        ),
        (ExportFormat::Epd, game) if !game.has_turns() => {
            bail!(
                "EPD has positions with a side to move, but in petri every cell acts in every turn: use --format jsonl"
            )
        }
        (ExportFormat::Sgf | ExportFormat::Psq, game) if !game.can(Capability::GameFiles) => bail!(
            "SGF and .psq are for games of renju, and run {run} is of {game}: use --format {}jsonl",
            if game.has_turns() { "pgn or --format " } else { "" }
        ),
        _ => {}
    }
    if let (Some(path), false) = (&args.out, args.format == ExportFormat::Psq) {
        output::check(path, "the games")?;
    }
    if args.format == ExportFormat::Psq {
        return psq(&store, run, filter, &tally, args);
    }
    let record =
        args.slot.map(|slot| store.record(run, slot)?.with_context(|| format!("run {run} has no game {slot}")));
    let record = record.transpose()?;
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => Box::new(File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?),
        None => Box::new(io::stdout().lock()),
    };
    if let Some(record) = record {
        out.write_all(record.as_bytes())?;
        out.flush()?;
        return Ok(Exit::Done);
    }
    let mut out = BufWriter::new(&mut out);
    let chosen = |bout: &Summary| args.extra || tally.counts(bout);
    let left_out = match args.format {
        ExportFormat::Jsonl => {
            // The bare output error, so that a closed pipe is recognised.
            let unreadable = export::jsonl(&store, run, filter, args.extra, &mut out).map_err(|error| match error {
                ExportError::Io(error) => anyhow::Error::from(error),
                ExportError::Store(error) => error.into(),
            })?;
            LeftOut::all(unreadable)
        }
        ExportFormat::Pgn => {
            let names = pgn::names(&plan);
            let make = |bout: &Summary, record: &Record| pgn::game(&plan, &names, bout, record);
            each(&store, run, filter, chosen, make, |_, text| Ok(out.write_all(text)?))?
        }
        ExportFormat::Epd => {
            let names = pgn::names(&plan);
            let make = |bout: &Summary, record: &Record| pgn::last_position(&plan, &names, bout, record);
            each(&store, run, filter, chosen, make, |_, text| Ok(out.write_all(text)?))?
        }
        ExportFormat::Sgf | ExportFormat::Psq => {
            each(&store, run, filter, chosen, |_, record| renju("sgf", record), |_, text| Ok(out.write_all(text)?))?
        }
    };
    out.flush()?;
    remark(&tally, args);
    Ok(left_out.exit())
}

/// Says how many games have been left out because they do not count.
fn remark(tally: &Tally, args: &ExportArgs) {
    if !args.extra
        && let Some(uncounted) = tables::uncounted(tally)
    {
        anstream::eprintln!("{uncounted}: --extra writes them too");
    }
}

fn psq(store: &Store, run: i64, filter: Filter, tally: &Tally, args: &ExportArgs) -> anyhow::Result<Exit> {
    let Some(folder) = &args.out else { bail!("--format psq writes one file per game: name a folder with --out") };
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let make = |_: &Summary, record: &Record| renju("psq", record);
    let chosen = |bout: &Summary| args.extra || tally.counts(bout);
    let left_out = each(store, run, filter, chosen, make, |bout, text| {
        let path = folder.join(format!("{}.psq", bout.slot));
        fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))
    })?;
    remark(tally, args);
    Ok(left_out.exit())
}

/// Makes a text of every chosen game and writes it. A game that cannot be written as text is left out.
fn each(
    store: &Store,
    run: i64,
    filter: Filter,
    chosen: impl Fn(&Summary) -> bool,
    make: impl Fn(&Summary, &Record) -> anyhow::Result<String>,
    mut write: impl FnMut(&Summary, &[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<LeftOut> {
    let mut left_out = LeftOut::default();
    let unreadable = store.records::<anyhow::Error>(run, filter, |bout, text| {
        if !chosen(bout) {
            return Ok(());
        }
        match Record::read(text).map_err(anyhow::Error::from).and_then(|record| make(bout, &record)) {
            Ok(text) => write(bout, text.as_bytes())?,
            Err(error) => left_out.add(format!("game {} of run {run}: {}", bout.slot, in_one_line(&error))),
        }
        Ok(())
    })?;
    left_out.extend(unreadable);
    Ok(left_out)
}

fn renju(format: &str, record: &Record) -> anyhow::Result<String> {
    let bytes = convert::write(format, convert::of_record(record)?)?;
    String::from_utf8(bytes).context("the game as text")
}

/// A store and the number of a run in it.
pub(crate) fn open(stored: &StoredRun) -> anyhow::Result<(Store, i64)> {
    let store = stored.store()?;
    let run = match stored.run.or(stored.named) {
        Some(run) => run,
        None => store.latest()?.with_context(|| format!("`{}` holds no run yet", stored.db.display()))?,
    };
    Ok((store, run))
}
