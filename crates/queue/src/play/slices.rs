//! Games without a clock of their own rest between two actions, so that a game of many minutes holds up nothing.
//!
//! In a game per action each action has a time limit but the game has none: it may take an hour. After some seconds of
//! its actions, or of their CPU time if programs use several processors, its worker plays whatever comes first, and
//! then continues. Neither side loses anything by that: no clock runs between two actions.

use std::time::{Duration, Instant};

use agon_game::{GameState, Interaction};
use agon_referee::bout::{Played, Report, Spectator};
use agon_referee::process::Tap;
use agon_site::store::BoutKind;

/// Plays something else while a game rests.
pub(super) trait Pauses {
    /// Plays what comes before a game of this kind, if there is anything.
    fn pause(&self, kind: BoutKind);
}

/// A spectator of a game that rests again and again.
pub(super) struct Sliced<'a, S> {
    show: S,
    kind: BoutKind,
    pauses: Option<&'a dyn Pauses>,
    /// How long it runs at a time, and since when it has been running.
    slice: Duration,
    since: Instant,
    /// CPU time of its actions since then.
    cpu: Duration,
}

impl<'a, S: Spectator> Sliced<'a, S> {
    /// For a game that is played this way, running for this long each time. Only between actions does no clock run;
    /// other games do not rest.
    pub(super) fn new(
        show: S,
        kind: BoutKind,
        interaction: Interaction,
        slice: Duration,
        pauses: Option<&'a dyn Pauses>,
    ) -> Self {
        let pauses = pauses.filter(|_| interaction == Interaction::PerAction);
        Self { show, kind, pauses, slice, since: Instant::now(), cpu: Duration::ZERO }
    }
}

impl<S: Spectator> Spectator for Sliced<'_, S> {
    fn tap(&mut self) -> Option<Tap> {
        self.show.tap()
    }

    fn started(&mut self, state: &dyn GameState, clocks: [Duration; 2]) {
        self.show.started(state, clocks);
    }

    fn moved(&mut self, state: &dyn GameState, played: &Played) {
        self.show.moved(state, played);
        self.cpu += played.moment.cpu;
        if let Some(pauses) = self.pauses.filter(|_| self.since.elapsed().max(self.cpu) >= self.slice) {
            pauses.pause(self.kind);
            (self.since, self.cpu) = (Instant::now(), Duration::ZERO);
        }
    }

    fn ended(&mut self, report: &Report) {
        self.show.ended(report);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use agon_catalog::{Game, Setup};
    use agon_game::Side;
    use agon_referee::process::Moment;

    use super::*;

    #[derive(Default)]
    struct Asked(RefCell<Vec<BoutKind>>);

    impl Pauses for Asked {
        fn pause(&self, kind: BoutKind) {
            self.0.borrow_mut().push(kind);
        }
    }

    #[test]
    fn only_games_without_a_clock_rest_and_only_when_their_time_has_passed() {
        let check_with = |interaction, slice, cpu, wanted: usize| {
            let asked = Asked::default();
            let state = Game::PETRI.initial_state(&Setup::default()).unwrap();
            let mut show = Sliced::new((), BoutKind::Ladder, interaction, slice, Some(&asked));
            for _ in 0..3 {
                let played = Played {
                    side: Side::First,
                    arguments: String::new(),
                    moment: Moment { cpu, ..Moment::default() },
                    clocks: [Duration::ZERO; 2],
                    remark: None,
                    evaluation: None,
                    messages: None,
                };
                show.moved(state.as_ref(), &played);
            }
            assert_eq!(asked.0.into_inner(), vec![BoutKind::Ladder; wanted]);
        };
        let check = |interaction, slice, wanted| check_with(interaction, slice, Duration::ZERO, wanted);
        check(Interaction::PerAction, Duration::ZERO, 3);
        check(Interaction::PerAction, Duration::from_hours(1), 0);
        check(Interaction::Session, Duration::ZERO, 0);
        // Three actions of 20 minutes of CPU time within no time.
        let hour = Duration::from_hours(1);
        check_with(Interaction::PerAction, hour, hour / 3, 1);
        check_with(Interaction::PerAction, hour, hour, 3);
    }
}
