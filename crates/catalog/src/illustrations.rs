//! Pictures and examples of the rules: those of the project's documents.

/// What illustrates the rules of a game.
#[derive(Clone, Copy, Debug)]
pub struct Illustrations {
    /// In the order in which the rules mention them.
    pub pictures: &'static [RulePicture],
    /// The page of the project's documents with an example.
    page: &'static str,
    /// What happens in the example, in a sentence.
    pub example_caption: &'static str,
}

/// A picture of the rules.
#[derive(Clone, Copy, Debug)]
pub struct RulePicture {
    /// Its name among the pictures of its game.
    pub name: &'static str,
    pub svg: &'static str,
    /// What it shows, in a sentence.
    pub caption: &'static str,
}

impl Illustrations {
    /// No pictures and no example.
    pub const NONE: Self = Self { pictures: &[], page: "", example_caption: "" };

    pub(crate) const fn new(
        pictures: &'static [RulePicture],
        page: &'static str,
        example_caption: &'static str,
    ) -> Self {
        Self { pictures, page, example_caption }
    }

    /// A whole game, line by line; `None` if the page has none.
    pub fn example(&self) -> Option<&'static str> {
        let (_, example) = self.page.split_once("\n## Example\n")?;
        let (_, block) = example.split_once("\n```text\n")?;
        Some(block.split_once("\n```")?.0)
    }
}

/// The pictures of `docs/rules/pictures` with their captions, and the example in `docs/rules`.
macro_rules! illustrations {
    ($game:literal, $example:literal, $($name:literal => $caption:literal),+ $(,)?) => {{
        #[cfg(not(target_family = "wasm"))]
        const PICTURES: &[$crate::illustrations::RulePicture] = &[$($crate::illustrations::RulePicture {
            name: $name,
            svg: include_str!(concat!("../../../docs/rules/pictures/", $game, "-", $name, ".svg")),
            caption: $caption,
        }),+];
        #[cfg(not(target_family = "wasm"))]
        const PAGE: &str = include_str!(concat!("../../../docs/rules/", $game, ".md"));
        // The boards of a browser show no page of rules.
        #[cfg(target_family = "wasm")]
        const PICTURES: &[$crate::illustrations::RulePicture] = &[];
        #[cfg(target_family = "wasm")]
        const PAGE: &str = "";
        $crate::illustrations::Illustrations::new(PICTURES, PAGE, $example)
    }};
}

pub(crate) use illustrations;
