//! Programs that play on boards: those of the user of `agon board`, and those of a site. They play in their jails, on
//! their clocks, as before the judge.
//!
//! A program is asked in one process for as long as the game continues as it knows it. After a take-back, or when a
//! game is reopened, a new process replays its own moves from the start; if it now plays differently, another process
//! receives the earlier moves as OPENING lines.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::game::Bout;
use agon_arena::transcript::{by_own_names, without_cache};
use agon_catalog::{Game, OPENING, POSITION, Setup};
use agon_game::{GameState, Side};
use agon_message::English;
use agon_referee::bout::{AskedAgain, RecordedTurn, TurnAnswer};
use agon_referee::limits::GameLimits;
use agon_referee::record::AgentNote;
use agon_referee::text::plain;
use agon_referee::verdict::{AgentVerdict, Fault};
use axum::Extension;
use axum::extract::rejection::JsonRejection;
use serde::Serialize;
use tokio::sync::oneshot;

use crate::analysis::{BoardMove, BoardQuestion, QuestionError, Unanswered};
use crate::json::Json;
use crate::limits::LimitedActor;
use crate::limits::{Bound, Place, Places};
use crate::text::stated;

/// How pages refer to the program with a given number.
const PREFIX: &str = "agent:";

/// How many agents of `agon board` play at once.
const LOCAL: Bound = Bound { each: 8, all: 8 };

/// Who asks them: the user of this machine, whatever the page.
const USER: LimitedActor = LimitedActor::Address(IpAddr::V4(Ipv4Addr::LOCALHOST));

/// How a page refers to the program with this number.
pub fn called(number: i64) -> String {
    format!("{PREFIX}{number}")
}

/// The number of the program that a page asks.
pub fn number_of(question: &BoardQuestion) -> Option<i64> {
    question.engine.as_ref()?.strip_prefix(PREFIX)?.parse().ok()
}

/// A program that can be asked on a board.
pub struct BoardProgram<'a> {
    /// What distinguishes it from all others, and a version from the previous one.
    pub key: String,
    /// Its name for display.
    pub name: &'a str,
    /// Whose game it is in: a page, or an account.
    pub client: String,
    pub limits: GameLimits,
    /// When its answer becomes useless; then it is out of time.
    pub until: Option<Instant>,
    /// Whether a page's clock gives it no more than its limits.
    pub is_capped: bool,
    /// Makes it ready to play a game, or says why it cannot be.
    pub prepare: &'a dyn Fn(Game) -> Result<PreparedAgent, String>,
    /// Its output, with the names that its author knows; `None` if this is another user's program.
    pub shown: Option<&'a dyn Fn(&str) -> String>,
}

impl BoardProgram<'_> {
    /// A fault in words, in the language of the request.
    fn said(&self, fault: &Fault) -> String {
        let lines = AgentVerdict::from(Some(fault.clone())).lines();
        // After the reason comes the program's output.
        let words = lines.iter().take(if self.shown.is_some() { 4 } else { 1 }).map(stated);
        let text = words.collect::<Vec<_>>().join("; ");
        self.shown.map_or_else(|| without_cache(&text), |shown| shown(&text))
    }
}

/// A program in the middle of a game.
struct Playing {
    key: String,
    client: String,
    side: Side,
    /// How its game begins.
    setup: (Option<String>, Setup),
    /// The moves that it knows.
    moves: Vec<String>,
    program: AskedAgain,
    /// How much of the game's time it has used, if the page has no clock.
    used: Duration,
    /// When it last answered.
    answered: Instant,
}

/// The programs that play on boards, and how many may.
pub struct BoardTable {
    /// For one client, and in all. The one that was asked longest ago is ended for another one.
    bound: Bound,
    playing: Mutex<Vec<Playing>>,
    /// For programs that are being asked.
    places: Places,
}

/// The move of a program.
#[derive(Debug, Serialize)]
pub struct AgentMove {
    #[serde(rename = "move")]
    judged: Option<String>,
    letters: Option<String>,
    /// Its score for its position, if it gave one.
    score: Option<String>,
    ms: f64,
    /// Its error stream in the meantime.
    stderr: Option<String>,
    /// Why it has lost, if it has.
    fault: Option<String>,
    /// It received the earlier moves as OPENING lines.
    opened: bool,
}

impl BoardTable {
    /// For this many programs at once.
    pub fn new(bound: Bound) -> Self {
        Self { bound, playing: Mutex::default(), places: Places::new(bound) }
    }

    /// A place for a program that will be asked.
    ///
    /// # Errors
    /// [`QuestionError::full`] if as many programs as possible are playing.
    pub fn place(&self, holder: LimitedActor) -> Result<Place, QuestionError> {
        self.places.take(holder, 1).map_err(|full| QuestionError::full(full, Unanswered::ProgramsFull))
    }

    /// Ends the programs that have not been asked for this long.
    pub fn end_idle(&self, idle: Duration) {
        let ended: Vec<Playing> = self.playing().extract_if(.., |one| one.answered.elapsed() >= idle).collect();
        // An end takes its time: others play on meanwhile.
        drop(ended);
    }

    /// How many programs play.
    pub fn count(&self) -> usize {
        self.playing().len()
    }

    fn playing(&self) -> MutexGuard<'_, Vec<Playing>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The move of a program in a position.
    ///
    /// # Errors
    /// What is wrong with the question, or why the program cannot play.
    pub fn reply(&self, question: &BoardQuestion, program: &BoardProgram) -> Result<AgentMove, QuestionError> {
        let game = question.play()?;
        let side = game.state.turn().ok_or_else(|| QuestionError::new(&"the game is over"))?;
        let mut setup = Setup { seed: question.seed, parameters: question.parameters.clone() };
        if let Some(position) = &question.position {
            if !game.game.has_parameter(POSITION.name) {
                return Err(QuestionError::new(&format!(
                    "the protocol has no line for a position of {}: begin at the start, or after moves",
                    game.game
                )));
            }
            setup.parameters.insert(POSITION.name.to_owned(), position.clone());
        }
        let asking =
            Asking { table: self, program, question, side, setup, moves: &game.moves, state: game.state.as_ref() };
        asking.answer(game.game)
    }
}

/// Asks a program on its own thread, which keeps its place until the answer.
///
/// # Errors
/// Any error of `ask`; [`QuestionError::busy`] when it cannot be asked.
pub async fn asked(
    place: impl Send + 'static,
    ask: impl FnOnce() -> Result<AgentMove, QuestionError> + Send + 'static,
) -> Result<AgentMove, QuestionError> {
    let (send, answer) = oneshot::channel();
    let asks = move || {
        let answer = ask();
        drop(place);
        let _ = send.send(answer);
    };
    let started = thread::Builder::new().name("agent".to_owned()).spawn(asks);
    started.map_err(|error| QuestionError::busy(English(format!("no agent can be asked: {error}"))))?;
    answer.await.map_err(|_| QuestionError::busy(Unanswered::NoReply))?
}

/// A question to a program.
struct Asking<'a> {
    table: &'a BoardTable,
    program: &'a BoardProgram<'a>,
    question: &'a BoardQuestion,
    side: Side,
    setup: Setup,
    moves: &'a [BoardMove],
    state: &'a dyn GameState,
}

impl Asking<'_> {
    fn answer(&self, game: Game) -> Result<AgentMove, QuestionError> {
        let key = (self.question.position.clone(), self.setup.clone());
        let known = self.take(&key);
        let (mut program, used, opened) = match known {
            Some(Playing { program, used, .. }) => (program, used, false),
            None => self.started(game)?,
        };
        let answer = program.ask(&self.turn(used), !opened);
        let fault = answer.played.as_ref().err().map(|fault| self.program.said(fault));
        let played = answer.played.as_ref().ok().cloned();
        if let Some((judged, _)) = &played {
            let mut moves: Vec<String> = self.moves.iter().map(|m| m.judged.clone()).collect();
            moves.push(judged.clone());
            self.keep(Playing {
                key: self.program.key.clone(),
                client: self.program.client.clone(),
                side: self.side,
                setup: key,
                moves,
                program,
                used: used + answer.moment.wall,
                answered: Instant::now(),
            });
        }
        Ok(self.shown(answer, played, fault, opened))
    }

    fn shown(
        &self,
        answer: TurnAnswer,
        played: Option<(String, String)>,
        fault: Option<String>,
        opened: bool,
    ) -> AgentMove {
        let (judged, letters) = played.unzip();
        let messages = self.program.shown.zip(answer.messages);
        AgentMove {
            judged,
            letters,
            score: answer.evaluation.map(|evaluation| evaluation.to_string()),
            ms: (answer.moment.wall.as_secs_f64() * 1e6).round() / 1000.0,
            stderr: messages.map(|(shown, messages)| plain(&shown(&messages))),
            fault,
            opened,
        }
    }

    /// The program that knows the game up to the opponent's last move.
    fn take(&self, setup: &(Option<String>, Setup)) -> Option<Playing> {
        let mut playing = self.table.playing();
        let BoardProgram { key, client, .. } = self.program;
        let mine = |known: &Playing| (&known.key, known.side, &known.client) == (key, self.side, client);
        let at = playing.iter().position(mine)?;
        // One that knows another game is of no use any more.
        let known = playing.remove(at);
        let before = &self.moves[..self.moves.len().saturating_sub(1)];
        let fits = known.setup == *setup && before.iter().map(|m| &m.judged).eq(&known.moves);
        fits.then_some(known)
    }

    fn keep(&self, program: Playing) {
        let mut playing = self.table.playing();
        let count = |client: &str| playing.iter().filter(|one| one.client == client).count();
        let is_full = playing.len() >= self.table.bound.all;
        if is_full || count(&program.client) >= self.table.bound.each {
            // The client with the most programs makes room.
            let most = playing.iter().map(|one| count(&one.client)).max().unwrap_or_default();
            let may_end =
                |one: &Playing| if is_full { count(&one.client) == most } else { one.client == program.client };
            let ended = (0..playing.len()).filter(|&at| may_end(&playing[at]));
            if let Some(oldest) = ended.min_by_key(|&at| playing[at].answered) {
                playing.remove(oldest);
            }
        }
        playing.push(program);
    }

    /// A program that has reached this position: by its own moves from the start, or else by OPENING lines.
    fn started(&self, game: Game) -> Result<(AskedAgain, Duration, bool), QuestionError> {
        let BoardProgram { limits, name, .. } = self.program;
        let refused = |error: &dyn std::fmt::Display| QuestionError::new(&format!("`{name}`: {error}"));
        let agent = (self.program.prepare)(game).map_err(|error| refused(&error))?;
        let begin = |setup: Setup| {
            let bout = Bout::new(game, setup, *limits).map_err(|error| refused(&error))?;
            let seat = bout.seat(&agent, self.side, None).map_err(|error| refused(&error))?;
            let program = AskedAgain::begin(seat, self.side, &bout.state().preamble_of(self.side), limits);
            let program = program.map_err(|fault| refused(&self.program.said(&fault)))?;
            Ok::<_, QuestionError>((program, bout.state().boxed_clone()))
        };
        let (mut program, start) = begin(self.setup.clone())?;
        let mut used = Duration::ZERO;
        if self.replays(&mut program, start, &mut used) {
            return Ok((program, used, false));
        }
        // Two of them would need twice the memory.
        drop(program);
        let mut setup = self.setup.clone();
        let opening: Vec<&str> = setup.opening().chain(self.moves.iter().map(|m| m.judged.as_str())).collect();
        let opening = opening.join("/");
        setup.parameters.insert(OPENING.name.to_owned(), opening);
        let (program, _) = begin(setup)?;
        Ok((program, Duration::ZERO, true))
    }

    /// Asks a program for its own moves up to this position; false if it plays another one.
    fn replays(&self, program: &mut AskedAgain, mut state: Box<dyn GameState>, used: &mut Duration) -> bool {
        let limits = &self.program.limits;
        let mut last = None;
        for m in self.moves {
            let mine = state.turn() == Some(self.side);
            if mine {
                let left = [self.in_time(limits.clock().saturating_sub(*used)); 2];
                let max = limits.max_time_ms();
                let turn = RecordedTurn::new(state.boxed_clone(), self.side, last.take(), left, max);
                let answer = program.ask(&turn, true);
                *used += answer.moment.wall;
                if answer.played.as_ref().map(|(judged, _)| judged) != Ok(&m.judged) {
                    return false;
                }
            } else {
                last = Some((m.judged.clone(), Duration::ZERO));
            }
            if state.answer(&m.judged).is_err() {
                return false;
            }
        }
        true
    }

    /// The question of this position.
    fn turn(&self, used: Duration) -> RecordedTurn {
        let limits = &self.program.limits;
        let own = limits.clock().saturating_sub(used);
        let left = match self.question.clock {
            // The sender chooses what a page claims.
            Some([left, _]) if self.program.is_capped => Duration::from_millis(left).min(own),
            Some([left, _]) => Duration::from_millis(left),
            None => own,
        };
        let left = [self.in_time(left); 2];
        let last = self.moves.last().map(|m| (m.judged.clone(), Duration::ZERO));
        let max = if self.question.clock.is_some() { u32::MAX } else { limits.max_time_ms() };
        RecordedTurn::new(self.state.boxed_clone(), self.side, last, left, max)
    }

    /// How much of this time is left before the answer becomes useless; never zero.
    fn in_time(&self, left: Duration) -> Duration {
        let until = self.program.until.map(|until| until.saturating_duration_since(Instant::now()));
        until.map_or(left, |until| left.min(until)).max(Duration::from_millis(1))
    }
}

/// An agent that the boards of `agon board` offer.
struct LocalAgent {
    text: String,
    name: String,
    /// As a record would name it: its output contains its own file name.
    note: AgentNote,
}

/// The agents that boards offer, and the active ones.
pub(crate) struct LocalAgents {
    agents: Vec<LocalAgent>,
    limits: GameLimits,
    table: BoardTable,
}

impl LocalAgents {
    /// The agents of these texts.
    ///
    /// # Errors
    /// The first text that names no agent, or whose agent does not compile.
    pub(crate) fn new(texts: &[String]) -> Result<Self, String> {
        let limits = GameLimits::default();
        let mut agents: Vec<LocalAgent> = Vec::new();
        for text in texts {
            let specs: Vec<_> = Game::by_hand().map(|game| (game, agents::parse(game, text))).collect();
            let Some((game, Ok(spec))) = specs.iter().find(|(_, spec)| spec.is_ok()) else {
                let problem = specs.into_iter().find_map(|(_, spec)| spec.err());
                return Err(problem.map_or_else(|| format!("no agent: `{text}`"), |problem| problem.to_string()));
            };
            let agent = PreparedAgent::prepare(*game, spec.clone(), &limits).map_err(|error| error.to_string())?;
            if let Some(fault) = agent.fault() {
                let judged = AgentVerdict::from(Some(fault.clone()));
                return Err(format!("`{text}`: {}", judged.explanation().join("\n")));
            }
            agents.push(LocalAgent { text: text.clone(), name: agent.short_name(), note: agent.note() });
        }
        // Programs of one name, such as the old and the new one, are distinguished by their folders.
        let names: Vec<String> = agents.iter().map(|agent| agent.name.clone()).collect();
        for agent in &mut agents {
            if names.iter().filter(|name| **name == agent.name).count() > 1 {
                agent.name.clone_from(&agent.text);
            }
        }
        Ok(Self { agents, limits, table: BoardTable::new(LOCAL) })
    }

    /// How pages refer to the agents that can play a game, and their names for display.
    pub(crate) fn of_game(&self, game: Game) -> Vec<(String, String)> {
        let offered = self.agents.iter().enumerate().filter(|(_, agent)| agents::parse(game, &agent.text).is_ok());
        offered.map(|(at, agent)| (called(at as i64), agent.name.clone())).collect()
    }

    /// Ends all programs.
    pub(crate) fn stop(&self) {
        self.table.end_idle(Duration::ZERO);
    }

    /// The move of an agent in a position.
    fn reply(&self, question: &BoardQuestion) -> Result<AgentMove, QuestionError> {
        let number = number_of(question).and_then(|number| usize::try_from(number).ok());
        let agent = number.and_then(|number| self.agents.get(number));
        let agent = agent.ok_or_else(|| {
            let text = question.engine.clone().unwrap_or_default();
            QuestionError::new(&format!(
                "there is no `{text}` here; begin `agon board` with --agent, and load this page again"
            ))
        })?;
        let prepare = |game| {
            let spec = agents::parse(game, &agent.text).map_err(|error| error.to_string())?;
            PreparedAgent::prepare(game, spec, &self.limits).map_err(|error| error.to_string())
        };
        let program = BoardProgram {
            key: question.engine.clone().unwrap_or_default(),
            name: &agent.text,
            client: question.client.clone(),
            limits: self.limits,
            until: None,
            is_capped: false,
            prepare: &prepare,
            shown: Some(&|text| by_own_names(text, &agent.note)),
        };
        self.table.reply(question, &program)
    }
}

/// The move of an agent of the user.
pub(crate) async fn reply(
    Extension(agents): Extension<Arc<LocalAgents>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Json<AgentMove>, QuestionError> {
    let Json(question) = question?;
    let place = agents.table.place(USER)?;
    asked(place, move || agents.reply(&question)).await.map(Json)
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;

    /// Counts milliseconds, and reports the count on its error stream when it is asked.
    const COUNTS: &str = "
import sys, threading, time
count = 0
def run():
    global count
    while True:
        count += 1
        time.sleep(0.001)
threading.Thread(target=run, daemon=True).start()
moves = iter(['8 8', '9 9'])
for line in sys.stdin:
    if 'READY' in line:
        print('OK', flush=True)
    if 'TURN' in line:
        print(count, file=sys.stderr, flush=True)
        print('MOVE', next(moves), flush=True)
";

    /// Answers with these moves in turn, and writes what it reads to its error stream; stops when asked for one too
    /// many.
    fn scripted(moves: &[&str]) -> String {
        let cases = format!(" \"{}\"", moves.join("\" \""));
        format!(
            "sh -c 'set --{cases}; while read line; do echo \"$line\" >&2; case $line in READY*) echo OK;; TURN*) echo \
             agon score=35 >&2; echo MOVE $1; shift;; esac; done'"
        )
    }

    fn question(moves: &[&str]) -> BoardQuestion {
        BoardQuestion {
            game: "renju".to_owned(),
            engine: Some("agent:0".to_owned()),
            client: "a page".to_owned(),
            moves: moves.iter().map(|&m| m.to_owned()).collect(),
            ..BoardQuestion::default()
        }
    }

    #[test]
    fn programs_of_one_name_are_distinguished_by_their_folders() {
        let place = tempfile::tempdir().unwrap();
        let texts: Vec<String> = ["old/bot.py", "new/bot.py", "other.py"]
            .into_iter()
            .map(|name| {
                let path = place.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(&path, "print('OK')").unwrap();
                path.display().to_string()
            })
            .collect();
        let offered = LocalAgents::new(&texts).unwrap().of_game(Game::RENJU);
        let names: Vec<&str> = offered.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, [texts[0].as_str(), texts[1].as_str(), "other.py"]);
    }

    #[test]
    fn a_program_plays_a_game_in_one_process() {
        let agents = LocalAgents::new(&[scripted(&["8 8", "9 9"])]).unwrap();
        assert_eq!(agents.of_game(Game::RENJU)[0].0, "agent:0");
        let first = agents.reply(&question(&[])).unwrap();
        assert_eq!((first.judged.as_deref(), first.letters.as_deref(), first.opened), (Some("8 8"), Some("H8"), false));
        assert_eq!(first.score.as_deref(), Some("+0.35"));
        let second = agents.reply(&question(&["8 8", "7 8"])).unwrap();
        assert_eq!(second.judged.as_deref(), Some("9 9"));
        let stderr = second.stderr.unwrap();
        assert!(stderr.starts_with("OPP 7 8 1\nTURN ") && !stderr.contains("READY"), "one process: {stderr}");
    }

    #[test]
    fn a_program_is_brought_to_a_position_after_a_take_back() {
        let agents = LocalAgents::new(&[scripted(&["8 8", "9 9"])]).unwrap();
        agents.reply(&question(&[])).unwrap();
        agents.reply(&question(&["8 8", "7 8"])).unwrap();
        let again = agents.reply(&question(&["8 8", "7 7"])).unwrap();
        assert_eq!((again.judged.as_deref(), again.opened), (Some("9 9"), false));
        // Its own first move was another one: the moves are sent before READY.
        let opened = agents.reply(&question(&["8 8", "7 8", "6 6", "7 7"])).unwrap();
        assert!(opened.opened);
        assert_eq!(opened.fault.as_deref().map(|fault| &fault[..9]), Some("answered "), "8 8 is taken: {opened:?}");
    }

    #[test]
    fn few_programs_are_asked_at_once() {
        let bound = Bound { each: 2, all: 3 };
        let table = BoardTable::new(bound);
        let [a, b, c] = [1, 2, 3].map(LimitedActor::Account);
        let take = |holder| table.place(holder);
        let [first, _second] = [take(a).unwrap(), take(a).unwrap()];
        let refused = |holder| take(holder).err().map(|error| error.status);
        assert_eq!(refused(a), Some(StatusCode::TOO_MANY_REQUESTS));
        let _third = take(b).unwrap();
        assert_eq!(refused(c), Some(StatusCode::SERVICE_UNAVAILABLE), "three are asked");
        drop(first);
        drop(take(a).unwrap());
        assert!(take(c).is_ok());

        // Just as many continue to play: the one asked longest ago makes room, first among those of the same client.
        let texts = [(); 3].map(|()| scripted(&["8 8"]));
        let agents = LocalAgents { table: BoardTable::new(bound), ..LocalAgents::new(&texts).unwrap() };
        let ask = |client: &str, agent: usize| {
            let (client, engine) = (client.to_owned(), Some(format!("agent:{agent}")));
            agents.reply(&BoardQuestion { client, engine, ..question(&[]) }).unwrap();
            let playing = agents.table.playing();
            playing.iter().map(|one| format!("{} {}", one.client, one.key)).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(ask("a", 0), "a agent:0");
        assert_eq!(ask("a", 1), "a agent:0, a agent:1");
        assert_eq!(ask("a", 2), "a agent:1, a agent:2");
        assert_eq!(ask("b", 0), "a agent:1, a agent:2, b agent:0");
        assert_eq!(ask("b", 1), "a agent:2, b agent:0, b agent:1", "who has most makes room");
        assert_eq!(ask("c", 0), "a agent:2, b agent:1, c agent:0");
        agents.table.end_idle(Duration::from_hours(1));
        assert_eq!(agents.table.count(), 3);
        agents.stop();
        assert_eq!(agents.table.count(), 0);
    }

    #[test]
    fn an_answer_that_is_of_no_use_any_more_loses() {
        let slow =
            "sh -c 'while read line; do case $line in READY*) echo OK;; TURN*) sleep 20; echo MOVE 8 8;; esac; done'";
        let agents = LocalAgents::new(&[slow.to_owned()]).unwrap();
        let begun = Instant::now();
        let program = BoardProgram {
            key: "slow".to_owned(),
            name: "slow",
            client: "a".to_owned(),
            limits: agents.limits,
            until: Some(begun + Duration::from_millis(500)),
            is_capped: false,
            prepare: &|game| {
                let spec = agents::parse(game, slow).unwrap();
                PreparedAgent::prepare(game, spec, &agents.limits).map_err(|error| error.to_string())
            },
            shown: None,
        };
        let answer = agents.table.reply(&question(&[]), &program).unwrap();
        let fault = answer.fault.unwrap();
        assert!(fault.starts_with("no answer within ") && begun.elapsed() < Duration::from_secs(8), "{fault}");
        assert_eq!(agents.table.count(), 0, "it has ended");
    }

    #[test]
    fn a_page_gives_a_program_of_a_site_no_more_time_than_the_site() {
        let text = scripted(&["8 8", "9 9"]);
        let mut agents = LocalAgents::new(std::slice::from_ref(&text)).unwrap();
        agents.limits.clock_ms = 3000;
        let sent = |is_capped: bool, clock: u64| -> u64 {
            let program = BoardProgram {
                key: format!("{is_capped} {clock}"),
                name: "scripted",
                client: "a".to_owned(),
                limits: agents.limits,
                until: Some(Instant::now() + Duration::from_hours(1)),
                is_capped,
                prepare: &|game| {
                    let spec = agents::parse(game, &text).unwrap();
                    PreparedAgent::prepare(game, spec, &agents.limits).map_err(|error| error.to_string())
                },
                shown: Some(&|text| text.to_owned()),
            };
            let asked = BoardQuestion { clock: Some([clock; 2]), ..question(&[]) };
            let answer = agents.table.reply(&asked, &program).unwrap();
            let stderr = answer.stderr.unwrap();
            let turn = stderr.lines().find_map(|line| line.strip_prefix("TURN ")).unwrap();
            turn.split(' ').next().unwrap().parse().unwrap()
        };
        assert_eq!(sent(false, 600_000), 600_000, "one's own machine");
        assert!(sent(true, 600_000) <= 3000);
        assert!(sent(true, 500) <= 500);
    }

    #[test]
    fn a_program_is_stopped_while_a_person_thinks() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("counts.py");
        std::fs::write(&path, COUNTS).unwrap();
        let text = path.display().to_string();
        for freeze in [false, true] {
            let mut agents = LocalAgents::new(std::slice::from_ref(&text)).unwrap();
            agents.limits.freeze = freeze;
            let count = |moves: &[&str]| -> u64 {
                let answer = agents.reply(&question(moves)).unwrap();
                answer.stderr.unwrap_or_else(|| panic!("{:?}", answer.fault)).trim().parse().unwrap()
            };
            let before = count(&[]);
            thread::sleep(Duration::from_millis(600));
            let passed = count(&["8 8", "7 8"]) - before;
            assert_eq!(passed < 150, freeze, "{passed} times around while it was not asked");
        }
    }

    #[test]
    fn what_is_no_agent_is_refused() {
        let agents = LocalAgents::new(&[scripted(&["8 8"])]).unwrap();
        let asked = |engine: &str| {
            let question = BoardQuestion { engine: Some(engine.to_owned()), ..question(&[]) };
            agents.reply(&question).unwrap_err().reason.to_string()
        };
        assert!(asked("agent:1").contains("begin `agon board` with --agent"));
        assert!(asked("champion").contains("there is no `champion` here"));
        assert!(LocalAgents::new(&["nowhere/bot.py".to_owned()]).is_err());
    }
}
