//! The curves being computed: each once, however many ask for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_search::Stop;
use tokio::sync::watch;

use super::curve::CurvePoint;
use super::error::QuestionError;
use super::service::{EngineService, SearchPriority, SearchTicket, Searcher};

/// What is known about a curve.
#[derive(Clone, Debug, Default)]
pub struct CurveProgress {
    /// Its points, in the order in which they were found.
    pub points: Vec<CurvePoint>,
    pub over: bool,
}

/// The running computations by the numbers of their games. They continue, whoever leaves, as long as their ticket is
/// held here: the results are kept for later visitors.
#[derive(Default)]
pub struct Curves(Mutex<HashMap<i64, (watch::Receiver<CurveProgress>, SearchTicket)>>);

impl Curves {
    fn running(&self) -> MutexGuard<'_, HashMap<i64, (watch::Receiver<CurveProgress>, SearchTicket)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows the computation of a game's curve, and begins it unless it runs: `compute` passes on the points, and
    /// returns whether these are all; `keep` gets them then, before followers see the end.
    ///
    /// # Errors
    /// [`QuestionError`] when there is no room for another search.
    pub fn follow(
        self: &Arc<Self>,
        game: i64,
        service: &Arc<EngineService>,
        searcher: Searcher,
        compute: impl FnOnce(&Stop, &mut dyn FnMut(CurvePoint)) -> bool + Send + 'static,
        keep: impl FnOnce(&[CurvePoint]) + Send + 'static,
    ) -> Result<watch::Receiver<CurveProgress>, QuestionError> {
        let mut running = self.running();
        if let Some((progress, _)) = running.get(&game) {
            return Ok(progress.clone());
        }
        let (sender, progress) = watch::channel(CurveProgress::default());
        let curves = Arc::clone(self);
        let ticket = service.begin(searcher, SearchPriority::Background, move |stop, _| {
            let mut found = |point| sender.send_modify(|progress| progress.points.push(point));
            if compute(&stop, &mut found) {
                let points = sender.borrow().points.clone();
                keep(&points);
                sender.send_modify(|progress| progress.over = true);
            }
            curves.running().remove(&game);
        })?;
        running.insert(game, (progress.clone(), ticket));
        Ok(progress)
    }
}
