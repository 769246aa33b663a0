//! The form of a competition: the host's input and its mistakes.

use std::collections::BTreeMap;

use agon_arena::openings;
use agon_boards::layout::{coded, problem, sentence};
use agon_boards::text::{ParameterText, game_title, localized, read_time, t, typed_time};
use agon_catalog::renju::BY_HAND;
use agon_catalog::{Game, GameParameter, Setup};
use agon_game::Interaction;
use agon_message::messages;
use agon_referee::agent::{Language, toolchain};
use agon_site::competition::{
    CompetitionSettings, MAX_CLOCK_MS, MAX_DAILY, MAX_DESCRIPTION_CHARS, MAX_MEMORY_MIB, MAX_OPENING_PLIES,
    MIN_CLOCK_MS,
};
use agon_site::error::FieldError;
use agon_site::store::{Competition, EntryRule, ReplayRule};
use maud::{Markup, html};

use crate::once::once;
use crate::options::SiteOptions;

messages! {
    /// What cannot be read in the form.
    pub(crate) enum FormError {
        Number { text: String, most: u64 } = "invalid number: `{text}`; enter a number up to {most}",
        Time { text: String } = "invalid time: `{text}`; enter one such as 2026-11-30T18:00",
        Clock { text: String, most: u64 } = "invalid time: `{text}`; enter 0.01 to {most} seconds",
    }
}

/// A part of the form of an existing competition, on a page of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FormPart {
    /// How its games are played, and what may play.
    Rules,
    /// Its name, its times and its rights.
    Settings,
}

impl FormPart {
    /// The field that says which part was sent.
    pub(crate) const FIELD: &str = "part";

    const fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Settings => "settings",
        }
    }

    /// The part that a form is; `None` for a whole form.
    pub(crate) fn of_form(form: &[(String, String)]) -> Option<Self> {
        let sent = form.iter().find(|(name, _)| name == Self::FIELD).map(|(_, value)| value.as_str());
        [Self::Rules, Self::Settings].into_iter().find(|part| sent == Some(part.name()))
    }

    /// Whether a field belongs to it.
    fn has(self, field: &str) -> bool {
        let of_rules = ["openings", "clock", "memory", "daily", "language"].contains(&field);
        (self == Self::Rules) == (of_rules || field.starts_with("parameter."))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct CompetitionDraft {
    /// The competition being edited; `None` for a new one.
    known: Option<Competition>,
    game: Game,
    fields: BTreeMap<String, String>,
    languages: Vec<String>,
}

/// The field of a parameter.
fn parameter_field(parameter: &GameParameter) -> String {
    format!("parameter.{}", parameter.name)
}

/// The field of the form for a setting.
fn field_of(setting: &str) -> Option<String> {
    match setting {
        "clock_ms" => Some("clock".to_owned()),
        "memory_mb" => Some("memory".to_owned()),
        "languages" => Some("language".to_owned()),
        _ => setting.strip_prefix("parameters.").map(|name| format!("parameter.{name}")),
    }
}

impl CompetitionDraft {
    /// The form of a new competition.
    pub(crate) fn new(game: Game) -> Self {
        let fields = [("entry", EntryRule::Open.name()), ("replays", ReplayRule::Always.name())];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        Self { known: None, game, fields, languages: Vec::new() }
    }

    /// The form of an existing competition.
    pub(crate) fn from_competition(competition: &Competition) -> Self {
        let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        let time = |time: Option<i64>| time.map_or_else(String::new, typed_time);
        let mut fields: BTreeMap<String, String> = [
            ("slug", competition.slug.clone()),
            ("title", competition.title.clone()),
            ("openings", if competition.balanced { String::new() } else { competition.openings.to_string() }),
            ("clock", competition.clock_ms.map_or_else(String::new, |ms| (ms as f64 / 1000.0).to_string())),
            ("memory", number(competition.memory_mib)),
            ("opens", time(competition.opens)),
            ("closes", time(competition.closes)),
            ("daily", number(competition.daily.map(u64::from))),
            ("entry", competition.entry.name().to_owned()),
            ("replays", competition.replays.name().to_owned()),
            ("description", competition.description.clone()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        for (name, value) in &competition.parameters {
            fields.insert(format!("parameter.{name}"), value.clone());
        }
        let languages = competition.languages.iter().flatten().map(|language| language.name().to_owned()).collect();
        Self { known: Some(competition.clone()), game: competition.game, fields, languages }
    }

    /// The form of a new competition with the settings of another one, except for its times and address.
    pub(crate) fn like(competition: &Competition) -> Self {
        let mut draft = Self { known: None, ..Self::from_competition(competition) };
        for own in ["slug", "opens", "closes"] {
            draft.fields.remove(own);
        }
        draft
    }

    /// A part of the form of an existing competition, as a browser has it: what the other part has stays.
    pub(crate) fn typed_part(self, part: FormPart, form: Vec<(String, String)>) -> Self {
        let known = self.clone();
        let mut draft = self.typed(form);
        draft.fields.retain(|name, _| part.has(name));
        draft.fields.extend(known.fields.into_iter().filter(|(name, _)| !part.has(name)));
        if part == FormPart::Settings {
            draft.languages = known.languages;
        }
        draft
    }

    /// The same competition, as a browser's form has it.
    pub(crate) fn typed(self, form: Vec<(String, String)>) -> Self {
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

    /// A number in a field; `None` if it is empty.
    fn number(&self, field: &str, most: u64) -> Result<Option<u64>, FieldError> {
        match self.value(field) {
            "" => Ok(None),
            text => match text.parse() {
                Ok(number) if number <= most => Ok(Some(number)),
                _ => Err(FieldError::new(field.to_owned(), FormError::Number { text: text.to_owned(), most })),
            },
        }
    }

    /// A time; `known` is the competition's time, whose seconds the field does not show.
    fn time(&self, field: &str, known: Option<i64>) -> Result<Option<i64>, FieldError> {
        match self.value(field) {
            "" => Ok(None),
            text => match read_time(text) {
                Some(time) => Ok(Some(known.filter(|&known| time == known - known.rem_euclid(60)).unwrap_or(time))),
                None => Err(FieldError::new(field.to_owned(), FormError::Time { text: text.to_owned() })),
            },
        }
    }

    fn clock(&self) -> Result<Option<u64>, FieldError> {
        let text = self.value("clock");
        if text.is_empty() {
            return Ok(None);
        }
        let ms = text.parse::<f64>().ok().map(|seconds| seconds * 1000.0).filter(|ms| ms.is_finite());
        match ms.map(f64::round) {
            Some(ms) if ms >= MIN_CLOCK_MS as f64 && ms <= MAX_CLOCK_MS as f64 => Ok(Some(ms as u64)),
            _ => {
                let wrong = FormError::Clock { text: text.to_owned(), most: MAX_CLOCK_MS / 1000 };
                Err(FieldError::new("clock", wrong))
            }
        }
    }

    /// The typed settings, if they can be read.
    fn settings(&self) -> Result<CompetitionSettings, FieldError> {
        let text = |field: &str| self.value(field).to_owned();
        let parameters = self.game.parameters.iter().filter_map(|parameter| {
            let value = text(&parameter_field(parameter));
            (!value.is_empty()).then(|| (parameter.name.to_owned(), value))
        });
        Ok(CompetitionSettings {
            game: self.game.name().to_owned(),
            title: text("title"),
            slug: text("slug"),
            description: text("description"),
            parameters: parameters.collect(),
            openings: self.number("openings", MAX_OPENING_PLIES.into())?.map(|plies| plies as u32),
            clock_ms: self.clock()?,
            memory_mib: self.number("memory", MAX_MEMORY_MIB)?,
            languages: self.languages.clone(),
            opens: self.time("opens", self.known.as_ref().and_then(|known| known.opens))?,
            closes: self.time("closes", self.known.as_ref().and_then(|known| known.closes))?,
            daily: self.number("daily", MAX_DAILY.into())?.map(|daily| daily as u32),
            entry: text("entry"),
            replays: text("replays"),
        })
    }

    /// The competition with these settings. Its address may still be taken.
    ///
    /// # Errors
    /// The first mistake, for the field in which it was typed.
    pub(crate) fn check(&self) -> Result<Competition, FieldError> {
        let checked = self.settings()?.check(self.known.as_ref());
        checked.map_err(|wrong| match field_of(&wrong.field) {
            Some(field) => FieldError { field: field.into(), ..wrong },
            None => wrong,
        })
    }

    /// The form, with the input and its mistake.
    pub(crate) fn show(&self, wrong: Option<&FieldError>, options: &SiteOptions) -> Markup {
        self.show_part(None, wrong, options)
    }

    /// One part of the form of an existing competition.
    pub(crate) fn show_part(
        &self,
        part: Option<FormPart>,
        wrong: Option<&FieldError>,
        options: &SiteOptions,
    ) -> Markup {
        let action = self
            .known
            .as_ref()
            .map_or_else(|| "/host/competitions".to_owned(), |known| format!("/host/competitions/{}", known.id));
        let fields = Fields { draft: self, wrong };
        html! {
            (problem(wrong.map(|wrong| localized(&*wrong.reason)).as_deref()))
            form.stack method="post" action=(action) {
                input type="hidden" name="game" value=(self.game.name());
                @if self.known.is_none() { (once()) }
                @if let Some(part) = part { input type="hidden" name=(FormPart::FIELD) value=(part.name()); }
                @if part != Some(FormPart::Rules) { (fields.competition()) (fields.times_and_rights()) }
                @if part != Some(FormPart::Settings) { (fields.limits(options)) (fields.game()) }
                p { button.primary { @if self.known.is_some() { (t!("form-save")) } @else { (t!("form-make")) } } }
            }
        }
    }
}

/// The fields of a form, with the input and the mistake of one of them.
#[derive(Clone, Copy)]
struct Fields<'a> {
    draft: &'a CompetitionDraft,
    wrong: Option<&'a FieldError>,
}

impl Fields<'_> {
    /// A field with its label, its hint, and its mistake.
    fn field(self, name: &str, label: &str, hint: &str, input: &Markup) -> Markup {
        html! {
            // A script writes the zone of a time into the first element.
            label { span.label { (coded(label)) } (input)
                span.hint id={ (name) "-hint" } {
                    @if let Some(wrong) = self.wrong.filter(|wrong| wrong.field == name) {
                        span.fault { (sentence(&localized(&*wrong.reason))) " " }
                    }
                    (coded(hint))
                }
            }
        }
    }

    /// A line of text; `usual` is what it means when it is empty.
    fn text(self, name: &str, label: &str, hint: &str, usual: &str) -> Markup {
        let marked = self.wrong.is_some_and(|wrong| wrong.field == name);
        let input = html! {
            input name=(name) value=(self.draft.value(name)) placeholder=(usual) autocomplete="off" maxlength="400"
                aria-invalid=[marked.then_some("true")] aria-describedby={ (name) "-hint" };
        };
        self.field(name, label, hint, &input)
    }

    fn time(self, name: &str, label: &str, hint: &str) -> Markup {
        let typed = self.draft.value(name);
        let value = read_time(typed).map_or_else(|| typed.to_owned(), typed_time);
        let input = html! {
            // A browser that restores the input would lose its time zone.
            input type="datetime-local" name=(name) value=(value) autocomplete="off"
                aria-describedby={ (name) "-hint" };
        };
        self.field(name, label, hint, &input)
    }

    fn choice(self, name: &str, label: &str, hint: &str, all: &[(&str, String)]) -> Markup {
        let typed = self.draft.value(name);
        let input = html! {
            select name=(name) aria-describedby={ (name) "-hint" } {
                @for (value, words) in all { option value=(value) selected[typed == *value] { (words) } }
            }
        };
        self.field(name, label, hint, &input)
    }

    fn competition(self) -> Markup {
        html! {
            fieldset { legend { (t!("form-competition")) }
                div.fields {
                    (self.text("title", &t!("form-title"), "", ""))
                    (self.text("slug", &t!("form-slug"), &t!("form-slug-hint"), &t!("form-slug-usual")))
                }
                label {
                    (t!("form-description"))
                    textarea name="description" rows="4" maxlength=(MAX_DESCRIPTION_CHARS) {
                        "\n" (self.draft.value("description"))
                    }
                }
            }
        }
    }

    /// The game's parameters and its openings.
    fn game(self) -> Markup {
        let game = self.draft.game;
        let has_openings = game.parameters.iter().any(|parameter| parameter.name == openings::PARAMETER);
        html! {
            fieldset { legend { (game_title(game)) }
                div.fields {
                    @for parameter in game.parameters.iter().filter(|one| !BY_HAND.contains(&one.name)) {
                        @let words = ParameterText::new(game, parameter);
                        (self.text(&parameter_field(parameter), &words.meaning, &words.values, &words.default))
                    }
                    @if has_openings {
                        @let usual = t!("form-openings-usual");
                        (self.text("openings", &t!("form-openings"), &t!("form-openings-hint"), &usual))
                    }
                }
            }
        }
    }

    fn limits(self, options: &SiteOptions) -> Markup {
        let limits = &options.limits;
        let session = self
            .draft
            .game
            .initial_state(&Setup::default())
            .is_ok_and(|state| state.interaction() == Interaction::Session);
        let usual_clock = if session { limits.clock_ms } else { limits.invocation_ms };
        let clock = if session { t!("form-clock") } else { t!("form-action-time") };
        html! {
            fieldset { legend { (t!("form-limits")) }
                div.fields {
                    (self.text("clock", &clock, "", &(usual_clock as f64 / 1000.0).to_string()))
                    (self.text("memory", &t!("form-memory"), "", &limits.memory_mib.to_string()))
                    @let daily = options.submissions.daily.to_string();
                    (self.text("daily", &t!("form-daily"), &t!("form-daily-hint"), &daily))
                }
                (self.languages(options))
            }
        }
    }

    /// The languages that programs may be written in.
    fn languages(self, options: &SiteOptions) -> Markup {
        html! {
            p.label { (t!("form-languages")) span.hint { (t!("form-languages-hint")) } }
            div.checks { @for language in Language::ALL {
                label.check {
                    input type="checkbox" name="language" value=(language.name())
                        checked[self.draft.languages.iter().any(|name| name == language.name())];
                    (language.title())
                    @if options.fleet.is_none() && toolchain::compiler(language).is_err() {
                        span.hint { (t!("form-not-installed")) }
                    }
                }
            } }
        }
    }

    /// When it is open, who may enter, and who may watch.
    fn times_and_rights(self) -> Markup {
        let entries = [
            ("open", t!("form-entry-open")),
            ("invited", t!("form-entry-invited")),
            ("private", t!("form-entry-private")),
        ];
        let replays = [("always", t!("form-replays-always")), ("after", t!("form-replays-after"))];
        html! {
            fieldset { legend { (t!("form-when")) }
                div.fields {
                    (self.time("opens", &t!("form-opens"), &t!("form-opens-hint")))
                    (self.time("closes", &t!("form-closes"), &t!("form-closes-hint")))
                    (self.choice("entry", &t!("form-entry"), "", &entries))
                    (self.choice("replays", &t!("form-replays"), &t!("form-replays-hint"), &replays))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(game: Game, fields: &[(&str, &str)]) -> CompetitionDraft {
        let form = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        CompetitionDraft::new(game).typed(form)
    }

    const GOOD: [(&str, &str); 3] = [("title", "Friday Night!"), ("entry", "open"), ("replays", "always")];

    #[test]
    fn what_is_right_comes_back_from_its_competition() {
        let more = [
            ("parameter.rows", "6"),
            ("parameter.columns", "8"),
            ("openings", "2"),
            ("clock", "0.5"),
            ("memory", "64"),
            ("language", "PYTHON3"),
            ("language", "C20"),
            ("opens", "2096-11-23T05:30"),
            ("closes", "2096-11-30 18:00:30"),
            ("daily", "3"),
            ("description", "a\r\nb"),
        ];
        let competition = draft(Game::DOMINEERING, &[&GOOD[..], &more].concat()).check().unwrap();
        assert_eq!((competition.slug.as_str(), competition.title.as_str()), ("friday-night", "Friday Night!"));
        assert_eq!(competition.parameters, [("rows".to_owned(), "6".to_owned())].into(), "8 columns are the default");
        assert_eq!((competition.openings, competition.clock_ms, competition.memory_mib), (2, Some(500), Some(64)));
        assert_eq!(competition.languages, Some(vec![Language::Python3, Language::C20]));
        assert_eq!((competition.opens, competition.closes), (Some(4_004_487_000), Some(4_005_136_830)));
        assert_eq!((competition.daily, competition.description.as_str()), (Some(3), "a\nb"));
        let again = CompetitionDraft::from_competition(&competition).check().unwrap();
        assert_eq!(again, competition, "seconds are not shown, and kept");
    }

    #[test]
    fn a_time_says_its_zone_or_is_of_utc() {
        let noon = Some(4_004_510_400);
        for text in [
            "2096-11-23T12:00",
            "2096-11-23 12:00:00",
            "2096-11-23T12:00Z",
            "2096-11-23T12:00:00.000Z",
            "2096-11-23T21:00+09:00",
            "2096-11-23T07:00-05",
            "2096-11-23T17:45:00+05:45",
        ] {
            assert_eq!(read_time(text), noon, "{text}");
        }
        for text in
            ["", "tomorrow", "12:00", "2096-11-23T21:00[Asia/Seoul]", "2096-13-23T12:00", "+012345-01-01T00:00Z"]
        {
            assert_eq!(read_time(text), None, "{text}");
        }
    }

    #[test]
    fn times_that_are_not_changed_stay_to_the_second() {
        let known = draft(Game::RENJU, &[&GOOD[..], &[("closes", "2096-11-30T18:00:27Z")]].concat()).check().unwrap();
        // It has closed: its host clicked *Close it now* at some second, and now changes the title.
        let known = Competition { id: 9, closes: Some(1_700_000_007), ..known };
        let typed = |closes: &str| {
            let form = [("title", "Saturday"), ("entry", "open"), ("replays", "always"), ("closes", closes)];
            let form = form.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            CompetitionDraft::from_competition(&known).typed(form).check()
        };
        let shown = CompetitionDraft::from_competition(&known).value("closes").to_owned();
        assert_eq!(shown, "2023-11-14T22:13");
        for same in [shown.clone(), format!("{shown}Z"), format!("{shown}:00.000Z")] {
            let changed = typed(&same).unwrap();
            assert_eq!((changed.closes, changed.title.as_str()), (known.closes, "Saturday"), "{same}");
        }
        assert_eq!(typed("2023-11-14T22:14Z").unwrap_err().field, "closes");
    }

    #[test]
    fn a_fault_names_its_field() {
        let check = |game: Game, field: &str, value: &str, wanted: &str| {
            let wrong = draft(game, &[&GOOD[..], &[(field, value)]].concat()).check().unwrap_err();
            assert_eq!(wrong.field, field, "{wrong:?}");
            assert!(wrong.reason.to_string().contains(wanted), "`{wanted}` is not in: {}", wrong.reason);
        };
        check(Game::RENJU, "title", "", "one line of at most 60");
        check(Game::RENJU, "title", "a\u{7}", "one line of at most 60");
        check(Game::RENJU, "slug", "Friday", "lowercase letters");
        check(Game::RENJU, "slug", "a/b", "lowercase letters");
        check(Game::RENJU, "slug", "-a", "lowercase letters");
        check(Game::DOMINEERING, "parameter.rows", "9", "1 to 8");
        check(Game::PETRI, "parameter.rules", "mine", "contest or published");
        check(Game::RENJU, "parameter.opening", "H8/H8", "refused at `H8`");
        check(Game::RENJU, "openings", "-1", "number up to 60");
        check(Game::DOMINEERING, "openings", "60", "is over within 60 plies");
        check(Game::PETRI, "openings", "2", "has no openings");
        check(Game::RENJU, "clock", "0", "0.01 to 86400");
        check(Game::RENJU, "clock", "inf", "0.01 to 86400");
        check(Game::RENJU, "memory", "1 GiB", "number up to 1048576");
        check(Game::RENJU, "memory", "0", "out of range: 1 to 1048576");
        check(Game::RENJU, "opens", "tomorrow", "one such as");
        check(Game::RENJU, "daily", "0", "out of range: 1 to");
        check(Game::RENJU, "language", "COBOL", "from the list");
        check(Game::RENJU, "entry", "some", "who may enter");
        check(Game::RENJU, "replays", "after", "set its closing time");
        check(Game::RENJU, "description", "\u{1}", "plain text of at most");
        let wrong =
            draft(Game::RENJU, &[&GOOD[..], &[("opens", "2026-01-02T00:00"), ("closes", "2026-01-01T00:00")]].concat());
        assert_eq!(wrong.check().unwrap_err().field, "closes");
        let wrong = draft(Game::RENJU, &[&GOOD[..], &[("closes", "2020-01-01T00:00")]].concat()).check().unwrap_err();
        assert_eq!((wrong.field.as_ref(), wrong.reason.key()), ("closes", "competition-error-closes-in-the-past"));
        let wrong = draft(Game::RENJU, &[&GOOD[..], &[("openings", "3"), ("parameter.opening", "H8")]].concat());
        assert_eq!(wrong.check().unwrap_err().field, "openings");
    }
}
