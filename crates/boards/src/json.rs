//! JSON as every answer has it: numbers with twelve digits that count, as the command line prints them, and not with
//! the error of a sum, 0.028999999999999998; and no character that turns the direction of a line.

use std::io::{self, Write};

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter};

use crate::text::{escape, is_unseen};

/// A body of JSON: of a request as [`axum::Json`] reads it, of an answer with rounded numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Json<T>(pub T);

impl<T, S> FromRequest<S> for Json<T>
where
    axum::Json<T>: FromRequest<S, Rejection = JsonRejection>,
    S: Send + Sync,
{
    type Rejection = JsonRejection;

    async fn from_request(request: Request, state: &S) -> Result<Self, JsonRejection> {
        axum::Json::from_request(request, state).await.map(|axum::Json(value)| Self(value))
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match bytes(&self.0) {
            Ok(bytes) => ([(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
            Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
        }
    }
}

/// A value as JSON.
///
/// # Errors
/// As the value's [`Serialize`].
pub fn bytes<T: Serialize>(value: &T) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(128);
    value.serialize(&mut Serializer::with_formatter(&mut bytes, Rounding))?;
    Ok(bytes)
}

struct Rounding;

impl Formatter for Rounding {
    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        CompactFormatter.write_f64(writer, format!("{value:.11e}").parse().unwrap_or(value))
    }

    /// The same text, with invisible characters escaped and nothing that could control the terminal showing it.
    fn write_string_fragment<W: Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_unseen) {
            writer.write_all(&rest.as_bytes()[..at])?;
            let unseen = rest[at..].chars().next().unwrap_or_default();
            let mut escaped = String::new();
            escape(&mut escaped, unseen);
            writer.write_all(escaped.as_bytes())?;
            rest = &rest[at + unseen.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_steers_a_terminal() {
        let text = "a\u{202e}b\u{9b}\u{200c}가\u{7}\n\u{200b}\u{feff}\u{e0041}";
        let written = String::from_utf8(bytes(&text).unwrap()).unwrap();
        assert_eq!(written, "\"a\\u202eb\\u009b\u{200c}가\\u0007\\n\\u200b\\ufeff\\udb40\\udc41\"");
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }

    #[test]
    fn numbers_have_the_digits_that_count() {
        let check = |value: &serde_json::Value, text: &str| {
            assert_eq!(String::from_utf8(bytes(value).unwrap()).unwrap(), text);
        };
        check(&json!({ "ms": 0.1 + 0.7, "share": 0.028_999_999_999_999_998 }), r#"{"ms":0.8,"share":0.029}"#);
        check(&json!([1_782.021_564_020_474_4, -1e-12 / 3.0, 5.0, 7]), "[1782.02156402,-3.33333333333e-13,5.0,7]");
        check(
            &json!([[u64::MAX, null, "0.30000000000000004"]]),
            r#"[[18446744073709551615,null,"0.30000000000000004"]]"#,
        );
    }
}
