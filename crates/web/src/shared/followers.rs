//! The followers of each shared game. A change is written once for all of them.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_boards::limits::LimitedActor;
use agon_boards::text::within;
use agon_message::Locale;
use agon_site::store::SharedGame;
use axum::body::Bytes;
use tokio::sync::watch;

use super::acts::due_ms;
use super::state::state;

/// The new state of a game.
#[derive(Debug)]
pub(crate) struct SharedNews {
    pub version: i64,
    /// As an event, in the order of [`Locale::ALL`].
    texts: [Bytes; 2],
    /// When the side to move runs out of time.
    pub due_ms: Option<i64>,
    /// Whether nothing more will happen in it.
    pub last: bool,
}

impl SharedNews {
    /// A game as it is at this moment.
    pub(crate) fn new(game: &SharedGame, now_ms: i64) -> Self {
        let texts = Locale::ALL.map(|locale| {
            let data = within(locale, || serde_json::json!(state(game, now_ms)));
            format!("event: state\nid: {}\ndata: {data}\n\n", game.version).into()
        });
        Self { version: game.version, texts, due_ms: due_ms(game), last: game.next.is_some() }
    }

    /// The event in a language.
    pub(crate) fn text(&self, locale: Locale) -> &Bytes {
        &self.texts[locale as usize]
    }
}

type Latest = Option<Arc<SharedNews>>;

/// The games that are followed, and who has opened games.
#[derive(Default)]
pub(crate) struct SharedGames {
    followed: Mutex<HashMap<String, watch::Sender<Latest>>>,
    openers: RandomState,
}

impl SharedGames {
    fn all(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Latest>>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number for an opener that does not identify it.
    pub(crate) fn opener(&self, actor: LimitedActor) -> i64 {
        self.openers.hash_one(actor) as i64
    }

    /// Follows a game: from now on every change is sent.
    pub(crate) fn follow(self: &Arc<Self>, id: &str) -> SharedFollower {
        let news = self.all().entry(id.to_owned()).or_insert_with(|| watch::Sender::new(None)).subscribe();
        SharedFollower { games: Arc::clone(self), id: id.to_owned(), news }
    }

    /// Publishes the state of a game.
    pub(crate) fn publish(&self, game: &SharedGame, now_ms: i64) {
        if let Some(sender) = self.all().get(&game.id) {
            let news = SharedNews::new(game, now_ms);
            // Two consecutive changes may arrive here in reverse order.
            sender.send_if_modified(|known| {
                let newer = known.as_ref().is_none_or(|known| known.version < news.version);
                if newer {
                    *known = Some(Arc::new(news));
                }
                newer
            });
        }
    }

    /// How many games are followed.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.all().len()
    }
}

/// A follower of a game.
pub(crate) struct SharedFollower {
    games: Arc<SharedGames>,
    id: String,
    news: watch::Receiver<Latest>,
}

impl SharedFollower {
    /// The game's state since this was last called. Nothing is lost if the answer is dropped.
    pub(crate) async fn next(&mut self) -> Option<Arc<SharedNews>> {
        self.news.changed().await.ok()?;
        self.news.borrow_and_update().clone()
    }
}

impl Drop for SharedFollower {
    fn drop(&mut self) {
        let mut all = self.games.all();
        // This one is still counted.
        if all.get(&self.id).is_some_and(|news| news.receiver_count() <= 1) {
            all.remove(&self.id);
        }
    }
}
