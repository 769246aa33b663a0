//! The standings: agents in the order of their points, with tie-breaks.

use std::cmp::Ordering;

use serde::Serialize;

use crate::plan::{Kind, Plan};
use crate::tally::{Tally, Wdl};

/// One agent's place in the standings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// The agent, by its place in the plan.
    pub agent: usize,
    /// Points: one a win, half a draw, and the whole round for a bye.
    pub points: f64,
    /// The most points that it could have.
    pub possible: f64,
    /// Wins, draws and losses; a bye is none of them.
    pub bouts: Wdl,
    /// The sum over all bouts of the opponents' points (Buchholz).
    pub buchholz: f64,
    /// The sum over all bouts of the points scored times the opponents' points (Sonneborn–Berger).
    pub sonneborn: f64,
}

impl Standing {
    /// Points of those possible, 0 to 1; one half before the first bout.
    pub fn share(&self) -> f64 {
        if self.possible > 0.0 { self.points / self.possible } else { 0.5 }
    }
}

/// The standings of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// The agents from the first place to the last.
    ///
    /// By points, in a Swiss tournament then by Buchholz; there a game that repeats another one keeps its points, so
    /// that every pairing of a round is worth the same. Else by the share of points, since not all have played
    /// equally often while it goes on, or in a gauntlet at all. Ties are broken by Sonneborn–Berger, by the bouts of
    /// the two against each other, by wins, and last by the order of the plan.
    pub rows: Vec<Standing>,
}

impl Standings {
    /// The standings of a tally.
    pub fn new(plan: &Plan, tally: &Tally) -> Self {
        let agents = plan.agents.len();
        let swiss = matches!(plan.kind, Kind::Swiss { .. });
        let bye = f64::from(plan.games);
        let points = |agent: usize| {
            let stats = tally.agent(agent);
            let repeated = if swiss { stats.repeated.points() } else { 0.0 };
            stats.all().points() + repeated + f64::from(stats.byes) * bye
        };
        let row = |agent: usize| {
            let others = || (0..agents).filter(|&other| other != agent);
            let bouts = tally.agent(agent).all();
            let repeated = if swiss { tally.agent(agent).repeated.bouts() } else { 0 };
            Standing {
                agent,
                points: points(agent),
                possible: (bouts.bouts() + repeated) as f64 + f64::from(tally.agent(agent).byes) * bye,
                bouts,
                buchholz: others().map(|other| tally.against(agent, other).bouts() as f64 * points(other)).sum(),
                sonneborn: others().map(|other| tally.against(agent, other).points() * points(other)).sum(),
            }
        };
        let mut rows: Vec<Standing> = (0..agents).map(row).collect();
        let standing = |row: &Standing| if swiss { [row.points, row.buchholz] } else { [row.share(), row.sonneborn] };
        let descending = |a: f64, b: f64| b.total_cmp(&a);
        let better = |a: &Standing, b: &Standing| -> Ordering {
            let ([a0, a1], [b0, b1]) = (standing(a), standing(b));
            descending(a0, b0).then(descending(a1, b1)).then(descending(a.sonneborn, b.sonneborn))
        };
        rows.sort_by(|a, b| better(a, b).then(b.bouts.wins.cmp(&a.bouts.wins)).then(a.agent.cmp(&b.agent)));
        // Bouts against each other are no total order (three may beat one another in a ring), so they settle
        // exactly two equal neighbours alone.
        let mut at = 0;
        while at < rows.len() {
            let equal = rows[at..].iter().take_while(|row| better(row, &rows[at]) == Ordering::Equal).count();
            if equal == 2 {
                let mutual = tally.against(rows[at].agent, rows[at + 1].agent);
                if mutual.losses > mutual.wins {
                    rows.swap(at, at + 1);
                }
            }
            at += equal;
        }
        Self { rows }
    }
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
        let bouts =
            [([0, 1], First), ([2, 3], First), ([0, 2], First), ([1, 3], First), ([0, 3], Second), ([1, 2], Second)];
        // 0 beat 1 and 2; 2 beat 3 and 1: equal points, and 0 won against more.
        check(Kind::RoundRobin, 4, &bouts, &[(0, 2.0), (2, 2.0), (3, 1.0), (1, 1.0)]);
    }

    #[test]
    fn two_equals_are_ranked_by_their_own_bouts() {
        let bouts =
            [([0, 1], Second), ([1, 2], Second), ([0, 2], First), ([0, 3], Draw), ([1, 3], Draw), ([2, 3], Draw)];
        // A ring of three stays in the order of the plan.
        check(Kind::RoundRobin, 4, &bouts, &[(0, 1.5), (1, 1.5), (2, 1.5), (3, 1.5)]);
        // 0 beat the one point of 2, 1 beat the one point of 0.
        let bouts = [([0, 2], First), ([3, 1], First), ([1, 0], First), ([2, 4], First)];
        check(Kind::RoundRobin, 5, &bouts, &[(3, 1.0), (1, 1.0), (0, 1.0), (2, 1.0), (4, 0.0)]);
    }

    #[test]
    fn a_bye_is_worth_a_round() {
        // One round of three: the third rests and is given both points.
        let bouts = [([0, 1], First), ([1, 0], Draw)];
        let standings = check(Kind::Swiss { rounds: 2 }, 3, &bouts, &[(2, 2.0), (0, 1.5), (1, 0.5)]);
        assert_eq!(standings.rows[0].bouts.bouts(), 0);
    }
}
