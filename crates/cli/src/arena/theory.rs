//! A run compared with perfect play: games lost although they were won from the first move, and the reverse.

use std::collections::HashMap;
use std::fmt::Write as _;

use agon_arena::plan::Plan;
use agon_arena::store::Filter;
use agon_arena::{Store, Summary, export};
use agon_catalog::{Capability, Setup};
use agon_engines::domineering::Solver;
use agon_engines::domineering::champion::TABLE_BYTES;
use agon_game::{Outcome, Side};
use agon_jobs::Progress as _;
use agon_referee::record::{Record, Winner};
use agon_referee::text::line;
use agon_referee::verdict::Verdict;
use agon_rules::domineering::Domineering;
use agon_search::SearchLimits;
use anyhow::ensure;
use serde_json::{Value, json};

use crate::exit::in_one_line;
use crate::left_out::LeftOut;
use crate::progress::Bar;
use crate::show::{FAINT, GOOD, STRONG, WARN, counted, paint};

/// An agent's results in the games that it could win, or could not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Account {
    games: u32,
    wins: u32,
    /// Ended by its verdict: out of time, a crash, an illegal move.
    faults: u32,
}

/// A run, with the theoretical winner of each of its games.
pub(super) struct Theory {
    names: Vec<String>,
    /// By agent: games its side wins in theory, as first and as second; then the others.
    accounts: Vec<[[Account; 2]; 2]>,
    /// The numbers of the games that an agent lost although its side was won.
    given_away: Vec<(u32, usize)>,
    /// Games that are drawn in theory, or void.
    uncounted: u32,
}

impl Theory {
    pub(super) fn new(store: &Store, run: i64, plan: &Plan) -> anyhow::Result<(Self, LeftOut)> {
        ensure!(plan.game.can(Capability::Solving), "--theory: {} is not solved, only domineering", plan.game);
        let mut theory = Self {
            names: plan.agents.iter().map(|agent| agent.name.clone()).collect(),
            accounts: vec![Default::default(); plan.agents.len()],
            given_away: Vec::new(),
            uncounted: 0,
        };
        // Both games of a pair, and all agents of a round, begin alike.
        let mut known: HashMap<String, Outcome> = HashMap::new();
        // The first positions of a game take seconds each.
        let bar = Bar::new("{wide_bar} {pos}/{len} games solved {eta}")?;
        bar.start(store.count(run)?, 0);
        let mut left_out = LeftOut::default();
        let tally = export::tally(store, run, plan)?;
        let mut seen = 0;
        let unreadable = store.records::<anyhow::Error>(run, Filter::All, |bout, text| {
            bar.set_position(seen);
            seen += 1;
            if !tally.counts(bout) {
                return Ok(());
            }
            match outcome(plan, text, &mut known) {
                Ok(outcome) => theory.add(bout, outcome),
                Err(error) => left_out.add(format!("game {} of run {run}: {}", bout.slot, in_one_line(&error))),
            }
            Ok(())
        })?;
        left_out.extend(unreadable);
        Ok((theory, left_out))
    }

    fn add(&mut self, bout: &Summary, outcome: Outcome) {
        let (Some(won), Some(winner)) = (outcome.winner(), side(bout.winner)) else {
            self.uncounted += 1;
            return;
        };
        for side in Side::BOTH {
            let agent = bout.seats[side.index()];
            let account = &mut self.accounts[agent][usize::from(side != won)][side.index()];
            account.games += 1;
            account.wins += u32::from(side == winner);
            account.faults += u32::from(bout.verdicts[side.index()] != Verdict::Ok);
            if side == won && side != winner {
                self.given_away.push((bout.slot, agent));
            }
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n", paint(STRONG, "against perfect play"));
        for (name, [won, lost]) in self.names.iter().zip(&self.accounts) {
            let [a, b] = won.map(|account| format!("{} of {}", account.wins, account.games));
            let all = total(won);
            let style = if all.wins == all.games { GOOD } else { WARN };
            let share = |account: Account| percent(account.wins, account.games);
            let _ = writeln!(
                text,
                "{}: of {} won in theory it won {} (as first {a}, as second {b})",
                line(name),
                counted(all.games.into(), "game"),
                paint(style, format!("{}, {}", all.wins, share(all))),
            );
            let [a, b] = lost.map(|account| format!("{} of {}", account.wins, account.games));
            let all = total(lost);
            let turned = format!("{}, {}", all.wins, share(all));
            let _ = writeln!(
                text,
                "  of {} lost in theory it won {turned} (as first {a}, as second {b})",
                counted(all.games.into(), "game")
            );
            let faults: u32 = [won, lost].into_iter().flatten().map(|account| account.faults).sum();
            if faults > 0 {
                let _ = writeln!(
                    text,
                    "  {}",
                    paint(WARN, format!("{} lost by its own fault", counted(faults.into(), "game")))
                );
            }
        }
        for (at, name) in self.names.iter().enumerate() {
            let slots: Vec<String> =
                self.given_away.iter().filter(|(_, agent)| *agent == at).map(|(slot, _)| slot.to_string()).collect();
            if !slots.is_empty() {
                let games = if slots.len() == 1 { "game" } else { "games" };
                text += &paint(FAINT, format!("given away by {name}: {games} {}\n", slots.join(", ")));
            }
        }
        if self.uncounted > 0 {
            let are =
                if self.uncounted == 1 { "is drawn in theory or was void" } else { "are drawn in theory or were void" };
            let _ = writeln!(text, "{} {are}", counted(self.uncounted.into(), "game"));
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let seats = |accounts: &[Account; 2]| {
            accounts.map(|account| json!({ "games": account.games, "wins": account.wins, "faults": account.faults }))
        };
        let agents = self.names.iter().zip(&self.accounts).enumerate().map(|(at, (name, [won, lost]))| {
            let away = self.given_away.iter().filter(|(_, agent)| *agent == at).map(|(slot, _)| *slot);
            json!({
                "name": name, "won_in_theory": seats(won), "lost_in_theory": seats(lost),
                "given_away": away.collect::<Vec<_>>(),
            })
        });
        json!({ "agents": agents.collect::<Vec<_>>(), "uncounted": self.uncounted })
    }
}

/// Returns the winner of a recorded game under perfect play.
fn outcome(plan: &Plan, record: &str, known: &mut HashMap<String, Outcome>) -> anyhow::Result<Outcome> {
    let header = Record::read(record)?.header;
    let setup = Setup { seed: header.seed, parameters: header.parameters };
    let start = plan.game.position(None, &setup)?.text();
    if let Some(&outcome) = known.get(&start) {
        return Ok(outcome);
    }
    let position: Domineering = start.parse()?;
    let outcome = Solver::new(position.board(), TABLE_BYTES).outcome(&position, SearchLimits::default())?;
    known.insert(start, outcome);
    Ok(outcome)
}

fn total(accounts: &[Account; 2]) -> Account {
    let [a, b] = *accounts;
    Account { games: a.games + b.games, wins: a.wins + b.wins, faults: a.faults + b.faults }
}

fn percent(part: u32, whole: u32) -> String {
    format!("{:.1} %", 100.0 * f64::from(part) / f64::from(whole.max(1)))
}

const fn side(winner: Winner) -> Option<Side> {
    match winner {
        Winner::First => Some(Side::First),
        Winner::Second => Some(Side::Second),
        Winner::Draw | Winner::Void => None,
    }
}
