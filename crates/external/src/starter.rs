//! Small whole games to start from, one in each language: `agon game new` writes them.

/// A small game in one language.
#[derive(Clone, Copy, Debug)]
pub struct Starter {
    /// As the command line names it.
    pub language: &'static str,
    /// The file of the rules.
    pub file: &'static str,
    pub rules: &'static str,
}

/// The name of the game in the texts below.
pub const NAME: &str = "last-stone";

macro_rules! starter {
    ($language:literal, $file:literal) => {
        Starter { language: $language, file: $file, rules: include_str!(concat!("../starters/", $file)) }
    };
}

/// The same game in each language.
pub const STARTERS: [Starter; 4] = [
    starter!("python", "rules.py"),
    starter!("cpp", "rules.cpp"),
    starter!("rust", "rules.rs"),
    starter!("js", "rules.js"),
];

/// What lies beside the rules, whatever their language: a sample, and a page.
pub const SAMPLE: &str = include_str!("../starters/sample.py");
pub const PAGE: &str = include_str!("../starters/README.md");

/// The files of a game of this name: names and texts.
pub fn files(starter: &Starter, name: &str) -> [(&'static str, String); 3] {
    let named = |text: &str| text.replace(NAME, name);
    [
        (starter.file, named(starter.rules)),
        ("sample.py", named(SAMPLE)),
        ("README.md", named(PAGE).replace("RULES", starter.file)),
    ]
}
