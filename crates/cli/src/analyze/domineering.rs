//! Domineering: who wins, by how much, with which moves.

use std::fs;
use std::io::Write as _;
use std::time::{Duration, Instant};

use agon_arena::analysis::study::{Study, named};
use agon_engines::domineering::Solver;
use agon_engines::domineering::champion::TABLE_BYTES;
use agon_game::{Position as _, Show as _};
use agon_rules::domineering::Domineering;
use agon_search::SearchLimits;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::args::AnalyzeArgs;
use super::{heat, large, start};
use crate::exit::Exit;
use crate::inspect::domineering::Question;
use crate::options::Format;
use crate::show::{self, FAINT, STRONG, WARN, paint};

/// Proves what the moves of the position are worth.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let none = || bail!("name a position, the file of one (- is standard input), or a --record");
    let question = args.position.as_deref().map(question).transpose()?.flatten();
    let named = |name: &str| format!("`{name}`");
    let position = match (question, args.position.as_deref()) {
        (Some(question), Some(name)) if question.is_large() => {
            let position = question.large().map_err(anyhow::Error::msg).with_context(|| named(name))?;
            return large::run(args, &position);
        }
        (question, _) => {
            let read = |text: &str| match question {
                Some(question) => question.position().map_err(anyhow::Error::msg).with_context(|| named(text)),
                None => text.parse().with_context(|| named(text)),
            };
            start::position(args, none, read)?
        }
    };
    let limits = SearchLimits { time: args.time.map(Duration::from), ..SearchLimits::default() };
    if let Some(path) = &args.out {
        crate::output::check(path, "the picture")?;
    }
    // Drawn on standard error, and only on a terminal.
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {elapsed}")?;
    let bar = ProgressBar::new(1).with_style(style).with_message("proving");
    let start = Instant::now();
    let mut solver = Solver::new(position.board(), TABLE_BYTES);
    let analysis = solver.analyse(&position, limits, &mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let study = Study { position, analysis };
    if let Some(path) = &args.out {
        fs::write(path, heat::svg(&study)).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => writeln!(out, "{}", crate::output::json(study.json(solver.nodes(), start.elapsed())))?,
        Format::Text => write!(out, "{}{}", as_text(&study), spent(solver.nodes(), start.elapsed()))?,
    }
    Ok(Exit::Done)
}

fn spent(nodes: u64, time: Duration) -> String {
    format!("{}\n", paint(FAINT, format!("{} nodes in {}", show::count(nodes), show::time(time))))
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

/// The question of a file; `None` of a position on one line.
fn question(text: &str) -> anyhow::Result<Option<Question>> {
    if text.parse::<Domineering>().is_ok() {
        return Ok(None);
    }
    let line = question_line(text)?;
    Question::read(line.as_bytes()).map(Some).map_err(anyhow::Error::msg).with_context(|| format!("`{text}`"))
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
