//! A site of competitions, without HTTP: its [`store`] and the operations on it.
//!
//! - [`identity`] and [`access`] decide who may see and do what; whatever is refused is a [`error::Refusal`].
//! - [`accounts`], [`teams`], [`submission`], [`programs`], [`competition`], [`finals`]: one function for each use of
//!   the site, which checks and changes the store.
//! - [`messages`] are from the host to accounts, [`news`] are of the programs that someone follows.
//! - [`totp`] are the codes of an app that a host may be asked for.
//! - [`romanization`] makes addresses of titles in Hangul, [`names`] checks what everybody sees.
//! - [`builtins`] enters the built-in agents into a ladder, [`ladder`] rates all programs of a competition together,
//!   [`feats`] finds what stood out in its last games.
//! - [`demo`] fills a site with a season of people who do not exist, to be looked at.
//! - [`export`] writes archives, [`similarity`] compares the submitted sources, [`unlikely`] the results of pairs.

#![allow(
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "a `Refusal` says itself what is refused and why; the crate is not published"
)]

pub mod access;
pub mod accounts;
pub mod archives;
pub mod builtins;
pub mod check_message;
pub mod clock;
pub mod competition;
pub mod demo;
pub mod error;
pub mod export;
pub mod feats;
mod final_form;
pub mod finals;
pub mod identity;
pub mod ladder;
pub mod league;
pub mod messages;
pub mod names;
pub mod news;
pub mod openings;
pub mod own_games;
pub mod programs;
pub mod queue;
pub mod romanization;
pub mod secret;
pub mod similarity;
pub mod store;
pub mod submission;
pub mod teams;
pub mod totp;
pub mod unlikely;
