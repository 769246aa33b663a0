//! Who may see which parts of a game.

use agon_message::messages;
use agon_referee::record::Record;
use agon_referee::verdict::Verdict;

use crate::clock::now;
use crate::identity::Identity;
use crate::store::{Competition, CompetitionPhase, ReplayRule, SiteBout};

messages! {
    /// Why a game is not shown.
    pub enum AccessError {
        MovesHidden = "moves in this competition are shown after it closes",
        RulesMissing = "the rules of this game are missing on this site, so its moves cannot be shown",
    }
}

/// The seats whose program this identity may see from inside: its input and its error stream.
pub fn inside(who: &Identity, bout: &SiteBout) -> [bool; 2] {
    bout.seats.each_ref().map(|seat| who.is_host() || seat.account.is_some() && who.is(seat.account))
}

/// Whether this identity may see the moves of a game: live, in its record, and through evaluations of its positions.
/// Everyone sees results.
pub fn may_watch(competition: Option<&Competition>, who: &Identity, bout: &SiteBout) -> bool {
    let Some(competition) = competition else { return false };
    let hidden = competition.replays == ReplayRule::After && competition.phase(now()) != CompetitionPhase::Closed;
    !hidden || who.is_host() || inside(who, bout) != [false; 2]
}

/// A record without the error streams and the scores of the seats that are not open, sealed again.
///
/// # Errors
/// Why the record cannot be read.
pub fn redacted(text: &str, open: [bool; 2]) -> Result<String, String> {
    let mut record = Record::read(text).map_err(|error| error.to_string())?;
    for entry in &mut record.entries {
        if !open[entry.side.index()] {
            (entry.stderr, entry.messages, entry.evaluation) = (None, None, None);
        }
    }
    for (side, open) in open.into_iter().enumerate() {
        if !open {
            record.result.stderr[side].clear();
            let judged = &mut record.result.verdicts[side];
            judged.cause.clear();
            // A compiler quotes the source.
            if judged.verdict == Verdict::Ce {
                judged.reason = judged.fault().map(|fault| fault.short_reason());
            }
        }
    }
    Ok(record.write())
}
