//! `agon results --why`: why an agent lost its games.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use agon_analysis::judge::champion_name;
use agon_arena::failures::Failures;
use agon_arena::losses::{LossKind, MoveLoss, losses, worst};
use agon_arena::{Plan, Store, Summary};
use agon_catalog::Game;
use agon_game::Side;
use agon_jobs::Progress as _;
use agon_referee::record::Winner;
use agon_referee::text::line;
use agon_referee::verdict::Verdict;
use agon_search::{SearchLimits, Stop};
use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use crate::exit::in_one_line;
use crate::left_out::LeftOut;
use crate::move_loss::loss_text;
use crate::progress::Bar;
use crate::recorded::{RecordedGame, Source};
use crate::show::{self, FAINT, STRONG, counted, paint};

/// Games and moves that are named of one kind.
const MAX_NAMED: usize = 5;

/// A clock with less than this share left is nearly over.
const LITTLE_LEFT: f64 = 0.1;

/// A part of a game: each has a third of its moves.
const PHASES: [&str; 3] = ["opening", "middle", "end"];

/// Analysis of a lost game.
struct Analysed {
    slot: u32,
    /// Moves of the opening, and of the whole game.
    opening: u32,
    plies: u32,
    threw_away: bool,
    worst: Option<MoveLoss>,
    /// The time of the worst move, in milliseconds.
    ms: f64,
}

/// Agent whose lost games are wanted, by default the first one, and the maximum number judged by the champion.
#[derive(Clone, Copy, Debug)]
pub(super) struct WhyWish<'a> {
    pub agent: Option<&'a str>,
    pub games: usize,
}

/// Receiver of an analysis's progress, and its stop.
pub(super) struct WhyProgress<'a> {
    pub stop: &'a Stop,
    pub hear: &'a mut dyn FnMut(&str),
}

/// The games that an agent lost, by kinds of causes.
pub(super) struct Why<'a> {
    plan: &'a Plan,
    run: i64,
    agent: usize,
    /// Its games as first and as second, and the number of losses.
    seats: [[u32; 2]; 2],
    lost: Vec<&'a Summary>,
    failures: Failures,
    /// Number of games lost after each named opening.
    openings: BTreeMap<String, Vec<u32>>,
    /// Pairs that were lost with both seats.
    pairs: Vec<u32>,
    /// Games that ended with little time left.
    late: Vec<u32>,
    analysed: Vec<Analysed>,
    pub stopped: bool,
}

impl<'a> Why<'a> {
    /// Collects the lost games of an agent, by default the first one, and analyses some of those without a fault.
    ///
    /// # Errors
    /// If there is no such agent.
    pub(super) fn new(
        store: &Store,
        run: i64,
        plan: &'a Plan,
        bouts: &'a [Summary],
        wish: WhyWish<'_>,
        progress: WhyProgress<'_>,
        left_out: &mut LeftOut,
    ) -> anyhow::Result<Self> {
        let agent = match wish.agent {
            None => 0,
            Some(name) => plan.agents.iter().position(|agent| agent.name == name).with_context(|| {
                let names: Vec<&str> = plan.agents.iter().map(|agent| agent.name.as_str()).collect();
                format!("run {run} has no agent `{name}`; it has {}", names.join(", "))
            })?,
        };
        if plan.agents.is_empty() {
            bail!("run {run} has no agents");
        }
        let mut why = Self {
            plan,
            run,
            agent,
            seats: [[0; 2]; 2],
            lost: Vec::new(),
            failures: Failures::default(),
            openings: BTreeMap::new(),
            pairs: Vec::new(),
            late: Vec::new(),
            analysed: Vec::new(),
            stopped: false,
        };
        for bout in bouts {
            why.count(bout);
        }
        why.look(store, wish.games, progress, left_out)?;
        Ok(why)
    }

    /// The seat of the agent in a game.
    fn seat(&self, bout: &Summary) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| bout.seats[side.index()] == self.agent)
    }

    fn count(&mut self, bout: &'a Summary) {
        let Some(side) = self.seat(bout) else { return };
        let [games, lost] = &mut self.seats[side.index()];
        *games += 1;
        if bout.winner != Winner::from(side.other()) {
            return;
        }
        *lost += 1;
        if self.lost.iter().any(|other| other.pair() == bout.pair() && other.slot != bout.slot) {
            self.pairs.push(bout.pair());
        }
        if bout.verdicts[side.index()] == Verdict::Ok {
            let clock = self.plan.limits.clock_of(side);
            let used = bout.time_ms[side.index()];
            if clock.is_sudden_death() && used > clock.base_ms as f64 * (1.0 - LITTLE_LEFT) {
                self.late.push(bout.slot);
            }
        } else {
            let mut mine = bout.clone();
            mine.verdicts[side.other().index()] = Verdict::Ok;
            self.failures.add(&mine);
        }
        self.lost.push(bout);
    }

    /// Reads the records of the lost games, and analyses the first of those without a fault.
    /// `hear` gets a line about the time that it takes, and one for each game.
    fn look(
        &mut self,
        store: &Store,
        games: usize,
        WhyProgress { stop, hear }: WhyProgress<'_>,
        left_out: &mut LeftOut,
    ) -> anyhow::Result<()> {
        let chosen: Vec<u32> = self.different().take(games).map(|bout| bout.slot).collect();
        let bar = Bar::new("{wide_bar} lost game {pos} of {len}, {eta} left")?;
        bar.start(chosen.len() as u64, 0);
        let mut done = 0;
        let begun = Instant::now();
        let positions: u32 = self.different().take(games).map(|bout| bout.plies + 1).sum();
        if self.plan.game.has_turns() && !chosen.is_empty() {
            let nodes = show::count(self.plan.game.curve.nodes);
            hear(&format!(
                "judging {}, {} of {nodes} nodes each; Ctrl-C shows what is found so far",
                counted(chosen.len() as u64, "lost game"),
                counted(positions.into(), "position"),
            ));
        }
        for bout in self.lost.clone() {
            if stop.is_raised() {
                self.stopped = true;
                break;
            }
            let read = || -> anyhow::Result<RecordedGame> {
                let text = store.record(self.run, bout.slot)?.context("its record is missing")?;
                RecordedGame::read(Source { name: format!("game {} of run {}", bout.slot, self.run), text })
            };
            let recorded = match read() {
                Ok(recorded) => recorded,
                Err(error) => {
                    left_out.add(format!("game {} of run {}: {}", bout.slot, self.run, in_one_line(&error)));
                    continue;
                }
            };
            if let Some(opening) = &recorded.record.header.opening {
                self.openings.entry(line(&opening.to_string())).or_default().push(bout.slot);
            }
            if !self.plan.game.has_turns() || !chosen.contains(&bout.slot) {
                continue;
            }
            let Some(side) = self.seat(bout) else { continue };
            let limits = SearchLimits::nodes(self.plan.game.curve.nodes);
            let found = losses(self.plan.game, recorded.begun.as_ref(), &recorded.moves, limits, stop, &());
            match found {
                Ok(Some(found)) => {
                    let game = analysed(bout, &recorded, &found, side);
                    let left = chosen.len() as u32 - done as u32 - 1;
                    let rest = match done {
                        0 if left > 0 => format!("; about {} for the others", show::time(begun.elapsed() * left)),
                        _ => String::new(),
                    };
                    let worst = game.worst.as_ref().map_or_else(
                        || "no mistake found".to_owned(),
                        |worst| format!("move {} {}", worst.ply, loss_text(worst)),
                    );
                    bar.suspend(|| hear(&format!("game {}: {worst}{rest}", bout.slot)));
                    self.analysed.push(game);
                }
                Ok(None) => {
                    self.stopped = true;
                    break;
                }
                Err(problem) => left_out.add(format!("game {} of run {}: {problem}", bout.slot, self.run)),
            }
            done += 1;
            bar.set_position(done);
        }
        Ok(())
    }

    fn games(&self) -> u32 {
        self.seats[0][0] + self.seats[1][0]
    }

    /// Returns the number of the worst moves in each phase.
    fn phases(&self) -> [usize; 3] {
        let mut phases = [0; 3];
        for game in &self.analysed {
            if let Some(worst) = &game.worst {
                phases[phase(worst.ply - game.opening, game.plies - game.opening)] += 1;
            }
        }
        phases
    }

    fn thrown_away(&self) -> Vec<u32> {
        self.analysed.iter().filter(|game| game.threw_away).map(|game| game.slot).collect()
    }

    /// The analysed games with the costliest moves first.
    fn costliest(&self) -> Vec<(&Analysed, &MoveLoss)> {
        let mut all: Vec<_> = self.analysed.iter().filter_map(|game| Some((game, game.worst.as_ref()?))).collect();
        all.sort_by(|(_, a), (_, b)| b.share.total_cmp(&a.share));
        all
    }

    pub(super) fn text(&self, db: &Path) -> String {
        let name = line(&self.plan.agents[self.agent].name);
        let (lost, games) = (self.lost.len(), counted(self.games().into(), "game"));
        let mut text = paint(STRONG, format!("{name} lost {lost} of {games}"));
        text.push('\n');
        if lost == 0 {
            return text;
        }
        let store = format!("--db {} --run {}", show::quoted(&db.display().to_string()), self.run);
        let mut row = |name: &str, words: &str| {
            let _ = writeln!(text, "{}", show::folded(&format!("  {name:<16} "), words));
        };
        for (seat, [games, lost]) in ["as first", "as second"].into_iter().zip(self.seats) {
            row(seat, &format!("{lost} of {games}"));
        }
        let faults = self.failures.most_first();
        for failure in faults.iter().take(MAX_NAMED) {
            row(
                "by a fault",
                &format!("{} in {}: {}", failure.verdict, counted(failure.games, "game"), line(&failure.reason.text)),
            );
        }
        if !self.pairs.is_empty() {
            let mut games: Vec<String> =
                self.pairs.iter().take(MAX_NAMED).map(|pair| format!("{} and {}", 2 * pair, 2 * pair + 1)).collect();
            games.extend((self.pairs.len() > MAX_NAMED).then(|| "…".to_owned()));
            row("both of a pair", &format!("{}: games {}", self.pairs.len(), games.join(", ")));
        }
        let mut openings: Vec<_> = self.openings.iter().filter(|(_, slots)| slots.len() > 1).collect();
        openings.sort_by_key(|(_, slots)| std::cmp::Reverse(slots.len()));
        for (opening, slots) in openings.into_iter().take(MAX_NAMED) {
            row("after an opening", &format!("{opening}: games {}", named(slots.iter().copied())));
        }
        if !self.late.is_empty() {
            let words = format!(
                "{} with less than a tenth of the clock left: {}",
                self.late.len(),
                named(self.late.iter().copied())
            );
            row("short of time", &words);
        }
        if !self.analysed.is_empty() {
            let thrown = self.thrown_away();
            if !thrown.is_empty() {
                row("won positions", &format!("{} lost: games {}", thrown.len(), named(thrown.into_iter())));
            }
            let phases = self.phases();
            let words: Vec<String> =
                PHASES.iter().zip(phases).map(|(name, count)| format!("{count} in the {name}")).collect();
            row("worst move", &words.join(", "));
        }
        let _ = writeln!(text, "{}", self.extent());
        for (game, worst) in self.costliest().into_iter().take(MAX_NAMED) {
            let m = &worst.played.letters;
            let words =
                format!("game {}, move {} ({m}, {:.1} ms): {}", game.slot, worst.ply, game.ms, loss_text(worst));
            let _ = writeln!(text, "{}", show::folded("", &words));
            let _ = writeln!(text, "  {}", paint(FAINT, format!("agon explain {store} --slot {}", game.slot)));
        }
        if !faults.is_empty() {
            let db = show::quoted(&db.display().to_string());
            let _ = writeln!(text, "{}", paint(FAINT, format!("faults: agon results {} --db {db} --faults", self.run)));
        }
        text
    }

    /// Iterates over the lost games without a fault of the agent.
    fn clean(&self) -> impl Iterator<Item = &'a Summary> {
        let clean = |bout: &&Summary| self.seat(bout).is_some_and(|side| bout.verdicts[side.index()] == Verdict::Ok);
        self.lost.iter().copied().filter(clean)
    }

    /// Those of them that do not repeat an earlier one move for move.
    fn different(&self) -> impl Iterator<Item = &'a Summary> {
        let mut seen = BTreeSet::new();
        self.clean().filter(move |bout| seen.insert((bout.seats, bout.game_digest)))
    }

    /// Returns how many games the champion has judged.
    fn extent(&self) -> String {
        let (looked, lost) = (self.analysed.len(), self.lost.len());
        let words = match (self.plan.game.has_turns(), self.stopped) {
            (false, _) => format!("{} has no engine that judges positions", self.plan.game),
            (true, true) => format!("stopped after {} of {lost} lost", counted(looked as u64, "game")),
            (true, false) => judged(self.plan.game, looked, self.different().count(), self.clean().count(), lost),
        };
        paint(FAINT, words)
    }

    pub(super) fn json(&self) -> Value {
        let costliest = self.costliest().into_iter().map(|(game, worst)| {
            json!({
                "slot": game.slot, "plies": game.plies, "ms": game.ms, "threw_away": game.threw_away,
                "worst": worst.json(),
            })
        });
        let phases: BTreeMap<&str, usize> = PHASES.into_iter().zip(self.phases()).collect();
        json!({
            "run": self.run,
            "agent": self.plan.agents[self.agent].name,
            "games": self.games(),
            "lost": self.lost.iter().map(|bout| bout.slot).collect::<Vec<_>>(),
            "as_first": { "games": self.seats[0][0], "lost": self.seats[0][1] },
            "as_second": { "games": self.seats[1][0], "lost": self.seats[1][1] },
            "faults": self.failures.most_first(),
            "pairs": self.pairs,
            "openings": self.openings,
            "short_of_time": self.late,
            "won_positions_lost": self.thrown_away(),
            "phases": phases,
            "analysed": costliest.collect::<Vec<_>>(),
            "stopped": self.stopped,
        })
    }
}

fn analysed(bout: &Summary, recorded: &RecordedGame, found: &[MoveLoss], side: Side) -> Analysed {
    let opening = recorded.opening();
    let worst = worst(found, &[side], 1).first().map(|&loss| loss.clone());
    let threw_away = found.iter().any(|loss| loss.side == side && loss.kind() == Some(LossKind::Win));
    let ms = worst.as_ref().map_or(0.0, |loss| {
        let wall = recorded.moves[(loss.ply - opening) as usize - 1].moment.wall;
        (wall.as_secs_f64() * 1e4).round() / 10.0
    });
    Analysed { slot: bout.slot, opening, plies: opening + recorded.moves.len() as u32, threw_away, worst, ms }
}

/// How many games the champion judged: of the different ones, of those lost without a fault, and of all of these.
fn judged(game: Game, looked: usize, different: usize, clean: usize, lost: usize) -> String {
    if clean == 0 {
        return format!("every game was lost by a fault: {} judged none", champion_name(game));
    }
    let fault = if clean < lost { " without a fault" } else { "" };
    let games = if different < clean {
        format!("{different} different games of the {clean} lost{fault}")
    } else {
        format!("{} lost{fault}", counted(clean as u64, "game"))
    };
    let more = if looked < different { "; --games N for more" } else { "" };
    format!("{} judged {looked} of the {games}{more}", champion_name(game))
}

/// The third of a game that a move is in.
fn phase(ply: u32, plies: u32) -> usize {
    ((ply.saturating_sub(1)) * 3 / plies.max(1)).min(2) as usize
}

/// Some numbers: `3, 9, 14 …`
fn named(slots: impl Iterator<Item = u32>) -> String {
    let mut names: Vec<String> = slots.map(|slot| slot.to_string()).collect();
    let more = names.len() > MAX_NAMED;
    names.truncate(MAX_NAMED);
    names.join(", ") + if more { " …" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_games_are_offered_where_there_are_more() {
        assert_eq!(judged(Game::RENJU, 4, 4, 4, 4), "the champion judged 4 of the 4 games lost");
        assert_eq!(judged(Game::RENJU, 1, 4, 4, 4), "the champion judged 1 of the 4 games lost; --games N for more");
        assert_eq!(judged(Game::RENJU, 2, 2, 2, 5), "the champion judged 2 of the 2 games lost without a fault");
        assert_eq!(judged(Game::RENJU, 3, 3, 4, 4), "the champion judged 3 of the 3 different games of the 4 lost");
        assert_eq!(judged(Game::RENJU, 0, 0, 0, 6), "every game was lost by a fault: the champion judged none");
    }

    #[test]
    fn a_game_has_three_phases() {
        let of = |plies: u32| (1..=plies).map(|ply| phase(ply, plies)).collect::<Vec<_>>();
        assert_eq!(of(6), [0, 0, 1, 1, 2, 2]);
        assert_eq!(of(1), [0]);
        assert_eq!(phase(3, 0), 2);
        assert_eq!(named([1, 2, 3, 4, 5, 6].into_iter()), "1, 2, 3, 4, 5 …");
    }
}
