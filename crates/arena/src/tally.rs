//! The running count of a run: memory that does not grow with the number of bouts.

use std::collections::BTreeMap;

use agon_game::Side;
use agon_referee::verdict::Verdict;
use serde::Serialize;

use crate::plan::{Kind, Plan};
use crate::stats::ratings::{Ratings, Results};
use crate::stats::sprt::{Sprt, Status};
use crate::stats::{Pentanomial, elo};
use crate::summary::Summary;

/// Bouts of one agent against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Cell {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl Cell {
    /// All of them.
    pub const fn bouts(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// One point a win, half a point a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    fn add(&mut self, halves: u8) {
        match halves {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    fn merge(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// How one agent has fared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Conduct {
    /// Its bouts in the seat of the first side, and in that of the second.
    pub by_seat: [Cell; 2],
    /// Bouts that counted for nobody.
    pub void: u64,
    /// Rounds in which it rested.
    pub byes: u32,
    /// Verdicts on it, those other than OK.
    pub faults: BTreeMap<&'static str, u64>,
    /// Bouts it lost by what decided them: a fault's verdict, or `rules`.
    pub defeats: BTreeMap<&'static str, u64>,
    /// Time used in all bouts, in milliseconds.
    pub time_ms: f64,
    /// The least that was left on its clock at the end of a bout, in milliseconds. Games by invocations have no clock
    /// for the whole bout, and this says nothing of them.
    pub least_left_ms: f64,
    /// How long it was kept from a processor in all bouts, in milliseconds.
    pub delay_ms: f64,
    /// Moves that the machine made slow.
    pub disturbed: u64,
    /// Bouts judged.
    pub bouts: u64,
}

impl Conduct {
    /// All its bouts.
    pub fn all(&self) -> Cell {
        let mut all = self.by_seat[0];
        all.merge(self.by_seat[1]);
        all
    }
}

/// A pair of which one bout has been played.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Half {
    /// Half points of the pairing's lower agent; `None` when void.
    halves: Option<u8>,
}

/// The count.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    agents: usize,
    clock_ms: f64,
    cells: Vec<Cell>,
    conducts: Vec<Conduct>,
    pairs: BTreeMap<[usize; 2], Pentanomial>,
    open: BTreeMap<u32, Half>,
    bouts: u64,
    void: u64,
    walk: Option<Walk>,
    round: Option<RoundWatch>,
}

/// A test that looks at pairs in the order of the schedule, whichever ends first: what decides depends neither on how
/// many are played at once nor on how long they take.
#[derive(Clone, PartialEq, Debug)]
struct Walk {
    test: Sprt,
    next: u32,
    early: BTreeMap<u32, Option<usize>>,
    pairs: Pentanomial,
    status: Status,
}

/// Who has been seen in the present round of a Swiss tournament.
#[derive(Clone, PartialEq, Debug)]
struct RoundWatch {
    bouts_per_round: u64,
    seen: Vec<bool>,
    bouts: u64,
}

/// What a sequential test says.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Decision {
    /// The pairs it has looked at.
    pub pairs: Pentanomial,
    /// The log likelihood ratio.
    pub llr: f64,
    /// Its bounds.
    pub bounds: (f64, f64),
    /// The decision.
    pub status: Status,
}

impl Tally {
    /// Nothing has been played.
    pub fn new(plan: &Plan) -> Self {
        let agents = plan.agents.len();
        let clock_ms = plan.limits.clock_ms as f64;
        let conduct = Conduct {
            by_seat: [Cell::default(); 2],
            void: 0,
            byes: 0,
            faults: BTreeMap::new(),
            defeats: BTreeMap::new(),
            time_ms: 0.0,
            least_left_ms: clock_ms,
            delay_ms: 0.0,
            disturbed: 0,
            bouts: 0,
        };
        let walk = |test| Walk {
            test,
            next: 0,
            early: BTreeMap::new(),
            pairs: Pentanomial::default(),
            status: Status::Continue,
        };
        let watch = RoundWatch { bouts_per_round: plan.bouts_per_round(), seen: vec![false; agents], bouts: 0 };
        Self {
            agents,
            clock_ms,
            cells: vec![Cell::default(); agents * agents],
            conducts: vec![conduct; agents],
            pairs: BTreeMap::new(),
            open: BTreeMap::new(),
            bouts: 0,
            void: 0,
            walk: plan.test.map(walk),
            round: matches!(plan.kind, Kind::Swiss { .. }).then_some(watch),
        }
    }

    /// The count of bouts that have been played.
    ///
    /// # Panics
    /// If their agents are not the plan's.
    pub fn of<'a>(plan: &Plan, bouts: impl IntoIterator<Item = &'a Summary>) -> Self {
        let mut tally = Self::new(plan);
        bouts.into_iter().for_each(|bout| tally.add(bout));
        tally
    }

    /// Counts a bout. The order matters only to Swiss rounds, which must come one after the other.
    ///
    /// # Panics
    /// If the bout's agents are not the plan's.
    pub fn add(&mut self, bout: &Summary) {
        self.bouts += 1;
        for side in Side::BOTH {
            self.judge(bout, side);
        }
        if let Some([first, second]) = bout.halves() {
            self.cells[bout.seats[0] * self.agents + bout.seats[1]].add(first);
            self.cells[bout.seats[1] * self.agents + bout.seats[0]].add(second);
        } else {
            self.void += 1;
        }
        self.pair_up(bout);
        if let Some(watch) = &mut self.round {
            watch.bouts += 1;
            bout.seats.iter().for_each(|&agent| watch.seen[agent] = true);
            if watch.bouts == watch.bouts_per_round {
                for (conduct, seen) in self.conducts.iter_mut().zip(&mut watch.seen) {
                    conduct.byes += u32::from(!std::mem::take(seen));
                }
                watch.bouts = 0;
            }
        }
    }

    fn judge(&mut self, bout: &Summary, side: Side) {
        let at = side.index();
        let conduct = &mut self.conducts[bout.seats[at]];
        conduct.bouts += 1;
        conduct.time_ms += bout.time_ms[at];
        conduct.least_left_ms = conduct.least_left_ms.min(self.clock_ms - bout.time_ms[at]).max(0.0);
        conduct.delay_ms += bout.delay_ms[at];
        conduct.disturbed += u64::from(bout.disturbed[at]);
        let verdict = bout.verdicts[at];
        if verdict != Verdict::Ok {
            *conduct.faults.entry(verdict.name()).or_default() += 1;
        }
        match bout.halves() {
            Some(halves) => {
                conduct.by_seat[at].add(halves[at]);
                if halves[at] == 0 {
                    let cause = if verdict == Verdict::Ok { "rules" } else { verdict.name() };
                    *conduct.defeats.entry(cause).or_default() += 1;
                }
            }
            None => conduct.void += 1,
        }
    }

    fn pair_up(&mut self, bout: &Summary) {
        let [a, b] = bout.seats;
        let lower = usize::from(a > b);
        let half = Half { halves: bout.halves().map(|halves| halves[lower]) };
        let Some(other) = self.open.remove(&bout.pair()) else {
            self.open.insert(bout.pair(), half);
            return;
        };
        let whole = half.halves.zip(other.halves).map(|(a, b)| usize::from(a + b));
        if let Some(halves) = whole {
            self.pairs.entry([a.min(b), a.max(b)]).or_default().add(halves);
        }
        if let Some(walk) = &mut self.walk {
            walk.see(bout.pair(), whole);
        }
    }

    /// Bouts counted, void ones among them.
    pub const fn bouts(&self) -> u64 {
        self.bouts
    }

    /// Bouts that counted for nobody: both agents failed before the game, or a built-in did.
    pub const fn void(&self) -> u64 {
        self.void
    }

    /// The bouts of one agent against another.
    pub fn cell(&self, agent: usize, opponent: usize) -> Cell {
        self.cells[agent * self.agents + opponent]
    }

    /// How an agent has fared.
    pub fn agent(&self, agent: usize) -> &Conduct {
        &self.conducts[agent]
    }

    /// The complete pairs of two agents, from the first one's side. A pair with a void bout counts for nothing.
    pub fn pairs(&self, agent: usize, opponent: usize) -> Pentanomial {
        let pairs = self.pairs.get(&[agent.min(opponent), agent.max(opponent)]).copied().unwrap_or_default();
        if agent < opponent { pairs } else { pairs.reversed() }
    }

    /// What the plan's sequential test says, where it has one.
    pub fn test(&self) -> Option<Decision> {
        self.walk.as_ref().map(|walk| Decision {
            pairs: walk.pairs,
            llr: walk.test.llr(&walk.pairs),
            bounds: walk.test.bounds(),
            status: walk.status,
        })
    }

    /// Whether the test has come to its end.
    pub fn decided(&self) -> bool {
        self.walk.as_ref().is_some_and(|walk| walk.status != Status::Continue)
    }

    /// Ratings of all agents on one scale; `anchors` are given ones, as [`Plan::anchors`] has them.
    pub fn ratings(&self, anchors: &[Option<f64>]) -> Ratings {
        let mut results = Results::new(self.agents);
        for a in 0..self.agents {
            for b in 0..a {
                let pairs = self.pairs(a, b);
                results.add_pairs(a, b, &pairs);
                // Bouts whose other half has not been played, or was void.
                let alone =
                    [self.cell(a, b).points() - pairs.points(), self.cell(b, a).points() - pairs.reversed().points()];
                results.add(a, b, alone);
            }
        }
        Ratings::fit(&results, anchors)
    }
}

impl Walk {
    fn see(&mut self, pair: u32, halves: Option<usize>) {
        self.early.insert(pair, halves);
        while self.status == Status::Continue
            && let Some(halves) = self.early.remove(&self.next)
        {
            self.next += 1;
            if let Some(halves) = halves {
                self.pairs.add(halves);
                self.status = self.test.status(&self.pairs);
            }
        }
    }
}

/// The contest's sequential Elo of every agent after these bouts, which must come in the order of the schedule.
pub fn sequential_elo<'a>(agents: usize, bouts: impl IntoIterator<Item = &'a Summary>) -> Vec<f64> {
    let mut ratings = vec![elo::START; agents];
    for (_, [first, second], after) in elo_steps(agents, bouts) {
        [ratings[first], ratings[second]] = after;
    }
    ratings
}

/// The steps of the contest's sequential Elo, bout by bout in the order of the schedule: the bout's place among those
/// given, from 0, its agents, and their ratings after it. Void bouts are no steps.
pub fn elo_steps<'a>(
    agents: usize,
    bouts: impl IntoIterator<Item = &'a Summary>,
) -> impl Iterator<Item = (usize, [usize; 2], [f64; 2])> {
    let mut ratings = vec![elo::START; agents];
    bouts.into_iter().enumerate().filter_map(move |(number, bout)| {
        let score = f64::from(bout.halves()?[0]) / 2.0;
        let [first, second] = bout.seats;
        (ratings[first], ratings[second]) = elo::after(ratings[first], ratings[second], score);
        Some((number, bout.seats, [ratings[first], ratings[second]]))
    })
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "points come in exact halves, and times are small whole numbers")]
pub(crate) mod tests {
    use agon_referee::record::Winner;

    use super::*;
    use crate::plan::tests::plan;

    /// A bout that ended normally.
    pub fn bout(slot: u32, seats: [usize; 2], winner: Winner) -> Summary {
        Summary {
            slot,
            seats,
            seed: 7,
            winner,
            reason: "no empty cell is left".to_owned(),
            verdicts: [Verdict::Ok; 2],
            score: None,
            plies: 40,
            time_ms: [10.0, 20.0],
            delay_ms: [0.0, 1.5],
            disturbed: [0, 1],
            started: 0,
            course: i64::from(slot),
        }
    }

    #[test]
    fn pairs_are_put_together_in_any_order() {
        let plan = plan(Kind::RoundRobin, 2, 8);
        let bouts = [
            bout(0, [0, 1], Winner::First),
            bout(1, [1, 0], Winner::Second),
            bout(2, [1, 0], Winner::First),
            bout(3, [0, 1], Winner::Draw),
            bout(4, [0, 1], Winner::Void),
            bout(5, [1, 0], Winner::Second),
            bout(6, [1, 0], Winner::Draw),
        ];
        let count = |order: &[usize]| Tally::of(&plan, order.iter().map(|&at| &bouts[at]));
        let tally = count(&[0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(tally, count(&[6, 3, 0, 5, 1, 4, 2]));
        assert_eq!(tally.pairs(0, 1).counts, [0, 1, 0, 0, 1]);
        assert_eq!(tally.pairs(1, 0).counts, [1, 0, 0, 1, 0]);
        assert_eq!(tally.cell(0, 1), Cell { wins: 3, draws: 2, losses: 1 });
        assert_eq!((tally.bouts(), tally.void()), (7, 1));
        assert_eq!(tally.agent(0).by_seat[0], Cell { wins: 1, draws: 1, losses: 0 });
        assert_eq!(tally.agent(1).all().points(), 2.0);
    }

    #[test]
    fn a_fault_is_counted_and_never_just_a_loss() {
        let mut tally = Tally::new(&plan(Kind::RoundRobin, 2, 8));
        let late = Summary { verdicts: [Verdict::Tle, Verdict::Ok], ..bout(0, [0, 1], Winner::Second) };
        tally.add(&late);
        tally.add(&bout(1, [1, 0], Winner::First));
        let conduct = tally.agent(0);
        assert_eq!(conduct.faults, [("TLE", 1)].into());
        assert_eq!(conduct.defeats, [("TLE", 1), ("rules", 1)].into());
        assert_eq!((conduct.disturbed, conduct.delay_ms), (1, 1.5));
        assert_eq!(tally.agent(1).least_left_ms, 9_980.0);
    }

    #[test]
    fn a_test_looks_at_pairs_in_the_order_of_the_schedule() {
        let mut plan = plan(Kind::RoundRobin, 2, 1000);
        plan.test = Some(Sprt { elo1: 200.0, ..Sprt::default() });
        let pair = |number: u32, winner: [Winner; 2]| {
            [bout(2 * number, [0, 1], winner[0]), bout(2 * number + 1, [1, 0], winner[1])]
        };
        let bouts: Vec<Summary> = (0..30)
            .flat_map(|n| pair(n, [Winner::First, if n % 5 == 4 { Winner::First } else { Winner::Second }]))
            .collect();
        let mut tally = Tally::new(&plan);
        let mut decided = None;
        for (at, bout) in bouts.iter().enumerate() {
            tally.add(bout);
            if tally.decided() {
                decided.get_or_insert(at);
            }
        }
        let test = tally.test().unwrap();
        assert_eq!((test.status, decided.map(|at| at % 2)), (Status::H1, Some(1)));
        assert_eq!(test.pairs.pairs() as usize, decided.unwrap() / 2 + 1);
        // Backwards, nothing is decided before the first pair is in; then the same pairs decide.
        let mut backwards = Tally::new(&plan);
        bouts[1..].iter().rev().for_each(|bout| backwards.add(bout));
        assert_eq!(backwards.test().unwrap().pairs.pairs(), 0);
        backwards.add(&bouts[0]);
        assert_eq!(backwards.test(), Some(test));
    }

    #[test]
    fn sequential_elo_follows_the_order() {
        let bouts = [bout(0, [0, 1], Winner::First), bout(1, [1, 0], Winner::Void), bout(2, [1, 0], Winner::First)];
        let ratings = sequential_elo(2, &bouts);
        assert!((ratings[0] + ratings[1] - 3000.0).abs() < 1e-9 && ratings[1] > ratings[0], "{ratings:?}");
    }
}
