//! Programs of the user that play on the boards of `agon board`: in their jails, on their clocks, as before the judge.
//!
//! A program is asked in one process for as long as the game goes on as it knows it. After a take-back, or where a game
//! is opened again, a new process is asked its own moves from the start; if it now plays otherwise, another one is sent
//! the moves before as OPENING lines.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::game::Bout;
use agon_catalog::{Game, OPENING, POSITION, Setup};
use agon_game::{GameState, Side};
use agon_referee::bout::{AskedAgain, RecordedTurn, TurnAnswer};
use agon_referee::limits::GameLimits;
use agon_referee::record::AgentNote;
use agon_referee::text::plain;
use agon_referee::verdict::{AgentVerdict, Fault};
use axum::Extension;
use axum::extract::rejection::JsonRejection;
use serde::Serialize;
use tokio::sync::oneshot;

use crate::analysis::{BoardMove, BoardQuestion, QuestionError};
use crate::json::Json;
use crate::viewer::transcript::by_own_names;

/// How the pages call the agent of a number.
const PREFIX: &str = "agent:";

/// Programs that play at once; the one that was asked longest ago is ended for another one.
const MAX_PLAYING: usize = 8;

/// An agent that boards offer.
struct LocalAgent {
    text: String,
    name: String,
    /// As a record would name it: its own file stands in what it writes.
    note: AgentNote,
}

/// A program in the middle of a game.
struct Playing {
    /// The page, and the seat in it.
    client: String,
    agent: usize,
    side: Side,
    /// How its game begins.
    setup: (Option<String>, Setup),
    /// The moves that it knows.
    moves: Vec<String>,
    program: AskedAgain,
    /// What it has used of the game's time, where the page has no clock.
    used: Duration,
    /// When it answered last.
    answered: Instant,
}

/// The agents that boards offer, and those that play.
pub struct LocalAgents {
    agents: Vec<LocalAgent>,
    limits: GameLimits,
    playing: Mutex<Vec<Playing>>,
    /// How many are being asked.
    asked: AtomicUsize,
}

/// The move of a program.
#[derive(Debug, Serialize)]
pub struct AgentMove {
    #[serde(rename = "move")]
    judged: Option<String>,
    letters: Option<String>,
    /// What it thinks of its position, if it said so.
    score: Option<String>,
    ms: f64,
    /// What it wrote to its error stream meanwhile.
    stderr: Option<String>,
    /// Why it has lost, where it has.
    fault: Option<String>,
    /// It was sent the moves before as OPENING lines.
    opened: bool,
}

impl LocalAgents {
    /// The agents of these texts.
    ///
    /// # Errors
    /// The first that is none, or does not compile.
    pub fn new(texts: &[String]) -> Result<Self, String> {
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
        Ok(Self { agents, limits, playing: Mutex::default(), asked: AtomicUsize::new(0) })
    }

    /// How pages name the agents that can play a game, and what people call them.
    pub fn of_game(&self, game: Game) -> Vec<(String, String)> {
        let offered = self.agents.iter().enumerate().filter(|(_, agent)| agents::parse(game, &agent.text).is_ok());
        offered.map(|(at, agent)| (format!("{PREFIX}{at}"), agent.name.clone())).collect()
    }

    /// Ends all programs.
    pub fn stop(&self) {
        self.playing().clear();
    }

    fn playing(&self) -> std::sync::MutexGuard<'_, Vec<Playing>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The move of an agent in a position.
    fn reply(&self, question: &BoardQuestion) -> Result<AgentMove, QuestionError> {
        let text = question.engine.clone().unwrap_or_default();
        let number = text.strip_prefix(PREFIX).and_then(|number| number.parse::<usize>().ok());
        let agent = number.filter(|&number| number < self.agents.len());
        let agent = agent.ok_or_else(|| {
            QuestionError::new(&format!(
                "there is no `{text}` here; begin `agon board` with --agent, and load this page again"
            ))
        })?;
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
            Asking { agents: self, agent, question, side, setup, moves: &game.moves, state: game.state.as_ref() };
        asking.answer(game.game)
    }
}

/// A question to an agent.
struct Asking<'a> {
    agents: &'a LocalAgents,
    agent: usize,
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
        let fault = answer.played.as_ref().err().map(said);
        let played = answer.played.as_ref().ok().cloned();
        if let Some((judged, _)) = &played {
            let mut moves: Vec<String> = self.moves.iter().map(|m| m.judged.clone()).collect();
            moves.push(judged.clone());
            self.keep(Playing {
                client: self.question.client.clone(),
                agent: self.agent,
                side: self.side,
                setup: key,
                moves,
                program,
                used: used + answer.moment.wall,
                answered: Instant::now(),
            });
        }
        let note = &self.agents.agents[self.agent].note;
        Ok(shown(answer, played, fault, opened, note))
    }

    /// The program that knows the game up to the opponent's last move.
    fn take(&self, setup: &(Option<String>, Setup)) -> Option<Playing> {
        let mut playing = self.agents.playing();
        let mine = |known: &Playing| {
            (known.agent, known.side, known.client.as_str()) == (self.agent, self.side, self.question.client.as_str())
        };
        let at = playing.iter().position(mine)?;
        // One that knows another game is of no use any more.
        let known = playing.remove(at);
        let before = &self.moves[..self.moves.len().saturating_sub(1)];
        let fits = known.setup == *setup && before.iter().map(|m| &m.judged).eq(&known.moves);
        fits.then_some(known)
    }

    fn keep(&self, program: Playing) {
        let mut playing = self.agents.playing();
        if playing.len() >= MAX_PLAYING
            && let Some(oldest) = (0..playing.len()).min_by_key(|&at| playing[at].answered)
        {
            playing.remove(oldest);
        }
        playing.push(program);
    }

    /// A program that has come to this position: by its own moves from the start, else by OPENING lines.
    fn started(&self, game: Game) -> Result<(AskedAgain, Duration, bool), QuestionError> {
        let text = &self.agents.agents[self.agent].text;
        let refused = |error: &dyn std::fmt::Display| QuestionError::new(&format!("`{text}`: {error}"));
        let spec = agents::parse(game, text).map_err(|error| refused(&error))?;
        let agent = PreparedAgent::prepare(game, spec, &self.agents.limits).map_err(|error| refused(&error))?;
        let begin = |setup: Setup| {
            let bout = Bout::new(game, setup, self.agents.limits).map_err(|error| refused(&error))?;
            let seat = bout.seat(&agent, self.side, None).map_err(|error| refused(&error))?;
            let program = AskedAgain::begin(seat, self.side, &bout.state().preamble_of(self.side), &self.agents.limits);
            let program = program.map_err(|fault| refused(&said(&fault)))?;
            Ok::<_, QuestionError>((program, bout.state().boxed_clone()))
        };
        let (mut program, start) = begin(self.setup.clone())?;
        let mut used = Duration::ZERO;
        if self.replays(&mut program, start, &mut used) {
            return Ok((program, used, false));
        }
        let mut setup = self.setup.clone();
        let opening: Vec<&str> = setup.opening().chain(self.moves.iter().map(|m| m.judged.as_str())).collect();
        let opening = opening.join("/");
        setup.parameters.insert(OPENING.name.to_owned(), opening);
        let (program, _) = begin(setup)?;
        Ok((program, Duration::ZERO, true))
    }

    /// Asks a program its own moves up to this position; false if it plays another one.
    fn replays(&self, program: &mut AskedAgain, mut state: Box<dyn GameState>, used: &mut Duration) -> bool {
        let mut last = None;
        for (ply, m) in (1..).zip(self.moves) {
            let mine = state.turn() == Some(self.side);
            if mine {
                let left = self.agents.limits.clock().saturating_sub(*used);
                let limits = &self.agents.limits;
                let turn = RecordedTurn::new(
                    state.boxed_clone(),
                    ply,
                    self.side,
                    last.take(),
                    [left; 2],
                    limits.max_time_ms(),
                );
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
        let limits = &self.agents.limits;
        let left = match self.question.clock {
            Some([left, _]) => Duration::from_millis(left),
            None => limits.clock().saturating_sub(used).max(Duration::from_millis(1)),
        };
        let last = self.moves.last().map(|m| (m.judged.clone(), Duration::ZERO));
        let max = if self.question.clock.is_some() { u32::MAX } else { limits.max_time_ms() };
        RecordedTurn::new(self.state.boxed_clone(), self.moves.len() as u32 + 1, self.side, last, [left; 2], max)
    }
}

/// A fault in words.
fn said(fault: &Fault) -> String {
    let judged = AgentVerdict::from(Some(fault.clone()));
    let mut words = judged.explanation();
    words.truncate(4);
    format!("{}: {}", judged.verdict, words.join("; "))
}

fn shown(
    answer: TurnAnswer,
    played: Option<(String, String)>,
    fault: Option<String>,
    opened: bool,
    note: &AgentNote,
) -> AgentMove {
    let (judged, letters) = played.unzip();
    AgentMove {
        judged,
        letters,
        score: answer.evaluation.map(|evaluation| evaluation.to_string()),
        ms: (answer.moment.wall.as_secs_f64() * 1e6).round() / 1000.0,
        stderr: answer.messages.map(|messages| plain(&by_own_names(&messages, note))),
        fault: fault.map(|fault| by_own_names(&fault, note)),
        opened,
    }
}

/// Held by a thread that asks an agent.
struct AskedPlace(Arc<LocalAgents>);

impl AskedPlace {
    /// A place, unless there are as many as agents that can play.
    fn take(agents: Arc<LocalAgents>) -> Option<Self> {
        let place = Self(agents);
        (place.0.asked.fetch_add(1, Ordering::SeqCst) < MAX_PLAYING).then_some(place)
    }
}

impl Drop for AskedPlace {
    fn drop(&mut self) {
        self.0.asked.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The move of an agent of the user.
pub async fn reply(
    Extension(agents): Extension<Arc<LocalAgents>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Json<AgentMove>, QuestionError> {
    let Json(question) = question?;
    let place = AskedPlace::take(agents).ok_or_else(|| QuestionError::busy(&"too many agents are asked at once"))?;
    let (send, answer) = oneshot::channel();
    let asks = move || {
        let answer = place.0.reply(&question);
        drop(place);
        let _ = send.send(answer);
    };
    let started = thread::Builder::new().name("agent".to_owned()).spawn(asks);
    started.map_err(|error| QuestionError::busy(&format!("no agent can be asked: {error}")))?;
    answer.await.map_err(|_| QuestionError::busy(&"the agent gave no answer"))?.map(Json)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers with the next of these moves, and writes what it reads to its error stream; stops at a move too many.
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
        assert_eq!(opened.fault.as_deref().map(|fault| &fault[..3]), Some("RE:"), "8 8 is taken: {opened:?}");
    }

    #[test]
    fn what_is_no_agent_is_refused() {
        let agents = LocalAgents::new(&[scripted(&["8 8"])]).unwrap();
        let asked = |engine: &str| {
            let question = BoardQuestion { engine: Some(engine.to_owned()), ..question(&[]) };
            agents.reply(&question).unwrap_err().detail
        };
        assert!(asked("agent:1").contains("begin `agon board` with --agent"));
        assert!(asked("champion").contains("there is no `champion` here"));
        assert!(LocalAgents::new(&["nowhere/bot.py".to_owned()]).is_err());
    }
}
