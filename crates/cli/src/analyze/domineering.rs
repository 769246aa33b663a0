//! Domineering: the winner, the margin, and the winning moves.

use std::fs;
use std::io::Write as _;
use std::time::{Duration, Instant};

use agon_analysis::study::{Study, named};
use agon_engines::domineering::Solver;
use agon_engines::domineering::champion::TABLE_BYTES;
use agon_engines::domineering::large::LargePosition;
use agon_game::{Position as _, Show as _};
use agon_jobs::Progress as _;
use agon_rules::domineering::Domineering;
use agon_search::SearchLimits;
use anyhow::{Context, bail};

use super::args::AnalyzeArgs;
use super::{heat, large, start};
use crate::exit::Exit;
use crate::inspect::domineering::Question;
use crate::options::Format;
use crate::progress::Bar;
use crate::show::{self, STRONG, WARN, paint};

/// Proves the values of the position's moves.
pub(super) fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let none = || bail!("name a position, the file of one (- is standard input), or a --record");
    let position = match args.position.as_deref().map(asked).transpose()? {
        Some(Asked::Large(position)) => return large::run(args, &position),
        Some(Asked::Position(position)) => start::position(args, none, |_| Ok(position))?,
        None => start::position(args, none, |text| text.parse().with_context(|| format!("`{text}`")))?,
    };
    let limits = SearchLimits { time: args.time.map(Duration::from), ..SearchLimits::default() };
    if let Some(path) = &args.out {
        crate::output::check(path, "the picture")?;
    }
    let bar = Bar::new("{wide_bar} {pos}/{len} proved, {elapsed}")?;
    bar.start(1, 0);
    let start = Instant::now();
    let mut solver = Solver::new(position.board(), TABLE_BYTES);
    let analysis = solver.analyse(&position, limits, &mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    drop(bar);
    let study = Study { position, analysis };
    if let Some(path) = &args.out {
        fs::write(path, heat::svg(&study)).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => writeln!(out, "{}", crate::output::json(study.json(solver.nodes(), start.elapsed())))?,
        Format::Text => write!(out, "{}{}", as_text(&study), show::spent(solver.nodes(), start.elapsed()))?,
    }
    Ok(Exit::Done)
}

fn as_text(study: &Study) -> String {
    let mut text = format!("{}\n", paint(STRONG, study.headline()));
    if !study.analysis.line.is_empty() {
        text += &format!("line  {}\n", line(study));
    }
    text += &heat::board(study);
    let open = study.analysis.moves.iter().filter(|judged| judged.value().is_none()).count();
    if open > 0 {
        let undecided = study.analysis.moves.iter().filter(|judged| study.decided(judged).is_none()).count();
        let all = study.analysis.moves.len();
        text += &paint(
            WARN,
            format!(
                "out of time: of {all} moves {open} have no exact value yet, and of {undecided} it is open who wins\n"
            ),
        );
    }
    text
}

/// `H 3 4, V 5 1, H PASS`
fn line(study: &Study) -> String {
    let mut turn = study.position.turn();
    let mut words = Vec::new();
    for &m in &study.analysis.line {
        words.push(format!("{} {}", paint(show::side(turn), Domineering::SEATS[turn.index()]), named(m)));
        turn = turn.other();
    }
    words.join(", ")
}

/// A position to analyze.
enum Asked {
    Position(Domineering),
    /// On a board larger than any of the game.
    Large(LargePosition),
}

/// Reads a position, or the question of a file.
fn asked(text: &str) -> anyhow::Result<Asked> {
    if let Ok(position) = text.parse() {
        return Ok(Asked::Position(position));
    }
    let line = question_line(text)?;
    let question = Question::read(line.as_bytes()).and_then(|question| {
        let large = question.is_large();
        if large { question.large().map(Asked::Large) } else { question.position().map(Asked::Position) }
    });
    question.map_err(anyhow::Error::msg).with_context(|| format!("`{text}`"))
}

/// The only line of the file that is not blank; `-` is standard input.
fn question_line(name: &str) -> anyhow::Result<String> {
    let text = start::content(name)?;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    match (lines.next(), lines.next()) {
        (Some(line), None) => Ok(line.to_owned()),
        (None, _) => bail!("`{name}` holds no position: one line of JSON expected"),
        (Some(_), Some(_)) => bail!("`{name}` holds several lines: `agon solve` answers many positions"),
    }
}
