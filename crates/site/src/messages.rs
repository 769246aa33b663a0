//! Messages of the host to accounts.

use agon_message::messages;
use serde::Deserialize;

use crate::accounts::{AccountError, named};
use crate::clock::now;
use crate::competition::CompetitionError;
use crate::error::{FieldError, Refusal};
use crate::store::{Competition, Recipients, SiteStore};

pub const MAX_MESSAGE_CHARS: usize = 2000;

messages! {
    /// Why a message is not sent.
    pub enum SendError {
        Length { limit: usize } = "a message has 1 to {limit} characters",
    }
}

/// A message to send.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct MessageForm {
    /// The address of a competition; empty for all people.
    #[serde(rename = "contest")]
    pub competition: String,
    /// The name of an account, which goes before the competition.
    pub account: String,
    pub text: String,
}

/// Sends a message, and says to how many accounts.
pub fn send(store: &mut SiteStore, competitions: &[Competition], form: &MessageForm) -> Result<u32, Refusal> {
    let text = form.text.replace("\r\n", "\n").trim().to_owned();
    let odd = |c: char| c.is_control() && c != '\n';
    if text.is_empty() || text.chars().count() > MAX_MESSAGE_CHARS || text.chars().any(odd) {
        return Err(FieldError::new("text", SendError::Length { limit: MAX_MESSAGE_CHARS }).into());
    }
    let to = match (form.account.trim(), form.competition.as_str()) {
        ("", "") => Recipients::All,
        ("", slug) => {
            let competition = competitions.iter().find(|competition| competition.slug == slug);
            Recipients::Competition(competition.ok_or_else(|| CompetitionError::unknown(slug))?.id)
        }
        (name, _) => {
            let unknown = || FieldError::new("account", AccountError::Unknown { name: name.to_owned() });
            Recipients::Account(named(store, name)?.ok_or_else(unknown)?.0.id)
        }
    };
    Ok(store.send_message(to, &text, now())?)
}
