//! A router that knows its own paths, so that a test can check for each that its rights have been considered.

use std::sync::Arc;

use axum::Router;
use axum::routing::MethodRouter;

use crate::site::Site;

#[derive(Default)]
pub(crate) struct Routes {
    router: Router<Arc<Site>>,
    paths: Vec<&'static str>,
}

impl Routes {
    /// The same with one more.
    pub(crate) fn route(mut self, path: &'static str, methods: MethodRouter<Arc<Site>>) -> Self {
        self.paths.push(path);
        Self { router: self.router.route(path, methods), ..self }
    }

    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.paths.extend(other.paths);
        Self { router: self.router.merge(other.router), ..self }
    }

    /// The same behind a layer before each of them.
    pub(crate) fn with(self, layer: impl FnOnce(Router<Arc<Site>>) -> Router<Arc<Site>>) -> Self {
        Self { router: layer(self.router), ..self }
    }

    /// The router, and the paths.
    pub(crate) fn into_parts(self) -> (Router<Arc<Site>>, Vec<&'static str>) {
        (self.router, self.paths)
    }
}
