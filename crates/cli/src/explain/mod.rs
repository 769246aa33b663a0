//! `agon explain`: where a recorded game was lost.

mod page;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use agon_analysis::judge::champion_name;
use agon_arena::losses::{MoveLoss, losses, usual_limits, worst};
use agon_arena::transcript::explanation;
use agon_catalog::Game;
use agon_game::Side;
use agon_referee::record::Winner;
use agon_referee::text::line;
use agon_referee::verdict::Verdict;
use agon_search::SearchLimits;
use anyhow::{anyhow, bail};
use clap::Args;
use serde_json::{Value, json};

use crate::ask::SeatName;
use crate::exit::Exit;
use crate::failed;
use crate::failure::fold;
use crate::move_loss::{loss_text, none_better};
use crate::moves::both;
use crate::options::{Format, OutputArgs};
use crate::progress::Bar;
use crate::recorded::RecordedGame;
use crate::result::headline;
use crate::show::{self, paint};
use crate::span::{A_DAY, TimeSpan, time};
use crate::stored_game::StoredGame;
use crate::{completion, input, output, position_link, signals};

const EXPLAIN_HELP: &str = "\
The game's champion evaluates every position; in domineering it proves values as
far as the limits allow. A move's loss is the value before it minus the value
after it, for the side that moved. The output shows the three worst moves of the
side that lost, each with better moves and the command that opens the position
on the analysis board.

Examples:
  agon explain game.jsonl
  agon explain game.jsonl --all --time 1s
  agon explain --db bots.db --slot 3 --out why.html
  agon explain game.jsonl --format json";

#[derive(Args, Debug)]
#[command(after_help = EXPLAIN_HELP)]
pub(crate) struct ExplainArgs {
    /// The record
    #[arg(required_unless_present = "slot", conflicts_with = "slot", add = completion::record())]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub stored: StoredGame,
    /// Explain the moves of this side [default: the loser; both after a draw]
    #[arg(long, value_name = "SEAT")]
    pub side: Option<SeatName>,
    /// Time for each position, instead of a number of nodes
    #[arg(long, value_name = "TIME", value_parser = time(A_DAY), conflicts_with = "nodes")]
    pub time: Option<TimeSpan>,
    /// Nodes for each position [default: ten times those of a site's evaluation curve]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// List every move that lost something, in order
    #[arg(long)]
    pub all: bool,
    /// Write an .html page that steps through the game, with evaluations and better moves
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// How many moves are shown.
const MAX_WORST: usize = 3;

pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    if let Some(path) = &args.out {
        if !matches!(&*input::extension(path), "html" | "htm") {
            bail!("--out `{}`: a file that ends in .html expected", path.display());
        }
        output::check(path, "the page")?;
    }
    let recorded = RecordedGame::read(args.stored.source(args.file.as_deref())?)?;
    let game = recorded.game;
    if !game.has_turns() {
        bail!(
            "{game} has no engine that judges its positions: `agon replay` shows actions that failed, `agon ask` asks \
             again"
        );
    }
    let limits = match (args.time, args.nodes) {
        (Some(time), _) => SearchLimits::time(time.into()),
        (None, Some(nodes)) => SearchLimits::nodes(nodes),
        (None, None) => usual_limits(game),
    };
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} position {pos} of {len}, {eta} left")?;
    let found = losses(game, recorded.begun.as_ref(), &recorded.moves, limits, &stop, &bar);
    drop(bar);
    let Some(found) = found.map_err(|problem| anyhow!("`{}`: {problem}", recorded.name))? else {
        return Ok(Exit::Stopped);
    };
    let sides = sides(args.side, &recorded);
    let mut shown = worst(&found, &sides, if args.all { usize::MAX } else { MAX_WORST });
    if let Some(path) = &args.out {
        fs::write(path, page::page(&recorded, limits, &found, &worst(&found, &sides, MAX_WORST))?)
            .map_err(|error| anyhow!("cannot write `{}`: {error}", path.display()))?;
    }
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => writeln!(out, "{}", output::json(json_of(&recorded, limits, &found, &shown)?))?,
        Format::Text => {
            if args.all {
                shown.sort_unstable_by_key(|loss| loss.ply);
            }
            let file = args.file.as_deref().map(show::pasted);
            let board = format!("agon board {}", file.clone().unwrap_or_else(|| args.stored.options()));
            write!(out, "{}", text_of(&recorded, limits, &found, &shown, &sides, file.as_deref(), &board))?;
            if let Some(path) = &args.out {
                writeln!(out, "\nthe page is `{}`", path.display())?;
            }
        }
    }
    Ok(Exit::Done)
}

/// The side that lost by a failure, not by its moves.
fn failed_side(recorded: &RecordedGame) -> Option<Side> {
    let result = &recorded.record.result;
    let lost = match result.winner {
        Winner::First => Side::Second,
        Winner::Second => Side::First,
        Winner::Draw | Winner::Void => return None,
    };
    (result.verdicts[lost.index()].verdict != Verdict::Ok).then_some(lost)
}

/// The sides whose moves are explained.
fn sides(wanted: Option<SeatName>, recorded: &RecordedGame) -> Vec<Side> {
    match (wanted, recorded.record.result.winner) {
        (Some(side), _) => vec![side.into()],
        (None, Winner::First) => vec![Side::Second],
        (None, Winner::Second) => vec![Side::First],
        (None, Winner::Draw | Winner::Void) => Side::BOTH.to_vec(),
    }
}

fn json_of(
    recorded: &RecordedGame,
    limits: SearchLimits,
    found: &[MoveLoss],
    shown: &[&MoveLoss],
) -> anyhow::Result<Value> {
    let result = &recorded.record.result;
    let of = |loss: &&MoveLoss| {
        let mut json = loss.json();
        json["board"] = position_link::address(recorded, loss.ply)?.into();
        anyhow::Ok(json)
    };
    let worst = shown.iter().map(of).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(json!({
        "game": recorded.game.name(),
        "agents": recorded.record.header.agents.each_ref().map(|agent| agent.agent.as_str()),
        "winner": result.winner.to_string(),
        "reason": result.reason.text,
        "failed": failed_side(recorded).map(|side| side.to_string()),
        "verdicts": result.verdicts.each_ref().map(|judged| judged.verdict.to_string()),
        "nodes": limits.nodes,
        "time_ms": limits.time.map(|time| time.as_millis() as u64),
        "proved": found.iter().all(|loss| loss.before.proved && loss.after.proved),
        "worst": worst,
        "moves": found.iter().map(MoveLoss::json).collect::<Vec<_>>(),
    }))
}

fn text_of(
    recorded: &RecordedGame,
    limits: SearchLimits,
    found: &[MoveLoss],
    shown: &[&MoveLoss],
    sides: &[Side],
    file: Option<&str>,
    board: &str,
) -> String {
    let (record, seats) = (&recorded.record, recorded.start.seats());
    let names = [0, 1].map(|at| format!("{} {}", seats[at], line(record.header.agents[at].shown())));
    let mut text =
        format!("{}\n", paint(show::STRONG, format!("{}: {} – {}", recorded.game.title(), names[0], names[1])));
    let result = format!("{}: {}", headline(record, seats), line(&record.result.reason.text));
    for words in fold(&result, 0) {
        let _ = writeln!(text, "{words}");
    }
    if let Some(side) = failed_side(recorded) {
        let lost = format!("{} lost because of this failure, whatever its moves were worth:", names[side.index()]);
        for words in fold(&lost, 0) {
            let _ = writeln!(text, "{}", paint(show::ERROR, words));
        }
        for line in explanation(record, side).iter().skip(1) {
            for words in fold(line, 2) {
                let _ = writeln!(text, "{words}");
            }
        }
        if let Some(again) = file.and_then(|file| failed::remedy(record, file)) {
            let _ = writeln!(text, "  again    {again}");
        }
    }
    let _ = writeln!(text, "{}\n", paint(show::FAINT, judged_by(recorded.game, limits, found)));
    if shown.is_empty() {
        let who = match sides {
            [side] => seats[side.index()],
            _ => "either side",
        };
        let _ = writeln!(text, "no mistake by {who} found at this depth; try a longer search with --time or --nodes");
        return text;
    }
    for loss in shown {
        let seat = seats[loss.side.index()];
        let heading =
            format!("move {}: {seat} {}", loss.ply, both(&loss.played.letters, &loss.played.judged).trim_end());
        let _ = writeln!(text, "{}  {}", paint(show::side(loss.side), heading), loss_text(loss));
        if loss.better.is_empty() {
            let _ = writeln!(text, "{}", show::folded("  better  ", &none_better(limits)));
        } else {
            let better: Vec<&str> = loss.better.iter().map(|m| m.letters.as_str()).collect();
            let _ = writeln!(text, "{}", show::folded("  better  ", &better.join("  ")));
            let follows: Vec<&str> =
                loss.before.line.iter().skip(1).take(MAX_LINE).map(|m| m.letters.as_str()).collect();
            if !follows.is_empty() {
                let _ = writeln!(text, "{}", show::folded("  then    ", &follows.join("  ")));
            }
        }
        let _ = writeln!(text, "  {}", paint(show::FAINT, format!("board   {board} --ply {}", loss.ply)));
    }
    text.push('\n');
    for &side in sides {
        let mine = || found.iter().filter(|loss| loss.side == side);
        let costly = mine().filter(|loss| loss.kind().is_some()).count();
        let moves = show::counted(mine().count() as u64, "move");
        let _ = writeln!(text, "{}: {costly} of {moves} lost something", names[side.index()]);
    }
    text
}

/// Moves of a better line that are shown after the first.
const MAX_LINE: usize = 8;

/// `judged by the champion, 300 000 nodes a position`
fn judged_by(game: Game, limits: SearchLimits, found: &[MoveLoss]) -> String {
    let proved = found.iter().filter(|loss| loss.before.proved).count();
    let proof = match proved {
        0 => String::new(),
        n if n == found.len() => "; every position is proved".to_owned(),
        n => format!("; {n} of {} positions are proved", found.len()),
    };
    let each = match (limits.time, limits.nodes) {
        (Some(time), _) => show::time(time),
        (None, nodes) => format!("{} nodes", show::count(nodes.unwrap_or_default())),
    };
    format!("judged by {}, {each} a position{proof}", champion_name(game))
}
