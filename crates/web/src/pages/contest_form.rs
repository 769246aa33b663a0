//! The form of a contest: what its host types, and what is wrong with it.

use std::collections::BTreeMap;

use agon_arena::openings;
use agon_arena::store::site::{EntryRule, ReplayRule, SiteContest};
use agon_game::Interaction;
use agon_referee::agent::Language;
use agon_referee::process::find_program;
use agon_rules::catalog::{Game, GameParameter, Setup, SetupError};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use maud::{Markup, html};

use crate::clock::now;
use crate::error::FieldError;
use crate::layout::problem;
use crate::options::SiteOptions;

/// Characters of a title and of an address, and of a description.
const LONGEST_TITLE: usize = 60;
const LONGEST_SLUG: usize = 40;
const LONGEST_DESCRIPTION: usize = 4000;

/// The longest opening in plies, the longest clock in milliseconds, the most memory in MiB, the most submissions a day.
const LONGEST_OPENING: u32 = 60;
const LONGEST_CLOCK: u64 = 86_400_000;
const MOST_MEMORY: u64 = 1 << 20;
const MOST_DAILY: u32 = 100_000;

/// How a time is typed, and how browsers write it.
const TIME: &str = "%Y-%m-%dT%H:%M";

fn fault<T>(field: &str, text: impl Into<String>) -> Result<T, FieldError> {
    Err(FieldError::new(field.to_owned(), text))
}

/// A contest as typed.
#[derive(Clone, Debug)]
pub struct ContestDraft {
    /// The contest that is edited, if it is not a new one.
    known: Option<SiteContest>,
    game: Game,
    fields: BTreeMap<String, String>,
    languages: Vec<String>,
}

/// The field of a parameter.
fn parameter_field(parameter: &GameParameter) -> String {
    format!("parameter.{}", parameter.name)
}

/// A time of the store as it is typed.
fn typed_time(seconds: i64) -> String {
    Timestamp::from_second(seconds).map_or_else(|_| String::new(), |time| time.strftime(TIME).to_string())
}

/// A title as a part of an address.
fn slug_of(title: &str) -> String {
    let letters = title.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
    let words = letters.collect::<String>();
    let slug = words.split_whitespace().collect::<Vec<_>>().join("-");
    slug.chars().take(LONGEST_SLUG).collect::<String>().trim_end_matches('-').to_owned()
}

impl ContestDraft {
    /// That of a new contest.
    pub fn new(game: Game) -> Self {
        let fields = [("entry", EntryRule::Open.name()), ("replays", ReplayRule::Always.name())];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        Self { known: None, game, fields, languages: Vec::new() }
    }

    /// That of a contest as it is.
    pub fn of(contest: &SiteContest) -> Self {
        let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        let time = |time: Option<i64>| time.map_or_else(String::new, typed_time);
        let mut fields: BTreeMap<String, String> = [
            ("slug", contest.slug.clone()),
            ("title", contest.title.clone()),
            ("openings", if contest.openings == 0 { String::new() } else { contest.openings.to_string() }),
            ("clock", contest.clock_ms.map_or_else(String::new, |ms| (ms as f64 / 1000.0).to_string())),
            ("memory", number(contest.memory_mb)),
            ("opens", time(contest.opens)),
            ("closes", time(contest.closes)),
            ("daily", number(contest.daily.map(u64::from))),
            ("entry", contest.entry.name().to_owned()),
            ("replays", contest.replays.name().to_owned()),
            ("description", contest.description.clone()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        for (name, value) in &contest.parameters {
            fields.insert(format!("parameter.{name}"), value.clone());
        }
        let languages = contest.languages.iter().flatten().map(|language| language.name().to_owned()).collect();
        Self { known: Some(contest.clone()), game: contest.game, fields, languages }
    }

    /// The same contest as this form of a browser has it.
    pub fn typed(self, form: Vec<(String, String)>) -> Self {
        let mut draft = Self { fields: BTreeMap::new(), languages: Vec::new(), ..self };
        for (name, value) in form {
            match name.as_str() {
                "language" => draft.languages.push(value),
                _ => drop(draft.fields.insert(name, value.replace("\r\n", "\n").trim().to_owned())),
            }
        }
        draft
    }

    fn value(&self, field: &str) -> &str {
        self.fields.get(field).map_or("", String::as_str)
    }

    /// A number in a field; `None` where there is nothing.
    fn number(&self, field: &str, least: u64, most: u64) -> Result<Option<u64>, FieldError> {
        match self.value(field) {
            "" => Ok(None),
            text => match text.parse() {
                Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
                _ => fault(field, format!("`{text}` is no number from {least} to {most}")),
            },
        }
    }

    fn time(&self, field: &str) -> Result<Option<i64>, FieldError> {
        match self.value(field) {
            "" => Ok(None),
            text => {
                let read = text.parse::<DateTime>().and_then(|time| time.to_zoned(TimeZone::UTC));
                match read {
                    Ok(time) => Ok(Some(time.timestamp().as_second())),
                    Err(_) => fault(field, format!("`{text}` is no time such as 2026-11-30T18:00")),
                }
            }
        }
    }

    fn clock(&self) -> Result<Option<u64>, FieldError> {
        let text = self.value("clock");
        if text.is_empty() {
            return Ok(None);
        }
        let ms = text.parse::<f64>().ok().map(|seconds| seconds * 1000.0).filter(|ms| ms.is_finite());
        match ms.map(f64::round) {
            Some(ms) if ms >= 10.0 && ms <= LONGEST_CLOCK as f64 => Ok(Some(ms as u64)),
            _ => fault("clock", format!("`{text}` is no time from 0.01 to {} seconds", LONGEST_CLOCK / 1000)),
        }
    }

    fn slug(&self, title: &str) -> Result<String, FieldError> {
        let slug = match self.value("slug") {
            "" => slug_of(title),
            typed => typed.to_owned(),
        };
        let letters = slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if slug.is_empty() || !letters || slug.starts_with('-') || slug.len() > LONGEST_SLUG {
            let wanted = "the address has small letters a to z, digits and hyphens, at most";
            return fault("slug", format!("{wanted} {LONGEST_SLUG}, and begins with no hyphen"));
        }
        match &self.known {
            Some(known) if known.slug == self.game.name() && slug != known.slug => {
                fault("slug", "this is the game's own contest: its address stays")
            }
            _ => Ok(slug),
        }
    }

    fn parameters(&self) -> Result<BTreeMap<String, String>, FieldError> {
        let given = self.game.parameters().iter().filter_map(|parameter| {
            let value = self.value(&parameter_field(parameter));
            (!value.is_empty() && value != parameter.default).then(|| (parameter.name.to_owned(), value.to_owned()))
        });
        let parameters: BTreeMap<String, String> = given.collect();
        let setup = Setup { seed: 1, parameters: parameters.clone() };
        match self.game.contest(&setup) {
            Ok(contest) if contest.turn().is_some() => Ok(parameters),
            Ok(_) => fault("parameters", "with these parameters the game is over before it has begun"),
            Err(error) => {
                let field = match &error {
                    SetupError::Value { name, .. } => format!("parameter.{name}"),
                    _ => "parameters".to_owned(),
                };
                fault(&field, error.to_string())
            }
        }
    }

    fn openings(&self, parameters: &BTreeMap<String, String>) -> Result<u32, FieldError> {
        let openings = self.number("openings", 0, LONGEST_OPENING.into())?.unwrap_or_default() as u32;
        if openings == 0 {
            return Ok(0);
        }
        if parameters.contains_key(openings::PARAMETER) {
            return fault("openings", "openings cannot be drawn where the opening is given");
        }
        match openings::draw(self.game, parameters, openings, 1) {
            Ok(_) => Ok(openings),
            Err(error) => fault("openings", error.to_string()),
        }
    }

    /// The contest, if all of it is right. Its address may still be another's.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<SiteContest, FieldError> {
        let title = self.value("title").to_owned();
        if title.is_empty() || title.chars().count() > LONGEST_TITLE || title.chars().any(char::is_control) {
            return fault("title", format!("the title is a line of at most {LONGEST_TITLE} characters"));
        }
        let slug = self.slug(&title)?;
        let description = self.value("description").to_owned();
        let odd = |c: char| c.is_control() && c != '\n';
        if description.chars().count() > LONGEST_DESCRIPTION || description.chars().any(odd) {
            let text = format!("the description is a text of at most {LONGEST_DESCRIPTION} characters");
            return fault("description", text);
        }
        let parameters = self.parameters()?;
        let openings = self.openings(&parameters)?;
        let (opens, closes) = (self.time("opens")?, self.time("closes")?);
        if opens.zip(closes).is_some_and(|(opens, closes)| closes <= opens) {
            return fault("closes", "it closes before it opens");
        }
        let known = |name: &String| Language::by_name(name);
        let languages: Option<Vec<Language>> = self.languages.iter().map(known).collect();
        let Some(languages) = languages else { return fault("language", "choose languages of the list") };
        let (entry, replays) = (EntryRule::by_name(self.value("entry")), ReplayRule::by_name(self.value("replays")));
        let Some(entry) = entry else { return fault("entry", "choose who may enter") };
        let Some(replays) = replays else { return fault("replays", "choose who sees the moves") };
        if replays == ReplayRule::After && closes.is_none() {
            return fault("replays", "the moves are hidden until the contest closes: say when that is");
        }
        Ok(SiteContest {
            id: self.known.as_ref().map_or(0, |known| known.id),
            slug,
            title,
            game: self.game,
            parameters,
            openings,
            clock_ms: self.clock()?,
            memory_mb: self.number("memory", 1, MOST_MEMORY)?,
            languages: Some(languages).filter(|chosen| !chosen.is_empty() && chosen.len() < Language::ALL.len()),
            opens,
            closes,
            daily: self.number("daily", 1, MOST_DAILY.into())?.map(|daily| daily as u32),
            entry,
            replays,
            description,
            created: self.known.as_ref().map_or_else(now, |known| known.created),
        })
    }

    /// The form, with what was typed and what is wrong with it.
    pub fn show(&self, wrong: Option<&FieldError>, options: &SiteOptions) -> Markup {
        let field = |name: &str, label: &str, hint: &str, input: Markup| field(name, label, hint, &input, wrong);
        let text = |name: &str, label: &str, hint: &str, usual: &str| {
            let marked = wrong.is_some_and(|wrong| wrong.field == name);
            let input = html! {
                input name=(name) value=(self.value(name)) placeholder=(usual) autocomplete="off" maxlength="400"
                    aria-invalid=[marked.then_some("true")] aria-describedby={ (name) "-hint" };
            };
            field(name, label, hint, input)
        };
        let time = |name: &str, label: &str, hint: &str| {
            let input = html! {
                input type="datetime-local" name=(name) value=(self.value(name)) aria-describedby={ (name) "-hint" };
            };
            field(name, label, hint, input)
        };
        let choice = |name: &str, label: &str, hint: &str, all: &[(&str, &str)]| {
            let input = html! {
                select name=(name) aria-describedby={ (name) "-hint" } {
                    @for (value, words) in all { option value=(value) selected[self.value(name) == *value] { (words) } }
                }
            };
            field(name, label, hint, input)
        };
        let (limits, session) = (
            &options.limits,
            self.game.contest(&Setup::default()).is_ok_and(|contest| contest.interaction() == Interaction::Session),
        );
        let usual_clock = if session { limits.clock_ms } else { limits.invocation_ms };
        let clock =
            if session { "Clock in seconds, for a side's whole game" } else { "Time in seconds, for each action" };
        let action = self
            .known
            .as_ref()
            .map_or_else(|| "/host/contests".to_owned(), |known| format!("/host/contests/{}", known.id));
        let opened = self.game.parameters().iter().any(|parameter| parameter.name == openings::PARAMETER);
        html! {
            (problem(wrong.map(|wrong| wrong.text.as_str())))
            form.stack method="post" action=(action) {
                input type="hidden" name="game" value=(self.game.name());
                fieldset { legend { "The contest" }
                    div.fields {
                        (text("title", "Title", "", ""))
                        (text("slug", "Address", "small letters, digits, hyphens; /ladder/…", "from the title"))
                    }
                    label { "Description" textarea name="description" rows="4" maxlength=(LONGEST_DESCRIPTION) { "\n" (self.value("description")) } }
                }
                fieldset { legend { (self.game.title()) }
                    div.fields {
                        @for parameter in self.game.parameters() {
                            (text(&parameter_field(parameter), parameter.name, &format!("{}: {}", parameter.meaning, parameter.values), parameter.default))
                        }
                        @if opened { (text("openings", "plies of random opening", "drawn for both sides before each game, so that no two games are alike; programs must understand OPENING lines", "none")) }
                    }
                }
                fieldset { legend { "Limits" }
                    div.fields {
                        (text("clock", clock, "", &(usual_clock as f64 / 1000.0).to_string()))
                        (text("memory", "Memory in MiB", "", &limits.memory_mb.to_string()))
                        (text("daily", "Submissions a day", "of an account", &options.submissions.daily.to_string()))
                    }
                    p.label { "Languages" span.hint { "none chosen: all that this site offers" } }
                    div.checks { @for language in Language::ALL {
                        label.check { input type="checkbox" name="language" value=(language.name()) checked[self.languages.iter().any(|name| name == language.name())];
                            (language.name()) @if find_program(language.compiler()).is_none() { span.hint { "not installed" } } }
                    } }
                }
                fieldset { legend { "When and who" }
                    div.fields {
                        (time("opens", "Opens (UTC)", "nothing: it is open already"))
                        (time("closes", "Closes (UTC)", "nothing: never; afterwards no submissions, no games of the ladder"))
                        (choice("entry", "Who may enter", "", &[("open", "everybody with an account"), ("invited", "who has opened an invitation of the contest")]))
                        (choice("replays", "Who sees the moves before the end", "results are seen at once", &[("always", "everybody"), ("after", "a game's two authors, and you")]))
                    }
                }
                p { button.primary { @if self.known.is_some() { "Save" } @else { "Make the contest" } } }
            }
        }
    }
}

/// A field with its label, what it takes, and what is wrong with it.
fn field(name: &str, label: &str, hint: &str, input: &Markup, wrong: Option<&FieldError>) -> Markup {
    html! {
        label { (label) (input)
            span.hint id={ (name) "-hint" } {
                @if let Some(wrong) = wrong.filter(|wrong| wrong.field == name) { span.fault { (wrong.text) ". " } }
                (hint)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(game: Game, fields: &[(&str, &str)]) -> ContestDraft {
        let form = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        ContestDraft::new(game).typed(form)
    }

    const GOOD: [(&str, &str); 3] = [("title", "Friday Night!"), ("entry", "open"), ("replays", "always")];

    #[test]
    fn what_is_right_comes_back_from_its_contest() {
        let more = [
            ("parameter.rows", "6"),
            ("parameter.columns", "8"),
            ("openings", "2"),
            ("clock", "0.5"),
            ("memory", "64"),
            ("language", "PYTHON3"),
            ("language", "C20"),
            ("opens", "2026-11-23T05:30"),
            ("closes", "2026-11-30 18:00:30"),
            ("daily", "3"),
            ("description", "a\r\nb"),
        ];
        let contest = draft(Game::Domineering, &[&GOOD[..], &more].concat()).check().unwrap();
        assert_eq!((contest.slug.as_str(), contest.title.as_str()), ("friday-night", "Friday Night!"));
        assert_eq!(contest.parameters, [("rows".to_owned(), "6".to_owned())].into(), "8 columns are the default");
        assert_eq!((contest.openings, contest.clock_ms, contest.memory_mb), (2, Some(500), Some(64)));
        assert_eq!(contest.languages, Some(vec![Language::Python3, Language::C20]));
        assert_eq!((contest.opens, contest.closes), (Some(1_795_411_800), Some(1_796_061_630)));
        assert_eq!((contest.daily, contest.description.as_str()), (Some(3), "a\nb"));
        let again = ContestDraft::of(&contest).check().unwrap();
        assert_eq!(SiteContest { closes: contest.closes, ..again }, contest, "seconds are not shown");
    }

    #[test]
    fn a_fault_names_its_field() {
        let check = |game: Game, field: &str, value: &str, told: &str| {
            let wrong = draft(game, &[&GOOD[..], &[(field, value)]].concat()).check().unwrap_err();
            assert_eq!(wrong.field, field, "{wrong:?}");
            assert!(wrong.text.contains(told), "`{told}` is not in: {}", wrong.text);
        };
        check(Game::Renju, "title", "", "a line of at most 60");
        check(Game::Renju, "title", "a\u{7}", "a line of at most 60");
        check(Game::Renju, "slug", "Friday", "small letters");
        check(Game::Renju, "slug", "a/b", "small letters");
        check(Game::Renju, "slug", "-a", "small letters");
        check(Game::Domineering, "parameter.rows", "9", "1 to 8");
        check(Game::Petri, "parameter.rules", "mine", "contest or published");
        check(Game::Renju, "parameter.opening", "H8/H8", "refused at `H8`");
        check(Game::Renju, "openings", "-1", "from 0 to 60");
        check(Game::Domineering, "openings", "60", "is over within 60 plies");
        check(Game::Petri, "openings", "2", "has no openings");
        check(Game::Renju, "clock", "0", "0.01 to 86400");
        check(Game::Renju, "clock", "inf", "0.01 to 86400");
        check(Game::Renju, "memory", "1 GiB", "from 1 to 1048576");
        check(Game::Renju, "opens", "tomorrow", "no time such as");
        check(Game::Renju, "daily", "0", "from 1");
        check(Game::Renju, "language", "COBOL", "of the list");
        check(Game::Renju, "entry", "some", "who may enter");
        check(Game::Renju, "replays", "after", "say when that is");
        check(Game::Renju, "description", "\u{1}", "a text of at most");
        let wrong =
            draft(Game::Renju, &[&GOOD[..], &[("opens", "2026-01-02T00:00"), ("closes", "2026-01-01T00:00")]].concat());
        assert_eq!(wrong.check().unwrap_err().field, "closes");
        let wrong = draft(Game::Renju, &[&GOOD[..], &[("openings", "3"), ("parameter.opening", "H8")]].concat());
        assert_eq!(wrong.check().unwrap_err().field, "openings");
    }
}
