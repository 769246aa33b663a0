//! The numbers of a user's program, and how it learns them.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::{fs, io};

use agon_arena::agents;
use agon_catalog::Game;
use agon_referee::agent::{AgentTerms, Identity};
use agon_referee::text::nearest;
use agon_training::spsa::TunedNumber;
use anyhow::bail;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Of a parameter without a step: this part of its range.
const STEPS_IN_RANGE: f64 = 10.0;

/// Files that are larger together are not searched for the names of parameters.
const MAX_SEARCHED_BYTES: u64 = 64 << 20;

/// A number of a program that is tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct BotParameter {
    pub name: String,
    pub start: f64,
    pub number: TunedNumber,
}

/// How a program learns its numbers, where no `{NAME}` stands for them in its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PassBy {
    /// Variables of its environment: NAME=VALUE
    Env,
    /// Arguments: --NAME=VALUE
    Args,
    /// Options of an engine behind `uai:` or `gomocup:`
    Option,
}

/// Reads `NAME=LO..HI`, `NAME=LO..HI:START` or `NAME=LO..HI:START:STEP`; whole numbers make it a whole number.
impl FromStr for BotParameter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let syntax = || "NAME=LO..HI expected, and after it :START or :START:STEP, as depth=1..8:4".to_owned();
        let (name, rest) = text.split_once('=').ok_or_else(syntax)?;
        let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !name.starts_with(begins) || !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) {
            return Err(format!("`{name}` is not a name: letters, digits, `_`, `-` and `.` expected, a letter first"));
        }
        let (range, others) = rest.split_once(':').map_or((rest, None), |(range, others)| (range, Some(others)));
        let (low, high) = range.split_once("..").ok_or_else(syntax)?;
        let (start, step) = match others.map(|others| others.split_once(':').unwrap_or((others, ""))) {
            None => (None, None),
            Some((start, step)) => (Some(start), Some(step).filter(|step| !step.is_empty())),
        };
        let given: Vec<&str> = [Some(low), Some(high), start, step].into_iter().flatten().map(str::trim).collect();
        let whole = given.iter().all(|text| text.parse::<i32>().is_ok());
        let number = |text: &str| {
            let number: Option<f64> = text.trim().parse().ok();
            number
                .filter(|number| number.is_finite() && number.abs() <= 1e12)
                .ok_or_else(|| format!("`{text}` is not a number"))
        };
        let (low, high) = (number(low)?, number(high)?);
        if low >= high {
            return Err(format!("the range {low}..{high} is empty: the lower end comes first"));
        }
        let middle = f64::midpoint(low, high);
        let start = start.map_or(Ok(if whole { middle.round() } else { middle }), number)?;
        if !(low..=high).contains(&start) {
            return Err(format!("the start {start} is not in {low}..{high}"));
        }
        let usual = (high - low) / STEPS_IN_RANGE;
        let step = step.map_or(Ok(if whole { usual.round().max(1.0) } else { usual }), number)?;
        if step <= 0.0 || step > high - low {
            return Err(format!("the step {step} is not between 0 and {}, the size of the range", high - low));
        }
        Ok(Self { name: name.to_owned(), start, number: TunedNumber { low, high, step, whole } })
    }
}

impl BotParameter {
    /// A value as the program is given it, and as it is shown: six digits that count.
    pub(crate) fn text(&self, value: f64) -> String {
        let value = self.number.usable(value);
        if self.number.whole {
            return format!("{}", value as i64);
        }
        let short: f64 = format!("{value:.5e}").parse().unwrap_or(value);
        // Never outside by rounding.
        short.clamp(self.number.low, self.number.high).to_string()
    }

    /// `1 to 8`
    pub(crate) fn range(&self) -> String {
        format!("{} to {}", self.text(self.number.low), self.text(self.number.high))
    }
}

/// A program and how it is given its numbers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TunedBot {
    pub game: Game,
    /// As the user names it, with a `{NAME}` in it or not.
    pub agent: String,
    pub parameters: Vec<BotParameter>,
    pub pass: PassBy,
}

impl TunedBot {
    /// A program, checked: its numbers have different names, and each reaches it.
    ///
    /// # Errors
    /// What means nothing, with the remedy.
    pub(super) fn new(
        game: Game,
        agent: &str,
        parameters: Vec<BotParameter>,
        pass: Option<PassBy>,
    ) -> anyhow::Result<Self> {
        let mut seen = BTreeSet::new();
        for parameter in &parameters {
            if !seen.insert(&parameter.name) {
                bail!("--param {}: it is given twice", parameter.name);
            }
        }
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        for word in placeholders(agent).filter(|word| !names.contains(word)) {
            if let Some(meant) = nearest(word, names.iter().copied()) {
                bail!("`{{{word}}}` in `{agent}` stands for no --param: did you mean `{{{meant}}}`?");
            }
        }
        let bot = Self { game, agent: agent.to_owned(), parameters, pass: pass.unwrap_or(PassBy::Env) };
        if pass.is_some() && bot.passed().next().is_none() {
            bail!("--pass: each parameter has its place in `{agent}`: leave it out");
        }
        Ok(bot)
    }

    /// The parameters that have no place in its words.
    fn passed(&self) -> impl Iterator<Item = (usize, &BotParameter)> {
        let placed = |parameter: &BotParameter| placeholders(&self.agent).any(|word| word == parameter.name);
        self.parameters.iter().enumerate().filter(move |(_, parameter)| !placed(parameter))
    }

    /// The values at the start.
    pub(super) fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// The text of the program with these values, without a name and a clock.
    ///
    /// # Errors
    /// If there is no such agent, or it cannot be given numbers like this.
    pub(super) fn text(&self, values: &[f64]) -> anyhow::Result<String> {
        let value = |at: usize| self.parameters[at].text(values[at]);
        let mut text = self.agent.clone();
        for (at, parameter) in self.parameters.iter().enumerate() {
            text = text.replace(&format!("{{{}}}", parameter.name), &value(at));
        }
        let passed: Vec<(&str, String)> = self.passed().map(|(at, it)| (it.name.as_str(), value(at))).collect();
        let prefix = |key: &str| {
            let words = passed.iter().map(|(name, value)| format!("{key}.{name}={value} "));
            words.collect::<Vec<_>>().concat()
        };
        match self.pass {
            PassBy::Env => text = prefix("env") + &text,
            PassBy::Option => text = prefix("option") + &text,
            PassBy::Args => {}
        }
        let named = agents::named(self.game, &text)?;
        if named.terms != AgentTerms::default() {
            bail!(
                "name= and clock= of `{}` mean nothing here: both sides are the program; its clock is --clock",
                self.agent
            );
        }
        if self.pass != PassBy::Args || passed.is_empty() {
            return Ok(named.text);
        }
        let words: Vec<String> = passed.iter().map(|(name, value)| format!("--{name}={value}")).collect();
        Ok(named.spec.with_arguments(&words)?.to_string())
    }

    /// The parameters whose names stand in none of the program's files; none where not all of these can be read.
    pub(super) fn unnamed(&self, identity: Option<&Identity>) -> Vec<&str> {
        let Some(identity) = identity.filter(|it| it.files == it.listed.len() as u64) else { return Vec::new() };
        if self.pass == PassBy::Option || identity.bytes > MAX_SEARCHED_BYTES {
            return Vec::new();
        }
        let Ok(files) = identity.listed.iter().map(|file| fs::read(&file.path)).collect::<io::Result<Vec<_>>>() else {
            return Vec::new();
        };
        let named = |name: &str| files.iter().any(|file| file.windows(name.len()).any(|part| part == name.as_bytes()));
        self.passed().map(|(_, parameter)| parameter.name.as_str()).filter(|name| !named(name)).collect()
    }

    /// How the program is given its numbers, for one that does not use them.
    pub(super) fn way(&self) -> String {
        let Some((at, parameter)) = self.passed().next() else {
            return format!("They are passed in `{}`", self.agent);
        };
        let (name, value) = (&parameter.name, parameter.text(self.start()[at]));
        match self.pass {
            PassBy::Env => {
                format!("It is given `{name}={value}` in its environment; --pass args gives it `--{name}={value}`")
            }
            PassBy::Args => {
                format!("It is given `--{name}={value}`; --pass env gives it a variable of its environment")
            }
            PassBy::Option => format!("It is given the option `{name}`"),
        }
    }

    /// `depth=4 margin=0.3`
    pub(super) fn shown(&self, values: &[f64]) -> String {
        let shown = self.parameters.iter().zip(values);
        shown.map(|(it, value)| format!("{}={}", it.name, it.text(*value))).collect::<Vec<_>>().join(" ")
    }
}

/// The names between braces in a text.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(text: &str) -> BotParameter {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn parameters_are_read() {
        let check = |text: &str, start: f64, [low, high, step]: [f64; 3], whole: bool| {
            let found = parameter(text);
            assert_eq!((found.start, found.number), (start, TunedNumber { low, high, step, whole }), "{text}");
        };
        check("depth=1..8", 5.0, [1.0, 8.0, 1.0], true);
        check("depth=1..8:4", 4.0, [1.0, 8.0, 1.0], true);
        check("margin=0..1000:50:5", 50.0, [0.0, 1000.0, 5.0], true);
        check("x-1=-2.5..2.5", 0.0, [-2.5, 2.5, 0.5], false);
        check("x=0..1:0.3", 0.3, [0.0, 1.0, 0.1], false);
        check("x=1e-3..1e-1:0.05:1e-3", 0.05, [0.001, 0.1, 0.001], false);
    }

    #[test]
    fn nonsense_is_refused() {
        let check = |text: &str, problem: &str| {
            let refused = text.parse::<BotParameter>().unwrap_err();
            assert!(refused.contains(problem), "{text}: {refused}");
        };
        check("depth", "NAME=LO..HI expected");
        check("depth=3", "NAME=LO..HI expected");
        check("=1..2", "`` is not a name");
        check("1x=1..2", "`1x` is not a name");
        check("a b=1..2", "`a b` is not a name");
        check("depth=8..1", "the range 8..1 is empty");
        check("depth=1..1", "the range 1..1 is empty");
        check("depth=1..8:9", "the start 9 is not in 1..8");
        check("depth=1..8:4:0", "the step 0 is not between 0 and 7");
        check("depth=1..8:4:9", "the step 9 is not between 0 and 7");
        check("depth=1..inf", "`inf` is not a number");
        check("depth=a..8", "`a` is not a number");
    }

    #[test]
    fn values_are_written_short() {
        let check = |text: &str, value: f64, shown: &str| assert_eq!(parameter(text).text(value), shown, "{text}");
        check("d=1..8", 4.4, "4");
        check("d=1..8", 99.0, "8");
        check("d=-5..5", -0.2, "0");
        check("x=0.0..1.0", 0.1 + 0.2, "0.3");
        check("x=0.0..0.3333333", 1.0, "0.333333");
        check("x=0.0..1e-9", 1.234_567_89e-10, "0.000000000123457");
    }

    #[test]
    fn a_program_gets_its_numbers() {
        let numbers = || vec![parameter("depth=1..8:4"), parameter("x=0..1:0.5")];
        let check = |agent: &str, pass: Option<PassBy>, text: &str| {
            let bot = TunedBot::new(Game::RENJU, agent, numbers(), pass).unwrap();
            assert_eq!(bot.text(&bot.start()).unwrap(), text, "{agent}");
        };
        check("sh -c true", None, "env.depth=4 env.x=0.5 sh -c true");
        check("sh -c true", Some(PassBy::Args), "sh -c true --depth=4 --x=0.5");
        check("sh -c true --d {depth} -x{x}", None, "sh -c true --d 4 -x0.5");
        check("sh -c true {depth}", Some(PassBy::Args), "sh -c true 4 --x=0.5");
        check("gomocup:sh", Some(PassBy::Option), "option.depth=4 option.x=0.5 gomocup:sh");
        let refused = |agent: &str, pass, parameters: Vec<BotParameter>, problem: &str| {
            let made = TunedBot::new(Game::RENJU, agent, parameters, pass);
            let error = made.and_then(|bot| bot.text(&bot.start())).unwrap_err().to_string();
            assert!(error.contains(problem), "{agent}: {error}");
        };
        refused("greedy", None, numbers(), "it is for programs, not for a built-in player");
        refused("sh -c true {deph}", None, numbers(), "did you mean `{depth}`?");
        refused("sh -c true {depth} {x}", Some(PassBy::Env), numbers(), "each parameter has its place");
        refused("name=new sh -c true", None, numbers(), "name= and clock= of `name=new sh -c true` mean nothing here");
        refused("sh -c true", None, vec![parameter("x=0..1"); 2], "--param x: it is given twice");
        refused("sh -c true", Some(PassBy::Option), numbers(), "it is for engines behind `uai:` or `gomocup:`");
        refused("no-such-program", None, numbers(), "not a program in PATH");
    }
}
