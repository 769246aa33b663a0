//! The languages of messages.

/// A language of messages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Locale {
    /// English, the language of the code.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "en"))]
    English,
    /// Korean.
    #[cfg_attr(feature = "serde", serde(rename = "ko"))]
    Korean,
}

impl Locale {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::Korean];

    /// Its code of BCP 47.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Korean => "ko",
        }
    }

    /// Its name, in itself.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Korean => "한국어",
        }
    }

    /// The language of a code, with a region perhaps (`ko-KR`).
    pub fn parse(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_']).next()?.trim();
        Self::ALL.into_iter().find(|locale| locale.code().eq_ignore_ascii_case(primary))
    }

    /// The language that a browser prefers, from a header `Accept-Language`.
    pub fn accepted(header: &str) -> Option<Self> {
        let wanted = header.split(',').filter_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let locale = Self::parse(parts.next()?)?;
            let weight = parts.find_map(|part| part.strip_prefix("q="));
            let weight: f32 = weight.map_or(Some(1.0), |weight| weight.trim().parse().ok())?;
            (weight > 0.0).then_some((locale, weight))
        });
        // Of equal ones the first counts.
        wanted.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(locale, _)| locale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_language_that_it_wants_most() {
        let check = |header: &str, wanted: Option<&str>| {
            assert_eq!(Locale::accepted(header).map(Locale::code), wanted, "{header}");
        };
        check("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", Some("ko"));
        check("en-US,en;q=0.9,ko;q=0.8", Some("en"));
        check("de, ko;q=0.5, en;q=0.3", Some("ko"));
        check("en;q=0.3, KO;q=0.5", Some("ko"));
        check("ko;q=0, en;q=0.1", Some("en"));
        check("de,fr", None);
        check("*", None);
        check("", None);
        check("ko;q=x", None);
        check("korean", None);
    }
}
