//! What authors do with a program of theirs: rename, withdraw and delete it.

use std::sync::Arc;

use agon_boards::text::t;
use agon_site::store::SiteProgram;
use agon_site::submission::MAX_NAME_CHARS;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::parts;
use crate::auth::SignedIn;
use crate::site::{Site, SiteResult};

/// The forms; one that has played can only be withdrawn.
pub(super) fn forms(program: &SiteProgram, deletable: bool) -> Markup {
    let address = format!("/program/{}", program.id);
    html! {
        h2 id="manage" { (t!("program-manage")) }
        form.row method="post" action={ (address) "/rename" } {
            label {
                (t!("program-name")) " "
                input name="name" required maxlength=(MAX_NAME_CHARS) value=(program.name) autocomplete="off";
            }
            button { (t!("program-rename")) }
            span.faint { (t!("program-rename-hint")) }
        }
        div.row {
            @if program.withdrawn {
                form.row method="post" action={ (address) "/return" } {
                    button { (t!("program-return")) }
                    span.faint { (t!("program-return-hint")) }
                }
            } @else {
                (parts::confirmed(
                    &t!("program-withdraw"),
                    &t!("program-withdraw-sure"),
                    &html! {
                        form method="post" action={ (address) "/withdraw" } {
                            button.danger { (t!("program-withdraw")) }
                        }
                    },
                ))
            }
        }
        @if deletable {
            section.danger-zone aria-label=(t!("program-delete")) {
                (parts::confirmed(
                    &t!("program-delete"),
                    &t!("program-delete-sure", name = &program.name),
                    &html! {
                        form method="post" action={ (address) "/delete" } {
                            button.danger { (t!("program-delete")) }
                        }
                    },
                ))
            }
        } @else {
            p.faint { (t!("program-delete-not")) }
        }
    }
}

/// What has just been done, for the page of the program.
pub(super) fn done(saved: &str) -> Option<String> {
    Some(match saved {
        "withdrawn" => t!("program-withdrawn-done"),
        "returned" => t!("program-returned-done"),
        "renamed" => t!("program-renamed-done"),
        _ => return None,
    })
}

fn back(id: i64, saved: &str) -> Response {
    Redirect::to(&format!("/program/{id}?saved={saved}")).into_response()
}

pub(crate) async fn withdraw(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    site.set_withdrawn(&member.visitor, id, true).await?;
    Ok(back(id, "withdrawn"))
}

/// Lets a withdrawn program play again.
pub(crate) async fn restore(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    site.set_withdrawn(&member.visitor, id, false).await?;
    Ok(back(id, "returned"))
}

#[derive(Deserialize)]
pub(crate) struct RenameForm {
    name: String,
}

pub(crate) async fn rename(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
    Form(form): Form<RenameForm>,
) -> SiteResult<Response> {
    site.rename_program(&member.visitor, id, form.name).await?;
    Ok(back(id, "renamed"))
}

pub(crate) async fn delete(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    site.delete_program(&member.visitor, id).await?;
    Ok(Redirect::to("/me?saved=program-deleted").into_response())
}
