//! The results of a run, counted bout by bout. A few bytes of each bout are kept to recognise repetitions.
//!
//! Two deterministic agents without openings play the same game again and again. A bout that repeats another one
//! between the same agents in the same seats move for move, with the same verdicts, only counts as a bout played: among
//! equal bouts the first in the schedule counts, whichever ends first. A pair with such a bout is a *copy*: its other
//! bout counts individually; see [`Pentanomial`].
//!
//! A run with a sequential test counts pairs in the order of the schedule, up to the one that decides it. Bouts of
//! later pairs, which were being played at that moment, are *extra*: they are stored but do not count, so that all
//! views of a run show the same numbers, whenever it was stopped and however many bouts were played at once.

use std::collections::{BTreeMap, HashMap, HashSet};

use agon_game::Side;
use agon_referee::verdict::Verdict;
use serde::Serialize;

use crate::failures::Failures;
use crate::plan::{Kind, Plan};
use crate::stats::ratings::{Ratings, Results};
use crate::stats::sprt::{Sprt, Status};
use crate::stats::{Pentanomial, elo};
use crate::summary::Summary;

/// Wins, draws and losses of one agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Wdl {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Wdl {
    /// The total number of bouts.
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

/// The statistics of one agent over all its bouts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgentStats {
    /// Results as the first side, and as the second.
    pub by_seat: [Wdl; 2],
    pub void: u64,
    /// Rounds of a Swiss tournament in which it had no opponent.
    pub byes: u32,
    /// How often it got each verdict other than OK.
    pub faults: BTreeMap<&'static str, u64>,
    /// Lost bouts by their cause: a verdict other than OK, or `rules`.
    pub defeats: BTreeMap<&'static str, u64>,
    /// Time used in all bouts, in milliseconds.
    pub time_ms: f64,
    /// The least time left on its clock at the end of a bout, in milliseconds; meaningless in games played per action,
    /// which have no clock for the whole bout.
    pub least_left_ms: Option<f64>,
    /// How long it waited for a processor in all bouts, in milliseconds.
    pub delay_ms: f64,
    /// Moves during which the machine kept it from a processor for long.
    pub disturbed: u64,
    /// Bouts played, including those without a result and repetitions.
    pub bouts: u64,
    /// Results of repeated bouts; they are not among those of `by_seat`.
    pub repeated: Wdl,
}

impl AgentStats {
    /// The results in both seats.
    pub fn all(&self) -> Wdl {
        let mut all = self.by_seat[0];
        all.merge(self.by_seat[1]);
        all
    }
}

/// What makes two bouts the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Course {
    seats: [usize; 2],
    /// The digest of its start and moves.
    digest: i64,
    halves: [u8; 2],
    verdicts: [Verdict; 2],
}

/// A played bout of a pair.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Half {
    /// Half points of the pairing's lower agent; `None` when void.
    halves: Option<u8>,
    /// It repeats a bout of another pair.
    repeats: bool,
}

/// The bouts of a pair that have been played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Pair([Option<Half>; 2]);

impl Pair {
    /// Half points of the lower agent if both bouts count; whether it is a copy, if both have a result. `None` before
    /// both have been played, and if one is void.
    fn state(self) -> Option<(usize, bool)> {
        let [one, other] = [self.0[0]?, self.0[1]?];
        Some((usize::from(one.halves? + other.halves?), one.repeats || other.repeats))
    }
}

/// After this many copies in a row a sequential test gives up: nothing new can be expected.
pub const MAX_COPIES: u32 = 50;

/// The state of a pair after one of its bouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PairState {
    /// Its other bout is still to come.
    Half,
    /// One of its bouts is void.
    Void,
    New,
    Copy,
}

/// The results of a run so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    agents: usize,
    /// Each agent's time for a game, if nothing is added to it.
    clock_ms: Vec<Option<f64>>,
    results: Vec<Wdl>,
    agent_stats: Vec<AgentStats>,
    pairs: BTreeMap<[usize; 2], Pentanomial>,
    /// The first bout in the schedule of each course.
    courses: HashMap<Course, u32>,
    /// The failures of the bouts that repeat no other.
    failures: Failures,
    played: HashMap<u32, Pair>,
    repeats: u64,
    bouts: u64,
    void: u64,
    sequential: Option<SequentialTest>,
    swiss_round: Option<SwissRound>,
}

/// A sequential test that takes pairs in the order of the schedule, whichever ends first: its decision depends neither
/// on how many bouts are played at once nor on how long they take.
#[derive(Clone, PartialEq, Debug)]
struct SequentialTest {
    test: Sprt,
    /// The pair whose turn it is.
    next: u32,
    /// The number of bouts in the plan.
    bouts: u64,
    /// The bouts of pairs that are not complete or come after such a one.
    waiting: BTreeMap<u32, Vec<Summary>>,
    /// How many of the last pairs, in a row, were copies.
    copies: u32,
    status: Status,
    extra: u64,
}

/// The agents that have played in the current round of a Swiss tournament; the others have a bye.
#[derive(Clone, PartialEq, Debug)]
struct SwissRound {
    bouts_per_round: u64,
    seen: Vec<bool>,
    bouts: u64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Decision {
    /// The hypotheses, and how often the test may err.
    pub test: Sprt,
    /// The pairs it has counted.
    pub pairs: Pentanomial,
    pub llr: f64,
    /// The bounds of the log likelihood ratio: below the first H0 is accepted, above the second H1.
    pub bounds: (f64, f64),
    /// Whether a hypothesis is accepted.
    pub status: Status,
}

impl Tally {
    /// The tally of a run before its first bout.
    pub fn new(plan: &Plan) -> Self {
        let agents = plan.agents.len();
        // The time left only follows from the time used if nothing is added.
        let left_at_start = |at: usize| {
            let clock = plan.limits_for(at).common_clock();
            clock.is_sudden_death().then_some(clock.base_ms as f64)
        };
        let clock_ms: Vec<Option<f64>> = (0..agents).map(left_at_start).collect();
        let stats = AgentStats {
            by_seat: [Wdl::default(); 2],
            void: 0,
            byes: 0,
            faults: BTreeMap::new(),
            defeats: BTreeMap::new(),
            time_ms: 0.0,
            least_left_ms: None,
            delay_ms: 0.0,
            disturbed: 0,
            bouts: 0,
            repeated: Wdl::default(),
        };
        let with_clock = |ms: &Option<f64>| AgentStats { least_left_ms: *ms, ..stats.clone() };
        let agent_stats = clock_ms.iter().map(with_clock).collect();
        let sequential = |test| SequentialTest {
            test,
            next: 0,
            bouts: plan.bouts(),
            waiting: BTreeMap::new(),
            copies: 0,
            status: Status::Continue,
            extra: 0,
        };
        let round = SwissRound { bouts_per_round: plan.bouts_per_round(), seen: vec![false; agents], bouts: 0 };
        Self {
            agents,
            clock_ms,
            results: vec![Wdl::default(); agents * agents],
            agent_stats,
            pairs: BTreeMap::new(),
            courses: HashMap::new(),
            failures: Failures::default(),
            played: HashMap::new(),
            repeats: 0,
            bouts: 0,
            void: 0,
            sequential: plan.test.map(sequential),
            swiss_round: matches!(plan.kind, Kind::Swiss { .. }).then_some(round),
        }
    }

    /// The tally of bouts that have been played.
    ///
    /// # Panics
    /// If their agents are not the plan's.
    pub fn of<'a>(plan: &Plan, bouts: impl IntoIterator<Item = &'a Summary>) -> Self {
        let mut tally = Self::new(plan);
        bouts.into_iter().for_each(|bout| tally.add(bout));
        tally
    }

    /// Counts a bout; with a sequential test, as soon as the turn of its pair has come. The order matters only to Swiss
    /// rounds, which must come one after the other.
    ///
    /// # Panics
    /// If the bout's agents are not the plan's.
    pub fn add(&mut self, bout: &Summary) {
        let Some(sequential) = &mut self.sequential else {
            self.count(bout);
            return;
        };
        if sequential.has_ended() || u64::from(bout.slot) >= sequential.bouts {
            sequential.extra += 1;
            return;
        }
        sequential.waiting.entry(bout.pair()).or_default().push(bout.clone());
        while let Some(pair) = self.sequential.as_mut().and_then(SequentialTest::take) {
            let states: Vec<PairState> = pair.iter().map(|bout| self.count(bout)).collect();
            let (pairs, last) = (self.sequential_pairs(), states.last().copied());
            if let Some(sequential) = &mut self.sequential {
                sequential.judge(&pairs, last.unwrap_or(PairState::Void));
            }
        }
    }

    fn count(&mut self, bout: &Summary) -> PairState {
        self.bouts += 1;
        let repeats = self.is_repeated(bout);
        for side in Side::BOTH {
            self.add_stats(bout, side, repeats);
        }
        if !repeats {
            self.failures.add(bout);
        }
        match bout.halves() {
            Some(_) if repeats => self.repeats += 1,
            Some([first, second]) => {
                self.results[bout.seats[0] * self.agents + bout.seats[1]].add(first);
                self.results[bout.seats[1] * self.agents + bout.seats[0]].add(second);
            }
            None => self.void += 1,
        }
        let state = self.pair_up(bout);
        self.round_goes_on(&bout.seats);
        state
    }

    /// Skips a bout that does not count because one of its agents is out: in a Swiss tournament the other one has a bye
    /// instead.
    pub fn pass_over(&mut self) {
        self.round_goes_on(&[]);
    }

    /// Counts another bout of a round of a Swiss tournament, played by these agents.
    fn round_goes_on(&mut self, agents: &[usize]) {
        let Some(round) = &mut self.swiss_round else { return };
        round.bouts += 1;
        for &agent in agents {
            round.seen[agent] = true;
        }
        if round.bouts == round.bouts_per_round {
            for (stats, seen) in self.agent_stats.iter_mut().zip(&mut round.seen) {
                stats.byes += u32::from(!std::mem::take(seen));
            }
            round.bouts = 0;
        }
    }

    fn add_stats(&mut self, bout: &Summary, side: Side, repeats: bool) {
        let at = side.index();
        let clock_ms = self.clock_ms[bout.seats[at]];
        let stats = &mut self.agent_stats[bout.seats[at]];
        stats.bouts += 1;
        stats.time_ms += bout.time_ms[at];
        let left = clock_ms.map(|ms| (ms - bout.time_ms[at]).max(0.0));
        stats.least_left_ms = stats.least_left_ms.zip(left).map(|(least, left)| least.min(left));
        stats.delay_ms += bout.delay_ms[at];
        stats.disturbed += u64::from(bout.disturbed[at]);
        let verdict = bout.verdicts[at];
        if verdict != Verdict::Ok && !repeats {
            *stats.faults.entry(verdict.name()).or_default() += 1;
        }
        match bout.halves() {
            Some(halves) if repeats => stats.repeated.add(halves[at]),
            Some(halves) => {
                stats.by_seat[at].add(halves[at]);
                if halves[at] == 0 {
                    let cause = if verdict == Verdict::Ok { "rules" } else { verdict.name() };
                    *stats.defeats.entry(cause).or_default() += 1;
                }
            }
            None => stats.void += 1,
        }
    }

    fn course(bout: &Summary) -> Option<Course> {
        let halves = bout.halves()?;
        Some(Course { seats: bout.seats, digest: bout.game_digest, halves, verdicts: bout.verdicts })
    }

    /// The bouts that count: those with a result whose course none before them has.
    pub fn counted(bouts: &[Summary]) -> Vec<&Summary> {
        let mut courses = HashSet::new();
        bouts.iter().filter(|bout| Self::course(bout).is_some_and(|course| courses.insert(course))).collect()
    }

    /// Whether a bout with the same course has been counted.
    fn is_repeated(&self, bout: &Summary) -> bool {
        Self::course(bout).is_some_and(|course| self.courses.contains_key(&course))
    }

    /// Enters a bout into its pair. Of two equal bouts the later in the schedule is the repetition.
    fn pair_up(&mut self, bout: &Summary) -> PairState {
        let mut repeats = false;
        if let Some(course) = Self::course(bout) {
            let first = *self.courses.entry(course).or_insert(bout.slot);
            repeats = first < bout.slot;
            if first > bout.slot {
                self.courses.insert(course, bout.slot);
                self.note_repeat(first, bout.seats);
            }
        }
        let lower = usize::from(bout.seats[0] > bout.seats[1]);
        let half = Half { halves: bout.halves().map(|halves| halves[lower]), repeats };
        let pair = self.played.entry(bout.pair()).or_default();
        pair.0[bout.slot as usize % 2] = Some(half);
        let state = match *pair {
            Pair([Some(_), Some(_)]) => pair.state(),
            _ => return PairState::Half,
        };
        let Some((points, is_copy)) = state else { return PairState::Void };
        let pairs = self.pairs_between(bout.seats);
        if is_copy {
            pairs.copies += 1;
            PairState::Copy
        } else {
            pairs.add(points);
            PairState::New
        }
    }

    fn pairs_between(&mut self, [a, b]: [usize; 2]) -> &mut Pentanomial {
        self.pairs.entry([a.min(b), a.max(b)]).or_default()
    }

    /// Records that a bout which had been counted repeats an earlier one in the schedule.
    fn note_repeat(&mut self, slot: u32, seats: [usize; 2]) {
        let Some(pair) = self.played.get_mut(&(slot / 2)) else { return };
        let before = pair.state();
        if let Some(half) = &mut pair.0[slot as usize % 2] {
            half.repeats = true;
        }
        if let Some((points, false)) = before {
            self.pairs_between(seats).take_out(points);
        }
    }

    /// The pairs that the sequential test looks at.
    fn sequential_pairs(&self) -> Pentanomial {
        self.pairs.get(&[0, 1]).copied().unwrap_or_default()
    }

    /// Why agents failed, in the bouts that repeat no other.
    pub const fn failures(&self) -> &Failures {
        &self.failures
    }

    /// Bouts counted, including void ones.
    pub const fn bouts(&self) -> u64 {
        self.bouts
    }

    /// Bouts that do not count: those after the end of a sequential test.
    pub fn extra(&self) -> u64 {
        self.sequential.as_ref().map_or(0, |sequential| sequential.extra)
    }

    /// Bouts that a sequential test has not counted yet: their pair, or an earlier one, is incomplete.
    pub fn waiting(&self) -> u64 {
        let waiting = self.sequential.iter().flat_map(|sequential| sequential.waiting.values());
        waiting.map(|pair| pair.len() as u64).sum()
    }

    /// Whether a bout that has been added counts, being neither extra nor waiting.
    pub fn counts(&self, bout: &Summary) -> bool {
        self.sequential.as_ref().is_none_or(|sequential| bout.pair() < sequential.next)
    }

    /// Bouts without a result: both agents failed before the game, or a built-in did.
    pub const fn void(&self) -> u64 {
        self.void
    }

    /// The results of an agent against one opponent.
    pub fn against(&self, agent: usize, opponent: usize) -> Wdl {
        self.results[agent * self.agents + opponent]
    }

    /// The statistics of an agent.
    pub fn agent(&self, agent: usize) -> &AgentStats {
        &self.agent_stats[agent]
    }

    /// The complete pairs of two agents, from the first one's side. A pair with a void bout does not count.
    pub fn pairs(&self, agent: usize, opponent: usize) -> Pentanomial {
        let pairs = self.pairs.get(&[agent.min(opponent), agent.max(opponent)]).copied().unwrap_or_default();
        if agent < opponent { pairs } else { pairs.reversed() }
    }

    /// Whether two agents have several pairs that are all copies of one: there is no interval then.
    pub fn is_one_pair(&self, agent: usize, opponent: usize) -> bool {
        let pairs = self.pairs(agent, opponent);
        pairs.copies > 0 && pairs.pairs() == 1
    }

    /// False of a run of two agents whose pairs are all copies of one: their strength is not measured.
    pub fn is_measured(&self) -> bool {
        self.agents != 2 || !self.is_one_pair(0, 1)
    }

    /// Pairs with a bout that repeats another one.
    pub fn copies(&self) -> u64 {
        self.pairs.values().map(|pairs| pairs.copies).sum()
    }

    /// Bouts that repeat others and do not count.
    pub const fn repeated(&self) -> u64 {
        self.repeats
    }

    /// The state of the plan's sequential test, if it has one.
    pub fn test(&self) -> Option<Decision> {
        let pairs = self.sequential_pairs();
        self.sequential.as_ref().map(|sequential| Decision {
            test: sequential.test,
            pairs,
            llr: sequential.test.llr(&pairs),
            bounds: sequential.test.bounds(),
            status: sequential.status,
        })
    }

    /// Whether the test has accepted a hypothesis.
    pub fn decided(&self) -> bool {
        self.sequential.as_ref().is_some_and(|sequential| sequential.status != Status::Continue)
    }

    /// Whether the test has given up because the agents only repeat themselves: the last [`MAX_COPIES`] pairs were
    /// copies.
    pub fn repeats(&self) -> bool {
        self.sequential.as_ref().is_some_and(SequentialTest::repeats)
    }

    /// Ratings of all agents on one scale; `anchors` are fixed ratings, as in [`Plan::anchors`].
    pub fn ratings(&self, anchors: &[Option<f64>]) -> Ratings {
        let mut results = Results::new(self.agents);
        for a in 0..self.agents {
            for b in 0..a {
                let pairs = self.pairs(a, b);
                results.add_pairs(a, b, &pairs);
                // Bouts whose other half has not been played, was void, or repeats another one.
                let alone = [
                    self.against(a, b).points() - pairs.points(),
                    self.against(b, a).points() - pairs.reversed().points(),
                ];
                results.add(a, b, alone);
            }
        }
        Ratings::fit(&results, anchors)
    }
}

impl SequentialTest {
    /// The bouts of the next pair, when both have been played.
    fn take(&mut self) -> Option<Vec<Summary>> {
        if self.has_ended() || self.waiting.get(&self.next)?.len() < 2 {
            return None;
        }
        let mut pair = self.waiting.remove(&self.next)?;
        pair.sort_by_key(|bout| bout.slot);
        self.next += 1;
        Some(pair)
    }

    /// Examines all pairs after the one just counted.
    fn judge(&mut self, pairs: &Pentanomial, last: PairState) {
        match last {
            PairState::New => self.copies = 0,
            PairState::Copy => self.copies += 1,
            PairState::Half | PairState::Void => return,
        }
        self.status = self.test.status(pairs);
        if self.has_ended() {
            self.extra += self.waiting.values().map(|pair| pair.len() as u64).sum::<u64>();
            self.waiting.clear();
        }
    }

    fn has_ended(&self) -> bool {
        self.status != Status::Continue || self.repeats()
    }

    const fn repeats(&self) -> bool {
        self.copies >= MAX_COPIES
    }
}

/// ALPHANO's sequential Elo of every agent after these bouts, which must come in the order of the schedule.
pub fn sequential_elo<'a>(agents: usize, bouts: impl IntoIterator<Item = &'a Summary>) -> Vec<f64> {
    let mut ratings = vec![elo::START; agents];
    for (_, [first, second], after) in elo_steps(agents, bouts) {
        [ratings[first], ratings[second]] = after;
    }
    ratings
}

/// The steps of ALPHANO's sequential Elo, bout by bout in the order of the schedule: the bout's position among those
/// given, from 0, its agents, and their ratings after it. Void bouts and repetitions are not steps.
pub fn elo_steps<'a>(
    agents: usize,
    bouts: impl IntoIterator<Item = &'a Summary>,
) -> impl Iterator<Item = (usize, [usize; 2], [f64; 2])> {
    let mut ratings = vec![elo::START; agents];
    let mut seen = HashSet::new();
    bouts.into_iter().enumerate().filter_map(move |(number, bout)| {
        if !seen.insert(Tally::course(bout)?) {
            return None;
        }
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
    pub(crate) fn bout(slot: u32, seats: [usize; 2], winner: Winner) -> Summary {
        Summary {
            slot,
            seats,
            seed: 7,
            winner,
            reason: "no empty cell is left".into(),
            verdicts: [Verdict::Ok; 2],
            faults: None,
            termination: None,
            score: None,
            plies: 40,
            time_ms: [10.0, 20.0],
            delay_ms: [0.0, 1.5],
            disturbed: [0, 1],
            started: 0,
            game_digest: i64::from(slot),
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
        assert_eq!(tally.against(0, 1), Wdl { wins: 3, draws: 2, losses: 1 });
        assert_eq!((tally.bouts(), tally.void()), (7, 1));
        assert_eq!(tally.agent(0).by_seat[0], Wdl { wins: 1, draws: 1, losses: 0 });
        assert_eq!(tally.agent(1).all().points(), 2.0);
    }

    #[test]
    fn a_fault_is_counted_and_never_just_a_loss() {
        let mut tally = Tally::new(&plan(Kind::RoundRobin, 2, 8));
        let late = Summary { verdicts: [Verdict::Tle, Verdict::Ok], ..bout(0, [0, 1], Winner::Second) };
        tally.add(&late);
        tally.add(&bout(1, [1, 0], Winner::First));
        let stats = tally.agent(0);
        assert_eq!(stats.faults, [("TLE", 1)].into());
        assert_eq!(stats.defeats, [("TLE", 1), ("rules", 1)].into());
        assert_eq!((stats.disturbed, stats.delay_ms), (1, 1.5));
        assert_eq!(tally.agent(1).least_left_ms, Some(9_980.0));
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
        // Bouts after the decision do not count.
        let counted = decided.unwrap() + 1;
        assert_eq!((tally.bouts(), tally.extra(), tally.waiting()), (counted as u64, (60 - counted) as u64, 0));
        assert_eq!(tally.pairs(0, 1), test.pairs);
        assert_eq!(tally.agent(0).bouts, counted as u64);
        assert!(bouts.iter().enumerate().all(|(at, bout)| tally.counts(bout) == (at < counted)));
        assert_eq!(test.pairs.pairs() as usize, decided.unwrap() / 2 + 1);
        // Backwards, nothing is decided before the first pair is in; then the same pairs decide.
        let mut backwards = Tally::new(&plan);
        bouts[1..].iter().rev().for_each(|bout| backwards.add(bout));
        assert_eq!((backwards.test().unwrap().pairs.pairs(), backwards.bouts(), backwards.waiting()), (0, 0, 59));
        backwards.add(&bouts[0]);
        assert_eq!(backwards, tally);
        // If a run was shortened, only that many count.
        plan.games = 4;
        let short = Tally::of(&plan, &bouts);
        assert_eq!((short.bouts(), short.extra(), short.decided()), (4, 56, false));
    }

    #[test]
    fn a_stopped_test_counts_whole_pairs_in_their_order() {
        let mut plan = plan(Kind::RoundRobin, 2, 1000);
        plan.test = Some(Sprt::default());
        let bouts = copies(0..6);
        let some = [0, 1, 2, 4, 5, 7].map(|at| &bouts[at]);
        let tally = Tally::of(&plan, some);
        assert_eq!((tally.bouts(), tally.waiting(), tally.extra()), (2, 4, 0));
        assert_eq!(tally.against(0, 1).bouts(), 2);
        // A void pair is counted, but is not evidence.
        let void = [bout(0, [0, 1], Winner::Void), bout(1, [1, 0], Winner::First)];
        let tally = Tally::of(&plan, void.iter().chain(&bouts[2..6]));
        assert_eq!((tally.bouts(), tally.void(), tally.test().unwrap().pairs.pairs()), (6, 1, 2));
    }

    /// Pairs of these kinds, all won by the second agent.
    fn copies(kinds: impl IntoIterator<Item = i64>) -> Vec<Summary> {
        let pair = |(number, kind): (u32, i64)| {
            // The first seat in the first bout alternates from pair to pair.
            let first = number as usize % 2;
            [0, 1].map(|n| {
                let seats = if n == 0 { [first, 1 - first] } else { [1 - first, first] };
                let winner = if seats[0] == 1 { Winner::First } else { Winner::Second };
                let game_digest = 2 * kind + seats[0] as i64;
                Summary { game_digest, ..bout(2 * number + n, seats, winner) }
            })
        };
        (0..).zip(kinds).flat_map(pair).collect()
    }

    #[test]
    fn statistics_count_different_pairs() {
        let plan = plan(Kind::RoundRobin, 2, 200);
        let tally = Tally::of(&plan, &copies([5; 74]));
        assert_eq!(tally.pairs(0, 1), Pentanomial { counts: [1, 0, 0, 0, 0], copies: 73 });
        assert_eq!(tally.pairs(1, 0), Pentanomial { counts: [0, 0, 0, 0, 1], copies: 73 });
        assert!(tally.is_one_pair(0, 1) && tally.is_one_pair(1, 0));
        assert_eq!((tally.repeated(), tally.against(0, 1).losses, tally.bouts()), (146, 2, 148));
        // Ratings learn no more than from one pair.
        let once = Tally::of(&plan, &copies([5]));
        assert_eq!(tally.ratings(&plan.anchors()), once.ratings(&plan.anchors()));
        assert!(!once.is_one_pair(0, 1));
        let some = Tally::of(&plan, &copies([1, 2, 1, 3, 2, 1]));
        assert_eq!((some.pairs(0, 1).pairs(), some.repeated(), some.is_one_pair(0, 1)), (3, 6, false));
    }

    #[test]
    fn a_pair_with_one_repeated_bout_is_a_lone_bout() {
        let plan = plan(Kind::RoundRobin, 2, 200);
        let bouts: Vec<Summary> = copies([1, 2, 3])
            .into_iter()
            .map(|bout| if bout.seats[0] == 0 { Summary { game_digest: 9, ..bout } } else { bout })
            .collect();
        let tally = Tally::of(&plan, &bouts);
        assert_eq!((tally.repeated(), tally.against(0, 1).losses), (2, 4));
        assert_eq!(tally.pairs(0, 1), Pentanomial { counts: [1, 0, 0, 0, 0], copies: 2 });
        // Whichever ends first.
        assert_eq!(Tally::of(&plan, bouts.iter().rev()), tally);
        // The same moves with another result or verdict are another game.
        let failed = Summary { verdicts: [Verdict::Tle, Verdict::Ok], ..bouts[0].clone() };
        let tally = Tally::of(&plan, [&bouts[0], &Summary { slot: 2, ..failed }]);
        assert_eq!(tally.repeated(), 0);
    }

    #[test]
    fn a_test_does_not_decide_on_copies() {
        let mut plan = plan(Kind::RoundRobin, 2, 1000);
        plan.test = Some(Sprt { elo1: 200.0, ..Sprt::default() });
        let tally = Tally::of(&plan, &copies([5; 49]));
        assert_eq!((tally.decided(), tally.repeats()), (false, false));
        let tally = Tally::of(&plan, &copies([5; 51]));
        assert_eq!((tally.decided(), tally.repeats(), tally.test().unwrap().pairs.pairs()), (false, true, 1));
        // This does not change, whatever comes later and in whichever order.
        let later = copies((0..500).map(|n| if n < 51 { 5 } else { n }));
        let backwards = Tally::of(&plan, later.iter().rev());
        assert_eq!((backwards.repeats(), backwards.test()), (true, tally.test()));
        // The same results from different games decide.
        assert!(Tally::of(&plan, &copies(0..500)).decided());
    }

    #[test]
    fn sequential_elo_follows_the_order() {
        let bouts = [bout(0, [0, 1], Winner::First), bout(1, [1, 0], Winner::Void), bout(2, [1, 0], Winner::First)];
        let ratings = sequential_elo(2, &bouts);
        assert!((ratings[0] + ratings[1] - 3000.0).abs() < 1e-9 && ratings[1] > ratings[0], "{ratings:?}");
    }
}
