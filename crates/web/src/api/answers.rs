//! Requests and answers as types: the document describes them, and `agon submit` reads them.
//!
//! Times are seconds since 1970 (UTC) unless their names say otherwise.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_arena::stats::Interval;
use agon_boards::json::Json;
use agon_message::StatedArgument;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use agon_site::store::{
    BoutKind, CheckState, Meeting, SiteAccount, SiteBout, SiteInvitation, SiteProgram, SiteToken, SiteVersion,
    TokenScope,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::SiteError;
use crate::site::{Site, SiteResult};

/// Gives an enumeration of ours a name in the document, value by value.
macro_rules! mirrored {
    (
        $(#[$doc:meta])* $name:ident as $schema:ident of $ours:path,
        $case:tt { $($variant:ident = $pattern:pat),* $(,)? }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = $case)]
        #[schema(as = $schema)]
        pub enum $name { $($variant),* }

        impl From<$ours> for $name {
            fn from(ours: $ours) -> Self {
                match ours { $($pattern => Self::$variant),* }
            }
        }
    };
}

mirrored! {
    /// Why a game is played; only those of kind `ladder` are rated.
    ApiKind as Kind of BoutKind, "lowercase" {
        Check = BoutKind::Check,
        Ladder = BoutKind::Ladder,
        Final = BoutKind::Final { .. },
        Asked = BoutKind::Asked { .. },
    }
}

mirrored! {
    /// Who has won; `void` if the judge could not finish the game.
    ApiWinner as Winner of Winner, "lowercase" {
        First = Winner::First,
        Second = Winner::Second,
        Draw = Winner::Draw,
        Void = Winner::Void,
    }
}

mirrored! {
    /// The judge's verdict on a program: OK, time limit, runtime error, memory limit, compile error, stopped by the
    /// judge.
    ApiVerdict as Verdict of Verdict, "UPPERCASE" {
        Ok = Verdict::Ok,
        Tle = Verdict::Tle,
        Re = Verdict::Re,
        Mle = Verdict::Mle,
        Ce = Verdict::Ce,
        Interrupted = Verdict::Interrupted,
    }
}

impl ApiKind {
    /// Its name, in the store and outside.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Ladder => "ladder",
            Self::Final => "final",
            Self::Asked => "asked",
        }
    }
}

/// The place of a competition in addresses.
pub(crate) fn slug(site: &Site, competition: i64) -> String {
    site.competition(competition).map_or_else(String::new, |competition| competition.slug)
}

/// A value with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Interval)]
pub struct ApiInterval {
    /// The value.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl From<Interval> for ApiInterval {
    fn from(Interval { value, low, high }: Interval) -> Self {
        Self { value, low, high }
    }
}

/// A program on a ladder.
#[allow(clippy::struct_excessive_bools, reason = "each is a field of the answer")]
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Program)]
pub struct ApiProgram {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its owner; null if it is built in.
    pub owner: Option<String>,
    /// Whether the owner is a team.
    pub team: bool,
    /// The competition that it has entered.
    #[serde(rename = "contest")]
    pub competition: String,
    /// Its game.
    pub game: String,
    /// The number of the version that plays; null when it is built in or withdrawn, and before a version has passed its
    /// check.
    pub version: Option<u32>,
    /// Ladder points, which decide the place: Elo game by game, K = 32, from 1500.
    pub rating: f64,
    /// Whether games leave the rating unchanged.
    pub fixed: bool,
    /// Whether the host has disqualified it.
    pub barred: bool,
    /// Whether its author has withdrawn it: it plays no games and has no place.
    pub withdrawn: bool,
    /// Whether everyone may play against it on a board.
    pub by_hand: bool,
    /// The rating of the active version, from all rated games of the ladder with each version as a separate player
    /// (Bradley and Terry); null before there is one.
    pub all_games: Option<ApiInterval>,
    /// Rated games.
    pub games: u32,
    /// Rated games won.
    pub wins: u32,
    /// Rated games drawn.
    pub draws: u32,
    /// Rated games lost.
    pub losses: u32,
    /// Rated games that ended with another verdict than OK for it.
    pub faults: u32,
    /// Games that repeat an earlier one of the same versions in the same seats move for move, and do not count.
    pub repeats: u32,
    /// Its last results, the newest at the end.
    #[schema(pattern = "^[WDL]*$", example = "WWLDW")]
    pub form: String,
    /// When its first version was submitted.
    pub created: i64,
}

impl ApiProgram {
    /// The answer after a change of a program.
    pub(crate) async fn read(site: &Arc<Site>, id: i64) -> SiteResult<Json<Self>> {
        let program = site.read(move |store| store.program(id)).await?.ok_or(SiteError::NotFound)?;
        Ok(Json(Self::new(site, &program)))
    }

    /// A program as everybody sees it.
    pub(crate) fn new(site: &Site, program: &SiteProgram) -> Self {
        Self {
            id: program.id,
            name: program.name.clone(),
            owner: program.owner.clone(),
            team: program.team,
            competition: slug(site, program.competition),
            game: program.game.name().to_owned(),
            version: program.active.map(|(_, number)| number),
            rating: program.rating,
            fixed: program.fixed,
            barred: program.barred,
            withdrawn: program.withdrawn,
            by_hand: program.by_hand,
            all_games: site.queue.ratings.strength(program).map(ApiInterval::from),
            games: program.games,
            wins: program.wins,
            draws: program.draws,
            losses: program.losses(),
            faults: program.faults,
            repeats: program.repeats,
            form: program.form.clone(),
            created: program.created,
        }
    }
}

/// Programs in the order of their ratings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Ladder)]
pub struct ApiLadder {
    /// The competition, by its place in addresses.
    #[serde(rename = "contest")]
    pub competition: String,
    /// The game.
    pub game: String,
    /// Programs on the whole ladder.
    pub size: u32,
    /// How many programs come before the first one here.
    pub from: u32,
    /// The groups into which the host has put people and teams, by name.
    pub groups: Vec<String>,
    /// Programs of users without a rated game: they come last, without a place.
    pub unrated: u32,
    /// These, the best first.
    pub programs: Vec<ApiPlacedProgram>,
}

/// A row of a ladder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PlacedProgram)]
pub struct ApiPlacedProgram {
    /// Its place among the programs of users, from 1; for a group, among those of the group. Those with the same rating
    /// share one. Null for a built-in player, and for a program without a rated game.
    pub place: Option<u32>,
    /// The program.
    #[serde(flatten)]
    pub program: ApiProgram,
}

/// A version of a program, as everybody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = VersionSummary)]
pub struct ApiVersionSummary {
    /// Its number among all versions, with which its author requests more about it.
    pub id: i64,
    /// Its number within the program, from 1.
    pub number: u32,
    /// Its language.
    pub language: String,
    /// The state of its check.
    pub state: CheckState,
    /// Rated games that it has played.
    pub games: u32,
    /// Whether it reads OPENING lines; null if unknown. If programs must read them, a version that does not plays every
    /// opponent once from each seat.
    pub reads_openings: Option<bool>,
    /// When it was submitted.
    pub submitted: i64,
}

impl From<&SiteVersion> for ApiVersionSummary {
    fn from(version: &SiteVersion) -> Self {
        Self {
            id: version.id,
            number: version.number,
            language: version.language.name().to_owned(),
            state: version.state,
            games: version.games,
            reads_openings: version.reads_openings,
            submitted: version.submitted,
        }
    }
}

/// A program with its versions and its last games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ProgramDetails)]
pub struct ApiProgramDetails {
    /// The program.
    #[serde(flatten)]
    pub program: ApiProgram,
    /// Its place on the ladder among the programs of users, from 1; those with the same rating share one. Null for a
    /// built-in player, for a program that does not play, and for one without a rated game.
    pub place: Option<u32>,
    /// Its ratings after its last 400 rated games, the newest at the end; empty if its rating is fixed.
    pub ratings: Vec<f64>,
    /// Its versions, the newest first.
    pub versions: Vec<ApiVersionSummary>,
    /// Its last games except checks, the newest first.
    pub last_games: Vec<ApiGame>,
}

/// The totals of a program's rated games against one opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Opponent)]
pub struct ApiOpponent {
    /// The number of the other program.
    pub program: i64,
    /// Its name.
    pub name: String,
    /// Its rating.
    pub rating: f64,
    /// Games.
    pub games: u32,
    /// Games that the program asked about has won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games that it has lost.
    pub losses: u32,
}

impl From<&Meeting> for ApiOpponent {
    fn from(meeting: &Meeting) -> Self {
        Self {
            program: meeting.opponent,
            name: meeting.name.clone(),
            rating: meeting.rating,
            games: meeting.games,
            wins: meeting.wins,
            draws: meeting.draws,
            losses: meeting.games - meeting.wins - meeting.draws,
        }
    }
}

/// The opponents of a program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Opponents)]
pub struct ApiOpponents {
    /// These, those met most first.
    pub opponents: Vec<ApiOpponent>,
}

/// Two programs against each other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = HeadToHead)]
pub struct ApiHeadToHead {
    /// The program named first.
    pub first: ApiProgram,
    /// The one named second.
    pub second: ApiProgram,
    /// The first program's totals of their rated games; null if they have not met.
    pub rated: Option<ApiOpponent>,
    /// Their last games, rated or not, the newest first.
    pub games: Vec<ApiGame>,
}

/// A seat of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Seat)]
pub struct ApiSeat {
    /// The program. An opponent of a check that is not a program of the site has the number of a built-in player.
    pub program: i64,
    /// Its name.
    pub name: String,
    /// The number of its version; null when it is built in.
    pub version: Option<u32>,
    /// The judge's verdict; null while the game is played.
    pub verdict: Option<ApiVerdict>,
    /// The time that it used, in milliseconds; null while the game is played.
    pub time_ms: Option<f64>,
    /// Its rating afterwards; null for a game that is not rated.
    pub rating: Option<f64>,
}

/// A game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Game)]
pub struct ApiGame {
    /// Its number.
    pub id: i64,
    /// The competition that it belongs to.
    #[serde(rename = "contest")]
    pub competition: String,
    /// The game.
    pub game: String,
    /// The reason for playing it.
    pub kind: ApiKind,
    /// The final that it belongs to; null of others.
    pub final_id: Option<i64>,
    /// The first seat, which moves first, and the second.
    #[schema(min_items = 2, max_items = 2)]
    pub seats: Vec<ApiSeat>,
    /// Who has won; null while it is played.
    pub winner: Option<ApiWinner>,
    /// The reason; empty while it is played.
    pub reason: String,
    /// The stable name of the reason, for programs to act on; null for games from before these names.
    pub reason_key: Option<String>,
    /// The named values of the reason: numbers, texts, and reasons within the reason.
    #[schema(value_type = Object)]
    pub reason_arguments: BTreeMap<String, StatedArgument>,
    /// Moves played.
    pub plies: u32,
    /// The earlier rated game of the same versions in the same seats that this one repeats move for move; it is then
    /// not rated.
    pub repeats: Option<i64>,
    /// When it began.
    pub begun: i64,
}

impl ApiGame {
    /// A game as everybody sees it.
    pub(crate) fn new(site: &Site, bout: &SiteBout) -> Self {
        let seats = bout.seats.iter().map(|seat| ApiSeat {
            program: seat.program,
            name: seat.name.clone(),
            version: seat.version,
            verdict: seat.verdict.map(ApiVerdict::from),
            time_ms: seat.time_ms,
            rating: seat.rating,
        });
        let final_id = if let BoutKind::Final { id, .. } = bout.kind { Some(id) } else { None };
        Self {
            id: bout.id,
            competition: slug(site, bout.competition),
            game: bout.game.name().to_owned(),
            kind: bout.kind.into(),
            final_id,
            seats: seats.collect(),
            winner: bout.winner.map(ApiWinner::from),
            reason: bout.reason.text.clone(),
            reason_key: bout.reason.keyed.as_ref().map(|keyed| keyed.key.clone()),
            reason_arguments: bout.reason.keyed.as_ref().map(|keyed| keyed.arguments.clone()).unwrap_or_default(),
            plies: bout.plies,
            repeats: bout.repeats,
            begun: bout.begun,
        }
    }
}

/// Games, the newest first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Games)]
pub struct ApiGames {
    /// These.
    pub games: Vec<ApiGame>,
    /// The value of `before` for the next page; null if there is none.
    pub next_before: Option<i64>,
}

/// An accepted submission.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Submitted)]
pub struct ApiSubmitted {
    /// The number of the version among all versions.
    pub version: i64,
    /// Where a browser follows its check.
    pub address: String,
}

/// A version as its author sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Version)]
pub struct ApiVersion {
    /// What everyone sees of it.
    #[serde(flatten)]
    pub summary: ApiVersionSummary,
    /// The program.
    pub program: i64,
    /// The program's name.
    pub name: String,
    /// The competition that it is for.
    #[serde(rename = "contest")]
    pub competition: String,
    /// The state in words.
    pub words: String,
    /// Why it failed, in the words of the compiler or the judge; else empty.
    pub message: String,
    /// Whether its check was abandoned because no machine could finish it; it can be repeated.
    #[serde(default)]
    pub given_up: bool,
    /// Its check game; null before there is one.
    pub game: Option<i64>,
}

/// Games that ended badly for one of the account's programs within a day.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Notice)]
pub struct ApiNotice {
    /// The program.
    pub program: i64,
    /// Its name.
    pub name: String,
    /// The judge's verdict.
    pub verdict: ApiVerdict,
    /// How many games ended with it.
    pub games: u32,
}

/// The requesting account, with everything that belongs to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Me)]
pub struct ApiMe {
    /// The account.
    pub account: SiteAccount,
    /// The purposes of the token in use; null for a browser, which may do everything.
    pub scopes: Option<Vec<TokenScope>>,
    /// The programs of the account.
    pub programs: Vec<ApiProgram>,
    /// Failures within a day of programs of the account and its teams, except dismissed ones.
    pub notices: Vec<ApiNotice>,
}

/// A token, without the word itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Token)]
pub struct ApiToken {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its purposes.
    pub scopes: Vec<TokenScope>,
    /// When it was created.
    pub created: i64,
    /// When it was last used, give or take a minute; null if never.
    pub used: Option<i64>,
    /// When it becomes invalid; null if it is valid until it is revoked.
    pub expires: Option<i64>,
}

impl From<&SiteToken> for ApiToken {
    fn from(token: &SiteToken) -> Self {
        let SiteToken { id, name, scopes: own, created, used, expires } = token;
        Self {
            id: *id,
            name: name.clone(),
            scopes: own.iter().collect(),
            created: *created,
            used: *used,
            expires: *expires,
        }
    }
}

/// The tokens of an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Tokens)]
pub struct ApiTokens {
    /// These, the oldest first.
    pub tokens: Vec<ApiToken>,
}

/// A link that lets people sign up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Invitation)]
pub struct ApiInvitation {
    /// Its number.
    pub id: i64,
    /// Whom it is for.
    pub note: String,
    /// Whether it creates administrators.
    pub host: bool,
    /// How many more accounts it creates.
    pub uses: u32,
    /// Until when it can be used.
    pub expires: i64,
    /// The competition that it opens; null of others.
    #[serde(rename = "contest")]
    pub competition: Option<String>,
}

impl ApiInvitation {
    /// An invitation without its word.
    pub(crate) fn new(site: &Site, invitation: &SiteInvitation) -> Self {
        let SiteInvitation { id, note, host, uses, expires, competition } = invitation;
        let competition = competition.map(|id| slug(site, id));
        Self { id: *id, note: note.clone(), host: *host, uses: *uses, expires: *expires, competition }
    }
}
