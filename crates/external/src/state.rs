//! A game in progress whose rules are a program.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use agon_game::alternating::OPENING;
use agon_game::seed::Stream;
use agon_game::{Ending, GameScore, GameState, Gauge, MoveError, Side, View};

use crate::limits::{GAME_TIMEOUT, MAX_LEGAL_MOVES, MAX_MOVE_BYTES};
use crate::picture;
use crate::process::Answer;
use crate::rules::Rules;
use crate::situation::{Situation, Stage, checked};

/// Keys of states: equal ones are of the same state.
static NEXT_KEY: AtomicU64 = AtomicU64::new(1);

pub(crate) fn new_key() -> u64 {
    NEXT_KEY.fetch_add(1, Ordering::Relaxed)
}

/// A number that every language reads without loss.
pub(crate) fn number(seed: u64, purpose: &str) -> u64 {
    Stream::new(seed, purpose).next() >> 11
}

/// The number from which the chance of a move is drawn.
pub(crate) fn chance_of(seed: u64, ply: u32) -> u64 {
    number(seed ^ u64::from(ply).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15), "move")
}

/// The question that plays a move.
pub(crate) fn play_question(side: Side, chance: u64, text: &str) -> String {
    format!("PLAY {side} {chance} {text}\n")
}

/// A game in progress.
#[derive(Clone, Debug)]
pub(crate) struct ExternalState {
    rules: &'static Rules,
    seed: u64,
    /// START with its words, so that a text can name the start of the game; `None` if it started from a saved text.
    start: Option<String>,
    /// The questions that lead here, each with its newline.
    way: String,
    situation: Situation,
    preambles: [String; 2],
    moves: Vec<String>,
    ply: u32,
    key: u64,
    /// Time that the rules have used for their answers so far.
    spent: Duration,
    failure: OnceLock<String>,
    /// True if an unreadable board was requested, so that it is not requested again.
    unseen: std::sync::Arc<AtomicBool>,
    saved: OnceLock<String>,
}

impl ExternalState {
    /// The start of a game from a seed; the parameters have all values that the game takes.
    ///
    /// # Errors
    /// The rules' error, or why they refuse it.
    pub(crate) fn start(
        rules: &'static Rules,
        seed: u64,
        parameters: &BTreeMap<String, String>,
    ) -> Result<Self, String> {
        let mut words = String::new();
        for parameter in &rules.description.parameters {
            let value = parameters.get(&parameter.name).unwrap_or(&parameter.default);
            words += &format!(" {}={value}", parameter.name);
        }
        let mut state = Self::at(rules, seed, &format!("START {}{words}", number(seed, "start")))?;
        for side in Side::BOTH {
            let news = std::mem::take(&mut state.situation.news[side.index()]);
            state.preambles[side.index()] = news.iter().flat_map(|line| ["INFO ", line.as_str(), "\n"]).collect();
        }
        state.start = Some(format!("seed {seed}{words}"));
        Ok(state)
    }

    /// A state that the rules have saved, or that is written as its start and its moves.
    ///
    /// # Errors
    /// The reason why there is no such state.
    pub(crate) fn read(rules: &'static Rules, text: &str) -> Result<Self, String> {
        let text = checked(text.trim(), crate::limits::MAX_LINE_BYTES, "the position")?;
        if let Some(written) = text.strip_prefix("seed ").filter(|_| !rules.description.save) {
            let (start, moves) = written.split_once(" moves ").unwrap_or((written, ""));
            let mut words = start.split_whitespace();
            let seed = words.next().and_then(|word| word.parse().ok()).ok_or("`seed NUMBER` expected")?;
            let values: BTreeMap<String, String> =
                words.filter_map(|word| word.split_once('=')).map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
            let mut state = Self::start(rules, seed, &values)?;
            for text in moves.split('/').filter(|text| !text.is_empty()) {
                state.answer(text).map_err(|error| format!("`{text}`: {error}"))?;
            }
            return Ok(state);
        }
        if !rules.description.save {
            return Err("`seed NUMBER … moves A/B` expected: these rules save no positions".to_owned());
        }
        Self::at(rules, 0, &format!("LOAD {text}"))
    }

    fn at(rules: &'static Rules, seed: u64, question: &str) -> Result<Self, String> {
        let key = new_key();
        let way = format!("{question}\n");
        let asked = Instant::now();
        let lines = match rules.ask(0, key, "", &way, 1)?.remove(0) {
            Answer::Lines(lines) => lines,
            Answer::No(reason) if reason.is_empty() => return Err("they refuse it".to_owned()),
            Answer::No(reason) => return Err(reason),
        };
        let situation = Situation::read(&lines).map_err(|problem| answered(question, &problem))?;
        Ok(Self {
            rules,
            seed,
            start: None,
            way,
            situation,
            preambles: [String::new(), String::new()],
            moves: Vec::new(),
            ply: 0,
            key,
            spent: asked.elapsed(),
            failure: OnceLock::new(),
            unseen: std::sync::Arc::default(),
            saved: OnceLock::new(),
        })
    }

    /// Returns the same game after moves of both sides, which both agents are informed of.
    ///
    /// # Errors
    /// The move that is refused, and why.
    pub(crate) fn opened<'a>(mut self, moves: impl Iterator<Item = &'a str>) -> Result<Self, MoveError> {
        for text in moves {
            let written = self.answer(text)?;
            for side in Side::BOTH {
                let news = std::mem::take(&mut self.situation.news[side.index()]);
                let preamble = &mut self.preambles[side.index()];
                *preamble += &format!("{OPENING} {written}\n");
                preamble.extend(news.iter().flat_map(|line| ["INFO ", line.as_str(), "\n"]));
            }
        }
        Ok(self)
    }

    pub(crate) const fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The state as the rules save it.
    ///
    /// # Errors
    /// The rules' error.
    pub(crate) fn save(&self) -> Result<String, String> {
        if let Some(saved) = self.saved.get() {
            return Ok(saved.clone());
        }
        let saved = match self.ask("SAVE\n", self.key)? {
            Answer::Lines(lines) => saved_text(&lines)?,
            Answer::No(reason) => return Err(answered("SAVE", &format!("no {reason}"))),
        };
        Ok(self.saved.get_or_init(|| saved).clone())
    }

    /// The legal moves of the side to move.
    ///
    /// # Errors
    /// The rules' error.
    pub(crate) fn moves(&self) -> Result<Vec<String>, String> {
        if !self.rules.description.moves || self.turn().is_none() {
            return Ok(Vec::new());
        }
        match self.ask("MOVES\n", self.key)? {
            Answer::Lines(lines) => move_texts(&lines),
            Answer::No(reason) => Err(answered("MOVES", &format!("no {reason}"))),
        }
    }

    /// The lines of the board that a watcher may see: `all`, `first`, `second` or `none`.
    ///
    /// # Errors
    /// What the rules did wrong.
    pub(crate) fn board_lines(&self, watcher: &str) -> Result<Vec<String>, String> {
        let question = format!("VIEW {watcher}");
        match self.ask(&format!("{question}\n"), self.key)? {
            Answer::Lines(lines) => Ok(lines),
            Answer::No(reason) => Err(answered(&question, &format!("no {reason}"))),
        }
    }

    /// The board that a watcher may see.
    ///
    /// # Errors
    /// The rules' error.
    pub(crate) fn board(&self, watcher: &str) -> Result<View, String> {
        let lines = self.board_lines(watcher)?;
        picture::read(&lines, self.rules.seats).map_err(|problem| answered(&format!("VIEW {watcher}"), &problem))
    }

    /// The lines of INFO to a side before the first turn.
    pub(crate) fn preamble(&self, side: Side) -> &str {
        &self.preambles[side.index()]
    }

    fn shown(&self, watcher: &str) -> View {
        let can = self.rules.description.view && !self.unseen.load(Ordering::Relaxed) && self.failure().is_none();
        let board = can.then(|| self.board(watcher));
        // A bar shows shares of a whole.
        let score = self.situation.score.filter(|score| score.iter().all(|points| points.halves() >= 0));
        let gauges = score.map(|amounts| Gauge { name: "points", amounts }).into_iter().collect();
        match board {
            Some(Ok(view)) => View { gauges, ..view },
            Some(Err(_)) => {
                // A spectator must not affect a game.
                self.unseen.store(true, Ordering::Relaxed);
                picture::blank(self.rules.seats)
            }
            None => picture::blank(self.rules.seats),
        }
    }

    /// Returns the key by which a process recognises that it holds this state.
    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    pub(crate) const fn situation(&self) -> &Situation {
        &self.situation
    }

    /// Asks one question about the state; `after` is the key of the program's state after its answer, 0 if unknown.
    ///
    /// # Errors
    /// The rules' error.
    pub(crate) fn ask(&self, question: &str, after: u64) -> Result<Answer, String> {
        self.rules.ask(self.key, after, &self.way, question, 1).map(|mut answers| answers.remove(0))
    }

    fn fail(&self, problem: &str) -> String {
        let title = &self.rules.description.title;
        self.failure.get_or_init(|| format!("the rules of {title} failed: {problem}")).clone()
    }

    fn failed(&self, text: &str, problem: &str) -> MoveError {
        MoveError::illegal(text, self.fail(problem))
    }
}

/// Returns the message for an invalid answer.
fn answered(question: &str, problem: &str) -> String {
    format!("they answered `{question}` with {problem}")
}

/// The text in the answer to SAVE.
///
/// # Errors
/// The unexpected content.
pub(crate) fn saved_text(lines: &[String]) -> Result<String, String> {
    match lines {
        [line] if line.starts_with("state ") => {
            checked(line["state ".len()..].trim(), crate::limits::MAX_LINE_BYTES, "the saved state")
        }
        _ => Err(answered("SAVE", "no single line `state TEXT`")),
    }
}

/// The moves in the answer to MOVES.
///
/// # Errors
/// The invalid line.
pub(crate) fn move_texts(lines: &[String]) -> Result<Vec<String>, String> {
    if lines.len() > MAX_LEGAL_MOVES {
        return Err(answered("MOVES", &format!("more than {MAX_LEGAL_MOVES} moves")));
    }
    let read = |line: &String| match line.strip_prefix("move ") {
        Some(text) => checked(text.trim(), MAX_MOVE_BYTES, "a move"),
        None => Err(answered("MOVES", &format!("`{line}`, where `move TEXT` is expected"))),
    };
    lines.iter().map(read).collect()
}

impl GameState for ExternalState {
    fn seats(&self) -> [&'static str; 2] {
        self.rules.seats
    }

    fn preamble(&self) -> String {
        let [first, second] = &self.preambles;
        if first == second { first.clone() } else { String::new() }
    }

    fn preamble_of(&self, side: Side) -> String {
        self.preambles[side.index()].clone()
    }

    fn news(&self, side: Side) -> &[String] {
        &self.situation.news[side.index()]
    }

    fn has_secrets(&self) -> bool {
        self.rules.description.secret
    }

    fn failure(&self) -> Option<String> {
        self.failure.get().cloned()
    }

    fn turn(&self) -> Option<Side> {
        match self.situation.stage {
            Stage::Turn(side) if self.failure.get().is_none() => Some(side),
            _ => None,
        }
    }

    fn answer(&mut self, arguments: &str) -> Result<String, MoveError> {
        if let Some(failure) = self.failure.get() {
            return Err(MoveError::illegal(arguments, failure.as_str()));
        }
        let Some(side) = self.turn() else { return Err(MoveError::Over { text: arguments.to_owned() }) };
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let text = checked(&words.join(" "), MAX_MOVE_BYTES, "the move")
            .map_err(|problem| MoveError::illegal(arguments, problem))?;
        if self.ply >= self.rules.description.plies {
            let most = self.rules.description.plies;
            return Err(self.failed(arguments, &format!("the game goes on after {most} moves, their own bound")));
        }
        if self.spent > GAME_TIMEOUT {
            let problem = format!("they took more than {} s over one game", GAME_TIMEOUT.as_secs());
            return Err(self.failed(arguments, &problem));
        }
        let question = play_question(side, chance_of(self.seed, self.ply), &text);
        let (key, asked) = (new_key(), Instant::now());
        let answer = self.ask(&question, key).map_err(|problem| self.failed(arguments, &problem))?;
        self.spent += asked.elapsed();
        let lines = match answer {
            Answer::Lines(lines) => lines,
            Answer::No(reason) => {
                // Listed moves must be accepted.
                let listed = self.moves().map_err(|problem| self.failed(arguments, &problem))?;
                if listed.contains(&text) {
                    let problem = format!("they refuse `{text}`, which they list as legal: {reason}");
                    return Err(self.failed(arguments, &problem));
                }
                let reason = if reason.is_empty() { "not a legal move" } else { &reason };
                return Err(MoveError::illegal(arguments, reason));
            }
        };
        let situation = Situation::read(&lines)
            .map_err(|problem| self.failed(arguments, &answered(question.trim_end(), &problem)))?;
        let written = situation.written.clone().unwrap_or(text);
        self.situation = situation;
        self.way += &question;
        self.key = key;
        self.ply += 1;
        self.saved = OnceLock::new();
        self.moves.push(written.clone());
        Ok(written)
    }

    fn legal(&self) -> Vec<String> {
        self.moves().unwrap_or_else(|problem| {
            self.fail(&problem);
            Vec::new()
        })
    }

    fn letters(&self) -> Option<String> {
        self.moves.last().cloned()
    }

    fn read_any(&self, text: &str) -> Result<String, MoveError> {
        let mut state = self.clone();
        state.answer(text)
    }

    fn ending(&self) -> Option<Ending> {
        match &self.situation.stage {
            Stage::Over(ending) if self.failure.get().is_none() => Some(ending.clone()),
            _ => None,
        }
    }

    fn score(&self) -> Option<[GameScore; 2]> {
        self.situation.score
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn position(&self) -> String {
        if self.rules.description.save {
            return self.save().unwrap_or_default();
        }
        let start = self.start.as_deref().unwrap_or_default();
        if self.moves.is_empty() { start.to_owned() } else { format!("{start} moves {}", self.moves.join("/")) }
    }

    fn view(&self) -> View {
        self.shown("all")
    }

    fn public_view(&self) -> View {
        self.shown(if self.has_secrets() && self.turn().is_some() { "none" } else { "all" })
    }

    fn view_of(&self, side: Side) -> View {
        self.shown(&side.to_string())
    }

    fn boxed_clone(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn with_chance(&self, seed: u64) -> Box<dyn GameState> {
        let mut state = self.clone();
        state.seed = seed;
        if let Some(text) = self.rules.description.save.then(|| self.save().ok()).flatten() {
            state.way = format!("LOAD {text}\n");
        }
        Box::new(state)
    }
}
