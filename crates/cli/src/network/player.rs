//! Who plays, as the command line names it.

use std::fs;

use agon_engines::bacteria::{Evaluation, evaluation};
use anyhow::Context;

/// An evaluation and its name.
pub struct Player {
    /// What the engine believes.
    pub evaluation: Evaluation,
    /// `classic`, or what the network is called where it must be exact: the beginning of its hash.
    pub name: String,
}

/// Digits of a hash that tell networks apart.
const DIGITS: usize = 16;

impl Player {
    /// Reads `classic`, `champion` or the path of a net file.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let evaluation = match text {
            "classic" => Evaluation::Classic,
            "champion" => Evaluation::Network(Box::new(evaluation::built_in())),
            path => {
                let file = fs::read(path)
                    .with_context(|| format!("`{path}` is neither `champion`, `classic` nor a net file"))?;
                Evaluation::read(&file).with_context(|| path.to_owned())?
            }
        };
        let name = match &evaluation {
            Evaluation::Classic => "classic".to_owned(),
            Evaluation::Network(evaluator) => evaluator.network().hash()[..DIGITS].to_owned(),
        };
        Ok(Self { evaluation, name })
    }
}
