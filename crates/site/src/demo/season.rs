//! The events of each day of a demonstration: versions are submitted and checked, and games are played.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use agon_arena::agents::PreparedAgent;
use agon_arena::game::Bout;
use agon_arena::openings;
use agon_arena::summary::game_digest;
use agon_catalog::{Game, Setup};
use agon_game::seed::Stream;
use agon_jobs::pool;
use agon_referee::agent::{AgentSpec, Language};
use agon_referee::bout::Afterwards;
use agon_referee::limits::GameLimits;
use agon_referee::verdict::Verdict;

use super::cast::{self, Actor, ScriptedProgram};
use super::error::DemoError;
use crate::builtins;
use crate::check_message::CheckMessage;
use crate::finals::{self, FinalStep};
use crate::openings::opening;
use crate::store::{
    BoutKind, Candidate, Competition, FinalState, NewBout, PlayedBout, SiteFinal, SiteStore, Submission,
    SubmissionLimits,
};

pub(super) const DAY: i64 = 86_400;

/// No script submits so much.
const LIMITS: SubmissionLimits = SubmissionLimits { daily: 1000, programs: 100, waiting: 100 };

/// A competition, and who submits what to it.
pub(super) struct ScriptedCompetition {
    pub competition: Competition,
    /// The built-in players that programs meet.
    pub rungs: Vec<String>,
    /// The share of its games in all games of a day.
    pub share: f64,
    /// The days on which it is open.
    pub days: [u32; 2],
    pub programs: Vec<ScriptedProgram>,
}

/// A planned game.
struct Planned {
    new: NewBout,
    game: Game,
    setup: Setup,
    limits: GameLimits,
    actors: [Actor; 2],
    labels: [String; 2],
    at: i64,
}

/// Agents that are ready, by game and actor.
pub(super) struct Agents {
    limits: GameLimits,
    folder: PathBuf,
    ready: HashMap<(String, Actor), PreparedAgent>,
}

impl Agents {
    pub(super) fn new(limits: GameLimits, folder: PathBuf) -> Self {
        Self { limits, folder, ready: HashMap::new() }
    }

    fn prepare(&mut self, game: Game, actor: &Actor) -> Result<(), DemoError> {
        let key = (game.name().to_owned(), actor.clone());
        if self.ready.contains_key(&key) {
            return Ok(());
        }
        let spec = match (actor, cast::program(game, actor)) {
            (Actor::Builtin(name), _) => agon_arena::agents::parse(game, name)?,
            (_, text) => {
                let path = self.folder.join(format!("{}-{}.py", game.name(), self.ready.len()));
                fs::write(&path, text.unwrap_or_default()).map_err(DemoError::Folder)?;
                AgentSpec::source(Language::Python3, path)
            }
        };
        self.ready.insert(key, PreparedAgent::prepare(game, spec, &self.limits)?);
        Ok(())
    }

    fn get(&self, game: Game, actor: &Actor) -> Option<&PreparedAgent> {
        self.ready.get(&(game.name().to_owned(), actor.clone()))
    }
}

/// How often a game is played that the machine spoils: a busy one keeps the judge from its processor.
const MAX_TRIES: usize = 40;

/// Plays a game by the referee, as any other.
fn referee(planned: &Planned, agents: &Agents) -> Result<PlayedBout, DemoError> {
    decided(|| referee_once(planned, agents))
}

/// The final result, if a try may be spoilt.
fn decided<T>(mut once: impl FnMut() -> Result<Result<T, String>, DemoError>) -> Result<T, DemoError> {
    let mut spoilt = String::new();
    for _ in 0..MAX_TRIES {
        match once()? {
            Ok(found) => return Ok(found),
            Err(why) => spoilt = why,
        }
    }
    Err(DemoError::Judge(spoilt))
}

/// The game, or why the judge could not decide it.
fn referee_once(planned: &Planned, agents: &Agents) -> Result<Result<PlayedBout, String>, DemoError> {
    let Planned { game, setup, limits, actors, labels, at, .. } = planned;
    let missing = || DemoError::Judge("an agent is not ready".to_owned());
    let [first, second] = actors.each_ref().map(|actor| agents.get(*game, actor).ok_or_else(missing));
    let both = [first?, second?];
    let mut bout = Bout::new(*game, setup.clone(), *limits).map_err(|error| DemoError::Judge(error.to_string()))?;
    let mut seats = bout.seats(both, None)?;
    let mut record = bout.play(both, &mut seats, Afterwards::Exit, &mut ());
    record.header.started = at.unsigned_abs();
    for (note, label) in record.header.agents.iter_mut().zip(labels) {
        note.agent.clone_from(label);
    }
    let result = &record.result;
    if result.verdicts.iter().any(|judged| judged.verdict == Verdict::Interrupted) {
        return Ok(Err(result.reason.text.clone()));
    }
    Ok(Ok(PlayedBout {
        winner: result.winner,
        reason: result.reason.clone(),
        verdicts: result.verdicts.each_ref().map(|judged| judged.verdict),
        plies: result.plies,
        time_ms: result.time_ms,
        record: record.write(),
        worker: None,
        game_digest: Some(game_digest(&record)),
    }))
}

/// The season in progress.
pub(super) struct Season<'a> {
    pub store: &'a mut SiteStore,
    pub agents: Agents,
    pub threads: usize,
    /// When its first day began.
    pub start: i64,
    /// When it ends; nothing happens later.
    pub end: i64,
    /// The accounts of the cast.
    pub accounts: Vec<i64>,
    /// For each team's place, the account that submits for it.
    pub captains: HashMap<usize, i64>,
    /// Who plays for a version.
    pub actors: HashMap<i64, Actor>,
    pub games: u32,
    pub stream: Stream,
}

impl Season<'_> {
    /// Moments of a day in order, between its morning and its evening, none in the future.
    fn moments(&mut self, day: u32, count: usize) -> Vec<i64> {
        let midnight = self.start + i64::from(day) * DAY;
        let morning = midnight + 8 * 3600;
        // The last day may have hardly begun.
        let from = if morning + 3600 < self.end { morning } else { (self.end - 7200).max(midnight - 3600) };
        let until = (self.end - 90 - from).clamp(60, 15 * 3600) as usize;
        let mut all: Vec<i64> = (0..count).map(|_| from + self.stream.below(until) as i64).collect();
        all.sort_unstable();
        all
    }

    /// Plays these games, many at once.
    fn referee_all(&mut self, planned: &[Planned]) -> Result<Vec<PlayedBout>, DemoError> {
        for game in planned {
            for actor in &game.actors {
                self.agents.prepare(game.game, actor)?;
            }
        }
        let agents = &self.agents;
        pool::map_all(planned.len(), self.threads, |at| referee(&planned[at], agents)).into_iter().collect()
    }

    /// Stores a game that has been played, and returns its number.
    fn keep(&mut self, game: &Planned, played: &PlayedBout) -> Result<i64, DemoError> {
        let id = self.store.begin_bout(&game.new, game.at)?;
        self.store.end_bout(id, played, game.at + 1 + (played.time_ms[0] + played.time_ms[1]) as i64 / 1000)?;
        self.games += 1;
        Ok(id)
    }

    /// Plays these games, many at once, and stores them one after another.
    fn play(&mut self, planned: &[Planned]) -> Result<(), DemoError> {
        let played = self.referee_all(planned)?;
        for (game, played) in planned.iter().zip(&played) {
            self.keep(game, played)?;
        }
        Ok(())
    }

    /// A game of a competition, with its own opening.
    fn planned(
        &mut self,
        competition: &Competition,
        kind: BoutKind,
        (seats, actors): ([(i64, Option<u32>); 2], [Actor; 2]),
        labels: [String; 2],
        at: i64,
    ) -> Result<Planned, DemoError> {
        let seed = self.stream.next() >> 12;
        let mut parameters = competition.parameters.clone();
        let played = self.games;
        parameters.extend(opening(competition, seats.map(|(program, _)| program), played, seed, true)?);
        Ok(Planned {
            new: NewBout { competition: competition.id, kind, seed, seats },
            game: competition.game,
            setup: Setup { seed, parameters },
            limits: competition.limits(self.agents.limits),
            actors,
            labels,
            at,
        })
    }

    /// Submits what is due on a day, and checks it with a game against the weakest built-in player.
    pub(super) fn submissions(&mut self, competitions: &[ScriptedCompetition], day: u32) -> Result<(), DemoError> {
        let mut due: Vec<(&Competition, &ScriptedProgram, usize)> = Vec::new();
        for scripted in competitions {
            for program in &scripted.programs {
                let numbers = (0..program.versions.len()).filter(|number| program.versions[*number].day == day);
                due.extend(numbers.map(|number| (&scripted.competition, program, number)));
            }
        }
        let order = cast::shuffled(due.len(), &mut self.stream);
        let mut checks = Vec::new();
        for (at, moment) in order.iter().zip(self.moments(day, due.len())) {
            let (competition, program, number) = due[*at];
            let weakest = self.store.builtin(competition.id, builtins::weakest(competition.game))?;
            let weakest = weakest.ok_or_else(|| DemoError::Judge("there is no weakest player".to_owned()))?;
            let labels = [format!("{} v{}", program.name, number + 1), weakest.name.clone()];
            // The version is only known once it has been submitted.
            let seats = [(0, None), (weakest.id, None)];
            let actors = [program.versions[number].actor.clone(), Actor::Builtin(weakest.name)];
            checks.push(self.planned(competition, BoutKind::Check, (seats, actors), labels, moment + 5)?);
        }
        // The games depend on nothing in the store, so they are played at once.
        let played = self.referee_all(&checks)?;
        for ((at, mut check), played) in order.into_iter().zip(checks).zip(played) {
            self.settle(due[at], &mut check, &played)?;
        }
        Ok(())
    }

    /// Submits a version whose check has been played, and settles it.
    fn settle(
        &mut self,
        (competition, program, number): (&Competition, &ScriptedProgram, usize),
        check: &mut Planned,
        played: &PlayedBout,
    ) -> Result<(), DemoError> {
        let version = &program.versions[number];
        let at = check.at - 5;
        let account = self.accounts[program.owner];
        let person = self.captains.get(&program.owner).copied().unwrap_or(account);
        let (name, language, source) = (&program.name, version.language, &version.source);
        let submission = Submission { account, competition: competition.id, name, language, source };
        let id = self.store.submit_by(person, &submission, &LIMITS, at)?;
        let id = id.map_err(|refused| DemoError::Judge(refused.to_string()))?;
        self.actors.insert(id, version.actor.clone());
        let taken = self.store.take_submission()?;
        let Some(taken) = taken.filter(|taken| taken.id == id) else {
            return Err(DemoError::Judge("another submission waits".to_owned()));
        };
        check.new.seats[0] = (taken.program, Some(taken.number));
        // Half of the class lets others play against its programs.
        self.store.set_by_hand(taken.program, program.owner.is_multiple_of(2))?;
        let bout = self.keep(check, played)?;
        let verdict = played.verdicts[0];
        let found = if verdict == Verdict::Ok { Ok(()) } else { Err(format!("{verdict}: {}", played.reason)) };
        let found = found.map_err(|why| CheckMessage::from(why.as_str()));
        self.store.settle_submission(id, found, Some(bout), at + 12)?;
        self.store.note_reads_openings(id, true)?;
        Ok(self.store.note_check_time(id, 4000 + self.stream.below(5000) as u64)?)
    }

    /// Plays the ladders' games of a day: the opponents are drawn from the ratings of its morning.
    pub(super) fn ladders(
        &mut self,
        competitions: &[ScriptedCompetition],
        day: u32,
        games: u32,
    ) -> Result<(), DemoError> {
        let mut drawn = Vec::new();
        let open = |scripted: &&ScriptedCompetition| (scripted.days[0]..=scripted.days[1]).contains(&day);
        let shares: f64 = competitions.iter().filter(open).map(|scripted| scripted.share).sum();
        for scripted in competitions.iter().filter(open) {
            let mut candidates = self.store.candidates(scripted.competition.id)?;
            candidates.retain(|one| one.builtin.as_ref().is_none_or(|name| scripted.rungs.contains(name)));
            let users: Vec<usize> = (0..candidates.len()).filter(|at| candidates[*at].builtin.is_none()).collect();
            if users.is_empty() {
                continue;
            }
            let order = cast::shuffled(users.len(), &mut self.stream);
            let count = (f64::from(games) * scripted.share / shares).round() as usize;
            for number in 0..count {
                let chosen = users[order[number % order.len()]];
                let strangers: Vec<usize> = (0..candidates.len())
                    .filter(|other| {
                        let owners = &candidates[*other].owners;
                        *other != chosen && candidates[chosen].owners.iter().all(|owner| !owners.contains(owner))
                    })
                    .collect();
                let ratings: Vec<f64> = strangers.iter().map(|at| candidates[*at].rating).collect();
                let opponent = cast::opponent(candidates[chosen].rating, &ratings, &mut self.stream);
                let Some(opponent) = opponent.map(|at| strangers[at]) else { continue };
                let seats = if self.stream.below(2) == 0 { [chosen, opponent] } else { [opponent, chosen] };
                drawn.push((&scripted.competition, seats.map(|at| candidates[at].clone())));
            }
        }
        let order = cast::shuffled(drawn.len(), &mut self.stream);
        let mut planned = Vec::new();
        for (at, moment) in order.into_iter().zip(self.moments(day, drawn.len())) {
            let (competition, seats) = &drawn[at];
            let labels = [self.label(&seats[0])?, self.label(&seats[1])?];
            let seated = self.seated([&seats[0], &seats[1]]);
            planned.push(self.planned(competition, BoutKind::Ladder, seated, labels, moment)?);
        }
        self.play(&planned)
    }

    /// Who takes these seats: programs with the numbers of their versions, and who plays for them.
    fn seated(&self, seats: [&Candidate; 2]) -> ([(i64, Option<u32>); 2], [Actor; 2]) {
        let actors = seats.map(|seat| match (&seat.builtin, seat.version) {
            (Some(name), _) => Actor::Builtin(name.clone()),
            (None, version) => version.and_then(|(id, _)| self.actors.get(&id).cloned()).unwrap_or(Actor::Sample),
        });
        (seats.map(|seat| (seat.program, seat.version.map(|(_, number)| number))), actors)
    }

    fn label(&self, seat: &Candidate) -> Result<String, DemoError> {
        let name = self.store.program(seat.program)?.map(|program| program.name).unwrap_or_default();
        Ok(seat.version.map_or_else(|| name.clone(), |(_, number)| format!("{name} v{number}")))
    }

    /// Plays all games of a final, round by round.
    pub(super) fn play_final(
        &mut self,
        one: &SiteFinal,
        competition: &Competition,
        begin: i64,
    ) -> Result<(), DemoError> {
        let mut at = begin;
        loop {
            let bouts = self.store.final_bouts(one.id)?;
            let FinalStep::Play(slot) = finals::next(&one.plan, &bouts) else { break };
            let seated = |side: usize| -> Result<Candidate, DemoError> {
                let version = one.plan.agents[slot.seats[side]].agent.parse().unwrap_or_default();
                let found = self.store.version(version)?;
                let found = found.ok_or_else(|| DemoError::Judge("a version of the final is gone".to_owned()))?;
                Ok(Candidate {
                    program: found.program,
                    version: Some((found.id, found.number)),
                    games: 0,
                    builtin: None,
                    owners: Vec::new(),
                    reads_openings: Some(true),
                    rating: 0.0,
                    lead: 0,
                    last: 0,
                })
            };
            let seats = [seated(0)?, seated(1)?];
            let labels = [self.label(&seats[0])?, self.label(&seats[1])?];
            let kind = BoutKind::Final { id: one.id, slot: slot.number };
            let seated = self.seated([&seats[0], &seats[1]]);
            let mut planned = self.planned(competition, kind, seated, labels, at)?;
            planned.setup = openings::setup(&one.plan, &slot)?;
            (planned.new.seed, planned.limits) = (slot.seed, one.plan.limits);
            self.play(&[planned])?;
            at += 75;
        }
        Ok(self.store.end_final(one.id, FinalState::Complete)?)
    }
}

/// Whether the programs of the demonstration can run here.
pub(super) fn has_python() -> bool {
    agon_referee::process::find_program(Language::Python3.compiler()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_spoils_many_tries_and_not_the_demonstration() {
        let mut left = 30;
        let mut once = || {
            left -= 1;
            Ok(if left > 0 { Err("the machine is too busy".to_owned()) } else { Ok(7) })
        };
        assert_eq!(decided(&mut once).unwrap(), 7);
        let never = decided(|| Ok(Err::<(), _>("too busy".to_owned())));
        assert!(never.unwrap_err().to_string().ends_with("not played: too busy"));
    }
}
