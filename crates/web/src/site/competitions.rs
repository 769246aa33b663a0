//! What hosts do with competitions, their finals and the games of a site.

use std::sync::Arc;

use agon_boards::text::read_time;
use agon_catalog::Game;
use agon_queue::PAUSED;
use agon_site::builtins::builtins;
use agon_site::clock::now;
use agon_site::competition::CompetitionError;
use agon_site::error::FieldError;
use agon_site::finals::{self, FinalForm};
use agon_site::own_games::{is_ladder, open_ladders};
use agon_site::store::{Competition, CompetitionPhase, SiteStore};

use super::{Site, SiteResult};
use crate::error::SiteError;
use crate::own_rules::keep_versions;

impl Site {
    /// Makes or changes a competition that was checked, and returns its number.
    ///
    /// # Errors
    /// [`SiteError::Field`] when it was wrong or another one has its address; [`SiteError::Internal`] when the store
    /// fails.
    pub(crate) async fn put_competition(self: &Arc<Self>, checked: Result<Competition, FieldError>) -> SiteResult<i64> {
        let competition = checked?;
        let put = self.write(move |store| {
            let Some(id) = store.put_competition(&competition)? else { return Ok(None) };
            store.enter_builtins(id, &builtins(&competition), now())?;
            Ok(Some(id))
        });
        let id = put.await?;
        self.read_competitions().await?;
        Ok(id.ok_or_else(|| FieldError::new("slug", CompetitionError::SlugTaken))?)
    }

    /// Makes rules that were uploaded a game of the site, and opens its ladder. Returns the ladder's address.
    ///
    /// # Errors
    /// [`SiteError::Internal`] when the rules cannot be loaded or kept, or the store fails.
    pub(crate) async fn open_game(self: &Arc<Self>, file: &str) -> SiteResult<String> {
        let rules = self.options.rules_folder();
        let path = rules.join(file);
        let loaded = self.rooms.boards.dishes.run(move |_| {
            let game = agon_external::load(&path).map_err(|error| error.to_string())?;
            keep_versions(&rules).map_err(|error| error.to_string())?;
            Ok::<Game, String>(game)
        });
        let game = loaded.await?.map_err(SiteError::internal)?;
        self.write(move |store| open_ladders(store, now())).await?;
        self.read_competitions().await?;
        self.queue.announce_change();
        let ladder = self.competitions().iter().find(|one| one.game == game && is_ladder(one)).cloned();
        Ok(ladder.ok_or(SiteError::NotFound)?.slug)
    }

    /// Closes a competition now, if it is open.
    pub(crate) async fn close_competition(self: &Arc<Self>, competition: Competition) -> SiteResult<()> {
        if competition.phase(now()) == CompetitionPhase::Running {
            self.put_competition(Ok(Competition { closes: Some(now()), ..competition })).await?;
        }
        Ok(())
    }

    /// Reopens a closed competition; it has no end until its host sets one.
    pub(crate) async fn reopen_competition(self: &Arc<Self>, competition: Competition) -> SiteResult<()> {
        if competition.phase(now()) == CompetitionPhase::Closed {
            self.put_competition(Ok(Competition { closes: None, ..competition })).await?;
        }
        Ok(())
    }

    /// Pauses the ladder of a competition, or resumes it; checks, requested games and finals are played in any case.
    pub(crate) async fn set_paused(self: &Arc<Self>, competition: i64, paused: bool) -> SiteResult<()> {
        let all = self.queue.competitions.set_paused(competition, paused);
        let all = all.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        self.write(move |store| store.set_setting(PAUSED, &all)).await?;
        self.queue.announce_change();
        Ok(())
    }

    /// Deletes a competition that no program of a user has entered.
    ///
    /// # Errors
    /// [`SiteError::Forbidden`] of any other; [`SiteError::Internal`] when the store fails.
    pub(crate) async fn delete_competition(self: &Arc<Self>, competition: &Competition) -> SiteResult<()> {
        if competition.game.name().split('@').next() == Some(competition.slug.as_str()) {
            return Err(SiteError::Forbidden(Arc::new(CompetitionError::IsTheGames)));
        }
        let id = competition.id;
        let deleted = self.write(move |store| store.delete_competition(id)).await?;
        self.read_competitions().await?;
        if !deleted {
            return Err(SiteError::Forbidden(Arc::new(CompetitionError::HasPrograms)));
        }
        Ok(())
    }

    /// Begins a final between the best programs of a competition at present, and returns its number; `None` for one
    /// that begins later, between the best programs at that time.
    pub(crate) async fn begin_final(
        self: &Arc<Self>,
        competition: Competition,
        form: FinalForm,
    ) -> SiteResult<Option<i64>> {
        let limits = self.options.limits;
        if form.begins.is_empty() {
            let id = self.change(move |store| finals::begin(store, &competition, &form, limits)).await?;
            self.queue.announce_change();
            return Ok(Some(id));
        }
        let begins = read_time(&form.begins).unwrap_or_default();
        self.change(move |store| finals::put_off(store, &competition, &form, limits, begins)).await?;
        self.queue.note_change();
        Ok(None)
    }

    async fn read_competitions(self: &Arc<Self>) -> SiteResult<()> {
        let site = Arc::clone(self);
        // Through the writer, so that the last value read is the one that is kept.
        let job = move |store: &mut SiteStore| {
            let competitions = store.competitions()?;
            site.queue.competitions.set(competitions);
            Ok(())
        };
        self.write(job).await?;
        self.queue.announce_change();
        Ok(())
    }
}
