//! The input of a recorded action of the petri dish.

use std::fmt::Write as _;
use std::io::Write as _;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::game::Bout;
use agon_game::{GameState, Side};
use agon_jobs::Progress as _;
use agon_referee::bout::{self, ActionAnswer, Played};
use agon_referee::process::interrupted;
use agon_referee::record::{AgentNote, RecordEntry, Way};
use agon_referee::text::line;
use anyhow::{bail, ensure};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::options::Format;
use crate::prepare::prepare;
use crate::progress::Bar;
use crate::recorded::RecordedGame;
use crate::show::{self, paint};
use crate::{failed, output};

/// A recorded game up to the requested action.
pub(crate) struct RecordedAction {
    /// Before BEGIN.
    start: Box<dyn GameState>,
    state: Box<dyn GameState>,
    side: Side,
    /// The action's number, from 1.
    pub action: u32,
    actions: u32,
    recorded: RecordEntry,
}

/// Answer of a program, with its name in records.
pub(crate) struct Answered {
    pub answer: ActionAnswer,
    agent: AgentNote,
}

/// Asks a program for an action; `None` if a signal stopped it.
///
/// # Errors
/// If it cannot be asked.
pub(crate) fn ask(recorded: &RecordedGame, program: &str, asked: &RecordedAction) -> anyhow::Result<Option<Answered>> {
    let agent = prepare(recorded.game, agents::parse(recorded.game, program)?, &recorded.record.header.limits)?;
    let answer = seated(recorded, &agent, program, asked)?;
    Ok(answer.map(|answer| Answered { answer, agent: agent.note() }))
}

fn seated(
    recorded: &RecordedGame,
    agent: &PreparedAgent,
    program: &str,
    asked: &RecordedAction,
) -> anyhow::Result<Option<ActionAnswer>> {
    let bout = Bout::new(recorded.game, recorded.setup(), recorded.record.header.limits)?;
    let mut seat = bout.seat(agent, asked.side, None)?;
    match bout::ask(asked.start.as_ref(), asked.state.as_ref(), &mut seat, None) {
        Ok(answer) => Ok(Some(answer)),
        Err(_) if interrupted() => Ok(None),
        Err(fault) => bail!("`{program}` cannot be asked: {fault}"),
    }
}

/// Prints an answer.
pub(crate) fn print(format: Format, asked: &RecordedAction, answered: &Answered) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    match format {
        Format::Json => writeln!(out, "{}", output::json(json_of(asked, &answered.answer)))?,
        Format::Text => write!(out, "{}", text_of(asked, answered))?,
    }
    Ok(())
}

/// Differences that are listed.
const MAX_LISTED: usize = 20;

/// Asks for every action of a side, and compares the results with those of the game.
pub(crate) fn all(recorded: &RecordedGame, program: &str, side: Side, format: Format) -> anyhow::Result<Exit> {
    let agent = prepare(recorded.game, agents::parse(recorded.game, program)?, &recorded.record.header.limits)?;
    let mut answers = recorded.record.entries.iter().filter(|entry| entry.way == Way::From && entry.moment.is_some());
    let mine = recorded.moves.iter().filter(|played| played.side == side).count();
    let bar = Bar::new("{wide_bar} action {pos} of {len}, {eta} left")?;
    bar.start(mine as u64, 0);
    let mut state = recorded.begun.boxed_clone();
    let (mut asked, mut failures) = (0, 0);
    let mut different: Vec<Value> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for (action, played) in (1..).zip(&recorded.moves) {
        if let (true, Some(entry)) = (played.side == side, answers.next()) {
            let (start, before) = (recorded.start.boxed_clone(), state.boxed_clone());
            let actions = recorded.moves.len() as u32;
            let question = RecordedAction { start, state: before, side, action, actions, recorded: entry.clone() };
            let Some(answer) = seated(recorded, &agent, program, &question)? else { return Ok(Exit::Stopped) };
            asked += 1;
            bar.set_position(asked);
            failures += u32::from(answer.remark.is_some());
            if answer.done != played.arguments || answer.remark.is_some() {
                let remark =
                    answer.remark.as_ref().map_or(String::new(), |remark| format!(" ({})", line(&remark.text)));
                lines.push(format!("{action:>6} {}{remark}   in the game {}", answer.done, played.arguments));
                different.push(json_of(&question, &answer));
            }
        } else if played.side != side {
            answers.next();
        }
        state.answer(&played.arguments)?;
    }
    drop(bar);
    let same = asked - different.iter().filter(|found| found["done"] != found["recorded"]["done"]).count() as u64;
    let mut out = anstream::stdout();
    if format == Format::Json {
        let found = json!({
            "side": side.to_string(), "actions": mine, "asked": asked, "same": same, "failed": failures,
            "different": different,
        });
        writeln!(out, "{}", output::json(found))?;
    } else {
        for line in lines.iter().take(MAX_LISTED) {
            writeln!(out, "{line}")?;
        }
        if lines.len() > MAX_LISTED {
            let more = show::counted((lines.len() - MAX_LISTED) as u64, "more difference");
            writeln!(out, "{}", paint(show::FAINT, format!("… and {more}; --format json has all")))?;
        }
        let text = format!("{same} of {} as in the game", show::counted(asked, "action"));
        writeln!(out, "{}", paint(show::STRONG, text))?;
        writeln!(out, "{}", paint(show::FAINT, "asked in a process of its own for each action"))?;
    }
    Ok(if failures == 0 { Exit::Done } else { Exit::No })
}

/// Goes to the action that the user means.
///
/// # Errors
/// If there is no such action of a program.
pub(crate) fn find(
    recorded: &RecordedGame,
    flag: &str,
    action: Option<u32>,
    cell: Option<(usize, usize)>,
) -> anyhow::Result<RecordedAction> {
    let RecordedGame { name: file, record, start, begun, moves, .. } = recorded;
    let header = &record.header;
    let actions = moves.len() as u32;
    ensure!(actions > 0, "the game of `{file}` has no actions: {}", record.result.reason);
    let native = |side: Side| header.agents[side.index()].kind == "builtin";
    let [first, second] = Side::BOTH.map(|side| &header.agents[side.index()].agent);
    if native(Side::First) && native(Side::Second) {
        bail!("`{file}` has no action of a program: {first} and {second} are built-in players");
    }
    let from = action.unwrap_or_else(|| if cell.is_some() { 1 } else { default(moves, &native) });
    ensure!(from <= actions, "{flag} {from}: the game of `{file}` has {actions} actions, numbered from 1");
    let mut state = begun.boxed_clone();
    let mut answers = record.entries.iter().filter(|entry| entry.way == Way::From && entry.moment.is_some());
    for (action, played) in (1..).zip(moves) {
        let recorded = answers.next();
        let here = match cell {
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
            let start = start.boxed_clone();
            return Ok(RecordedAction { start, state, side, action, actions, recorded });
        }
        state.answer(&played.arguments)?;
    }
    let (x, y) = cell.unwrap_or_default();
    bail!("--cell {x},{y}: no program's cell acts on this square from action {from} on, of {actions}")
}

/// The first action of a program that failed, else its first.
fn default(moves: &[Played], native: &dyn Fn(Side) -> bool) -> u32 {
    let first =
        |failed: bool| moves.iter().position(|played| !native(played.side) && (played.remark.is_some() || !failed));
    first(true).or_else(|| first(false)).unwrap_or(0) as u32 + 1
}

/// Returns the actor's action in the game, in the judge's notation.
fn done_in_game(asked: &RecordedAction) -> Option<String> {
    asked.state.boxed_clone().answer(&asked.recorded.line).ok()
}

fn json_of(asked: &RecordedAction, answer: &ActionAnswer) -> Value {
    json!({
        "action": asked.action,
        "actions": asked.actions,
        "side": asked.side.to_string(),
        "cell": asked.state.actor().map(|(x, y)| [x, y]),
        "input": answer.input,
        "answer": answer.answer,
        "stderr": answer.stderr,
        "done": answer.done,
        "remark": answer.remark.as_ref().map(|remark| &remark.text),
        "begin": answer.begin.as_ref().map(|begin| &begin.text),
        "wall_us": answer.moment.wall.as_micros() as u64,
        "cpu_us": answer.moment.cpu.as_micros() as u64,
        "recorded": {
            "answer": asked.recorded.line, "remark": asked.recorded.remark_text(), "done": done_in_game(asked),
        },
    })
}

fn text_of(asked: &RecordedAction, Answered { answer, agent }: &Answered) -> String {
    let actor = asked.state.actor();
    let cell = actor.map_or(String::new(), |(x, y)| format!(": the cell on ({x},{y}) of {}", asked.side));
    let mut text = format!("{}\n", paint(show::STRONG, format!("action {} of {}{cell}", asked.action, asked.actions)));
    failed::input(&mut text, &answer.input, actor);
    let label = |name: &str| paint(show::FAINT, format!("{name:<11}"));
    let _ = writeln!(text, "  {}  {}", label("answer"), failed::answer(&answer.answer, 0));
    failed::stderr(&mut text, &answer.stderr, agent);
    if let Some(begin) = &answer.begin {
        let _ = writeln!(text, "  {}  {}", label("BEGIN"), paint(show::WARN, line(&begin.text)));
    }
    let judged = match &answer.remark {
        None => paint(show::GOOD, &answer.done),
        Some(remark) => paint(show::ERROR, format!("{} instead: {}", answer.done, line(&remark.text))),
    };
    let _ = writeln!(text, "  {}  {judged}", label("judge"));
    let (wall, cpu) = (show::time(answer.moment.wall), show::time(answer.moment.cpu));
    let _ = writeln!(text, "  {}  {wall}, {cpu} of CPU time", label("time"));
    let recorded = &asked.recorded;
    let remark = recorded.remark.as_ref().map_or(String::new(), |remark| format!(" ({})", line(&remark.text)));
    let shown = failed::answer(&recorded.line, recorded.cut);
    let _ = writeln!(text, "  {}  {shown}{remark}", label("in the game"));
    text
}
