//! The switch between the languages.

use std::sync::Arc;

use agon_boards::layout::{LanguageForm, came_from, own_path};
use agon_boards::text::language_cookie;
use agon_message::Locale;
use axum::Form;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};

use crate::error::{RequestError, SiteError};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Chooses a language, of this browser and of the account that has signed in, and leads back to the page.
pub(crate) async fn choose(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(form): Form<LanguageForm>,
) -> SiteResult<Response> {
    let Some(language) = Locale::parse(&form.language) else {
        return Err(SiteError::bad(RequestError::UnknownLocale));
    };
    if let Some(id) =
        visitor.account.as_ref().map(|account| account.id).filter(|_| !site.queue.maintenance.is_read_only())
    {
        site.write(move |store| store.set_language(id, language)).await?;
    }
    let cookie = language_cookie(language, site.options.is_secure());
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&back(&headers))).into_response())
}

/// The page with the form. If that page was the answer to another form, it has no address of its own to go back to, but
/// that form has.
fn back(headers: &HeaderMap) -> String {
    own_path(came_from(headers).unwrap_or("/")).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_stays_on_this_site() {
        let check = |referer: &str, wanted: &str| {
            let headers = HeaderMap::from_iter([(header::REFERER, referer.parse().unwrap())]);
            assert_eq!(back(&headers), wanted, "{referer}");
        };
        check("https://agon.example/ladder/renju?from=20", "/ladder/renju?from=20");
        check("https://agon.example", "/");
        check("https://agon.example//evil.example/", "/");
        check("nonsense", "/");
        assert_eq!(back(&HeaderMap::new()), "/");
    }
}
