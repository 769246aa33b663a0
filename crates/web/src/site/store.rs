//! Requests at the store: each job on a thread of its room.

use std::sync::Arc;

use agon_arena::store::StoreError;
use agon_boards::limits::Boxed;
use agon_site::error::Refusal;
use agon_site::store::SiteStore;

use super::{Site, SiteResult};

/// A job that reads the store.
type ReadJob<T> = Box<dyn FnOnce(&SiteStore) -> Result<T, Refusal> + Send>;

/// A job that changes the store.
type WriteJob<T> = Box<dyn FnOnce(&mut SiteStore) -> Result<T, Refusal> + Send>;

impl Site {
    /// Reads from the store, on a thread that may wait for it.
    ///
    /// # Errors
    /// [`SiteError::Internal`] when the store fails.
    pub(crate) fn read<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&SiteStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Boxed<'static, SiteResult<T>> {
        self.consult(move |store| Ok(job(store)?))
    }

    /// The same for jobs that may be refused.
    ///
    /// # Errors
    /// The refusal; [`SiteError::Internal`] when the store fails.
    pub(crate) fn consult<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&SiteStore) -> Result<T, Refusal> + Send + 'static,
    ) -> Boxed<'static, SiteResult<T>> {
        Arc::clone(self).consult_boxed(Box::new(job))
    }

    /// The part that is compiled once for each type of answer, not for each job.
    fn consult_boxed<T: Send + 'static>(self: Arc<Self>, job: ReadJob<T>) -> Boxed<'static, SiteResult<T>> {
        Box::pin(async move {
            let site = Arc::clone(&self);
            let answer = self.rooms.reads.run(move |_| site.look(|store| Ok(job(store))));
            Ok(answer.await???)
        })
    }

    /// Changes the store, on a thread that may wait for it.
    ///
    /// # Errors
    /// [`SiteError::Internal`] when the store fails.
    pub(crate) fn write<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&mut SiteStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Boxed<'static, SiteResult<T>> {
        self.change(move |store| Ok(job(store)?))
    }

    /// The same for jobs that may be refused.
    ///
    /// # Errors
    /// The refusal; [`SiteError::Internal`] when the store fails.
    pub(crate) fn change<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&mut SiteStore) -> Result<T, Refusal> + Send + 'static,
    ) -> Boxed<'static, SiteResult<T>> {
        Arc::clone(self).change_boxed(Box::new(job))
    }

    /// The part that is compiled once for each type of answer, not for each job.
    fn change_boxed<T: Send + 'static>(self: Arc<Self>, job: WriteJob<T>) -> Boxed<'static, SiteResult<T>> {
        Box::pin(async move {
            let site = Arc::clone(&self);
            let answer = self.rooms.writes.run(move |_| job(&mut site.writer()));
            Ok(answer.await??)
        })
    }
}
