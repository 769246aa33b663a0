//! Times, in words and as dates.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::macros::t;

/// Seconds since 1970 (UTC).
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// How `datetime-local` writes times.
const TYPED: &str = "%Y-%m-%dT%H:%M";

/// A time as it is typed in a form.
pub fn typed_time(seconds: i64) -> String {
    Timestamp::from_second(seconds).map_or_else(|_| String::new(), |time| time.strftime(TYPED).to_string())
}

/// A time that says its zone, as scripts send it, or else is of UTC, as forms say.
pub fn read_time(text: &str) -> Option<i64> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.as_second());
    }
    // One that names a zone without its offset would be read without it.
    let time = text.parse::<DateTime>().ok().filter(|_| !text.contains('['))?;
    Some(time.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
}

/// How long ago something was, in a few words.
pub fn ago(then: i64) -> String {
    let seconds = (now() - then).max(0);
    match seconds {
        0..5 => t!("ago-now"),
        5..60 => t!("ago-seconds", count = seconds),
        60..3600 => t!("ago-minutes", count = seconds / 60),
        3600..172_800 => t!("ago-hours", count = seconds / 3600),
        _ => t!("ago-days", count = seconds / 86_400),
    }
}

/// How far away a future time is, in a few words.
pub fn until(then: i64) -> String {
    let seconds = (then - now()).max(0);
    match seconds {
        0..60 => t!("until-seconds", count = seconds),
        60..3600 => t!("until-minutes", count = seconds / 60),
        3600..172_800 => t!("until-hours", count = seconds / 3600),
        _ => t!("until-days", count = seconds / 86_400),
    }
}

/// A time for machines: `2026-11-30T18:00:00Z`.
pub fn moment(seconds: i64) -> String {
    Timestamp::from_second(seconds).map_or_else(|_| String::new(), |at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// A time, which the page's script shows in the visitor's zone: `2026-11-30 18:00 UTC`.
pub fn time(seconds: i64) -> Markup {
    let Ok(at) = Timestamp::from_second(seconds) else { return html! {} };
    html! { time datetime=(moment(seconds)) { (at.strftime("%Y-%m-%d %H:%M UTC")) } }
}
