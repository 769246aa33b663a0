//! `agon export`: writes the records of a stored run.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

use agon_arena::export::ExportError;
use agon_arena::store::Filter;
use agon_arena::{Plan, Store, Summary, Tally, export};
use agon_catalog::Capability;
use agon_referee::record::{Record, Way, Winner};
use agon_referee::text::line;
use anyhow::{Context, bail};

use super::args::{ExportArgs, ExportFormat, StoredRun};
use super::tables;
use crate::convert;
use crate::exit::Exit;
use crate::left_out::LeftOut;
use crate::output;

/// Characters of a line of moves.
const LINE: usize = 100;

pub fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
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
        (ExportFormat::Sgf | ExportFormat::Psq, game) if !game.can(Capability::GameFiles) => bail!(
            "SGF and .psq are for games of renju, and run {run} is of {game}: use --format {}jsonl",
            if game.has_turns() { "pgn or --format " } else { "" }
        ),
        _ => {}
    }
    if let (Some(path), false) = (&args.out, args.format == ExportFormat::Psq) {
        output::check(path, "the games", false)?;
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
            let make = |bout: &Summary, record: &Record| Ok(pgn(&plan, bout, record));
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
            Err(error) => left_out.add(format!("game {} of run {run}: {error:#}", bout.slot)),
        }
        Ok(())
    })?;
    left_out.extend(unreadable);
    Ok(left_out)
}

fn renju(format: &str, record: &Record) -> anyhow::Result<String> {
    convert::write(format, &convert::of_record(record)?)
}

/// A game in the style of PGN: tags, then the moves, numbers joined by hyphens where a move has several.
fn pgn(plan: &Plan, bout: &Summary, record: &Record) -> String {
    let result = match bout.winner {
        Winner::First => "1-0",
        Winner::Second => "0-1",
        Winner::Draw => "1/2-1/2",
        Winner::Void => "*",
    };
    let name = |at: usize| line(&plan.agents[at].name).replace(['"', '\\'], "'");
    let mut text = String::new();
    for (tag, value) in [
        ("Event", plan.title().to_owned()),
        ("Game", plan.game.name().to_owned()),
        ("Round", bout.slot.to_string()),
        ("First", name(bout.seats[0])),
        ("Second", name(bout.seats[1])),
        ("Result", result.to_owned()),
        ("Termination", line(&bout.reason).replace(['"', '\\'], "'")),
        ("Seed", bout.seed.to_string()),
        ("Opening", record.header.parameters.get("opening").cloned().unwrap_or_default()),
    ] {
        if !value.is_empty() {
            let _ = writeln!(text, "[{tag} \"{value}\"]");
        }
    }
    text.push('\n');
    let mut moves = String::new();
    let answers = record.entries.iter().filter(|entry| entry.way == Way::From && entry.moment.is_some());
    for (number, entry) in answers.enumerate() {
        let spoken = entry.spoken.clone();
        let m = spoken.unwrap_or_else(|| entry.line.trim_start_matches("MOVE").trim().replace(' ', "-"));
        let word = if number % 2 == 0 { format!("{}. {m} ", number / 2 + 1) } else { format!("{m} ") };
        if moves.len() + word.len() > LINE {
            text += moves.trim_end();
            text.push('\n');
            moves.clear();
        }
        moves += &word;
    }
    text + &moves + result + "\n\n"
}

/// A store and the number of a run in it.
pub fn open(stored: &StoredRun) -> anyhow::Result<(Store, i64)> {
    let store = Store::read(&stored.db)?;
    let run = match stored.run {
        Some(run) => run,
        None => store.latest()?.with_context(|| format!("`{}` holds no run yet", stored.db.display()))?,
    };
    Ok((store, run))
}
