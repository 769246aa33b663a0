//! Any two-player position as a contest.

use crate::{Change, Contest, Ending, Mark, MoveError, Score, Show, Side, View};

/// Turns any position that can [`Show`] itself into a [`Contest`], and remembers what the last move changed so that
/// it can be drawn.
#[derive(Clone, Debug)]
pub struct Alternating<P> {
    position: P,
    changes: Vec<Change>,
    spoken: Option<String>,
}

impl<P: Show> Alternating<P> {
    /// A contest that goes on from `position`.
    pub const fn new(position: P) -> Self {
        Self { position, changes: Vec::new(), spoken: None }
    }
}

impl<P: Show + 'static> Contest for Alternating<P> {
    fn seats(&self) -> [&'static str; 2] {
        P::SEATS
    }

    fn preamble(&self) -> String {
        self.position.preamble()
    }

    fn turn(&self) -> Option<Side> {
        self.position.outcome().is_none().then(|| self.position.turn())
    }

    fn answer(&mut self, arguments: &str) -> Result<String, MoveError> {
        let m = self.position.read_move(arguments)?;
        self.changes.clear();
        self.spoken = P::spoken(m);
        self.position.play(m, &mut self.changes);
        Ok(m.to_string())
    }

    fn spoken(&self) -> Option<String> {
        self.spoken.clone()
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.position.outcome()?;
        Some(Ending { outcome, reason: self.position.end_reason().unwrap_or_default() })
    }

    fn score(&self) -> Option<[Score; 2]> {
        self.position.score()
    }

    fn ply(&self) -> u32 {
        self.position.ply()
    }

    fn position(&self) -> String {
        self.position.to_string()
    }

    fn view(&self) -> View {
        let mut view = self.position.view();
        for change in &self.changes {
            view.cells[change.cell].mark = Some(match (change.before, change.after) {
                (None, _) => Mark::Placed,
                (Some(_), None) => Mark::Vacated,
                (Some(_), Some(_)) => Mark::Captured,
            });
        }
        view
    }

    fn boxed_clone(&self) -> Box<dyn Contest> {
        Box::new(self.clone())
    }
}
