//! The settings of a competition, as its host types or sends them, and their check.

use std::collections::BTreeMap;

use agon_arena::opening_file::{self, OpeningFile};
use agon_arena::openings;
use agon_catalog::renju::BY_HAND;
use agon_catalog::{Capability, Game, Setup, SetupError};
use agon_message::{English, messages};
use agon_referee::agent::Language;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clock::now;
use crate::error::FieldError;
use crate::names::check_line;
use crate::romanization::romanized;
use crate::store::{Competition, EntryRule, ReplayRule};

const MAX_TITLE_CHARS: usize = 60;
const MAX_SLUG_CHARS: usize = 40;
pub const MAX_DESCRIPTION_CHARS: usize = 4000;
pub const MAX_OPENING_PLIES: u32 = 60;
pub const MIN_CLOCK_MS: u64 = 10;
pub const MAX_CLOCK_MS: u64 = 86_400_000;
pub const MAX_MEMORY_MIB: u64 = 1 << 20;
/// Submissions of an account within 24 hours.
pub const MAX_DAILY: u32 = 100_000;

messages! {
    /// Why a competition is rejected or cannot be deleted.
    pub enum CompetitionError {
        Unknown { slug: String } = "no such competition: `{slug}`; its name is the end of its address, as `friday` in \
                                    /ladder/friday",
        UnknownIsGame { name: String, slug: String } =
            "`{name}` is a game, not a competition; its permanent competition is `{slug}`",
        UnknownGame { name: String, games: String } = "unknown game: `{name}`; the games are {games}",
        GameIsFixed = "the game of a competition cannot be changed",
        Title { limit: usize } = "title must be one line of at most {limit} characters",
        Slug { limit: usize } =
            "address must have at most {limit} lowercase letters, digits and hyphens, and not begin with a hyphen",
        OwnSlug = "the address of a game's own competition cannot be changed",
        SlugTaken = "another competition has this address",
        Description { limit: usize } = "description must be plain text of at most {limit} characters",
        OutOfRange { number: u64, least: u64, most: u64 } = "{number} is out of range: {least} to {most}",
        OverAtOnce = "with these parameters the game is over before the first move",
        Parameters(error: SetupError),
        ByHand = "competitions of renju keep ALPHANO's rules; remove `rules` and `opening-rule`",
        OpeningIsGiven = "openings cannot be drawn when the opening is given",
        Openings(error: English),
        ClosesBeforeOpening = "closing time is before opening time",
        ClosesInThePast = "closing time has already passed",
        UnknownLanguage = "choose languages from the list",
        Entry = "choose who may enter: open, invited or private",
        Replays = "choose who sees the moves: always or after",
        ReplaysWithoutEnd = "moves are hidden until the competition closes; set its closing time",
        IsTheGames = "a game's own competition cannot be deleted; close it instead",
        HasPrograms = "a competition with users' programs cannot be deleted; close it instead",
    }
}

impl CompetitionError {
    /// No competition has this address; it may be the name of a game.
    pub fn unknown(slug: &str) -> FieldError {
        let title = |game: &Game| game.name() == slug || game.title().to_lowercase() == slug.to_lowercase();
        FieldError::new(
            "contest",
            match Game::all().into_iter().find(title) {
                Some(game) => {
                    let address = game.name().split('@').next().unwrap_or_default().to_owned();
                    Self::UnknownIsGame { name: slug.to_owned(), slug: address }
                }
                None => Self::Unknown { slug: slug.to_owned() },
            },
        )
    }
}

/// A host's settings for a competition. Missing fields have their defaults.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CompetitionSettings)]
#[serde(default, deny_unknown_fields)]
pub struct CompetitionSettings {
    /// The name of the game; a competition that has been made keeps it.
    #[schema(example = "renju")]
    pub game: String,
    /// Its title, in one line.
    #[schema(max_length = 60)]
    pub title: String,
    /// Its name in addresses: lower-case letters, digits and hyphens; derived from the title if empty.
    #[schema(max_length = 40)]
    pub slug: String,
    /// The host's description.
    #[schema(max_length = 4000)]
    pub description: String,
    /// Parameters of the game by name; those left out have their defaults.
    pub parameters: BTreeMap<String, String>,
    /// Plies drawn for both sides before each game, 0 for none; null for the balanced openings of the game if it has
    /// some, else for its usual number of plies.
    #[schema(maximum = 60)]
    pub openings: Option<u32>,
    /// A program's time in milliseconds for its whole game, or of the petri dish for an action; null for the site's.
    #[schema(minimum = 10, maximum = 86_400_000)]
    pub clock_ms: Option<u64>,
    /// Memory of a program in MiB; null for the site's.
    #[schema(minimum = 1, maximum = 1_048_576)]
    #[serde(rename = "memory_mb")]
    pub memory_mib: Option<u64>,
    /// The allowed languages; empty for all that the site offers.
    pub languages: Vec<String>,
    /// When it opens; null when it is open already.
    pub opens: Option<i64>,
    /// When it closes; null for never.
    pub closes: Option<i64>,
    /// Submissions of an account within 24 hours; null for as many as the site takes.
    #[schema(minimum = 1, maximum = 100_000)]
    pub daily: Option<u32>,
    /// Who may enter: `open` for everyone with an account, `invited` for those who have followed its invitation,
    /// `private` for the same, but hidden from everyone else except the host.
    #[schema(pattern = "^(open|invited|private)$")]
    pub entry: String,
    /// Who sees the moves before the end: `always` for everyone, `after` for the authors of both programs and the host.
    #[schema(pattern = "^(always|after)$")]
    pub replays: String,
}

impl Default for CompetitionSettings {
    fn default() -> Self {
        Self {
            game: String::new(),
            title: String::new(),
            slug: String::new(),
            description: String::new(),
            parameters: BTreeMap::new(),
            openings: None,
            clock_ms: None,
            memory_mib: None,
            languages: Vec::new(),
            opens: None,
            closes: None,
            daily: None,
            entry: EntryRule::Open.name().to_owned(),
            replays: ReplayRule::Always.name().to_owned(),
        }
    }
}

impl From<&Competition> for CompetitionSettings {
    fn from(competition: &Competition) -> Self {
        let languages = competition.languages.iter().flatten().map(|language| language.name().to_owned()).collect();
        Self {
            game: competition.game.name().to_owned(),
            title: competition.title.clone(),
            slug: competition.slug.clone(),
            description: competition.description.clone(),
            parameters: competition.parameters.clone(),
            openings: (!competition.balanced).then_some(competition.openings),
            clock_ms: competition.clock_ms,
            memory_mib: competition.memory_mib,
            languages,
            opens: competition.opens,
            closes: competition.closes,
            daily: competition.daily,
            entry: competition.entry.name().to_owned(),
            replays: competition.replays.name().to_owned(),
        }
    }
}

fn fault<T>(field: &'static str, error: CompetitionError) -> Result<T, FieldError> {
    Err(FieldError::new(field, error))
}

/// A number within its bounds, if there is one.
fn within<T: Copy + PartialOrd + Into<u64>>(
    field: &'static str,
    number: Option<T>,
    (least, most): (T, T),
) -> Result<Option<T>, FieldError> {
    match number {
        Some(number) if !(least..=most).contains(&number) => {
            let [number, least, most] = [number, least, most].map(Into::into);
            fault(field, CompetitionError::OutOfRange { number, least, most })
        }
        number => Ok(number),
    }
}

/// A title as a part of an address.
fn slug_of(title: &str) -> String {
    let letters = romanized(title);
    let letters = letters.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
    let words = letters.collect::<String>();
    let slug = words.split_whitespace().collect::<Vec<_>>().join("-");
    slug.chars().take(MAX_SLUG_CHARS).collect::<String>().trim_end_matches('-').to_owned()
}

impl CompetitionSettings {
    fn slug(&self, title: &str, game: Game, known: Option<&Competition>) -> Result<String, FieldError> {
        let slug = if self.slug.is_empty() { slug_of(title) } else { self.slug.clone() };
        let letters = slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if slug.is_empty() || !letters || slug.starts_with('-') || slug.len() > MAX_SLUG_CHARS {
            return fault("slug", CompetitionError::Slug { limit: MAX_SLUG_CHARS });
        }
        match known {
            Some(known) if known.slug == game.name() && slug != known.slug => fault("slug", CompetitionError::OwnSlug),
            _ => Ok(slug),
        }
    }

    fn parameters(&self, game: Game) -> Result<BTreeMap<String, String>, FieldError> {
        let mut parameters = self.parameters.clone();
        for parameter in game.parameters {
            if parameters.get(parameter.name).is_some_and(|value| value == parameter.default) {
                parameters.remove(parameter.name);
            }
        }
        if game.can(Capability::GameFiles) && BY_HAND.iter().any(|name| parameters.contains_key(*name)) {
            return fault("parameters", CompetitionError::ByHand);
        }
        let setup = Setup { seed: 1, parameters: parameters.clone() };
        match game.initial_state(&setup) {
            Ok(state) if state.turn().is_some() => Ok(parameters),
            Ok(_) => fault("parameters", CompetitionError::OverAtOnce),
            Err(error) => {
                let field = match &error {
                    SetupError::Value { name, .. } => format!("parameters.{name}"),
                    _ => "parameters".to_owned(),
                };
                Err(FieldError::new(field, CompetitionError::Parameters(error)))
            }
        }
    }

    /// Plies to draw, and whether games begin with balanced openings.
    fn openings(&self, game: Game, parameters: &BTreeMap<String, String>) -> Result<(u32, bool), FieldError> {
        let Some(openings) = within("openings", self.openings, (0, MAX_OPENING_PLIES))? else {
            if opening_file::is_usually_balanced(game) && OpeningFile::balanced(game, parameters, 1).is_some() {
                return Ok((0, true));
            }
            let usual = game.openings.usual_plies;
            let given = parameters.contains_key(openings::PARAMETER);
            let drawn = usual > 0 && !given && openings::draw(game, parameters, usual, 1).is_ok();
            return Ok((if drawn { usual } else { 0 }, false));
        };
        if openings == 0 {
            return Ok((0, false));
        }
        if parameters.contains_key(openings::PARAMETER) {
            return fault("openings", CompetitionError::OpeningIsGiven);
        }
        match openings::draw(game, parameters, openings, 1) {
            Ok(_) => Ok((openings, false)),
            Err(error) => fault("openings", CompetitionError::Openings(English(error.to_string()))),
        }
    }

    /// The competition with these settings; `known` is the one that they change. Its address may still be taken.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self, known: Option<&Competition>) -> Result<Competition, FieldError> {
        let Some(game) = Game::by_name(&self.game) else {
            let (name, games) = (self.game.clone(), Game::names().join(", "));
            return fault("game", CompetitionError::UnknownGame { name, games });
        };
        if known.is_some_and(|known| known.game != game) {
            return fault("game", CompetitionError::GameIsFixed);
        }
        let wrong = CompetitionError::Title { limit: MAX_TITLE_CHARS };
        let title = check_line(&self.title, MAX_TITLE_CHARS, "title", wrong)?;
        let slug = self.slug(&title, game, known)?;
        let description = self.description.trim().to_owned();
        let odd = |c: char| c.is_control() && c != '\n';
        if description.chars().count() > MAX_DESCRIPTION_CHARS || description.chars().any(odd) {
            return fault("description", CompetitionError::Description { limit: MAX_DESCRIPTION_CHARS });
        }
        let parameters = self.parameters(game)?;
        let (openings, balanced) = self.openings(game, &parameters)?;
        if self.opens.zip(self.closes).is_some_and(|(opens, closes)| closes <= opens) {
            return fault("closes", CompetitionError::ClosesBeforeOpening);
        }
        // One that is closed already keeps its time.
        let kept = known.is_some_and(|known| known.closes == self.closes);
        if self.closes.is_some_and(|closes| closes < now()) && !kept {
            return fault("closes", CompetitionError::ClosesInThePast);
        }
        let languages: Option<Vec<Language>> = self.languages.iter().map(|name| Language::by_name(name)).collect();
        let Some(languages) = languages else { return fault("languages", CompetitionError::UnknownLanguage) };
        let (entry, replays) = (EntryRule::by_name(&self.entry), ReplayRule::by_name(&self.replays));
        let Some(entry) = entry else { return fault("entry", CompetitionError::Entry) };
        let Some(replays) = replays else { return fault("replays", CompetitionError::Replays) };
        if replays == ReplayRule::After && self.closes.is_none() {
            return fault("replays", CompetitionError::ReplaysWithoutEnd);
        }
        Ok(Competition {
            id: known.map_or(0, |known| known.id),
            slug,
            title,
            game,
            parameters,
            openings,
            balanced,
            clock_ms: within("clock_ms", self.clock_ms, (MIN_CLOCK_MS, MAX_CLOCK_MS))?,
            memory_mib: within("memory_mb", self.memory_mib, (1, MAX_MEMORY_MIB))?,
            languages: Some(languages).filter(|chosen| !chosen.is_empty() && chosen.len() < Language::ALL.len()),
            opens: self.opens,
            closes: self.closes,
            daily: within("daily", self.daily, (1, MAX_DAILY))?,
            entry,
            replays,
            description,
            created: known.map_or_else(now, |known| known.created),
        })
    }
}
