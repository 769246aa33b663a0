//! The time.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970 (UTC).
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// Milliseconds since 1970 (UTC), with digits after the point.
pub fn now_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| (since.as_secs_f64() * 1e6).round() / 1e3)
}

/// How long ago something was, in a few words.
pub fn ago(then: i64) -> String {
    let seconds = (now() - then).max(0);
    match seconds {
        0..5 => "now".to_owned(),
        5..60 => format!("{seconds} s ago"),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..172_800 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// How far away a time to come is, in a few words.
pub fn until(then: i64) -> String {
    let seconds = (then - now()).max(0);
    match seconds {
        0..60 => format!("in {seconds} s"),
        60..3600 => format!("in {} min", seconds / 60),
        3600..172_800 => format!("in {} h", seconds / 3600),
        _ => format!("in {} days", seconds / 86_400),
    }
}
