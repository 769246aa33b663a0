//! What stood out in the last games of a ladder: streaks, upsets, the longest and the shortest game.

use std::collections::HashMap;

use agon_arena::store::StoreError;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;

use crate::store::{BoutKind, SiteBout, SiteSeat, SiteStore};

/// Games that are looked at: the last ones of the ladder.
const LAST: u32 = 1000;

/// Wins in a row that are worth mentioning.
const MIN_STREAK: u32 = 4;

/// By how much the rating of a beaten program must be higher for an upset, after the game.
const MIN_UPSET: f64 = 100.0;

/// A game in which something stood out, with the number for which it did.
#[derive(Clone, PartialEq, Debug)]
pub struct Feat<T> {
    pub bout: i64,
    /// The program that stood out.
    pub seat: SiteSeat,
    /// The other program.
    pub opponent: SiteSeat,
    pub value: T,
}

/// What stood out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Feats {
    /// Games that were looked at.
    pub games: u32,
    /// Most wins in a row of a program, and the last of these games.
    pub streak: Option<Feat<u32>>,
    /// The win over a program whose rating was higher by the most.
    pub upset: Option<Feat<f64>>,
    /// The most and the fewest moves of a game with a winner and no failure.
    pub longest: Option<Feat<u32>>,
    pub shortest: Option<Feat<u32>>,
}

impl Feats {
    /// # Errors
    /// [`StoreError`].
    pub fn read(store: &SiteStore, competition: i64) -> Result<Self, StoreError> {
        let mut bouts = store.recent(competition, i64::MAX, LAST)?;
        bouts.retain(|bout| bout.kind == BoutKind::Ladder && bout.repeats.is_none() && !bout.is_forfeit);
        bouts.reverse();
        Ok(Self::of(&bouts))
    }

    /// Of these games, the oldest first. A feat that was reached twice is that of the earlier game.
    fn of(bouts: &[SiteBout]) -> Self {
        let mut feats = Self { games: bouts.len() as u32, ..Self::default() };
        let mut wins: HashMap<i64, u32> = HashMap::new();
        for bout in bouts {
            let winner = match bout.winner {
                Some(Winner::First) => Some(0),
                Some(Winner::Second) => Some(1),
                _ => None,
            };
            for (at, seat) in bout.seats.iter().enumerate() {
                let streak = wins.entry(seat.program).or_default();
                *streak = if winner == Some(at) { *streak + 1 } else { 0 };
                let (streak, most) = (*streak, feats.streak.as_ref().map_or(MIN_STREAK - 1, |feat| feat.value));
                if streak > most && seat.account.is_some() {
                    feats.streak = Some(Feat::new(bout, at, streak));
                }
            }
            let Some(winner) = winner else { continue };
            if let [Some(own), Some(other)] = [winner, 1 - winner].map(|at| bout.seats[at].rating) {
                let most = feats.upset.as_ref().map_or(MIN_UPSET, |feat| feat.value);
                if other - own > most && bout.seats[1 - winner].verdict == Some(Verdict::Ok) {
                    feats.upset = Some(Feat::new(bout, winner, other - own));
                }
            }
            if bout.seats.iter().all(|seat| seat.verdict == Some(Verdict::Ok)) && bout.plies > 0 {
                if feats.longest.as_ref().is_none_or(|feat| feat.value < bout.plies) {
                    feats.longest = Some(Feat::new(bout, winner, bout.plies));
                }
                if feats.shortest.as_ref().is_none_or(|feat| feat.value > bout.plies) {
                    feats.shortest = Some(Feat::new(bout, winner, bout.plies));
                }
            }
        }
        feats
    }

    /// Whether anything is worth showing.
    pub const fn is_any(&self) -> bool {
        self.streak.is_some() || self.upset.is_some() || self.longest.is_some()
    }
}

impl<T> Feat<T> {
    fn new(bout: &SiteBout, at: usize, value: T) -> Self {
        Self { bout: bout.id, seat: bout.seats[at].clone(), opponent: bout.seats[1 - at].clone(), value }
    }
}

#[cfg(test)]
mod tests {
    use agon_catalog::Game;
    use agon_message::Stated;

    use super::*;

    /// A game between two programs: their ratings afterwards, who won, how many moves.
    fn bout(id: i64, programs: [i64; 2], ratings: [f64; 2], winner: Winner, plies: u32) -> SiteBout {
        let seat = |at: usize| SiteSeat {
            program: programs[at],
            name: format!("p{}", programs[at]),
            account: Some(1),
            version: Some(1),
            verdict: Some(Verdict::Ok),
            time_ms: None,
            rating: Some(ratings[at]),
            stands_in: false,
        };
        SiteBout {
            id,
            competition: 3,
            game: Game::RENJU,
            kind: BoutKind::Ladder,
            seats: [seat(0), seat(1)],
            begun: id,
            winner: Some(winner),
            reason: Stated::default(),
            plies,
            game_digest: None,
            repeats: None,
            is_forfeit: false,
        }
    }

    #[test]
    fn streaks_upsets_and_lengths_are_found() {
        let even = [1500.0, 1500.0];
        let mut bouts: Vec<SiteBout> = (1..=5).map(|id| bout(id, [7, id + 10], even, Winner::First, 30)).collect();
        bouts.push(bout(6, [20, 7], [1400.0, 1650.0], Winner::First, 12));
        bouts.push(bout(7, [20, 7], [1420.0, 1530.0], Winner::First, 80));
        bouts.push(bout(8, [20, 21], even, Winner::Draw, 225));
        let feats = Feats::of(&bouts);
        let streak = feats.streak.unwrap();
        assert_eq!((streak.bout, streak.seat.program, streak.value), (5, 7, 5));
        let upset = feats.upset.unwrap();
        assert_eq!((upset.bout, upset.seat.program, upset.opponent.program, upset.value), (6, 20, 7, 250.0));
        assert_eq!((feats.longest.unwrap().bout, feats.shortest.unwrap().bout, feats.games), (7, 6, 8));
    }

    #[test]
    fn a_failure_is_neither_an_upset_nor_a_short_game() {
        let mut failed = bout(1, [1, 2], [1400.0, 1800.0], Winner::First, 2);
        failed.seats[1].verdict = Some(Verdict::Tle);
        let feats = Feats::of(&[failed]);
        assert!(!feats.is_any() && feats.shortest.is_none(), "{feats:?}");
        assert!(!Feats::of(&[]).is_any());
    }
}
