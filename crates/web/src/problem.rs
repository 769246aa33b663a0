//! The kinds of problems in answers to programs (RFC 9457): each has an address, and the page `/api` explains it.

use agon_message::Message;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a request has failed, as problem details (RFC 9457).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Problem)]
pub struct ApiProblem {
    /// The kind: a reference to its description on the page `/api`.
    #[serde(rename = "type")]
    #[schema(example = "/api#not-found")]
    pub kind: String,
    /// The kind in a few words.
    pub title: String,
    /// The status of the answer.
    pub status: u16,
    /// What is wrong here, for people.
    pub detail: String,
    /// The name of this reason, which stays when its text is reworded. Sites up to 0.3.0 send none.
    #[serde(default)]
    #[schema(example = "draft-error-source-empty", required)]
    pub code: String,
    /// The wrong field, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub field: Option<String>,
}

/// A kind of problem.
#[derive(Debug)]
pub struct ProblemKind {
    /// Its name in addresses.
    pub slug: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The status of answers.
    pub status: StatusCode,
    /// What it means, and what to do.
    pub meaning: &'static str,
}

impl ProblemKind {
    /// The problem with its details in one case.
    pub fn problem(&self, reason: &dyn Message, field: Option<String>) -> ApiProblem {
        ApiProblem {
            kind: format!("/api#{}", self.slug),
            title: self.title.to_owned(),
            status: self.status.as_u16(),
            detail: reason.to_string(),
            code: reason.key().to_owned(),
            field,
        }
    }
}

macro_rules! kinds {
    ($($name:ident $status:ident $slug:literal $title:literal $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: &ProblemKind =
                &ProblemKind { slug: $slug, title: $title, status: StatusCode::$status, meaning: $meaning };
        )*
        /// All kinds of problems.
        pub const ALL: &[&ProblemKind] = &[$($name),*];
    };
}

kinds! {
    BAD_REQUEST BAD_REQUEST "bad-request" "Bad request"
        "The request cannot be read: JSON that is none, or a query with a number that is none.";
    NOT_SIGNED_IN UNAUTHORIZED "not-signed-in" "Not signed in"
        "This needs an account: send a token as `Authorization: Bearer TOKEN`.";
    UNKNOWN_TOKEN UNAUTHORIZED "unknown-token" "Unknown token"
        "The token was revoked, has expired, belongs to an account that is frozen, or was not copied whole.";
    NOT_ALLOWED FORBIDDEN "not-allowed" "Not allowed"
        "This account may not do that, or a token may not.";
    MISSING_SCOPE FORBIDDEN "missing-scope" "Missing scope"
        "The token was made for less. Make one with the scope that is named.";
    NOT_FOUND NOT_FOUND "not-found" "Not found"
        "There is nothing of that kind with that number or name, or it is another's and not shown to this account.";
    GONE GONE "gone" "No longer kept"
        "It was there, and is not kept any more.";
    WRONG_METHOD METHOD_NOT_ALLOWED "wrong-method" "Wrong method"
        "The address is right and the method is not; the header `Allow` names those that are.";
    TIMEOUT REQUEST_TIMEOUT "timeout" "Timeout"
        "The request took too long to arrive or to be answered.";
    CONFLICT CONFLICT "conflict" "Conflict"
        "The request is right and conflicts with what there is: a quota is used up, or the same source already plays.";
    TOO_LARGE PAYLOAD_TOO_LARGE "too-large" "Too large"
        "The request, or one field of it, is larger than is taken.";
    WRONG_MEDIA_TYPE UNSUPPORTED_MEDIA_TYPE "wrong-media-type" "Wrong media type"
        "The body must be JSON, and its `Content-Type` must say so: `application/json`.";
    INVALID_FIELD UNPROCESSABLE_ENTITY "invalid" "Invalid"
        "The request can be read and its content is wrong; `field` names the field where it is one.";
    TOO_MANY_REQUESTS TOO_MANY_REQUESTS "too-many-requests" "Too many requests"
        "The allowance is used up. The header `Retry-After` says in how many seconds there is one more.";
    INTERNAL INTERNAL_SERVER_ERROR "internal" "Internal error"
        "A fault of the site. The host finds it in the log by the number in the answer.";
    UNAVAILABLE SERVICE_UNAVAILABLE "unavailable" "Not available"
        "No changes are taken for now, or there is no room for more. `Retry-After` says when to try again, if known.";
}

/// The kind for a status.
pub fn of_status(status: StatusCode) -> &'static ProblemKind {
    ALL.iter().find(|kind| kind.status == status).copied().unwrap_or(BAD_REQUEST)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_kind_has_its_own_address() {
        assert_eq!(ALL.iter().map(|kind| kind.slug).collect::<HashSet<_>>().len(), ALL.len());
        assert!(ALL.iter().all(|kind| kind.status.is_client_error() || kind.status.is_server_error()));
        assert_eq!(of_status(StatusCode::NOT_FOUND).slug, "not-found");
        assert_eq!(of_status(StatusCode::IM_A_TEAPOT).slug, "bad-request", "what is not known");
    }
}
