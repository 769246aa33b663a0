//! Tunable parameters of searches and evaluations, each declared once.

use std::ops::RangeInclusive;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// Default value.
    pub value: i32,
    pub range: RangeInclusive<i32>,
    /// The smallest change that can be expected to matter.
    pub step: i32,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    #[error("no parameter is called `{0}`")]
    Unknown(String),
    #[error("`{name}` is {value}, but must be from {} to {}", range.start(), range.end())]
    Range { name: &'static str, value: i32, range: RangeInclusive<i32> },
}

/// A set of tunable parameters, as [`parameters!`](crate::parameters!) declares it.
pub trait Tunable: Default + Clone {
    /// All parameters, with their defaults.
    fn table() -> Vec<Parameter>;

    /// The place of a name's number.
    fn place(&mut self, name: &str) -> Option<&mut i32>;

    /// Sets one.
    ///
    /// # Errors
    /// [`ParameterError`] when no parameter has that name, or the value is out of its range.
    fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        let unknown = || ParameterError::Unknown(name.to_owned());
        let parameter = Self::table().into_iter().find(|parameter| parameter.name == name).ok_or_else(unknown)?;
        if !parameter.range.contains(&value) {
            return Err(ParameterError::Range { name: parameter.name, value, range: parameter.range });
        }
        *self.place(name).ok_or_else(unknown)? = value;
        Ok(())
    }
}

/// Declares a [`Tunable`] struct of numbers: each line has the name, default, range and step, which are defined nowhere
/// else.
///
/// ```
/// use agon_search::parameters::Tunable;
/// agon_search::parameters! {
///     /// What a pond is tuned by.
///     pub struct Pond {
///         /// Frogs, at least.
///         frogs: 3 in 0..=10 step 1,
///     }
/// }
/// let mut pond = Pond::default();
/// pond.set("frogs", 4)?;
/// assert_eq!((pond.frogs, Pond::table()[0].value), (4, 3));
/// assert_eq!(pond.set("frogs", 11).unwrap_err().to_string(), "`frogs` is 11, but must be from 0 to 10");
/// # Ok::<(), agon_search::parameters::ParameterError>(())
/// ```
#[macro_export]
macro_rules! parameters {
    ($(#[$about:meta])* $vis:vis struct $set:ident {
        $($(#[$doc:meta])* $name:ident: $value:literal in $low:literal..=$high:literal step $step:literal,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $vis struct $set {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for $set {
            fn default() -> Self {
                Self { $($name: $value,)* }
            }
        }

        impl $crate::parameters::Tunable for $set {
            fn table() -> Vec<$crate::parameters::Parameter> {
                vec![$($crate::parameters::Parameter {
                    name: stringify!($name),
                    value: $value,
                    range: $low..=$high,
                    step: $step,
                },)*]
            }

            fn place(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}
