//! Small whole games to start from, one in each language: `agon game new` writes them.

/// A small game in one language.
#[derive(Clone, Copy, Debug)]
pub struct Starter {
    /// Name on the command line.
    pub language: &'static str,
    /// The file of the rules.
    pub file: &'static str,
    pub rules: &'static str,
}

/// The name of the game in the texts below.
pub(crate) const NAME: &str = "last-stone";

/// Title in the starter.
const TITLE: &str = "Last Stone";

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

/// Files beside the rules in every language: a sample, and a page.
pub(crate) const SAMPLE: &str = include_str!("../starters/sample.py");
pub(crate) const PAGE: &str = include_str!("../starters/README.md");

/// The title that a name suggests: its words, each with a capital.
fn title(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    let words: Vec<String> = name.split('-').filter(|word| !word.is_empty()).map(capital).collect();
    if words.is_empty() { name.to_owned() } else { words.join(" ") }
}

/// The files of a game of this name: names and texts.
pub fn files(starter: &Starter, name: &str) -> [(&'static str, String); 3] {
    let title = title(name);
    let named = |text: &str| text.replace(NAME, name).replace(TITLE, &title);
    [
        (starter.file, named(starter.rules)),
        ("sample.py", named(SAMPLE)),
        ("README.md", named(PAGE).replace("RULES", starter.file)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_has_the_title_of_its_name() {
        for starter in &STARTERS {
            let [(_, rules), ..] = files(starter, "dots-and-boxes");
            assert!(rules.contains("name dots-and-boxes") && rules.contains("title Dots And Boxes"), "{rules}");
            assert!(!rules.contains(TITLE), "{rules}");
        }
        assert_eq!((title("hex7").as_str(), title("a-").as_str()), ("Hex7", "A"));
    }
}
