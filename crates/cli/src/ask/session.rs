//! Questions of a recorded session: OPP and TURN, from the start of the game on.

use std::fmt::Write as _;
use std::io::Write as _;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::game::Bout;
use agon_arena::transcript::by_own_names;
use agon_catalog::OPENING;
use agon_game::Side;
use agon_jobs::Progress as _;
use agon_referee::agent::AgentSpec;
use agon_referee::bout::{AskedAgain, RecordedTurn, TurnAnswer, recorded_turns};
use agon_referee::limits::GameLimits;
use agon_referee::process::interrupted;
use agon_referee::text::line;
use agon_referee::verdict::{AgentVerdict, Verdict};
use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use super::args::{AskArgs, side};
use crate::exit::Exit;
use crate::failure::fold;
use crate::moves::both;
use crate::options::Format;
use crate::prepare::prepare;
use crate::progress::Bar;
use crate::recorded::{RecordedGame, in_opening};
use crate::show::{self, paint};
use crate::{failed, output};

/// A program, and the game whose questions it is asked.
struct Asking<'a> {
    recorded: &'a RecordedGame,
    agent: PreparedAgent,
    limits: GameLimits,
    side: Side,
    program: &'a str,
    /// True if it accepts the moves before a position.
    opens: bool,
}

/// An answer, and how the program came to its question.
struct Answered<'a> {
    turn: &'a RecordedTurn,
    answer: TurnAnswer,
    /// True in a process of its own, which received the moves before as OPENING lines.
    opened: bool,
}

pub(super) fn run(args: &AskArgs, recorded: &RecordedGame, program: &str) -> anyhow::Result<Exit> {
    let turns = recorded_turns(&recorded.record, recorded.start.as_ref());
    let side = if args.all { side(args, recorded, program)? } else { turn(args, recorded, &turns)?.side };
    let limits = recorded.record.header.limits;
    let limits = limits.with_clock(limits.clock_of(side));
    let spec = agents::parse(recorded.game, program)?;
    let opens = args.openings_understood || matches!(spec, AgentSpec::Builtin { .. });
    let agent = prepare(recorded.game, spec, &limits)?;
    let asking = Asking { recorded, agent, limits, side, program, opens };
    let mine: Vec<&RecordedTurn> = turns.iter().filter(|turn| turn.side == side).collect();
    let last = turns.last().map_or(0, |turn| turn.ply);
    if args.all {
        let Some(answers) = asking.all(&mine)? else { return Ok(Exit::Stopped) };
        return print_all(args.output.format, &asking, &mine, &answers);
    }
    let wanted = turn(args, recorded, &turns)?;
    let Some(answered) = asking.one(&mine, wanted)? else { return Ok(Exit::Stopped) };
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => writeln!(out, "{}", output::json(json_of(&answered)))?,
        Format::Text => write!(out, "{}", text_of(&asking, &answered, last))?,
    }
    Ok(if answered.answer.played.is_ok() { Exit::Done } else { Exit::No })
}

/// The question that the user means: that of --ply, or else the one at which the game failed.
fn turn<'a>(args: &AskArgs, recorded: &RecordedGame, turns: &'a [RecordedTurn]) -> anyhow::Result<&'a RecordedTurn> {
    let name = &recorded.name;
    if let Some(ply) = args.ply {
        return turns.iter().find(|turn| turn.ply == ply).with_context(|| match turns.last() {
            Some(last) if ply < last.ply => in_opening("--ply", ply, recorded.opening()),
            last => {
                let moves = last.map_or(0, |turn| turn.ply);
                format!("--ply {ply}: the game of `{name}` has {}", show::counted(moves.into(), "move"))
            }
        });
    }
    let failed = turns.last().filter(|turn| turn.played.is_none());
    failed.with_context(|| format!("no agent failed in `{name}`: name a move with --ply N, or compare all with --all"))
}

impl Asking<'_> {
    /// A program that has answered READY after these moves, if they are sent; `ask` asks it.
    fn with_program<T>(
        &self,
        before: Option<&RecordedTurn>,
        ask: impl FnOnce(&mut AskedAgain) -> T,
    ) -> anyhow::Result<Option<T>> {
        let mut setup = self.recorded.setup();
        if let Some(turn) = before {
            let before = (turn.ply - self.recorded.opening() - 1) as usize;
            let moves = self.recorded.moves[..before].iter().map(|played| played.arguments.as_str());
            let opening = setup.opening().chain(moves).collect::<Vec<_>>().join("/");
            if !opening.is_empty() {
                setup.parameters.insert(OPENING.name.to_owned(), opening);
            }
        }
        let bout = Bout::new(self.recorded.game, setup, self.limits)?;
        let seat = bout.seat(&self.agent, self.side, None)?;
        let asked = AskedAgain::begin(seat, self.side, &bout.state().preamble_of(self.side), &self.limits);
        match asked {
            Ok(mut asked) => {
                let answer = ask(&mut asked);
                Ok((!interrupted()).then_some(answer))
            }
            Err(_) if interrupted() => Ok(None),
            Err(fault) => bail!("`{}` cannot be asked: {fault}", self.program),
        }
    }

    /// Asks one process question after question, as long as its answers match the game.
    fn in_one_process<'a>(&self, turns: &[&'a RecordedTurn], bar: &Bar) -> anyhow::Result<Option<Vec<Answered<'a>>>> {
        self.with_program(None, |program| {
            let mut answers = Vec::new();
            for (at, &turn) in turns.iter().enumerate() {
                let answer = program.ask(turn, true);
                let same = is_same(turn, &answer);
                answers.push(Answered { turn, answer, opened: false });
                bar.set_position(at as u64 + 1);
                if !same || interrupted() {
                    break;
                }
            }
            answers
        })
    }

    /// Asks a new process, which receives the moves before.
    fn opened<'a>(&self, turn: &'a RecordedTurn) -> anyhow::Result<Option<Answered<'a>>> {
        let answer = self.with_program(Some(turn), |program| program.ask(turn, false))?;
        Ok(answer.map(|answer| Answered { turn, answer, opened: true }))
    }

    fn one<'a>(&self, mine: &[&'a RecordedTurn], wanted: &'a RecordedTurn) -> anyhow::Result<Option<Answered<'a>>> {
        let upto: Vec<&RecordedTurn> = mine.iter().filter(|turn| turn.ply <= wanted.ply).copied().collect();
        let bar = Bar::new("{wide_bar} move {pos} of {len}")?;
        bar.start(upto.len() as u64, 0);
        let Some(mut answers) = self.in_one_process(&upto, &bar)? else { return Ok(None) };
        let Some(last) = answers.pop() else { return Ok(None) };
        if last.turn.ply == wanted.ply {
            return Ok(Some(last));
        }
        if self.opens {
            return self.opened(wanted);
        }
        let recorded = last.turn.played.as_ref().map_or("no move", |(_, letters)| letters.as_str());
        let said = match &last.answer.played {
            Ok((_, letters)) => format!("plays {letters}"),
            Err(fault) => format!("fails ({})", fault.headline()),
        };
        bail!(
            "`{}` does not come to move {}: at move {} it {said} where the game has {recorded}; if it understands \
             OPENING lines, say --openings-understood, and it is sent the moves before{}",
            self.program,
            wanted.ply,
            last.turn.ply,
            self.of_builtin(wanted)
        )
    }

    /// Returns a remark about a move that a built-in player made against a program: the user may have meant another
    /// one.
    fn of_builtin(&self, wanted: &RecordedTurn) -> String {
        let (agents, at) = (&self.recorded.record.header.agents, wanted.side.index());
        if agents[at].is_program() || !agents[1 - at].is_program() {
            return String::new();
        }
        let seats = self.recorded.start.seats();
        let [own, other] = [&agents[at], &agents[1 - at]].map(|agent| line(&agent.agent));
        format!(" (move {} is that of {own}, {}; `{other}` was {})", wanted.ply, seats[at], seats[1 - at])
    }

    fn all<'a>(&self, mine: &[&'a RecordedTurn]) -> anyhow::Result<Option<Vec<Answered<'a>>>> {
        let bar = Bar::new("{wide_bar} move {pos} of {len}, {eta} left")?;
        bar.start(mine.len() as u64, 0);
        let Some(mut answers) = self.in_one_process(mine, &bar)? else { return Ok(None) };
        if self.opens {
            for turn in &mine[answers.len()..] {
                let Some(answer) = self.opened(turn)? else { return Ok(None) };
                answers.push(answer);
                bar.set_position(answers.len() as u64);
            }
        }
        Ok(Some(answers))
    }
}

fn is_same(turn: &RecordedTurn, answer: &TurnAnswer) -> bool {
    let (Some((recorded, _)), Ok((found, _))) = (&turn.played, &answer.played) else { return false };
    recorded == found
}

fn json_of(Answered { turn, answer, opened }: &Answered<'_>) -> Value {
    let fault = answer.played.as_ref().err().map(|fault| AgentVerdict::from(Some(fault.clone())));
    let (played, letters) = answer.played.as_ref().ok().cloned().unzip();
    let (recorded, recorded_letters) = turn.played.clone().unzip();
    json!({
        "ply": turn.ply,
        "side": turn.side.to_string(),
        "input": turn.lines,
        "opened": opened,
        "answer": answer.line,
        "move": played,
        "letters": letters,
        "same": is_same(turn, answer),
        "verdict": fault.as_ref().map_or(Verdict::Ok, |judged| judged.verdict).to_string(),
        "reason": fault.as_ref().and_then(|judged| judged.reason_text()),
        "cause": fault.as_ref().and_then(AgentVerdict::cause_text),
        "score": answer.evaluation.map(|evaluation| evaluation.to_string()),
        "stderr": answer.messages,
        "wall_us": answer.moment.wall.as_micros() as u64,
        "cpu_us": answer.moment.cpu.as_micros() as u64,
        "recorded": {
            "answer": turn.recorded.as_ref().map(|entry| entry.line.as_str()),
            "move": recorded,
            "letters": recorded_letters,
        },
    })
}

/// Returns the answer in the game.
fn recorded_text(recorded: &RecordedGame, turn: &RecordedTurn) -> String {
    let failed = || {
        let judged = &recorded.record.result.verdicts[turn.side.index()];
        let reason = judged.reason_text().map_or(String::new(), |reason| format!(": {}", line(reason)));
        format!("{}{reason}", judged.verdict)
    };
    match (&turn.played, &turn.recorded) {
        (Some((arguments, letters)), Some(entry)) => {
            let time = entry.moment.map_or(String::new(), |moment| format!("   in {}", show::time(moment.wall)));
            format!("{}{time}", both(letters, arguments))
        }
        (_, Some(entry)) => format!("{}   {}", failed::answer(&entry.line, entry.cut), failed()),
        (_, None) => format!("no answer   {}", failed()),
    }
}

fn text_of(asking: &Asking<'_>, answered: &Answered<'_>, last: u32) -> String {
    let Answered { turn, answer, opened } = answered;
    let label = |name: &str| format!("  {}  ", paint(show::FAINT, format!("{name:<11}")));
    let seat = turn.before.seats()[turn.side.index()];
    let mut text = paint(show::STRONG, format!("move {} of {last}: {} ({seat})", turn.ply, turn.side));
    text.push('\n');
    let how =
        if *opened { "a new process, sent the moves before as OPENING lines" } else { "one process from the start" };
    let _ = writeln!(text, "{}{how}", label("asked"));
    let lines = if *opened { &turn.lines[turn.lines.len() - 1..] } else { &turn.lines[..] };
    for (row, said) in lines.iter().enumerate() {
        let _ = writeln!(text, "{}{}", label(if row == 0 { "input" } else { "" }), line(said));
    }
    let time = show::time(answer.moment.wall);
    match (&answer.played, &answer.line) {
        (Ok((arguments, letters)), _) => {
            let score = answer.evaluation.map_or_else(String::new, |said| format!("   {said}"));
            let _ = writeln!(text, "{}{}   in {time}{score}", label("answer"), both(letters, arguments));
        }
        (Err(_), Some(said)) => {
            let _ = writeln!(text, "{}{}   in {time}", label("answer"), failed::answer(said, 0));
        }
        (Err(_), None) => {
            let _ = writeln!(text, "{}nothing", label("answer"));
        }
    }
    match &answer.played {
        Ok(_) => {
            let words = if is_same(turn, answer) { "legal, and the move of the game" } else { "legal, another move" };
            let _ = writeln!(text, "{}{}", label("judge"), paint(show::GOOD, words));
        }
        Err(fault) => {
            let judged = AgentVerdict::from(Some(fault.clone()));
            let _ = writeln!(text, "{}{}", label("judge"), paint(show::ERROR, judged.verdict));
            let own = |words: &String| fold(&by_own_names(words, &asking.agent.note()), 4);
            for words in judged.explanation().iter().flat_map(own) {
                let _ = writeln!(text, "{words}");
            }
        }
    }
    if let Some(messages) = &answer.messages {
        failed::stderr(&mut text, messages, &asking.agent.note());
    }
    let _ = writeln!(text, "{}{}", label("in the game"), recorded_text(asking.recorded, turn));
    text
}

/// Prints all answers beside those of the game.
fn print_all(
    format: Format,
    asking: &Asking<'_>,
    mine: &[&RecordedTurn],
    answers: &[Answered<'_>],
) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    let same = answers.iter().filter(|answered| is_same(answered.turn, &answered.answer)).count();
    let failures = answers.iter().filter(|answered| answered.answer.played.is_err()).count();
    let missing = mine.len() - answers.len();
    if format == Format::Json {
        let found = json!({
            "side": asking.side.to_string(), "moves": mine.len(), "asked": answers.len(), "same": same,
            "failed": failures, "answers": answers.iter().map(json_of).collect::<Vec<_>>(),
        });
        writeln!(out, "{}", output::json(found))?;
    } else {
        for answered in answers {
            writeln!(out, "{}", row(asking.recorded, answered))?;
        }
        writeln!(out, "{}", summary(same, answers.len()))?;
        let processes = answers.iter().filter(|answered| answered.opened).count();
        let asked = match processes {
            0 => "asked in one process from the start".to_owned(),
            1 => "the last move was asked for in a new process, sent the moves before as OPENING lines".to_owned(),
            n => format!(
                "the last {n} moves were asked for in a new process each, sent the moves before as OPENING lines"
            ),
        };
        writeln!(out, "{}", paint(show::FAINT, asked))?;
        if missing > 0 {
            let count = show::counted(missing as u64, "later move");
            let words = format!(
                "{count} not asked for: after another answer the protocol cannot describe the rest of the game; a \
                 program that understands OPENING lines is asked with --openings-understood"
            );
            writeln!(out, "{}", show::folded("", &words))?;
        }
    }
    Ok(if failures == 0 { Exit::Done } else { Exit::No })
}

fn summary(same: usize, asked: usize) -> String {
    paint(show::STRONG, format!("{same} of {} as in the game", show::counted(asked as u64, "answer")))
}

/// `  12 H8    8 8       0.21 ms   I7    9 7       another move`
fn row(recorded: &RecordedGame, answered: &Answered<'_>) -> String {
    let Answered { turn, answer, .. } = answered;
    let said = match &answer.played {
        Ok((arguments, letters)) => both(letters, arguments),
        Err(fault) => format!("{} ", fault.verdict),
    };
    let text = format!("{:>4} {said:<17} {:>8}", turn.ply, show::time(answer.moment.wall));
    if is_same(turn, answer) {
        return format!("{text}   {}", paint(show::FAINT, "as in the game"));
    }
    let game = recorded_text(recorded, turn);
    let text = format!("{text}   {}", paint(show::WARN, format!("in the game {game}")));
    match &answer.played {
        Ok(_) => text,
        Err(fault) => format!("{text}\n{}", fold(&line(&fault.reason.text), 7).join("\n")),
    }
}
