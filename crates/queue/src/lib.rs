//! What a site plays: checks of new versions, games of ladders, requested games and finals, here or through its fleet,
//! without HTTP.
//!
//! A [`SiteQueue`] is the shared state, and [`play::start`] starts the threads that take from it what comes next. Pages
//! follow [`live`] games and [`checks`], and read [`waiting`], [`progress`] and [`ratings`].

pub mod bundle;
pub mod checks;
pub mod competitions;
pub mod fleet;
pub mod live;
mod options;
pub mod play;
pub mod processors;
pub mod progress;
pub mod ratings;
mod shares;
mod signals;
mod site_queue;
pub mod storage;
pub mod trials;
pub mod waiting;

pub use options::{FleetOptions, QueueOptions};
pub use signals::Signals;
pub use site_queue::{OnEnd, PAUSED, READ_ONLY, SiteQueue};
