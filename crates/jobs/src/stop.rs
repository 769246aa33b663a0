//! The flag that ends a search or a job.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes a search or job wait whenever it checks its flag, so that several can take turns on one processor.
pub trait Pause: Send + Sync {
    /// Waits until the search may continue, or should end, as `is_raised` says.
    fn pause(&self, is_raised: &dyn Fn() -> bool);

    /// Wakes a waiting search that should end.
    fn wake(&self);
}

#[derive(Default)]
struct Flag {
    raised: AtomicBool,
    pause: Option<Box<dyn Pause>>,
}

/// A flag that asks a search or a job to end soon. Clones share it.
#[derive(Clone, Default)]
pub struct Stop(Arc<Flag>);

impl Stop {
    /// A flag that makes a search wait for its turn whenever it checks it.
    pub fn with_pause(pause: impl Pause + 'static) -> Self {
        Self(Arc::new(Flag { raised: AtomicBool::new(false), pause: Some(Box::new(pause)) }))
    }

    /// Requests the search or job to end.
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
        if let Some(pause) = &self.0.pause {
            pause.wake();
        }
    }

    /// Makes ready for the next search.
    pub fn lower(&self) {
        self.0.raised.store(false, Ordering::Relaxed);
    }

    /// Returns true if the search or job must end. May block until it is this caller's turn.
    pub fn is_raised(&self) -> bool {
        let raised = || self.0.raised.load(Ordering::Relaxed);
        if let Some(pause) = &self.0.pause
            && !raised()
        {
            pause.pause(&raised);
        }
        raised()
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.0.raised).finish()
    }
}
