//! Enums whose variants are messages.

/// Enums of [messages](crate::Message): each variant has its English, with its fields in braces, or is in parentheses
/// a message of another type. `Debug` is derived.
///
/// ```
/// agon_message::messages! {
///     /// Why a team cannot be made.
///     pub enum TeamError {
///         Taken { name: String } = "team name `{name}` is taken",
///         Name(error: NameError),
///     }
///
///     /// What is wrong with a name.
///     pub enum NameError {
///         Missing = "name is missing",
///     }
/// }
/// assert_eq!(TeamError::Name(NameError::Missing).to_string(), "name is missing");
/// ```
#[macro_export]
macro_rules! messages {
    (@key $name:ident $variant:ident) => {{
        const NAME: &str = concat!(stringify!($name), stringify!($variant));
        const KEY: [u8; $crate::kebab_length(NAME)] = $crate::kebab(NAME);
        const TEXT: &str = match ::std::str::from_utf8(&KEY) {
            Ok(text) => text,
            Err(_) => NAME,
        };
        TEXT
    }};
    (@key $name:ident $variant:ident $inner:ident) => {
        $crate::Message::key($inner)
    };
    (@arguments [$($field:ident)*]) => {
        vec![$((stringify!($field), $crate::AsArgument::as_argument($field))),*]
    };
    (@arguments [] $inner:ident) => {
        $crate::Message::arguments($inner)
    };
    (@fmt $f:ident $text:literal) => {
        ::std::write!($f, $text)
    };
    (@fmt $f:ident $inner:ident) => {
        ::std::fmt::Display::fmt($inner, $f)
    };
    (@list $all:ident $name:ident $variant:ident [$($field:ident: $type:ty)*]) => {
        $all.insert($crate::messages!(@key $name $variant), &[$(stringify!($field)),*]);
        $(<$type as $crate::AsArgument>::list($all);)*
    };
    (@list $all:ident $name:ident $variant:ident [] $whole:ty) => {
        <$whole as $crate::Message>::list($all);
    };
    ($(
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident
                $({ $($(#[$field_meta:meta])* $field:ident: $type:ty),+ $(,)? })?
                $(($inner:ident: $whole:ty))?
                $(= $text:literal)?
            ),+ $(,)?
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug)]
        $vis enum $name {
            $(
                $(#[$variant_meta])*
                $variant $({ $($(#[$field_meta])* $field: $type),+ })? $(($whole))?
            ),+
        }

        impl ::std::fmt::Display for $name {
            #[allow(unused_variables)]
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? $(($inner))? => {
                        $crate::messages!(@fmt f $($inner)? $($text)?)
                    })+
                }
            }
        }

        impl $crate::Message for $name {
            #[allow(unused_variables)]
            fn key(&self) -> &'static str {
                match self {
                    $(Self::$variant $({ $($field),+ })? $(($inner))? => {
                        $crate::messages!(@key $name $variant $($inner)?)
                    })+
                }
            }

            fn arguments(&self) -> ::std::vec::Vec<(&'static str, $crate::Argument<'_>)> {
                match self {
                    $(Self::$variant $({ $($field),+ })? $(($inner))? => {
                        $crate::messages!(@arguments [$($($field)+)?] $($inner)?)
                    })+
                }
            }

            fn list(all: &mut $crate::Listing) {
                $($crate::messages!(@list all $name $variant [$($($field: $type)+)?] $($whole)?);)+
            }
        }
    )+};
}

/// Types whose [`Display`](std::fmt::Display) is a name, the same in every language, as arguments of messages.
#[macro_export]
macro_rules! text_arguments {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::AsArgument for $type {
            fn as_argument(&self) -> $crate::Argument<'_> {
                $crate::Argument::Text(::std::string::ToString::to_string(self).into())
            }
        }
    )+};
}
