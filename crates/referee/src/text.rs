//! Makes text from strangers safe to show, and finds the known name closest to a mistyped one.

pub use agon_game::text::{is_hidden, line, plain};

/// The known name that a mistyped one was probably meant to be: one slip of the fingers in three letters.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let near = known.into_iter().map(|known| (strsim::osa_distance(&name, &known.to_lowercase()), known));
    let close = near.filter(|&(distance, known)| distance <= known.chars().count() / 3);
    close.min_by_key(|&(distance, _)| distance).map(|(_, known)| known)
}
