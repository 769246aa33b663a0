//! The options that end games by scores and length, as cutechess and fastchess have them.

use agon_catalog::Capability;
use agon_referee::adjudication::{Adjudication, DrawRule, ResignRule};
use anyhow::{Context, bail};
use clap::Args;

use crate::options::{self, up_to};

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct AdjudicationArgs {
    /// Adjudicate a draw when the scores of both agents have been within score= hundredths of 0 for movecount= moves,
    /// from move movenumber= on
    #[arg(long, value_name = "NAME=N", num_args = 1..=3, value_delimiter = ',',
          help_heading = options::only_for(Capability::Turns), requires = "game")]
    pub draw: Vec<String>,

    /// Adjudicate a loss when an agent's score has been at most -score= hundredths for movecount= moves;
    /// with twosided=true only if its opponent agrees
    #[arg(long, value_name = "NAME=N", num_args = 1..=3, value_delimiter = ',',
          help_heading = options::only_for(Capability::Turns), requires = "game")]
    pub resign: Vec<String>,

    /// Adjudicate a draw after this number of plies
    #[arg(long, value_name = "N", value_parser = up_to::<u32>(1_000_000),
          help_heading = options::only_for(Capability::Turns), requires = "game")]
    pub max_plies: Option<u32>,
}

impl AdjudicationArgs {
    /// The rules that were asked for.
    ///
    /// # Errors
    /// When one is not whole, or has a part that it cannot have.
    pub(crate) fn rules(&self) -> anyhow::Result<Adjudication> {
        let draw = if self.draw.is_empty() { None } else { Some(draw(&self.draw).context("--draw")?) };
        let resign = if self.resign.is_empty() { None } else { Some(resign(&self.resign).context("--resign")?) };
        Ok(Adjudication { draw, resign, max_plies: self.max_plies })
    }
}

fn draw(words: &[String]) -> anyhow::Result<DrawRule> {
    let parts = Parts::read(words, &["movenumber", "movecount", "score"])?;
    Ok(DrawRule {
        move_number: parts.number("movenumber")?.unwrap_or(0),
        move_count: parts.count()?,
        score: parts.needed("score")?,
    })
}

fn resign(words: &[String]) -> anyhow::Result<ResignRule> {
    let parts = Parts::read(words, &["movecount", "score", "twosided"])?;
    let two_sided = match parts.text("twosided") {
        None | Some("false") => false,
        Some("true") => true,
        Some(other) => bail!("twosided=`{other}` given; true or false expected"),
    };
    Ok(ResignRule { move_count: parts.count()?, score: parts.needed("score")?, two_sided })
}

/// The parts of a rule by their names.
struct Parts(Vec<(String, String)>);

impl Parts {
    fn read(words: &[String], known: &[&str]) -> anyhow::Result<Self> {
        let mut parts: Vec<(String, String)> = Vec::new();
        // In one word in quotes, too.
        for word in words.iter().flat_map(|word| word.split_whitespace()) {
            let names = known.join("=, ");
            let Some((name, value)) = word.split_once('=').filter(|(name, _)| known.contains(name)) else {
                bail!("`{word}` given; {names}= expected, each with a number");
            };
            if parts.iter().any(|(other, _)| other == name) {
                bail!("{name}= is given twice");
            }
            parts.push((name.to_owned(), value.to_owned()));
        }
        Ok(Self(parts))
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str) -> anyhow::Result<Option<u32>> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let number = text.parse().ok().filter(|number| (0..=1_000_000).contains(number));
        number.map(Some).with_context(|| format!("{name}=`{text}` given; a whole number from 0 to 1 000 000 expected"))
    }

    fn needed(&self, name: &str) -> anyhow::Result<u32> {
        self.number(name)?.with_context(|| format!("{name}= is missing"))
    }

    fn count(&self) -> anyhow::Result<u32> {
        let count = self.needed("movecount")?;
        if count == 0 {
            bail!("movecount=0 would end every game at once; a number from 1 expected");
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::in_one_line;

    #[test]
    fn rules_are_read_as_other_programs_write_them() {
        let read = |draw: &[&str], resign: &[&str]| {
            let [draw, resign] = [draw, resign].map(|words| words.iter().map(|&word| word.to_owned()).collect());
            AdjudicationArgs { draw, resign, max_plies: None }.rules().map_err(|error| in_one_line(&error))
        };
        let rules = read(&["movenumber=40", "movecount=8", "score=10"], &["movecount=3", "score=600"]).unwrap();
        let draw = DrawRule { move_number: 40, move_count: 8, score: 10 };
        assert_eq!(rules.draw, Some(draw));
        assert_eq!(rules.resign, Some(ResignRule { move_count: 3, score: 600, two_sided: false }));
        assert_eq!(read(&["movenumber=40 movecount=8 score=10"], &[]).unwrap().draw, Some(draw));
        let two_sided = read(&[], &["twosided=true", "movecount=3", "score=600"]).unwrap();
        assert!(two_sided.resign.unwrap().two_sided);
        assert_eq!(read(&[], &[]), Ok(Adjudication::OFF));
        let refused = |draw: &[&str], resign: &[&str], expected: &str| {
            let error = read(draw, resign).unwrap_err();
            assert!(error.contains(expected), "`{expected}` is not in: {error}");
        };
        refused(&["movecount=8"], &[], "--draw: score= is missing");
        refused(&["movecount=8", "score=x"], &[], "--draw: score=`x` given; a whole number");
        refused(&["movecount=8", "movecount=9", "score=1"], &[], "movecount= is given twice");
        refused(&["movecount=0", "score=1"], &[], "movecount=0 would end");
        refused(&["8"], &[], "--draw: `8` given; movenumber=, movecount=, score= expected");
        refused(&[], &["movenumber=1"], "--resign: `movenumber=1` given");
        refused(&[], &["movecount=1", "score=1", "twosided=yes"], "twosided=`yes` given; true or false");
    }
}
