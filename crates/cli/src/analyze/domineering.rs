//! Domineering: who wins, by how much, with which moves.

use std::fs;
use std::io::Write as _;
use std::time::{Duration, Instant};

use agon_engines::domineering::champion::TABLE_BYTES;
use agon_engines::domineering::{Analysis, Judged, Solver};
use agon_game::{GameScore, Outcome, Position as _, Show as _, Side};
use agon_rules::domineering::{Domineering, Move};
use agon_search::SearchLimits;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::args::AnalyzeArgs;
use super::heat;
use crate::exit::Exit;
use crate::inspect::{domineering as question, numbers};
use crate::options::Format;
use crate::show::{self, FAINT, STRONG, WARN, paint};

/// A position, and all that is proved about it.
pub struct Study {
    pub position: Domineering,
    pub analysis: Analysis,
}

pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let name = args.position.as_deref().context("name the file of the position; - is standard input")?;
    let line = super::line(name)?;
    let position =
        question::position(line.as_bytes()).map_err(anyhow::Error::msg).with_context(|| format!("`{name}`"))?;
    let limits = SearchLimits { time: args.time.map(Duration::from_millis), ..SearchLimits::default() };
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
    if let Some(path) = &args.picture {
        fs::write(path, heat::svg(&study)).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let mut out = anstream::stdout();
    match args.format {
        Format::Json => writeln!(out, "{}", study.as_json(solver.nodes(), start.elapsed()))?,
        Format::Text => write!(out, "{}{}", study.as_text(), spent(solver.nodes(), start.elapsed()))?,
    }
    Ok(Exit::Done)
}

fn spent(nodes: u64, time: Duration) -> String {
    format!("{}\n", paint(FAINT, format!("{} nodes in {}", show::count(nodes), show::time(time))))
}

impl Study {
    /// By how much the first side leads in the end when it gets so many points more than the second from here on.
    pub fn margin(&self, value: i32) -> GameScore {
        self.position.lead() + GameScore::from(value)
    }

    fn outcome(&self, value: i32) -> Outcome {
        Outcome::by_score(self.margin(value), GameScore::default())
    }

    /// How the game ends after this move, if that is proved.
    pub fn decided(&self, judged: &Judged) -> Option<Outcome> {
        let outcome = self.outcome(judged.low);
        (outcome == self.outcome(judged.high)).then_some(outcome)
    }

    /// Whether a move is proved to be as good as any.
    pub fn is_best(&self, judged: &Judged) -> bool {
        let (low, high) = self.analysis.bounds(&self.position);
        match self.position.turn() {
            Side::First => judged.low >= high,
            Side::Second => judged.high <= low,
        }
    }

    /// What the side to move is ahead by in the end after a move, if that is proved: `+1.5`.
    pub fn gap(&self, judged: &Judged) -> Option<GameScore> {
        judged.value().map(|value| self.seen(self.margin(value)))
    }

    /// A lead of the first side, as the side to move sees it.
    fn seen(&self, lead: GameScore) -> GameScore {
        match self.position.turn() {
            Side::First => lead,
            Side::Second => GameScore::default() - lead,
        }
    }

    /// `H to move wins by 4.5`, as far as it is proved.
    pub fn headline(&self) -> String {
        let seats = Domineering::SEATS;
        let name = |side: Side| seats[side.index()];
        let turn = self.position.turn();
        if let Some(outcome) = self.position.outcome() {
            let by = unsigned(self.position.lead());
            return outcome.winner().map_or("drawn".to_owned(), |side| format!("{} has won by {by}", name(side)));
        }
        let (low, high) = self.analysis.bounds(&self.position);
        let (low, high) = (self.margin(low), self.margin(high));
        let winner = |margin: GameScore| Outcome::by_score(margin, GameScore::default());
        let words = match (winner(low), winner(high)) {
            (Outcome::Draw, Outcome::Draw) => "a draw".to_owned(),
            (Outcome::Win(side), Outcome::Win(other)) if side == other => {
                let [a, b] = [low, high].map(unsigned);
                if a == b {
                    format!("{} wins by {a}", name(side))
                } else {
                    format!("{} wins, by {} to {}", name(side), a.min(b), a.max(b))
                }
            }
            _ => format!("not proved in time: H ends from {} to {} ahead", signed(low), signed(high)),
        };
        format!("{} to move: {words}", name(turn))
    }

    fn as_text(&self) -> String {
        let mut text = format!("{}\n", paint(STRONG, self.headline()));
        if !self.analysis.line.is_empty() {
            text += &format!("line  {}\n", self.line());
        }
        text += &heat::board(self);
        let open = self.analysis.moves.iter().filter(|judged| judged.value().is_none()).count();
        if open > 0 {
            let undecided = self.analysis.moves.iter().filter(|judged| self.decided(judged).is_none()).count();
            let all = self.analysis.moves.len();
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
    fn line(&self) -> String {
        let mut turn = self.position.turn();
        let mut words = Vec::new();
        for &m in &self.analysis.line {
            words.push(format!("{} {}", paint(show::side(turn), Domineering::SEATS[turn.index()]), named(m)));
            turn = turn.other();
        }
        words.join(", ")
    }

    fn as_json(&self, nodes: u64, time: Duration) -> Value {
        let winner = |outcome: Option<Outcome>| outcome.map(|outcome| outcome.to_string());
        let (low, high) = self.analysis.bounds(&self.position);
        let whole = Judged { m: Move::PASS, low, high };
        let moves: Vec<Value> = self
            .analysis
            .moves
            .iter()
            .map(|judged| {
                json!({
                    "move": numbers(&judged.m), "value": judged.value(), "low": judged.low, "high": judged.high,
                    "winner": winner(self.decided(judged)), "best": self.is_best(judged),
                })
            })
            .collect();
        json!({
            "turn": Domineering::SEATS[self.position.turn().index()], "lead": self.position.lead().as_f64(),
            "value": whole.value(), "low": low, "high": high, "winner": winner(self.decided(&whole)),
            "line": self.analysis.line.iter().map(numbers).collect::<Vec<_>>(), "moves": moves,
            "nodes": nodes, "ms": time.as_secs_f64() * 1000.0,
            "proved": self.analysis.moves.iter().all(|judged| judged.value().is_some()),
        })
    }
}

fn unsigned(score: GameScore) -> GameScore {
    GameScore::from_halves(score.halves().abs())
}

/// With its sign: `+1.5`, `−2`, `0`.
pub fn signed(score: GameScore) -> String {
    match score.halves() {
        0 => "0".to_owned(),
        1.. => format!("+{score}"),
        _ => format!("−{}", unsigned(score)),
    }
}

/// As people read it.
pub fn named(m: Move) -> String {
    if m == Move::PASS { "PASS".to_owned() } else { m.to_string() }
}
