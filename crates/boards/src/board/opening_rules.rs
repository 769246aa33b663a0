//! Opening rules of renju on the page of a game: the choice, and the panel of an opening in progress.

use agon_rules::renju::RuleSet;
use agon_rules::renju::opening_rules::OpeningRule;
use maud::{Markup, html};

use crate::text::t;

/// The fields of a new game.
pub(super) fn fields() -> Markup {
    html! {
        label { (t!("boards-rules"))
            select name="opening-rules" {
                option value="" { (t!("boards-rules-usual")) }
                option value=(RuleSet::Renju) { (t!("boards-rules-renju")) }
                option value=(RuleSet::Standard) { (t!("boards-rules-standard")) }
                option value=(RuleSet::Freestyle) { (t!("boards-rules-freestyle")) }
            }
        }
        label { (t!("boards-opening-rule"))
            select name="opening-rule" {
                option value="" { (t!("boards-opening-none")) }
                @for rule in OpeningRule::ALL { option value=(rule) data-rules=(rule.rules()) { (title(rule)) } }
            }
        }
    }
}

fn title(rule: OpeningRule) -> String {
    match rule {
        OpeningRule::Rif => t!("boards-opening-rif"),
        OpeningRule::Yamaguchi => t!("boards-opening-yamaguchi"),
        OpeningRule::Soosyrv8 => t!("boards-opening-soosyrv"),
        OpeningRule::Taraguchi10 => t!("boards-opening-taraguchi"),
        OpeningRule::Swap2 => t!("boards-opening-swap2"),
    }
}

/// What an opening in progress asks, and what has been decided, which stays with the game.
pub(super) fn panel() -> Markup {
    html! {
        section.stack id="opening-rule" aria-label=(t!("boards-opening-rule")) hidden {
            div.actions id="opening-words" {}
        }
        details id="opening-made" hidden {
            summary { (t!("boards-opening-made")) }
            ul.faint id="opening-decisions" {}
        }
    }
}
