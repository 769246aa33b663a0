//! Wins by fours and the answers to them: recognised from the classes of points if these are sufficient, else searched
//! for.

use agon_game::Side;
use agon_rules::renju::PointSet;
use agon_search::Stopped;

use super::state::{NodeWindow, RenjuSearcher, win_in};
use crate::renju::Trait;
use crate::renju::threats::relevant;

impl RenjuSearcher<'_> {
    /// Returns a point where a side makes a straight four, or White two fours.
    pub(super) fn winning_point(&mut self, side: Side) -> Option<u8> {
        self.board.having(side, Trait::Winning).iter().find(|&cell| self.board.may_play(side, cell))
    }

    /// Returns true if a side has a point where it makes a straight four, or a four and a three: otherwise a search for
    /// fours is not worth its nodes.
    fn promises_fours(&mut self, side: Side) -> bool {
        if !self.board.having(side, Trait::Winning).is_empty() {
            return true;
        }
        let fours = self.board.having(side, Trait::Four);
        let both = self.board.having(side, Trait::Three).and(fours);
        both.iter().any(|cell| self.board.may_play(side, cell))
    }

    /// Returns the value of a win by fours of the side to move. It is not searched for if a stone of the other side
    /// cannot have created it; but White may have gained it from a point that is now forbidden to Black.
    pub(super) fn fours_win(&mut self, node: &NodeWindow) -> Result<Option<i32>, Stopped> {
        let NodeWindow { side, ply, last, .. } = *node;
        let has_fours = !self.board.having(side, Trait::Four).is_empty();
        let forbids = side == Side::Second
            && !self
                .board
                .having(Side::First, Trait::Forbidden)
                .or(self.board.having(Side::First, Trait::MaybeForbidden))
                .is_empty();
        let may_win = has_fours && (forbids || !last.is_calm()) && self.promises_fours(side);
        let wins = may_win && self.wins_by_fours(side)?;
        Ok(wins.then(|| win_in(ply + self.search.fours.line().count() as i32)))
    }

    /// Returns true if a side, to move, wins by fours, within the nodes allowed for one such search.
    fn wins_by_fours(&mut self, side: Side) -> Result<bool, Stopped> {
        let nodes = self.tuning.fours_nodes as u64;
        let meter = self.meter.within(nodes.min(self.skill.fours));
        let found = self.search.fours.wins_within(&mut self.board, side, meter);
        self.meter.add(self.search.fours.nodes());
        self.search.stats.fours_nodes += self.search.fours.nodes();
        self.search.stats.fours_searches += 1;
        self.search.stats.fours_wins += u64::from(found == Ok(true));
        // A search that ran out of time proves nothing.
        if found.is_err() && self.meter.is_late() { Err(Stopped) } else { Ok(found == Ok(true)) }
    }

    /// The defences that can matter, if the other side would win by fours were it its turn.
    pub(super) fn defences(&mut self, side: Side) -> Result<Option<PointSet>, Stopped> {
        let other = side.other();
        if self.board.having(other, Trait::Four).is_empty() {
            return Ok(None);
        }
        if let Some(defences) = self.defences_of_threes(side) {
            return Ok(Some(defences));
        }
        if !self.promises_fours(other) || !self.wins_by_fours(other)? {
            return Ok(None);
        }
        let line: Vec<u8> = self.search.fours.line().collect();
        Ok(Some(relevant(&mut self.board, other, &line)))
    }

    /// Returns the answers to the straight fours that the other side would make: the points that help against each of
    /// them.
    pub(super) fn defences_of_threes(&mut self, side: Side) -> Option<PointSet> {
        let other = side.other();
        let winning = self.board.having(other, Trait::Winning);
        let mut defences = None;
        for cell in winning.iter() {
            if !self.board.may_play(other, cell) {
                continue;
            }
            let against = relevant(&mut self.board, other, &[cell]);
            defences = Some(defences.map_or(against, |all: PointSet| all.and(against)));
        }
        // If no point helps against all of them, any of them is as good as another.
        defences.map(|all| if all.is_empty() { winning } else { all })
    }
}
