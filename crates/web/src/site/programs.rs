//! What authors do with their programs, and invitations.

use std::sync::Arc;

use agon_site::clock::now;
use agon_site::store::{Competition, SiteStore};
use agon_site::{accounts, programs, secret};

use super::{Site, SiteResult};
use crate::visitor::Visitor;

impl Site {
    /// Makes another version of an own program the active one.
    pub(crate) async fn activate(self: &Arc<Self>, visitor: &Visitor, program: i64, number: u32) -> SiteResult<()> {
        let who = visitor.who.clone();
        self.change(move |store| programs::set_active(store, &who, program, number)).await?;
        self.queue.announce_change();
        Ok(())
    }

    /// Withdraws an own program, or lets it return.
    pub(crate) async fn set_withdrawn(self: &Arc<Self>, visitor: &Visitor, program: i64, on: bool) -> SiteResult<()> {
        let (who, origin, most) = (visitor.who.clone(), visitor.origin(), self.options.submissions.programs);
        self.change(move |store| programs::set_withdrawn(store, &who, program, on, most, &origin)).await?;
        self.queue.announce_change();
        Ok(())
    }

    /// Gives an own program another name.
    pub(crate) async fn rename_program(self: &Arc<Self>, visitor: &Visitor, id: i64, name: String) -> SiteResult<()> {
        let (who, origin) = (visitor.who.clone(), visitor.origin());
        self.change(move |store| programs::rename(store, &who, id, &name, &origin)).await?;
        self.queue.announce_change();
        Ok(())
    }

    /// Deletes an own program that has not played.
    pub(crate) async fn delete_program(self: &Arc<Self>, visitor: &Visitor, id: i64) -> SiteResult<()> {
        let (who, origin) = (visitor.who.clone(), visitor.origin());
        self.change(move |store| programs::delete(store, &who, id, &origin)).await?;
        self.queue.announce_change();
        Ok(())
    }

    /// Lets everyone play against one of the user's programs on a board, or only its author.
    pub(crate) async fn set_by_hand(self: &Arc<Self>, visitor: &Visitor, program: i64, open: bool) -> SiteResult<()> {
        let who = visitor.who.clone();
        self.change(move |store| programs::set_by_hand(store, &who, program, open)).await
    }

    /// Queues games between two programs for an author.
    pub(crate) async fn ask_for_games(
        self: &Arc<Self>,
        visitor: &Visitor,
        account: i64,
        both: [i64; 2],
        games: u32,
    ) -> SiteResult<()> {
        let (who, daily) = (visitor.who.clone(), self.options.asked_daily);
        self.change(move |store| programs::ask_for(store, &who, account, both, games, daily)).await?;
        self.queue.announce_change();
        Ok(())
    }

    /// Makes an invitation, and returns its link, which the store does not keep.
    pub(crate) async fn invite(
        self: &Arc<Self>,
        note: String,
        uses: u32,
        host: bool,
        competition: Option<i64>,
        visitor: &Visitor,
    ) -> SiteResult<String> {
        let origin = visitor.origin();
        let make =
            move |store: &mut SiteStore| accounts::make_invitation(store, &note, uses, host, competition, &origin);
        let word = self.change(make).await?;
        Ok(self.options.address_from(visitor.host.as_deref(), &format!("/join/{word}")))
    }

    /// Admits an account to the competition of an invitation; `None` if there is no such invitation to one.
    pub(crate) async fn enter_competition(
        self: &Arc<Self>,
        account: i64,
        word: &str,
    ) -> SiteResult<Option<Competition>> {
        let digest = secret::digest(word);
        let entered = self.write(move |store| store.enter_by_invitation(&digest, account, now())).await?;
        Ok(entered.and_then(|id| self.competition(id)))
    }
}
