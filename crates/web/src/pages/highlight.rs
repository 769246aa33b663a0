//! A game in three positions and a sentence: where it was decided, and how it ended.

use agon_boards::analysis::CurvePoint;
use agon_boards::layout::coded;
use agon_boards::picture::Picture;
use agon_boards::text::{stated, t};
use agon_referee::record::Winner;
use agon_site::store::SiteBout;
use maud::{Markup, html};
use serde_json::Value;

use crate::featured::lead;

/// The most moves of a game whose positions are drawn: each picture replays the game.
const MAX_DRAWN: u32 = 400;

/// What a side must be ahead by, from -1 to 1, for the lead to be its own.
const LEAD: f64 = 0.1;

/// What is known of the positions of a game: after which ply the first side was ahead (positive) or behind.
fn leads(curve: &[CurvePoint], steps: &[Value]) -> Vec<(u32, f64)> {
    let mut points: Vec<(u32, f64)> = curve.iter().filter_map(|point| Some((point.ply, lead(point)?.into()))).collect();
    if points.is_empty() {
        // What the players thought themselves.
        points.extend(
            steps
                .iter()
                .filter_map(|step| Some((u32::try_from(step["ply"].as_u64()?).ok()?, step["eval"]["share"].as_f64()?))),
        );
    }
    points.sort_by_key(|point| point.0);
    points
}

/// The ply with which the winner took the lead for good; `None` if that is not known or was so from the beginning.
fn decisive(points: &[(u32, f64)], winner: usize) -> Option<u32> {
    let own = |share: f64| if winner == 0 { share } else { -share };
    let last = points.iter().rposition(|(_, share)| own(*share) <= LEAD)?;
    points.get(last + 1).map(|(ply, _)| *ply)
}

/// The plies of the three positions: before and after the move that decided, or on the way; and the end.
fn plies(decisive: Option<u32>, opening: u32, last: u32) -> [u32; 3] {
    let played = last.saturating_sub(opening);
    match decisive {
        Some(ply) if ply < last => [ply.saturating_sub(1), ply, last],
        _ => [opening + played / 3, opening + 2 * played / 3, last],
    }
}

/// Three positions of a game and a sentence about it.
pub(super) struct Scenes {
    sentence: String,
    /// Moves are numbered from the start of the game, plies from the end of its opening.
    opening: u32,
    pub plies: [u32; 3],
}

impl Scenes {
    /// `None` of a game without a winner, of one with fewer than six moves, and of one that is too long.
    pub(super) fn of(bout: &SiteBout, game: &Value, curve: &[CurvePoint]) -> Option<Self> {
        let steps = game["steps"].as_array()?;
        let side = match bout.winner? {
            Winner::First => 0,
            Winner::Second => 1,
            _ => return None,
        };
        let ply = |step: &Value| step["ply"].as_u64().unwrap_or_default() as u32;
        let (first, last) = (ply(steps.first()?), ply(steps.last()?));
        if steps.len() < 6 || bout.plies > MAX_DRAWN {
            return None;
        }
        let opening = game["opening"].as_u64().unwrap_or_default() as u32;
        let decisive = decisive(&leads(curve, steps), side);
        let (name, reason) = (bout.seats[side].label(), stated(&bout.reason));
        let sentence = match decisive.and_then(|at| steps.iter().find(|step| ply(step) == at)) {
            Some(step) => t!(
                "highlight-decided",
                name = name,
                number = opening + ply(step),
                move = step["move"].as_str().unwrap_or_default(),
                count = bout.plies,
                reason = reason
            ),
            None => t!("game-won-after", name = name, count = bout.plies, reason = reason),
        };
        Some(Self { sentence, opening, plies: plies(decisive, first.saturating_sub(1), last) })
    }

    /// The scenes with their boards, as far as these can be drawn.
    pub(super) fn show(&self, boards: &[Option<Picture>; 3]) -> Markup {
        html! {
            section.highlight {
                h2 { (t!("highlight-title")) }
                p { (coded(&self.sentence)) }
                ul { @for (at, board) in self.plies.iter().zip(boards) { li { a href={ "#ply=" (at) } {
                    @if let Some(board) = board { (board.svg(None)) }
                    span.faint { (t!("highlight-after", number = self.opening + at)) }
                } } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_winner_takes_the_lead_for_good_at_the_decisive_move() {
        let points = [(1, 0.0), (2, 0.9), (3, -0.4), (4, 0.05), (5, 0.6), (6, 1.0)];
        assert_eq!((decisive(&points, 0), decisive(&points, 1)), (Some(5), None));
        assert_eq!(decisive(&[(1, 0.5), (2, 0.7)], 0), None, "ahead from the beginning");
        assert_eq!(decisive(&[], 0), None);
    }

    #[test]
    fn an_analysis_is_believed_before_the_players() {
        let point = |ply, value, wins| CurvePoint { ply, value, wins, text: agon_message::Stated::default() };
        let steps = [json!({ "ply": 1, "eval": { "share": 0.3 } }), json!({ "ply": 2 })];
        assert_eq!(leads(&[], &steps), [(1, 0.3)]);
        let curve = [point(2, None, Some(1)), point(1, Some(0.2), None), point(3, Some(-4.0), None)];
        assert_eq!(leads(&curve, &steps), [(1, 0.0), (2, -1.0), (3, -1.0)], "in order, small values are none");
    }

    #[test]
    fn three_positions_are_of_the_game() {
        assert_eq!(plies(Some(20), 3, 50), [19, 20, 50]);
        assert_eq!(plies(None, 3, 63), [23, 43, 63]);
        assert_eq!(plies(Some(50), 0, 50), [16, 33, 50], "decided by the last move: that position is the end");
    }
}
