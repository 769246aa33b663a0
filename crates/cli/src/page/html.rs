//! Text and data escaped for a page.

use agon_referee::text::plain;
use serde_json::Value;

/// Escapes text for HTML, making invisible characters visible.
pub(crate) fn escaped(text: &str) -> String {
    plain(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON inside a script: no text in it can end the script.
pub(super) fn inline_json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_in_a_record_can_leave_its_place() {
        assert_eq!(escaped("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
        assert_eq!(inline_json(&json!(["</script>"])), "[\"\\u003c/script>\"]");
    }
}
