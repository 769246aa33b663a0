//! What boards ask of a site.

use std::sync::Arc;

use agon_boards::analysis::{Curves, EngineService};
use agon_boards::board::agents::BoardTable;

use crate::limits::{BY_HAND, BY_HAND_TURNS, Turns};

/// Engines and programs that visitors ask.
pub(crate) struct SiteBoards {
    /// Answers visitors' questions to the engines.
    pub engines: Arc<EngineService>,
    /// The programs that play against people, and the turns of those who ask them.
    pub by_hand: BoardTable,
    pub asked_by_hand: Turns,
    /// The evaluations of games that are being computed.
    pub curves: Arc<Curves>,
}

impl SiteBoards {
    /// With as many searches at once as the pages have processors.
    pub(super) fn new(processors: usize) -> Self {
        Self {
            engines: Arc::new(EngineService::new(processors)),
            by_hand: BoardTable::new(BY_HAND),
            asked_by_hand: Turns::new(BY_HAND_TURNS),
            curves: Arc::default(),
        }
    }
}
