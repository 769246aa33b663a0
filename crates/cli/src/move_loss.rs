//! The loss of a move, in words.

use agon_analysis::judge::Judgement;
use agon_arena::losses::{LossKind, MoveLoss};
use agon_game::Side;
use agon_search::SearchLimits;

use crate::show;

/// Returns the value of a position for a side: `+1.25`, `wins in 7`, `loses`, `wins by 2.5`.
pub(crate) fn worth(judgement: &Judgement, side: Side) -> String {
    let verb = |winner: Side| if winner == side { "wins" } else { "loses" };
    match (judgement.wins, judgement.plies, judgement.value_for(side)) {
        (Some(winner), Some(plies @ 1..), None) => format!("{} in {plies}", verb(winner)),
        (Some(winner), _, Some(value)) => format!("{} by {}", verb(winner), value.abs()),
        (Some(winner), _, None) => verb(winner).to_owned(),
        (None, _, Some(_)) if judgement.proved => "a draw".to_owned(),
        (None, _, value) => show::signed(value.unwrap_or(0.0), 2),
    }
}

/// `lost a won position: wins in 7, then −2.85`
pub(crate) fn loss_text(loss: &MoveLoss) -> String {
    let (before, after) = (worth(&loss.before, loss.side), worth(&loss.after, loss.side));
    let kind = match (loss.kind(), loss.loss) {
        (Some(LossKind::Lead), Some(lost)) => format!("lost {}", (lost * 100.0).round() / 100.0),
        (kind, _) => kind.map_or("lost nothing", LossKind::name).to_owned(),
    };
    format!("{kind}: {before}, then {after}")
}

/// Returns the text that replaces a better move: a solver knows one only if it has proved the position. Otherwise the
/// loss is the difference of estimates.
pub(crate) fn none_better(limits: SearchLimits) -> String {
    const MORE: u32 = 10;
    let more = match (limits.time, limits.nodes) {
        (Some(time), _) => format!("--time {}s", (time * MORE).as_secs().max(1)),
        (None, nodes) => format!("--nodes {}", nodes.unwrap_or_default().saturating_mul(MORE.into())),
    };
    format!("not known, and the loss is an estimate: the position is not proved in these limits; {more} proves more")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_position_has_its_worth_in_words() {
        let check = |judgement: Judgement, wanted: &str| assert_eq!(worth(&judgement, Side::Second), wanted);
        let known = Judgement::default;
        check(Judgement { value: Some(1.254), ..known() }, "−1.25");
        check(Judgement { wins: Some(Side::Second), plies: Some(7), ..known() }, "wins in 7");
        check(Judgement { wins: Some(Side::First), plies: Some(0), ..known() }, "loses");
        check(Judgement { value: Some(2.5), wins: Some(Side::First), proved: true, ..known() }, "loses by 2.5");
        check(Judgement { value: Some(0.0), proved: true, ..known() }, "a draw");
    }

    #[test]
    fn ten_times_the_limits_are_offered() {
        assert!(none_better(SearchLimits::nodes(20_000)).ends_with("; --nodes 200000 proves more"));
        assert!(none_better(SearchLimits::time(Duration::from_millis(500))).ends_with("; --time 5s proves more"));
    }
}
