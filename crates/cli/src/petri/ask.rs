//! `agon petri ask`: a recorded input, given to a program again.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use agon_arena::agents;
use agon_arena::game::Bout;
use agon_catalog::Setup;
use agon_game::{GameState, Side};
use agon_referee::bout::{self, ActionAnswer, Played};
use agon_referee::record::{AgentNote, Record, RecordEntry, Way};
use agon_referee::replay::{begin, prove};
use agon_referee::text::line;
use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::jail::JailArgs;
use crate::options::{Format, OutputArgs};
use crate::prepare::prepare;
use crate::show::{self, paint};
use crate::{failed, input, signals};

const ASK_HELP: &str = "\
Actions are numbered from 1 through the whole game, as `agon play` and `agon
replay` show them; squares from 0, as programs count. The default is the first
action of a program that failed, else the first action of a program.

The program gets the input, the seed (AGON_SEED) and the limits of the recorded
game. One that stays alive (LOOP) gets BEGIN and then only this input.

Examples:
  agon petri ask cell.py --record game.jsonl
  agon petri ask cell.py --record game.jsonl --action 12
  agon petri ask cell.py --record game.jsonl --action 12 --cell 3,1";

#[derive(Args, Debug)]
#[command(after_help = ASK_HELP)]
pub struct AskArgs {
    /// The program: a source file, a command in quotes, or a species (see `agon games`)
    pub program: String,
    /// The record of a game of the petri dish
    #[arg(long, value_name = "FILE")]
    pub record: PathBuf,
    /// Number of the action, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub action: Option<u32>,
    /// The next action of a cell on this square, from --action on: column and row, from 0
    #[arg(long, value_name = "X,Y", value_parser = square)]
    pub cell: Option<(usize, usize)>,
    #[command(flatten)]
    pub jail: JailArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `3,1`.
fn square(text: &str) -> Result<(usize, usize), String> {
    let parts = text.trim_start_matches('(').trim_end_matches(')').split_once(',');
    let square = parts.and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    square.ok_or_else(|| "X,Y expected, column and row counted from 0, as 3,1".to_owned())
}

/// A recorded game up to the action that is asked for.
struct RecordedAction {
    /// Before BEGIN.
    start: Box<dyn GameState>,
    state: Box<dyn GameState>,
    side: Side,
    /// The action's number, from 1.
    action: u32,
    actions: u32,
    recorded: RecordEntry,
}

pub fn run(args: &AskArgs) -> anyhow::Result<Exit> {
    let record = read(args)?;
    let asked = find(args, &record)?;
    let limits = record.header.limits;
    signals::watch()?;
    args.jail.choose(agon_arena::petri::GAME, [&*args.program])?;
    let agent = prepare(agon_arena::petri::GAME, agents::parse(agon_arena::petri::GAME, &args.program)?, &limits)?;
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    let mut seat = Bout::new(agon_arena::petri::GAME, setup, limits)?.seat(&agent, asked.side, None)?;
    let answer = match bout::ask(asked.start.as_ref(), asked.state.as_ref(), &mut seat) {
        Ok(answer) => answer,
        Err(_) if agon_referee::process::interrupted() => return Ok(Exit::Stopped),
        Err(fault) => bail!("`{}` cannot be asked: {fault}", args.program),
    };
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => writeln!(out, "{}", crate::output::json(json_of(&asked, &answer)))?,
        Format::Text => write!(out, "{}", text_of(&asked, &answer, &agent.note()))?,
    }
    Ok(Exit::Done)
}

fn read(args: &AskArgs) -> anyhow::Result<Record> {
    let file = args.record.display();
    let text = input::text(&args.record)?;
    let record = Record::read(&text).with_context(|| format!("`{file}` is not a record of a game"))?;
    let game = &record.header.game;
    ensure!(game == agon_arena::petri::GAME.name(), "`{file}` is a record of {game}: a record of petri expected");
    Ok(record)
}

/// Goes to the action that the user means.
fn find(args: &AskArgs, record: &Record) -> anyhow::Result<RecordedAction> {
    let file = args.record.display();
    let header = &record.header;
    let setup = Setup { seed: header.seed, parameters: header.parameters.clone() };
    let start = agon_arena::petri::GAME.initial_state(&setup).with_context(|| format!("`{file}`"))?;
    let moves = prove(record, start.boxed_clone().as_mut()).with_context(|| format!("`{file}` breaks the rules"))?;
    let actions = moves.len() as u32;
    ensure!(actions > 0, "the game of `{file}` has no actions: {}", record.result.reason);
    let native = |side: Side| header.agents[side.index()].kind == "builtin";
    let [first, second] = Side::BOTH.map(|side| &header.agents[side.index()].agent);
    if native(Side::First) && native(Side::Second) {
        bail!("`{file}` has no action of a program: {first} and {second} are built-in players");
    }
    let from = args.action.unwrap_or_else(|| if args.cell.is_some() { 1 } else { default(&moves, &native) });
    ensure!(from <= actions, "--action {from}: the game of `{file}` has {actions} actions, numbered from 1");
    let mut state = start.boxed_clone();
    begin(record, state.as_mut());
    let mut answers = record.entries.iter().filter(|entry| entry.way == Way::From && entry.moment.is_some());
    for (action, played) in (1..).zip(&moves) {
        let recorded = answers.next();
        let here = match args.cell {
            None => action == from,
            // The other side's cells are passed over: their program is another.
            Some(cell) => action >= from && state.actor() == Some(cell) && !native(played.side),
        };
        if let (true, Some(recorded)) = (here, recorded) {
            if native(played.side) {
                let agent = &header.agents[played.side.index()].agent;
                let next = moves[action as usize..].iter().position(|played| !native(played.side));
                let next =
                    next.map_or(String::new(), |at| format!("; the next of a program is {}", action as usize + at + 1));
                bail!("action {action} of `{file}` is one of {agent}, a built-in player{next}");
            }
            let (side, recorded) = (played.side, recorded.clone());
            return Ok(RecordedAction { start, state, side, action, actions, recorded });
        }
        state.answer(&played.arguments)?;
    }
    let (x, y) = args.cell.unwrap_or_default();
    bail!("--cell {x},{y}: no program's cell acts on this square from action {from} on, of {actions}")
}

/// The first action of a program that failed, else its first.
fn default(moves: &[Played], native: &dyn Fn(Side) -> bool) -> u32 {
    let first =
        |failed: bool| moves.iter().position(|played| !native(played.side) && (played.remark.is_some() || !failed));
    first(true).or_else(|| first(false)).unwrap_or(0) as u32 + 1
}

fn json_of(asked: &RecordedAction, answer: &ActionAnswer) -> serde_json::Value {
    json!({
        "action": asked.action,
        "actions": asked.actions,
        "side": asked.side.to_string(),
        "cell": asked.state.actor().map(|(x, y)| [x, y]),
        "input": answer.input,
        "answer": answer.answer,
        "stderr": answer.stderr,
        "done": answer.done,
        "remark": answer.remark,
        "begin": answer.begin,
        "wall_us": answer.moment.wall.as_micros() as u64,
        "cpu_us": answer.moment.cpu.as_micros() as u64,
        "recorded": { "answer": asked.recorded.line, "remark": asked.recorded.remark },
    })
}

fn text_of(asked: &RecordedAction, answer: &ActionAnswer, agent: &AgentNote) -> String {
    let actor = asked.state.actor();
    let cell = actor.map_or(String::new(), |(x, y)| format!(": the cell on ({x},{y}) of {}", asked.side));
    let mut text = format!("{}\n", paint(show::STRONG, format!("action {} of {}{cell}", asked.action, asked.actions)));
    failed::input(&mut text, &answer.input, actor);
    let label = |name: &str| paint(show::FAINT, format!("{name:<11}"));
    let _ = writeln!(text, "  {}  {}", label("answer"), failed::answer(&answer.answer, 0));
    failed::stderr(&mut text, &answer.stderr, agent);
    if let Some(begin) = &answer.begin {
        let _ = writeln!(text, "  {}  {}", label("BEGIN"), paint(show::WARN, line(begin)));
    }
    let judged = match &answer.remark {
        None => paint(show::GOOD, &answer.done),
        Some(remark) => paint(show::ERROR, format!("{} instead: {}", answer.done, line(remark))),
    };
    let _ = writeln!(text, "  {}  {judged}", label("judge"));
    let (wall, cpu) = (show::time(answer.moment.wall), show::time(answer.moment.cpu));
    let _ = writeln!(text, "  {}  {wall}, {cpu} of CPU time", label("time"));
    let recorded = &asked.recorded;
    let remark = recorded.remark.as_ref().map_or(String::new(), |remark| format!(" ({})", line(remark)));
    let shown = failed::answer(&recorded.line, recorded.cut);
    let _ = writeln!(text, "  {}  {shown}{remark}", label("in the game"));
    text
}
