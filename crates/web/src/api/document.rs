//! The document of `OpenAPI` around the routes: what holds for all of them.

use std::fmt::Write as _;

use agon_site::store::TokenScope;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::schema::Ref;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder, ResponseBuilder};
use utoipa::{PartialSchema, ToSchema};

use crate::problem::ApiProblem;
use crate::rate::LimitedAction;

/// Groups of routes, in the order of the page.
const TAGS: [(&str, &str); 10] = [
    ("site", "The site: its games, its limits, its queue."),
    ("ladder", "Ladders, and the search for programs."),
    ("programs", "Programs, their versions and their opponents."),
    ("games", "Games, recorded and running."),
    ("boards", "What boards ask: positions, moves, analysis."),
    ("submissions", "Submitting a program, and following its check."),
    ("finals", "Finals and their standings."),
    ("account", "The account that asks, and its tokens."),
    ("teams", "Teams, whose programs are their members': scope `team`."),
    ("host", "What the host of the site does: scope `host`, or a browser in which the host has signed in."),
];

fn description() -> String {
    let mut text = "What the pages of an arena show and do, as JSON, with these exceptions. \
        Signing up, signing in and changing the password are for browsers, since a password belongs in no script. \
        The boards convert files, run the petri dish and let two people play by requests of their own; \
        from a shell, use `agon convert`, `agon petri` and `agon play`.\n\n\
        What everybody may see needs no token. \
        For the rest send one, made on the page `/me`, as `Authorization: Bearer TOKEN`. \
        Its scopes say what a token allows:\n\n"
        .to_owned();
    for scope in TokenScope::ALL {
        let _ = writeln!(text, "- `{}`: {}", scope.name(), scope);
    }
    text += "\nThe cookie of a browser that has signed in does as well, \
        where the request says that it comes from a page of this site (`Origin` or `Sec-Fetch-Site`). \
        Making and revoking tokens needs it.\n\n\
        Errors are problem details (RFC 9457); the page `/api` explains their types. \
        Limits, each as a bucket that refills; beyond them the answer is 429 with `Retry-After`:\n\n";
    for action in LimitedAction::ALL {
        let (burst, every) = action.allowance();
        let per_minute = 60.0 / every.as_secs_f64();
        let _ = writeln!(text, "- {action}: {burst} at once, then {per_minute} a minute, by {}", action.whose());
    }
    text +=
        "\nTimes are seconds since 1970 (UTC). New fields may come into answers: ignore those that you do not know.";
    text
}

/// The part before the routes.
pub(super) fn head() -> OpenApi {
    let info =
        InfoBuilder::new().title("Agon").version(env!("CARGO_PKG_VERSION")).description(Some(description())).build();
    let token =
        Http::builder().scheme(HttpAuthScheme::Bearer).description(Some("A token, made on the page `/me`.")).build();
    let cookie = ApiKey::Cookie(ApiKeyValue::new(crate::auth::COOKIE));
    let tags = TAGS.map(|(name, words)| TagBuilder::new().name(name).description(Some(words)).build());
    OpenApiBuilder::new()
        .info(info)
        .tags(Some(tags))
        .components(Some(
            ComponentsBuilder::new()
                .security_scheme("token", SecurityScheme::Http(token))
                .security_scheme("cookie", SecurityScheme::ApiKey(cookie))
                .schema(ApiProblem::name(), ApiProblem::schema())
                .build(),
        ))
        .security(Some([SecurityRequirement::new("token", [""; 0]), SecurityRequirement::new("cookie", [""; 0])]))
        .build()
}

/// Adds possible failures to each route, and to each failure that it is a problem.
pub(super) fn complete(mut document: OpenApi) -> OpenApi {
    let problem = || ContentBuilder::new().schema(Some(Ref::from_schema_name(ApiProblem::name()))).build();
    let kind = "application/problem+json";
    for item in document.paths.paths.values_mut() {
        let all = [&mut item.get, &mut item.put, &mut item.post, &mut item.patch, &mut item.delete];
        for operation in all.into_iter().flatten() {
            for (status, response) in &mut operation.responses.responses {
                let utoipa::openapi::RefOr::T(response) = response else { continue };
                // The standard requires a description of every answer; a success has the route's.
                if response.description.is_empty() {
                    response.description = operation.summary.clone().unwrap_or_default();
                }
                if status.starts_with(['4', '5']) {
                    response.content.insert(kind.to_owned(), problem().into());
                }
            }
            let any = ResponseBuilder::new().description("A problem").content(kind, problem()).build();
            operation.responses.responses.insert("default".to_owned(), any.into());
        }
    }
    document
}
