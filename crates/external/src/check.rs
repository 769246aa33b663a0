//! The checks of `agon game check`: laws that rules must obey, and statistics of random games.

use std::time::{Duration, Instant};

use agon_catalog::{Game, Setup};
use agon_game::seed::Stream;
use agon_game::{GameScore, GameState as _, Outcome, Side};

use crate::face::Face;
use crate::load::face_of;
use crate::process::Answer;
use crate::situation::{Situation, Stage};
use crate::state::{ExternalState, saved_text};

/// Games in whose positions every listed move and all nonsense is tried.
const PROBED_GAMES: u32 = 2;

/// Listed moves that are tried in one position.
const PROBED_MOVES: usize = 30;

/// Texts that are not a move in any game.
const NONSENSE: [&str; 8] =
    ["x", "-", "1 2 3 4 5 6 7 8 9 10 11 12", "99999999999999999999", "-1 -1 -1 -1 -1 -1 -1", "1e9", "é", "ok"];

/// A law, and its violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub law: &'static str,
    pub problem: Option<String>,
}

/// Result of a check.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckReport {
    pub findings: Vec<Finding>,
    /// Random games, and how many the first side won, the second side won, and were drawn.
    pub games: u32,
    pub results: [u32; 3],
    /// The shortest, the mean and the longest game, in moves.
    pub plies: [f64; 3],
    /// The mean of each side's points at the end, where the game has any.
    pub scores: Option<[f64; 2]>,
    /// The mean number of legal moves.
    pub choices: f64,
    /// The mean time of START and of a move, as asked for.
    pub start_time: Duration,
    pub move_time: Duration,
}

impl CheckReport {
    /// Returns true if all laws hold.
    pub fn passes(&self) -> bool {
        self.findings.iter().all(|finding| finding.problem.is_none())
    }
}

struct Checker {
    face: &'static Face,
    findings: Vec<Finding>,
}

/// Laws, in display order.
const SAME: &str = "the same seed and moves are the same game, in a fresh process too";
const LEGAL: &str = "every listed move is accepted";
const NONE: &str = "what is not a move is refused, and changes nothing";
const UNKNOWN: &str = "a question that the program does not know is answered by `no`";
const SAVED: &str = "a saved state loads as the same state";
const DRAWN: &str = "the board can be read, whoever watches";
const PLAYED: &str = "a playout ends, follows from its number, and changes nothing";
const BOUND: &str = "every game ends within its bound";

/// Tries the rules of a game in some random games.
///
/// # Errors
/// If the game does not come from [`crate::load`], or cannot even start.
pub fn check(game: Game, games: u32, seed: u64) -> Result<CheckReport, String> {
    let face = face_of(game).ok_or_else(|| format!("the rules of {game} are no program"))?;
    let description = &face.rules.description;
    let mut laws = vec![SAME];
    laws.extend(description.moves.then_some(LEGAL));
    laws.extend([NONE, UNKNOWN]);
    laws.extend(description.save.then_some(SAVED));
    laws.extend(description.view.then_some(DRAWN));
    laws.extend(description.playout.then_some(PLAYED));
    laws.extend(description.moves.then_some(BOUND));
    let findings = laws.into_iter().map(|law| Finding { law, problem: None }).collect();
    let mut checker = Checker { face, findings };
    let mut report = CheckReport {
        findings: Vec::new(),
        games: 0,
        results: [0; 3],
        plies: [f64::INFINITY, 0.0, 0.0],
        scores: None,
        choices: 0.0,
        start_time: Duration::ZERO,
        move_time: Duration::ZERO,
    };
    let (mut moves, mut choices, mut points) = (0_u32, 0_usize, [0.0; 2]);
    for number in 0..if description.moves { games } else { 1 } {
        let game_seed = seed.wrapping_add(number.into());
        let mut stream = Stream::new(game_seed, "check");
        let asked = Instant::now();
        let start = start_of(face, game_seed)?;
        report.start_time += asked.elapsed();
        let mut state = start.clone();
        let mut played = Vec::new();
        if number == 0 {
            checker.unknown(&state);
        }
        while state.turn().is_some() {
            if number < PROBED_GAMES {
                checker.probe(&state);
            }
            if !description.moves {
                break;
            }
            let legal = match state.moves() {
                Ok(legal) if legal.is_empty() => {
                    checker.broken(LEGAL, "they list no move although the game goes on".to_owned());
                    break;
                }
                Ok(legal) => legal,
                Err(problem) => {
                    checker.broken(LEGAL, problem);
                    break;
                }
            };
            choices += legal.len();
            let text = &legal[stream.below(legal.len())];
            let asked = Instant::now();
            if let Err(error) = state.answer(text) {
                checker.broken(if played.len() as u32 >= description.plies { BOUND } else { LEGAL }, error.to_string());
                break;
            }
            report.move_time += asked.elapsed();
            moves += 1;
            played.push(text.clone());
        }
        if number < PROBED_GAMES {
            checker.same(&state, game_seed, &played);
        }
        let Some(ending) = state.ending() else { continue };
        if number < PROBED_GAMES {
            checker.probe(&state);
        }
        report.games += 1;
        report.results[match ending.outcome {
            Outcome::Win(Side::First) => 0,
            Outcome::Win(Side::Second) => 1,
            Outcome::Draw => 2,
        }] += 1;
        if ending.outcome == Outcome::Draw && !description.draws {
            checker.broken(SAME, "a game was drawn, which `has draws` does not say".to_owned());
        }
        let length = f64::from(state.ply());
        report.plies = [report.plies[0].min(length), report.plies[1] + length, report.plies[2].max(length)];
        if let Some(score) = state.score() {
            points = [0, 1].map(|at| points[at] + GameScore::as_f64(score[at]));
            report.scores = Some(points);
        }
    }
    let ended = f64::from(report.games.max(1));
    report.plies[1] /= ended;
    report.scores = report.scores.map(|points| points.map(|points| points / ended));
    report.choices = choices as f64 / f64::from(moves.max(1));
    report.start_time /= games.max(1);
    report.move_time /= moves.max(1);
    report.findings = checker.findings;
    Ok(report)
}

fn start_of(face: &'static Face, seed: u64) -> Result<ExternalState, String> {
    ExternalState::start(&face.rules, seed, &Setup::default().parameters)
}

impl Checker {
    /// Keeps the first problem of each law.
    fn broken(&mut self, law: &'static str, problem: String) {
        if let Some(finding) = self.findings.iter_mut().find(|finding| finding.law == law)
            && finding.problem.is_none()
        {
            finding.problem = Some(problem);
        }
    }

    fn holds(&self, law: &str) -> bool {
        self.findings.iter().any(|finding| finding.law == law && finding.problem.is_none())
    }

    /// Tries all that may be asked about one position.
    fn probe(&mut self, state: &ExternalState) {
        let listed = state.moves().unwrap_or_default();
        for text in listed.iter().take(PROBED_MOVES) {
            if let Err(error) = state.clone().answer(text)
                && self.holds(LEGAL)
            {
                self.broken(LEGAL, format!("`{text}`: {error}"));
            }
        }
        for text in NONSENSE.into_iter().filter(|text| !listed.iter().any(|known| known == text)) {
            let mut after = state.clone();
            match after.answer(text) {
                Ok(_) => self.broken(NONE, format!("`{text}` is accepted, and listed nowhere")),
                Err(error) if after.failure().is_some() => self.broken(NONE, format!("`{text}`: {error}")),
                Err(_) if state.moves().unwrap_or_default() != listed => {
                    self.broken(NONE, format!("after `{text}` was refused, other moves are listed"));
                }
                Err(_) => {}
            }
        }
        if self.holds(SAVED)
            && let Err(problem) = saved(state, &listed)
        {
            self.broken(SAVED, problem);
        }
        if self.holds(DRAWN) {
            let boards = ["all", "first", "second", "none"].map(|watcher| state.board(watcher));
            if let Some(problem) = boards.into_iter().find_map(Result::err) {
                self.broken(DRAWN, problem);
            }
        }
        if self.holds(PLAYED)
            && state.turn().is_some()
            && let Err(problem) = playout(state, &listed)
        {
            self.broken(PLAYED, problem);
        }
    }

    fn unknown(&mut self, state: &ExternalState) {
        match state.ask("DANCE\n", 0) {
            Ok(Answer::No(_)) => {}
            Ok(Answer::Lines(_)) => self.broken(UNKNOWN, "`DANCE` is answered by `ok`".to_owned()),
            Err(problem) => self.broken(UNKNOWN, problem),
        }
    }

    /// Plays the same game in a fresh process.
    fn same(&mut self, state: &ExternalState, seed: u64, played: &[String]) {
        self.face.rules.forget();
        let again = start_of(self.face, seed).and_then(|mut again| {
            for text in played {
                again.answer(text).map_err(|error| format!("`{text}`, accepted before: {error}"))?;
            }
            Ok(again)
        });
        match again {
            Err(problem) => self.broken(SAME, problem),
            Ok(again) if again.situation() != state.situation() => {
                self.broken(SAME, format!("{:?} at first, then {:?}", state.situation(), again.situation()));
            }
            Ok(again) if state.rules().description.save && again.save() != state.save() => {
                self.broken(SAME, "the saved states differ".to_owned());
            }
            Ok(_) => {}
        }
    }
}

fn saved(state: &ExternalState, listed: &[String]) -> Result<(), String> {
    let text = state.save()?;
    let loaded = ExternalState::read(state.rules(), &text)?;
    let (was, is) = (state.situation(), loaded.situation());
    if (&was.stage, was.score) != (&is.stage, is.score) {
        return Err(format!("`{text}`: {:?} {:?} at first, then {:?} {:?}", was.stage, was.score, is.stage, is.score));
    }
    if loaded.moves()? != listed {
        return Err(format!("`{text}`: other moves are listed"));
    }
    if loaded.save()? != text {
        return Err(format!("`{text}` is saved as `{}`", loaded.save()?));
    }
    Ok(())
}

fn playout(state: &ExternalState, listed: &[String]) -> Result<(), String> {
    let play = || match state.ask("PLAYOUT 12345\n", state.key())? {
        Answer::Lines(lines) => Situation::read(&lines),
        Answer::No(reason) => Err(format!("they refuse PLAYOUT: {reason}")),
    };
    let (one, two) = (play()?, play()?);
    if !matches!(one.stage, Stage::Over(_)) {
        return Err("PLAYOUT is answered with a game that goes on".to_owned());
    }
    if one != two {
        return Err(format!("{one:?} at first, then {two:?}"));
    }
    if state.moves()? != listed {
        return Err("after PLAYOUT other moves are listed".to_owned());
    }
    if state.rules().description.save {
        // Asks again, ignoring cached data of the state.
        match state.ask("SAVE\n", state.key())? {
            Answer::Lines(lines) if saved_text(&lines)? == state.save()? => {}
            _ => return Err("after PLAYOUT another state is saved".to_owned()),
        }
    }
    Ok(())
}
