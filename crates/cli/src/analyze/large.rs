//! Domineering on boards larger than those of the game: proved bounds of the moves, and estimates.

use std::io::Write as _;
use std::time::{Duration, Instant};

use agon_analysis::study::signed;
use agon_engines::domineering::champion::TABLE_BYTES;
use agon_engines::domineering::large::{LargeAnalysis, LargeMove, LargePosition, analyse};
use agon_game::{GameScore, Outcome, Show as _, Side};
use agon_rules::domineering::Domineering;
use agon_search::SearchLimits;
use anyhow::bail;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::args::AnalyzeArgs;
use crate::exit::Exit;
use crate::options::Format;
use crate::show::{self, FAINT, STRONG, paint};
use crate::signals;
use crate::table::{TableLook, table};

/// The default time of an analysis: such a board may never be solved.
const TIME: Duration = Duration::from_secs(10);

/// The moves that people are shown.
const SHOWN: usize = 10;

pub(super) fn run(args: &AnalyzeArgs, position: &LargePosition) -> anyhow::Result<Exit> {
    if args.out.is_some() {
        bail!("--out draws boards with at most 8 rows and columns; leave it out");
    }
    if args.moves.is_some() {
        bail!("--moves is for boards with at most 8 rows and columns; name the covered cells under `occupied`");
    }
    let limits = SearchLimits::time(args.time.map_or(TIME, Duration::from));
    let stop = signals::stop()?;
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    let begun = Instant::now();
    let analysis = analyse(position, TABLE_BYTES, limits, stop, &mut |low, high| {
        bar.set_message(format!("from {low} to {high}, {} s", begun.elapsed().as_secs()));
    });
    bar.finish_and_clear();
    let spent = begun.elapsed();
    let found = Found { position, analysis: &analysis };
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => writeln!(out, "{}", crate::output::json(found.json(spent)))?,
        Format::Text => write!(out, "{}", found.text(spent))?,
    }
    Ok(Exit::Done)
}

struct Found<'a> {
    position: &'a LargePosition,
    analysis: &'a LargeAnalysis,
}

impl Found<'_> {
    /// Returns the first side's final lead if it still gets `points` more than the second.
    fn margin(&self, points: i32) -> GameScore {
        GameScore::from(points) - self.position.bonus().score()
    }

    /// The same for the side to move.
    fn gap(&self, points: i32) -> GameScore {
        match self.position.turn() {
            Side::First => self.margin(points),
            Side::Second => GameScore::default() - self.margin(points),
        }
    }

    fn outcome(&self, points: i32) -> Outcome {
        Outcome::by_score(self.margin(points), GameScore::default())
    }

    /// Returns the winner, if the bounds decide it.
    fn decided(&self, low: i32, high: i32) -> Option<Outcome> {
        (self.outcome(low) == self.outcome(high)).then(|| self.outcome(low))
    }

    fn headline(&self) -> String {
        let LargeAnalysis { low, high, estimate, .. } = *self.analysis;
        let turn = Domineering::SEATS[self.position.turn().index()];
        let winner = match self.decided(low, high) {
            Some(Outcome::Win(side)) => format!("{} wins", Domineering::SEATS[side.index()]),
            Some(Outcome::Draw) => "a draw".to_owned(),
            None => "who wins is not proved in time".to_owned(),
        };
        let [low, high, about] = [low, high, estimate].map(|points| signed(self.margin(points)));
        if low == high {
            format!("{turn} to move: {winner}; H ends {low} ahead")
        } else {
            format!("{turn} to move: {winner}; H ends from {low} to {high} ahead, about {about}")
        }
    }

    fn text(&self, spent: Duration) -> String {
        let analysis = self.analysis;
        let mut text = format!("{}\n", paint(STRONG, self.headline()));
        if analysis.moves.is_empty() {
            return text;
        }
        let heading = ["move", "at least", "about", "at most"].map(str::to_owned).to_vec();
        let row = |m: &LargeMove| {
            let gaps = [m.low, m.high].map(|points| self.gap(points));
            let numbers = [gaps[0].min(gaps[1]), self.gap(m.estimate), gaps[0].max(gaps[1])].map(signed);
            let name = m.anchor.map_or_else(|| "PASS".to_owned(), |(row, column)| format!("{row} {column}"));
            [vec![name], numbers.to_vec()].concat()
        };
        let rows: Vec<Vec<String>> = [heading].into_iter().chain(analysis.moves.iter().take(SHOWN).map(row)).collect();
        text += &table(&rows, 1, &[0], TableLook::Plain(2));
        let (turn, all) = (Domineering::SEATS[self.position.turn().index()], analysis.moves.len());
        let shown = if all > SHOWN { format!("the best {SHOWN} of {all} moves: ") } else { String::new() };
        let plies = match analysis.plies {
            1 => "1 ply".to_owned(),
            plies => format!("{plies} plies"),
        };
        let legend = format!(
            "{shown}what {turn} ends ahead by after each, proved at least and at most, and as a look {plies} beyond it \
             has it"
        );
        text += &format!("{}\n", paint(FAINT, legend));
        text + &show::spent(analysis.nodes, spent)
    }

    fn json(&self, spent: Duration) -> Value {
        let LargeAnalysis { low, high, estimate, plies, nodes, .. } = *self.analysis;
        let value = |low: i32, high: i32| (low == high).then_some(low);
        let winner = |low: i32, high: i32| self.decided(low, high).map(|outcome| outcome.to_string());
        let moves = self.analysis.moves.iter().map(|m| {
            json!({
                "move": m.anchor.map_or([-1, -1], |(row, column)| [row as i32, column as i32]),
                "value": value(m.low, m.high), "low": m.low, "high": m.high, "estimate": m.estimate,
                "winner": winner(m.low, m.high),
            })
        });
        json!({
            "turn": Domineering::SEATS[self.position.turn().index()], "lead": self.margin(0).as_f64(),
            "value": value(low, high), "estimate": estimate, "low": low, "high": high, "winner": winner(low, high),
            "moves": moves.collect::<Vec<_>>(), "plies": plies, "nodes": nodes,
            "ms": spent.as_secs_f64() * 1000.0, "proved": low == high,
        })
    }
}
