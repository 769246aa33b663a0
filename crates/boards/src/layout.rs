//! What all pages have in common.

use agon_message::Locale;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use serde::Deserialize;

use crate::assets;
use crate::brand::wordmark;
use crate::headers::Embeddable;
use crate::limits::BUSY_RETRY;
use crate::text::{inline_json, locale, t, visible};

/// The colour of the header, for browsers that have a frame of their own.
const THEME: &str = "#171b21";

/// Where [`languages`] sends its choice.
pub const LANGUAGE: &str = "/language";

pub struct Page {
    /// The title in the browser, before the site's name.
    pub title: String,
    pub body: Markup,
    /// The module that it loads.
    pub script: Option<&'static str>,
    /// After how many seconds the page reloads without scripts.
    pub refresh: Option<u32>,
    /// Additions to the head of the document: what other sites show of it.
    pub head: Markup,
    pub status: StatusCode,
}

impl Page {
    /// A page without a script.
    pub fn new(title: impl Into<String>, body: Markup) -> Self {
        Self { title: title.into(), body, script: None, refresh: None, head: html! {}, status: StatusCode::OK }
    }

    /// The same with a module.
    pub fn with_script(self, script: &'static str) -> Self {
        Self { script: Some(script), ..self }
    }

    /// The same with more in its head.
    pub fn with_head(self, head: Markup) -> Self {
        Self { head, ..self }
    }

    /// The same with another status.
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// The whole document where there are no accounts: a page of `agon board`.
    pub(crate) fn show_alone(self) -> Response {
        let navigation = html! { nav aria-label=(t!("layout-site")) { a.brand href="/board" { (wordmark()) } } };
        self.show_under(&navigation, &html! {}, &html! { "Agon " (env!("CARGO_PKG_VERSION")) (languages()) })
    }

    /// The same as text, for a folder of files; `languages` links to the same page in other languages, `home` to the
    /// site that the folder belongs to.
    pub(crate) fn text_alone(self, home: Option<&str>, languages: &Markup) -> String {
        let navigation = html! {
            nav aria-label=(t!("layout-site")) {
                a.brand href=(home.unwrap_or("/board")) { (wordmark()) }
                @if home.is_some() { ul.ways { li { a href="/board" { (t!("layout-play")) } } } }
            }
        };
        let footer = html! { "Agon " (env!("CARGO_PKG_VERSION")) (languages) };
        visible(document(&self, false, &navigation, &html! {}, &footer).into_string())
    }

    /// Only the body, to be shown inside a page of another site.
    pub fn show_embedded(self) -> Response {
        let text = html! {
            (DOCTYPE)
            html lang=(locale().code()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) " – Agon" }
                    link rel="stylesheet" href=(assets::address("style.css"));
                    link rel="icon" type="image/svg+xml" href=(assets::address("icon.svg"));
                    @if let Some(script) = self.script { script type="module" src=(assets::address(script)) {} }
                }
                body.embedded { main id="main" { (self.body) } }
            }
        };
        let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
        let mut response = (self.status, headers, visible(text.into_string())).into_response();
        response.extensions_mut().insert(Embeddable);
        response
    }

    /// The document without links elsewhere, for a projector; `notice` is above its body.
    pub fn show_bare(self, notice: &Markup) -> Response {
        let text = visible(document(&self, true, &html! {}, notice, &html! {}).into_string());
        let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
        (self.status, headers, text).into_response()
    }

    /// The whole document with this navigation and this footer; `notice` is above its body.
    pub fn show_under(self, navigation: &Markup, notice: &Markup, footer: &Markup) -> Response {
        let text = visible(document(&self, false, navigation, notice, footer).into_string());
        let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
        let mut response = (self.status, headers, text).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, BUSY_RETRY.as_secs().into());
        }
        response
    }
}

/// The switch between the languages: a form, which works without scripts.
pub fn languages() -> Markup {
    html! {
        form.languages method="post" action=(LANGUAGE) aria-label=(t!("layout-language")) {
            @for language in Locale::ALL {
                button.quiet name="language" value=(language.code()) lang=(language.code())
                    aria-current=[(language == locale()).then_some("true")] { (language.name()) }
            }
        }
    }
}

/// The choice of [`languages`].
#[derive(Deserialize)]
pub struct LanguageForm {
    #[serde(default)]
    pub language: String,
}

/// The path of the page that a request came from.
pub fn came_from(headers: &HeaderMap) -> Option<&str> {
    let from = headers.get(header::REFERER)?.to_str().ok()?;
    let (_, rest) = from.split_once("://")?;
    rest.find('/').map(|at| &rest[at..])
}

/// A path of this site; `/` in place of one that leads elsewhere.
pub fn own_path(next: &str) -> &str {
    // Browsers drop tabs and line ends from an address, and take a backslash for a slash.
    let own = next.starts_with('/') && !next.starts_with("//") && !next.contains(|c: char| c == '\\' || c.is_control());
    if own { next } else { "/" }
}

fn document(page: &Page, is_bare: bool, navigation: &Markup, notice: &Markup, footer: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(locale().code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (page.title) " – Agon" }
                link rel="stylesheet" href=(assets::address("style.css"));
                link rel="icon" type="image/svg+xml" href=(assets::address("icon.svg"));
                script type="module" src=(assets::address("times.js")) {}
                script type="module" src=(assets::address("once.js")) {}
                @if let Some(script) = page.script { script type="module" src=(assets::address(script)) {} }
                meta name="theme-color" content=(THEME);
                (page.head)
                @if let Some(seconds) = page.refresh { noscript { meta http-equiv="refresh" content=(seconds); } }
            }
            body.site.bare[is_bare] {
                a.skip href="#main" { (t!("layout-skip")) }
                header.site-head { (navigation) }
                main id="main" { (notice) (page.body) }
                footer.site-foot.faint { (footer) }
            }
        }
    }
}

/// The mistake in a form, shown above it.
pub fn problem(text: Option<&str>) -> Markup {
    html! { @if let Some(text) = text { p.problem role="alert" { (sentence(text)) } } }
}

/// A message from below as a sentence with a capital letter and a full stop; its quotations become code.
pub fn sentence(text: &str) -> Markup {
    coded(&whole_sentence(text))
}

/// A text whose quotations in backticks become code.
pub fn coded(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // An unpaired backtick stays.
    if parts.len().is_multiple_of(2) {
        return html! { (text) };
    }
    html! { @for (at, part) in parts.iter().enumerate() { @if at % 2 == 1 { code { (part) } } @else { (part) } } }
}

fn whole_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let mut text: String = first.into_iter().chain(letters).collect();
    if text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '`' | ')' | '"')) {
        text.push('.');
    }
    text
}

/// A game for the viewer, inside the page; browsers do not run it.
pub fn data(game: &serde_json::Value) -> Markup {
    html! { script type="application/json" data-game="1" { (inline_json(game)) } }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_become_sentences() {
        for (text, wanted) in [
            ("no account has this name", "No account has this name."),
            ("unknown language: `x`", "Unknown language: `x`."),
            ("Sign in first.", "Sign in first."),
            ("이 이름의 계정이 없습니다", "이 이름의 계정이 없습니다."),
            ("", ""),
        ] {
            assert_eq!(whole_sentence(text), wanted);
        }
        assert_eq!(sentence("no language `x<`").into_string(), "No language <code>x&lt;</code>.");
        assert_eq!(sentence("a ` b").into_string(), "A ` b.");
    }

    #[test]
    fn data_cannot_leave_its_place() {
        let shown = data(&json!(["</script><b>", "&lt;"])).into_string();
        let wanted =
            "<script type=\"application/json\" data-game=\"1\">[\"\\u003c/script>\\u003cb>\",\"&lt;\"]</script>";
        assert_eq!(shown, wanted);
    }
}
