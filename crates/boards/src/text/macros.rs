//! The short way to a message.

/// A message of the catalogue, with its values.
#[macro_export]
macro_rules! t {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::text::format($key, &[$((stringify!($name), $crate::text::Argument::from($value))),*])
    };
}

/// The same as markup, if a value is markup, such as a link within a sentence.
#[macro_export]
macro_rules! rich {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::text::format_rich($key, &[$((stringify!($name), $crate::text::Argument::from($value))),*])
    };
}

pub use {rich, t};
