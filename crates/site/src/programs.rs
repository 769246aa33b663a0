//! Programs and their versions: what their authors do with them.

use agon_arena::store::StoreError;
use agon_message::messages;

use crate::clock::now;
use crate::error::{FieldError, Refusal};
use crate::identity::Identity;
use crate::names::{Named, check_name};
use crate::store::{
    EventDetail, EventKind, Followed, MAX_FOLLOWED, Meeting, Origin, SiteBout, SiteProgram, SiteStore, SiteVersion,
};
use crate::submission::MAX_NAME_CHARS;

/// How many rated games make up the curve of a program.
pub const CURVE_GAMES: u32 = 400;

/// The maximum number of games that an account has requested and that have not been played.
pub const MAX_ASKED_GAMES: u32 = 10;

/// Last games between two programs.
const MEETING_GAMES: u32 = 100;

messages! {
    /// Why a program is not changed, or games are not scheduled for it.
    pub enum ProgramError {
        CheckNotGivenUp = "the check of this version has not been given up",
        Anothers = "this program belongs to someone else",
        NoSuchVersion = "no version with this number has passed its check",
        Withdrawn = "this program is withdrawn; let it return first",
        ProgramLimit { limit: u32 } =
            "limit of {limit} programs in this competition reached; withdraw another one first",
        NameTaken { name: String } = "you already have a program named `{name}` in this competition",
        HasPlayed = "this program has played on the ladder or is in a final, and its games belong to its opponents \
                     too; withdraw it instead",
        NotOwnPair = "you can request games only between your own program and another of the same competition",
        GamesOutOfRange { limit: u32 } = "request 1 to {limit} games",
        DailyGames { limit: u32 } = "daily limit reached: {limit} requested games per program in 24 hours",
        FollowedLimit { limit: u32 } = "you follow {limit} already; follow something else no more first",
        WaitingGames { limit: u32 } = "at most {limit} requested games can wait; request more when these are played",
    }
}

/// The programs of an account and of its teams.
pub fn own_programs(store: &SiteStore, who: &Identity) -> Result<Vec<SiteProgram>, StoreError> {
    let programs: Result<Vec<_>, _> = who.owners().map(|owner| store.programs_of(owner)).collect();
    Ok(programs?.concat())
}

/// One of the user's own versions, with its program and its source; the host sees everyone's. Others are not found:
/// their numbers reveal nothing.
pub fn own_version(store: &SiteStore, who: &Identity, id: i64) -> Result<(SiteVersion, SiteProgram, String), Refusal> {
    let version = store.version(id)?.ok_or(Refusal::NotFound)?;
    let program = store.program(version.program)?.ok_or(Refusal::NotFound)?;
    let source = store.source(id)?.ok_or(Refusal::NotFound)?;
    if who.is(program.account) || who.is_host() { Ok((version, program, source)) } else { Err(Refusal::NotFound) }
}

/// Queues the check of a version again: for its author if it was abandoned, for the host if it is settled in any way.
pub fn check_again(store: &mut SiteStore, who: &Identity, id: i64) -> Result<(), Refusal> {
    let (_, program, _) = own_version(store, who, id)?;
    // The host may repeat the check of any version.
    let again = if who.is(program.account) { store.check_again(id)? } else { store.rejudge(id)? };
    if again { Ok(()) } else { Err(Refusal::conflict(ProgramError::CheckNotGivenUp)) }
}

/// The program, if this identity is its author; only its author may do what follows.
fn check_author(store: &SiteStore, who: &Identity, id: i64) -> Result<SiteProgram, Refusal> {
    let program = store.program(id)?.ok_or(Refusal::NotFound)?;
    if who.is(program.account) { Ok(program) } else { Err(Refusal::forbidden(ProgramError::Anothers)) }
}

/// Makes an account follow a program or a person, or no more. What it does not see is not found.
pub fn follow(
    store: &mut SiteStore,
    account: i64,
    hidden: &[i64],
    followed: Followed,
    begin: bool,
) -> Result<(), Refusal> {
    if !begin {
        return Ok(store.unfollow(account, followed)?);
    }
    let exists = match followed {
        Followed::Program(id) => store.program(id)?.is_some_and(|program| !hidden.contains(&program.competition)),
        Followed::Person(id) => store.account(id)?.is_some(),
    };
    if !exists {
        return Err(Refusal::NotFound);
    }
    if store.follow(account, followed, now())? {
        Ok(())
    } else {
        Err(Refusal::conflict(ProgramError::FollowedLimit { limit: MAX_FOLLOWED }))
    }
}

/// Makes another version of an own program the active one.
pub fn set_active(store: &mut SiteStore, who: &Identity, id: i64, number: u32) -> Result<(), Refusal> {
    if check_author(store, who, id)?.withdrawn {
        return Err(Refusal::conflict(ProgramError::Withdrawn));
    }
    if !store.activate(id, number)? {
        return Err(FieldError::new("number", ProgramError::NoSuchVersion).into());
    }
    Ok(())
}

/// Withdraws an own program, or lets it return if the account has a place for it: at most `most` of its programs play
/// in one competition.
pub fn set_withdrawn(
    store: &mut SiteStore,
    who: &Identity,
    id: i64,
    withdrawn: bool,
    most: u32,
    origin: &Origin,
) -> Result<(), Refusal> {
    let program = check_author(store, who, id)?;
    if program.withdrawn == withdrawn {
        return Ok(());
    }
    let kind = if withdrawn {
        store.withdraw_program(id, now())?;
        EventKind::ProgramWithdrawn
    } else {
        if !store.return_program(id, most)? {
            return Err(Refusal::conflict(ProgramError::ProgramLimit { limit: most }));
        }
        EventKind::ProgramReturned
    };
    Ok(store.note_event(kind, program.account, origin, program.name.as_str(), now())?)
}

/// Gives an own program another name.
pub fn rename(store: &mut SiteStore, who: &Identity, id: i64, name: &str, origin: &Origin) -> Result<(), Refusal> {
    let program = check_author(store, who, id)?;
    let name = check_name(name.trim(), MAX_NAME_CHARS, Named::Program);
    let name = name.map_err(|wrong| FieldError::new("name", wrong))?;
    if name == program.name {
        return Ok(());
    }
    if !store.rename_program(id, &name)? {
        return Err(FieldError::new("name", ProgramError::NameTaken { name }).into());
    }
    let detail = EventDetail::Renamed { from: program.name, to: name };
    Ok(store.note_event(EventKind::ProgramRenamed, program.account, origin, &detail, now())?)
}

/// Deletes an own program that has had no game of the ladder and is in no final.
pub fn delete(store: &mut SiteStore, who: &Identity, id: i64, origin: &Origin) -> Result<(), Refusal> {
    let program = check_author(store, who, id)?;
    if !store.delete_program(id, now())? {
        return Err(Refusal::conflict(ProgramError::HasPlayed));
    }
    Ok(store.note_event(EventKind::ProgramDeleted, program.account, origin, program.name.as_str(), now())?)
}

/// Lets everyone play against a program on a board, or only its author.
pub fn set_by_hand(store: &mut SiteStore, who: &Identity, id: i64, open: bool) -> Result<(), Refusal> {
    check_author(store, who, id)?;
    Ok(store.set_by_hand(id, open)?)
}

/// Whether this identity may play against a program on a board: every signed-in user if its author allows it, and the
/// author always.
pub fn may_play_by_hand(who: &Identity, program: &SiteProgram) -> bool {
    let able = program.active.is_some() && program.may_play() && program.game.has_turns();
    able && who.account.is_some() && (program.by_hand || who.is(program.account))
}

/// Disqualifies a program, or readmits it. Returns the program's previous state.
pub fn set_barred(store: &mut SiteStore, id: i64, barred: bool, origin: &Origin) -> Result<SiteProgram, Refusal> {
    let program = store.program(id)?.ok_or(Refusal::NotFound)?;
    store.bar_program(id, barred)?;
    let kind = if barred { EventKind::Disqualified } else { EventKind::Readmitted };
    store.note_event(kind, program.account, origin, program.name.as_str(), now())?;
    Ok(program)
}

/// Whether this identity may request games between these two: both in one competition, one of them the user's own.
pub fn may_ask(who: &Identity, both: [&SiteProgram; 2]) -> bool {
    let able = |program: &SiteProgram| (program.active.is_some() || program.builtin.is_some()) && program.may_play();
    let own = both.iter().any(|program| program.account.is_some() && who.is(program.account));
    own && both.iter().all(|program| able(program))
        && both[0].competition == both[1].competition
        && both[0].id != both[1].id
}

/// Queues games between two programs for an author, at most `daily` within a day.
pub fn ask_for(
    store: &mut SiteStore,
    who: &Identity,
    account: i64,
    [one, other]: [i64; 2],
    games: u32,
    daily: u32,
) -> Result<(), Refusal> {
    let (first, second) = store.program(one)?.zip(store.program(other)?).ok_or(Refusal::NotFound)?;
    if !may_ask(who, [&first, &second]) {
        return Err(Refusal::forbidden(ProgramError::NotOwnPair));
    }
    if !(1..=MAX_ASKED_GAMES).contains(&games) {
        return Err(FieldError::new("games", ProgramError::GamesOutOfRange { limit: MAX_ASKED_GAMES }).into());
    }
    let own = if who.is(first.account) { one } else { other };
    if store.asked_since(account, own, now() - 86_400)? + games > daily {
        return Err(Refusal::conflict(ProgramError::DailyGames { limit: daily }));
    }
    if !store.ask_for_bouts(account, [one, other], games, MAX_ASKED_GAMES, now())? {
        return Err(Refusal::conflict(ProgramError::WaitingGames { limit: MAX_ASKED_GAMES }));
    }
    Ok(())
}

/// Two programs, the first one's total over their rated games, and their last games.
pub fn meeting(
    store: &SiteStore,
    one: i64,
    other: i64,
) -> Result<(SiteProgram, SiteProgram, Option<Meeting>, Vec<SiteBout>), Refusal> {
    let (first, second) = store.program(one)?.zip(store.program(other)?).ok_or(Refusal::NotFound)?;
    Ok((first, second, store.meeting(one, other)?, store.bouts_between(one, other, MEETING_GAMES)?))
}
