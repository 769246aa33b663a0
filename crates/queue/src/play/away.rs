//! A game that a fleet plays: handed out, shown while it is played, and taken back.

use std::sync::Arc;

use agon_arena::transcript;
use agon_fleet::{FleetGame, FleetPlayer, GameNews, GameQueue, Receipt};
use agon_game::{GameState, Side};
use agon_message::Stated;
use agon_referee::bout::{Played, Spectator as _};
use agon_referee::process::Moment;
use agon_referee::record::Record;

use super::terms::{BoutTerms, PlayError};
use crate::live::LiveShow;
use crate::site_queue::SiteQueue;

/// Has the game with this number played; `started` is called when a machine has begun it.
///
/// # Errors
/// [`PlayError`] when there is no result.
pub(super) fn play(
    site: &Arc<SiteQueue>,
    queue: &GameQueue,
    id: i64,
    terms: &BoutTerms,
    players: [&FleetPlayer; 2],
    check: bool,
    started: &mut dyn FnMut(),
) -> Result<(Record, Receipt), PlayError> {
    let number = u32::try_from(id).map_err(|_| PlayError::Interrupted("its number is too large".to_owned()))?;
    let game = FleetGame {
        id: number,
        game: terms.game,
        setup: terms.setup.clone(),
        limits: terms.limits,
        players: players.map(Clone::clone),
        check,
    };
    let mut audience = Audience { site, id, terms, names: players.map(|player| player.label().to_owned()), game: None };
    audience.begin();
    let mut hear = |news: GameNews| {
        if matches!(news, GameNews::Started { .. }) {
            started();
        }
        audience.hear(news);
    };
    Ok(queue.play(&game, &mut hear, &|| site.is_stopping())?)
}

/// Shows a game to its watchers, from the news of its worker.
struct Audience<'a> {
    site: &'a Arc<SiteQueue>,
    id: i64,
    terms: &'a BoutTerms,
    names: [String; 2],
    /// The current game, and what draws it; `None` if the news made no sense.
    game: Option<(LiveShow, Box<dyn GameState>, bool)>,
}

impl Audience<'_> {
    /// A game at its start.
    fn begin(&mut self) {
        let BoutTerms { game, setup, limits, .. } = self.terms;
        self.game = game.initial_state(setup).ok().map(|competition| {
            let facts = vec![Stated::from(&transcript::limits(limits, competition.interaction()))];
            (self.site.live.begin(self.id, *game, self.names.clone(), facts), competition, false)
        });
    }

    fn hear(&mut self, news: GameNews) {
        match news {
            GameNews::Started { clocks } => {
                if self.game.as_ref().is_none_or(|(.., begun)| *begun) {
                    // Another machine plays it from the start: watchers start over.
                    self.site.live.end(self.id, None);
                    self.begin();
                }
                if let Some((show, competition, begun)) = &mut self.game {
                    show.started(competition.as_ref(), clocks);
                    *begun = true;
                }
            }
            GameNews::Moved { side, arguments, wall, clocks } => {
                let Some((show, competition, true)) = &mut self.game else { return };
                let side = Side::BOTH[side];
                if competition.turn() != Some(side) || competition.answer(&arguments).is_err() {
                    // The record is proved at the end; until then there is nothing to show.
                    self.game = None;
                    return;
                }
                let moment = Moment { wall, ..Moment::default() };
                let played = Played { side, arguments, moment, clocks, remark: None, evaluation: None, messages: None };
                show.moved(competition.as_ref(), &played);
            }
        }
    }
}
