//! The standings: agents in the order of their points, with tie-breaks, and the place of each.

use std::cmp::Ordering;

use serde::Serialize;

use crate::plan::{Kind, Plan};
use crate::tally::{Tally, Wdl};

/// What decides between agents with equal points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// The sum over all bouts of the opponents' points.
    Buchholz,
    /// The sum over all bouts of the points scored times the opponents' points.
    SonnebornBerger,
    /// The points from the bouts of the level agents against each other, if each of them has met each.
    DirectEncounter,
    Wins,
    /// Wins in the second seat, which is the worse one in most games.
    WinsInSecondSeat,
}

impl TieBreak {
    /// The tie-breaks of a tournament, in the order in which they apply.
    pub const fn for_kind(kind: Kind) -> &'static [Self] {
        const ALL: [TieBreak; 5] = [
            TieBreak::Buchholz,
            TieBreak::SonnebornBerger,
            TieBreak::DirectEncounter,
            TieBreak::Wins,
            TieBreak::WinsInSecondSeat,
        ];
        match kind {
            Kind::Swiss { .. } => &ALL,
            // Agents that meet everyone have the same opponents.
            Kind::RoundRobin | Kind::Gauntlet => ALL.split_at(1).1,
        }
    }
}

/// One agent's place in the standings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// The place, from 1; agents that are level in every tie-break share one. `None` for an agent without a bout, and
    /// for one that takes no place.
    pub place: Option<usize>,
    /// The agent, by its place in the plan.
    pub agent: usize,
    /// Points: one a win, half a draw, and the whole round for a bye.
    pub points: f64,
    /// The most points that it could have.
    pub possible: f64,
    /// Wins, draws and losses; a bye counts as none of them.
    pub bouts: Wdl,
    /// Rounds of a Swiss tournament in which it had no opponent.
    pub byes: u32,
    /// The sum over all bouts of the opponents' points (Buchholz). The opponent of a bye has as many points as the
    /// agent itself, as in FIDE's rules of tie-break.
    pub buchholz: f64,
    /// The sum over all bouts of the points scored times the opponents' points (Sonneborn–Berger), a bye being won
    /// against that opponent.
    pub sonneborn: f64,
    /// Wins in the second seat.
    pub second_seat_wins: u64,
    /// Points from the bouts against those that are level in the tie-breaks before this one; 0 unless all have met.
    #[serde(skip)]
    direct: f64,
    /// The same number for all that are level in every tie-break.
    #[serde(skip)]
    level: usize,
}

impl Standing {
    /// Points of those possible, 0 to 1; one half before the first bout.
    pub fn share(&self) -> f64 {
        if self.possible > 0.0 { self.points / self.possible } else { 0.5 }
    }

    /// The figure that a tie-break compares.
    pub const fn tie_break(&self, tie: TieBreak) -> f64 {
        match tie {
            TieBreak::Buchholz => self.buchholz,
            TieBreak::SonnebornBerger => self.sonneborn,
            TieBreak::DirectEncounter => self.direct,
            TieBreak::Wins => self.bouts.wins as f64,
            TieBreak::WinsInSecondSeat => self.second_seat_wins as f64,
        }
    }
}

/// The standings of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// The agents from the first place to the last.
    ///
    /// By points in a Swiss tournament, where a game that repeats another keeps its points, so that every pairing of a
    /// round is worth the same. Otherwise by the share of points, since agents have not all played equally often while
    /// the tournament runs, and in a gauntlet never do. Ties are broken as [`TieBreak::for_kind`] says; agents that are
    /// still level stay in the order of the plan.
    pub rows: Vec<Standing>,
}

/// An agent's figures; `bye` is what the points of a bye count for in Buchholz and Sonneborn–Berger: the agent's own
/// points, or nothing.
fn row(plan: &Plan, tally: &Tally, agent: usize, byes_count: bool) -> Standing {
    let bye = f64::from(plan.games);
    let repeated = |agent: usize| {
        if matches!(plan.kind, Kind::Swiss { .. }) { tally.agent(agent).repeated } else { Wdl::default() }
    };
    let points = |agent: usize| {
        let stats = tally.agent(agent);
        stats.all().points() + repeated(agent).points() + f64::from(stats.byes) * bye
    };
    let others = || (0..plan.agents.len()).filter(|&other| other != agent);
    let stats = tally.agent(agent);
    let (bouts, own, given) = (stats.all(), points(agent), f64::from(stats.byes) * bye);
    let of_byes = if byes_count { given * own } else { 0.0 };
    let buchholz: f64 = others().map(|other| tally.against(agent, other).bouts() as f64 * points(other)).sum();
    let sonneborn: f64 = others().map(|other| tally.against(agent, other).points() * points(other)).sum();
    Standing {
        place: None,
        agent,
        points: own,
        possible: (bouts.bouts() + repeated(agent).bouts()) as f64 + given,
        bouts,
        byes: stats.byes,
        buchholz: buchholz + of_byes,
        sonneborn: sonneborn + of_byes,
        second_seat_wins: stats.by_seat[1].wins,
        direct: 0.0,
        level: 0,
    }
}

fn descending(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
}

/// The order of two agents by their points and the tie-breaks that are sums.
fn by_sums(swiss: bool, a: &Standing, b: &Standing) -> Ordering {
    let first = if swiss {
        descending(a.points, b.points).then(descending(a.buchholz, b.buchholz))
    } else {
        descending(a.share(), b.share())
    };
    first.then(descending(a.sonneborn, b.sonneborn))
}

impl Standings {
    /// The standings of a tally.
    pub fn new(plan: &Plan, tally: &Tally) -> Self {
        let swiss = matches!(plan.kind, Kind::Swiss { .. });
        let mut rows: Vec<Standing> = (0..plan.agents.len()).map(|agent| row(plan, tally, agent, true)).collect();
        rows.sort_by(|a, b| by_sums(swiss, a, b));
        let mut level = 0;
        for group in rows.chunk_by_mut(|a, b| by_sums(swiss, a, b).is_eq()) {
            let agents: Vec<usize> = group.iter().map(|row| row.agent).collect();
            let met = |a: usize| agents.iter().all(|&b| a == b || tally.against(a, b).bouts() > 0);
            let all_met = agents.iter().all(|&agent| met(agent));
            for row in group.iter_mut().filter(|_| all_met) {
                row.direct = agents.iter().map(|&other| tally.against(row.agent, other).points()).sum();
            }
            let better = |a: &Standing, b: &Standing| {
                descending(a.direct, b.direct)
                    .then(b.bouts.wins.cmp(&a.bouts.wins))
                    .then(b.second_seat_wins.cmp(&a.second_seat_wins))
            };
            group.sort_by(|a, b| better(a, b).then(a.agent.cmp(&b.agent)));
            for equals in group.chunk_by_mut(|a, b| better(a, b).is_eq()) {
                level += 1;
                for row in equals {
                    row.level = level;
                }
            }
        }
        let mut standings = Self { rows };
        standings.place(|_| true);
        standings
    }

    /// The tie-breaks that have decided between agents with a place and equal points, in the order in which they apply.
    pub fn decisive(&self, kind: Kind) -> Vec<TieBreak> {
        let swiss = matches!(kind, Kind::Swiss { .. });
        let ties = TieBreak::for_kind(kind);
        let placed: Vec<&Standing> = self.rows.iter().filter(|row| row.place.is_some()).collect();
        let decides = |pair: &[&Standing]| {
            let [a, b] = [pair[0], pair[1]];
            let is_tie = if swiss { a.points.eq(&b.points) } else { a.share().eq(&b.share()) };
            is_tie.then(|| ties.iter().find(|tie| a.tie_break(**tie).ne(&b.tie_break(**tie)))).flatten()
        };
        let found: Vec<TieBreak> = placed.windows(2).filter_map(decides).copied().collect();
        ties.iter().filter(|tie| found.contains(tie)).copied().collect()
    }

    /// Gives places to those of these agents that have had a bout or a bye.
    pub fn place(&mut self, takes: impl Fn(usize) -> bool) {
        // The place of the last level that has one, and how many agents have one.
        let (mut last, mut placed) = (None, 0);
        for row in &mut self.rows {
            row.place = None;
            if row.possible == 0.0 || !takes(row.agent) {
                continue;
            }
            placed += 1;
            let place = last.filter(|&(level, _)| level == row.level).map_or(placed, |(_, place)| place);
            row.place = Some(place);
            last = Some((row.level, place));
        }
    }
}

/// The agents in the order in which a Swiss tournament pairs them. The games of a run follow from it, so it never
/// changes, however places are decided: a bye adds nothing to Buchholz and Sonneborn–Berger here.
pub fn pairing_order(plan: &Plan, tally: &Tally) -> Vec<usize> {
    let mut rows: Vec<Standing> = (0..plan.agents.len()).map(|agent| row(plan, tally, agent, false)).collect();
    let better = |a: &Standing, b: &Standing| by_sums(true, a, b);
    rows.sort_by(|a, b| better(a, b).then(b.bouts.wins.cmp(&a.bouts.wins)).then(a.agent.cmp(&b.agent)));
    for equals in rows.chunk_by_mut(|a, b| better(a, b).is_eq()) {
        if let [first, second] = equals {
            let mutual = tally.against(first.agent, second.agent);
            if mutual.losses > mutual.wins {
                std::mem::swap(first, second);
            }
        }
    }
    rows.into_iter().map(|row| row.agent).collect()
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "points come in exact halves, and times are small whole numbers")]
mod tests {
    use super::*;
    use crate::plan::tests::plan;
    use crate::tally::tests::bout;
    use agon_referee::record::Winner::{self, Draw, First, Second};

    fn check(kind: Kind, agents: usize, bouts: &[([usize; 2], Winner)], wanted: &[(usize, f64)]) -> Standings {
        let plan = plan(kind, agents, 2);
        let mut tally = Tally::new(&plan);
        for (slot, (seats, winner)) in (0..).zip(bouts) {
            tally.add(&bout(slot, *seats, *winner));
        }
        let standings = Standings::new(&plan, &tally);
        let found: Vec<_> = standings.rows.iter().map(|row| (row.agent, row.points)).collect();
        assert_eq!(found, wanted);
        standings
    }

    #[test]
    fn ties_are_broken_by_whom_the_points_came_from() {
        // 0 and 1 have 2 of 4 each; 0 took them from the better 2.
        let bouts = [([0, 2], First), ([2, 0], Second), ([0, 1], Draw), ([1, 0], Draw)];
        let standings = check(Kind::RoundRobin, 3, &bouts, &[(0, 3.0), (1, 1.0), (2, 0.0)]);
        assert_eq!(standings.rows[0].sonneborn, 1.0);
        assert_eq!(standings.rows[0].buchholz, 2.0);
        assert_eq!(standings.decisive(Kind::RoundRobin), [], "no points are equal");
        let bouts =
            [([0, 1], First), ([2, 3], First), ([0, 2], First), ([1, 3], First), ([0, 3], Second), ([1, 2], Second)];
        // 0 beat 1 and 2; 2 beat 3 and 1: equal points, and 0 won against more.
        let standings = check(Kind::RoundRobin, 4, &bouts, &[(0, 2.0), (2, 2.0), (3, 1.0), (1, 1.0)]);
        assert_eq!(standings.decisive(Kind::RoundRobin), [TieBreak::SonnebornBerger]);
    }

    #[test]
    fn two_equals_are_ranked_by_their_own_bouts() {
        let bouts = [([1, 0], First), ([2, 1], First), ([0, 2], First), ([0, 3], Draw), ([1, 3], Draw), ([2, 3], Draw)];
        // A ring of three stays in the order of the plan.
        let standings = check(Kind::RoundRobin, 4, &bouts, &[(0, 1.5), (1, 1.5), (2, 1.5), (3, 1.5)]);
        assert_eq!(standings.decisive(Kind::RoundRobin), [TieBreak::Wins], "3 has none");
        // 0 beat the one point of 2, 1 beat the one point of 0.
        let bouts = [([0, 2], First), ([3, 1], First), ([1, 0], First), ([2, 4], First)];
        check(Kind::RoundRobin, 5, &bouts, &[(3, 1.0), (1, 1.0), (0, 1.0), (2, 1.0), (4, 0.0)]);
    }

    #[test]
    fn a_bye_is_worth_a_round() {
        // One round of three agents: the third rests and gets both points.
        let bouts = [([0, 1], First), ([1, 0], Draw)];
        let standings = check(Kind::Swiss { rounds: 2 }, 3, &bouts, &[(2, 2.0), (0, 1.5), (1, 0.5)]);
        let bye = &standings.rows[0];
        assert_eq!((bye.bouts.bouts(), bye.byes, bye.possible, bye.place), (0, 1, 2.0, Some(1)));
        // Both games of the round against an opponent with its own two points, and both won.
        assert_eq!((bye.buchholz, bye.sonneborn), (4.0, 4.0));
        assert_eq!((standings.rows[1].byes, standings.rows[1].buchholz), (0, 1.0));
    }

    #[test]
    fn a_bye_is_no_handicap_in_the_tie_breaks() {
        // Agent 2 rests first and then wins once; 0 and 1 end with as many games as points.
        let bouts = [([0, 1], First), ([1, 0], Second), ([0, 2], Second), ([2, 0], Second)];
        let standings = check(Kind::Swiss { rounds: 2 }, 3, &bouts, &[(2, 3.0), (0, 3.0), (1, 2.0)]);
        assert_eq!(standings.rows.iter().map(|row| row.byes).collect::<Vec<_>>(), [1, 0, 1]);
        assert_eq!(standings.rows.iter().map(|row| row.buchholz).collect::<Vec<_>>(), [12.0, 10.0, 10.0]);
        // Whom it meets does not depend on that.
        let plan = plan(Kind::Swiss { rounds: 2 }, 3, 2);
        let mut tally = Tally::new(&plan);
        (0..).zip(bouts).for_each(|(slot, (seats, winner))| tally.add(&bout(slot, seats, winner)));
        assert_eq!(pairing_order(&plan, &tally), [0, 2, 1]);
    }

    #[test]
    fn who_is_level_in_everything_shares_a_place_and_who_has_not_played_has_none() {
        let places =
            |standings: &Standings| standings.rows.iter().map(|row| (row.agent, row.place)).collect::<Vec<_>>();
        let none = check(Kind::RoundRobin, 2, &[], &[(0, 0.0), (1, 0.0)]);
        assert_eq!(places(&none), [(0, None), (1, None)]);
        // A ring of three, each with a win in either seat, and one agent that lost to all.
        let ring = [([0, 1], First), ([1, 0], Second), ([1, 2], First), ([2, 1], Second), ([2, 0], First)];
        let last = [([0, 2], Second), ([3, 0], Second), ([3, 1], Second), ([3, 2], Second)];
        let bouts = [&ring[..], &last[..]].concat();
        let wanted = [(0, 3.0), (1, 3.0), (2, 3.0), (3, 0.0)];
        let mut standings = check(Kind::RoundRobin, 4, &bouts, &wanted);
        assert_eq!(places(&standings), [(0, Some(1)), (1, Some(1)), (2, Some(1)), (3, Some(4))]);
        // A benchmark in the middle takes no place and does not separate the others.
        standings.place(|agent| agent != 1);
        assert_eq!(places(&standings), [(0, Some(1)), (1, None), (2, Some(1)), (3, Some(3))]);
        // When two are level otherwise, the one with more wins from the second seat is first.
        let bouts = [([0, 2], First), ([2, 0], First), ([1, 2], Second), ([2, 1], Second)];
        let standings = check(Kind::RoundRobin, 3, &bouts, &[(2, 2.0), (1, 1.0), (0, 1.0)]);
        assert_eq!(places(&standings), [(2, Some(1)), (1, Some(2)), (0, Some(3))]);
    }

    #[test]
    fn more_than_two_equals_are_ranked_by_the_bouts_among_them() {
        // 0, 1 and 2 have three points from as good opponents; among them 2 has won twice, and 1 once.
        let bouts = [
            ([0, 1], Second),
            ([0, 2], Second),
            ([1, 2], Second),
            ([0, 3], First),
            ([0, 4], First),
            ([0, 5], First),
            ([1, 3], First),
            ([1, 4], Draw),
            ([1, 5], Draw),
            ([2, 3], First),
            ([2, 4], Second),
            ([2, 5], Second),
            ([3, 4], Second),
            ([3, 5], Second),
            ([4, 5], First),
        ];
        let wanted = [(4, 3.5), (2, 3.0), (1, 3.0), (0, 3.0), (5, 2.5), (3, 0.0)];
        let standings = check(Kind::RoundRobin, 6, &bouts, &wanted);
        assert!(standings.rows[1..4].iter().all(|row| row.sonneborn == 6.0), "{standings:?}");
        assert_eq!(standings.rows.iter().map(|row| row.place).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6].map(Some));
        assert_eq!(standings.decisive(Kind::RoundRobin), [TieBreak::DirectEncounter]);
    }
}
