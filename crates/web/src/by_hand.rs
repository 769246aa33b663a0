//! Playing against the programs of a site: for signed-in users if its author allows it, and always for the author. Such
//! a game is kept only in the browser, like one against an engine.

use std::sync::Arc;
use std::time::Instant;

use agon_arena::transcript::without_cache;
use agon_boards::analysis::{BoardQuestion, QuestionError, Unanswered};
use agon_boards::board::Offered;
use agon_boards::board::agents::{AgentMove, BoardProgram, asked, called, number_of};
use agon_boards::limits::LimitedActor;
use agon_boards::text::t;
use agon_catalog::Game;
use agon_queue::play::compiled;
use agon_referee::agent::Language;
use agon_referee::limits::GameLimits;
use agon_site::programs::{may_play_by_hand, own_programs};
use agon_site::store::SiteProgram;
use axum::http::StatusCode;

use crate::layout::competition_title;
use crate::limits::MAX_ANSWER;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// The programs offered to a visitor on the boards of a game: the visitor's own, and the one requested as the opponent.
pub(crate) async fn offered(
    site: &Arc<Site>,
    visitor: &Visitor,
    game: Game,
    wanted: Option<i64>,
) -> SiteResult<Offered> {
    if site.options.workers == 0 || visitor.account.is_none() {
        return Ok(Offered::default());
    }
    let who = visitor.who.clone();
    let read = site.read(move |store| {
        let mut programs = own_programs(store, &who)?;
        if let Some(other) = wanted.filter(|&id| programs.iter().all(|own| own.id != id)) {
            programs.extend(store.program(other)?);
        }
        Ok(programs)
    });
    let able = |program: &SiteProgram| program.game == game && may_ask(visitor, program);
    let programs: Vec<SiteProgram> = read.await?.into_iter().filter(able).collect();
    let chosen = wanted.filter(|&id| programs.iter().any(|program| program.id == id)).map(called);
    let names: Vec<String> = programs.iter().map(|program| name_among(site, visitor, program, &programs)).collect();
    let programs = programs.iter().map(|program| called(program.id)).zip(names).collect();
    Ok(Offered { programs, chosen })
}

/// The name of a program among these: with its owner if it is not the visitor's own, and with the competition if
/// another one has the same name.
fn name_among(site: &Site, visitor: &Visitor, program: &SiteProgram, all: &[SiteProgram]) -> String {
    let mut name = program.name.clone();
    if let Some(owner) =
        program.owner.as_ref().filter(|_| program.account != visitor.account.as_ref().map(|own| own.id))
    {
        name = format!("{name} ({owner})");
    }
    let is_repeated = all.iter().any(|other| other.id != program.id && other.name == program.name);
    match site.competition(program.competition).filter(|_| is_repeated) {
        Some(competition) => format!("{name} · {}", competition_title(&competition)),
        None => name,
    }
}

/// Whether a visitor may play against a program.
pub(crate) fn may_ask(visitor: &Visitor, program: &SiteProgram) -> bool {
    visitor.sees(program.competition) && may_play_by_hand(&visitor.who, program)
}

/// The move of a program of the site.
///
/// # Errors
/// What is wrong with the question, or why the program does not play.
pub(crate) async fn reply(
    site: &Arc<Site>,
    visitor: &Visitor,
    question: BoardQuestion,
) -> Result<AgentMove, QuestionError> {
    let refused = |status, why: String| Err(QuestionError { status, ..QuestionError::new(&why) });
    let Some(account) = &visitor.account else {
        return refused(StatusCode::UNAUTHORIZED, t!("hand-sign-in"));
    };
    if site.options.workers == 0 {
        return refused(StatusCode::CONFLICT, t!("hand-not-here"));
    }
    let found = match number_of(&question) {
        Some(id) => known(site, id).await?,
        None => None,
    };
    let found = found.filter(|(program, ..)| may_ask(visitor, program));
    let Some((program, version, language, source)) = found else {
        return refused(StatusCode::NOT_FOUND, t!("hand-none"));
    };
    if Game::by_name(&question.game) != Some(program.game) {
        return refused(StatusCode::BAD_REQUEST, t!("hand-other-game"));
    }
    let competition = site.competition(program.competition);
    let limits = competition.map_or(site.options.limits, |competition| competition.limits(site.options.limits));
    // A person thinks for minutes: the program does not.
    let limits = GameLimits { freeze: true, ..limits };
    let own = visitor.is(program.account);
    let (actor, network) = (LimitedActor::Account(account.id), LimitedActor::network_of(visitor.address));
    let place = site.boards.asked_by_hand.take(actor, network).await;
    let place = place.map_err(|full| QuestionError::full(full, Unanswered::ProgramsFull))?;
    let (site, client) = (Arc::clone(site), account.id.to_string());
    let ask = move || {
        site.queue.processors.enter_pages();
        let prepare =
            |game| compiled(&site.queue, game, &limits, version, language, &source).map_err(|error| error.to_string());
        let program = BoardProgram {
            key: version.to_string(),
            name: &program.name,
            client,
            limits,
            until: Some(Instant::now() + MAX_ANSWER),
            is_capped: true,
            prepare: &prepare,
            shown: own.then_some(&without_cache),
        };
        site.boards.by_hand.reply(&question, &program)
    };
    asked(place, ask).await
}

type Known = (SiteProgram, i64, Language, String);

/// A program, and the version that plays.
async fn known(site: &Arc<Site>, id: i64) -> SiteResult<Option<Known>> {
    let read = site.read(move |store| {
        let Some(program) = store.program(id)? else { return Ok(None) };
        let Some((version, _)) = program.active else { return Ok(None) };
        let found = store.version(version)?.zip(store.source(version)?);
        Ok(found.map(|(known, source)| (program, version, known.language, source)))
    });
    read.await
}
