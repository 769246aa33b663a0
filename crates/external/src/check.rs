//! The checks of `agon game check`: laws that rules must obey, and statistics of random games.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use agon_catalog::Game;
use agon_game::seed::Stream;
use agon_game::{GameScore, GameState as _, Outcome, Side};

use crate::description::{Description, Values};
use crate::face::Face;
use crate::load::face_of;
use crate::picture;
use crate::process::Answer;
use crate::situation::{Situation, Stage};
use crate::state::{ExternalState, saved_text};

/// Games in whose positions every listed move and all nonsense is tried.
const PROBED_GAMES: u32 = 2;

/// Listed moves that are tried in one position.
const PROBED_MOVES: usize = 30;

/// Moves of other positions that are tried in one position.
const PROBED_OTHERS: usize = 40;

/// All positions before this ply are probed, later ones now and then.
const PROBED_PLIES: u32 = 60;

/// Starts of a game with secrets whose boards are compared.
const PROBED_STARTS: u64 = 30;

/// How many games are played with each value of a parameter other than its default.
const VARIANT_GAMES: u32 = 2;

/// Won games with unequal points from which on the points of the winners are looked at, and of how many in a hundred
/// the winner may have fewer: where points are only a measure on the way, a few do.
const SCORED_GAMES: u32 = 4;
const MAX_AGAINST_PERCENT: u32 = 40;

/// Who may watch a board.
const WATCHERS: [&str; 4] = ["all", "first", "second", "none"];

/// Texts that are not moves in any game.
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
    /// The mean time of START and of a move, as measured by the caller.
    pub start_time: Duration,
    pub move_time: Duration,
}

impl CheckReport {
    /// That of a check without a game.
    const fn new() -> Self {
        Self {
            findings: Vec::new(),
            games: 0,
            results: [0; 3],
            plies: [f64::INFINITY, 0.0, 0.0],
            scores: None,
            choices: 0.0,
            start_time: Duration::ZERO,
            move_time: Duration::ZERO,
        }
    }

    /// Whether all laws hold.
    pub fn passes(&self) -> bool {
        self.findings.iter().all(|finding| finding.problem.is_none())
    }
}

struct Checker {
    face: &'static Face,
    parameters: BTreeMap<String, String>,
    findings: Vec<Finding>,
    /// Moves that were listed anywhere.
    known: BTreeSet<String>,
    stream: Stream,
}

/// Laws, in display order.
const SAME: &str = "the same seed and moves are the same game, in a fresh process too";
const LEGAL: &str = "every listed move is accepted";
const LISTED: &str = "every legal move is listed once, always in the same order";
const NONE: &str = "what is not a move is refused, and changes nothing";
const UNKNOWN: &str = "a question that the program does not know is answered by `no`";
const SAVED: &str = "a saved state loads as the same state";
const LOADED: &str = "what is not a saved state is refused by LOAD, and changes nothing";
const DRAWN: &str = "the board can be read, whoever watches";
const STEADY: &str = "the same state is the same board, in a fresh process too";
const SECRET: &str = "the board of a side and of the public shows no more than INFO shows them";
const PLAYED: &str = "a playout ends, follows from its number, and changes nothing";
const SCORED: &str = "the winner has not fewer points";
const BOUND: &str = "every game ends within its bound";

/// The laws for rules that have this, in the order in which they are shown.
fn laws(description: &Description) -> Vec<&'static str> {
    let mut laws = vec![SAME];
    laws.extend(description.moves.then_some(LEGAL));
    laws.extend(description.moves.then_some(LISTED));
    laws.extend([NONE, UNKNOWN]);
    laws.extend(description.save.then_some([SAVED, LOADED]).into_iter().flatten());
    laws.extend(description.view.then_some([DRAWN, STEADY]).into_iter().flatten());
    laws.extend((description.view && description.secret).then_some(SECRET));
    laws.extend(description.playout.then_some(PLAYED));
    laws.extend(description.moves.then_some([SCORED, BOUND]).into_iter().flatten());
    laws
}

/// Tries the rules of a game in some random games with these parameters, which have their defaults where they are not
/// given.
///
/// # Errors
/// When the game is none of [`crate::load`], or cannot even begin.
pub fn check(game: Game, games: u32, seed: u64, parameters: &BTreeMap<String, String>) -> Result<CheckReport, String> {
    let face = face_of(game).ok_or_else(|| format!("the rules of {game} are no program"))?;
    let description = &face.rules.description;
    let findings = laws(description).into_iter().map(|law| Finding { law, problem: None }).collect();
    let (known, stream) = (BTreeSet::new(), Stream::new(seed, "probe"));
    let mut checker = Checker { face, parameters: parameters.clone(), findings, known, stream };
    let mut report = CheckReport::new();
    let (mut moves, mut choices, mut points, mut scored) = (0_u32, 0_usize, [0.0; 2], [0_u32; 2]);
    checker.starts(seed)?;
    for number in 0..if description.moves { games } else { 1 } {
        let game_seed = seed.wrapping_add(number.into());
        let mut stream = Stream::new(game_seed, "check");
        let asked = Instant::now();
        let start = checker.start(game_seed)?;
        report.start_time += asked.elapsed();
        let mut state = start.clone();
        let (mut played, mut lists) = (Vec::new(), Vec::new());
        if number == 0 {
            checker.unknown(&state);
        }
        while state.turn().is_some() {
            if number < PROBED_GAMES && (state.ply() < PROBED_PLIES || state.ply().is_multiple_of(4)) {
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
            checker.listed(&legal);
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
            lists.push(legal);
        }
        if number < PROBED_GAMES {
            checker.same(&state, game_seed, &played, &lists);
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
            if let (Outcome::Win(winner), [first, second]) = (ending.outcome, score.map(GameScore::halves))
                && first != second
            {
                scored[usize::from((first > second) != (winner == Side::First))] += 1;
            }
        }
    }
    checker.scored(scored);
    let ended = f64::from(report.games.max(1));
    report.plies[1] /= ended;
    report.scores = report.scores.map(|points| points.map(|points| points / ended));
    report.choices = choices as f64 / f64::from(moves.max(1));
    report.start_time /= games.max(1);
    report.move_time /= moves.max(1);
    report.findings = checker.findings;
    Ok(report)
}

/// Like [`check`], and then with each parameter at other values than its default, the others as given: the smallest and
/// the largest number, and every word. A problem that appears only there names the value.
///
/// # Errors
/// As [`check`].
pub fn check_all(
    game: Game,
    games: u32,
    seed: u64,
    parameters: &BTreeMap<String, String>,
) -> Result<CheckReport, String> {
    let mut report = check(game, games, seed, parameters)?;
    let face = face_of(game).ok_or_else(|| format!("the rules of {game} are no program"))?;
    for parameter in &face.rules.description.parameters {
        let values = match &parameter.values {
            Values::Numbers(from, to) => vec![from.to_string(), to.to_string()],
            Values::Words(words) => words.clone(),
        };
        let now = parameters.get(&parameter.name).unwrap_or(&parameter.default);
        for value in values.into_iter().filter(|value| value != now) {
            let mut parameters = parameters.clone();
            parameters.insert(parameter.name.clone(), value.clone());
            let at = format!("with {}={value}", parameter.name);
            let found = check(game, VARIANT_GAMES.min(games), seed, &parameters).map(|report| report.findings);
            let found = found.unwrap_or_else(|problem| vec![Finding { law: SAME, problem: Some(problem) }]);
            for Finding { law, problem } in found {
                let known = report.findings.iter_mut().find(|known| known.law == law && known.problem.is_none());
                if let Some((known, problem)) = known.zip(problem) {
                    known.problem = Some(format!("{at}: {problem}"));
                }
            }
        }
    }
    Ok(report)
}

impl Checker {
    fn start(&self, seed: u64) -> Result<ExternalState, String> {
        ExternalState::start(&self.face.rules, seed, &self.parameters)
    }

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

    /// Looks at the moves that are listed in a position.
    fn listed(&mut self, legal: &[String]) {
        let mut seen = BTreeSet::new();
        if let Some(twice) = legal.iter().find(|text| !seen.insert(*text)) {
            self.broken(LISTED, format!("`{twice}` is listed twice"));
        }
        if self.known.len() < 1_000 {
            self.known.extend(legal.iter().cloned());
        }
    }

    /// Tries everything that may be asked about one position.
    fn probe(&mut self, state: &ExternalState) {
        let listed = state.moves().unwrap_or_default();
        for text in listed.iter().take(PROBED_MOVES) {
            if let Err(error) = state.clone().answer(text)
                && self.holds(LEGAL)
            {
                self.broken(LEGAL, format!("`{text}`: {error}"));
            }
        }
        self.unlisted(state, &listed);
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
        if self.holds(LOADED)
            && let Err(problem) = refused(state, &listed)
        {
            self.broken(LOADED, problem);
        }
        if self.holds(DRAWN)
            && let Some(problem) = WATCHERS.iter().find_map(|watcher| drawn(state, watcher).err())
        {
            self.broken(DRAWN, problem);
        }
        if self.holds(DRAWN)
            && self.holds(STEADY)
            && let Some(watcher) = WATCHERS.iter().find(|of| state.board_lines(of) != state.board_lines(of))
        {
            self.broken(STEADY, format!("`VIEW {watcher}`, asked twice, is answered by two boards"));
        }
        if self.holds(SECRET)
            && let Err(problem) = leaked(state, &listed)
        {
            self.broken(SECRET, problem);
        }
        if self.holds(PLAYED)
            && state.turn().is_some()
            && let Err(problem) = playout(state, &listed)
        {
            self.broken(PLAYED, problem);
        }
    }

    /// Tries moves of other positions, which are legal only if they are listed.
    fn unlisted(&mut self, state: &ExternalState, listed: &[String]) {
        if !self.holds(LISTED) || listed.is_empty() {
            return;
        }
        let mut others: Vec<String> = self.known.iter().filter(|text| !listed.contains(text)).cloned().collect();
        for _ in 0..PROBED_OTHERS.min(others.len()) {
            let text = others.swap_remove(self.stream.below(others.len()));
            if state.clone().answer(&text).is_ok() {
                return self.broken(LISTED, format!("`{text}` is accepted and not listed"));
            }
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
    fn same(&mut self, state: &ExternalState, seed: u64, played: &[String], lists: &[Vec<String>]) {
        self.face.rules.forget();
        let again = self.start(seed).and_then(|mut again| {
            for (text, listed) in played.iter().zip(lists) {
                let moves = again.moves()?;
                if moves != *listed {
                    let sorted = |moves: &[String]| moves.iter().cloned().collect::<BTreeSet<_>>();
                    let what = if sorted(&moves) == sorted(listed) { "in another order" } else { "others" };
                    let at = again.ply() + 1;
                    self.broken(LISTED, format!("a fresh process lists the legal moves of move {at} {what}"));
                }
                again.answer(text).map_err(|error| format!("`{text}`, accepted before: {error}"))?;
            }
            Ok(again)
        });
        match again {
            Err(problem) => self.broken(SAME, problem),
            Ok(again) if again.situation() != state.situation() => {
                self.broken(SAME, format!("at first `{}`, then `{}`", state.situation(), again.situation()));
            }
            Ok(again) if state.rules().description.save && again.save() != state.save() => {
                self.broken(SAME, "the saved states differ".to_owned());
            }
            Ok(again) => {
                let differs = |of: &&&str| again.board_lines(of) != state.board_lines(of);
                if self.holds(DRAWN)
                    && self.holds(STEADY)
                    && let Some(watcher) = WATCHERS.iter().find(differs)
                {
                    self.broken(STEADY, format!("`VIEW {watcher}` of a fresh process is another board"));
                }
            }
        }
    }

    /// Compares the boards of starts in which both sides were informed of the same.
    fn starts(&mut self, seed: u64) -> Result<(), String> {
        if !self.holds(SECRET) {
            return Ok(());
        }
        let mut seen: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
        for number in 0..PROBED_STARTS {
            let state = self.start(seed.wrapping_add(number))?;
            let [first, second] = Side::BOTH.map(|side| state.preamble(side).to_owned());
            let both = first.lines().filter(|line| second.lines().any(|other| other == *line));
            let public = both.collect::<Vec<_>>().join("\n");
            for (watcher, known) in [("first", first.clone()), ("second", second.clone()), ("none", public)] {
                let Ok(board) = state.board_lines(watcher) else { continue };
                let before = seen.entry((watcher, known)).or_insert_with(|| board.clone());
                if *before != board {
                    let whom = if watcher == "none" { "both sides" } else { "that side" };
                    let problem =
                        format!("`VIEW {watcher}` differs between starts in which INFO is the same for {whom}");
                    self.broken(SECRET, problem);
                }
            }
        }
        Ok(())
    }

    /// Compares won games in which the winner had more points with those in which the winner had fewer.
    fn scored(&mut self, [with, against]: [u32; 2]) {
        let all = with + against;
        if all >= SCORED_GAMES && against * 100 > all * MAX_AGAINST_PERCENT {
            self.broken(SCORED, format!("in {against} of {all} won games the winner has fewer points than the loser"));
        }
    }
}

/// Whether a board is readable and its rows have equal lengths.
fn drawn(state: &ExternalState, watcher: &str) -> Result<(), String> {
    state.board(watcher)?;
    picture::ragged(&state.board_lines(watcher)?)
        .map_or(Ok(()), |rows| Err(format!("`VIEW {watcher}` has rows of different lengths: {rows}")))
}

/// Whether anything but a saved state is rejected: nonsense, and parts of a state.
fn refused(state: &ExternalState, listed: &[String]) -> Result<(), String> {
    let saved = state.save()?;
    let cut: Vec<String> = [saved.chars().count() / 2, saved.chars().count().saturating_sub(1)]
        .map(|length| saved.chars().take(length).collect::<String>().trim().to_owned())
        .into();
    let nonsense = NONSENSE.into_iter().map(|text| (text, true));
    for (text, never) in nonsense.chain(cut.iter().map(|text| (text.as_str(), false))) {
        if text.is_empty() || text == saved {
            continue;
        }
        let answer = state.ask(&format!("LOAD {text}\n"), 0);
        if let Answer::Lines(_) = answer.map_err(|problem| format!("`LOAD {text}`: {problem}"))? {
            if never {
                return Err(format!("`LOAD {text}` is accepted"));
            }
            // A part of a state may be another state.
            let again = ExternalState::read(state.rules(), text)?.save()?;
            if again != text {
                return Err(format!("`LOAD {text}` is accepted, and saved as `{again}`"));
            }
        }
    }
    match state.ask("LOAD x\n", 0)? {
        Answer::No(_) if state.moves()? != listed => Err("after a refused LOAD other moves are listed".to_owned()),
        _ => Ok(()),
    }
}

/// Whether a board reveals a move to those who were not informed: two moves after which the other side has the same
/// INFO must look the same to it and to the public.
fn leaked(state: &ExternalState, listed: &[String]) -> Result<(), String> {
    let (Some(side), [one, .., other]) = (state.turn(), listed) else { return Ok(()) };
    let after = |text: &String| {
        let mut next = state.clone();
        next.answer(text).map(|_| next).map_err(|error| error.to_string())
    };
    let (Ok(first), Ok(second)) = (after(one), after(other)) else { return Ok(()) };
    let informed = |next: &ExternalState| {
        let Situation { stage, score, news, .. } = next.situation().clone();
        (stage, score, news[side.other().index()].clone())
    };
    if informed(&first) != informed(&second) {
        return Ok(());
    }
    let hidden_from = side.other().to_string();
    for watcher in [hidden_from.as_str(), "none"] {
        if first.board_lines(watcher)? != second.board_lines(watcher)? {
            return Err(format!(
                "`VIEW {watcher}` shows whether {side} played `{one}` or `{other}`, and no INFO to {hidden_from} does"
            ));
        }
    }
    Ok(())
}

fn saved(state: &ExternalState, listed: &[String]) -> Result<(), String> {
    let text = state.save()?;
    let loaded = ExternalState::read(state.rules(), &text)?;
    let (was, is) = (state.situation(), loaded.situation());
    if (&was.stage, was.score) != (&is.stage, is.score) {
        return Err(format!("`{text}`: at first `{was}`, then `{is}`"));
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
        return Err(format!("at first `{one}`, then `{two}`"));
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
